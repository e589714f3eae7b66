package observer

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const source = `package p

type List struct{ items []int; hidden error }

func New(n int) *List { return &List{} }
func Broken() (*List, error) { return nil, nil }

func (l *List) Push(x int) {}
func (l *List) Locked() int { return 0 }
func (l *List) String() string { return "" }
func (l *List) IsEmpty() bool { return true }
func (l *List) Len() int { return 0 }
func (l *List) Values() []int { return nil }
func (l *List) First() (int, bool) { return 0, false }
func (l *List) At(i int) int { return 0 }
func (l *List) Has(x int) bool { return false }
func (l *List) Err() error { return nil }
func (l *List) Next() *List { return nil }
func (l *List) RepOK() bool { return true }
func (l *List) size() int { return 0 }
`

// packageOf returns the package of source and what is pure in it: all methods but Push and
// Locked.
func packageOf(t *testing.T) (*load.Package, func(*testcase.Operation) bool) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.Default()}
	checked, err := conf.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: checked}
	list := checked.Scope().Lookup("List").Type().(*types.Named)
	for m := range list.Methods() {
		pkg.Targets = append(pkg.Targets, &load.Target{Name: "List." + m.Name(), Obj: m, Recv: types.NewPointer(list), Exported: m.Exported()})
	}
	for _, name := range []string{"New", "Broken"} {
		pkg.Targets = append(pkg.Targets, &load.Target{Name: name, Obj: checked.Scope().Lookup(name).(*types.Func), Exported: true})
	}
	return pkg, func(op *testcase.Operation) bool {
		return op.Func.Name() != "Push" && op.Func.Name() != "Locked" && op.Func.Signature().Recv() != nil
	}
}

func names(ops []*testcase.Operation) []string {
	var out []string
	for _, op := range ops {
		out = append(out, op.Func.Name())
	}
	return out
}

// Contents come first, then numbers, then truths, and what is for people last; what takes
// arguments, returns errors or objects, or is an invariant is none.
func TestTable_Of(t *testing.T) {
	pkg, pure := packageOf(t)
	table := New(pkg, pure)
	list := types.NewPointer(pkg.Types.Scope().Lookup("List").Type())
	if got, want := names(table.Of(list)), []string{"Values", "Len", "First", "IsEmpty", "String"}; !slices.Equal(got, want) {
		t.Errorf("Of(*List) = %v, want %v", got, want)
	}
	if got := table.Of(types.Typ[types.Int]); got != nil {
		t.Errorf("Of(int) = %v, want none", names(got))
	}
	unproved := table.Unproved(list)
	if got, want := names(unproved), []string{"Locked"}; !slices.Equal(got, want) {
		t.Fatalf("Unproved(*List) = %v, want %v", got, want)
	}
	table.Accept(list, unproved[0])
	if got, want := names(table.Of(list)), []string{"Values", "Len", "First", "Locked", "IsEmpty", "String"}; !slices.Equal(got, want) {
		t.Errorf("Of(*List) after Accept = %v, want %v", got, want)
	}
}

func TestTable_Subject(t *testing.T) {
	pkg, pure := packageOf(t)
	table := New(pkg, pure)
	fn := func(name string) *types.Func { return pkg.Types.Scope().Lookup(name).(*types.Func) }
	method := func(name string) *types.Func {
		m, _, _ := types.LookupFieldOrMethod(pkg.Types.Scope().Lookup("List").Type(), true, pkg.Types, name)
		return m.(*types.Func)
	}
	one := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 1}}}
	made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn("New")}, Args: []testcase.Ref{{Stmt: 0}}}
	call := func(name string, args ...testcase.Ref) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: method(name)}, Args: args}
	}
	object, number := testcase.Ref{Stmt: 1}, testcase.Ref{Stmt: 0}
	tests := []struct {
		name   string
		target string
		seq    *testcase.Sequence
		want   testcase.Ref
		wantOK bool
		after  string
	}{
		{"constructor", "New", testcase.NewSequence(one, made), object, true, "v1 := New(1); v1.Len()"},
		{"method that changes", "List.Push", testcase.NewSequence(one, made, call("Push", object, number)), object, true, "v1 := New(1); v1.Push(1); v1.Has(1); v1.Len()"},
		{"method that only reads", "List.Len", testcase.NewSequence(one, made, call("Len", object)), testcase.Ref{}, false, ""},
		{"invariant", "List.RepOK", testcase.NewSequence(one, made, call("RepOK", object)), testcase.Ref{}, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: tt.target, Seq: tt.seq}
			got, ok := table.Subject(c)
			if got != tt.want || ok != tt.wantOK {
				t.Errorf("Subject(%s) = %v, %t; want %v, %t", tt.seq, got, ok, tt.want, tt.wantOK)
			}
			if !ok {
				return
			}
			seq, ok := table.Behind(c, got, func(op *testcase.Operation) bool { return op.Func.Name() == "Len" })
			if !ok || seq.String() != tt.after {
				t.Errorf("Behind(%s) = %v, %t; want %s", tt.seq, seq, ok, tt.after)
			}
		})
	}
}

