package finding

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file asks objects by their own RepOK or CheckInvariants whether they are valid, to find out which call of a
// sequence breaks one: the receiver, an argument, a result, or an object that one of these leads to. The first call
// after which an object says that it is broken is to blame.

// Inquiry asks whether an object is valid after a statement of a sequence.
type Inquiry struct {
	Seq *testcase.Sequence // ends with the question
	At  int                // the number of the statement, -1 for an input that the test itself has made or written to
	// Seen is what the call of the statement left of the object, if that was observed.
	Seen testcase.Value
}

// Before returns the same question after each earlier call of the package that may have reached the object, the first one first.
// Only what was observed says which keys a map has and what an interface holds, and objects are observed when they are
// made and at the end; an earlier call may therefore have broken a part of which nobody knew.
func (q Inquiry) Before(pkg *load.Package) []Inquiry {
	var out []Inquiry
	object, _ := askedObject(q.Seq)
	for at := range max(q.At, 0) {
		op := q.Seq.At(at).Op
		if !CallsOf(pkg, op) || load.IsInvariant(op.Func.Name()) || object.Stmt >= at || !reaches(pkg, q.Seq, at, object) {
			continue
		}
		keep := make([]bool, q.Seq.Len())
		for i := range keep {
			keep[i] = i <= at || i > q.At
		}
		if s, ok := q.Seq.Keep(keep); ok {
			out = append(out, Inquiry{Seq: s, At: at})
		}
	}
	return out
}

