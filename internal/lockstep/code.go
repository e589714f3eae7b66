package lockstep

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"golang.org/x/tools/go/ssa"
)

// value is a value of a function, as it is compared. Values without effects are trees over their operands, so
// it does not matter in which order they are computed. The others are bound to the place where they happen.
type value struct {
	op    op
	name  string // what a value does, besides op: an operator, the name of a field
	typ   types.Type
	also  []types.Type // types that are no operand and no result, as the type of an assertion
	fn    *ssa.Function
	obj   types.Object
	index int
	args  []*value
	in    *block // of phis, allocations and events
	once  bool   // of an allocation: whether beginsAnew holds
}

type op int

// The kinds of values.
const (
	pure       op = iota // depends on its operands alone, and cannot fail
	param                // parameter number index
	free                 // captured variable number index
	global               // the address of a variable of a package
	function             // a declared function, or a literal that captures nothing
	closure              // a literal with what it captures
	phi                  // one of its operands, by the edge on which the block was entered
	allocation           // new memory, which is zero
	event                // everything else, which happens in order
)

// block is a block of a function: phis, then events in order, then an end.
type block struct {
	phis, events, allocs []*value
	preds, succs         []*block
	end                  end
	args                 []*value // the condition, the results, or the argument of panic
}

type end int

// How a block ends.
const (
	jumps end = iota
	branches
	returns
	panics
)

// code is a function as it is compared.
type code struct {
	entry   *block
	recover *block // where it goes on after a recovered panic, or nil
	blocks  []*block
	inlined []*ssa.Function
}

// Bounds of what is expanded in place.
const (
	maxDepth  = 4
	maxBlocks = 2000
)

// builder makes the code of a function.
type builder struct {
	out *code
	// inline reports whether the calls of a function are replaced by its body.
	inline func(*ssa.Function) bool
	// renamed returns the new name of a field of a named struct type.
	renamed func(t *types.Named, field string) string
	stack   []*ssa.Function
}

// codeOf returns the code of a function with a body.
func codeOf(fn *ssa.Function, inline func(*ssa.Function) bool, renamed func(t *types.Named, field string) string) *code {
	b := &builder{out: &code{}, inline: inline, renamed: renamed}
	args := make([]*value, len(fn.Params))
	for i, p := range fn.Params {
		args[i] = &value{op: param, index: i, typ: p.Type()}
	}
	f := b.body(fn, args)
	b.out.entry, b.out.recover = f.starts[fn.Blocks[0]], f.starts[fn.Recover]
	b.out.simplify()
	b.out.forward()
	b.out.simplify()
	b.out.putConstants()
	return b.out
}

// frame is a body in the making.
type frame struct {
	*builder
	fn     *ssa.Function
	env    map[ssa.Value]*value
	starts map[*ssa.BasicBlock]*block
	ends   map[*ssa.BasicBlock]*block // the last block, if calls were expanded in between
	at     *block                     // where the next event goes
	exits  []*block                   // the blocks that return
}

func (b *builder) newBlock() *block {
	n := &block{}
	b.out.blocks = append(b.out.blocks, n)
	return n
}

// body adds the body of a function.
func (b *builder) body(fn *ssa.Function, args []*value) *frame {
	f := &frame{builder: b, fn: fn, env: map[ssa.Value]*value{}, starts: map[*ssa.BasicBlock]*block{}, ends: map[*ssa.BasicBlock]*block{}}
	b.stack = append(b.stack, fn)
	for i, p := range fn.Params {
		f.env[p] = args[i]
	}
	for i, v := range fn.FreeVars {
		f.env[v] = &value{op: free, index: i, typ: v.Type()}
	}
	order := fn.DomPreorder()
	if fn.Recover != nil && !slices.Contains(order, fn.Recover) {
		order = append(order, fn.Recover)
	}
	for _, bb := range order {
		f.starts[bb] = b.newBlock()
		for _, ins := range bb.Instrs {
			if p, ok := ins.(*ssa.Phi); ok {
				v := &value{op: phi, typ: p.Type(), in: f.starts[bb]}
				f.starts[bb].phis = append(f.starts[bb].phis, v)
				f.env[p] = v
			}
		}
	}
	for _, bb := range order {
		f.at = f.starts[bb]
		for _, ins := range bb.Instrs {
			f.instruction(ins)
		}
		f.ends[bb] = f.at
	}
	for _, bb := range order {
		for _, pred := range bb.Preds {
			f.starts[bb].preds = append(f.starts[bb].preds, f.ends[pred])
		}
		for _, ins := range bb.Instrs {
			if p, ok := ins.(*ssa.Phi); ok {
				for _, e := range p.Edges {
					f.env[p].args = append(f.env[p].args, f.value(e))
				}
			}
		}
	}
	b.stack = b.stack[:len(b.stack)-1]
	return f
}

