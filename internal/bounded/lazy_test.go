package bounded

import (
	"context"
	"go/types"
	"testing"
	"time"

	"github.com/goassay/assay/internal/bounded/lazy"
	"github.com/goassay/assay/internal/candidate"
)

// spec returns the specification of a structure's finitization, and the types that the numbers in it denote.
func (s *structures) spec(t testing.TB, name string, size int) (*candidate.Spec, []types.Type, types.Type) {
	t.Helper()
	search := s.search(t, name, size)
	search.Only = true
	res, err := s.h.Search(context.Background(), search)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := shapeOf(s.pkg, search.Root, res.Spec, res.Types)
	if err != nil {
		t.Fatal(err)
	}
	return res.Spec, shape.types, search.Root
}

// TestLazyCounts compares the counts of the lazy machine with those of the original implementation.
func TestLazyCounts(t *testing.T) {
	s := newStructures(t)
	for _, k := range allCounts() {
		for i, want := range k.counts {
			size := k.first + i
			if k.name == "RedBlackTree" && size > 8 && !long() {
				continue // this structure alone takes seconds
			}
			spec, typ, root := s.spec(t, k.name, size)
			fn := s.prog.LookupMethod(types.NewPointer(root), s.pkg.Types, "RepOK")
			began := time.Now()
			got, err := countWith(context.Background(), 1+i%2, func() (*lazy.Counter, error) { return lazy.NewCounter(s.prog, fn, spec, typ) }, func(lazy.Result) {})
			if err != nil || got.Valid != want[0] {
				t.Errorf("%s %d: %d valid on %d paths (%v), want %d", k.name, size, got.Valid, got.Paths, err, want[0])
			}
			t.Logf("%s %d: %d on %d paths in %v", k.name, size, got.Valid, got.Paths, time.Since(began))
		}
	}
}
