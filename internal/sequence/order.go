package sequence

import "github.com/goassay/assay/internal/term"

// Order alone. Code that decides nothing about numbers but which of two is smaller, or
// whether they are equal, takes the same path for any two inputs that are ordered alike. Of
// such code a state S covers S' as soon as the order of the values in S' is one that S
// allows, whether or not the numbers between them, or beyond them, that S once held and
// removed fit in: take any object of S', and an object of S whose values are in the same
// order with room to spare. Whatever is called on the first, with any arguments, can be
// called on the second with arguments in the same order, and does the same. So conditions
// are compared as over numbers that lie dense and have no ends (zone.go), which is exact
// for them, and as it was with the real numbers of the paper's solver.
//
// That the code is like that is not believed but watched: all that the machine asks the
// solver, whatever the answer, passes ordering.asked. At the first question about anything
// but order the exploration begins anew without this (explorer.run); such questions mostly
// come with the first calls.
type ordering struct {
	ts *term.Store
	// broken says that something else than order was decided.
	broken bool
	known  map[term.ID]bool
	signed map[int]bool // by width: how numbers are compared
	off    bool         // what is asked is not a decision of the code's
}

// minOrdered is the least width of numbers of which there are more than any sequence has
// values: below it there may be no room.
const minOrdered = 16

// asked takes what the solver is asked.
func (o *ordering) asked(c term.ID) {
	if o.off || o.broken || o.known[c] {
		return
	}
	if o.known[c] = true; !o.decidesOrder(c) {
		o.broken = true
	}
}

// decidesOrder reports whether the truth of a condition depends on the order of leaves
// alone.
func (o *ordering) decidesOrder(c term.ID) bool {
	switch op := o.ts.Op(c); op {
	case term.OpConst:
		return true
	case term.OpNot, term.OpAnd, term.OpOr:
		for _, a := range o.ts.Args(c) {
			if !o.decidesOrder(a) {
				return false
			}
		}
		return true
	case term.OpEq, term.OpSlt, term.OpUlt:
		a, b := o.ts.Arg(c, 0), o.ts.Arg(c, 1)
		w := o.ts.Width(a)
		if !o.number(a) || !o.number(b) || w < minOrdered || w > 64 {
			return false
		}
		if op != term.OpEq {
			if signed, ok := o.signed[w]; ok && signed != (op == term.OpSlt) {
				return false
			}
			o.signed[w] = op == term.OpSlt
		}
		return true
	}
	return false
}

// number reports whether a term is a symbolic value as it came in.
func (o *ordering) number(t term.ID) bool {
	return o.ts.Op(t) == term.OpVar || o.ts.Op(t) == term.OpElem
}
