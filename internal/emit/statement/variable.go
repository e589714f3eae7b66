package statement

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// Variable returns the variable of a result. It names the variable if the result has none yet.
func (s *Script) Variable(r testcase.Ref) string {
	if v, ok := s.Vars[r]; ok {
		return v
	}
	v := s.Scope.Pick(s.proposals(r)...)
	s.Vars[r] = v
	return v
}

// failsAfter reports whether a statement behind statement i returns an error.
func (s *Script) failsAfter(i int) bool {
	for j := i + 1; j < s.Seq.Len(); j++ {
		if slices.ContainsFunc(s.Types[j], gosyntax.IsError) {
			return true
		}
	}
	return false
}

// proposals returns names for a result, the best first: that of the parameter it
// is passed as, of the receiver it becomes, of the result itself, and one for its
// type.
func (s *Script) proposals(r testcase.Ref) []string {
	t := s.TypeOf(r)
	if gosyntax.IsError(t) {
		if s.Uses[r] > 0 && (r.Stmt != s.Case.TargetStmt() || s.failsAfter(r.Stmt)) {
			// The error is passed on, perhaps in a closure, and `x, err :=` would change its variable there.
			return []string{"cause"}
		}
		return []string{"err"}
	}
	var out []string
	if s.IsTold(r) {
		out = append(out, "got") // nothing but assertions use it
	}
	forType := s.NameFor(t)
	if n := load.NamedOf(t); n != nil && n.NumMethods() > 0 {
		if name := partName(s.Seq.At(r.Stmt).Op); name != "" {
			out = append(out, name)
		}
		out = append(out, forType)
	}
	for j := r.Stmt + 1; j < s.End; j++ {
		st := s.Seq.At(j)
		for k, a := range st.Args {
			if a != r {
				continue
			}
			if n := s.parameterName(st.Op, k); n != "" {
				out = append(out, n)
			}
		}
	}
	if op := s.Seq.At(r.Stmt).Op; op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod {
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
func (s *Script) parameterName(op *testcase.Operation, k int) string {
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

// NameFor returns a name for a value of type t: the name of its methods' receivers, or a conventional one.
func (w *File) NameFor(t types.Type) string {
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

// MadeObjects returns what made the objects that a result consists of, if it is a pointer to a struct of another package, or a
// list of such pointers, and the test made each of them before: what the handler returned is what comes out. Users of a struct
// of the package under test want to know what it has become, and that a struct of another package is the same one is mostly all
// that this package promises.
func (s *Script) MadeObjects(ref testcase.Ref) []testcase.Ref {
	const most = 3
	elem, objects := s.Types[ref.Stmt][ref.Result], []testcase.Value{s.Observed(ref)}
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
			if k := s.Seq.At(i).Op.Kind; k != testcase.OpFunc && k != testcase.OpMethod && k != testcase.OpAddr || len(s.Types[i]) == 0 || !types.Identical(s.TypeOf(made), elem) {
				continue
			}
			if was := s.Observed(made); v.ID != 0 && was.ID == v.ID && was.Kind == testcase.Pointer {
				out, found = append(out, made), true
			}
		}
		if !found {
			return nil
		}
	}
	return out
}

// IsTold reports whether statements behind the tested call read parts of a result of it.
func (s *Script) IsTold(ref testcase.Ref) bool {
	for i := ref.Stmt + 1; i < s.End; i++ {
		if slices.Contains(s.Seq.At(i).Args, ref) {
			if _, tells := observer.Tells(s.Case, i); tells {
				return true
			}
		}
	}
	return false
}
