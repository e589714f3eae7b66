package lazy

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// frame is a call that is being executed.
type frame struct {
	f      *function
	base   int32
	pc     int32 // of the caller's frame: where it goes on
	result int32 // register of the caller
}

// machine executes a predicate.
type machine struct {
	c    *compiler
	mem  []val
	vars []variable
	addr [][]int64   // of objects, by class
	own  [][][]int32 // slots of objects, those of slices' elements not included
	top  []int32     // of classes: the highest object that a variable was decided for

	fixed   int64 // what is below is the candidate
	barrier int64 // writes below have to be undone
	stack   []val
	sp      int
	frames  []frame
	pc      int32
	steps   int

	choices     []choice
	trail       []undo
	links       []constraint
	saved       []val
	savedFrames []frame
	alts        []alternative
	outs        []int64
	dead        bool // a constraint cannot be satisfied any more

	// Splitting, see Count.
	part, parts, node, depth int

	counter
}

// Bounds of one execution.
const (
	maxSteps = 1 << 20
	maxStack = 1 << 16
	maxDepth = 1 << 10
)

// start begins the execution of fn on the structure's root.
func (m *machine) start(fn *ssa.Function, root val) {
	f := m.c.function(fn)
	m.frames = append(m.frames[:0], frame{f: f})
	m.sp = int(f.size)
	m.stack[f.params[0]] = root
	m.pc, m.steps = 0, 0
}

