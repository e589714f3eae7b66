package native

import (
	"fmt"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// registry holds everything that sequences can use in the harness. It is the parent's side of
// assayrt.Registry. It only grows, so numbers stay the same when the harness is rebuilt.
type registry struct {
	pkg *load.Package
	sp  *speller

	keys    map[string]int   // numbers of entries, by a key that starts with the letter of its list
	refused map[string]error // entries that cannot be registered, with the reason
	types   []string         // expressions of reflect.Type
	funcs   []string         // expressions of function values
	vars    []string         // expressions of pointers
	varObjs []*types.Var
	stubs   []string                // names of stub types
	decls   []string                // the declarations of the stub types
	checks  []string                // declarations of contracts' functions and of helpers
	helpers []string                // names of helpers' functions
	watched map[int]*testcase.Check // the contracts, by the numbers of their functions
	errs    []int                   // the sentinel errors, as indices into vars

	leafs []types.Type // the types that the expressions in types denote

	searches []string       // see search.go
	searched map[string]int // the numbers of the searches, by text
	dirty    bool           // the built binary lacks some entry
	phrases  []string       // what the package's code says in words; nil until it is asked for
	fresh    []string       // the first keys of new entries, for the log
}

// ownWords returns the longest phrase of the package's code that a message contains, or "".
func (g *registry) ownWords(message string) string {
	if g.phrases == nil {
		g.phrases = append([]string{""}, literals.Phrases(g.pkg.Syntax)...)
	}
	if i := slices.IndexFunc(g.phrases[1:], func(p string) bool { return strings.Contains(message, p) }); i >= 0 {
		return g.phrases[i+1]
	}
	return ""
}

// news describes the entries that were added since it was last called, for the log.
func (g *registry) news() string {
	s := ""
	if len(g.fresh) > 0 && len(g.fresh) < 10 {
		s = " with " + strings.Join(g.fresh, "; ")
	}
	g.fresh = nil
	return s
}

func newRegistry(pkg *load.Package, prefix string) *registry {
	return &registry{
		pkg:     pkg,
		sp:      &speller{pkg: pkg.Types, prefix: prefix, imports: map[string]string{}},
		keys:    map[string]int{},
		refused: map[string]error{},
		watched: map[int]*testcase.Check{},
	}
}

// add registers the entry of a key, if the key is new. The function spell returns the source of the entry.
func (g *registry) add(key string, list *[]string, spell func() (string, error)) (int, error) {
	if i, ok := g.keys[key]; ok {
		return i, nil
	}
	if err := g.refused[key]; err != nil {
		return 0, err
	}
	text, err := spell()
	if err != nil {
		g.refused[key] = err
		return 0, err
	}
	i := len(*list)
	*list = append(*list, text)
	g.keys[key] = i
	g.dirty = true
	if len(g.fresh) < 10 {
		g.fresh = append(g.fresh, key)
	}
	return i, nil
}

// leaf registers a type that reflection cannot make from other types.
func (g *registry) leaf(t types.Type) (int, error) {
	n := len(g.types)
	i, err := g.add("t "+rewrite.TypeKey(t), &g.types, func() (string, error) {
		if isConstraint(t) {
			return "", unspellable(t.String() + " is a constraint")
		}
		s, err := g.sp.typ(t)
		return g.sp.prefix + "rt.T[" + s + "]()", err
	})
	if err == nil && i == n {
		g.leafs = append(g.leafs, t)
	}
	return i, err
}

func isConstraint(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && !i.IsMethodSet()
}

// function registers an instance of a package-level function.
func (g *registry) function(f *types.Func, args []types.Type) (int, error) {
	return g.add("f "+f.FullName()+typeKeys(args), &g.funcs, func() (string, error) {
		if f.Name() == "init" || f.Name() == "_" {
			return "", unspellable("func " + f.Name() + " cannot be called")
		}
		name, err := g.sp.object(f)
		if run := g.pkg.Checked(f); run != "" {
			name = run
		}
		if err != nil || len(args) == 0 {
			if err == nil && f.Signature().TypeParams().Len() > 0 {
				return "", unspellable(f.FullName() + " lacks type arguments")
			}
			return name, err
		}
		var list []string
		for _, a := range args {
			s, err := g.sp.typ(a)
			if err != nil {
				return "", err
			}
			list = append(list, s)
		}
		return name + "[" + strings.Join(list, ", ") + "]", nil
	})
}

// literal registers a function that is written as a literal.
func (g *registry) literal(o *testcase.Operation) (int, error) {
	return g.add("l "+o.Text, &g.funcs, func() (string, error) { return o.Source(g.sp.importOrOwn), nil })
}

func typeKeys(ts []types.Type) string {
	var b strings.Builder
	for _, t := range ts {
		b.WriteString("|" + rewrite.TypeKey(t))
	}
	return b.String()
}

// method registers the method expression of m for a receiver of type recv. The receiver is passed by address
// if the method needs that.
func (g *registry) method(m *types.Func, recv types.Type) (int, error) {
	return g.add("m "+rewrite.TypeKey(recv)+" "+m.Id(), &g.funcs, func() (string, error) {
		obj, _, indirect := types.LookupFieldOrMethod(recv, false, m.Pkg(), m.Name())
		if obj == nil && indirect {
			recv = types.NewPointer(recv)
			obj, _, _ = types.LookupFieldOrMethod(recv, false, m.Pkg(), m.Name())
		}
		if _, ok := obj.(*types.Func); !ok {
			return "", unspellable(recv.String() + " has no method " + m.Name())
		}
		if !m.Exported() && m.Pkg().Path() != g.pkg.Path {
			return "", unspellable(m.FullName() + " is not exported")
		}
		if run := g.pkg.Checked(m); run != "" {
			return g.checked(run, obj.(*types.Func), recv)
		}
		s, err := g.sp.typ(recv)
		return "(" + s + ")." + m.Name(), err
	})
}

// variable registers a package-level variable.
func (g *registry) variable(v *types.Var) (int, error) {
	n := len(g.vars)
	i, err := g.add("v "+v.Pkg().Path()+"."+v.Name(), &g.vars, func() (string, error) {
		s, err := g.sp.object(v)
		return "&" + s, err
	})
	if err == nil && i == n {
		g.varObjs = append(g.varObjs, v)
	}
	return i, err
}

// registerCheck registers the function of a contract, which is declared in the harness.
func (g *registry) registerCheck(c *testcase.Check) (int, error) {
	i, err := g.add("c "+c.Key(), &g.funcs, func() (string, error) {
		var fail error
		spelt := func(s string, err error) string {
			if err != nil && fail == nil {
				fail = err
			}
			return s
		}
		name := fmt.Sprintf("%sk%d", g.sp.prefix, len(g.checks))
		text := c.Source(name,
			func(t types.Type) string { return spelt(g.sp.typ(t)) },
			g.sp.importName,
			func(o types.Object) string { return spelt(g.sp.object(o)) })
		if fail == nil {
			g.checks = append(g.checks, text)
		}
		return name, fail
	})
	if err == nil {
		g.watched[i] = c
	}
	return i, err
}

// stub registers a stub type for an interface type.
func (g *registry) stub(t types.Type) (int, error) {
	return g.add("s "+rewrite.TypeKey(t), &g.stubs, func() (string, error) {
		iface, ok := t.Underlying().(*types.Interface)
		if !ok || !iface.IsMethodSet() {
			return "", unspellable(t.String() + " is no interface of values")
		}
		p := g.sp.prefix
		name := fmt.Sprintf("%ss%d", p, len(g.stubs))
		var b strings.Builder
		fmt.Fprintf(&b, "type %s struct{ %ss *%srt.Stub }\n\n", name, p, p)
		for m := range iface.Methods() {
			if !m.Exported() && m.Pkg().Path() != g.pkg.Path {
				return "", unspellable(t.String() + " has the unexported method " + m.Name() + " of another package")
			}
			sig, err := g.sp.signature(m.Signature(), p)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "func (%sx *%s) %s%s {\n\t", p, name, m.Name(), sig)
			if n := m.Signature().Results().Len(); n == 0 {
				fmt.Fprintf(&b, "%sx.%ss.Call(%q)\n}\n\n", p, p, m.Name())
			} else {
				fmt.Fprintf(&b, "%sr := %sx.%ss.Call(%q)\n\t", p, p, p, m.Name())
				if testcase.ReturnsItself(t, m.Signature()) {
					fmt.Fprintf(&b, "if len(%sr) == 0 {\n\t\treturn %sx\n\t}\n\t", p, p)
				}
				b.WriteString("return ")
				for i := range n {
					r, err := g.sp.typ(m.Signature().Results().At(i).Type())
					if err != nil {
						return "", err
					}
					if i > 0 {
						b.WriteString(", ")
					}
					fmt.Fprintf(&b, "%srt.R[%s](%sr, %d)", p, r, p, i)
				}
				b.WriteString("\n}\n\n")
			}
		}
		g.decls = append(g.decls, b.String())
		return name, nil
	})
}

