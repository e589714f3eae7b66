package vm

import (
	"fmt"
	"go/types"
)

// This file implements the calls that reflection makes: of functions with arguments in memory, and of
// functions made by reflect.MakeFunc. For both, the machine makes functions of its own instructions,
// one for each signature.

// madeFunc makes a function of slow instructions. They are followed by a return of n cells, beginning at
// register ret.
func (m *Machine) madeFunc(key string, f Func, ret, n int, code ...func(*Machine, *State, *Frame, *Instr) signal) *Func {
	if g := m.byFull[key]; g != nil {
		return g
	}
	g := f
	g.ID, g.Name, g.recover = len(m.funcs), key, -1
	for _, slow := range code {
		g.code = append(g.code, Instr{Op: opSlow, slow: slow, data: f.result})
	}
	g.code = append(g.code, Instr{Op: opReturn, A: int32(ret), Imm: uint64(n)})
	m.funcs = append(m.funcs, &g)
	m.byFull[key] = &g
	return &g
}

// equalFunc returns the function in descriptors that compares two variables. It is a closure over the
// descriptor.
func (m *Machine) equalFunc() *Func {
	empty := m.types.of(types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.Bool])))
	return m.madeFunc("vm·equal", Func{nfree: 1, args: 1, nargs: 2, nregs: 4, result: empty}, 3, 1,
		func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
			t := m.typeOf(fr.regs[0])
			x, y := make([]Value, t.Size), make([]Value, t.Size)
			if t.Size > 0 {
				m.load(st, fr.regs[1], t, x)
				m.load(st, fr.regs[2], t, y)
			}
			fr.regs[3] = m.equal(st, t, t, x, y)
			return sigNext
		})
}

// methodCode returns the code of a method, to be called with the receiver first.
func (m *Machine) methodCode(t *Type, sel *types.Selection) Value {
	fn := m.methodValue(t, sel)
	if fn == nil {
		panic(unsupported("method " + sel.Obj().Name() + " of " + t.Name))
	}
	return Value{Bits: funcBit | uint64(m.fn(fn).ID)}
}

// reflectMethod finds a method for vmMethod(t, p, indir, i) (fn, rt, rp, ft): its code, the receiver's type
// and address, and the method's type without the receiver. For a nil interface, fn is nil.
func reflectMethod(m *Machine, st *State, c *call) ([]Value, signal) {
	t, p, i := m.typeOf(c.args[0]), c.args[1], int(c.args[3].Bits)
	cells := []Value{p}
	if c.args[2].Bits != 0 {
		cells = make([]Value, t.Size)
		if t.Size > 0 {
			m.load(st, p, t, cells)
		}
	}
	if t.Kind == KInterface {
		f := sortedMethods(t.iface)[i]
		ft := m.descriptor(m.types.of(f.Type()))
		v := m.iface(st, cells)
		if v[0].Bits == 0 {
			return []Value{{}, {}, {}, ft}, sigNext
		}
		dt := m.types.all[v[0].Bits]
		fn := m.method(dt, f)
		if fn == nil {
			panic(unsupported("method " + f.Name() + " of " + dt.Name))
		}
		return []Value{{Bits: funcBit | uint64(fn.ID)}, m.descriptor(dt), m.boxed(st, dt, m.unbox(st, dt, v[1])), ft}, sigNext
	}
	sel := m.exportedMethods(t)[i]
	sig := sel.Obj().Type().(*types.Signature)
	ft := m.types.of(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()))
	return []Value{m.methodCode(t, sel), m.descriptor(t), m.boxed(st, t, cells), m.descriptor(ft)}, sigNext
}

