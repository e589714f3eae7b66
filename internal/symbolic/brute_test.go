package symbolic

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A path is the sequence of decided branches and implicit checks. This test has Go itself count the paths.
// The subjects' source is rewritten so that every condition is noted when it is decided; the program is
// compiled, and runs on every input of a small domain. Two runs with different decisions, with a panic in
// different lines, or with different boolean results (which the machine decides at the end) are different
// paths. Neither side merges paths. A decision on a value that is no symbol depends on the earlier
// decisions.
func TestPathCountsAgainstBruteForce(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it compiles a program")
	}
	src := t.TempDir()
	for _, pattern := range []string{"../vm/testdata/paths/*", "testdata/brute/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(src, filepath.Base(f)), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	subjects := []struct {
		name  string
		bytes int
	}{
		{"SmallTriangle", 3}, {"SmallBubble5", 5}, {"SmallBST4", 4}, {"SmallBST5", 5}, {"SmallExpr5", 5}, {"SmallExpr6", 6},
		{"SmallRegexp5", 5}, {"SmallBase64x4", 4}, {"SmallChecks", 5}, {"SmallSwitch", 4},
	}
	var main strings.Builder
	main.WriteString(countSource)
	for _, s := range subjects {
		fmt.Fprintf(&main, "\tcount(%q, func(x [%d]byte) { note(%s(x)) })\n", s.name, s.bytes, s.name)
	}
	main.WriteString("}\n")
	counts := bruteForce(t, src, main.String())

	prog, pkg := subject(t, src)
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			res, err := Run(context.Background(), Subject{prog, pkg, pkg.Target(s.name)}, Config{Count: true}, func(*testcase.Case) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("%d return, %d panic", res.Stops["return"], res.Stops["panic"])
			if want := counts[s.name]; got != want || !res.Complete || res.Partial {
				t.Errorf("the machine has %s (complete %v, partial %v, %v); brute force %q", got, res.Complete, res.Partial, res.Stops, want)
			}
			t.Log(got)
		})
	}
}

// bruteForce compiles the instrumented package in dir with a main function and returns
// what it prints for each subject.
func bruteForce(t *testing.T, dir, main string) map[string]string {
	t.Helper()
	out := t.TempDir()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		file.Name.Name = "main"
		instrument(file)
		var buf bytes.Buffer
		if err := format.Node(&buf, fset, file); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, filepath.Base(f)), buf.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"main.go": main, "go.mod": "module brute\n\ngo 1.26\n"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = out
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	counts := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, n, _ := strings.Cut(strings.TrimSpace(line), ": ")
		counts[name] = n
	}
	return counts
}

// instrument makes every condition that decides a branch a call of decide.
func instrument(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			n.Cond = decided(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				n.Cond = decided(n.Cond)
			}
		case *ast.BinaryExpr: // if the left side is no condition, the value of the whole depends on it
			if n.Op == token.LAND || n.Op == token.LOR {
				n.X = decided(n.X)
			}
		case *ast.SwitchStmt:
			tag := n.Tag
			if tag != nil {
				if n.Init != nil {
					panic("a switch with a statement and a tag")
				}
				n.Init = &ast.AssignStmt{Lhs: []ast.Expr{ast.NewIdent("tag")}, Tok: token.DEFINE, Rhs: []ast.Expr{tag}}
				n.Tag = nil
			}
			for _, c := range n.Body.List {
				list := c.(*ast.CaseClause).List
				for i, e := range list {
					if tag != nil {
						e = &ast.BinaryExpr{X: ast.NewIdent("tag"), Op: token.EQL, Y: e}
					}
					list[i] = decided(e)
				}
			}
		}
		return true
	})
}

// decided notes the operands of a condition in the order in which they are decided.
func decided(e ast.Expr) ast.Expr {
	switch x := e.(type) {
	case *ast.ParenExpr:
		x.X = decided(x.X)
		return x
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			x.X = decided(x.X)
			return x
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			x.X, x.Y = decided(x.X), decided(x.Y)
			return x
		}
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "decide" {
			return x
		}
	}
	return &ast.CallExpr{Fun: ast.NewIdent("decide"), Args: []ast.Expr{e}}
}

// countSource is the program around the instrumented subjects, up to the calls of count.
const countSource = `package main

import (
	"fmt"
	"reflect"
	"runtime"
)

var signature []byte

func decide(c bool) bool {
	if c {
		signature = append(signature, 1)
	} else {
		signature = append(signature, 0)
	}
	return c
}

// note adds the boolean results.
func note(results ...any) {
	for _, r := range results {
		if b, ok := r.(bool); ok {
			decide(b)
		}
	}
}

func count[T any](name string, run func(T)) {
	returns, panics := map[string]bool{}, map[string]bool{}
	var x T
	v := reflect.ValueOf(&x).Elem()
	for i := range 1 << (3 * v.Len()) {
		for k := range v.Len() {
			v.Index(k).SetUint(uint64(i >> (3 * k) & 7))
		}
		signature = signature[:0]
		if where := attempt(func() { run(x) }); where == "" {
			returns[string(signature)] = true
		} else {
			panics[string(signature)+where] = true
		}
	}
	fmt.Printf("%s: %d return, %d panic\n", name, len(returns), len(panics))
}

// attempt returns where f panicked and with what kind of error, "" if it did not.
func attempt(f func()) (where string) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		pcs := make([]uintptr, 20)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
		for more := true; more; {
			var fr runtime.Frame
			if fr, more = frames.Next(); len(fr.Function) > 5 && fr.Function[:5] == "main." {
				text := fmt.Sprint(r)
				kind := ""
				for _, c := range text {
					if c == '[' {
						break
					}
					kind += string(c)
				}
				where = fmt.Sprint(fr.Function, fr.Line, kind)
				return
			}
		}
	}()
	f()
	return ""
}

func main() {
`
