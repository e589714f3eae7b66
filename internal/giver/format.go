package giver

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// formattedName is the name of the driver of Format methods, and maxFormats how many formats it passes.
const (
	formattedName = "formatted"
	maxFormats    = 16
)

// formatFamily drives the methods by which types tell package fmt how they are printed: a test prints a value, as users
// do, and passes no fmt.State of its own.
func formatFamily() *family {
	return &family{
		name:    "fmt",
		path:    "fmt",
		imports: []string{"fmt"},
		helpers: []helper{{
			doc:    "returns v as package fmt prints it.",
			titles: 1,
			code:   "func " + formattedName + "(v fmt.Formatter, format string) string { return fmt.Sprintf(format, v) }",
		}},
	}
}

// isFormat reports whether a function is the method Format of a fmt.Formatter.
func isFormat(f *types.Func) bool {
	sig := f.Signature()
	return f.Name() == "Format" && sig.Recv() != nil && sig.Params().Len() == 2 && sig.Results().Len() == 0 &&
		types.TypeString(sig.Params().At(0).Type(), nil) == "fmt.State" &&
		types.Identical(sig.Params().At(1).Type(), types.Typ[types.Rune])
}

// driveFormat makes the compiled helper a driver: its first parameter is what is printed.
func driveFormat(h *testcase.Helper, formats []string) {
	h.Drives = h.Sig.Params().At(0).Type()
	h.Sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(h.Sig.Params().At(1)), h.Sig.Results(), false)
	h.Values, h.Closed = [][]string{formats}, []bool{true}
}

// formats returns the formats worth printing with: those with the verbs that the package's Format methods compare with,
// with the flags that they ask for, with a width or a precision if they ask for one, and one whose verb they do not know.
func formats(pkg *load.Package) []string {
	var verbs, flags []string
	width, precision := false, false
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			if obj, ok := pkg.Info.Defs[fd.Name].(*types.Func); !ok || !isFormat(obj) {
				continue
			}
			ast.Inspect(fd.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					sel, ok := n.Fun.(*ast.SelectorExpr)
					switch {
					case !ok:
					case sel.Sel.Name == "Flag" && len(n.Args) == 1:
						flags = append(flags, letter(n.Args[0])...)
						return false
					case sel.Sel.Name == "Width" && len(n.Args) == 0:
						width = true
					case sel.Sel.Name == "Precision" && len(n.Args) == 0:
						precision = true
					}
				case *ast.BasicLit:
					verbs = append(verbs, letter(n)...)
				}
				return true
			})
		}
	}
	var out []string
	add := func(format string) {
		if len(out) < maxFormats && !slices.Contains(out, format) {
			out = append(out, format)
		}
	}
	for _, v := range append(verbs, "v") {
		add("%" + v)
	}
	for _, flag := range flags {
		add("%" + flag + "v")
	}
	if width {
		add("%12v")
	}
	if precision {
		add("%.2v")
	}
	for _, unknown := range []string{"d", "t"} {
		if !slices.Contains(verbs, unknown) {
			add("%" + unknown)
			break
		}
	}
	return out
}

// letter returns the character of a constant that may be a verb or a flag.
func letter(e ast.Expr) []string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.CHAR {
		return nil
	}
	text, err := strconv.Unquote(lit.Value)
	if err != nil || len(text) != 1 || text[0] <= ' ' || text[0] == '%' || text[0] > '~' {
		return nil
	}
	return []string{text}
}
