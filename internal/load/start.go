package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// What runs at the start of packages, before everything else: their functions init, and the initial values of variables
// that are computed by calls. What such code does to a variable is something that the variable's users depend on.

// addStart notes that what variables of a package hold depends on its functions init and on the initialisers of
// variables that run code, if these reach them, and on the order of the latter.
func (g *declGraph) addStart(src *Source) {
	uses := g.uses()
	vars := map[string]bool{} // those that code may change
	scope, assigned := src.Types.Scope(), assignedIn(src)
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && (assigned[v] || !isSettled(v.Type())) {
			vars[src.Path+"."+name] = true
		}
	}
	runs := map[string]bool{src.Path + ".init": true, src.Path + "._": true}
	var starts []string
	for _, i := range src.Info.InitOrder {
		for _, v := range i.Lhs {
			key := src.Path + "." + v.Name()
			starts = append(starts, key)
			runs[key] = runs[key] || calls(src.Info, i.Rhs)
		}
	}
	reached := map[string]map[string]bool{} // the variables that code at the start reaches
	for start := range runs {
		if runs[start] {
			g.starts[start] = true
		}
		reached[start] = map[string]bool{}
		if !runs[start] {
			for _, used := range uses[start] {
				reached[start][used] = vars[used]
			}
			continue
		}
		seen := map[string]bool{}
		todo := []string{start}
		for len(todo) > 0 {
			key := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[key] {
				continue
			}
			seen[key] = true
			todo = append(todo, uses[key]...)
			if vars[key] && key != start {
				reached[start][key] = true
			}
		}
		for v := range reached[start] {
			g.use(v, start)
		}
	}
	g.before = uses
	for v := range vars {
		var list []string
		code := false
		for _, start := range starts {
			if reached[start][v] {
				list = append(list, strings.TrimPrefix(start, src.Path+"."))
				code = code || runs[start]
			}
		}
		if code && len(list) > 1 {
			g.order[v] = list
		}
	}
}

// isSettled reports whether a variable of a type holds the same until it is assigned to.
func isSettled(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic, *types.Signature:
		return true
	case *types.Named:
		return t == types.Universe.Lookup("error").Type()
	}
	return false
}

// assignedIn returns the variables that code of a package assigns to, in whole or in part, or takes the address of.
func assignedIn(src *Source) map[types.Object]bool {
	out := map[types.Object]bool{}
	note := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && src.Info.Uses[id] != nil {
				out[src.Info.Uses[id]] = true
			}
			return true
		})
	}
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					note(e)
				}
			case *ast.IncDecStmt:
				note(n.X)
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						note(e)
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			}
			return true
		})
	}
	return out
}

// startsElsewhere returns for variables which code at the start of packages changes them by way of the code of other
// packages, as a package does that others import for its effect only. Those that addStart knows are among them.
func startsElsewhere(graphs map[string]*declGraph) map[string]map[string]bool {
	all := map[string][]string{}
	changes := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(graphs)) {
		for user, used := range graphs[path].before {
			all[user] = append(all[user], used...)
		}
		for user, vars := range graphs[path].changes {
			changes[user] = append(changes[user], slices.Sorted(maps.Keys(vars))...)
		}
	}
	// Most of what is used leads to no change.
	leads := map[string]bool{}
	todo := slices.Collect(maps.Keys(changes))
	users := map[string][]string{}
	for user, list := range all {
		for _, used := range list {
			users[used] = append(users[used], user)
		}
	}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !leads[key] {
			leads[key] = true
			todo = append(todo, users[key]...)
		}
	}
	for user, list := range all {
		all[user] = slices.DeleteFunc(list, func(used string) bool { return !leads[used] })
	}
	out := map[string]map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(graphs)) {
		for start := range graphs[path].starts {
			for key := range reachable(all, start) {
				for _, v := range changes[key] {
					if v == start {
						continue
					}
					if out[v] == nil {
						out[v] = map[string]bool{}
					}
					out[v][start] = true
				}
			}
		}
	}
	return out
}

