package finding

import (
	"context"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
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

func TestSeverity(t *testing.T) {
	_, pkg := loadSource(t, severitySource)
	rules := usage.New(pkg)
	intType := types.Typ[types.Int]
	lines := map[string]int{}
	for i, l := range strings.Split(severitySource, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	channel := &testcase.Operation{Kind: testcase.OpMakeChan, Type: types.NewChan(types.SendRecv, intType)}
	panicked := func(kind, fn string) *testcase.Outcome {
		line := lines["At"]
		if at, ok := lines[strings.NewReplacer("(*", "", ")", "").Replace(fn)]; ok {
			line = at
		}
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{
			Kind: kind, Runtime: kind != "explicit", Message: "boom",
			Stack: []testcase.Frame{{Func: "example.com/m." + fn, Pos: token.Position{Filename: "m.go", Line: line}}},
		}}
	}
	tests := []struct {
		name   string
		target string
		build  func(b *builder)
		out    *testcase.Outcome
		want   testcase.Severity
		kind   string
	}{
		{"through the constructor", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).Last"), testcase.Error, "index-out-of-range"},
		{"an index that nobody checks", "Box.At", func(b *builder) { b.call("Box.At", b.call("New", b.num(intType, 1)), b.num(intType, 9)) },
			panicked("index-out-of-range", "(*Box).At"), testcase.Misuse, "index-out-of-range"},
		{"a nil receiver", "Box.Last", func(b *builder) { b.call("Box.Last", b.zero(types.NewPointer(b.typ("Box")))) },
			panicked("nil-dereference", "(*Box).Last"), testcase.Misuse, "nil-dereference"},
		{"a literal beside the constructor", "Box.Last", func(b *builder) {
			b.call("Box.Last", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Box"))}, b.zero(b.typ("Box"))))
		}, panicked("index-out-of-range", "(*Box).Last"), testcase.Misuse, "index-out-of-range"},
		{"a literal that leaves a pointer nil", "Free.Get", func(b *builder) { b.call("Free.Get", b.zero(b.typ("Free"))) },
			panicked("nil-dereference", "Free.Get"), testcase.Misuse, "nil-dereference"},
		{"a literal where there is no constructor", "Alone.Head", func(b *builder) { b.call("Alone.Head", b.zero(b.typ("Alone"))) },
			panicked("index-out-of-range", "Alone.Head"), testcase.Error, "index-out-of-range"},
		{"a literal of what the package makes lists of", "Part.Head", func(b *builder) { b.call("Part.Head", b.zero(b.typ("Part"))) },
			panicked("index-out-of-range", "Part.Head"), testcase.Misuse, "index-out-of-range"},
		{"a literal whose part leaves a pointer nil", "Outer.Get", func(b *builder) { b.call("Outer.Get", b.zero(b.typ("Outer"))) },
			panicked("nil-dereference", "Outer.Get"), testcase.Misuse, "nil-dereference"},
		{"a nil map", "Fill", func(b *builder) {
			b.call("Fill", b.zero(types.NewMap(types.Typ[types.String], intType)))
		}, panicked("nil-map-write", "Fill"), testcase.Misuse, "nil-map-write"},
		{"a variable that is a nil map", "Pairs.Put", func(b *builder) {
			v := b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: b.typ("Pairs"), Var: b.pkg.Types.Scope().Lookup("None").(*types.Var)})
			b.call("Pairs.Put", v, b.zero(types.Typ[types.String]))
		}, withResults(panicked("nil-map-write", "put"), []testcase.Value{{Kind: testcase.Nil}}), testcase.Misuse, "nil-map-write"},
		{"what cannot be compared", "Same", func(b *builder) { b.call("Same", b.num(intType, 1), b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Runtime: true, Message: "runtime error: comparing uncomparable type []uint8",
				Stack: []testcase.Frame{{Func: "example.com/m.Same"}}}}, testcase.Misuse, "other"},
		{"a passed function that asserts another type", "Sort", func(b *builder) { b.call("Sort", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m/utils.Less"}, {Func: "example.com/m.Sort"}}}}, testcase.Misuse, "type-assertion"},
		{"without Init", "Scan.Next", func(b *builder) {
			b.call("Scan.Next", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Scan"))}, b.zero(b.typ("Scan"))))
		}, panicked("index-out-of-range", "(*Scan).Next"), testcase.Misuse, "index-out-of-range"},
		{"after Init", "Scan.Next", func(b *builder) {
			s := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Scan"))}, b.zero(b.typ("Scan")))
			b.call("Scan.Init", s, b.zero(types.NewSlice(types.Typ[types.Byte])))
			b.call("Scan.Next", s)
		}, panicked("index-out-of-range", "(*Scan).Next"), testcase.Error, "index-out-of-range"},
		{"a tree of what the package makes by a function", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.zero(b.typ("Box")))
			b.call("Tree.Add", r, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Box"))}, b.zero(b.typ("Box"))))
			b.call("Tree.Add", r, b.zero(types.NewPointer(b.typ("Box"))))
			b.call("Tree.Depth", r)
		}, panicked("nil-dereference", "(*Tree).Depth"), testcase.Error, "nil-dereference"},
		{"a nil of any type that is looked into", "Type", func(b *builder) {
			b.call("Type", b.zero(types.NewInterfaceType(nil, nil)))
		}, panicked("nil-dereference", "Type"), testcase.Misuse, "nil-dereference"},
		{"a nil of any type that is kept", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.zero(types.NewInterfaceType(nil, nil)))
			b.call("Tree.Depth", r)
		}, panicked("nil-dereference", "(*Tree).Depth"), testcase.Error, "nil-dereference"},
		{"a tree in itself", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, r)
			b.call("Tree.Depth", r)
		}, &testcase.Outcome{Status: testcase.Died, At: 2, Message: "stack overflow"}, testcase.Misuse, "stack-overflow"},
		{"a sink that is filled from what it fills", "Sink.From", func(b *builder) {
			r := b.call("NewTree")
			b.call("Sink.From", b.call("NewSink", r), r)
		}, &testcase.Outcome{Status: testcase.Hung, At: 2}, testcase.Misuse, "hang"},
		{"a sink that is filled from another", "Sink.From", func(b *builder) {
			r := b.call("NewSink", b.call("NewTree"))
			b.call("Sink.From", r, b.call("NewTree"))
		}, &testcase.Outcome{Status: testcase.Hung, At: 3}, testcase.Error, "hang"},
		{"a tree in another", "Tree.Depth", func(b *builder) {
			r := b.call("NewTree")
			b.call("Tree.Add", r, b.call("NewTree"))
			b.call("Tree.Depth", r)
		}, &testcase.Outcome{Status: testcase.Died, At: 3, Message: "stack overflow"}, testcase.Error, "stack-overflow"},
		{"a panic that no function of the package is in", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m/other.Compare"}}}}, testcase.Misuse, "type-assertion"},
		{"another package's zero value that fails inside", "ReadAll", func(b *builder) {
			ptr := pkg.Target("ReadAll").Obj.Signature().Params().At(0).Type().(*types.Pointer)
			b.call("ReadAll", b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: ptr}, b.zero(ptr.Elem())))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom",
			Stack: []testcase.Frame{{Func: "bufio.(*Reader).fill"}, {Func: "example.com/m.ReadAll"}}}}, testcase.Misuse, "nil-dereference"},
		{"a loop to a large number that a call returns", "Spin", func(b *builder) {
			b.call("Spin", b.call("Box.At", b.call("New", b.num(intType, 1)), b.num(intType, 0)))
		}, &testcase.Outcome{Status: testcase.Hung, At: 4, Results: [][]testcase.Value{nil, {{Kind: testcase.Pointer}}, nil, {{Kind: testcase.Int, Bits: 1 << 20}}}}, testcase.Misuse, "hang"},
		{"not exported", "Box.hidden", func(b *builder) { b.call("Box.hidden", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).hidden"), testcase.Misuse, "index-out-of-range"},
		{"the code's own panic", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 1)) },
			panicked("explicit", "Paint"), testcase.Misuse, "explicit"},
		{"no constant of the enumeration", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 7)) },
			panicked("nil-dereference", "Paint"), testcase.Misuse, "nil-dereference"},
		{"flags that are combined", "Open", func(b *builder) { b.call("Open", b.num(b.typ("Mode"), 5)) },
			panicked("nil-dereference", "Open"), testcase.Error, "nil-dereference"},
		{"a bit that no flag names", "Open", func(b *builder) { b.call("Open", b.num(b.typ("Mode"), 9)) },
			panicked("nil-dereference", "Open"), testcase.Misuse, "nil-dereference"},
		{"another package's zero value that lacks something", "Peek", func(b *builder) {
			b.call("Peek", b.zero(pkg.Target("Peek").Obj.Signature().Params().At(0).Type()))
		}, panicked("nil-dereference", "Peek"), testcase.Misuse, "nil-dereference"},
		{"a nil that came with an error", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("Find", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom"},
				Results: [][]testcase.Value{{}, {{Kind: testcase.Nil, Type: types.NewPointer(pkg.Types.Scope().Lookup("Box").Type())}, {Kind: testcase.Pointer}}}},
			testcase.Misuse, "nil-dereference"},
		{"a nil that came with none", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("Find", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "boom"},
				Results: [][]testcase.Value{{}, {{Kind: testcase.Nil, Type: types.NewPointer(pkg.Types.Scope().Lookup("Box").Type())}, {Kind: testcase.Nil}}}},
			testcase.Misuse, "nil-dereference"},
		{"an object that came with an error", "Hit.Put", func(b *builder) {
			b.call("Hit.Put", b.call("Seek", b.num(intType, 1)), b.num(intType, 1))
		}, withResults(panicked("nil-map-write", "Hit.Put"), nil, []testcase.Value{{Kind: testcase.Struct}, {Kind: testcase.Pointer}}), testcase.Misuse, "nil-map-write"},
		{"a nil argument", "Deref", func(b *builder) { b.call("Deref", b.zero(types.NewPointer(intType))) },
			panicked("nil-dereference", "Deref"), testcase.Misuse, "nil-dereference"},
		{"a documented panic", "Box.First", func(b *builder) { b.call("Box.First", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).First"), testcase.Misuse, "index-out-of-range"},
		{"a value of another type than the method is for", "Any.Int", func(b *builder) {
			b.call("Any.Int", b.call("NewAny", b.num(intType, 1)))
		}, panicked("type-assertion", "(*Any).Int"), testcase.Misuse, "type-assertion"},
		{"a negative number that is not looked at", "Any.Skip", func(b *builder) {
			b.call("Any.Skip", b.call("NewAny", b.num(intType, 1)), b.num(intType, -1))
		}, panicked("slice-out-of-range", "(*Any).Skip"), testcase.Misuse, "slice-out-of-range"},
		{"a target that errors.As refuses", "Many.As", func(b *builder) {
			b.call("Many.As", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Many")}), b.num(intType, 1))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "errors: target must be a non-nil pointer",
			Stack: []testcase.Frame{{Func: "errors.As"}, {Func: "example.com/m.Many.As"}}}}, testcase.Misuse, "other"},
		{"a size that comes of the constructor's numbers", "Any.Has", func(b *builder) {
			b.call("Any.Has", b.call("NewAny", b.num(intType, 1)), b.zero(types.Typ[types.String]))
		}, panicked("negative-length", "(*Any).Has"), testcase.Misuse, "negative-length"},
		{"a broken promise", "Box.Safe", func(b *builder) { b.call("Box.Safe", b.call("New", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Box).Safe"), testcase.Error, "index-out-of-range"},
		{"a hang", "Spin", func(b *builder) { b.call("Spin", b.num(intType, -1)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Error, "hang"},
		{"a hang on what the documentation excludes", "Root", func(b *builder) { b.call("Root", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Warning, "hang"},
		{"a panic on what the documentation excludes", "Root", func(b *builder) { b.call("Root", b.num(intType, 1)) },
			panicked("nil-dereference", "Root"), testcase.Misuse, "nil-dereference"},
		{"a sleep", "Spin", func(b *builder) { b.call("Spin", b.num(intType, -1)) },
			&testcase.Outcome{Status: testcase.Hung, Message: testcase.Slept}, testcase.Misuse, "hang"},
		{"a long way to go", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 1<<40)) },
			&testcase.Outcome{Status: testcase.Hung}, testcase.Misuse, "hang"},
		{"an invariant", "Box.Last", func(b *builder) { b.call("Box.Last", b.call("New", b.num(intType, 1))) },
			&testcase.Outcome{Status: testcase.Returned, Violated: "RepOK"}, testcase.Error, "invariant"},
		{"a panic of a dependency's own", "Paint", func(b *builder) { b.call("Paint", b.num(b.typ("Color"), 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "boom",
				Stack: []testcase.Frame{{Func: "strings.Repeat"}, {Func: "example.com/m.Paint"}}}}, testcase.Error, "other"},
		{"a number that a dependency refuses", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 12)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "invalid WriteHeader code 12",
				Stack: []testcase.Frame{{Func: "net/http.checkWriteHeaderCode"}, {Func: "example.com/m.Spin"}}}}, testcase.Misuse, "other"},
		{"another number in a dependency's panic", "Spin", func(b *builder) { b.call("Spin", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "invalid WriteHeader code 12",
				Stack: []testcase.Frame{{Func: "net/http.checkWriteHeaderCode"}, {Func: "example.com/m.Spin"}}}}, testcase.Error, "other"},
		{"a text that a dependency refuses", "Words", func(b *builder) {
			b.call("Words", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "?"}}))
		}, &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "regexp: Compile(`?`): error parsing regexp",
			Stack: []testcase.Frame{{Func: "regexp.MustCompile"}, {Func: "example.com/m.Words"}}}}, testcase.Warning, "other"},
		{"bytes that the test passes", "Packed.Head", func(b *builder) {
			b.call("Packed.Head", b.call("Pack", b.zero(types.NewSlice(types.Typ[types.Byte]))))
		}, panicked("index-out-of-range", "Packed.Head"), testcase.Warning, "index-out-of-range"},
		{"a nil beside a stand-in", "Say", func(b *builder) {
			b.call("Say", b.Add(&testcase.Operation{Kind: testcase.OpStubIface, Type: b.typ("Sayer")}), b.zero(types.NewInterfaceType(nil, nil)))
		}, panicked("nil-map-write", "Say"), testcase.Misuse, "nil-map-write"},
		{"an address that is made up", "Poke", func(b *builder) { b.call("Poke", b.num(types.Typ[types.Uintptr], 8)) },
			&testcase.Outcome{Status: testcase.Died, Message: "fault"}, testcase.Misuse, "fatal"},
		{"a channel that nobody fills", "Wait", func(b *builder) { b.call("Wait", b.Add(channel)) },
			&testcase.Outcome{Status: testcase.Deadlock}, testcase.Misuse, "deadlock"},
		{"a channel that the test closes", "Give", func(b *builder) { b.call("Give", b.Add(channel)) },
			panicked("closed-channel", "Give"), testcase.Misuse, "closed-channel"},
		{"a ring of the test's making", "Ring.Len", func(b *builder) {
			r := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Ring"))}, b.zero(b.typ("Ring")))
			b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: b.typ("Ring").Underlying().(*types.Struct).Field(0)}, r, r)
			b.call("Ring.Len", r)
		}, &testcase.Outcome{Status: testcase.Died, Message: "stack overflow"}, testcase.Misuse, "stack-overflow"},
		{"an iterator that was not moved", "Walk.Value", func(b *builder) { b.call("Walk.Value", b.call("NewWalk", b.num(intType, 1))) },
			panicked("index-out-of-range", "(*Walk).Value"), testcase.Misuse, "index-out-of-range"},
		{"an iterator behind the end", "Walk.Value", func(b *builder) {
			w := b.call("NewWalk", b.num(intType, 1))
			b.call("Walk.Next", w)
			b.call("Walk.Value", w)
		}, withResults(panicked("index-out-of-range", "(*Walk).Value"), nil, nil, []testcase.Value{{Kind: testcase.Bool}}), testcase.Misuse, "index-out-of-range"},
		{"an iterator on an element", "Walk.Value", func(b *builder) {
			w := b.call("NewWalk", b.num(intType, 1))
			b.call("Walk.Next", w)
			b.call("Walk.Value", w)
		}, withResults(panicked("index-out-of-range", "(*Walk).Value"), nil, nil, []testcase.Value{{Kind: testcase.Bool, Bits: 1}}), testcase.Error, "index-out-of-range"},
		{"a literal of what a function makes as a part", "Attrs.Put", func(b *builder) { b.call("Attrs.Put", b.zero(b.typ("Attrs")), b.num(intType, 1)) },
			panicked("nil-map-write", "Attrs.Put"), testcase.Misuse, "nil-map-write"},
		{"what was not found", "Hit.Put", func(b *builder) {
			g := b.call("NewGraph", b.num(intType, 1))
			b.call("Hit.Put", b.call("Graph.Find", g, b.num(intType, 1)), b.num(intType, 1))
		}, &testcase.Outcome{Status: testcase.Panicked, At: 5, Results: [][]testcase.Value{nil, {{Kind: testcase.Pointer}}, nil, {{Kind: testcase.Struct}, {Kind: testcase.Bool}}},
			Panic: panicked("nil-map-write", "Hit.Put").Panic}, testcase.Misuse, "nil-map-write"},
		{"an element of another type than is asserted", "Labels", func(b *builder) { b.call("Labels", b.num(intType, 1)) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "type-assertion", Runtime: true, Message: "boom",
				Stack: []testcase.Frame{{Func: "example.com/m.Labels", Pos: token.Position{Filename: "m.go", Line: lines["Labels"]}}}}}, testcase.Misuse, "type-assertion"},
		{"a field left nil that another package refuses", "Clock.Now", func(b *builder) { b.call("Clock.Now", b.zero(b.typ("Clock"))) },
			&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Message: "missing Location",
				Stack: []testcase.Frame{{Func: "time.Time.In"}, {Func: "example.com/m.Clock.Now"}}}}, testcase.Misuse, "other"},
		{"no end of a text that calls made long", "Words", func(b *builder) {
			b.call("Words", b.call("Twice", b.zero(types.Typ[types.String])))
		}, withResults(&testcase.Outcome{Status: testcase.Hung, At: 2}, nil, []testcase.Value{{Kind: testcase.String, Len: 1 << 20, Cut: true}}), testcase.Misuse, "hang"},
		{"no end of a short text", "Words", func(b *builder) {
			b.call("Words", b.call("Twice", b.zero(types.Typ[types.String])))
		}, withResults(&testcase.Outcome{Status: testcase.Hung, At: 2}, nil, []testcase.Value{{Kind: testcase.String, Len: 20}}), testcase.Error, "hang"},
		{"an argument of another type than is asserted", "Int", func(b *builder) { b.call("Int", b.num(intType, 1)) },
			panicked("type-assertion", "Int"), testcase.Misuse, "type-assertion"},
		{"an empty list of a type that users cannot name", "chain.Error", func(b *builder) {
			b.call("chain.Error", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("chain")}))
		},
			panicked("index-out-of-range", "chain.Error"), testcase.Misuse, "index-out-of-range"},
		{"a method that container/heap calls", "Heap.Pop", func(b *builder) { b.call("Heap.Pop", b.zero(b.typ("Heap"))) },
			panicked("index-out-of-range", "(*Heap).Pop"), testcase.Misuse, "index-out-of-range"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: tt.out})
			if f == nil || f.Severity != tt.want || f.Kind != tt.kind {
				t.Errorf("%+v, want %s %s", f, tt.want, tt.kind)
			}
		})
	}
}

