package vm

// chanData is a channel.
type chanData struct {
	cap    int
	buf    [][]Value
	closed bool
	recvq  []waiter
	sendq  []waiter
}

// waiter is a goroutine that waits in a channel operation. The waiter is stale once the goroutine's wait has
// another number.
type waiter struct {
	g    int
	seq  uint32
	kase int
	val  []Value // the value of a sender
}

// chanOp is a send or receive.
type chanOp struct {
	ch, val int32
	t       *Type
	commaOk bool
}

// selectData is a select statement.
type selectData struct {
	blocking bool
	cases    []selectCase
	tuple    *Type
}

type selectCase struct {
	ch, val int32
	t       *Type
	send    bool
}

func (m *Machine) doMakeChan(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	n := m.wideValue(fr.regs[d.x], d.from)
	if !m.decide(st, m.not(m.less(m.mostElements(d.to.Elem), n))) {
		return m.runtimePanic(st, "makechan: size out of range")
	}
	m.limitMemory(st)
	c := int(m.concretize(st, n, 64))
	fr.regs[ins.D] = ptr(st.newObject(&Object{kind: objChan, elem: d.to.Elem, ch: &chanData{cap: c}}), 0)
	return sigNext
}

// waiting returns the first waiter of a queue that is not stale, and its index.
func (st *State) waiting(q []waiter) (waiter, int) {
	for i, w := range q {
		g := st.gs[w.g]
		if g.blocked && g.seq == w.seq && g.wake == nil {
			return w, i
		}
	}
	return waiter{}, -1
}

// trySend sends a value if it need not wait.
func (m *Machine) trySend(st *State, id ObjID, val []Value) bool {
	ch := st.object(id).ch
	if ch.closed {
		panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "send on closed channel", site: -1}})
	}
	if w, i := st.waiting(ch.recvq); i >= 0 {
		c := st.mutable(id).ch
		c.recvq = c.recvq[i+1:]
		st.gs[w.g].wake = &wakeRec{kase: w.kase, val: append([]Value(nil), val...), ok: true}
		return true
	}
	if len(ch.buf) < ch.cap {
		c := st.mutable(id).ch
		c.buf = append(c.buf, append([]Value(nil), val...))
		return true
	}
	return false
}

// tryRecv receives a value if it need not wait.
func (m *Machine) tryRecv(st *State, id ObjID, n int) (val []Value, ok, done bool) {
	ch := st.object(id).ch
	if len(ch.buf) > 0 {
		c := st.mutable(id).ch
		val = c.buf[0]
		c.buf = c.buf[1:]
		if w, i := st.waiting(c.sendq); i >= 0 {
			c.buf = append(c.buf, w.val)
			c.sendq = c.sendq[i+1:]
			st.gs[w.g].wake = &wakeRec{kase: w.kase, ok: true}
		}
		return val, true, true
	}
	if w, i := st.waiting(ch.sendq); i >= 0 {
		c := st.mutable(id).ch
		c.sendq = c.sendq[i+1:]
		st.gs[w.g].wake = &wakeRec{kase: w.kase, ok: true}
		return w.val, true, true
	}
	if ch.closed {
		return make([]Value, n), false, true
	}
	return nil, false, false
}

// block makes the running goroutine wait. When the goroutine runs again, it executes the same instruction
// again and finds its wake.
func (st *State) block() signal {
	g := st.g()
	g.blocked = true
	g.wake = nil
	g.seq++
	return sigSwitch
}

// woken returns what another goroutine delivered to the running one.
func (st *State) woken() *wakeRec {
	g := st.g()
	w := g.wake
	if w != nil {
		g.wake = nil
		g.blocked = false
	}
	return w
}

// enqueue adds a waiter to a queue. A select leaves stale waiters in the queues of the channels that it
// did not choose; they are removed when the queue would grow.
func (st *State) enqueue(q []waiter, w waiter) []waiter {
	if len(q) == cap(q) {
		live := make([]waiter, 0, 2*len(q)+4)
		for _, x := range q {
			if g := st.gs[x.g]; g.blocked && g.seq == x.seq && g.wake == nil {
				live = append(live, x)
			}
		}
		q = live[:len(live):max(2*len(live), 4)]
	}
	return append(q, w)
}

func (m *Machine) chanRef(st *State, v Value, t *Type) ObjID {
	v = m.resolveRef(st, v, t)
	return v.obj()
}

func (m *Machine) doSend(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*chanOp)
	if w := st.woken(); w != nil {
		if w.closed {
			panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "send on closed channel", site: -1}})
		}
		return sigNext
	}
	id := m.chanRef(st, fr.regs[d.ch], d.t)
	if id == 0 {
		return st.block()
	}
	val := fr.regs[d.val : int(d.val)+d.t.Elem.Size]
	if m.trySend(st, id, val) {
		return sigNext
	}
	sig := st.block()
	c := st.mutable(id).ch
	c.sendq = st.enqueue(c.sendq, waiter{g: st.cur, seq: st.g().seq, val: append([]Value(nil), val...)})
	return sig
}