// reaches reports whether the call at a statement of a sequence may reach an object: it takes the object, returns it, or
// takes another one that earlier calls of the package were passed together with it, or have returned for it. What a call
// keeps of its arguments is not always to be seen: a channel, a closure or an atomic pointer may hold it.
func reaches(pkg *load.Package, s *testcase.Sequence, at int, object testcase.Ref) bool {
	if object.Stmt == at || slices.Contains(s.At(at).Args, object) {
		return true
	}
	all := s.ResultTypes()
	linked := map[testcase.Ref]bool{object: true}
	for i := range at + 1 {
		st := s.At(i)
		if !CallsOf(pkg, st.Op) || load.IsInvariant(st.Op.Func.Name()) {
			continue
		}
		together := slices.Clone(st.Args)
		for r := range all[i] {
			together = append(together, testcase.Ref{Stmt: i, Result: r})
		}
		if i == at {
			together = st.Args
		}
		if !slices.ContainsFunc(together, func(ref testcase.Ref) bool { return linked[ref] }) {
			continue
		}
		if i == at {
			return true
		}
		for _, ref := range together {
			linked[ref] = linked[ref] || !isBasic(all[ref.Stmt][ref.Result])
		}
	}
	return false
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// Predicates are the methods by which types of a package say whether an object is valid, by type.
type Predicates map[*types.TypeName]*load.Target

// PredicatesOf returns the predicates of a package's types.
func PredicatesOf(pkg *load.Package) Predicates {
	out := make(Predicates)
	for _, t := range pkg.Targets {
		if t.Recv == nil || !load.IsPredicate(t.Obj) {
			continue
		}
		if named := load.NamedOf(t.Recv); named != nil {
			if _, ok := out[named.Obj()]; !ok {
				out[named.Obj()] = t
			}
		}
	}
	return out
}

// Method returns the predicate of a type as its declaration, or nil if it has none. It is what the symbolic machine is told.
func (p Predicates) Method(named *types.Named) *types.Func {
	if m := p[named.Origin().Obj()]; m != nil {
		return m.Obj
	}
	return nil
}

// of returns the predicate of a type, or of what it points to, and nil if it has none.
func (p Predicates) of(t types.Type) *load.Target {
	named := load.NamedOf(t)
	if named == nil {
		return nil
	}
	m := p[named.Origin().Obj()]
	if m == nil || m.Obj.Signature().TypeParams() != nil {
		return nil
	}
	return m
}

// Questions returns the questions that an execution of a sequence raises, in the order in which they would be answered.
// What was observed says which objects interfaces and maps lead to.
func (p Predicates) Questions(pkg *load.Package, s *testcase.Sequence, o *testcase.Outcome) []Inquiry {
	n := s.Len()
	if AsksInvariant(s) {
		n--
	}
	if o.Status != testcase.Returned {
		n = min(n, o.At) // there is nothing to ask after the call that ended the case
	}
	a := &asking{pkg: pkg, valid: p, seq: s, all: s.ResultTypes(), observed: o}
	if n < s.Len() && n == s.Len()-1 {
		if root, _ := askedObject(s); !CallsOf(pkg, s.At(root.Stmt).Op) && !a.touched(root) {
			return a.ask(n-1, s.Last().Args[0])
		}
	}
	known := make(map[testcase.Ref]int) // the last call of the package that each object was passed to, or was made by
	edited := -1                        // the last statement that writes to an object by hand
	var out []Inquiry
	for at := range n {
		st := s.At(at)
		switch st.Op.Kind {
		case testcase.OpSetField, testcase.OpStore, testcase.OpSetIndex:
			edited = at
		}
		if !CallsOf(pkg, st.Op) || load.IsInvariant(st.Op.Func.Name()) {
			continue
		}
		for _, arg := range st.Args {
			switch last, ok := known[arg]; {
			case !ok && !CallsOf(pkg, s.At(arg.Stmt).Op):
				out = append(out, a.given(at-1, arg)...)
			case ok && last < edited:
				out = append(out, a.given(edited, arg)...)
			}
			known[arg] = at
		}
		for _, arg := range st.Args {
			out = append(out, a.ask(at, arg)...)
		}
		out = append(out, a.reached(at, known)...)
		for r := range a.all[at] {
			if at < len(o.Results) && isNoObject(st.Op, o.Results[at], r) {
				continue
			}
			ref := testcase.Ref{Stmt: at, Result: r}
			known[ref] = at
			out = append(out, a.ask(at, ref)...)
		}
	}
	return out
}

// mostReached is how many objects are asked that a call may have reached without taking them.
const mostReached = 3

// reached returns the questions about known objects that a call was not passed and may have reached all the same.
func (a *asking) reached(at int, known map[testcase.Ref]int) []Inquiry {
	var out []Inquiry
	args := a.seq.At(at).Args
	for i := range at {
		for r, t := range a.all[i] {
			ref := testcase.Ref{Stmt: i, Result: r}
			_, pointer := types.Unalias(t).(*types.Pointer)
			if _, ok := known[ref]; !ok || !pointer || a.valid.of(t) == nil || slices.Contains(args, ref) || !reaches(a.pkg, a.seq, at, ref) {
				continue
			}
			if out = append(out, a.ask(at, ref)...); len(out) >= mostReached {
				return out
			}
		}
	}
	return out
}

// isNoObject reports whether a result of a call need not be valid: it comes beside an error, or beside a last result that is
// false, by which code says that there is nothing, whatever the value beside it is.
func isNoObject(op *testcase.Operation, results []testcase.Value, r int) bool {
	if testcase.Erred(op, results) {
		return true
	}
	n := len(results)
	return n > 1 && r < n-1 && results[n-1].Kind == testcase.Bool && results[n-1].Bits == 0
}

// GoesOnWithFailed reports whether a sequence asks, or passes to a call, an object with a predicate that a call returned
// together with an error, or as nothing. Such a result need not be valid.
func (p Predicates) GoesOnWithFailed(s *testcase.Sequence, o *testcase.Outcome) bool {
	var all [][]types.Type
	for i := range s.Len() {
		for _, ref := range s.At(i).Args {
			if op := s.At(ref.Stmt).Op; !op.IsCall() || ref.Stmt >= len(o.Results) || !isNoObject(op, o.Results[ref.Stmt], ref.Result) {
				continue
			}
			if all == nil {
				all = s.ResultTypes()
			}
			if ref.Result < len(all[ref.Stmt]) && p.of(all[ref.Stmt][ref.Result]) != nil {
				return true
			}
		}
	}
	return false
}

// CallsOf reports whether an operation calls a function of the package.
func CallsOf(pkg *load.Package, op *testcase.Operation) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Func.Pkg() == pkg.Types
}

// mostAsked is how many elements of a list or a map are asked, the first ones, and mostSeen is how many if the elements
// were observed. The last element, and those of which a constant of the case is the index, are asked as well.
const (
	mostAsked = 3
	mostSeen  = 8
)

// mostDeep is how many fields or elements lead from an object to a part that is asked.
const mostDeep = 2

// asking collects the questions about the objects of a sequence.
type asking struct {
	pkg      *load.Package
	valid    Predicates
	seq      *testcase.Sequence
	all      [][]types.Type // the types of all results of the sequence
	observed *testcase.Outcome

	prefix *testcase.Sequence // up to the statement after which is asked
	at     int                // the number of the statement
	out    []Inquiry
}

// part is an object, or a value that leads to one.
type part struct {
	ref  testcase.Ref
	typ  types.Type
	path []testcase.Statement // the statements that lead to it
	seen testcase.Value       // what was observed of it, Invalid if nothing was
}

// touched reports whether a call of the package takes an object before the last statement.
func (a *asking) touched(ref testcase.Ref) bool {
	for i := range a.seq.Len() - 1 {
		if st := a.seq.At(i); CallsOf(a.pkg, st.Op) && slices.Contains(st.Args, ref) {
			return true
		}
	}
	return false
}

