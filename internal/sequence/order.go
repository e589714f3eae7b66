package sequence

import "github.com/goassay/assay/internal/term"

// ordering finds out whether the order of numbers is all that the code decides. Suppose that code only
// decides which of two numbers is smaller, or whether they are equal. Then it takes the same path for any two
// inputs that are ordered alike. For such code a state S subsumes S' if S allows the order of the values in
// S'. It does not matter whether S once held numbers between these values, or beyond them, for which there is
// no room now. To see this, take any object of S', and an object of S whose values are in the same order with
// enough room between them. A call on the first object with any arguments has a counterpart on the second
// object with arguments in the same order, and both do the same. Conditions are therefore compared over
// numbers that are dense and have no least or greatest one (zone.go). For such numbers the comparison is
// exact, as it was with the real numbers of the paper's solver.
//
// The machine checks while the code runs that it decides nothing else: everything that the machine asks the
// solver, whatever the answer, passes ordering.asked. At the first question about anything but order the
// exploration begins again without this rule (explorer.run). Such questions mostly come with the first calls.
type ordering struct {
	ts *term.Store
	// broken says that the code has decided something other than order.
	broken bool
	known  map[term.ID]bool
	signed map[int]bool // by width: how numbers are compared
	off    bool         // the present questions do not come from decisions of the code
}

// minOrdered is the smallest width of numbers for which the rule holds. Narrower numbers have too few
// values for a sequence to find room between them.
const minOrdered = 16

// checkQuestion checks whether a question to the solver is about order.
func (o *ordering) checkQuestion(c term.ID) {
	if o.off || o.broken || o.known[c] {
		return
	}
	if o.known[c] = true; !o.decidesOrder(c) {
		o.broken = true
	}
}

// decidesOrder reports whether the truth of a condition depends only on the order of leaves.
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

// number reports whether a term is an unchanged symbolic value.
func (o *ordering) number(t term.ID) bool {
	return o.ts.Op(t) == term.OpVar || o.ts.Op(t) == term.OpElem
}
