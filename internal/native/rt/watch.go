package assayrt

import (
	"reflect"
	"runtime"
	"sync/atomic"
)

// watch checks contracts of the objects that cases make, each once.
type watch struct {
	byType map[reflect.Type][]watcher
	seen   map[seenObject]struct{}
	found  []broken
}

// watcher is a contract of objects of a type.
type watcher struct {
	fn          reflect.Value
	num         int  // the number of fn
	deref, addr bool // the parameters have the type that the object points to, or are pointers to the object's type
}

// seenObject is an object that was checked, with the hash of everything that it reaches.
type seenObject struct {
	typ  reflect.Type
	hash uint64
}

// broken is a contract that an object does not keep.
type broken struct{ value, fn int }

func newWatch(r *Registry) *watch {
	w := &watch{byType: map[reflect.Type][]watcher{}, seen: map[seenObject]struct{}{}}
	for _, i := range r.Checks {
		fn := reflect.ValueOf(r.Funcs[i])
		t := fn.Type()
		if t.NumIn() == 0 || t.NumOut() != 1 {
			continue // the check was withdrawn
		}
		p := t.In(0)
		w.byType[p] = append(w.byType[p], watcher{fn: fn, num: i})
		if p.Kind() == reflect.Pointer {
			w.byType[p.Elem()] = append(w.byType[p.Elem()], watcher{fn: fn, num: i, addr: true})
		} else {
			ptr := reflect.PointerTo(p)
			w.byType[ptr] = append(w.byType[ptr], watcher{fn: fn, num: i, deref: true})
		}
	}
	return w
}

// object checks the contracts of a value of a case, with its number, unless an equal value was checked
// before. It passes the object for all parameters. Relations between different objects are checked by
// sequences of their own.
func (w *watch) object(value int, v reflect.Value, hash uint64) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	list := w.byType[v.Type()]
	if list == nil {
		return
	}
	key := seenObject{v.Type(), hash}
	if _, ok := w.seen[key]; ok || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	w.seen[key] = struct{}{}
	for _, c := range list {
		x := v
		switch {
		case c.deref:
			x = copyOf(v.Elem())
		case c.addr:
			x = copyOf(v).Addr()
		}
		if c.breaks(x) {
			w.found = append(w.found, broken{value, c.num})
		}
	}
}

// breaks reports whether an object breaks the contract. A check that panics says nothing.
func (c *watcher) breaks(x reflect.Value) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	in := make([]reflect.Value, c.fn.Type().NumIn())
	for i := range in {
		in[i] = x
	}
	return !c.fn.Call(in)[0].IsNil()
}

// mostTurns bounds the turns of loops, and the calls of the package's functions, while a predicate says
// whether an object is valid. So many turns take some 30 ms. Unlike a time-out, the bound ends a predicate at
// the same place on every machine.
const mostTurns = 1 << 23

// turns is how many turns are left, or 0 if no predicate is running.
var turns atomic.Int64

// Predicate is called when a predicate begins. The predicate calls the result when it ends. If predicates are
// nested, the bound is that of the outermost one.
func Predicate() (leave func()) {
	if running.Load() == nil || !turns.CompareAndSwap(0, mostTurns) {
		return func() {}
	}
	return func() { turns.Store(0) }
}

// Turn is called when a loop of a predicate, or of a function that it calls, begins again. If no turns are
// left, the predicate does not end, and the case ends here as one that hangs.
func Turn() {
	if turns.Load() == 0 {
		return
	}
	if x := running.Load(); turns.Add(-1) == 0 && x != nil {
		x.endless.Store(true)
		// The code under test cannot recover from Goexit.
		runtime.Goexit()
	}
}
