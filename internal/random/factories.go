package random

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// factories is the table of standard-library functions that make values of types which are not made
// well otherwise. They are used if the package's imports reach them. Their arguments are made like any
// others.
func factories() []struct{ typ, pkg, fn string } {
	return []struct{ typ, pkg, fn string }{
		{"context.Context", "context", "Background"},
		{"context.Context", "context", "TODO"},
		{"error", "errors", "New"},
		{"io.Reader", "strings", "NewReader"},
		{"io.Reader", "bytes", "NewBufferString"},
		{"io.ReadSeeker", "strings", "NewReader"},
		{"io.ReaderAt", "strings", "NewReader"},
		{"io.RuneReader", "strings", "NewReader"},
		{"io.ByteReader", "strings", "NewReader"},
		{"io.RuneScanner", "strings", "NewReader"},
		{"io.ByteScanner", "strings", "NewReader"},
		{"io.Writer", "bytes", "NewBufferString"},
		{"io.ReadWriter", "bytes", "NewBufferString"},
		{"*bytes.Buffer", "bytes", "NewBufferString"},
		{"*bytes.Reader", "bytes", "NewReader"},
		{"*strings.Reader", "strings", "NewReader"},
		{"*strings.Replacer", "strings", "NewReplacer"},
		{"*bufio.Reader", "bufio", "NewReader"},
		{"*bufio.Writer", "bufio", "NewWriter"},
		{"*bufio.Scanner", "bufio", "NewScanner"},
		{"time.Time", "time", "Unix"},
		{"*big.Int", "math/big", "NewInt"},
		{"*math/big.Int", "math/big", "NewInt"},
		{"*math/big.Float", "math/big", "NewFloat"},
		{"*math/big.Rat", "math/big", "NewRat"},
		{"math/rand.Source", "math/rand", "NewSource"},
		{"*math/rand.Rand", "math/rand", "New"},
		{"*math/rand/v2.Rand", "math/rand/v2", "New"},
		{"math/rand/v2.Source", "math/rand/v2", "NewPCG"},
		{"net/netip.Addr", "net/netip", "MustParseAddr"},
	}
}

// reach finds the packages that the package under test imports, directly or not.
func reach(pkg *types.Package) map[string]*types.Package {
	found := map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if found[p.Path()] == nil {
			found[p.Path()] = p
			for _, i := range p.Imports() {
				visit(i)
			}
		}
	}
	visit(pkg)
	return found
}

// buffered returns what reach does, and the packages of buffers and readers of texts.
func buffered(prog *load.Program, pkg *load.Package) map[string]*types.Package {
	found := reach(pkg.Types)
	if prog != nil {
		for _, p := range prog.Buffers(pkg) {
			found[p.Path()] = p
		}
	}
	return found
}

// factoryOps looks up the functions of the table in the packages that the package imports, directly or
// not, the constructors of other packages for what the package's functions take, and those of the package with the directive
// //assay:factory.
func factoryOps(pkg *load.Package, found map[string]*types.Package) map[string][]*maker {
	out := map[string][]*maker{}
	for _, f := range factories() {
		p := found[f.pkg]
		if p == nil {
			continue
		}
		if fn, ok := p.Scope().Lookup(f.fn).(*types.Func); ok {
			m := newMaker(&testcase.Operation{Kind: testcase.OpFunc, Func: fn})
			m.then = inUTC(fn)
			out[f.typ] = append(out[f.typ], m)
		}
	}
	for key, list := range foreignFactories(pkg) {
		out[key] = append(out[key], list...)
	}
	for _, op := range plain.Makers(pkg) {
		if key := types.TypeString(op.Signature().Results().At(0).Type(), nil); out[key] == nil {
			out[key] = []*maker{newMaker(op)}
		}
	}
	own := map[string][]*maker{}
	for _, t := range pkg.Targets {
		if t.Factory && len(t.TypeArgs) == 0 {
			key := types.TypeString(t.Obj.Signature().Results().At(0).Type(), nil)
			own[key] = append(own[key], newMaker(&testcase.Operation{Kind: testcase.OpFunc, Func: t.Obj}))
		}
	}
	maps.Copy(out, own) // the user's own take the place of others
	return out
}