// value returns an operand.
func (f *frame) value(v ssa.Value) *value {
	if got, ok := f.env[v]; ok {
		return got
	}
	out := &value{typ: v.Type()}
	switch v := v.(type) {
	case *ssa.Const:
		out.name = nilConstant
		if v.Value != nil {
			out.name = constantPrefix + v.Value.Kind().String() + " " + v.Value.ExactString()
		}
	case *ssa.Global:
		out.op, out.obj, out.name = global, v.Object(), v.Name()
	case *ssa.Function:
		out.op, out.fn = function, v
	case *ssa.Builtin:
		out.typ, out.name = nil, "builtin "+v.Name()
	default:
		panic(unsupported(fmt.Sprintf("%T", v)))
	}
	f.env[v] = out
	return out
}

// The names of constants: those without a value, and the beginning of the others.
const (
	nilConstant    = "nil"
	constantPrefix = "constant "
)

// unsupported says what a function has that is not compared.
type unsupported string

func (f *frame) values(list []ssa.Value) []*value {
	out := make([]*value, len(list))
	for i, v := range list {
		out[i] = f.optional(v)
	}
	return out
}

// optional returns an operand that may be missing.
func (f *frame) optional(v ssa.Value) *value {
	if v == nil {
		return &value{name: "nothing"}
	}
	return f.value(v)
}

// happens adds an event. The result is nil if the instruction has none.
func (f *frame) happens(ins ssa.Instruction, name string, args ...ssa.Value) *value {
	v := &value{op: event, name: name, args: f.values(args), in: f.at}
	f.at.events = append(f.at.events, v)
	f.result(ins, v)
	return v
}

// depends makes a value without effects.
func (f *frame) depends(ins ssa.Value, name string, args ...ssa.Value) {
	f.result(ins.(ssa.Instruction), &value{name: name, args: f.values(args)})
}

func (f *frame) result(ins ssa.Instruction, v *value) {
	if r, ok := ins.(ssa.Value); ok {
		v.typ = r.Type()
		f.env[r] = v
	}
}

// instruction translates an instruction.
func (f *frame) instruction(ins ssa.Instruction) {
	switch ins := ins.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.Alloc:
		v := &value{op: allocation, typ: ins.Type(), in: f.at, once: beginsAnew(ins)}
		f.at.allocs = append(f.at.allocs, v)
		f.env[ins] = v
	case *ssa.BinOp:
		f.binary(ins)
	case *ssa.UnOp:
		switch ins.Op {
		case token.NOT:
			f.env[ins] = not(f.value(ins.X))
		case token.MUL:
			f.happens(ins, "load", ins.X)
		case token.ARROW:
			f.happens(ins, fmt.Sprint("receive ", ins.CommaOk), ins.X)
		default:
			f.depends(ins, ins.Op.String(), ins.X)
		}
	case *ssa.Call:
		f.call(ins)
	case *ssa.Go:
		f.invoke(ins, "go ")
	case *ssa.Defer:
		if ins.DeferStack != nil {
			panic(unsupported("a loop that defers"))
		}
		f.invoke(ins, "defer ")
	case *ssa.ChangeType:
		f.depends(ins, "change type", ins.X)
	case *ssa.ChangeInterface:
		f.depends(ins, "change interface", ins.X)
	case *ssa.MakeInterface:
		f.depends(ins, "make interface", ins.X)
	case *ssa.Convert:
		if isNumber(ins.X.Type()) && isNumber(ins.Type()) {
			f.depends(ins, "convert", ins.X)
		} else {
			f.happens(ins, "convert", ins.X)
		}
	case *ssa.Extract:
		if t := f.value(ins.Tuple); t.op == pure && t.name == expanded {
			f.env[ins] = t.args[ins.Index]
			return
		}
		f.depends(ins, fmt.Sprint("extract ", ins.Index), ins.Tuple)
	case *ssa.Field:
		f.depends(ins, f.fieldName(ins.X.Type(), ins.Field), ins.X)
	case *ssa.MakeClosure:
		v := &value{op: closure, fn: ins.Fn.(*ssa.Function), args: f.values(ins.Bindings)}
		f.result(ins, v)
	case *ssa.If:
		f.branch(ins)
	case *ssa.Jump:
		f.ended(ins, jumps)
	case *ssa.Return:
		f.ended(ins, returns, ins.Results...)
		f.exits = append(f.exits, f.at)
	case *ssa.Panic:
		f.ended(ins, panics, ins.X)
	default:
		f.other(ins)
	}
}

