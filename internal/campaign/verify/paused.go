package verify

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/goassay/assay/internal/gotest"
)

// A test that sets ten milliseconds and looks at once at what happens before they are over passes here, and fails on a
// machine that is busy for a moment in between. The suite therefore also runs with a pause before each statement of the
// tests that speak of short times or ask for the present one.

// pause is how long a test waits before each statement. It is longer than the waits of milliseconds that assay itself
// chooses for tests.
const pause = 40 * time.Millisecond

// pausedTime is how long the tests with pauses may take. Large tables have hundreds of them.
const pausedTime = 5 * time.Minute

// tryPaused takes out the tests that fail if they are slow.
func (d *doubter) tryPaused(ctx context.Context) error {
	files := make(map[string]string)
	for _, f := range d.s.Files {
		names := make([]string, 0, len(f.Tests))
		for _, t := range f.Tests {
			if slices.Contains(d.names, t.Name) {
				names = append(names, t.Name)
			}
		}
		text, err := withPauses(f.Content, names)
		if err != nil {
			return fmt.Errorf("reading %s again: %w", f.Path, err)
		}
		if text == nil {
			continue
		}
		files[f.Path] = filepath.Join(d.work, "paused"+strconv.Itoa(len(files))+"_test.go")
		if err := os.WriteFile(files[f.Path], text, 0o600); err != nil {
			return err
		}
	}
	if len(files) == 0 {
		return nil
	}
	b, err := d.build(ctx, "paused.test", files)
	if err != nil {
		return err
	}
	return d.try(ctx, b, gotest.Trial{Timeout: pausedTime}, "if it is slow")
}

// withPauses returns the text of a file in which the named tests have a pause before each statement, on the
// same line as the statement, if they depend on how time passes. It returns nil if none of them does.
func withPauses(src []byte, names []string) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, 0)
	if err != nil {
		return nil, err
	}
	var at []int
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || fn.Body == nil || !slices.Contains(names, fn.Name.Name) || !speaksOfShortTimes(fn.Body) {
			continue
		}
		for _, s := range stepsOf(fn.Body) {
			at = append(at, fset.Position(s.Pos()).Offset)
		}
	}
	if at == nil {
		return nil, nil
	}
	slices.Sort(at)
	var out bytes.Buffer
	from := 0
	for _, i := range at {
		out.Write(src[from:i])
		fmt.Fprintf(&out, "time.Sleep(%d); ", pause)
		from = i
	}
	out.Write(src[from:])
	return out.Bytes(), nil
}

// speaksOfShortTimes reports whether a test has durations below a second, or asks what time it is.
func speaksOfShortTimes(body *ast.BlockStmt) bool {
	some := false
	ast.Inspect(body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return !some
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
			switch sel.Sel.Name {
			case "Now", "Millisecond", "Microsecond", "Nanosecond":
				some = true
			}
		}
		return !some
	})
	return some
}

// stepsOf returns the statements of a test and of its subtests. What a branch or a stand-in does is not among them, since
// it is part of a step.
func stepsOf(body *ast.BlockStmt) []ast.Stmt {
	var out []ast.Stmt
	for _, s := range body.List {
		switch s := s.(type) {
		case *ast.RangeStmt:
			out = append(out, stepsOf(s.Body)...)
			continue
		case *ast.ExprStmt:
			if sub := subtestOf(s.X); sub != nil {
				out = append(out, stepsOf(sub)...)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// subtestOf returns the body of the function that a call of t.Run is given, or nil for any other expression.
func subtestOf(e ast.Expr) *ast.BlockStmt {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Run" {
		return nil
	}
	fn, ok := call.Args[1].(*ast.FuncLit)
	if !ok {
		return nil
	}
	return fn.Body
}
