package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const incompleteSource = `package m

// CodeError is an error of another one.
type CodeError struct{ Name string; err error }

func (e *CodeError) Error() string { return e.err.Error() } // CodeError.Error
func (e *CodeError) With(s string) string { return e.err.Error() + s } // CodeError.With

// Bits has BitLength bits.
type Bits struct {
	Bytes     []byte
	BitLength int
}

func (b Bits) At(i int) byte {
	if i >= b.BitLength {
		return 0
	}
	return b.Bytes[i/8] // Bits.At
}

// A List has items. A List always has at least one of its Items.
type List struct{ Items []string }

func (l *List) Head() string { return l.Items[0] } // List.Head

type Group struct {
	List []string // len(List) > 0
}

func (g *Group) Head() string { return g.List[0] } // Group.Head

// Expr is a node.
type Expr interface{ Span() int }

type (
	File   struct{ Exprs []Expr }
	Name   struct{ At int }
	Number struct{ At int }
	Call   struct{ Fn Expr; Args []Expr }
	Lambda struct{ Body []Expr }
	Index  struct{ X, Y Expr }
)

func (n *Name) Span() int   { return n.At }
func (n *Number) Span() int { return n.At }
func (n *Call) Span() int   { return n.Fn.Span() }
func (n *Lambda) Span() int { return n.Body[0].Span() } // Lambda.Span
func (n *Index) Span() int  { return n.X.Span() }

func Parse(s string) (*File, error) { return &File{}, nil }

// Image has Width bytes.
type Image struct {
	Pix   []byte
	Width int
}

func NewImage(n int) *Image { return &Image{make([]byte, n), n} }

func (m *Image) At(i int) byte {
	if i >= m.Width {
		return 0
	}
	return m.Pix[i] // Image.At
}

// Box keeps what it is told to.
type Box struct{ Things []string }

func (b *Box) Head() string { return b.Things[0] } // Box.Head
`

// TestIncomplete checks which structs that a test leaves half empty excuse a failure.
func TestIncomplete(t *testing.T) {
	_, pkg := loadSource(t, incompleteSource)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(incompleteSource, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	pointer := func(b *builder, name string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ(name))}, b.zero(b.typ(name)))
	}
	for _, tt := range []struct {
		target, kind string
		build        func(b *builder)
		want         testcase.Severity
	}{
		{"CodeError.Error", "nil-dereference", func(b *builder) { b.call("CodeError.Error", pointer(b, "CodeError")) }, testcase.Misuse},
		{"CodeError.With", "nil-dereference", func(b *builder) {
			b.call("CodeError.With", pointer(b, "CodeError"), b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}}))
		}, testcase.Error},
		{"Bits.At", "index-out-of-range", func(b *builder) {
			n := b.num(types.Typ[types.Int], 1)
			b.call("Bits.At", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Bits"), Elems: []int{1}}, n), b.num(types.Typ[types.Int], 0))
		}, testcase.Misuse},
		{"List.Head", "index-out-of-range", func(b *builder) { b.call("List.Head", pointer(b, "List")) }, testcase.Misuse},
		{"Group.Head", "index-out-of-range", func(b *builder) { b.call("Group.Head", pointer(b, "Group")) }, testcase.Misuse},
		{"Lambda.Span", "index-out-of-range", func(b *builder) { b.call("Lambda.Span", pointer(b, "Lambda")) }, testcase.Misuse},
		{"Image.At", "index-out-of-range", func(b *builder) {
			m := b.call("NewImage", b.num(types.Typ[types.Int], 1))
			width := b.typ("Image").Underlying().(*types.Struct).Field(1)
			b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: width}, m, b.num(types.Typ[types.Int], 9))
			b.call("Image.At", m, b.num(types.Typ[types.Int], 5))
		}, testcase.Misuse},
		{"Box.Head", "index-out-of-range", func(b *builder) { b.call("Box.Head", pointer(b, "Box")) }, testcase.Warning},
	} {
		b := &builder{pkg: pkg}
		tt.build(b)
		name := strings.Replace(tt.target, ".", ").", 1)
		o := &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: tt.kind, Runtime: true, Message: "boom", Stack: []testcase.Frame{
			{Func: "example.com/m.(*" + name, Pos: token.Position{Filename: "m.go", Line: lines[tt.target]}}}}}
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: o})
		if f.Severity != tt.want {
			t.Errorf("%s: %v (%s), want %v", tt.target, f.Severity, f.Evidence, tt.want)
		}
	}
}
