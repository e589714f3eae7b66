package observer

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Table has the observers of the types of one package.
type Table struct {
	pkg  *load.Package
	pure func(*testcase.Operation) bool
	of   map[string][]*testcase.Operation // by type, with its type arguments
	// unproved has the methods that have the shape of observers, but are not proved to change nothing.
	unproved map[string][]*testcase.Operation
	lookups  map[string][]*testcase.Operation // observers of one parameter
	learnt   map[*types.Func][]testcase.Value // lookups that runs have shown to be some, with their answers for what is absent
	finish   map[string]*testcase.Operation   // the call that finishes objects of a type before observers are asked
	wrong    map[string]bool                  // methods that break a promise, by target
}

// New returns the observers of a package. pure reports whether a call changes nothing that outlives it;
// only methods for which it returns true become observers.
func New(pkg *load.Package, pure func(*testcase.Operation) bool) *Table {
	return &Table{pkg: pkg, pure: pure, of: make(map[string][]*testcase.Operation), unproved: make(map[string][]*testcase.Operation), lookups: make(map[string][]*testcase.Operation), learnt: make(map[*types.Func][]testcase.Value), finish: make(map[string]*testcase.Operation)}
}

// Distrust makes no helper list elements by methods of which a finding says that they break a promise: tests of other
// methods would hold the code to what such a method returns.
func (t *Table) Distrust(findings []*testcase.Finding) {
	t.wrong = make(map[string]bool)
	for _, f := range findings {
		if (f.Kind == "invariant" || f.Kind == "contract") && f.Misuse == "" {
			t.wrong[f.Func] = true
		}
	}
}

// Of returns calls of the observers of a type, which may be a pointer to a named type, in the order of
// the source. A struct that is a record has none: it is compared as a whole, and what its methods make of it is for tests of theirs. Observers that show contents come before observers that show a number or a truth.
func (t *Table) Of(typ types.Type) []*testcase.Operation {
	named := load.NamedOf(typ)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != t.pkg.Path || isStruct(named) && load.IsRecord(named) {
		return nil
	}
	key := typeKey(named)
	if ops, ok := t.of[key]; ok {
		return ops
	}
	var ops []*testcase.Operation
	for _, target := range t.pkg.Targets {
		if !observes(target, named) {
			continue
		}
		op := &testcase.Operation{Kind: testcase.OpMethod, Func: target.Obj, TypeArgs: target.TypeArgs}
		switch pure, lookup := t.pure(op), isLookup(op); {
		case pure && lookup:
			t.lookups[key] = append(t.lookups[key], op)
		case pure:
			ops = append(ops, op)
		case !lookup || readsByName(target.Obj.Name()):
			t.unproved[key] = append(t.unproved[key], op)
		}
	}
	slices.SortStableFunc(ops, func(a, b *testcase.Operation) int { return class(a) - class(b) })
	t.of[key] = ops
	return ops
}

// isStruct reports whether a type is a struct.
func isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// ComparedWhole reports whether tests compare the objects of a type as they are, though it may have observers: a map of texts or
// numbers to data. Who reads a test sees more in the map than in what its methods say of it. Lists may be anything, a heap or the
// words of a set of bits.
func ComparedWhole(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	_, basic := m.Key().Underlying().(*types.Basic)
	return basic && isOpenElement(m.Elem())
}

// isOpenElement reports whether a test can write the values of a type as literals: constants, records, and lists of these.
func isOpenElement(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return isOpenElement(u.Elem())
	case *types.Struct:
		return u.NumFields() == 0 || load.IsRecord(t)
	}
	return false
}

// typeKey returns the key of a type in the table.
func typeKey(named *types.Named) string { return types.TypeString(named, nil) }

// Unproved returns calls of a type's methods that look like observers but are not proved to change
// nothing, because they take a lock or call something that the proof does not follow.
func (t *Table) Unproved(typ types.Type) []*testcase.Operation {
	t.Of(typ)
	if named := load.NamedOf(typ); named != nil {
		return t.unproved[typeKey(named)]
	}
	return nil
}

// Accept makes an observer of a method that looks like one. Runs must have shown that calls of the method
// leave objects unchanged.
func (t *Table) Accept(typ types.Type, op *testcase.Operation) {
	key := typeKey(load.NamedOf(typ))
	if isLookup(op) {
		t.lookups[key] = append(t.lookups[key], op)
		return
	}
	t.of[key] = append(t.of[key], op)
	slices.SortStableFunc(t.of[key], func(a, b *testcase.Operation) int { return class(a) - class(b) })
}