// other translates the instructions that are always events.
func (f *frame) other(ins ssa.Instruction) {
	switch ins := ins.(type) {
	case *ssa.FieldAddr:
		name := f.fieldName(ins.X.Type().Underlying().(*types.Pointer).Elem(), ins.Field)
		if f.neverNil(ins.X) {
			f.depends(ins, name, ins.X)
		} else {
			f.happens(ins, name, ins.X)
		}
	case *ssa.IndexAddr:
		if c, ok := ins.Index.(*ssa.Const); ok && f.neverNil(ins.X) && withinArray(ins.X.Type(), c) {
			f.depends(ins, "element", ins.X, ins.Index)
		} else {
			f.happens(ins, "element", ins.X, ins.Index)
		}
	case *ssa.Store:
		f.happens(ins, "store", ins.Addr, ins.Val)
	case *ssa.MapUpdate:
		f.happens(ins, "update", ins.Map, ins.Key, ins.Value)
	case *ssa.Send:
		f.happens(ins, "send", ins.Chan, ins.X)
	case *ssa.RunDefers:
		f.happens(ins, "run defers")
	case *ssa.MakeMap:
		f.happens(ins, "make", ins.Reserve)
	case *ssa.MakeChan:
		f.happens(ins, "make", ins.Size)
	case *ssa.MakeSlice:
		f.happens(ins, "make", ins.Len, ins.Cap)
	case *ssa.Slice:
		f.happens(ins, "slice", ins.X, ins.Low, ins.High, ins.Max)
	case *ssa.SliceToArrayPointer:
		f.happens(ins, "to array", ins.X)
	case *ssa.Index:
		f.happens(ins, "index", ins.X, ins.Index)
	case *ssa.Lookup:
		f.happens(ins, fmt.Sprint("lookup ", ins.CommaOk), ins.X, ins.Index)
	case *ssa.Range:
		f.happens(ins, "range", ins.X).typ = nil
	case *ssa.Next:
		f.happens(ins, fmt.Sprint("next ", ins.IsString), ins.Iter)
	case *ssa.TypeAssert:
		f.happens(ins, fmt.Sprint("assert ", ins.CommaOk), ins.X).also = []types.Type{ins.AssertedType}
	case *ssa.Select:
		name := fmt.Sprint("select ", ins.Blocking)
		var args []ssa.Value
		for _, s := range ins.States {
			name += fmt.Sprint(" ", s.Dir)
			args = append(args, s.Chan, s.Send)
		}
		f.happens(ins, name, args...)
	default:
		panic(unsupported(fmt.Sprintf("%T", ins)))
	}
}

// fieldName names the selection of a field of a struct.
func (b *builder) fieldName(t types.Type, i int) string {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		panic(unsupported("a field of a type parameter"))
	}
	name := s.Field(i).Name()
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name = b.renamed(n, name)
	}
	return "field " + name
}

// beginsAnew reports whether a variable is written as a whole before everything else that happens to it, and is gone
// when that is over: nothing keeps its address. Then it does not matter where the variable is declared: outside of a
// loop or in it.
func beginsAnew(v *ssa.Alloc) bool {
	return slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool {
		s, ok := use.(*ssa.Store)
		return ok && s.Addr == v && s.Val != v && usedBehind(v, s)
	})
}

