package finding

import (
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

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
		{"Walk", "explicit", "unreachable", func(b *builder) { b.call("Walk", b.num(intType, 1<<62)) }, testcase.Misuse, 0, "beyond any size"},
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
		}, testcase.Warning, usage.Usual, "it can say of no input that it is bad"},
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
