//go:build unix

package files

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var kills = flag.Int("kills", 100, "how often a process that replaces files is killed")

// endlessEnv names the directory in which a process of this program replaces files until it is
// killed.
const endlessEnv = "ASSAY_TEST_REPLACE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(endlessEnv); dir != "" {
		replaceEndlessly(dir)
	}
	os.Exit(m.Run())
}

// states are the two contents that the directory has in turns, by file name.
func states() [2]map[string]string {
	text := func(name string, state int) string {
		return string(sealed(strings.Repeat(fmt.Sprintf("// %s %d\n", name, state), 2000)))
	}
	var out [2]map[string]string
	for i := range out {
		out[i] = make(map[string]string)
		for _, name := range []string{"a_assay_test.go", "b_assay_test.go", "c_assay_test.go"} {
			out[i][name] = text(name, i)
		}
	}
	out[1]["new_assay_test.go"] = text("new", 1) // in one of them only
	return out
}

func replaceEndlessly(dir string) {
	states := states()
	for i := 0; ; i++ {
		if err := replaceWith(dir, states[i%2]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if i == 0 {
			fmt.Println("ready")
		}
	}
}

func replaceWith(dir string, state map[string]string) error {
	if err := Clean(dir); err != nil {
		return err
	}
	old, err := Earlier(dir)
	if err != nil {
		return err
	}
	var fresh []New
	for name, content := range state {
		fresh = append(fresh, New{Name: filepath.Join(dir, name), Content: []byte(content)})
	}
	_, _, err = Replace(dir, old, fresh, func(string) bool { return false })
	return err
}

// If a process is killed while it replaces files, each file has its old or its new content. A later run
// removes the temporary files.
func TestReplace_killed(t *testing.T) {
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	states := states()
	left := 0
	for range *kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), endlessEnv+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("the process says %q, %v", line, err)
		}
		time.Sleep(time.Duration(r.IntN(8000)) * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait() // it was killed
		for name, content := range tree(t, dir) {
			if strings.HasPrefix(name, tempPrefix) {
				left++
				continue
			}
			if content != states[0][name] && content != states[1][name] {
				t.Fatalf("%s is neither old nor new: %d bytes", name, len(content))
			}
		}
		for name := range states[0] {
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d temporary names stayed until the next run", left)
	if err := replaceWith(dir, states[1]); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); len(got) != len(states[1]) {
		t.Errorf("there are %d files, want %d", len(got), len(states[1]))
	}
}
