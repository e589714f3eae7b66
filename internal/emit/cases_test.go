package emit

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file reads cases from text: sequences as Go statements, type-checked in the
// package under test, and what was observed as Go expressions.
//
//	case ParseSize               the target; begins a case
//	path s == "" true            a branch decision
//	do b := New(1)               a statement, the last one is the test
//	got 3, nil                   what was observed of the statement above
//	final 0 []int{1}             an argument of the last statement after it
//	panic explicit "message"     the last statement panics
//	panicerr "message"           it panics with an error
//	bug kind message             the case is a finding
//	violated ensures result > 0  what the finding broke
//	at f.go:12                   where
//
// In "got", a sentinel's name is an error identical to it, wrap(ErrX, "text") one
// that wraps it, errorf("text") one by its message, opaque() what is not known.

// loadArchive type-checks the package in an archive.
func loadArchive(t *testing.T, name string, ar *txtar.Archive, fset *token.FileSet, imp types.Importer) *caseReader {
	t.Helper()
	r := &caseReader{t: t, fset: fset, imp: imp}
	pkg := &load.Package{Dir: "/src", Module: "example.com/m", GoVersion: "1.26", TestImports: map[string]bool{}, TestNames: map[string]bool{}, Literals: &load.Literals{}}
	pkg.Info = newInfo()
	for line := range strings.Lines(string(ar.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "go":
			pkg.GoVersion = value
		case "external":
			pkg.ExternalTests = true
		case "testimport":
			pkg.TestImports[value] = true
		case "lacks":
			r.lacks = append(r.lacks, value)
		case "testname":
			pkg.TestNames[value] = true
		}
	}
	for _, f := range ar.Files {
		if !strings.HasSuffix(f.Name, ".go") || strings.HasSuffix(f.Name, "_test.go") {
			continue
		}
		syntax, err := parser.ParseFile(fset, filepath.Join("/src", f.Name), f.Data, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		pkg.Syntax = append(pkg.Syntax, syntax)
	}
	pkg.Name = pkg.Syntax[0].Name.Name
	pkg.Path = "example.com/m/" + name
	r.pkg, r.info = pkg, pkg.Info
	for _, f := range ar.Files {
		if f.Name == "cases" {
			r.read(f.Data)
		}
	}
	src := r.source()
	file, err := parser.ParseFile(fset, "cases.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	conf := types.Config{Importer: imp, Error: func(err error) {
		if e := err.(types.Error); !e.Soft {
			t.Errorf("%v\n%s", err, src)
		}
	}}
	pkg.Types, _ = conf.Check(pkg.Path, fset, append(pkg.Syntax[:len(pkg.Syntax):len(pkg.Syntax)], file), pkg.Info)
	if t.Failed() {
		t.FailNow()
	}
	r.build(file)
	return r
}

func newInfo() *types.Info {
	return &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
}

// caseReader reads the cases of an archive.
type caseReader struct {
	t    *testing.T
	pkg  *load.Package
	fset *token.FileSet
	imp  types.Importer
	info *types.Info

	texts    []*caseText
	cases    []*testcase.Case
	lacks    []string // functions of testify that the version in use has not
	findings []*testcase.Finding

	refs map[types.Object]testcase.Ref
	b    testcase.Builder
}

// caseText is a case as it was read.
type caseText struct {
	c     *testcase.Case
	fd    *testcase.Finding // or nil
	lines []string
	got   map[int]string // by statement
	final map[int]string // by argument
}