// accepted reports whether an operation calls a method that was accepted as an observer.
func (t *Table) accepted(typ types.Type, op *testcase.Operation) bool {
	return slices.ContainsFunc(t.Of(typ), func(o *testcase.Operation) bool { return o.Func == op.Func })
}

// mostResults is how many results an observer has at most: a place has three coordinates.
const mostResults = 3

// observes reports whether a method has the shape of an observer of the type.
func observes(target *load.Target, named *types.Named) bool {
	if target.Recv == nil || !target.Exported || target.Skip != "" || !target.Obj.Exported() {
		return false
	}
	if isInvariant(target.Obj) || target.Obj.Name() == "GoString" {
		return false // such methods say whether the object is valid, or show it to a debugger
	}
	mine := load.NamedOf(target.Recv)
	if mine == nil || !types.Identical(mine, named) || target.Obj.Name() == "Error" && !isMoreThanError(named) {
		return false
	}
	sig := target.Obj.Signature()
	results := sig.Results()
	if sig.Params().Len() > 1 || sig.Variadic() || results.Len() == 0 || results.Len() > mostResults {
		return false
	}
	if sig.Params().Len() == 1 && !identifies(sig.Params().At(0).Type()) {
		return false
	}
	for i := 1; i < results.Len(); i++ {
		if !plain(results.At(i).Type(), 0) {
			return false
		}
	}
	if returned := load.NamedOf(results.At(0).Type()); returned != nil && types.Identical(returned, named) {
		return false // a method that returns another object of its type makes one, and shows nothing of its own
	}
	return plain(results.At(0).Type(), 0)
}

// isMoreThanError reports whether a type of errors has methods that errors need not have, so that its values are objects with
// parts, of which Error says everything in one line. Of other errors tests compare the identity, or what they say.
func isMoreThanError(named *types.Named) bool {
	for sel := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		switch name := sel.Obj().Name(); {
		case !sel.Obj().Exported() || name == "Error" || name == "Unwrap" || name == "Is" || name == "As" || name == "Timeout" || name == "Temporary":
		default:
			return true
		}
	}
	return false
}

// isLookup reports whether an observer has a parameter that says what is looked up.
func isLookup(op *testcase.Operation) bool { return op.Func.Signature().Params().Len() > 0 }

// identifies reports whether values of a type identify things, as keys do.
func identifies(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Pointer, *types.Array:
		return true
	case *types.Interface:
		return u.NumMethods() == 0 // a type parameter, or any
	}
	return false
}

// readsByName reports whether the name of a method says that it only looks something up. A run proves little
// here: a method that adds an element leaves the object unchanged, too, if the element is already there. A name like
// LoadOrStore or FindAndRemove says that the method does something else besides.
func readsByName(name string) bool {
	words := gosyntax.Words(name)
	if len(words) == 0 || slices.Contains(words, "or") || slices.Contains(words, "and") {
		return false
	}
	switch words[0] {
	case "has", "contain", "contains", "get", "lookup", "find", "finds", "exist", "exists", "index", "load", "is", "at", "count":
		return true
	}
	return false
}

// isInvariant reports whether a method says, by its name, whether its receiver is valid. It
// changes nothing.
func isInvariant(f *types.Func) bool { return load.IsInvariant(f.Name()) }

