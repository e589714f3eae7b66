package reduce

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

const source = `package ring

type Ring struct{}

func New(n int) *Ring { return nil }
func (r *Ring) Enqueue(x float64) bool { return false }
func (r *Ring) Dequeue() (float64, bool) { return 0, false }
func (r *Ring) IsFull() bool { return false }
func Classify(s string, xs []int) int { return 0 }
func Sum(a, b int) int { return 0 }
`

// world makes and runs sequences over the package above. Only the signatures of that package are used; the
// function run says what its functions do.
type world struct {
	pkg   *types.Package
	calls int // of Run
}

func newWorld(t *testing.T) *world {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "ring.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/ring", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &world{pkg: pkg}
}

func (w *world) fn(name string) *testcase.Operation {
	if typ, m, ok := strings.Cut(name, "."); ok {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(w.pkg.Scope().Lookup(typ).Type()), true, w.pkg, m)
		return &testcase.Operation{Kind: testcase.OpMethod, Func: obj.(*types.Func)}
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: w.pkg.Scope().Lookup(name).(*types.Func)}
}

func intLit(v int64) *testcase.Operation {
	return &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(v)}}
}

func floatLit(f float64) *testcase.Operation {
	op := &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Float64], Lit: testcase.Literal{Kind: testcase.LitFloat}}
	op.Lit.Bits = floatPattern(op, f)
	return op
}

func strLit(s string) *testcase.Operation {
	return &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}
}

// Run interprets the sequences.
func (w *world) Run(_ context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	w.calls++
	out := make([]*testcase.Outcome, len(seqs))
	for i, s := range seqs {
		out[i] = run(s)
	}
	return out, nil
}

type ring struct {
	cap int
	buf []float64
}

// run is the meaning of the package: Enqueue(-1) panics, a negative capacity too.
func run(s *testcase.Sequence) *testcase.Outcome {
	o := &testcase.Outcome{Status: testcase.Returned}
	vals := make([][]any, s.Len())
	for i := range s.Len() {
		st := s.At(i)
		arg := func(k int) any { return vals[st.Args[k].Stmt][st.Args[k].Result] }
		o.At = i
		fail := func(kind string) *testcase.Outcome {
			o.Status = testcase.Panicked
			o.Panic = &testcase.Panic{Kind: kind, Stack: []testcase.Frame{{Func: st.Op.Func.Name()}}}
			return o
		}
		switch st.Op.Kind {
		case testcase.OpLiteral:
			switch st.Op.Lit.Kind {
			case testcase.LitInt:
				vals[i] = []any{int(st.Op.Lit.Bits)}
			case testcase.LitFloat:
				vals[i] = []any{floatOf(st.Op, st.Op.Lit.Bits)}
			default:
				vals[i] = []any{st.Op.Lit.Str}
			}
		case testcase.OpComposite:
			var xs []int
			for k := range st.Args {
				xs = append(xs, arg(k).(int))
			}
			vals[i] = []any{xs}
		case testcase.OpFuncValue:
			vals[i] = []any{nil}
		default:
			switch st.Op.Func.Name() {
			case "New":
				n := arg(0).(int)
				o.Cover.Set(0)
				if n < 0 {
					return fail("explicit")
				}
				vals[i] = []any{&ring{cap: n}}
			case "Enqueue":
				r, x := arg(0).(*ring), arg(1).(float64)
				o.Cover.Set(1)
				if x == -1 {
					return fail("nil-dereference")
				}
				if len(r.buf) == r.cap {
					o.Cover.Set(2)
					vals[i] = []any{false}
					break
				}
				r.buf = append(r.buf, x)
				vals[i] = []any{true}
			case "Dequeue":
				r := arg(0).(*ring)
				o.Cover.Set(3)
				if len(r.buf) == 0 {
					vals[i] = []any{0.0, false}
					break
				}
				o.Cover.Set(4)
				vals[i] = []any{r.buf[0], true}
				r.buf = r.buf[1:]
			case "IsFull":
				r := arg(0).(*ring)
				o.Cover.Set(5)
				vals[i] = []any{len(r.buf) == r.cap}
			case "Classify":
				str, xs := arg(0).(string), arg(1).([]int)
				o.Cover.Set(6)
				n := 0
				if strings.Contains(str, "k") {
					o.Cover.Set(7)
					n++
				}
				for _, x := range xs {
					if x > 100 {
						o.Cover.Set(8)
						n++
					}
				}
				vals[i] = []any{n}
			}
		}
		var rs []testcase.Value
		for _, v := range vals[i] {
			switch v := v.(type) {
			case int:
				rs = append(rs, testcase.Value{Kind: testcase.Int, Bits: uint64(v)})
			case bool:
				b := testcase.Value{Kind: testcase.Bool}
				if v {
					b.Bits = 1
				}
				rs = append(rs, b)
			case float64:
				rs = append(rs, testcase.Value{Kind: testcase.Float, Bits: floatPattern(floatLit(0), v)})
			case string:
				rs = append(rs, testcase.Value{Kind: testcase.String, Str: v, Len: len(v)})
			default:
				rs = append(rs, testcase.Value{Kind: testcase.Opaque})
			}
		}
		o.Results = append(o.Results, rs)
	}
	return o
}

