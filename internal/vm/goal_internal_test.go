package vm

import (
	"testing"

	"github.com/goassay/assay/internal/term"
)

// Of what a condition mentions only variables are lengths. An array that is read at an index which is not constant has no
// value by itself, and asking for one used to end the machine.
func TestLengthsIn(t *testing.T) {
	m := &Machine{ts: term.NewStore()}
	length, index := m.ts.Var(64, "s.len"), m.ts.Var(64, "i")
	read := m.ts.Read(m.ts.NewArray("s", 64), index)
	inputs := m.ts.NewModel()
	inputs.Set(length, 3)
	inputs.Set(index, maxFill+1)
	got := m.lengthsIn(m.ts.Eq(read, length), inputs)
	if len(got) != 1 || got[length] != 3 {
		t.Errorf("lengthsIn = %v, want the length %d alone: 3", got, length)
	}
}
