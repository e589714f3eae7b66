package purity

import (
	"slices"
	"testing"
)

const source = `package m

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"syscall"
)

type client struct{ do func(*http.Request) (*http.Response, error) }

func (c client) send(r *http.Request) error { _, err := c.do(r); return err }
func (c client) Ping() error { r, _ := http.NewRequest("GET", "/", nil); return c.send(r) }
func Fetch() bool { _, err := http.Get("http://example.com"); return err == nil }
func Make() *http.Request { return &http.Request{Host: os.Args[0]} }

type logger struct{}

func (logger) Fatal(s string) { fmt.Println(s, Make()); os.Exit(1) }
func Must(err error) { if err != nil { log.Fatal(err) } }
func Give(l logger) int { l.Fatal("up"); return 1 }

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
func Over(fd uintptr) *os.File { return os.NewFile(fd, "f") }
func Print(w io.Writer) { fmt.Fprintln(w, 1) }
func Kill(pid int) { defer syscall.Kill(pid, 9) }
func Loop(n int) int { if n == 0 { return 0 }; return Loop(n-1) }
`

// A function that certainly ends the process has no test behind its call, as the method Fatal of loggers; one that may end it has.
func TestNewEndings(t *testing.T) {
	p := loadSource(t, source)
	a := NewEndings()
	want := map[string]string{"logger.Fatal": "it ends the process (os.Exit)", "Give": "it ends the process (os.Exit)"}
	for _, target := range p.Targets {
		if got := a.Effect(target.Func); got != want[target.Name] {
			t.Errorf("%s: %q, want %q", target.Name, got, want[target.Name])
		}
	}
}

// Requests are sent by package http, by functions in fields, and by what calls these. The command line is read by name, too, and
// by what calls a function that reads it.
func TestSenders(t *testing.T) {
	p := loadSource(t, source)
	senders, readers := Senders(p), ArgReaders(p)
	for _, target := range p.Targets {
		wantSends := slices.Contains([]string{"client.send", "client.Ping", "Fetch"}, target.Name)
		wantReads := slices.Contains([]string{"Make", "logger.Fatal", "Give"}, target.Name)
		if senders[target.Name] != wantSends || readers[target.Name] != wantReads {
			t.Errorf("%s: sends %t, reads the command line %t; want %t, %t", target.Name, senders[target.Name], readers[target.Name], wantSends, wantReads)
		}
	}
}

func TestEffect(t *testing.T) {
	want := map[string]string{
		"run":      "it starts a process (os/exec.Cmd.Run)",
		"Indirect": "it starts a process (os/exec.Cmd.Run)",
		"Both":     "it changes files (os.Remove)",
		"OrPanics": "it changes files (os.WriteFile)",
		"Local":    "it changes files (os.WriteFile)",
		"Up":       "it changes files (os.WriteFile)",
		"Kill":     "it sends a signal (syscall.Kill)",
		"Over":     "it takes over a file that is open (os.NewFile)",
	}
	a := NewWorldEffects()
	for _, target := range loadSource(t, source).Targets {
		if got := a.Effect(target.Func); got != want[target.Name] {
			t.Errorf("%s: %q, want %q", target.Name, got, want[target.Name])
		}
	}
}