// noisy returns a sequence as a random engine makes it: a ring, things done to it
// and others, and at last the given number enqueued.
func (w *world) noisy(extra int, last float64) *testcase.Sequence {
	var b testcase.Builder
	r := b.Add(w.fn("New"), b.Add(intLit(10)))
	other := b.Add(w.fn("New"), b.Add(intLit(3)))
	for i := range extra {
		b.Add(w.fn("Ring.IsFull"), r)
		b.Add(w.fn("Ring.Enqueue"), r, b.Add(floatLit(float64(i)/3)))
		b.Add(w.fn("Ring.Enqueue"), other, b.Add(floatLit(2)))
		b.Add(w.fn("Ring.Dequeue"), other)
	}
	b.Add(w.fn("Ring.Enqueue"), r, b.Add(floatLit(last)))
	return b.Sequence()
}

func pure(op *testcase.Operation) bool { return op.Func.Name() == "IsFull" || op.Func.Name() == "New" }

func TestClean(t *testing.T) {
	w := newWorld(t)
	s := w.noisy(1, -1)
	if got, want := s.String(), "v1 := New(10); v3 := New(3); v1.IsFull(); v1.Enqueue(0); v3.Enqueue(2); v3.Dequeue(); v1.Enqueue(-1)"; got != want {
		t.Errorf("sequence %s, want %s", got, want)
	}
	// IsFull is pure and dead. The dead calls that are not pure stay, and so does New(3).
	if got, want := Clean(s, pure).String(), "v1 := New(10); v3 := New(3); v1.Enqueue(0); v3.Enqueue(2); v3.Dequeue(); v1.Enqueue(-1)"; got != want {
		t.Errorf("Clean = %s, want %s", got, want)
	}
	if got, want := Clean(s, nil).Len(), s.Len(); got != want {
		t.Errorf("Clean without purity has %d statements, want all %d", got, want)
	}
	if !Redundant(s, Clean(s, pure), pure) || Redundant(s, w.noisy(2, -1), pure) {
		t.Error("Redundant does not tell a cleaned sequence from another one")
	}
}

func TestDead(t *testing.T) {
	w := newWorld(t)
	s := w.noisy(1, -1)
	for i, dead := range Dead(s) {
		op := s.At(i).Op
		alive := i >= s.Len()-2 || i <= 1 // the last call with its number, the ring with its capacity
		if dead == alive {
			t.Errorf("Dead()[%d] (%v) = %t", i, op.Kind, dead)
		}
	}
}

func TestFindings(t *testing.T) {
	w := newWorld(t)
	var findings []*testcase.Finding
	for _, n := range []int{3, 1, 12} {
		s := w.noisy(n, -1)
		// Statements behind the failing call are never executed.
		s = s.Extend(testcase.Statement{Op: w.fn("Ring.IsFull"), Args: []testcase.Ref{{Stmt: 1}}})
		o := run(s)
		findings = append(findings, &testcase.Finding{Kind: o.Panic.Kind, Severity: testcase.Error, Cause: "nil-dereference Enqueue",
			Case: &testcase.Case{Target: "Ring.Enqueue", Seq: s, Observed: o}})
	}
	got, st, err := Findings(context.Background(), findings, w, Config{Pure: pure})
	if err != nil || len(got) != 1 || st.Redundant != 2 {
		t.Fatalf("%d findings, %d redundant, error %v; want 1, 2, nil", len(got), st.Redundant, err)
	}
	if s, want := got[0].Case.Seq.String(), "v1 := New(0); v1.Enqueue(-1)"; s != want {
		t.Errorf("the finding's case is %s, want %s", s, want)
	}
	if o := got[0].Case.Observed; o.Status != testcase.Panicked || o.At != got[0].Case.Seq.Len()-1 {
		t.Errorf("the finding's case ended with %v at %d", o.Status, o.At)
	}
	if w.calls > 40 {
		t.Errorf("%d batches for one finding", w.calls)
	}
}

