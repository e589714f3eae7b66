package words

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file executes real functions of the examples by reflection and records the calls as
// the native harness would observe them.

// examples loads the packages of the examples once.
var examples = sync.OnceValues(func() (*load.Program, error) {
	return load.Load(context.Background(), load.Config{Dir: "../../examples"}, "./account", "./classify", "./generic", "./geometry", "./machine", "./notify", "./parse", "./ringbuffer", "./searchtree")
})

// recorder executes calls of one function.
type recorder struct {
	t         *testing.T
	pkg       *load.Package
	target    string // "Func" or "Type.Method"
	fn        *types.Func
	funcs     map[string]any   // package-level functions by name
	sentinels map[string]error // by name
	observers []string
	calls     []Call
}

func record(t *testing.T, name, target string) *recorder {
	t.Helper()
	prog, err := examples()
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, target: target, funcs: map[string]any{}, sentinels: map[string]error{}}
	for _, p := range prog.Packages {
		if p.Name == name {
			r.pkg = p
		}
	}
	if r.pkg == nil || len(r.pkg.Errors) > 0 {
		t.Fatalf("package %s did not load", name)
	}
	r.fn = r.object(target)
	return r
}

// object returns the function "Func" or "Type.Method".
func (r *recorder) object(name string) *types.Func {
	typ, method, isMethod := strings.Cut(name, ".")
	scope := r.pkg.Types.Scope()
	if !isMethod {
		return scope.Lookup(name).(*types.Func)
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(scope.Lookup(typ).Type()), true, r.pkg.Types, method)
	return obj.(*types.Func)
}

// script is a stub whose calls return these errors.
type script interface{ results() []error }

// step is a call in a sequence: of a package-level function (the first) or of a method on
// what the first returned.
type step struct {
	name string
	args []any
}

func do(name string, args ...any) step { return step{name, args} }

// run executes the steps, of which the last calls the target, and returns its case.
func (r *recorder) run(steps ...step) *testcase.Case {
	r.t.Helper()
	c := &testcase.Case{Package: r.pkg.Path, Target: r.target, Engine: "test", Observed: &testcase.Outcome{Status: testcase.Returned}}
	typ, _, isMethod := strings.Cut(r.target, ".")
	var b testcase.Builder
	var recv reflect.Value
	var recvRef testcase.Ref
	out := c.Observed
	add := func(op *testcase.Operation, args ...testcase.Ref) testcase.Ref {
		out.Results = append(out.Results, nil)
		return b.Add(op, args...)
	}
	call := Call{Case: c}
	for i, s := range steps {
		last := i == len(steps)-1
		var f *types.Func
		var fv reflect.Value
		op := &testcase.Operation{Kind: testcase.OpFunc}
		var refs []testcase.Ref
		switch {
		case s.name == "nil":
			obj := r.pkg.Types.Scope().Lookup(typ).Type()
			recv = reflect.ValueOf(s.args[0])
			recvRef = add(&testcase.Operation{Kind: testcase.OpZero, Type: types.NewPointer(obj)})
			continue
		case s.name == "value":
			recv = reflect.ValueOf(s.args[0])
			t := r.fn.Signature().Recv().Type()
			recvRef = r.literal(add, out, recv, t)
			continue
		case r.funcs[s.name] != nil:
			f, fv = r.object(s.name), reflect.ValueOf(r.funcs[s.name])
		case isMethod:
			f = r.object(typ + "." + s.name)
			fv = recv.MethodByName(s.name)
			op.Kind = testcase.OpMethod
			refs = append(refs, recvRef)
		}
		if f == nil || !fv.IsValid() {
			r.t.Fatalf("no function %s", s.name)
		}
		op.Func = f
		sig := f.Signature()
		in, given := r.arguments(s, fv.Type(), sig, func(v reflect.Value, t types.Type) testcase.Ref { return r.literal(add, out, v, t) })
		refs = append(refs, given...)
		if last && isMethod {
			call.Before = r.observe(typ, recv)
		}
		ref := add(op, refs...)
		results, panicked := protect(fv, in)
		if panicked != nil {
			out.Status, out.Panic, out.At = testcase.Panicked, panicked, ref.Stmt
			break
		}
		for k, v := range results {
			out.Results[ref.Stmt] = append(out.Results[ref.Stmt], r.value(v, sig.Results().At(k).Type()))
		}
		out.At = ref.Stmt
		if last && isMethod {
			call.After = r.observe(typ, recv)
		}
		if op.Kind == testcase.OpFunc && !last {
			recv, recvRef = results[0], ref
		}
	}
	c.Seq = b.Sequence()
	r.calls = append(r.calls, call)
	return c
}

// arguments returns what a step is called with, and the statements that make it.
func (r *recorder) arguments(s step, ft reflect.Type, sig *types.Signature, literal func(reflect.Value, types.Type) testcase.Ref) (in []reflect.Value, refs []testcase.Ref) {
	for k, a := range s.args {
		want := ft.In(min(k, ft.NumIn()-1))
		t := sig.Params().At(min(k, sig.Params().Len()-1)).Type()
		if ft.IsVariadic() && k >= ft.NumIn()-1 {
			want, t = want.Elem(), t.(*types.Slice).Elem()
		}
		v := reflect.Zero(want)
		if a != nil {
			v = reflect.ValueOf(a)
			if v.Type() != want && v.CanConvert(want) {
				v = v.Convert(want)
			}
		}
		in = append(in, v)
		refs = append(refs, literal(v, t))
	}
	return in, refs
}

