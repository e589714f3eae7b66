package emit

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// variable returns the variable of a result. It names the variable if the result has none yet.
func (s *script) variable(r testcase.Ref) string {
	if v, ok := s.vars[r]; ok {
		return v
	}
	v := s.scope.Pick(s.proposals(r)...)
	s.vars[r] = v
	return v
}

// proposals returns names for a result, the best first: that of the parameter it
// is passed as, of the receiver it becomes, of the result itself, and one for its
// type.
func (s *script) proposals(r testcase.Ref) []string {
	t := s.typeOf(r)
	if gosyntax.IsError(t) {
		if s.uses[r] > 0 {
			// The error is passed on, perhaps in a closure, and `x, err :=` would change its variable there.
			return []string{"cause"}
		}
		return []string{"err"}
	}
	var out []string
	if s.told(r) {
		out = append(out, "got") // nothing but assertions use it
	}
	forType := s.nameFor(t)
	if n := load.NamedOf(t); n != nil && n.NumMethods() > 0 {
		if name := partName(s.seq.At(r.Stmt).Op); name != "" {
			out = append(out, name)
		}
		out = append(out, forType)
	}
	for j := r.Stmt + 1; j < s.end; j++ {
		st := s.seq.At(j)
		for k, a := range st.Args {
			if a != r {
				continue
			}
			if n := s.parameterName(st.Op, k); n != "" {
				out = append(out, n)
			}
		}
	}
	if op := s.seq.At(r.Stmt).Op; op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod {
		if n := op.Declared().Results().At(r.Result).Name(); n != "" {
			out = append(out, n)
		}
	}
	out = append(out, forType)
	if n := load.NamedOf(t); n != nil {
		out = append(out, gofile.LowerFirst(n.Obj().Name()))
	}
	return out
}

// partName returns a name for what a method without parameters returns, if the method is called after it in one word: the root
// of a tree for Root. It returns "" for others.
func partName(op *testcase.Operation) string {
	if op.Kind != testcase.OpMethod || op.Via != nil || op.Signature().Params().Len() > 0 {
		return ""
	}
	words := gosyntax.Words(op.Func.Name())
	if len(words) != 1 || !gofile.Usable(words[0]) {
		return ""
	}
	return words[0]
}

// parameterName returns the name of the parameter that arg k of the operation is passed as, or "" if the
// parameter has no name.
func (s *script) parameterName(op *testcase.Operation, k int) string {
	if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod {
		return ""
	}
	sig := op.Declared()
	if op.Kind == testcase.OpMethod {
		k--
	}
	if k < 0 || k >= sig.Params().Len() || sig.Variadic() && k >= sig.Params().Len()-1 && !op.Spread {
		return ""
	}
	return sig.Params().At(k).Name()
}

// nameFor returns a name for a value of type t: the name of its methods' receivers, or a conventional one.
func (w *writer) nameFor(t types.Type) string {
	if n := load.NamedOf(t); n != nil {
		if name := receiverName(n); name != "" {
			return name
		}
		if n.NumMethods() > 0 {
			return gofile.LowerFirst(n.Obj().Name()) // its methods may call the receiver t, but t is the test here
		}
		return strings.ToLower(n.Obj().Name()[:1])
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "ok"
		case u.Info()&types.IsString != 0:
			return "s"
		case u.Info()&types.IsInteger != 0:
			return "n"
		case u.Info()&types.IsFloat != 0:
			return "x"
		}
	case *types.Slice, *types.Array:
		return "list"
	case *types.Map:
		return "m"
	case *types.Signature:
		return "fn"
	case *types.Chan:
		return "ch"
	case *types.Pointer:
		return "p"
	}
	return "v"
}

// receiverName returns the name that most methods of a type give their receiver, the first of several, or "" if there is none
// that a test can use.
func receiverName(n *types.Named) string {
	count := make(map[string]int)
	best := ""
	for m := range n.Methods() {
		if r := m.Type().(*types.Signature).Recv(); r != nil && gofile.Usable(r.Name()) && r.Name() != "t" {
			if count[r.Name()]++; count[r.Name()] > count[best] {
				best = r.Name()
			}
		}
	}
	return best
}

// returnsReceiver returns the variable of the receiver that a method returned, "" for other results. That Add("", nil)
// leaves its object alone and returns it says more than what the object has in its unexported fields; what it changes is left to
// the observers behind the call, if there are any.
func (s *script) returnsReceiver(ref testcase.Ref) string {
	if !s.isReceiver(ref) {
		return ""
	}
	return s.vars[s.seq.At(ref.Stmt).Args[0]]
}

