package bounded

import (
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// What a call returns has to satisfy its invariant like what it was given, unless the call says that it failed.
func TestResults(t *testing.T) {
	prog, err := load.Load(t.Context(), load.Config{Dir: "testdata/results"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		t.Fatal(pkg.Errors[0])
	}
	want := map[string]string{
		"Stack": "RepOK of result 1", "Flat": "RepOK of result 1", "Box.Unchecked": "RepOK of result 1", "Span.Back": "invariant s.from <= s.to",
		"Turned": "", "Checked": "", "Box.Square": "",
	}
	plans, err := plansOf(prog, pkg, Config{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := native.Config{}
	for _, p := range plans {
		cfg.Observe = append(cfg.Observe, observed(pkg, p.search.Checks)...)
		p.search.Spec, p.search.Types = p.bounds.spec(2)
		cfg.Searches = append(cfg.Searches, p.search)
	}
	h, err := native.Build(t.Context(), prog, pkg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for i, p := range plans {
		var failures []string
		s := cfg.Searches[i]
		s.Found = func(f native.Found) {
			// Nil pointers, which nothing forbids, are another matter.
			if f.Failure != "" && !strings.HasPrefix(f.Failure, "panic") && !slices.Contains(failures, f.Failure) {
				failures = append(failures, f.Failure)
			}
		}
		if res, err := h.Search(t.Context(), s); err != nil || !res.Complete || res.Valid == 0 {
			t.Errorf("%s: %+v, %v", p.target, res, err)
		}
		failure, ok := want[p.target.Name]
		if delete(want, p.target.Name); !ok || len(failures) > 1 || len(failures) == 1 && failures[0] != failure || len(failures) == 0 && failure != "" {
			t.Errorf("%s: failures are %q, want %q", p.target, failures, failure)
		}
	}
	if len(want) > 0 {
		t.Errorf("these have no search: %v", want)
	}
}
