package emit

import (
	"go/ast"
	"go/constant"
	"go/types"
	"math"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// literalOf returns a constant of type t.
func literalOf(v constant.Value, t types.Type) testcase.Literal {
	b := gofile.Basic(t)
	switch {
	case b.Info()&types.IsBoolean != 0:
		l := testcase.Literal{Kind: testcase.LitBool}
		if constant.BoolVal(v) {
			l.Bits = 1
		}
		return l
	case b.Info()&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: constant.StringVal(v)}
	case b.Info()&types.IsUnsigned != 0:
		n, _ := constant.Uint64Val(constant.ToInt(v))
		return testcase.Literal{Kind: testcase.LitUint, Bits: n}
	case b.Info()&types.IsInteger != 0:
		n, _ := constant.Int64Val(constant.ToInt(v))
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}
	case b.Info()&types.IsFloat != 0:
		return testcase.Literal{Kind: testcase.LitFloat, Bits: floatBits(v, t)}
	}
	return testcase.Literal{Kind: testcase.LitComplex, Bits: floatBits(constant.Real(v), t), Imag: floatBits(constant.Imag(v), t)}
}

func floatBits(v constant.Value, t types.Type) uint64 {
	if gofile.IsBasic32(t) {
		f, _ := constant.Float32Val(v)
		return uint64(math.Float32bits(f))
	}
	f, _ := constant.Float64Val(v)
	return math.Float64bits(f)
}

// value reads an observation of static type t.
func (r *caseReader) value(e ast.Expr, t types.Type) testcase.Value {
	e = ast.Unparen(e)
	tv := r.info.Types[e]
	if c, ok := e.(*ast.CallExpr); ok {
		if v, ok := r.special(c, t); ok {
			return v
		}
	}
	if id, ok := e.(*ast.Ident); ok {
		if obj, isVar := r.info.Uses[id].(*types.Var); isVar && gosyntax.IsError(obj.Type()) {
			return testcase.Value{Kind: testcase.Interface, Type: t, Err: &testcase.ErrorInfo{Message: obj.Name(), Sentinels: []*types.Var{obj}, Identical: true}}
		}
	}
	if se, ok := e.(*ast.SelectorExpr); ok {
		if obj, isVar := r.info.Uses[se.Sel].(*types.Var); isVar && gosyntax.IsError(obj.Type()) {
			return testcase.Value{Kind: testcase.Interface, Type: t, Err: &testcase.ErrorInfo{Message: obj.Name(), Sentinels: []*types.Var{obj}, Identical: true}}
		}
	}
	if tv.IsNil() {
		return testcase.Value{Kind: testcase.Nil, Type: t}
	}
	if types.IsInterface(t) {
		return testcase.Value{Kind: testcase.Interface, Type: t, Elems: []testcase.Value{r.value(e, types.Default(tv.Type))}}
	}
	if tv.Value != nil {
		l := literalOf(tv.Value, t)
		kind := map[testcase.LitKind]testcase.ValueKind{testcase.LitBool: testcase.Bool, testcase.LitInt: testcase.Int, testcase.LitUint: testcase.Uint,
			testcase.LitFloat: testcase.Float, testcase.LitComplex: testcase.Complex, testcase.LitString: testcase.String}[l.Kind]
		return testcase.Value{Kind: kind, Type: t, Bits: l.Bits, Imag: l.Imag, Str: l.Str, Len: len(l.Str)}
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return testcase.Value{Kind: testcase.Pointer, Type: t, Elems: []testcase.Value{r.value(e.X, t.Underlying().(*types.Pointer).Elem())}}
	case *ast.CompositeLit:
		return r.compositeValue(e, t)
	}
	r.t.Fatalf("value %T", e)
	panic("unreachable")
}

// special reads the calls that stand for observations.
func (r *caseReader) special(c *ast.CallExpr, t types.Type) (testcase.Value, bool) {
	text := func(e ast.Expr) string { return constant.StringVal(r.info.Types[e].Value) }
	switch f := c.Fun.(type) {
	case *ast.Ident:
		switch f.Name {
		case "opaque":
			return testcase.Value{Kind: testcase.Opaque, Type: t}, true
		case "errorf":
			return testcase.Value{Kind: testcase.Interface, Type: t, Err: &testcase.ErrorInfo{Message: text(c.Args[0])}}, true
		case "wrap": // the first argument is a sentinel
			v := r.value(c.Args[0], t)
			v.Err.Message, v.Err.Identical = text(c.Args[1]), false
			return v, true
		}
	case *ast.SelectorExpr:
		if obj, ok := r.info.Uses[f.Sel].(*types.Func); ok && obj.Pkg().Path() == "math" {
			v := map[string]float64{"NaN": math.NaN(), "Inf": math.Inf(1), "Copysign": math.Copysign(0, -1)}[obj.Name()]
			if obj.Name() == "Inf" && r.info.Types[c.Args[0]].Value.String() == "-1" {
				v = math.Inf(-1)
			}
			return testcase.Value{Kind: testcase.Float, Type: t, Bits: math.Float64bits(v)}, true
		}
	}
	return testcase.Value{}, false
}

func (r *caseReader) compositeValue(e *ast.CompositeLit, t types.Type) testcase.Value {
	v := testcase.Value{Type: t}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		v.Kind = testcase.Struct
		for i := range u.NumFields() {
			v.Elems = append(v.Elems, zeroValue(u.Field(i).Type()))
			if i < len(e.Elts) {
				if _, ok := e.Elts[i].(*ast.KeyValueExpr); !ok {
					v.Elems[i] = r.value(e.Elts[i], u.Field(i).Type())
				}
			}
			for _, el := range e.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok && kv.Key.(*ast.Ident).Name == u.Field(i).Name() {
					v.Elems[i] = r.value(kv.Value, u.Field(i).Type())
				}
			}
		}
	case *types.Slice:
		v.Kind = testcase.Slice
		for _, el := range e.Elts {
			v.Elems = append(v.Elems, r.value(el, u.Elem()))
		}
		v.Len = len(v.Elems)
	case *types.Array:
		v.Kind = testcase.Array
		for _, el := range e.Elts {
			v.Elems = append(v.Elems, r.value(el, u.Elem()))
		}
		v.Len = len(v.Elems)
	case *types.Map:
		v.Kind = testcase.Map
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			v.Elems = append(v.Elems, r.value(kv.Key, u.Key()), r.value(kv.Value, u.Elem()))
		}
		v.Len = len(e.Elts)
	}
	return v
}

// zeroValue returns the observation of a zero value.
func zeroValue(t types.Type) testcase.Value {
	v := testcase.Value{Kind: testcase.Nil, Type: t}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			v.Kind = testcase.Bool
		case u.Info()&types.IsString != 0:
			v.Kind = testcase.String
		case u.Info()&types.IsUnsigned != 0:
			v.Kind = testcase.Uint
		case u.Info()&types.IsInteger != 0:
			v.Kind = testcase.Int
		case u.Info()&types.IsFloat != 0:
			v.Kind = testcase.Float
		default:
			v.Kind = testcase.Complex
		}
	case *types.Struct:
		v.Kind = testcase.Struct
		for f := range u.Fields() {
			v.Elems = append(v.Elems, zeroValue(f.Type()))
		}
	case *types.Array:
		v.Kind = testcase.Array
		for range u.Len() {
			v.Elems = append(v.Elems, zeroValue(u.Elem()))
		}
	}
	return v
}
