package plain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// What a call returned as an interface is passed as it is where the parameter takes the interface.
func TestHeld(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", `package p
type Shape interface { Area() int }
type Square struct { side int }
func (s Square) Area() int { return s.side * s.side }
func (s Square) Fits(in Shape) bool { return s.Area() < in.Area() }
func Parse(s string) (Shape, error) { return Square{len(s)}, nil }
func IsSquare(s Shape) bool { return true }
func Side(s Square) int { return s.side }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := program{t, &load.Package{Path: "p", Types: pkg}}
	square, shape := p.typ("Square"), p.typ("Shape")
	for _, tt := range []struct {
		name string
		call testcase.Statement
		want string // "" if nothing changes
	}{
		{"argument", testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("IsSquare")}, Args: refs(2)}, `v1 := Parse("abc"); IsSquare(v1)`},
		{"put into an interface again", testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("IsSquare")}, Args: refs(3)}, `v1 := Parse("abc"); IsSquare(v1)`},
		{"the type itself is wanted", testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("Side")}, Args: refs(2)}, ""},
		{"receiver and argument", testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: p.method("Square", "Fits")}, Args: refs(2, 2)}, `v1 := Parse("abc"); v2 := v1.(p.Square); v2.Fits(v1)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b testcase.Builder
			b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "abc"}})
			b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: p.fn("Parse")}, refs(0)...)
			b.Add(&testcase.Operation{Kind: testcase.OpAssert, Type: square}, refs(1)...)
			b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: shape}, refs(2)...)
			b.Add(tt.call.Op, tt.call.Args...)
			got := ""
			if seq, ok := Held(p.pkg, &testcase.Case{Seq: b.Sequence()}); ok {
				got = seq.String()
			}
			if got != tt.want {
				t.Errorf("Held = %q, want %q", got, tt.want)
			}
		})
	}
}
