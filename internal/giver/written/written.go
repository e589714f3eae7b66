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
// Not supported: expressions with variables; values that several statements make.
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
		ast.Inspect(f, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || !makes(e) {
				return true
			}
			x, ok := r.expression(e)
			if ok && !seen[x.Code] {
				seen[x.Code] = true
				counts[x.Code]++
				found[x.Code] = x
			}
			return true // what it is made of is of other types
		})
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
		sel, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		_, ok = sel.X.(*ast.Ident)
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
	imports map[string]string
	allowed func(string) bool
}

// expression returns an expression that needs nothing of its surroundings, and names a package that is none of the standard library.
func (r *reader) expression(e ast.Expr) (Expression, bool) {
	used := make(map[string]bool)
	if !r.closed(e, used) || !slices.ContainsFunc(slices.Collect(maps.Keys(used)), func(p string) bool { return !gosyntax.IsStandard(p, "") }) {
		return Expression{}, false
	}
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), e); err != nil || b.Len() > longestCode {
		return Expression{}, false
	}
	return Expression{b.String(), slices.Sorted(maps.Keys(used))}, true
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
		return slices.Contains([]string{"nil", "true", "false", "string", "byte", "rune", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool", "any", "error"}, e.Name)
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok || r.imports[x.Name] == "" || !token.IsExported(e.Sel.Name) {
			return false
		}
		at := r.imports[x.Name]
		used[at] = true
		if gosyntax.IsStandard(at, "") {
			return isHarmless(at, e.Sel.Name)
		}
		return r.allowed(at) && !acts(e.Sel.Name)
	case *ast.CallExpr:
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
