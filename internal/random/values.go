package random

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// receiver returns a value to call a method on: never nil, and not a bare literal
// where there are constructors.
func (e *engine) receiver(d *draft, t types.Type) (testcase.Ref, bool) {
	if n := load.NamedOf(t); n != nil && n.Obj().Pkg() == e.pkg.Types && len(e.givers.Values(t)) > 0 && e.rnd.IntN(4) > 0 {
		if r, ok := e.readyMade(d, t); ok {
			return r, true // a client of a service
		}
	}
	if open(t) && e.rnd.IntN(3) == 0 {
		if r, ok := e.construct(d, t, 0); ok {
			return r, true
		}
	}
	if r, ok := e.produced(d, t); ok {
		return r, true
	}
	// A value's methods can be called on a pointer, and a pointer's on a variable.
	if hasPointer(t) && e.rnd.IntN(2) == 0 {
		if v, ok := e.pick(types.NewPointer(t)); ok {
			return e.include(d, v, true), true
		}
	}
	if v, ok := e.pick(t); ok && e.rnd.IntN(12) > 0 {
		return e.include(d, v, true), true
	}
	for _, i := range e.hidingInterfaces(t) {
		if v, ok := e.pick(i); ok && e.rnd.IntN(12) > 0 {
			return d.add(&testcase.Operation{Kind: testcase.OpAssert, Type: t}, e.include(d, v, true)), true
		}
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if v, ok := e.pick(p.Elem()); ok && e.rnd.IntN(12) > 0 {
			return e.include(d, v, true), true
		}
		if list := e.constructors(p.Elem()); len(list) > 0 {
			c := list[e.rnd.IntN(len(list))]
			return e.callMaker(d, c, 0)
		}
	}
	if types.IsInterface(t) {
		if v, ok := e.pick(t); ok {
			return e.include(d, v, true), true
		}
		return testcase.Ref{}, false
	}
	if _, ok := t.Underlying().(*types.Signature); ok {
		return testcase.Ref{}, false
	}
	return e.construct(d, t, 0)
}

// hasPointer reports whether methods of t can also be called on a pointer to t: t is a named type that
// is neither a pointer nor an interface.
func hasPointer(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named && !types.IsInterface(t)
}

// construct makes a value of a type that is not nil: by a constructor that cannot
// fail, or as a literal if there is no constructor at all.
func (e *engine) construct(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	list := e.constructors(t)
	if p, ok := types.Unalias(t).(*types.Pointer); ok && len(list) > 0 && e.zeroReady(p.Elem()) && e.rnd.IntN(6) == 0 {
		return d.add(e.addrOp(p), d.add(e.zeroOp(p.Elem()))), true
	}
	for range min(len(list), 3) {
		c := list[e.rnd.IntN(len(list))]
		if r, ok := e.callMaker(d, c, level); ok {
			return r, true
		}
	}
	p, isPointer := types.Unalias(t).(*types.Pointer)
	if isPointer && len(list) == 0 && len(e.constructors(p.Elem())) > 0 {
		// Where constructors return values, users pass the addresses of variables.
		if v, ok := e.construct(d, p.Elem(), level+1); ok {
			return d.add(e.addrOp(p), v), true
		}
	}
	if !open(t) && (len(list) > 0 || e.hasConstructor(t) && !e.neverMade(t)) {
		return testcase.Ref{}, false
	}
	if isPointer {
		v, ok := e.byShape(d, p.Elem(), level+1)
		if !ok {
			return v, false
		}
		return d.add(e.addrOp(p), v), true
	}
	return e.byShape(d, t, level)
}

// callMaker calls a constructor, and takes the value out of the interface that holds it.
func (e *engine) callMaker(d *draft, c *maker, level int) (testcase.Ref, bool) {
	r, ok := e.callIn(d, c.op, c.params, c.spread, level)
	if ok && c.behind != nil {
		r = d.add(&testcase.Operation{Kind: testcase.OpAssert, Type: c.behind}, r)
	}
	return r, ok
}

