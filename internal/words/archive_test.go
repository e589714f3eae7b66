package words

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

var update = flag.Bool("update", false, "write the names into the archives")

// The archives in testdata have a small package, calls, and the names that the rows of one
// test get. A line of calls is
//
//	row New(2).Push(1) => nil | Len 0 -> 1, IsFull false -> false
//
// a chain of calls of which the last is the one to name, what it returned, and what
// observers said before and after. "call" in place of "row" is a call that is no row of
// the test; it counts as evidence. "=> panics "text"" is a panic; errorf("text") an error that
// is no sentinel. Under a call "path COND true" is a decision.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			a := readArchive(t, ar)
			var got bytes.Buffer
			for _, name := range New(a.pkg, a.fn, nil, nil, a.calls).Names(a.rows) {
				got.WriteString(name.Text)
				if !name.Proved {
					got.WriteString(" (not proved)")
				}
				if name.Clause != "" {
					got.WriteString(" | when " + name.Clause)
				}
				got.WriteByte('\n')
			}
			for i, f := range ar.Files {
				if f.Name != "names" || bytes.Equal(f.Data, got.Bytes()) {
					continue
				}
				if !*update {
					t.Errorf("got\n%s\nwant\n%s", got.String(), f.Data)
					n := New(a.pkg, a.fn, nil, nil, a.calls)
					for row := range a.rows {
						t.Logf("row %d", row+1)
						explain(t, n, row, a.rows)
					}
				}
				ar.Files[i].Data = got.Bytes()
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// archive is what was read of one.
type archive struct {
	t     *testing.T
	pkg   *load.Package
	fn    *types.Func
	calls []Call
	rows  []*testcase.Case
}

// readArchive type-checks the package and makes the calls.
func readArchive(t *testing.T, ar *txtar.Archive) *archive {
	t.Helper()
	a := &archive{t: t, pkg: &load.Package{Path: "example.com/p", Name: "p"}}
	a.pkg.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	fset := token.NewFileSet()
	parse := func(name string, data any) *ast.File {
		f, err := parser.ParseFile(fset, name, data, parser.ParseComments)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		return f
	}
	var lines []string
	src := bytes.NewBufferString("package p\nfunc use(...any) {}\nfunc errorf(string) error { return nil }\nfunc panics(string) error { return nil }\n")
	for _, f := range ar.Files {
		switch f.Name {
		case "p.go":
			a.pkg.Syntax = append(a.pkg.Syntax, parse("p.go", f.Data))
		case "calls":
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
					lines = append(lines, line)
				}
			}
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "path ") {
			continue
		}
		_, rest, _ := strings.Cut(line, " ")
		rest, observed, _ := strings.Cut(rest, " | ")
		call, results, _ := strings.Cut(rest, " => ")
		if msg, ok := strings.CutPrefix(results, "panics "); ok {
			results = "panics(" + msg + ")"
		}
		var said []string
		for part := range strings.SplitSeq(observed, "; ") {
			if _, values, ok := strings.Cut(part, " "); ok {
				before, after, _ := strings.Cut(values, " -> ")
				said = append(said, before, after)
			}
		}
		fmt.Fprintf(src, "func _() { use(%s); use(%s) }\nfunc _() { %s }\n", results, strings.Join(said, ", "), call)
	}
	file := parse("calls.go", src.String())
	conf := types.Config{Importer: stdlib{}, Error: func(err error) {
		if e := err.(types.Error); !e.Soft && !strings.Contains(e.Msg, "used as value") {
			t.Errorf("%v\n%s", err, src.String())
		}
	}}
	a.pkg.Types, _ = conf.Check("example.com/p", fset, append(a.pkg.Syntax[:1:1], file), a.pkg.Info)
	if t.Failed() {
		t.FailNow()
	}
	var bodies []*ast.BlockStmt
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "_" {
			bodies = append(bodies, f.Body)
		}
	}
	for _, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		if kind == "path" {
			i := strings.LastIndexByte(rest, ' ')
			c := a.calls[len(a.calls)-1].Case
			c.Path = append(c.Path, testcase.Condition{Text: rest[:i], True: rest[i+1:] == "true"})
			continue
		}
		_, observed, _ := strings.Cut(rest, " | ")
		a.call(bodies[1].List[0].(*ast.ExprStmt).X.(*ast.CallExpr), bodies[0].List, observed)
		bodies = bodies[2:]
		if kind == "row" {
			a.rows = append(a.rows, a.calls[len(a.calls)-1].Case)
		}
	}
	return a
}

