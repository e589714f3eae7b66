package container

import (
	"fmt"
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

type Kind int

const (
	Odd  Kind = 1
	Even Kind = 2
)

type Set struct{ elems []int }

func New(room int) *Set { return &Set{} }

func (s *Set) Add(x int) bool        { return true }
func (s *Set) Has(x int) bool        { return false }
func (s *Set) Union(t *Set)          {}
func (s *Set) Each(f func(int) bool) {}
func (s *Set) Mark(k Kind)           {}
func (s *Set) Len() int              { return 0 }

type Queue struct{ set *Set }

func NewQueue() Queue { return Queue{&Set{}} }

func (q *Queue) Insert(v any, newPriority float64) {}

type Log struct{ lines [][]byte }

func NewLog(size int) *Log { return &Log{} }

func (l *Log) Append(line []byte) (int, error)  { return 0, nil }
func (l *Log) Get(index int) ([]byte, error)    { return nil, nil }
func (l *Log) Trim(n int)                       {}
func (l *Log) Expire(id int, age int) bool      { return false }

type User struct {
	Name string
	Age  int
}

type Users struct{ all map[int]User }

func NewUsers() *Users { return &Users{} }

func (u *Users) Put(user *User) int { return 0 }

type Point struct{ X int }

func Origin() Point { return Point{} }

func (p Point) Move(x int) {}
`

// loaded returns the package of source with its methods.
func loaded(t *testing.T) *load.Package {
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
	for _, name := range []string{"Set", "Queue", "Log", "Users", "Point"} {
		named := checked.Scope().Lookup(name).Type().(*types.Named)
		for m := range named.Methods() {
			pkg.Targets = append(pkg.Targets, &load.Target{Name: name + "." + m.Name(), Obj: m, Recv: m.Signature().Recv().Type(), Exported: true})
		}
	}
	return pkg
}

// fillers returns the fillers of source's type Set, which New makes.
func fillers(t *testing.T) []*Filler {
	t.Helper()
	pkg := loaded(t)
	checked := pkg.Types
	made := testcase.NewSequence(
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 1}}},
		testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: checked.Scope().Lookup("New").(*types.Func)}, Args: []testcase.Ref{{Stmt: 0}}},
	)
	object := testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{{Kind: testcase.Struct}}}
	all := Fillers(pkg, []*testcase.Case{{Target: "New", Seq: made, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{nil, {object}}}}}, nil)
	return slices.DeleteFunc(all, func(f *Filler) bool { return f.Type.String() != "*p.Set" })
}

// TestFillers_values fills objects that are made as values, if methods change them, and orders elements by neither the order
// in which they are added nor its opposite.
func TestFillers_values(t *testing.T) {
	pkg := loaded(t)
	var makers []*testcase.Case
	for _, name := range []string{"NewQueue", "Origin"} {
		fn := pkg.Types.Scope().Lookup(name).(*types.Func)
		seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn}})
		makers = append(makers, &testcase.Case{Target: name, Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.Struct}}}}})
	}
	got := Fillers(pkg, makers, nil)
	var queues []string
	for _, f := range got {
		if f.Type.String() == "p.Queue" {
			part, _ := f.Several()
			queues = append(queues, part.Seq.String())
		}
		if f.Type.String() == "p.Point" {
			t.Errorf("%s fills a point, which it cannot change", f.add.Func.Name())
		}
	}
	if want := []string{"v0 := NewQueue(); v2 := any(4); v0.Insert(v2, 2); v6 := any(2); v0.Insert(v6, 1)"}; !slices.Equal(queues, want) {
		t.Errorf("queues are filled by %q, want %q", queues, want)
	}
}

// What adding an element returns is passed to methods whose parameters are called indexes or identifiers. Elements may be bytes
// and structs of plain fields, and a number that the constructor takes may count bytes.
func TestFiller_handles(t *testing.T) {
	pkg := loaded(t)
	made := func(name string, numbers int) *testcase.Case {
		b := &testcase.Builder{}
		var args []testcase.Ref
		for range numbers {
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 1}}))
		}
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: pkg.Types.Scope().Lookup(name).(*types.Func)}, args...)
		object := testcase.Value{Kind: testcase.Pointer, Elems: []testcase.Value{{Kind: testcase.Struct}}}
		results := make([][]testcase.Value, numbers+1)
		results[numbers] = []testcase.Value{object}
		return &testcase.Case{Target: name, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned, Results: results}}
	}
	var got, makers []string
	for _, f := range Fillers(pkg, []*testcase.Case{made("NewLog", 1), made("NewUsers", 0)}, nil) {
		switch f.add.Func.Name() {
		case "Append":
			makers = append(makers, f.make.String())
			if len(makers) == 1 {
				for _, c := range f.ofHandles() {
					got = append(got, c.Seq.String())
				}
			}
		case "Put":
			part, _ := f.Several()
			got = append(got, part.Seq.String())
		}
	}
	wantMakers := []string{"NewLog(4)", "NewLog(1024)"} // the number may count elements or bytes
	if !slices.Equal(makers, wantMakers) {
		t.Errorf("logs are made by %q, want %q", makers, wantMakers)
	}
	const filled = "v1 := NewLog(4); v5 := []byte{111, 110, 101}; %sv1.Append(v5); v10 := []byte{116, 119, 111}; v1.Append(v10); v17 := []byte{116, 104, 114, 101, 101}; %sv1.Append(v17); "
	first, last := fmt.Sprintf(filled, "v6 := ", ""), fmt.Sprintf(filled, "", "v18 := ")
	want := []string{
		first + "v1.Get(v6)", last + "v1.Get(v18)", first + "v1.Expire(v6, 90)", last + "v1.Expire(v18, 90)",
		`v0 := NewUsers(); v3 := p.User{"grape", 10}; v4 := &v3; v0.Put(v4); v8 := p.User{"banana", 20}; v9 := &v8; v0.Put(v9)`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the calls are\n%q, want\n%q", got, want)
	}
}

func TestFillers(t *testing.T) {
	var got []string
	for _, f := range fillers(t) {
		got = append(got, f.add.Func.Name())
	}
	// Each, Union and Kind are no fillers: Each takes a function, Union another set, and each value of Kind
	// has a meaning.
	// The second ones belong to a set with much room.
	if want := []string{"Add", "Has", "Len", "Add", "Has", "Len"}; !slices.Equal(got, want) {
		t.Errorf("the methods that may add elements are %v, want %v", got, want)
	}
}

func TestFiller_Cases(t *testing.T) {
	var got []string
	for _, c := range fillers(t)[0].Cases() {
		if c.Target == "Set.Has" && c.State != Many || c.Target == "Set.Union" && c.State == Full {
			got = append(got, c.State.String()+": "+c.Seq.String())
		}
	}
	want := []string{
		"empty: v1 := New(4); v1.Has(4)",
		"several: v1 := New(4); v1.Add(4); v1.Add(2); v1.Add(6); v1.Has(4)",
		"several: v1 := New(4); v1.Add(4); v1.Add(2); v1.Add(6); v1.Has(2)",
		"several: v1 := New(4); v1.Add(4); v1.Add(2); v1.Add(6); v1.Has(5)",
		"full: v1 := New(2); v1.Add(4); v1.Add(2); v1.Has(4)",
		"full: v1 := New(2); v1.Add(4); v1.Add(2); v1.Has(2)",
		"full: v1 := New(2); v1.Add(4); v1.Add(2); v1.Has(5)",
		"full: v1 := New(2); v1.Add(4); v1.Add(2); v7 := New(4); v7.Add(2); v7.Add(5); v1.Union(v7)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the calls of Has and Union are\n%q, want\n%q", got, want)
	}
}

func TestFiller_Fills(t *testing.T) {
	number := func(n int) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: uint64(n)} }
	f := fillers(t)[0]
	length := &testcase.Operation{Kind: testcase.OpMethod, Func: fillers(t)[2].add.Func}
	observers := []*testcase.Operation{length}
	probes := f.Probes(observers)
	outcomes := func(lengths ...int) []*testcase.Outcome {
		var out []*testcase.Outcome
		for i, n := range lengths {
			results := make([][]testcase.Value, probes[i].Len())
			results[len(results)-1] = []testcase.Value{number(n)}
			out = append(out, &testcase.Outcome{Status: testcase.Returned, Results: results})
		}
		return out
	}
	failing := outcomes(0, 1, 2, 3)
	failing[2].Results[0] = []testcase.Value{{Err: &testcase.ErrorInfo{}}}
	tests := []struct {
		name string
		runs []*testcase.Outcome
		want bool
	}{
		{"each call adds one", outcomes(0, 1, 2, 3), true},
		{"there were elements before", outcomes(5, 6, 7, 8), true},
		{"the last call adds nothing", outcomes(0, 1, 2, 2), false},
		{"calls add two", outcomes(0, 2, 4, 6), false},
		{"a call fails", failing, false},
		{"there was no time for all", outcomes(0, 1, 2), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := f.Fills(observers, probes, tt.runs); got != tt.want {
				t.Errorf("Fills() = %t, want %t", got, tt.want)
			}
		})
	}
}

// Methods that take an index are called with the first and the last index, and with indexes just outside.
func TestIsIndex(t *testing.T) {
	for _, tt := range []struct {
		method, param string
		want          bool
	}{
		{"At", "i", true}, {"Add", "i", false}, {"Insert", "at", true}, {"Swap", "idx2", true}, {"Remove", "index", true}, {"Push", "x", false}, {"Get", "n", false},
	} {
		if got := isIndex(tt.method, tt.param); got != tt.want {
			t.Errorf("isIndex(%s, %s) = %t, want %t", tt.method, tt.param, got, tt.want)
		}
	}
	var got []int64
	for _, state := range []State{Empty, Several} {
		got = append(got, indices[state]...)
	}
	if want := []int64{0, 0, 2, -1, 3}; !slices.Equal(got, want) {
		t.Errorf("indices = %v, want %v", got, want)
	}
}