// registerLikely registers everything that sequences over the package are likely to need, functions of the packages of buffers
// among it.
func (g *registry) registerLikely(buffers []*types.Package) {
	scope := g.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch o := scope.Lookup(name).(type) {
		case *types.Func:
			if o.Signature().TypeParams().Len() == 0 {
				g.try(g.function(o, nil))
				g.signature(o.Signature())
			}
		case *types.Var:
			g.try(g.variable(o))
			g.parts(o.Type())
			g.sentinel(o)
		case *types.TypeName:
			if n, ok := o.Type().(*types.Named); ok && n.TypeParams().Len() == 0 && !o.IsAlias() {
				g.named(n)
			}
		}
	}
	for _, t := range g.pkg.Targets {
		if t.Recv != nil {
			recv := types.Unalias(t.Recv)
			if p, ok := recv.(*types.Pointer); ok {
				recv = types.Unalias(p.Elem())
			}
			if n, ok := recv.(*types.Named); ok {
				g.named(n)
			}
		} else {
			g.try(g.function(t.Obj, t.TypeArgs))
		}
		if t.Func != nil {
			g.signature(t.Func.Signature)
			if results := t.Func.Signature.Results(); results.Len() > 0 {
				for _, op := range observer.Describing(g.pkg, results.At(0).Type()) {
					g.try(g.method(op.Func, results.At(0).Type()))
				}
			}
		}
	}
	for _, k := range []types.BasicKind{types.Bool, types.Int, types.Int64, types.Uint8, types.Int32, types.Float64, types.String} {
		g.try(g.leaf(types.Typ[k]))
	}
	g.try(g.leaf(types.NewStruct(nil, nil))) // what most channels carry that only tell of something
	g.try(g.leaf(types.Universe.Lookup("any").Type()))
	g.try(g.leaf(types.Universe.Lookup("error").Type()))
	for _, imp := range buffers {
		g.common(imp)
		if b, ok := imp.Scope().Lookup("Buffer").(*types.TypeName); ok {
			t := types.NewPointer(b.Type())
			if m, _, _ := types.LookupFieldOrMethod(t, false, imp, "Bytes"); m != nil {
				g.try(g.method(m.(*types.Func), t))
			}
		}
	}
	for _, imp := range g.pkg.Types.Imports() {
		g.common(imp)
		if imp.Path() == "time" {
			if v, ok := imp.Scope().Lookup("UTC").(*types.Var); ok {
				g.try(g.variable(v))
			}
		}
		g.written(imp)
		g.sentinelsOf(imp)
	}
	for _, imp := range commonErrors(g.pkg.Types) {
		g.sentinelsOf(imp)
	}
}

