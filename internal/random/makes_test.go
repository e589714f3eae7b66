package random_test

import (
	"fmt"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/protocol"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// TestMakes covers every statement of functions whose arguments generators of harnesses often cannot make:
// any, interfaces over unexported types, instances of generic types, methods behind variables, functions,
// options, variadics, maps, channels, and inputs that only a corpus has.
func TestMakes(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/makes.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, ar)
	var covered testcase.Cover
	var missing []string
	for seed := range uint64(25) { // what one seed reaches is chance, and the engine reaches less on a busy machine
		cases, res := s.run(t, random.Config{Seed: seed, Checks: protocol.Of(s.pkg, nil)})
		for _, c := range cases {
			covered.Union(c.Observed.Cover)
		}
		missing = nil
		for i, b := range s.h.Blocks() {
			if b.Stmts > 0 && !covered.Has(i) {
				missing = append(missing, fmt.Sprintf("%s:%d", b.Func, b.Pos.Line))
			}
		}
		if missing == nil {
			return
		}
		t.Logf("not covered up to seed %d, %d sequences: %s", seed, res.Sequences, missing)
	}
	t.Errorf("not covered: %s", missing)
}