// run executes to the end of the predicate. ok is false if the execution cannot be: a
// constraint has no solution, or it belongs to another part.
func (m *machine) run() (holds, ok bool) {
	var f *function
	var stack []val
	var consts []val
	load := func() {
		fr := &m.frames[len(m.frames)-1]
		f = fr.f
		stack = m.stack[fr.base:]
		consts = m.c.consts
	}
	load()
	pc := m.pc
	get := func(o int32) val {
		if o >= constBase {
			return consts[o-constBase]
		}
		return stack[o]
	}
	for {
		in := &f.code[pc]
		undecided := false
		switch in.op {
		case opMove:
			if in.n == 1 {
				stack[in.a] = get(in.b)
			} else {
				copy(stack[in.a:in.a+in.n], m.operand(stack, in.b, in.n))
			}
		case opLoad:
			p := get(in.b)
			if p.s != 0 {
				if p.b, ok = m.concrete(p); !ok {
					undecided = true
					break
				}
			}
			if p.b <= 0 {
				m.unsupported("a nil pointer is followed")
			}
			if in.n == 1 {
				v := m.mem[p.b+in.k]
				if v.s != 0 {
					if b, one := m.decided(v); one {
						v = val{b: b}
					}
				}
				stack[in.a] = v
			} else if in.k > 0 {
				copy(stack[in.a:in.a+in.n], m.mem[p.b+in.k:p.b+in.k+int64(in.n)])
			} else {
				copy(stack[in.a:in.a+in.n], m.mem[p.b:p.b+int64(in.n)])
			}
		case opField:
			p := get(in.b)
			if p.s != 0 {
				if p.b, ok = m.concrete(p); !ok {
					undecided = true
					break
				}
			}
			if p.b <= 0 {
				m.unsupported("a nil pointer is followed")
			}
			stack[in.a] = val{b: p.b + in.k}
		case opStore:
			p := get(in.a)
			if p.s != 0 {
				if p.b, ok = m.concrete(p); !ok {
					undecided = true
					break
				}
			}
			for i := range in.n {
				m.write(p.b+int64(i), get(in.b+i))
			}
		case opIndexAddr:
			undecided = !m.indexAddr(in, stack, get)
		case opIndex:
			i := get(in.c)
			if i.s != 0 {
				if i.b, ok = m.concrete(i); !ok {
					undecided = true
					break
				}
			}
			if i.b < 0 || i.b >= in.k {
				m.unsupported("an index is out of range")
			}
			copy(stack[in.a:in.a+in.n], m.operand(stack, in.b+int32(i.b)*in.n, in.n))
		case opAlloc:
			stack[in.a] = val{b: m.alloc(in.n)}
		case opCompare:
			var o bool
			if o, ok = m.compare(relation(in.k), get(in.b), get(in.c)); !ok {
				undecided = true
				break
			}
			stack[in.a] = truth(o)
		case opIf:
			x := get(in.b)
			if x.s != 0 {
				if x.b, ok = m.concrete(x); !ok {
					undecided = true
					break
				}
			}
			if m.dead {
				return false, false
			}
			e := in.x.([2]*edge)[1&^x.b]
			m.moves(stack, e)
			pc = e.pc
			continue
		case opCompareIf:
			o, known := m.compare(relation(in.k), get(in.b), get(in.c))
			if !known {
				undecided = true
				break
			}
			if m.dead {
				return false, false
			}
			i := 1
			if o {
				i = 0
			}
			e := in.x.([2]*edge)[i]
			m.moves(stack, e)
			pc = e.pc
			continue
		case opJump:
			e := in.x.(*edge)
			m.moves(stack, e)
			pc = e.pc
			if m.steps++; m.steps > maxSteps {
				m.unsupported("it does not end")
			}
			continue
		case opSliceFrom:
			s := m.operand(stack, in.b, sliceCells)
			if s[1].s|s[2].s != 0 || s[1].b < in.k {
				undecided = !m.sliceFrom(in, stack, get)
				break
			}
			stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: s[0].b + in.k*int64(in.n)}, val{b: s[1].b - in.k}, val{b: s[2].b - in.k}
		case opAppendVals:
			s := m.operand(stack, in.b, sliceCells)
			p, n, c := s[0], s[1], s[2]
			if n.s|c.s != 0 {
				m.unsupported("append to a slice of the structure")
			}
			size := int64(in.n)
			if n.b+in.k > c.b {
				c.b = max(n.b+in.k, 2*c.b, 4)
				a := m.alloc(int32(c.b * size))
				copy(m.mem[a:], m.mem[p.b:p.b+n.b*size])
				p.b = a
			}
			at := p.b + n.b*size
			if at >= m.barrier {
				copy(m.mem[at:at+in.k*size], stack[in.c:])
			} else {
				for i := range in.k * size {
					m.write(at+i, stack[int64(in.c)+i])
				}
			}
			stack[in.a], stack[in.a+1], stack[in.a+2] = p, val{b: n.b + in.k}, c
		case opNot:
			x := get(in.b)
			if x.s != 0 {
				if x.b, ok = m.concrete(x); !ok {
					undecided = true
					break
				}
			}
			stack[in.a] = val{b: 1 - x.b}
		case opCall:
			cl := in.x.(*call)
			g, captured, ok := m.callee(cl, get)
			if !ok {
				undecided = true
				break
			}
			if g == nil {
				m.unsupported("a nil function is called")
			}
			if m.steps++; m.steps > maxSteps || len(m.frames) > maxDepth {
				m.unsupported("it does not end")
			}
			fr := &m.frames[len(m.frames)-1]
			base := fr.base + f.size
			if int(base)+int(g.size) >= maxStack {
				m.unsupported("it does not end")
			}
			dst := m.stack[base:]
			k := 0
			if cl.invoke != nil {
				dst[g.params[0]] = captured
				k = 1
				// A receiver of several cells is behind its address.
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
			load()
			pc = 0
			continue
		case opReturn:
			list := in.x.([]move)
			top := len(m.frames) - 1
			fr := m.frames[top]
			if top == 0 {
				x := get(list[0].src)
				if x.s != 0 {
					if x.b, ok = m.concrete(x); !ok {
						undecided = true
						break
					}
				}
				return x.b != 0, !m.dead
			}
			caller := m.frames[top-1]
			dst := m.stack[caller.base+fr.result:]
			for _, r := range list {
				copy(dst[r.dst:r.dst+r.n], m.operand(stack, r.src, r.n))
			}
			m.frames = m.frames[:top]
			m.sp = int(caller.base + caller.f.size)
			load()
			pc = fr.pc
			continue
		case opUnsupported:
			m.unsupported(m.c.reasons[in.k])
		case opPanic:
			m.unsupported("it panics")
		default:
			undecided = !m.other(in, stack, get)
		}
		if m.dead {
			return false, false
		}
		if undecided {
			if len(m.alts) == 0 {
				return false, false
			}
			if m.parts > 1 && len(m.choices) >= m.depth && !m.mine() {
				return false, false
			}
			m.pc = pc
			m.fork()
			if !m.backtrack() {
				return false, false
			}
			load()
			pc = m.pc
			continue
		}
		pc++
	}
}

func (m *machine) unsupported(why string) { panic(Unsupported(why)) }

func truth(b bool) val {
	if b {
		return val{b: 1}
	}
	return val{}
}

// operand returns the n cells of an operand.
func (m *machine) operand(stack []val, o, n int32) []val {
	if o >= constBase {
		return m.c.consts[o-constBase : o-constBase+n]
	}
	return stack[o : o+n]
}

