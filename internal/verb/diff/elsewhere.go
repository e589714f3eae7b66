package diff

import (
	"context"
	"fmt"
	"slices"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/versions"
)

// Remote has workers compare packages.
type Remote interface {
	// Begin says in which directories the two versions are whose packages are to be compared.
	Begin(ctx context.Context, oldDir, newDir string) error
	// Compare has a worker compare two versions of a package, says what it has said in the session of the new version, and
	// reports whether nothing was cut off.
	Compare(s *session.Session, prog *load.Program, old *load.Package, t Task) (whole bool, err error)
}

// Task is the comparison of one package as a worker needs it, besides the files and what all verbs have.
type Task struct {
	OldPackage string // the import path in the old version
	Old, New   string // the names of the versions
	Fail       Fail
}

// each compares the packages, here or by workers.
func (r *run) each(ctx context.Context, cfg session.Config) (session.Result, error) {
	verb := session.Verb{Name: "diff", Accepts: r.accepts, Do: r.compare}
	if r.how.Remote == nil {
		return session.Each(ctx, cfg, verb)
	}
	if err := r.how.Remote.Begin(ctx, r.two.Old.Dir, r.two.New.Dir); err != nil {
		return session.Result{}, err
	}
	return session.EachAtOnce(ctx, cfg, verb, r.how.AtOnce)
}

// Package compares the package of a session with its old version, which is in the module in oldDir. It is what a worker does.
func Package(s *session.Session, t Task, oldDir string) error {
	two := &versions.Two{Old: versions.Version{Dir: oldDir, Name: t.Old}, New: versions.Version{Dir: s.Config.Dir, Name: t.New}}
	prog, err := load.Load(s.Ctx, load.Config{Dir: oldDir, Tags: s.Config.Tags}, t.OldPackage)
	if err != nil {
		return fmt.Errorf("the old version (%s): %w", t.Old, err)
	}
	i := slices.IndexFunc(prog.Packages, func(p *load.Package) bool { return p.Path == t.OldPackage })
	switch {
	case i < 0:
		return fmt.Errorf("the old version (%s) has no package %s at the worker", t.Old, t.OldPackage)
	case len(prog.Packages[i].Errors) > 0:
		return fmt.Errorf("the old version (%s) does not compile at a worker, which needs the same Go and the modules that are required: %v",
			t.Old, prog.Packages[i].Errors[0])
	}
	r := &run{how: Config{Fail: t.Fail}, two: two, old: &loading{prog: prog}}
	s.Summary.Functions, s.Summary.Differences = event.Count(0), event.Count(0)
	whole, err := r.comparePaired(s, prog.Packages[i])
	if !whole {
		s.MarkPartial()
	}
	return err
}
