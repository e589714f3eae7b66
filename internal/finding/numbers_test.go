package finding

import (
	"go/token"
	"go/types"
	"math"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// TestNumbers checks which numbers excuse a failure: those below zero that nothing is compared with, whole or not, those by which a
// container has no room, and lists of unlike lengths.
func TestNumbers(t *testing.T) {
	const source = `package m

type Store struct{ bins []int }

func New(maxBins int) *Store { return &Store{make([]int, maxBins)} }

func (s *Store) Add(i int) { s.bins[0] += i } // Store.Add
func (s *Store) Put(i int) error {
	s.bins[0] += i // Store.Put
	return nil
}

func Digest(compression float64) []int { return make([]int, 2*int(compression)) } // Digest

func Zip(a, b []int) (n int) {
	for i := range a {
		n += b[i] // Zip
	}
	return n
}
`
	_, pkg := loadSource(t, source)
	rules := usage.New(pkg)
	lines := map[string]int{}
	for i, l := range strings.Split(source, "\n") {
		if _, name, ok := strings.Cut(l, "// "); ok {
			lines[name] = i + 1
		}
	}
	intType := types.Typ[types.Int]
	store := func(b *builder, target string, room int64) {
		b.call(target, b.call("New", b.num(intType, room)), b.num(intType, 1))
	}
	for _, tt := range []struct {
		name, target, kind string
		build              func(b *builder)
		want               testcase.Severity
	}{
		{"no room", "Store.Add", "index-out-of-range", func(b *builder) { store(b, "Store.Add", 0) }, testcase.Misuse},
		{"less than no room", "Store.Add", "negative-length", func(b *builder) { store(b, "Store.Add", -1) }, testcase.Misuse},
		{"some room", "Store.Add", "index-out-of-range", func(b *builder) { store(b, "Store.Add", 4) }, testcase.Warning},
		{"no room, but an error to return", "Store.Put", "index-out-of-range", func(b *builder) { store(b, "Store.Put", 0) }, testcase.Warning},
		{"below zero", "Digest", "negative-length", func(b *builder) {
			b.call("Digest", b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Float64], Lit: testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(-1)}}))
		}, testcase.Misuse},
		{"unlike lists", "Zip", "index-out-of-range", func(b *builder) {
			list := types.NewSlice(intType)
			b.call("Zip", b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: list}, b.num(intType, 1)), b.zero(list))
		}, testcase.Misuse},
	} {
		b := &builder{pkg: pkg}
		tt.build(b)
		in := tt.target
		if recv, name, ok := strings.Cut(in, "."); ok {
			in = "(*" + recv + ")." + name
		}
		o := &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: tt.kind, Runtime: true, Message: "boom",
			Stack: []testcase.Frame{{Func: "example.com/m." + in, Pos: token.Position{Filename: "m.go", Line: lines[tt.target]}}}}}
		f := Of(rules, &testcase.Case{Target: tt.target, Seq: b.Sequence(), Observed: o})
		if f.Severity != tt.want {
			t.Errorf("%s: %v (%s), want %v", tt.name, f.Severity, f.Evidence, tt.want)
		}
	}
}
