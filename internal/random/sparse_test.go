package random_test

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// A package of which few different sequences can be made, here by changing the constants in the train of another engine, is
// done when new ones become rare. Looking for the last of them would take minutes, although nearly nothing runs.
func TestSparse(t *testing.T) {
	s := open(t, source(`package p

//assay:assume
func assume(bool) {}

type Train struct {
	wagons []int
	power  int
}

func Pull(t Train) int {
	assume(t.power > 3)
	if len(t.wagons) == 4 && t.wagons[3] == t.power {
		return 4
	}
	return 0
}
`))
	var b testcase.Builder
	power := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 4}})
	train := b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: s.pkg.Types.Scope().Lookup("Train").Type(), Elems: []int{1}}, power)
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: s.pkg.Target("Pull").Obj}, train)
	if _, res := s.run(t, random.Config{Seed: 1, Known: []*testcase.Sequence{b.Sequence()}}); res.Sequences > 20_000 || res.Ops > random.DefaultOps/4 {
		t.Errorf("%d sequences, which took %d operations", res.Sequences, res.Ops)
	}
}
