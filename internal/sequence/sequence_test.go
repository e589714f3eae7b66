package sequence

import (
	"bytes"
	"context"
	"flag"
	"html"
	"os"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

var large = flag.Bool("large", false, "count the large state spaces too")

// subjects loads the containers of the test data.
func subjects(tb testing.TB) (*load.Program, *load.Package) {
	tb.Helper()
	return loadDir(tb, "testdata/subjects")
}

func loadDir(tb testing.TB, dir string) (*load.Program, *load.Package) {
	tb.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, ".")
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		tb.Fatal(pkg.Errors)
	}
	return prog, pkg
}

// exhaustive is a budget that no exploration uses up.
var exhaustive = Budget{Instructions: 1 << 40, Paths: 1 << 30, Queries: 1 << 40, Effort: 1 << 60, States: 1 << 30, Cases: 1 << 30}

// explore explores a subject.
func explore(tb testing.TB, prog *load.Program, pkg *load.Package, name string, cfg Config) Result {
	tb.Helper()
	cfg.Budget = exhaustive
	if cfg.Concrete && name == "BinomialHeap" {
		for i := range cfg.Depth {
			cfg.Values = append(cfg.Values, int64(i))
		}
	}
	res, err := Run(context.Background(), Subject{prog, pkg, pkg.Types.Scope().Lookup(name).Type()}, cfg, func(*testcase.Case) bool { return true })
	if err != nil {
		tb.Fatal(err)
	}
	return res
}

// logTable shows the iterations of an exploration.
func logTable(t *testing.T, res Result) {
	var b bytes.Buffer
	if err := res.Table(&b); err != nil {
		t.Fatal(err)
	}
	t.Logf("stops %v, %d comparisons by the solver, %d queries\n%s", res.Stops, res.Asks, res.Queries, &b)
}

// The number of states after 5, 6, 7 and 8 calls. The numbers are those of the paper or, where the paper
// stopped earlier, of another implementation of its algorithm. HeapArray is an exception, because there is
// no dependable figure for it. Exact comparisons of machine integers tell states apart that differ only in
// the gaps which removed keys have left. The share of covered branches is at no depth below the paper's.
func TestSymbolicStates(t *testing.T) {
	prog, pkg := subjects(t)
	tests := []struct {
		name   string
		exact  bool
		states [4]int
		share  [4]float64 // the percentage of branches that the paper's tests cover
	}{
		{"UBStack", false, [4]int{22, 30, 41, 55}, [4]float64{9.0 / 10, 1, 1, 1}},
		{"IntStack", false, [4]int{12, 16, 20, 24}, [4]float64{2.0 / 4, 3.0 / 4, 3.0 / 4, 1}},
		{"BinarySearchTree", false, [4]int{65, 197, 626, 2056}, [4]float64{29.0 / 30, 1, 1, 1}},
		{"BinomialHeap", false, [4]int{6, 7, 8, 9}, [4]float64{53.0 / 58, 53.0 / 58, 56.0 / 58, 56.0 / 58}},
		{"LinkedList", false, [4]int{6, 7, 8, 9}, [4]float64{1, 1, 1, 1}},
		{"TreeMap", false, [4]int{16, 28, 59, 111}, [4]float64{90.0 / 120, 98.0 / 120, 100.0 / 120, 100.0 / 120}},
		{"TreeMap", true, [4]int{19, 31, 69, 136}, [4]float64{90.0 / 120, 98.0 / 120, 100.0 / 120, 100.0 / 120}},
		{"HeapArray", false, [4]int{27, 54, 132, 285}, [4]float64{11.0 / 16, 15.0 / 16, 1, 1}},
		{"HeapArray", true, [4]int{27, 54, 158, 346}, [4]float64{11.0 / 16, 15.0 / 16, 1, 1}},
	}
	depth := 8
	if testing.Short() {
		depth = 6
	}
	for _, tt := range tests {
		name := tt.name
		if tt.exact {
			name += "/exact"
		}
		t.Run(name, func(t *testing.T) {
			res := explore(t, prog, pkg, tt.name, Config{Depth: depth, Exact: tt.exact})
			for n := 5; n <= depth; n++ {
				if got, want := res.Iterations[n].States, tt.states[n-5]; got != want {
					t.Errorf("%d states after %d calls, want %d", got, n, want)
				}
				it := res.Iterations[n]
				if got, want := float64(it.Covered)/float64(it.Branches), tt.share[n-5]; got < want {
					t.Errorf("%d of %d branches after %d calls, want %.0f%%", it.Covered, it.Branches, n, 100*want)
				}
			}
			if res.Left != "" {
				t.Error("not complete: ", res.Left)
			}
			logTable(t, res)
		})
	}
}