// written registers the methods by which tests write values of another package, or ask what they are: moments are in UTC, and
// URLs are compared as texts.
func (g *registry) written(imp *types.Package) {
	add := func(name, method string, pointer bool) {
		t, ok := imp.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			return
		}
		recv := t.Type()
		if pointer {
			recv = types.NewPointer(recv)
		}
		if m, _, _ := types.LookupFieldOrMethod(recv, false, imp, method); m != nil {
			g.try(g.method(m.(*types.Func), recv))
		}
	}
	switch imp.Path() {
	case "time":
		add("Time", "UTC", false)
	case "net/url":
		add("URL", "String", true)
	case "net/http":
		for _, p := range imp.Imports() {
			if p.Path() == "net/url" {
				g.written(p) // that of a request
			}
		}
	}
}

// common registers the functions of another package that sequences use to make arguments.
func (g *registry) common(imp *types.Package) {
	for _, f := range commonFuncs() {
		if f[0] == imp.Path() {
			if fn, ok := imp.Scope().Lookup(f[1]).(*types.Func); ok {
				g.try(g.function(fn, nil))
				g.signature(fn.Signature())
			}
		}
	}
}

// sentinelsOf registers the exported errors of another package.
func (g *registry) sentinelsOf(imp *types.Package) {
	for _, name := range imp.Scope().Names() {
		if v, ok := imp.Scope().Lookup(name).(*types.Var); ok && v.Exported() {
			g.sentinel(v)
		}
	}
}

