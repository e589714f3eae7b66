package mutate

import (
	"slices"
	"testing"
)

// Mutants that are left out once stay left out.
func TestRestrict(t *testing.T) {
	a := &Analysis{wanted: []bool{false, true, true, false, true}}
	a.Restrict(func(id int) bool { return id < 4 })
	a.Restrict(func(id int) bool { return id != 1 })
	if want := []bool{false, false, true, false, false}; !slices.Equal(a.wanted, want) {
		t.Errorf("wanted: %v, want %v", a.wanted, want)
	}
}
