package purity

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const source = `package m

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
)

func run(s string) error { return exec.Command(s).Run() }
func Indirect(s string) error { return run("x" + s) }
func Maybe(s string, b bool) error {
	if b { return run(s) }
	return nil
}
func Both(s string, b bool) {
	if b { _ = os.Remove(s) } else { _ = os.RemoveAll(s) }
}
func OrPanics(s string) {
	if s == "" { panic("empty") }
	_ = os.WriteFile(s, nil, 0o600)
}
func Local() { _ = os.WriteFile("here", nil, 0o600) }
func Up() { _ = os.WriteFile("../there", nil, 0o600) }
func Print(w io.Writer) { fmt.Fprintln(w, 1) }
func Kill(pid int) { defer syscall.Kill(pid, 9) }
func Loop(n int) int { if n == 0 { return 0 }; return Loop(n-1) }
`

func TestEffect(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"run":      "it starts a process (os/exec.Cmd.Run)",
		"Indirect": "it starts a process (os/exec.Cmd.Run)",
		"Both":     "it changes files (os.Remove)",
		"OrPanics": "it changes files (os.WriteFile)",
		"Local":    "it changes files (os.WriteFile)",
		"Up":       "it changes files (os.WriteFile)",
		"Kill":     "it sends a signal (syscall.Kill)",
	}
	a := NewWorldEffects()
	for _, target := range p.Packages[0].Targets {
		if got := a.Effect(target.Func); got != want[target.Name] {
			t.Errorf("%s: %q, want %q", target.Name, got, want[target.Name])
		}
	}
}