// zeroReady reports whether the comment of a type of the package says that its zero value
// is ready to use.
func (e *engine) zeroReady(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != e.pkg.Types {
		return false
	}
	ready, known := e.ready[n.Obj()]
	if known {
		return ready
	}
	for _, d := range e.pkg.TypeDecls() {
		if d.Object == n.Origin().Obj() {
			doc := strings.ToLower(d.In.Doc.Text() + d.Spec.Doc.Text())
			ready = strings.Contains(doc, "zero value") && !strings.Contains(doc, "zero value is not")
		}
	}
	e.ready[n.Obj()] = ready
	return ready
}

// open reports whether t is, or points to, a struct whose fields can all be set by users. A literal of
// such a type is as good as the result of a constructor.
func open(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() {
			return false
		}
	}
	return s.NumFields() > 0
}

// callIn adds a call with arguments made on the spot.
func (e *engine) callIn(d *draft, op *testcase.Operation, params []types.Type, spread bool, level int) (testcase.Ref, bool) {
	if level >= maxLevel {
		return testcase.Ref{}, false
	}
	mark := len(d.stmts)
	var args []testcase.Ref
	for i, t := range params {
		if spread && i == len(params)-1 {
			break
		}
		r, ok := e.path(d, parameter(op, i))
		if !ok {
			r, ok = e.value(d, t, level+1)
		}
		if !ok {
			d.stmts = d.stmts[:mark]
			d.forget(mark)
			return r, false
		}
		args = append(args, r)
	}
	return d.add(op, args...), true
}

// forget removes the included sequences from a statement on.
func (d *draft) forget(from int) {
	for len(d.slots) > 0 && d.slots[len(d.slots)-1].ref.Stmt >= from {
		d.slots = d.slots[:len(d.slots)-1]
	}
	for len(d.paths) > 0 && d.paths[len(d.paths)-1].ref.Stmt >= from {
		d.paths = d.paths[:len(d.paths)-1]
	}
	for len(d.in) > 0 && d.in[len(d.in)-1].at >= from {
		d.in = d.in[:len(d.in)-1]
	}
}

// value returns a value that can be passed as a t.
func (e *engine) value(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok {
		if b.Kind() == types.UnsafePointer {
			return d.add(e.zeroOp(t)), true
		}
		if v, ok := e.pick(t); ok && e.rnd.IntN(8) == 0 && v.seq.Len() < 12 {
			return e.include(d, v, true), true
		}
		if len(e.factories[e.pool.keys.of(t)]) > 0 && e.rnd.IntN(4) > 0 {
			if r, ok := e.computed(d, t, level); ok {
				return r, true
			}
		}
		if l, ok := e.mentioned(d, t, b); ok {
			return d.add(e.literalOp(t, l)), true
		}
		l, ok := e.literal(t, b)
		if !ok {
			return testcase.Ref{}, false
		}
		return d.add(e.literalOp(t, l)), true
	}
	if e.givers.Parses(t) && e.rnd.IntN(8) > 0 {
		if r, ok := e.readyMade(d, t); ok {
			return r, true
		}
	}
	if r, ok := e.asserted(d, t, level); ok {
		return r, true
	}
	if r, ok := e.writtenBefore(d, t); ok {
		return r, true
	}
	if types.IsInterface(t) && !gosyntax.IsError(t) && len(e.givers.Values(t)) > 0 && e.rnd.IntN(4) > 0 {
		if r, ok := e.readyMade(d, t); ok {
			return r, true
		}
	}
	if e.givers.Callbacks(t) > 0 && e.rnd.IntN(3) > 0 {
		if r, ok := e.readyMade(d, t); ok {
			return r, true // other functions leave alone what they are called with
		}
	}
	if e.rnd.IntN(2) == 0 {
		if r, ok := e.earlierInDraft(d, t); ok {
			return r, true
		}
	}
	if v, ok := e.pick(t); ok && e.rnd.IntN(3) > 0 {
		return e.include(d, v, e.rnd.IntN(2) == 0), true
	}
	if !gosyntax.IsError(t) {
		if r, ok := e.readyMade(d, t); ok {
			return r, true
		}
	}
	if !types.IsInterface(t) || e.rnd.IntN(4) > 0 { // else a stub, perhaps
		if r, ok := e.factory(d, t, level); ok {
			return r, true
		}
	}
	if r, ok := e.byShape(d, t, level); ok {
		return r, true
	}
	if v, ok := e.pick(t); ok {
		return e.include(d, v, true), true
	}
	return testcase.Ref{}, false
}

