package assayrt

import (
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
)

// watch checks contracts of the objects that cases make, each once.
type watch struct {
	byType map[reflect.Type][]watcher
	seen   map[seenObject][]int // the contracts that the object broke
	found  []broken
	leads  map[leading]bool
}

// watcher is a contract of objects of a type.
type watcher struct {
	fn          reflect.Value
	num         int  // the number of fn
	deref, addr bool // the parameters have the type that the object points to, or are pointers to the object's type
	invariant   bool // the contract is also asked of objects that others lead to
}

// seenObject is an object that was checked, with the hash of everything that it reaches.
type seenObject struct {
	typ  reflect.Type
	hash uint64
}

// broken is a contract that an object does not keep.
type broken struct{ value, fn int }

func newWatch(r *Registry) *watch {
	w := &watch{byType: map[reflect.Type][]watcher{}, seen: map[seenObject][]int{}, leads: map[leading]bool{}}
	for _, i := range r.Checks {
		fn := reflect.ValueOf(r.Funcs[i])
		t := fn.Type()
		if t.NumIn() == 0 || t.NumOut() != 1 {
			continue // the check was withdrawn
		}
		p, invariant := t.In(0), slices.Contains(r.Invariants, i)
		w.byType[p] = append(w.byType[p], watcher{fn: fn, num: i, invariant: invariant})
		if p.Kind() == reflect.Pointer {
			w.byType[p.Elem()] = append(w.byType[p.Elem()], watcher{fn: fn, num: i, addr: true, invariant: invariant})
		} else {
			ptr := reflect.PointerTo(p)
			w.byType[ptr] = append(w.byType[ptr], watcher{fn: fn, num: i, deref: true, invariant: invariant})
		}
	}
	return w
}

// object checks the contracts of a value of a case, with its number, and the invariants of the objects that it leads to.
// What an equal value broke before, it breaks again. The object is passed for all parameters; relations between different
// objects are checked by sequences of their own.
func (w *watch) object(value int, v reflect.Value, hash uint64) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	list, leads := w.byType[v.Type()], w.leadsOn(v.Type(), mostDeep)
	if list == nil && !leads || v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	key := seenObject{v.Type(), hash}
	nums, ok := w.seen[key]
	if !ok {
		for _, c := range list {
			if c.breaks(v) {
				nums = append(nums, c.num)
			}
		}
		if leads {
			w.parts(v, mostDeep, func(num int) {
				if !slices.Contains(nums, num) {
					nums = append(nums, num)
				}
			})
		}
		w.seen[key] = nums
	}
	for _, num := range nums {
		w.found = append(w.found, broken{value, num})
	}
}

// Bounds of the objects that are asked because others lead to them.
const (
	mostDeep    = 2  // fields on the way to an object
	mostAsked   = 3  // elements of a list: the first ones
	mostEntries = 64 // entries of a map, all of which are asked, since their order is left open
)

// leading is a type, and how many fields further objects may be.
type leading struct {
	typ  reflect.Type
	deep int
}

// leadsOn reports whether values of a type may lead to an object that has an invariant.
func (w *watch) leadsOn(t reflect.Type, deep int) bool {
	key := leading{t, deep}
	yes, ok := w.leads[key]
	if ok || deep == 0 {
		return yes
	}
	w.leads[key] = false // a type that leads to itself leads nowhere by that
	to := func(t reflect.Type) bool {
		return slices.ContainsFunc(w.byType[t], func(c watcher) bool { return c.invariant })
	}
	switch t.Kind() {
	case reflect.Interface:
		yes = len(w.byType) > 0
	case reflect.Pointer:
		yes = t.Elem().Kind() == reflect.Struct && w.leadsOn(t.Elem(), deep)
	case reflect.Slice, reflect.Array, reflect.Map:
		yes = to(t.Elem()) || t.Elem().Kind() == reflect.Interface
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i).Type
			yes = yes || to(f) || w.leadsOn(f, lessFor(f, deep))
		}
	}
	w.leads[key] = yes
	return yes
}

// lessFor returns how deep the parts of a value may be. What holds lists and the like takes nothing of the depth.
func lessFor(t reflect.Type, deep int) int {
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Interface:
		return deep
	}
	return deep - 1
}

// parts tells the invariants that the objects which a value leads to break.
func (w *watch) parts(v reflect.Value, deep int, tell func(num int)) {
	if !w.leadsOn(v.Type(), deep) {
		return
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	v = addressable(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			w.further(open(v.Field(i)), deep, tell)
		}
	case reflect.Slice, reflect.Array:
		for i := range min(v.Len(), mostAsked) {
			w.further(v.Index(i), deep, tell)
		}
	case reflect.Map:
		if v.Len() <= mostEntries {
			for entries := v.MapRange(); entries.Next(); {
				w.further(entries.Value(), deep, tell)
			}
		}
	case reflect.Interface:
		if v = v.Elem(); v.IsValid() {
			w.further(v, 1, tell)
		}
	}
}

// further asks a part of an object, and what the part leads to. A part that has its zero value is no object yet.
func (w *watch) further(v reflect.Value, deep int, tell func(num int)) {
	if !v.IsZero() {
		for _, c := range w.byType[v.Type()] {
			if c.invariant && c.breaks(v) {
				tell(c.num)
			}
		}
		w.parts(v, lessFor(v.Type(), deep), tell)
	}
}

// breaks reports whether an object breaks the contract. A check that panics says nothing.
func (c *watcher) breaks(x reflect.Value) (yes bool) {
	switch {
	case c.deref:
		x = copyOf(x.Elem())
	case c.addr:
		x = copyOf(x).Addr()
	}
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
