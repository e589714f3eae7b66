package vm

import (
	"fmt"

	"github.com/goassay/assay/internal/testcase"
)

// runtimePanic makes the running instruction panic with a run-time error.
func (m *Machine) runtimePanic(st *State, message string) signal {
	return m.startPanic(st, m.runtimeError(message))
}

// runtimeError makes the panic of a run-time error. Its value is an interface over
// the machine's own error type, see _models/runtime.go. The kind is the one that a process's panic with that message has.
func (m *Machine) runtimeError(message string) *panicRec {
	return &panicRec{kind: testcase.PanicKind(true, message), runtime: true, message: "runtime error: " + message, site: -1}
}

func (m *Machine) nilPanic() *panicRec {
	return m.runtimeError("invalid memory address or nil pointer dereference")
}

// doPanic runs a panic statement.
func (m *Machine) doPanic(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*convData)
	v := [2]Value{fr.regs[d.x], fr.regs[d.x+1]}
	v = m.resolveIface(st, v, d.from)
	if rec := m.rethrown(st, v); rec != nil {
		return m.startPanic(st, rec)
	}
	rec := &panicRec{value: v, kind: "explicit", site: -1}
	if v[0].Bits == 0 && v[0].Lazy == 0 {
		rec.message = "panic called with nil argument (use GODEBUG=panicnil=1 to disable)"
		rec.runtime = true
	}
	return m.startPanic(st, rec)
}

// rethrown returns the panic of a run-time error that recover returned, or nil if v is no such error. Code
// that panics again with the error has not raised a panic of its own.
func (m *Machine) rethrown(st *State, v [2]Value) *panicRec {
	if v[0].Lazy != 0 || v[0].Bits == 0 {
		return nil
	}
	t := m.types.all[v[0].Bits]
	if t != m.modelType("runtimeError") && t != m.modelType("TypeAssertionError") {
		return nil
	}
	s := m.unbox(st, t, v[1])
	message, ok := m.concreteString(st, s[0], s[1])
	if !ok {
		panic(unsupported("a run-time error whose text is not known"))
	}
	return &panicRec{kind: testcase.PanicKind(true, message), runtime: true, message: message, site: -1}
}

// doRangePanic panics because a loop body was called at a time when its loop cannot run it.
func (m *Machine) doRangePanic(st *State, fr *Frame, ins *Instr) signal {
	what := "recovered a loop body panic and did not resume panicking"
	if d := ins.data.(*rangePanicData); d.state >= 0 {
		switch int64(fr.regs[d.state].Bits) {
		case -1:
			what = "continued iteration after loop body panic"
		case -2:
			what = "continued iteration after whole loop exit"
		default:
			what = "continued iteration after function for loop body returned false"
		}
	}
	return m.runtimePanic(st, "range function "+what)
}

// startPanic begins to unwind the running goroutine.
func (m *Machine) startPanic(st *State, rec *panicRec) signal {
	g := st.g()
	if !m.broke(st, g.top, rec.kind) {
		return sigStop
	}
	c := *rec
	for f := g.top; f != nil; f = f.parent {
		if f.fn == m.frameless {
			continue // the panic comes from the caller of this frame
		}
		pc := f.pc
		if f != g.top && pc > 0 {
			pc--
		}
		c.stack = append(c.stack, stackEntry{f.fn, pc})
	}
	if len(c.stack) > 0 {
		if e := c.stack[0]; int(e.pc) < len(e.fn.sites) {
			c.site = e.fn.sites[e.pc]
			if c.site >= 0 {
				m.coverPanic(st, c.site)
			}
		}
	}
	g.panics = append(g.panics, &c)
	return m.unwind(st)
}

// unwind runs the deferred calls of the frames, from the top outwards, until one of them recovers. If none
// does, the panic leaves the goroutine.
func (m *Machine) unwind(st *State) signal {
	g := st.g()
	for g.top != nil {
		fr := st.own()
		if fr.defers != nil {
			fr.mode = framePanics
			return m.nextDefer(st, fr)
		}
		if fr.viaDefer {
			// A deferred call has panicked. The older panic for which it ran is replaced, and can no longer
			// be recovered.
			if p := fr.parent; p != nil && p.mode == framePanics && len(g.panics) > 1 {
				g.panics = append(g.panics[:len(g.panics)-2], g.panics[len(g.panics)-1])
			}
		}
		g.top = fr.parent
		if g.top != nil && g.top.owner != st.owner {
			g.top = g.top.clone(st.owner)
		}
	}
	p := g.panics[len(g.panics)-1]
	if p.goexit {
		g.panics = nil
		g.done = true
		if g.id == 0 && !m.program {
			m.endPath(st, StopGoexit, "")
			return sigStop
		}
		return sigSwitch
	}
	st.panicked = p
	m.endPath(st, StopPanic, "")
	return sigStop
}

// doRecover runs recover(). It works in a function that the defer mechanism has called while its caller
// panics.
func (m *Machine) doRecover(st *State, fr *Frame, dst int32) {
	v := m.recoverFor(st, fr)
	fr.regs[dst], fr.regs[dst+1] = v[0], v[1]
}

// recoverFor returns the result of recover in a function whose frame is fr. Wrappers do not count as calls.
func (m *Machine) recoverFor(st *State, fr *Frame) (none [2]Value) {
	for !fr.viaDefer && fr.parent != nil && m.transparent(fr.parent.fn) {
		fr = fr.parent
	}
	g := st.g()
	if !fr.viaDefer || fr.parent == nil || fr.parent.mode != framePanics || len(g.panics) == 0 {
		return none
	}
	p := g.panics[len(g.panics)-1]
	if p.recovered || p.goexit {
		return none
	}
	c := *p
	c.recovered = true
	g.panics[len(g.panics)-1] = &c
	return m.panicValue(st, &c)
}

// transparent reports whether the compiler, package reflect or the machine inserts a function between a call
// and the called function.
func (m *Machine) transparent(f *Func) bool {
	return f.ssa == nil || isWrapper(f.ssa) || m.reflects != nil && f.ssa.Pkg == m.reflects
}

// panicValue returns the value that recover returns.
func (m *Machine) panicValue(st *State, p *panicRec) [2]Value {
	if !p.runtime {
		return p.value
	}
	name := "runtimeError"
	switch p.kind {
	case "type-assertion":
		name = "TypeAssertionError"
	}
	return m.makeError(st, name, p.message)
}

// makeError makes a value of one of the model's error types.
func (m *Machine) makeError(st *State, typeName, message string) [2]Value {
	t := m.modelType(typeName)
	s := m.newString(st, message)
	o := st.newObject(&Object{cells: append([]Value(nil), s...)})
	return [2]Value{{Bits: uint64(t.ID)}, ptr(o, 0)}
}

// position describes an entry of the stack for messages.
func (m *Machine) position(e stackEntry) string {
	if int(e.pc) < len(e.fn.pos) {
		return fmt.Sprintf("%s (%s)", m.prog.Fset.Position(e.fn.pos[e.pc]), e.fn.Name)
	}
	return e.fn.Name
}