// byShape makes a value by the underlying type.
func (e *engine) byShape(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	if level > maxLevel || len(d.stmts) > maxStmts {
		return d.add(e.zeroOp(t)), true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return e.value(d, t, level)
	case *types.Pointer:
		if e.rnd.IntN(30) == 0 {
			return d.add(e.zeroOp(t)), true
		}
		return e.construct(d, t, level)
	case *types.Struct:
		return e.structure(d, t, u, level)
	case *types.Slice:
		switch e.rnd.IntN(12) {
		case 0:
			return d.add(e.zeroOp(t)), true
		case 1:
			return d.add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}), true
		}
		return e.elements(d, t, u.Elem(), e.size(u.Elem()), level)
	case *types.Array:
		return e.elements(d, t, u.Elem(), int(min(u.Len(), 4)), level)
	case *types.Map:
		if e.rnd.IntN(15) == 0 {
			return d.add(e.zeroOp(t)), true
		}
		var args []testcase.Ref
		for range e.rnd.IntN(4) {
			k, ok1 := e.value(d, u.Key(), level+1)
			v, ok2 := e.value(d, u.Elem(), level+1)
			if !ok1 || !ok2 {
				break
			}
			args = append(args, k, v)
		}
		return d.add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, args...), true
	case *types.Signature:
		return e.stubFunc(d, t, u, level)
	case *types.Interface:
		return e.iface(d, t, u, level)
	case *types.Chan:
		var args []testcase.Ref
		for range e.rnd.IntN(5) {
			v, ok := e.value(d, u.Elem(), level+1)
			if !ok {
				break
			}
			args = append(args, v)
		}
		// An action that was slow may have waited on an open channel, so its channels are closed.
		closed := e.rnd.IntN(2) == 0 || e.limit != math.MaxInt64
		return d.add(&testcase.Operation{Kind: testcase.OpMakeChan, Type: t, N: len(args) + e.rnd.IntN(2), Closed: closed}, args...), true
	}
	return testcase.Ref{}, false
}

// size returns a length for a slice: bytes and the like come in longer ones.
func (e *engine) size(elem types.Type) int {
	n := e.rnd.IntN(4)
	if b, ok := elem.Underlying().(*types.Basic); ok && e.rnd.IntN(3) == 0 {
		n += e.rnd.IntN(6)
		if b.Kind() == types.Uint8 {
			n += e.rnd.IntN(12)
		}
	}
	return n
}

