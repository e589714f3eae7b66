package vm

import (
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// compiler translates one function's SSA to register code. Every SSA value has registers. A part of a
// tuple or of a struct value uses registers of the whole, and phis are moves on the edges.
type compiler struct {
	m       *Machine
	f       *Func
	fn      *ssa.Function
	regs    map[ssa.Value]int32
	nregs   int32
	blockPC []int32
	fixups  []fixup
	fused   map[ssa.Value]bool // comparisons that are compiled into their branch
	pos     token.Pos
	consts  []Value           // constants, addresses of globals, and functions
	part    []ssa.Instruction // of an initialiser, if only this is compiled
}

// fixup is a jump to a block that has no code yet.
type fixup struct {
	ins   int
	block int
	useB  bool // the target goes into B, not into Imm
}

// compile makes the code of f, once.
func (m *Machine) compile(f *Func) {
	fn := f.ssa
	c := &compiler{m: m, f: f, fn: fn, regs: map[ssa.Value]int32{}, fused: map[ssa.Value]bool{}}
	f.recover = -1
	f.result = m.types.of(fn.Signature.Results())
	c.collectConsts()
	if f.code != nil {
		return // the initialiser of a package that this one refers to has called it
	}
	f.consts = c.consts
	f.nfree = 0
	start := c.nregs
	for _, v := range fn.FreeVars {
		c.define(v)
	}
	f.nfree = int(c.nregs - start)
	f.args = int(c.nregs)
	for _, p := range fn.Params {
		c.define(p)
	}
	f.nargs = int(c.nregs) - f.args
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if v, ok := ins.(ssa.Value); ok {
				c.assign(v)
			}
		}
	}
	c.guideStart()
	c.blockPC = make([]int32, len(fn.Blocks))
	for i, b := range fn.Blocks {
		c.blockPC[i] = int32(len(f.code))
		if b == fn.Recover {
			f.recover = int32(len(f.code))
		}
		c.block(b)
	}
	for _, fx := range c.fixups {
		if fx.useB {
			f.code[fx.ins].B = c.blockPC[fx.block]
		} else {
			f.code[fx.ins].Imm = uint64(c.blockPC[fx.block])
		}
	}
	f.nregs = int(c.nregs)
}

// compilePart makes the code of a part of an initialiser: its instructions one after the other, since there are no branches among them, and a return.
func (m *Machine) compilePart(f *Func, part []ssa.Instruction) {
	c := &compiler{m: m, f: f, fn: f.ssa, regs: map[ssa.Value]int32{}, fused: map[ssa.Value]bool{}, part: part}
	f.recover = -1
	f.result = m.types.of(f.ssa.Signature.Results())
	c.collectConsts()
	f.consts = c.consts
	for _, ins := range part {
		if v, ok := ins.(ssa.Value); ok {
			c.assign(v)
		}
	}
	last := f.ssa.Blocks[len(f.ssa.Blocks)-1]
	for _, ins := range append(slices.Clone(part), last.Instrs...) {
		if p := Position(ins); p.IsValid() {
			c.pos = p
		}
		c.instr(ins.Block(), ins)
	}
	f.nregs = int(c.nregs)
}

// instructions returns what is compiled, in the order of the source.
func (c *compiler) instructions() iter.Seq[ssa.Instruction] {
	if c.part != nil {
		return slices.Values(c.part)
	}
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range c.fn.Blocks {
			for _, ins := range b.Instrs {
				if !yield(ins) {
					return
				}
			}
		}
	}
}

// collectConsts gives the constants, globals and functions that fn uses the first
// registers, so that an operand is always a register.
func (c *compiler) collectConsts() {
	var buf [8]*ssa.Value
	seen := map[string]int32{}
	for ins := range c.instructions() {
		for _, op := range ins.Operands(buf[:0]) {
			if *op == nil {
				continue
			}
			v := *op
			var cells []Value
			switch v := v.(type) {
			case *ssa.Const:
				key := v.Type().String()
				if v.Value != nil {
					key += ":" + v.Value.ExactString() // String() would shorten the value
				}
				if r, ok := seen[key]; ok {
					c.regs[v] = r
					continue
				}
				seen[key] = c.nregs
				cells = c.m.constant(v)
			case *ssa.Global:
				if _, ok := c.regs[v]; ok {
					continue
				}
				cells = []Value{c.m.global(v)}
			case *ssa.Function:
				if _, ok := c.regs[v]; ok {
					continue
				}
				cells = []Value{{Bits: funcBit | uint64(c.m.fn(v).ID)}}
			default:
				continue
			}
			c.regs[v] = c.nregs
			c.nregs += int32(len(cells))
			c.consts = append(c.consts, cells...)
		}
	}
}