// plain reports whether values of the type are data that reads well in a test.
func plain(t types.Type, depth int) bool {
	if gosyntax.IsError(t) {
		return false
	}
	if load.IsNamed(t, "time", "Time") {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0 && !u.IsComparable() // functions and the like show their contents only when they are called
	case *types.Basic:
		return u.Info()&types.IsConstType != 0
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return depth > 0 && isStruct && plain(u.Elem(), depth)
	case *types.Slice:
		return depth < 2 && plain(u.Elem(), depth+1)
	case *types.Array:
		return depth < 2 && u.Len() <= 8 && plain(u.Elem(), depth+1)
	case *types.Map:
		return depth < 2 && plain(u.Key(), depth+1) && plain(u.Elem(), depth+1)
	case *types.Struct:
		const mostFields = 6
		if depth >= 2 || u.NumFields() == 0 || u.NumFields() > mostFields {
			return false
		}
		for f := range u.Fields() {
			if !f.Exported() || !plain(f.Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// class orders observers: contents say more than a size, and a size says more than a truth. String
// and Error come last, because their results are for people.
func class(op *testcase.Operation) int {
	t := op.Func.Signature().Results().At(0).Type()
	switch {
	case op.Func.Name() == "String" || op.Func.Name() == "Error":
		return 3
	case isBool(t):
		return 2
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
		return 1
	}
	return 0
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// Subject returns the object whose state a case's call makes or may change: the receiver of a method
// that is not pure, or the first result of a function if it is an object of the package. It returns
// false if the case has no call of its own, or if the call has no such object.
func (t *Table) Subject(c *testcase.Case) (testcase.Ref, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Func == nil || testcase.TargetName(st.Op.Func) != c.Target {
		return testcase.Ref{}, false
	}
	if st.Op.Kind == testcase.OpMethod {
		if isInvariant(st.Op.Func) || t.pure(st.Op) || t.accepted(c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result], st.Op) {
			return testcase.Ref{}, false
		}
		recv := st.Op.Func.Signature().Recv().Type()
		if isCopy(recv) {
			return testcase.Ref{}, false // the method cannot change what it was called on
		}
		if p, ok := types.Unalias(recv).(*types.Pointer); ok && isVisible(p.Elem()) {
			return testcase.Ref{}, false // users compare the value itself
		}
		return st.Args[0], true
	}
	if st.Op.Kind != testcase.OpFunc {
		return testcase.Ref{}, false
	}
	results := c.Seq.ResultTypes()[at]
	if len(results) == 0 {
		return testcase.Ref{}, false
	}
	if _, isPointer := results[0].Underlying().(*types.Pointer); !isPointer && !t.hidesFields(results[0]) && !t.hidesElements(results[0]) {
		return testcase.Ref{}, false
	}
	return testcase.Ref{Stmt: at}, true
}

// hidesElements reports whether a type is a list or map of the package with methods of its own, whose elements have nothing that users see but by methods.
func (t *Table) hidesElements(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || named.Obj().Pkg() != t.pkg.Types || named.NumMethods() == 0 {
		return false
	}
	var elem types.Type
	switch u := named.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Map:
		elem = u.Elem()
	default:
		return false
	}
	if p, ok := elem.Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	st, ok := elem.Underlying().(*types.Struct)
	return ok && st.NumFields() > 0 && !slices.ContainsFunc(slices.Collect(st.Fields()), (*types.Var).Exported)
}

// hidesFields reports whether a type is a struct that a test of the package cannot write out, because a field is a
// struct of another package that has fields of its own.
func (t *Table) hidesFields(typ types.Type) bool {
	st, ok := typ.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool {
		inner, ok := f.Type().Underlying().(*types.Struct)
		named := load.NamedOf(f.Type())
		if !ok || named == nil || load.IsNamed(f.Type(), "time", "Time") {
			return false
		}
		if named.Obj().Pkg() == nil || named.Obj().Pkg().Path() == t.pkg.Path {
			return t.hidesFields(f.Type())
		}
		return isOpaque(inner)
	})
}

// isOpaque reports whether a struct of another package has fields of its own, or a field that is such a struct.
func isOpaque(st *types.Struct) bool {
	return slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool {
		inner, ok := f.Type().Underlying().(*types.Struct)
		return !f.Exported() || ok && isOpaque(inner)
	})
}

// isVisible reports whether users see all of a value of a type, and can compare it: it is a number, a text, or an array of
// such.
func isVisible(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return isVisible(u.Elem())
	}
	return false
}

// isCopy reports whether a value that is passed shares nothing with the one that it was copied from: no part of it
// refers to anything but immutable data.
func isCopy(t types.Type) bool {
	if load.IsNamed(t, "time", "Time") {
		return true // its pointer leads to a location, which nobody changes
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return isCopy(u.Elem())
	case *types.Struct:
		return !slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool {
			return !isCopy(f.Type())
		})
	}
	return false
}

