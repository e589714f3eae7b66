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

func TestAffected(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"a/a.go": `package a

import (
	"fmt"

	"example.com/m/b"
	_ "example.com/m/filler"
	"example.com/m/rates"
)

type Shape interface{ Area() int }

type Square struct{ side int }

func (s Square) Area() int { return s.side * s.side } // area

func (s Square) String() string { return "square" } // string

const (
	Zero = iota // zero
	One
)

var table = []int{1, 2} // table

func Direct(s Square) int { return s.Area() }

func Dynamic(s Shape) int { return s.Area() }

func Print(s Square) { fmt.Println(s) }

func Constant() int { return One }

func Lookup(i int) int { return table[i] }

func Through() int { return b.G() }

var filled, other int // filled

func init() { filled = start() } // init

func start() int { return 1 } // start

func Filled() int { return filled }

func NotFilled() int { return other }

func Alone() int { // alone
	return 1
}

func Rate(c string) int { return rates.Of[c] }

func Name(c string) string { return rates.Name(c) }

func Limit() int { return rates.Limit }
`,
		"rates/rates.go": `package rates

var Of = map[string]int{}

var names = map[string]string{}

var Limit = 7

func Add(c, name string) { names[c] = name }

func Name(c string) string { return names[c] }
`,
		"filler/filler.go": `package filler

import "example.com/m/rates"

var base = rates.Limit // base

func fill() { rates.Of["a"] = rate } // fill

var rate = 5 // rate

func init() { fill() } // init

var _ = add("a") // start

func add(c string) bool {
	rates.Add(c, "A") // add
	return base > len(names)
}

var names []string // names

func other() { rates.Limit = 8 } // other
`,
		"b/b.go": "package b\n\nfunc G() int { return h() }\n\nfunc h() int { return 1 } // h\n\nfunc Other() {} // other\n",
	}
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := Load(context.Background(), Config{Dir: dir}, "./a")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, line, want string }{
		{"a/a.go", "// area", "Direct Dynamic Print Square.Area"},
		{"a/a.go", "// string", "Print Square.String"},
		{"a/a.go", "// zero", "Constant"},
		{"a/a.go", "// table", "Lookup"},
		{"a/a.go", "// alone", "Alone"},
		{"a/a.go", "// init", "Filled init"},
		{"a/a.go", "// start", "Filled init start"},
		{"a/a.go", "type Square", "Direct Dynamic Print Square.Area Square.String"},
		{"b/b.go", "// h", "Through"},
		{"b/b.go", "// other", ""},
		{"filler/filler.go", "// fill", "Rate"},
		{"filler/filler.go", "// rate", "Rate"},
		{"filler/filler.go", "// init", "Rate"},
		{"filler/filler.go", "// start", "Name"},
		{"filler/filler.go", "// add", "Name"},
		{"filler/filler.go", "// other", ""},
	} {
		before, _, ok := strings.Cut(files[c.file], c.line)
		if !ok {
			t.Fatal("no line ", c.line)
		}
		n := 1 + strings.Count(before, "\n")
		got, err := prog.Affected(prog.Packages[0], map[string][]Lines{filepath.Join(dir, c.file): {{n, n}}})
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(slices.Sorted(maps.Keys(got)), " "); s != c.want {
			t.Errorf("%s: %q are affected, want %q", c.line, s, c.want)
		}
	}
}
