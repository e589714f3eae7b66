package lazy

import (
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