// startsReaching returns the code at the start of the package that reaches a declaration, sorted.
func (g *declGraph) startsReaching(key string) []string {
	var out []string
	for _, start := range slices.Sorted(maps.Keys(g.starts)) {
		if reachable(g.before, start)[key] {
			out = append(out, start)
		}
	}
	return out
}

// uses returns the declarations that each declaration uses.
func (g *declGraph) uses() map[string][]string {
	out := map[string][]string{}
	for used, users := range g.users {
		for user := range users {
			out[user] = append(out[user], used)
		}
	}
	return out
}

// reachable returns what a declaration uses, directly or not, and the declaration.
func reachable(uses map[string][]string, from string) map[string]bool {
	seen := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[key] {
			seen[key] = true
			todo = append(todo, uses[key]...)
		}
	}
	return seen
}

// noteChanges notes the package-level variables that a declaration may change: that it assigns to, in whole or in part,
// or gives to others in a way by which they can.
func (g *declGraph) noteChanges(src *Source, key string, node ast.Node) {
	var above []ast.Node
	ast.Inspect(node, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, n)
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := src.Info.Uses[id].(*types.Var)
		if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() || IsLock(v.Type()) {
			return true
		}
		if mayChange(src.Info, above) {
			if g.changes[key] == nil {
				g.changes[key] = map[string]bool{}
			}
			g.changes[key][declKey(v)] = true
		}
		return true
	})
}

// IsLock reports whether a type is that of locks, whose state says nothing about results.
func IsLock(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync" && (n.Obj().Name() == "Mutex" || n.Obj().Name() == "RWMutex")
}

// mayChange reports whether an expression, the last of the nodes in each other, is where what it leads to may be changed.
// Reading a part of it is no such place, unless that part is a reference, by which it could be changed elsewhere.
func mayChange(info *types.Info, nodes []ast.Node) bool {
	e := nodes[len(nodes)-1].(ast.Expr)
	for i := len(nodes) - 2; i >= 0; i-- {
		switch p := nodes[i].(type) {
		case *ast.ParenExpr, *ast.StarExpr, *ast.SliceExpr:
			e = p.(ast.Expr)
		case *ast.SelectorExpr:
			if s := info.Selections[p]; s != nil && s.Kind() != types.FieldVal {
				return !isPlain(info.TypeOf(e), 0) || takesAddress(s)
			}
			e = p
		case *ast.IndexExpr:
			if p.Index == e {
				return false
			}
			e = p
		case *ast.AssignStmt:
			return slices.Contains(p.Lhs, e) || !isPlain(info.TypeOf(e), 0)
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return p.Op == token.AND || p.Op == token.ARROW
		case *ast.RangeStmt:
			if p.X != e {
				return true
			}
			return !isPlain(info.TypeOf(p.Key), 0) || !isPlain(info.TypeOf(p.Value), 0)
		case *ast.CallExpr:
			if p.Fun == e {
				return false
			}
			if id, ok := ast.Unparen(p.Fun).(*ast.Ident); ok {
				if b, ok := info.Uses[id].(*types.Builtin); ok && slices.Contains([]string{"len", "cap", "min", "max", "print", "println"}, b.Name()) {
					return false
				}
			}
			return !isPlain(info.TypeOf(e), 0)
		default:
			return !isPlain(info.TypeOf(e), 0)
		}
	}
	return false
}

// takesAddress reports whether a method is called by the address of its receiver.
func takesAddress(s *types.Selection) bool {
	sig, ok := s.Obj().Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return true
	}
	_, pointer := types.Unalias(sig.Recv().Type()).(*types.Pointer)
	return pointer
}

// isPlain reports whether copies of a value have nothing in common with it that could be changed. Nil is the type of
// what is not there.
func isPlain(t types.Type, depth int) bool {
	const deep = 8 // what nests deeper is no constant that somebody reads
	if t == nil {
		return true
	}
	if depth > deep {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return isPlain(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if !isPlain(f.Type(), depth+1) {
				return false
			}
		}
		return true
	case *types.Interface:
		return types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}
