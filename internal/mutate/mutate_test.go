package mutate_test

import (
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

// loadModule writes the files of an archive to a new directory and loads its package p.
func loadModule(t testing.TB, a *txtar.Archive) (*load.Program, *load.Package) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./p")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range prog.Packages[0].Errors {
		t.Fatal(e)
	}
	return prog, prog.Packages[0]
}

// build builds the mutants of a package with the test files of its directory as the
// suite.
func build(t testing.TB, prog *load.Program, pkg *load.Package, cfg mutate.Config) *mutate.Analysis {
	t.Helper()
	for _, name := range pkg.TestFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Suite = append(cfg.Suite, gotest.File{Path: name, Content: src})
	}
	if testing.Verbose() {
		cfg.Log = os.Stderr
	}
	a, err := mutate.Build(t.Context(), prog, pkg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// TestSuite runs the archives in testdata: the verdicts are below the mutants.
func TestSuite(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := &ar.Files[len(ar.Files)-1]
			if want.Name != "verdicts" {
				t.Fatal("the last file is not verdicts")
			}
			mod := &txtar.Archive{Files: ar.Files[:len(ar.Files)-1]}
			prog, pkg := loadModule(t, mod)
			a := build(t, prog, pkg, mutate.Config{})
			vs, err := a.Suite(t.Context(), mutate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(vs, a.Tests()); got != string(want.Data) {
				if *update {
					want.Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Errorf("got\n%s\nwant\n%s", got, want.Data)
			}
		})
	}
}

// show writes a line for each verdict, and the score.
func show(vs []mutate.Verdict, tests []string) string {
	var b strings.Builder
	for _, v := range vs {
		m := v.Mutant
		fmt.Fprintf(&b, "%d:%d %s %s: %s: ", m.Pos.Line, m.Pos.Column, m.Func, m.Operator, m.Text)
		switch {
		case !v.Run:
			b.WriteString("not run")
		case v.Killed && tests != nil:
			fmt.Fprintf(&b, "killed by %s (%s)", tests[v.By[0]], v.How)
		case v.Killed:
			fmt.Fprintf(&b, "killed by %d (%s)", v.By, v.How)
		case v.Covered:
			b.WriteString("survives")
		default:
			b.WriteString("not covered")
		}
		b.WriteString("\n")
	}
	s := mutate.Sum(vs)
	fmt.Fprintf(&b, "%d of %d killed, %d covered\n", s.Killed, s.Mutants, s.Covered)
	return b.String()
}

// source returns an archive of a module of a Go version with one package p.
func source(version, src string) *txtar.Archive {
	return &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo " + version + "\n")},
		{Name: "p/p.go", Data: []byte(src)},
	}}
}

// calls returns a case for each argument: a call of the package's function F.
func calls(pkg *load.Package, args ...int) []*testcase.Case {
	f := pkg.Types.Scope().Lookup("F").(*types.Func)
	var out []*testcase.Case
	for _, x := range args {
		var b testcase.Builder
		n := b.Add(&testcase.Operation{
			Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: uint64(x)},
		})
		b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: f}, n)
		out = append(out, &testcase.Case{Package: pkg.Path, Target: "F", Seq: b.Sequence()})
	}
	return out
}

