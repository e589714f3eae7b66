package words

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
)

// predicate is something that can be said of a call before it is made.
type predicate struct {
	phrase
	reads
	place int // its place in a name; predicates over the receiver come first
	cost  int
	far   int // the part of the cost for values that a row does not show directly
	holds set // the calls on which the predicate is known to hold
	may   set // the calls of holds, and those on which the predicate is not known
	// edge says that the values for which the predicate holds lie beside a bound of the code. A row may have
	// been chosen for such a value.
	edge bool
	// raw says that the predicate is no phrase, but writes the input as Go does.
	raw bool
	// given says that the predicate writes an input together with another input. Such a predicate is evidence
	// for an outcome, but names no cause.
	given bool
	// outcome says that the predicate speaks of the effects of the call.
	outcome bool
	// named says that the predicate is the meaning of a sentinel error.
	named bool
	// local says that the predicate is a condition on local variables, of which only calls that have run say whether it holds.
	local bool
	// own says that the predicate is a name only of a row of whose table it holds for no other row.
	own bool
	// lookup says that the predicate tells whether an argument is among the elements of a container.
	lookup bool
	parts  []*predicate // of a conjunction
}

// The places.
const (
	placeNil = iota
	placeReceiver
	placeOutcome
	placeInput // followed by the number of the input
)

// add evaluates a predicate on all calls, and keeps it if it has words and holds on some call. The function
// holds must depend on the call only.
func (n *Namer) add(p predicate, holds func(c *call) truth) *predicate {
	if p.text == "" || len(p.text) > longest || !plain(p.text) {
		return nil
	}
	if old := n.texts[p.text]; old != nil && !n.learning {
		return old
	}
	p.holds, p.may = newSet(len(n.calls)), newSet(len(n.calls))
	any := false
	ofMaker := p.inputs>>n.inputs != 0
	if ofMaker {
		p.far = slight // the value is not passed directly
	}
	for i, c := range n.calls {
		if ofMaker && c.madeOtherwise {
			continue
		}
		switch holds(c) {
		case yes:
			p.holds.add(i)
			p.may.add(i)
			any = true
		case unknown:
			p.may.add(i)
		}
	}
	if !any {
		return nil
	}
	return n.keep(&p)
}

// keep adds a predicate whose sets are known. Of two predicates with one text only the first is kept, because
// one text must not mean two things.
func (n *Namer) keep(p *predicate) *predicate {
	if p.inputs&n.idle != 0 && !p.raw {
		return nil // an input that decides nothing cannot be the reason
	}
	if old, ok := n.texts[p.text]; ok {
		if n.learning && slices.Equal(old.holds, p.holds) {
			old.edge = old.edge || p.edge
			old.inputs |= p.inputs
			old.observers |= p.observers
			if p.strain < old.strain {
				old.strain, old.cost = p.strain, p.cost
			}
		}
		return old
	}
	p.cost = weight(p.text) + p.strain + p.far
	n.texts[p.text] = p
	n.preds = append(n.preds, p)
	return p
}

// placeOf returns the place of predicates over an input.
func (n *Namer) placeOf(r reads) int {
	if r.observers != 0 || n.hasRecv && r.inputs&1 != 0 || r.inputs>>n.inputs != 0 {
		return placeReceiver
	}
	for i := range 64 {
		if r.inputs&(1<<i) != 0 {
			return placeInput + i
		}
	}
	return placeInput
}

// addConditions adds both sides of all conditions of the code.
func (n *Namer) addConditions() {
	for _, c := range n.code.list {
		for way := range 2 {
			p := predicate{phrase: c.said[way], reads: c.reads, place: n.placeOf(c.reads), local: c.eval == nil, own: c.eval == nil}
			if p.text == "" || len(p.text) > longest || !plain(p.text) || c.holds[way].count() == 0 {
				continue
			}
			p.holds, p.may = c.holds[way], or(c.holds[way], c.open)
			n.keep(&p)
			n.addApart(c, way, p)
		}
	}
}

// addApart adds the predicate that a condition went one way and its two sides differ: "below" beside "at most".
func (n *Namer) addApart(c *condition, way int, p predicate) {
	if p.phrase = c.strict[way]; p.text == "" || c.same == nil || len(p.text) > longest || !plain(p.text) {
		return
	}
	p.holds, p.may = newSet(len(n.calls)), newSet(len(n.calls))
	for i, call := range n.calls {
		equal := c.same(call).truth()
		if c.holds[way].has(i) && equal == no {
			p.holds.add(i)
		}
		if (c.holds[way].has(i) || c.open.has(i)) && equal != yes {
			p.may.add(i)
		}
	}
	if p.holds.count() > 0 {
		n.keep(&p)
	}
}

// conjunction returns the conjunction of two predicates, its parts in the order of their places.
func conjunction(p, q *predicate) *predicate {
	if p.place > q.place || p.place == q.place && p.text > q.text && !p.outcome && !q.outcome {
		p, q = q, p
	}
	const comma = 6
	out := &predicate{phrase: both(p.phrase, q.phrase), place: p.place, outcome: p.outcome || q.outcome, parts: []*predicate{p, q}}
	out.given = p.raw && q.raw && (p.place == placeReceiver || q.place == placeReceiver)
	out.cost = weight(out.text) + out.strain + p.far + q.far + comma
	out.reads = p.reads
	out.reads.add(q.reads)
	return out
}

// sortPredicates orders predicates by cost, and those of equal cost by text, so that the order depends on
// nothing else.
func sortPredicates(ps []*predicate) {
	slices.SortStableFunc(ps, func(p, q *predicate) int {
		return cmp.Or(cmp.Compare(p.cost, q.cost), strings.Compare(p.text, q.text))
	})
}

// sortByPos sorts declared objects in the order of the source.
func sortByPos[T any](list []T, at func(T) (token.Pos, string)) {
	slices.SortStableFunc(list, func(a, b T) int {
		pa, na := at(a)
		pb, nb := at(b)
		return cmp.Or(cmp.Compare(pa, pb), strings.Compare(na, nb))
	})
}
