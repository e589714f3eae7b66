package words

import (
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// roundTrip returns the name for calls that undo what an earlier call of the case did: Decode of what Encode made
// of a text returns the text. The word holds for a call whose first result is what the earlier call was given.
func (n *Namer) roundTrip(c *call) (predicate, func(*call) truth) {
	if n.undoes(c) != yes {
		return predicate{}, nil
	}
	p := predicate{phrase: phrase{text: "round trip"}, place: placeOutcome, outcome: true}
	return p, n.undoes
}

// undoes reports whether the result of a call is an argument of an earlier call whose result this call takes. Both
// are calls of the package. Values that may be equal by chance, like numbers and empty texts, do not count.
func (n *Namer) undoes(c *call) truth {
	seq := c.c.Seq
	if seq == nil || seq.Len() == 0 || len(c.outcome.results) == 0 {
		return unknown
	}
	result := c.outcome.results[0]
	if !distinctive(result) {
		return no
	}
	for _, taken := range seq.At(c.c.TargetStmt()).Args {
		st := seq.At(taken.Stmt)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Func.Pkg() != n.pkg.Types || takesMore(c.c, taken) {
			continue
		}
		for _, given := range st.Args {
			if v := made(c.c, given, 0); distinctive(v) && alike(v, result) {
				return yes
			}
		}
	}
	return no
}

// takesMore reports whether the call of a case takes a text, a list or a struct beside an argument. The result may then
// come from there.
func takesMore(c *testcase.Case, beside testcase.Ref) bool {
	return slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args, func(a testcase.Ref) bool {
		return a != beside && distinctive(made(c, a, 0))
	})
}

// distinctive reports whether a value is a text, a list of bytes or a struct that is not empty.
func distinctive(v testcase.Value) bool {
	const shortest = 2
	if v.Cut {
		return false
	}
	switch v.Kind {
	case testcase.String:
		return len(v.Str) >= shortest
	case testcase.Slice:
		return len(v.Elems) >= shortest
	case testcase.Struct:
		return len(v.Elems) > 0 && !v.IsZero() && !load.IsNamed(v.Type, "time", "Time")
	}
	return false
}

// alike reports whether two values have the same contents.
func alike(a, b testcase.Value) bool {
	if a.Kind != b.Kind || a.Bits != b.Bits || a.Str != b.Str || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !alike(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return true
}
