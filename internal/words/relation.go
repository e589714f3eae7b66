package words

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// relation is how the keys of two maps relate. If a map has no keys the two have no relation, because it says
// more that the map is empty.
type relation int

const (
	unrelated   relation = iota // one map is empty, or not all keys are known
	disjoint                    // no key is in both
	overlapping                 // some keys are in both, and each has keys that the other does not have
	part                        // all keys of the first are in the second, which has more
	whole                       // all keys of the second are in the first, which has more
	same                        // the keys are the same
)

// relate returns the relation of the keys of two maps, or of two maps that pointers lead to.
func relate(x, y testcase.Value) (relation, truth) {
	a, okA := keysOf(x)
	b, okB := keysOf(y)
	switch {
	case !okA || !okB:
		return unrelated, unknown
	case len(a) == 0 || len(b) == 0:
		return unrelated, yes
	}
	common := 0
	for k := range a {
		if b[k] {
			common++
		}
	}
	switch {
	case common == 0:
		return disjoint, yes
	case common == len(a) && common == len(b):
		return same, yes
	case common == len(a):
		return part, yes
	case common == len(b):
		return whole, yes
	}
	return overlapping, yes
}

// keysOf returns the keys of a map, and false if not all keys are known.
func keysOf(v testcase.Value) (map[string]bool, bool) {
	if v.Kind == testcase.Pointer && len(v.Elems) == 1 {
		v = v.Elems[0]
	}
	if v.Kind == testcase.Nil {
		return nil, true
	}
	if v.Kind != testcase.Map || v.Cut {
		return nil, false
	}
	out := make(map[string]bool)
	for i := 0; i+1 < len(v.Elems); i += 2 {
		var b strings.Builder
		if !key(&b, v.Elems[i]) {
			return nil, false
		}
		out[b.String()] = true
	}
	return out, true
}

// addRelations adds the relations of two maps among the inputs. A person who tests sets thinks of
// disjoint and overlapping ones rather than of numbers of elements.
func (n *Namer) addRelations() {
	isMap := func(i int) bool {
		t := n.inputType(i)
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		_, ok := t.Underlying().(*types.Map)
		return ok
	}
	for i := range min(n.inputs, 8) {
		for j := i + 1; j < min(n.inputs, 8); j++ {
			if !isMap(i) || !isMap(j) {
				continue
			}
			a, b := n.subjects[i], n.subjects[j]
			phrases := relationPhrases(a, b, n.inputs == 2)
			for r := disjoint; r <= same; r++ {
				q := predicate{reads: reads{inputs: 1<<i | 1<<j}, place: placeInput + i, phrase: phrases[r]}
				n.add(q, func(c *call) truth {
					got, known := relate(c.inputs[i], c.inputs[j])
					if known == unknown {
						return unknown
					}
					return truthOf(got == r)
				})
			}
		}
	}
}

// relationPhrases returns words for the relations of two inputs. The parameter alone says that the call has
// no other inputs that a reader could confuse with them.
func relationPhrases(a, b subject, alone bool) map[relation]phrase {
	name := a.name
	if name == "" {
		name = "receiver"
	}
	of := " " + name + " and " + b.name
	if alone {
		of = ""
	}
	return map[relation]phrase{
		disjoint:    {text: "disjoint" + of, clause: a.clause + " and " + b.clause + " have nothing in common"},
		overlapping: {text: "overlapping" + of, clause: a.clause + " and " + b.clause + " have some in common"},
		same:        {text: "equal" + of, clause: a.clause + " and " + b.clause + " have the same elements"},
		part:        {text: "proper subset of " + b.name, clause: a.clause + " is a proper subset of " + b.clause},
		whole:       {text: "proper superset of " + b.name, clause: a.clause + " is a proper superset of " + b.clause},
	}
}
