package workers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	Module string // the digest of the list of its files
	Task   campaign.Task
}

// Coordinator sends tasks about the packages of one module.
type Coordinator struct {
	q      *queue.Queue
	root   string
	module string // the digest of the list of its files
}

// NewCoordinator sends the files of the module that contains dir, as far as the server lacks them. An error
// says why workers cannot work on the module.
func NewCoordinator(ctx context.Context, q *queue.Queue, dir string) (*Coordinator, error) {
	root, err := moduleRoot(ctx, dir)
	if err != nil {
		return nil, err
	}
	m, err := bundle.Of(root, func(name string) bool { return files.IsOwn(path.Base(name)) })
	if err != nil {
		return nil, err
	}
	send, sending := errgroup.WithContext(ctx)
	const atOnce = 16
	send.SetLimit(atOnce)
	sent := make(map[string]bool)
	for _, f := range m.Files {
		if sent[f.Digest] {
			continue
		}
		sent[f.Digest] = true
		send.Go(func() error {
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Name)))
			if err != nil {
				return err
			}
			digest, err := q.PutBlob(sending, data)
			if err == nil && digest != f.Digest {
				err = fmt.Errorf("%s was changed while it was sent", f.Name)
			}
			return err
		})
	}
	if err := send.Wait(); err != nil {
		return nil, err
	}
	c := &Coordinator{q: q, root: root}
	c.module, err = q.PutBlob(ctx, m.Encode())
	return c, err
}

// moduleRoot returns the directory of the module, if its packages need nothing else but modules that can be
// downloaded anywhere.
func moduleRoot(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOMOD, GOWORK string }
	if err := json.Unmarshal(out, &env); err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	switch {
	case env.GOMOD == "" || env.GOMOD == os.DevNull:
		return "", errors.New("workers need a module: there is no go.mod here")
	case env.GOWORK != "" && env.GOWORK != "off":
		return "", fmt.Errorf("workers cannot have %s, which leads out of the module: set GOWORK=off", env.GOWORK)
	}
	src, err := os.ReadFile(env.GOMOD)
	if err != nil {
		return "", err
	}
	mod, err := modfile.Parse(env.GOMOD, src, nil)
	if err != nil {
		return "", err
	}
	for _, r := range mod.Replace {
		if r.New.Version == "" && !filepath.IsLocal(filepath.FromSlash(r.New.Path)) {
			return "", fmt.Errorf("workers cannot have %s, which go.mod has in the place of %s: it is outside of the module", r.New.Path, r.Old.Path)
		}
	}
	return filepath.EvalSymlinks(filepath.Dir(env.GOMOD))
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
	data, err := json.Marshal(body{c.module, t})
	if err != nil {
		return nil, err
	}
	out, err := c.q.Wait(ctx, hex.EncodeToString(key[:]), fmt.Sprintf("%s %s", t.Package, t.Bound), data)
	if err != nil {
		return nil, err
	}
	// File names begin with the directory that the user gave, and not with the target of its links.
	root := c.root
	if up, ok := strings.CutSuffix(dir, filepath.FromSlash(path.Join("/", t.Dir))); ok {
		root = up
	}
	return campaign.Rooted(out, root), nil
}
