package vm

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// instr emits the code of one SSA instruction.
func (c *compiler) instr(b *ssa.BasicBlock, ins ssa.Instruction) {
	switch v := ins.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.Extract, *ssa.Field, *ssa.ChangeType, *ssa.ChangeInterface:
		// Phis are moves on the edges, and the other instructions use the registers of their operand.
	case *ssa.Alloc:
		t := c.m.types.of(v.Type()).Elem
		i := c.emit(Instr{Op: opAlloc, D: c.reg(v), Imm: uint64(t.Size)})
		c.f.code[i].data = t
	case *ssa.BinOp:
		if !c.fused[v] {
			c.binop(v)
		}
	case *ssa.UnOp:
		c.unop(v)
	case *ssa.Call:
		c.call(v)
	case *ssa.Convert:
		c.convert(v, v.X)
	case *ssa.MultiConvert:
		c.convert(v, v.X)
	case *ssa.SliceToArrayPointer:
		i := c.slow((*Machine).doSliceToArray, c.reg(v), &convData{x: c.reg(v.X), from: c.typ(v.X), to: c.typ(v)})
		c.site(i, v)
	case *ssa.MakeInterface:
		c.slow((*Machine).doMakeInterface, c.reg(v), &convData{x: c.reg(v.X), from: c.typ(v.X), to: c.typ(v)})
	case *ssa.MakeClosure:
		c.slow((*Machine).doMakeClosure, c.reg(v), &closureData{fn: c.m.fn(v.Fn.(*ssa.Function)), bind: c.moves(v.Bindings)})
	case *ssa.MakeMap:
		c.slow((*Machine).doMakeMap, c.reg(v), c.typ(v))
	case *ssa.MakeChan:
		c.slow((*Machine).doMakeChan, c.reg(v), &convData{x: c.reg(v.Size), from: c.typ(v.Size), to: c.typ(v)})
	case *ssa.MakeSlice:
		i := c.slow((*Machine).doMakeSlice, c.reg(v), &makeSliceData{t: c.typ(v), len: c.reg(v.Len), cap: c.reg(v.Cap), lenT: c.typ(v.Len), capT: c.typ(v.Cap)})
		c.site(i, v)
	case *ssa.Slice:
		c.slice(v)
	case *ssa.FieldAddr:
		st := c.typ(v.X).Elem
		i := c.emit(Instr{Op: opFieldAddr, D: c.reg(v), A: c.reg(v.X), Imm: uint64(st.Fields[v.Field].Off)})
		c.site(i, v)
	case *ssa.IndexAddr:
		c.indexAddr(v)
	case *ssa.Index:
		c.index(v)
	case *ssa.Lookup:
		c.lookup(v)
	case *ssa.MapUpdate:
		i := c.slow((*Machine).doMapUpdate, 0, &mapData3{m: c.reg(v.Map), key: c.reg(v.Key), val: c.reg(v.Value), t: c.typ(v.Map)})
		c.site(i, v)
	case *ssa.Range:
		c.slow((*Machine).doRange, c.reg(v), &convData{x: c.reg(v.X), from: c.typ(v.X)})
	case *ssa.Next:
		c.slow((*Machine).doNext, c.reg(v), &nextData{iter: c.reg(v.Iter), str: v.IsString, tuple: c.m.types.of(v.Type()), of: c.typ(v.Iter.(*ssa.Range).X)})
	case *ssa.TypeAssert:
		i := c.slow((*Machine).doTypeAssert, c.reg(v), &assertData{x: c.reg(v.X), to: c.m.types.of(v.AssertedType), commaOk: v.CommaOk, from: c.typ(v.X),
			nilCheck: len(*v.Referrers()) == 0 && types.Identical(v.AssertedType, v.X.Type())})
		c.site(i, v)
	case *ssa.Select:
		c.selectStmt(v)
	case *ssa.Send:
		i := c.slow((*Machine).doSend, 0, &chanOp{ch: c.reg(v.Chan), val: c.reg(v.X), t: c.typ(v.Chan)})
		c.site(i, v)
	case *ssa.Store:
		if f, ok := v.Addr.(*ssa.FieldAddr); ok && fieldOf(f).Name() == "_" {
			// The instruction belongs to a composite literal, and the compiler leaves blank fields zero.
			return
		}
		n := c.typ(v.Val).Size
		o := opStore
		if n == 1 {
			o = opStore1
		}
		i := c.emit(Instr{Op: o, A: c.reg(v.Addr), B: c.reg(v.Val), Imm: uint64(n)})
		c.f.code[i].data = c.typ(v.Val)
		c.site(i, v)
	case *ssa.If:
		c.branch(b, v)
	case *ssa.Jump:
		succ := b.Succs[0]
		if hasPhis(succ) {
			c.phis(succ, edgeIndex(b, succ, 0))
		}
		i := c.emit(Instr{Op: opJump})
		c.jumpTo(i, succ, false)
	case *ssa.Return:
		c.ret(v)
	case *ssa.RunDefers:
		if n, ok := c.fn.Syntax().(interface{ End() token.Pos }); ok && n.End().IsValid() && !returnPos(b).IsValid() {
			c.pos = n.End() - 1 // the closing brace
		}
		c.slow((*Machine).doRunDefers, 0, nil)
	case *ssa.Panic:
		if d := c.rangePanic(b, v); d != nil {
			i := c.slow((*Machine).doRangePanic, 0, d)
			c.site(i, v)
			return
		}
		i := c.slow((*Machine).doPanic, 0, &convData{x: c.reg(v.X), from: c.typ(v.X)})
		c.site(i, v)
	case *ssa.Go:
		c.slow((*Machine).doGo, 0, c.callData(v.Common()))
	case *ssa.Defer:
		d := c.callData(v.Common())
		d.deferStack = -1
		if v.DeferStack != nil {
			d.deferStack = c.reg(v.DeferStack)
		}
		c.slow((*Machine).doDefer, 0, d)
	default:
		panic(unsupported("instruction " + ins.String()))
	}
}

