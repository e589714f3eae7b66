package sequence

import "github.com/goassay/assay/internal/vm"

// This file asks what calls return and what they were passed whether it is valid. The receiver is not among it: its
// predicate is a method under exploration, which is called on every state.

// end is the end of a path whose objects are asked. The state is released afterwards unless it was kept for the calls to come.
type end struct {
	st   *vm.State
	kept bool
}

// isAsked reports whether objects at the end of a path are to be asked.
func (e *explorer) isAsked(p *vm.Path, m *method) bool {
	return len(e.valid) > 0 && !m.invariant && p.Last && p.Stop == vm.StopReturn && len(e.toAsk(p.State, m)) > 0
}

// toAsk returns the objects at the end of a path that were not yet found broken behind the method.
func (e *explorer) toAsk(st *vm.State, m *method) []vm.Asked {
	var out []vm.Asked
	for _, a := range e.m.ObjectsToAsk(st, e.valid.Method) {
		if !a.Receiver && !e.broken[askedKey(m, a)] {
			out = append(out, a)
		}
	}
	return out
}

func askedKey(m *method, a vm.Asked) string { return m.t.Name + " " + a.Where }

// pathsPerQuestion is how many paths of a predicate are followed at one end.
const pathsPerQuestion = 40

// askEnds asks the objects at the ends of paths. One case for each method and object shows that it is broken.
func (e *explorer) askEnds(ends []end, m *method, trail int) {
	e.order.off = true // what a predicate of a result asks of numbers decides nothing about the receiver's states
	defer func() { e.order.off = false }()
	for _, x := range ends {
		for _, a := range e.toAsk(x.st, m) {
			if e.out() {
				break
			}
			e.askEnd(x.st, a, m, trail)
		}
		if !x.kept {
			x.st.Release()
		}
	}
}

// askEnd asks one object.
func (e *explorer) askEnd(st *vm.State, a vm.Asked, m *method, trail int) {
	q := e.m.Ask(st, a)
	if q == nil {
		return
	}
	// What is counted, and whether a call was followed along all of its paths, is told of the calls alone.
	paths, left := e.res.Paths, e.left
	defer func() { e.res.Paths, e.left = paths, left }()
	e.explore(q, pathsPerQuestion, func(p *vm.Path) {
		if !e.broken[askedKey(m, a)] && e.m.Fails(p) {
			e.broken[askedKey(m, a)] = true
			e.res.Violations++
			e.report(p, m, trail)
		}
	})
}
