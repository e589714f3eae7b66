package finding

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Sentinels knows the exported errors of a package, and which functions return errors that wrap them. An error that says
// what such an error says, and for which errors.Is does not find it, has lost it on the way, mostly by %s or %v in the
// place of %w: callers who follow the package's documentation do not notice the failure that they look for. Since Go 1.13
// that is what exported error variables are for; so use them pointerstructure, archive/tar and fs.
type Sentinels struct {
	texts map[*types.Var]string // what each error says
	wraps map[*types.Var]string // the first function seen to wrap it
}

// shortest is the length from which on the text of an error is unlikely to be in another error's by chance.
const shortest = 8

// NewSentinels reads the exported error variables of a package that are made of a constant text.
func NewSentinels(pkg *load.Package) *Sentinels {
	s := &Sentinels{texts: make(map[*types.Var]string), wraps: make(map[*types.Var]string)}
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			gd, ok := d.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR {
				continue
			}
			for _, spec := range gd.Specs {
				v := spec.(*ast.ValueSpec)
				for i, name := range v.Names {
					if i >= len(v.Values) || !name.IsExported() {
						continue
					}
					obj, _ := pkg.Info.Defs[name].(*types.Var)
					if text := newError(pkg, v.Values[i]); obj != nil && len(text) >= shortest {
						s.texts[obj] = text
					}
				}
			}
		}
	}
	return s
}

// newError returns the text of an error that an expression makes by errors.New, or "" if it does not.
func newError(pkg *load.Package, e ast.Expr) string {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "errors.New" && fn.FullName() != "fmt.Errorf" {
		return ""
	}
	if v := pkg.Info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String && !strings.Contains(constant.StringVal(v), "%") {
		return constant.StringVal(v)
	}
	return ""
}

// Note learns from a case which errors a function wraps.
func (s *Sentinels) Note(c *testcase.Case) {
	err := lastError(c)
	if err == nil || err.Identical {
		return
	}
	for _, v := range err.Sentinels {
		if s.wraps[v] == "" && s.texts[v] != "" {
			s.wraps[v] = c.Target
		}
	}
}

// Lost returns what is wrong about the error of a case, and why, or "" if nothing is. It is to be called once all cases were
// noted.
func (s *Sentinels) Lost(c *testcase.Case) (message, evidence string) {
	err := lastError(c)
	if err == nil || len(s.wraps) == 0 {
		return "", ""
	}
	var lost *types.Var
	for v, text := range s.texts {
		if slices.Contains(err.Sentinels, v) {
			return "", ""
		}
		if s.wraps[v] != "" && s.wraps[v] != c.Target && strings.Contains(err.Message, text) && (lost == nil || v.Name() < lost.Name()) {
			lost = v
		}
	}
	if lost == nil {
		return "", ""
	}
	return fmt.Sprintf("an error that says %q, but errors.Is(err, %s) is false", s.texts[lost], lost.Name()),
		fmt.Sprintf("%s returns errors that say so and are %s, which is exported for callers to look for", s.wraps[lost], lost.Name())
}

// lastError returns the error that the target of a case returns last, or nil if it returns none.
func lastError(c *testcase.Case) *testcase.ErrorInfo {
	o := c.Observed
	if o == nil || o.Status != testcase.Returned {
		return nil
	}
	at := c.TargetStmt()
	if at >= len(o.Results) || len(o.Results[at]) == 0 {
		return nil
	}
	return o.Results[at][len(o.Results[at])-1].Err
}
