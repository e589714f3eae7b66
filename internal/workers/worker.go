package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/lock"
	"github.com/goassay/assay/internal/queue"
)

// oldSuffix is what the directory for old versions of modules has behind the name of the one for modules.
const oldSuffix = "-before"

// usualMemory is how many bytes a worker tries to do with where nobody says how many it may have. No task ends for it.
const usualMemory = 2 << 30

// mostBlobs bounds the size in bytes of the modules' files that a worker keeps.
const mostBlobs = 2 << 30

// Worker does tasks.
type Worker struct {
	Name      string // the worker's name, for administrators of the queue
	Performer campaign.Performer
	Log       *slog.Logger
	Dir       string // an existing directory, which workers may share
	Memory    int64  // how many bytes this process may have for a task; 0 is any number

	metrics tally
	place   string // the directory that modules are unpacked into
	mu      sync.Mutex
	room    int64 // how many bytes of blobs may be stored before all are counted
}

// Work does the tasks of a queue until ctx ends.
func (w *Worker) Work(ctx context.Context, q *queue.Queue) error {
	leave, err := w.settle()
	if err != nil {
		return err
	}
	defer leave()
	if w.Memory > 0 || os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(cmp.Or(w.Memory, usualMemory) / 8 * 7) // the collector works harder before a task has to end
	}
	w.Log.Info("ready", "worker", w.Name)
	return q.Work(ctx, w.Name, func(ctx context.Context, job queue.Job, data []byte) ([]byte, error) {
		start := time.Now()
		w.metrics.begin()
		out, err := w.do(ctx, q, data)
		w.metrics.end(err)
		took := time.Since(start).Round(time.Millisecond)
		if err != nil {
			w.Log.Error("failed", "job", job.Key, "what", job.What, "took", took, "error", err)
		} else {
			w.Log.Info("done", "job", job.Key, "what", job.What, "took", took, "bytes", len(out))
		}
		return out, err
	})
}

// clean empties a directory.
func clean(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// settle chooses the directory that the modules of all jobs are unpacked into: the first one that no other
// worker has. The go command's build cache identifies packages by their directories, so it knows there what
// earlier jobs have built, and those of earlier workers; and most files of a module need not be written again.
func (w *Worker) settle() (leave func(), err error) {
	jobs := filepath.Join(w.Dir, "jobs")
	for _, dir := range []string{filepath.Join(w.Dir, "blobs"), jobs} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	unlock := func() {}
	if lock.Supported {
		const most = 256 // the largest number of workers that share a directory
		for i := range most {
			dir := filepath.Join(jobs, strconv.Itoa(i))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				return nil, err
			}
			alone := false
			if unlock, alone = lock.Alone(dir); alone {
				w.place = filepath.Join(dir, "module")
				break
			}
		}
	}
	if w.place == "" { // no lock says whether another worker is there
		if w.place, err = os.MkdirTemp(jobs, "job-"); err != nil {
			return nil, err
		}
		unlock = func() { _, _ = os.RemoveAll(w.place), os.RemoveAll(w.place+oldSuffix) } // what is left does no harm
	}
	if err := os.MkdirAll(w.place, 0o755); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// OwnDir returns a directory for a worker that was given none, and the function that empties it in the end.
// It is a directory of an earlier worker if no worker has it now. The build cache then has the packages that
// were built there.
func OwnDir() (dir string, release func(), err error) {
	const most = 64 // the largest number of workers of one user
	if base, err := os.UserCacheDir(); err == nil {
		for i := range most {
			dir := filepath.Join(base, "assay-worker", strconv.Itoa(i))
			if os.MkdirAll(dir, 0o700) != nil {
				break
			}
			unlock, ok := lock.Alone(dir)
			if ok && clean(dir) == nil {
				return dir, func() {
					_ = clean(dir) // the next worker does it again
					unlock()
				}, nil
			}
			unlock()
			if !lock.Supported {
				break
			}
		}
	}
	dir, err = os.MkdirTemp("", "assay-worker-")
	return dir, func() { _ = os.RemoveAll(dir) }, err // a leftover temporary directory does no harm
}

// do does a task.
func (w *Worker) do(ctx context.Context, q *queue.Queue, data []byte) (out []byte, err error) {
	var b body
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("not a task: %w", err)
	}
	if err := w.unpack(ctx, q, b.Module, w.place); err != nil {
		return nil, err
	}
	before := ""
	if b.Before != "" {
		if before, err = w.beside(); err != nil {
			return nil, err
		}
		if err := w.unpack(ctx, q, b.Before, before); err != nil {
			return nil, err
		}
	}
	return w.within(ctx, func(ctx context.Context) ([]byte, error) {
		if b.Verdict != nil {
			return w.verdicts(ctx, w.place, before, *b.Verdict)
		}
		return w.Performer.Perform(ctx, w.place, b.Task)
	})
}

// unpack brings a directory to the files of the module that is named by the digest of their list.
func (w *Worker) unpack(ctx context.Context, q *queue.Queue, module, dir string) error {
	list, err := w.blob(ctx, q, module)
	if err != nil {
		return err
	}
	m, err := bundle.Decode(list)
	if err != nil {
		return err
	}
	return m.Unpack(dir, func(digest string) ([]byte, error) { return w.blob(ctx, q, digest) })
}

// beside returns the directory for the old version of a module that is compared: it is beside the one of the new version,
// and exists.
func (w *Worker) beside() (string, error) {
	dir := w.place + oldSuffix
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir) // confinement works with real paths
}

// blob returns a content, from the server if the worker does not have it.
func (w *Worker) blob(ctx context.Context, q *queue.Queue, digest string) ([]byte, error) {
	if len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%q is no digest", digest)
	}
	name := filepath.Join(w.Dir, "blobs", digest)
	if data, err := os.ReadFile(name); err == nil && bundle.Digest(data) == digest {
		return data, nil
	}
	data, err := q.Blob(ctx, digest)
	if err != nil {
		return nil, err
	}
	w.metrics.fetch(len(data))
	if err := w.makeRoom(int64(len(data))); err != nil {
		return nil, err
	}
	return data, os.WriteFile(name, data, 0o600)
}

// makeRoom forgets all blobs if there would be too many. They are counted when some have been added, and not
// each time, since there may be thousands.
func (w *Worker) makeRoom(more int64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.room -= more; w.room >= 0 {
		return nil
	}
	dir := filepath.Join(w.Dir, "blobs")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	size := more
	for _, e := range entries {
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
	}
	if size > mostBlobs {
		for _, e := range entries {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		size = more
	}
	w.room = min(mostBlobs-size, mostBlobs/8) // other workers may share the directory
	return nil
}
