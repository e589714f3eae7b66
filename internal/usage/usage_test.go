package usage

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

const source = `package m

import (
	"errors"
	"reflect"
)

// Pick picks texts.
//
// Parameters:
//	chars - the characters to choose from. If nil, all are used.
//	from - a source of randomness.
func Pick(chars []rune, from *int) {}

// Nat is a wide number.
type Nat struct{ limbs []uint; m *Nat }

func (z *Nat) Add(x, y *Nat) *Nat { return z }
func (z *Nat) Sub(x, y *Nat) *Nat { return z }
func (z *Nat) Set(x *Nat) *Nat { return z }

// Signed has a sign.
type Signed struct{ abs Nat; m *Nat }

func (s *Signed) Abs() *Nat { return &s.abs }

// Pair has no method that sets it.
type Pair struct{ a, b *Nat }

func (s *Signed) Pair() *Pair { return nil }

// Guard calls f. If f panics, the panic goes on.
func Guard(f func()) {}

// Try tries. If a panic occurs in the request, it is handled.
func Try(request func() error) {}

func Hook(from, to reflect.Kind, data interface{}) interface{} { return nil }
func Named(k reflect.Kind) int { return 0 }
func Value(v interface{}) int { return 0 }

// SplitFunc cuts data. It is never called with an empty data slice.
type SplitFunc func(data []byte, atEOF bool) int

// Words is a split function.
func Words(data []byte, atEOF bool) int { return int(data[0]) }

// Must is like Parse.
func MustParse(s string) int { return 0 }

func URLMust(s string) int { return 0 }

// Mustard has nothing to do with it.
func Mustard(s string) int { return 0 }

// Parse reads a number. It never panics.
func Parse(s string) (int, error) {
	if s == "" {
		return 0, errors.New("empty")
	}
	if s == "x" {
		return 0, errors.New("x")
	}
	return 1, nil
}

// Quiet can only succeed.
func Quiet(s string) error { return nil }

// At returns element i, which must be less than n.
func At(n, i int) int { return i }

// Note must be read by everybody.
func Note(x int) int { return x }

// Record is a line of a log.
type Record struct {
	text   *string
	format interface{ Format(*Record) string }
}

func (r *Record) Text() string {
	if r.text == nil {
		r.text = new(string)
	}
	return *r.text
}

func (r *Record) String() string { return r.format.Format(r) }

// Fill fills p. It panics if p is short.
func Fill(p []byte) {}

type Order interface {
	// Get reads b, whose length must be at least 2.
	Get(b []byte) int
}

type big struct{}

func (big) Get(b []byte) int { return int(b[1]) }

// Set is a set. The zero value is an empty set ready to use.
type Set struct{ m map[string]bool }

func NewSet() *Set { return &Set{} }

// Tree must be created with NewTree.
type Tree struct{ root *int }

func NewTree() *Tree { return &Tree{} }

type List struct{ next *List; n int }

func NewList() *List { return new(List).init() }
func (l *List) init() *List { l.next = l; return l }
func (l *List) lazyInit() {
	if l.next == nil {
		l.init()
	}
}

type Writer struct{ w *int; buf []byte }

func NewWriter() *Writer { return &Writer{} }
func (w *Writer) Reset() {
	if w.buf == nil {
		w.buf = make([]byte, 8)
	}
}

type Part struct{ whole *Whole }

func (p *Part) Name() string { return p.whole.name }

type Whole struct {
	Part
	name string
}

func NewWhole(name string) *Whole {
	w := &Whole{name: name}
	w.Part.whole = w
	return w
}

type Only struct{ m map[string]int }

func (o *Only) Put(k string) { o.m[k] = 1 }

// Match is prepared by Provision, and Late sets nothing that could be nil.
type Match struct {
	Pattern  string
	compiled *int
}

func (m *Match) Provision() error { m.compiled = new(int); return nil }

func (m *Match) Match() int { return *m.compiled }

type Late struct {
	n int
	m map[string]int
}

func (l *Late) Check() error { l.n++; return nil }

func (l *Late) Put(k string) { l.m[k] = l.n }

type Point struct{ X, Y int }

func NewPoint() Point { return Point{} }

// Kind is hidden and a text.
type Kind struct{ name string }

func NewKind() *Kind { return &Kind{"a"} }

type hidden struct{ w *int }

func newHidden() *hidden { return &hidden{} }

type Reader interface{ Read() }
type Closer struct{ r Reader }

func NewCloser(r Reader) Reader { return nil }

type Stream struct {
	session *Tree
	buf     *Point
}

func newStream(t *Tree) *Stream { return &Stream{session: t} }

func (s *Stream) Read() *Point {
	if s.buf == nil {
		s.buf = &Point{}
	}
	return s.buf
}

// Fault is an error.
type Fault struct{ cause Reader }

func (f *Fault) Read() { f.cause.Read() }

var ErrRead = &Fault{cause: NewCloser(nil)}

// ReleasePlaylist returns buffer to pool for reuse
// Do not use the playlist after this
func (a *Archive) ReleasePlaylist() {}

// ReleaseRequest returns req acquired via AcquireRequest to request pool.
//
// It is forbidden accessing req and/or its' members after returning
// it to request pool.
func ReleaseRequest(req *Entry) {}

// Reset empties it. It must not be used by two goroutines.
func (a *Archive) Reset() {}

// Archive lists its entries.
type Archive struct{ Entries []*Entry }

// Entry is one of them.
type Entry struct{ at *int }

// Deliver delivers m. If cm is nil, a default one is taken.
func Deliver(m, cm *int) error { return nil }

// Logger is nil for none: l may be nil.
func Log(l *int) int { return *l }

// Strict takes a p that must not be nil.
func Strict(p *int) int { return *p }
func Looks(p *int) int {
	if p == nil {
		return 0
	}
	return *p
}
func Behind(p **int) int {
	if *p == nil {
		return 0
	}
	return **p
}
func Walks(r Reader) Reader {
	r.Read()
	if r = NewCloser(r); r == nil {
		return nil
	}
	return r
}
func Blind(p *int) int { return *p }
func Inner(p *int) int { return *p }
func passes() int { return Inner(nil) }

// Find returns nil if there is none.
func Find(p *int) *int { return p }

type Node struct{ v []int; p *int }

func (n *Node) A() int { if n == nil { return 0 }; return n.v[0] }
func (n *Node) B() int { if n == nil { return 0 }; if len(n.v) == 0 { return 0 }; return n.v[0] }
func (n *Node) C() int { return n.v[0] }
func (n *Node) Len() int { if n.p == nil { return 0 }; return len(n.v) }
func (n *Node) D() int { if n.p != nil { return 0 }; return *n.p }

type Choice func(*Nat)

func Wide(bits int) Choice { return func(*Nat) {} }
func Pad(choices ...Choice) int { return 0 }

type Filter func(int) bool

func Even() Filter            { return func(int) bool { return true } }
func Any(of ...Filter) Filter { return of[0] }

// Visit is a function type of which no function returns one, and Store an interface of which none takes any number.
type Visit func(int)

func Each(visits ...Visit) {}

type Store interface{ Get() int }

func Memory() Store { return nil }
func Use(s Store) {}
`

