package lockstep

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// matcher compares the code of two functions. Both are executed in lockstep, as it were: blocks belong
// together if they are entered at the same step, events if they happen at the same step, and values if
// they are then equal. Equalities of phis are assumed until all edges are known, and then proved by induction on
// the steps.
type matcher struct {
	*comparer
	code    [2]*code
	blocks  [2]map[*block]*block // the partner of each block of either side
	partner [2]map[*value]*value // the partner of each event and allocation
	phis    map[[2]*value]bool   // the pairs that are assumed to be equal
	todo    [][2]*value          // those whose edges are still to be compared
	equal   map[[2]*value]bool   // pairs of other values, once compared
	free    map[[2]int]bool      // the pairs of captured variables that have to be the same
}

// sameCode compares two functions with bodies. It returns the pairs of captured variables that have to be the
// same.
func (c *comparer) sameCode(old, new *ssa.Function) (free [][2]int, same bool) {
	key := [2]*ssa.Function{old, new}
	if got, ok := c.bodies[key]; ok {
		return got.free, got.same
	}
	// A literal cannot contain itself, so there is no question about these two while they are compared.
	m := &matcher{
		comparer: c, blocks: [2]map[*block]*block{{}, {}}, partner: [2]map[*value]*value{{}, {}},
		phis: map[[2]*value]bool{}, equal: map[[2]*value]bool{}, free: map[[2]int]bool{},
	}
	for i, fn := range key {
		m.code[i] = codeOf(fn, func(callee *ssa.Function) bool { return c.isAlone(i, callee) }, func(t *types.Named, field string) string {
			if i == 0 {
				return c.pairing.NewField(keyOf(t.Obj()), field)
			}
			return field
		})
		for _, f := range m.code[i].inlined {
			c.inlined[i][f] = true
		}
	}
	same = m.run()
	for pair := range m.free {
		free = append(free, pair)
	}
	c.bodies[key] = body{free, same}
	return free, same
}

// body is the result of a comparison.
type body struct {
	free [][2]int
	same bool
}

func (m *matcher) run() bool {
	a, b := m.code[0], m.code[1]
	if (a.recover == nil) != (b.recover == nil) || !m.visit(a.entry, b.entry) {
		return false
	}
	if a.recover != nil && a.recover != a.entry && !m.visit(a.recover, b.recover) {
		return false
	}
	for len(m.todo) > 0 {
		p := m.todo[0]
		m.todo = m.todo[1:]
		if !m.edges(p[0], p[1]) {
			return false
		}
	}
	return true
}

// visit compares two blocks that are entered at the same step, and all that follow.
func (m *matcher) visit(a, b *block) bool {
	if m.blocks[0][a] != nil || m.blocks[1][b] != nil {
		return m.blocks[0][a] == b && m.blocks[1][b] == a
	}
	m.blocks[0][a], m.blocks[1][b] = b, a
	if len(a.events) != len(b.events) || a.end != b.end || len(a.args) != len(b.args) || len(a.succs) != len(b.succs) || len(a.preds) != len(b.preds) {
		return false
	}
	for i, e := range a.events {
		if !m.happen(e, b.events[i]) {
			return false
		}
	}
	for i, v := range a.args {
		if !m.match(v, b.args[i]) {
			return false
		}
	}
	for i, s := range a.succs {
		if !m.visit(s, b.succs[i]) {
			return false
		}
	}
	return true
}

// happen compares two events of the same step.
func (m *matcher) happen(a, b *value) bool {
	if !m.matchParts(a, b) {
		return false
	}
	m.partner[0][a], m.partner[1][b] = b, a
	return true
}

// edges compares what two phis are on each pair of edges that are taken at the same step.
func (m *matcher) edges(a, b *value) bool {
	for i, pred := range a.in.preds {
		other := m.blocks[0][pred]
		k := slices.Index(b.in.preds, other)
		// If a block has two edges it is not known which of them is taken.
		if k < 0 || slices.Contains(a.in.preds[:i], pred) || slices.Contains(b.in.preds[k+1:], other) || !m.match(a.args[i], b.args[k]) {
			return false
		}
	}
	return true
}

// match reports whether two values are equal.
func (m *matcher) match(a, b *value) bool {
	a, b = resolve(a), resolve(b)
	if a.op != b.op {
		return false
	}
	key := [2]*value{a, b}
	switch a.op {
	case phi:
		if m.phis[key] {
			return true
		}
		if m.blocks[0][a.in] != b.in || m.blocks[1][b.in] != a.in || !m.sameType(a.typ, b.typ) || len(a.args) != len(b.args) {
			return false
		}
		m.phis[key] = true
		m.todo = append(m.todo, key)
		return true
	case event:
		return m.partner[0][a] == b && m.partner[1][b] == a
	case allocation:
		if m.partner[0][a] != nil || m.partner[1][b] != nil {
			return m.partner[0][a] == b && m.partner[1][b] == a
		}
		together := m.blocks[0][a.in] == b.in && m.blocks[1][b.in] == a.in
		if !together && !(a.once && b.once) || !m.sameType(a.typ, b.typ) {
			return false
		}
		m.partner[0][a], m.partner[1][b] = b, a
		return true
	case param:
		return a.index == b.index && m.sameType(a.typ, b.typ)
	case free:
		m.free[[2]int{a.index, b.index}] = true
		return m.sameType(a.typ, b.typ)
	}
	if m.equal[key] {
		return true
	}
	if !m.matchParts(a, b) {
		return false
	}
	m.equal[key] = true
	return true
}

// matchParts compares what two values do, and with which operands.
func (m *matcher) matchParts(a, b *value) bool {
	if a.name != b.name || len(a.args) != len(b.args) || !m.sameType(a.typ, b.typ) || !slices.EqualFunc(a.also, b.also, m.sameType) {
		return false
	}
	switch a.op {
	case global:
		return m.sameObject(a.obj, b.obj)
	case function:
		return m.sameFunction(a.fn, b.fn)
	case closure:
		free, same := m.sameCode(a.fn, b.fn)
		if !same {
			return false
		}
		for _, p := range free {
			if !m.match(a.args[p[0]], b.args[p[1]]) {
				return false
			}
		}
		return true
	}
	all := func(x, y []*value) bool { return slices.EqualFunc(x, y, m.match) }
	if all(a.args, b.args) {
		return true
	}
	return commutes(a) && all(a.args, []*value{b.args[1], b.args[0]})
}

// commutes reports whether the operands of a value may change places.
func commutes(v *value) bool {
	switch v.name {
	case token.EQL.String():
		return true
	case token.ADD.String(), token.MUL.String(), token.AND.String(), token.OR.String(), token.XOR.String():
		b, ok := v.typ.Underlying().(*types.Basic)
		return ok && len(v.args) == 2 && b.Info()&types.IsInteger != 0
	}
	return false
}