// maker is a call that makes a value.
type maker struct {
	op     *testcase.Operation
	params []types.Type
	spread bool
	behind types.Type // the type of the value that the call returns as an interface, or nil
	// then is a call of a method on the result, whose result is the value; nil means that the first result is.
	then *testcase.Operation
}

func newMaker(op *testcase.Operation) *maker {
	sig := op.Signature()
	m := &maker{op: op, spread: sig.Variadic()}
	for v := range sig.Params().Variables() {
		m.params = append(m.params, v.Type())
	}
	return m
}

// factory makes a value by one of the factories of its type.
func (e *engine) factory(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	list := e.factories[e.pool.keys.of(t)]
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	m := list[e.rnd.IntN(len(list))]
	r, ok := e.callIn(d, m.op, m.params, m.spread, level)
	if ok && m.then != nil {
		r = d.add(m.then, r)
	}
	return r, ok
}

// computed makes a value of a basic type by one of its factories. If that computes it of a text, as digests are computed, the text is
// often one that stands before it: a reader is compared with the digest of what it reads.
func (e *engine) computed(d *draft, t types.Type, level int) (testcase.Ref, bool) {
	list := e.factories[e.pool.keys.of(t)]
	m := list[e.rnd.IntN(len(list))]
	var texts []testcase.Ref
	for i, st := range d.stmts {
		if st.Op.Kind == testcase.OpLiteral && types.Identical(st.Op.Type, types.Typ[types.String]) {
			texts = append(texts, testcase.Ref{Stmt: i})
		}
	}
	if len(m.params) != 1 || m.spread || m.then != nil || len(texts) == 0 || e.rnd.IntN(3) == 0 {
		return e.factory(d, t, level)
	}
	text := texts[e.rnd.IntN(len(texts))]
	switch p := m.params[0]; {
	case types.Identical(p, types.Typ[types.String]):
	case load.IsText(p):
		text = d.add(e.convertOp(p), text)
	default:
		return e.factory(d, t, level)
	}
	return d.add(m.op, text), true
}

// inUTC returns the call that gives what time.Unix returns in UTC, nil for other functions. What a moment in the machine's own zone shows,
// such as its day of the week, is something else on another machine.
func inUTC(fn *types.Func) *testcase.Operation {
	if fn.FullName() != "time.Unix" {
		return nil
	}
	utc, _, _ := types.LookupFieldOrMethod(fn.Signature().Results().At(0).Type(), true, fn.Pkg(), "UTC")
	method, ok := utc.(*types.Func)
	if !ok {
		return nil
	}
	return &testcase.Operation{Kind: testcase.OpMethod, Func: method}
}

// constructors returns calls that make a t and cannot fail: calls of the package's functions whose only
// result is a t, or an interface that always holds one.
func (e *engine) constructors(t types.Type) []*maker {
	key := e.pool.keys.of(t)
	list, ok := e.makers[key]
	if ok {
		return list
	}
	for _, c := range e.pkg.Constructors(t) {
		m := newMaker(&testcase.Operation{Kind: testcase.OpFunc, Func: c.Obj, TypeArgs: c.TypeArgs})
		switch r := m.op.Signature().Results(); {
		case r.Len() != 1:
		case types.Identical(r.At(0).Type(), t):
			list = append(list, m)
		case c.Behind != nil && types.Identical(c.Behind, t):
			m.behind = t
			list = append(list, m)
		}
	}
	e.makers[key] = list
	return list
}

// hidingInterfaces returns the interfaces as which functions and exported methods of the package return values of a type that they
// make, perhaps with an error.
func (e *engine) hidingInterfaces(t types.Type) []types.Type {
	key := e.pool.keys.of(t)
	list, ok := e.hiding[key]
	if ok {
		return list
	}
	for _, c := range e.pkg.Constructors(t) {
		if i := c.Obj.Signature().Results().At(0).Type(); c.Behind != nil && types.Identical(c.Behind, t) && !containsType(list, i) {
			list = append(list, i)
		}
	}
	for _, m := range e.pkg.Targets {
		if m.Recv == nil || m.Behind == nil || !m.Exported || m.Skip != "" || !types.Identical(m.Behind, t) {
			continue
		}
		if i := m.Obj.Signature().Results().At(0).Type(); !containsType(list, i) {
			list = append(list, i)
		}
	}
	e.hiding[key] = list
	return list
}

