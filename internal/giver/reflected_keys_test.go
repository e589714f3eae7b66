package giver

import (
	"slices"
	"testing"
)

// The key that names a field is none of those that say something more of it.
func TestSorted(t *testing.T) {
	for _, tt := range []struct {
		keys, switches []string
		main, defaults string
	}{
		{[]string{"env-prefix", "env-layout", "env-default", "env-upd", "env"}, []string{"env-prefix", "env-layout", "env-upd"}, "env", "env-default"},
		{[]string{"env", "envDefault", "envSeparator"}, []string{"envSeparator"}, "env", "envDefault"},
		{[]string{"json", "jsonapi"}, nil, "json", ""},
		{[]string{"validate", "label"}, nil, "validate", ""},
	} {
		main, defaults, switches := sorted(tt.keys, "p")
		if main != tt.main || defaults != tt.defaults || !slices.Equal(switches, tt.switches) {
			t.Errorf("sorted(%q) = %q, %q, %q; want %q, %q, %q", tt.keys, main, defaults, switches, tt.main, tt.defaults, tt.switches)
		}
	}
}