func (c *compiler) ret(v *ssa.Return) {
	i := c.emit(Instr{Op: opReturn})
	ms := c.moves(v.Results)
	if len(ms) == 1 {
		c.f.code[i].A, c.f.code[i].Imm = ms[0].src, uint64(ms[0].n)
	} else if len(ms) > 1 {
		c.f.code[i].data = ms
	}
}

// call emits a call.
func (c *compiler) call(v *ssa.Call) {
	d := c.callData(v.Common())
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		c.builtin(v, b, d)
		return
	}
	i := c.emit(Instr{Op: opSlow, D: c.reg(v), slow: (*Machine).doCall, data: d})
	if d.fn != nil {
		c.f.code[i].Op = opCall
	}
	c.site(i, v)
}

// callData computes everything about a call that is known before it runs.
func (c *compiler) callData(call *ssa.CallCommon) *callData {
	d := &callData{value: -1, sig: c.m.types.of(call.Signature()), result: c.resultTuple(call.Signature())}
	if call.IsInvoke() {
		d.invoke = call.Method
		d.recv = c.reg(call.Value)
		d.recvT = c.typ(call.Value)
		d.args = c.moves(call.Args)
		return d
	}
	d.args = c.moves(call.Args)
	for _, a := range call.Args {
		d.argT = append(d.argT, c.typ(a))
	}
	switch f := call.Value.(type) {
	case *ssa.Builtin:
		d.builtin = f.Name()
	case *ssa.Function:
		d.fn = c.m.fn(f)
	default:
		d.value = c.reg(call.Value)
	}
	return d
}

// slice emits x[lo:hi:max].
func (c *compiler) slice(v *ssa.Slice) {
	d := &sliceData{x: c.reg(v.X), t: c.typ(v.X), lo: -1, hi: -1, max: -1}
	if v.Low != nil {
		d.lo, d.loT = c.reg(v.Low), c.typ(v.Low)
	}
	if v.High != nil {
		d.hi, d.hiT = c.reg(v.High), c.typ(v.High)
	}
	if v.Max != nil {
		d.max, d.maxT = c.reg(v.Max), c.typ(v.Max)
	}
	if a, ok := v.X.(*ssa.Alloc); ok && a.Comment == "makeslice" {
		d.made = true
	}
	i := c.slow((*Machine).doSlice, c.reg(v), d)
	c.site(i, v)
}

// indexReg returns the register of an index as an unsigned 64-bit number, so that a negative index is
// out of every range.
func (c *compiler) indexReg(v ssa.Value) int32 {
	t, r := c.typ(v), c.reg(v)
	if t.signed() && t.Bits < 64 {
		wide := c.temp(1)
		c.emit(Instr{Op: opSext, W: 64, C: int32(t.Bits), D: wide, A: r, Imm: mask(64)})
		return wide
	}
	return r
}

func (c *compiler) indexAddr(v *ssa.IndexAddr) {
	xt := c.typ(v.X)
	d := &indexData{idxT: c.typ(v.Index)}
	idx := c.indexReg(v.Index)
	var i int
	if xt.Kind == KSlice {
		d.elem = xt.Elem
		i = c.emit(Instr{Op: opIndexAddrSlice, D: c.reg(v), A: c.reg(v.X), B: idx, Imm: uint64(xt.Elem.Size), data: d})
	} else {
		arr := xt.Elem
		d.elem, d.len = arr.Elem, arr.Len
		i = c.emit(Instr{Op: opIndexAddrArray, D: c.reg(v), A: c.reg(v.X), B: idx, C: int32(arr.Len), Imm: uint64(arr.Elem.Size), data: d})
	}
	c.site(i, v)
}

