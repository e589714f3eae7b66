package words

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"

	"github.com/goassay/assay/internal/testcase"
)

// truth is whether a predicate holds on a call, as far as that is known.
type truth uint8

const (
	no truth = iota
	yes
	unknown
)

// negated returns whether the contrary of a statement holds.
func negated(t truth) truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// state says how the evaluation of an expression on a call ended.
type state uint8

const (
	known  state = iota
	panics       // evaluating it would panic, like s[0] of an empty s: neither side of its condition was taken
	hidden       // the expression needs a value that was not observed
)

// val is the value of an expression on a call.
type val struct {
	testcase.Value
	state state
}

// node evaluates an expression on a call.
type node func(c *call) val

func of(v testcase.Value) val {
	if v.Kind == testcase.Invalid {
		return val{state: hidden}
	}
	return val{Value: v}
}

func boolVal(b bool) val {
	v := val{Value: testcase.Value{Kind: testcase.Bool, Type: types.Typ[types.Bool]}}
	if b {
		v.Bits = 1
	}
	return v
}

func intVal(n int) val {
	return val{Value: testcase.Value{Kind: testcase.Int, Type: types.Typ[types.Int], Bits: uint64(n)}}
}

// truth returns the value of a condition.
func (v val) truth() truth {
	switch {
	case v.state == panics:
		return no
	case v.state == hidden || v.Kind != testcase.Bool:
		return unknown
	}
	return truthOf(v.Bits != 0)
}

// reads says what an expression reads.
type reads struct {
	inputs    uint64 // bit i for input i
	observers uint64 // bit i for observer i
	calls     bool   // the expression calls a function of the standard library
}

func (r *reads) add(s reads) {
	r.inputs |= s.inputs
	r.observers |= s.observers
	r.calls = r.calls || s.calls
}

// compiler turns a type-checked expression over inputs into a node.
type compiler struct {
	info  *types.Info
	input func(types.Object) int // the number of the input that an object is, or -1
	// observer returns the number of the observer that a method is, or -1.
	observer func(*types.Func) int
	reads    reads
}

// expr returns the node of an expression, or nil if it reads anything but inputs, constants and observers.
func (k *compiler) expr(e ast.Expr) node {
	tv := k.info.Types[e]
	if tv.Value != nil {
		v := constantValue(tv.Value, tv.Type)
		return func(*call) val { return of(v) }
	}
	if tv.IsNil() {
		return func(*call) val { return of(testcase.Value{Kind: testcase.Nil, Type: types.Typ[types.UntypedNil]}) }
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return k.expr(e.X)
	case *ast.Ident:
		i := k.input(k.info.Uses[e])
		if i < 0 {
			return nil
		}
		k.reads.inputs |= 1 << i
		return func(c *call) val { return of(c.inputs[i]) }
	case *ast.UnaryExpr:
		x := k.expr(e.X)
		if x == nil || e.Op == token.AND || e.Op == token.ARROW {
			return nil
		}
		op := e.Op
		return func(c *call) val { return unary(op, x(c)) }
	case *ast.BinaryExpr:
		return k.binary(e)
	case *ast.CallExpr:
		return k.call(e)
	case *ast.StarExpr:
		if x := k.expr(e.X); x != nil {
			return func(c *call) val { return pointee(x(c)) }
		}
	case *ast.SelectorExpr:
		return k.selector(e)
	case *ast.IndexExpr:
		x, i := k.expr(e.X), k.expr(e.Index)
		if x == nil || i == nil {
			return nil
		}
		elem := tv.Type
		return func(c *call) val { return index(x(c), i(c), elem) }
	case *ast.SliceExpr:
		return k.slice(e)
	}
	return nil
}

// constantValue returns a constant as a value of type t; Invalid where t is a type
// parameter or the constant is too large.
func constantValue(c constant.Value, t types.Type) testcase.Value {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return testcase.Value{}
	}
	t = types.Default(t)
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return testcase.Value{}
	}
	v := testcase.Value{Kind: basicKind(b), Type: t}
	exact := true
	switch v.Kind {
	case testcase.Bool:
		v.Bits = boolVal(constant.BoolVal(c)).Bits
	case testcase.String:
		v.Str = constant.StringVal(c)
		v.Len = len(v.Str)
	case testcase.Int:
		var n int64
		n, exact = constant.Int64Val(constant.ToInt(c))
		v.Bits = uint64(n)
	case testcase.Uint:
		v.Bits, exact = constant.Uint64Val(constant.ToInt(c))
	case testcase.Float:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		v = floatValue(f, t)
	default:
		return testcase.Value{}
	}
	if !exact {
		return testcase.Value{}
	}
	return v
}

