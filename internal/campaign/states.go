package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/sequence"
	"github.com/goassay/assay/internal/testcase"
)

// exploreStates shows the state space of a type of the package.
func (r *run) exploreStates() (err error) {
	t := methodOf(r.pkg, r.cfg.Type)
	if t == nil {
		return nil // another package has it, see matchesSomething
	}
	defer func() {
		if p := recover(); p != nil {
			err = r.bug(r.cfg.Type, p)
		}
	}()
	cfg := sequence.Config{Depth: r.cfg.Depth, Seed: r.cfg.Seed, Graph: r.cfg.Dot, Concrete: r.cfg.Concrete}
	if r.cfg.Run != nil {
		cfg.Methods = func(t *load.Target) bool { return r.cfg.Run.MatchString(t.Name) }
	}
	res, err := sequence.Run(r.ctx, r.prog, r.pkg, load.NamedOf(t.Recv), cfg, func(*testcase.Case) bool { return true })
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	if res.Skip != "" {
		r.skip(r.cfg.Type, res.Skip)
	}
	write := res.Table
	if r.cfg.Dot && res.Graph != nil {
		write = res.Graph.Dot
	}
	if err := r.show(write); err != nil {
		return err
	}
	r.summary.States, r.summary.Paths = &res.States, &res.Paths
	r.summary.Instructions, r.summary.Queries = &res.Instructions, &res.Queries
	solver := event.Seconds(res.SolverTime)
	r.summary.SolverS = &solver
	if r.ctx.Err() == context.DeadlineExceeded {
		r.timedOut("not every state was explored")
	} else if res.Left != "" {
		r.events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: not every state of %s was explored: %s", r.pkg.Path, r.cfg.Type, res.Left), Warning: true})
	}
	return nil
}

// show sends what write writes.
func (r *run) show(write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	r.events.Send(event.States{Package: r.pkg.Path, Type: r.cfg.Type, Text: b.String()})
	return nil
}

// methodOf returns a method of the named type, of the first instance if it is generic,
// or nil if the package has no such type with methods.
func methodOf(pkg *load.Package, typ string) *load.Target {
	for _, t := range pkg.Targets {
		if name, _, ok := strings.Cut(t.Name, "."); ok && name == typ && load.NamedOf(t.Recv) != nil {
			return t
		}
	}
	return nil
}
