package pair

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// TestTakeBack takes back single hunks of a change and checks that the result compiles and says what it should.
func TestTakeBack(t *testing.T) {
	old := loaded(t, "example.com/m", map[string]string{"m.go": `package m

import (
	"fmt"
	str "strings"
)

var (
	limit = 3
	other = "a"
)

func helper(n int) int { return n + 1 }

func F(s string) string {
	if len(s) > limit {
		return str.ToUpper(s)
	}
	return fmt.Sprint(s, other)
}

func G(n int) int { return helper(n) }
`})
	new := loaded(t, "example.com/m", map[string]string{"m.go": `package m

import "strconv"

var (
	limit = 4 // more
	other = "b"
)

func F(s string) string {
	if len(s) > limit {
		return strconv.Quote(s)
	}
	return s + other
}

func G(n int) int { return n + 2 }
`})
	p, err := Packages(old, new)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		hunk string // part of its new text
		gone bool
		want []string
		not  []string
	}{
		{"limit = 4", false, []string{"limit = 3 // more", `"b"`, "strconv.Quote"}, []string{"strings"}},
		{`other = "b"`, false, []string{`other = "a"`, "limit = 4"}, nil},
		{"strconv.Quote", false, []string{"str.ToUpper(s)", "return s + other", `import str "strings"`, `_ "strconv"`}, []string{"strconv.Quote"}},
		{"return s + other", false, []string{"fmt.Sprint(s, other)", `import fmt "fmt"`, "strconv.Quote"}, nil},
		{"return n + 2", true, []string{"return helper(n)", "func helper"}, nil},
	} {
		i := slices.IndexFunc(p.Hunks, func(h Hunk) bool { return strings.Contains(strings.Join(h.New.Text, "\n"), tt.hunk) })
		if i < 0 {
			t.Errorf("no hunk with %s in %v", tt.hunk, p.Hunks)
			continue
		}
		files, err := p.TakeBack([]int{i}, tt.gone)
		if err != nil {
			t.Errorf("%s: %v", tt.hunk, err)
			continue
		}
		text := string(files[p.Hunks[i].New.File])
		for _, w := range tt.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in\n%s", tt.hunk, w, text)
			}
		}
		for _, w := range tt.not {
			if strings.Contains(text, w) {
				t.Errorf("%s: %q in\n%s", tt.hunk, w, text)
			}
		}
		prog, err := load.Load(context.Background(), load.Config{Dir: new.Pkg.Dir, Overlay: files})
		if err != nil {
			t.Errorf("%s: %v", tt.hunk, err)
		} else if e := prog.Packages[0].Errors; len(e) > 0 {
			t.Errorf("%s: %v\n%s", tt.hunk, e, text)
		}
	}
}
