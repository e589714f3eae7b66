package fold

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// mostColumns is how many columns a reader can follow, beside the name.
const mostColumns = 6

// table returns a table of the first subtest and of those behind it that are like it, which subtests are its rows, and what
// these are called now, nil if they keep their names. No row may be called as one of rowNames. The text is "" if there are
// none, or if a table would read worse.
func table(w *gofile.Writer, src *Source, subs []*subtest, taken *gofile.Names, rowNames map[string]bool) (string, []*subtest, []string) {
	rows, best := subs[:1:1], (*match)(nil)
	for _, s := range subs[1:] {
		if s.bubbled() != subs[0].bubbled() {
			continue
		}
		more := append(slices.Clone(rows), s)
		if m := matched(w, src, more); m != nil && m.fits() {
			rows, best = more, m
		}
	}
	if best == nil || best.uses("tt") {
		return "", nil, nil
	}
	body := best.body()
	if !w.Since("go1.22") && (strings.Contains(body, "go func") || strings.Contains(body, ".Parallel()")) {
		return "", nil, nil // all rows would see the variable of the last one
	}
	names := gofile.Column{Name: best.nameField(), Type: "string"}
	for _, r := range rows {
		names.Cells = append(names.Cells, r.name.Value)
	}
	columns, inputs := []gofile.Column{names}, []gofile.Column(nil)
	for _, c := range best.columns {
		columns = append(columns, c.Column)
		if !c.want {
			inputs = append(inputs, c.Column)
		}
	}
	variable := variableFor(taken)
	if variable == "" {
		return "", nil, nil
	}
	by, called := "", []string(nil)
	numbered := slices.ContainsFunc(names.Cells, func(cell string) bool { return strings.HasPrefix(cell, `"case `) })
	all := inputs
	if len(inputs) > 1 && !numbered { // of several it may be another one that matters
		inputs = slices.DeleteFunc(slices.Clone(inputs), func(c gofile.Column) bool { return !repeats(names, c) })
	}
	switch {
	case numbered: // any text says more than a number
		by, called = w.CalledBy(inputs)
	case len(inputs) > 0:
		by, called = w.CalledBy(inputs[:1])
	}
	if by == "" && onlyNumber(names, all) {
		by, called = w.CalledByNumbers(all)
	}
	isTaken := func(name string) bool { return rowNames[name] }
	if slices.ContainsFunc(called, isTaken) {
		by, called = "", nil // go test would number the second of two equal names
	}
	if by != "" {
		columns = columns[1:]
	} else {
		by = "tt." + names.Name
		if constants := constantNames(all); slices.ContainsFunc(names.Cells, isVague) && constants != nil && !slices.ContainsFunc(constants, isTaken) {
			columns[0].Cells, called = nil, constants
			for _, name := range constants {
				columns[0].Cells = append(columns[0].Cells, gofile.Quote(name))
			}
		}
	}
	run, end := src.between(rows[0].name.End(), rows[0].body.Body.Lbrace+1), src.between(rows[0].body.Body.Rbrace, rows[0].stmt.End())
	text := gofile.Table(variable, columns) + "for _, tt := range " + variable + " {\nt.Run(" + by + run + "\n" + strings.TrimLeft(body, " \t\n") + "\n" + end + "\n}\n"
	if !best.worth(text) {
		return "", nil, nil
	}
	taken.Add(variable)
	for _, name := range called {
		rowNames[name] = true
	}
	return text, rows, called
}

// isVague reports whether the name of a row says of no input what it is.
func isVague(cell string) bool {
	name, err := strconv.Unquote(cell)
	return err == nil && (strings.HasPrefix(name, "case ") || strings.HasPrefix(name, "from ") || slices.Contains([]string{"success", "error", "new", "returns nil", "returns true", "returns false"}, name))
}

