package workers

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/queue"
)

// A task that needs more memory than a worker may have is dead with the reason, and the worker goes on with other
// tasks.
func TestWorker_memory(t *testing.T) {
	const much = 256 << 20
	q, cfg := serve(t)
	cfg.Tries = 1
	own := connect(t, cfg)
	w := &Worker{Memory: memory() + much/2}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = own.Work(ctx, "worker", func(ctx context.Context, _ queue.Job, work []byte) ([]byte, error) { // it ends with ctx
			return w.within(ctx, func(ctx context.Context) ([]byte, error) {
				if string(work) != "large" {
					return work, nil
				}
				hoard := make([]byte, much)
				for i := range hoard {
					hoard[i] = 1
				}
				<-ctx.Done()
				return hoard[:1], nil // a part of the result, as of a task that was interrupted
			})
		})
	}()
	defer func() { cancel(); <-ended }()
	_, err := q.Wait(t.Context(), bundle.Digest([]byte("large")), "large", []byte("large"), nil)
	var dead *queue.DeadError
	if !errors.As(err, &dead) || !strings.Contains(dead.Reason, "MB of memory at a worker") {
		t.Errorf("the large task: %v", err)
	}
	if got, err := q.Wait(t.Context(), bundle.Digest([]byte("small")), "small", []byte("small"), nil); err != nil || string(got) != "small" {
		t.Errorf("the task after it: %q, %v", got, err)
	}
}
