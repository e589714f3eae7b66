package guide

import (
	"slices"

	"github.com/goassay/assay/internal/check"
)

// cubes are a condition over the identifiers of a function: a disjunction of cubes, each a conjunction of
// identifiers and negations. Without any cube the condition is false; with an empty cube it is true.
type cubes []cube

// cube is a conjunction. Bit i of pos stands for identifier i, and bit i of neg for its negation.
type cube struct{ pos, neg uint64 }

// maxIDs is how many identifiers of one function conditions can name. A conjunction of a premise that names a
// further identifier is left out.
const maxIDs = 64

// maxCubes bounds the length of a condition. If a condition has more disjuncts, some are left out. The
// condition is then stronger, and still sufficient.
const maxCubes = 32

func always() cubes { return cubes{{}} }

func (c cubes) isTrue() bool  { return len(c) == 1 && c[0] == cube{} }
func (c cubes) isFalse() bool { return len(c) == 0 }

func (c cubes) equal(d cubes) bool { return slices.Equal(c, d) }

// simplify drops cubes that are contradictions, and cubes that imply another cube. It orders the others.
func (c cubes) simplify() cubes {
	var out cubes
	for i, x := range c {
		if x.pos&x.neg != 0 {
			continue
		}
		implied := false
		for j, y := range c {
			if i != j && y.pos&y.neg == 0 && y.pos&^x.pos == 0 && y.neg&^x.neg == 0 && (x != y || j < i) {
				implied = true
				break
			}
		}
		if !implied {
			out = append(out, x)
		}
	}
	slices.SortFunc(out, func(a, b cube) int {
		switch {
		case a.pos != b.pos && a.pos < b.pos, a.pos == b.pos && a.neg < b.neg:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	if len(out) > maxCubes {
		out = out[:maxCubes]
	}
	return out
}

// and returns the conjunction of two conditions.
func (c cubes) and(d cubes) cubes {
	if c.isTrue() {
		return d
	}
	if d.isTrue() {
		return c
	}
	var out cubes
	for _, x := range c {
		for _, y := range d {
			out = append(out, cube{x.pos | y.pos, x.neg | y.neg})
		}
	}
	return out.simplify()
}

// with returns the condition with a constant in the place of identifier i.
func (c cubes) with(i int, value bool) cubes {
	bit := uint64(1) << i
	var out cubes
	for _, x := range c {
		if value && x.neg&bit != 0 || !value && x.pos&bit != 0 {
			continue
		}
		out = append(out, cube{x.pos &^ bit, x.neg &^ bit})
	}
	return out.simplify()
}

// cubesOf returns a premise as a condition. Conjunctions with assumptions that cannot be named are left out,
// which makes the condition stronger.
func cubesOf(p check.Premise) cubes {
	var out cubes
	for _, conj := range p {
		x, ok := cube{}, true
		for _, i := range conj {
			if i >= maxIDs {
				ok = false
				break
			}
			x.pos |= 1 << i
		}
		if ok {
			out = append(out, x)
		}
	}
	return out.simplify()
}

// not returns the negation of a condition as cubes. There is a cube for each choice of one literal from every
// cube of the condition; it has the negations of these literals.
func (c cubes) not() cubes {
	out := always()
	for _, x := range c {
		var alt cubes
		for i := range maxIDs {
			if x.pos>>i&1 != 0 {
				alt = append(alt, cube{neg: 1 << i})
			}
			if x.neg>>i&1 != 0 {
				alt = append(alt, cube{pos: 1 << i})
			}
		}
		out = out.and(alt)
	}
	return out
}
