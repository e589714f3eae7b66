package vm

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// callData is everything about a call, go or defer that is known before it runs.
type callData struct {
	fn         *Func       // static callee
	value      int32       // register of a function value, or -1
	builtin    string      // name of a builtin
	invoke     *types.Func // method called through an interface
	recv       int32       // register of the interface
	recvT      *Type
	args       moves
	argT       []*Type // types of the arguments; for builtins
	sig        *Type
	result     *Type // tuple
	deferStack int32 // register of a range-over-func body's defer stack, or -1
}

// doCall calls a function. The results go to the registers from ins.D on.
func (m *Machine) doCall(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*callData)
	c, args := m.resolveCall(st, fr, d)
	return m.enter(st, fr, c, args, ins.D, d.result)
}

// resolveCall finds out which function is called, and the cells of the arguments.
func (m *Machine) resolveCall(st *State, fr *Frame, d *callData) (callee, []Value) {
	switch {
	case d.invoke != nil:
		c, recv := m.resolveInvoke(st, fr, d)
		return c, append(recv, d.args.gather(fr.regs)...)
	case d.fn != nil:
		return callee{fn: d.fn}, d.args.gather(fr.regs)
	case d.builtin != "":
		return callee{builtin: d.builtin}, d.args.gather(fr.regs)
	}
	c := m.funcValue(st, fr.regs[d.value], d.sig, d.result)
	return c, d.args.gather(fr.regs)
}

// funcValue resolves a function value.
func (m *Machine) funcValue(st *State, v Value, sig, result *Type) callee {
	v = m.resolveFunc(st, v, sig)
	if v.Lazy != 0 {
		return callee{stub: v.Lazy, stubSig: result}
	}
	if v.Bits == 0 {
		panic(goPanic{m.nilPanic()})
	}
	if v.Bits&funcBit != 0 {
		return callee{fn: m.funcs[v.Bits&^funcBit]}
	}
	o := st.object(v.obj())
	return callee{fn: m.funcs[o.cells[0].Bits&^funcBit], free: o.cells[1:]}
}

// enter starts a call: it pushes a frame, or runs an intrinsic or a stub at once.
func (m *Machine) enter(st *State, fr *Frame, c callee, args []Value, dst int32, result *Type) signal {
	if c.stub != 0 {
		m.stubCall(st, c, result, func(res []Value) { copy(fr.regs[dst:], res) })
		return sigNext
	}
	if c.builtin != "" {
		panic("bug: vm: a builtin as a function value")
	}
	fn := m.prepare(c.fn)
	if fn.intrinsic != nil {
		res, sig := fn.intrinsic(m, st, &call{fn: fn, args: args, result: fn.result})
		if sig == sigNext && dst >= 0 {
			copy(fr.regs[dst:], res)
		}
		return sig
	}
	m.pushFrame(st, fr, fn, c.free, args, dst)
	return sigFrame
}

// pushFrame makes the callee's frame the running one. The frame fr continues after its present instruction.
func (m *Machine) pushFrame(st *State, fr *Frame, fn *Func, free, args []Value, dst int32) *Frame {
	f := m.newFrame(st, fn)
	copy(f.regs[fn.args-fn.nfree:], free)
	copy(f.regs[fn.args:], args)
	f.parent, f.dst = fr, dst
	if fr != nil {
		fr.pc++
		f.depth = fr.depth + 1
		if f.depth > m.cfg.maxDepth() {
			panic(pathEnd{StopStack, "recursion deeper than the machine follows"})
		}
	}
	st.g().top = f
	return f
}

// prepare makes sure that a function has code or an intrinsic. Otherwise it ends the path with the function's
// name.
func (m *Machine) prepare(fn *Func) *Func {
	if fn.code == nil && fn.intrinsic == nil && fn.stop == "" {
		m.build(fn)
	}
	if fn.stop != "" {
		panic(unsupported(fn.stop))
	}
	return fn
}

// doReturn runs a return that has other work to do than to pass its results on.
func (m *Machine) doReturn(st *State, fr *Frame, ins *Instr) signal {
	if fr.defers != nil {
		// go/ssa leaves out RunDefers if the only defer is in the body of a range over a function, but
		// pending calls must run.
		fr.mode = frameDefers
		return m.nextDefer(st, fr)
	}
	var res []Value
	if ins.data != nil {
		res = ins.data.(moves).gather(fr.regs)
	} else if ins.Imm > 0 {
		if res = fr.regs[ins.A : ins.A+int32(ins.Imm)]; fr.parent == nil && st.finalCall() {
			st.ret = append(st.ret[:0], res...)
			res = st.ret
		} else {
			res = slices.Clone(res)
		}
	}
	return m.leave(st, fr, res)
}