// elements makes a slice or array of n elements. A slice of bytes often gets the bytes of a string.
func (e *engine) elements(d *draft, t, elem types.Type, n, level int) (testcase.Ref, bool) {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 && e.rnd.IntN(3) > 0 {
		if _, ok := t.Underlying().(*types.Slice); ok {
			s := d.add(e.literalOp(types.Typ[types.String], testcase.Literal{Kind: testcase.LitString, Str: e.str()}))
			return d.add(e.convertOp(t), s), true
		}
	}
	var args []testcase.Ref
	for range n {
		if len(args) > 0 && e.rnd.IntN(6) == 0 {
			// Elements that are equal are a case of their own, and never come by chance.
			args = append(args, args[e.rnd.IntN(len(args))])
			continue
		}
		v, ok := e.value(d, elem, level+1)
		if !ok {
			break
		}
		args = append(args, v)
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	if _, ok := t.Underlying().(*types.Slice); ok {
		op.N = len(args)
	}
	return d.add(op, args...), true
}

// structure makes a struct with some of the fields set that its user may set.
func (e *engine) structure(d *draft, t types.Type, s *types.Struct, level int) (testcase.Ref, bool) {
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != e.pkg.Types && !zeroUsable(n, s) {
		return testcase.Ref{}, false // another package's, and not for its users to make so
	}
	if !open(t) && e.isAmong(t) && e.rnd.IntN(12) > 0 {
		if v, ok := e.pick(t); ok {
			return e.include(d, v, true), true // a parser makes it for some texts
		}
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t, Elems: []int{}}
	var args []testcase.Ref
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Exported() || e.rnd.IntN(4) == 0 {
			continue
		}
		mark := len(d.stmts)
		v, ok := e.path(d, f)
		if !ok {
			v, ok = e.value(d, f.Type(), level+1)
		}
		if !ok {
			d.stmts = d.stmts[:mark]
			d.forget(mark)
			continue
		}
		op.Elems = append(op.Elems, i)
		args = append(args, v)
	}
	if len(args) == 0 {
		return d.add(e.zeroOp(t)), true
	}
	return d.add(op, args...), true
}

// zeroUsable reports whether a struct type of another package can be made by a literal: all its fields can be set, or its zero value is
// documented to be ready. A lock beside fields that can be set is ready, too.
func zeroUsable(n *types.Named, s *types.Struct) bool {
	if isReady(n) {
		return true
	}
	settable, locks := 0, 0
	for f := range s.Fields() {
		inner, _ := types.Unalias(f.Type()).(*types.Named)
		switch {
		case f.Exported():
			settable++
		case inner != nil && isReady(inner) && inner.Obj().Pkg().Path() == "sync":
			locks++
		default:
			return false
		}
	}
	return settable > 0 || locks == 0
}

// isReady reports whether a type is one of the standard library whose zero value is documented to be ready.
func isReady(n *types.Named) bool {
	if n.Obj().Pkg() == nil {
		return false
	}
	switch n.Obj().Pkg().Path() + "." + n.Obj().Name() {
	case "bytes.Buffer", "strings.Builder", "sync.Mutex", "sync.RWMutex", "sync.Map", "sync.WaitGroup", "sync.Once", "math/big.Int", "time.Time":
		return true
	}
	return false
}

// stubFunc makes a function that returns one to three results in turn.
func (e *engine) stubFunc(d *draft, t types.Type, sig *types.Signature, level int) (testcase.Ref, bool) {
	// A nil function is usually the caller's mistake, and the panic would hide other failures in the
	// same place. So nil is passed only late.
	if e.rnd.IntN(40) == 0 && e.spent() > e.cfg.Ops/2 {
		return d.add(e.zeroOp(t)), true
	}
	if e.rnd.IntN(5+20*e.endless) == 0 {
		if r, ok := e.closure(d, t, sig, level); ok {
			return r, true
		}
	}
	if e.rnd.IntN(5) > 1 {
		if r, ok := e.funcValue(d, t, sig); ok {
			return r, true
		}
	}
	op := &testcase.Operation{Kind: testcase.OpStubFunc, Type: t}
	s := stubScript{op: op, level: level, calls: maxCalls}
	if !e.script(d, &s, "", sig) {
		return testcase.Ref{}, false
	}
	return d.add(op, s.args...), true
}

// stubScript is the script of a stub in the making.
type stubScript struct {
	op    *testcase.Operation
	args  []testcase.Ref // the values that its calls return
	level int            // how deep the stub is inside other values
	calls int            // the most calls of a method that are scripted
}

