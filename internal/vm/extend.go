package vm

import (
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// The functions here are for package sequence, and for questions (see Ask): they keep the states in which paths ended and
// continue from them. The driver of such a state grows, and its earlier calls are never executed again.

// Keep says that the caller uses the path's state after yield has returned: it may Extend the state, and has
// to Release it in the end.
func (p *Path) Keep() { p.keep = true }

// Release gives back memory that only this state holds. The state must not be used again.
func (st *State) Release() { st.pc.Release() }

// Driver returns the sequence of calls that the state executes.
func (st *State) Driver() *Driver { return st.driver }

// Trail returns the number of branch decisions along the path so far, for ConditionsFrom.
func (st *State) Trail() int { return st.trail.n }

// Conditions returns the number of conjuncts of the path condition.
func (st *State) Conditions() int { return st.pc.Len() }

// Conjuncts returns the conjuncts of the path condition, the oldest first.
func (st *State) Conjuncts() []term.ID { return st.pc.Conjuncts() }

// Implies reports whether the path condition certainly implies c. It may ask the solver.
func (m *Machine) Implies(st *State, c term.ID) bool {
	if b, ok := m.ts.IsConst(c); ok {
		return b != 0
	}
	_, no := m.sctx.Branch(st.pc, c)
	return no == solver.Unsat
}

// Root returns a finished state in which no call was made.
func (m *Machine) Root() *State {
	st := m.newState(&Driver{})
	m.endPath(st, StopReturn, "")
	return st
}

// Start returns a state that is about to execute a driver.
func (m *Machine) Start(d *Driver) *State { return m.newState(d) }

// Usable reports whether a state that has returned from its last call has the result a: a value that is not
// nil, without an error beside it.
func (m *Machine) Usable(st *State, a DriverArg) bool {
	d := *st.driver
	d.Calls = append(d.Calls[:len(d.Calls):len(d.Calls)], DriverCall{Args: []DriverArg{a}})
	was := st.driver
	st.driver = &d
	defer func() { st.driver = was }()
	return m.usable(st)
}

// Extend returns a state that is about to execute the calls that d has beyond those of st, a state that has
// returned from its last call. It returns nil if a result that these calls need is missing, because it is nil
// or came with an error.
func (m *Machine) Extend(st *State, d *Driver) *State {
	if st.stop != StopReturn || len(d.Calls) <= len(st.driver.Calls) {
		panic("bug: vm: an extension of a state that has not returned, or by no call")
	}
	c := st.fork()
	c.driver, c.stop, c.reason = d, StopNone, ""
	if c.call >= 0 && !m.usable(c) {
		c.pc.Release()
		return nil
	}
	return c
}

// Fails reports whether a path that has returned may have returned false, or an error, as the only result of
// its last call. If so, Fails restricts the path to such inputs.
func (m *Machine) Fails(p *Path) bool {
	st := p.State
	if p.Stop != StopReturn || st.call < 0 {
		return false
	}
	tuple := m.types.of(st.driver.Calls[st.call].Func.Signature.Results())
	res := st.results[st.call]
	switch {
	case len(tuple.Fields) != 1:
		return false
	case m.isError(tuple.Fields[0].Type):
		return res[0].Lazy == 0 && res[0].Bits != 0
	case tuple.Fields[0].Type.Kind != KBool || res[0].Lazy != 0:
		return false
	case res[0].Term == 0:
		return res[0].Bits == 0
	}
	if _, no := m.sctx.Branch(st.pc, res[0].Term); no != solver.Sat {
		return false
	}
	m.sctx.Assume(st.pc, m.ts.Not(res[0].Term))
	return true
}

// Restrict adds a condition to a finished state's path. It reports whether some inputs may be left.
func (m *Machine) Restrict(st *State, c term.ID) bool {
	if yes, _ := m.sctx.Branch(st.pc, c); yes == solver.Unsat {
		return false
	}
	m.sctx.Assume(st.pc, c)
	return true
}

// AppendOutcome appends to key how a path's last call ended, in kind: which of its results are nil,
// false or true. If a first result is true or false depending on the inputs, cond is the condition, and
// at is the result's place in the key; otherwise cond is 0.
func (m *Machine) AppendOutcome(key []byte, p *Path) (_ []byte, at int, cond term.ID) {
	st := p.State
	key = append(key, p.Stop...)
	if p.Stop != StopReturn || st.call < 0 {
		return key, 0, 0
	}
	tuple := m.types.of(st.driver.Calls[st.call].Func.Signature.Results())
	for _, f := range tuple.Fields {
		switch f.Type.Kind {
		case KBool, KPointer, KInterface, KMap, KFunc, KChan:
			switch v := st.results[st.call][f.Off]; {
			case v.Term != 0 && v.Lazy == 0 && f.Type.Kind == KBool && cond == 0:
				at, cond = len(key), v.Term
				key = append(key, '?')
			case v.Term != 0 || v.Lazy != 0:
				key = append(key, '?')
			case v.Bits == 0:
				key = append(key, '0')
			default:
				key = append(key, '1')
			}
		}
	}
	return key, at, cond
}

// Narrow returns the part of a path on which a condition holds, or nil if there may be none. The caller
// releases its state.
func (m *Machine) Narrow(p *Path, c term.ID) *Path {
	if yes, _ := m.sctx.Branch(p.State.pc, c); yes != solver.Sat {
		return nil
	}
	st := *p.State
	st.pc = p.State.pc.Fork()
	m.sctx.Assume(st.pc, c)
	q := *p
	q.State = &st
	return &q
}

// Uncover forgets which code paths have covered, for an exploration that begins again. It keeps what cases
// have claimed.
func (m *Machine) Uncover() {
	clear(m.covered)
	m.epoch++
}

// Coverage counts the branch decisions in the package under test: how many were taken,
// and how many there are in the functions that were entered, two for each branch.
func (m *Machine) Coverage() (covered, total int) {
	for _, f := range m.funcs {
		if !f.own || f.code == nil {
			continue
		}
		for pc, s := range f.sites {
			if s < 0 {
				continue
			}
			switch f.code[pc].Op {
			case opIf, opIfEq, opIfNe, opIfLtS, opIfLeS, opIfLtU, opIfLeU:
				total += 2
				for way := range 2 {
					if !m.uncovered(int(s)<<2 | way) {
						covered++
					}
				}
			}
		}
	}
	return covered, total
}

// repeatedArgument returns the value of an argument of an earlier call.
func (m *Machine) repeatedArgument(st *State, a DriverArg, t *Type) []Value {
	v, from := st.earlier(a)
	if !a.Deref {
		return append([]Value(nil), v...)
	}
	out := make([]Value, t.Size)
	m.load(st, m.pointer(st, v[0], from.Elem), t, out)
	return out
}

// earlier finds the cells of an argument of an earlier call, and their type.
func (st *State) earlier(a DriverArg) ([]Value, *Type) {
	at := 0
	for i, b := range st.driver.Calls[a.Of-1].Args {
		t := st.m.types.of(b.Type)
		if i == a.Result {
			return st.args[a.Of-1][at : at+t.Size], t
		}
		at += t.Size
	}
	panic("bug: vm: no such argument")
}

// repeatedArgument writes an argument of an earlier call.
func (b *builder) repeatedArgument(a DriverArg) testcase.Ref {
	v, t := b.st.earlier(a)
	r := b.value(v, t)
	if a.Deref {
		r = b.out.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: a.Type}, r)
	}
	return r
}