func rules(t *testing.T) *Rules { return rulesOf(t, source) }

func rulesOf(t *testing.T, source string) *Rules {
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
	return New(prog.Packages[0])
}

func TestAnnounced(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]string{
		"Fill": "panics if p is short", "MustParse": "Must panic", "URLMust": "Must panic", "Mustard": "", "Parse": "", "Words": "", "Guard": "", "Try": "",
	} {
		if got := r.Announced(r.Pkg.Target(name).Obj); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("Announced(%s) = %q, want %q in it", name, got, want)
		}
	}
}

// What a function appends to is a buffer, and no data.
func TestAppends(t *testing.T) {
	r := rulesOf(t, `package m

func Append(b []byte, n int) ([]byte, error) { return append(b, byte(n)), nil }
func AppendQuoted(b []byte, s string) []byte { return append(b, s...) }
func Pad(dst []byte) []byte { return append(dst, 0) }
func Decode(b []byte) ([]byte, error) { return b[1:], nil }
func AppendLength(b []byte) int { return len(b) }
`)
	for name, want := range map[string]string{"Append": "", "AppendQuoted": "text", "Pad": "", "Decode": "bytes", "AppendLength": "bytes"} {
		if got := Data(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("Data(%s) = %q, want %q", name, got, want)
		}
	}
}

func TestAsks(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]string{
		"At": "must be less than n", "Note": "", "Words": "never called with", "Parse": "", "Strict": "", "big.Get": "at least 2",
	} {
		if got, _ := r.Asks(r.Pkg.Target(name).Obj); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("Asks(%s) = %q, want %q in it", name, got, want)
		}
	}
}

func TestAsksExcludes(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]bool{"Words": true, "At": false} {
		if _, got := r.Asks(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("Asks(%s) excludes: %v, want %v", name, got, want)
		}
	}
}