// given returns the questions about an object that the test itself has made, or written to, up to a statement. No call is
// to blame for what such an object says, not even one that the statement happens to be.
func (a *asking) given(at int, ref testcase.Ref) []Inquiry {
	out := slices.Clone(a.ask(at, ref))
	for i := range out {
		out[i].At = -1
	}
	return out
}

// ask returns the questions about an object, and about the parts that it leads to, after a statement.
func (a *asking) ask(at int, ref testcase.Ref) []Inquiry {
	keep := make([]bool, a.seq.Len())
	for i := range at + 1 {
		keep[i] = true
	}
	prefix, ok := a.seq.Keep(keep)
	if !ok {
		return nil
	}
	a.prefix, a.at, a.out = prefix, at, nil
	object := part{ref: ref, typ: a.all[ref.Stmt][ref.Result], seen: a.value(ref)}
	a.add(object)
	a.parts(object, mostDeep)
	return a.out
}

// value returns what was observed of a value after the statement after which is asked, or at least when it was made.
func (a *asking) value(ref testcase.Ref) testcase.Value {
	o := a.observed
	if last := a.seq.Len() - 1; a.at == last && len(o.Final) == len(a.seq.Last().Args) {
		if k := slices.Index(a.seq.Last().Args, ref); k >= 0 {
			return o.Final[k]
		}
	}
	if ref.Stmt < len(o.Results) && ref.Result < len(o.Results[ref.Stmt]) {
		return o.Results[ref.Stmt][ref.Result]
	}
	return testcase.Value{}
}

// to returns the part that one more statement leads to.
func (a *asking) to(p part, op *testcase.Operation, seen testcase.Value, args ...testcase.Ref) part {
	args = append([]testcase.Ref{p.ref}, args...)
	path := append(slices.Clone(p.path), testcase.Statement{Op: op, Args: args})
	return part{ref: testcase.Ref{Stmt: a.prefix.Len() + len(path) - 1}, typ: op.Type, path: path, seen: seen}
}

// add adds the question about an object, if its type has a predicate.
func (a *asking) add(p part) {
	m := a.valid.of(p.typ)
	if m == nil {
		return
	}
	_, have := types.Unalias(p.typ).(*types.Pointer)
	_, want := types.Unalias(m.Obj.Signature().Recv().Type()).(*types.Pointer)
	if want && !have {
		p = a.to(p, &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(p.typ)}, testcase.Value{})
	}
	var args []types.Type
	for t := range load.NamedOf(p.typ).TypeArgs().Types() {
		args = append(args, t)
	}
	question := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: m.Obj, TypeArgs: args}, Args: []testcase.Ref{p.ref}}
	q := Inquiry{Seq: a.prefix.Extend(append(slices.Clone(p.path), question)...), At: a.at}
	if a.at == a.seq.Len()-1 && len(p.path) == 0 && !a.observed.Wavers {
		if k := slices.Index(a.seq.Last().Args, p.ref); k >= 0 && k < len(a.observed.Final) && !shownBefore(a.observed.Final[k]) {
			q.Seen = a.observed.Final[k]
		}
	}
	a.out = append(a.out, q)
}

// shownBefore reports whether a value has a part that was observed elsewhere, and is not shown again.
func shownBefore(v testcase.Value) bool { return v.Again || slices.ContainsFunc(v.Elems, shownBefore) }

// parts adds the questions about what an object leads to: by its fields, by the elements of a list or a map, or because
// an interface holds it.
func (a *asking) parts(p part, deep int) {
	if deep == 0 || !a.leads(p.typ, deep) {
		return
	}
	base, seen := p.typ, p.seen
	if ptr, ok := types.Unalias(p.typ).(*types.Pointer); ok {
		base, seen = ptr.Elem(), elem(seen, testcase.Pointer, 0)
	}
	switch u := base.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			a.further(a.to(p, &testcase.Operation{Kind: testcase.OpField, Type: f.Type(), Var: f}, elem(seen, testcase.Struct, i)), deep)
		}
	case *types.Slice:
		if base == p.typ {
			a.elements(p, u.Elem(), deep)
		}
	case *types.Array:
		if base == p.typ {
			a.elements(p, u.Elem(), deep)
		}
	case *types.Map:
		if base == p.typ {
			a.values(p, u, deep)
		}
	case *types.Interface:
		if held := elem(seen, testcase.Interface, 0); base == p.typ && held.Type != nil && a.valid.of(held.Type) != nil {
			a.further(a.to(p, &testcase.Operation{Kind: testcase.OpAssert, Type: held.Type}, held), 1)
		}
	}
}

