package random

import (
	"math/rand/v2"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// A constant that occurs in a function is passed to the function twice as often as constants that occur in
// other functions.
func TestHints(t *testing.T) {
	own := &load.Literals{Strings: []string{"own"}}
	all := &load.Literals{Strings: []string{"own", "other"}, ByFunc: map[string]*load.Literals{"Parse": own}}
	e := &engine{pkg: &load.Package{Literals: all}, rnd: rand.New(rand.NewPCG(1, 1))}
	const rounds = 3000
	for _, tt := range []struct {
		now  string
		want int // of the rounds, in thousands
	}{
		{"Parse", 2},
		{"Format", 0},
	} {
		e.now = tt.now
		n := 0
		for range rounds {
			if e.hints() == own {
				n++
			}
		}
		if n < 1000*tt.want-150 || n > 1000*tt.want+150 {
			t.Errorf("%s: its own literals %d times of %d, want about %d", tt.now, n, rounds, 1000*tt.want)
		}
	}
	e.pkg.Literals = nil
	if l := e.hints(); len(l.Strings) != 0 {
		t.Errorf("hints without literals: %q", l.Strings)
	}
}
