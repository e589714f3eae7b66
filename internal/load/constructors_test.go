package load

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

func TestConstructorsAndImplementations(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

import "strings"

type T struct{ x int }
func make2(a, b int) T { return T{} }
func Parse(s string) (*T, error) { return nil, nil }
func NewT(a int) *T { return nil }
func (t *T) Clone() *T { return t }
func Copy(t *T) *T { return t }
func Both() (*T, int) { return nil, 0 }

type L[T any] struct{}
func NewL[T any]() *L[T] { return nil }

type W interface{ WriteString(s string) (int, error) }
type w struct{}
func (*w) WriteString(s string) (int, error) { return 0, nil }
func NewW() W { return &w{} }
func Passed(ok bool) (W, error) {
	if !ok { return nil, nil }
	return NewW(), nil
}
func Either(ok bool) W {
	if ok { return &strings.Builder{} }
	return &w{}
}
func Given(x W) W { return x }
func Third() (int, W) { return 0, &w{} }

type Ver struct{ Major, Minor int }
func Newest(vs []Ver) Ver { return vs[0] }
func ParseVer(s string) (Ver, error) { return Ver{}, nil }
type Colour uint32
func Mean(of map[string]Colour) Colour { return 0 }
func Mix(cs ...Colour) Colour { return 0 }
func Parent(of []*T) *T { return nil }
`)
	pkg := p.Packages[0]
	named := func(name string) types.Type { return pkg.Types.Scope().Lookup(name).Type() }
	names := func(ts []*Target) string {
		var out []string
		for _, c := range ts {
			out = append(out, c.String())
		}
		return strings.Join(out, " ")
	}
	if got := names(pkg.Constructors(types.NewPointer(named("T")))); got != "NewT Parse Parent make2" {
		t.Errorf("constructors of T: %s", got)
	}
	if got := names(pkg.Constructors(named("Ver"))); got != "ParseVer" {
		t.Errorf("constructors of what Newest chooses from: %s", got)
	}
	if got := names(pkg.Constructors(named("Colour"))); got != "Mix" {
		t.Errorf("constructors of what Mean computes from: %s", got)
	}
	if got := names(pkg.Constructors(types.NewPointer(named("w")))); got != "NewW Passed Either" {
		t.Errorf("constructors of what an interface hides: %s", got)
	}
	if got := names(pkg.Constructors(named("W"))); got != "NewW Either Passed" {
		t.Errorf("constructors of the interface: %s", got)
	}
	inst, err := types.Instantiate(nil, named("L"), []types.Type{types.Typ[types.String]}, true)
	if err != nil {
		t.Fatal(err)
	}
	cs := pkg.Constructors(inst)
	if got := names(cs); got != "NewL[string]" {
		t.Errorf("constructors of L[string]: %s", got)
	}
	if len(cs) == 1 && len(cs[0].Func.Blocks) == 0 {
		t.Error("NewL[string] has no body")
	}
	got := fmt.Sprint(p.Implementations(named("W").Underlying().(*types.Interface), pkg))
	if got != "[*example.com/m.w *strings.Builder]" {
		t.Errorf("implementations of W: %s", got)
	}
}

// Functions that return an interface with several types in it make all of them, at the end of the list.
func TestConstructors_several(t *testing.T) {
	p := mustLoad(t, `
-- a.go --
package m

type Node interface{ Leaf() bool }
type Num struct{ n int }
func (Num) Leaf() bool { return true }
type Neg struct{ of Node }
func (*Neg) Leaf() bool { return false }
type Sum struct{ a, b Node }
func (*Sum) Leaf() bool { return false }
type Failure struct{ at int }
func (*Failure) Error() string { return "" }

func NewNum(n int) Num { return Num{n} }

func Parse(s string) (n Node, err error) {
	defer func() { recover() }()
	return sum(s)
}
func sum(s string) (Node, error) {
	left, err := unary(s)
	for s != "" && err == nil { left, s = &Sum{left, Num{1}}, s[1:] }
	return left, err
}
func unary(s string) (Node, error) {
	if s == "-" {
		n, err := sum(s[1:])
		return &Neg{n}, err
	}
	return Num{len(s)}, nil
}
func Negated(n Node) Node {
	if neg, ok := n.(*Neg); ok { return neg.of }
	return &Neg{n}
}
func Check(s string) error {
	if s == "" { return &Failure{} }
	_, err := Parse(s)
	return err
}
`)
	pkg := p.Packages[0]
	for name, want := range map[string]string{"Num": "NewNum Parse sum unary", "Neg": "Parse sum unary", "Sum": "Parse sum", "Failure": ""} {
		named := pkg.Types.Scope().Lookup(name).Type()
		var got []string
		for _, c := range pkg.Constructors(named) {
			got = append(got, c.Name)
			if sure := c.Name == "NewNum"; c.IsAmong(named) == sure {
				t.Errorf("%s is among what %s returns: %t", name, c, !sure)
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("constructors of %s: %s, want %s", name, text, want)
		}
	}
	if b := pkg.Target("Parse").Behind; b != nil {
		t.Errorf("Parse always returns a %s", b)
	}
}
