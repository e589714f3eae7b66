package symbolic

import (
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
)

// patient is a searcher that takes states which a guide put off after all others: the
// interrupted executions that tryfirst generates again when the inputs that it prefers
// are exhausted.
type patient struct {
	first vm.Searcher
	later search.BFS[*vm.State]
}

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
	if s, ok := p.first.Pop(); ok {
		return s, true
	}
	return p.later.Pop()
}

// Len is the number of states.
func (p *patient) Len() int { return p.first.Len() + p.later.Len() }

// checked says which assertion a guided path broke; nil without a guide.
func (e *explorer) checked(p *vm.Path) *testcase.Checked {
	if e.cfg.Guide == nil {
		return nil
	}
	out := &testcase.Checked{}
	if fn, index, canHold, ok := e.m.Violation(p); ok && (p.Stop == vm.StopPanic || p.Stop == vm.StopAssert) {
		ref := testcase.AssertionRef{Func: fn.String(), Index: index}
		out.Violated = &ref
		if canHold {
			e.res.Unsound = append(e.res.Unsound, ref)
		}
	}
	return out
}