// A call that waits for another goroutine lacks its partner; one that takes a lock twice has
// nobody to wait for.
func TestGradeDeadlock(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "sync"

type Q struct {
	mu sync.Mutex
	c  chan int
}

func New() *Q { return &Q{c: make(chan int)} }
func (q *Q) Get() int { return <-q.c }
func (q *Q) Twice() { q.mu.Lock(); q.mu.Lock() }
`)
	rules := usage.New(pkg)
	for _, tt := range []struct {
		target string
		status testcase.Status
		want   testcase.Severity
	}{
		{"Q.Get", testcase.Deadlock, testcase.Misuse}, {"Q.Get", testcase.Hung, testcase.Warning},
		{"Q.Twice", testcase.Deadlock, testcase.Error}, {"Q.Twice", testcase.Hung, testcase.Error},
	} {
		b := &builder{pkg: pkg}
		b.call(tt.target, b.call("New"))
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: tt.status, At: 1}})
		if f.Severity != tt.want {
			t.Errorf("%s %v: %s (%s), want %s", tt.target, tt.status, f.Severity, f.Evidence, tt.want)
		}
	}
}

const evidenceSource = `package m

import "errors"

// Parse reads a number.
func Parse(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	panic("huge") // Parse
}

// MustParse is Parse.
func MustParse(s string) int {
	panic("huge") // MustParse
}

func Walk(n int) int {
	panic("unreachable") // Walk
}

// Set is a set. The zero value is an empty set.
type Set struct{ m map[string]bool }

func NewSet() *Set { return &Set{} }
func (s *Set) Add(k string) {
	s.m[k] = true // Set.Add
}

type Queue struct{ v []int }

func NewQueue() *Queue { return &Queue{} }
func (q *Queue) Len() int { return len(q.v) }
func (q *Queue) Peek() int {
	return q.v[0] // Queue.Peek
}

type Stack struct{ v []int }

func NewStack() *Stack { return &Stack{} }
func (q *Stack) Pop() int {
	if len(q.v) == 0 {
		return 0
	}
	return q.v[0]
}
func (q *Stack) Peek() int {
	return q.v[0] // Stack.Peek
}

type Rate struct{ n int }

func NewRate() *Rate { return &Rate{1} }
func (r *Rate) Per(n int) int {
	return n / r.n // Rate.Per
}

// Log may be called with a nil p: p may be nil.
func Log(p *int) int {
	return *p // Log
}

// Show shows s, and nothing if s is nil.
func Show(s interface{ String() string }) string {
	return s.String() // Show
}

type Name struct{ n string }

func (n *Name) String() string { return n.n }

func At(i int) (int, error) {
	if i > 100 {
		return 0, errors.New("large")
	}
	return []int{1}[i], nil // At
}

type Limits struct{ Most int }

func Cut(s string, l Limits) string {
	return s[:l.Most] // Cut
}

func Free(n int, s string) byte {
	return s[n] // Free
}
`

// Each severity has its reason: what the documentation says, what siblings do, what is usual.
func TestEvidence(t *testing.T) {
	_, pkg := loadSource(t, evidenceSource)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(evidenceSource, "\n") {
		if _, name, ok := strings.Cut(l, " // "); ok {
			lines[name] = i + 1
		}
	}
	str := func(b *builder, s string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}})
	}
	addr := func(b *builder, name string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ(name))}, b.zero(b.typ(name)))
	}
	intType := types.Typ[types.Int]
	tests := []struct {
		target, kind, message string
		build                 func(b *builder)
		want                  testcase.Severity
		rank                  int
		evidence              string
	}{
		{"Parse", "explicit", "huge", func(b *builder) { b.call("Parse", str(b, "9")) }, testcase.Error, usage.Shown, "takes any text, returns errors (1 time"},
		{"MustParse", "explicit", "huge", func(b *builder) { b.call("MustParse", str(b, "9")) }, testcase.Misuse, 0, "called Must"},
		{"Walk", "explicit", "unreachable", func(b *builder) { b.call("Walk", b.num(intType, 1)) }, testcase.Error, usage.Declared, "nothing leads to it"},
		{"Set.Add", "nil-map-write", "nil map", func(b *builder) { b.call("Set.Add", addr(b, "Set"), str(b, "a")) }, testcase.Error, usage.Declared, "is an empty set"},
		{"Queue.Peek", "index-out-of-range", "index", func(b *builder) { b.call("Queue.Peek", b.call("NewQueue")) }, testcase.Warning, usage.Usual, "can ask Len"},
		{"Stack.Peek", "index-out-of-range", "index", func(b *builder) { b.call("Stack.Peek", b.call("NewStack")) }, testcase.Error, usage.Shown, "Stack.Pop looks at v first, Stack.Peek does not"},
		{"Rate.Per", "division-by-zero", "zero", func(b *builder) { b.call("Rate.Per", addr(b, "Rate"), b.num(intType, 1)) }, testcase.Warning, usage.Usual, "though NewRate makes others"},
		{"Log", "nil-dereference", "nil", func(b *builder) { b.call("Log", b.zero(types.NewPointer(intType))) }, testcase.Error, usage.Declared, "p may be nil"},
		{"Show", "nil-dereference", "nil", func(b *builder) {
			b.call("Show", b.zero(pkg.Target("Show").Obj.Signature().Params().At(0).Type()))
		}, testcase.Error, usage.Declared, "if s is nil"},
		{"Show", "nil-dereference", "nil", func(b *builder) { b.call("Show", b.zero(types.NewPointer(b.typ("Name")))) }, testcase.Misuse, 0, "nothing says"},
		{"At", "index-out-of-range", "index", func(b *builder) { b.call("At", b.num(intType, -1)) }, testcase.Error, usage.Shown, "returns errors"},
		{"Cut", "slice-out-of-range", "index", func(b *builder) {
			b.call("Cut", str(b, "a"), b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Limits")}, b.num(intType, -1)))
		}, testcase.Misuse, 0, "is negative"},
		{"Cut", "slice-out-of-range", "index", func(b *builder) {
			b.call("Cut", str(b, "a"), b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: b.typ("Limits")}, b.num(intType, 2)))
		}, testcase.Error, usage.Usual, "takes any text"},
		{"Free", "index-out-of-range", "index", func(b *builder) { b.call("Free", b.num(intType, 1), str(b, "")) }, testcase.Misuse, 0, "a caller can know"},
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.build(b)
			name := tt.target
			if typ, m, ok := strings.Cut(name, "."); ok {
				name = "(*" + typ + ")." + m
			}
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{
				Status: testcase.Panicked, At: b.Sequence().Len() - 1, Panic: &testcase.Panic{Kind: tt.kind, Runtime: tt.kind != "explicit", Message: tt.message,
					Stack: []testcase.Frame{{Func: "example.com/m." + name, Pos: token.Position{Filename: "m.go", Line: lines[tt.target]}}}},
			}})
			if f.Severity != tt.want || f.Rank != tt.rank || !strings.Contains(f.Evidence, tt.evidence) {
				t.Errorf("%s, rank %d: %s; want %s, rank %d: %s", f.Severity, f.Rank, f.Evidence, tt.want, tt.rank, tt.evidence)
			}
		})
	}
}

// What is nil because one field is never set has one cause, whichever method meets it; the
// finding has all of them as doors.
func TestMergeByRoot(t *testing.T) {
	_, pkg := loadSource(t, evidenceSource+`
type Conn struct{ w *int }

func (c *Conn) A() int { return *c.w } // Conn.A
func (c *Conn) B() int { return *c.w } // Conn.B
func (c *Conn) C(p *int) int { return *p } // Conn.C
`)
	rules := usage.New(pkg)
	mk := func(method string, line int) *testcase.Finding {
		b := &builder{pkg: pkg}
		recv := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("Conn"))}, b.zero(b.typ("Conn")))
		args := []testcase.Ref{recv}
		if method == "C" {
			args = append(args, b.zero(types.NewPointer(types.Typ[types.Int])))
		}
		b.call("Conn."+method, args...)
		pos := token.Position{Filename: "m.go", Line: line}
		return Of(rules, &testcase.Case{Target: "Conn." + method, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, At: b.Sequence().Len() - 1, Panic: &testcase.Panic{Kind: "nil-dereference", Runtime: true, Message: "nil",
				Stack: []testcase.Frame{{Func: "example.com/m.(*Conn)." + method, Pos: pos}}}}})
	}
	at := strings.Count(evidenceSource, "\n") + 4
	got := Merge(rules, []*testcase.Finding{mk("B", at+1), mk("A", at), mk("C", at+2)})
	if len(got) != 2 {
		t.Fatalf("%d findings, want 2: %v", len(got), got)
	}
	if f := got[0]; f.Root != "the field Conn.w" || strings.Join(f.Doors, " ") != "Conn.A Conn.B" || f.Severity != testcase.Error {
		t.Errorf("%+v", f)
	}
	if f := got[1]; f.Root != "the argument p of Conn.C" || f.Severity != testcase.Misuse {
		t.Errorf("%+v", f)
	}
}

func TestMergeFindings(t *testing.T) {
	_, pkg := loadSource(t, severitySource)
	rules := usage.New(pkg)
	mk := func(target string, sev testcase.Severity, line, calls int) *testcase.Finding {
		b := &builder{pkg: pkg}
		r := b.call("New", b.num(types.Typ[types.Int], 1))
		for range calls {
			b.call("Box.Last", r)
		}
		return &testcase.Finding{
			Kind: "nil-dereference", Severity: sev, Func: target, Pos: token.Position{Filename: "m.go", Line: line},
			Cause: "nil-dereference " + target, Case: &testcase.Case{Target: target, Seq: b.Sequence()},
		}
	}
	long, short, warning, other := mk("A", testcase.Error, 1, 3), mk("A", testcase.Error, 1, 1), mk("A", testcase.Warning, 1, 0), mk("B", testcase.Note, 2, 1)
	got := Merge(rules, []*testcase.Finding{other, long, warning, short})
	if len(got) != 2 || got[0].Case != short.Case || got[1].Case != other.Case {
		t.Errorf("%v", got)
	}
	// A method that panics by itself and when fmt calls it is one; so are a fault and a nil
	// pointer in one place.
	direct, printed := mk("A", testcase.Error, 3, 1), mk("A", testcase.Error, 4, 1)
	direct.Case.Observed = &testcase.Outcome{Status: testcase.Panicked}
	printed.Kind = "contract"
	printed.Case.Observed = &testcase.Outcome{Status: testcase.Returned, Violated: "contract string"}
	fault := mk("A", testcase.Warning, 3, 0)
	fault.Kind = "fatal"
	fault.Case.Observed = &testcase.Outcome{Status: testcase.Died, Message: "fault", Panic: &testcase.Panic{Stack: []testcase.Frame{{Func: "example.com/m.A"}}}}
	if got := Merge(rules, []*testcase.Finding{printed, fault, direct}); len(got) != 1 || got[0].Case != direct.Case {
		t.Errorf("%v", got)
	}
	// A nil argument is a cause of its own beside one that is no worse.
	b := &builder{pkg: pkg}
	b.call("Box.Last", b.zero(types.NewPointer(b.typ("Box"))))
	passed := mk("A", testcase.Warning, 1, 1)
	passed.Case = &testcase.Case{Target: "A", Seq: b.Sequence()}
	if got := Merge(rules, []*testcase.Finding{passed, warning}); len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := Merge(rules, []*testcase.Finding{passed, short, warning}); len(got) != 1 || got[0].Case != short.Case {
		t.Errorf("%v", got)
	}
}

func TestMismatch(t *testing.T) {
	returned := func(vs ...testcase.Value) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{vs}}
	}
	one, two := testcase.Value{Kind: testcase.Int, Bits: 1}, testcase.Value{Kind: testcase.Int, Bits: 2}
	list := func(vs ...testcase.Value) testcase.Value {
		return testcase.Value{Kind: testcase.Slice, Elems: vs, Len: len(vs)}
	}
	tests := []struct {
		name      string
		p, o      *testcase.Outcome
		different bool
	}{
		{"equal", returned(one), returned(one), false},
		{"value", returned(one), returned(two), true},
		{"status", returned(one), &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{}}, true},
		{"nothing predicted", nil, returned(one), false},
		{"unknown part", returned(list(one, testcase.Value{})), returned(list(one, two)), false},
		{"known part", returned(list(one, two)), returned(list(one, one)), true},
		{"length", returned(list(one)), returned(list(one, two)), true},
		{"refused", returned(one), &testcase.Outcome{Status: testcase.Refused}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Mismatch(&testcase.Case{Predicted: tt.p, Observed: tt.o})
			if (got != "") != tt.different {
				t.Errorf("mismatch = %q, want different %v", got, tt.different)
			}
		})
	}
}

// A list of lists that a test writes is not what the function makes that other functions take it from.
func TestGradeProduced(t *testing.T) {
	_, pkg := loadSource(t, `package m

func Matrix(a, b string) [][]int { return make([][]int, 1) }
func Last(m [][]int) int { return m[len(m)-1][0] }
func First(l []int) int { return l[0] }
func Range(n int) []int { return nil }
`)
	rules := usage.New(pkg)
	for _, tt := range []struct {
		target string
		want   testcase.Severity
	}{
		{"Last", testcase.Misuse}, {"First", testcase.Error}, // any list of numbers is as good as another
	} {
		b := &builder{pkg: pkg}
		b.call(tt.target, b.zero(pkg.Target(tt.target).Obj.Signature().Params().At(0).Type()))
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, At: 1, Panic: &testcase.Panic{Kind: "index-out-of-range", Message: "index out of range [0] with length 0"},
		}})
		if f.Severity != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.target, f.Severity, f.Evidence, tt.want)
		}
	}
}
