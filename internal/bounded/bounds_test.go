package bounded

import (
	"testing"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// A receiver that is a pointer is not nil; what a receiver without a pointer has first may well be.
func TestInputOf(t *testing.T) {
	prog, err := load.Load(t.Context(), load.Config{Dir: "testdata/features"})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	for method, want := range map[string]bool{"Chain.Len": true, "List.Len": false} {
		in := inputOf(pkg, pkg.Target(method))
		b := boundsOf(pkg, in.root, in.needed)
		if got := b.fields[0].domain[0].kind == candidate.Nil; got != want {
			t.Errorf("the first field of an input of %s may be nil: %t, want %t", method, got, want)
		}
	}
}