// moves does what an edge does to phis.
func (m *machine) moves(stack []val, e *edge) {
	for i := range e.moves {
		mv := &e.moves[i]
		if mv.n == 1 && mv.src < constBase {
			stack[mv.dst] = stack[mv.src]
		} else {
			copy(stack[mv.dst:mv.dst+mv.n], m.operand(stack, mv.src, mv.n))
		}
	}
}

// alloc returns the address of n zero cells.
func (m *machine) alloc(n int32) int64 {
	a := len(m.mem)
	if a+int(n) > cap(m.mem) {
		grown := make([]val, a, 2*(a+int(n)))
		copy(grown, m.mem)
		m.mem = grown
	}
	m.mem = m.mem[:a+int(n)]
	clear(m.mem[a:])
	return int64(a)
}

// write writes a cell, so that it can be undone.
func (m *machine) write(at int64, v val) {
	if at < m.fixed {
		if at <= 0 {
			m.unsupported("a nil pointer is followed")
		}
		m.unsupported("it writes to the structure")
	}
	if at < m.barrier {
		old := m.mem[at]
		m.trail = append(m.trail, undo{undoCell, at, uint64(old.b), old.s})
	}
	m.mem[at] = v
}

// indexAddr executes an opIndexAddr.
func (m *machine) indexAddr(in *instr, stack []val, get func(int32) val) bool {
	i := get(in.c)
	var ok bool
	if i.s != 0 {
		if i.b, ok = m.concrete(i); !ok {
			return false
		}
	}
	p := get(in.b)
	if in.k >= 0 {
		if p.s != 0 {
			if p.b, ok = m.concrete(p); !ok {
				return false
			}
		}
		if p.b <= 0 || i.b < 0 || i.b >= in.k {
			m.unsupported("an index is out of range")
		}
	} else {
		within, ok := m.compare(gt, get(in.b+1), val{b: i.b})
		if !ok {
			return false
		}
		if !within || i.b < 0 {
			m.unsupported("an index is out of range")
		}
	}
	stack[in.a] = val{b: p.b + i.b*int64(in.n)}
	return true
}

// callee finds the function that is called and what it has captured: the address of the
// closure, or the receiver of an invocation.
func (m *machine) callee(cl *call, get func(int32) val) (g *function, captured val, ok bool) {
	if cl.static != nil {
		if cl.f == nil {
			cl.f = m.c.function(cl.static)
		}
		return cl.f, val{}, true
	}
	v := get(cl.value)
	if v.s != 0 {
		if v.b, ok = m.concrete(v); !ok {
			return nil, val{}, false
		}
	}
	if cl.invoke != nil {
		if v.b == 0 {
			m.unsupported("a method of a nil interface is called")
		}
		return m.c.function(m.c.prog.LookupMethod(m.c.typs[v.b], cl.invoke.Pkg(), cl.invoke.Name())), get(cl.value + 1), true
	}
	switch {
	case v.b == 0:
		return nil, val{}, true
	case v.b < 0:
		return m.c.function(m.c.numbers[-v.b].fn), val{}, true
	}
	return m.c.function(m.c.numbers[-m.mem[v.b].b].fn), v, true
}

