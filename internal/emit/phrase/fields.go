package phrase

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// A fieldText is a field that a literal sets, as names show it: KeyLength and "KeyLength 5".
type fieldText struct{ field, text string }

// ByFields gives those cases that are called by all that is in a struct, like "&{0, 3, 1, 0, 5}", other names: of the fields
// that the source of their inputs sets, or else the name, those in which they differ from each other, and only one if that is
// enough ("Iterations 3"). The result are the names of all cases; sources are the expressions of their inputs, "" where these
// are not known. A name gets no longer than longest bytes.
func ByFields(names, sources []string, longest int) []string {
	var ofStructs []int
	sets := make(map[int][]fieldText)
	for i, name := range names {
		if strings.HasPrefix(strings.TrimPrefix(name, "&"), "{") {
			fields := fieldsSet("f(" + sources[i] + ")")
			if len(fields) == 0 {
				fields = fieldsSet("[]T{" + strings.TrimPrefix(name, "&") + "}") // the name has left the types out
			}
			if len(fields) > 0 {
				ofStructs = append(ofStructs, i)
				sets[i] = fields
			}
		}
	}
	if len(ofStructs) == 0 {
		return names
	}
	differing := make(map[int][]fieldText)
	for _, i := range ofStructs {
		for _, f := range sets[i] {
			if len(ofStructs) == 1 || slices.ContainsFunc(ofStructs, func(k int) bool { return !slices.Contains(sets[k], f) }) {
				differing[i] = append(differing[i], f)
			}
		}
		if len(differing[i]) == 0 {
			differing[i] = sets[i] // the others set more
		}
	}
	for _, f := range differing[ofStructs[0]] {
		if one := tellingField(f.field, ofStructs, differing); one != nil && len(ofStructs) > 1 {
			differing = one
			break
		}
	}

	out := slices.Clone(names)
	count := make(map[string]int)
	for i := range out {
		if fields, ok := differing[i]; ok {
			var texts []string
			for _, f := range fields {
				texts = append(texts, f.text)
			}
			if text := strings.Join(texts, ", "); len(text) <= longest {
				out[i] = text
			}
		}
		count[gosyntax.SubtestName(out[i])]++
	}
	for i := range out {
		if count[gosyntax.SubtestName(out[i])] > 1 {
			out[i] = names[i]
		}
	}
	return out
}

// tellingField returns for each case the one field of a name, or nil unless all cases set it once, to values that differ.
func tellingField(field string, cases []int, sets map[int][]fieldText) map[int][]fieldText {
	out := make(map[int][]fieldText)
	seen := make(map[string]bool)
	for _, i := range cases {
		for _, f := range sets[i] {
			if f.field == field {
				out[i] = append(out[i], f)
			}
		}
		if len(out[i]) != 1 || seen[out[i][0].text] {
			return nil
		}
		seen[out[i][0].text] = true
	}
	return out
}

// fieldsSet returns the fields that the composite literals in an expression set to a constant, in order.
func fieldsSet(expr string) []fieldText {
	e, err := parser.ParseExpr(expr)
	if err != nil {
		return nil
	}
	var out []fieldText
	ast.Inspect(e, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			_, isFunc := n.(*ast.FuncLit)
			return !isFunc
		}
		if field, ok := kv.Key.(*ast.Ident); ok {
			switch text := constantText(kv.Value); text {
			case "":
			case "true":
				out = append(out, fieldText{field.Name, field.Name})
			case "false":
				out = append(out, fieldText{field.Name, "no " + field.Name})
			default:
				out = append(out, fieldText{field.Name, field.Name + " " + text})
			}
		}
		return true
	})
	return out
}

// constantText returns the text of a literal or of the name of a value, as names of tests show it, and "" for other
// expressions.
func constantText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return strconv.Quote(text)
		}
		return e.Value
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.UnaryExpr:
		if lit, ok := e.X.(*ast.BasicLit); ok && e.Op == token.SUB {
			return "-" + lit.Value
		}
	}
	return ""
}
