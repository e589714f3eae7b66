package vm

// run executes a state until its path ends, its goroutines block for ever, or quantum instructions have been
// executed since a decision. In the last case the caller puts the state back, so that no loop starves other
// states. The switch has the frequent operations; exec has the others.
func (m *Machine) run(st *State, quantum int64) {
	limit := st.steps + quantum
	forks := st.forks + turnForks
	if m.pathForks > 0 {
		forks = min(forks, max(m.pathForks, st.forks)+1) // the path ends at this number
	}
	st.turn = forks
	effort := m.sctx.Effort()
	fr := st.own()
	regs, code, pc := fr.regs, fr.fn.code, fr.pc
	start := pc
	for {
		ins := &code[pc]
		switch ins.Op {
		case opMov:
			regs[ins.D] = regs[ins.A]
			pc++
			continue
		case opMovN:
			n := int32(ins.Imm)
			copy(regs[ins.D:ins.D+n], regs[ins.A:ins.A+n])
			pc++
			continue
		case opLen:
			if a := &regs[ins.A]; a.Lazy != poison {
				regs[ins.D] = *a
				pc++
				continue
			}
		case opAdd:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: (a.Bits + b.Bits) & ins.Imm}
				pc++
				continue
			}
		case opSub:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: (a.Bits - b.Bits) & ins.Imm}
				pc++
				continue
			}
		case opMul:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: (a.Bits * b.Bits) & ins.Imm}
				pc++
				continue
			}
		case opAnd:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits & b.Bits}
				pc++
				continue
			}
		case opOr:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits | b.Bits}
				pc++
				continue
			}
		case opXor:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits ^ b.Bits}
				pc++
				continue
			}
		case opAndNot:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits &^ b.Bits}
				pc++
				continue
			}
		case opShl:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 && b.Bits < 64 {
				regs[ins.D] = Value{Bits: a.Bits << b.Bits & ins.Imm}
				pc++
				continue
			}
		case opShrU:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 && b.Bits < 64 {
				regs[ins.D] = Value{Bits: a.Bits >> b.Bits}
				pc++
				continue
			}
		case opShrS:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 && b.Bits < 64 {
				regs[ins.D] = Value{Bits: uint64(sext(a.Bits, ins.W)>>b.Bits) & ins.Imm}
				pc++
				continue
			}
		case opEq:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 && a.Lazy|b.Lazy == 0 {
				regs[ins.D] = boolean(a.Bits == b.Bits)
				pc++
				continue
			}
		case opNe:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 && a.Lazy|b.Lazy == 0 {
				regs[ins.D] = boolean(a.Bits != b.Bits)
				pc++
				continue
			}
		case opLtU:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = boolean(a.Bits < b.Bits)
				pc++
				continue
			}
		case opLeU:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				regs[ins.D] = boolean(a.Bits <= b.Bits)
				pc++
				continue
			}
		case opLtS:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				sh := 64 - ins.W
				regs[ins.D] = boolean(int64(a.Bits<<sh) < int64(b.Bits<<sh))
				pc++
				continue
			}
		case opLeS:
			a, b := &regs[ins.A], &regs[ins.B]
			if a.Term|b.Term == 0 {
				sh := 64 - ins.W
				regs[ins.D] = boolean(int64(a.Bits<<sh) <= int64(b.Bits<<sh))
				pc++
				continue
			}
		case opNot:
			if a := &regs[ins.A]; a.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits ^ 1}
				pc++
				continue
			}
		case opTrunc:
			if a := &regs[ins.A]; a.Term == 0 {
				regs[ins.D] = Value{Bits: a.Bits & ins.Imm}
				pc++
				continue
			}
		case opSext:
			if a := &regs[ins.A]; a.Term == 0 {
				regs[ins.D] = Value{Bits: uint64(sext(a.Bits, uint8(ins.C))) & ins.Imm}
				pc++
				continue
			}

		case opJump:
			st.steps += int64(pc + 1 - start)
			pc = int32(ins.Imm)
			start = pc
			if st.steps > limit {
				fr.pc = pc
				return
			}
			continue
		case opIf:
			if a := &regs[ins.A]; a.Term == 0 {
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, a.Bits != 0)
				start = pc
				continue
			}
		case opIfEq:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 && a.Lazy|b.Lazy == 0 {
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, a.Bits == b.Bits)
				start = pc
				continue
			}
		case opIfNe:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 && a.Lazy|b.Lazy == 0 {
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, a.Bits != b.Bits)
				start = pc
				continue
			}
		case opIfLtS:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 {
				sh := 64 - ins.W
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, int64(a.Bits<<sh) < int64(b.Bits<<sh))
				start = pc
				continue
			}
		case opIfLeS:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 {
				sh := 64 - ins.W
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, int64(a.Bits<<sh) <= int64(b.Bits<<sh))
				start = pc
				continue
			}
		case opIfLtU:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 {
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, a.Bits < b.Bits)
				start = pc
				continue
			}
		case opIfLeU:
			a, b := &regs[ins.A], &regs[ins.D]
			if a.Term|b.Term == 0 {
				st.steps += int64(pc + 1 - start)
				pc = m.take(st, ins, a.Bits <= b.Bits)
				start = pc
				continue
			}

		case opLoad1:
			p := &regs[ins.A]
			if id := p.obj(); id != 0 && id < imageRegion && p.Term == 0 && p.Lazy == 0 {
				o := st.heap.pages[id/pageSize].objs[id%pageSize]
				if off := p.off(); o.kind == objCells && off < len(o.cells) {
					regs[ins.D] = o.cells[off]
					pc++
					continue
				}
			}
		case opLoad:
			p := &regs[ins.A]
			if id := p.obj(); id != 0 && p.Term == 0 && p.Lazy == 0 {
				o := st.object(id)
				n := int(ins.Imm)
				if off := p.off(); o.kind == objCells && off+n <= len(o.cells) {
					copy(regs[ins.D:int(ins.D)+n], o.cells[off:off+n])
					pc++
					continue
				}
			}
		case opStore1:
			p := &regs[ins.A]
			if id := p.obj(); id != 0 && id < imageRegion && p.Term == 0 && p.Lazy == 0 {
				pg := st.heap.pages[id/pageSize]
				o := pg.objs[id%pageSize]
				if o.owner != st.owner || pg.owner != st.owner {
					o = st.mutable(id)
				}
				if off := p.off(); o.kind == objCells && off < len(o.cells) {
					o.cells[off] = regs[ins.B]
					pc++
					continue
				}
			}
		case opFieldAddr:
			p := &regs[ins.A]
			if p.Bits>>32 != 0 && p.Lazy == 0 {
				regs[ins.D] = Value{Bits: p.Bits + ins.Imm, Term: p.Term}
				pc++
				continue
			}
		case opIndexAddrSlice:
			i, n := &regs[ins.B], &regs[ins.A+1]
			p := &regs[ins.A]
			if i.Term|n.Term == 0 && p.Lazy == 0 {
				if i.Bits < n.Bits {
					regs[ins.D] = Value{Bits: p.Bits + i.Bits*ins.Imm, Term: p.Term}
					pc++
					continue
				}
			}
		case opIndexAddrArray:
			i, p := &regs[ins.B], &regs[ins.A]
			if i.Term == 0 && p.Lazy == 0 && p.Bits>>32 != 0 && i.Bits < uint64(ins.C) {
				regs[ins.D] = Value{Bits: p.Bits + i.Bits*ins.Imm, Term: p.Term}
				pc++
				continue
			}

		case opCall:
			d := ins.data.(*callData)
			fn := d.fn
			if fn.code != nil && fn.intrinsic == nil {
				st.steps += int64(pc + 1 - start)
				fr.pc = pc + 1
				callee := m.newFrame(st, fn)
				at := fn.args
				for _, mv := range d.args {
					if mv.n == 1 {
						callee.regs[at] = regs[mv.src]
					} else {
						copy(callee.regs[at:], regs[mv.src:mv.src+mv.n])
					}
					at += int(mv.n)
				}
				callee.parent, callee.dst = fr, ins.D
				if callee.depth = fr.depth + 1; callee.depth > m.cfg.maxDepth() {
					fr.pc = pc
					m.endPath(st, StopStack, "recursion deeper than the machine follows")
					return
				}
				st.gs[st.cur].top = callee
				fr, regs, code, pc = callee, callee.regs, fn.code, 0
				start = 0
				if st.steps > limit {
					fr.pc = 0
					return
				}
				continue
			}
		case opReturn:
			parent := fr.parent
			if fr.defers == nil && fr.mode == frameRuns && !fr.viaDefer && parent != nil {
				if parent.owner != st.owner {
					parent = m.leaveTo(st, fr)
				}
				at := fr.dst
				if at >= 0 {
					switch {
					case ins.data != nil:
						for _, mv := range ins.data.(moves) {
							copy(parent.regs[at:], regs[mv.src:mv.src+mv.n])
							at += mv.n
						}
					case ins.Imm == 1:
						parent.regs[at] = regs[ins.A]
					case ins.Imm > 1:
						copy(parent.regs[at:], regs[ins.A:ins.A+int32(ins.Imm)])
					}
				}
				st.steps += int64(pc + 1 - start)
				st.gs[st.cur].top = parent
				m.recycle(st, fr)
				fr, regs, code, pc = parent, parent.regs, parent.fn.code, parent.pc
				start = pc
				continue
			}
		}

		var key memoEntry
		pure := ins.Op <= opSext && key.pure(ins, regs)
		if pure {
			if e, ok := m.memo.find(&key); ok {
				regs[ins.D] = e.value()
				pc++
				continue
			}
		}

		// exec runs the instruction, which may fork, call, block or end the path. A fork starts again
		// at this very instruction.
		st.steps += int64(pc + 1 - start)
		fr.pc = pc
		switch m.exec(st, fr, ins) {
		case sigNext:
			if pure {
				m.memo.put(&key, regs[ins.D])
			}
			pc++
			start = pc
		case sigFrame:
			fr = st.own()
			regs, code, pc = fr.regs, fr.fn.code, fr.pc
			start = pc
		case sigSwitch:
			if !m.schedule(st) {
				return
			}
			fr = st.own()
			regs, code, pc = fr.regs, fr.fn.code, fr.pc
			start = pc
		case sigStop:
			return
		}
		if st.steps > limit || st.forks >= forks || m.sctx.Effort()-effort > turnEffort || m.stop != nil && m.stop() {
			fr.pc = pc
			return
		}
	}
}

