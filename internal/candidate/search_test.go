package candidate

import (
	"fmt"
	"reflect"
	"testing"
)

type tree struct {
	root *node
	size int
}

type node struct{ left, right *node }

// repOK is a predicate as instrumentation rewrites it.
func (t *tree) repOK() bool {
	if *Read(&t.root) == nil {
		return *Read(&t.size) == 0
	}
	visited := map[*node]bool{*Read(&t.root): true}
	work := []*node{*Read(&t.root)}
	for len(work) > 0 {
		Tick()
		n := work[0]
		work = work[1:]
		for _, p := range []**node{&n.left, &n.right} {
			if c := *Read(p); c != nil {
				if visited[c] {
					return false
				}
				visited[c] = true
				work = append(work, c)
			}
		}
	}
	return len(visited) == *Read(&t.size)
}

func treeSearch(t testing.TB, n int) *Search {
	spec, err := Parse(fmt.Sprintf("class 0 1\nclass 1 %d\nfield 0 0 n o1\nfield 0 1 i%d..%d\nfield 1 0 n o1\nfield 1 1 n o1\n", n, n, n))
	if err != nil {
		t.Fatal(err)
	}
	space, err := NewSpace(spec, func(i int) (reflect.Type, error) {
		return []reflect.Type{reflect.TypeFor[tree](), reflect.TypeFor[node]()}[i], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &Search{Space: space, Pred: func() bool { return (*tree)(space.Root()).repOK() }}
}

func TestBinaryTree(t *testing.T) {
	// The counts of the original.
	for n, want := range map[int][2]int64{3: {5, 63}, 4: {14, 245}, 5: {42, 947}, 6: {132, 3653}, 7: {429, 14092}, 8: {1430, 54418}} {
		if r := treeSearch(t, n).Run(); !r.Complete || r.Valid != want[0] || r.Explored != want[1] {
			t.Errorf("%d nodes: %d valid of %d explored, want %v", n, r.Valid, r.Explored, want)
		}
	}
}

func TestPartsAreTheWhole(t *testing.T) {
	whole := map[string]int{}
	collect := func(s *Search, into map[string]int) Result {
		s.Found = func() bool { into[fmt.Sprint(s.Space.Vector(nil))]++; return true }
		return s.Run()
	}
	all := collect(treeSearch(t, 6), whole)
	for _, parts := range []int{2, 3, 7, 50} {
		union := map[string]int{}
		var sum Result
		for i := range parts {
			s := treeSearch(t, 6)
			s.Part, s.Parts = i, parts
			r := collect(s, union)
			sum.Explored += r.Explored
			sum.Valid += r.Valid
		}
		if sum.Explored != all.Explored || sum.Valid != all.Valid || !reflect.DeepEqual(union, whole) {
			t.Errorf("%d parts: %d of %d, want %d of %d", parts, sum.Valid, sum.Explored, all.Valid, all.Explored)
		}
	}
}

// Of two objects with classes of their own, which are copies of each other, there are as many pairs as of objects of one class, in
// whatever order they are looked at.
func TestClassAfter(t *testing.T) {
	type box struct{ n int }
	type pair struct{ a, b *box }
	read := func(b **box) {
		if p := *Read(b); p != nil {
			_ = *Read(&p.n)
		}
	}
	for _, classes := range []string{
		"class 0 1\nclass 1 2\nfield 0 0 n o1\nfield 0 1 n o1\nfield 1 0 i0..1\n",
		"class 0 1\nclass 1 1\nclass 1 1 1\nfield 0 0 n o1 o2\nfield 0 1 n o1 o2\nfield 1 0 i0..1\nfield 2 0 i0..1\n",
	} {
		for _, backwards := range []bool{false, true} {
			spec, err := Parse(classes)
			if err != nil {
				t.Fatal(err)
			}
			space, err := NewSpace(spec, func(i int) (reflect.Type, error) {
				return []reflect.Type{reflect.TypeFor[pair](), reflect.TypeFor[box]()}[i], nil
			})
			if err != nil {
				t.Fatal(err)
			}
			s := &Search{Space: space, Pred: func() bool {
				p := (*pair)(space.Root())
				if backwards {
					read(&p.b)
					read(&p.a)
				} else {
					read(&p.a)
					read(&p.b)
				}
				return true
			}}
			if r := s.Run(); r.Valid != 11 || !r.Complete {
				t.Errorf("backwards is %t: %d pairs, want 11, of\n%s", backwards, r.Valid, classes)
			}
		}
	}
}

func TestSpecText(t *testing.T) {
	spec := &Spec{
		Classes: []Class{{N: 1}, {Type: 3, N: 4}, {Type: 3, N: 4, After: 1}},
		Fields: []Field{
			{Class: 0, Path: []int{0, 2}, Domain: Domain{Parts: []Part{{Kind: Nil}, {Kind: Objects, Class: 1}}, Labelled: true}},
			{Class: 1, Path: []int{1}, Slice: true, Domain: Domain{Parts: []Part{{Kind: Ints, Hi: 3}}},
				Elems: []Elem{{Domain: Domain{Parts: []Part{{Kind: Strings, Strs: []string{"", "a b"}}, {Kind: Ints, Lo: -1, Hi: 2, Boxed: 2}}}}}},
		},
	}
	again, err := Parse(spec.String())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(spec, again) {
		t.Errorf("read again:\n%s\nwant:\n%s", again, spec)
	}
}

func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		kind string
		pred func(*tree) bool
	}{
		{"panic", func(x *tree) bool { return (*Read(&(*Read(&x.root)).left)) == nil }},
		{"hang", func(x *tree) bool {
			for *Read(&x.root) != nil {
				Tick()
			}
			return true
		}},
		{"changes", func(x *tree) bool { x.size++; return true }},
		{"impure", func(x *tree) bool { return Impure(func() bool { return true }, "time.Now")() }},
	} {
		s := treeSearch(t, 2)
		s.Pred = func() bool { return tt.pred((*tree)(s.Space.Root())) }
		r := s.Run()
		if len(r.Problems) != 1 || r.Problems[0].Kind != tt.kind || !r.Complete {
			t.Errorf("%s: %+v", tt.kind, r)
		}
	}
}

