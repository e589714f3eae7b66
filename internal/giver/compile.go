package giver

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// source is the type-checked code of a family.
type source struct {
	text    string
	fset    *token.FileSet
	file    *ast.File
	info    *types.Info
	pkg     *types.Package
	bad     map[*ast.FuncDecl]bool // the declaration does not compile with the library in use
	helpers map[*types.Func]*testcase.Helper
}

// importFunc returns the types of a package, given its path.
type importFunc func(path string) (*types.Package, error)

// Import implements types.Importer.
func (f importFunc) Import(path string) (*types.Package, error) { return f(path) }

// makerPrefix is the prefix of the names of the functions that hold the code of givers.
const makerPrefix = "giver_"

// typeCheck parses and type-checks the code of these helpers and givers of a family.
func typeCheck(f *family, helpers []helper, givers []giver, imp importFunc) (*source, error) {
	var b strings.Builder
	b.WriteString("package giver\n")
	for _, i := range f.imports {
		fmt.Fprintf(&b, "import %q\n", i)
	}
	for _, h := range helpers {
		b.WriteString(h.code + "\n")
	}
	for i, g := range givers {
		body := g.code
		if _, err := parser.ParseExpr(body); err == nil { // else it is statements
			body = "return " + body
		}
		fmt.Fprintf(&b, "func %s%d() %s {\n%s\n}\n", makerPrefix, i, cmp.Or(g.as, GoType(strings.SplitN(g.typ, ":", 2)[0])), body)
	}
	s := &source{
		text: b.String(), fset: token.NewFileSet(), bad: make(map[*ast.FuncDecl]bool), helpers: make(map[*types.Func]*testcase.Helper),
		info: &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection), Implicits: make(map[ast.Node]types.Object)},
	}
	var err error
	if s.file, err = parser.ParseFile(s.fset, f.name, s.text, parser.SkipObjectResolution); err != nil {
		return nil, fmt.Errorf("givers of %s: %w", f.name, err)
	}
	conf := types.Config{Importer: imp, Error: func(err error) { s.blame(err) }}
	s.pkg, _ = conf.Check("giver", s.fset, []*ast.File{s.file}, s.info) // conf.Error has seen each error
	for _, h := range helpers {
		if err := s.addHelper(f.name, h); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// blame marks the declaration that has the error as one that does not compile. The standard library in use
// may be too old for it.
func (s *source) blame(err error) {
	e, ok := err.(types.Error)
	if !ok || e.Soft {
		return // the error is about an import that nothing uses
	}
	for _, d := range s.file.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= e.Pos && e.Pos < fd.End() {
			s.bad[fd] = true
		}
	}
}

// GoType writes the type "*net/http.Request" as Go code does: "*http.Request".
func GoType(t string) string {
	var b strings.Builder
	for len(t) > 0 {
		i := strings.IndexFunc(t, func(r rune) bool {
			return r == '/' || r == '.' || r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		})
		if i < 0 {
			break
		}
		b.WriteString(t[:i])
		t = t[i:]
		end := strings.IndexFunc(t, func(r rune) bool { return strings.ContainsRune("()[]{}*, ", r) })
		if end < 0 {
			end = len(t)
		}
		word := t[:end]
		b.WriteString(word[strings.LastIndex(word, "/")+1:])
		t = t[end:]
	}
	return b.String() + t
}