// leave returns from fr with results.
func (m *Machine) leave(st *State, fr *Frame, res []Value) signal {
	g := st.g()
	parent := fr.parent
	if parent == nil {
		m.splitResults(st, g, fr, res)
		g.top = nil
		m.recycle(st, fr)
		return m.finished(st, g, res)
	}
	if parent.owner != st.owner {
		parent = m.leaveTo(st, fr)
	}
	g.top = parent
	if fr.viaDefer {
		return m.deferReturned(st, parent)
	}
	if fr.dst >= 0 {
		copy(parent.regs[fr.dst:], res)
	}
	return sigFrame
}

// splitResults decides the boolean results of the driver's last call, so that each value has a path.
func (m *Machine) splitResults(st *State, g *goroutine, fr *Frame, res []Value) {
	if !m.cfg.SplitResults || st.init || g.id != 0 || st.call != len(st.driver.Calls)-1 {
		return
	}
	for _, f := range fr.fn.result.Fields {
		if f.Type.Kind != KBool {
			continue
		}
		if res[f.Off].Term != 0 {
			res[f.Off] = boolean(m.branch(st, res[f.Off].Term))
		}
		if m.cfg.Show {
			st.went(res[f.Off].Bits)
		}
	}
}

// finalCall reports whether the driver's last call is running on its own goroutine. Only the path's end
// follows such a call. Its results may therefore lie in memory of the state, which is reused together with
// the state.
func (st *State) finalCall() bool {
	return st.cur == 0 && !st.init && st.call == len(st.driver.Calls)-1
}

// finished is called when a goroutine has returned from its first function.
func (m *Machine) finished(st *State, g *goroutine, res []Value) signal {
	g.done = true
	if g.id != 0 {
		return sigSwitch
	}
	if len(st.results) == 0 && st.finalCall() {
		st.results = st.list[:0]
	}
	st.results = append(st.results, res)
	if len(st.results) == 1 && st.finalCall() {
		st.list = st.results
	}
	return m.nextCall(st)
}

// doGo starts a goroutine.
func (m *Machine) doGo(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*callData)
	if d.value >= 0 {
		if v := m.resolveFunc(st, fr.regs[d.value], d.sig); v.Lazy == 0 && v.Bits == 0 {
			m.endPath(st, StopFatal, "go of nil func value")
			return sigStop
		}
	}
	c, args := m.resolveCall(st, fr, d)
	if c.stub != 0 {
		return sigNext
	}
	if c.builtin != "" {
		m.deferredBuiltin(st, fr, &deferRec{call: c, args: args, data: d})
		return sigNext
	}
	fn := m.prepare(c.fn)
	if fn.intrinsic != nil {
		_, sig := fn.intrinsic(m, st, &call{fn: fn, args: args, result: fn.result})
		return sig
	}
	st.picked = true // from here on the path has one of many possible orders
	g := &goroutine{id: len(st.gs)}
	f := m.newFrame(st, fn)
	f.escaped = true
	copy(f.regs[fn.args-fn.nfree:], c.free)
	copy(f.regs[fn.args:], args)
	f.dst = -1
	g.top = f
	st.gs = append(st.gs[:len(st.gs):len(st.gs)], g)
	return sigNext
}

// doDefer adds a deferred call to the frame, or to the frame whose defer stack is named.
func (m *Machine) doDefer(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*callData)
	to := fr
	if d.deferStack >= 0 {
		serial := uint32(fr.regs[d.deferStack].Bits)
		to = m.ownFrame(st, serial)
		if to == nil {
			panic(unsupported("a defer into a function that has returned"))
		}
	}
	var c callee
	var args []Value
	if d.value >= 0 && fr.regs[d.value].Bits == 0 && fr.regs[d.value].Lazy == 0 {
		// A nil function panics when it is called, and not when it is deferred.
		c = callee{builtin: "nil func"}
	} else {
		c, args = m.resolveCall(st, fr, d)
	}
	rec := &deferRec{next: to.defers, call: c, args: args, data: d}
	to.defers = rec
	return sigNext
}

// ownFrame finds the frame with a serial number in the running goroutine, and makes it and the frames
// above it the state's own.
func (m *Machine) ownFrame(st *State, serial uint32) *Frame {
	var prev *Frame
	for f := st.g().top; f != nil; f = f.parent {
		if f.owner != st.owner {
			f = f.clone(st.owner)
			if prev == nil {
				st.g().top = f
			} else {
				prev.parent = f
			}
		}
		if f.serial == serial {
			return f
		}
		prev = f
	}
	return nil
}

