package lazy

import (
	"fmt"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/goassay/assay/internal/load"
)

// Unsupported is the reason why a predicate is not executed lazily.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// edge leads from one block to another, and has the moves for the phis of the other block.
type edge struct {
	moves []move
	pc    int32
}

type move struct{ dst, src, n int32 }

// function is a compiled function.
type function struct {
	fn     *ssa.Function
	code   []instr
	size   int32 // the size of a frame
	params []int32
	free   []int32 // registers of captured variables
	frees  []int32 // the sizes of these variables
	done   bool
}

// compiler compiles functions when they are first called.
type compiler struct {
	prog    *load.Program
	sizes   map[types.Type]int32
	funcs   map[*ssa.Function]*function
	numbers []*function // functions by the number that closures have, which counts from 1
	known   map[*function]int64
	typeNum typeutil.Map
	typs    []types.Type
	texts   map[string]int64
	strs    []string
	consts  []val
	reasons []string
}

func newCompiler(prog *load.Program) *compiler {
	c := &compiler{
		prog: prog, sizes: map[types.Type]int32{}, funcs: map[*ssa.Function]*function{}, known: map[*function]int64{},
		texts: map[string]int64{}, typs: []types.Type{nil}, numbers: []*function{nil},
	}
	c.text("") // the empty text is number 0, the zero value
	return c
}

// unsupported ends a compilation.
func (c *compiler) unsupported(why string) { panic(Unsupported(why)) }

// text returns the number of a text.
func (c *compiler) text(s string) int64 {
	if n, ok := c.texts[s]; ok {
		return n
	}
	n := int64(len(c.strs))
	c.strs = append(c.strs, s)
	c.texts[s] = n
	return n
}

// typeNumber returns the number of a dynamic type. Numbers count from 1.
func (c *compiler) typeNumber(t types.Type) int64 {
	if n, ok := c.typeNum.At(t).(int64); ok {
		return n
	}
	n := int64(len(c.typs))
	c.typs = append(c.typs, t)
	c.typeNum.Set(t, n)
	return n
}

// function returns the compiled form of fn.
func (c *compiler) function(fn *ssa.Function) *function {
	f := c.funcs[fn]
	if f == nil {
		f = &function{fn: fn}
		c.funcs[fn] = f
	}
	if !f.done {
		f.done = true
		c.compile(f)
	}
	return f
}

// builder compiles one function.
type builder struct {
	*compiler
	f      *function
	regs   map[ssa.Value]int32
	blocks []int32 // the address of each block
	edges  []*edge
	to     []*ssa.BasicBlock
	temps  int32                // how many registers edges need
	begin  int32                // the address of the block being compiled
	args   map[*ssa.Alloc]int32 // registers of arrays that only hold appended elements
}

func (c *compiler) compile(f *function) {
	body, err := c.prog.Body(f.fn)
	if err != nil || len(body.Blocks) == 0 {
		c.unsupported("a call of " + f.fn.String())
	}
	if body.Recover != nil {
		c.unsupported("defer")
	}
	b := &builder{compiler: c, f: f, regs: map[ssa.Value]int32{}, blocks: make([]int32, len(body.Blocks)), args: map[*ssa.Alloc]int32{}}
	b.temp(1) // no register is 0, which means "none" in args
	for _, p := range body.Params {
		f.params = append(f.params, b.reg(p))
	}
	for _, v := range body.FreeVars {
		f.free = append(f.free, b.reg(v))
		f.frees = append(f.frees, c.cells(v.Type()))
	}
	for _, block := range body.Blocks {
		b.begin = int32(len(f.code))
		b.blocks[block.Index] = b.begin
		for _, in := range block.Instrs {
			b.instr(block, in)
		}
	}
	for i, e := range b.edges {
		e.pc = b.blocks[b.to[i].Index]
		for j := range e.moves {
			mv := &e.moves[j]
			if mv.dst >= tempBase {
				mv.dst += f.size - tempBase
			} else if mv.src >= tempBase && mv.src < constBase {
				mv.src += f.size - tempBase
			}
		}
	}
	f.size += b.temps
}

