package pair

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
)

// What changes functions without a line in a declaration that they use is a line all the same: an import for its effect, the
// initialiser that runs at another time, the version of the language, and what only the start of the package calls.
func TestPackages_brought(t *testing.T) {
	files := map[string]string{
		"rates/r.go": "package rates\n\nvar Of = map[string]int{}\n\nfunc Add(c string, n int) { Of[c] = n }\n",
		"extra/e.go": "package extra\n\nimport \"m.org/m/rates\"\n\nfunc init() { rates.Add(\"FR\", 20) }\n",
		"m.go": `package m

import "m.org/m/rates"

var n = 10

func next() int { n++; return n }

var a = next()

var b = next()

func A(k int) int { return a + k }

func Tax(c string) int { return rates.Of[c] }

func Sum() (s int) {
	for i := 0; i < 3; i++ {
		s += i
	}
	return s
}
`,
	}
	with := func(edits ...string) map[string]string {
		out := maps.Clone(files)
		for i := 0; i < len(edits); i += 3 {
			out[edits[i]] = strings.ReplaceAll(out[edits[i]], edits[i+1], edits[i+2])
		}
		return out
	}
	imported := with("m.go", "package m\n", "package m\n\nimport (\n\t_ \"m.org/m/extra\"\n)\n")
	old := with()
	old["go.mod"] = "module m.org/m\n\ngo 1.21\n"
	for _, tt := range []struct {
		name     string
		old, new map[string]string
		hunk     string // as a reader sees it
		function string // what it is about
		back     string // what stands in the new version if it is taken back, or "" if it cannot be
	}{
		{"an import", with(), imported, "m.go:4: `_ \"m.org/m/extra\"` is new", "Tax", "(\n\t\n)"},
		{"an import that is gone", imported, with(), "m.go:2: `import _ \"m.org/m/extra\"` is gone", "Tax", "package m\nimport _ \"m.org/m/extra\""},
		{"another order", with(), with("m.go", "var a = next()\n\nvar b = next()", "var b = next()\n\nvar a = next()"),
			"m.go:9: `var b = next()` runs before a at the start, and ran after it", "A", ""},
		{"another language", old, with(), "go.mod:3: `go 1.24`, was `go 1.21`", "Sum", ""},
		{"a helper of the start", with(), with("m.go", "n++; return", "n += 2; return"), "m.go:7: `func next() int { n += 2; return n }`, was `func next() int { n++; return n }`", "A", "n++; return"},
	} {
		a, b := loaded(t, "m.org/m", maps.Clone(tt.old)), loaded(t, "m.org/m", maps.Clone(tt.new))
		p, err := Packages(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Hunks) != 1 || p.Hunks[0].String() != tt.hunk {
			t.Errorf("%s: hunks %v, want %s", tt.name, p.Hunks, tt.hunk)
			continue
		}
		h := p.Hunks[0]
		about := slices.Concat(p.FunctionsAt(h.Decl, true), p.FunctionsAt(h.Decl, false), p.StartedAt(h.Decl, true))
		if !slices.Contains(about, tt.function) {
			t.Errorf("%s: it is about %v, want %s among them", tt.name, about, tt.function)
		}
		i := slices.IndexFunc(p.Functions, func(f Function) bool { return f.New.Name == tt.function })
		if !p.Functions[i].Changed || !p.Reaches(p.Functions[i], 0) {
			t.Errorf("%s: %s does not reach it", tt.name, tt.function)
		}
		back, err := p.TakeBack([]int{0}, false)
		text := ""
		for _, src := range back {
			text = string(src)
		}
		if (err == nil) != (tt.back != "") || !strings.Contains(text, tt.back) {
			t.Errorf("%s: taken back it is %q, error %v; want %q", tt.name, text, err, tt.back)
		}
		if tt.back != "" && err == nil {
			prog, err := load.Load(context.Background(), load.Config{Dir: b.Pkg.Dir, Overlay: back})
			if err != nil || len(prog.Packages[0].Errors) > 0 {
				t.Errorf("%s: taken back it does not compile: %v %v", tt.name, err, prog)
			}
		}
	}
}
