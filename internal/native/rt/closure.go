package assayrt

import (
	"reflect"
	"sync/atomic"
)

// closure makes a function that calls a method.
func (x *executor) closure(o *operation) reflect.Value {
	if len(x.args) == 0 || len(o.params) != len(o.elems)+1 {
		panic(refusal("a closure of a wrong form"))
	}
	assignable := func(v reflect.Value, t reflect.Type) reflect.Value {
		if !v.Type().AssignableTo(t) {
			panic(refusal("a " + v.Type().String() + " is not assignable to " + t.String()))
		}
		return v
	}
	in := []reflect.Value{assignable(x.arg(0), o.params[0])}
	next := 1
	for i, p := range o.elems {
		var v reflect.Value
		switch {
		case p < 0:
			v = assignable(x.arg(next), o.params[i+1])
			next++
		case p >= o.typ.NumIn() || !o.typ.In(p).AssignableTo(o.params[i+1]):
			panic(refusal("a closure that passes on what does not fit"))
		}
		in = append(in, v)
	}
	var out []reflect.Value
	if !o.closed {
		for i := range o.typ.NumOut() {
			v := reflect.New(o.typ.Out(i)).Elem()
			v.Set(assignable(x.arg(next+i), o.typ.Out(i)))
			out = append(out, v)
		}
	}
	return callingMethod(o, in, out, &x.called)
}

// Bounds of a closure. If a closure exceeds them its case is refused: a callback that keeps a walk going for
// ever, or that is stored and calls itself, says little about the code and costs the time of a case that
// hangs.
const (
	maxClosureCalls = 1000
	maxClosureDepth = 2
)

// callingMethod returns the function of a closure. The function is no method of executor, because frames of
// executor's methods end the stack that a panic shows. The function's calls are counted in called.
func callingMethod(o *operation, bound, out []reflect.Value, called *atomic.Int64) reflect.Value {
	var calls, depth atomic.Int32
	return reflect.MakeFunc(o.typ, func(given []reflect.Value) []reflect.Value {
		if calls.Add(1) > maxClosureCalls || depth.Add(1) > maxClosureDepth {
			panic(refusal("a closure is called without end"))
		}
		defer depth.Add(-1)
		called.Add(1)
		in := append([]reflect.Value(nil), bound...)
		for i, p := range o.elems {
			if p >= 0 {
				in[i+1] = given[p]
			}
		}
		res := o.lit.Call(in)
		if o.closed {
			return res
		}
		return out
	})
}
