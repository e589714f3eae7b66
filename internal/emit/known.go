package emit

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// returnsReceiver returns the variable of the receiver that a method returned, "" for other results. That Add("", nil)
// leaves its object alone and returns it says more than what the object has in its unexported fields; what it changes is left to
// the observers behind the call, if there are any.
func (s *script) returnsReceiver(ref testcase.Ref) string {
	if !s.isReceiver(ref) {
		return ""
	}
	return s.Vars[s.Seq.At(ref.Stmt).Args[0]]
}

// isReceiver reports whether a result is the receiver of the method that returned it, and a test compares it with that one.
func (s *script) isReceiver(ref testcase.Ref) bool {
	st := s.Seq.At(ref.Stmt)
	v := s.Observed(ref)
	if st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || v.Kind != testcase.Pointer || v.ID == 0 || len(v.Elems) != 1 {
		return false
	}
	recv := s.Observed(st.Args[0])
	p, ok := s.Types[ref.Stmt][ref.Result].Underlying().(*types.Pointer)
	if !ok || recv.ID != v.ID || len(recv.Elems) != 1 || !types.Identical(s.TypeOf(st.Args[0]), s.Types[ref.Stmt][ref.Result]) {
		return false
	}
	if obs, _, shown := observations(s.Case, s.Case.TargetStmt()); !recv.Equal(v) && (!shown || len(obs) == 0) && !s.askedLater(ref) {
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
	recv := s.Seq.At(ref.Stmt).Args[0]
	for i := max(ref.Stmt+1, s.Case.TargetStmt()); i < s.Seq.Len(); i++ {
		st := s.Seq.At(i)
		if st.Op.Kind == testcase.OpMethod && st.Args[0] == recv && len(s.Types[i]) > 0 && !types.Identical(s.Types[i][0], s.TypeOf(recv)) {
			return true
		}
	}
	return false
}

// knownObjects returns the variables of the objects that a result consists of (see MadeObjects), none if the test does not have
// each of them in a variable.
func (s *script) knownObjects(ref testcase.Ref) []string {
	var out []string
	for _, made := range s.MadeObjects(ref) {
		name, ok := s.Vars[made]
		if !ok {
			return nil
		}
		out = append(out, name)
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
