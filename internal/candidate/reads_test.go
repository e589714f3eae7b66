package candidate

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// plain is the predicate without instrumentation.
func (t *tree) plain() bool {
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
	return walk(t.root) && len(visited) == t.size
}

// TestReplay walks a space with the record of an earlier search's reads. Without the record a search through
// this space would not end in a lifetime.
func TestReplay(t *testing.T) {
	const size = 8
	collect := func(s *Search) (Result, []string) {
		var found []string
		s.Found = func() bool { found = append(found, fmt.Sprint(s.Space.Vector(nil))); return true }
		return s.Run(), found
	}
	s := treeSearch(t, size)
	s.Record = true
	want, structures := collect(s)
	text := EncodeReads(want.Reads)
	if len(text) > 2000 {
		t.Errorf("%d candidates take %d characters", want.Explored, len(text))
	}
	replay := func(size int, record []byte, pred func(*tree) bool) (Result, []string) {
		s := treeSearch(t, size)
		s.Replay = record
		s.Pred = func() bool { return pred((*tree)(s.Space.Root())) }
		return collect(s)
	}
	record, err := DecodeReads(text)
	if err != nil {
		t.Fatal(err)
	}
	got, again := replay(size, record, (*tree).plain)
	if got.Explored != want.Explored || got.Valid != want.Valid || !got.Complete || len(got.Problems) > 0 || !reflect.DeepEqual(again, structures) {
		t.Errorf("again: %+v, want %d of %d", got, want.Valid, want.Explored)
	}
	for name, r := range map[string]Result{
		"a predicate that holds less": first(replay(size, record, func(x *tree) bool { return x.plain() && x.root.left == nil })),
		"one that holds more":         first(replay(size, record, func(x *tree) bool { return true })),
		"one that panics":             first(replay(size, record, func(x *tree) bool { panic(name(x)) })),
		"other bounds":                first(replay(size-1, record, (*tree).plain)),
		"part of a record":            first(replay(size, record[:len(record)/2], (*tree).plain)),
	} {
		if len(r.Problems) != 1 || r.Problems[0].Kind != "reads" || r.Complete {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for _, bad := range []string{"", "!", "AAAA", EncodeReads(nil)} {
		if _, err := DecodeReads(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func first(r Result, _ []string) Result { return r }

func name(x *tree) string { return fmt.Sprint(x.size) }

// Texts have an order also where their type has a name of its own.
func TestOrder(t *testing.T) {
	type name string
	keys := []name{"pear", "fig", "apple", "plum"}
	slices.SortFunc(keys, order[name])
	if !slices.IsSorted(keys) {
		t.Errorf("the keys come as %q", keys)
	}
}