// read reads the lines of the cases.
func (r *caseReader) read(data []byte) {
	var c *caseText
	sc := bufio.NewScanner(strings.NewReader(string(data)))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		key, rest, _ := strings.Cut(line, " ")
		switch key {
		case "", "#":
		case "case":
			c = &caseText{got: map[int]string{}, final: map[int]string{}}
			c.c = &testcase.Case{Package: r.pkg.Path, Target: rest, Engine: "test", Observed: &testcase.Outcome{Status: testcase.Returned}}
			r.texts = append(r.texts, c)
		case "path":
			i := strings.LastIndexByte(rest, ' ')
			c.c.Path = append(c.c.Path, testcase.Condition{Text: rest[:i], True: rest[i+1:] == "true"})
		case "do":
			c.lines = append(c.lines, rest)
		case "got":
			c.got[len(c.lines)-1] = rest
		case "final":
			k, value, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(k)
			if err != nil {
				r.t.Fatal(err)
			}
			c.final[n] = value
		case "panic":
			kind, msg, _ := strings.Cut(rest, " ")
			text, err := strconv.Unquote(msg)
			if err != nil {
				r.t.Fatal(err)
			}
			c.c.Observed.Status = testcase.Panicked
			c.c.Observed.Panic = &testcase.Panic{Kind: kind, Runtime: kind != "explicit", Message: text,
				Value: testcase.Value{Kind: testcase.String, Str: text, Len: len(text), TypeName: "string"}}
		case "panicerr": // an error with this message
			text, err := strconv.Unquote(rest)
			if err != nil {
				r.t.Fatal(err)
			}
			c.c.Observed.Status = testcase.Panicked
			c.c.Observed.Panic = &testcase.Panic{Kind: "explicit", Message: text,
				Value: testcase.Value{Kind: testcase.Pointer, TypeName: "*fmt.wrapError", Err: &testcase.ErrorInfo{Message: text}}}
		case "status":
			for s := testcase.NotRun; s <= testcase.Goexit; s++ {
				if s.String() == rest {
					c.c.Observed.Status = s
				}
			}
		case "bug":
			kind, msg, _ := strings.Cut(rest, " ")
			c.fd = &testcase.Finding{Kind: kind, Severity: testcase.Error, Message: msg, Case: c.c, Func: c.c.Target}
		case "violated":
			c.c.Observed.Violated = rest
		case "at":
			file, line, _ := strings.Cut(rest, ":")
			n, _ := strconv.Atoi(line)
			c.fd.Pos = token.Position{Filename: "/src/" + file, Line: n}
		default:
			r.t.Fatalf("unknown line %q", line)
		}
	}
}

// source returns the cases as one more file of the package: for each a function of
// its statements, then one for each of its observations.
func (r *caseReader) source() string {
	var all strings.Builder
	for _, c := range r.texts {
		all.WriteString("func _() {\n")
		for _, l := range c.lines {
			all.WriteString(l + "\n")
		}
		all.WriteString("}\n")
		for i := range c.lines {
			if g, ok := c.got[i]; ok {
				fmt.Fprintf(&all, "func _() { use(%s) }\n", g)
			}
		}
		for k := range 8 {
			if f, ok := c.final[k]; ok {
				fmt.Fprintf(&all, "func _() { use(%s) }\n", f)
			}
		}
	}
	var src strings.Builder
	fmt.Fprintf(&src, "package %s\n", r.pkg.Name)
	for _, p := range []string{"errors", "io", "math", "strings", "time", "strconv", "context", "fmt", "bytes"} {
		if strings.Contains(all.String(), p+".") {
			fmt.Fprintf(&src, "import %q\n", p)
		}
	}
	src.WriteString("func wrap(error, string) error { return nil }\nfunc errorf(string) error { return nil }\nfunc opaque() error { return nil }\n" +
		"func stub[T any](...any) (t T) { return }\nfunc use(...any) {}\n")
	return src.String() + all.String()
}

