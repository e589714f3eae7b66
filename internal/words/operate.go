package words

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// floatOf returns the number of a float value.
func floatOf(v testcase.Value) float64 {
	if is32(v.Type) {
		return float64(math.Float32frombits(uint32(v.Bits)))
	}
	return math.Float64frombits(v.Bits)
}

// floatValue returns a number as a value of float type t.
func floatValue(f float64, t types.Type) testcase.Value {
	v := testcase.Value{Kind: testcase.Float, Type: t, Bits: math.Float64bits(f)}
	if is32(t) {
		v.Bits = uint64(math.Float32bits(float32(f)))
	}
	return v
}

// is32 reports whether a type is a float of 32 bits.
func is32(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

// width returns how many bits an integer type has; int, uint and uintptr have 64.
func width(t types.Type) uint {
	if t == nil {
		return 64
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return uint(testcase.IntBits(b))
	}
	return 64
}

// wrap cuts an integer to the width of its type.
func wrap(v testcase.Value) testcase.Value {
	shift := 64 - width(v.Type)
	if v.Kind == testcase.Int {
		v.Bits = uint64(int64(v.Bits<<shift) >> shift)
	} else {
		v.Bits = v.Bits << shift >> shift
	}
	return v
}

// unary returns op x.
func unary(op token.Token, x val) val {
	if x.state != known {
		return x
	}
	switch {
	case op == token.NOT && x.Kind == testcase.Bool:
		return boolVal(x.Bits == 0)
	case op == token.ADD:
		return x
	case op == token.SUB && x.Kind == testcase.Float:
		return of(floatValue(-floatOf(x.Value), x.Type))
	case (op == token.SUB || op == token.XOR) && (x.Kind == testcase.Int || x.Kind == testcase.Uint):
		if op == token.SUB {
			x.Bits = -x.Bits
		} else {
			x.Bits = ^x.Bits
		}
		return of(wrap(x.Value))
	}
	return val{state: hidden}
}

// compare returns x op y.
func compare(op token.Token, x, y val) val {
	if x.state != known || y.state != known {
		return val{state: worse(x.state, y.state)}
	}
	if op == token.EQL || op == token.NEQ {
		t := equal(x.Value, y.Value)
		if t == unknown {
			return val{state: hidden}
		}
		return boolVal((t == yes) == (op == token.EQL))
	}
	if x.Kind != y.Kind || x.Cut || y.Cut {
		return val{state: hidden}
	}
	if x.Kind == testcase.Float {
		a, b := floatOf(x.Value), floatOf(y.Value)
		return boolVal(op == token.LSS && a < b || op == token.LEQ && a <= b || op == token.GTR && a > b || op == token.GEQ && a >= b)
	}
	n, ok := order(x.Value, y.Value)
	if !ok {
		return val{state: hidden}
	}
	return boolVal(op == token.LSS && n < 0 || op == token.LEQ && n <= 0 || op == token.GTR && n > 0 || op == token.GEQ && n >= 0)
}

// worse returns the state of an expression of which at least one part has no value. If a part panics the
// whole expression panics, even if the other part is not known. The unknown part might panic first, but a
// condition has no value in either case.
func worse(a, b state) state {
	if a == panics || b == panics {
		return panics
	}
	return hidden
}

// order compares two values of one ordered kind; ok is false for NaN and for values of other kinds.
func order(x, y testcase.Value) (n int, ok bool) {
	if x.Kind != y.Kind {
		return 0, false
	}
	switch x.Kind {
	case testcase.Int:
		return cmp.Compare(int64(x.Bits), int64(y.Bits)), true
	case testcase.Uint:
		return cmp.Compare(x.Bits, y.Bits), true
	case testcase.Float:
		a, b := floatOf(x), floatOf(y)
		return cmp.Compare(a, b), a == a && b == b
	case testcase.String:
		return strings.Compare(x.Str, y.Str), !x.Cut && !y.Cut
	case testcase.Array: // identifiers and digests, which packages order by their bytes
		if x.Cut || y.Cut || len(x.Elems) != len(y.Elems) {
			return 0, false
		}
		for i := range x.Elems {
			if n, ok := order(x.Elems[i], y.Elems[i]); n != 0 || !ok {
				return n, ok
			}
		}
		return 0, true
	}
	return 0, false
}

// equal says whether x == y in Go.
func equal(x, y testcase.Value) truth {
	if x.Kind == testcase.Invalid || y.Kind == testcase.Invalid {
		return unknown
	}
	if x.Kind == testcase.Nil || y.Kind == testcase.Nil {
		return truthOf(x.Kind == y.Kind)
	}
	if x.Kind == testcase.Interface && y.Kind == testcase.Interface && len(x.Elems) == 1 && len(y.Elems) == 1 {
		if a, b := x.Elems[0].Type, y.Elems[0].Type; a != nil && b != nil && !types.Identical(a, b) {
			return no
		}
		return equal(x.Elems[0], y.Elems[0])
	}
	switch x.Kind {
	case testcase.Interface, testcase.Pointer, testcase.Opaque, testcase.Map, testcase.Slice:
		return unknown
	}
	if x.Kind != y.Kind {
		return unknown
	}
	switch x.Kind {
	case testcase.Bool, testcase.Int, testcase.Uint:
		return truthOf(x.Bits == y.Bits)
	case testcase.Float:
		return truthOf(floatOf(x) == floatOf(y))
	case testcase.String:
		if x.Len != y.Len {
			return no
		}
		if x.Cut || y.Cut {
			return unknown
		}
		return truthOf(x.Str == y.Str)
	case testcase.Struct, testcase.Array:
		if len(x.Elems) != len(y.Elems) || x.Cut || y.Cut {
			return unknown
		}
		all := yes
		for i := range x.Elems {
			switch equal(x.Elems[i], y.Elems[i]) {
			case no:
				return no
			case unknown:
				all = unknown
			}
		}
		return all
	}
	return unknown
}

// arithmetic returns x op y for numbers and texts.
func arithmetic(op token.Token, x, y val) val {
	if x.state != known || y.state != known {
		return val{state: worse(x.state, y.state)}
	}
	shift := op == token.SHL || op == token.SHR
	if x.Kind != y.Kind && !shift {
		return val{state: hidden}
	}
	switch x.Kind {
	case testcase.String:
		if op != token.ADD || x.Cut || y.Cut {
			return val{state: hidden}
		}
		x.Str += y.Str
		x.Len = len(x.Str)
		return x
	case testcase.Float:
		a, b := floatOf(x.Value), floatOf(y.Value)
		switch op {
		case token.ADD:
			a += b
		case token.SUB:
			a -= b
		case token.MUL:
			a *= b
		case token.QUO:
			a /= b
		default:
			return val{state: hidden}
		}
		return of(floatValue(a, x.Type))
	case testcase.Int, testcase.Uint:
		if shift {
			return shifted(op, x, y)
		}
		return integers(op, x, y)
	}
	return val{state: hidden}
}

// shifted returns x << y or x >> y.
func shifted(op token.Token, x, y val) val {
	if y.Kind == testcase.Int && int64(y.Bits) < 0 {
		return val{state: panics}
	}
	if y.Kind != testcase.Int && y.Kind != testcase.Uint {
		return val{state: hidden}
	}
	switch {
	case op == token.SHL:
		x.Bits <<= y.Bits
	case x.Kind == testcase.Int:
		x.Bits = uint64(int64(x.Bits) >> y.Bits)
	default:
		x.Bits >>= y.Bits
	}
	return of(wrap(x.Value))
}

// integers returns x op y for two integers of one type.
func integers(op token.Token, x, y val) val {
	a, b := x.Bits, y.Bits
	if (op == token.QUO || op == token.REM) && b == 0 {
		return val{state: panics}
	}
	signed := x.Kind == testcase.Int
	switch op {
	case token.ADD:
		a += b
	case token.SUB:
		a -= b
	case token.MUL:
		a *= b
	case token.QUO:
		switch {
		case signed && int64(b) == -1:
			a = -a
		case signed:
			a = uint64(int64(a) / int64(b))
		default:
			a /= b
		}
	case token.REM:
		switch {
		case signed && int64(b) == -1:
			a = 0
		case signed:
			a = uint64(int64(a) % int64(b))
		default:
			a %= b
		}
	case token.AND:
		a &= b
	case token.OR:
		a |= b
	case token.XOR:
		a ^= b
	case token.AND_NOT:
		a &^= b
	default:
		return val{state: hidden}
	}
	x.Bits = a
	return of(wrap(x.Value))
}

// convert returns T(v) for numbers and texts of one kind, or Invalid if it does not know the conversion.
func convert(v testcase.Value, t types.Type) testcase.Value {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		if v.Kind != testcase.String && types.IdenticalIgnoreTags(underlying(v.Type), t.Underlying()) {
			v.Type = t
			return v
		}
		return testcase.Value{}
	}
	kind := basicKind(b)
	switch {
	case (v.Kind == testcase.Int || v.Kind == testcase.Uint) && (kind == testcase.Int || kind == testcase.Uint):
		return wrap(testcase.Value{Kind: kind, Type: t, Bits: v.Bits})
	case v.Kind == testcase.Int && kind == testcase.Float:
		return floatValue(float64(int64(v.Bits)), t)
	case v.Kind == testcase.Uint && kind == testcase.Float:
		return floatValue(float64(v.Bits), t)
	case v.Kind == testcase.Float && kind == testcase.Float:
		return floatValue(floatOf(v), t)
	case v.Kind == testcase.Float && (kind == testcase.Int || kind == testcase.Uint):
		// The result of converting a number out of range differs between processors.
		f := math.Trunc(floatOf(v))
		if math.Abs(f) >= 1<<31 || kind == testcase.Uint && f < 0 || f != f {
			return testcase.Value{}
		}
		w := testcase.Value{Kind: kind, Type: t, Bits: uint64(int64(f))}
		if wrap(w).Bits != w.Bits {
			return testcase.Value{}
		}
		return w
	case v.Kind == kind && (kind == testcase.String || kind == testcase.Bool):
		v.Type = t
		return v
	}
	return testcase.Value{}
}