// constantNames returns what the constants are called by which alone rows differ, nil if rows differ by anything else. Where some rows have
// no name that says anything, the constants tell all of them apart.
func constantNames(inputs []gofile.Column) []string {
	if len(inputs) != 1 {
		return nil
	}
	var out []string
	for _, cell := range inputs[0].Cells {
		name := cell[strings.LastIndexByte(cell, '.')+1:]
		if !token.IsIdentifier(name) || slices.Contains(out, name) || cell != name && !token.IsIdentifier(strings.TrimSuffix(cell, "."+name)) {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// repeats reports whether most names of rows only say which text of a column the row has: `str "a-b"` for "a-b".
func repeats(names, texts gofile.Column) bool {
	n := 0
	for i, cell := range texts.Cells {
		name, err := strconv.Unquote(names.Cells[i])
		text, isText := gofile.TextIn(cell)
		if err == nil && (name == cell || name == texts.Name+" "+cell || isText && (name == text || name == strconv.Quote(text) || name == texts.Name+" "+strconv.Quote(text))) {
			n++
		}
	}
	return 2*n >= len(names.Cells)
}

// onlyNumber reports whether most names of rows only say which number of a column the row has, `seed 7`, or that nothing was done before:
// the numbers themselves say as much.
func onlyNumber(names gofile.Column, columns []gofile.Column) bool {
	n, numbers := 0, 0
	for i, cell := range names.Cells {
		name, err := strconv.Unquote(cell)
		if err != nil {
			return false
		}
		isNumber := slices.ContainsFunc(columns, func(c gofile.Column) bool {
			_, isText := gofile.TextIn(c.Cells[i])
			return !isText && name == c.Name+" "+c.Cells[i]
		})
		if isNumber {
			numbers++
		}
		if isNumber || name == "new" {
			n++
		}
	}
	return numbers > 0 && 2*n >= len(names.Cells)
}

// variableFor returns a free name for a table, or "" if there is none.
func variableFor(taken *gofile.Names) string {
	for _, n := range tableNames {
		if !taken.Has(n) {
			return n
		}
	}
	return ""
}

// nameField returns the name of the column with the rows' names, which no other column may have.
func (m *match) nameField() string {
	for _, n := range []string{"name", "desc", "title", "label"} {
		if !slices.ContainsFunc(m.columns, func(c *column) bool { return c.Name == n }) {
			return n
		}
	}
	return "row"
}

// fits reports whether the columns of a match are no more than a reader can follow, and no more than what the rows
// have in common.
func (m *match) fits() bool {
	m.columns = nil
	m.layout()
	statements := -1 // without the block
	ast.Inspect(m.rows[0].body.Body, func(n ast.Node) bool {
		if _, ok := n.(ast.Stmt); ok {
			statements++
		}
		return true
	})
	return len(m.columns) <= mostColumns && len(m.columns) <= statements
}

// worth reports whether a table reads better than its subtests one below the other. Two short subtests read better
// without one: the table may be a few lines longer than they are, because it says what differs, but not more, and no
// longer at all if the names of its columns have to be told apart by numbers.
func (m *match) worth(table string) bool {
	more := 3
	if m.numbered() {
		more = 0
	}
	lines := len(m.rows) - 1 // empty lines between them
	for _, r := range m.rows {
		lines += 1 + strings.Count(m.src.text(r.stmt), "\n")
	}
	return strings.Count(table, "\n") <= lines+more
}

// numbered reports whether the names of some columns are told apart by numbers.
func (m *match) numbered() bool {
	return slices.ContainsFunc(m.columns, func(c *column) bool { return c.numbered })
}

// body returns the statements of the first subtest with its edits.
func (m *match) body() string {
	list := m.rows[0].body.Body.List
	from, to := list[0].Pos(), list[len(list)-1].End()
	edits := slices.Clone(m.edits)
	gone := slices.Clone(m.gone)
	for name, want := range m.rows[0].wants {
		if !m.kept[name] {
			gone = append(gone, want.define)
		}
	}
	for _, st := range gone {
		edits = slices.DeleteFunc(edits, func(e edit) bool { return st.Pos() <= e.from && e.from < st.End() })
		edits = append(edits, edit{from: st.Pos(), to: st.End(), text: "\x00"})
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.from != b.from {
			return int(a.from - b.from)
		}
		return int(a.to - b.to)
	})
	var b strings.Builder
	at := from
	for _, e := range edits {
		b.WriteString(m.src.between(at, e.from))
		if e.late != nil {
			e.text = e.late()
		}
		b.WriteString(e.text)
		at = e.to
	}
	b.WriteString(m.src.between(at, to))
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if strings.TrimSpace(line) != "\x00" { // a definition that is gone
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, "\n")
	for _, h := range m.holes {
		text = strings.ReplaceAll(text, "\x00"+strconv.Itoa(h.id)+"\x00", "tt."+h.col.Name)
	}
	return text
}
