package diff

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/constant"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/lockstep"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// The sides of a comparison, as indices.
const (
	oldSide = iota
	newSide
)

// side is one version of the package.
type side struct {
	*session.Session
	bench *session.Bench
	// over carries sequences over to the other version.
	over *pair.Translator
	// targets are the functions to compare, as this version declares them. Other functions that are
	// explored have no counterpart.
	targets []*load.Target
	others  []*load.Target
	// change has the constants that the change is about; its functions have the names of this version.
	change *load.Literals
}

// comparison is the work on one package.
type comparison struct {
	*session.Session // the session of the new version
	how              Config
	two              [2]string // the names of the versions
	pairing          *pair.Pairing
	sides            [2]*side
	functions        []pair.Function // the functions to compare
	equal            []event.Same    // functions that do the same by their code, so that they need not be compared
	harmless         map[string]bool // declarations that were changed and do the same, so that nothing is due to them
	changed          map[string]bool // the other changed functions, compared or not, by their new names
	errors           map[string]bool // the variables with which both versions compare errors, by their new keys
	cases            *caseList
	verdicts         map[string]event.Same // results of the product, by the functions' new names
	notice           *noticing
	spare            []*case2              // cases that differ and were not confirmed, because there are others like them
	slower           []*case2              // cases whose only difference is that they take far longer
	added            map[string][]explored // inputs of functions that only the new version has, by their names
}

// inBoth does work in both versions at the same time, and returns the errors. A panic is a bug of ours. It is
// reported with doing, the name of the work.
func (c *comparison) inBoth(doing string, work func(i int, s *side) error) (errs [2]error) {
	var wg sync.WaitGroup
	for i, s := range c.sides {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() {
				if p := recover(); p != nil {
					errs[i] = c.ReportBug(doing+" in "+c.two[i], p)
				}
			}()
			errs[i] = work(i, s)
		}()
	}
	wg.Wait()
	return errs
}

// compare compares the versions of one package.
func (r *run) compare(s *session.Session) error {
	r.mu.Lock()
	r.seen[s.Pkg.Path] = true
	r.mu.Unlock()
	s.Events.Send(event.Versions{Old: r.two.Old.Name, New: r.two.New.Name})
	s.Summary.Functions, s.Summary.Differences = event.Count(0), event.Count(0)
	old := r.packages[s.Pkg.Path]
	switch {
	case old == nil:
		s.Events.Send(event.Unpaired{Package: s.Pkg.Path, Reason: "new: " + r.two.Old.Name + " does not have it"})
		return nil
	case len(old.Errors) > 0:
		for _, d := range old.Errors {
			s.Events.Send(event.Diagnostic{Pos: d.Pos, Message: d.Message})
		}
		return fmt.Errorf("the old version (%s) does not compile", r.two.Old.Name)
	}
	if old.Path != s.Pkg.Path && old.Module == s.Pkg.Module {
		s.Events.Send(event.Unpaired{Package: s.Pkg.Path, Reason: "moved, was " + old.Path})
	}
	return r.recallOrDo(s, old, func() (bool, error) {
		if r.how.Remote != nil {
			s.Summary.Functions, s.Summary.Differences = nil, nil // without an answer, nothing is known
			return r.how.Remote.Compare(s, r.old.prog, old, Task{OldPackage: old.Path, Old: r.two.Old.Name, New: r.two.New.Name, Fail: r.how.Fail})
		}
		return r.comparePaired(s, old)
	})
}

// comparePaired compares two versions of a package that belong together, and reports whether all was done.
func (r *run) comparePaired(s *session.Session, old *load.Package) (whole bool, err error) {
	c, err := r.pair(s, old)
	if err != nil {
		return false, err
	}
	err = c.run()
	return !c.sides[oldSide].Partial(), err
}

// pair pairs the functions of two versions of a package.
func (r *run) pair(s *session.Session, old *load.Package) (*comparison, error) {
	c := &comparison{
		Session: s, how: r.how, two: [2]string{r.two.Old.Name, r.two.New.Name},
		harmless: map[string]bool{}, changed: map[string]bool{}, verdicts: map[string]event.Same{},
	}
	var err error
	if c.pairing, err = pair.Packages(pair.Side{Prog: r.old.prog, Pkg: old}, pair.Side{Prog: s.Prog, Pkg: s.Pkg}); err != nil {
		return nil, err
	}
	c.sides = [2]*side{
		{Session: s.OfVersion(r.old.prog, old), over: c.pairing.Forward()},
		{Session: s, over: c.pairing.Backward()},
	}
	c.cases = newCaseList(c)
	return c, nil
}