// usedBehind reports whether an address is only used behind an instruction, and not kept.
func usedBehind(addr ssa.Value, begin ssa.Instruction) bool {
	for _, use := range *addr.Referrers() {
		if use == begin {
			continue
		}
		if _, ok := use.(*ssa.DebugRef); !ok && (!follows(begin, use) || keeps(use, addr, 0)) {
			return false
		}
	}
	return true
}

// keeps reports whether an instruction may keep an address that it uses, or compare it, or look at more than what is
// stored there. The parameter depth is how many calls lead to it.
func keeps(use ssa.Instruction, addr ssa.Value, depth int) bool {
	const deep = 3
	part := func(v ssa.Value) bool {
		return slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool { return keeps(use, v, depth) })
	}
	switch use := use.(type) {
	case *ssa.DebugRef:
		return false
	case *ssa.Store:
		return use.Val == addr
	case *ssa.UnOp:
		return use.Op != token.MUL
	case *ssa.FieldAddr:
		return part(use)
	case *ssa.ChangeType:
		return part(use)
	case *ssa.IndexAddr:
		return use.X != addr || part(use)
	case *ssa.Call:
		callee := use.Call.StaticCallee()
		if callee == nil || len(callee.Blocks) == 0 || depth >= deep || use.Call.Value == addr {
			return true
		}
		for i, a := range use.Call.Args {
			if a == addr && slices.ContainsFunc(*callee.Params[i].Referrers(), func(use ssa.Instruction) bool { return keeps(use, callee.Params[i], depth+1) }) {
				return true
			}
		}
		return false
	}
	return true
}

// follows reports whether an instruction is only reached by way of another one.
func follows(first, then ssa.Instruction) bool {
	if first.Block() != then.Block() {
		return first.Block().Dominates(then.Block())
	}
	list := first.Block().Instrs
	return slices.Index(list, first) < slices.Index(list, then)
}

// neverNil reports whether an address is that of a variable, or of a part of one.
func (f *frame) neverNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return true
	case *ssa.FieldAddr:
		return f.value(v).op == pure
	case *ssa.IndexAddr:
		return f.value(v).op == pure
	}
	return false
}

func withinArray(t types.Type, index *ssa.Const) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	a, ok := p.Elem().Underlying().(*types.Array)
	if !ok || index.Value == nil || index.Value.Kind() != constant.Int {
		return false
	}
	i, exact := constant.Int64Val(index.Value)
	return exact && i >= 0 && i < a.Len()
}

// binary translates an operation on two values. Comparisons get one form of several that mean the same.
func (f *frame) binary(ins *ssa.BinOp) {
	x, y := ins.X, ins.Y
	basic, _ := ins.X.Type().Underlying().(*types.Basic)
	neverFails := basic != nil && basic.Info()&types.IsInteger == 0               // a division; values of a type parameter may be integers
	ordered := basic != nil && basic.Info()&(types.IsInteger|types.IsString) != 0 // a total order
	compare := func(op token.Token, x, y ssa.Value) *value {
		return &value{name: op.String(), typ: ins.Type(), args: f.values([]ssa.Value{x, y})}
	}
	switch ins.Op {
	case token.GTR:
		f.env[ins] = compare(token.LSS, y, x)
	case token.GEQ:
		if f.env[ins] = compare(token.LEQ, y, x); ordered {
			f.env[ins] = not(compare(token.LSS, x, y))
		}
	case token.LEQ:
		if f.env[ins] = compare(token.LEQ, x, y); ordered {
			f.env[ins] = not(compare(token.LSS, y, x))
		}
	case token.LSS:
		f.env[ins] = compare(token.LSS, x, y)
	case token.EQL, token.NEQ:
		v := compare(token.EQL, x, y)
		if !isNil(x) && !isNil(y) && (gosyntax.HoldsInterface(ins.X.Type()) || gosyntax.HoldsInterface(ins.Y.Type())) {
			v.op, v.in = event, f.at
			f.at.events = append(f.at.events, v)
		}
		if f.env[ins] = v; ins.Op == token.NEQ {
			f.env[ins] = not(v)
		}
	case token.QUO, token.REM:
		if neverFails {
			f.depends(ins, ins.Op.String(), x, y)
		} else {
			f.happens(ins, ins.Op.String(), x, y) // the divisor may be zero
		}
	case token.SHL, token.SHR:
		if b, ok := y.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
			f.depends(ins, ins.Op.String(), x, y)
		} else {
			f.happens(ins, ins.Op.String(), x, y) // the count may be negative
		}
	default:
		f.depends(ins, ins.Op.String(), x, y)
	}
}

