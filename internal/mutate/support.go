package mutate

import (
	"fmt"
	"go/token"
	"strings"
)

// support returns the declarations that rewritten sources use. Each helper takes the
// number of its first mutant, notes that it was reached, and asks which mutant is on.
func support(p string) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, strings.ReplaceAll(format, "@", p)+"\n", args...)
	}
	line("var @m, @f @rt.Int\n")
	line("func @t() {\n\tif @f != 0 {\n\t\tif @f--; @f == 0 {\n\t\t\t@f = 1\n\t\t\tpanic(%q)\n\t\t}\n\t}\n}\n", outOfFuel)
	line("func @on(k @rt.Int) @rt.Bool {\n\t@c[k] = 1\n\treturn @m == k\n}\n")
	line("func @not(k @rt.Int, x @rt.Bool) @rt.Bool {\n\t@c[k] = 1\n\treturn x != (@m == k)\n}\n")
	line("func @always(k @rt.Int, x @rt.Bool) @rt.Bool {\n\t@c[k] = 1\n\treturn x && @m != k || @m == k+1\n}\n")
	line("func @zero[T any](k @rt.Int, x T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\tvar z T\n\t\treturn z\n\t}\n\treturn x\n}\n")
	for _, name := range []string{"Int", "Int8", "Int16", "Int32", "Int64"} {
		if name == "Int" {
			b.WriteString("type " + p + "integer interface{ ")
		} else {
			b.WriteString(" | ")
		}
		b.WriteString("~" + p + "rt." + name)
	}
	for _, name := range []string{"Uint", "Uint8", "Uint16", "Uint32", "Uint64", "Uintptr"} {
		b.WriteString(" | ~" + p + "rt." + name)
	}
	b.WriteString(" }\n\n")
	line("type @real interface{ @integer | ~@rt.Float32 | ~@rt.Float64 }\n")
	line("type @number interface{ @real | ~@rt.Complex64 | ~@rt.Complex128 }\n")
	line("type @ordered interface{ @real | ~@rt.String }\n")
	for _, op := range []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ} {
		line("func @%s[T @ordered](k @rt.Int, a, b T) @rt.Bool {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a %s b\n\t}\n\treturn (a %s b) != (@m == k+1)\n}\n",
			helper(op), boundary(op), op)
	}
	for _, o := range []struct {
		op         token.Token
		constraint string
	}{
		{token.ADD, "number"}, {token.SUB, "number"}, {token.MUL, "number"}, {token.QUO, "number"},
		{token.REM, "integer"}, {token.AND, "integer"}, {token.OR, "integer"}, {token.XOR, "integer"}, {token.AND_NOT, "integer"},
	} {
		line("func @%s[T @%s](k @rt.Int, a, b T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a %s b\n\t}\n\treturn a %s b\n}\n",
			helper(o.op), o.constraint, swap(o.op), o.op)
	}
	for _, op := range []token.Token{token.SHL, token.SHR} {
		line("func @%s[T, N @integer](k @rt.Int, a T, n N) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a %s n\n\t}\n\treturn a %s n\n}\n",
			helper(op), swap(op), op)
	}
	line("func @cat[T ~@rt.String](k @rt.Int, a, b T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a\n\t}\n\treturn a + b\n}\n")
	line("func @neg[T @number](k @rt.Int, a T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a\n\t}\n\treturn -a\n}\n")
	line("func @com[T @integer](k @rt.Int, a T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a\n\t}\n\treturn ^a\n}\n")
	line("func @inc[T @number](k @rt.Int, a T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a + 1\n\t}\n\treturn a\n}\n")
	line("func @dec[T @number](k @rt.Int, a T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a - 1\n\t}\n\treturn a\n}\n")
	line("func @miss[T ~@rt.String](k @rt.Int, a T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn a + \"\\x00\"\n\t}\n\treturn a\n}\n")
	line("func @pick[T any](k @rt.Int, a, b T) T {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn b\n\t}\n\treturn a\n}\n")
	line("func @at(k, a, b @rt.Int) @rt.Int {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn b\n\t}\n\treturn a\n}\n")
	line("func @one[T @number](k @rt.Int, _ T) T {\n\t@c[k] = 1\n\tvar z T\n\tif @m == k {\n\t\treturn z - 1\n\t}\n\treturn z + 1\n}\n")
	calls(line)
	return b.String()
}

// mostWrapped is how many parameters a function may have for mutants of its calls' arguments.
const mostWrapped = 4

// calls declares, by line, the helpers that stand around functions which are called: first_n_at is for a function of n parameters
// whose result is of the type of the parameter at this place, and returns that argument with the mutant on; swap_n_at_r is for
// a function of n parameters and r results, and passes two neighbours in each other's place.
func calls(line func(format string, args ...any)) {
	for n := 1; n <= mostWrapped; n++ {
		for at := range n {
			own, params, names := signature(n, func(i int) string { return fmt.Sprint("P", i) })
			f := fmt.Sprintf("func(%s) P%d", params, at)
			line("func @first_%d_%d[%s any](k @rt.Int, f %s) %s {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn func(%s) P%d { return p%d }\n\t}\n\treturn f\n}\n",
				n, at, own, f, f, names, at, at)
		}
		for at := range n - 1 {
			own, params, names := signature(n, func(i int) string { // the two neighbours are of one type
				if i == at+1 {
					i = at
				}
				return fmt.Sprint("P", i)
			})
			var swapped []string
			for i := range n {
				switch i {
				case at:
					i = at + 1
				case at + 1:
					i = at
				}
				swapped = append(swapped, fmt.Sprint("p", i))
			}
			for r, results := range []string{"", "R0", "(R0, R1)"} {
				f := fmt.Sprintf("func(%s) %s", params, results)
				of, ret := own+strings.Repeat(", R0", min(r, 1))+strings.Repeat(", R1", max(r-1, 0)), "return "
				if r == 0 {
					ret = ""
				}
				line("func @swap_%d_%d_%d[%s any](k @rt.Int, f %s) %s {\n\t@c[k] = 1\n\tif @m == k {\n\t\treturn func(%s) %s { %sf(%s) }\n\t}\n\treturn f\n}\n",
					n, at, r, of, f, f, names, results, ret, strings.Join(swapped, ", "))
			}
		}
	}
}

// signature returns the type parameters, the parameters' types, and the parameters with names, of a function of n parameters.
func signature(n int, typeOf func(int) string) (own, params, names string) {
	var owns, types, named []string
	for i := range n {
		t := typeOf(i)
		if t == fmt.Sprint("P", i) {
			owns = append(owns, t)
		}
		types, named = append(types, t), append(named, fmt.Sprintf("p%d %s", i, t))
	}
	return strings.Join(owns, ", "), strings.Join(types, ", "), strings.Join(named, ", ")
}

// outOfFuel is the panic of a case whose loops took more turns than allowed.
const outOfFuel = "assay: out of fuel"

// runtimeStub declares the parts of the harness's runtime that the support uses, for the type checker.
const runtimeStub = `package assayrt

type (
	Bool       = bool
	Complex128 = complex128
	Complex64  = complex64
	Float32    = float32
	Float64    = float64
	Int        = int
	Int16      = int16
	Int32      = int32
	Int64      = int64
	Int8       = int8
	String     = string
	Uint       = uint
	Uint16     = uint16
	Uint32     = uint32
	Uint64     = uint64
	Uint8      = uint8
	Uintptr    = uintptr
)

type Any = any

type Ordered struct{}

func (*Ordered) NextKey(key any) bool
func (*Ordered) Next(key, value any) bool

func Assume(bool)
func Assert(bool)
`
