package verify

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

func TestWithYields(t *testing.T) {
	const src = `package p

import "time"

func Later() {
	time.AfterFunc(1, func() {
		print(2)
	})
}

func Fill(c chan int) {
	go func() {
		for i := range 3 {
			c <- i
		}
	}()
	go drain(c)
	switch v := <-c; v {
	case 0:
		close(c)
	default: func() { print(v) }()
	}
}

func drain(c chan int) {
L:
	for {
		select {
		case _, ok := <-c:
			if !ok {
				break L
			}
			note()
		}
	}
}

func note() { print(3) }

var F = func() { print(1) }
`
	const want = `package p

import "time"

func Later() {
	assayYield("others"); time.AfterFunc(1, func() {
		assayYield("goroutines"); print(2)
	})
}

func Fill(c chan int) {
	assayYield("others"); go func() {
		assayYield("goroutines"); for i := range 3 {
			assayYield("goroutines"); c <- i
		}
	}()
	assayYield("others"); go drain(c)
	assayYield("others"); switch v := <-c; v {
	case 0:
		assayYield("others"); close(c)
	default: assayYield("others"); func() { assayYield("others"); print(v) }()
	}
}

func drain(c chan int) {
assayYield("goroutines"); L:
	for {
		assayYield("goroutines"); select {
		case _, ok := <-c:
			assayYield("goroutines"); if !ok {
				assayYield("goroutines"); break L
			}
			assayYield("goroutines"); note()
		}
	}
}

func note() { assayYield("shared"); print(3) }

var F = func() { print(1) }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
	if _, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	offset := func(n ast.Node) int { return fset.Position(n.Pos()).Offset }
	if got := string(withYields([]byte(src), f, offset, bodiesOf([]*ast.File{f}, info))); got != want {
		t.Errorf("with yields:\n%s\nwant:\n%s", got, want)
	}
}

// What a function returns depends on whether its goroutine is first. The test that holds on a quiet machine goes, and the one of
// the function that waits stays.
func TestTryYielding(t *testing.T) {
	inToy(t, `package toy

func A(k int) int {
	c := make(chan int, 1)
	go func() { c <- next(k) }()
	select {
	case n := <-c:
		return n
	default:
		return 7
	}
}

func next(k int) int {
	if k < 0 {
		k = 0
	}
	k++
	return k
}

func B(k int) int {
	c := make(chan int, 1)
	go func() { c <- k }()
	return <-c
}
`, func(d *doubter, cases []*testcase.Case) error {
		d.names = d.testNames(d.s)
		if err := d.tryYielding(t.Context()); err != nil {
			return err
		}
		if !d.bad[cases[0]] || d.bad[cases[1]] || d.orderly[cases[0]] || !d.orderly[cases[1]] {
			t.Errorf("taken out: A %t, B %t, in order: A %t, B %t; want A, and B", d.bad[cases[0]], d.bad[cases[1]], d.orderly[cases[0]], d.orderly[cases[1]])
		}
		return nil
	})
}

// Where there was no time to run the tests with goroutines in another order, those go whose calls start goroutines.
func TestTakeStarting(t *testing.T) {
	inToy(t, `package toy

func A(k int) int { return start(k) }

func B(k int) int { return k }

func start(k int) int {
	c := make(chan int, 1)
	go func() { c <- k }()
	return <-c
}
`, func(d *doubter, cases []*testcase.Case) error {
		d.takeStarting()
		if !d.bad[cases[0]] || d.bad[cases[1]] {
			t.Errorf("taken out: A %t, B %t; want A alone", d.bad[cases[0]], d.bad[cases[1]])
		}
		return nil
	})
}

// inToy calls do with a doubter of two tests, which say that A(7) and B(7) are 7.
func inToy(t *testing.T, source string, do func(*doubter, []*testcase.Case) error) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": source} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := session.Config{Dir: dir, Timeout: 10 * time.Minute, Seed: 1}
	res, err := session.Each(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		v := &verifier{Session: s, passed: make(map[*testcase.Case]bool), orderly: make(map[*testcase.Case]bool), work: t.TempDir()}
		var cases []*testcase.Case
		for _, name := range []string{"A", "B"} {
			seq := testcase.NewSequence(
				testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}}},
				testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: s.Pkg.Target(name).Obj}, Args: []testcase.Ref{{Stmt: 0}}},
			)
			seven := testcase.Value{Kind: testcase.Int, Type: types.Typ[types.Int], Bits: 7}
			cases = append(cases, &testcase.Case{Target: name, Engine: "toy", Seq: seq, Observed: &testcase.Outcome{Status: testcase.Returned, At: 1, Results: [][]testcase.Value{{seven}, {seven}}}})
		}
		suite, _, err := v.emitCompiling(cases)
		if err != nil {
			return err
		}
		return do(&doubter{trial: &trial{v, suite, make(map[*testcase.Case]bool)}}, cases)
	}})
	if err != nil || res.Failed {
		t.Fatalf("%v, failed: %t", err, res.Failed)
	}
}