// other executes the rarer instructions. It returns false where something has to be
// decided first.
func (m *machine) other(in *instr, stack []val, get func(int32) val) bool {
	one := func(o int32) (int64, bool) {
		v := get(o)
		if v.s != 0 {
			return m.concrete(v)
		}
		return v.b, true
	}
	switch in.op {
	case opArith:
		x, ok1 := one(in.b)
		if !ok1 {
			return false
		}
		y, ok2 := one(in.c)
		if !ok2 {
			return false
		}
		stack[in.a] = val{b: m.arith(token.Token(in.k), x, y, in.n)}
	case opNegate:
		x, ok := one(in.b)
		if !ok {
			return false
		}
		if in.k == 1 {
			x = ^x
		} else {
			x = -x
		}
		stack[in.a] = val{b: wrap(x, in.n)}
	case opConvert:
		// Small numbers stay what they are, decided or not.
		v := get(in.b)
		if v.s != 0 && in.n != kindInt64 {
			x, ok := m.concrete(v)
			if !ok {
				return false
			}
			v = val{b: x}
		}
		if v.s == 0 {
			v.b = wrap(v.b, in.n)
		}
		stack[in.a] = v
	case opEqual:
		equal := true
		x, y := m.operand(stack, in.b, in.n), m.operand(stack, in.c, in.n)
		for i := range x {
			o, ok := m.compare(eq, x[i], y[i])
			if !ok {
				return false
			}
			if !o {
				equal = false
				break
			}
		}
		stack[in.a] = truth(equal != (in.k == 1))
	case opEqualIface:
		o, ok := m.compare(eq, get(in.b), get(in.c))
		if !ok {
			return false
		}
		if o {
			t, ok := one(in.b)
			if !ok {
				return false
			}
			if t != 0 && m.c.cells(m.c.typs[t]) != 1 {
				m.unsupported("comparing interfaces of large values")
			}
			if t != 0 {
				if o, ok = m.compare(eq, get(in.b+1), get(in.c+1)); !ok {
					return false
				}
			}
		}
		stack[in.a] = truth(o == (relation(in.k) == eq))
	case opCompareStr, opConcat:
		x, ok1 := one(in.b)
		if !ok1 {
			return false
		}
		y, ok2 := one(in.c)
		if !ok2 {
			return false
		}
		s, t := m.c.strs[x], m.c.strs[y]
		if in.op == opConcat {
			stack[in.a] = val{b: m.c.text(s + t)}
			break
		}
		c := int64(0)
		if s < t {
			c = -1
		} else if s > t {
			c = 1
		}
		stack[in.a] = truth(relation(in.k).holds(c, 0))
	case opLen:
		x, ok := one(in.b)
		if !ok {
			return false
		}
		stack[in.a] = val{b: int64(len(m.c.strs[x]))}
	case opStrIndex:
		x, ok1 := one(in.b)
		if !ok1 {
			return false
		}
		i, ok2 := one(in.c)
		if !ok2 {
			return false
		}
		if i < 0 || i >= int64(len(m.c.strs[x])) {
			m.unsupported("an index is out of range")
		}
		stack[in.a] = val{b: int64(m.c.strs[x][i])}
	case opMakeSlice:
		n, ok1 := one(in.b)
		if !ok1 {
			return false
		}
		c, ok2 := one(in.c)
		if !ok2 {
			return false
		}
		if n < 0 || c < n || c > maxSteps {
			m.unsupported("a length is out of range")
		}
		a := m.alloc(max(int32(c)*in.n, 1))
		stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: a}, val{b: n}, val{b: c}
	case opSlice:
		return m.slice(in, stack, get, one)
	case opAppend:
		return m.append(in, stack, get, one)
	case opCopy:
		n, ok1 := one(in.b + 1)
		if !ok1 {
			return false
		}
		k, ok2 := one(in.c + 1)
		if !ok2 {
			return false
		}
		n = min(n, k)
		to, from := get(in.b).b, get(in.c).b
		cells := append([]val(nil), m.mem[from:from+n*int64(in.n)]...)
		for i, v := range cells {
			m.write(to+int64(i), v)
		}
		stack[in.a] = val{b: n}
	case opMakeIface:
		stack[in.a] = val{b: in.k}
		if in.n == 1 {
			stack[in.a+1] = get(in.b)
		} else {
			a := m.alloc(max(in.n, 1))
			copy(m.mem[a:], m.operand(stack, in.b, in.n))
			stack[in.a+1] = val{b: a}
		}
	case opAssert:
		return m.assert(in, stack, get)
	case opClosure:
		cl := in.x.(*closure)
		a := m.alloc(cl.size + 1)
		m.mem[a] = val{b: cl.f}
		at := a + 1
		for _, p := range cl.parts {
			copy(m.mem[at:at+int64(p.n)], m.operand(stack, p.src, p.n))
			at += int64(p.n)
		}
		stack[in.a] = val{b: a}
	case opMakeMap:
		stack[in.a] = val{b: m.alloc(mapHeader)}
	case opMapLen:
		n := int64(0)
		if p := get(in.b).b; p != 0 {
			n = m.mem[p].b
		}
		stack[in.a] = val{b: n}
	case opMapUpdate:
		return m.mapUpdate(in, stack, get)
	case opLookup:
		return m.lookup(in, stack, get)
	case opRange:
		stack[in.a], stack[in.a+1] = get(in.b), val{}
	case opNext:
		m.mapNext(in, stack)
	default:
		panic("bug: lazy: unknown instruction")
	}
	return true
}

// assert executes a type assertion.
func (m *machine) assert(in *instr, stack []val, get func(int32) val) bool {
	a := in.x.(*assertion)
	fits := func(t int64) int64 {
		if t == 0 {
			return 0
		}
		if a.iface {
			if types.Implements(m.c.typs[t], a.typ.Underlying().(*types.Interface)) {
				return 1
			}
			return 0
		}
		if types.Identical(m.c.typs[t], a.typ) {
			return 1
		}
		return 0
	}
	t, v := get(in.b), get(in.b+1)
	var o int64
	if t.s != 0 {
		var ok bool
		if o, ok = m.split(t, fits); !ok {
			return false
		}
	} else {
		o = fits(t.b)
	}
	if o == 0 && !a.commaOk {
		m.unsupported("a type assertion fails")
	}
	dst := stack[in.a : in.a+a.n]
	switch {
	case o == 0:
		clear(dst)
	case a.iface:
		dst[0], dst[1] = t, v
	case a.n == 1:
		dst[0] = v
	default:
		copy(dst, m.mem[v.b:v.b+int64(a.n)])
	}
	if a.commaOk {
		stack[in.a+a.n] = val{b: o}
	}
	return true
}