// turnEffort is how much work of the solver, in the solver's units, a state may cause before other states get
// their turn. On a path with hundreds of conditions each question may be hard, and shorter paths should not
// wait for such a path: a function has a few millions in all, and a single turn must not take a good part of them.
const turnEffort = 100_000

// turnForks is how many decisions a state may take before other states get their turn. Without this bound a
// loop over an input of symbolic length would follow that one input for ever.
const turnForks = 8

// take records which way a branch went and returns the next pc.
func (m *Machine) take(st *State, ins *Instr, taken bool) int32 {
	n := int(ins.C) << 2
	if taken {
		n++
	}
	if !hasBit(m.covered, n) {
		m.cover(st, n)
	}
	if ins.C+1 == m.watched && !st.regardless {
		m.measure(st, ins)
	}
	if m.cfg.Show && st.inTarget() && !st.regardless {
		st.went(uint64(n))
		if m.sites[ins.C].asks {
			st.trail.push(&m.recycler, ins.C, taken)
		}
	}
	if taken {
		return int32(ins.Imm)
	}
	return ins.B
}

// newFrame makes a frame for a call of fn. The caller fills its argument registers.
func (m *Machine) newFrame(st *State, fn *Func) *Frame {
	var f *Frame
	if n := len(fn.free); n > 0 {
		f = fn.free[n-1]
		fn.free = fn.free[:n-1]
		f.mode, f.viaDefer, f.defers, f.pc = frameRuns, false, nil, 0
	} else {
		f = &Frame{fn: fn, regs: make([]Value, fn.nregs)}
		copy(f.regs, fn.consts)
	}
	if !st.init && !st.regardless {
		fn.entered = true
	}
	f.owner, f.refs = st.owner, 1
	m.serial++
	f.serial = m.serial
	return f
}

// recycle takes back the frame of a finished call, if no other state has the frame.
func (m *Machine) recycle(st *State, f *Frame) {
	if f.owner == st.owner && !f.escaped && len(f.fn.free) < 64 {
		f.parent = nil
		f.fn.free = append(f.fn.free, f)
	}
}
