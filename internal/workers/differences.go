package workers

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/verb/diff"
)

// differences has workers compare two versions of packages. It implements diff.Remote.
type differences struct {
	q          *queue.Queue
	cfg        session.Config
	before, in *Coordinator // of the modules of the old version and of the new one
}

// Diff is the verb diff, of which workers compare so many packages at the same time.
func Diff(ctx context.Context, q *queue.Queue, cfg session.Config, how diff.Config, atOnce int) (session.Result, error) {
	how.Remote, how.AtOnce = &differences{q: q, cfg: cfg}, atOnce
	return diff.Run(ctx, cfg, how)
}

// Begin implements diff.Remote: it sends the files of both modules.
func (d *differences) Begin(ctx context.Context, oldDir, newDir string) (err error) {
	if d.before, err = NewCoordinator(ctx, d.q, oldDir); err != nil {
		return err
	}
	d.in, err = NewCoordinator(ctx, d.q, newDir)
	return err
}

// lacks says what a package needs that is not of the module, if go.mod leads out of it.
func (c *Coordinator) lacks(prog *load.Program, pkg *load.Package) error {
	if !c.outside {
		return nil
	}
	dirs, err := prog.Outside(pkg, c.root)
	if err != nil || len(dirs) == 0 {
		return nil // if it is not known, a worker says what it lacks
	}
	return fmt.Errorf("it needs %s, outside of the module, which workers do not have: run without workers for that, or after go mod vendor", strings.Join(dirs, " and "))
}

// Compare implements diff.Remote.
func (d *differences) Compare(s *session.Session, prog *load.Program, old *load.Package, t diff.Task) (whole bool, err error) {
	if err := errors.Join(d.in.lacks(s.Prog, s.Pkg), d.before.lacks(prog, old)); err != nil {
		return false, err
	}
	task := taskOn(s, d.cfg)
	task.Diff = &t
	v, err := d.in.verdicts(s.Ctx, s, task, &older{module: d.before, prog: prog, pkg: old})
	if err != nil {
		return false, fmt.Errorf("by a worker: %w", err)
	}
	return !v.Cut, v.say(s)
}
