package plain

import (
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Durations is a way to write durations of a few nanoseconds, which solvers and reducers choose, as that many
// tens of milliseconds. Seconds would make a test wait that sleeps.
func Durations(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	const few, unit = 1000, int64(10 * time.Millisecond)
	meant := meantAsTheyAre(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		op := st.Op
		n := int64(op.Lit.Bits)
		if meant[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Type == nil || !isDuration(op.Type) || n <= -few || n >= few || n == 0 {
			continue
		}
		lit, _ := testcase.IntLiteral(types.Typ[types.Int64], n*unit)
		stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		changed = true
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}