func underlying(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t.Underlying()
}

// call returns the node of a conversion, of len, min or max, of an observer, or of one of a
// few functions of the standard library.
func (k *compiler) call(e *ast.CallExpr) node {
	fun := ast.Unparen(e.Fun)
	if tv := k.info.Types[fun]; tv.IsType() {
		x := k.expr(e.Args[0])
		if x == nil || isTypeParam(tv.Type) {
			return nil
		}
		return func(c *call) val {
			v := x(c)
			if v.state != known {
				return v
			}
			return of(convert(v.Value, tv.Type))
		}
	}
	sel, isSel := fun.(*ast.SelectorExpr)
	if isSel && len(e.Args) == 0 {
		return k.observerCall(sel)
	}
	args := make([]node, len(e.Args))
	for i, a := range e.Args {
		if args[i] = k.expr(a); args[i] == nil {
			return nil
		}
	}
	if id, ok := fun.(*ast.Ident); ok {
		if b, ok := k.info.Uses[id].(*types.Builtin); ok && b.Name() == "len" {
			return func(c *call) val { return length(args[0](c)) }
		}
		return nil
	}
	if !isSel {
		return nil
	}
	f, ok := k.info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
		return nil
	}
	do := library(f.Pkg().Path() + "." + f.Name())
	if do == nil {
		return nil
	}
	k.reads.calls = true
	return func(c *call) val {
		vs := make([]testcase.Value, len(args))
		for i, a := range args {
			v := a(c)
			if v.state != known || v.Cut {
				return val{state: worse(v.state, hidden)}
			}
			vs[i] = v.Value
		}
		return do(vs)
	}
}