// slice executes a slice expression.
func (m *machine) slice(in *instr, stack []val, get func(int32) val, one func(int32) (int64, bool)) bool {
	s := in.x.(*sliceArgs)
	p, ok := one(in.b)
	if !ok {
		return false
	}
	length, capacity := s.array, s.array
	if s.array < 0 {
		if length, ok = one(in.b + 1); !ok {
			return false
		}
		if capacity, ok = one(in.b + 2); !ok {
			return false
		}
	}
	low, high, most := int64(0), length, capacity
	for _, x := range []struct {
		o  int32
		to *int64
	}{{s.low, &low}, {s.high, &high}, {s.max, &most}} {
		if x.o >= 0 {
			if *x.to, ok = one(x.o); !ok {
				return false
			}
		}
	}
	if low < 0 || high < low || most < high || most > capacity {
		m.unsupported("a slice's bounds are out of range")
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: p + low*int64(s.elem)}, val{b: high - low}, val{b: most - low}
	return true
}

// sliceFrom executes an opSliceFrom of a slice whose length is not decided.
func (m *machine) sliceFrom(in *instr, stack []val, get func(int32) val) bool {
	var n [2]int64
	for i := range n {
		v := get(in.b + 1 + int32(i))
		n[i] = v.b
		if v.s != 0 {
			var ok bool
			if n[i], ok = m.concrete(v); !ok {
				return false
			}
		}
	}
	if n[0] < in.k {
		m.unsupported("a slice's bounds are out of range")
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: get(in.b).b + in.k*int64(in.n)}, val{b: n[0] - in.k}, val{b: n[1] - in.k}
	return true
}

// append executes an append of slices.
func (m *machine) append(in *instr, stack []val, get func(int32) val, one func(int32) (int64, bool)) bool {
	n, ok1 := one(in.b + 1)
	if !ok1 {
		return false
	}
	c, ok2 := one(in.b + 2)
	if !ok2 {
		return false
	}
	k, ok3 := one(in.c + 1)
	if !ok3 {
		return false
	}
	size := int64(in.n)
	p, q := get(in.b).b, get(in.c).b
	if n+k > c {
		c = max(n+k, 2*c, 4)
		a := m.alloc(int32(c * size))
		copy(m.mem[a:], m.mem[p:p+n*size])
		p = a
	}
	for i := range k * size {
		m.write(p+n*size+i, m.mem[q+i])
	}
	stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: p}, val{b: n + k}, val{b: c}
	return true
}

// arith computes with numbers.
func (m *machine) arith(op token.Token, x, y int64, kind int32) int64 {
	switch op {
	case token.ADD:
		x += y
	case token.SUB:
		x -= y
	case token.MUL:
		x *= y
	case token.QUO, token.REM:
		switch {
		case y == 0:
			m.unsupported("a division by zero")
		case kind == kindUint64:
			if op == token.QUO {
				return int64(uint64(x) / uint64(y))
			}
			return int64(uint64(x) % uint64(y))
		case op == token.QUO:
			x /= y
		default:
			x %= y
		}
	case token.AND:
		x &= y
	case token.OR:
		x |= y
	case token.XOR:
		x ^= y
	case token.AND_NOT:
		x &^= y
	case token.SHL, token.SHR:
		if y < 0 {
			m.unsupported("a negative shift")
		}
		switch {
		case op == token.SHL:
			x <<= uint64(y)
		case kind == kindUint64:
			x = int64(uint64(x) >> uint64(y))
		default:
			x >>= uint64(y)
		}
	default:
		m.unsupported("the operator " + op.String())
	}
	return wrap(x, kind)
}

// wrap cuts a number to its kind.
func wrap(x int64, kind int32) int64 {
	switch kind {
	case kindInt8:
		return int64(int8(x))
	case kindInt16:
		return int64(int16(x))
	case kindInt32:
		return int64(int32(x))
	case kindUint8:
		return int64(uint8(x))
	case kindUint16:
		return int64(uint16(x))
	case kindUint32:
		return int64(uint32(x))
	}
	return x
}