// script adds one to three calls of a method to a script. It returns false if there is no value for a
// result.
func (e *engine) script(d *draft, s *stubScript, method string, sig *types.Signature) bool {
	if sig.Results().Len() == 0 {
		return true
	}
	for range 1 + e.rnd.IntN(s.calls) {
		c := testcase.StubCall{Method: method, From: len(s.args)}
		loads := len(e.decoded) > 0 && loads(sig) && e.rnd.IntN(2) == 0
		for r := range sig.Results().Variables() {
			if loads {
				s.args = append(s.args, e.loaded(d, r.Type()))
				continue
			}
			v, ok := e.value(d, r.Type(), s.level+1)
			if !ok {
				return false
			}
			s.args = append(s.args, v)
		}
		c.To = len(s.args)
		s.op.Stub = append(s.op.Stub, c)
	}
	return true
}

// loads reports whether a method returns bytes or a text, and an error: it loads something that was stored.
func loads(sig *types.Signature) bool {
	rs := sig.Results()
	if rs.Len() != 2 || !gosyntax.IsError(rs.At(1).Type()) {
		return false
	}
	b, ok := rs.At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 || gosyntax.IsBytes(rs.At(0).Type())
}

// loaded makes a result of a method that loads something: a text that the package decodes, and no error.
func (e *engine) loaded(d *draft, t types.Type) testcase.Ref {
	if gosyntax.IsError(t) {
		return d.add(e.zeroOp(t))
	}
	lit := testcase.Literal{Kind: testcase.LitString, Str: e.decoded[e.rnd.IntN(len(e.decoded))]}
	if gosyntax.IsBytes(t) {
		return d.add(e.convertOp(t), d.add(e.literalOp(types.Typ[types.String], lit)))
	}
	return d.add(e.literalOp(t, lit))
}

// maxCalls is how many calls of a method a stub is scripted for, at the most.
const maxCalls = 3

// The tempers of stubs say how their methods answer. The methods of a quiet stub that tell a number or a
// text about it return one, and all others return zero values. The methods of a steady stub return the same
// values at each call. The methods of a moody stub return other values each time. Contracts are checked only
// with quiet and steady stubs.
const (
	quiet  = 0
	steady = 1
	moody  = 2
)

// tells reports whether a method tells a number or a text about its receiver.
func tells(sig *types.Signature) bool {
	if sig.Params().Len() > 0 || sig.Results().Len() != 1 {
		return false
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsString) != 0
}

// iface makes a value of an interface type: of an implementation, a stub, or nil.
func (e *engine) iface(d *draft, t types.Type, i *types.Interface, level int) (testcase.Ref, bool) {
	switch {
	case i.NumMethods() == 0 && i.IsMethodSet():
		return e.anyValue(d, t, level)
	case !i.IsMethodSet():
		return testcase.Ref{}, false
	case gosyntax.IsError(t):
		return e.errorValue(d, t)
	case e.rnd.IntN(25) == 0:
		return d.add(e.zeroOp(t)), true
	}
	if impls := e.implementations(t, i); len(impls) > 0 && level < maxLevel && e.rnd.IntN(5) > 0 {
		if r, ok := e.value(d, impls[e.rnd.IntN(len(impls))], level+1); ok {
			return r, true
		}
	}
	if list := e.givers.Values(t); len(list) > 0 {
		return e.readyMade(d, t) // rather than a stub
	}
	for m := range i.Methods() {
		if !m.Exported() && m.Pkg() != e.pkg.Types {
			return testcase.Ref{}, false // only its own package can implement it
		}
	}
	op := &testcase.Operation{Kind: testcase.OpStubIface, Type: t}
	s := stubScript{op: op, level: level + 1, calls: maxCalls}
	temper := min(e.rnd.IntN(4), moody)
	if temper != moody {
		s.calls = 1
	}
	for m := range i.Methods() {
		if temper == quiet && !tells(m.Signature()) || testcase.ReturnsItself(t, m.Signature()) && e.rnd.IntN(4) > 0 {
			continue // it returns zero values, or the stub itself, so that the caller can go on
		}
		if !e.script(d, &s, m.Name(), m.Signature()) {
			return testcase.Ref{}, false
		}
	}
	return d.add(op, s.args...), true
}

