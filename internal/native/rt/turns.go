package assayrt

import (
	"runtime"
	"sync/atomic"
)

// mostTurns is how many turns loops may take, and calls of its own functions, while a predicate says
// whether an object is valid: some 30 ms of them. One that goes round a structure for ever is ended after
// as many on every machine, however fast it is.
const mostTurns = 1 << 23

// turns is how many of them are left, 0 where no predicate is running.
var turns atomic.Int64

// Predicate is called when a predicate begins, and what it returns when the predicate ends. The bound is
// that of the outermost one.
func Predicate() (leave func()) {
	if running.Load() == nil || !turns.CompareAndSwap(0, mostTurns) {
		return func() {}
	}
	return func() { turns.Store(0) }
}

// Turn is called where a loop of a predicate, or of what it calls, begins again: a case whose predicate does
// not end, ends here, as one that hangs.
func Turn() {
	if turns.Load() == 0 {
		return
	}
	if x := running.Load(); turns.Add(-1) == 0 && x != nil {
		x.endless.Store(true)
		// Nothing in the code under test can recover from this.
		runtime.Goexit()
	}
}