// build makes the cases of the type-checked file.
func (r *caseReader) build(file *ast.File) {
	var bodies []*ast.BlockStmt
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "_" {
			bodies = append(bodies, f.Body)
		}
	}
	next := func() *ast.BlockStmt {
		b := bodies[0]
		bodies = bodies[1:]
		return b
	}
	observation := func() []ast.Expr { return next().List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args }
	for _, c := range r.texts {
		r.b = testcase.Builder{}
		r.refs = map[types.Object]testcase.Ref{}
		var at []int // index of each line's statement
		for _, s := range next().List {
			r.statement(s)
			at = append(at, r.b.Len()-1)
		}
		seq := r.b.Sequence()
		ts := seq.ResultTypes()
		out := c.c.Observed
		out.At = seq.Len() - 1
		out.Results = make([][]testcase.Value, seq.Len())
		for i := range c.lines {
			if _, ok := c.got[i]; ok {
				for k, e := range observation() {
					out.Results[at[i]] = append(out.Results[at[i]], r.value(e, ts[at[i]][k]))
				}
			}
		}
		for k := range 8 {
			if _, ok := c.final[k]; ok {
				for len(out.Final) <= k {
					out.Final = append(out.Final, testcase.Value{})
				}
				a := seq.Last().Args[k]
				out.Final[k] = r.value(observation()[0], ts[a.Stmt][a.Result])
			}
		}
		c.c.Seq = seq
		if c.fd == nil {
			r.cases = append(r.cases, c.c)
			continue
		}
		if out.Panic != nil {
			out.Panic.Stack = []testcase.Frame{{Func: r.pkg.Path + "." + c.c.Target, Pos: c.fd.Pos}}
		}
		r.findings = append(r.findings, c.fd)
	}
}

// statement adds a statement of the body.
func (r *caseReader) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "close" {
				r.b.Add(&testcase.Operation{Kind: testcase.OpClose}, r.expr(call.Args[0], nil))
				return
			}
		}
		r.expr(s.X, nil)
	case *ast.SendStmt:
		c := r.expr(s.Chan, nil)
		r.b.Add(&testcase.Operation{Kind: testcase.OpSend}, c, r.expr(s.Value, r.info.TypeOf(s.Chan).Underlying().(*types.Chan).Elem()))
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			ref := r.expr(s.Rhs[0], nil)
			for k, l := range s.Lhs {
				if obj := r.info.Defs[l.(*ast.Ident)]; obj != nil {
					r.refs[obj] = testcase.Ref{Stmt: ref.Stmt, Result: k}
				}
			}
			return
		}
		switch l := s.Lhs[0].(type) {
		case *ast.SelectorExpr:
			x := r.expr(l.X, nil)
			r.b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: r.info.Selections[l].Obj().(*types.Var)}, x, r.expr(s.Rhs[0], r.info.TypeOf(l)))
		case *ast.IndexExpr:
			m := r.info.TypeOf(l.X).Underlying().(*types.Map)
			x, k := r.expr(l.X, nil), r.expr(l.Index, m.Key())
			r.b.Add(&testcase.Operation{Kind: testcase.OpSetIndex}, x, k, r.expr(s.Rhs[0], m.Elem()))
		case *ast.StarExpr:
			x := r.expr(l.X, nil)
			r.b.Add(&testcase.Operation{Kind: testcase.OpStore}, x, r.expr(s.Rhs[0], r.info.TypeOf(l)))
		case *ast.Ident:
			r.b.Add(&testcase.Operation{Kind: testcase.OpSetGlobal, Var: r.info.Uses[l].(*types.Var)}, r.expr(s.Rhs[0], r.info.TypeOf(l)))
		}
	default:
		r.t.Fatalf("statement %T", s)
	}
}

