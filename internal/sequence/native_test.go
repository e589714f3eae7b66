package sequence

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// allCases explores the types of a package and returns their cases.
func allCases(t *testing.T, prog *load.Program, pkg *load.Package, cfg Config, names ...string) []*testcase.Case {
	t.Helper()
	var out []*testcase.Case
	for _, name := range names {
		_, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup(name).Type()}, cfg, func(c *testcase.Case) bool {
			out = append(out, c)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// runNatively runs cases and reports outcomes that the machine did not predict.
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

// The outcomes of sequences are those that the machine predicts, and the sequences are the shortest ones.
func TestCasesRun(t *testing.T) {
	prog, pkg := subjects(t)
	cases := allCases(t, prog, pkg, Config{Depth: 5}, "UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray")
	if len(cases) < 40 {
		t.Errorf("only %d cases", len(cases))
	}
	runNatively(t, prog, pkg, cases)
}

// Types without a constructor, value receivers, text, generics, slices, maps, interfaces, arguments of the
// type itself: for each there are the cases that need its special property, and their outcomes are as
// predicted.
func TestKinds(t *testing.T) {
	prog, pkg := loadDir(t, "testdata/kinds")
	tests := []struct {
		name string
		want []string // calls that must be among the cases, with predictions in parentheses
	}{
		{"Counter", []string{
			"v0 := kinds.Counter{}; v1 := &v0; v1.SetLimit(1); v1.Add(1); v6 := *v1; v6.Full() (true)",
		}},
		{"Names", []string{
			`v0 := NewNames(); v0.Insert("") (false)`,
			`v0 := NewNames(); v0.Insert("p"); v0.Insert("p") (false)`,
		}},
		{"Set", []string{
			"v0 := NewSet[int](); v0.Add(2); v0.Add(1)",
			"v0 := NewSet[int](); v0.Add(1); v0.Union(v0)",
		}},
		{"Queue", []string{"v0 := kinds.Queue{}; v1 := &v0; v1.Get() panics"}},
		{"Bag", []string{
			"v0 := NewBag(); v0.Add(1); v0.Remove(1) (true)",
			"v0 := NewBag(); v0.Add(1); v0.Add(1); v0.Remove(1) (true)",
		}},
		{"Sorted", []string{"v0 := kinds.Sorted{}; v1 := &v0; v1.Insert(2); v1.Insert(1); v1.RepOK() (false)"}},
		{"Pile", []string{
			"v0 := kinds.Pile{}; v1 := &v0; v1.Push(1); v1.Pour(v1) (false)",
			"v0 := kinds.Pile{}; v1 := &v0; v1.Push(2); v1.Push(1); v6 := kinds.Pile{}; v7 := &v6; v7.Pour(v1) (false)",
		}},
		{"Span", []string{
			"v2 := NewSpan(1, 2); v2.Meets(v2) (true)",
			"v2 := NewSpan(3, 4); v5 := NewSpan(1, 2); v2.Meets(v5) (false)",
			"v2 := NewSpan(1, 1000); v3 := &v2; v3.Grow()",
		}},
		{"Shelf", []string{
			"v0 := NewShelf(); v1 := kinds.Coin{}; v2 := kinds.Item(v1); v0.Put(v2) (true)",
			"v0 := NewShelf(); v2 := kinds.Box{N: 6}; v3 := kinds.Item(v2); v0.Put(v3) (false)",
			"v0 := NewShelf(); v2 := stub kinds.Item{Size(-1)}; v0.Put(v2) (false)",
		}},
		{"Log", []string{
			"v0 := kinds.Log{}; v1 := &v0; v4 := []int{1, 1}; v1.Append(v4) (1)",
			"v0 := kinds.Log{}; v1 := &v0; v3 := []int{1}; v1.Append(v3); v1.Has(2) (false)",
		}},
		{"Cache", []string{
			`v0 := NewCache(); v0.Set("p", 1); v0.Set("p", 2) (true)`,
			`v0 := NewCache(); v0.Set("p", 1); v0.Get("p") (1, true)`,
		}},
	}
	var all []*testcase.Case
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cases := allCases(t, prog, pkg, Config{Depth: 4}, tt.name)
			all = append(all, cases...)
			texts := map[string]bool{}
			for _, c := range cases {
				text := c.Seq.String()
				if p := c.Predicted; p == nil {
					text += " unknown"
				} else if p.Status == testcase.Panicked {
					text += " panics"
				} else if res := p.Results[p.At]; len(res) > 0 {
					var parts []string
					for _, v := range res {
						parts = append(parts, v.String())
					}
					text += " (" + strings.Join(parts, ", ") + ")"
				}
				texts[text] = true
			}
			for _, want := range tt.want {
				if !texts[want] {
					t.Errorf("no case %s among\n%s", want, strings.Join(slices.Sorted(maps.Keys(texts)), "\n"))
				}
			}
		})
	}
	runNatively(t, prog, pkg, all)
}

// Methods that change nothing are called, but no sequence is continued behind such a call; a filter leaves
// methods out; and the result says what was not explored when the budget was spent.
func TestMethods(t *testing.T) {
	prog, pkg := loadDir(t, "testdata/kinds")
	run := func(name string, cfg Config) (Result, string) {
		calls := ""
		res, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup(name).Type()}, cfg, func(c *testcase.Case) bool {
			calls += c.Seq.String() + "\n"
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return res, calls
	}

	all, calls := run("Log", Config{Depth: 3, Graph: true})
	if !strings.Contains(calls, ".Has(") || strings.Contains(calls, ".Has(1); ") || strings.Contains(calls, ".Has(2); ") {
		t.Errorf("observers are not called, or not last:\n%s", calls)
	}
	for _, edge := range all.Graph.Edges {
		if edge.Call == "Has" {
			t.Error("an observer leads to a state")
		}
	}
	if all.Left != "" {
		t.Error("not complete: ", all.Left)
	}

	_, calls = run("Log", Config{Depth: 3, Methods: func(m *load.Target) bool { return m.Name == "Log.Append" }})
	if strings.Contains(calls, ".Has(") || !strings.Contains(calls, ".Append(") {
		t.Errorf("called:\n%s", calls)
	}

	few, _ := run("Clock", Config{Depth: 1000, Budget: Budget{States: 10}})
	if few.Left != "10 states were kept" || few.States != 10 {
		t.Errorf("%d states of 10, left: %q", few.States, few.Left)
	}
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