// isReceiver reports whether a result is the receiver of the method that returned it, and a test compares it with that one.
func (s *script) isReceiver(ref testcase.Ref) bool {
	st := s.seq.At(ref.Stmt)
	v := s.observed(ref)
	if st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || v.Kind != testcase.Pointer || v.ID == 0 || len(v.Elems) != 1 {
		return false
	}
	recv := s.observed(st.Args[0])
	p, ok := s.types[ref.Stmt][ref.Result].Underlying().(*types.Pointer)
	if !ok || recv.ID != v.ID || len(recv.Elems) != 1 || !types.Identical(s.typeOf(st.Args[0]), s.types[ref.Stmt][ref.Result]) {
		return false
	}
	if obs, _, shown := observations(s.c, s.c.TargetStmt()); !recv.Equal(v) && (!shown || len(obs) == 0) && !s.askedLater(ref) {
		return false
	}
	fields, ok := p.Elem().Underlying().(*types.Struct)
	if !ok || anyField(fields, func(i int) bool { return fields.Field(i).Exported() }) {
		return false
	}
	return true
}

// askedLater reports whether a later call whose results the test asserts asks the receiver of a method for something else than itself.
func (s *script) askedLater(ref testcase.Ref) bool {
	recv := s.seq.At(ref.Stmt).Args[0]
	for i := max(ref.Stmt+1, s.c.TargetStmt()); i < s.seq.Len(); i++ {
		st := s.seq.At(i)
		if st.Op.Kind == testcase.OpMethod && st.Args[0] == recv && len(s.types[i]) > 0 && !types.Identical(s.types[i][0], s.typeOf(recv)) {
			return true
		}
	}
	return false
}

// knownObjects returns the variables of the objects that a result consists of (see madeObjects), none if the test does not have
// each of them in a variable.
func (s *script) knownObjects(ref testcase.Ref) []string {
	var out []string
	for _, made := range s.madeObjects(ref) {
		name, ok := s.vars[made]
		if !ok {
			return nil
		}
		out = append(out, name)
	}
	return out
}

// madeObjects returns what made the objects that a result consists of, if it is a pointer to a struct of another package, or a
// list of such pointers, and the test made each of them before: what the handler returned is what comes out. Users of a struct
// of the package under test want to know what it has become, and that a struct of another package is the same one is mostly all
// that this package promises.
func (s *script) madeObjects(ref testcase.Ref) []testcase.Ref {
	const most = 3
	elem, objects := s.types[ref.Stmt][ref.Result], []testcase.Value{s.observed(ref)}
	if list, ok := elem.Underlying().(*types.Slice); ok {
		elem, objects = list.Elem(), objects[0].Elems
	}
	named := load.NamedOf(elem)
	_, isPointer := elem.Underlying().(*types.Pointer)
	if !isPointer || named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg() == s.Pkg.Types || len(objects) > most {
		return nil
	}
	var out []testcase.Ref
	for _, v := range objects {
		found := false
		for i := 0; i < ref.Stmt && !found; i++ {
			made := testcase.Ref{Stmt: i}
			if k := s.seq.At(i).Op.Kind; k != testcase.OpFunc && k != testcase.OpMethod && k != testcase.OpAddr || len(s.types[i]) == 0 || !types.Identical(s.typeOf(made), elem) {
				continue
			}
			if was := s.observed(made); v.ID != 0 && was.ID == v.ID && was.Kind == testcase.Pointer {
				out, found = append(out, made), true
			}
		}
		if !found {
			return nil
		}
	}
	return out
}

// same returns the assertion that a result, or its elements, are the objects in these variables.
func (s *script) same(got string, t types.Type, known []string) assertion {
	if _, isList := t.Underlying().(*types.Slice); !isList {
		return assertion{cond: got + " != " + known[0], verb: "%v", arg: got, want: known[0], check: check{"Same", []string{known[0], got}}}
	}
	cond := fmt.Sprintf("len(%s) != %d", got, len(known))
	for i, name := range known {
		cond += fmt.Sprintf(" || %s[%d] != %s", got, i, name)
	}
	return assertion{cond: cond, verb: "%v", arg: got, want: s.Type(t) + "{" + strings.Join(known, ", ") + "}"}
}
