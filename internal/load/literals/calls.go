package literals

import (
	"go/ast"
	"go/constant"
	"strings"
)

// How many argument lists are kept for one function: as hints, and to tell what one version's tests pass and
// another's do not.
const (
	maxCalls    = 64
	maxAllCalls = 4096
)

// calls collects from a test file the constant argument lists with which it calls functions of the
// package. The constants are written in the call itself, or in the rows of a table (`tests :=
// []struct{in string; want int}{{"1k", 1024}, ...}`) whose fields the call passes on (`Parse(tt.in)`).
// A method is recognised by its name if only one type of the package has such a method.
func calls(src Source, f *ast.File, into map[string][][]constant.Value) {
	methods := make(map[string]string) // Target.Name by method name; "" if the name is ambiguous
	functions := make(map[string]bool)
	for _, target := range src.Targets {
		typ, m, ok := strings.Cut(target, ".")
		if !ok {
			functions[target] = true
			continue
		}
		if old, ok := methods[m]; ok && old != typ+"."+m {
			methods[m] = ""
		} else {
			methods[m] = typ + "." + m
		}
	}
	globals := make(map[string]*table)
	for _, d := range f.Decls {
		if gd, ok := d.(*ast.GenDecl); ok {
			for _, spec := range gd.Specs {
				if vs, ok := spec.(*ast.ValueSpec); ok && len(vs.Names) == len(vs.Values) {
					for i, v := range vs.Values {
						if tab := tableOf(v); tab != nil {
							globals[vs.Names[i].Name] = tab
						}
					}
				}
			}
		}
	}
	for _, d := range f.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		c := callCollector{tables: make(map[string]*table), rows: make(map[string]*table), locals: make(map[string]constant.Value)}
		for n, tab := range globals {
			c.tables[n] = tab
		}
		c.emit = func(call *ast.CallExpr) {
			name := ""
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				if functions[fun.Name] {
					name = fun.Name
				}
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok && x.Name == src.Package && functions[fun.Sel.Name] {
					name = fun.Sel.Name
				} else {
					name = methods[fun.Sel.Name]
				}
			}
			if name == "" || len(call.Args) == 0 {
				return
			}
			for _, args := range c.arguments(call.Args) {
				if len(into[name]) < maxAllCalls {
					into[name] = append(into[name], args)
				}
			}
		}
		c.walk(fd.Body)
	}
}

// table is a slice, array or map of structs written out in a test.
type table struct {
	fields []string // the names of the fields, in order
	rows   []map[string]ast.Expr
}

// tableOf reads a composite literal whose elements are struct literals.
func tableOf(e ast.Expr) *table {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	var elem ast.Expr
	switch t := lit.Type.(type) {
	case *ast.ArrayType:
		elem = t.Elt
	case *ast.MapType:
		elem = t.Value
	}
	if star, ok := elem.(*ast.StarExpr); ok {
		elem = star.X
	}
	st, ok := elem.(*ast.StructType)
	if !ok {
		return nil // a named row type would have to be looked up; few tests have one
	}
	tab := &table{}
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			tab.fields = append(tab.fields, n.Name)
		}
	}
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		if u, ok := el.(*ast.UnaryExpr); ok {
			el = u.X
		}
		row, ok := el.(*ast.CompositeLit)
		if !ok {
			continue
		}
		m := make(map[string]ast.Expr)
		for i, v := range row.Elts {
			if kv, ok := v.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					m[id.Name] = kv.Value
				}
			} else if i < len(tab.fields) {
				m[tab.fields[i]] = v
			}
		}
		tab.rows = append(tab.rows, m)
	}
	return tab
}

// callCollector walks one test function.
type callCollector struct {
	tables map[string]*table         // by the variable that holds the table
	rows   map[string]*table         // by the variable that ranges over it
	locals map[string]constant.Value // the constants that variables have at this place, in the order of the source
	emit   func(*ast.CallExpr)
}

func (c *callCollector) walk(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) == len(n.Rhs) {
				for i, r := range n.Rhs {
					if id, ok := n.Lhs[i].(*ast.Ident); ok {
						c.set(id.Name, r)
					}
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) == len(n.Values) {
				for i, r := range n.Values {
					c.set(n.Names[i].Name, r)
				}
			}
		case *ast.RangeStmt:
			v, ok := n.Value.(*ast.Ident)
			if !ok {
				break
			}
			tab := tableOf(n.X)
			if id, ok := n.X.(*ast.Ident); ok {
				tab = c.tables[id.Name]
			}
			if tab != nil {
				c.rows[v.Name] = tab
			}
		case *ast.CallExpr:
			c.emit(n)
		}
		return true
	})
}

// set notes what a variable is given, if it is a table or a constant.
func (c *callCollector) set(name string, value ast.Expr) {
	if tab := tableOf(value); tab != nil {
		c.tables[name] = tab
	}
	if v := constantOf(value); v != nil {
		c.locals[name] = v
	} else {
		delete(c.locals, name)
	}
}

// arguments evaluates the arguments of a call: once, or once for every row of the table that they refer
// to. Lists without any constant are left out.
func (c *callCollector) arguments(args []ast.Expr) [][]constant.Value {
	var tab *table
	for _, a := range args {
		if sel, ok := converted(a).(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && c.rows[x.Name] != nil {
				tab = c.rows[x.Name]
			}
		}
	}
	if tab == nil {
		if l := c.constants(args, nil); l != nil {
			return [][]constant.Value{l}
		}
		return nil
	}
	var out [][]constant.Value
	for _, row := range tab.rows {
		if l := c.constants(args, row); l != nil {
			out = append(out, l)
		}
	}
	return out
}

// converted returns what a conversion to a slice or to a predeclared type converts, and other expressions as
// they are.
func converted(e ast.Expr) ast.Expr {
	for {
		call, ok := e.(*ast.CallExpr)
		if !ok || !isConversion(call) {
			return e
		}
		e = call.Args[0]
	}
}

// constants evaluates a list of arguments for a row, or nil if none is constant.
func (c *callCollector) constants(args []ast.Expr, row map[string]ast.Expr) []constant.Value {
	out := make([]constant.Value, len(args))
	some := false
	for i, a := range args {
		switch e := converted(a).(type) {
		case *ast.SelectorExpr:
			if v, ok := row[e.Sel.Name]; ok {
				a = v
			}
		case *ast.Ident:
			if v := c.locals[e.Name]; v != nil {
				out[i] = v
			}
		}
		if out[i] == nil {
			out[i] = constantOf(a)
		}
		some = some || out[i] != nil
	}
	if !some {
		return nil
	}
	return out
}
