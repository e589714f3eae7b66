package testcase

import (
	"go/types"
	"strings"
	"testing"
)

// Two types of a package have helpers of one name that list their elements, and one type has two that do so in different
// ways. None may be taken for another.
func TestHelper_Key(t *testing.T) {
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	helper := func(text string) *Helper {
		return &Helper{Name: "elements", Sig: sig, Text: text, Func: types.NewFunc(0, types.NewPackage("elements", "elements"), "elements", sig)}
	}
	pop, shift := helper("func «.»(d *Deque) { d.Pop() }"), helper("func «.»(d *Deque) { d.Shift() }")
	if pop.Key() == shift.Key() {
		t.Errorf("helpers with other texts have one key, %s", pop.Key())
	}
	if again := helper(pop.Text); again.Key() != pop.Key() {
		t.Errorf("one helper has two keys, %s and %s", pop.Key(), again.Key())
	}
	dump := func(h *Helper) string {
		return NewSequence(Statement{Op: &Operation{Kind: OpFunc, Func: h.Func, Via: h}}).Dump()
	}
	if dump(pop) == dump(shift) || !strings.Contains(dump(pop), "via=") {
		t.Errorf("calls of two helpers are dumped alike: %s", dump(pop))
	}
}
