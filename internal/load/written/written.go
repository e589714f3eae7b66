// Package written finds how a module makes values of other packages' types: mockdir.New("a/b"), dns.Question{Name: "example.org.", Qtype: dns.TypeA}.
// What tests and code elsewhere in the module write there are objects of the domain, which nobody could put together from the types alone.
//
//  1. [Of] reads the files of the module that import a type's package, tests first.
//  2. Expressions count that need nothing of their surroundings: constants, literals of structs and lists, and calls of functions that packages
//     export, without those that ask for the time, chance, files or the network.
//
// Whether an expression has the type, the caller has to check (it knows by its text alone), and whether it compiles in a test.
//
// Invariants: only the text of files decides; the most frequent expressions come first, then the shortest. Nothing fails: what cannot be read
// is left out. The numbers of files and expressions are bounded.
//
// Not supported: variables that are given a value twice or changed otherwise than by methods that set something; values that other statements make.
package written

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/goassay/assay/internal/gosyntax"
)

// Bounds of what is read and returned.
const (
	mostFiles   = 40
	mostBytes   = 2 << 20
	longestCode = 300 // bytes
	mostOfHead  = 2   // expressions that begin alike
)

// Most is how many expressions are returned at the most.
const Most = 40

// An Expression makes a value.
type Expression struct {
	Code    string
	Imports []string // the paths of the packages that it names, in order
}

// Of returns the expressions in these files that call a function or write out a struct and name one of the packages that are allowed, by their
// paths. The package's own files are no different from others, but what they write without a package's name is not known elsewhere.
func Of(files []string, allowed func(path string) bool) []Expression {
	counts := make(map[string]int)
	found := make(map[string]Expression)
	left := mostBytes
	for i, name := range files {
		src, err := os.ReadFile(name)
		if left -= len(src); i == mostFiles || left < 0 {
			break
		}
		if err != nil {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		r := &reader{imports: importsOf(f), allowed: allowed}
		seen := make(map[string]bool)
		note := func(e ast.Expr) {
			if x, ok := r.expression(e); ok && !seen[x.Code] {
				seen[x.Code] = true
				counts[x.Code]++
				found[x.Code] = x
			}
		}
		for _, d := range f.Decls {
			r.settle(d)
			ast.Inspect(d, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && makes(e) {
					note(e)
				}
				return true // what it is made of is of other types
			})
			for _, v := range r.variables {
				if makes(v) {
					note(v)
				}
			}
		}
	}
	codes := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	heads := make(map[string]int)
	var out []Expression
	for _, code := range codes {
		head, _, _ := strings.Cut(code, "(")
		head, _, _ = strings.Cut(head, "{")
		if heads[head]++; heads[head] > mostOfHead || len(out) == Most {
			continue
		}
		out = append(out, found[code])
	}
	return out
}

// importsOf returns the import paths of a file by the names of the packages in it. A package under another name than its own is left out, since
// tests may use another one.
func importsOf(f *ast.File) map[string]string {
	out := make(map[string]string)
	for _, i := range f.Imports {
		at, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(at)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" && len(name) > 1 {
			name = path.Base(path.Dir(at))
		}
		if i.Name != nil && i.Name.Name != name {
			continue
		}
		out[name] = at
	}
	return out
}

// makes reports whether an expression is one that makes a value: a call, or a struct with something in it, or its address.
func makes(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		_, ok := e.Fun.(*ast.SelectorExpr)
		return ok
	case *ast.CompositeLit:
		_, ok := e.Type.(*ast.SelectorExpr)
		return ok && len(e.Elts) > 0
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND && makes(lit)
	}
	return false
}

// reader reads the expressions of one file.
type reader struct {
	imports   map[string]string
	allowed   func(string) bool
	variables map[string]ast.Expr // of the declaration that is read, see settle
}

