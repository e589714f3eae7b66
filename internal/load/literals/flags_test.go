package literals

import (
	"go/types"
	"strings"
	"testing"
)

// TestFlags reads which parameters are sets of flags: by masks in the function or in those that it passes them on to. A
// single constant makes no set, and neither do constants of several bits, unexported ones and comparisons.
func TestFlags(t *testing.T) {
	set := setOf(t, `
const (
	A = 1 << iota
	B
	C
	Same = B
	hidden
	All = A | B | C
)

func Masks(name string, flags int) (int, bool) { return flags & B, flags&(A|Same) != 0 || flags&hidden != 0 }
func Clears(flags uint) uint                    { return flags &^ A & C }
func PassesOn(name string, opts int) int        { n, _ := Masks(name, opts); return n }
func Single(n int) bool                         { return n&A != 0 }
func Mask(n int) int                            { return n & All }
func Compares(n int) bool                       { return n == A || n == B }

type T struct{}

func (T) Method(name string, mode int) bool { return mode&A != 0 && mode&C == 0 }
`, "")
	got := make(map[string]string)
	for fn, params := range set.Flags {
		for at, flags := range params {
			got[fn.Name()+" "+fn.Signature().Params().At(at).Name()] = strings.Join(names(flags), " ")
		}
	}
	want := map[string]string{"Masks flags": "A B", "PassesOn opts": "A B", "Method mode": "A C"}
	for place, flags := range want {
		if got[place] != flags {
			t.Errorf("%s takes %q, want %q", place, got[place], flags)
		}
		delete(got, place)
	}
	if len(got) > 0 {
		t.Errorf("there are also %v", got)
	}
}

func names(consts []*types.Const) []string {
	var out []string
	for _, c := range consts {
		out = append(out, c.Name())
	}
	return out
}
