package assayrt

import (
	"bytes"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// executor holds everything that was defined to this process, and the state of the running case.
type executor struct {
	reg   *Registry
	types []reflect.Type
	ops   []operation

	// The state of the running case.
	slots []reflect.Value // results of the statements, one after the other
	base  []int           // for each statement, where its results begin in slots
	args  []int           // slots of the statement's arguments
	in    []reflect.Value // reused for calls
	at    int
	undo  []global // the values that OpSetGlobal replaced
	final []int    // slots of the last statement's arguments
	home  string   // the working directory
	// homeless says that the working directory is gone: nobody can return to it.
	homeless bool

	results  Writer  // results so far
	captured int     // how many statements' results are in it
	numbered numbers // the numbers that were given out before the outcome began

	capturing bool // results are being written, so a panic now is ours
	watching  bool // contracts are checked of the values that the case makes
	inCheck   bool // a check is running; if the check ends the goroutine, that is no outcome of the case

	watch *watch

	discarded atomic.Bool
	endless   atomic.Bool  // a predicate was ended because it took too many turns
	disliked  atomic.Int64 // how many preferences did not hold
	violated  atomic.Int64 // 1 + the number of the first assertion that was violated
	late      atomic.Bool  // a function that was deferred violated it, because of a panic
	ended     atomic.Bool  // the violation has ended the execution
	worker    string       // the number of the goroutine that executes cases
	bubbled   bool         // the case runs in a bubble of testing/synctest
	inside    bool         // calls inside the package go by contracts
	contracts sync.Mutex   // guards entered
	entered   map[int]bool // the functions whose contracts are about to call them
	called    atomic.Int64 // how many calls closures made
	refused   string
	held      bool          // a lock of the package was held at the end of the case
	cost      uint64        // how many bytes the last statement has allocated, if that is measured
	took      time.Duration // how long it ran

	cover    *coverage
	progress *progress
	cap      *capturer
	stacks   stackTable

	locks    []reflect.Value // the package's global mutexes
	argbuf   []int
	finalbuf []reflect.Value
	hashbuf  []uint64
}

// global is a variable with the value to put back.
type global struct{ varp, old reflect.Value }

// refusal is a panic that ends a case which asks for something impossible.
type refusal string

// runtimeError is a run-time panic that the language would raise and reflection does not.
type runtimeError string

func (e runtimeError) Error() string { return string(e) }

// RuntimeError implements runtime.Error.
func (runtimeError) RuntimeError() {}

// exec executes one statement and appends its results to the slots.
func (x *executor) exec(o *operation) {
	switch o.kind {
	case OpLiteral:
		x.push(ownText(o.lit))
	case OpZero, OpFuncValue:
		x.push(o.lit)
	case OpFunc, OpMethod:
		x.call(o.lit, o.params, o.spread)
	case OpCallValue:
		x.callValue(o)
	case OpComposite:
		x.push(x.composite(o))
	case OpAddr:
		p := reflect.New(o.typ.Elem())
		x.set(p.Elem(), x.arg(0))
		x.push(convert(p, o.typ))
	case OpGlobal:
		x.push(copyOf(o.varp))
	case OpSetGlobal:
		x.undo = append(x.undo, global{o.varp, copyOf(o.varp)})
		x.set(o.varp, x.arg(0))
	case OpField:
		x.push(copyOf(x.fieldOf(o)))
	case OpSetField:
		x.set(x.fieldOf(o), x.arg(1))
	case OpDeref:
		x.push(copyOf(x.deref(x.arg(0))))
	case OpStore:
		x.set(x.deref(x.arg(0)), x.arg(1))
	case OpIndex:
		x.push(x.index())
	case OpSetIndex:
		x.setIndex()
	case OpSend:
		x.send()
	case OpClose:
		if c := x.arg(0); c.Kind() != reflect.Chan || c.Type().ChanDir() == reflect.RecvDir {
			panic(refusal("close of a " + c.Type().String()))
		}
		x.arg(0).Close()
	case OpConvert:
		x.push(x.conversion(o))
	case OpAssert:
		x.push(x.assertion(o))
	case OpStubFunc:
		x.push(x.stubFunc(o))
	case OpClosure:
		x.push(x.closure(o))
	case OpStubIface:
		x.push(x.stubIface(o))
	case OpMakeChan:
		x.push(x.makeChan(o))
	}
}

func (x *executor) push(v reflect.Value) { x.slots = append(x.slots, v) }

func (x *executor) arg(i int) reflect.Value {
	if i >= len(x.args) {
		panic(refusal("too few arguments"))
	}
	return x.slots[x.args[i]]
}

// address returns a pointer to the variable in slot i. If the slot holds a mere value, the value becomes a
// variable.
func (x *executor) address(i int) reflect.Value {
	v := x.slots[i]
	if !v.CanAddr() {
		n := reflect.New(v.Type()).Elem()
		n.Set(v)
		x.slots[i] = n
		v = n
	}
	return v.Addr()
}

// set assigns v to the variable dst.
func (x *executor) set(dst, v reflect.Value) {
	if v.Type() != dst.Type() && !v.Type().AssignableTo(dst.Type()) {
		panic(refusal("a " + v.Type().String() + " is not assignable to " + dst.Type().String()))
	}
	dst.Set(v)
}

// copyOf returns a copy of the value of a variable. It copies as an assignment to a new variable does.
func copyOf(v reflect.Value) reflect.Value {
	n := reflect.New(v.Type()).Elem()
	n.Set(v)
	return n
}

// call calls f with the statement's arguments.
func (x *executor) call(f reflect.Value, params []reflect.Type, spread bool) {
	n := len(x.args)
	variadic := f.Type().IsVariadic() && !spread
	if n != len(params) && !(variadic && n >= len(params)-1) {
		panic(refusal("wrong number of arguments"))
	}
	in := x.in[:0]
	for i, a := range x.args {
		v := x.slots[a]
		p := params[min(i, len(params)-1)]
		if v.Type() != p {
			switch {
			case v.Type().AssignableTo(p):
			case i == 0 && p.Kind() == reflect.Pointer && p.Elem() == v.Type():
				v = x.address(a) // a method of the variable itself
			default:
				panic(refusal("a " + v.Type().String() + " is not assignable to " + p.String()))
			}
		}
		in = append(in, v)
	}
	if variadic && n == len(params)-1 {
		// Go passes nil for no variadic arguments, where reflection would pass an empty slice.
		in = append(in, reflect.Zero(f.Type().In(n)))
		spread = true
	}
	x.in = in
	var out []reflect.Value
	if spread {
		out = f.CallSlice(in)
	} else {
		out = f.Call(in)
	}
	x.slots = append(x.slots, out...)
}

// callValue calls the function that is the statement's first argument.
func (x *executor) callValue(o *operation) {
	f := x.arg(0)
	if f.Kind() != reflect.Func {
		panic(refusal("call of a " + f.Type().String()))
	}
	if f.IsNil() {
		nilDereference()
	}
	c := operation{spread: o.spread}
	c.setParams(f.Type())
	x.args = x.args[1:]
	x.call(f, c.params, o.spread)
}

// composite builds a struct, array, slice or map.
func (x *executor) composite(o *operation) reflect.Value {
	place := func(i int) int {
		if o.elems == nil {
			return i
		}
		return o.elems[i]
	}
	n := max(o.n, 0)
	for i := range x.args {
		n = max(n, place(i)+1)
	}
	v := reflect.New(o.typ).Elem()
	switch o.typ.Kind() {
	case reflect.Struct:
		for i := range x.args {
			x.set(open(v.Field(place(i))), x.arg(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(o.typ, n, n))
		fallthrough
	case reflect.Array:
		for i := range x.args {
			x.set(v.Index(place(i)), x.arg(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(o.typ))
		for i := 0; i+1 < len(x.args); i += 2 {
			k := reflect.New(o.typ.Key()).Elem()
			x.set(k, x.arg(i))
			e := reflect.New(o.typ.Elem()).Elem()
			x.set(e, x.arg(i+1))
			v.SetMapIndex(k, e)
		}
		zero := reflect.Zero(o.typ.Elem())
		for i := range o.n {
			v.SetMapIndex(fillKey(o.typ.Key(), o.from+i), zero)
		}
	default:
		panic(refusal("composite of type " + o.typ.String()))
	}
	return v
}

// fillKey returns the key for number n, in the same way as testcase.FillKey.
func fillKey(t reflect.Type, n int) reflect.Value {
	k := reflect.New(t).Elem()
	switch {
	case k.CanInt():
		k.SetInt(int64(n))
	case k.CanUint():
		k.SetUint(uint64(n))
	case k.CanFloat():
		k.SetFloat(float64(n))
	case t.Kind() == reflect.String:
		k.SetString(strconv.Itoa(n))
	default:
		panic(refusal("entries for keys of type " + t.String()))
	}
	return k
}

// open returns an unexported field of an addressable struct without reflection's protection.
func open(f reflect.Value) reflect.Value {
	if f.CanSet() {
		return f
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// fieldOf returns the field of the first argument that o selects.
func (x *executor) fieldOf(o *operation) reflect.Value {
	v := x.arg(0)
	if v.Kind() != reflect.Pointer {
		v = x.address(x.args[0])
	}
	for _, i := range o.field {
		if v.Kind() == reflect.Pointer {
			v = x.deref(v)
		}
		v = open(v.Field(i))
	}
	return v
}

// deref returns the variable that a pointer points to.
func (x *executor) deref(p reflect.Value) reflect.Value {
	if p.Kind() != reflect.Pointer {
		panic(refusal("dereference of a " + p.Type().String()))
	}
	if p.IsNil() {
		nilDereference()
	}
	return p.Elem()
}

// nilDereference panics as the language does.
func nilDereference() {
	var p *int
	*p = 0
}

// index returns args[0][args[1]].
func (x *executor) index() reflect.Value {
	v, i := x.arg(0), x.arg(1)
	if v.Kind() == reflect.Map {
		k := reflect.New(v.Type().Key()).Elem()
		x.set(k, i)
		if e := v.MapIndex(k); e.IsValid() {
			return e
		}
		return reflect.Zero(v.Type().Elem())
	}
	if v.Kind() == reflect.Pointer {
		v = x.deref(v)
	}
	var n int
	switch {
	case i.CanInt():
		n = int(i.Int())
	case i.CanUint():
		n = int(min(i.Uint(), 1<<62))
	default:
		panic(refusal("index of type " + i.Type().String()))
	}
	_ = make([]struct{}, v.Len())[n] // panics as an index out of range in Go
	return copyOf(v.Index(n))
}

// setIndex assigns to args[0][args[1]] of a map.
func (x *executor) setIndex() {
	m := x.arg(0)
	if m.Kind() != reflect.Map {
		panic(refusal("assignment to an element of a " + m.Type().String()))
	}
	k := reflect.New(m.Type().Key()).Elem()
	x.set(k, x.arg(1))
	e := reflect.New(m.Type().Elem()).Elem()
	x.set(e, x.arg(2))
	m.SetMapIndex(k, e)
}

// send sends args[1] to args[0] if the channel has room. Otherwise the process would wait for ever, although
// the code under test is not to blame.
func (x *executor) send() {
	c := x.arg(0)
	if c.Kind() != reflect.Chan || c.Type().ChanDir() == reflect.RecvDir {
		panic(refusal("send to a " + c.Type().String()))
	}
	e := reflect.New(c.Type().Elem()).Elem()
	x.set(e, x.arg(1))
	if !c.TrySend(e) {
		panic(refusal("a send that would block"))
	}
}

// conversion returns Type(args[0]).
func (x *executor) conversion(o *operation) reflect.Value {
	v := x.arg(0)
	if !v.Type().ConvertibleTo(o.typ) {
		panic(refusal("a " + v.Type().String() + " is not convertible to " + o.typ.String()))
	}
	return convert(v, o.typ)
}

func convert(v reflect.Value, t reflect.Type) reflect.Value {
	if v.Type() == t {
		return v
	}
	out := v.Convert(t)
	if v.Kind() == reflect.String && t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		// The conversion of a constant, as tests have it, makes a slice without room behind its elements. Code that looks
		// beyond the length would otherwise find some here, and panic in the test.
		out = out.Slice3(0, out.Len(), out.Len())
	}
	return out
}

// ownText returns a text that no other execution has. Code can write into texts by way of package unsafe, and an operation
// keeps its constant for all later cases.
func ownText(lit reflect.Value) reflect.Value {
	if lit.Kind() != reflect.String || lit.Len() == 0 {
		return lit
	}
	own := strings.Clone(lit.String())
	if lit.Type() == reflect.TypeFor[string]() {
		return reflect.ValueOf(own)
	}
	return reflect.ValueOf(own).Convert(lit.Type())
}

// assertion returns args[0].(Type).
func (x *executor) assertion(o *operation) reflect.Value {
	v := x.arg(0)
	if v.Kind() != reflect.Interface {
		panic(refusal("type assertion on a " + v.Type().String()))
	}
	n := reflect.New(o.typ).Elem()
	switch {
	case v.IsNil():
		panic(runtimeError("interface conversion: interface is nil, not " + o.typ.String()))
	case o.typ.Kind() == reflect.Interface && v.Elem().Type().Implements(o.typ), v.Elem().Type() == o.typ:
		n.Set(v.Elem())
		return n
	}
	panic(runtimeError("interface conversion: interface is " + v.Elem().Type().String() + ", not " + o.typ.String()))
}

// script returns the stub that o describes over the statement's arguments; each
// result is stored in a variable of the type that the method returns.
func (x *executor) script(o *operation) *Stub {
	s := &Stub{calls: map[string]*stubMethod{}}
	for _, c := range o.calls {
		m := s.calls[c.method]
		if m == nil {
			m = &stubMethod{}
			s.calls[c.method] = m
		}
		var g []reflect.Value
		for i := c.from; i < c.to; i++ {
			g = append(g, x.arg(i))
		}
		m.groups = append(m.groups, g)
	}
	return s
}

// stubFunc makes a function that returns scripted results.
func (x *executor) stubFunc(o *operation) reflect.Value {
	m := x.script(o).calls[""]
	t := o.typ
	if m == nil || len(m.groups) == 0 {
		m = &stubMethod{groups: [][]reflect.Value{nil}}
	}
	for k, g := range m.groups {
		if len(g) != t.NumOut() && g != nil {
			panic(refusal("a stub of " + t.String() + " with a wrong number of results"))
		}
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = reflect.New(t.Out(i)).Elem()
			if g == nil {
				continue
			}
			if !g[i].Type().AssignableTo(t.Out(i)) {
				panic(refusal("a stub of " + t.String() + " that returns a " + g[i].Type().String()))
			}
			out[i].Set(g[i])
		}
		m.groups[k] = out // a receiver of this result gets a copy
	}
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return m.take() })
}

// stubIface makes a value of an interface type whose methods return scripted results.
func (x *executor) stubIface(o *operation) reflect.Value {
	v := reflect.New(o.typ).Elem()
	x.set(v, reflect.ValueOf(x.reg.Stubs[o.stub](x.script(o))))
	return v
}

// makeChan makes a channel, fills it and perhaps closes it.
func (x *executor) makeChan(o *operation) reflect.Value {
	if len(x.args) > o.n {
		panic(refusal("a channel with more elements than its capacity"))
	}
	c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, o.typ.Elem()), o.n)
	for i := range x.args {
		e := reflect.New(o.typ.Elem()).Elem()
		x.set(e, x.arg(i))
		c.Send(e)
	}
	if o.closed {
		c.Close()
	}
	return convert(c, o.typ)
}

// running is the executor of the running case, if any. The hooks of the instrumented code ask for it, because
// package initialisation and TestMain need not keep assumptions.
var running atomic.Pointer[executor]

// Assume is assay.Assume in the harness: a case that violates the assumption ends, and is no test.
func Assume(ok bool) {
	if x := running.Load(); !ok && x != nil {
		x.discarded.Store(true)
		// The code under test cannot recover from Goexit.
		runtime.Goexit()
	}
}

// Prefer is assay.Prefer in the harness: violations are counted.
func Prefer(ok bool) {
	if x := running.Load(); !ok && x != nil {
		x.disliked.Add(1)
	}
}

// Assert is an assertion by a function of the module's own in the harness: the first violation is noted, with the number
// of its place, and the execution goes on, as it does without assay.
func Assert(ok bool, site int) {
	if x := running.Load(); !ok && x != nil && x.violated.CompareAndSwap(0, int64(site)+1) {
		x.late.Store(panicking())
	}
}

// AssertOrEnd is assay.Assert in the harness: the first violation is noted, and ends the execution. What would follow, a
// panic that the assertion guards against or a loop without an end, must not hide it. In another goroutine than that of
// the case the execution goes on, because others may wait for that goroutine.
func AssertOrEnd(ok bool, site int) {
	x := running.Load()
	if ok || x == nil || !x.violated.CompareAndSwap(0, int64(site)+1) {
		return
	}
	x.late.Store(panicking())
	if x.late.Load() || goroutine() != x.worker {
		return
	}
	x.ended.Store(true)
	// The code under test cannot recover from Goexit.
	runtime.Goexit()
}

// Inside reports whether a function that is called has to go by its contract, which calls the function once more.
func Inside(site int) bool {
	x := running.Load()
	if x == nil || !x.inside {
		return false
	}
	x.contracts.Lock()
	defer x.contracts.Unlock()
	if x.entered[site] {
		delete(x.entered, site)
		return false
	}
	x.entered[site] = true
	return true
}

// panicking reports whether a deferred function leads to the caller because of a panic.
func panicking() bool {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			return true
		}
		if !more {
			return false
		}
	}
}

// goroutine returns the number of the goroutine that calls it, as the runtime writes it in stacks.
func goroutine() string {
	var buf [64]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	n, _, _ := bytes.Cut(text, []byte(" "))
	return string(n)
}