// reg returns the register of a value.
func (b *builder) reg(v ssa.Value) int32 {
	if r, ok := b.regs[v]; ok {
		return r
	}
	r := b.temp(b.cells(v.Type()))
	b.regs[v] = r
	return r
}

// temp returns fresh registers.
func (b *builder) temp(n int32) int32 {
	r := b.f.size
	b.f.size += n
	return r
}

// operand returns where a value is: a register or a constant.
func (b *builder) operand(v ssa.Value) int32 {
	switch v := v.(type) {
	case *ssa.Const:
		return b.constant(v)
	case *ssa.Function:
		return b.addConst(val{b: b.closureOf(v)})
	case *ssa.Global, *ssa.Builtin:
		b.unsupported(fmt.Sprintf("%s, a package-level variable", v.Name()))
	}
	return b.reg(v)
}

func (c *compiler) addConst(vs ...val) int32 {
	at := int32(len(c.consts)) + constBase
	c.consts = append(c.consts, vs...)
	return at
}

// closureOf returns the number that stands for a function as a value. It is negative, because the address of
// a closure is positive.
func (c *compiler) closureOf(fn *ssa.Function) int64 {
	f := c.funcs[fn]
	if f == nil {
		f = &function{fn: fn}
		c.funcs[fn] = f
	}
	n, ok := c.known[f]
	if !ok {
		n = int64(len(c.numbers))
		c.numbers = append(c.numbers, f)
		c.known[f] = n
	}
	return -n
}

func (b *builder) constant(v *ssa.Const) int32 {
	if v.Value == nil {
		return b.addConst(make([]val, b.cells(v.Type()))...)
	}
	switch v.Value.Kind() {
	case constant.Bool:
		if constant.BoolVal(v.Value) {
			return b.addConst(val{b: 1})
		}
		return b.addConst(val{})
	case constant.String:
		return b.addConst(val{b: b.text(constant.StringVal(v.Value))})
	case constant.Int:
		if t, ok := v.Type().Underlying().(*types.Basic); ok && t.Info()&types.IsInteger != 0 {
			if i, ok := constant.Int64Val(v.Value); ok {
				return b.addConst(val{b: i})
			}
			u, _ := constant.Uint64Val(v.Value)
			return b.addConst(val{b: int64(u)})
		}
	}
	b.unsupported("the constant " + v.String())
	return 0
}

func (b *builder) emit(in instr) { b.f.code = append(b.f.code, in) }

// later emits an instruction that ends the count if the machine executes it.
func (b *builder) later(why string) {
	b.reasons = append(b.reasons, why)
	b.emit(instr{op: opUnsupported, k: int64(len(b.reasons) - 1)})
}

// edge makes the edge from one block to a successor.
func (b *builder) edge(from, to *ssa.BasicBlock) *edge {
	e := &edge{}
	pred := 0
	for i, p := range to.Preds {
		if p == from {
			pred = i
		}
	}
	var direct, back []move
	temps := int32(0)
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		n := b.cells(phi.Type())
		src := b.operand(phi.Edges[pred])
		// The moves use temporaries, because all are made at the same time. All edges share the
		// temporaries; their places are known when the function is compiled.
		t := tempBase + temps
		temps += n
		direct = append(direct, move{t, src, n})
		back = append(back, move{b.reg(phi), t, n})
	}
	if len(direct) == 1 {
		e.moves = []move{{back[0].dst, direct[0].src, back[0].n}}
	} else {
		e.moves = append(direct, back...)
	}
	if len(direct) > 1 {
		b.temps = max(b.temps, temps)
	}
	b.edges, b.to = append(b.edges, e), append(b.to, to)
	return e
}

