package emit

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A step that asserts nothing is written only where nothing else is.
func TestAsserting(t *testing.T) {
	silent, loud := step{c: &testcase.Case{}, silent: true}, step{c: &testcase.Case{}}
	for _, tt := range []struct {
		name       string
		steps      []step
		table      bool
		left, gone int
	}{
		{"one asserts", []step{silent, loud, silent}, false, 1, 2},
		{"none asserts", []step{silent, silent}, false, 1, 1},
		{"a table does", []step{silent}, true, 0, 1},
		{"no steps", nil, true, 0, 0},
	} {
		left, gone := asserting(tt.steps, tt.table)
		if len(left) != tt.left || len(gone) != tt.gone {
			t.Errorf("%s: %d steps left, %d gone, want %d and %d", tt.name, len(left), len(gone), tt.left, tt.gone)
		}
	}
}

// Of too many cases those stay that the rank puts first, and without a rank the first ones.
func TestWorthMost(t *testing.T) {
	a, b, c := &testcase.Case{Target: "A"}, &testcase.Case{Target: "B"}, &testcase.Case{Target: "C"}
	cases := []*testcase.Case{a, b, c}
	ranked := &generator{cfg: Config{Rank: func(x *testcase.Case) int { return -int(x.Target[0]) }}}
	if keep := ranked.worthMost(cases, 2); keep[a] || !keep[b] || !keep[c] {
		t.Errorf("by rank: %v", keep)
	}
	if keep := (&generator{}).worthMost(cases, 2); !keep[a] || !keep[b] || keep[c] {
		t.Errorf("without a rank: %v", keep)
	}
}