// commonErrors returns the packages of the standard library whose errors come out of other packages, too, if the
// package imports them by way of others only: a reader of binary data returns io.EOF.
func commonErrors(pkg *types.Package) []*types.Package {
	var out []*types.Package
	seen := map[*types.Package]bool{pkg: true}
	for queue := []*types.Package{pkg}; len(queue) > 0; queue = queue[1:] {
		for _, imp := range queue[0].Imports() {
			if seen[imp] {
				continue
			}
			seen[imp] = true
			queue = append(queue, imp)
			if slices.Contains([]string{"context", "io", "io/fs", "strconv"}, imp.Path()) && !slices.Contains(pkg.Imports(), imp) {
				out = append(out, imp)
			}
		}
	}
	slices.SortFunc(out, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return out
}

// need registers everything that an operation needs independent of its arguments.
func (g *registry) need(op *testcase.Operation) {
	switch op.Kind {
	case testcase.OpMethod:
		// What else a call needs depends on the receiver's type, where the method is called on values of another type.
		recv := op.Func.Signature().Recv()
		switch {
		case recv == nil || rewrite.HasTypeParam(recv.Type()):
		case op.Via != nil:
			g.try(g.via(op, recv.Type()))
		default:
			g.try(g.method(op.Func, recv.Type()))
		}
	case testcase.OpFunc, testcase.OpFuncValue:
		if op.Via != nil {
			g.try(g.via(op, nil))
			g.signature(op.Via.Sig)
			return
		}
		g.try(g.function(op.Func, op.TypeArgs))
		if len(op.TypeArgs) == 0 {
			g.signature(op.Func.Signature())
		}
	case testcase.OpFuncLit:
		g.try(g.literal(op))
		g.parts(op.Type)
	case testcase.OpGlobal:
		g.try(g.variable(op.Var))
	case testcase.OpStubIface:
		g.try(g.stub(op.Type))
		g.parts(op.Type)
	default:
		if op.Type != nil {
			g.parts(op.Type)
		}
	}
}

// commonFuncs lists functions that sequences use to make arguments, by package.
func commonFuncs() [][2]string {
	return [][2]string{
		{"bytes", "NewBufferString"}, {"bytes", "NewReader"}, {"context", "Background"}, {"context", "TODO"},
		{"errors", "New"}, {"io", "ReadAll"}, {"math/big", "NewInt"}, {"strings", "NewReader"}, {"time", "Date"}, {"time", "Unix"},
	}
}

// try ignores the result of a registration. If it failed, a sequence that needs the entry will be
// refused with the reason.
func (g *registry) try(int, error) {}

// sentinel registers v if it is an error to compare with.
func (g *registry) sentinel(v *types.Var) {
	errorType := types.Universe.Lookup("error").Type()
	_, pointer := v.Type().Underlying().(*types.Pointer)
	if !types.Identical(v.Type(), errorType) && !(pointer && types.Implements(v.Type(), errorType.Underlying().(*types.Interface))) {
		return
	}
	if i, err := g.variable(v); err == nil {
		g.errs = append(g.errs, i)
	}
}

// named registers a named type, with its methods and those of the pointer to it.
func (g *registry) named(n *types.Named) {
	g.parts(n)
	if types.IsInterface(n) {
		if isConstraint(n) {
			return
		}
		for m := range n.Underlying().(*types.Interface).Methods() {
			g.try(g.method(m, n))
			g.signature(m.Signature())
		}
		return
	}
	if st, ok := n.Underlying().(*types.Struct); ok && n.Obj().Pkg() == g.pkg.Types {
		for f := range st.Fields() {
			g.parts(f.Type()) // objects are written field by field, where nothing else reaches code
		}
	}
	for m := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		f := m.Obj().(*types.Func)
		if _, isPtr := n.Underlying().(*types.Pointer); !isPtr {
			g.try(g.method(f, types.NewPointer(n)))
		}
		g.try(g.method(f, n))
		g.signature(f.Signature())
	}
}

