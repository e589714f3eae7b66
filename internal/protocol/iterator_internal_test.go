package protocol

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// An iterator that is only ranged over panics where it goes on, and one that is called by hand does not.
func TestOnlyRanged(t *testing.T) {
	const source = `package m

import (
	"iter"
	"slices"
)

type Fleet struct{ boats []string }

func (f *Fleet) All() iter.Seq[string]      { return slices.Values(f.boats) }
func (f *Fleet) Each(yield func(string) bool) { f.All() }
func (f *Fleet) Names() iter.Seq[string]    { return slices.Values(f.boats) }
func (f *Fleet) Kept() iter.Seq[string]     { return slices.Values(f.boats) }
func (f *Fleet) Unused() iter.Seq[string]   { return slices.Values(f.boats) }
func Count(n int) iter.Seq[int]             { return nil }

func (f *Fleet) First() string {
	for b := range f.Each {
		return b
	}
	for b := range (f.Names()) {
		return b
	}
	return ""
}

func (f *Fleet) Sorted() []string { return slices.Sorted(f.Names()) }

func (f *Fleet) Has(name string) (found bool) {
	seq := f.Kept()
	seq(func(b string) bool { found = b == name; return !found })
	for range Count(3) {
	}
	return found
}
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	pkg := p.Packages[0]
	for name, want := range map[string]bool{"Fleet.All": false, "Fleet.Each": true, "Fleet.Names": true, "Fleet.Kept": false, "Fleet.Unused": true, "Count": true} {
		if got := OnlyRanged(pkg, pkg.Target(name).Obj); got != want {
			t.Errorf("OnlyRanged(%s) = %t, want %t", name, got, want)
		}
	}
}