// addHelper makes the testcase.Helper from a helper's code.
func (s *source) addHelper(where string, h helper) error {
	at := strings.Index(s.text, h.code)
	begin := s.file.FileStart + token.Pos(at)
	end := begin + token.Pos(len(h.code))
	var main *ast.FuncDecl
	own := make(map[types.Object]bool)
	for _, d := range s.file.Decls {
		if d.Pos() < begin || d.End() > end {
			continue
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil {
				continue
			}
			if main == nil {
				main = d
				continue
			}
			own[s.info.Defs[d.Name]] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					own[s.info.Defs[spec.Name]] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						own[s.info.Defs[n]] = true
					}
				}
			}
		}
	}
	if main == nil {
		return fmt.Errorf("givers of %s: a helper without a function", where)
	}
	fn, _ := s.info.Defs[main.Name].(*types.Func)
	if fn == nil || s.bad[main] {
		return nil // this library lacks something that the helper needs, so code that calls the helper does not compile either
	}
	sig, ofTest := withoutTest(fn.Signature())
	out := &testcase.Helper{Name: fn.Name(), Doc: h.doc, Sig: sig, OfTest: ofTest, Method: h.method, Text: s.holes(h.code, at, main, own), Titles: h.titles, Func: fn}
	out.Guard = h.guard
	s.helpers[fn] = out
	return nil
}

// withoutTest returns a signature without the test as its first parameter, and whether there was one.
func withoutTest(sig *types.Signature) (*types.Signature, bool) {
	if sig.Params().Len() == 0 || types.TypeString(sig.Params().At(0).Type(), nil) != "testing.TB" {
		return sig, false
	}
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic()), true
}

// holes returns a part of the text, from an offset on, with «...» around names that differ from file to
// file.
func (s *source) holes(code string, at int, main *ast.FuncDecl, own map[types.Object]bool) string {
	type hole struct {
		from, to int
		with     string
	}
	var list []hole
	mainObj := s.info.Defs[main.Name]
	ast.Inspect(s.file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		from := int(id.Pos()-s.file.FileStart) - at
		if from < 0 || from >= len(code) {
			return true
		}
		obj := s.info.Uses[id]
		if obj == nil {
			obj = s.info.Defs[id]
		}
		with := ""
		switch o := obj.(type) {
		case nil:
		case *types.PkgName:
			with = "«" + o.Imported().Path() + "»"
		default:
			if obj == mainObj {
				with = "«.»"
			} else if own[obj] {
				with = "«." + obj.Name() + "»"
			}
		}
		if with != "" {
			list = append(list, hole{from, from + len(id.Name), with})
		}
		return true
	})
	var b strings.Builder
	last := 0
	for _, h := range list { // identifiers come in the order of the text
		if h.from < last {
			continue
		}
		b.WriteString(code[last:h.from] + h.with)
		last = h.to
	}
	return b.String() + code[last:] + "\n"
}

// sequence compiles the code of the i-th giver. If fixed is set, the texts in the code are meant as they are.
// The sequence is nil if the code does not compile with the library in use.
func (s *source) sequence(i int, fixed bool) (*testcase.Sequence, error) {
	name := fmt.Sprintf("%s%d", makerPrefix, i)
	for _, d := range s.file.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Name.Name != name {
			continue
		}
		if s.bad[fd] {
			return nil, nil
		}
		c := &compiler{source: s, vars: make(map[types.Object]testcase.Ref), fixed: fixed}
		if err := c.body(fd.Body); err != nil {
			return nil, fmt.Errorf("giver %d: %w", i, err)
		}
		return c.b.Sequence(), nil
	}
	return nil, fmt.Errorf("giver %d is not there", i)
}

// compiler turns the code of one giver into statements.
type compiler struct {
	*source
	b     testcase.Builder
	vars  map[types.Object]testcase.Ref
	fixed bool // the texts in the code are meant as they are
}

// unsupported returns the error for code that no operation stands for.
func (c *compiler) unsupported(n ast.Node) error {
	return fmt.Errorf("%s: %T cannot be an operation", c.fset.Position(n.Pos()), n)
}

