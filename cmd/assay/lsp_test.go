package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// A user's way through an editor: a file is opened; its diagnostics, lenses and actions arrive; an action is
// run, and then there is a file of tests; another action moves a test from it to the hand-written tests. All of
// that beside gopls, if it is there.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("NOT TESTED in an editor: nvim is not on PATH")
	}
	dir := twoFunctions(t)
	src, err := os.ReadFile(filepath.Join(dir, "m.go"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.go"), append(src, "\n// Never is broken.\nfunc Never() int {\n\tvar p *int\n\treturn *p\n}\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	server := assayCommand(t, dir, "lsp")
	script, err := filepath.Abs(filepath.Join("testdata", "neovim.lua"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nvim, "--headless", "--clean", "-n", "m.go", "-c", "luafile "+script)
	cmd.Dir = dir
	cmd.Env = append(server.Env, "ASSAY="+server.Path, "XDG_STATE_HOME="+t.TempDir(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wanted := []string{"diagnostic 17: it never holds that", "lens: proved", "lens: 3 paths, 3 without a test", "action: assay: write tests for Sign", "n < 0 -1 return -1", "done"}
	if _, err := exec.LookPath("gopls"); err == nil {
		wanted = append(wanted, "beside gopls: ```go func Sign(n int) int")
	} else {
		t.Log("NOT TESTED beside gopls: it is not on PATH")
	}
	for _, want := range wanted {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, name := range []string{"written.txt", "m_test.go"} { // the text that gen wrote, and the file to which the test was moved
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), "func TestSign(") {
			t.Errorf("the tests in %s: %s, %v\n%s", name, text, err, out)
		}
	}
}

// Input that is no message of the protocol ends the server with an error. A client that closes the
// connection without a message ends the server without an error.
func TestLSPBadInput(t *testing.T) {
	for name, tt := range map[string]struct {
		in     string
		status int
	}{
		"nothing":         {"", 0},
		"a known client":  {message(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`), 0},
		"no JSON":         {message("what?"), 1},
		"a wrong length":  {"Content-Length: many\r\n\r\n{}", 1},
		"half a message":  {"Content-Length: 100\r\n\r\n{}", 1},
		"an empty object": {message("{}"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := assayCommand(t, twoFunctions(t), "lsp")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, tt.in); err != nil {
				t.Fatal(err)
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			err = cmd.Wait()
			if got := cmd.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d: %v\n%s", got, tt.status, err, stderr.String())
			}
			if (stderr.Len() > 0) != (tt.status != 0) || strings.Contains(stderr.String(), "goroutine ") {
				t.Errorf("stderr: %s", stderr.String())
			}
		})
	}
}

// message is a message with the header of the protocol.
func message(s string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(s), s) }

// readWriter is the two halves of a connection to a process.
type readWriter struct {
	io.Reader
	io.WriteCloser
}

// An editor that dies while a command is under way takes the server and what it runs with it: nothing is
// written, and nothing is left in the temporary directory.
func TestLSPClientDies(t *testing.T) {
	dir, tmp := twoFunctions(t), t.TempDir()
	cmd := assayCommand(t, dir, "lsp")
	cmd.Env = append(cmd.Env, "TMPDIR="+tmp)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	building := make(chan struct{}, 1000)
	client := jsonrpc2.HandlerWithError(func(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
		if req.Method == "$/progress" && strings.Contains(string(*req.Params), `"report"`) && strings.Contains(string(*req.Params), "build") {
			building <- struct{}{}
		}
		return nil, nil
	})
	conn := jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(readWriter{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(client), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	if err := conn.Call(t.Context(), "initialize", map[string]any{"capabilities": map[string]any{"window": map[string]any{"workDoneProgress": true}}}, nil); err != nil {
		t.Fatal(err)
	}
	file := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, "m.go"))}).String()
	command := map[string]any{"command": "assay.writeTests", "arguments": []any{file, "Sign"}}
	if _, err := conn.DispatchCall(t.Context(), "workspace/executeCommand", command); err != nil {
		t.Fatal(err)
	}
	select {
	case <-building:
	case <-time.After(patience):
		t.Fatal("no progress before the end")
	}
	in.Close()
	out.Close()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill() // it is what failed
		t.Fatal("the server outlives its client")
	}
	if _, err := os.Stat(filepath.Join(dir, "m_assay_test.go")); err == nil {
		t.Error("tests were written for nobody")
	}
	emptied(t, tmp)
}
