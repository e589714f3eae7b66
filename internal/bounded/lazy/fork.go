package lazy

// fork saves the state and takes the first of m.alts. The machine executes the instruction again for each
// alternative.
func (m *machine) fork() {
	ch := choice{
		alts: append(m.takeAlts(), m.alts...), stack: len(m.saved), depth: len(m.frames), pc: m.pc,
		mem: len(m.mem), trail: len(m.trail), links: len(m.links), barrier: m.barrier,
	}
	m.saved = append(m.saved, m.stack[:m.sp]...)
	m.savedFrames = append(m.savedFrames, m.frames...)
	ch.maxSaved = len(m.savedFrames)
	m.choices = append(m.choices, ch)
	m.barrier = int64(len(m.mem))
}

// takeAlts returns an empty list for alternatives. It reuses the memory of earlier ones.
func (m *machine) takeAlts() []alternative {
	if n := len(m.choices); n < cap(m.choices) {
		return m.choices[:n+1][n].alts[:0]
	}
	return nil
}

// backtrack continues with the next alternative of the last choice that has one. It reports whether there is
// one.
func (m *machine) backtrack() bool {
	for len(m.choices) > 0 {
		k := len(m.choices) - 1
		ch := &m.choices[k]
		m.unwind(ch)
		if ch.next == len(ch.alts) {
			m.barrier = ch.barrier
			m.saved = m.saved[:ch.stack]
			m.savedFrames = m.savedFrames[:ch.maxSaved-ch.depth]
			m.choices = m.choices[:k]
			continue
		}
		a := ch.alts[ch.next]
		ch.next++
		if k < m.depth {
			m.node++
		}
		m.dead = false
		if a.link {
			m.links = append(m.links, a.c)
			if !m.propagate() {
				continue
			}
		} else {
			m.narrowLinked(a.slot, a.mask)
			if m.dead {
				continue
			}
		}
		m.frames = append(m.frames[:0], m.savedFrames[ch.maxSaved-ch.depth:ch.maxSaved]...)
		m.sp = copy(m.stack, m.saved[ch.stack:])
		m.pc = ch.pc
		return true
	}
	return false
}

// unwind undoes the writes since a choice.
func (m *machine) unwind(ch *choice) {
	for i := len(m.trail) - 1; i >= ch.trail; i-- {
		u := &m.trail[i]
		switch u.kind {
		case undoCell:
			m.mem[u.at] = val{int64(u.old), u.s}
		case undoMask:
			m.vars[u.at].mask = u.old
		case undoTop:
			m.top[u.at] = int32(uint32(u.old))
		}
	}
	m.trail = m.trail[:ch.trail]
	m.links = m.links[:ch.links]
	m.mem = m.mem[:ch.mem]
}
