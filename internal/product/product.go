// Package product executes two versions of a function symbolically on the same inputs. It asks the
// solver for an input on which they differ, or proves that there is none. (Product programs: Barthe,
// Crespo, Kunz, FM 2011; Partush, Yahav, SAS 2013. This package pairs paths, not programs.)
//
//  1. Compare makes a machine for each version, over one term store: inputs of one name are the
//     same symbols for both.
//  2. It follows all paths of the function in each machine: for any values of the receiver and
//     the arguments if these can be symbols completely, otherwise for objects that constructors
//     make.
//  3. For each pair of paths with common inputs it asks whether, on some of these, the ends, the
//     results, or the state of receiver and arguments differ (vm.Differ). Inputs that the solver
//     finds become sequences, which the caller runs natively.
//
// Invariant: Result.Left is empty only if every path of both versions was followed to its end, exactly,
// for all inputs, and no pair of paths can differ. If the function depends on more than receiver and
// arguments (on variables that others change, say), the caller has to take care of that; Result.Entered
// says which functions ran.
//
// Not supported: proofs of functions with interfaces, maps, channels, functions or more than one
// pointer among their inputs.
package product

import (
	"context"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// Side is one version of a function.
type Side struct {
	Prog   *load.Program
	Pkg    *load.Package
	Target *load.Target
}

// Result is the result of a comparison.
type Result struct {
	// Pairs is how many pairs of paths with inputs in common were compared.
	Pairs int
	// Left is the reason why equality is not proved, or "" if it is.
	Left string
	// Within says for which inputs the proof holds, or "" if it holds for all.
	Within string
	// Entered are the functions that paths of the old and of the new version went through.
	Entered [2]vm.Functions
}

// TimeUsedUp is Result.Left of a comparison that was cut off.
const TimeUsedUp = "the time was used up"

// Bounds of a comparison, in deterministic units.
const (
	mostPaths  = 300 // paths of one version
	mostPairs  = 20_000
	fewPairs   = 1_000 // pairs that are compared if a proof is impossible
	mostInputs = 12    // inputs that are yielded, one for each pair of paths; with so many the comparison ends
	mostEffort = 12_000_000
)

// limits bounds the exploration of one version.
func limits() vm.Limits {
	return vm.Limits{Steps: 3_000_000, Paths: mostPaths + 1, Queries: 4_000, Effort: mostEffort / 4, States: 5_000, PathSteps: 200_000}
}

// Compare compares two versions of a function. It passes inputs on which they may differ to yield, as
// sequences of the new version. The error is an internal failure.
func Compare(ctx context.Context, old, new Side, yield func(*testcase.Sequence)) (Result, error) {
	p := &product{ctx: ctx, sides: [2]Side{old, new}, yield: yield}
	ts := term.NewStore()
	p.ts = ts
	p.sctx = solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{Limit: 600_000})
	for i, s := range p.sides {
		m, err := vm.New(s.Prog, s.Pkg, ts, p.sctx, vm.Config{})
		if err != nil {
			return Result{}, err
		}
		p.machines[i] = m
	}
	closed := true
	p.most = mostPairs
	for _, s := range p.sides {
		closed = closed && vm.Closed(s.Target.Func.Signature, s.Pkg.Path, true)
	}
	if closed {
		if err := p.compareAnyInputs(); err != nil {
			return p.res, err
		}
	} else {
		p.noteLeft("not all receivers and arguments can be tried")
		p.most = fewPairs
		if err := p.constructed(); err != nil {
			return p.res, err
		}
	}
	for i, m := range p.machines {
		p.res.Entered[i] = m.Entered()
		if m.Unknowns() > 0 {
			p.noteLeft("the solver did not answer")
		}
		if m.GivenUp() > 0 {
			p.noteLeft("an assumption was given up")
		}
	}
	var within []string
	if vm.TakesLengths(new.Target.Func.Signature) {
		within = append(within, "texts and slices of less than 4294967296 elements")
	}
	if p.machines[0].Fuses() || p.machines[1].Fuses() {
		within = append(within, "platforms that do not fuse x*y + z, as amd64")
	}
	p.res.Within = strings.Join(within, ", and ")
	return p.res, nil
}

// product is one comparison.
type product struct {
	ctx      context.Context
	sides    [2]Side
	machines [2]*vm.Machine
	ts       *term.Store
	sctx     *solver.Context
	yield    func(*testcase.Sequence)
	inputs   int
	pairs    int // how many pairs of paths were compared
	most     int // how many pairs are compared at most
	res      Result
}

// noteLeft notes a reason why equality is not proved. The first reason counts.
func (p *product) noteLeft(why string) {
	if p.res.Left == "" {
		p.res.Left = why
	}
}

