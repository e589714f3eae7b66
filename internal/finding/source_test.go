package finding

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

const severitySource = `package m

import "bufio"

type Box struct{ v []int; Open int }

func New(n int) *Box { return &Box{} }

func (b *Box) Last() int { return b.v[len(b.v)-1] }
func (b *Box) At(i int) int {
	return b.v[i] // At
}
// First returns the first number. It panics if there is none.
func (b *Box) First() int { return b.v[0] }

// Safe never panics.
func (b *Box) Safe() int { return b.v[0] }
func (b *Box) hidden() int { return b.v[0] }

type Free struct{ P *int }

func (f Free) Get() int { return *f.P }

type Color int

const (
	Red Color = iota
	Blue
)

type Mode int

const (
	Read Mode = 1 << iota
	Write
	Run
)

func Open(m Mode) {}
func Paint(c Color) { panic("no such color") }
func Deref(p *int) int { return *p }
func Spin(n int) { for i := 0; i != n; i++ {} }
// Root needs a prime: n must be one.
func Root(n int) { for n > 0 {} }
func Poke(at uintptr) int { return 0 }
func Wait(c chan int) int { return <-c }
func Give(c chan int) { c <- 1 }

type Ring struct{ Next *Ring }

func (r *Ring) Len() int { return 1 + r.Next.Len() }
func Int(x any) int {
	return x.(int) // Int
}

type Heap []int

func (h Heap) Len() int { return len(h) }
func (h Heap) Less(i, j int) bool { return h[i] < h[j] }
func (h Heap) Swap(i, j int) {}
func (h *Heap) Pop() any { return (*h)[len(*h)-1] }
func Find(n int) (*Box, error) { return nil, nil }

type Packed []byte

func Pack(b []byte) Packed { return b }
func Runes(r []rune) int { return len(r) }
func (p Packed) Head() byte { return p[0] }

type Sayer interface{ Words() map[string]int }

// Say says v, if v is not nil.
func Say(s Sayer, v any) {
	if v != nil {
		return
	}
	s.Words()["a"] = 1
}
func Peek(rw bufio.ReadWriter) int { b, _ := rw.ReadByte(); return int(b) }

type Part struct{ v []int }

func (p Part) Head() int { return p.v[0] }
func Split(s string) []*Part { return nil }

type Alone struct{ v []int }

func (a Alone) Head() int { return a.v[0] }
func (a Alone) Tail() Alone { return a }

type Scan struct{ buf []byte }

func (s *Scan) Init(b []byte) { s.buf = b }
func (s *Scan) Next() byte { return s.buf[0] }

type Tree struct{ kids []any }

func NewTree() *Tree { return &Tree{} }
func (t *Tree) Add(x any) { t.kids = append(t.kids, x) }
func (t *Tree) Depth() int { return 0 }
func Type(x any) int { return 0 }
func ReadAll(r *bufio.Reader) int { return 0 }

type Outer struct{ Free }

func (o Outer) Get() int { return *o.P }
func Fill(m map[string]int) { m["a"] = 1 }
func Same(x, y any) bool { return x == y }
func Sort(less func(x, y any) bool) {}

type Walk struct{ at int; v []int }

func NewWalk(n int) *Walk { return &Walk{at: -1} }
func (w *Walk) Next() bool { w.at++; return w.at < len(w.v) }
func (w *Walk) Value() int { return w.v[w.at] }

type Attrs struct{ m map[string]int }
type Graph struct{ Attrs }

func NewGraph(n int) *Graph { return &Graph{Attrs: Attrs{m: map[string]int{}}} }

type Hit struct{ m map[string]int }

func (h Hit) Put(n int) { h.m[""] = n }
func (g *Graph) Find(n int) (Hit, bool) { return Hit{}, false }
func Seek(n int) (Hit, error) { return Hit{}, nil }
func (a Attrs) Put(n int) { a.m[""] = n }
func Labels(list ...any) int {
	return list[0].(int) // Labels
}

type Clock struct{ Zone *bufio.Reader }

func (c Clock) Now() int { return 0 }
func Twice(s string) string { return s + s }
func Words(s string) int { return 0 }

type chain []error

func (c chain) Error() string { return c[0].Error() }

type Pairs map[string]int

// None has no pairs.
var None Pairs

func (p Pairs) Put(k string) { put(p, k) }
func put(x any, k string)    { x.(Pairs)[k] = 1 }

type Any struct{ data any; v []byte; at int }

func NewAny(n int) *Any { return &Any{data: n} }
func (a *Any) Int() int {
	return a.data.(int) // Any.Int
}
func (a *Any) Skip(n int) []byte {
	return a.v[:a.at+n] // Any.Skip
}
func (a *Any) Has(s string) bool {
	return len(make([]byte, a.at)) > 0 // Any.Has
}

type Many []error

func (m Many) Error() string { return "" }
func (m Many) As(target any) bool { return false }

type Sink struct{ to *Tree }

func NewSink(to *Tree) *Sink { return &Sink{to} }
func (s *Sink) From(t *Tree) {}
func (s *Sink) Read() int { return 0 }
func (s *Sink) Fill(r interface{ Read() int }) {}

// Route is drawn between Begin and End.
type Route struct{ to *Tree }

func (r *Route) Begin(to *Tree) { *r = Route{to} }
func (r *Route) Line() { r.to.Add(nil) } // Route.Line

// Row is a line of a table.
type Row struct {
	Keys   []string
	Values []int
}

func (r Row) Get(key string) (int, bool) {
	for i, k := range r.Keys {
		if k == key {
			return r.Values[i], true // Row.Get
		}
	}
	return 0, false
}
func Load(n int) (map[string]int, error) { return nil, nil }
`

// withResults returns the outcome with what its statements returned.
func withResults(o *testcase.Outcome, results ...[]testcase.Value) *testcase.Outcome {
	o.Results = results
	return o
}

func loadSource(t *testing.T, source string) (*load.Program, *load.Package) {
	t.Helper()
	dir := t.TempDir()
	for name, data := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range prog.Packages[0].Errors {
		t.Fatal(d)
	}
	return prog, prog.Packages[0]
}

// builder makes sequences over a package.
type builder struct {
	testcase.Builder
	pkg *load.Package
}

func (b *builder) typ(name string) types.Type { return b.pkg.Types.Scope().Lookup(name).Type() }

func (b *builder) num(t types.Type, v int64) testcase.Ref {
	return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(v)}})
}

func (b *builder) zero(t types.Type) testcase.Ref {
	return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
}

func (b *builder) call(name string, args ...testcase.Ref) testcase.Ref {
	kind := testcase.OpFunc
	if strings.Contains(name, ".") {
		kind = testcase.OpMethod
	}
	return b.Add(&testcase.Operation{Kind: kind, Func: b.pkg.Target(name).Obj}, args...)
}
