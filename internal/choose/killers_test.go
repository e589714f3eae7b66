package choose

import (
	"maps"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

func TestCheapestFields(t *testing.T) {
	field := func(i int) testcase.FieldRef { return testcase.FieldRef{Field: i} }
	for _, tt := range []struct {
		name string
		by   map[testcase.FieldRef][]int
		want map[testcase.FieldRef]bool
	}{
		{"nothing", nil, map[testcase.FieldRef]bool{}},
		{"the first of two alike", map[testcase.FieldRef][]int{field(2): {1, 2}, field(1): {1, 2}}, map[testcase.FieldRef]bool{field(1): true}},
		{"the one that notices most first", map[testcase.FieldRef][]int{field(1): {1}, field(2): {1, 2, 3}, field(3): {4}},
			map[testcase.FieldRef]bool{field(2): true, field(3): true}},
	} {
		if got := cheapestFields(tt.by); !maps.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
