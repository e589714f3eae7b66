package vm

import (
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/solver"
)

// This file asks the objects at the end of a path whether they are valid: what the last call has returned, what it was
// passed, and what these lead to. The predicate is executed as a further call of the driver, so that its branches are
// decisions like others, and a solution of a path on which it says no is an input for which the call breaks the object.

// Predicate returns the method by which values of a type say whether they are valid, or nil if the type has none.
type Predicate func(*types.Named) *types.Func

// predicate returns the predicate as a method of t, a type or a pointer to one, or nil if t has no such method.
func (m *Machine) predicate(t types.Type, valid Predicate) *ssa.Function {
	named := load.NamedOf(t)
	if named == nil {
		return nil
	}
	f := valid(named)
	if f == nil || types.NewMethodSet(t).Lookup(f.Pkg(), f.Name()) == nil {
		return nil
	}
	return m.prog.LookupMethod(t, f.Pkg(), f.Name())
}

// Question returns the call that asks an argument whether it is valid, if its type has a predicate.
func (m *Machine) Question(a DriverArg, valid Predicate) (c DriverCall, ok bool) {
	fn := m.predicate(a.Type, valid)
	return DriverCall{Func: fn, Question: true, Args: []DriverArg{a}}, fn != nil
}

// Asked is an object at the end of a path that can be asked.
type Asked struct {
	// Where names the object by the steps that lead to it, which are the same on all paths.
	Where string
	fn    *ssa.Function
	typ   *Type   // of the object
	at    Value   // its address, if it is in memory
	cells []Value // its content otherwise
	// Receiver says that the object is what the first argument points to.
	Receiver bool
	// result is the number of the result that the object is or belongs to, -1 if an argument leads to it.
	result int
}

// mostAskedDeep is how many fields or elements lead from an object to a part that is asked, and mostAskedElements how
// many elements of a list are asked.
const (
	mostAskedDeep     = 2
	mostAskedElements = 3
)

// ObjectsToAsk returns the objects to ask at the end of a path that has returned from its driver's last call.
func (m *Machine) ObjectsToAsk(st *State, valid Predicate) []Asked {
	if st.stop != StopReturn || st.call < 0 {
		return nil
	}
	w := &askWalk{m: m, st: st, valid: valid}
	c := &st.driver.Calls[st.call]
	if len(c.Args) > 0 && m.types.of(c.Args[0].Type).Kind == KPointer {
		w.first = st.args[st.call][:1]
	}
	results := m.types.of(c.Func.Signature.Results())
	for i, f := range results.Fields {
		w.result = i
		w.value(st.results[st.call][f.Off:f.Off+f.Type.Size], f.Type, "result "+strconv.Itoa(i), mostAskedDeep)
	}
	w.result = -1
	at := 0
	for i, a := range c.Args {
		t := m.types.of(a.Type)
		if t.Kind == KPointer || t.Kind == KSlice { // the call got a copy of anything else
			w.value(st.args[st.call][at:at+t.Size], t, "argument "+strconv.Itoa(i), mostAskedDeep)
		}
		at += t.Size
	}
	return w.out
}

// askWalk finds the objects to ask.
type askWalk struct {
	m      *Machine
	st     *State
	valid  Predicate
	result int
	first  []Value // the first argument, if it is a pointer
	out    []Asked
}

// resolved returns what an input stands for that was decided when it was looked at. The result ok is false if it was
// not, and for values that are not known.
func (w *askWalk) resolved(v Value) (_ Value, ok bool) {
	if v.Lazy == poison || v.Term != 0 {
		return v, false
	}
	if v.Lazy == 0 {
		return v, true
	}
	e := w.st.lazies.at(v.Lazy)
	if e.kind != isValue {
		return v, false
	}
	r := e.val[0]
	r.Bits += v.Bits
	return r, r.Term == 0 && r.Lazy == 0
}

// value adds a value that is in no variable of the program, and what it leads to.
func (w *askWalk) value(cells []Value, t *Type, where string, deep int) {
	switch t.Kind {
	case KPointer:
		if at, ok := w.resolved(cells[0]); ok && at.Bits != 0 {
			w.object(at, t.Elem, where, deep)
		}
	case KSlice:
		w.elements(cells, t, where, deep)
	case KInterface:
		if cells[0].Lazy == 0 && cells[0].Term == 0 && cells[0].Bits != 0 {
			held := w.m.types.all[cells[0].Bits]
			w.value(w.m.unbox(w.st, held, cells[1]), held, where+" held", deep)
		}
	case KStruct, KArray, KBool, KInt, KUint, KFloat, KString:
		w.add(Asked{Where: where, typ: t, cells: cells, result: w.result})
		if t.Kind == KStruct && deep > 0 {
			for _, f := range t.Fields {
				w.value(cells[f.Off:f.Off+f.Type.Size], f.Type, where+"."+f.Name, deep-1)
			}
		}
	}
}