func TestCases(t *testing.T) {
	w := newWorld(t)
	var cases []*testcase.Case
	add := func(target string, s *testcase.Sequence) {
		cases = append(cases, &testcase.Case{Target: target, Seq: s, Observed: run(s)})
	}
	classify := func(str string, xs ...int64) {
		var b testcase.Builder
		s := b.Add(strLit(str))
		var args []testcase.Ref
		for _, x := range xs {
			args = append(args, b.Add(intLit(x)))
		}
		list := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.Int]), N: len(xs)}, args...)
		b.Add(w.fn("Classify"), s, list)
		add("Classify", b.Sequence())
	}
	classify("hello", 1, 2, 3)
	classify("\xffk\x00zz", 5)
	classify("plain", 7, 3000, 8)
	classify("plain", 7, 3001, 8)
	for n := range 6 {
		add("Ring.Enqueue", w.noisy(n, 5))
	}
	var full testcase.Builder
	r := full.Add(w.fn("New"), full.Add(intLit(2)))
	for range 3 {
		full.Add(w.fn("Ring.IsFull"), r)
		full.Add(w.fn("Ring.Enqueue"), r, full.Add(floatLit(0.1)))
	}
	add("Ring.Enqueue", full.Sequence())
	for _, method := range []string{"Ring.IsFull", "Ring.Dequeue"} {
		var b testcase.Builder
		b.Add(w.fn(method), b.Add(w.fn("New"), b.Add(intLit(2))))
		add(method, b.Sequence())
	}
	var b testcase.Builder
	r = b.Add(w.fn("New"), b.Add(intLit(2)))
	b.Add(w.fn("Ring.Enqueue"), r, b.Add(floatLit(3)))
	b.Add(w.fn("Ring.Dequeue"), r)
	add("Ring.Dequeue", b.Sequence())

	want := []string{
		`v1 := []int{}; Classify("", v1)`,
		`v1 := []int{}; Classify("k", v1)`,
		`v2 := []int{101}; Classify("", v2)`,
		`v1 := New(0); v1.Enqueue(0)`,
		`v1 := New(1); v1.Enqueue(0)`,
		`v1 := New(1); v1.IsFull()`,
		`v1 := New(0); v1.Dequeue()`,
		`v1 := New(1); v1.Enqueue(1); v1.Dequeue()`,
	}
	for range 2 {
		w.calls = 0
		got, st, err := Cases(context.Background(), cases, w, Config{Pure: pure})
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, c := range got {
			text = append(text, c.Seq.String())
			if o := run(c.Seq); behaviour(c.Seq, o) != behaviour(c.Seq, c.Observed) {
				t.Errorf("%s was not run as it is", c.Seq)
			}
		}
		if strings.Join(text, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s\n%+v", strings.Join(text, "\n"), strings.Join(want, "\n"), st)
		}
		if st.Cases != len(cases) || st.Kept != len(want) || st.Statements[1] >= st.Statements[0] {
			t.Errorf("stats %+v", st)
		}
		if w.calls > 80 {
			t.Errorf("%d batches", w.calls)
		}
	}
}

