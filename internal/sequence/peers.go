package sequence

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/vm"
)

// This file explores sequences over several receivers. If a method takes another object of the explored type
// (a.Union(b)), the argument is the receiver itself, a new object, or an object that a donor, a sequence of
// calls, has brought to another state. The machine cannot join the heaps of two states, so the donor's calls
// are executed again, behind the receiver's. All relations of their arguments to those of the receiver are
// explored. The calls count as calls of the sequence.

// maxDonors is how many donors are kept for each number of calls: the first donors that led to a new state.
const maxDonors = 6

// donor is a sequence of calls that makes another object of the type.
type donor struct {
	calls []vm.DriverCall
	made  vm.DriverArg
	depth int // how many calls it makes after the constructor
}

// takesPeers reports whether a method has a parameter of the type or a pointer to it.
func (e *explorer) takesPeers(m *method) bool {
	for v := range m.t.Func.Signature.Params().Variables() {
		if e.isPeer(v.Type()) {
			return true
		}
	}
	return false
}

func (e *explorer) isPeer(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Identical(t, e.named)
}

// donate keeps the calls that led to a new state as a donor.
func (e *explorer) donate(s *state, d *vm.Driver) {
	if !e.peers || s.peer || s.depth == 0 || s.depth >= e.cfg.Depth || s.recv.New {
		return
	}
	for len(e.donors) <= s.depth {
		e.donors = append(e.donors, nil)
	}
	known := e.donors[s.depth]
	if len(known) >= maxDonors || slices.ContainsFunc(known, func(o donor) bool { return sameCalls(o.calls, d.Calls) }) {
		return
	}
	e.donors[s.depth] = append(known, donor{d.Calls, s.recv, s.depth})
}

// sameCalls reports whether two sequences call the same functions with inputs of the same kind.
func sameCalls(a, b []vm.DriverCall) bool {
	return slices.EqualFunc(a, b, func(c, d vm.DriverCall) bool {
		return c.Func == d.Func && slices.EqualFunc(c.Args, d.Args, func(x, y vm.DriverArg) bool {
			return x.Call == y.Call && x.Of == y.Of && x.Lit == y.Lit && x.Len == y.Len && x.Zero == y.Zero
		})
	})
}

// expandPeers makes the sequences of depth calls in which a method takes another object of the type. Some of
// the calls make that object.
func (e *explorer) expandPeers(depth int) {
	if !e.peers {
		return
	}
	for n := 1; n < min(depth, len(e.donors)); n++ {
		for _, s := range e.levels[depth-1-n] {
			for _, m := range e.methods {
				if !e.takesPeers(m) || s.broken || s.retired {
					continue
				}
				for _, other := range e.donors[n] {
					if e.out() {
						return
					}
					e.expand(s, m, &other)
				}
			}
		}
	}
}

// renumbered returns the donor's calls, renumbered to stand behind n other calls, and the argument that they
// make.
func (o *donor) renumbered(n int) ([]vm.DriverCall, vm.DriverArg) {
	shift := func(a vm.DriverArg) vm.DriverArg {
		if a.Call >= 0 {
			a.Call += n
		}
		if a.Of > 0 {
			a.Of += n
		}
		return a
	}
	calls := slices.Clone(o.calls)
	for i, c := range calls {
		calls[i].Args = make([]vm.DriverArg, len(c.Args))
		for k, a := range c.Args {
			calls[i].Args[k] = shift(a)
		}
	}
	return calls, shift(o.made)
}

// byValue turns an argument that is a pointer to a receiver into the receiver itself.
func byValue(a vm.DriverArg, t types.Type) vm.DriverArg {
	a.Type = t
	switch {
	case a.New:
		a.New = false
	case a.Addr:
		a.Addr = false
	default:
		a.Deref = true
	}
	return a
}
