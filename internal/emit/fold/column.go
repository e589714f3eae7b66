package fold

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
)

// A column is a field of the table.
type column struct {
	gofile.Column
	place    // of the first of its holes
	numbered bool
}

// layout makes the columns of the holes: the inputs first, then what is expected, each in the order of the text.
func (m *match) layout() {
	holes := slices.Clone(m.holes)
	place := make(map[*hole]int)
	for _, e := range m.edits {
		for _, h := range holes {
			if _, ok := place[h]; !ok && strings.Contains(e.text, h.mark()) {
				place[h] = m.src.offset(e.from)
			}
		}
	}
	slices.SortStableFunc(holes, func(a, b *hole) int {
		if a.want != b.want {
			if b.want {
				return -1
			}
			return 1
		}
		return place[a] - place[b]
	})
	for _, h := range holes {
		if h.col = m.shared(h); h.col != nil {
			continue
		}
		h.col = &column{Column: gofile.Column{Type: m.w.Type(h.typ), Cells: h.cells}, place: h.place}
		m.columns = append(m.columns, h.col)
	}
	m.nameColumns()
}

// shared returns the column of another hole that has the same constants, or nil if there is none. What is expected
// does not share a column with inputs or with what is expected of something else, and inputs with other names share one
// only if their values are texts: small numbers are equal by chance.
func (m *match) shared(h *hole) *column {
	if h.exprs == nil || slices.ContainsFunc(h.exprs, func(e ast.Expr) bool { return !m.isConstant(e) }) {
		return nil
	}
	const telling = 4 // bytes of a literal of two characters
	texts := !h.want && !slices.ContainsFunc(h.cells, func(c string) bool { return len(c) < telling || c[0] != '"' })
	for _, c := range m.columns {
		sameThing := c.place.name == h.name && c.of == h.of
		if c.want == h.want && (sameThing || texts) && c.Type == m.w.Type(h.typ) && slices.Equal(c.Cells, h.cells) {
			return c
		}
	}
	return nil
}

// nameColumns gives each column a name. The only expected value is called want if it is that of a field; of several those
// that methods return are called after the methods.
func (m *match) nameColumns() {
	fields := gofile.NewNames(nil)
	wants, plain := 0, 0
	called := make(map[string]int)
	for _, c := range m.columns {
		called[c.place.name]++
		if c.want {
			wants++
		}
		if c.place.name == "want" {
			plain++
		}
	}
	for _, c := range m.columns {
		base := c.place.name
		switch {
		case base == "" || base == "_" || base == "t":
			base = m.typeName(c.typ)
		case c.soft && wants == 1:
			base = "want"
		case base == "want" && plain > 1 && c.of != "":
			base += gofile.UpperFirst(c.of)
		}
		if (fields.Has(base) || called[base] > 1) && gofile.Usable(c.alt) && !fields.Has(c.alt) {
			base = c.alt
		}
		c.Name = fields.PickField(base)
		c.numbered = c.Name != base
	}
}

// typeName returns the name of a column for values of a type of which nothing else is known.
func (m *match) typeName(t types.Type) string {
	name := gofile.ShortName(t)
	name = gofile.LowerFirst(gofile.Identifier(name[strings.LastIndexAny(name, ".*]")+1:]))
	if !gofile.Usable(name) {
		return "value"
	}
	return name
}
