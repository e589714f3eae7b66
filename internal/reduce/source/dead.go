package source

import (
	"fmt"
	"go/ast"
	"go/token"
)

// dead returns the statements at the top level of a test that no remaining statement depends on. Such
// statements change nothing, or only objects that no assertion and no remaining statement can reach. The
// function knows only names, so its answer is a hint: the remaining test runs before anything is removed.
// Statements of different groups share no variable that goes with them.
func dead(fn *ast.FuncDecl, names Names) [][]ast.Stmt {
	d := &deadness{names: names, stmts: fn.Body.List, root: map[string]string{}, plain: map[string]bool{}, local: map[string]bool{}}
	d.removed = make([]bool, len(d.stmts))
	if p := fn.Type.Params.List; len(p) > 0 && len(p[0].Names) > 0 {
		d.testing = p[0].Names[0].Name
	}
	d.final = len(d.stmts) - 1
	for _, s := range d.stmts {
		_, isDefer := s.(*ast.DeferStmt)
		_, isCall := s.(*ast.ExprStmt)
		if !isDefer && !isCall && d.uses(s, d.testing) && !names.Findings {
			d.final = -1
		}
	}
	d.declare()
	d.share()
	for again := true; again; {
		clear(d.removed)
		d.objects()
		d.unused()
		again = d.read()
	}
	d.restore()
	return d.groups()
}

// groups divides the removed statements: those that declare or use the same variable, of the ones that go, are one group.
func (d *deadness) groups() [][]ast.Stmt {
	gone := map[string]bool{}
	for i, s := range d.stmts {
		for _, name := range defined(s) {
			gone[name] = gone[name] || d.removed[i]
		}
	}
	joined := &deadness{root: map[string]string{}}
	variables := make([][]string, len(d.stmts))
	for i, s := range d.stmts {
		if !d.removed[i] {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && gone[id.Name] {
				variables[i] = append(variables[i], id.Name)
				joined.unite(variables[i][0], id.Name)
			}
			return true
		})
	}
	var out [][]ast.Stmt
	number := map[string]int{}
	for i, s := range d.stmts {
		if !d.removed[i] {
			continue
		}
		key := fmt.Sprint(i) // a statement without variables
		if len(variables[i]) > 0 {
			key = joined.find(variables[i][0])
		}
		g, ok := number[key]
		switch {
		case !ok && len(out) < maxGroups:
			g = len(out)
			out = append(out, nil)
		case !ok:
			g = len(out) - 1
		}
		number[key] = g
		out[g] = append(out[g], s)
	}
	return out
}

// deadness is the search for dead statements in one test.
type deadness struct {
	names   Names
	stmts   []ast.Stmt
	removed []bool
	testing string // the test's name for its *testing.T
	final   int    // the statement whose return or panic the test is about, or -1 if it is about what the test asserts

	local map[string]bool   // the variables of the test
	plain map[string]bool   // the variables that lead to no object
	root  map[string]string // unites variables that may lead to the same objects
}

// declare finds the variables of the test, and which of these hold numbers and the like.
func (d *deadness) declare() {
	for _, s := range d.stmts {
		for _, id := range defined(s) {
			d.local[id] = true
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for i, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok && d.leadsNowhere(a.Rhs[min(i, len(a.Rhs)-1)]) {
				d.plain[id.Name] = true
			}
		}
	}
	for _, s := range d.stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					d.changed(n.Lhs...)
				}
			case *ast.IncDecStmt:
				d.changed(n.X)
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					d.changed(n.X)
				}
			}
			return true
		})
	}
}

// changed records that variables change after their declaration, or that something points to them.
func (d *deadness) changed(list ...ast.Expr) {
	for _, e := range list {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			delete(d.plain, id.Name)
		}
	}
}

// defined returns the names of the variables that a statement declares.
func defined(s ast.Stmt) []string {
	var out []string
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			return nil
		}
		for _, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok && id.Name != "_" {
				out = append(out, id.Name)
			}
		}
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					if id.Name != "_" {
						out = append(out, id.Name)
					}
				}
			}
		}
	}
	return out
}

func blank(list []ast.Expr) bool {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// The root of the objects that an assertion, the environment or package-level variables lead to.
const alive = ""

func (d *deadness) find(v string) string {
	for {
		up, ok := d.root[v]
		if !ok || up == v {
			return v
		}
		v = up
	}
}

// unite notes that two variables may lead to the same objects.
func (d *deadness) unite(a, b string) {
	a, b = d.find(a), d.find(b)
	if a == alive {
		a, b = b, a
	}
	if a != b {
		d.root[a] = b
	}
}

// mentioned returns the variables in a statement that lead to objects. A variable of the package is "".
func (d *deadness) mentioned(s ast.Stmt) []string {
	var out []string
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok {
					out = d.mention(out, id.Name)
				}
				return true
			})
			return false
		case *ast.Ident:
			out = d.mention(out, n.Name)
		}
		return true
	})
	return out
}

