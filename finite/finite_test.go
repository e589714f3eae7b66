//lint:file-ignore U1000 fields are only named by strings here

package finite

import (
	"reflect"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/candidate"
)

type tree struct {
	root *node
	size int
	tags [2]string
	all  []*node
	recs []record
	any  any
}

type node struct {
	left, right *node
	pos         struct{ x, y int8 }
}

type record struct {
	key  uint8
	next *node
}

type outer struct{ *node }

func TestResolve(t *testing.T) {
	f := New(tree{})
	nodes := f.Objects(&node{}, 3)
	f.Set("root", Nil, nodes)
	f.Set("size", Ints(0, 3))
	f.Set("tags[1]", Strings("", "x"))
	f.Set("node.left", Nil, Labelled(nodes))
	nodes.Set("pos.y", Ints(-1, 1))
	f.Set("all", Ints(3, 3))
	f.Set("all[]", InOrder(nodes))
	f.Set("recs", Ints(0, 2))
	f.Set("recs[].key", Ints(0, 9))
	f.Set("recs[].next", Nil, nodes)
	f.Set("any", Nil, Ints(1, 2), nodes)
	f.Set("size", Ints(1, 3)) // replaces the first
	spec, types, err := f.Resolve(reflect.TypeFor[tree]())
	if err != nil {
		t.Fatal(err)
	}
	want := `class 0 1
class 1 3
field 0 0 n o1
field 0 1 i1..3
field 0 2.1 s.,78.
slice 0 3 i3..3
elem - each o1
slice 0 4 i0..2
elem 0 i0..9
elem 1 n o1
field 0 5 n i@3:1..2 o1
field 1 0 labelled n o1
field 1 2.1 i-1..1
`
	if spec != want {
		t.Errorf("spec:\n%swant:\n%s", spec, want)
	}
	if len(types) != 3 || types[1] != reflect.TypeFor[node]() || types[2] != reflect.TypeFor[int]() {
		t.Errorf("types: %v", types)
	}
}

// Parts of a union that overlap have the common values once, and other types in interfaces are other values.
func TestUnionIsASet(t *testing.T) {
	f := New(tree{})
	nodes := f.Objects(node{}, 2)
	f.Set("root", Nil, nodes, Nil, Labelled(nodes))
	f.Set("size", Ints(3, 4), Ints(9, 9), Ints(0, 11), Ints(2, 5))
	f.Set("tags[0]", Strings("a", "b", "a"), Strings("c", "b"), Strings("a"))
	f.Set("any", Bools(), Ints(0, 1), Bools(), Ints(1, 2), Nil, nodes, Empty(leaf{}), Empty(leaf{}))
	spec, _, err := f.Resolve(reflect.TypeFor[tree]())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"field 0 0 labelled n o1\n", "field 0 1 i3..4 i9..9 i0..2 i5..8 i10..11\n", "field 0 2.0 s61.,62. s63.\n", "field 0 5 b@3:0..1 i@4:0..1 i@4:2..2 n o1 e@5:\n",
	} {
		if !strings.Contains(spec, want) {
			t.Errorf("no %q in\n%s", want, spec)
		}
	}
}

type leaf struct{}

func TestEach(t *testing.T) {
	f := New(tree{})
	nodes := f.Objects(node{}, 3)
	f.Set("root", Nil, nodes)
	f.Set("size", Ints(3, 3))
	nodes.Set("left", Nil, nodes)
	nodes.Set("right", Nil, nodes)
	// The trees of three nodes, by a predicate whose reads nobody observes.
	seen := 0
	n := Each(f, func(x *tree) bool {
		visited := map[*node]bool{}
		var walk func(*node) bool
		walk = func(n *node) bool {
			if n == nil {
				return true
			}
			if visited[n] {
				return false
			}
			visited[n] = true
			return walk(n.left) && walk(n.right)
		}
		return walk(x.root) && len(visited) == x.size
	}, func(x *tree) {
		seen++
		x.root.left, x.root.right = nil, x.root // is undone
	})
	if n != 5 || seen != 5 {
		t.Errorf("%d trees of three nodes, %d visited, want 5", n, seen)
	}
}

