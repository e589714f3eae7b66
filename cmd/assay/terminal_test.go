package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"html"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/chromedp/chromedp"
	"github.com/creack/pty"
)

var pictures = flag.String("pictures", "", "directory for pictures of the terminal and of an editor")

// screen is a terminal in which a program runs.
type screen struct {
	mu   sync.Mutex
	vt   *vt.Emulator
	raw  bytes.Buffer // what the program has written
	done chan error   // how the program ended
}

// onTerminal starts a program on a terminal of so many columns and rows.
func onTerminal(t *testing.T, cmd *exec.Cmd, columns, rows int) *screen {
	t.Helper()
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(columns), Rows: uint16(rows)})
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("NOT TESTED on a terminal: this system has no pseudo-terminals")
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{vt: vt.NewEmulator(columns, rows), done: make(chan error, 1)}
	s.vt.SetIndexedColor(1, color.RGBA{255, 107, 104, 255}) // a red that is legible on black
	go func() { _, _ = io.Copy(f, s.vt) }()                 // what the terminal answers; it ends with the terminal
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := f.Read(buffer)
			s.mu.Lock()
			s.raw.Write(buffer[:n])
			_, _ = s.vt.Write(buffer[:n]) // it is open until the test ends
			s.mu.Unlock()
			if err != nil {
				break // the program has ended
			}
		}
		s.done <- cmd.Wait()
	}()
	t.Cleanup(func() {
		f.Close()
		s.vt.Close()
	})
	return s
}

// end waits until the program has ended.
func (s *screen) end(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		t.Fatalf("it does not end:\n%s", s.vt.String())
		return nil
	}
}

// shows waits until a text is on the screen.
func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	for late := time.Now().Add(patience); time.Now().Before(late); time.Sleep(50 * time.Millisecond) {
		s.mu.Lock()
		shown := s.vt.String()
		s.mu.Unlock()
		if strings.Contains(shown, text) {
			return
		}
	}
	t.Fatalf("%q is never shown:\n%s", text, s.vt.String())
}

// twoPackages writes a module of two packages, one of which has a defect.
func twoPackages(t *testing.T) string {
	t.Helper()
	dir := twoFunctions(t)
	if err := os.Mkdir(filepath.Join(dir, "half"), 0o777); err != nil {
		t.Fatal(err)
	}
	half := "package half\n\n// Half is wrong for odd numbers.\n//\n//assay:requires n >= 0\n//assay:ensures result+result == n\nfunc Half(n int) int { return n / 2 }\n"
	if err := os.WriteFile(filepath.Join(dir, "half", "half.go"), []byte(half), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// On a terminal there is a line of progress, which says what is done and is gone in the end, severities have
// colours, and a table of packages ends the run; no line of it is wider than the terminal. NO_COLOR takes the
// colours, and a file has none of all this.
func TestOnTerminal(t *testing.T) {
	dir := twoPackages(t)
	colour := regexp.MustCompile("refuted: \x1b\\[1;31merror\x1b\\[0?m: Half")
	for _, tt := range []struct {
		columns int
		env     string
		colours bool
	}{{100, "", true}, {48, "", true}, {100, "NO_COLOR=1", false}} {
		cmd := assayCommand(t, dir, "check", "-exit-zero", "./...")
		cmd.Env = append(cmd.Env, tt.env)
		s := onTerminal(t, cmd, tt.columns, 40)
		if err := s.end(t); err != nil {
			t.Fatalf("%v\n%s", err, s.raw.String())
		}
		raw, shown := s.raw.String(), s.vt.String()
		left := regexp.MustCompile(`half: exploring +[0-9]+% \|.*\|.*\[[0-9]+s:[0-9]+s\]`) // with the time that is over, and that is left
		if !left.MatchString(raw) || strings.Contains(shown, "%") {
			t.Errorf("at %d %s: progress is not shown or left behind:\n%s", tt.columns, tt.env, shown)
		}
		if got := colour.MatchString(raw); got != tt.colours {
			t.Errorf("at %d %s: colours are %v:\n%q", tt.columns, tt.env, got, raw)
		}
		if !strings.Contains(raw, "Half breaks ensures") || !strings.Contains(shown, "│ package ") || !strings.Contains(shown, "│ all ") {
			t.Errorf("at %d %s: no finding or no table:\n%s", tt.columns, tt.env, shown)
		}
		for line := range strings.Lines(shown) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "│") != strings.HasSuffix(line, "│") {
				t.Errorf("at %d: a line is broken: %s", tt.columns, line)
			}
		}
	}
	cmd := assayCommand(t, dir, "check", "-exit-zero", "./...")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "\x1b") || strings.Contains(string(out), "│") || !strings.Contains(string(out), "Half breaks ensures") {
		t.Errorf("to a file: %v\n%q", err, out)
	}
}

