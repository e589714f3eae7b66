package symbolic

import (
	"context"
	"fmt"

	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// patient is a searcher that takes states which a guide has put off after all others. Such a state is an
// execution that was interrupted because the guide prefers other inputs. It is continued when the other
// states are exhausted. An endless loop never exhausts them, so the searcher sometimes takes a state that was
// put off nevertheless.
type patient struct {
	first vm.Searcher
	later search.BFS[*vm.State]
	turns int // how many turns such a state has waited
}

// assuming is a searcher that first takes states in which all assumptions hold. It takes states that have
// given up an assumption after these, and sometimes one in between. If the former have led to nothing new for a
// while, both take turns: a loop in front of an assumption is a source of states that never ends, and all that come
// out of it may have to give up the assumption.
type assuming struct {
	holds, handed vm.Searcher
	promising     func(*vm.State) bool
	turns         int // how many turns a state that has given up an assumption has waited
	idle          int // how many turns ago the last promising state in which all assumptions hold came
}

// Push adds a state.
func (a *assuming) Push(s *vm.State) {
	if s.HandedOver() {
		a.handed.Push(s)
		return
	}
	if a.promising(s) {
		a.idle = 0
	}
	a.holds.Push(s)
}

// Pop takes the next state.
func (a *assuming) Pop() (*vm.State, bool) {
	if a.handed.Len() == 0 {
		return a.holds.Pop()
	}
	wait := maxWait
	if a.idle++; a.idle > maxIdle {
		wait = 1
	}
	if a.turns++; a.turns <= wait {
		if s, ok := a.holds.Pop(); ok {
			return s, true
		}
	}
	a.turns = 0
	return a.handed.Pop()
}

// Len returns the number of states.
func (a *assuming) Len() int { return a.holds.Len() + a.handed.Len() }

// maxWait is how many turns of other states a state waits that was put off.
const maxWait = 128

// maxIdle is how many turns without a promising state make states wait no longer than one turn that have given up an
// assumption.
const maxIdle = 32

// Push adds a state.
func (p *patient) Push(s *vm.State) {
	if s.Deferred() {
		p.later.Push(s)
		return
	}
	p.first.Push(s)
}

// Pop takes the next state.
func (p *patient) Pop() (*vm.State, bool) {
	if p.later.Len() == 0 {
		return p.first.Pop()
	}
	if p.turns++; p.turns <= maxWait {
		if s, ok := p.first.Pop(); ok {
			return s, true
		}
	}
	p.turns = 0
	return p.later.Pop()
}

// Len returns the number of states.
func (p *patient) Len() int { return p.first.Len() + p.later.Len() }

// searcher returns the searcher that a configuration asks for.
func (c Config) searcher() vm.Searcher {
	promising := (*vm.State).Promising
	if c.Order != nil {
		// States that were put off still get their turn later, because coverage needs the verified paths,
		// too.
		promising = func(s *vm.State) bool { return !s.Deferred() && s.Promising() }
	}
	mixed := func() vm.Searcher {
		m := search.NewMixed(c.Seed, promising, (*vm.State).Depth)
		if c.Count || c.All {
			m.Patience = 1000 // every path is followed in the end, in whatever order
		} else {
			m.Distance, m.Epoch = (*vm.State).Distance, (*vm.State).Epoch
		}
		return m
	}
	var s vm.Searcher = &assuming{holds: mixed(), handed: mixed(), promising: promising}
	if c.Guide != nil {
		s = &patient{first: s}
	}
	if c.Seeds != nil {
		s = &seeded{Searcher: s}
	}
	return s
}

// TimeUsedUp is the bound of an exploration whose context ended.
const TimeUsedUp = "the time was used up"

// maxViolations is how many cases of one broken assertion are worth running, because the first one may not be
// reproducible.
const maxViolations = 8

// bound returns the name of the bound that ended the exploration early.
func (e *explorer) bound(ctx context.Context, st solver.Stats) string {
	b := e.budget
	switch {
	case ctx.Err() != nil:
		return TimeUsedUp
	case e.cases >= b.Cases:
		return fmt.Sprintf("%d cases", b.Cases)
	case e.res.Paths >= b.Paths:
		return fmt.Sprintf("%d paths", b.Paths)
	case e.stale > b.Stale:
		return fmt.Sprintf("%d paths in a row that covered nothing new", b.Stale)
	case e.res.Instructions >= int64(b.Instructions):
		return fmt.Sprintf("%d instructions", b.Instructions)
	case st.Backend >= int64(b.Queries):
		return fmt.Sprintf("%d queries", b.Queries)
	case st.BackendEffort >= int64(b.Effort):
		return "the solver's effort"
	}
	return "a part of the budget for one way to make the receiver"
}

// checked returns the assertion that a guided path broke, or nil without a guide.
func (e *explorer) checked(p *vm.Path) *testcase.Checked {
	if e.cfg.Guide == nil {
		return nil
	}
	out := &testcase.Checked{New: len(p.New) > 0}
	if fn, index, canHold, ok := e.m.Violation(p); ok && (p.Stop == vm.StopPanic || p.Stop == vm.StopAssert) {
		ref := testcase.AssertionRef{Func: fn.String(), Index: index}
		out.Violated = &ref
		if canHold {
			e.res.Unsound = append(e.res.Unsound, ref)
		}
	}
	return out
}

// brokenAssertion is an assertion that a path broke: one of a guided function, or else the text of what the path ended at, which
// is an assertion of the code or a clause of a contract. Clauses are checked around the target, so no instruction stands for them.
type brokenAssertion struct {
	ref  testcase.AssertionRef
	text string
}

// brokenBy returns the assertion that a path broke, and whether there is one.
func brokenBy(p *vm.Path, checked *testcase.Checked) (brokenAssertion, bool) {
	switch {
	case checked != nil && checked.Violated != nil:
		return brokenAssertion{ref: *checked.Violated}, true
	case p.Stop == vm.StopAssert:
		return brokenAssertion{text: p.Reason}, true
	}
	return brokenAssertion{}, false
}
