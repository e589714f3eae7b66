package bitblast

import (
	"slices"

	"github.com/goassay/assay/internal/solver/sat"
)

// yes and no are the constant literals: variable 0 is true.
const (
	yes sat.Lit = 0
	no  sat.Lit = 1
)

// gateKey identifies a gate by its kind and inputs.
type gateKey struct {
	kind    uint8
	a, b, c sat.Lit
}

const (
	gateAnd = iota
	gateXor
	gateMux
	gateXor3
	gateMaj
)

// circuit turns gates into clauses. It makes equal gates once, and makes no gates for constant inputs.
type circuit struct {
	sat   *sat.Solver
	gates map[gateKey]sat.Lit
	// The variables on which a variable depends directly are fan[fanAt[v]:fanAt[v+1]]. A group of fresh
	// variables that constrain one another names its leader, and the leader names all members.
	fanAt []int32
	fan   []int32
}

func newCircuit() *circuit {
	c := &circuit{sat: sat.New(sat.Config{}), gates: map[gateKey]sat.Lit{}, fanAt: []int32{0}}
	c.newVar()
	c.sat.AddClause(yes)
	return c
}

// newVar returns a fresh variable that depends on the given literals' variables.
func (c *circuit) newVar(of ...sat.Lit) sat.Lit {
	v := c.sat.NewVar()
	for _, l := range of {
		if l.Var() != 0 {
			c.fan = append(c.fan, int32(l.Var()))
		}
	}
	c.fanAt = append(c.fanAt, int32(len(c.fan)))
	return sat.Pos(v)
}

// group has fresh variables that enter a query's cone together. closeGroup has to close the group once the
// literals that constrain them are known.
type group struct {
	vars []sat.Lit
}

// freshGroup returns a group of n variables. The literals of their constraints are not known yet, so
// the fan-in of the members names a variable that closeGroup makes.
func (c *circuit) freshGroup(n int) *group {
	g := &group{}
	for range n {
		v := c.sat.NewVar()
		c.fan = append(c.fan, -1)
		c.fanAt = append(c.fanAt, int32(len(c.fan)))
		g.vars = append(g.vars, sat.Pos(v))
	}
	return g
}

func (c *circuit) closeGroup(g *group, of ...sat.Lit) {
	leader := c.newVar(slices.Concat(g.vars, of)...)
	for _, l := range g.vars {
		c.fan[c.fanAt[l.Var()]] = int32(leader.Var())
	}
}

func (c *circuit) clause(ls ...sat.Lit) { c.sat.AddClause(ls...) }

func (c *circuit) and(a, b sat.Lit) sat.Lit {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == yes:
		return b
	case a == no, a == b.Not():
		return no
	case a == b:
		return a
	}
	k := gateKey{gateAnd, a, b, 0}
	if g, ok := c.gates[k]; ok {
		return g
	}
	g := c.newVar(a, b)
	c.clause(g.Not(), a)
	c.clause(g.Not(), b)
	c.clause(g, a.Not(), b.Not())
	c.gates[k] = g
	return g
}

func (c *circuit) or(a, b sat.Lit) sat.Lit { return c.and(a.Not(), b.Not()).Not() }

func (c *circuit) xor(a, b sat.Lit) sat.Lit {
	sign := (a ^ b) & 1
	a, b = a&^1, b&^1
	if a > b {
		a, b = b, a
	}
	switch {
	case a == yes:
		return b ^ 1 ^ sign
	case a == b:
		return no ^ sign
	}
	k := gateKey{gateXor, a, b, 0}
	g, ok := c.gates[k]
	if !ok {
		g = c.newVar(a, b)
		c.clause(g.Not(), a, b)
		c.clause(g.Not(), a.Not(), b.Not())
		c.clause(g, a.Not(), b)
		c.clause(g, a, b.Not())
		c.gates[k] = g
	}
	return g ^ sign
}

