package workers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// within does a task, and ends it with an error when this process has more memory than it may have. The worker
// lives on, and the queue counts the task as one that failed: another worker may have more. Programs that a task
// starts have bounds of their own.
func (w *Worker) within(ctx context.Context, task func(context.Context) ([]byte, error)) ([]byte, error) {
	if w.Memory == 0 {
		return task(ctx)
	}
	ctx, end := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		const often = 200 * time.Millisecond
		tick := time.NewTicker(often)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if memory() <= w.Memory {
				continue
			}
			debug.FreeOSMemory() // much of it may be garbage
			if memory() > w.Memory {
				end(memoryError(w.Memory))
				return
			}
		}
	}()
	out, err := task(ctx)
	end(nil)
	<-watched
	if tooMuch := memoryError(0); errors.As(context.Cause(ctx), &tooMuch) {
		debug.FreeOSMemory() // the next task has a right to all of it
		return nil, tooMuch  // what a task that was ended returns is not its result
	}
	return out, err
}

// memoryError says that a task needs more than so many bytes.
type memoryError int64

func (e memoryError) Error() string {
	return fmt.Sprintf("it needs more than %d MB of memory at a worker: let a worker have more (assay worker -memory)", int64(e)>>20)
}

// memory returns how many bytes of memory the Go runtime of this process has from the system.
func memory() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}