// If only a dead call covers something, the call becomes a case of its own.
func TestCases_split(t *testing.T) {
	w := newWorld(t)
	var b testcase.Builder
	r := b.Add(w.fn("New"), b.Add(intLit(2)))
	b.Add(w.fn("Ring.IsFull"), r)
	value := *w.fn("Classify") // a function that is no call
	value.Kind, value.Type = testcase.OpFuncValue, value.Func.Type()
	b.Add(&value)
	b.Add(w.fn("Ring.Enqueue"), r, b.Add(floatLit(3)))
	s := b.Sequence()
	c := &testcase.Case{Target: "Ring.Enqueue", Seq: s, Observed: run(s)}
	blocks := make([]BlockInfo, 9)
	blocks[1].Func, blocks[5].Func = "Ring.Enqueue", "Ring.IsFull"
	for _, tt := range []struct {
		split bool
		want  string
	}{
		{false, "v1 := New(1); v1.IsFull(); v1.Enqueue(0)"},
		{true, "v1 := New(1); v1.Enqueue(0)\nv1 := New(1); v1.IsFull()"},
	} {
		got, _, err := Cases(context.Background(), []*testcase.Case{c}, w, Config{Pure: pure, Blocks: blocks, Split: func(string) bool { return tt.split }})
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, c := range got {
			text = append(text, c.Seq.String())
		}
		if strings.Join(text, "\n") != tt.want {
			t.Errorf("split %v: got\n%s\nwant\n%s", tt.split, strings.Join(text, "\n"), tt.want)
		}
	}
}

// A state that is written down by hand is shown only if no calls lead to that state.
func TestCases_planted(t *testing.T) {
	w := newWorld(t)
	made := func(n int64, calls int, blocks ...int) *testcase.Case {
		var b testcase.Builder
		r := b.Add(w.fn("New"), b.Add(intLit(n)))
		for range calls {
			b.Add(w.fn("Ring.IsFull"), r)
		}
		c := &testcase.Case{Target: "Ring.IsFull", Seq: b.Sequence()}
		c.Observed = run(c.Seq)
		c.Observed.Cover = nil
		for _, id := range blocks {
			c.Observed.Cover.Set(id)
		}
		return c
	}
	short, long, only := made(1, 1, 0), made(2, 3, 0), made(3, 1, 0, 1)
	blocks := []BlockInfo{{Func: "Ring.IsFull"}, {Func: "Ring.IsFull"}}
	for _, tt := range []struct {
		name    string
		planted []*testcase.Case
		want    []*testcase.Case
	}{
		{"none", nil, []*testcase.Case{only}},
		{"the short one", []*testcase.Case{short, only}, []*testcase.Case{long, only}},
		{"all", []*testcase.Case{short, long, only}, []*testcase.Case{only}},
	} {
		got, _, err := Cases(context.Background(), []*testcase.Case{short, long, only}, w, Config{
			Blocks: blocks, KeepSize: true, HandBuilt: func(c *testcase.Case) bool { return slices.Contains(tt.planted, c) },
		})
		if err != nil {
			t.Fatal(err)
		}
		same := slices.EqualFunc(got, tt.want, func(a, b *testcase.Case) bool { return a.Seq == b.Seq })
		if !same {
			t.Errorf("%s: %d cases: %v", tt.name, len(got), got)
		}
	}
}

func TestCases_maxTests(t *testing.T) {
	w := newWorld(t)
	var cases []*testcase.Case
	for i := range 10 {
		var b testcase.Builder
		b.Add(w.fn("New"), b.Add(intLit(int64(i))))
		s := b.Sequence()
		o := run(s)
		o.Cover.Set(100 + i)
		cases = append(cases, &testcase.Case{Target: "New", Seq: s, Observed: o})
	}
	got, _, err := Cases(context.Background(), cases, w, Config{MaxTests: 3, KeepSize: true})
	if err != nil || len(got) != 3 {
		t.Errorf("%d cases, error %v; want 3, nil", len(got), err)
	}
}

func TestCases_largeSequence(t *testing.T) {
	w := newWorld(t)
	var b testcase.Builder
	s := b.Add(strLit("k"))
	var args []testcase.Ref
	for i := range 20_000 {
		args = append(args, b.Add(intLit(int64(i))))
	}
	list := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: types.NewSlice(types.Typ[types.Int]), N: len(args)}, args...)
	b.Add(w.fn("Classify"), s, list)
	seq := b.Sequence()
	cases := []*testcase.Case{{Target: "Classify", Seq: seq, Observed: run(seq)}}
	got, _, err := Cases(context.Background(), cases, w, Config{})
	if err != nil || len(got) != 1 {
		t.Fatalf("%d cases, error %v; want 1, nil", len(got), err)
	}
	if n := got[0].Seq.Len(); n > 10 {
		t.Errorf("%d statements are left, want a few: half of the elements go at a time", n)
	}
}
