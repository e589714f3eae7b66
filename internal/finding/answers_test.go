package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

const answersSource = `package m

import "reflect"

type Elem interface{ Key() int }
type Order interface{ Less(i, j int) bool }
type Source interface{ Next() (int, error) }
type Cursor interface {
	Copy() Cursor
	Move(to Cursor) bool
}

type Steps struct{ at int }

func New(text string) *Steps { return &Steps{} }
func Count(n int) *Steps { return &Steps{} }
func (s *Steps) Next() bool { return true }

func Hook(to reflect.Kind, data any) (any, error) { return reflect.ValueOf(data).Len(), nil }
func Read(data any) (any, error) { return reflect.ValueOf(data).Len(), nil }

type Table struct{ Rows map[string]int }

func NewTable() *Table { return &Table{Rows: map[string]int{}} }
func Put(in any, key string) {
	in.(*Table).Rows[key] = 1 // Put
}

type Plain struct{ Rows map[string]int }

func Add(in any, key string) {
	in.(*Plain).Rows[key] = 1 // Add
}

func Run(task func() error) error { return task() }
func Each(f func(n int) int) error { return nil }
func Sorted(before func(a, b int) bool) bool { return true }

func Grow(n int) {}
func Cut(s string, n int) {}

// Made has a function that makes it, and Open has none.
type Made struct{ Text string }

func NewMade(s string) Made { return Made{s} }
func (m Made) Check() {}

type Open struct{ Text string }

func (o Open) Check() {}

type Faults map[string]int

func (f Faults) Error() string { return f.Text() }
func (f Faults) Text() string  { return "" }

type Labels map[string]int

func (l Labels) Text() string { return "" }
`

// A stand-in that answers like a value excuses no broken contract; one that may be an order that is none, or a source
// without an end, does.
func TestAnswersPlainly(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	yes := testcase.Literal{Kind: testcase.LitBool, Bits: 1}
	no := testcase.Literal{Kind: testcase.LitBool}
	seven := testcase.Literal{Kind: testcase.LitInt, Bits: 7}
	tests := []struct {
		name, iface string
		answers     []testcase.Literal
		method      string
		want        bool
	}{
		{"a key", "Elem", []testcase.Literal{seven}, "Key", true},
		{"two keys", "Elem", []testcase.Literal{seven, seven}, "Key", false},
		{"nothing", "Elem", nil, "", true},
		{"less", "Order", []testcase.Literal{yes}, "Less", false},
		{"never less", "Order", []testcase.Literal{no}, "Less", true},
		{"a source that never fails", "Source", nil, "", false},
		{"an empty document", "Cursor", []testcase.Literal{no}, "Move", true},
		{"a document without end", "Cursor", []testcase.Literal{yes}, "Move", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			op := &testcase.Operation{Kind: testcase.OpStubIface, Type: b.typ(tt.iface)}
			var refs []testcase.Ref
			for i, l := range tt.answers {
				typ := types.Typ[types.Int]
				if l.Kind == testcase.LitBool {
					typ = types.Typ[types.Bool]
				}
				refs = append(refs, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: l}))
				op.Stub = append(op.Stub, testcase.StubCall{Method: tt.method, From: i, To: i + 1})
			}
			b.Add(op, refs...)
			if got := AnswersPlainly(b.Sequence()); got != tt.want {
				t.Errorf("AnswersPlainly = %v, want %v", got, tt.want)
			}
		})
	}
}