// anyValue makes a value for an `any`: a scalar, nil, something of the pool or of the package, or a pointer
// to an empty value for functions that decode.
func (e *engine) anyValue(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	switch k := e.rnd.IntN(20); {
	case k == 0:
		return d.add(e.zeroOp(t)), true
	case k < 3 && len(e.named) > 0 && level < maxLevel:
		n := e.named[e.rnd.IntN(len(e.named))]
		switch e.rnd.IntN(8) {
		case 0: // a nil that is not nil: as an any it has a type
			return d.add(e.zeroOp(types.NewPointer(n))), true
		case 1, 2, 3:
			return e.byShape(d, types.NewPointer(n), level+1)
		}
		return e.byShape(d, n, level+1)
	case k < 5 && level < maxLevel:
		composed := [...]types.Type{types.NewSlice(types.Typ[types.Int]), types.NewSlice(types.Typ[types.String]), types.NewMap(types.Typ[types.String], types.Typ[types.Int]), types.NewSlice(t)}
		return e.byShape(d, composed[e.rnd.IntN(len(composed))], level+1)
	}
	if decodes(e.now) && e.rnd.IntN(2) == 0 {
		return e.into(d, t), true
	}
	kinds := [...]types.BasicKind{types.Int, types.Int, types.String, types.String, types.Bool, types.Float64, types.Uint8}
	return e.value(d, types.Typ[kinds[e.rnd.IntN(len(kinds))]], level+1)
}

// into makes a pointer to an empty value, for a function that decodes into an `any`.
func (e *engine) into(d *draft, t types.Type) testcase.Ref {
	into := [...]types.Type{types.NewMap(types.Typ[types.String], t), types.Typ[types.String], types.Typ[types.Int], types.NewSlice(types.Typ[types.String])}
	to := into[e.rnd.IntN(len(into))]
	if n := len(e.named); n > 0 && e.rnd.IntN(2) == 0 {
		to = e.named[e.rnd.IntN(n)]
	}
	if kinds := e.dynamic.kindsOf(e.now); len(kinds) > 0 && e.rnd.IntN(3) == 0 {
		to = kinds[e.rnd.IntN(len(kinds))] // the function treats them differently
	}
	return d.add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(to)}, d.add(e.zeroOp(to)))
}

// decodes reports whether a function, by its name, writes to where an any points.
func decodes(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"decode", "unmarshal", "bind", "scan", "parse", "load", "into", "fill"}, func(verb string) bool {
		return strings.Contains(name, verb)
	})
}

// errorValue makes an error: nil, one of the package's, one of other packages that the function being tried mentions, or any.
func (e *engine) errorValue(d *draft, t types.Type) (testcase.Ref, bool) {
	one := func(of []*types.Var) (testcase.Ref, bool) {
		return d.add(&testcase.Operation{Kind: testcase.OpGlobal, Var: of[e.rnd.IntN(len(of))]}), true
	}
	mentioned := e.errorsMentioned()
	switch k := e.rnd.IntN(5); {
	case k < 2:
		return d.add(e.zeroOp(t)), true
	case len(mentioned) > 0 && k < 4 && (len(e.errors) == 0 || k == 3):
		return one(mentioned)
	case k < 4 && len(e.errors) > 0:
		return one(e.errors)
	}
	if r, ok := e.readyMade(d, t); ok {
		return r, true
	}
	if r, ok := e.factory(d, t, maxLevel-1); ok {
		return r, true
	}
	return d.add(e.zeroOp(t)), true
}
