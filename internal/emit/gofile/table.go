package gofile

import (
	"slices"
	"strings"
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
