package check

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// Annotate returns the source of a file with the annotations of the functions in it as
// comments above the lines that they belong to: assumptions, assertions and, for a
// guiding mode, the conditions that guide.
func Annotate(fset *token.FileSet, name string, src []byte, fs []*Function, mode Mode) string {
	type note struct {
		rank int
		text string
	}
	notes := map[int][]note{}
	add := func(pos token.Pos, rank int, text string) {
		if at := fset.Position(pos); at.Filename == name {
			n := note{rank, text}
			if !slices.Contains(notes[at.Line], n) {
				notes[at.Line] = append(notes[at.Line], n)
			}
		}
	}
	for _, f := range fs {
		for _, g := range Instruments(f, mode, f.Contract) {
			if g.TryFirst {
				add(position(g.At), 0, "tryfirst "+f.formula(g.Cond, false))
			} else {
				add(position(g.At), 1, "assume "+f.formula(g.Cond, true))
			}
		}
		for _, as := range f.Assumptions {
			add(as.Pos, 2, "assumed "+as.Text+" as "+as.ID)
		}
		for _, as := range f.Assertions {
			add(as.Pos, 3, "assert "+as.Text+" verified "+f.PremiseText(as.Premise))
		}
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(string(src), "\n") {
		list := notes[i+1]
		slices.SortStableFunc(list, func(a, b note) int { return a.rank - b.rank })
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for _, n := range list {
			fmt.Fprintf(&b, "%s// %s\n", indent, n.text)
		}
		b.WriteString(line)
	}
	return b.String()
}

// PremiseText shows a premise: "true", "false", or the identifiers.
func (f *Function) PremiseText(p Premise) string {
	switch {
	case p.Verified():
		return "true"
	case p.Unverified():
		return "false"
	}
	var alts []string
	for _, conj := range p {
		var ids []string
		for _, i := range conj {
			ids = append(ids, f.Assumptions[i].ID)
		}
		alts = append(alts, strings.Join(ids, " && "))
	}
	return strings.Join(alts, " || ")
}

// formula shows a condition that guides, or its negation.
func (f *Function) formula(c Formula, negated bool) string {
	var alts []string
	for _, conj := range c {
		if len(conj) == 0 {
			alts = []string{"true"}
			break
		}
		var lits []string
		for _, l := range conj {
			if l > 0 {
				lits = append(lits, f.Assumptions[l-1].ID)
			} else {
				lits = append(lits, "!"+f.Assumptions[-l-1].ID)
			}
		}
		alts = append(alts, strings.Join(lits, " && "))
	}
	text := strings.Join(alts, " || ")
	if text == "" {
		text = "false"
	}
	if !negated {
		return text
	}
	switch {
	case text == "true":
		return "false"
	case len(c) == 1 && len(c[0]) == 1 && c[0][0] > 0:
		return "!" + text
	}
	return "!(" + text + ")"
}