// TestEachRead has a record with the reads for the empty tree and for all other trees that a search without
// a record would look at.
func TestEachRead(t *testing.T) {
	bounds := func() *Finitization {
		f := New(tree{})
		f.Set("size", Ints(0, 2))
		return f
	}
	// The size is read; 1 is valid.
	record := candidate.EncodeReads([]byte{2, 0, 1, 0})
	n, err := EachRead(bounds(), record, func(x *tree) bool { return x.size == 1 }, func(x *tree) { x.size = 7 })
	if n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	_, err = EachRead(bounds(), record, func(x *tree) bool { return x.size == 2 }, func(*tree) {})
	if err == nil || !strings.Contains(err.Error(), "candidate 2: the predicate is false, and was true when its reads were recorded") {
		t.Errorf("a predicate that was changed: %v", err)
	}
	if _, err = EachRead(bounds(), "??", func(x *tree) bool { return true }, func(*tree) {}); err == nil {
		t.Error("a damaged record was read")
	}
	bad := bounds()
	bad.Set("size")
	if _, err = EachRead(bad, record, func(x *tree) bool { return true }, func(*tree) {}); err == nil || !strings.Contains(err.Error(), "empty domain") {
		t.Errorf("a mistake in the bounds: %v", err)
	}
}

func TestMistakes(t *testing.T) {
	other := New(tree{})
	foreign := other.Objects(node{}, 1)
	for _, tt := range []struct {
		name, want string
		do         func(f *Finitization, nodes *Class)
	}{
		{"unknown field", "tree has no field roots; it has root, size, tags, all, recs, any", func(f *Finitization, n *Class) { f.Set("roots", n) }},
		{"unknown field of a class", "node has no field next", func(f *Finitization, n *Class) { n.Set("next", n) }},
		{"not a struct", "a int has no field x", func(f *Finitization, n *Class) { f.Set("size.x", n) }},
		{"no such element", "a [2]string has no element [2]", func(f *Finitization, n *Class) { f.Set("tags[2]", Strings("")) }},
		{"no slice", "tree.size[]: a int is no slice", func(f *Finitization, n *Class) { f.Set("size[]", Ints(0, 1)) }},
		{"empty", "tree.root: an empty domain", func(f *Finitization, n *Class) { f.Set("root") }},
		{"no integers", "tree.size: no integers from 3 to 2", func(f *Finitization, n *Class) { f.Set("size", Ints(3, 2)) }},
		{"no strings", "tree.tags[0]: no strings", func(f *Finitization, n *Class) { f.Set("tags[0]", Strings()) }},
		{"too large", "node.pos.x: 128 is no value of type int8", func(f *Finitization, n *Class) { n.Set("pos.x", Ints(0, 128)) }},
		{"negative length", "tree.all: -1 is no length", func(f *Finitization, n *Class) { f.Set("all", Ints(-1, 2)) }},
		{"nil of a number", "tree.size: nil is no value of type int", func(f *Finitization, n *Class) { f.Set("size", Nil) }},
		{"wrong objects", "tree.size: a *finite.node is no value of type int", func(f *Finitization, n *Class) { f.Set("size", n) }},
		{"another's objects", "the objects are another finitization's", func(f *Finitization, n *Class) { f.Set("root", foreign) }},
		{"bool", "tree.size: true is no value of type int", func(f *Finitization, n *Class) { f.Set("size", Bools()) }},
		{"each of a field", "tree.root: InOrder is for the elements of slices", func(f *Finitization, n *Class) { f.Set("root", InOrder(n)) }},
		{"fewer than no objects", "-1 objects: a class has 0 or more", func(f *Finitization, n *Class) { f.Objects(node{}, -1) }},
		{"no objects", "tree.root: an empty domain", func(f *Finitization, n *Class) { f.Set("root", f.Objects(node{}, 0)) }},
		{"no type", "want a named type", func(f *Finitization, n *Class) { f.Objects(nil, 1) }},
		{"lengths missing", "tree.all: its elements are set, and not its lengths", func(f *Finitization, n *Class) { f.Set("all[]", n) }},
	} {
		f := New(tree{})
		tt.do(f, f.Objects(node{}, 2))
		_, _, err := f.Resolve(reflect.TypeFor[tree]())
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
			continue
		}
		if tt.name != "lengths missing" && !strings.Contains(err.Error(), "finite_test.go:") {
			t.Errorf("%s: %v has no place", tt.name, err)
		}
	}
	if _, _, err := New(outer{}).Resolve(reflect.TypeFor[tree]()); err == nil {
		t.Error("a finitization of another type was taken")
	}
	f := New(outer{})
	f.Set("left", Nil)
	if err := f.Err(); err == nil || !strings.Contains(err.Error(), "embedded pointer") {
		t.Errorf("a field behind an embedded pointer: %v", err)
	}
}