func (d *deadness) mention(out []string, name string) []string {
	switch {
	case d.local[name]:
		if !d.plain[name] {
			return append(out, name)
		}
	case d.names.Global(name):
		return append(out, alive)
	}
	return out
}

// share unites the variables that may lead to the same objects. Variables that remaining statements use
// are united with "alive".
func (d *deadness) share() {
	for i, s := range d.stmts {
		vars := d.mentioned(s)
		e := d.effects(s)
		if !simple(s) || d.uses(s, d.testing) || e.Beyond || i == d.final {
			vars = append(vars, alive)
		} else if !e.Arguments && !e.Shares {
			continue
		}
		for _, v := range vars[min(len(vars), 1):] {
			d.unite(vars[0], v)
		}
	}
}

// uses reports whether a statement mentions a name.
func (d *deadness) uses(s ast.Stmt, name string) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found && name != ""
}

// simple reports whether a statement is a call, a declaration or an assignment.
func simple(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.IncDecStmt:
		return true
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		return ok && d.Tok == token.VAR
	}
	return false
}

// objects removes the statements that concern only objects which no remaining statement concerns.
func (d *deadness) objects() {
	for i, s := range d.stmts {
		if i == d.final || !simple(s) || d.effects(s).Beyond || d.uses(s, d.testing) {
			continue
		}
		vars := d.mentioned(s)
		removable := len(vars) > 0 || d.effects(s).Arguments // a call on an object without a name
		for _, v := range vars {
			removable = removable && d.find(v) != d.find(alive)
		}
		d.removed[i] = removable
	}
}

// unused removes pure statements whose results nothing uses. It repeats this until there are none.
func (d *deadness) unused() {
	for again := true; again; {
		again = false
		used := d.used()
		for i := len(d.stmts) - 1; i >= 0; i-- {
			if i == d.final || d.removed[i] || !isDead(d.stmts[i], used) {
				continue
			}
			if e := d.effects(d.stmts[i]); e.Beyond || e.Arguments {
				continue
			}
			d.removed[i] = true
			again = true
			break
		}
	}
}

// read makes the variables alive that a removed statement changes and a remaining one reads. It reports
// whether there were any.
func (d *deadness) read() bool {
	changed := map[string]bool{}
	for i, s := range d.stmts {
		if d.removed[i] && d.effects(s).Arguments {
			for _, v := range d.mentioned(s) {
				changed[d.find(v)] = true
			}
		}
	}
	some := false
	for i, s := range d.stmts {
		if d.removed[i] {
			continue
		}
		for _, v := range d.mentioned(s) {
			if changed[d.find(v)] && d.find(v) != d.find(alive) {
				d.unite(v, alive)
				some = true
			}
		}
	}
	return some
}

// used counts how often each name occurs in the remaining statements.
func (d *deadness) used() map[string]int {
	used := map[string]int{}
	for i, s := range d.stmts {
		if d.removed[i] {
			continue
		}
		ast.Inspect(s, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[id.Name]++
			}
			return true
		})
	}
	return used
}

// restore takes back removals without which the test would not compile: removed uses of a variable whose
// declaration stays, and removed declarations of names that are used.
func (d *deadness) restore() {
	for again := true; again; {
		again = false
		used := d.used()
		for i, s := range d.stmts {
			for _, name := range defined(s) {
				if d.removed[i] {
					if used[name] > 0 {
						d.removed[i], again = false, true
					}
					continue
				}
				if used[name] > 1 {
					continue
				}
				for k, user := range d.stmts {
					if d.removed[k] && d.uses(user, name) {
						d.removed[k], again = false, true
					}
				}
			}
		}
	}
}

// isDead reports whether no remaining statement uses the results of the statement.
func isDead(s ast.Stmt, used map[string]int) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return true
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return false
		}
		for _, spec := range d.Specs {
			for _, n := range spec.(*ast.ValueSpec).Names {
				if n.Name != "_" && used[n.Name] > 1 {
					return false
				}
			}
		}
		return true
	case *ast.AssignStmt:
		for _, l := range s.Lhs {
			id, ok := l.(*ast.Ident)
			if !ok || id.Name != "_" && (s.Tok != token.DEFINE || used[id.Name] > 1) {
				return false
			}
		}
		return true
	}
	return false
}