// body compiles assignments, calls, and the return statement at the end.
func (c *compiler) body(b *ast.BlockStmt) error {
	for i, st := range b.List {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if err := c.assign(st); err != nil {
				return err
			}
		case *ast.ExprStmt:
			if _, err := c.expr(st.X); err != nil {
				return err
			}
		case *ast.ReturnStmt:
			ref, err := c.expr(st.Results[0])
			if err != nil || i != len(b.List)-1 {
				return fmt.Errorf("return: %w", err)
			}
			if ref.Stmt != c.b.Len()-1 || ref.Result != 0 {
				return c.unsupported(st) // the last statement must make the value
			}
			return nil
		default:
			return c.unsupported(st)
		}
	}
	return c.unsupported(b)
}

// assign compiles x := e and x.f = e.
func (c *compiler) assign(st *ast.AssignStmt) error {
	if len(st.Rhs) != 1 {
		return c.unsupported(st)
	}
	ref, err := c.expr(st.Rhs[0])
	if err != nil {
		return err
	}
	for k, l := range st.Lhs {
		switch l := l.(type) {
		case *ast.Ident:
			if obj := c.info.Defs[l]; obj != nil {
				c.vars[obj] = testcase.Ref{Stmt: ref.Stmt, Result: ref.Result + k}
			}
		case *ast.SelectorExpr:
			f, ok := c.info.Uses[l.Sel].(*types.Var)
			on, err := c.expr(l.X)
			if err != nil || !ok {
				return c.unsupported(l)
			}
			c.b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: f}, on, ref)
		default:
			return c.unsupported(l)
		}
	}
	return nil
}

// expr compiles an expression and returns its value.
func (c *compiler) expr(e ast.Expr) (testcase.Ref, error) {
	tv := c.info.Types[e]
	if tv.Value != nil {
		return c.constant(e, tv)
	}
	if tv.IsNil() {
		return c.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: tv.Type}), nil
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.expr(e.X)
	case *ast.Ident:
		if ref, ok := c.vars[c.info.Uses[e]]; ok {
			return ref, nil
		}
		return testcase.Ref{}, c.unsupported(e)
	case *ast.SelectorExpr:
		return c.selector(e)
	case *ast.IndexExpr:
		return c.instance(e)
	case *ast.UnaryExpr:
		if e.Op != token.AND {
			return testcase.Ref{}, c.unsupported(e)
		}
		x, err := c.expr(e.X)
		return c.b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: tv.Type}, x), err
	case *ast.StarExpr:
		x, err := c.expr(e.X)
		return c.b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: tv.Type}, x), err
	case *ast.FuncLit:
		// The literals of givers use only their parameters.
		text := c.text[e.Pos()-c.file.FileStart : e.End()-c.file.FileStart]
		return c.b.Add(&testcase.Operation{Kind: testcase.OpFuncLit, Type: tv.Type, Text: text}), nil
	case *ast.CompositeLit:
		return c.composite(e, tv.Type)
	case *ast.CallExpr:
		return c.call(e)
	}
	return testcase.Ref{}, c.unsupported(e)
}

// constant compiles a constant of a basic type.
func (c *compiler) constant(e ast.Expr, tv types.TypeAndValue) (testcase.Ref, error) {
	t := types.Default(tv.Type)
	l, ok := testcase.ConstantLiteral(tv.Value, t)
	if !ok {
		return testcase.Ref{}, c.unsupported(e)
	}
	op := &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: l}
	if c.fixed && l.Kind == testcase.LitString {
		op.Choice, op.Closed = []string{l.Str}, true
	}
	return c.b.Add(op), nil
}

// instance compiles an instance of a generic function as a value.
func (c *compiler) instance(e *ast.IndexExpr) (testcase.Ref, error) {
	sel, ok := e.X.(*ast.SelectorExpr)
	if !ok {
		return testcase.Ref{}, c.unsupported(e)
	}
	f, ok := c.info.Uses[sel.Sel].(*types.Func)
	if !ok {
		return testcase.Ref{}, c.unsupported(e)
	}
	op := &testcase.Operation{Kind: testcase.OpFuncValue, Func: f, Type: c.info.Types[e].Type, TypeArgs: []types.Type{c.info.Types[e.Index].Type}}
	return c.b.Add(op), nil
}

