package workers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/sync/errgroup"

	"github.com/goassay/assay/internal/bundle"
	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/queue"
)

// body is the content of a job.
type body struct {
	Module  string // the digest of the list of its files
	Before  string `json:",omitempty"` // the same of the old version of the module, if two are compared
	Task    campaign.Task
	Verdict *verdictTask `json:",omitempty"` // the task, unless it is one of gen
}

// Coordinator sends tasks about the packages of one module.
type Coordinator struct {
	q       *queue.Queue
	root    string
	outside bool // go.mod leads out of root
	files   *bundle.Manifest
	module  string        // the digest of the list of its files
	sending chan struct{} // has a value while the files are sent
}

// NewCoordinator sends the files of the module that contains dir, as far as the server lacks them. An error
// says why workers cannot work on the module. If the server does not take the files at present, since its store is full, say,
// that is no error: they are sent before a job is.
func NewCoordinator(ctx context.Context, q *queue.Queue, dir string) (*Coordinator, error) {
	root, outside, err := moduleRoot(ctx, dir)
	if err != nil {
		return nil, err
	}
	c := &Coordinator{q: q, root: root, outside: outside, sending: make(chan struct{}, 1)}
	if c.files, err = bundle.Of(root, func(name string) bool { return files.IsOwn(path.Base(name)) }); err != nil {
		return nil, err
	}
	if omitted := c.files.Omitted.String(); omitted != "" {
		q.Tell(fmt.Sprintf("workers do not get %s: run without workers for packages that need what is left out", omitted))
	}
	c.module = bundle.Digest(c.files.Encode())
	if err := c.send(ctx); err != nil && (ctx.Err() != nil || !q.Later(err)) {
		return nil, err
	}
	return c, nil
}

// send sends the files of the module, as far as the server lacks them. The list of them is stored last: where
// it is, the files are.
func (c *Coordinator) send(ctx context.Context) error {
	select {
	case c.sending <- struct{}{}:
		defer func() { <-c.sending }()
	case <-ctx.Done():
		return ctx.Err()
	}
	list := c.files.Encode()
	if c.q.HasBlob(ctx, list) {
		return nil
	}
	send, sending := errgroup.WithContext(ctx)
	const atOnce = 16
	send.SetLimit(atOnce)
	for _, p := range c.files.Packs {
		send.Go(func() error {
			data, err := p.Content(c.root)
			if err != nil {
				return changedError{err}
			}
			_, err = c.q.PutBlob(sending, data)
			return err
		})
	}
	if err := send.Wait(); err != nil {
		return err
	}
	_, err := c.q.PutBlob(ctx, list)
	return err
}

// changedError says that the files cannot be sent any more. To try again does not help.
type changedError struct{ error }

// Root returns the directory whose files are sent, if packages may need others of the user's, and "" if none can.
func (c *Coordinator) Root() string {
	if c.outside {
		return c.root
	}
	return ""
}

// moduleRoot returns the directory of the module, and whether go.mod has another directory of the user's in the place of a module, so that
// not all of its packages can be built where only its files and modules that can be downloaded are. From a vendor directory all can.
func moduleRoot(ctx context.Context, dir string) (root string, outside bool, err error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", false, fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", false, fmt.Errorf("go env: %w", err)
	}
	switch {
	case env.GOMOD == "" || env.GOMOD == os.DevNull:
		return "", false, errors.New("workers need a module: there is no go.mod here")
	case env.GOWORK != "" && env.GOWORK != "off":
		return "", false, fmt.Errorf("workers cannot have %s, which leads out of the module: set GOWORK=off", env.GOWORK)
	}
	src, err := os.ReadFile(env.GOMOD)
	if err != nil {
		return "", false, err
	}
	mod, err := modfile.Parse(env.GOMOD, src, nil)
	if err != nil {
		return "", false, err
	}
	if root, err = filepath.EvalSymlinks(filepath.Dir(env.GOMOD)); err != nil {
		return "", false, err
	}
	if _, err := os.Stat(filepath.Join(root, "vendor", "modules.txt")); err == nil {
		return root, false, nil
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" || filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			continue
		}
		outside = true
		// An older go command reads all modules that go.mod requires, whichever a package needs.
		const lazily = "1.17"
		if mod.Go == nil || version.Compare("go"+mod.Go.Version, "go"+lazily) < 0 {
			return "", false, fmt.Errorf("workers cannot have %s, which go.mod has in the place of %s: it is outside of the module, so run without workers, or after go mod vendor, or say go %s in go.mod", r.New.Path, r.Old.Path, lazily)
		}
	}
	return root, outside, nil
}

// Workers returns how many workers answer.
func (c *Coordinator) Workers(ctx context.Context) int { return c.q.Workers(ctx) }

// Forget makes the server forget the result of a task.
func (c *Coordinator) Forget(ctx context.Context, key cache.Key) error {
	return c.q.Drop(ctx, queue.Status{Job: queue.Job{Key: hex.EncodeToString(key[:])}})
}

// Do sends a task and waits for the result. It implements campaign.Remote.
func (c *Coordinator) Do(ctx context.Context, key cache.Key, dir string, t campaign.Task) ([]byte, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(c.root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s is not of the module in %s, which is all that workers have", t.Package, c.root)
	}
	t.Dir = filepath.ToSlash(rel)
	out, err := c.ask(ctx, hex.EncodeToString(key[:]), t.What(), body{Module: c.module, Task: t}, nil)
	if err != nil {
		return nil, err
	}
	return c.rooted(campaign.ModuleRoot, out, dir), nil
}

// ask sends work, called what, and waits for the result. The work may be about an old version, too.
func (c *Coordinator) ask(ctx context.Context, key, what string, work body, old *older) ([]byte, error) {
	data, err := json.Marshal(work)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	out, err := c.q.Wait(ctx, key, what, data, func(ctx context.Context) error {
		err := c.send(ctx)
		if old != nil && err == nil {
			err = old.module.send(ctx)
		}
		if changed := (changedError{}); errors.As(err, &changed) {
			stop(err)
		}
		return err
	})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return nil, err
	}
	return out, nil
}

// rooted puts the module's directory, for which a text stands, into a result about the package in dir.
func (c *Coordinator) rooted(as campaign.Root, out []byte, dir string) []byte {
	return as.Put(out, c.rootAbove(dir))
}

// rootAbove returns the module's directory as the user has given it with the directory of a package in it. File names begin with
// that, and not with the target of its links.
func (c *Coordinator) rootAbove(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		if rel, err := filepath.Rel(c.root, real); err == nil {
			if up, ok := strings.CutSuffix(dir, filepath.FromSlash(path.Join("/", filepath.ToSlash(rel)))); ok {
				return up
			}
		}
	}
	return c.root
}