// instr compiles an instruction. An unsupported instruction becomes one that ends the count if the machine
// executes it.
func (b *builder) instr(block *ssa.BasicBlock, in ssa.Instruction) {
	mark := len(b.f.code)
	defer func() {
		if p := recover(); p != nil {
			u, ok := p.(Unsupported)
			if !ok {
				panic(p)
			}
			b.f.code = b.f.code[:mark]
			b.later(string(u))
		}
	}()
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Phi:
	case *ssa.Alloc:
		if n, elem := appended(in); n > 0 {
			// The array holds the elements to append, and nothing else sees it, so registers take its
			// place.
			size := int32(n) * b.cells(elem)
			r := b.temp(size)
			b.args[in] = r
			b.emit(instr{op: opMove, a: r, b: b.addConst(make([]val, size)...), n: size})
			return
		}
		b.emit(instr{op: opAlloc, a: b.reg(in), n: max(b.cells(in.Type().Underlying().(*types.Pointer).Elem()), 1)})
	case *ssa.UnOp:
		b.unary(in)
	case *ssa.BinOp:
		b.binary(in)
	case *ssa.Store:
		if r, ok := b.argument(in.Addr); ok {
			b.emit(instr{op: opMove, a: r, b: b.operand(in.Val), n: b.cells(in.Val.Type())})
			return
		}
		b.emit(instr{op: opStore, a: b.operand(in.Addr), b: b.operand(in.Val), n: b.cells(in.Val.Type())})
	case *ssa.FieldAddr:
		if _, ok := b.argument(in); ok {
			return
		}
		st := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		b.emit(instr{op: opField, a: b.reg(in), b: b.operand(in.X), k: int64(b.offset(st, in.Field))})
	case *ssa.Field:
		st := in.X.Type().Underlying().(*types.Struct)
		b.emit(instr{op: opMove, a: b.reg(in), b: b.operand(in.X) + b.offset(st, in.Field), n: b.cells(in.Type())})
	case *ssa.IndexAddr:
		if _, ok := b.argument(in); ok {
			return
		}
		k := int64(-1)
		var elem types.Type
		switch t := in.X.Type().Underlying().(type) {
		case *types.Slice:
			elem = t.Elem()
		case *types.Pointer:
			arr := t.Elem().Underlying().(*types.Array)
			elem, k = arr.Elem(), arr.Len()
		}
		b.emit(instr{op: opIndexAddr, a: b.reg(in), b: b.operand(in.X), c: b.operand(in.Index), n: b.cells(elem), k: k})
	case *ssa.Index:
		switch t := in.X.Type().Underlying().(type) {
		case *types.Array:
			b.emit(instr{op: opIndex, a: b.reg(in), b: b.operand(in.X), c: b.operand(in.Index), n: b.cells(t.Elem()), k: t.Len()})
		default:
			b.emit(instr{op: opStrIndex, a: b.reg(in), b: b.operand(in.X), c: b.operand(in.Index)})
		}
	case *ssa.Lookup:
		if m, ok := in.X.Type().Underlying().(*types.Map); ok {
			k := int64(0)
			if in.CommaOk {
				k = 1
			}
			b.emit(instr{op: opLookup, a: b.reg(in), b: b.operand(in.X), c: b.operand(in.Index), k: k, x: b.mapLayout(m)})
		} else {
			b.emit(instr{op: opStrIndex, a: b.reg(in), b: b.operand(in.X), c: b.operand(in.Index)})
		}
	case *ssa.MakeMap:
		b.mapLayout(in.Type().Underlying().(*types.Map))
		b.emit(instr{op: opMakeMap, a: b.reg(in)})
	case *ssa.MapUpdate:
		b.emit(instr{op: opMapUpdate, a: b.operand(in.Map), b: b.operand(in.Key), c: b.operand(in.Value), x: b.mapLayout(in.Map.Type().Underlying().(*types.Map))})
	case *ssa.Range:
		if _, ok := in.X.Type().Underlying().(*types.Map); !ok {
			b.unsupported("a loop over a string")
		}
		b.regs[in] = b.temp(2)
		b.emit(instr{op: opRange, a: b.regs[in], b: b.operand(in.X)})
	case *ssa.Next:
		m := in.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
		b.emit(instr{op: opNext, a: b.next(in, m), b: b.reg(in.Iter), x: b.mapLayout(m)})
	case *ssa.Extract:
		b.extract(in)
	case *ssa.MakeSlice:
		b.emit(instr{op: opMakeSlice, a: b.reg(in), b: b.operand(in.Len), c: b.operand(in.Cap), n: b.cells(in.Type().Underlying().(*types.Slice).Elem())})
	case *ssa.Slice:
		if a, ok := in.X.(*ssa.Alloc); ok && b.args[a] > 0 {
			return
		}
		b.slice(in)
	case *ssa.MakeInterface:
		b.emit(instr{op: opMakeIface, a: b.reg(in), b: b.operand(in.X), n: b.cells(in.X.Type()), k: b.typeNumber(in.X.Type())})
	case *ssa.ChangeInterface, *ssa.ChangeType:
		v := in.(ssa.Value)
		b.emit(instr{op: opMove, a: b.reg(v), b: b.operand(*in.Operands(nil)[0]), n: b.cells(v.Type())})
	case *ssa.Convert:
		b.convert(in)
	case *ssa.TypeAssert:
		b.emit(instr{op: opAssert, a: b.reg(in), b: b.operand(in.X), x: &assertion{in.AssertedType, b.cells(in.AssertedType), in.CommaOk, types.IsInterface(in.AssertedType)}})
	case *ssa.MakeClosure:
		cl := &closure{f: b.closureOf(in.Fn.(*ssa.Function))}
		for _, v := range in.Bindings {
			cl.parts = append(cl.parts, move{src: b.operand(v), n: b.cells(v.Type())})
			cl.size += b.cells(v.Type())
		}
		b.emit(instr{op: opClosure, a: b.reg(in), x: cl})
	case *ssa.Call:
		b.call(in)
	case *ssa.If:
		cond := instr{op: opIf, b: b.operand(in.Cond), x: [2]*edge{b.edge(block, block.Succs[0]), b.edge(block, block.Succs[1])}}
		if c, ok := in.Cond.(*ssa.BinOp); ok && onlyUse(c, in) && b.last(opCompare, b.regs[c]) {
			prev := b.f.code[len(b.f.code)-1]
			b.f.code = b.f.code[:len(b.f.code)-1]
			cond.op, cond.b, cond.c, cond.k = opCompareIf, prev.b, prev.c, prev.k
		}
		b.emit(cond)
	case *ssa.Jump:
		b.emit(instr{op: opJump, x: b.edge(block, block.Succs[0])})
	case *ssa.Return:
		var list []move
		off := int32(0)
		for _, r := range in.Results {
			n := b.cells(r.Type())
			list = append(list, move{off, b.operand(r), n})
			off += n
		}
		b.emit(instr{op: opReturn, x: list})
	case *ssa.Panic:
		b.emit(instr{op: opPanic})
	default:
		b.unsupported(fmt.Sprintf("%T", in))
	}
}

// assertion describes a type assertion.
type assertion struct {
	typ     types.Type
	n       int32
	commaOk bool
	iface   bool
}

// closure is a function with its captured variables.
type closure struct {
	f     int64
	parts []move
	size  int32
}

// next compiles the registers for the result of Next: whether there is an entry, its key, and its value.
func (b *builder) next(in *ssa.Next, m *types.Map) int32 {
	if r, ok := b.regs[in]; ok {
		return r
	}
	r := b.temp(1 + b.cells(m.Key()) + b.cells(m.Elem()))
	b.regs[in] = r
	return r
}
