package lazy

import (
	"golang.org/x/tools/go/ssa"
)

// frame is a call that is being executed.
type frame struct {
	f      *function
	base   int32
	pc     int32 // where the caller's frame continues
	result int32 // the register of the caller for the result
}

// machine executes a predicate.
type machine struct {
	c    *compiler
	mem  []val
	vars []variable
	addr [][]int64   // the addresses of objects, by class
	own  [][][]int32 // the slots of objects, without those of slices' elements
	top  []int32     // by class: the highest object that is the only value of a variable

	fixed   int64 // memory below this address is the candidate
	barrier int64 // writes below this address have to be undone
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
	dead        bool // some constraint has no solution any more

	// The fields of splitting, see Counter.
	part, parts, node, depth int
	max                      int64 // how many executions a walk may have; 0 means no bound

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

// run executes to the end of the predicate. The result ok is false if the execution is impossible, because a
// constraint has no solution, or if it belongs to another part.
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
			p, known := m.follow(get(in.b))
			if !known {
				undecided = true
				break
			}
			if in.n == 1 {
				v := m.mem[p+in.k]
				if v.s != 0 {
					if b, one := m.decided(v); one {
						v = val{b: b}
					}
				}
				stack[in.a] = v
			} else if in.k > 0 {
				copy(stack[in.a:in.a+in.n], m.mem[p+in.k:p+in.k+int64(in.n)])
			} else {
				copy(stack[in.a:in.a+in.n], m.mem[p:p+int64(in.n)])
			}
		case opField:
			p, known := m.follow(get(in.b))
			if !known {
				undecided = true
				break
			}
			stack[in.a] = val{b: p + in.k}
		case opStore:
			p, known := m.decide(get(in.a))
			if !known {
				undecided = true
				break
			}
			for i := range in.n {
				m.write(p+int64(i), get(in.b+i))
			}
		case opIndexAddr:
			undecided = !m.indexAddr(in, stack, get)
		case opIndex:
			i, known := m.decide(get(in.c))
			if !known {
				undecided = true
				break
			}
			if i < 0 || i >= in.k {
				m.unsupported("an index is out of range")
			}
			copy(stack[in.a:in.a+in.n], m.operand(stack, in.b+int32(i)*in.n, in.n))
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
			x, known := m.decide(get(in.b))
			if !known {
				undecided = true
				break
			}
			if m.dead {
				return false, false
			}
			e := in.x.([2]*edge)[1&^x]
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
			p.b, c.b = m.room(p.b, n.b, c.b, in.k, size)
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
			x, known := m.decide(get(in.b))
			if !known {
				undecided = true
				break
			}
			stack[in.a] = val{b: 1 - x}
		case opCall:
			if undecided = !m.call(in.x.(*call), f, pc, get); undecided {
				break
			}
			load()
			pc = 0
			continue
		case opReturn:
			list := in.x.([]move)
			top := len(m.frames) - 1
			fr := m.frames[top]
			if top == 0 {
				x, known := m.decide(get(list[0].src))
				if !known {
					undecided = true
					break
				}
				return x != 0, !m.dead
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
			undecided = !m.execRare(in, stack, get)
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

// moves makes the moves of an edge for phis.
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
