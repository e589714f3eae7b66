package gotest

import (
	"bytes"
	"io"
	"os"
	"os/exec"

	"github.com/creack/pty"
)

// A test binary that "go test" runs in a package's directory writes to the terminal of whoever runs it, and some packages ask whether
// there is one. It has neither when assay reads its output through a pipe.

// terminal gives a command a terminal to write to, of which all output goes to out without carriage returns. The function that it
// returns is to be called when the command has ended. The error says that the system has no terminals to give.
func terminal(cmd *exec.Cmd, out *bytes.Buffer) (end func(), err error) {
	here, there, err := pty.Open()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = there, there
	done := make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(out, withoutReturns{here}) // ends with an error once nobody writes to the terminal any more
	}()
	return func() {
		there.Close()
		<-done
		here.Close()
	}, nil
}

// withoutReturns reads what a terminal shows without the carriage returns that it puts before line feeds.
type withoutReturns struct{ from *os.File }

func (r withoutReturns) Read(p []byte) (int, error) {
	for {
		n, err := r.from.Read(p)
		if kept := copy(p, bytes.ReplaceAll(p[:n], []byte("\r"), nil)); kept > 0 || err != nil {
			return kept, err
		}
	}
}
