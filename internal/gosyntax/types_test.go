package gosyntax

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// TestTypes checks what is said of types: whether every value implements them, whether they hold interfaces, and what
// iterators yield.
func TestTypes(t *testing.T) {
	const src = `package p

type P[T any] struct{ X T }

type (
	Any     any
	Limited interface{ comparable }
	Text    string
	Pair    struct{ A int; B [2]Any }
	Plain   struct{ A int; B [2]string }
	Seq     func(yield func(int, string) bool)
	Visit   func(f func(int))
	Odd     func(yield func(...int) bool)
)

func F[T any](x T) T { return x }

func (p P[T]) M() {}

func calls(g func(), p P[int]) {
	F[int](1)
	F("x")
	p.M()
	g()
	_ = Text("x")
	_ = len("x")
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	for _, tt := range []struct {
		name               string
		any, holds, yields bool
	}{
		{"Any", true, true, false}, {"Limited", false, true, false}, {"Text", false, false, false}, {"Pair", false, true, false},
		{"Plain", false, false, false}, {"Seq", false, false, true}, {"Visit", false, false, false}, {"Odd", false, false, false},
	} {
		typ := of(tt.name)
		if got := IsAny(typ); got != tt.any {
			t.Errorf("IsAny(%s) = %t, want %t", tt.name, got, tt.any)
		}
		if got := HoldsInterface(typ); got != tt.holds {
			t.Errorf("HoldsInterface(%s) = %t, want %t", tt.name, got, tt.holds)
		}
		if got := Yield(typ) != nil; got != tt.yields {
			t.Errorf("Yield(%s) says %t, want %t", tt.name, got, tt.yields)
		}
	}
	if IsAny(nil) || IsAny(of("F").(*types.Signature).TypeParams().At(0)) {
		t.Error("no type and a type parameter are interfaces that every value implements")
	}
	if !AllParts(of("Plain"), IsPlainBasic) || AllParts(of("Pair"), IsPlainBasic) || IsPlainBasic(types.Typ[types.UnsafePointer]) {
		t.Error("AllParts or IsPlainBasic are wrong about the parts of Plain, Pair or unsafe.Pointer")
	}

	var got []string
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			name := "-"
			if fn := Callee(info, call); fn != nil {
				name = fn.Name()
			}
			got = append(got, name)
		}
		return true
	})
	if want := []string{"F", "F", "M", "-", "-", "-"}; !slices.Equal(got, want) {
		t.Errorf("the calls are of %v, want %v", got, want)
	}
}

func TestIsBytes(t *testing.T) {
	octet := types.NewNamed(types.NewTypeName(0, nil, "octet", nil), types.Typ[types.Uint8], nil)
	for _, tt := range []struct {
		t    types.Type
		want bool
	}{
		{types.NewSlice(types.Typ[types.Byte]), true},
		{types.NewSlice(octet), true},
		{types.NewSlice(types.Typ[types.Rune]), false},
		{types.NewArray(types.Typ[types.Byte], 4), false},
		{types.Typ[types.String], false},
	} {
		if got := IsBytes(tt.t); got != tt.want {
			t.Errorf("IsBytes(%s) = %t, want %t", tt.t, got, tt.want)
		}
	}
}
