package lockstep

import "slices"

// Loads of variables that nothing else can reach are replaced by what was stored there, so it does not matter
// whether a result that a deferred function may change is kept in a variable or in memory.

// forward replaces the loads of private variables whose value is known. Which stores a load may see is a problem of
// data flow: a value is known at the beginning of a block if all that leads there agrees about it.
func (c *code) forward() {
	private := c.privateVariables()
	if len(private) == 0 {
		return
	}
	type state map[*value]*value // what each variable holds; a variable that is not there may hold anything
	after := map[*block]state{}
	before := func(b *block) (state, bool) {
		if c.isRoot(b) {
			return state{}, true
		}
		var out state
		for _, p := range b.preds {
			s, known := after[p]
			if !known {
				continue // not reached so far; what it says is taken into account later
			}
			if out == nil {
				out = state{}
				for v, x := range s {
					out[v] = x
				}
				continue
			}
			for v, x := range out {
				if s[v] != x {
					delete(out, v)
				}
			}
		}
		return out, out != nil
	}
	through := func(b *block, s state, seen func(load, holds *value)) {
		for _, e := range b.events {
			switch {
			case e.name == "store" && private[e.args[0]]:
				s[e.args[0]] = e.args[1]
			case e.name == "load" && private[e.args[0]] && s[e.args[0]] != nil:
				seen(e, s[e.args[0]])
			case e.name == "run defers":
				clear(s)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range c.blocks {
			s, known := before(b)
			if !known {
				continue
			}
			through(b, s, func(load, holds *value) {})
			if old, ok := after[b]; !ok || !sameState(old, s) {
				after[b], changed = s, true
			}
		}
	}
	for _, b := range c.blocks {
		s, known := before(b)
		if !known {
			continue
		}
		gone := map[*value]bool{}
		through(b, s, func(load, holds *value) {
			// It is what was stored there, as a phi of one operand is.
			load.op, load.name, load.args = phi, "", []*value{holds}
			gone[load] = true
		})
		b.events = slices.DeleteFunc(b.events, func(e *value) bool { return gone[e] })
	}
}

func sameState(a, b map[*value]*value) bool {
	if len(a) != len(b) {
		return false
	}
	for v, x := range a {
		if b[v] != x {
			return false
		}
	}
	return true
}

// privateVariables returns the allocations that are only loaded and stored as a whole, and captured by function
// literals that are only deferred: no code but the function's own reaches them before it runs what it has deferred.
// A variable in a loop is not among these, because it begins anew each time.
func (c *code) privateVariables() map[*value]bool {
	out := map[*value]bool{}
	for _, v := range c.entry.allocs {
		if len(c.entry.preds) == 0 {
			out[v] = true
		}
	}
	if len(out) == 0 {
		return out
	}
	seen := map[*value]bool{}
	var escapes func(v *value)
	escapes = func(v *value) {
		if seen[v] || v.op == event {
			return // the operands of an event are looked at where it happens
		}
		seen[v] = true
		delete(out, v)
		for _, a := range v.args {
			escapes(a)
		}
	}
	for _, b := range c.blocks {
		for _, e := range b.events {
			args := e.args
			switch {
			case e.name == "load" && len(args) == 1 && args[0].op == allocation:
				args = nil
			case e.name == "store" && args[0].op == allocation:
				args = args[1:]
			case e.name == "defer " && args[0].op == closure:
				for _, captured := range args[0].args {
					if captured.op != allocation {
						escapes(captured)
					}
				}
				args = args[1:]
			}
			for _, a := range args {
				escapes(a)
			}
		}
		for _, v := range slices.Concat(b.args, b.phis) {
			escapes(v)
		}
	}
	return out
}
