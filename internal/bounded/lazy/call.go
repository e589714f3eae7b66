package lazy

// call begins a call that function f makes at pc. It returns false if the machine first has to decide which
// function is called.
func (m *machine) call(cl *call, f *function, pc int32, get func(int32) val) bool {
	g, captured, ok := m.callee(cl, get)
	if !ok {
		return false
	}
	if m.steps++; m.steps > maxSteps || len(m.frames) > maxDepth {
		m.unsupported("it does not end")
	}
	from := m.frames[len(m.frames)-1].base
	base := from + f.size
	if int(base)+int(g.size) >= maxStack {
		m.unsupported("it does not end")
	}
	stack, dst := m.stack[from:], m.stack[base:]
	k := 0
	if cl.invoke != nil {
		dst[g.params[0]] = captured
		k = 1
		// A receiver of several cells is stored at its address.
		if n := m.c.cells(g.fn.Params[0].Type()); n > 1 {
			copy(dst[g.params[0]:g.params[0]+n], m.mem[captured.b:])
		}
	} else if captured.b > 0 {
		at := captured.b + 1
		for i, r := range g.free {
			copy(dst[r:r+g.frees[i]], m.mem[at:at+int64(g.frees[i])])
			at += int64(g.frees[i])
		}
	}
	for i, a := range cl.args {
		copy(dst[g.params[i+k]:g.params[i+k]+a.n], m.operand(stack, a.src, a.n))
	}
	m.frames = append(m.frames, frame{f: g, base: base, pc: pc + 1, result: cl.result})
	m.sp = int(base + g.size)
	return true
}

// callee finds the called function and its captured values: the address of the closure, or the receiver of an
// invocation.
func (m *machine) callee(cl *call, get func(int32) val) (g *function, captured val, ok bool) {
	if cl.static != nil {
		if cl.f == nil {
			cl.f = m.c.function(cl.static)
		}
		return cl.f, val{}, true
	}
	v, ok := m.decide(get(cl.value))
	if !ok {
		return nil, val{}, false
	}
	if cl.invoke != nil {
		if v == 0 {
			m.unsupported("a method of a nil interface is called")
		}
		return m.c.function(m.c.prog.LookupMethod(m.c.typs[v], cl.invoke.Pkg(), cl.invoke.Name())), get(cl.value + 1), true
	}
	switch {
	case v == 0:
		m.unsupported("a nil function is called")
	case v < 0:
		return m.c.function(m.c.numbers[-v].fn), val{}, true
	}
	return m.c.function(m.c.numbers[-m.mem[v].b].fn), val{b: v}, true
}
