package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

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

// A short function that reads beyond the bytes that it was given lacks one look at their length, whichever line shows it. Of a
// text each line stays a finding.
func TestMergeBeyondBytes(t *testing.T) {
	_, pkg := loadSource(t, `package m

type T struct{}

func (t *T) Decode(b []byte) (int, error) { return int(b[0]) + int(b[8]), nil }
func Parse(s string) (int, error) { return int(s[0]) + int(s[8]), nil }

type Path []int

func (p Path) Print() int { return p[0] + p[8] }
`)
	rules := usage.New(pkg)
	mk := func(name, at string, line int) *testcase.Finding {
		pos := token.Position{Filename: "m.go", Line: line}
		b := &builder{pkg: pkg}
		b.num(types.Typ[types.Int], int64(line))
		return &testcase.Finding{Kind: "index-out-of-range", Severity: testcase.Error, Func: name, Pos: pos, Case: &testcase.Case{Target: name, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "index-out-of-range", Stack: []testcase.Frame{{Func: "example.com/m." + at, Pos: pos}}}}}}
	}
	got := Merge(rules, []*testcase.Finding{mk("T.Decode", "(*T).Decode", 5), mk("T.Decode", "(*T).Decode", 55), mk("Parse", "Parse", 6), mk("Parse", "Parse", 66), mk("Path.Print", "Path.Print", 10), mk("Path.Print", "Path.Print", 70)})
	if len(got) != 4 || got[0].Func != "T.Decode" || got[1].Func != "Parse" {
		t.Errorf("%d findings, want one of Decode, two of Parse and one of Print: %v", len(got), got)
	}
}