// Made returns the object of the package that a method returns, if the method is known to leave its
// receiver unchanged. Then the object is all that an observer can look at.
func (t *Table) Made(c *testcase.Case) (testcase.Ref, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	results := c.Seq.ResultTypes()[at]
	if st.Op.Kind != testcase.OpMethod || len(results) == 0 || types.IsInterface(results[0]) || at >= len(c.Observed.Results) {
		return testcase.Ref{}, false
	}
	got := c.Observed.Results[at]
	if len(got) == 0 || got[0].Kind == testcase.Nil || got[0].Again || len(t.Of(results[0])) == 0 {
		return testcase.Ref{}, false
	}
	switch results[0].Underlying().(type) {
	case *types.Slice, *types.Map, *types.Basic:
		return testcase.Ref{}, false // the test compares the whole object
	}
	if load.IsRecord(results[0]) || plain(results[0], 0) {
		return testcase.Ref{}, false // as it does with a struct of plain fields
	}
	return testcase.Ref{Stmt: at}, true
}

// Behind returns the case's sequence up to its call and looks at bytes that the call has filled, with calls of an object's observers behind it, and false
// if there are none. Only observers for which use holds are asked; if use is nil all are.
func (t *Table) Behind(c *testcase.Case, ref testcase.Ref, use func(*testcase.Operation) bool) (*testcase.Sequence, bool) {
	asked := calls(t.chosen(c, ref, use), ref)
	if st, ok := t.lookup(c, ref); ok {
		asked = append([]testcase.Statement{st}, asked...)
	}
	if len(asked) == 0 {
		return nil, false
	}
	seq := c.Seq.Prefix(c.TargetStmt() + 1)
	for i := seq.Len(); i < c.Seq.Len(); i++ {
		if st := c.Seq.At(i); ReadsBytes(st.Op) {
			seq = seq.Extend(st)
		}
	}
	if finish := t.finish[types.TypeString(load.NamedOf(c.Seq.ResultTypes()[ref.Stmt][ref.Result]), nil)]; finish != nil && !calledOn(seq, finish, ref) {
		asked = append([]testcase.Statement{{Op: finish, Args: []testcase.Ref{ref}}}, asked...)
	}
	return seq.Extend(asked...), true
}

// Finisher returns a call of the method that may have to finish an object before the object shows everything,
// like Close of a writer. It returns nil if the type has no such method.
func (t *Table) Finisher(typ types.Type) *testcase.Operation {
	named := load.NamedOf(typ)
	for _, name := range []string{"Close", "Flush", "Finish"} {
		for _, target := range t.pkg.Targets {
			if named == nil || target.Recv == nil || !target.Exported || target.Skip != "" || target.Obj.Name() != name {
				continue
			}
			mine := load.NamedOf(target.Recv)
			sig := target.Obj.Signature()
			returnsError := sig.Results().Len() == 1 && gosyntax.IsError(sig.Results().At(0).Type())
			if mine != nil && types.Identical(mine, named) && sig.Params().Len() == 0 && returnsError {
				return &testcase.Operation{Kind: testcase.OpMethod, Func: target.Obj, TypeArgs: target.TypeArgs}
			}
		}
	}
	return nil
}

// Finish makes Behind call a finisher of the type before it asks observers. If finisher is nil, Behind
// calls none.
func (t *Table) Finish(typ types.Type, finisher *testcase.Operation) {
	t.finish[typeKey(load.NamedOf(typ))] = finisher
}

// calledOn reports whether a sequence calls a method on an object.
func calledOn(s *testcase.Sequence, op *testcase.Operation, object testcase.Ref) bool {
	for i := range s.Len() {
		if st := s.At(i); st.Op.Kind == testcase.OpMethod && st.Op.Func == op.Func && st.Args[0] == object {
			return true
		}
	}
	return false
}

// lookup returns a call that looks up an argument of the case's own call in its subject. It uses the lookup
// that shows most, and the first one of several. It returns false if the type has no lookup for an argument.
func (t *Table) lookup(c *testcase.Case, ref testcase.Ref) (testcase.Statement, bool) {
	typ := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
	t.Of(typ)
	named := load.NamedOf(typ)
	if named == nil {
		return testcase.Statement{}, false
	}
	ops := slices.Clone(t.lookups[typeKey(named)])
	slices.SortStableFunc(ops, func(a, b *testcase.Operation) int { return class(a) - class(b) })
	for _, op := range ops {
		if arg, ok := lookedUp(c, op); ok {
			return testcase.Statement{Op: op, Args: []testcase.Ref{ref, arg}}, true
		}
	}
	return testcase.Statement{}, false
}

