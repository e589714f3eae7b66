package load

import "testing"

// TestFlags checks that constants which are to be combined as bits are told from enumerations.
func TestFlags(t *testing.T) {
	prog := mustLoad(t, `
-- go.mod --
module example.com/m

go 1.24
-- p/p.go --
package p

type Mode uint8

const (
	None Mode = 0
	Read Mode = 1 << (iota - 1)
	Write
	Run
	All = Read | Write | Run
)

type Color int

const (
	Red Color = iota
	Green
	Blue
	White
	Black
)

type Size int

const (
	Small Size = 1
	Large Size = 64
)

type Weight float64

const Heavy Weight = 8
`, "./p")
	want := map[string]uint64{"Mode": 7, "Color": 0, "Size": 0, "Weight": 0}
	for name, bits := range want {
		if got := Flags(prog.Packages[0].Types.Scope().Lookup(name).Type()); got != bits {
			t.Errorf("Flags(%s) = %b, want %b", name, got, bits)
		}
	}
}