// What never differs says nothing, and of observers that agree in enough runs the first is
// enough.
func TestComparedWhole(t *testing.T) {
	text := types.Typ[types.String]
	for _, tt := range []struct {
		t    types.Type
		want bool
	}{
		{types.NewMap(text, types.NewSlice(text)), true},
		{types.NewMap(types.Typ[types.Int], types.NewStruct(nil, nil)), true},
		{types.NewMap(text, types.NewSignatureType(nil, nil, nil, nil, nil, false)), false},
		{types.NewSlice(types.Typ[types.Uint64]), false},
	} {
		if got := ComparedWhole(tt.t); got != tt.want {
			t.Errorf("ComparedWhole(%s) = %t, want %t", tt.t, got, tt.want)
		}
	}
}

func TestInformative(t *testing.T) {
	pkg, pure := packageOf(t)
	list := types.NewPointer(pkg.Types.Scope().Lookup("List").Type())
	ops := New(pkg, pure).Of(list)
	run := func(n int, empty, first bool) Run {
		number := func(n int) []testcase.Value { return []testcase.Value{{Kind: testcase.Int, Bits: uint64(n)}} }
		truth := func(b bool) []testcase.Value {
			v := testcase.Value{Kind: testcase.Bool}
			if b {
				v.Bits = 1
			}
			return []testcase.Value{v}
		}
		out := make(Run)
		for _, op := range ops {
			switch op.Func.Name() {
			case "Values":
				out[op.Func] = number(7) // always the same
			case "Len":
				out[op.Func] = number(n)
			case "IsEmpty":
				out[op.Func] = truth(empty)
			case "First":
				out[op.Func] = truth(first)
			}
		}
		return out
	}
	many := []Run{run(0, true, false), run(1, false, true), run(2, false, false), run(0, true, false), run(1, false, false), run(2, false, true)}
	if got, want := names(Informative(ops, many, nil)), []string{"Len", "First"}; !slices.Equal(got, want) {
		t.Errorf("of six runs: %v, want %v", got, want)
	}
	length := ops[slices.IndexFunc(ops, func(op *testcase.Operation) bool { return op.Func.Name() == "Len" })].Func
	if got, want := names(Informative(ops, many, map[*types.Func]bool{length: true})), []string{"First", "IsEmpty", "Len"}; !slices.Equal(got, want) {
		t.Errorf("where Len echoes: %v, want %v", got, want)
	}
	if got, want := names(Informative(ops, many[:2], nil)), []string{"Len", "First", "IsEmpty"}; !slices.Equal(got, want) {
		t.Errorf("of two runs, which prove nothing: %v, want %v", got, want)
	}
}

// The same as a text is asked as a text, even if the method that returns it as bytes is declared first.
func TestInformative_texts(t *testing.T) {
	returns := func(name string, result types.Type) *testcase.Operation {
		results := types.NewTuple(types.NewVar(token.NoPos, nil, "", result))
		return &testcase.Operation{Kind: testcase.OpMethod, Func: types.NewFunc(token.NoPos, nil, name, types.NewSignatureType(nil, nil, nil, nil, results, false))}
	}
	raw, text := returns("Bytes", types.NewSlice(types.Typ[types.Uint8])), returns("String", types.Typ[types.String])
	var runs []Run
	for _, s := range []string{"a", "b", "c", "a", "b", "c"} {
		v := []testcase.Value{{Kind: testcase.String, Str: s}}
		runs = append(runs, Run{raw.Func: v, text.Func: v})
	}
	if got, want := names(Informative([]*testcase.Operation{raw, text}, runs, nil)), []string{"String"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReadsByName(t *testing.T) {
	for name, want := range map[string]bool{
		"Get": true, "HasPrefix": true, "Contains": true, "IndexOf": true, "At": true, "IsSet": true, "CountBytes": true,
		"Issue": false, "Attach": false, "Countdown": false, "GetOrCreate": false, "LoadAndDelete": false, "Hash": false, "Getter": false, "Add": false,
	} {
		if got := readsByName(name); got != want {
			t.Errorf("readsByName(%q) = %t, want %t", name, got, want)
		}
	}
}

// A list of the package whose elements show nothing by themselves is asked by its methods.
func TestHidesElements(t *testing.T) {
	pkg := loaded(t, `package m

type rule struct{ op string }

type Rules []*rule

func (r Rules) String() string { return "" }

type Bare []*rule

type Point struct{ X, Y int }

type Path []Point

func (p Path) Len() int { return 0 }

type ByName map[string]rule

func (b ByName) Len() int { return 0 }

type Words []string

func (w Words) Len() int { return 0 }
`)
	table := New(pkg, nil)
	for name, want := range map[string]bool{"Rules": true, "Bare": false, "Path": false, "ByName": true, "Words": false, "Point": false} {
		if got := table.hidesElements(pkg.Types.Scope().Lookup(name).Type()); got != want {
			t.Errorf("hidesElements(%s) = %t, want %t", name, got, want)
		}
	}
}