// constant returns the cells of a constant.
func (m *Machine) constant(v *ssa.Const) []Value {
	t := m.types.of(v.Type())
	if v.Value == nil {
		return make([]Value, t.Size)
	}
	switch t.Kind {
	case KBool:
		return []Value{boolean(constant.BoolVal(v.Value))}
	case KInt, KUint:
		return []Value{{Bits: constantBits(v.Value) & mask(t.Bits)}}
	case KFloat:
		return []Value{{Bits: constantFloat(v.Value, t.Bits)}}
	case KComplex:
		x := constant.ToComplex(v.Value)
		return []Value{{Bits: constantFloat(constant.Real(x), t.Bits)}, {Bits: constantFloat(constant.Imag(x), t.Bits)}}
	case KString:
		if v.Value.Kind() == constant.Int {
			n, _ := constant.Int64Val(v.Value)
			return m.staticString(string(rune(n)))
		}
		return m.staticString(constant.StringVal(v.Value))
	case KUnsafePointer:
		return []Value{{Bits: constantBits(v.Value)}}
	}
	panic(unsupported("constant of type " + t.Name))
}

// constantFloat rounds a constant once, to the type's own precision.
func constantFloat(v constant.Value, w uint8) uint64 {
	v = constant.ToFloat(v)
	if w == 32 {
		f, _ := constant.Float32Val(v)
		return uint64(math.Float32bits(f))
	}
	f, _ := constant.Float64Val(v)
	return math.Float64bits(f)
}

func constantBits(v constant.Value) uint64 {
	v = constant.ToInt(v)
	if u, ok := constant.Uint64Val(v); ok {
		return u
	}
	i, _ := constant.Int64Val(v)
	return uint64(i)
}

