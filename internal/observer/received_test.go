package observer

import (
	"go/types"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What tells of a channel is what comes from it, also in a field of what a call returns; nothing is received from channels that one
// can only send to.
func TestReceive(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	result := types.NewNamed(types.NewTypeName(0, pkg, "Result", nil), types.NewStruct(nil, nil), nil)
	in := types.NewChan(types.RecvOnly, result)
	told := Told(in)
	if len(told) != 1 || !told[0].Received() {
		t.Fatalf("Told(%v) = %v, want that something is received", in, told)
	}
	steps := told[0].Steps(in, nil)
	if len(steps) != 1 || !Receives(steps[0]) || Receives(&testcase.Operation{}) {
		t.Fatalf("Steps(%v) = %v, want one that receives", in, steps)
	}
	h := steps[0].Via
	for _, want := range []string{"ch <-chan «example.com/m».Result) (v «example.com/m».Result, open bool)", "case v, open = <-ch:", "t.Fatal("} {
		if !strings.Contains(h.Text, want) || !strings.Contains(h.Brief, want) {
			t.Errorf("%q is not in\n%s\nand\n%s", want, h.Text, h.Brief)
		}
	}
	if h.Text == h.Brief || !strings.Contains(h.Text, "5 * «time».Second") {
		t.Errorf("a test waits no longer than a harness:\n%s", h.Text)
	}
	if got := Told(types.NewChan(types.SendOnly, result)); len(got) != 0 {
		t.Errorf("of a channel that one can only send to %v is told", got)
	}
	fields := []*types.Var{types.NewField(0, pkg, "C", in, false), types.NewField(0, pkg, "done", in, false)}
	task := types.NewNamed(types.NewTypeName(0, pkg, "Task", nil), types.NewStruct(fields, nil), nil)
	if got := Told(types.NewPointer(task)); len(got) != 1 || got[0].Path != "C" || !got[0].Received() {
		t.Errorf("Told(*Task) = %v, want what comes from C", got)
	}
}