// hasConstructor reports whether users get a t by a function of the package, so
// that a bare literal need not be valid.
func (e *engine) hasConstructor(t types.Type) bool {
	key := e.pool.keys.of(t)
	has, ok := e.constructed[key]
	if !ok {
		has = slices.ContainsFunc(e.pkg.Constructors(t), func(c *load.Target) bool { return c.Exported }) || len(e.hidingInterfaces(t)) > 0
		e.constructed[key] = has
	}
	return has
}

// implementations returns the types that implement an interface and that users can
// name.
func (e *engine) implementations(t types.Type, i *types.Interface) []types.Type {
	key := e.pool.keys.of(t)
	list, ok := e.impls[key]
	if !ok {
		for _, impl := range e.prog.Implementations(i, e.pkg) {
			if e.makeable(impl) {
				list = append(list, impl)
			}
		}
		if len(list) > 8 {
			list = list[:8] // the package's own come first
		}
		e.impls[key] = list
	}
	return list
}

// makeable reports whether users can make a value of a type other than nil: it is of
// the package under test, or there is a factory, or a literal will do.
func (e *engine) makeable(t types.Type) bool {
	if len(e.factories[e.pool.keys.of(t)]) > 0 {
		return true
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == e.pkg.Types {
		return true
	}
	s, ok := n.Underlying().(*types.Struct)
	return !ok || zeroUsable(n, s)
}

// literalOp, zeroOp, addrOp and convertOp return operations that are shared between
// sequences, so that the harness has to learn each but once.

func (e *engine) literalOp(t types.Type, l testcase.Literal) *testcase.Operation {
	k := literalKey{t, l, nil}
	op := e.literals[k]
	if op == nil {
		op = &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: l}
		e.literals[k] = op
	}
	return op
}

// likeLiteral returns a literal of the type of another one, chosen from the same list if that
// was chosen from one.
func (e *engine) likeLiteral(op *testcase.Operation, l testcase.Literal) *testcase.Operation {
	if op.Choice == nil {
		return e.literalOp(op.Type, l)
	}
	return e.chosenOp(op.Type, op.Choice, op.Closed, l.Str)
}

// chosenOp returns a text that was chosen from a list.
func (e *engine) chosenOp(t types.Type, list []string, closed bool, s string) *testcase.Operation {
	k := literalKey{t, testcase.Literal{Kind: testcase.LitString, Str: s}, &list[0]}
	op := e.literals[k]
	if op == nil {
		op = &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: k.lit, Choice: list, Closed: closed}
		e.literals[k] = op
	}
	return op
}

// literalKey is a literal of a type, and the list that it was chosen from, if any.
type literalKey struct {
	typ  types.Type
	lit  testcase.Literal
	from *string
}

// opKey is an operation of a kind that its type makes up.
type opKey struct {
	kind testcase.OpKind
	typ  types.Type
}

func (e *engine) typedOp(kind testcase.OpKind, t types.Type) *testcase.Operation {
	op := e.typed[opKey{kind, t}]
	if op == nil {
		op = &testcase.Operation{Kind: kind, Type: t}
		e.typed[opKey{kind, t}] = op
	}
	return op
}

func (e *engine) zeroOp(t types.Type) *testcase.Operation {
	return e.typedOp(testcase.OpZero, t)
}

func (e *engine) addrOp(t *types.Pointer) *testcase.Operation {
	return e.typedOp(testcase.OpAddr, t)
}

func (e *engine) convertOp(t types.Type) *testcase.Operation {
	return e.typedOp(testcase.OpConvert, t)
}

// Functions often take values of a type of another module of which nobody can write a literal: a cty.Value, a uuid of a
// library, a node of a document. Without a way to make one all their parameters are zero values, and hardly any of their code
// runs. The type's own package has the functions and variables that users take.

// Bounds of what is read: through how many types, and how many ways there are to make a value of one type.
const (
	foreignDepth = 5
	maxForeign   = 24
	maxArguments = 3
)

// foreignFactories returns the ways in which packages of other modules make values of their types, for types that occur in what the
// package's functions take and what their receivers consist of. The standard library's are in the table of factories.
func foreignFactories(pkg *load.Package) map[string][]*maker {
	f := &foreign{pkg: pkg, seen: map[string]bool{}, out: map[string][]*maker{}}
	for _, t := range pkg.Targets {
		if t.Skip != "" || t.Obj.Signature().TypeParams().Len() > 0 {
			continue
		}
		for p := range t.Obj.Signature().Params().Variables() {
			f.visit(p.Type(), 0)
		}
		if t.Recv != nil && t.Exported {
			f.visit(t.Recv, 0) // users set the fields of what they call
		}
	}
	return f.out
}

