package load

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

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

// Constants without a type belong to the type whose name they begin with, if it has no others.
func TestConstantsOf(t *testing.T) {
	prog := mustLoad(t, `
-- go.mod --
module example.com/m

go 1.24
-- p/p.go --
package p

type Kind uint8

const (
	KindText = iota
	KindList
	kindLast
	Kinder   = 1
	KindHuge = 1000
)

type Level uint8

const (
	LevelLow Level = 1
	LevelTop       = 2
)

type Mode uint8

const (
	Run Mode = 1 << iota
	Read
	Write
	Last
	ReadRun = Read | Run
)
`, "./p")
	scope := prog.Packages[0].Types.Scope()
	names := func(list []*types.Const) string {
		var out []string
		for _, c := range list {
			out = append(out, c.Name())
		}
		return strings.Join(out, " ")
	}
	for name, want := range map[string]string{"Kind": "KindList KindText kindLast", "Level": "LevelLow"} {
		if got := names(ConstantsOf(scope.Lookup(name).Type())); got != want {
			t.Errorf("ConstantsOf(%s) = %s, want %s", name, got, want)
		}
	}
	if got, want := names(FlagsOf(scope.Lookup("Mode").Type())), "Run Read Write Last"; got != want {
		t.Errorf("FlagsOf(Mode) = %s, want %s", got, want)
	}
	if got := FlagsOf(scope.Lookup("Level").Type()); got != nil {
		t.Errorf("FlagsOf(Level) = %v, want none", got)
	}
}

// An answer of a service that embeds an error of another package is passed as no error; a type that is called an error is.
func TestIsAnswer(t *testing.T) {
	prog := mustLoad(t, `
-- go.mod --
module example.com/m

go 1.24
-- wire/wire.go --
package wire

type Failure struct{ Code int }

func (f *Failure) Error() string { return "failed" }
-- p/p.go --
package p

import "example.com/m/wire"

type Card struct {
	wire.Failure
	Number string
}

type CardError struct {
	wire.Failure
	Number string
}

type own struct{}

func (own) Error() string { return "own" }
`, "./p")
	pkg := prog.Packages[0]
	for name, want := range map[string]bool{"Card": true, "CardError": false, "own": false} {
		if got := IsAnswer(types.NewPointer(pkg.Types.Scope().Lookup(name).Type())); got != want {
			t.Errorf("IsAnswer(*%s) = %t, want %t", name, got, want)
		}
	}
	got := fmt.Sprint(prog.Implementations(types.Universe.Lookup("error").Type().Underlying().(*types.Interface), pkg))
	if want := "[*example.com/m/p.CardError example.com/m/p.own *example.com/m/wire.Failure]"; got != want {
		t.Errorf("errors %s, want %s", got, want)
	}
}