// run takes a package through the verb whose two versions are both there.
func (c *comparison) run() error {
	c.choose()
	c.reportUnpaired()
	c.reportRenamed()
	c.reportUnreached()
	if len(c.functions) == 0 && len(c.sides[newSide].others) == 0 {
		c.reportEqual()
		return nil
	}
	start := time.Now()
	c.notice = c.startNotice()
	defer c.notice.stop()
	if err := c.build(); err != nil {
		return err
	}
	defer c.sides[oldSide].bench.Close()
	defer c.sides[newSide].bench.Close()
	c.errors = sharedErrors(c.sides[oldSide].bench, c.sides[newSide].bench, c.pairing)
	c.Debug("stages", "%s: build took %s", c.Pkg.Path, time.Since(start).Round(time.Millisecond))
	for _, stage := range []struct {
		name  string
		until int // in percent of the time: when the stage ends
		do    func(context.Context) error
	}{
		{"product", 50, c.firstProduct},
		{"explore", 50, c.explore},
		{"exchange", 60, c.cases.exchange},
		{"flip", 73, c.flip},
		{"added", 75, c.runAdded},
		{"the rest of the product", 85, c.product},
		{"observe", 90, c.cases.askObservers},
		{"costs", 95, c.costs},
	} {
		if err := c.stage(stage.name, stage.until, stage.do); err != nil {
			return err
		}
	}
	groups, err := c.judge()
	if err != nil {
		return err
	}
	if err := c.write(groups); err != nil {
		return err
	}
	c.report(groups)
	if c.Ctx.Err() == context.DeadlineExceeded {
		c.TimedOut("not everything was compared")
	}
	return nil
}

// stage runs a part of the comparison, which ends when its part of the time is over. A bug of ours in
// it is reported, and the other parts still count.
func (c *comparison) stage(name string, until int, do func(context.Context) error) (err error) {
	if c.Ctx.Err() != nil {
		return nil
	}
	begin := c.Deadline.Add(-c.Config.Bound())
	ctx, cancel := context.WithDeadline(c.Ctx, begin.Add(c.Config.Bound()*time.Duration(until)/100))
	defer cancel()
	start := time.Now()
	c.Events.Send(event.Progress{Package: c.Pkg.Path, Stage: name})
	defer func() {
		if p := recover(); p != nil {
			c.verdictsLost()
			_ = c.ReportBug(name, p) // the bug has been reported, and the other stages can do without this one
		}
		c.Debug("stages", "%s: %s took %s, %d cases", c.Pkg.Path, name, time.Since(start).Round(time.Millisecond), len(c.cases.all))
	}()
	err = do(ctx)
	if ctx.Err() != nil {
		c.MarkPartial() // some stages end early without an error
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		c.MarkPartial()
		err = nil
	}
	return err
}

// verdictsLost withdraws all proofs, because after a bug of ours they cannot be trusted.
func (c *comparison) verdictsLost() {
	for name, v := range c.verdicts {
		if v.Verdict == event.Proved {
			delete(c.verdicts, name)
		}
	}
}

// choose selects the functions to compare: changed functions that users can call, or that -run names.
func (c *comparison) choose() {
	for _, s := range c.sides {
		s.MarkEffects()
	}
	proofs := lockstep.Equal(c.pairing, func(panicked any) {
		_ = c.ReportBug("the proofs", panicked) // the bug has been reported, and the functions are run instead
	})
	for _, f := range c.pairing.ChangedFunctions() {
		proof, equal := proofs[f.New.Name]
		c.changed[f.New.Name] = !equal
		key := c.Pkg.Path + "." + f.New.Name
		same, another := c.harmless[key]                                                                   // another instance of a generic function
		c.harmless[key] = (same || !another) && equal && (proof.Within == "" || runtime.GOARCH == "amd64") // which fuses nothing
		if equal && c.wanted(f.New) {
			c.equal = append(c.equal, event.Same{Package: c.Pkg.Path, Func: f.New.String(), Verdict: event.Proved, Within: proof.Within})
			continue
		}
		if !c.wanted(f.New) || !c.wanted(f.Old) && c.Config.Run == nil {
			continue
		}
		if reason := cmp.Or(f.New.Skip, f.Old.Skip); reason != "" {
			c.Events.Send(event.Unpaired{Package: c.Pkg.Path, Func: f.New.String(), Reason: "changed, and not compared: " + reason})
			continue
		}
		c.functions = append(c.functions, f)
	}
	// Functions whose own text differs come before functions that only reach such functions.
	slices.SortStableFunc(c.functions, func(a, b pair.Function) int { return c.distance(a) - c.distance(b) })
	for _, f := range c.functions {
		c.sides[oldSide].targets = append(c.sides[oldSide].targets, f.Old)
		c.sides[newSide].targets = append(c.sides[newSide].targets, f.New)
	}
	for _, u := range c.pairing.Unpaired {
		if u.Old == nil && c.wanted(u.New) && u.New.Skip == "" {
			c.sides[newSide].others = append(c.sides[newSide].others, u.New)
		}
	}
	c.findConstants()
	c.Summary.Functions = event.Count(len(c.functions) + len(c.equal))
}

