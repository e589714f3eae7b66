package words

import (
	"cmp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// candidate is a name that a row may get.
type candidate struct {
	*predicate
	row    int
	total  int  // the cost of the name for this row
	proved bool // the name is proved among all calls, or among the calls that reach a comparison on the row's path
	whole  bool // the name is proved among all calls
}

// What a name costs in addition to its words.
const (
	reached  = 3   // proved among the calls that reach a comparison
	chosen   = 6   // proved for one side of a comparison only
	shared   = 14  // another row of the test satisfies the name, too
	decisive = 3   // a discount: the predicate is the last condition on the row's path
	complete = 4   // a discount: the predicate holds on all calls with this outcome
	distinct = 10  // a discount: the predicate is a sentinel error that only this row of the test returns
	unproved = 200 // it is not proved
	beside   = 16  // it writes an input that no comparison on the row's path reads
)

// widest is how many predicates of a row are tried in pairs.
const widest = 70

// others returns the calls that have another outcome than call i. Calls on a nil pointer are left out unless
// call i is one: a nil receiver has a name of its own, and no reader applies to nil a name that speaks of an
// object.
func (n *Namer) others(i int) set {
	o := &n.calls[i].outcome
	null := n.nilReceiver(i)
	id := [3]int{o.base, o.moved, bit(null)}
	if s, ok := n.otherSets[id]; ok {
		return s
	}
	s := newSet(len(n.calls))
	for k, c := range n.calls {
		if c.varies == nil && o.other(&c.outcome) && (null || !n.nilReceiver(k)) {
			s.add(k)
		}
	}
	n.otherSets[id] = s
	return s
}

// fork is a comparison on a row's path, with the calls that reach it.
type fork struct {
	decision
	reach set
	// split says that calls with different outcomes reach the comparison, so that the comparison can tell
	// them apart.
	split bool
}

// forks returns the comparisons on the path of call i. The set end has the calls that take the same way
// through all of these comparisons and yet have another outcome. No known condition on the inputs separates
// these calls from call i.
func (n *Namer) forks(i int, others set) (forks []fork, end set) {
	reach := newSet(len(n.calls))
	for k, c := range n.calls {
		if c.varies == nil {
			reach.add(k)
		}
	}
	for _, d := range n.code.path(n.calls[i], i) {
		forks = append(forks, fork{d, reach, meets(reach, others)})
		reach = and(reach, or(d.cond.holds[bit(d.way)], d.cond.open))
	}
	return forks, reach
}

// prover weighs the names of one row.
type prover struct {
	n      *Namer
	call   int
	row    int
	rows   []int // the calls of all rows
	others set
	same   set // the calls with the row's outcome, but for crossed ones
	forks  []fork
	end    set // the calls that take the row's way at all forks
	varied []variant
}

// variant is a call with one constant of the row's call exchanged that has another outcome.
type variant struct {
	call   int
	inputs uint64 // the inputs that are not the row's
}

// variants returns the variants of a call that have another outcome than the call.
func (n *Namer) variants(call int) []variant {
	var out []variant
	mine := n.calls[call]
	for k, c := range n.calls {
		if c.varies == nil || c.varies != mine.c || !mine.outcome.other(&c.outcome) {
			continue
		}
		v := variant{call: k}
		for i := range min(len(c.inputs), len(mine.inputs), 64) {
			if !c.inputs[i].Equal(mine.inputs[i]) {
				v.inputs |= 1 << i
			}
		}
		if v.inputs>>n.inputs != 0 {
			v.inputs &^= 1 // another argument of the constructor makes another receiver
		}
		out = append(out, v)
	}
	return out
}

// refuted reports whether what a predicate says of an input is no reason for how the row's call ends: with another value of
// that input alone, of which it is true as well, the call ends in another way.
func (p *prover) refuted(q *predicate) bool {
	return !q.outcome && slices.ContainsFunc(p.varied, func(v variant) bool {
		return v.inputs != 0 && v.inputs&^q.inputs == 0 && q.holds.has(v.call)
	})
}

// prover returns a prover that weighs names for a row of the test.
func (n *Namer) prover(row int, rows []int) *prover {
	call := rows[row]
	others := n.others(call)
	same := newSet(len(n.calls))
	for i := range n.calls {
		if !n.calls[i].crossed && !n.calls[call].outcome.other(&n.calls[i].outcome) {
			same.add(i)
		}
	}
	p := &prover{n: n, call: call, row: row, rows: rows, others: others, same: same, varied: n.variants(call)}
	p.forks, p.end = n.forks(call, others)
	return p
}

// proof says whether a predicate is proved, whether it is proved among all calls, and what the name then
// costs.
func (p *prover) proof(q *predicate) (proved, whole bool, cost int) {
	switch {
	case p.refuted(q):
		return false, false, 0
	case !meets(q.may, p.others):
		return true, true, 0
	case q.outcome:
		return false, false, 0
	}
	best := 0
	for i, f := range p.forks {
		if f.cond.eval != nil && f.cond.reads.inputs&q.inputs == 0 && f.cond.reads.observers&q.observers == 0 {
			continue
		}
		if q.raw && (f.cond.eval == nil || f.cond.reads.inputs != q.inputs || f.cond.reads.observers != 0) {
			continue // a rare value differs from those of other calls by coincidence
		}
		if f.split && !meets(q.may, p.others, f.reach) {
			return true, false, reached + 5*q.strain
		}
		if f.cond.eval == nil {
			continue
		}
		against := or(f.cond.holds[bit(!f.way)], f.cond.open)
		if q.edge && (!q.raw || p.lasting(i, q.inputs)) && meets(f.reach, f.cond.holds[bit(!f.way)]) && !meets(q.may, f.reach, against) {
			best = chosen
		}
	}
	if best == 0 && !q.raw && len(p.forks) > 0 && meets(p.end, p.others) && !meets(q.may, p.end, p.others) {
		best = reached + slight + 5*q.strain
	}
	return best != 0, false, best
}

// decides reports whether the row's call ends as it does, or takes its way, because a predicate holds: it is exactly what all calls with
// the row's outcome have in common, or with it all calls go the row's way at a comparison where others do not.
func (p *prover) decides(q *predicate) bool {
	switch {
	case len(q.parts) > 0:
		return slices.ContainsFunc(q.parts, p.decides)
	case q.raw, p.refuted(q):
		return false
	case q.outcome:
		return q.text != success
	case q.lookup:
		return true
	case q.local:
		return slices.ContainsFunc(p.forks, func(f fork) bool {
			return f.cond.said[bit(f.way)].text == q.text && meets(f.reach, f.cond.holds[bit(!f.way)])
		})
	case p.others.count() > 0 && !meets(q.may, p.others) && isSubset(p.same, q.holds):
		return true
	}
	return slices.ContainsFunc(p.forks, func(f fork) bool {
		if f.cond.eval == nil || f.cond.reads.inputs&q.inputs == 0 && f.cond.reads.observers&q.observers == 0 {
			return false
		}
		otherWay := f.cond.holds[bit(!f.way)]
		return meets(f.reach, otherWay) && !meets(q.may, f.reach, or(otherWay, f.cond.open))
	})
}

// isBeside reports whether a predicate speaks of inputs that no comparison on the row's path reads, although there are such comparisons. Its
// number is another one than those of the other calls, but that is no reason for what the call does.
func (p *prover) isBeside(q *predicate) bool {
	return len(p.forks) > 0 && q.observers == 0 && !slices.ContainsFunc(p.forks, func(f fork) bool { return f.cond.reads.inputs&q.inputs != 0 })
}

// lasting reports whether all comparisons from the i-th on read these inputs only.
func (p *prover) lasting(i int, inputs uint64) bool {
	for _, f := range p.forks[i:] {
		if f.cond.inputs&^inputs != 0 {
			return false
		}
	}
	return true
}

// candidates returns the names for the row, the cheapest first.
func (p *prover) candidates() []candidate {
	var own []*predicate
	for _, q := range append(p.n.special(p.call, p.rows), p.n.preds...) {
		if q.holds.has(p.call) && !slices.Contains(own, q) {
			own = append(own, q)
		}
	}
	sortPredicates(own)
	var out []candidate
	type proofOf struct {
		proved, whole bool
		cost          int
	}
	proofs := make([]proofOf, len(own))
	for i, q := range own {
		r := &proofs[i]
		r.proved, r.whole, r.cost = p.proof(q)
		c := candidate{predicate: q, row: p.row, total: q.cost + r.cost, proved: r.proved, whole: r.whole}
		if !r.proved {
			c.total += unproved + min(50, and(q.may, p.others).count())
		} else if last := len(p.forks) - 1; last >= 0 && q.text == p.forks[last].cond.said[bit(p.forks[last].way)].text {
			c.total -= decisive
		}
		if q.raw && p.isBeside(q) {
			c.total += beside
		}
		if r.whole && !q.outcome && isSubset(p.same, q.holds) && p.same.count() > 1 && p.others.count() > 0 {
			c.total -= complete
		}
		out = append(out, c)
	}
	for i, q := range own[:min(len(own), widest)] {
		for j, r := range own[:i] {
			if q.outcome && r.outcome || q.text == success || r.text == success || len(q.text)+len(r.text)+2 > longest {
				continue
			}
			a, b := proofs[i], proofs[j]
			c := candidate{row: p.row}
			switch {
			case !meets(q.may, r.may, p.others):
				c.proved, c.whole = true, true
			case a.proved || b.proved:
				c.proved = true
				switch {
				case a.proved && b.proved:
					c.total = min(a.cost, b.cost)
				case a.proved:
					c.total = a.cost
				default:
					c.total = b.cost
				}
			default:
				continue
			}
			both := and(q.holds, r.holds)
			if slices.Equal(both, q.holds) || slices.Equal(both, r.holds) {
				continue // the two predicates say the same
			}
			c.predicate = conjunction(q, r)
			c.holds, c.may = both, and(q.may, r.may)
			if p.refuted(c.predicate) {
				continue
			}
			c.total += c.cost
			out = append(out, c)
		}
	}
	for i := range out {
		others := p.sharing(&out[i])
		out[i].total += shared * others
		if out[i].named && others == 0 {
			out[i].total -= distinct
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.total, b.total), strings.Compare(a.text, b.text))
	})
	return out
}