// reflectCall is vmCall(fn, rt, rp, ft, args, rets). It calls a function with the arguments at args, and with
// the receiver at rp if the function has one. It stores the results at rets.
func reflectCall(m *Machine, st *State, c *call) ([]Value, signal) {
	rt, ft := m.described(c.args[1]), m.typeOf(c.args[3])
	sig := ft.Go.Underlying().(*types.Signature)
	var cells []Value
	read := func(t *Type, p Value) {
		v := make([]Value, t.Size)
		if t.Size > 0 {
			m.load(st, p, t, v)
		}
		cells = append(cells, v...)
	}
	if rt != nil {
		read(rt, c.args[2])
	}
	pointer := func(s []Value, i int) Value {
		var p [1]Value
		m.load(st, m.elemAddr(st, s[0], num(i), 1), m.types.of(types.Typ[types.UnsafePointer]), p[:])
		return p[0]
	}
	for i := range sig.Params().Len() {
		read(m.types.of(sig.Params().At(i).Type()), pointer(c.args[4:7], i))
	}
	result := m.types.of(sig.Results())
	// The registers hold the function, the addresses of the results, the arguments and the results.
	nargs, nret := len(cells), len(result.Fields)
	regs := append(make([]Value, 0, 1+nret+nargs), c.args[0])
	for i := range nret {
		regs = append(regs, pointer(c.args[7:10], i))
	}
	regs = append(regs, cells...)
	at := len(regs)
	f := m.madeFunc(fmt.Sprintf("vm·call %d %s", nargs, ft.Name), Func{nargs: at, nregs: at + result.Size, result: m.types.of(types.NewTuple())}, 0, 0,
		func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
			args := append([]Value(nil), fr.regs[at-nargs:at]...)
			return m.enter(st, fr, m.funcValue(st, fr.regs[0], ft, result), args, int32(at), result)
		},
		func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
			for i, f := range result.Fields {
				m.store(st, fr.regs[1+i], f.Type, fr.regs[at+f.Off:at+f.Off+f.Type.Size])
			}
			return sigNext
		})
	m.pushFrame(st, st.own(), f, nil, regs, -1)
	return nil, sigFrame
}

// makeFunc is vmMakeFunc(ft, fn). It returns a function of type ft. When that function is called, the model
// callReflect calls fn.
func makeFunc(m *Machine, st *State, c *call) ([]Value, signal) {
	ft := m.typeOf(c.args[0])
	sig := ft.Go.Underlying().(*types.Signature)
	result := m.types.of(sig.Results())
	var params []*Type
	nargs := 0
	for v := range sig.Params().Variables() {
		t := m.types.of(v.Type())
		params = append(params, t)
		nargs += t.Size
	}
	// The registers hold ft and fn (free variables), the arguments, the results and the addresses of the
	// results.
	ret := 2 + nargs
	addr := ret + result.Size
	pt := m.types.of(types.Typ[types.UnsafePointer])
	slice := func(st *State, ps []Value) []Value {
		if len(ps) == 0 {
			return make([]Value, 3)
		}
		return []Value{ptr(st.newObject(&Object{cells: ps, elem: pt}), 0), num(len(ps)), num(len(ps))}
	}
	f := m.madeFunc("vm·make "+ft.Name, Func{nfree: 2, args: 2, nargs: nargs, nregs: addr + len(result.Fields), result: result}, ret, result.Size,
		func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
			var args, rets []Value
			at := 2
			for _, t := range params {
				args = append(args, m.boxed(st, t, fr.regs[at:at+t.Size]))
				at += t.Size
			}
			for i, f := range result.Fields {
				p := ptr(m.newVariable(st, f.Type), 0)
				rets = append(rets, p)
				fr.regs[addr+i] = p
			}
			f := m.fn(m.reflects.Func("callReflect"))
			cells := append([]Value{fr.regs[0], fr.regs[1]}, slice(st, args)...)
			return m.enter(st, fr, callee{fn: f}, append(cells, slice(st, rets)...), -1, m.types.of(types.NewTuple()))
		},
		func(m *Machine, st *State, fr *Frame, _ *Instr) signal {
			for i, f := range result.Fields {
				if f.Type.Size > 0 {
					m.load(st, fr.regs[addr+i], f.Type, fr.regs[ret+f.Off:ret+f.Off+f.Type.Size])
				}
			}
			return sigNext
		})
	return []Value{ptr(st.newObject(&Object{cells: []Value{{Bits: funcBit | uint64(f.ID)}, c.args[0], c.args[1]}}), 0)}, sigNext
}
