package lazy

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/goassay/assay/internal/load"
)

// Unsupported is why a predicate is not executed lazily.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// opcode says what an instruction does.
type opcode uint8

const (
	opMove       opcode = iota // a ← b, n cells
	opLoad                     // a ← what is k cells behind *b, n cells
	opStore                    // *a ← b, n cells
	opField                    // a ← &b.field, k cells behind b
	opIndexAddr                // a ← &b[c], elements of n cells; k is the array's length, -1 of a slice
	opIndex                    // a ← b[c] of an array value, elements of n cells; k is its length
	opAlloc                    // a ← new, n cells
	opArith                    // a ← b op c; k is the token, n the kind of number
	opCompare                  // a ← b rel c, single cells; k is the relation
	opEqual                    // a ← b == c, n cells; k is 1 for !=
	opEqualIface               // a ← b == c, interfaces; k is the relation
	opCompareStr               // a ← b rel c, texts
	opConcat                   // a ← b + c, texts
	opNot                      // a ← !b
	opNegate                   // a ← -b, n is the kind of number; k is 1 for ^
	opConvert                  // a ← b as a number of kind n
	opIf                       // b; edges x
	opCompareIf                // b rel c, as in opCompare; edges x
	opJump                     // edge x
	opCall                     // x
	opReturn                   // list of operands in x
	opLen                      // a ← len(b) of a text
	opMapLen                   // a ← len(b)
	opStrIndex                 // a ← b[c] of a text
	opSlice                    // a ← b[c:x]; see sliceArgs
	opAppend                   // a ← append(b, c...), elements of n cells
	opAppendVals               // a ← append(b, k values of n cells at c)
	opSliceFrom                // a ← b[k:], elements of n cells
	opCopy                     // a ← copy(b, c), elements of n cells
	opMakeSlice                // a ← make([]T, b, c), elements of n cells
	opMakeMap                  // a ← make(map)
	opMapUpdate                // a[b] = c; x is the map's layout
	opLookup                   // a ← b[c]; x is the map's layout, k is 1 for comma-ok
	opRange                    // a ← iterator of map b
	opNext                     // a ← next of b; x is the map's layout
	opMakeIface                // a ← interface of b, n cells, dynamic type k
	opAssert                   // a ← b.(T); x
	opClosure                  // a ← closure of x
	opPanic
	opUnsupported // k is the reason's number
)

// instr is an instruction. Operands are registers of the frame, or constants from
// constBase on.
type instr struct {
	op      opcode
	a, b, c int32
	n       int32
	k       int64
	x       any
}

const constBase = 1 << 24

// tempBase is where the temporaries of edges are before the size of a frame is known.
const tempBase = 1 << 23

// edge is a way from one block to another, with what it does to the other's phis.
type edge struct {
	moves []move
	pc    int32
}

type move struct{ dst, src, n int32 }

// function is a compiled function.
type function struct {
	fn     *ssa.Function
	code   []instr
	size   int32 // of a frame
	params []int32
	free   []int32 // registers of what a closure has captured
	frees  []int32 // their sizes
	done   bool
}

// compiler compiles functions when they are first called.
type compiler struct {
	prog    *load.Program
	sizes   map[types.Type]int32
	funcs   map[*ssa.Function]*function
	numbers []*function // by the number that closures have, from 1
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
	c.text("") // is number 0, the zero value
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

// typeNumber returns the number of a dynamic type, from 1.
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
	blocks []int32 // where they begin
	edges  []*edge
	to     []*ssa.BasicBlock
	temps  int32                // registers that edges need
	begin  int32                // of the block being compiled
	args   map[*ssa.Alloc]int32 // registers of arrays that only hold what is appended
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
	b.temp(1) // so that no register is 0, which args has for none
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

// closureOf returns the number of a function as a value: negative, where the address of
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

// later emits an instruction that ends the count if it is executed.
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
		// By way of temporaries, since all are assigned at the same time. All edges share
		// them; where they are is known when the function is compiled.
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

// instr compiles an instruction. What is not supported becomes an instruction that says
// so if it is reached.
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
			// It holds what is appended, and nobody else sees it: registers do.
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

// assertion is what a type assertion asks for.
type assertion struct {
	typ     types.Type
	n       int32
	commaOk bool
	iface   bool
}

// closure is a function with what it captures.
type closure struct {
	f     int64
	parts []move
	size  int32
}

// next gives the result of Next registers: whether there is one, key, value.
func (b *builder) next(in *ssa.Next, m *types.Map) int32 {
	if r, ok := b.regs[in]; ok {
		return r
	}
	r := b.temp(1 + b.cells(m.Key()) + b.cells(m.Elem()))
	b.regs[in] = r
	return r
}

func (b *builder) extract(in *ssa.Extract) {
	off := int32(0)
	if next, ok := in.Tuple.(*ssa.Next); ok {
		m := next.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
		off = []int32{0, 1, 1 + b.cells(m.Key())}[in.Index]
		b.emit(instr{op: opMove, a: b.reg(in), b: b.next(next, m) + off, n: b.cells(in.Type())})
		return
	}
	t := in.Tuple.Type().(*types.Tuple)
	for i := range in.Index {
		off += b.cells(t.At(i).Type())
	}
	b.emit(instr{op: opMove, a: b.reg(in), b: b.operand(in.Tuple) + off, n: b.cells(in.Type())})
}

// onlyUse reports whether nothing but in uses v.
func onlyUse(v ssa.Value, in ssa.Instruction) bool {
	n := 0
	for _, r := range *v.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if n++; r != in {
			return false
		}
	}
	return n == 1
}