// expr adds the operations of an expression that is used as a value of type want
// (nil: its own).
func (r *caseReader) expr(e ast.Expr, want types.Type) testcase.Ref {
	e = ast.Unparen(e)
	tv := r.info.Types[e]
	t := types.Default(tv.Type)
	if b, ok := tv.Type.(*types.Basic); ok && b.Info()&types.IsUntyped != 0 && want != nil && !types.IsInterface(want) {
		t = want
	}
	if tv.IsNil() {
		return r.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: want})
	}
	if want != nil && types.IsInterface(want) && !types.IsInterface(t) {
		return r.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: want}, r.expr(e, nil))
	}
	if tv.Value != nil {
		return r.b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: literalOf(tv.Value, t)})
	}
	switch e := e.(type) {
	case *ast.Ident:
		obj := r.info.Uses[e]
		if ref, ok := r.refs[obj]; ok {
			return ref
		}
		return r.b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: obj.Type(), Var: obj.(*types.Var)})
	case *ast.CompositeLit:
		return r.composite(e, t)
	case *ast.UnaryExpr:
		return r.b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, r.expr(e.X, nil))
	case *ast.StarExpr:
		return r.b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: t}, r.expr(e.X, nil))
	case *ast.IndexExpr:
		return r.b.Add(&testcase.Operation{Kind: testcase.OpIndex, Type: t}, r.expr(e.X, nil), r.expr(e.Index, types.Typ[types.Int]))
	case *ast.SelectorExpr:
		sel := r.info.Selections[e]
		if sel == nil {
			obj := r.info.Uses[e.Sel].(*types.Var)
			return r.b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Type: t, Var: obj})
		}
		return r.b.Add(&testcase.Operation{Kind: testcase.OpField, Type: t, Var: sel.Obj().(*types.Var)}, r.expr(e.X, nil))
	case *ast.CallExpr:
		return r.call(e, t)
	}
	r.t.Fatalf("expression %T", e)
	panic("unreachable")
}

func (r *caseReader) composite(e *ast.CompositeLit, t types.Type) testcase.Ref {
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	for i, el := range e.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			switch u := t.Underlying().(type) {
			case *types.Struct:
				for k := range u.NumFields() {
					if u.Field(k).Name() == kv.Key.(*ast.Ident).Name {
						op.Elems = append(op.Elems, k)
						args = append(args, r.expr(kv.Value, u.Field(k).Type()))
					}
				}
			case *types.Map:
				args = append(args, r.expr(kv.Key, u.Key()), r.expr(kv.Value, u.Elem()))
			}
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			args = append(args, r.expr(el, u.Field(i).Type()))
		case *types.Slice:
			args = append(args, r.expr(el, u.Elem()))
		case *types.Array:
			args = append(args, r.expr(el, u.Elem()))
		}
	}
	if _, ok := t.Underlying().(*types.Slice); ok {
		op.N = len(args)
	}
	return r.b.Add(op, args...)
}

func (r *caseReader) call(e *ast.CallExpr, t types.Type) testcase.Ref {
	if ftv := r.info.Types[e.Fun]; ftv.IsType() {
		if r.info.Types[e.Args[0]].IsNil() {
			return r.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
		}
		if id, ok := e.Args[0].(*ast.Ident); ok { // Func(f) of a package-level function f
			if fn, ok := r.info.Uses[id].(*types.Func); ok {
				return r.b.Add(&testcase.Operation{Kind: testcase.OpFuncValue, Type: t, Func: fn})
			}
		}
		return r.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, r.expr(e.Args[0], nil))
	}
	fun := ast.Unparen(e.Fun)
	var targs []types.Type
	instance := func(id *ast.Ident) {
		in := r.info.Instances[id]
		for i := range in.TypeArgs.Len() {
			targs = append(targs, in.TypeArgs.At(i))
		}
	}
	switch ix := fun.(type) {
	case *ast.IndexExpr:
		fun = ix.X
	case *ast.IndexListExpr:
		fun = ix.X
	}
	op := &testcase.Operation{Kind: testcase.OpFunc, Spread: e.Ellipsis.IsValid()}
	var args []testcase.Ref
	switch fun := fun.(type) {
	case *ast.Ident:
		instance(fun)
		switch obj := r.info.Uses[fun].(type) {
		case *types.Func:
			op.Func = obj.Origin()
		case *types.Builtin: // make(chan T, n)
			mk := &testcase.Operation{Kind: testcase.OpMakeChan, Type: t}
			if len(e.Args) > 1 {
				n, _ := constant.Int64Val(r.info.Types[e.Args[1]].Value)
				mk.N = int(n)
			}
			return r.b.Add(mk)
		default:
			op.Kind = testcase.OpCallValue
			args = append(args, r.refs[obj])
		}
	case *ast.SelectorExpr:
		if sel := r.info.Selections[fun]; sel != nil {
			m := sel.Obj().(*types.Func)
			op.Kind, op.Func = testcase.OpMethod, m.Origin()
			if n := load.NamedOf(sel.Recv()); n != nil {
				for i := range n.TypeArgs().Len() {
					targs = append(targs, n.TypeArgs().At(i))
				}
			}
			args = append(args, r.expr(fun.X, nil))
		} else {
			instance(fun.Sel)
			op.Func = r.info.Uses[fun.Sel].(*types.Func).Origin()
		}
	}
	op.TypeArgs = targs
	if op.Func != nil && op.Func.Name() == "stub" {
		return r.stub(e, t)
	}
	sig := r.info.TypeOf(e.Fun).(*types.Signature)
	for k, a := range e.Args {
		var pt types.Type
		if n := sig.Params().Len(); sig.Variadic() && k >= n-1 && !op.Spread {
			pt = sig.Params().At(n - 1).Type().(*types.Slice).Elem()
		} else {
			pt = sig.Params().At(k).Type()
		}
		args = append(args, r.expr(a, pt))
	}
	return r.b.Add(op, args...)
}

