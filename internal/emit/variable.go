package emit

import (
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
