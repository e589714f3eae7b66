package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// assayCommand returns a command that runs assay as a process of its own.
func assayCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// If the test binary is called with this variable, it runs assay in place of tests; see TestMain.
	bin := filepath.Join(t.TempDir(), "assay")
	if err := os.Symlink(self, bin); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), goEnv(t)...)
	return cmd
}

// twoFunctions writes a module of one package.
func twoFunctions(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"m.go":   "package m\n\n// Sign is the sign of n.\nfunc Sign(n int) int {\n\tif n < 0 {\n\t\treturn -1\n\t}\n\tif n > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The server speaks the protocol over standard input and output, and ends with its input.
func TestMCPOverStdio(t *testing.T) {
	dir := twoFunctions(t)
	cmd := assayCommand(t, dir, "mcp")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}})
	s, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: patience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "explore", Arguments: map[string]any{"package": ".", "function": "Sign"}})
	if err != nil || res.IsError {
		t.Fatalf("%v %+v", err, res)
	}
	data, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(data); strings.Count(got, `"stop":"return"`) != 3 {
		t.Errorf("paths %s", got)
	}
	res, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "generate_tests", Arguments: map[string]any{"package": ".", "write": true, "timeout_seconds": 500}})
	if err != nil || res.IsError {
		t.Fatalf("%v %+v", err, res)
	}
	if _, err := os.Stat(filepath.Join(dir, "m_assay_test.go")); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
}

// Input that is no JSON or no request is answered, or ends the server with a message. Nothing else goes to
// standard output, and no process remains.
func TestMCPBadInput(t *testing.T) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	explore := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"explore","arguments":{"package":".","function":"Sign"}}}` + "\n"
	for name, tt := range map[string]struct {
		in     string
		status int
		out    string // in the answers
		err    string // on stderr
	}{
		"nothing":         {"", 0, "", ""},
		"no JSON":         {hello + "what?\n", 1, "", "assay mcp: "},
		"half of it":      {hello + `{"jsonrpc":"2.0","id":`, 1, "", "assay mcp: "},
		"no request":      {hello + "[1,2,3]\n", 1, "", "assay mcp: "},
		"unknown method":  {hello + `{"jsonrpc":"2.0","id":2,"method":"no/such"}` + "\n", 0, `"code":-32601`, ""},
		"wrong params":    {hello + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":7}` + "\n", 0, `"error"`, ""},
		"before its time": {explore, 0, `"error"`, ""},
		"an unknown id":   {hello + `{"jsonrpc":"2.0","id":99,"result":{}}` + "\n", 0, "", ""},
		"cancels nothing": {hello + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}` + "\n", 0, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := assayCommand(t, twoFunctions(t), "mcp")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, tt.in); err != nil {
				t.Fatal(err)
			}
			// If a client leaves before the answer, the call is cancelled, and the client gets no answer.
			lines := bufio.NewScanner(out)
			for tt.out != "" && !strings.Contains(stdout.String(), tt.out) && lines.Scan() {
				stdout.WriteString(lines.Text() + "\n")
			}
			if err := in.Close(); err != nil {
				t.Fatal(err)
			}
			for lines.Scan() {
				stdout.WriteString(lines.Text() + "\n")
			}
			if err := cmd.Wait(); cmd.ProcessState.ExitCode() != tt.status {
				t.Errorf("exit status %d, want %d: %v", cmd.ProcessState.ExitCode(), tt.status, err)
			}
			if !strings.Contains(stdout.String(), tt.out) || !strings.Contains(stderr.String(), tt.err) || tt.err == "" && stderr.Len() > 0 || strings.Contains(stderr.String(), "goroutine ") {
				t.Errorf("stdout:\n%s\nstderr:\n%s\nwant %q, %q", stdout.String(), stderr.String(), tt.out, tt.err)
			}
			for line := range strings.Lines(stdout.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("not of the protocol: %s", line)
				}
			}
		})
	}
}

// If a client dies while a call is under way, the server ends, and with it the processes that it has
// started. Nothing is left in the temporary directory.
func TestMCPClientDies(t *testing.T) {
	dir, tmp := twoFunctions(t), t.TempDir()
	cmd := assayCommand(t, dir, "mcp")
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
	for _, m := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"generate_tests","arguments":{"package":".","write":true,"timeout_seconds":500},"_meta":{"progressToken":"p"}}}`,
	} {
		if _, err := io.WriteString(in, m+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	told := false
	for lines := bufio.NewScanner(out); !told && lines.Scan(); {
		told = strings.Contains(lines.Text(), "notifications/progress") && strings.Contains(lines.Text(), "build")
	}
	if !told {
		t.Fatal("no progress before the end")
	}
	in.Close()
	out.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-ctx.Done():
		_ = cmd.Process.Kill() // it is what failed
		t.Fatal("the server outlives its client")
	}
	if _, err := os.Stat(filepath.Join(dir, "m_assay_test.go")); err == nil {
		t.Error("tests were written for nobody")
	}
	emptied(t, tmp)
}

// emptied waits until a directory is empty, because processes that were left behind remove their files a moment
// later.
func emptied(t *testing.T, dir string) {
	t.Helper()
	var left []os.DirEntry
	for range 100 {
		var err error
		if left, err = os.ReadDir(dir); err == nil && len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("left in %s: %v", dir, left)
}