// stub reads stub[T]("Method", results..., "Method", ...): scripted calls.
func (r *caseReader) stub(e *ast.CallExpr, t types.Type) testcase.Ref {
	op := &testcase.Operation{Kind: testcase.OpStubFunc, Type: t}
	var args []testcase.Ref
	if types.IsInterface(t) {
		op.Kind = testcase.OpStubIface
	}
	for i := 0; i < len(e.Args); {
		method := constant.StringVal(r.info.Types[e.Args[i]].Value)
		i++
		sig, _ := t.Underlying().(*types.Signature)
		if sig == nil {
			obj, _, _ := types.LookupFieldOrMethod(t, false, r.pkg.Types, method)
			sig = obj.Type().(*types.Signature)
		}
		c := testcase.StubCall{Method: method, From: len(args)}
		for k := range sig.Results().Len() {
			args = append(args, r.expr(e.Args[i], sig.Results().At(k).Type()))
			i++
		}
		c.To = len(args)
		op.Stub = append(op.Stub, c)
	}
	return r.b.Add(op, args...)
}

// exportImporter imports packages of the standard library from their export data, because to type-check net/http from source
// takes seconds.
func exportImporter(fset *token.FileSet) types.Importer {
	return importer.ForCompiler(fset, "gc", nil)
}

// packageImporter imports the package of an archive as its external tests do.
type packageImporter struct {
	types.Importer
	pkg *types.Package
}

func (i packageImporter) Import(path string) (*types.Package, error) {
	if path == i.pkg.Path() {
		return i.pkg, nil
	}
	return i.Importer.Import(path)
}

// typed is Config.Types. Files that import what is not in the standard library have no types.
func (r *caseReader) typed(path string, text []byte) *load.TypedTest {
	f, err := parser.ParseFile(r.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		r.t.Errorf("%v\n%s", err, text)
		return nil
	}
	if bytes.Contains(text, []byte("stretchr/testify")) {
		return nil
	}
	syntax, name := []*ast.File{f}, r.pkg.Path+"_test"
	if f.Name.Name == r.pkg.Name {
		syntax, name = slices.Concat(r.pkg.Syntax, syntax), r.pkg.Path
	}
	out := &load.TypedTest{Fset: r.fset, File: f, Info: newInfo()}
	conf := types.Config{Importer: packageImporter{r.imp, r.pkg.Types}}
	if _, err := conf.Check(name, r.fset, syntax, out.Info); err != nil {
		r.t.Errorf("%v\n%s", err, text)
		return nil
	}
	return out
}

// lack is Config.Lacks.
func (r *caseReader) lack(_, name string) bool { return slices.Contains(r.lacks, name) }
