package testcase

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const namesSource = `package p

import ("io"; "time"; "errors")

var ErrX = errors.New("x")

type T struct{ A int }
func (t *T) Add(xs ...int) (int, error) { return 0, nil }
func (t T) Len() int { return 0 }

type Pair[K comparable, V any] struct{ Key K; Value V }
func (p *Pair[K, V]) Set(k K) {}

func New[E any](e E) *T { return nil }
func Read(r io.Reader) time.Duration { return 0 }
func hidden(f func(time.Time, ...string) map[string][3]*T) <-chan *Pair[string, []T] { return nil }
`

// checkNames type-checks namesSource, as a process does that knows nothing of other processes.
func checkNames(t *testing.T) (*types.Package, types.Importer) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", namesSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	imp := importer.ForCompiler(fset, "source", nil)
	pkg, err := (&types.Config{Importer: imp}).Check("example.com/m/p-1", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg, imp
}

// A dump can be read by a process that has only the packages, and means the same there. Names that are not there any
// more, and names of fields, are errors.
func TestPackageTable(t *testing.T) {
	pkg, _ := checkNames(t)
	scope := pkg.Scope()
	method := func(recv types.Type, name string) *types.Func {
		o, _, _ := types.LookupFieldOrMethod(recv, true, pkg, name)
		return o.(*types.Func)
	}
	named := scope.Lookup("T").Type()
	generic := scope.Lookup("Pair").Type().(*types.Named)
	pair, err := types.Instantiate(nil, generic, []types.Type{types.Typ[types.String], types.NewSlice(named)}, true)
	if err != nil {
		t.Fatal(err)
	}
	hidden := scope.Lookup("hidden").(*types.Func)
	errX := scope.Lookup("ErrX").(*types.Var)
	check := &Check{Contract: "kept", Target: "T", Params: []types.Type{named}}
	var b Builder
	p := b.Add(&Operation{Kind: OpAddr, Type: types.NewPointer(named)}, b.Add(&Operation{Kind: OpZero, Type: named}))
	b.Add(&Operation{Kind: OpMethod, Func: method(types.NewPointer(named), "Add")}, p)
	b.Add(&Operation{Kind: OpMethod, Func: method(named, "Len")}, p)
	q := b.Add(&Operation{Kind: OpZero, Type: types.NewPointer(pair)})
	b.Add(&Operation{Kind: OpMethod, Func: method(types.NewPointer(pair), "Set")}, q)
	b.Add(&Operation{Kind: OpMethod, Func: method(types.NewPointer(generic), "Set"), TypeArgs: []types.Type{types.Typ[types.Int], pair}}, q)
	b.Add(&Operation{Kind: OpFunc, Func: scope.Lookup("New").(*types.Func), TypeArgs: []types.Type{hidden.Type()}}, q)
	b.Add(&Operation{Kind: OpFuncValue, Type: hidden.Type(), Func: hidden})
	b.Add(&Operation{Kind: OpZero, Type: scope.Lookup("Read").Type()})
	b.Add(&Operation{Kind: OpGlobal, Type: errX.Type(), Var: errX})
	b.Add(&Operation{Kind: OpCheck, Check: check}, p)
	dump := b.Sequence().Dump()

	again, imp := checkNames(t)
	table := PackageTable(again, imp.Import, []*Check{check})
	got, err := Parse(dump, table)
	if err != nil {
		t.Fatalf("Parse: %v\n%s", err, dump)
	}
	if text := got.Dump(); text != dump {
		t.Errorf("dumped again:\n%s\nwant\n%s", text, dump)
	}
	if f := got.At(1).Op.Type.(*types.Pointer).Elem(); f != again.Scope().Lookup("T").Type() {
		t.Error("the type is not that of the package which was loaded last")
	}

	for name, text := range map[string]string{
		"a type that is gone":           `zero type="example.com/m/p-1.Gone"`,
		"a package that is gone":        `zero type="*example.com/m/q.T"`,
		"a method that is gone":         `method func="(*example.com/m/p-1.T).Gone"`,
		"a method of the other kind":    `method func="(example.com/m/p-1.T).Add"`,
		"a function that is a type now": `func func="example.com/m/p-1.T"`,
		"a variable that is a function": `global type="error" var="example.com/m/p-1.New"`,
		"a field":                       `field type="int" var="field A@100"`,
		"a generic type without types":  `zero type="[]example.com/m/p-1.Pair[int]"`,
		"an endless list":               `zero type="[99999999999999999999]int"`,
		"a contract that is not kept":   `check check="other T example.com/m/p-1.T"`,
	} {
		if s, err := Parse(text, table); err == nil {
			t.Errorf("%s: %s", name, s)
		}
	}
	if s, err := Parse(dump, alone(again)); err == nil {
		t.Errorf("without the packages that it imports: %s", s)
	}
}

// alone is a table for which no other package is there.
func alone(pkg *types.Package) *Table {
	return PackageTable(pkg, func(path string) (*types.Package, error) { return nil, errors.New("no package " + path) }, nil)
}