// The number of concrete states with arguments 1 to N (0 to N-1 for BinomialHeap).
func TestConcreteStates(t *testing.T) {
	prog, pkg := subjects(t)
	tests := []struct {
		name  string
		from  int
		sizes []int
	}{
		{"UBStack", 5, []int{656, 3235, 12720, 41601}},
		{"IntStack", 5, []int{4836, 67081}},
		{"BinarySearchTree", 5, []int{188, 731, 2950, 12235}},
		{"BinomialHeap", 5, []int{380, 3036}},
		{"LinkedList", 5, []int{3906, 55987}},
		{"TreeMap", 5, []int{72, 185, 537, 1613}},
		{"HeapArray", 5, []int{664, 4515, 43418}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for i, want := range tt.sizes {
				if want > 5000 && !*large {
					continue
				}
				n := tt.from + i
				res := explore(t, prog, pkg, tt.name, Config{Depth: n, Concrete: true})
				if res.States != want {
					t.Errorf("%d states at N=%d, want %d", res.States, n, want)
				}
			}
		})
	}
}

// An exploration that keeps only maximal states keeps no more states, and covers as much.
func TestRetire(t *testing.T) {
	prog, pkg := subjects(t)
	for _, name := range []string{"UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray"} {
		all := explore(t, prog, pkg, name, Config{Depth: 6})
		max := explore(t, prog, pkg, name, Config{Depth: 6, Retire: true})
		a, b := all.Iterations[6], max.Iterations[6]
		if b.States > a.States || b.Covered < a.Covered {
			t.Errorf("%s: %d states cover %d; of them retired, %d cover %d", name, a.States, a.Covered, b.States, b.Covered)
		}
	}
}

func benchmarkStates(b *testing.B, cfg Config, names ...string) {
	prog, pkg := subjects(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var res Result
			for range b.N {
				res = explore(b, prog, pkg, name, cfg)
			}
			b.ReportMetric(float64(res.States), "states")
			b.ReportMetric(float64(res.Paths), "paths")
		})
	}
}

func BenchmarkSymbolic8(b *testing.B) {
	benchmarkStates(b, Config{Depth: 8}, "UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray")
}

func BenchmarkSymbolic10(b *testing.B) {
	benchmarkStates(b, Config{Depth: 10}, "BinarySearchTree", "TreeMap")
}

func BenchmarkConcrete6(b *testing.B) {
	benchmarkStates(b, Config{Depth: 6, Concrete: true}, "UBStack", "IntStack", "BinarySearchTree", "BinomialHeap", "LinkedList", "TreeMap", "HeapArray")
}

// The graph of states names each state, and says what is known of the values in it.
func TestDot(t *testing.T) {
	prog, pkg := subjects(t)
	res := explore(t, prog, pkg, "BinarySearchTree", Config{Depth: 3, Graph: true})
	var b bytes.Buffer
	if err := res.Graph.Dot(&b); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		`s1 [label="S1\l{root: {value: x0}, size: 1}\l"];`,
		"s4 [label=\"S4\\l{root: {value: x0,\\l    left: {value: x1,\\l      left: {value: x2}}},\\l  size: 3}\\lx1 < x0, x2 < x1\\l\"];",
		`style=dashed`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	// The picture in the documentation shows this graph.
	svg, err := os.ReadFile("../../docs/bst3.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range res.Graph.Nodes {
		lines := strings.Split(n.Text, "\n")
		if last := html.EscapeString(lines[len(lines)-1]); !strings.Contains(string(svg), ">"+last+"</text>") {
			t.Errorf("docs/bst3.svg does not show %s", last)
		}
	}
	if n := strings.Count(got, "shape=box"); n != 1 || len(res.Graph.Nodes) != res.States {
		t.Errorf("%d nodes for %d states", len(res.Graph.Nodes), res.States)
	}
	t.Log(got)
}