// doRunDefers runs the deferred calls before a return.
func (m *Machine) doRunDefers(st *State, fr *Frame, _ *Instr) signal {
	if fr.defers == nil {
		return sigNext
	}
	fr.mode = frameDefers
	fr.pc++
	return m.nextDefer(st, fr)
}

// nextDefer runs the frame's next deferred call. When there is none left it continues according to the
// frame's mode.
func (m *Machine) nextDefer(st *State, fr *Frame) signal {
	if fr.defers != nil {
		d := fr.defers
		fr.defers = d.next
		fn := m.frameless
		if d.call.stub == 0 && d.call.builtin == "" {
			if called := m.prepare(d.call.fn); called.intrinsic == nil {
				fn = called
			}
		}
		pc := fr.pc
		free, args := d.call.free, d.args
		if fn == m.frameless {
			free, args = nil, nil
		}
		f := m.pushFrame(st, fr, fn, free, args, -1)
		fr.pc = pc
		f.viaDefer = true
		f.escaped = true
		f.deferred = d
		return sigFrame
	}
	switch fr.mode {
	case frameDefers:
		fr.mode = frameRuns
		return sigFrame
	case framePanics:
		return m.unwind(st)
	case frameRecovered:
		fr.mode = frameRuns
		if fr.fn.recover >= 0 {
			fr.pc = fr.fn.recover
			return sigFrame
		}
		return m.leave(st, fr, make([]Value, fr.fn.result.Size))
	}
	panic("bug: vm: a deferred call in a running frame")
}

// newFrameless makes the function for frames of deferred calls that have no code: calls of stubs, builtins,
// intrinsics and nil functions. Such calls may fork, block and panic, also during another panic. With a frame
// they have an instruction from which they can be started again.
func newFrameless() *Func {
	return &Func{Name: "a deferred call", result: &Type{}, recover: -1, code: []Instr{{Op: opSlow, slow: (*Machine).doFrameless}, {Op: opReturn}}}
}

// doFrameless runs the deferred call of a frame of frameless.
func (m *Machine) doFrameless(st *State, fr *Frame, _ *Instr) signal {
	d := fr.deferred
	switch {
	case d.call.stub != 0:
		m.stubCall(st, d.call, d.data.result, func([]Value) {})
	case d.call.builtin == "nil func":
		return m.startPanic(st, m.nilPanic())
	case d.call.builtin != "":
		m.deferredBuiltin(st, fr.parent, d)
	default:
		fn := d.call.fn
		_, sig := fn.intrinsic(m, st, &call{fn: fn, args: d.args, result: fn.result})
		return sig
	}
	return sigNext
}

// deferReturned continues in fr after one of its deferred calls has returned.
func (m *Machine) deferReturned(st *State, fr *Frame) signal {
	g := st.g()
	if fr.mode == framePanics && len(g.panics) > 0 {
		if p := g.panics[len(g.panics)-1]; p.recovered {
			g.panics = g.panics[:len(g.panics)-1]
			fr.mode = frameRecovered
		}
	}
	return m.nextDefer(st, fr)
}

// closureData is a MakeClosure.
type closureData struct {
	fn   *Func
	bind moves
}

func (m *Machine) doMakeClosure(st *State, fr *Frame, ins *Instr) signal {
	d := ins.data.(*closureData)
	cells := append([]Value{{Bits: funcBit | uint64(d.fn.ID)}}, d.bind.gather(fr.regs)...)
	fr.regs[ins.D] = ptr(st.newObject(&Object{cells: cells}), 0)
	return sigNext
}

// fn returns the machine's function for an SSA function. A function of a dependency may have two identities,
// which have one function here.
func (m *Machine) fn(f *ssa.Function) *Func {
	if g := m.bySSA[f]; g != nil {
		return g
	}
	name := funcName(f)
	if f.Parent() == nil && f.Synthetic == "" || f.Origin() != nil {
		if g := m.byFull[name]; g != nil {
			m.bySSA[f] = g
			return g
		}
	}
	g := &Func{ID: len(m.funcs), Name: name, ssa: f, recover: -1}
	m.funcs = append(m.funcs, g)
	m.bySSA[f] = g
	if f.Parent() == nil && f.Synthetic == "" || f.Origin() != nil {
		m.byFull[name] = g
	}
	return g
}

// funcName returns the full name of a function: import path and name. Methods are written "(*path.T).Name",
// and instances have their type arguments.
func funcName(f *ssa.Function) string { return f.String() }
