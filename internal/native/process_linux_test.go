package native

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestWanting checks that a process that computes is told from one that waits: even if it gets little time
// of the processor, it never looks idle.
func TestWanting(t *testing.T) {
	start := func(script string) int {
		cmd := exec.Command("sh", "-c", script)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill() // it may have ended
			_ = cmd.Wait()         // killed, as it should be
		})
		return cmd.Process.Pid
	}
	busy, waiting := start("while :; do :; done"), start("exec sleep 1000")
	for {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", waiting))
		if err != nil {
			t.Fatal(err)
		}
		if string(name) == "sleep\n" && !wanting(waiting) {
			break
		}
		time.Sleep(time.Millisecond) // waits until the process sleeps
	}
	for range 50 {
		if !wanting(busy) {
			t.Fatal("a process that computes does not want the processor")
		}
		if wanting(waiting) {
			t.Fatal("a process that sleeps wants the processor")
		}
		time.Sleep(time.Millisecond)
	}
}