// index emits x[i] of an array value or (since the index may be of a type
// parameter's core type) a string.
func (c *compiler) index(v *ssa.Index) {
	d := &indexData{x: c.reg(v.X), i: c.indexReg(v.Index), idxT: c.typ(v.Index), t: c.typ(v.X)}
	i := c.slow((*Machine).doIndex, c.reg(v), d)
	c.site(i, v)
}

func (c *compiler) lookup(v *ssa.Lookup) {
	xt := c.typ(v.X)
	if xt.Kind == KString {
		d := &indexData{x: c.reg(v.X), i: c.indexReg(v.Index), idxT: c.typ(v.Index), t: xt}
		i := c.slow((*Machine).doIndex, c.reg(v), d)
		c.site(i, v)
		return
	}
	i := c.slow((*Machine).doMapLookup, c.reg(v), &mapData3{m: c.reg(v.X), key: c.reg(v.Index), t: xt, commaOk: v.CommaOk})
	c.site(i, v)
}

// unop emits a unary operation.
func (c *compiler) unop(v *ssa.UnOp) {
	t := c.typ(v)
	d, x := c.reg(v), c.reg(v.X)
	switch v.Op {
	case token.MUL:
		if t.Kind == KArray && c.rangedOver(v) {
			return
		}
		o := opLoad
		if t.Size == 1 {
			o = opLoad1
		}
		i := c.emit(Instr{Op: o, D: d, A: x, Imm: uint64(t.Size), data: t})
		c.site(i, v)
	case token.ARROW:
		i := c.slow((*Machine).doRecv, d, &chanOp{ch: x, t: c.typ(v.X), commaOk: v.CommaOk})
		c.site(i, v)
	case token.NOT:
		c.emit(Instr{Op: opNot, W: 1, D: d, A: x, Imm: 1})
	case token.SUB:
		switch t.Kind {
		case KInt, KUint:
			c.emit(Instr{Op: opNeg, W: t.Bits, D: d, A: x, Imm: mask(t.Bits)})
		default:
			c.slow((*Machine).doNegFloat, d, &convData{x: x, from: t})
		}
	case token.XOR:
		c.emit(Instr{Op: opCom, W: t.Bits, D: d, A: x, Imm: mask(t.Bits)})
	default:
		panic(unsupported("operator " + v.Op.String()))
	}
}

// rangePanicData is a panic of a range over a function that is misused; state is the
// register of the loop's state, or -1.
type rangePanicData struct{ state int32 }

// rangePanic recognises the panics that go/ssa makes for the misuse of a loop body. It panics with
// texts of its own, where Go has run-time errors that distinguish the cases.
func (c *compiler) rangePanic(b *ssa.BasicBlock, v *ssa.Panic) *rangePanicData {
	mi, ok := v.X.(*ssa.MakeInterface)
	if !ok || v.Pos().IsValid() {
		return nil
	}
	text, ok := mi.X.(*ssa.Const)
	if !ok || text.Value == nil || text.Value.Kind() != constant.String || len(b.Preds) != 1 {
		return nil
	}
	br, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	switch constant.StringVal(text.Value) {
	case "iterator call did not preserve panic":
		return &rangePanicData{-1}
	case "yield function called after range loop exit":
		if cmp, ok := br.Cond.(*ssa.BinOp); ok && c.fn.Synthetic == "range-over-func yield" {
			return &rangePanicData{c.reg(cmp.X)}
		}
	}
	return nil
}

// returnPos returns the position of the return statement that ends a block.
func returnPos(b *ssa.BasicBlock) token.Pos {
	return b.Instrs[len(b.Instrs)-1].Pos()
}

// fieldOf returns the field to which an address leads.
func fieldOf(f *ssa.FieldAddr) *types.Var {
	return f.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(f.Field)
}

// rangedOver reports whether an array is loaded only because a loop ranges over its indices. Go does not load
// the array in this case, unless the expression contains a call. A nil pointer then does no harm.
func (c *compiler) rangedOver(v *ssa.UnOp) bool {
	if refs := v.Referrers(); refs == nil || len(*refs) > 0 || c.fn.Syntax() == nil {
		return false
	}
	found := false
	ast.Inspect(c.fn.Syntax(), func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok {
			return true
		}
		star, ok := ast.Unparen(loop.X).(*ast.StarExpr)
		if !ok || star.Pos() != v.Pos() {
			return true
		}
		found = true
		ast.Inspect(star, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				found = false
			case *ast.UnaryExpr:
				found = found && n.Op != token.ARROW
			}
			return found
		})
		return false
	})
	return found
}