// findConstants finds the constants that the change is about.
func (c *comparison) findConstants() {
	var changed []string
	for _, h := range c.pairing.Hunks {
		if name, ok := strings.CutPrefix(h.Decl, c.Pkg.Path+"."); ok && !slices.Contains(changed, name) {
			changed = append(changed, name)
		}
	}
	of := literals.Change(c.sides[oldSide].Pkg.Literals, c.Pkg.Literals, changed)
	c.sides[newSide].change = of
	before := *of
	before.Calls = map[string][][]constant.Value{}
	for name, list := range of.Calls {
		before.Calls[c.pairing.OldName(name)] = list
	}
	c.sides[oldSide].change = &before
}

// wanted reports whether the run is about a function: users can call it, or -run names it. The names in
// -run are those of the new version.
func (c *comparison) wanted(t *load.Target) bool {
	if c.Config.Run != nil {
		return c.Config.Run.MatchString(t.Name)
	}
	return t.Exported || c.Pkg.Name == "main" // nobody can call the functions of a program, and it consists of them
}

// distance returns 0 for functions whose own text differs, and 1 for functions that only reach such
// functions.
func (c *comparison) distance(f pair.Function) int {
	if slices.Contains(f.Behind, c.Pkg.Path+"."+f.New.Name) {
		return 0
	}
	return 1
}

// reportUnpaired reports the functions that cannot be compared.
func (c *comparison) reportUnpaired() {
	for _, u := range c.pairing.Unpaired {
		t := u.Target()
		if !c.wanted(t) || slices.Contains(c.sides[newSide].others, t) {
			continue // either users cannot call it, or it is explored by itself
		}
		c.Events.Send(event.Unpaired{Package: c.Pkg.Path, Func: t.String(), Reason: u.Reason})
	}
}

// reportUnreached reports the functions that say something else, and that no function which is compared reaches.
func (c *comparison) reportUnreached() {
	reached := map[string]bool{}
	for _, f := range c.pairing.Functions {
		if c.wanted(f.New) {
			for _, key := range f.Behind {
				reached[key] = true
			}
		}
	}
	for _, f := range c.pairing.ChangedFunctions() {
		key := c.Pkg.Path + "." + f.New.Name
		if c.Config.Run == nil && !c.wanted(f.New) && slices.Contains(f.Behind, key) && !reached[key] && f.New.Skip == "" {
			c.Events.Send(event.Unpaired{Package: c.Pkg.Path, Func: f.New.String(), Reason: "changed, and not compared: no exported function was seen to reach it; -run " + f.New.Name + " compares it"})
		}
	}
}

// reportRenamed reports the functions that users have to call by another name.
func (c *comparison) reportRenamed() {
	for _, f := range c.pairing.Functions {
		if f.Renamed() && c.wanted(f.New) {
			c.Events.Send(event.Unpaired{Package: c.Pkg.Path, Func: f.New.String(), Reason: "renamed, was " + f.Old.String()})
		}
	}
}

// build builds both harnesses.
func (c *comparison) build() error {
	c.Events.Send(event.Progress{Package: c.Pkg.Path, Stage: "build"})
	type built struct {
		side int
		err  error
	}
	results := make(chan built)
	for i, s := range c.sides {
		go func() {
			var needs []*testcase.Operation
			for _, en := range engine.All() {
				if p, ok := en.(engine.Preparer); ok {
					needs = append(needs, p.Needs(s.Prog, s.Pkg)...)
				}
			}
			bench, err := s.Build(c.Ctx, session.BenchConfig{Needs: needs})
			s.bench = bench
			results <- built{i, err}
		}()
	}
	var all error
	for range c.sides {
		if b := <-results; b.err != nil {
			all = errors.Join(all, fmt.Errorf("%s: %w", c.two[b.side], b.err))
		}
	}
	if all != nil {
		for _, s := range c.sides {
			s.bench.Close()
		}
	}
	return all
}
