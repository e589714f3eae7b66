package gofile

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// NameStructs gives a name to each struct type that declarations write out several times, and returns the declarations with
// the names in place of the types, and with the types behind them. A name is an alias, so that values keep their type. The
// parameter name returns a new name. The types of tables stay where they are.
func NameStructs(declarations []byte, name func() string) []byte {
	const before = "package p\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", append([]byte(before), declarations...), parser.SkipObjectResolution)
	if err != nil {
		return declarations // format.Source says what is wrong
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset - len(before) }
	places := make(map[string][]*ast.StructType)
	var order []string
	tables := make(map[*ast.StructType]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Rhs {
				if t := rowType(x); t != nil {
					tables[t] = true
				}
			}
		case *ast.TypeSpec:
			return false // it has a name
		case *ast.StructType:
			if tables[n] {
				return true // a column may have such a type
			}
			if len(n.Fields.List) < 2 {
				return false
			}
			lines := strings.Split(string(declarations[offset(n.Pos()):offset(n.End())]), "\n")
			for i, l := range lines {
				lines[i] = strings.TrimSpace(l)
			}
			text := strings.Join(lines, "\n") // blanks within lines may be those of tags
			if places[text] == nil {
				order = append(order, text)
			}
			places[text] = append(places[text], n)
			return false
		}
		return true
	})
	with := make(map[*ast.StructType]string)
	var behind bytes.Buffer
	for _, text := range order {
		list := places[text]
		if len(list) < 2 {
			continue
		}
		as := name()
		for _, t := range list {
			with[t] = as
		}
		fmt.Fprintf(&behind, "\n// %s is what tests pass where any struct will do.\ntype %s = %s\n", as, as, declarations[offset(list[0].Pos()):offset(list[0].End())])
	}
	var out bytes.Buffer
	at := 0
	ast.Inspect(f, func(n ast.Node) bool {
		t, ok := n.(*ast.StructType)
		if ok && with[t] != "" {
			out.Write(declarations[at:offset(t.Pos())])
			out.WriteString(with[t])
			at = offset(t.End())
			return false
		}
		return true
	})
	out.Write(declarations[at:])
	out.Write(behind.Bytes())
	return out.Bytes()
}

// rowType returns the struct type of the rows of a table, or nil if an expression is none.
func rowType(e ast.Expr) *ast.StructType {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	list, ok := lit.Type.(*ast.ArrayType)
	if !ok {
		return nil
	}
	t, _ := list.Elt.(*ast.StructType)
	return t
}