// signature registers the types of parameters and results, with stubs for the
// parameters that are interfaces.
func (g *registry) signature(sig *types.Signature) {
	for v := range sig.Params().Variables() {
		g.parts(v.Type())
	}
	for v := range sig.Results().Variables() {
		g.parts(v.Type())
	}
	for v := range sig.Params().Variables() {
		t := v.Type()
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumMethods() > 0 && !rewrite.HasTypeParam(t) {
			g.try(g.stub(t))
		}
	}
}

// parts registers the leaf types that t is composed of.
func (g *registry) parts(t types.Type) {
	if rewrite.HasTypeParam(t) {
		return
	}
	rewrite.Leafs(t, func(l types.Type) { g.try(g.leaf(l)) })
}

// harnessText says what the file of a harness has besides the registry.
type harnessText struct {
	pkg      string // the name of the package
	id       string // the identity of the binary
	blocks   int    // how many counters there are
	race     bool   // the counters are written so that the race detector accepts them
	suite    bool   // the harness runs tests of files
	support  string // further declarations
	variants bool   // the support declares the switch of variants
}

// watchedBy returns the numbers of the contracts that are of a kind, as text.
func (g *registry) watchedBy(kind func(*testcase.Check) bool) []string {
	var out []string
	for _, i := range slices.Sorted(maps.Keys(g.watched)) {
		if kind(g.watched[i]) {
			out = append(out, fmt.Sprint(i))
		}
	}
	return out
}