// call makes a call of its line.
func (a *archive) call(e *ast.CallExpr, said []ast.Stmt, observed string) {
	var b testcase.Builder
	c := &testcase.Case{Package: a.pkg.Path, Engine: "test", Observed: &testcase.Outcome{Status: testcase.Returned}}
	ref := a.expr(&b, e, nil)
	c.Seq = b.Sequence()
	a.fn = c.Seq.At(ref.Stmt).Op.Func
	c.Target = testcase.TargetName(a.fn)
	o := c.Observed
	o.At = ref.Stmt
	o.Results = make([][]testcase.Value, c.Seq.Len())
	for i := range ref.Stmt { // what constructors made is there
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpFunc {
			o.Results[i] = []testcase.Value{{Kind: testcase.Pointer, Type: op.Func.Signature().Results().At(0).Type()}}
		}
	}
	results := said[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args
	for i, r := range results {
		if call, ok := r.(*ast.CallExpr); ok && types.ExprString(call.Fun) == "panics" {
			o.Status = testcase.Panicked
			o.Panic = &testcase.Panic{Kind: "explicit", Message: constant.StringVal(a.pkg.Info.Types[call.Args[0]].Value)}
			break
		}
		o.Results[ref.Stmt] = append(o.Results[ref.Stmt], a.value(r, a.fn.Signature().Results().At(i).Type()))
	}
	call := Call{Case: c}
	values := said[1].(*ast.ExprStmt).X.(*ast.CallExpr).Args
	i := 0
	for part := range strings.SplitSeq(observed, "; ") {
		name, _, ok := strings.Cut(part, " ")
		if !ok {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(a.fn.Signature().Recv().Type(), true, a.pkg.Types, name)
		f := obj.(*types.Func)
		t := f.Signature().Results().At(0).Type()
		call.Before = append(call.Before, Observation{f, a.value(values[i], t)})
		if o.Status == testcase.Returned {
			call.After = append(call.After, Observation{f, a.value(values[i+1], t)})
		}
		i += 2
	}
	a.calls = append(a.calls, call)
}

// expr adds the statements of an expression.
func (a *archive) expr(b *testcase.Builder, e ast.Expr, want types.Type) testcase.Ref {
	e = ast.Unparen(e)
	tv := a.pkg.Info.Types[e]
	t := tv.Type
	if want != nil && (tv.Value != nil || tv.IsNil()) && !types.IsInterface(want) {
		t = want
	}
	t = types.Default(t)
	if tv.IsNil() {
		return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: want})
	}
	if tv.Value != nil {
		v := constantValue(tv.Value, t)
		kinds := map[testcase.ValueKind]testcase.LitKind{testcase.Bool: testcase.LitBool, testcase.Int: testcase.LitInt, testcase.Uint: testcase.LitUint, testcase.Float: testcase.LitFloat, testcase.String: testcase.LitString}
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: kinds[v.Kind], Bits: v.Bits, Str: v.Str}})
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, a.expr(b, e.X, nil))
	case *ast.CompositeLit:
		op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
		var args []testcase.Ref
		for i, el := range e.Elts {
			switch u := t.Underlying().(type) {
			case *types.Slice:
				args = append(args, a.expr(b, el, u.Elem()))
			case *types.Map:
				kv := el.(*ast.KeyValueExpr)
				args = append(args, a.expr(b, kv.Key, u.Key()), a.expr(b, kv.Value, u.Elem()))
			case *types.Struct:
				args = append(args, a.expr(b, el, u.Field(i).Type()))
			}
		}
		return b.Add(op, args...)
	case *ast.CallExpr:
		if ftv := a.pkg.Info.Types[e.Fun]; ftv.IsType() {
			if a.pkg.Info.Types[e.Args[0]].IsNil() {
				return b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
			}
			return b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, a.expr(b, e.Args[0], nil))
		}
		op := &testcase.Operation{Kind: testcase.OpFunc}
		var args []testcase.Ref
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok {
			op.Kind = testcase.OpMethod
			op.Func = a.pkg.Info.Uses[sel.Sel].(*types.Func)
			args = append(args, a.receiver(b, sel.X))
		} else {
			op.Func = a.pkg.Info.Uses[e.Fun.(*ast.Ident)].(*types.Func)
		}
		sig := op.Func.Signature()
		for i, x := range e.Args {
			pt := sig.Params().At(min(i, sig.Params().Len()-1)).Type()
			if sig.Variadic() && i >= sig.Params().Len()-1 {
				pt = pt.(*types.Slice).Elem()
			}
			args = append(args, a.expr(b, x, pt))
		}
		return b.Add(op, args...)
	}
	a.t.Fatalf("expression %T", e)
	panic("unreachable")
}

// receiver adds the calls before the last of a chain, each on the object that the first
// of them made.
func (a *archive) receiver(b *testcase.Builder, e ast.Expr) testcase.Ref {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return a.expr(b, e, nil)
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	ref := a.expr(b, e, nil)
	for ok {
		call, ok = ast.Unparen(sel.X).(*ast.CallExpr)
		if !ok {
			break
		}
		ref = b.Sequence().At(ref.Stmt).Args[0]
		sel, ok = call.Fun.(*ast.SelectorExpr)
	}
	return ref
}

// value reads an observed value.
func (a *archive) value(e ast.Expr, t types.Type) testcase.Value {
	e = ast.Unparen(e)
	tv := a.pkg.Info.Types[e]
	switch {
	case tv.IsNil():
		return testcase.Value{Kind: testcase.Nil, Type: t}
	case gosyntax.IsError(t):
		if call, ok := e.(*ast.CallExpr); ok {
			return testcase.Value{Kind: testcase.Interface, Type: t, Err: &testcase.ErrorInfo{Message: constant.StringVal(a.pkg.Info.Types[call.Args[0]].Value)}}
		}
		v := a.pkg.Info.Uses[e.(*ast.Ident)].(*types.Var)
		return testcase.Value{Kind: testcase.Interface, Type: t, Err: &testcase.ErrorInfo{Message: v.Name(), Sentinels: []*types.Var{v}, Identical: true}}
	case tv.Value != nil:
		return constantValue(tv.Value, t)
	}
	var b testcase.Builder
	ref := a.expr(&b, e, t)
	return made(&testcase.Case{Seq: b.Sequence()}, ref, 0)
}