// An index in a field that goes beyond an array is one cause, whichever line shows it. One that goes beyond a text shows what each line lacks.
func TestMergeArrayIndex(t *testing.T) {
	_, pkg := loadSource(t, `package m

type Writer struct{ i int; line [78]byte; text string }

func NewWriter() *Writer { return &Writer{} }
func (w *Writer) Put(b byte) { w.line[w.i] = b } // 6
func (w *Writer) Close() { w.line[w.i+1] = 0 }
func (w *Writer) Write(b []byte) { for _, c := range b { w.line[w.i] = c } } // it takes bytes, too
func (w *Writer) Peek() byte { return w.text[w.i] }
func (w *Writer) Next() byte { return w.text[w.i+1] }
`)
	rules := usage.New(pkg)
	of := func(method string, line int) *testcase.Finding {
		b := &builder{pkg: pkg}
		args := []testcase.Ref{b.call("NewWriter")}
		switch method {
		case "Put":
			args = append(args, b.num(types.Typ[types.Byte], 1))
		case "Write":
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.Byte]), N: 1}))
		}
		b.call("Writer."+method, args...)
		return Of(rules, &testcase.Case{Target: "Writer." + method, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, At: b.Sequence().Len() - 1, Panic: &testcase.Panic{Kind: "index-out-of-range", Runtime: true, Message: "index",
				Stack: []testcase.Frame{{Func: "example.com/m.(*Writer)." + method, Pos: token.Position{Filename: "m.go", Line: line}}}},
		}})
	}
	if got := Merge(rules, []*testcase.Finding{of("Put", 6), of("Close", 7), of("Write", 8)}); len(got) != 1 {
		t.Errorf("of an array: %d findings, want 1", len(got))
	}
	if got := Merge(rules, []*testcase.Finding{of("Peek", 9), of("Next", 10)}); len(got) != 2 {
		t.Errorf("of a text: %d findings, want 2", len(got))
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

// Calls that wait for a lock which one call has left held are one finding, about that call where it waits as well.
func TestMergeLeftLocks(t *testing.T) {
	_, pkg := loadSource(t, severitySource)
	rules := usage.New(pkg)
	of := func(target, faultOf string, rank int) *testcase.Finding {
		b := &builder{pkg: pkg}
		b.call("New", b.num(types.Typ[types.Int], 1))
		return &testcase.Finding{
			Kind: "deadlock", Severity: testcase.Error, Rank: rank, Func: target, Pos: token.Position{Filename: "m.go", Line: len(target)}, Message: "all goroutines are asleep",
			Cause: "deadlock " + target, Case: &testcase.Case{Target: target, Seq: b.Sequence()}, FaultOf: faultOf,
		}
	}
	hang, take, length := of("Hang", "Hang", 1), of("TakeIt", "Hang", 2), of("Len", "Hang", 2)
	if got := Merge(rules, []*testcase.Finding{length, take, hang}); len(got) != 1 || got[0].Func != "Hang" || got[0].Message != hang.Message {
		t.Errorf("%v", got)
	}
	if got := Merge(rules, []*testcase.Finding{length, take}); len(got) != 1 || got[0].Func == "Hang" || got[0].Message != "waits for a lock that Hang has left held" {
		t.Errorf("%v", got)
	}
	if got := Merge(rules, []*testcase.Finding{hang, of("TakeIt", "TakeIt", 1), length}); len(got) != 2 {
		t.Errorf("of two: %v", got)
	}
	if got := Merge(rules, []*testcase.Finding{hang, of("TakeIt", "", 1)}); len(got) != 2 {
		t.Errorf("of another lock: %v", got)
	}
}

// That a loop panics since its iterator goes on is the fault of the iterator, and one finding with the contract that this breaks.
func TestMergeIterators(t *testing.T) {
	_, pkg := loadSource(t, `package m

import "iter"

type Fleet struct{ boats []string }

func (f *Fleet) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range f.boats {
			yield(b) // 10
		}
	}
}

func (f *Fleet) Find(name string) bool {
	for b := range f.All() {
		if b == name {
			return true
		}
	}
	return false
}
`)
	rules := usage.New(pkg)
	at := func(fn string, line int) testcase.Frame {
		return testcase.Frame{Func: fn, Pos: token.Position{Filename: "m.go", Line: line}}
	}
	show := func(target string, o *testcase.Outcome) *testcase.Finding {
		b := &builder{pkg: pkg}
		b.zero(types.NewPointer(b.typ("Fleet")))
		return &testcase.Finding{Kind: "contract", Severity: testcase.Error, Func: target, Cause: target, Case: &testcase.Case{Target: target, Seq: b.Sequence(), Observed: o}}
	}
	const message = "range function continued iteration after function for loop body returned false"
	frames := []testcase.Frame{at("runtime.panicrangestate", 1), at("example.com/m.(*Fleet).Find-range1", 16), at("example.com/m.(*Fleet).Find.(*Fleet).All.func1", 10), at("example.com/m.(*Fleet).Find", 16)}
	panics := &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "other", Message: message, Stack: frames}}
	breaks := &testcase.Outcome{Status: testcase.Returned, Violated: "contract iterator"}
	for i, tt := range []struct {
		o    *testcase.Outcome
		want string
	}{
		{panics, "Fleet.All"},
		{breaks, "Fleet.Find"},
		{&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Message: message, Stack: []testcase.Frame{frames[1], at("maps.All.func1", 10), frames[3]}}}, ""},
		{&testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Message: "boom", Stack: frames}}, ""},
		{&testcase.Outcome{Status: testcase.Returned}, ""},
	} {
		if got := goingOn(pkg, show("Fleet.Find", tt.o), tt.o); got != tt.want {
			t.Errorf("%d: goes on: %q, want %q", i, got, tt.want)
		}
	}
	all, find := show("Fleet.All", breaks), show("Fleet.Find", panics)
	all.FaultOf, find.FaultOf, find.Rank = "Fleet.All", "Fleet.All", 3
	if got := Merge(rules, []*testcase.Finding{find, all}); len(got) != 1 || got[0].Func != "Fleet.All" {
		t.Errorf("%v", got)
	}
}

