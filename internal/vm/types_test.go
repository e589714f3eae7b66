package vm

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// A type has the same size whichever part of it is met first. The test has an array of pointers to a struct
// that contains such an array.
func TestTypeSizes(t *testing.T) {
	const src = `package p
type Elem struct {
	next  [25]*Elem
	level int
	key   float64
	value any
}
type List struct {
	first [25]*Elem
	rest  []List
	by    map[string]*List
}
type Func func(List) Elem
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	typ := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	field := func(name string, i int) types.Type { return typ(name).Underlying().(*types.Struct).Field(i).Type() }
	want := map[types.Type]int{typ("Elem"): 29, typ("List"): 29, field("Elem", 0): 25, types.NewPointer(typ("Elem")): 1}
	for first := range want {
		tt := newTypeTable()
		tt.of(first)
		for g, size := range want {
			got := tt.of(g)
			if got.Size != size {
				t.Errorf("%v first: %v has %d cells, want %d", first, g, got.Size, size)
			}
			if got.Kind == KPointer && (got.Elem == nil || got.Elem.Size != 29) {
				t.Errorf("%v first: %v refers to nothing of its size", first, g)
			}
		}
		for _, u := range tt.all[1:] {
			switch u.Kind {
			case KPointer, KSlice, KMap, KArray:
				if u.Elem == nil {
					t.Errorf("%v first: %s has no element", first, u.Name)
				}
			}
		}
	}
}
