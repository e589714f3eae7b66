package lockstep

import "slices"

// simplify brings the blocks into a form that does not depend on how the source is written: blocks that follow
// one another are one, empty ones are gone, and each way to return has a block of its own.
func (c *code) simplify() {
	c.dropUnreached()
	const most = 20_000 // each step but the last makes the code shorter; returns are copied once
	for range most {
		if !slices.ContainsFunc(c.blocks, func(b *block) bool { return c.merge(b) || c.skip(b) || c.copyReturn(b) }) {
			return
		}
		c.dropUnreached()
	}
}

// isRoot reports whether a block is entered from outside of the code.
func (c *code) isRoot(b *block) bool { return b == c.entry || b == c.recover }

// dropUnreached removes blocks to which nothing leads, and the edges from them.
func (c *code) dropUnreached() {
	reached := map[*block]bool{}
	todo := []*block{c.entry}
	if c.recover != nil {
		todo = append(todo, c.recover)
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !reached[b] {
			reached[b] = true
			todo = append(todo, b.succs...)
		}
	}
	c.blocks = slices.DeleteFunc(c.blocks, func(b *block) bool { return !reached[b] })
	for _, b := range c.blocks {
		for i := len(b.preds) - 1; i >= 0; i-- {
			if !reached[b.preds[i]] {
				b.removeEdge(i)
			}
		}
	}
}

// removeEdge removes the i-th edge into a block.
func (b *block) removeEdge(i int) {
	b.preds = slices.Delete(b.preds, i, i+1)
	for _, p := range b.phis {
		p.args = slices.Delete(p.args, i, i+1)
	}
}

// merge appends the only successor of a block, if nothing else leads there.
func (c *code) merge(b *block) bool {
	if b.end != jumps {
		return false
	}
	s := b.succs[0]
	if s == b || len(s.preds) != 1 || c.isRoot(s) {
		return false
	}
	// The phis of s have one operand each, and resolve leaves them out.
	b.events, b.allocs = append(b.events, s.events...), append(b.allocs, s.allocs...)
	for _, v := range slices.Concat(s.events, s.allocs) {
		v.in = b
	}
	b.end, b.args, b.succs = s.end, s.args, s.succs
	for _, t := range s.succs {
		for i, p := range t.preds {
			if p == s {
				t.preds[i] = b
			}
		}
	}
	s.preds, s.succs = nil, nil
	return true
}

// skip leads the edges into an empty block to its successor.
func (c *code) skip(b *block) bool {
	if b.end != jumps || len(b.phis)+len(b.events) > 0 || slices.ContainsFunc(b.allocs, func(v *value) bool { return !v.once }) || c.isRoot(b) || b.succs[0] == b || len(b.preds) == 0 {
		return false
	}
	s := b.succs[0]
	for i, p := range b.preds {
		// An edge has to stay apart from another one of the same block, if it matters which of them is taken.
		if len(s.phis) > 0 && (slices.Contains(s.preds, p) || slices.Contains(b.preds[:i], p)) {
			return false
		}
	}
	at := slices.Index(s.preds, b)
	var values []*value
	for _, p := range s.phis {
		values = append(values, p.args[at])
	}
	s.removeEdge(at)
	for _, p := range b.preds {
		for i, t := range p.succs {
			if t == b {
				p.succs[i] = s
			}
		}
		s.preds = append(s.preds, p)
		for i, phi := range s.phis {
			phi.args = append(phi.args, values[i])
		}
	}
	b.preds, b.succs = nil, nil
	return true
}

// copyReturn gives each edge into a block that only returns a block of its own.
func (c *code) copyReturn(b *block) bool {
	if b.end != returns || len(b.events)+len(b.allocs) > 0 || c.isRoot(b) || len(b.preds) < 2 {
		return false
	}
	for i, p := range b.preds {
		if slices.Contains(b.preds[:i], p) {
			return false // which of the two edges is taken is not known
		}
	}
	for i, p := range b.preds {
		n := &block{end: returns, preds: []*block{p}}
		with := map[*value]*value{}
		for _, phi := range b.phis {
			with[phi] = phi.args[i]
		}
		for _, v := range b.args {
			n.args = append(n.args, replaced(v, with))
		}
		p.succs[slices.Index(p.succs, b)] = n
		c.blocks = append(c.blocks, n)
	}
	b.preds = nil
	return true
}

// replaced returns a value with others in place of some that it depends on.
func replaced(v *value, with map[*value]*value) *value {
	if r, ok := with[v]; ok {
		return r
	}
	v = resolve(v)
	if r, ok := with[v]; ok {
		return r
	}
	if v.op != pure && v.op != closure {
		return v
	}
	out := *v
	out.args = make([]*value, len(v.args))
	for i, a := range v.args {
		out.args[i] = replaced(a, with)
	}
	return &out
}

// resolve returns what a phi always is, if it is always the same.
func resolve(v *value) *value {
	for v.op == phi && len(v.args) > 0 {
		for _, a := range v.args[1:] {
			if a != v.args[0] {
				return v
			}
		}
		if v.args[0] == v {
			return v
		}
		v = v.args[0]
	}
	return v
}
