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
		}
	}
}

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
		}
	}
}

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
	if got := string(withYields([]byte(src), f, offset, startedBodies([]*ast.File{f}, info))); got != want {
		t.Errorf("with yields:\n%s\nwant:\n%s", got, want)
	}
}

// Where there was no time to run the tests with goroutines in another order, those go whose calls start goroutines.
func TestTakeStarting(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": `package toy

func A(k int) int { return start(k) }

func B(k int) int { return k }

func start(k int) int {
	c := make(chan int, 1)
	go func() { c <- k }()
	return <-c
}
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := session.Config{Dir: dir, Timeout: 10 * time.Minute, Seed: 1}
	res, err := session.Each(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		v := &verifier{Session: s, starting: make(map[string]bool), work: t.TempDir()}
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
		bad := make(map[*testcase.Case]bool)
		d := &doubter{trial: &trial{v, suite, bad}}
		d.takeStarting()
		if !bad[cases[0]] || bad[cases[1]] {
			t.Errorf("taken out: A %t, B %t; want A alone", bad[cases[0]], bad[cases[1]])
		}
		return nil
	}})
	if err != nil || res.Failed {
		t.Fatalf("%v, failed: %t", err, res.Failed)
	}
}