// further adds the questions about a part and what it leads to. What holds lists and the like takes none of the depth.
func (a *asking) further(p part, deep int) {
	a.add(p)
	switch p.typ.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map, *types.Interface:
		a.parts(p, deep)
	default:
		a.parts(p, deep-1)
	}
}

// elem returns what was observed of a part of a value of a kind.
func elem(v testcase.Value, kind testcase.ValueKind, i int) testcase.Value {
	if v.Kind != kind || i >= len(v.Elems) {
		return testcase.Value{}
	}
	return v.Elems[i]
}

// leads reports whether values of a type may lead to an object that can be asked, within so many fields.
func (a *asking) leads(t types.Type, deep int) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct && a.leads(u.Elem(), deep)
	case *types.Struct:
		for f := range u.Fields() {
			if a.valid.of(f.Type()) != nil || deep > 1 && a.leads(f.Type(), deep-1) {
				return true
			}
			switch f.Type().Underlying().(type) {
			case *types.Slice, *types.Array, *types.Map, *types.Interface:
				if a.leads(f.Type(), deep) {
					return true
				}
			}
		}
	case *types.Slice:
		return a.asked(u.Elem(), deep)
	case *types.Array:
		return a.asked(u.Elem(), deep)
	case *types.Map:
		return a.asked(u.Elem(), deep)
	case *types.Interface:
		return true
	}
	return false
}

// asked reports whether elements of a type are objects that can be asked, or may lead to one. A list in a list takes one
// of the depth, because a type may be a list of itself.
func (a *asking) asked(t types.Type, deep int) bool {
	return a.valid.of(t) != nil || types.IsInterface(t) || deep > 1 && a.leads(t, deep-1)
}

// elements adds the questions about elements of a list. Where there is no such element, the question has no answer.
func (a *asking) elements(list part, t types.Type, deep int) {
	if !a.asked(t, deep) {
		return
	}
	n := -1 // the length, if it is known
	switch list.seen.Kind {
	case testcase.Slice, testcase.Array:
		n = len(list.seen.Elems)
	}
	if u, ok := list.typ.Underlying().(*types.Array); ok {
		n = int(u.Len())
	}
	for _, i := range a.indices(n) {
		lit, _ := testcase.IntLiteral(types.Typ[types.Int], int64(i))
		a.element(list, t, elem(list.seen, list.seen.Kind, i), lit, deep)
	}
}

// maxIndex bounds the constants that are taken for an index of a list whose length is not known.
const maxIndex = 64

// indices returns which elements of a list of length n are asked. The length is -1 if nobody knows it.
func (a *asking) indices(n int) []int {
	first, most := mostAsked, maxIndex
	if n >= 0 {
		first, most = min(mostSeen, n), n
	}
	var out []int
	for i := range first {
		out = append(out, i)
	}
	if n > first {
		out = append(out, n-1)
	}
	for i := range a.prefix.Len() {
		op := a.prefix.At(i).Op
		if op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt && op.Lit.Kind != testcase.LitUint || op.Lit.Bits >= uint64(most) {
			continue
		}
		if k := int(op.Lit.Bits); !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// element adds the questions about the element of a list or a map that a constant leads to.
func (a *asking) element(of part, t types.Type, seen testcase.Value, index testcase.Literal, deep int) {
	key := types.Type(types.Typ[types.Int])
	if m, ok := of.typ.Underlying().(*types.Map); ok {
		key = m.Key()
	}
	of.path = append(slices.Clone(of.path), testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: key, Lit: index}})
	at := testcase.Ref{Stmt: a.prefix.Len() + len(of.path) - 1}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Map:
		deep--
	}
	a.further(a.to(of, &testcase.Operation{Kind: testcase.OpIndex, Type: t}, seen, at), deep)
}

// values adds the questions about what a map has under the first keys that were observed in it, and under the constants
// that were passed before.
func (a *asking) values(m part, t *types.Map, deep int) {
	if !a.asked(t.Elem(), deep) {
		return
	}
	seen := make(map[testcase.Literal]bool)
	for i := 0; i+1 < len(m.seen.Elems) && len(seen) < mostSeen && m.seen.Kind == testcase.Map; i += 2 {
		key, ok := m.seen.Elems[i].Literal()
		if ok && !seen[key] {
			seen[key] = true
			a.element(m, t.Elem(), m.seen.Elems[i+1], key, deep)
		}
	}
	for i := range a.prefix.Len() {
		op := a.prefix.At(i).Op
		if op.Kind == testcase.OpLiteral && types.Identical(a.all[i][0], t.Key()) && !seen[op.Lit] {
			seen[op.Lit] = true
			a.element(m, t.Elem(), testcase.Value{}, op.Lit, deep)
		}
	}
}
