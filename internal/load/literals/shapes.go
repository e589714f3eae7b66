package literals

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// Shape is a struct that the documentation declares, written on one line without names of other types: what users of a
// decoder, a validator or a reader of settings pass to it.
type Shape struct {
	Type   string // struct{ Host string `json:"host"`; Port int }
	Filled string // a literal of the type whose fields are set
}

// Limits of the structs that are taken from the documentation.
const (
	maxShapes      = 6
	maxShapeFields = 8
	maxShapeDepth  = 3
	maxGoBlocks    = 200
	maxLookedAt    = 1000 // fields in one block
)

// shapes returns the structs that the package's README and its doc comments declare, in their order.
func shapes(dir string, files []*ast.File) []Shape {
	var code []string
	for _, content := range readmes(dir) {
		for _, b := range blocks(content) {
			if b.Language == "" || b.Language == "go" || b.Language == "golang" {
				code = append(code, b.Text)
			}
		}
	}
	for _, f := range files {
		if f.Doc != nil {
			code = append(code, indented(f.Doc.Text())...)
		}
	}
	var out []Shape
	for _, b := range code[:min(len(code), maxGoBlocks)] {
		file, fset := parseAny(b)
		if file == nil {
			continue
		}
		s := shaper{fset: fset, named: make(map[string]ast.Expr), left: maxLookedAt}
		var found []*ast.StructType
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				s.named[n.Name.Name] = n.Type
			case *ast.StructType:
				found = append(found, n)
			}
			return true
		})
		for _, st := range found {
			typ, filled, ok := s.structOf(st, 0)
			if ok && len(out) < maxShapes && !slices.ContainsFunc(out, func(o Shape) bool { return o.Type == typ }) {
				out = append(out, Shape{typ, filled})
			}
		}
	}
	return out
}

// indented returns the indented blocks of a comment.
func indented(text string) []string {
	var out []string
	var block strings.Builder
	for line := range strings.Lines(text + "end\n") {
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") || strings.TrimSpace(line) == "" {
			block.WriteString(line)
			continue
		}
		if strings.TrimSpace(block.String()) != "" {
			out = append(out, block.String())
		}
		block.Reset()
	}
	return out
}

// parseAny parses a file, declarations or statements. It returns nil for other text.
func parseAny(text string) (*ast.File, *token.FileSet) {
	for _, around := range [][2]string{{"", ""}, {"package p\n", ""}, {"package p; func _() {\n", "\n}"}} {
		fset := token.NewFileSet()
		if f, err := parser.ParseFile(fset, "", around[0]+text+around[1], parser.SkipObjectResolution); err == nil {
			return f, fset
		}
	}
	return nil, nil
}

// shaper writes structs without names of types that the documentation declares.
type shaper struct {
	fset  *token.FileSet
	named map[string]ast.Expr
	left  int // how many fields it may still look at, because types in types have many
}

// structOf returns the type and a filled literal of a struct, with the exported fields whose types it can write. It returns
// false if there are none, or too many.
func (s *shaper) structOf(st *ast.StructType, depth int) (typ, filled string, ok bool) {
	var fields, values []string
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			if !name.IsExported() {
				continue
			}
			if s.left--; s.left < 0 || len(fields) > maxShapeFields {
				return "", "", false
			}
			t, v, known := s.field(f.Type, name.Name, depth)
			if !known {
				continue
			}
			field := name.Name + " " + t
			if f.Tag != nil {
				field += " " + f.Tag.Value
			}
			fields = append(fields, field)
			if v != "" {
				values = append(values, name.Name+": "+v)
			}
		}
	}
	if len(fields) == 0 || len(fields) > maxShapeFields {
		return "", "", false
	}
	typ = "struct{ " + strings.Join(fields, "; ") + " }"
	return typ, typ + "{" + strings.Join(values, ", ") + "}", true
}

// field returns the type of a field, and a value for it, "" if the field stays as it is. It returns false for types that it
// does not know.
func (s *shaper) field(t ast.Expr, name string, depth int) (typ, value string, ok bool) {
	if depth > maxShapeDepth {
		return "", "", false
	}
	switch t := t.(type) {
	case *ast.Ident:
		if basic, isBasic := basicValue(t.Name, name); isBasic {
			return t.Name, basic, true
		}
		if declared, isDeclared := s.named[t.Name]; isDeclared {
			return s.field(declared, name, depth+1)
		}
	case *ast.SelectorExpr:
		if x, isName := t.X.(*ast.Ident); isName && x.Name == "time" && t.Sel.Name == "Duration" {
			return "time.Duration", "5 * time.Second", true
		}
	case *ast.StructType:
		return s.structOf(t, depth+1)
	case *ast.StarExpr:
		if id, isName := t.X.(*ast.Ident); isName {
			if _, isBasic := basicValue(id.Name, name); isBasic {
				return "*" + id.Name, "", true
			}
		}
	case *ast.ArrayType:
		if elem, v, known := s.field(t.Elt, name, depth+1); known && t.Len == nil && v != "" {
			return "[]" + elem, "[]" + elem + "{" + strings.TrimPrefix(v, elem) + "}", true
		}
	case *ast.MapType:
		var key strings.Builder
		if err := printer.Fprint(&key, s.fset, t.Key); err != nil || key.String() != "string" {
			return "", "", false
		}
		if elem, v, known := s.field(t.Value, name, depth+1); known && v != "" {
			return "map[string]" + elem, "map[string]" + elem + `{"a": ` + v + "}", true
		}
	}
	return "", "", false
}

// basicValue returns a value of a basic type for a field of a name.
func basicValue(typ, field string) (string, bool) {
	words := gosyntax.Words(field)
	is := func(word string) bool { return slices.Contains(words, word) }
	switch typ {
	case "string":
		switch {
		case is("name"), is("user"):
			return `"ann"`, true
		case is("host"):
			return `"localhost"`, true
		case is("email"), is("mail"):
			return `"ann@example.com"`, true
		}
		return strconv.Quote(strings.ToLower(field)), true
	case "bool":
		return "true", true
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
		if is("port") && !strings.HasSuffix(typ, "8") {
			return "8080", true
		}
		return strconv.Itoa(2 + len(field)%7), true
	case "float32", "float64":
		return "2.5", true
	}
	return "", false
}