// lookedUp returns the argument of the case's own call that a lookup takes. It is the argument that has the
// type and the parameter's name of the lookup. If there is none it is the first argument, provided that this
// has the type and is no number: a number may be an index in one place and an element in the other.
func lookedUp(c *testcase.Case, op *testcase.Operation) (testcase.Ref, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || st.Op.Signature().Variadic() || st.Op.Func == op.Func {
		return testcase.Ref{}, false
	}
	want := op.Signature().Params().At(0)
	params := st.Op.Signature().Params()
	for k, a := range st.Args[1:] {
		if p := params.At(k); p.Name() == want.Name() && types.Identical(p.Type(), want.Type()) {
			return a, true
		}
	}
	b, basic := want.Type().Underlying().(*types.Basic)
	if params.Len() == 0 || !types.Identical(params.At(0).Type(), want.Type()) || basic && b.Info()&types.IsNumeric != 0 {
		return testcase.Ref{}, false
	}
	return st.Args[1], true
}

// Probe returns the case's sequence up to its call, followed by a call that looks like an observer of the
// case's subject. It returns false if the case has no subject.
func (t *Table) Probe(c *testcase.Case, op *testcase.Operation) (*testcase.Sequence, bool) {
	ref, ok := t.Subject(c)
	if !ok {
		return nil, false
	}
	args := []testcase.Ref{ref}
	if isLookup(op) {
		arg, ok := lookedUp(c, op)
		if !ok {
			return nil, false
		}
		args = append(args, arg)
	}
	seq := c.Seq.Prefix(c.TargetStmt() + 1)
	return seq.Extend(testcase.Statement{Op: op, Args: args}), true
}

// Before returns the statements before the case's call, followed by questions of the caller's and by calls of all
// observers of its receiver. It returns false if the case's call is no method call, or if the type has no observers.
func (t *Table) Before(c *testcase.Case, questions ...testcase.Statement) (*testcase.Sequence, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || at == 0 {
		return nil, false
	}
	ops := t.chosen(c, st.Args[0], func(op *testcase.Operation) bool { return !Drains(op) })
	if len(ops)+len(questions) == 0 {
		return nil, false
	}
	seq := c.Seq.Prefix(at).Extend(questions...)
	return seq.Extend(calls(ops, st.Args[0])...), true
}

// OfCopy returns two sequences for a case whose method returns a changed copy of its object, as c.WithBold(true) does: in the one observers
// are asked of the object before the call, in the other of the copy.
func (t *Table) OfCopy(c *testcase.Case) (before, after *testcase.Sequence, ok bool) {
	op := c.Seq.At(c.TargetStmt()).Op
	if op.Kind != testcase.OpMethod || op.Signature().Results().Len() != 1 {
		return nil, nil, false
	}
	recv, copied := types.Unalias(op.Func.Signature().Recv().Type()), op.Signature().Results().At(0).Type()
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	made, ok := t.Made(c)
	if before, asked := t.Before(c); ok && asked && types.TypeString(recv, nil) == types.TypeString(copied, nil) {
		after, ok = t.Behind(c, made, func(*testcase.Operation) bool { return true })
		return before, after, ok
	}
	return nil, nil, false
}

// chosen returns the observers of a result for which use holds.
func (t *Table) chosen(c *testcase.Case, ref testcase.Ref, use func(*testcase.Operation) bool) []*testcase.Operation {
	var out []*testcase.Operation
	typ := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
	for _, op := range t.Of(typ) {
		if op.Via != nil && !types.Identical(op.Via.Sig.Params().At(0).Type(), typ) {
			continue
		}
		if use == nil || use(op) {
			out = append(out, op)
		}
	}
	return out
}

// calls returns a call of each observer on an object.
func calls(ops []*testcase.Operation, ref testcase.Ref) []testcase.Statement {
	var out []testcase.Statement
	ops = slices.Clone(ops)
	slices.SortStableFunc(ops, func(a, b *testcase.Operation) int { // observers that remove elements come last
		return boolToInt(Drains(a)) - boolToInt(Drains(b))
	})
	for _, op := range ops {
		out = append(out, testcase.Statement{Op: op, Args: []testcase.Ref{ref}})
	}
	return out
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
