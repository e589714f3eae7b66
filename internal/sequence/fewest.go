package sequence

import "github.com/goassay/assay/internal/vm"

// maxForks is how many decisions one call may take. The bound is needed because a loop that runs as often as
// a symbolic number says has no end.
const maxForks = 100

// fewest is a searcher that first takes the states with the fewest decisions in the call, and the newest one
// of several. If a number decides how large something gets, small numbers thus come first. The searcher drops
// states with too many decisions.
type fewest struct {
	base    int // how many decisions were taken before the call
	waiting [][]*vm.State
	n       int
	low     int // no state with fewer decisions waits
	dropped bool
}

// Push adds a state.
func (f *fewest) Push(st *vm.State) {
	d := st.Depth() - f.base
	if d > maxForks {
		f.dropped = true
		st.Release()
		return
	}
	for len(f.waiting) <= d {
		f.waiting = append(f.waiting, nil)
	}
	f.waiting[d] = append(f.waiting[d], st)
	f.low = min(f.low, d)
	f.n++
}

// Pop takes the next state.
func (f *fewest) Pop() (*vm.State, bool) {
	if f.n == 0 {
		return nil, false
	}
	for len(f.waiting[f.low]) == 0 {
		f.low++
	}
	w := f.waiting[f.low]
	st := w[len(w)-1]
	f.waiting[f.low] = w[:len(w)-1]
	f.n--
	return st, true
}

// Len returns the number of states.
func (f *fewest) Len() int { return f.n }