func TestEndsUse(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]string{"Archive.ReleasePlaylist": "Do not use", "ReleaseRequest": "forbidden", "Archive.Reset": ""} {
		if got := r.EndsUse(r.Pkg.Target(name).Obj); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("EndsUse(%s) = %q, want %q in it", name, got, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]Word{
		"Parse": {true, "Parse returns errors (2 times in its source)", Shown},
		"Quiet": {true, "Quiet can return an error", Usual},
		"At":    {},
	} {
		if got := r.Refuses(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("Refuses(%s) = %+v, want %+v", name, got, want)
		}
	}
}

func TestChecks(t *testing.T) {
	r := rules(t)
	node := load.NamedOf(r.Pkg.Types.Scope().Lookup("Node").Type())
	v := structField(node, 0)
	if got := r.Checks(r.Pkg.Target("Node.C").Obj, v); !got.Allowed || got.Evidence != "Node.B looks at v first, Node.C does not" {
		t.Errorf("Checks(C, v) = %+v", got)
	}
	if got := r.Checks(r.Pkg.Target("Node.B").Obj, v); got.Allowed {
		t.Errorf("Checks(B, v) = %+v: B looks at v itself", got)
	}
	if got := r.NilField(structField(node, 1)); !got.Allowed {
		t.Errorf("NilField(p) = %+v: two methods look at it", got)
	}
	if got := r.NilField(v); got.Allowed {
		t.Errorf("NilField(v) = %+v", got)
	}
	if got := r.Asked(r.Pkg.Target("Node.C").Obj); got != "Len" {
		t.Errorf("Asked(C) = %q, want Len", got)
	}
}

func TestReflects(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]bool{"Hook": true, "Named": false, "Value": false} {
		if got := Reflects(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("Reflects(%s) = %v, want %v", name, got, want)
		}
	}
}

func TestData(t *testing.T) {
	r := rules(t)
	for name, want := range map[string]string{"Parse": "text", "Words": "bytes", "At": "", "Log": ""} {
		if got := Data(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("Data(%s) = %q, want %q", name, got, want)
		}
	}
}

func structField(named *types.Named, i int) *types.Var {
	return named.Underlying().(*types.Struct).Field(i)
}

const closingSource = `package m

import "errors"

// errClosedPipe is returned by what uses a closed pipe.
var errClosedPipe = errors.New("closed")

type Pipe struct{}

// Close ends it. A second call is a no-op.
func (p *Pipe) Close() {}
func (p *Pipe) Stop() {}

// ToMap makes a map of a slice of structs.
func ToMap(in any) any { return nil }

type List struct{ v []int }

func (l *List) String() string { return "" }
func (l *List) Len() int {
	if l == nil {
		return 0
	}
	return len(l.v)
}
func (l *List) Cap() int {
	if l == nil {
		return 0
	}
	return cap(l.v)
}
func (l *List) First() int { return l.v[0] }
`

func TestClosing(t *testing.T) {
	r := rulesOf(t, closingSource)
	if got := r.NamesClosed(); got != "errClosedPipe" {
		t.Errorf("NamesClosed() = %q, want errClosedPipe", got)
	}
	for name, want := range map[string]bool{"Pipe.Close": true, "Pipe.Stop": false} {
		if got := r.ClosesAgain(r.Pkg.Target(name).Obj); got != want {
			t.Errorf("ClosesAgain(%s) = %t, want %t", name, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	r := rulesOf(t, closingSource)
	if got := strings.Join(r.Kinds(r.Pkg.Target("ToMap").Obj), " "); got != "list map struct" {
		t.Errorf("Kinds(ToMap) = %q", got)
	}
	for want, typ := range map[string]types.Type{"list": types.NewPointer(types.NewSlice(types.Typ[types.Int])), "other": types.Typ[types.Int], "": types.NewInterfaceType(nil, nil)} {
		if got := KindOf(typ); got != want {
			t.Errorf("KindOf(%s) = %q, want %q", typ, got, want)
		}
	}
}

func TestIsOption(t *testing.T) {
	pkg := rules(t).Pkg
	for name, want := range map[string]bool{"Choice": true, "Filter": false, "Visit": false, "Store": false, "Nat": false} {
		if got := IsOption(pkg, pkg.Types.Scope().Lookup(name).Type()); got != want {
			t.Errorf("IsOption(%s) = %t, want %t", name, got, want)
		}
	}
	if IsOption(pkg, types.Typ[types.Int]) {
		t.Error("an int is an option")
	}
}
