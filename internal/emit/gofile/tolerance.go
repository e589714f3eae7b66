package gofile

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// FloatFacts knows which functions of a package may compute floats differently on other platforms. The
// Go specification allows x*y + z to be fused, which rounds once instead of twice, and package math is
// assembly on some platforms. If a function does either, or calls a function of the package that does
// (the callee may be inlined), its results are compared with a tolerance. Results of comparisons,
// conversions and single operations are exact.
type FloatFacts struct {
	pkg   *load.Package
	known map[*types.Func]floatUse
}

// floatUse says how a function uses floats.
type floatUse struct {
	mul, add bool // x*y, x+y or x-y occur
	library  bool // a function of package math that is not exact is called
}

func NewFloatFacts(pkg *load.Package) *FloatFacts {
	return &FloatFacts{pkg: pkg, known: map[*types.Func]floatUse{}}
}

// Inexact reports whether floats that the target ("Func" or "Type.Method")
// computes may differ by rounding.
func (f *FloatFacts) Inexact(target string) bool {
	for obj := range f.pkg.Funcs() {
		if testcase.TargetName(obj) == target {
			u := f.use(obj)
			return u.library || u.mul && u.add
		}
	}
	return false
}

// use returns how a function and its callees use floats.
func (f *FloatFacts) use(obj *types.Func) floatUse {
	if u, ok := f.known[obj]; ok {
		return u
	}
	f.known[obj] = floatUse{} // a recursive call adds nothing to what is known
	decl := f.pkg.Func(obj)
	if decl == nil || decl.Body == nil {
		return floatUse{}
	}
	var out floatUse
	isFloat := func(e ast.Expr) bool {
		tv := f.pkg.Info.Types[e]
		return tv.Type != nil && tv.Value == nil && IsBasic(tv.Type, types.IsFloat|types.IsComplex)
	}
	operator := func(op token.Token) {
		out.mul = out.mul || op == token.MUL || op == token.MUL_ASSIGN
		out.add = out.add || op == token.ADD || op == token.SUB || op == token.ADD_ASSIGN || op == token.SUB_ASSIGN
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if isFloat(n) {
				operator(n.Op)
			}
		case *ast.AssignStmt:
			if isFloat(n.Lhs[0]) {
				operator(n.Tok)
			}
		case *ast.Ident:
			callee, ok := f.pkg.Info.Uses[n].(*types.Func)
			if !ok || callee.Pkg() == nil {
				return true
			}
			if callee.Pkg().Path() == "math" || callee.Pkg().Path() == "math/cmplx" {
				out.library = out.library || !exactMath(callee.Name())
			} else if f.pkg.Func(callee.Origin()) != nil {
				u := f.use(callee.Origin())
				out = floatUse{out.mul || u.mul, out.add || u.add, out.library || u.library}
			}
		}
		return true
	})
	f.known[obj] = out
	return out
}

// Rounded returns a value whose floats have no more digits than a comparison with a tolerance looks at, and no sign if
// they are zero. Values in interfaces and behind pointers stay as they are, because they are compared exactly.
func Rounded(v testcase.Value) testcase.Value {
	const digits = 11
	switch v.Kind {
	case testcase.Float:
		if v.Type == nil || IsBasic32(v.Type) {
			return v
		}
		f := math.Float64frombits(v.Bits)
		if r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64); err == nil && !math.IsNaN(f) && !math.IsInf(r, 0) {
			v.Bits = math.Float64bits(r + 0) // -0 + 0 is 0
		}
	case testcase.Struct, testcase.Array, testcase.Slice, testcase.Map:
		v.Elems = slices.Clone(v.Elems)
		for i, e := range v.Elems {
			v.Elems[i] = Rounded(e)
		}
	}
	return v
}

// exactMath reports whether a function of package math gives the same result everywhere: it is exact, or
// correctly rounded by IEEE 754.
func exactMath(name string) bool {
	switch name {
	case "Abs", "Ceil", "Copysign", "Dim", "FMA", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits",
		"Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Logb", "Ilogb", "Max", "Min", "Mod", "Modf", "NaN",
		"Nextafter", "Nextafter32", "Remainder", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc":
		return true
	}
	return false
}