// object adds a variable, and what it leads to.
func (w *askWalk) object(at Value, t *Type, where string, deep int) {
	if t.Kind == KPointer || t.Kind == KSlice || t.Kind == KInterface {
		if cells, ok := w.content(at, t.Size); ok {
			w.value(cells, t, where, deep)
		}
		return
	}
	w.add(Asked{Where: where, typ: t, at: at, result: w.result})
	if t.Kind != KStruct || deep == 0 {
		return
	}
	for _, f := range t.Fields {
		w.object(ptr(at.obj(), at.off()+f.Off), f.Type, where+"."+f.Name, deep-1)
	}
}

// elements adds the first elements of a list. The list takes none of the depth if it is a field.
func (w *askWalk) elements(cells []Value, t *Type, where string, deep int) {
	base, ok := w.resolved(cells[0])
	if !ok || base.Bits == 0 || cells[1].Term != 0 || cells[1].Lazy != 0 {
		return
	}
	for i := range min(int(cells[1].Bits), mostAskedElements) {
		w.object(ptr(base.obj(), base.off()+i*t.Elem.Size), t.Elem, where+"[]", max(0, deep-1))
	}
}

// content returns the cells at an address, if they are there.
func (w *askWalk) content(at Value, size int) ([]Value, bool) {
	o := w.st.object(at.obj())
	if o == nil || o.kind != objCells || at.off()+size > len(o.cells) {
		return nil, false
	}
	return o.cells[at.off() : at.off()+size], true
}

// add adds an object if its type has a predicate.
func (w *askWalk) add(a Asked) {
	if _, ok := types.Unalias(a.typ.Go).(*types.Named); !ok {
		return
	}
	if len(w.first) > 0 && a.cells == nil {
		r, ok := w.resolved(w.first[0])
		a.Receiver = ok && r == a.at
	}
	if a.fn = w.m.predicate(types.NewPointer(a.typ.Go), w.valid); a.fn != nil {
		w.out = append(w.out, a)
	}
}

// Ask returns a state that is about to ask an object at the end of a path. It returns nil if the object is a result that
// need not be valid, because it comes beside an error or beside false.
func (m *Machine) Ask(st *State, a Asked) *State {
	if a.result >= 0 && !m.Usable(st, DriverArg{Call: st.call, Result: a.result}) {
		return nil
	}
	g := &givenCells{cells: []Value{a.at}}
	if a.cells != nil {
		g = &givenCells{cells: a.cells, variable: a.typ}
	}
	d := *st.driver
	d.Calls = append(d.Calls[:len(d.Calls):len(d.Calls)], DriverCall{
		Func: a.fn, Question: true, Args: []DriverArg{{Call: -1, Type: types.NewPointer(a.typ.Go), given: g}},
	})
	return m.Extend(st, &d)
}

// givenCells are the cells of an argument that the heap of a path already has. If variable is not nil they are the content of
// a new variable of that type, whose address is passed.
type givenCells struct {
	cells    []Value
	variable *Type
}

// passed returns the cells that are passed.
func (g *givenCells) passed(m *Machine, st *State) []Value {
	if g.variable == nil {
		return append([]Value(nil), g.cells...)
	}
	id := m.newVariable(st, g.variable)
	copy(st.mutable(id).cells, g.cells)
	return []Value{ptr(id, 0)}
}

// affirmed restricts a path to the inputs for which the question under way is answered with yes. It reports whether there
// may be some.
func (m *Machine) affirmed(st *State) bool {
	v := st.results[st.call][0]
	if m.isError(m.types.of(st.driver.Calls[st.call].Func.Signature.Results()).Fields[0].Type) {
		return v.Lazy == 0 && v.Bits == 0
	}
	if v.Lazy != 0 || v.Term == 0 {
		return v.Lazy == 0 && v.Bits != 0
	}
	if yes, _ := m.sctx.Branch(st.pc, v.Term); yes != solver.Sat {
		return false
	}
	m.sctx.Assume(st.pc, v.Term)
	return true
}