// zeroInput allocates an input variable that holds the zero value.
func (m *Machine) zeroInput(st *State, t *Type) ObjID {
	m.limitMemory(st)
	elem := t
	if t.Kind == KArray {
		elem = t.Elem
	}
	id := st.newObject(&Object{cells: make([]Value, t.Size), elem: elem})
	st.objects = append(st.objects[:len(st.objects):len(st.objects)], inputObject{id: id, name: "zero" + itoa(len(st.objects)), elem: t, initial: make([]Value, t.Size)})
	st.mutable(id).input = uint32(len(st.objects))
	return id
}

// literalCells makes the cells of a literal of type t.
func (m *Machine) literalCells(st *State, lit *testcase.Literal, t *Type) []Value {
	switch {
	case t.Kind == KString && lit.Kind == testcase.LitString:
		return m.newString(st, lit.Str)
	case t.scalar():
		return []Value{{Bits: lit.Bits & mask(uint8(t.width()))}}
	}
	panic("bug: vm: a literal of type " + t.Name)
}

// short makes the cells of text of n symbolic bytes, letters if possible, or of a slice
// of n symbolic scalars.
func (m *Machine) short(st *State, t *Type, name string, n int) []Value {
	elem := m.byteType
	if t.Kind == KSlice {
		elem = t.Elem
	}
	if !elem.scalar() {
		panic("bug: vm: a short input of type " + t.Name)
	}
	w := elem.width()
	a := m.inputArray(name, w)
	id := st.newCells(n, elem)
	cells := st.mutable(id).cells
	for i := range cells {
		cells[i] = Value{Term: m.ts.Read(a, m.ts.Const(64, uint64(i)))}
	}
	if t.Kind == KSlice {
		st.objects = append(st.objects[:len(st.objects):len(st.objects)], inputObject{id: id, name: name, elem: elem, array: true, length: num(n)})
		st.mutable(id).input = uint32(len(st.objects))
		for _, c := range cells {
			st.leaves = append(st.leaves[:len(st.leaves):len(st.leaves)], leaf{c.Term, elem})
		}
		return []Value{ptr(id, 0), num(n), num(n)}
	}
	for _, c := range cells {
		st.prefers = append(st.prefers[:len(st.prefers):len(st.prefers)],
			m.ts.And(m.ts.Ule(m.ts.Const(8, 'a'), c.Term), m.ts.Ule(c.Term, m.ts.Const(8, 'z'))))
	}
	return []Value{ptr(id, 0), num(n)}
}
