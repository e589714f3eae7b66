package load

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The print of a function changes with everything that the function reaches, and with nothing else.
func TestFunctionPrints(t *testing.T) {
	const source = `package a

import (
	"example.com/m/b"
	_ "example.com/m/c"
)

type shape interface{ area() int }

type square struct{ n int }

// area is what other shapes have too.
func (s square) area() int { return s.n * s.n }

var table = []int{1, 2}

func Through() int { return helper() + table[0] }
func helper() int { return 1 }
func Far() int { return b.G() }
func Any(s shape) int { return s.area() }
func Alone() int { return 4 }

func init() { table[1] = 3 }
`
	const filler = `package c

import "example.com/m/rates"

func init() {
	rates.Of["a"] = 1
}
`
	dir := t.TempDir()
	put := func(name, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	take := func() (string, map[string]FunctionPrint) {
		t.Helper()
		prog, err := Load(context.Background(), Config{Dir: dir}, "./a")
		if err != nil {
			t.Fatal(err)
		}
		rest, functions, err := prog.FunctionPrints(prog.Packages[0], func(string) bool { return false })
		if err != nil {
			t.Fatal(err)
		}
		return rest, functions
	}
	put("go.mod", "module example.com/m\n\ngo 1.24\n")
	put("a/a.go", source)
	put("rates/rates.go", "package rates\n\nvar Of = map[string]int{}\n")
	put("c/c.go", filler)
	put("b/b.go", "package b\n\n//go:noinline\nfunc G() int { return 1 }\n")
	rest, first := take()
	for _, tt := range []struct {
		name, file, old, new string
		changed, moved       string
		rest                 bool
	}{
		{"nothing", "a/a.go", "", "", "", "", false},
		{"a callee", "a/a.go", "return 1 }", "return 2 }", "Through helper", "Through helper", false},
		{"a variable", "a/a.go", "{1, 2}", "{1, 3}", "Through init", "Through init", true},
		{"a method behind an interface", "a/a.go", "s.n * s.n", "s.n + s.n", "Any square.area", "Any square.area", false},
		{"the comment of a method", "a/a.go", "what other", "what no other", "Any square.area", "Any square.area", false},
		{"a function of its own", "a/a.go", "return 4", "return 5", "Alone", "Alone", false},
		{"a line more above", "a/a.go", "func Far", "\nfunc Far", "", "Alone Any Far init", false},
		{"init", "a/a.go", "= 3", "= 4", "init", "init", true},
		{"another package", "b/b.go", "package b\n\n//go:noinline\nfunc G() int { return 1 }\n", "package b\n\n//go:noinline\nfunc G() int { return 9 }\n", "Far", "Far", false},
		{"a package that is imported for its effect", "c/c.go", filler, strings.Replace(filler, "= 1", "= 2", 1), "", "", true},
	} {
		old := source
		if tt.file != "a/a.go" {
			old = tt.old
		}
		if !strings.Contains(old, tt.old) {
			t.Fatalf("%s: %q is not there", tt.name, tt.old)
		}
		put(tt.file, strings.Replace(old, tt.old, tt.new, 1))
		nowRest, now := take()
		put(tt.file, old)
		if got := strings.Join(slices.Sorted(maps.Keys(now)), " "); len(now) != len(first) {
			t.Fatalf("functions %s", got)
		}
		var changed, moved []string
		for _, f := range slices.Sorted(maps.Keys(now)) {
			if now[f].Text != first[f].Text {
				changed = append(changed, f)
			}
			if now[f] != first[f] {
				moved = append(moved, f)
			}
		}
		if got := strings.Join(changed, " "); got != tt.changed {
			t.Errorf("%s: changed %q, want %q", tt.name, got, tt.changed)
		}
		if got := strings.Join(moved, " "); got != tt.moved {
			t.Errorf("%s: changed or moved %q, want %q", tt.name, got, tt.moved)
		}
		if (nowRest != rest) != tt.rest {
			t.Errorf("%s: the rest changed: %v, want %v", tt.name, nowRest != rest, tt.rest)
		}
	}
}
