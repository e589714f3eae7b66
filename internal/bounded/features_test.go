package bounded

import (
	"context"
	"errors"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// TestFeatures compares the counts of two implementations: of the native search, which asks the predicate
// about every candidate that differs in what was read, and of the lazy machine.
func TestFeatures(t *testing.T) {
	ctx := context.Background()
	prog, err := load.Load(ctx, load.Config{Dir: "testdata/features"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors[0])
	}
	tests := []struct {
		typ  string
		size int
		want int64
		lazy bool
	}{
		{"Embedded", 3, 212, true},
		{"Items", 2, 1051, true},
		{"List", 4, 781, true},
		{"Drawing", 3, 151, true},
		{"Helped", 3, 189, true},
		{"Library", 2, 120, true},
		{"Printed", 3, 23, false},
		{"Graph", 2, 2983, true},
		{"Ruled", 3, 2690, true},
	}
	var searches []native.Search
	var watched []*types.Func
	for _, tt := range tests {
		s, _, err := search(prog, pkg, &Enumeration{Type: tt.typ, Size: tt.size})
		if err != nil {
			t.Fatal(err)
		}
		searches = append(searches, s)
		watched = append(watched, observed(pkg, s.Checks)...)
	}
	h, err := native.Build(ctx, prog, pkg, native.Config{Observe: watched, Searches: searches})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for i, tt := range tests {
		var counts, lazily Counts
		e := &Enumeration{Type: tt.typ, Size: tt.size, Workers: 2}
		if err := (where{h, prog, pkg}).enumPart(ctx, searches[i], e, &counts); err != nil || !counts.Complete || len(counts.Problems) > 0 {
			t.Errorf("%s: %+v, %v", tt.typ, counts, err)
			continue
		}
		if counts.Valid != tt.want {
			t.Errorf("%s: %d valid, want %d", tt.typ, counts.Valid, tt.want)
		}
		why, err := where{h, prog, pkg}.countLazily(ctx, searches[i], e, &lazily)
		if err != nil || (why == "") != tt.lazy {
			t.Errorf("%s: lazily: %q, %v", tt.typ, why, err)
			continue
		}
		if tt.lazy && lazily.Valid != counts.Valid {
			t.Errorf("%s: %d valid natively, %d lazily", tt.typ, counts.Valid, lazily.Valid)
		}
		t.Logf("%s: %d of %d, %d paths %s", tt.typ, counts.Valid, counts.Explored, lazily.Paths, why)
	}

	// If the time is up, the count so far is a lower bound.
	s, _, err := search(prog, pkg, &Enumeration{Type: "List", Size: 7})
	if err != nil {
		t.Fatal(err)
	}
	var counts Counts
	stopped, stop := context.WithCancel(ctx)
	e := &Enumeration{Type: "List", Size: 7, Progress: func(explored, valid int64) { stop() }}
	if err := (where{h, prog, pkg}).enumPart(stopped, s, e, &counts); !errors.Is(err, context.Canceled) || counts.Complete || counts.Explored == 0 || counts.Valid == 0 {
		t.Errorf("stopped: %+v, %v", counts, err)
	}
}
