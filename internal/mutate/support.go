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
	line("func @one[T @number](k @rt.Int, _ T) T {\n\t@c[k] = 1\n\tvar z T\n\tif @m == k {\n\t\treturn z - 1\n\t}\n\treturn z + 1\n}\n")
	return b.String()
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