// sharing returns for how many other rows of the test a name also holds. A condition of the code is read like
// a clause of a switch, so rows that never reach the condition do not count. Rows on a nil receiver do not
// count either, because a nil receiver has a name of its own, and neither do rows on an object without elements: that
// what is looked up is absent there goes without saying.
func (p *prover) sharing(c *candidate) int {
	var reach set
	for _, f := range p.forks {
		if c.text == f.cond.said[bit(f.way)].text {
			reach = f.reach
		}
	}
	count := 0
	for _, r := range p.rows {
		switch {
		case r == p.call || !c.holds.has(r) || reach != nil && !reach.has(r):
		case p.n.nilReceiver(r) && !p.n.nilReceiver(p.call):
		case p.n.onEmpty(r) && !p.n.onEmpty(p.call):
		default:
			count++
		}
	}
	return min(count, 3)
}

// onEmpty reports whether the observers say that the object of a call has no elements.
func (n *Namer) onEmpty(i int) bool {
	q := n.texts["empty"]
	return q != nil && q.observers != 0 && q.inputs&^1 == 0 && q.holds.has(i)
}

// nilReceiver reports whether a call has a nil pointer as its receiver.
func (n *Namer) nilReceiver(i int) bool {
	return n.hasRecv && !n.byValue() && n.calls[i].inputs[0].Kind == testcase.Nil
}

// clause returns the cheapest clause among the candidates that is true without the rows above it. Such a
// clause is proved among all calls, and speaks of the input.
func (p *prover) clause(list []candidate) string {
	const most = 90
	best, cost := "", 0
	for _, c := range list {
		if !c.whole || c.outcome || c.clause == "" || len(c.clause) > most || c.given {
			continue
		}
		if c.place == placeNil && p.n.nilReceiver(p.call) && c.text == p.n.subjects[0].isNil().text {
			return c.clause
		}
		if best == "" || c.cost < cost {
			best, cost = c.clause, c.cost
		}
	}
	return best
}