var intOps = map[token.Token][2]op{ // unsigned, signed
	token.ADD: {opAdd, opAdd}, token.SUB: {opSub, opSub}, token.MUL: {opMul, opMul},
	token.QUO: {opQuoU, opQuoS}, token.REM: {opRemU, opRemS},
	token.AND: {opAnd, opAnd}, token.OR: {opOr, opOr}, token.XOR: {opXor, opXor}, token.AND_NOT: {opAndNot, opAndNot},
	token.SHL: {opShl, opShl}, token.SHR: {opShrU, opShrS},
	token.EQL: {opEq, opEq}, token.NEQ: {opNe, opNe},
	token.LSS: {opLtU, opLtS}, token.LEQ: {opLeU, opLeS}, token.GTR: {opLtU, opLtS}, token.GEQ: {opLeU, opLeS},
}

// binop emits a binary operation.
func (c *compiler) binop(v *ssa.BinOp) {
	t := c.typ(v.X)
	d, x, y := c.reg(v), c.reg(v.X), c.reg(v.Y)
	fast := false
	w := t.Bits
	switch t.Kind {
	case KInt, KUint:
		fast = true
	case KBool:
		fast, w = true, 1
	case KPointer, KUnsafePointer, KChan, KMap:
		fast, w = v.Op == token.EQL || v.Op == token.NEQ, 64
	}
	if !fast {
		i := c.slow((*Machine).doBinop, d, &binopData{op: v.Op, x: x, y: y, t: t, yt: c.typ(v.Y)})
		c.site(i, v)
		return
	}
	o := intOps[v.Op][0]
	if t.signed() {
		o = intOps[v.Op][1]
	}
	if v.Op == token.GTR || v.Op == token.GEQ {
		x, y = y, x
	}
	ins := Instr{Op: o, W: w, D: d, A: x, B: y, Imm: mask(w)}
	if o == opShl || o == opShrS || o == opShrU {
		yt := c.typ(v.Y)
		ins.C = int32(yt.Bits)
		if yt.signed() {
			ins.Aux = 1
		}
	}
	i := c.emit(ins)
	c.site(i, v)
}

// convert emits a conversion between types of different representation.
func (c *compiler) convert(v ssa.Value, x ssa.Value) {
	from, to := c.typ(x), c.typ(v)
	d, r := c.reg(v), c.reg(x)
	isInt := func(t *Type) bool { return t.Kind == KInt || t.Kind == KUint }
	switch {
	case isInt(from) && isInt(to):
		switch {
		case to.Bits <= from.Bits:
			c.emit(Instr{Op: opTrunc, W: to.Bits, C: int32(from.Bits), D: d, A: r, Imm: mask(to.Bits)})
		case from.signed():
			c.emit(Instr{Op: opSext, W: to.Bits, C: int32(from.Bits), D: d, A: r, Imm: mask(to.Bits)})
		default:
			c.emit(Instr{Op: opTrunc, W: to.Bits, C: int32(from.Bits), D: d, A: r, Imm: mask(to.Bits)})
		}
	case from.Kind == KUnsafePointer && to.Kind == KPointer:
		c.slow((*Machine).doUnsafeCast, d, &convData{x: r, from: from, to: to})
	case from.Kind == KUnsafePointer && isInt(to) && v.Referrers() != nil && addressNumber(v) && c.m.packageOf(c.fn) != "reflect":
		c.slow(doAddressNumber, d, nil)
	case isInt(from) && to.Kind == KUnsafePointer:
		c.slow(doNumberAddress, d, &convData{x: r, from: from, to: to})
	case from.Kind == KPointer && to.Kind == KUnsafePointer,
		from.Kind == KUnsafePointer && isInt(to),
		from.Kind == to.Kind && from.Size == to.Size && !from.scalar() && from.Kind != KComplex:
		c.mov(d, r, to.Size)
	default:
		i := c.slow((*Machine).doConvert, d, &convData{x: r, from: from, to: to})
		if in, ok := v.(ssa.Instruction); ok {
			c.site(i, in)
		}
	}
}

// selectStmt emits a select.
func (c *compiler) selectStmt(v *ssa.Select) {
	d := &selectData{blocking: v.Blocking, tuple: c.m.types.of(v.Type())}
	for _, s := range v.States {
		k := selectCase{ch: c.reg(s.Chan), t: c.typ(s.Chan), send: s.Dir == types.SendOnly}
		if k.send {
			k.val = c.reg(s.Send)
		}
		d.cases = append(d.cases, k)
	}
	i := c.slow((*Machine).doSelect, c.reg(v), d)
	c.site(i, v)
}
