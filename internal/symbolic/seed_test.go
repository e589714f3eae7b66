package symbolic

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

const seedSource = `package p

// Checked wants twelve letters of which each depends on the one before it: only an input
// that is nearly right leads there within few paths.
func Checked(s string) int {
	if len(s) != 12 {
		return 0
	}
	for i := 1; i < len(s); i++ {
		if s[i] != s[i-1]+1 && i != 11 {
			return 1
		}
	}
	if s[11] == 'Z' {
		return 3
	}
	return 2
}

// Ring is full after three elements.
type Ring struct{ items []int }

func NewRing() *Ring { return &Ring{} }

// Option is passed to NewTuned, which asks each of them.
type Option func(*Tuned)

type Tuned struct{ n int }

func NewTuned(n int, opts ...Option) *Tuned {
	t := &Tuned{n: n}
	for _, o := range opts {
		o(t)
	}
	return t
}

func (t *Tuned) Reached(x int) int {
	if x*3 == t.n+12345 {
		return 4
	}
	return 0
}

func (r *Ring) Add(x int) { r.items = append(r.items, x) }

func (r *Ring) Sum(limit int) int {
	if len(r.items) < 5 {
		return -1
	}
	sum := 0
	for _, x := range r.items {
		sum += x
	}
	if sum == limit*7 {
		return 1
	}
	return 0
}
`

// Code on branches off a concrete execution is reached: an input that is nearly right is corrected, and the
// receiver is the one that the earlier calls have made.
func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p.go": seedSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	h, err := native.Build(context.Background(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()

	call := func(b *testcase.Builder, name string, args ...testcase.Ref) testcase.Ref {
		target := pkg.Target(name)
		op := &testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj}
		if target.Recv != nil {
			op.Kind = testcase.OpMethod
		}
		return b.Add(op, args...)
	}
	literal := func(b *testcase.Builder, name string, l testcase.Literal) testcase.Ref {
		params := pkg.Target(name).Func.Signature.Params()
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: params.At(0).Type(), Lit: l})
	}
	number := func(n int) testcase.Literal { return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)} }

	var checked, ring testcase.Builder
	call(&checked, "Checked", literal(&checked, "Checked", testcase.Literal{Kind: testcase.LitString, Str: "ABCDEFGHIJK?"}))
	r := call(&ring, "NewRing")
	for _, x := range []int{10, 20, 30, 40, 50} {
		call(&ring, "Ring.Add", r, literal(&ring, "Ring.Add", number(x)))
	}
	at := call(&ring, "Ring.Sum", r, literal(&ring, "Ring.Sum", number(3)))
	if at.Stmt != ring.Len()-1 {
		t.Fatal("the call is not the last statement")
	}

	var tuned testcase.Builder
	r = call(&tuned, "NewTuned", literal(&tuned, "NewTuned", number(6)))
	call(&tuned, "Tuned.Reached", r, literal(&tuned, "Tuned.Reached", number(3)))

	tests := []struct {
		target string
		seed   *testcase.Sequence
		want   uint64 // the number that only an input with a flipped decision returns
		length int    // the length of the shortest sequence that returns the number; the calls of the seed are in it
	}{
		{"Checked", checked.Sequence(), 3, 2},
		{"Ring.Sum", ring.Sequence(), 1, 13},
		{"Tuned.Reached", tuned.Sequence(), 4, 4}, // no path stays among the options, of which the seed passes none
	}
	for _, tt := range tests {
		t.Run(tt.target, func(t *testing.T) {
			var cases []*testcase.Case
			var seqs []*testcase.Sequence
			cfg := Config{Seeds: []*testcase.Sequence{tt.seed}, Budget: Budget{Paths: 60}}
			_, err := Run(context.Background(), Subject{prog, pkg, pkg.Target(tt.target)}, cfg, func(c *testcase.Case) bool {
				cases = append(cases, c)
				seqs = append(seqs, c.Seq)
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			outs, err := h.Run(context.Background(), seqs)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(outs, func(o *testcase.Outcome) bool {
				return o.Status == testcase.Returned && o.Results[o.At][0].Bits == tt.want
			})
			if i < 0 {
				t.Fatalf("none of %d cases returns %d", len(cases), tt.want)
			}
			if n := seqs[i].Len(); n < tt.length {
				t.Errorf("%s has %d statements, want %d at least", seqs[i], n, tt.length)
			}
			for i, c := range cases {
				if p, o := c.Predicted, outs[i]; p != nil && len(p.Results) > 0 && o.Status == testcase.Returned &&
					p.Results[o.At][0].Bits != o.Results[o.At][0].Bits {
					t.Errorf("%s: predicted %v, observed %v", c.Seq, p.Results[o.At], o.Results[o.At])
				}
			}
		})
	}
}