// isNil reports whether a value is the constant nil, with which everything can be compared.
func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil() && !isTypeParam(c.Type())
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

const negation = "!"

func not(v *value) *value {
	if v.op == pure && v.name == negation {
		return v.args[0]
	}
	return &value{name: negation, typ: v.typ, args: []*value{v}}
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// call translates a call, or expands the body of what is called.
func (f *frame) call(ins *ssa.Call) {
	if b, ok := ins.Call.Value.(*ssa.Builtin); ok && len(ins.Call.Args) == 1 {
		switch ins.Call.Args[0].Type().Underlying().(type) {
		case *types.Slice, *types.Basic:
			if b.Name() == "len" || b.Name() == "cap" {
				f.depends(ins, b.Name(), ins.Call.Args...)
				return
			}
		}
	}
	callee := ins.Call.StaticCallee()
	if callee == nil || !f.inline(callee) || !expandable(callee) || slices.Contains(f.stack, callee) || len(f.stack) > maxDepth || len(f.out.blocks) > maxBlocks {
		f.invoke(ins, "call ")
		return
	}
	f.out.inlined = append(f.out.inlined, callee)
	g := f.body(callee, f.values(ins.Call.Args))
	entry := g.starts[callee.Blocks[0]]
	f.at.end, f.at.succs, entry.preds = jumps, []*block{entry}, append(entry.preds, f.at)
	f.at = f.newBlock()
	results := make([]*value, callee.Signature.Results().Len())
	for i := range results {
		results[i] = &value{op: phi, typ: callee.Signature.Results().At(i).Type(), in: f.at}
	}
	f.at.phis = results
	for _, exit := range g.exits {
		for i, v := range exit.args {
			results[i].args = append(results[i].args, v)
		}
		exit.end, exit.args, exit.succs = jumps, nil, []*block{f.at}
		f.at.preds = append(f.at.preds, exit)
	}
	if len(results) == 1 {
		f.env[ins] = results[0]
	} else {
		f.env[ins] = &value{name: expanded, typ: ins.Type(), args: results}
	}
}

// expanded is the name of the results of a call whose body was put in its place.
const expanded = "results"

// expandable reports whether a function's body means the same in its caller's place.
func expandable(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || fn.Recover != nil || len(fn.FreeVars) > 0 || fn.TypeParams().Len() > 0 || len(fn.TypeArgs()) > 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			switch ins := ins.(type) {
			case *ssa.Defer, *ssa.RunDefers:
				return false
			case *ssa.Call:
				if v, ok := ins.Call.Value.(*ssa.Builtin); ok && v.Name() == "recover" {
					return false
				}
			}
		}
	}
	return true
}

// invoke adds a call as an event.
func (f *frame) invoke(ins ssa.CallInstruction, how string) {
	c := ins.Common()
	args := append([]ssa.Value{c.Value}, c.Args...)
	if c.IsInvoke() {
		v := f.happens(ins, how+"method "+c.Method.Id(), args...)
		v.also = []types.Type{c.Value.Type()}
		return
	}
	f.happens(ins, how, args...)
}

// branch ends the block with a condition that is no negation.
func (f *frame) branch(ins *ssa.If) {
	cond := f.value(ins.Cond)
	f.ended(ins, branches)
	if cond.op == pure && cond.name == negation {
		cond = cond.args[0]
		f.at.succs[0], f.at.succs[1] = f.at.succs[1], f.at.succs[0]
	}
	f.at.args = []*value{cond}
}

// ended ends the block.
func (f *frame) ended(ins ssa.Instruction, how end, args ...ssa.Value) {
	f.at.end, f.at.args = how, f.values(args)
	for _, s := range ins.Block().Succs {
		f.at.succs = append(f.at.succs, f.starts[s])
	}
}
