package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// Lines is a range of lines of a file, first and last included.
type Lines struct{ First, Last int }

// Affected returns the targets of a package under test that are declared in changed lines or reach such
// a declaration: through calls and other uses, through what init does to a variable, through the types of things that they use, through a
// method of the same name if they call a method of an interface, and through all methods of values that
// they convert to an interface. changed has absolute names of files and the lines that are new in them;
// a range of no lines (Last before First) is a place where something was removed. Declarations of other
// modules are not looked at. The result has Target.Name.
func (p *Program) Affected(pkg *Package, changed map[string][]Lines) (map[string]bool, error) {
	p.deps.mu.Lock()
	var paths []string
	for _, l := range p.closure(pkg.Path) {
		own := l.Module != nil && pkg.Module != "" && l.Module.Path == pkg.Module
		if l.ImportPath == pkg.Path || own {
			paths = append(paths, l.ImportPath)
		}
	}
	relevant := p.importers(paths, changed)
	p.deps.mu.Unlock()
	touched, starts, err := p.touchedBy(relevant, changed)
	if err == nil && starts && len(relevant) < len(paths) {
		// What runs at the start may change variables by way of the code of any package.
		touched, _, err = p.touchedBy(paths, changed)
	}
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, t := range pkg.Targets {
		if touched[pkg.Path+"."+t.Name] {
			out[t.Name] = true
		}
	}
	return out, nil
}

// touchedBy returns the declarations of some packages that are in changed lines or use such a declaration, and whether
// code that runs at the start of a package is among them.
func (p *Program) touchedBy(paths []string, changed map[string][]Lines) (touched map[string]bool, starts bool, err error) {
	graphs := map[string]*declGraph{}
	users := map[string]map[string]bool{}
	touched = map[string]bool{}
	add := func(used, user string) {
		if users[used] == nil {
			users[used] = map[string]bool{}
		}
		users[used][user] = true
	}
	for _, path := range paths {
		src, err := p.PackageSource(path)
		if err != nil {
			return nil, false, err
		}
		g := newDeclGraph(p)
		g.add(src, changed)
		g.addStart(src)
		graphs[path] = g
		maps.Copy(touched, g.touched)
		for used, list := range g.users {
			for user := range list {
				add(used, user)
			}
		}
	}
	for variable, list := range startsElsewhere(graphs) {
		for start := range list {
			add(start, variable)
		}
	}
	// Uses are followed backwards from the changed declarations.
	todo := slices.Sorted(maps.Keys(touched))
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for user := range users[n] {
			if !touched[user] {
				touched[user] = true
				todo = append(todo, user)
			}
		}
	}
	for _, g := range graphs {
		for start := range g.starts {
			starts = starts || touched[start]
		}
	}
	return touched, starts, nil
}

// importers returns the packages that have a changed file, or import such a package directly or
// indirectly.
func (p *Program) importers(paths []string, changed map[string][]Lines) []string {
	reaches := map[string]bool{}
	var visit func(path string, seen map[string]bool) bool
	visit = func(path string, seen map[string]bool) bool {
		if known, ok := reaches[path]; ok || seen[path] {
			return known
		}
		seen[path] = true
		l := p.deps.listed[path]
		found := false
		for _, name := range l.abs(append(slices.Clone(l.GoFiles), l.CgoFiles...)) {
			found = found || changed[name] != nil
		}
		for _, i := range l.Imports {
			if to := l.ImportMap[i]; to != "" {
				i = to
			}
			if slices.Contains(paths, i) && visit(i, seen) {
				found = true
			}
		}
		reaches[path] = found
		return found
	}
	var out []string
	for _, path := range paths {
		if visit(path, map[string]bool{}) {
			out = append(out, path)
		}
	}
	return out
}

// declGraph is which declarations use which. A declaration is named by its package's path
// and its name, a method by that of its type too: "m/p.F", "m/p.T.M". "·M" stands for all
// methods of that name.
type declGraph struct {
	prog    *Program
	users   map[string]map[string]bool
	touched map[string]bool
	order   map[string][]string // what is run for a variable before the functions init, if the order may matter
	spans   map[string][]span   // where declarations stand, if the caller wants to know
	// starts is the code that runs at the start of packages, before what declarations use without what such code does to
	// variables, and changes the variables that declarations may change (start.go).
	starts  map[string]bool
	before  map[string][]string
	changes map[string]map[string]bool
}

