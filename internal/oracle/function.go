package oracle

import (
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// maxFunction is the largest number of bytes of a function literal that becomes part of a test.
const maxFunction = 400

// function translates a function literal. Its text becomes part of the test, so it has to mean the same there: it may use
// what it declares itself, the packages listed in harmless and exported names of the package under test, but no variable
// around it. It must not print, wait, start goroutines or ask for what differs from run to run.
func (t *translator) function(info *types.Info, e *ast.FuncLit) (testcase.Ref, bool) {
	names := make(map[*ast.Ident]string) // names that are written in another way, because they belong to a package
	selected := make(map[*ast.Ident]bool)
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt, *ast.DeferStmt:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.SelectorExpr:
			selected[n.Sel] = true
			if f, isFunc := info.Uses[n.Sel].(*types.Func); isFunc && !repeatable(f) {
				ok = false
			}
		case *ast.KeyValueExpr:
			if id, isName := n.Key.(*ast.Ident); isName {
				if v, isVar := info.Uses[id].(*types.Var); isVar && v.IsField() {
					selected[id] = true
				}
			}
		case *ast.Ident:
			if selected[n] {
				return true
			}
			text, known := t.nameIn(e, info.Uses[n])
			if !known {
				ok = false
			} else if text != "" {
				names[n] = text
			}
		}
		return ok
	})
	if !ok {
		return testcase.Ref{}, false
	}
	text, ok := t.sourceOf(e, names)
	if !ok {
		return testcase.Ref{}, false
	}
	return t.add(&testcase.Operation{Kind: testcase.OpFuncLit, Type: info.Types[e].Type, Text: text}), true
}

// nameIn returns how an identifier of a function literal is written that denotes an object. It returns "" if the
// identifier stays as it is, and false if the object is something that tests do not have.
func (t *translator) nameIn(lit *ast.FuncLit, obj types.Object) (text string, ok bool) {
	own := t.scope.pkg.Types
	switch {
	case obj == nil:
		return "", true // the identifier declares something
	case obj.Parent() == own.Scope():
		return "«" + own.Path() + "»." + obj.Name(), obj.Exported()
	case obj.Pkg() == nil:
		return "", obj.Name() != "print" && obj.Name() != "println" // predeclared
	}
	if p, isPackage := obj.(*types.PkgName); isPackage {
		path := p.Imported().Path()
		return "«" + path + "»", path == own.Path() || harmless[path]
	}
	return "", obj.Pos().IsValid() && obj.Pos() >= lit.Pos() && obj.Pos() < lit.End()
}

// harmless are the packages that function literals may use: what they do, they do in each run, and leave nothing behind, but
// for the functions that repeatable names.
var harmless = map[string]bool{
	"bytes": true, "cmp": true, "context": true, "encoding/base64": true, "encoding/hex": true, "encoding/json": true, "errors": true, "fmt": true, "io": true, "maps": true, "math": true, "math/big": true,
	"net/http": true, "net/url": true, "reflect": true, "regexp": true, "slices": true, "sort": true, "strconv": true, "strings": true, "time": true, "unicode": true, "unicode/utf8": true,
}

// repeatable reports whether a call of a function does the same in each run and leaves nothing behind.
func repeatable(f *types.Func) bool {
	if f.Pkg() == nil {
		return true
	}
	switch f.Pkg().Path() {
	case "fmt":
		return !strings.HasPrefix(f.Name(), "Print") && !strings.HasPrefix(f.Name(), "Scan")
	case "time":
		return !slices.Contains([]string{"Now", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Since", "Until"}, f.Name())
	case "context":
		return !strings.HasPrefix(f.Name(), "WithTimeout") && !strings.HasPrefix(f.Name(), "WithDeadline")
	case "net/http":
		return f.Signature().Recv() != nil || slices.Contains([]string{"Error", "NotFound", "Redirect", "SetCookie", "StatusText"}, f.Name())
	}
	return true
}

// sourceOf returns the text of a function literal with names in place of some identifiers.
func (t *translator) sourceOf(e *ast.FuncLit, names map[*ast.Ident]string) (string, bool) {
	var b strings.Builder
	if err := printer.Fprint(&b, t.fset, e); err != nil || strings.ContainsAny(b.String(), "«»") {
		return "", false // these mark the names of packages
	}
	b.Reset()
	before := make(map[*ast.Ident]string, len(names))
	for id, text := range names {
		before[id], id.Name = id.Name, text
	}
	err := printer.Fprint(&b, t.fset, e)
	for id, name := range before {
		id.Name = name
	}
	return onOneLine(b.String()), err == nil && b.Len() <= maxFunction && !strings.Contains(b.String(), "//")
}

// onOneLine writes a function literal of one short statement on one line. Where comments were, the printer leaves empty lines
// at the beginning and at the end of blocks, which go in any case.
func onOneLine(text string) string {
	const most = 80
	if strings.Contains(text, "`") {
		return text // a line may be a part of a text
	}
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		last := len(lines) - 1
		if last >= 0 && lines[last] == "" && strings.HasPrefix(strings.TrimSpace(line), "}") {
			lines = lines[:last]
		}
		if line != "" || len(lines) > 0 && !strings.HasSuffix(lines[len(lines)-1], "{") {
			lines = append(lines, line)
		}
	}
	text = strings.Join(lines, "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0], "{") || lines[2] != "}" {
		return text
	}
	if one := lines[0] + " " + strings.TrimSpace(lines[1]) + " }"; len(one) <= most {
		return one
	}
	return text
}

// declaredIn returns the names that a piece of code declares.
func declaredIn(code ast.Node) map[string]bool {
	out := make(map[string]bool)
	fields := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, n := range f.Names {
				out[n.Name] = true
			}
		}
	}
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			out[n.Name.Name] = true
		case *ast.FuncType:
			fields(n.Params)
			fields(n.Results)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok {
						out[id.Name] = true
					}
				}
			}
		case *ast.RangeStmt:
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE {
					out[id.Name] = true
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				out[id.Name] = true
			}
		}
		return true
	})
	return out
}

// rename gives the variables of the code the names under which the scope declares them.
func (s *snippet) rename(e ast.Expr) { s.renameBut(e, nil) }

// renameBut does the same, and leaves the names alone that a function literal around the code declares.
func (s *snippet) renameBut(node ast.Node, hidden map[string]bool) {
	fields := make(map[*ast.Ident]bool)
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if n == node {
				return true
			}
			inside := declaredIn(n)
			maps.Copy(inside, hidden)
			s.renameBut(n, inside)
			return false
		case *ast.SelectorExpr:
			fields[n.Sel] = true
		case *ast.Field:
			for _, name := range n.Names {
				fields[name] = true
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				fields[id] = true
			}
		case *ast.Ident:
			if to, ok := s.local[n.Name]; ok && !fields[n] && !hidden[n.Name] {
				n.Name = to
			}
		}
		return true
	})
}