// observerCall returns the node of an observer of the receiver; its value is the observer's result before
// the call.
func (k *compiler) observerCall(sel *ast.SelectorExpr) node {
	s := k.info.Selections[sel]
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if s == nil || s.Kind() != types.MethodVal || !ok || k.input(k.info.Uses[id]) != 0 {
		return nil
	}
	f, _ := s.Obj().(*types.Func)
	i := k.observer(f)
	if i < 0 || i > 63 {
		return nil
	}
	k.reads.observers |= 1 << i
	return func(c *call) val { return of(c.before[i]) }
}

// length returns len(v).
func length(v val) val {
	if v.state != known {
		return v
	}
	switch v.Kind {
	case testcase.Nil:
		return intVal(0)
	case testcase.String, testcase.Slice, testcase.Map:
		return intVal(v.Len)
	case testcase.Array:
		return intVal(max(v.Len, len(v.Elems)))
	}
	return val{state: hidden}
}

// library returns a function of the standard library that conditions often call, or nil if it does not know
// the name.
func library(name string) func(args []testcase.Value) val {
	texts := func(f func(s, t string) bool) func([]testcase.Value) val {
		return func(a []testcase.Value) val { return boolVal(f(a[0].Str, a[1].Str)) }
	}
	text := func(f func(s string) string) func([]testcase.Value) val {
		return func(a []testcase.Value) val {
			return of(constantValue(constant.MakeString(f(a[0].Str)), types.Typ[types.String]))
		}
	}
	switch name {
	case "strings.Contains":
		return texts(strings.Contains)
	case "strings.ContainsAny":
		return texts(strings.ContainsAny)
	case "strings.HasPrefix":
		return texts(strings.HasPrefix)
	case "strings.HasSuffix":
		return texts(strings.HasSuffix)
	case "strings.EqualFold":
		return texts(strings.EqualFold)
	case "strings.TrimSpace":
		return text(strings.TrimSpace)
	case "strings.ToLower":
		return text(strings.ToLower)
	case "strings.ToUpper":
		return text(strings.ToUpper)
	case "math.IsNaN":
		return func(a []testcase.Value) val { return boolVal(math.IsNaN(floatOf(a[0]))) }
	case "math.IsInf":
		return func(a []testcase.Value) val { return boolVal(math.IsInf(floatOf(a[0]), int(int64(a[1].Bits)))) }
	case "math.Abs":
		return func(a []testcase.Value) val { return of(floatValue(math.Abs(floatOf(a[0])), types.Typ[types.Float64])) }
	}
	return nil
}