// selector compiles a package-level variable or function, or a field.
func (c *compiler) selector(e *ast.SelectorExpr) (testcase.Ref, error) {
	if f, ok := c.info.Uses[e.Sel].(*types.Func); ok && f.Signature().Recv() == nil {
		return c.b.Add(&testcase.Operation{Kind: testcase.OpFuncValue, Func: f, Type: c.info.Types[e].Type}), nil
	}
	v, ok := c.info.Uses[e.Sel].(*types.Var)
	if !ok {
		return testcase.Ref{}, c.unsupported(e)
	}
	if !v.IsField() {
		return c.b.Add(&testcase.Operation{Kind: testcase.OpGlobal, Var: v}), nil
	}
	on, err := c.expr(e.X)
	return c.b.Add(&testcase.Operation{Kind: testcase.OpField, Var: v, Type: v.Type()}, on), err
}

// composite compiles a literal of a struct, slice or map.
func (c *compiler) composite(e *ast.CompositeLit, t types.Type) (testcase.Ref, error) {
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	add := func(e ast.Expr) error {
		ref, err := c.expr(e)
		args = append(args, ref)
		return err
	}
	for _, el := range e.Elts {
		kv, keyed := el.(*ast.KeyValueExpr)
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if !keyed {
				return testcase.Ref{}, c.unsupported(el)
			}
			for i := range u.NumFields() {
				if u.Field(i).Name() == kv.Key.(*ast.Ident).Name {
					op.Elems = append(op.Elems, i)
				}
			}
			el = kv.Value
		case *types.Map:
			if err := add(kv.Key); err != nil {
				return testcase.Ref{}, err
			}
			el = kv.Value
		case *types.Slice:
			op.N++
		default:
			return testcase.Ref{}, c.unsupported(e)
		}
		if err := add(el); err != nil {
			return testcase.Ref{}, err
		}
	}
	return c.b.Add(op, args...), nil
}

// call compiles a conversion, or a call of a function or method.
func (c *compiler) call(e *ast.CallExpr) (testcase.Ref, error) {
	var args []testcase.Ref
	if tv := c.info.Types[e.Fun]; tv.IsType() {
		x, err := c.expr(e.Args[0])
		return c.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: tv.Type}, x), err
	}
	if f, ok := e.Fun.(*ast.Ident); ok && c.info.Uses[f] == types.Universe.Lookup("new") {
		t := c.info.Types[e].Type
		return c.b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, c.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t.(*types.Pointer).Elem()})), nil
	}
	op := &testcase.Operation{Kind: testcase.OpFunc}
	var id *ast.Ident
	switch f := ast.Unparen(e.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
		if sel := c.info.Selections[f]; sel != nil {
			recv, err := c.expr(f.X)
			if err != nil {
				return recv, err
			}
			op.Kind, args = testcase.OpMethod, append(args, recv)
		}
	default:
		return testcase.Ref{}, c.unsupported(e)
	}
	fn, ok := c.info.Uses[id].(*types.Func)
	if !ok {
		return testcase.Ref{}, c.unsupported(e)
	}
	op.Func, op.Via, op.Spread = fn, c.helpers[fn], e.Ellipsis.IsValid()
	if fn.Pkg() == c.pkg && op.Via == nil {
		return testcase.Ref{}, c.unsupported(e)
	}
	params := fn.Signature().Params()
	for i, a := range e.Args {
		if i == 0 && op.Via != nil && op.Via.OfTest {
			continue // a nil in the place of the test, which is no argument
		}
		if c.info.Types[a].IsNil() && i < params.Len() { // the type checker leaves nil untyped
			args = append(args, c.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: params.At(i).Type()}))
			continue
		}
		ref, err := c.expr(a)
		if err != nil {
			return ref, err
		}
		args = append(args, ref)
	}
	return c.b.Add(op, args...), nil
}