// binary returns the node of x op y.
func (k *compiler) binary(e *ast.BinaryExpr) node {
	x, y := k.expr(e.X), k.expr(e.Y)
	if x == nil || y == nil {
		return nil
	}
	// A constant beside a type parameter takes the type that the other side has on a call.
	if c, other := k.info.Types[e.X].Value, y; c != nil && isTypeParam(k.info.TypeOf(e.X)) {
		x = func(k *call) val { return of(constantValue(c, valueType(other(k)))) }
	}
	if c, other := k.info.Types[e.Y].Value, x; c != nil && isTypeParam(k.info.TypeOf(e.Y)) {
		y = func(k *call) val { return of(constantValue(c, valueType(other(k)))) }
	}
	switch op := e.Op; op {
	case token.LAND, token.LOR:
		short := truthOf(op == token.LOR)
		return func(c *call) val {
			a := x(c)
			if a.state == panics || a.truth() == short {
				return a
			}
			b := y(c)
			if op == token.LAND && a.truth() == unknown && b.truth() == no {
				return b // the result does not depend on x
			}
			if a.truth() == unknown {
				return val{state: hidden}
			}
			return b
		}
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return func(c *call) val { return compare(op, x(c), y(c)) }
	default:
		return func(c *call) val { return arithmetic(op, x(c), y(c)) }
	}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// valueType returns the type of a value, or one for its kind.
func valueType(v val) types.Type {
	if v.Type != nil && !isTypeParam(v.Type) {
		return v.Type
	}
	switch v.Kind {
	case testcase.Int:
		return types.Typ[types.Int64]
	case testcase.Uint:
		return types.Typ[types.Uint64]
	case testcase.Float:
		return types.Typ[types.Float64]
	case testcase.String:
		return types.Typ[types.String]
	}
	return types.Typ[types.Invalid]
}

// selector returns the node of an exported field of an input.
func (k *compiler) selector(e *ast.SelectorExpr) node {
	sel := k.info.Selections[e]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 || !sel.Obj().Exported() {
		return nil
	}
	x := k.expr(e.X)
	if x == nil {
		return nil
	}
	i := sel.Index()[0]
	return func(c *call) val {
		v := x(c)
		if v.Kind == testcase.Pointer || v.Kind == testcase.Nil {
			v = pointee(v)
		}
		if v.state != known || v.Kind != testcase.Struct || i >= len(v.Elems) {
			return val{state: max(v.state, hidden)}
		}
		return of(v.Elems[i])
	}
}

// pointee returns the value that a pointer leads to.
func pointee(v val) val {
	switch {
	case v.state != known:
		return v
	case v.Kind == testcase.Nil:
		return val{state: panics}
	case v.Kind != testcase.Pointer || v.Again || len(v.Elems) != 1:
		return val{state: hidden}
	}
	return of(v.Elems[0])
}

// index returns x[i]. If a map does not have the key, the result is the zero value of elem.
func index(x, i val, elem types.Type) val {
	if x.state != known || i.state != known {
		return val{state: max(x.state, i.state)}
	}
	if x.Kind == testcase.Map || x.Kind == testcase.Nil && i.Kind != testcase.Int && i.Kind != testcase.Uint {
		for n := 0; n+1 < len(x.Elems); n += 2 {
			if x.Elems[n].Equal(i.Value) {
				return of(x.Elems[n+1])
			}
		}
		if x.Cut || x.Again {
			return val{state: hidden}
		}
		return of(zeroOf(elem, 0))
	}
	n := int64(i.Bits)
	length := x.Len
	if x.Kind == testcase.Array {
		length = max(x.Len, len(x.Elems))
	}
	if n < 0 || n >= int64(length) {
		return val{state: panics}
	}
	switch {
	case x.Kind == testcase.String && n < int64(len(x.Str)):
		return of(testcase.Value{Kind: testcase.Uint, Type: types.Typ[types.Uint8], Bits: uint64(x.Str[n])})
	case (x.Kind == testcase.Slice || x.Kind == testcase.Array) && n < int64(len(x.Elems)):
		return of(x.Elems[n])
	}
	return val{state: hidden}
}

// slice returns the node of x[i:j].
func (k *compiler) slice(e *ast.SliceExpr) node {
	x := k.expr(e.X)
	if x == nil || e.Slice3 {
		return nil
	}
	bounds := [2]node{}
	for i, b := range []ast.Expr{e.Low, e.High} {
		if b == nil {
			continue
		}
		if bounds[i] = k.expr(b); bounds[i] == nil {
			return nil
		}
	}
	return func(c *call) val {
		v := x(c)
		if v.state != known {
			return v
		}
		if v.Cut || v.Again || v.Kind != testcase.String && v.Kind != testcase.Slice {
			return val{state: hidden}
		}
		at := [2]int64{0, int64(v.Len)}
		for i, b := range bounds {
			if b == nil {
				continue
			}
			w := b(c)
			if w.state != known {
				return w
			}
			at[i] = int64(w.Bits)
		}
		if at[0] < 0 || at[0] > at[1] {
			return val{state: panics}
		}
		if at[1] > int64(v.Len) {
			if v.Kind == testcase.Slice {
				return val{state: hidden} // the capacity is not known
			}
			return val{state: panics}
		}
		if v.Kind == testcase.String {
			v.Str = v.Str[at[0]:at[1]]
		} else {
			v.Elems = v.Elems[at[0]:at[1]]
		}
		v.Len = int(at[1] - at[0])
		return v
	}
}

// set is a set of calls by number.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) add(i int) { s[i>>6] |= 1 << (i & 63) }

func (s set) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 != 0 }

// count returns how many calls are in the set.
func (s set) count() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// meets reports whether some call is in all of the sets.
func meets(s set, others ...set) bool {
	for i, w := range s {
		for _, o := range others {
			w &= o[i]
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// isSubset reports whether all of s is in t.
func isSubset(s, t set) bool {
	for i, w := range s {
		if w&^t[i] != 0 {
			return false
		}
	}
	return true
}

// and returns the intersection of two sets.
func and(s, t set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] & t[i]
	}
	return out
}

// or returns the union of two sets.
func or(s, t set) set {
	out := make(set, len(s))
	for i := range s {
		out[i] = s[i] | t[i]
	}
	return out
}
