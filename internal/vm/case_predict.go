package vm

import (
	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// predictor turns the machine's values into observations, as the native runner would
// make them.
type predictor struct {
	m    *Machine
	st   *State
	mod  *term.Model
	seen map[uint64]int // object and type to its number
	size int
	bad  bool // some value cannot be predicted
}

// maxPredicted bounds the elements of a predicted value.
const maxPredicted = 2000

// Predict returns the outcome that the machine expects of the path's last call under a solution, or nil if it
// does not know the outcome, or if that call is a question, which is no call of the sequence.
func (m *Machine) Predict(p *Path, s *Solution, calls int) *testcase.Outcome {
	st := p.State
	if st.call >= 0 && st.driver.Calls[st.call].Question || m.tainted || st.approx || st.hasPhantom || s.DroppedAssumptions || !p.Last || m.othersRun(st) {
		return nil
	}
	out := &testcase.Outcome{At: calls - 1}
	switch p.Stop {
	case StopReturn:
		out.Status = testcase.Returned
		pr := &predictor{m: m, st: st, mod: s.Model, seen: map[uint64]int{}}
		sig := st.driver.Calls[st.call].Func.Signature
		tuple := m.types.of(sig.Results())
		res := st.results[st.call]
		vals := make([]testcase.Value, 0, len(tuple.Fields))
		for _, f := range tuple.Fields {
			vals = append(vals, pr.value(res[f.Off:f.Off+f.Type.Size], f.Type, 0))
		}
		if pr.bad {
			return nil
		}
		out.Results = make([][]testcase.Value, calls)
		out.Results[calls-1] = vals
	case StopPanic:
		if st.cur != 0 {
			out.Status = testcase.Died // nobody recovers the panic of another goroutine
			break
		}
		out.Status = testcase.Panicked
		rec := st.panicked
		out.Panic = &testcase.Panic{Runtime: rec.runtime, Kind: rec.kind, Message: rec.message}
	case StopAssert:
		// Code behind an assertion inside the function was not followed, but a clause is only checked when
		// the function has returned.
		if st.reason == contract.Broken("") {
			return nil
		}
		out.Status, out.Violated = testcase.Returned, st.reason
	case StopExit:
		out.Status = testcase.Exited
	default:
		return nil
	}
	return out
}

// othersRun reports whether goroutines that did not end the path could have gone on. In a native run such a
// goroutine may come first: if it panics, the process ends before the call returns, or after.
func (m *Machine) othersRun(st *State) bool {
	for i, g := range st.gs {
		if i != st.cur && !g.done && g.top != nil && (!g.blocked || g.wake != nil || g.until > 0 || m.semaReady(st, g)) {
			return true
		}
	}
	return false
}

func (p *predictor) eval(v Value) uint64 {
	if v.Lazy == poison {
		p.bad = true
		return 0
	}
	if v.Term != 0 {
		return p.m.ts.Eval(v.Term, p.mod)
	}
	return v.Bits
}

// value predicts a value of type t.
func (p *predictor) value(v []Value, t *Type, depth int) testcase.Value {
	p.size++
	if p.size > maxPredicted || depth > 12 {
		p.bad = true
		return testcase.Value{}
	}
	out := testcase.Value{Type: t.Go}
	switch t.Kind {
	case KBool:
		out.Kind, out.Bits = testcase.Bool, p.eval(v[0])&1
	case KInt:
		out.Kind, out.Bits = testcase.Int, uint64(sext(p.eval(v[0]), t.Bits))
	case KUint:
		out.Kind, out.Bits = testcase.Uint, p.eval(v[0])
	case KFloat:
		out.Kind, out.Bits = testcase.Float, p.eval(v[0])
	case KComplex:
		out.Kind, out.Bits, out.Imag = testcase.Complex, p.eval(v[0]), p.eval(v[1])
	case KString:
		out.Kind = testcase.String
		out.Str = p.text(v)
		out.Len = len(out.Str)
	case KSlice:
		p.slice(v, t, depth, &out)
	case KArray:
		out.Kind, out.Len = testcase.Array, t.Len
		size := t.Elem.Size
		for i := range t.Len {
			out.Elems = append(out.Elems, p.value(v[i*size:(i+1)*size], t.Elem, depth+1))
		}
	case KStruct:
		out.Kind, out.Len = testcase.Struct, len(t.Fields)
		for _, f := range t.Fields {
			out.Elems = append(out.Elems, p.value(v[f.Off:f.Off+f.Type.Size], f.Type, depth+1))
		}
	case KPointer:
		p.pointer(v[0], t, depth, &out)
	case KInterface:
		p.iface(v, depth, &out)
	case KFunc, KChan, KUnsafePointer:
		if isNilCell(v[0]) {
			out.Kind = testcase.Nil
		} else if v[0].Lazy != 0 {
			p.bad = true
		} else {
			out.Kind = testcase.Opaque
		}
	default: // the runner decides the order of maps and what they share
		if isNilCell(v[0]) {
			out.Kind = testcase.Nil
		} else {
			p.bad = true
		}
	}
	return out
}

func (p *predictor) text(v []Value) string {
	n := p.eval(v[1])
	if n > maxPredicted {
		p.bad = true
		return ""
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(p.eval(p.cell(v[0], i, 8)))
	}
	return string(b)
}

// cell returns element i behind an address whose index may be symbolic.
func (p *predictor) cell(at Value, i, w int) Value {
	if at.Term != 0 {
		at = Value{Bits: at.Bits + p.eval(Value{Term: at.Term})}
	}
	return p.m.readCell(p.st, ptr(at.obj(), at.off()+i), w)
}

func (p *predictor) slice(v []Value, t *Type, depth int, out *testcase.Value) {
	n := p.eval(v[1])
	if n == 0 {
		isNilSlice := v[0].Bits == 0 && v[0].Lazy == 0
		p.bad = p.bad || v[0].Lazy == poison
		if k := v[0].Lazy; k != 0 && k != poison {
			e := p.st.lazies.at(k)
			isNilSlice = e.kind != notNil && p.eval(e.length) == 0
		}
		if isNilSlice {
			out.Kind = testcase.Nil
			return
		}
	}
	if n > maxPredicted {
		p.bad = true
		return
	}
	out.Kind, out.Len = testcase.Slice, int(n)
	base := v[0]
	base.Lazy = 0
	if base.Term != 0 {
		base = Value{Bits: base.Bits + p.eval(Value{Term: base.Term})}
	}
	size := t.Elem.Size
	for i := range int(n) {
		cells := make([]Value, size)
		at := ptr(base.obj(), base.off()+i*size)
		if size > 0 {
			o := p.st.object(base.obj())
			if o.kind == objLazy && o.lazy.hasElems() {
				found := false
				for _, e := range o.lazy.elems {
					if e.index == int64(at.off()/size) {
						copy(cells, p.st.object(e.cells).cells)
						found = true
					}
				}
				if !found {
					// The element was never used. It is as in the input, where it has the zero value.
					out.Elems = append(out.Elems, p.value(cells, t.Elem, depth+1))
					continue
				}
			} else if size == 1 && t.Elem.scalar() {
				cells[0] = p.m.readCell(p.st, at, t.Elem.width())
			} else if o.kind == objCells && at.off()+size <= len(o.cells) {
				copy(cells, o.cells[at.off():])
			} else {
				p.bad = true
				return
			}
		}
		out.Elems = append(out.Elems, p.value(cells, t.Elem, depth+1))
	}
}

func (p *predictor) pointer(v Value, t *Type, depth int, out *testcase.Value) {
	off := v.Bits
	if v.Lazy != 0 {
		if v.Lazy == poison {
			p.bad = true
			return
		}
		e := p.st.lazies.at(v.Lazy)
		if e.kind != isValue {
			out.Kind = testcase.Nil
			return
		}
		v = Value{Bits: e.val[0].Bits + off, Term: v.Term}
	}
	if v.Bits == 0 {
		out.Kind = testcase.Nil
		return
	}
	if v.Term != 0 {
		v = Value{Bits: v.Bits + p.eval(Value{Term: v.Term})}
	}
	out.Kind, out.Len = testcase.Pointer, 1
	key := v.Bits ^ uint64(t.ID)<<52
	if id, ok := p.seen[key]; ok {
		out.ID, out.Again = id, true
		return
	}
	p.seen[key] = len(p.seen) + 1
	out.ID = len(p.seen)
	o := p.st.object(v.obj())
	n := t.Elem.Size
	if o.kind != objCells || v.off()+n > len(o.cells) {
		p.bad = true
		return
	}
	out.Elems = []testcase.Value{p.value(o.cells[v.off():v.off()+n], t.Elem, depth+1)}
}

func (p *predictor) iface(v []Value, depth int, out *testcase.Value) {
	if v[0].Lazy != 0 {
		if v[0].Lazy == poison {
			p.bad = true
			return
		}
		e := p.st.lazies.at(v[0].Lazy)
		switch e.kind {
		case isValue:
			v = e.val[:]
		case isNil:
			out.Kind = testcase.Nil
			return
		case undecided:
			if len(e.excluded) == 0 {
				out.Kind = testcase.Nil
				return
			}
			p.bad = true
			return
		default:
			p.bad = true
			return
		}
	}
	if v[0].Bits == 0 {
		out.Kind = testcase.Nil
		return
	}
	t := p.m.types.all[v[0].Bits]
	out.Kind, out.Len = testcase.Interface, 1
	if p.m.isModel(t) {
		out.Elems = []testcase.Value{{Kind: testcase.Opaque}} // the runtime's own type has another representation
		return
	}
	out.Elems = []testcase.Value{p.value(p.m.unbox(p.st, t, v[1]), t, depth+1)}
}
