package native

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestWanting tells a process that computes from one that waits: however little of the
// processor the first gets, it never looks idle.
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
		time.Sleep(time.Millisecond) // until it has begun to sleep
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
