package load

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Packages register by calls in init functions and by the initial values of variables. A function that only
// makes something registers nothing.
func TestRegistrants(t *testing.T) {
	prog := mustLoad(t, `
-- go.mod --
module example.com/m

go 1.26
-- m.go --
package m

import (
	_ "example.com/m/byinit"
	_ "example.com/m/byvar"
	_ "example.com/m/makes"
	_ "example.com/m/short"
	_ "example.com/m/late"
)
-- kinds/kinds.go --
package kinds

import "sync"

type Kind struct{ name string }

var all sync.Map
var count int
var mu sync.Mutex

func New(name string) Kind { mu.Lock(); defer mu.Unlock(); return Kind{name} }

func Register(name string) Kind { return keep(New(name)) }

func keep(k Kind) Kind { all.Store(k.name, k); return k }

func Count() int { count := 0; count++; return count }
-- byinit/i.go --
package byinit

import "example.com/m/kinds"

func init() { kinds.Register("a") }
-- byvar/v.go --
package byvar

import k "example.com/m/kinds"

var B, b = k.Register("b"), 2
-- short/s.go --
package short

var C = []any{register("c")}
-- short/register.go --
package short

import "example.com/m/kinds"

var register = kinds.Register
-- makes/m.go --
package makes

import "example.com/m/kinds"

var D, n = kinds.New("d"), kinds.Count()
-- late/l.go --
package late

import "example.com/m/kinds"

var F = func() kinds.Kind { return kinds.Register("e") }
`, ".")
	got := prog.Registrants(prog.Packages[0], "example.com/m/kinds")
	if want := []string{"example.com/m/byinit", "example.com/m/byvar", "example.com/m/short"}; !slices.Equal(got, want) {
		t.Errorf("registered with kinds: %q, want %q", got, want)
	}
}

// The directory of the tool chain is the one that the go command names.
func TestGOROOT(t *testing.T) {
	prog := mustLoad(t, "-- go.mod --\nmodule example.com/m\n\ngo 1.26\n-- m.go --\npackage m\n\nimport \"strings\"\n\nvar X = strings.ToUpper(\"x\")\n")
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if want := strings.TrimSpace(string(out)); err != nil || prog.GOROOT() != want {
		t.Errorf("the tool chain is in %q, want %q, %v", prog.GOROOT(), want, err)
	}
}
