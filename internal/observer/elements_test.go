package observer

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Containers are listed through the methods that lead to all elements, and drained last.
func TestTable_Elements(t *testing.T) {
	const source = `package p

type Ring struct{}

func (r *Ring) Len() int { return 0 }
func (r *Ring) At(i int) string { return "" }
func (r *Ring) All() func(yield func(string) bool) { return nil }
func (r *Ring) Each(f func(string)) {}
func (r *Ring) Pop() (string, bool) { return "", false }

type Listed struct{}

func (l *Listed) Len() int { return 0 }
func (l *Listed) At(i int) int { return 0 }
func (l *Listed) Values() []int { return nil }

type Heap struct{}

func (h *Heap) IsEmpty() bool { return true }
func (h *Heap) Pop() int { return 0 }

type Set struct{}

func (s *Set) Len() int { return 0 }
func (s *Set) Has(x int) bool { return false }

type Node struct{ Value int }

func (n *Node) Next() *Node { return nil }

type Chain struct{ head *Node }

func (c *Chain) Front() *Node { return c.head }

type Cell struct {
	Next *Cell
	data string
}

func (c *Cell) Data() string { return c.data }

type Cells struct{}

func (c *Cells) Head() *Cell { return nil }

type Hidden struct{ next *Hidden }

type Cursor struct{}

func (c *Cursor) Next() (string, bool) { return "", false }

type Reader struct{}

func (r *Reader) Next() (int, error) { return 0, nil }

type Walker struct{}

func (w *Walker) Next() (k string, v int, ok bool) { return "", 0, false }

type Step struct{}

func (s *Step) Next() (int, int) { return 0, 0 }

type Chamber struct{}

func (c *Chamber) Front() *Hidden { return nil }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	checked, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &load.Package{Path: "p", Types: checked}
	for _, name := range checked.Scope().Names() {
		named := checked.Scope().Lookup(name).Type().(*types.Named)
		for m := range named.Methods() {
			pkg.Targets = append(pkg.Targets, &load.Target{Name: name + "." + m.Name(), Obj: m, Recv: types.NewPointer(named), Exported: true})
		}
	}
	table := New(pkg, func(op *testcase.Operation) bool { return op.Func.Name() != "Pop" && op.Func.Name() != "Each" })
	for _, tt := range []struct {
		typ  string
		want []string // parts of the helpers' texts
	}{
		{"Ring", []string{"out = append(out, r.At(i))", "for v := range r.All()", "r.Each(func(v string) {", "for r.Len() > 0 {\n\t\tv, _ := r.Pop()"}},
		{"Listed", nil},
		{"Heap", []string{"for !h.IsEmpty() {\n\t\tout = append(out, h.Pop())"}},
		{"Set", nil},
		{"Chain", []string{"for at := c.Front(); at != nil; at = at.Next() {\n\t\tout = append(out, at.Value)"}},
		{"Cells", []string{"for at := c.Head(); at != nil; at = at.Next {\n\t\tout = append(out, at.Data())"}},
		{"Chamber", nil},
		{"Cursor", []string{"for v, ok := c.Next(); ok; v, ok = c.Next() {\n\t\tout = append(out, v)"}},
		{"Reader", []string{"for v, err := r.Next(); err == nil; v, err = r.Next() {"}},
		{"Walker", []string{"for k, v, ok := w.Next(); ok; k, v, ok = w.Next() {\n\t\tout = append(out, «fmt».Sprint(k, \"=\", v))"}},
		{"Step", nil},
	} {
		ops := table.Elements(types.NewPointer(checked.Scope().Lookup(tt.typ).Type()))
		if len(ops) != len(tt.want) {
			t.Errorf("Elements(*%s) has %d helpers, want %d", tt.typ, len(ops), len(tt.want))
			continue
		}
		for i, op := range ops {
			if !strings.Contains(op.Via.Text, tt.want[i]) {
				t.Errorf("Elements(*%s)[%d] is\n%s", tt.typ, i, op.Via.Text)
			}
			if got, want := Drains(op), strings.Contains(tt.want[i], "Pop") || strings.Contains(tt.want[i], "= "+strings.ToLower(tt.typ[:1])+".Next()"); got != want {
				t.Errorf("Drains(%s) = %t", op.Via.Text, got)
			}
		}
	}
}

// What the list of all elements says is not asserted twice.
func TestDerived(t *testing.T) {
	fn := func(name string) *types.Func { return types.NewFunc(0, nil, name, nil) }
	list, length, last, capacity := fn("elements"), fn("Len"), fn("Back"), fn("Cap")
	number := func(n int) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: uint64(n)} }
	run := func(capacityIs int, elems ...int) Run {
		v := testcase.Value{Kind: testcase.Slice}
		for _, n := range elems {
			v.Elems = append(v.Elems, number(n))
		}
		r := Run{list: {v}, length: {number(len(elems))}, capacity: {number(capacityIs)}}
		if len(elems) > 0 {
			r[last] = []testcase.Value{number(elems[len(elems)-1])}
		}
		return r
	}
	runs := []Run{run(16), run(16, 4), run(16, 4, 2, 6), run(32, 1, 2)}
	for f, want := range map[*types.Func]bool{length: true, last: true, capacity: false} {
		if got := Derived(list, f, runs); got != want {
			t.Errorf("Derived(%s) = %t, want %t", f.Name(), got, want)
		}
	}
}

func TestNoOrder(t *testing.T) {
	for doc, want := range map[string]bool{
		"All iterates over the pairs. The iteration order of a Map is not defined, so please avoid relying on it.": true,
		"Keys returns the keys in random order.":                               true,
		"Each calls f for each element, in no particular order.":               true,
		"The order of the elements is unspecified.":                            true,
		"Values returns the values in the order of their insertion.":           false,
		"Order returns an undefined value for what is not in a list.":          false,
		"All iterates in ascending order. What f returns is not defined here.": false,
	} {
		if got := noOrder.MatchString(doc); got != want {
			t.Errorf("%q promises no order: %t, want %t", doc, got, want)
		}
	}
}