// protect calls a function and recovers.
func protect(f reflect.Value, in []reflect.Value) (out []reflect.Value, panicked *testcase.Panic) {
	defer func() {
		if p := recover(); p != nil {
			err, isErr := p.(error)
			panicked = &testcase.Panic{Message: fmt.Sprint(p), Kind: "explicit"}
			if isErr {
				panicked.Runtime, panicked.Kind, panicked.Message = true, "nil-dereference", err.Error()
			}
		}
	}()
	return f.Call(in), nil
}

// literal adds the statement that makes an argument.
func (r *recorder) literal(add func(*testcase.Operation, ...testcase.Ref) testcase.Ref, out *testcase.Outcome, v reflect.Value, t types.Type) testcase.Ref {
	if s, ok := v.Interface().(script); v.IsValid() && ok {
		op := &testcase.Operation{Kind: testcase.OpStubIface, Type: t}
		var refs []testcase.Ref
		for i, err := range s.results() {
			errType := types.Universe.Lookup("error").Type()
			kind := testcase.OpZero
			if err != nil {
				kind = testcase.OpGlobal
			}
			ref := add(&testcase.Operation{Kind: kind, Type: errType, Var: types.NewVar(0, nil, "e", errType)})
			if err != nil {
				out.Results[ref.Stmt] = []testcase.Value{{Kind: testcase.Interface, Type: errType}}
			}
			refs = append(refs, ref)
			op.Stub = append(op.Stub, testcase.StubCall{Method: "Do", From: i, To: i + 1})
		}
		return add(op, refs...)
	}
	w := r.value(v, t)
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	switch w.Kind {
	case testcase.Nil:
		op.Kind = testcase.OpZero
	case testcase.Bool:
		op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitBool, Bits: w.Bits}
	case testcase.Int:
		op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitInt, Bits: w.Bits}
	case testcase.Uint:
		op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitUint, Bits: w.Bits}
	case testcase.Float:
		op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitFloat, Bits: w.Bits}
	case testcase.String:
		op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitString, Str: w.Str}
	default:
		ref := add(op)
		out.Results[ref.Stmt] = []testcase.Value{w}
		return ref
	}
	return add(op)
}

// observe asks the observers.
func (r *recorder) observe(typ string, recv reflect.Value) []Observation {
	var out []Observation
	for _, name := range r.observers {
		f := r.object(typ + "." + name)
		v := recv.MethodByName(name).Call(nil)[0]
		out = append(out, Observation{f, r.value(v, f.Signature().Results().At(0).Type())})
	}
	return out
}

// value describes a Go value.
func (r *recorder) value(v reflect.Value, t types.Type) testcase.Value {
	w := testcase.Value{Type: t}
	switch v.Kind() {
	case reflect.Bool:
		w.Kind = testcase.Bool
		if v.Bool() {
			w.Bits = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.Kind, w.Bits = testcase.Int, uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.Kind, w.Bits = testcase.Uint, v.Uint()
	case reflect.Float64:
		w.Kind, w.Bits = testcase.Float, math.Float64bits(v.Float())
	case reflect.Float32:
		w.Kind, w.Bits = testcase.Float, uint64(math.Float32bits(float32(v.Float())))
	case reflect.String:
		w.Kind, w.Str, w.Len = testcase.String, v.String(), v.Len()
	case reflect.Interface:
		if v.IsNil() {
			w.Kind = testcase.Nil
			return w
		}
		w.Kind = testcase.Interface
		if err, ok := v.Interface().(error); ok {
			w.Err = &testcase.ErrorInfo{Message: err.Error()}
			for _, name := range sortedKeys(r.sentinels) {
				if errors.Is(err, r.sentinels[name]) {
					w.Err.Sentinels = append(w.Err.Sentinels, r.pkg.Types.Scope().Lookup(name).(*types.Var))
					w.Err.Identical = err == r.sentinels[name]
				}
			}
		}
	case reflect.Slice, reflect.Array:
		w.Kind, w.Len = testcase.Slice, v.Len()
		if v.Kind() == reflect.Array {
			w.Kind = testcase.Array
		} else if v.IsNil() {
			w.Kind = testcase.Nil
			return w
		}
		for i := range v.Len() {
			w.Elems = append(w.Elems, r.value(v.Index(i), elementType(t)))
		}
	case reflect.Map:
		if v.IsNil() {
			w.Kind = testcase.Nil
			return w
		}
		w.Kind, w.Len = testcase.Map, v.Len()
		m := t.Underlying().(*types.Map)
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			w.Elems = append(w.Elems, r.value(k, m.Key()), r.value(v.MapIndex(k), m.Elem()))
		}
	case reflect.Struct:
		w.Kind = testcase.Struct
		st := t.Underlying().(*types.Struct)
		for i := range v.NumField() {
			w.Elems = append(w.Elems, r.value(v.Field(i), st.Field(i).Type()))
		}
	case reflect.Pointer:
		w.Kind = testcase.Pointer // what it leads to is not described
		if v.IsNil() {
			w.Kind = testcase.Nil
		}
	default:
		w.Kind = testcase.Opaque
		if v.Kind() == reflect.Func && v.IsNil() {
			w.Kind = testcase.Nil
		}
	}
	return w
}

func elementType(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Array:
		return u.Elem()
	}
	return types.Typ[types.Invalid]
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