// TestCases checks which cases notice which mutants, and in which way. With Options.All every case is run on
// every mutant that it reaches.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		name, version, src, want string
		stateful                 bool
	}{
		{
			name: "all", version: "1.24",
			src: `package p

func F(x int) []int {
	var out []int
	for i := 0; i < x; i++ {
		out = append(out, i)
	}
	if x == 2 {
		panic("two")
	}
	return out
}
`,
			want: `3:21 F body: the body of F is left out: killed by [1 2] (result)
5:11 F constant: 0 becomes 0+1: killed by [1] (result)
5:14 F boundary: i < x becomes i <= x: killed by [0 1] (result)
5:14 F negation: i < x becomes i >= x: killed by [0 1] (hang)
5:21 F math: i++ becomes --: killed by [1 2] (hang)
5:2 F once: for i := 0; i < x; i++ ends after its first turn: survives
6:3 F removal: out = append(out, i) is removed: killed by [1] (result)
6:21 F read: i reads as its zero value: survives
8:5 F negation: x == 2 becomes x != 2: killed by [0 1 2] (panic)
11:9 F return: out is returned as the zero value: killed by [1] (result)
8 of 10 killed, 10 covered
`,
		},
		{
			name: "locks, which no test by itself notices", version: "1.24",
			src: `package p

import "sync"

var (
	mu   sync.RWMutex
	once sync.Once
)

func F(x int) int {
	mu.RLock()
	defer mu.RUnlock()
	once.Do(func() {})
	return x
}
`,
			want: `10:19 F body: the body of F is left out: killed by [1 2] (result)
13:2 F removal: once.Do(func() {}) is removed: survives
14:9 F return: x is returned as the zero value: killed by [1 2] (result)
2 of 3 killed, 3 covered
`,
		},
		{
			name: "a language without generics, and its files' constraints", version: "1.16",
			src: `//go:build linux || !linux

package p

func F(x int) int {
	for {
		if x > 3 {
			continue
		}
		return x + 1
	}
}
`,
			want: `5:19 F body: the body of F is left out: killed by [0 1 2] (result)
7:6 F boundary: x > 3 becomes x >= 3: survives
7:6 F negation: x > 3 becomes x <= 3: killed by [0 1 2] (hang)
7:10 F constant: 3 becomes 3+1: survives
10:10 F return: x + 1 is returned as the zero value: killed by [0 1 2] (result)
10:10 F math: x + 1 becomes -: killed by [0 1 2] (result)
4 of 6 killed, 6 covered
`,
		},
		{
			name: "a mutant that the state of an earlier run would hide", version: "1.24", stateful: true,
			src: `package p

var cache = map[int]int{}

func F(x int) int {
	if _, ok := cache[x]; !ok {
		cache[x] = x * 2
	}
	return cache[x]
}
`,
			want: `5:19 F body: the body of F is left out: killed by [1 2] (result)
6:20 F read: x reads as its zero value: killed by [1] (result)
6:25 F negation: ok is inverted: killed by [1 2] (result)
7:3 F removal: cache[x] = x * 2 is removed: killed by [1 2] (result)
7:9 F read: x reads as its zero value: killed by [1 2] (result)
7:14 F math: x * 2 becomes /: killed by [1 2] (result)
9:9 F return: cache[x] is returned as the zero value: killed by [1 2] (result)
9:15 F read: x reads as its zero value: killed by [1 2] (result)
8 of 8 killed, 8 covered
`,
		},
		{
			name: "fields of literals", version: "1.21",
			src: `package p

type point struct{ x, y int }

func F(x int) int {
	p := point{x: x, y: abs(x)}
	return p.x + 10*p.y
}

func abs(x int) int { return max(x, -x) }
`,
			want: `5:19 F body: the body of F is left out: killed by [1 2] (result)
6:13 F field: x: x is left out: killed by [1 2] (result)
6:19 F field: y: abs(x) is left out: killed by [1 2] (result)
6:22 F argument: abs(x) becomes x: survives
6:26 F read: x reads as its zero value: killed by [1 2] (result)
7:9 F return: p.x + 10*p.y is returned as the zero value: killed by [1 2] (result)
7:9 F math: p.x + 10*p.y becomes -: killed by [1 2] (result)
7:9 F forget: p.x + 10*p.y loses its left operand: killed by [1 2] (result)
7:15 F math: 10*p.y becomes /: killed by [0 2] (panic)
10:30 abs return: max(x, -x) is returned as the zero value: killed by [1 2] (result)
10:37 abs sign: -x becomes x: survives
9 of 11 killed, 11 covered
`,
		},
		{
			name: "what is read", version: "1.24",
			src: `package p

import "strconv"

type label struct{ text string }

var names = map[string]string{"0": "zero"}

func F(x int) int {
	digits := []int{3, 4, 5}
	l := label{strconv.Itoa(x)}
	return digits[x] + len(names[l.text]) + int(int8(x))
}
`,
			want: `9:19 F body: the body of F is left out: killed by [0 1 2] (result)
10:18 F constant: 3 becomes 3+1: killed by [0] (result)
10:21 F constant: 4 becomes 4+1: killed by [1] (result)
10:24 F constant: 5 becomes 5+1: killed by [2] (result)
11:26 F read: x reads as its zero value: killed by [1 2] (result)
12:9 F return: digits[x] + len(names[l.text]) + int(int8(x)) is returned as the zero value: killed by [0 1 2] (result)
12:9 F math: digits[x] + len(names[l.text]) + int(int8(x)) becomes -: killed by [1 2] (result)
12:9 F forget: digits[x] + len(names[l.text]) + int(int8(x)) loses its left operand: killed by [0 1 2] (result)
12:9 F math: digits[x] + len(names[l.text]) becomes -: killed by [0] (result)
12:9 F forget: digits[x] + len(names[l.text]) loses its left operand: killed by [0 1 2] (result)
12:9 F index: digits[x] takes the first element: killed by [1 2] (result)
12:31 F read: l.text reads as its zero value: killed by [0] (result)
12 of 12 killed, 12 covered
`,
		},
		{
			name: "what is assumed is not mutated, and means what it says", version: "1.24",
			src: `package p

//assay:assume
func assume(bool) {}

func F(x int) int {
	assume(x > 0)
	return x - 1
}
`,
			want: `6:19 F body: the body of F is left out: killed by [2] (result)
8:9 F return: x - 1 is returned as the zero value: killed by [2] (result)
8:9 F math: x - 1 becomes +: killed by [1 2] (result)
3 of 3 killed, 3 covered
`,
		},
		{
			name: "a mutant that spoils the state", version: "1.24",
			src: `package p

var limit = 10

func F(x int) int {
	if x > 100 {
		limit = 0
	}
	return min(x, limit)
}
`,
			want: `5:19 F body: the body of F is left out: killed by [1 2] (result)
6:5 F boundary: x > 100 becomes x >= 100: survives
6:5 F negation: x > 100 becomes x <= 100: killed by [1 2] (result)
6:9 F constant: 100 becomes 100+1: survives
7:3 F removal: limit = 0 is removed: not covered
7:11 F constant: 0 becomes 0+1: not covered
9:9 F return: min(x, limit) is returned as the zero value: killed by [1 2] (result)
3 of 7 killed, 5 covered
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog, pkg := loadModule(t, source(c.version, c.src))
			a := build(t, prog, pkg, mutate.Config{Stateful: c.stateful})
			vs, err := a.Cases(t.Context(), calls(pkg, 0, 1, 2), mutate.Options{All: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(vs, nil); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// The options bound the runs: with Most not more than that many cases are run on a mutant, and with Pair
// only the pairs of cases and mutants that it selects.
func TestCasesBounds(t *testing.T) {
	prog, pkg := loadModule(t, source("1.24", "package p\n\nfunc F(x int) int { return x + 1 }\n"))
	a := build(t, prog, pkg, mutate.Config{})
	killers := func(opt mutate.Options) int {
		t.Helper()
		opt.All = true
		vs, err := a.Cases(t.Context(), calls(pkg, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), opt)
		if err != nil {
			t.Fatal(err)
		}
		return len(vs[0].By)
	}
	if got := killers(mutate.Options{}); got != 10 {
		t.Errorf("%d cases kill the first mutant, want 10", got)
	}
	if got := killers(mutate.Options{Most: 2}); got != 2 {
		t.Errorf("with Most 2, %d cases kill the first mutant, want 2", got)
	}
	if got := killers(mutate.Options{Pair: func(k, _ int) bool { return k == 3 }}); got != 1 {
		t.Errorf("with one pair, %d cases kill the first mutant, want 1", got)
	}
}

// Cases that change package-level variables are run on no mutant. The other cases then need no processes of
// their own.
func TestCasesChanges(t *testing.T) {
	prog, pkg := loadModule(t, source("1.24", `package p

var count int

func F(x int) int {
	if x > 1 {
		count++
	}
	return x + 1
}
`))
	changes := func(s *testcase.Sequence) bool { return s.At(0).Op.Lit.Bits > 1 }
	a := build(t, prog, pkg, mutate.Config{Stateful: true, Changes: changes})
	vs, err := a.Cases(t.Context(), calls(pkg, 0, 1, 2), mutate.Options{All: true})
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, v := range vs {
		if slices.Contains(v.By, 2) {
			t.Errorf("%s is killed by the case that changes a variable", v.Mutant.Text)
		}
		if v.Killed {
			killed++
		}
	}
	if killed == 0 {
		t.Error("no other case kills a mutant")
	}
}