// A candidate that the predicate changes is not valid. One in which it finds what it writes is, although it never reads the field:
// the root's left child is the root itself, the right one is nil, the root, or another node, which has three left and three right
// children. The same structures are found again with a record of the reads.
func TestChangedIsNotValid(t *testing.T) {
	search := func() *Search {
		s := treeSearch(t, 2)
		x := (*tree)(s.Space.Root())
		s.Pred = func() bool {
			n := *Read(&x.root)
			if n == nil {
				return false
			}
			n.left = n
			return true
		}
		s.Found = func() bool {
			if x.root.left != x.root {
				t.Errorf("found %v", s.Space.Vector(nil))
			}
			return true
		}
		return s
	}
	s := search()
	s.Record = true
	r := s.Run()
	if r.Valid != 11 || !r.Complete || len(r.Problems) != 1 {
		t.Errorf("%+v, want 11", r)
	}
	s = search()
	s.Replay = r.Reads
	if again := s.Run(); again.Valid != 11 || !again.Complete || len(again.Problems) > 0 {
		t.Errorf("again: %+v, want 11", again)
	}
}

// What a predicate writes before it says no need not have its other values: it would say no again.
func TestChangedAndRefused(t *testing.T) {
	search := func(write bool) int {
		s := treeSearch(t, 2)
		x := (*tree)(s.Space.Root())
		s.Pred = func() bool {
			n := *Read(&x.root)
			if n != nil && write {
				n.left = n
			}
			return false
		}
		return int(s.Run().Explored)
	}
	if reads, writes := search(false), search(true); reads != writes {
		t.Errorf("%d candidates if it writes, and %d if it does not", writes, reads)
	}
}

func BenchmarkBinaryTree9(b *testing.B) {
	for b.Loop() {
		r := treeSearch(b, 9).Run()
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(r.Explored)/float64(b.N), "ns/candidate")
	}
}