// last reports whether the last instruction of the block is op with its result in reg.
func (b *builder) last(op opcode, reg int32) bool {
	n := len(b.f.code)
	return n > int(b.begin) && b.f.code[n-1].op == op && b.f.code[n-1].a == reg
}

func (b *builder) unary(in *ssa.UnOp) {
	switch in.Op {
	case token.MUL:
		if _, ok := in.X.(*ssa.Global); ok {
			b.unsupported(in.X.Name() + ", a package-level variable")
		}
		load := instr{op: opLoad, a: b.reg(in), b: b.operand(in.X), n: b.cells(in.Type())}
		if f, ok := in.X.(*ssa.FieldAddr); ok && onlyUse(f, in) && b.last(opField, b.regs[f]) {
			// A field is read in one go.
			prev := b.f.code[len(b.f.code)-1]
			b.f.code = b.f.code[:len(b.f.code)-1]
			load.b, load.k = prev.b, prev.k
		}
		b.emit(load)
	case token.NOT:
		b.emit(instr{op: opNot, a: b.reg(in), b: b.operand(in.X)})
	case token.SUB, token.XOR:
		k := int64(0)
		if in.Op == token.XOR {
			k = 1
		}
		b.cells(in.Type())
		b.emit(instr{op: opNegate, a: b.reg(in), b: b.operand(in.X), n: numberKind(in.Type()), k: k})
	default:
		b.unsupported("the operator " + in.Op.String())
	}
}

var relations = map[token.Token]relation{
	token.EQL: eq, token.NEQ: ne, token.LSS: lt, token.LEQ: le, token.GTR: gt, token.GEQ: ge,
}

func (b *builder) binary(in *ssa.BinOp) {
	r, comparison := relations[in.Op]
	x, y := b.operand(in.X), b.operand(in.Y)
	t := in.X.Type()
	n := b.cells(t)
	basic, _ := t.Underlying().(*types.Basic)
	text := basic != nil && basic.Info()&types.IsString != 0
	switch {
	case comparison && text && r > ne:
		b.emit(instr{op: opCompareStr, a: b.reg(in), b: x, c: y, k: int64(r)})
	case comparison && n == 1:
		if basic != nil && basic.Info()&types.IsUnsigned != 0 && r > ne && numberKind(t) == kindUint64 {
			b.unsupported("comparing unsigned numbers of 64 bits")
		}
		b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
	case comparison:
		// A comparison with nil is one of the first cell; other slices are not comparable.
		if _, slice := t.Underlying().(*types.Slice); slice {
			b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if isNil(in.X) || isNil(in.Y) {
			b.emit(instr{op: opCompare, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if types.IsInterface(t) {
			b.emit(instr{op: opEqualIface, a: b.reg(in), b: x, c: y, k: int64(r)})
			return
		}
		if hasInterface(t) {
			b.unsupported("comparing interfaces")
		}
		k := int64(0)
		if r == ne {
			k = 1
		}
		b.emit(instr{op: opEqual, a: b.reg(in), b: x, c: y, n: n, k: k})
	case text:
		b.emit(instr{op: opConcat, a: b.reg(in), b: x, c: y})
	default:
		b.emit(instr{op: opArith, a: b.reg(in), b: x, c: y, n: numberKind(in.Type()), k: int64(in.Op)})
	}
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

func hasInterface(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Struct:
		for i := range u.NumFields() {
			if hasInterface(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return hasInterface(u.Elem())
	}
	return false
}

// The kinds of numbers: how many bits, and whether there is a sign.
const (
	kindInt64 int32 = iota
	kindInt8
	kindInt16
	kindInt32
	kindUint8
	kindUint16
	kindUint32
	kindUint64
)

func numberKind(t types.Type) int32 {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return kindInt64
	}
	switch b.Kind() {
	case types.Int8:
		return kindInt8
	case types.Int16:
		return kindInt16
	case types.Int32:
		return kindInt32
	case types.Uint8:
		return kindUint8
	case types.Uint16:
		return kindUint16
	case types.Uint32:
		return kindUint32
	case types.Uint, types.Uint64, types.Uintptr:
		return kindUint64
	}
	return kindInt64
}

func (b *builder) convert(in *ssa.Convert) {
	from, ok1 := in.X.Type().Underlying().(*types.Basic)
	to, ok2 := in.Type().Underlying().(*types.Basic)
	if !ok1 || !ok2 || from.Info()&types.IsInteger == 0 || to.Info()&types.IsInteger == 0 {
		b.unsupported(fmt.Sprintf("the conversion of a %s to a %s", in.X.Type(), in.Type()))
	}
	b.emit(instr{op: opConvert, a: b.reg(in), b: b.operand(in.X), n: numberKind(in.Type())})
}

// mapLayout says how many cells keys and values have.
type mapLayout struct{ key, elem int32 }

func (b *builder) mapLayout(m *types.Map) *mapLayout {
	if hasInterface(m.Key()) {
		b.unsupported("maps with interfaces as keys")
	}
	return &mapLayout{b.cells(m.Key()), b.cells(m.Elem())}
}