func floatBits(f float64, w uint8) uint64 {
	if w == 32 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// define gives registers to v.
func (c *compiler) define(v ssa.Value) int32 {
	r := c.nregs
	c.regs[v] = r
	c.nregs += int32(c.m.types.of(v.Type()).Size)
	return r
}

// assign gives registers to v. If v is a part of another value, it gets the registers of that part.
func (c *compiler) assign(v ssa.Value) int32 {
	if r, ok := c.regs[v]; ok {
		return r
	}
	switch v := v.(type) {
	case *ssa.Extract:
		r := c.assign(v.Tuple) + int32(c.m.types.of(v.Tuple.Type()).Fields[v.Index].Off)
		c.regs[v] = r
		return r
	case *ssa.Field:
		r := c.assign(v.X) + int32(c.m.types.of(v.X.Type()).Fields[v.Field].Off)
		c.regs[v] = r
		return r
	case *ssa.ChangeType:
		r := c.assign(v.X)
		c.regs[v] = r
		return r
	case *ssa.ChangeInterface:
		r := c.assign(v.X)
		c.regs[v] = r
		return r
	case *ssa.Range:
		// An iterator is a pointer to an object with its position.
		r := c.nregs
		c.nregs++
		c.regs[v] = r
		return r
	}
	return c.define(v)
}

// temp returns n fresh registers.
func (c *compiler) temp(n int) int32 {
	r := c.nregs
	c.nregs += int32(n)
	return r
}

func (c *compiler) reg(v ssa.Value) int32 {
	r, ok := c.regs[v]
	if !ok {
		return c.assign(v)
	}
	return r
}

func (c *compiler) typ(v ssa.Value) *Type { return c.m.types.of(v.Type()) }

func (c *compiler) emit(i Instr) int {
	c.f.code = append(c.f.code, i)
	c.f.pos = append(c.f.pos, c.pos)
	c.f.sites = append(c.f.sites, -1)
	return len(c.f.code) - 1
}

// slow emits an instruction that is run by a function.
func (c *compiler) slow(fn func(*Machine, *State, *Frame, *Instr) signal, d int32, data any) int {
	return c.emit(Instr{Op: opSlow, D: d, slow: fn, data: data})
}

func (c *compiler) jumpTo(at int, b *ssa.BasicBlock, useB bool) {
	c.fixups = append(c.fixups, fixup{at, b.Index, useB})
}

func (c *compiler) mov(dst, src int32, n int) {
	if n == 0 || dst == src {
		return
	}
	if n == 1 {
		c.emit(Instr{Op: opMov, D: dst, A: src})
		return
	}
	c.emit(Instr{Op: opMovN, D: dst, A: src, Imm: uint64(n)})
}

// block emits the code of a block.
func (c *compiler) block(b *ssa.BasicBlock) {
	if n := len(b.Instrs); n > 0 {
		if br, ok := b.Instrs[n-1].(*ssa.If); ok {
			c.fuse(br)
		}
	}
	for _, ins := range b.Instrs {
		if p := Position(ins); p.IsValid() {
			c.pos = p
		}
		c.guideSteps(ins, false)
		c.instr(b, ins)
		c.guideSteps(ins, true)
	}
}

// fuse marks the comparison of a branch if nothing else uses the comparison.
func (c *compiler) fuse(br *ssa.If) {
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Block() != br.Block() || len(*cmp.Referrers()) != 1 {
		return
	}
	if _, ok := fusedOp(cmp, c.typ(cmp.X)); ok {
		c.fused[cmp] = true
	}
}

// fusedOp returns the compare-and-branch operation for a comparison of one cell.
func fusedOp(b *ssa.BinOp, t *Type) (op, bool) {
	switch t.Kind {
	case KInt, KUint:
		switch b.Op {
		case token.LSS, token.GTR:
			if t.signed() {
				return opIfLtS, true
			}
			return opIfLtU, true
		case token.LEQ, token.GEQ:
			if t.signed() {
				return opIfLeS, true
			}
			return opIfLeU, true
		}
	case KBool, KPointer, KUnsafePointer, KMap, KChan:
	default:
		return 0, false
	}
	switch b.Op {
	case token.EQL:
		return opIfEq, true
	case token.NEQ:
		return opIfNe, true
	}
	return 0, false
}

// phis emits the moves of an edge into succ; edge is its number among the edges into succ. The moves are
// parallel: a source that an earlier move would overwrite is saved first.
func (c *compiler) phis(succ *ssa.BasicBlock, edge int) {
	type move struct {
		dst, src int32
		n        int
	}
	var moves []move
	for _, ins := range succ.Instrs {
		phi, ok := ins.(*ssa.Phi)
		if !ok {
			break
		}
		n := c.typ(phi).Size
		dst, src := c.reg(phi), c.reg(phi.Edges[edge])
		if n > 0 && dst != src {
			moves = append(moves, move{dst, src, n})
		}
	}
	overlap := func(a, an, b, bn int32) bool { return a < b+bn && b < a+an }
	for len(moves) > 0 {
		// A move whose destination is no source of another move can go first.
		free := -1
		for i, mv := range moves {
			ok := true
			for j, o := range moves {
				if i != j && overlap(mv.dst, int32(mv.n), o.src, int32(o.n)) {
					ok = false
					break
				}
			}
			if ok {
				free = i
				break
			}
		}
		if free >= 0 {
			c.mov(moves[free].dst, moves[free].src, moves[free].n)
			moves = append(moves[:free], moves[free+1:]...)
			continue
		}
		// The moves form a cycle, so one source is saved.
		t := c.temp(moves[0].n)
		c.mov(t, moves[0].src, moves[0].n)
		moves[0].src = t
	}
}

// edgeIndex returns which entry in succ's list of predecessors is the k-th edge from pred. (The list may have
// a predecessor twice.)
func edgeIndex(pred, succ *ssa.BasicBlock, k int) int {
	for i, p := range succ.Preds {
		if p == pred {
			if k == 0 {
				return i
			}
			k--
		}
	}
	panic("bug: vm: an edge without its predecessor")
}

func hasPhis(b *ssa.BasicBlock) bool {
	if len(b.Instrs) == 0 {
		return false
	}
	_, ok := b.Instrs[0].(*ssa.Phi)
	return ok
}

// Position returns the position of an instruction, if it has one. The conversion of a slice to an array is an instruction
// for the array's address, which has none, and one that copies the array, whose position is that of both.
func Position(ins ssa.Instruction) token.Pos {
	pos := ins.Pos()
	if conv, ok := ins.(*ssa.SliceToArrayPointer); ok && !pos.IsValid() {
		for _, use := range *conv.Referrers() {
			if load, ok := use.(*ssa.UnOp); ok {
				return load.Pos()
			}
		}
	}
	return pos
}

// site numbers the branch or check of an instruction.
func (c *compiler) site(at int, ins ssa.Instruction) int32 {
	n := int32(len(c.m.sites))
	pos := Position(ins)
	if br, ok := ins.(*ssa.If); ok {
		pos = br.Cond.Pos()
	}
	if !pos.IsValid() {
		pos = c.pos
	}
	br, isIf := ins.(*ssa.If)
	asks := c.m.cfg.Show && c.f.own && isIf && asksInput(br.Cond, mostAskedBehind)
	c.m.sites = append(c.m.sites, site{fn: c.f, pos: pos, ins: ins, own: c.f.own, asks: asks})
	c.f.sites[at] = n
	return n
}

// branch emits the end of a block that has two successors.
func (c *compiler) branch(b *ssa.BasicBlock, br *ssa.If) {
	var i int
	if cmp, ok := br.Cond.(*ssa.BinOp); ok && c.fused[cmp] {
		t := c.typ(cmp.X)
		o, _ := fusedOp(cmp, t)
		x, y := c.reg(cmp.X), c.reg(cmp.Y)
		if cmp.Op == token.GTR || cmp.Op == token.GEQ {
			x, y = y, x
		}
		w := t.Bits
		if w == 0 {
			w = 64
			if t.Kind == KBool {
				w = 1
			}
		}
		i = c.emit(Instr{Op: o, W: w, A: x, D: y})
	} else {
		i = c.emit(Instr{Op: opIf, W: 1, A: c.reg(br.Cond)})
	}
	c.f.code[i].C = c.site(i, br)
	then, els := b.Succs[0], b.Succs[1]
	k := 0
	if then == els {
		k = 1
	}
	c.edge(i, b, then, 0, false)
	c.edge(i, b, els, k, true)
}

// edge makes a branch lead to succ, through the moves for succ's phis. A branch back goes through a jump in any case: jumps
// count the turns of a loop, and the loop `for x == 3 {}` has no other.
func (c *compiler) edge(at int, b, succ *ssa.BasicBlock, k int, useB bool) {
	if !hasPhis(succ) && succ.Index > b.Index {
		c.jumpTo(at, succ, useB)
		return
	}
	here := len(c.f.code)
	if useB {
		c.f.code[at].B = int32(here)
	} else {
		c.f.code[at].Imm = uint64(here)
	}
	if hasPhis(succ) {
		c.phis(succ, edgeIndex(b, succ, k))
	}
	j := c.emit(Instr{Op: opJump})
	c.jumpTo(j, succ, false)
}

// moves lists registers to copy one after the other.
type moves []move

type move struct {
	src int32
	n   int32
}

func (c *compiler) moves(vs []ssa.Value) moves {
	out := make(moves, 0, len(vs))
	for _, v := range vs {
		if n := c.typ(v).Size; n > 0 {
			out = append(out, move{c.reg(v), int32(n)})
		}
	}
	return out
}

// gather copies the cells that ms names into consecutive registers.
func (ms moves) gather(regs []Value) []Value {
	n := 0
	for _, mv := range ms {
		n += int(mv.n)
	}
	out := make([]Value, 0, n)
	for _, mv := range ms {
		out = append(out, regs[mv.src:mv.src+mv.n]...)
	}
	return out
}

// resultTuple returns the tuple type of a call's results.
func (c *compiler) resultTuple(sig *types.Signature) *Type { return c.m.types.of(sig.Results()) }
