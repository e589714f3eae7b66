package lazy

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call is what an opCall calls.
type call struct {
	static *ssa.Function
	f      *function // of static, once it was called
	value  int32     // operand of a function value, or of the interface of an invocation
	invoke *types.Func
	args   []move // src and n; dst is where in the list
	result int32
	size   int32 // of the results
}

// sliceArgs are the bounds of an opSlice, -1 where there is none.
type sliceArgs struct {
	low, high, max int32
	elem           int32
	array          int64 // the length where it is a pointer to an array, else -1
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
		b.emit(instr{op: opAppend, a: b.reg(in), b: b.operand(args[0]), c: b.operand(args[1]), n: b.cells(s.Elem())})
	case "copy":
		s, ok := args[0].Type().Underlying().(*types.Slice)
		if _, slice := args[1].Type().Underlying().(*types.Slice); !ok || !slice {
			b.unsupported("copy of a string")
		}
		b.emit(instr{op: opCopy, a: b.reg(in), b: b.operand(args[0]), c: b.operand(args[1]), n: b.cells(s.Elem())})
	default:
		b.unsupported("the builtin " + name)
	}
}

func (b *builder) slice(in *ssa.Slice) {
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