type foreign struct {
	pkg  *load.Package
	seen map[string]bool
	out  map[string][]*maker
}

// visit finds the ways to make a type, and those for what its makers and literals take.
func (f *foreign) visit(t types.Type, depth int) {
	t = types.Unalias(t)
	key := types.TypeString(t, nil)
	if depth > foreignDepth || f.seen[key] {
		return
	}
	f.seen[key] = true
	switch u := t.(type) {
	case *types.Named:
		if f.isClosed(u) {
			f.find(u, depth)
			return
		}
		if st, ok := u.Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				if v.Exported() {
					f.visit(v.Type(), depth+1)
				}
			}
			return
		}
		f.visit(u.Underlying(), depth)
	case *types.Pointer:
		f.visit(u.Elem(), depth)
	case *types.Slice:
		f.visit(u.Elem(), depth)
	case *types.Array:
		f.visit(u.Elem(), depth)
	case *types.Map:
		f.visit(u.Key(), depth)
		f.visit(u.Elem(), depth)
	case *types.Signature:
		for v := range u.Results().Variables() {
			f.visit(v.Type(), depth+1)
		}
	}
}

// isClosed reports whether a type is of another module, and neither a literal nor a stand-in will do for it.
func (f *foreign) isClosed(n *types.Named) bool {
	p := n.Obj().Pkg()
	if p == nil || p == f.pkg.Types || !n.Obj().Exported() || n.TypeParams().Len() > 0 || gosyntax.IsStandard(p.Path(), "") || strings.Contains("/"+p.Path()+"/", "/internal/") {
		return false
	}
	switch u := n.Underlying().(type) {
	case *types.Struct:
		return !zeroUsable(n, u)
	case *types.Interface:
		return u.NumMethods() > 0 && !gosyntax.IsError(n)
	case *types.Basic:
		return u.Kind() == types.String && f.isComputed(n)
	}
	return false
}

// isComputed reports whether a function of its package computes the texts of a type from other texts or bytes: a digest, of which hardly
// any other text is one.
func (f *foreign) isComputed(n *types.Named) bool {
	scope := n.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || !f.canCall(fn) || fn.Signature().Results().Len() != 1 || fn.Signature().Params().Len() != 1 {
			return false
		}
		return types.Identical(fn.Signature().Results().At(0).Type(), n) && load.IsText(fn.Signature().Params().At(0).Type()) && n.NumMethods() > 0
	})
}

// find finds the exported variables and functions of a type's package that are, or return, a value of the type or a pointer to one.
func (f *foreign) find(n *types.Named, depth int) {
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		var m *maker
		var made types.Type
		switch o := scope.Lookup(name).(type) {
		case *types.Var:
			m, made = &maker{op: &testcase.Operation{Kind: testcase.OpGlobal, Var: o}}, o.Type()
		case *types.Func:
			if !f.canCall(o) {
				continue
			}
			m, made = newMaker(&testcase.Operation{Kind: testcase.OpFunc, Func: o}), o.Signature().Results().At(0).Type()
		default:
			continue
		}
		key := types.TypeString(made, nil)
		if !scope.Lookup(name).Exported() || load.NamedOf(made) == nil || load.NamedOf(made).Obj() != n.Obj() || len(f.out[key]) >= maxForeign {
			continue
		}
		f.out[key] = append(f.out[key], m)
		for _, p := range m.params {
			f.visit(p, depth+1)
		}
	}
}

// canCall reports whether a function can be called to make a value: it takes little, and returns one value, perhaps with an error.
func (f *foreign) canCall(fn *types.Func) bool {
	sig := fn.Signature()
	rs := sig.Results()
	if sig.TypeParams().Len() > 0 || rs.Len() == 0 || rs.Len() > 2 || rs.Len() == 2 && !gosyntax.IsError(rs.At(1).Type()) || sig.Params().Len() > maxArguments {
		return false
	}
	return !slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool {
		switch p.Type().Underlying().(type) {
		case *types.Signature, *types.Chan:
			return true
		}
		return !nameable(p.Type(), f.pkg)
	})
}
