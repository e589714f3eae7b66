package lazy

import (
	"fmt"
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call describes the call of an opCall.
type call struct {
	static *ssa.Function
	f      *function // the compiled form of static, after the first call
	value  int32     // the operand that is the function value, or the interface of an invocation
	invoke *types.Func
	args   []move // the arguments by src and n; dst is the place in the list
	result int32
	size   int32 // how many cells the results have
}

// sliceArgs are the bounds of an opSlice. A missing bound is -1.
type sliceArgs struct {
	low, high, max int32
	elem           int32
	array          int64 // the length if the operand is a pointer to an array, and otherwise -1
}

func (b *builder) call(in *ssa.Call) {
	common := in.Common()
	if fn, ok := common.Value.(*ssa.Builtin); ok {
		b.builtin(in, fn.Name(), common.Args)
		return
	}
	cl := &call{value: -1, result: b.reg(in), size: b.cells(in.Type())}
	var args []ssa.Value
	switch {
	case common.IsInvoke():
		cl.invoke = common.Method
		cl.value = b.operand(common.Value)
	case common.StaticCallee() != nil:
		cl.static = common.StaticCallee()
		if c, ok := common.Value.(*ssa.MakeClosure); ok {
			cl.static = nil
			cl.value = b.operand(c)
		}
	default:
		cl.value = b.operand(common.Value)
	}
	args = append(args, common.Args...)
	for _, a := range args {
		cl.args = append(cl.args, move{src: b.operand(a), n: b.cells(a.Type())})
	}
	b.emit(instr{op: opCall, x: cl})
}

func (b *builder) builtin(in *ssa.Call, name string, args []ssa.Value) {
	switch name {
	case "len", "cap":
		x := b.operand(args[0])
		switch t := args[0].Type().Underlying().(type) {
		case *types.Slice:
			off := int32(1)
			if name == "cap" {
				off = 2
			}
			b.emit(instr{op: opMove, a: b.reg(in), b: x + off, n: 1})
		case *types.Map:
			b.emit(instr{op: opMapLen, a: b.reg(in), b: x})
		case *types.Basic:
			b.emit(instr{op: opLen, a: b.reg(in), b: x})
		case *types.Array:
			b.emit(instr{op: opMove, a: b.reg(in), b: b.addConst(val{b: t.Len()}), n: 1})
		case *types.Pointer:
			b.emit(instr{op: opMove, a: b.reg(in), b: b.addConst(val{b: t.Elem().Underlying().(*types.Array).Len()}), n: 1})
		default:
			b.unsupported(fmt.Sprintf("%s of a %s", name, t))
		}
	case "append":
		s, ok := args[0].Type().Underlying().(*types.Slice)
		if _, slice := args[1].Type().Underlying().(*types.Slice); !ok || !slice {
			b.unsupported("append of a string")
		}
		if sl, ok := args[1].(*ssa.Slice); ok {
			if a, ok := sl.X.(*ssa.Alloc); ok && b.args[a] > 0 {
				n, _ := appended(a)
				b.emit(instr{op: opAppendVals, a: b.reg(in), b: b.operand(args[0]), c: b.args[a], n: b.cells(s.Elem()), k: n})
				return
			}
		}
		b.emit(instr{op: opAppend, a: b.reg(in), b: b.operand(args[0]), c: b.operand(args[1]), n: b.cells(s.Elem())})
	case "copy":
		s, ok := args[0].Type().Underlying().(*types.Slice)
		if _, slice := args[1].Type().Underlying().(*types.Slice); !ok || !slice {
			b.unsupported("copy of a string")
		}
		b.emit(instr{op: opCopy, a: b.reg(in), b: b.operand(args[0]), c: b.operand(args[1]), n: b.cells(s.Elem())})
	case "ssa:wrapnilchk": // a method with a value receiver that is called through a pointer
		b.emit(instr{op: opMove, a: b.reg(in), b: b.operand(args[0]), n: 1})
	default:
		b.unsupported("the builtin " + name)
	}
}

// appended returns the length and the element type of an array that append(s, x, y) makes to pass x and y. It
// returns 0 if a is no such array, or if anything else uses it.
func appended(a *ssa.Alloc) (int64, types.Type) {
	arr, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || arr.Len() == 0 {
		return 0, nil
	}
	for _, r := range *a.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if _, constant := r.Index.(*ssa.Const); !constant || !onlyStored(r) {
				return 0, nil
			}
		case *ssa.Slice:
			if r.Low != nil || r.High != nil || r.Max != nil {
				return 0, nil
			}
			for _, use := range *r.Referrers() {
				call, ok := use.(*ssa.Call)
				if !ok {
					return 0, nil
				}
				fn, ok := call.Call.Value.(*ssa.Builtin)
				if !ok || fn.Name() != "append" || call.Call.Args[1] != r || call.Call.Args[0] == r {
					return 0, nil
				}
			}
		default:
			return 0, nil
		}
	}
	return arr.Len(), arr.Elem()
}

// onlyStored reports whether the only use of an address, or of its fields' addresses, is to store
// there.
func onlyStored(addr ssa.Value) bool {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr != addr {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyStored(r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// argument returns the register for an address in such an array.
func (b *builder) argument(addr ssa.Value) (int32, bool) {
	switch x := addr.(type) {
	case *ssa.IndexAddr:
		a, ok := x.X.(*ssa.Alloc)
		if !ok || b.args[a] == 0 {
			return 0, false
		}
		i, ok := constant.Int64Val(x.Index.(*ssa.Const).Value)
		_, elem := appended(a)
		return b.args[a] + int32(i)*b.cells(elem), ok
	case *ssa.FieldAddr:
		r, ok := b.argument(x.X)
		if !ok {
			return 0, false
		}
		st := x.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return r + b.offset(st, x.Field), true
	}
	return 0, false
}

func (b *builder) slice(in *ssa.Slice) {
	if _, ok := in.X.Type().Underlying().(*types.Slice); ok && in.Low != nil && in.High == nil && in.Max == nil {
		if c, ok := in.Low.(*ssa.Const); ok {
			if k, ok := constant.Int64Val(c.Value); ok && k >= 0 {
				b.emit(instr{op: opSliceFrom, a: b.reg(in), b: b.operand(in.X), n: b.cells(in.Type().Underlying().(*types.Slice).Elem()), k: k})
				return
			}
		}
	}
	s := &sliceArgs{low: -1, high: -1, max: -1, array: -1}
	for _, x := range []struct {
		v ssa.Value
		r *int32
	}{{in.Low, &s.low}, {in.High, &s.high}, {in.Max, &s.max}} {
		if x.v != nil {
			*x.r = b.operand(x.v)
		}
	}
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		s.elem = b.cells(t.Elem())
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		s.elem, s.array = b.cells(arr.Elem()), arr.Len()
	default:
		b.unsupported("a part of a string")
	}
	b.emit(instr{op: opSlice, a: b.reg(in), b: b.operand(in.X), x: s})
}