func newDeclGraph(p *Program) *declGraph {
	return &declGraph{
		prog: p, users: map[string]map[string]bool{}, touched: map[string]bool{}, order: map[string][]string{},
		starts: map[string]bool{}, changes: map[string]map[string]bool{},
	}
}

// packageNode begins the name of a node that stands for a whole other package.
const packageNode = "package "

// namesNode begins the name of a node that stands for the names of a type and of its fields, which code that is given
// a value of it as an interface may print.
const namesNode = "names of "

func (g *declGraph) use(user, used string) {
	if g.users[used] == nil {
		g.users[used] = map[string]bool{}
	}
	g.users[used][user] = true
}

// add adds the declarations of a package.
func (g *declGraph) add(src *Source, changed map[string][]Lines) {
	for _, f := range src.Syntax {
		name := g.prog.Fset.PositionFor(f.Package, false).Filename
		lines := changed[name]
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				obj, _ := src.Info.Defs[d.Name].(*types.Func)
				if obj == nil {
					continue
				}
				key := declKey(obj)
				if d.Recv != nil {
					g.use("·"+d.Name.Name, key)
				}
				g.declared(src, key, d, d.Doc, lines)
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					doc := d.Doc
					var names []*ast.Ident
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						if names = spec.Names; len(names) == 1 && names[0].Name == "_" && !calls(src.Info, spec) {
							continue // it only asks the compiler something
						}
					case *ast.TypeSpec:
						names = []*ast.Ident{spec.Name}
					}
					var node ast.Node = spec
					if d.Tok == token.CONST || !d.Lparen.IsValid() {
						node = d // iota counts the lines above
					}
					for _, n := range names {
						g.declared(src, src.Path+"."+n.Name, node, doc, lines)
					}
				}
			}
		}
	}
}

// calls reports whether code is run for a declaration of variables, other than conversions.
func calls(info *types.Info, spec ast.Node) bool {
	found := false
	ast.Inspect(spec, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it is not called unless it is part of a call
		case *ast.CallExpr:
			found = found || !info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return true
	})
	return found
}

// declared adds a declaration: the declarations that it uses, and whether it was touched.
func (g *declGraph) declared(src *Source, key string, node ast.Node, doc *ast.CommentGroup, lines []Lines) {
	from, to := g.prog.Fset.PositionFor(node.Pos(), false).Line, g.prog.Fset.PositionFor(node.End(), false).Line
	if doc != nil {
		from = min(from, g.prog.Fset.PositionFor(doc.Pos(), false).Line)
	}
	for _, l := range lines {
		if l.First <= to && max(l.Last, l.First) >= from {
			g.touched[key] = true
		}
	}
	if g.spans != nil {
		g.spans[key] = append(g.spans[key], g.spanOf(node, doc))
	}
	g.noteChanges(src, key, node)
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			obj := src.Info.Uses[n]
			if obj == nil || obj.Pkg() == nil {
				return true
			}
			for t := range src.Info.Instances[n].TypeArgs.Types() {
				g.boxed(key, t, types.Universe.Lookup("any").Type()) // generic code may convert values of its parameters
			}
			if obj.Pkg() != src.Types {
				g.use(key, packageNode+obj.Pkg().Path())
			}
			if fn, ok := obj.(*types.Func); ok {
				if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
					g.use(key, "·"+fn.Name())
				}
			}
			if k := declKey(obj); k != "" && k != key {
				g.use(key, k)
			}
			g.useTypes(key, obj.Type(), 0)
		case *ast.CallExpr:
			if sig, ok := src.Info.TypeOf(n.Fun).(*types.Signature); ok {
				for i, a := range n.Args {
					g.boxed(key, src.Info.TypeOf(a), parameter(sig, i))
				}
			} else if len(n.Args) == 1 {
				g.boxed(key, src.Info.TypeOf(n.Args[0]), src.Info.TypeOf(n.Fun))
			}
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				g.boxed(key, src.Info.TypeOf(n.Rhs[i]), src.Info.TypeOf(n.Lhs[i]))
			}
		case *ast.ValueSpec:
			for i := range min(len(n.Names), len(n.Values)) {
				g.boxed(key, src.Info.TypeOf(n.Values[i]), src.Info.TypeOf(n.Names[i]))
			}
		case *ast.SendStmt:
			if c, ok := src.Info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				g.boxed(key, src.Info.TypeOf(n.Value), c.Elem())
			}
		case *ast.CompositeLit:
			g.boxedIn(key, src.Info, n)
		case *ast.FuncDecl:
			if obj, ok := src.Info.Defs[n.Name].(*types.Func); ok && n.Body != nil {
				g.boxedResults(key, src.Info, obj.Signature(), n.Body)
			}
		case *ast.FuncLit:
			if sig, ok := src.Info.TypeOf(n).(*types.Signature); ok {
				g.boxedResults(key, src.Info, sig, n.Body)
			}
		}
		return true
	})
}

