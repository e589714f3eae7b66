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
