package guide

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
)

// Annotate returns the source of a file with the annotations of the functions in it as
// comments above the lines that they belong to: assumptions, assertions and, for a
// guiding mode, the conditions that guide.
func Annotate(fset *token.FileSet, name string, src []byte, fs []*check.Function, mode Mode) string {
	notes := map[int][]string{}
	add := func(pos token.Pos, text string) {
		if at := fset.Position(pos); at.Filename == name && !slices.Contains(notes[at.Line], text) {
			notes[at.Line] = append(notes[at.Line], text)
		}
	}
	for _, f := range fs {
		annotate(f, mode, add)
	}
	var b strings.Builder
	for i, line := range strings.SplitAfter(string(src), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		for _, n := range notes[i+1] {
			fmt.Fprintf(&b, "%s// %s\n", indent, n)
		}
		b.WriteString(line)
	}
	return b.String()
}

// annotate passes the annotations of a function in the order of its instructions, with the places that
// they belong to. A line may have several instructions, and the annotations above it come before,
// between or after them, in their order.
func annotate(f *check.Function, mode Mode, add func(pos token.Pos, text string)) {
	assumed := func(ins ssa.Instruction, after bool) {
		for _, as := range f.Assumptions {
			if as.Instr == ins && as.Cond.After == after {
				add(as.Pos, "assumed "+as.Text+" as "+as.ID)
			}
		}
	}
	assumed(nil, false)
	guides := Instruments(f, mode, f.Contract)
	for _, b := range f.Fn.Blocks {
		for _, ins := range b.Instrs {
			for _, g := range guides {
				switch {
				case g.At != ins:
				case g.TryFirst:
					add(check.Position(ins), "tryfirst "+formula(f, g.Cond, false))
				default:
					add(check.Position(ins), "assume "+formula(f, g.Cond, true))
				}
			}
			assumed(ins, false)
			for _, as := range f.Assertions {
				if as.Instr == ins {
					add(as.Pos, "assert "+as.Text+" verified "+f.PremiseText(as.Premise))
				}
			}
			assumed(ins, true)
		}
	}
}

// formula shows a condition that guides, or its negation.
func formula(f *check.Function, c Formula, negated bool) string {
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
