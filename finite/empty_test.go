package finite

import (
	"strings"
	"testing"
)

type shade interface{ Dark() bool }

type black struct{}

func (black) Dark() bool { return true }

type gray struct{ n int }

func (g gray) Dark() bool { return g.n > 9 }

type paint struct {
	shade shade
	n     int
}

func (p *paint) RepOK() bool { return p.n == 0 && p.shade != nil && p.shade.Dark() }

// TestEmpty finds a structure with an empty struct in an interface. A value that is no such struct is
// refused.
func TestEmpty(t *testing.T) {
	f := New(paint{})
	f.Set("shade", Nil, Empty(black{}))
	var found []shade
	Each(f, (*paint).RepOK, func(p *paint) { found = append(found, p.shade) })
	if len(found) != 1 || found[0] != (black{}) {
		t.Errorf("found %v, want one black", found)
	}
	for _, bad := range []struct {
		field string
		value any
		want  string
	}{
		{"shade", gray{}, "no struct type without fields"},
		{"shade", nil, "no struct type without fields"},
		{"shade", struct{}{}, "is no value of type"},
		{"n", black{}, "is no value of type"},
	} {
		f := New(paint{})
		f.Set(bad.field, Empty(bad.value))
		if err := f.Err(); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("Empty(%T) for %s: %v, want %q", bad.value, bad.field, err, bad.want)
		}
	}
}
