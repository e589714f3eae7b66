package gofile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
)

// A Column is a field of a table's rows: its name, its type, and the text of its value in each row.
type Column struct {
	Name, Type string
	Cells      []string
}

// Table returns the definition of a table under this name.
func Table(name string, columns []Column) string {
	var b strings.Builder
	b.WriteString(name + " := []struct {\n")
	for _, c := range columns {
		b.WriteString(c.Name + " " + c.Type + "\n")
	}
	b.WriteString("}{\n")
	for i := range columns[0].Cells {
		b.WriteString(rowText(columns, i))
	}
	b.WriteString("}\n")
	return b.String()
}

// rowText returns row i of a table: in one line, or with the names of its fields if the line would be long.
func rowText(columns []Column, i int) string {
	n, multi := 0, false
	var cells []string
	for _, c := range columns {
		cells = append(cells, c.Cells[i])
		n += len(c.Cells[i]) + 2
		multi = multi || strings.Contains(c.Cells[i], "\n")
	}
	if n <= 120 && !multi {
		return "{" + strings.Join(cells, ", ") + "},\n"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, c := range columns {
		if cell := c.Cells[i]; !isZeroOf(cell, c.Type) {
			b.WriteString(c.Name + ": " + cell + ",\n")
		}
	}
	b.WriteString("},\n")
	return b.String()
}

// numberTypes are the names of the types whose zero value is 0.
var numberTypes = []string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte", "rune", "float32", "float64",
}

// isZeroOf reports whether a text is the zero value of a type, so that a row may leave the field out. A 0 in
// an interface is not the zero value, which is nil.
func isZeroOf(text, typ string) bool {
	switch text {
	case "nil":
		return true
	case `""`:
		return typ == "string"
	case "false":
		return typ == "bool"
	case "0":
		return slices.Contains(numberTypes, typ)
	}
	return false
}

// CalledBy returns the expression by which the rows of a table can be called: the texts of one of the columns, in quotes if
// one is empty, or of two, which tell the rows apart: `tt.s`, or `tt.pattern+", "+tt.text`. It also returns what each row is
// called then. There is no expression if all such texts are the same in two rows, as far as go test tells names apart, or
// if some are long.
func (w *Writer) CalledBy(columns []Column) (by string, names []string) {
	texts := slices.DeleteFunc(slices.Clone(columns), func(c Column) bool { return c.Type != "string" && c.Type != "[]byte" })
	for _, c := range texts {
		if by, names := calledBy(c); by != "" {
			if !slices.Contains(names, "") {
				return by, names
			}
			for i, name := range names {
				names[i] = strconv.Quote(name)
			}
			if c.Type == "[]byte" {
				return w.Std("fmt") + `.Sprintf("%q", tt.` + c.Name + ")", names
			}
			return w.Std("strconv") + ".Quote(" + by + ")", names // a subtest without a name would be called #00
		}
	}
	for i, c := range texts {
		for _, d := range texts[i+1:] {
			if by, names := calledBy(c, d); by != "" {
				return by, names
			}
		}
	}
	return "", nil
}

func calledBy(columns ...Column) (by string, names []string) {
	const between = ", "
	const longest = 80
	seen := make(map[string]bool)
	for i := range columns[0].Cells {
		var texts []string
		for _, c := range columns {
			text, ok := TextIn(c.Cells[i])
			if !ok && (c.Type != "[]byte" || c.Cells[i] != "nil") {
				return "", nil
			}
			texts = append(texts, text)
		}
		name := strings.Join(texts, between)
		as := gosyntax.SubtestName(name)
		if len(name) > longest || seen[as] || strings.Contains(strings.TrimSpace(name), "\n") {
			return "", nil // nobody finds a row by several lines
		}
		seen[as] = true
		names = append(names, name)
	}
	var parts []string
	for _, c := range columns {
		if c.Type == "string" {
			parts = append(parts, "tt."+c.Name)
		} else {
			parts = append(parts, "string(tt."+c.Name+")")
		}
	}
	return strings.Join(parts, "+"+strconv.Quote(between)+"+"), names
}

// TextIn returns the text that a cell writes: "a" or []byte("a").
func TextIn(cell string) (string, bool) {
	if in, ok := strings.CutPrefix(cell, "[]byte("); ok {
		cell = strings.TrimSuffix(in, ")")
	}
	text, err := strconv.Unquote(cell)
	return text, err == nil && !strings.HasPrefix(cell, "'")
}