func (m *Machine) doRecv(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*chanOp)
	n := d.t.Elem.Size
	give := func(val []Value, ok bool) signal {
		copy(fr.regs[ins.D:], val)
		if d.commaOk {
			fr.regs[int(ins.D)+n] = boolean(ok)
		}
		return sigNext
	}
	if w := st.woken(); w != nil {
		if w.val == nil {
			w.val = make([]Value, n)
		}
		return give(w.val, w.ok)
	}
	id := m.chanRef(st, fr.regs[d.ch], d.t)
	if id == 0 {
		return st.block()
	}
	if val, ok, done := m.tryRecv(st, id, n); done {
		return give(val, ok)
	}
	sig := st.block()
	c := st.mutable(id).ch
	c.recvq = st.enqueue(c.recvq, waiter{g: st.cur, seq: st.g().seq})
	return sig
}

func (m *Machine) doSelect(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*selectData)
	finish := func(kase int, val []Value, ok bool) signal {
		// The results are (index int, recvOk bool, one value for each receive).
		clear(fr.regs[ins.D : int(ins.D)+d.tuple.Size])
		fr.regs[ins.D] = Value{Bits: uint64(int64(kase))}
		fr.regs[ins.D+1] = boolean(ok)
		at := int(ins.D) + 2
		for i, c := range d.cases {
			if c.send {
				continue
			}
			if i == kase {
				copy(fr.regs[at:], val)
			}
			at += c.t.Elem.Size
		}
		return sigNext
	}
	if w := st.woken(); w != nil {
		if w.closed {
			panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "send on closed channel", site: -1}})
		}
		return finish(w.kase, w.val, w.ok)
	}
	ids := make([]ObjID, len(d.cases))
	ready := 0
	for i, c := range d.cases {
		ids[i] = m.chanRef(st, fr.regs[c.ch], c.t)
	}
	for i, c := range d.cases {
		if ids[i] == 0 {
			continue
		}
		ch := st.object(ids[i]).ch
		if c.send && (ch.closed || len(ch.buf) < ch.cap) || !c.send && (ch.closed || len(ch.buf) > 0) {
			ready++
		} else if _, k := st.waiting(ch.recvq); c.send && k >= 0 {
			ready++
		} else if _, k := st.waiting(ch.sendq); !c.send && k >= 0 {
			ready++
		}
	}
	if ready > 1 {
		st.approx = true // Go picks one of the ready cases at random
	}
	for i, c := range d.cases {
		if ids[i] == 0 {
			continue
		}
		if c.send {
			if m.trySend(st, ids[i], fr.regs[c.val:int(c.val)+c.t.Elem.Size]) {
				return finish(i, nil, false)
			}
		} else if val, ok, done := m.tryRecv(st, ids[i], c.t.Elem.Size); done {
			return finish(i, val, ok)
		}
	}
	if !d.blocking {
		return finish(-1, nil, false)
	}
	sig := st.block()
	for i, c := range d.cases {
		if ids[i] == 0 {
			continue
		}
		ch := st.mutable(ids[i]).ch
		w := waiter{g: st.cur, seq: st.g().seq, kase: i}
		if c.send {
			w.val = append([]Value(nil), fr.regs[c.val:int(c.val)+c.t.Elem.Size]...)
			ch.sendq = st.enqueue(ch.sendq, w)
		} else {
			ch.recvq = st.enqueue(ch.recvq, w)
		}
	}
	return sig
}

// closeChan closes a channel and wakes all goroutines that wait for it.
func (m *Machine) closeChan(st *State, v Value, t *Type) {
	id := m.chanRef(st, v, t)
	if id == 0 {
		panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "close of nil channel", site: -1}})
	}
	if st.object(id).ch.closed {
		panic(goPanic{&panicRec{kind: "closed-channel", runtime: true, message: "close of closed channel", site: -1}})
	}
	c := st.mutable(id).ch
	c.closed = true
	for {
		w, i := st.waiting(c.recvq)
		if i < 0 {
			break
		}
		c.recvq = c.recvq[i+1:]
		st.gs[w.g].wake = &wakeRec{kase: w.kase, val: make([]Value, t.Elem.Size)}
	}
	for {
		w, i := st.waiting(c.sendq)
		if i < 0 {
			break
		}
		c.sendq = c.sendq[i+1:]
		st.gs[w.g].wake = &wakeRec{kase: w.kase, closed: true}
	}
}

// schedule picks the next goroutine that can run, in the order of creation from the one after the
// current one. If there is none the path ends in a deadlock.
func (m *Machine) schedule(st *State) bool {
	n := len(st.gs)
	for k := 1; k <= n; k++ {
		i := (st.cur + k) % n
		g := st.gs[i]
		if g.done || g.top == nil {
			continue
		}
		if g.blocked && g.wake == nil && !m.semaReady(st, g) && !(g.until > 0 && g.until <= st.nanotime()) {
			continue
		}
		st.cur = i
		return true
	}
	if st.wakeSleepers() {
		return m.schedule(st)
	}
	m.endPath(st, StopDeadlock, "all goroutines are asleep")
	return false
}
