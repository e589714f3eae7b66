package bounded

import (
	"context"
	"go/types"
	"os"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// known has the counts of the original implementation: valid structures and explored candidates, for sizes
// from first on. The number of explored candidates is 0 if it is not known, or if our predicate reads in
// another order.
type known struct {
	name   string
	first  int
	counts [][2]int64
	slow   int // larger sizes run only with ASSAY_LONG=1
}

func knownCounts() []known {
	return []known{
		{"BinaryTree", 3, [][2]int64{{5, 63}, {14, 245}, {42, 947}, {132, 3653}, {429, 14092}, {1430, 54418}, {4862, 210444}, {16796, 815100}, {58786, 3162018}, {208012, 12284830}}, 10},
		{"SearchTree", 3, [][2]int64{{5, 133}, {14, 875}, {42, 6155}, {132, 45233}, {429, 340990}, {1430, 2606968}, {4862, 20086300}, {16796, 155455872}}, 8},
		{"SinglyLinkedList", 3, [][2]int64{{5, 44}, {15, 139}, {52, 518}, {203, 2194}, {877, 10290}, {4140, 52567}, {21147, 289324}, {115975, 1702171}, {678570, 10639556}}, 10},
		{"DoublyLinkedList", 3, [][2]int64{{10, 49}, {37, 94}, {151, 229}, {674, 776}, {3263, 3392}, {17007, 17166}, {94828, 95020}, {562595, 562823}, {3535027, 3535294}}, 10},
		{"RedBlackTree", 3, [][2]int64{{3, 179}, {8, 961}, {14, 4209}, {20, 16487}, {35, 71704}, {64, 322806}, {122, 1510006}, {260, 7530712}}, 9},
		{"HeapArray", 4, [][2]int64{{320, 1425}, {1919, 8916}, {13139, 64533}, {117562, 519968}, {1005075, 5231385}}, 8},
		{"DisjSet", 3, [][2]int64{{38, 278}, {914, 7915}, {41546, 413855}}, 6},
		{"FibonacciHeap", 3, [][2]int64{{136, 803}, {2310, 8634}, {52281, 164365}, {1474186, 4809294}}, 6},
		{"BinomialHeap", 4, [][2]int64{{120, 1666}, {936, 8122}, {7602, 42815}, {107416, 261788}, {603744, 1323194}}, 8},
		{"SortedList", 6, [][2]int64{{462, 2880}, {1716, 12148}, {6435, 51647}, {24310, 218991}, {92378, 924018}, {352716, 3880154}}, 10},
		{"DAG", 3, [][2]int64{{4, 16}, {35, 182}, {584, 4301}, {19696, 204893}}, 7},
	}
}

// paperCounts has the numbers of valid structures like those of java.util, from the ISSTA paper. The paper
// does not say how large the table of its HashSet is. Ours has three chains, and the function chains
// computes the counts.
func paperCounts() []known {
	sets := known{name: "HashSet", first: 3, slow: 6}
	for n := 3; n <= 9; n++ {
		sets.counts = append(sets.counts, [2]int64{chains(n, 3)})
	}
	return []known{
		{"LinkedList", 8, [][2]int64{{4140}, {21147}, {115975}, {678570}, {4213597}}, 9},
		{"TreeMap", 7, [][2]int64{{35}, {64}, {122}}, 8},
		sets,
	}
}

// chains returns how many hash sets there are of numbers below n in a table of m chains: each chain holds
// any of its numbers, in any order.
func chains(n, m int) int64 {
	product := int64(1)
	for i := range m {
		k := int64((n - i + m - 1) / m)
		sum, arrangements := int64(1), int64(1)
		for j := range k {
			arrangements *= k - j
			sum += arrangements
		}
		product *= sum
	}
	return product
}

func allCounts() []known { return append(knownCounts(), paperCounts()...) }

// structures is a harness for all structures in testdata.
type structures struct {
	prog *load.Program
	pkg  *load.Package
	h    *native.Harness
}

func loadStructures(t testing.TB) (*load.Program, *load.Package) {
	t.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: "testdata/structures"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors[0])
	}
	return prog, pkg
}

func newStructures(t testing.TB) *structures {
	t.Helper()
	s := &structures{}
	s.prog, s.pkg = loadStructures(t)
	var predicates []*types.Func
	var searches []native.Search
	for _, k := range allCounts() {
		search := s.search(t, k.name, 3)
		searches = append(searches, search)
		predicates = append(predicates, observed(s.pkg, search.Checks)...)
	}
	h, err := native.Build(context.Background(), s.prog, s.pkg, native.Config{Observe: predicates, Searches: searches})
	if err != nil {
		t.Fatal(err)
	}
	s.h = h
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *structures) search(t testing.TB, name string, size int) native.Search {
	t.Helper()
	search, _, err := search(s.prog, s.pkg, &Enumeration{Type: name, Size: size, Finitization: "fin" + name})
	if err != nil {
		t.Fatal(err)
	}
	return search
}

// long reports whether the tests may take minutes.
func long() bool { return os.Getenv("ASSAY_LONG") != "" }

// TestKnownCounts compares our counts with those of the original implementation.
func TestKnownCounts(t *testing.T) {
	s := newStructures(t)
	for _, k := range allCounts() {
		for i, want := range k.counts {
			size := k.first + i
			if size >= k.slow && !long() {
				continue
			}
			began := time.Now()
			res, err := s.h.Search(context.Background(), s.search(t, k.name, size))
			if err != nil {
				t.Fatalf("%s %d: %v", k.name, size, err)
			}
			if res.Valid != want[0] || want[1] != 0 && res.Explored != want[1] || !res.Complete || len(res.Problems) > 0 || res.Died != "" {
				t.Errorf("%s %d: %d valid of %d, want %v; %+v %s", k.name, size, res.Valid, res.Explored, want, res.Problems, res.Died)
			}
			t.Logf("%s %d: %d/%d in %v", k.name, size, res.Valid, res.Explored, time.Since(began).Round(time.Millisecond))
		}
	}
}