// settle finds the variables of a function that are given a value once, by an expression that needs nothing but packages and other such
// variables. What a method is called for that sets something in it (m.SetQuestion("example.org.", dns.TypeA)) is a part of the value, as if
// the method returned it; if it does not, the expression has no type, or another one. Of a variable that is changed in another way nothing
// is known.
func (r *reader) settle(d ast.Decl) {
	r.variables = make(map[string]ast.Expr)
	times := make(map[string]int)
	give := func(to, value ast.Expr) {
		if id, ok := to.(*ast.Ident); ok {
			times[id.Name]++
			if v := r.alone(value); v != nil {
				r.variables[id.Name] = v
			}
		}
	}
	spoil := func(e ast.Expr) {
		for {
			switch x := e.(type) {
			case *ast.SelectorExpr:
				e = x.X
				continue
			case *ast.IndexExpr:
				e = x.X
				continue
			case *ast.StarExpr:
				e = x.X
				continue
			case *ast.Ident:
				times[x.Name] += 2
			}
			return
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				switch {
				case n.Tok != token.DEFINE || len(n.Lhs) != len(n.Rhs):
					spoil(to)
				default:
					give(to, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, to := range n.Names {
				if len(n.Names) == len(n.Values) {
					give(to, n.Values[i])
				} else {
					spoil(to)
				}
			}
		case *ast.RangeStmt:
			spoil(n.Key)
			spoil(n.Value)
		case *ast.IncDecStmt:
			spoil(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				spoil(n.X)
			}
		case *ast.ExprStmt: // a method that is called for what it does
			if call, ok := n.X.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && !r.extend(sel, call.Args) {
					spoil(sel.X)
				}
			}
		case *ast.FuncType:
			for _, f := range n.Params.List {
				for _, id := range f.Names {
					spoil(id)
				}
			}
		}
		return true
	})
	maps.DeleteFunc(r.variables, func(name string, _ ast.Expr) bool { return times[name] != 1 })
}

// alone returns an expression with the values of variables in their places, nil if it needs more than packages.
func (r *reader) alone(e ast.Expr) ast.Expr {
	if e == nil || !r.closed(e, make(map[string]bool)) {
		return nil
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil || b.Len() > longestCode {
		return nil
	}
	again, err := parser.ParseExpr(b.String())
	if err != nil {
		return nil
	}
	return r.inlined(again)
}

// extend adds a method that is called on a variable to the variable's value, and reports whether it could.
func (r *reader) extend(sel *ast.SelectorExpr, args []ast.Expr) bool {
	id, ok := sel.X.(*ast.Ident)
	if !ok || r.variables[id.Name] == nil || !makesMore(sel.Sel.Name) {
		return false
	}
	call := &ast.CallExpr{Fun: &ast.SelectorExpr{X: r.variables[id.Name], Sel: sel.Sel}}
	if u, ok := r.variables[id.Name].(*ast.UnaryExpr); ok {
		call.Fun.(*ast.SelectorExpr).X = &ast.ParenExpr{X: u}
	}
	for _, a := range args {
		v := r.alone(a)
		if v == nil {
			return false
		}
		call.Args = append(call.Args, v)
	}
	r.variables[id.Name] = call
	return true
}

// expression returns an expression that needs nothing of its surroundings, and names a package that is none of the standard library.
func (r *reader) expression(e ast.Expr) (Expression, bool) {
	used := make(map[string]bool)
	if !r.closed(e, used) || !slices.ContainsFunc(slices.Collect(maps.Keys(used)), func(p string) bool { return !gosyntax.IsStandard(p, "") }) {
		return Expression{}, false
	}
	v := r.alone(e)
	if v == nil {
		return Expression{}, false
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), v); err != nil || b.Len() > longestCode {
		return Expression{}, false
	}
	return Expression{b.String(), slices.Sorted(maps.Keys(used))}, true
}

// inlined puts the values of variables in their places. The expression is changed.
func (r *reader) inlined(e ast.Expr) ast.Expr {
	return astutil.Apply(e, func(c *astutil.Cursor) bool {
		id, ok := c.Node().(*ast.Ident)
		if !ok {
			return true
		}
		switch parent := c.Parent().(type) {
		case *ast.SelectorExpr:
			if parent.Sel == id {
				return true
			}
		case *ast.KeyValueExpr:
			if parent.Key == id {
				return true
			}
		}
		if value, ok := r.variables[id.Name]; ok && r.imports[id.Name] == "" {
			c.Replace(value)
			return false // in it are no variables
		}
		return true
	}, nil).(ast.Expr)
}