// mux returns a literal that is a if s is true, and b otherwise.
func (c *circuit) mux(s, a, b sat.Lit) sat.Lit {
	switch {
	case s == yes:
		return a
	case s == no:
		return b
	case a == b:
		return a
	case s.Neg():
		return c.mux(s.Not(), b, a)
	case a == yes, a == s:
		return c.or(s, b)
	case a == no, a == s.Not():
		return c.and(s.Not(), b)
	case b == yes, b == s.Not():
		return c.or(s.Not(), a)
	case b == no, b == s:
		return c.and(s, a)
	case a == b.Not():
		return c.xor(s, b)
	case a.Neg():
		return c.mux(s, a.Not(), b.Not()).Not()
	}
	k := gateKey{gateMux, s, a, b}
	if g, ok := c.gates[k]; ok {
		return g
	}
	g := c.newVar(s, a, b)
	c.clause(s.Not(), a.Not(), g)
	c.clause(s.Not(), a, g.Not())
	c.clause(s, b.Not(), g)
	c.clause(s, b, g.Not())
	// This clause is redundant: equal branches decide the gate without s.
	c.clause(a.Not(), b.Not(), g)
	c.clause(a, b, g.Not())
	c.gates[k] = g
	return g
}

func sort3(a, b, d sat.Lit) (x, y, z sat.Lit) {
	if a > b {
		a, b = b, a
	}
	if b > d {
		b, d = d, b
	}
	if a > b {
		a, b = b, a
	}
	return a, b, d
}

// xor3 returns the sum bit of a full adder.
func (c *circuit) xor3(a, b, d sat.Lit) sat.Lit {
	sign := (a ^ b ^ d) & 1
	a, b, d = sort3(a&^1, b&^1, d&^1)
	switch {
	case a == yes:
		return c.xor(b, d) ^ 1 ^ sign
	case a == b:
		return d ^ sign
	case b == d:
		return a ^ sign
	}
	k := gateKey{gateXor3, a, b, d}
	g, ok := c.gates[k]
	if !ok {
		g = c.newVar(a, b, d)
		for i := range sat.Lit(8) { // an odd number of true inputs makes g true
			p, q, r := i&1, i>>1&1, i>>2&1
			odd := p ^ q ^ r
			c.clause(a^p, b^q, d^r, g^1^odd)
		}
		c.gates[k] = g
	}
	return g ^ sign
}

// maj returns the carry bit of a full adder, which is true if at least two of three inputs are.
func (c *circuit) maj(a, b, d sat.Lit) sat.Lit {
	a, b, d = sort3(a, b, d)
	switch {
	case a == yes:
		return c.or(b, d)
	case a == no:
		return c.and(b, d)
	case a == b:
		return a
	case b == d:
		return b
	case a == b.Not():
		return d
	case b == d.Not():
		return a
	}
	if a.Neg() { // only one of the two polarities is made
		return c.maj(a.Not(), b.Not(), d.Not()).Not()
	}
	k := gateKey{gateMaj, a, b, d}
	if g, ok := c.gates[k]; ok {
		return g
	}
	g := c.newVar(a, b, d)
	for _, p := range [][2]sat.Lit{{a, b}, {a, d}, {b, d}} {
		c.clause(p[0].Not(), p[1].Not(), g)
		c.clause(p[0], p[1], g.Not())
	}
	c.gates[k] = g
	return g
}

// fullAdd returns sum and carry. Redundant clauses tie them: if both are true, all inputs are.
func (c *circuit) fullAdd(a, b, d sat.Lit) (sum, carry sat.Lit) {
	before := c.sat.Vars()
	sum, carry = c.xor3(a, b, d), c.maj(a, b, d)
	if c.sat.Vars() == before+2 && sum.Var() != carry.Var() {
		for _, x := range []sat.Lit{a, b, d} {
			c.clause(sum.Not(), carry.Not(), x)
			c.clause(sum, carry, x.Not())
		}
	}
	return sum, carry
}

// andN returns the conjunction of any number of literals as one gate.
func (c *circuit) andN(in []sat.Lit) sat.Lit {
	ls := make([]sat.Lit, 0, len(in))
	for _, l := range in {
		switch l {
		case yes:
			continue
		case no:
			return no
		}
		ls = append(ls, l)
	}
	slices.Sort(ls)
	ls = slices.Compact(ls)
	for i := 1; i < len(ls); i++ {
		if ls[i] == ls[i-1].Not() {
			return no
		}
	}
	switch len(ls) {
	case 0:
		return yes
	case 1:
		return ls[0]
	case 2:
		return c.and(ls[0], ls[1])
	}
	g := c.newVar(ls...)
	long := []sat.Lit{g}
	for _, l := range ls {
		c.clause(g.Not(), l)
		long = append(long, l.Not())
	}
	c.clause(long...)
	return g
}

func (c *circuit) orN(in []sat.Lit) sat.Lit {
	neg := make([]sat.Lit, len(in))
	for i, l := range in {
		neg[i] = l.Not()
	}
	return c.andN(neg).Not()
}