// parameter returns the type of the parameter for the i-th argument of a call, or nil if there is none.
func parameter(sig *types.Signature, i int) types.Type {
	ps := sig.Params()
	switch {
	case sig.Variadic() && i >= ps.Len()-1:
		if s, ok := ps.At(ps.Len() - 1).Type().Underlying().(*types.Slice); ok {
			return s.Elem()
		}
		return nil
	case i < ps.Len():
		return ps.At(i).Type()
	}
	return nil
}

// boxed notes that a value of type t is converted to type to. If to is an interface, its methods may be
// called by any code, and those of the values that it leads to.
func (g *declGraph) boxed(key string, t, to types.Type) {
	if t == nil || to == nil || !types.IsInterface(to) || types.IsInterface(t) {
		return
	}
	for _, n := range NamedIn(t) {
		if k := declKey(n.Obj()); k != "" {
			g.use(key, namesNode+k)
		}
		for m := range n.Origin().Methods() {
			g.use(key, declKey(m))
		}
	}
}

// boxedIn notes the conversions of the elements of a composite literal.
func (g *declGraph) boxedIn(key string, info *types.Info, lit *ast.CompositeLit) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for i, e := range lit.Elts {
		kv, keyed := e.(*ast.KeyValueExpr)
		if keyed {
			e = kv.Value
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if keyed {
				g.boxed(key, info.TypeOf(e), info.TypeOf(kv.Key))
			} else if i < u.NumFields() {
				g.boxed(key, info.TypeOf(e), u.Field(i).Type())
			}
		case *types.Map:
			if keyed {
				g.boxed(key, info.TypeOf(kv.Key), u.Key())
			}
			g.boxed(key, info.TypeOf(e), u.Elem())
		case interface{ Elem() types.Type }:
			g.boxed(key, info.TypeOf(e), u.Elem())
		}
	}
}

// boxedResults notes the conversions of what a function returns.
func (g *declGraph) boxedResults(key string, info *types.Info, sig *types.Signature, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // it returns to others
		case *ast.ReturnStmt:
			for i, e := range n.Results {
				if i < sig.Results().Len() {
					g.boxed(key, info.TypeOf(e), sig.Results().At(i).Type())
				}
			}
		}
		return true
	})
}

// useTypes notes the named types in a type, without going into them.
func (g *declGraph) useTypes(key string, t types.Type, depth int) {
	const deep = 4 // a type that nests deeper is also used through the names of its parts
	if depth > deep || t == nil {
		return
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil {
			g.use(key, t.Obj().Pkg().Path()+"."+t.Obj().Name())
		}
		for a := range t.TypeArgs().Types() {
			g.useTypes(key, a, depth+1)
		}
	case *types.Pointer:
		g.useTypes(key, t.Elem(), depth+1)
	case *types.Slice:
		g.useTypes(key, t.Elem(), depth+1)
	case *types.Array:
		g.useTypes(key, t.Elem(), depth+1)
	case *types.Map:
		g.useTypes(key, t.Key(), depth+1)
		g.useTypes(key, t.Elem(), depth+1)
	case *types.Chan:
		g.useTypes(key, t.Elem(), depth+1)
	}
}

// declKey is the name of the declaration of a package-level object or method, or "" for other objects.
func declKey(obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	if fn, ok := obj.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			n := NamedOf(recv.Type())
			if n == nil {
				return ""
			}
			return obj.Pkg().Path() + "." + n.Obj().Name() + "." + fn.Name()
		}
	}
	if obj.Parent() != obj.Pkg().Scope() {
		return ""
	}
	return obj.Pkg().Path() + "." + obj.Name()
}