// compareAnyInputs compares the versions for any values of receiver and arguments: first with pointers that are
// not nil, then with nil pointers.
func (p *product) compareAnyInputs() error {
	for _, nilPointers := range []bool{false, true} {
		var drivers [2]*vm.Driver
		zero := false
		for i, s := range p.sides {
			pl := plan.New(s.Prog, s.Pkg, nil)
			pl.Any, pl.NilPointers = true, nilPointers
			if !pl.Call(s.Target, nil) {
				p.noteLeft(pl.Why)
				return nil
			}
			drivers[i] = pl.Driver
			for _, a := range pl.Driver.Calls[0].Args {
				zero = zero || a.Zero
			}
		}
		if nilPointers && !zero {
			return nil // there are no such inputs
		}
		if err := p.drive(drivers); err != nil {
			return err
		}
	}
	return nil
}

// constructed compares the versions for objects that the first constructors make, and for values that
// anybody can write.
func (p *product) constructed() error {
	var drivers [2]*vm.Driver
	for i, s := range p.sides {
		pl := plan.New(s.Prog, s.Pkg, nil)
		var recv *vm.DriverArg
		if s.Target.Func.Signature.Recv() != nil {
			var ctor *load.Target
			for _, c := range s.Pkg.Constructors(s.Target.Recv) {
				if ctor == nil && c.Func != s.Target.Func {
					ctor = c
				}
			}
			r, ok := pl.Receiver(s.Target, ctor)
			if !ok {
				return nil
			}
			recv = &r
		}
		if !pl.Call(s.Target, recv) {
			return nil
		}
		drivers[i] = pl.Driver
	}
	return p.drive(drivers)
}

// drive follows both versions and compares their paths.
func (p *product) drive(drivers [2]*vm.Driver) error {
	old, new := drivers[0], drivers[1]
	if len(old.Calls) != len(new.Calls) {
		return nil // the versions make their objects in different ways
	}
	for i := range new.Calls {
		if len(old.Calls[i].Args) != len(new.Calls[i].Args) {
			return nil
		}
		for k := range new.Calls[i].Args {
			// Symbols are named after the parameters.
			name := fmt.Sprintf("arg%d", k)
			old.Calls[i].Args[k].Name, new.Calls[i].Args[k].Name = name, name
		}
	}
	var ends [2][]vm.Ended
	defer func() {
		for _, list := range ends {
			for _, e := range list {
				e.Release()
			}
		}
	}()
	for i, d := range drivers {
		var err error
		if ends[i], err = p.follow(p.machines[i], d); err != nil {
			return err
		}
	}
	p.compare(ends[0], ends[1])
	return nil
}

// follow returns the paths of a driver that end in the way in which the code ends.
func (p *product) follow(m *vm.Machine, d *vm.Driver) ([]vm.Ended, error) {
	var out []vm.Ended
	stats, err := m.Explore(d, &search.BFS[*vm.State]{}, limits(), func() bool { return p.ctx.Err() != nil }, func(path *vm.Path) bool {
		if len(out) >= mostPaths {
			p.noteLeft(fmt.Sprintf("there are more than %d paths", mostPaths))
			return false
		}
		e := m.Keep(path)
		if why := e.Unsure(); why != "" {
			p.noteLeft(why)
		}
		out = append(out, e)
		return true
	})
	switch {
	case err != nil || stats.Exhausted:
	case p.ctx.Err() != nil:
		p.noteLeft(TimeUsedUp)
	default:
		p.noteLeft("there are more paths than were followed")
	}
	return out, err
}

// compare looks for inputs on which two paths differ, for each pair of paths.
func (p *product) compare(olds, news []vm.Ended) {
	for _, n := range news {
		for _, o := range olds {
			switch {
			case p.ctx.Err() != nil:
				p.noteLeft(TimeUsedUp)
				return
			case p.inputs >= mostInputs:
				return // no further input is yielded, and the versions are not equal
			case p.pairs >= p.most || p.sctx.Stats().BackendEffort > mostEffort:
				p.noteLeft("there are more pairs of paths than were compared")
				return
			}
			p.pairs++
			if !vm.Compatible(o, n) {
				continue
			}
			p.pair(o, n)
		}
	}
}

// pair looks for inputs that take both of two paths and on which these differ.
func (p *product) pair(o, n vm.Ended) {
	m := p.machines[1]
	cond, unsure := vm.Differ(o, n)
	if cond == term.False {
		p.res.Pairs++
		return
	}
	path, verdict := m.Both(n, o, cond)
	switch verdict {
	case solver.Unsat:
		p.res.Pairs++
		return
	case solver.Unknown:
		p.noteLeft("the solver did not answer")
		return
	}
	defer path.State.Release()
	p.res.Pairs++
	if unsure != "" {
		p.noteLeft(unsure)
	}
	p.noteLeft("for some receivers or arguments, which no calls were seen to lead to, they differ")
	s, v := m.Solve(path)
	if v != solver.Sat {
		return
	}
	if seq, err := m.Sequence(path, s); err == nil {
		p.inputs++
		p.yield(seq)
	}
}