// What fails in a String method is one finding, whichever other methods call that method and whether fmt calls them.
func TestMergePrinted(t *testing.T) {
	_, pkg := loadSource(t, `package m

type Clock struct{ Precision int }

func (c Clock) String() string { return "000"[:c.Precision] }

type Date struct{ Clock Clock }

func (d Date) String() string { return d.Clock.String() }
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

type Other struct{}

func (o Other) String() string { return "" }
`)
	rules := usage.New(pkg)
	mk := func(target string, o *testcase.Outcome) *testcase.Finding {
		b := &builder{pkg: pkg}
		name, _, _ := strings.Cut(target, ".")
		b.call(target, b.zero(b.typ(name)))
		return &testcase.Finding{Kind: "contract", Severity: testcase.Error, Func: target, Cause: target, Case: &testcase.Case{Target: target, Seq: b.Sequence(), Observed: o}}
	}
	printed := func(target string) *testcase.Finding {
		return mk(target, &testcase.Outcome{Status: testcase.Returned, Violated: "contract string"})
	}
	direct := mk("Date.MarshalText", &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "slice-out-of-range", Stack: []testcase.Frame{
		{Func: "example.com/m.Clock.String"}, {Func: "example.com/m.Date.String"}, {Func: "example.com/m.Date.MarshalText"}}}})
	if got := Merge(rules, []*testcase.Finding{printed("Clock.String"), printed("Date.String"), direct}); len(got) != 1 || got[0].Case != direct.Case {
		t.Errorf("%v, want only the panic", got)
	}
	inner := printed("Clock.String")
	if got := Merge(rules, []*testcase.Finding{printed("Date.String"), inner}); len(got) != 1 || got[0].Case != inner.Case {
		t.Errorf("%v, want only the inner method", got)
	}
	if got := Merge(rules, []*testcase.Finding{printed("Other.String"), direct}); len(got) != 2 {
		t.Errorf("%v, want both", got)
	}
}

// A call that does not return, and of which no stack is known, is in the loop that a stack of the same function shows.
func TestMergeLoops(t *testing.T) {
	_, pkg := loadSource(t, `package m

type T struct{ n int }

func (t *T) Wait() { for t.n > 3 { } }
func (t *T) Rest() { for t.n > 5 { } }
`)
	at := token.Position{Filename: "m.go", Line: 5, Column: 13}
	loop := token.Position{Filename: "m.go", Line: 5}
	mk := func(method string, pos token.Position) *testcase.Finding {
		b := &builder{pkg: pkg}
		b.call("T."+method, b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(b.typ("T"))}, b.zero(b.typ("T"))))
		return &testcase.Finding{
			Func: "T." + method, Kind: "hang", Message: "does not return", Pos: pos, Declared: at,
			Case: &testcase.Case{Target: "T." + method, Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Hung}},
		}
	}
	got := Merge(usage.New(pkg), []*testcase.Finding{mk("Wait", at), mk("Wait", loop), mk("Rest", token.Position{Filename: "m.go", Line: 6})})
	if len(got) != 2 {
		t.Fatalf("%d findings, want 2: %v", len(got), got)
	}
}

// A cursor behind the end has been moved there; one at the end has not been looked at.
func TestIsBeyondEnd(t *testing.T) {
	for message, want := range map[string]bool{
		"slice bounds out of range [2:1]":                         true,
		"runtime error: slice bounds out of range [1:0]":          true,
		"index out of range [3] with length 3":                    false,
		"index out of range [4] with length 3":                    true,
		"slice bounds out of range [:4] with capacity 3":          false,
		"slice bounds out of range [-1:]":                         false,
		"invalid memory address or nil pointer dereference [2:1]": false,
	} {
		if got := isBeyondEnd(message); got != want {
			t.Errorf("isBeyondEnd(%q) = %t, want %t", message, got, want)
		}
	}
}
