package session

import (
	"go/parser"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// Two clauses contradict each other if no number satisfies both comparisons.
func TestExcludes(t *testing.T) {
	s := &Session{Pkg: &load.Package{Types: types.NewPackage("p", "p")}}
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"result > 0", "result < 0", true},
		{"result > 0", "0 > result", true},
		{"result >= 0", "result <= 0", false},
		{"result > 0", "result <= 0", true},
		{"result == 3", "result < 3", true},
		{"result != 3", "result == 3", true},
		{"result == 3", "result >= 3", false},
		{"result > 3", "result > 9", false},
		{"result < -1.5 && n > 0", "result > 2", true},
		{"result > 3", "n < 3", false},
		{"result > 3 || n > 0", "result < 3", false},
		{"len(result) == 1", "len(result) > 1", true},
		{"result > n", "result < n", true},
		{"result > n", "n > result", true},
		{"result >= n", "n >= result", false},
		{"result == n", "n != result", true},
		{"result == n", "result != m", false},
		{"result == n", "result == n+1", false}, // large floats keep both
		{"len(result) == len(xs) && n > 0", "len(result) < len(xs)", true},
	} {
		got := false
		for _, a := range comparisonsIn(t, s, tt.a) {
			for _, b := range comparisonsIn(t, s, tt.b) {
				got = got || a.excludes(b)
				if a.excludes(b) != b.excludes(a) {
					t.Errorf("%s and %s: the order matters", tt.a, tt.b)
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s and %s: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func comparisonsIn(t *testing.T, s *Session, text string) []comparison {
	e, err := parser.ParseExpr(text)
	if err != nil {
		t.Fatal(err)
	}
	return s.comparisons(e)
}
