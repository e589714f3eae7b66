package literals

import (
	"strings"
	"testing"
)

// TestChoices reads which parameters and fields have declared constants as their values: those that are compared with two at
// least, with the others of the declaration. Values of types of their own, single bounds and characters are none.
func TestChoices(t *testing.T) {
	set := setOf(t, `
import "text/scanner"

type Level int

const (
	Normal = iota
	Tone
	Initials
	Also = Tone
	hidden = 7

	Loud Level = 9
)

const Max = 100

type Args struct {
	Style int
	Width int
}

func Apply(a Args) bool      { return a.Style == Tone || Initials != a.Style || a.Width == Max }
func Mode(mode int) string   { switch mode { case Normal: return "n"; case Tone: return "t" }; return "" }
func Letter(r rune) bool     { return r == Normal || r == Tone }
func Kind(token int) string  { switch token { case scanner.Ident: return "i"; case scanner.EOF: return "e" }; return "" }
func Width(width int) bool   { return width == scanner.GoTokens } // with one alone it is a bound
func Local() bool            { n := 3; return n == Normal || n == Tone }
`, "")
	got := make(map[string]string)
	for place, consts := range set.Choices {
		got[place.Name()] = strings.Join(names(consts), " ")
	}
	want := map[string]string{"Style": "Normal Tone Initials", "mode": "Normal Tone Initials", "token": "Ident EOF"}
	for place, consts := range want {
		if got[place] != consts {
			t.Errorf("%s is one of %q, want %q", place, got[place], consts)
		}
		delete(got, place)
	}
	if len(got) > 0 {
		t.Errorf("there are also %v", got)
	}
}