// page shows a screen as a page, with the colours of a dark terminal.
func (s *screen) page() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><meta charset="utf-8"><style>body{margin:0;background:#16181d}pre{margin:0;padding:12px;color:#d8dee9;font:14px/19px "DejaVu Sans Mono",monospace;width:max-content}</style><pre>`)
	hex := func(c color.Color) string {
		r, g, b, _ := c.RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	for y := range s.vt.Height() {
		for x := range s.vt.Width() {
			cell := s.vt.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				continue // the second half of a wide letter
			}
			style := ""
			if cell.Style.Fg != nil {
				style += "color:" + hex(cell.Style.Fg) + ";"
			}
			if cell.Style.Bg != nil {
				style += "background:" + hex(cell.Style.Bg) + ";"
			}
			if cell.Style.Attrs&1 != 0 {
				style += "font-weight:bold;"
			}
			if style == "" {
				b.WriteString(html.EscapeString(cell.Content))
				continue
			}
			fmt.Fprintf(&b, `<span style="%s">%s</span>`, style, html.EscapeString(cell.Content))
		}
		b.WriteString("\n")
	}
	return b.String() + "</pre>"
}

// take writes a picture of a screen.
func (s *screen) take(t *testing.T, name string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "screen.html")
	if err := os.WriteFile(file, []byte(s.page()), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	var picture []byte
	var size []int64
	err := chromedp.Run(ctx, chromedp.Navigate("file://"+filepath.ToSlash(file)), chromedp.Evaluate(`[document.querySelector("pre").offsetWidth,document.querySelector("pre").offsetHeight]`, &size))
	if err == nil {
		err = chromedp.Run(ctx, chromedp.EmulateViewport(size[0], size[1]), chromedp.CaptureScreenshot(&picture))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*pictures, name), picture, 0o666); err != nil {
		t.Fatal(err)
	}
}

// The pictures in the documentation: a run on a terminal, and Neovim with diagnostics and lenses.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("pictures are made with -pictures DIR")
	}
	examples, err := filepath.Abs(filepath.Join("..", "..", "examples"))
	if err != nil {
		t.Fatal(err)
	}
	run := onTerminal(t, assayCommand(t, examples, "check", "-exit-zero", "./bintree", "./classify", "./ringbuffer"), 110, 34)
	if err := run.end(t); err != nil {
		t.Fatalf("%v\n%s", err, run.raw.String())
	}
	run.take(t, "terminal.png")

	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no picture of an editor: nvim is not on PATH")
	}
	server := assayCommand(t, twoPackages(t), "lsp")
	script, err := filepath.Abs(filepath.Join("testdata", "picture.lua"))
	if err != nil {
		t.Fatal(err)
	}
	src := "package m\n\n// Price is what n pieces cost; members save 3.\nfunc Price(n int, member bool) int {\n\tif n <= 0 {\n\t\treturn 0\n\t}\n\tp := n * 7\n\tif member {\n\t\tp -= 3\n\t}\n\treturn p\n}\n\n" +
		"// Half is n/2.\n//\n//assay:requires n >= 0\n//assay:ensures result+result == n\nfunc Half(n int) int { return n / 2 }\n"
	if err := os.WriteFile(filepath.Join(server.Dir, "m.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nvim, "--clean", "-n", "m.go", "-c", "luafile "+script)
	cmd.Dir = server.Dir
	cmd.Env = append(server.Env, "ASSAY="+server.Path, "XDG_STATE_HOME="+t.TempDir(), "HOME="+t.TempDir())
	editor := onTerminal(t, cmd, 110, 30)
	editor.shows(t, "Half breaks")
	editor.shows(t, "without a test")
	editor.shows(t, "condition")
	editor.take(t, "editor.png")
	_ = cmd.Process.Signal(syscall.SIGTERM) // the picture is taken
}
