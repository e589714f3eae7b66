package workers

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/goassay/assay/internal/queue"
)

// ServerEnv names the environment variable with the URL of the server. It keeps the URL out of the
// workers' arguments, which other users can list.
const ServerEnv = "ASSAY_SERVER"

// parentEnv names the environment variable that tells a worker to end with the process that has started it.
const parentEnv = "ASSAY_WORKER_OF_GEN"

// Local is a server with workers on this machine.
type Local struct {
	URL string

	server *queue.Server
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// StartLocal starts a server, which stores its data in dir, and n workers, each a process "assay
// worker" of this program. A worker that ends too early is restarted, because its job may have ended
// it. The workers' output goes to stderr.
func StartLocal(ctx context.Context, dir string, n int, args []string, stderr io.Writer) (*Local, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	server, err := queue.Start(dir)
	if err != nil {
		return nil, err
	}
	l := &Local{URL: server.URL(), server: server}
	ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	for range n {
		l.done.Go(func() {
			const pause = time.Second
			for ctx.Err() == nil {
				how := l.runWorker(ctx, exe, args, stderr)
				if ctx.Err() == nil {
					fmt.Fprintf(stderr, "assay: warning: a worker has ended (%s); another one takes its place\n", how)
				}
				select {
				case <-ctx.Done():
				case <-time.After(pause):
				}
			}
		})
	}
	return l, nil
}

// runWorker runs a process that works until ctx ends, and says how it ended.
func (l *Local) runWorker(ctx context.Context, exe string, args []string, stderr io.Writer) string {
	cmd := exec.CommandContext(ctx, exe)
	cmd.Args = append([]string{"assay", "worker"}, args...)
	cmd.Env = append(os.Environ(), ServerEnv+"="+l.URL, parentEnv+"=1")
	// The worker's end of this pipe is closed when this process ends, however it ends.
	if _, err := cmd.StdinPipe(); err != nil {
		return err.Error()
	}
	cmd.Stderr = &whileAlive{ctx, stderr}
	cmd.Cancel = func() error { return interrupt(cmd.Process) }
	cmd.WaitDelay = 10 * time.Second // after this time the process is killed
	detach(cmd)
	if err := cmd.Run(); err != nil {
		return err.Error()
	}
	return "without an error"
}

// UntilParentEnds returns a context that also ends when the process that has started this worker does, if that
// was StartLocal. Nobody else would end the worker then: its server is gone, too.
func UntilParentEnds(ctx context.Context) (context.Context, error) {
	if os.Getenv(parentEnv) == "" {
		return ctx, nil
	}
	ctx, end := context.WithCancel(ctx)
	go func() {
		defer end()
		_, _ = io.Copy(io.Discard, os.Stdin) // nothing is written there, so it waits for the end
	}()
	return ctx, os.Unsetenv(parentEnv) // programs that the worker starts are not meant
}

// whileAlive writes until ctx ends. After that a message that a worker has ended is no news.
type whileAlive struct {
	ctx context.Context
	to  io.Writer
}

func (w *whileAlive) Write(data []byte) (int, error) {
	if w.ctx.Err() != nil {
		return len(data), nil
	}
	return w.to.Write(data)
}

// Close ends the workers and the server.
func (l *Local) Close() {
	l.cancel()
	l.done.Wait()
	l.server.Close()
}