// source returns the text of the harness's file.
func (g *registry) source(h harnessText) []byte {
	p := g.sp.prefix
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc Test_%s(*%stesting.T) {\n\t%srt.Main(&%srt.Registry{\n\t\tID: %q,\n", p, p, p, p, h.id)
	counters := fmt.Sprintf("Cover: %sc[:]", p)
	if h.race {
		counters = fmt.Sprintf("Cover32: %sc[:]", p)
	}
	fmt.Fprintf(&b, "\t\t%s,\n", counters)
	if h.variants {
		fmt.Fprintf(&b, "\t\tVariant: &%sm,\n\t\tFuel: &%sf,\n", p, p)
	}
	list := func(field, typ string, items []string) {
		fmt.Fprintf(&b, "\t\t%s: []%s{\n", field, typ)
		for _, it := range items {
			fmt.Fprintf(&b, "\t\t\t%s,\n", it)
		}
		b.WriteString("\t\t},\n")
	}
	list("Types", p+"rt.Type", g.types)
	list("Funcs", p+"rt.Any", g.funcs)
	list("Vars", p+"rt.Any", g.vars)
	var errs []string
	for _, i := range g.errs {
		errs = append(errs, fmt.Sprint(i))
	}
	list("Sentinels", p+"rt.Int", errs)
	var stubs []string
	for _, s := range g.stubs {
		stubs = append(stubs, fmt.Sprintf("func(s *%srt.Stub) %srt.Any { return &%s{s} }", p, p, s))
	}
	list("Stubs", fmt.Sprintf("func(*%srt.Stub) %srt.Any", p, p), stubs)
	list("Checks", p+"rt.Int", g.watchedBy((*testcase.Check).OfObjects))
	list("Invariants", p+"rt.Int", g.watchedBy(func(c *testcase.Check) bool { return c.Contract == testcase.InvariantContract }))
	if len(g.searches) > 0 {
		list("Searches", p+"rt.Search", g.searches)
	}
	b.WriteString("\t})\n}\n\n")
	for _, d := range g.decls {
		b.WriteString(d)
	}
	for _, d := range g.checks {
		b.WriteString(d + "\n")
	}
	b.WriteString(h.support)
	word := "Uint8"
	if h.race {
		word = "Uint32"
		fmt.Fprintf(&b, "func %sh(i %srt.Int) { %srt.Hit(%sc[:], i) }\n\n", p, p, p, p)
		fmt.Fprintf(&b, "func %sb(c %srt.Bool, i %srt.Int) %srt.Bool {\n\tif c {\n\t\t%sh(i)\n\t} else {\n\t\t%sh(i + 1)\n\t}\n\treturn c\n}\n\n", p, p, p, p, p, p)
	} else {
		fmt.Fprintf(&b, "func %sb(c %srt.Bool, i %srt.Int) %srt.Bool {\n\tif c {\n\t\t%sc[i] = 1\n\t} else {\n\t\t%sc[i+1] = 1\n\t}\n\treturn c\n}\n\n", p, p, p, p, p, p)
	}
	fmt.Fprintf(&b, "var %sc [%d]%srt.%s\n\n", p, h.blocks, p, word)
	for _, hook := range [][2]string{{"assume", "Assume"}, {"prefer", "Prefer"}} {
		if h.suite { // tests run as go test runs them, where these functions do nothing
			fmt.Fprintf(&b, "func %s%s(c %srt.Bool) %srt.Bool { return c }\n\n", p, hook[0], p, p)
			continue
		}
		fmt.Fprintf(&b, "func %s%s(c %srt.Bool) %srt.Bool {\n\t%srt.%s(c)\n\treturn c\n}\n\n", p, hook[0], p, p, p, hook[1])
	}
	for _, hook := range [][2]string{{"assert", "Assert"}, {"ends", "AssertOrEnd"}} {
		fmt.Fprintf(&b, "func %s%s(c %srt.Bool, i %srt.Int) %srt.Bool {\n\t%srt.%s(c, i)\n\treturn c\n}\n\n", p, hook[0], p, p, p, p, hook[1])
	}
	fmt.Fprintf(&b, "func %sinside(i %srt.Int) %srt.Bool { return %srt.Inside(i) }\n\n", p, p, p, p)
	fmt.Fprintf(&b, "func %sr(m %srt.Any) *%srt.Ordered { return %srt.Order(m) }\n\n", p, p, p, p)
	fmt.Fprintf(&b, "type %sFloat = %srt.Float64\n\nfunc %swhole(x %sFloat, size %srt.Int) %sFloat { return %srt.Whole(x, size) }\n\n", p, p, p, p, p, p, p)
	fmt.Fprintf(&b, "func %sturn() { %srt.Turn() }\n\nfunc %spredicate() func() { return %srt.Predicate() }\n\n", p, p, p, p)
	constraint := ""
	if version.Compare("go"+g.pkg.GoVersion, "go1.21") < 0 {
		// The module's language version may lack generics, or is not known. From go1.21 on a file's version
		// may be newer.
		constraint = "//go:build go1.21\n\n"
	}
	head := fmt.Sprintf("// Code generated by assay. DO NOT EDIT.\n\n"+constraint+"package %s\n\nimport %stesting \"testing\"\nimport %srt %q\n", h.pkg, p, p, runtimePath)
	if strings.Contains(b.String(), p+"cd.") {
		head += fmt.Sprintf("import %scd %q\n", p, rewrite.CandidatePath)
	}
	return []byte(head + g.sp.importList(b.String()) + b.String())
}