// An iterator that a number has made, or that a long text may keep going, may only be slow.
func TestMayTakeLong(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	check := &testcase.Operation{Kind: testcase.OpCheck, Check: &testcase.Check{Contract: "ends"}}
	text := func(n int) *testcase.Operation {
		return &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: string(make([]byte, n))}}
	}
	for name, tt := range map[string]struct {
		make func(b *builder) testcase.Ref
		want bool
	}{
		"a text":      {func(b *builder) testcase.Ref { return b.call("New", b.Add(text(3))) }, false},
		"a long text": {func(b *builder) testcase.Ref { return b.call("New", b.Add(text(3000))) }, true},
		"a number":    {func(b *builder) testcase.Ref { return b.call("Count", b.num(types.Typ[types.Int], 5)) }, true},
	} {
		b := &builder{pkg: pkg}
		b.Add(check, tt.make(b))
		if got := MayTakeLong(b.Sequence()); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Values that the caller describes wrongly, maps that a constructor makes, and bounds beyond memory are misuse.
func TestGradeAgreements(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	rules := usage.New(pkg)
	text := func(b *builder) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
	}
	any5 := func(b *builder) testcase.Ref { return b.num(types.Typ[types.Int], 5) }
	big := func(b *builder) testcase.Ref { return b.num(types.Typ[types.Int], 1<<62) }
	panicked := func(kind, message string) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: kind, Message: message}}
	}
	reflected := panicked("other", "reflect: call of reflect.Value.Len on int Value")
	stub := func(b *builder, fn string) testcase.Ref {
		return b.Add(&testcase.Operation{Kind: testcase.OpStubFunc, Type: pkg.Target(fn).Obj.Signature().Params().At(0).Type()})
	}
	beyond := panicked("index-out-of-range", "index out of range [0] with length 0")
	says := func(b *builder, numbers ...int64) testcase.Ref {
		op := &testcase.Operation{Kind: testcase.OpStubFunc, Type: pkg.Target("Each").Obj.Signature().Params().At(0).Type()}
		var refs []testcase.Ref
		for i, n := range numbers {
			refs = append(refs, b.num(types.Typ[types.Int], n))
			op.Stub = append(op.Stub, testcase.StubCall{From: i, To: i + 1})
		}
		return b.Add(op, refs...)
	}
	asserted := &testcase.Outcome{Status: testcase.Returned, Violated: "assert"}
	far := panicked("slice-out-of-range", "slice bounds out of range [:-144115188075855872]")
	near := panicked("slice-out-of-range", "slice bounds out of range [:9] with capacity 8")
	for _, tt := range []struct {
		name, target string
		call         func(b *builder)
		o            *testcase.Outcome
		want         testcase.Severity
	}{
		{"described", "Hook", func(b *builder) {
			b.call("Hook", b.num(pkg.Target("Hook").Obj.Signature().Params().At(0).Type(), 24), any5(b))
		}, reflected, testcase.Misuse},
		{"a task that may fail", "Run", func(b *builder) { b.call("Run", stub(b, "Run")) }, beyond, testcase.Error},
		{"a function of a number", "Each", func(b *builder) { b.call("Each", stub(b, "Each")) }, beyond, testcase.Misuse},
		{"an assertion, with a function of one number", "Each", func(b *builder) { b.call("Each", stub(b, "Each")) }, asserted, testcase.Error},
		{"an assertion, with a function that says one thing twice", "Each", func(b *builder) { b.call("Each", says(b, 7, 7)) }, asserted, testcase.Error},
		{"an assertion, with a function that says this and that", "Each", func(b *builder) { b.call("Each", says(b, 7, 8)) }, asserted, testcase.Misuse},
		{"an assertion, with an order", "Sorted", func(b *builder) { b.call("Sorted", stub(b, "Sorted")) }, asserted, testcase.Misuse},
		{"undescribed", "Read", func(b *builder) { b.call("Read", any5(b)) }, reflected, testcase.Warning},
		{"beyond memory", "Grow", func(b *builder) { b.call("Grow", big(b)) }, far, testcase.Misuse},
		{"within memory", "Grow", func(b *builder) { b.call("Grow", any5(b)) }, near, testcase.Warning},
		{"beyond memory, of a text", "Cut", func(b *builder) { b.call("Cut", text(b), big(b)) }, far, testcase.Warning},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := &builder{pkg: pkg}
			tt.call(b)
			o := *tt.o
			o.At = b.Sequence().Len() - 1
			f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: &o})
			if f.Severity != tt.want {
				t.Errorf("%s (%s), want %s", f.Severity, f.Evidence, tt.want)
			}
		})
	}
}

// The map of a struct that its constructor makes is the caller's to make, also where any value may be passed. If nothing makes it, a reader should look.
func TestGradeLackingMap(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(answersSource, "\n") {
		if _, name, ok := strings.Cut(l, "] = 1 // "); ok {
			lines[name] = i + 1
		}
	}
	for target, want := range map[string]struct {
		typ      string
		severity testcase.Severity
	}{"Put": {"Table", testcase.Misuse}, "Add": {"Plain", testcase.Warning}} {
		b := &builder{pkg: pkg}
		ptr := types.NewPointer(b.typ(want.typ))
		in := b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: ptr}, b.zero(b.typ(want.typ)))
		key := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: "a"}})
		b.call(target, in, key)
		f := Of(rules, &testcase.Case{Target: target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Panicked, At: b.Sequence().Len() - 1,
			Panic: &testcase.Panic{Kind: "nil-map-write", Runtime: true, Message: "assignment to entry in nil map", Stack: []testcase.Frame{
				{Func: "example.com/m." + target, Pos: token.Position{Filename: "m.go", Line: lines[target]}},
			}},
		}})
		if f.Severity != want.severity {
			t.Errorf("%s: %s (%s), want %s", target, f.Severity, f.Evidence, want.severity)
		}
	}
}

// A contract that only names suggest is not asked of zero values of what a function makes.
func TestGradeContractOfZero(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	rules := usage.New(pkg)
	for typ, want := range map[string]testcase.Severity{"Made": testcase.Misuse, "Open": testcase.Warning} {
		b := &builder{pkg: pkg}
		check := &testcase.Check{Contract: "roundtrip", Target: typ + ".Check", Severity: testcase.Warning, Params: []types.Type{b.typ(typ)}}
		b.Add(&testcase.Operation{Kind: testcase.OpCheck, Check: check}, b.zero(b.typ(typ)))
		f := Of(rules, &testcase.Case{Target: check.Target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Returned, At: 1, Violated: "contract roundtrip",
		}})
		if f.Severity != want {
			t.Errorf("%s: %s (%s), want %s", typ, f.Severity, f.Evidence, want)
		}
	}
}

// An error of which nothing is set need not have a text: errors are made where something has gone wrong.
func TestGradeEmptyError(t *testing.T) {
	_, pkg := loadSource(t, answersSource)
	rules := usage.New(pkg)
	for typ, want := range map[string]testcase.Severity{"Faults": testcase.Misuse, "Labels": testcase.Error} {
		b := &builder{pkg: pkg}
		check := &testcase.Check{Contract: "string", Target: typ + ".Text", Severity: testcase.Error, Params: []types.Type{b.typ(typ)}}
		b.Add(&testcase.Operation{Kind: testcase.OpCheck, Check: check}, b.zero(b.typ(typ)))
		f := Of(rules, &testcase.Case{Target: check.Target, Seq: b.Sequence(), Observed: &testcase.Outcome{
			Status: testcase.Returned, At: 1, Violated: "contract string",
		}})
		if f.Severity != want {
			t.Errorf("%s: %s (%s), want %s", typ, f.Severity, f.Evidence, want)
		}
	}
}