// closed reports whether an expression needs nothing of its surroundings, and notes the packages that it names.
func (r *reader) closed(e ast.Expr, used map[string]bool) bool {
	all := func(list []ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool { return !r.closed(e, used) })
	}
	switch e := e.(type) {
	case nil:
		return true
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		if v := r.variables[e.Name]; v != nil && r.imports[e.Name] == "" {
			return r.closed(v, used)
		}
		return slices.Contains([]string{"nil", "true", "false", "string", "byte", "rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool", "any", "error"}, e.Name)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok { // a method or field of what another call returns
			return token.IsExported(e.Sel.Name) && !acts(e.Sel.Name) && r.closed(e.X, used)
		}
		if r.imports[x.Name] == "" || !token.IsExported(e.Sel.Name) {
			return false
		}
		at := r.imports[x.Name]
		used[at] = true
		if gosyntax.IsStandard(at, "") {
			return isHarmless(at, e.Sel.Name)
		}
		return r.allowed(at) && !acts(e.Sel.Name)
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.Ident); ok && f.Name == "new" {
			return all(e.Args)
		}
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && makesMore(sel.Sel.Name) {
			if _, ofPackage := sel.X.(*ast.Ident); !ofPackage {
				return r.closed(sel.X, used) && all(e.Args)
			}
		}
		return !e.Ellipsis.IsValid() && r.closed(e.Fun, used) && all(e.Args)
	case *ast.CompositeLit:
		for _, elt := range e.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok {
				if _, isName := kv.Key.(*ast.Ident); !isName && !r.closed(kv.Key, used) {
					return false
				}
				elt = kv.Value
			}
			if !r.closed(elt, used) {
				return false
			}
		}
		return r.closed(e.Type, used)
	case *ast.UnaryExpr:
		return r.closed(e.X, used)
	case *ast.BinaryExpr:
		return r.closed(e.X, used) && r.closed(e.Y, used)
	case *ast.ParenExpr:
		return r.closed(e.X, used)
	case *ast.ArrayType:
		return r.closed(e.Len, used) && r.closed(e.Elt, used)
	case *ast.MapType:
		return r.closed(e.Key, used) && r.closed(e.Value, used)
	case *ast.StarExpr:
		return r.closed(e.X, used)
	}
	return false
}

// makesMore reports whether a method, by its name, sets something in its object and may return it: new(dns.Msg).SetQuestion("a.", dns.TypeA).
func makesMore(name string) bool {
	return token.IsExported(name) && slices.Contains([]string{"set", "with", "add", "append", "build"}, gosyntax.Words(name)[0])
}

// isHarmless reports whether a name of the standard library may stand in a value: the same is made of it each time, and nothing else happens.
func isHarmless(at, name string) bool {
	switch at {
	case "time":
		return !slices.Contains([]string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Sleep", "Local", "LoadLocation"}, name)
	case "net":
		return slices.Contains([]string{"ParseIP", "IPv4", "IP", "IPNet", "IPMask", "CIDRMask", "HardwareAddr", "TCPAddr", "UDPAddr", "IPAddr"}, name)
	case "net/http":
		return strings.HasPrefix(name, "Status") || strings.HasPrefix(name, "Method") || name == "Header" || name == "Cookie"
	case "context":
		return name == "Background" || name == "TODO"
	case "bytes", "strings", "errors", "fmt", "strconv", "math", "math/big", "net/netip", "net/url", "encoding/json", "regexp", "unicode":
		return !strings.Contains(name, "Print") || strings.HasPrefix(name, "Sprint")
	}
	return false
}

// acts reports whether the name of a function says that it does something besides making a value.
func acts(name string) bool {
	words := gosyntax.Words(name)
	return slices.Contains([]string{"open", "dial", "listen", "connect", "start", "run", "serve", "exec", "execute", "download", "fetch", "load", "write", "delete", "remove", "create", "save", "send", "set", "register", "print", "log", "close", "stop", "wait", "exit", "fatal", "panic", "now", "skip"}, words[0])
}
