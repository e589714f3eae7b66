package sequence

import (
	"context"
	"os"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

func TestMain(m *testing.M) {
	native.GuardMain()
	os.Exit(m.Run())
}

// allCases explores the types of a package and returns their cases.
func allCases(t *testing.T, prog *load.Program, pkg *load.Package, cfg Config, names ...string) []*testcase.Case {
	t.Helper()
	var out []*testcase.Case
	for _, name := range names {
		_, err := Run(context.Background(), prog, pkg, pkg.Types.Scope().Lookup(name).Type(), cfg, func(c *testcase.Case) bool {
			out = append(out, c)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// runNatively runs cases and complains about outcomes that were not predicted.
func runNatively(t *testing.T, prog *load.Program, pkg *load.Package, cases []*testcase.Case) {
	t.Helper()
	h, err := native.Build(context.Background(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	seqs := make([]*testcase.Sequence, len(cases))
	for i, c := range cases {
		seqs[i] = c.Seq
	}
	outs, err := h.Run(context.Background(), seqs)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		p, o := c.Predicted, outs[i]
		if p == nil {
			t.Logf("%s: no prediction: %s", c.Target, c.Stop)
			continue
		}
		if p.Status != o.Status || p.At != o.At {
			t.Errorf("%s: predicted %v at %d, observed %v at %d %s\n%s", c.Target, p.Status, p.At, o.Status, o.At, o.Message, c.Seq)
			continue
		}
		if p.Panic != nil && o.Panic != nil && p.Panic.Kind != o.Panic.Kind {
			t.Errorf("%s: predicted panic %s, observed %s", c.Target, p.Panic.Kind, o.Panic.Kind)
		}
		for k := range min(len(p.Results), len(o.Results)) {
			for r := range min(len(p.Results[k]), len(o.Results[k])) {
				if a, b := p.Results[k][r], o.Results[k][r]; a.Kind == b.Kind && a.Bits != b.Bits || a.Str != b.Str {
					t.Errorf("%s: result %d of statement %d: predicted %v, observed %v\n%s", c.Target, r, k, a, b, c.Seq)
				}
			}
		}
	}
}

// What the machine says happens in sequences happens, and the sequences are the
// shortest.
func TestCasesRun(t *testing.T) {
	prog, pkg := subjects(t)
	cases := allCases(t, prog, pkg, Config{Depth: 5}, "UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray")
	if len(cases) < 40 {
		t.Errorf("only %d cases", len(cases))
	}
	runNatively(t, prog, pkg, cases)
}

// Types without a constructor, value receivers, text keys, generics, arguments of the
// type itself.
func TestKinds(t *testing.T) {
	prog, pkg := loadDir(t, "testdata/kinds")
	tests := []struct {
		name   string
		states int // after 4 calls; 0: not known
		opaque bool
	}{
		{"Counter", 0, false},
		{"Names", 0, false},
		{"Set", 0, false},
		{"Queue", 0, false},
		{"Bag", 0, false},
		{"Sorted", 0, false},
	}
	var cases []*testcase.Case
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			typ := pkg.Types.Scope().Lookup(tt.name).Type()
			res, err := Run(context.Background(), prog, pkg, typ, Config{Depth: 4}, func(c *testcase.Case) bool {
				cases = append(cases, c)
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			logTable(t, res)
			if tt.states > 0 && res.States != tt.states {
				t.Errorf("%d states, want %d", res.States, tt.states)
			}
			if res.Opaque > 0 != tt.opaque {
				t.Errorf("%d states could not be compared", res.Opaque)
			}
			if want := tt.name == "Sorted"; res.Violations > 0 != want {
				t.Errorf("%d violations of the invariant", res.Violations)
			}
			if res.Skip != "" {
				t.Error(res.Skip)
			}
		})
	}
	runNatively(t, prog, pkg, cases)
}

// The same configuration gives the same cases in the same order.
func TestDeterminism(t *testing.T) {
	prog, pkg := loadDir(t, "testdata/kinds")
	dump := func() string {
		text := ""
		for _, c := range allCases(t, prog, pkg, Config{Depth: 3}, "Counter", "Names", "Set", "Queue", "Bag", "Sorted") {
			text += c.Target + " " + c.Stop + "\n" + c.Seq.Dump() + "\n"
		}
		return text
	}
	if a, b := dump(), dump(); a != b || a == "" {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}
