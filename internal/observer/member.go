package observer

import (
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Member is a question whether an argument of a case's own call is among the elements of its receiver.
type Member struct {
	Arg int                // the argument's number in the statement of the call, in which the receiver is number 0
	Ask testcase.Statement // a call whose last result is the answer, like Contains(key)
}

// Member returns the question whether an argument of a case's own call is in its receiver, for a type with
// a lookup that answers by a bool: Contains(key), or Get(key) with a second result. It returns false if there is no
// such lookup for an argument, and for a call that is such a lookup itself: its own result is the answer, and to
// ask first could change the object, as in a cache that notes what was used last.
func (t *Table) Member(c *testcase.Case) (Member, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || len(st.Args) < 2 || IsMembership(st.Op) {
		return Member{}, false
	}
	recv := st.Args[0]
	named := namedType(c.Seq.ResultTypes()[recv.Stmt][recv.Result])
	if named == nil {
		return Member{}, false
	}
	for _, op := range t.lookups[typeKey(named)] {
		if !IsMembership(op) {
			continue
		}
		if arg, ok := lookedUp(c, op); ok {
			return Member{slices.Index(st.Args, arg), testcase.Statement{Op: op, Args: []testcase.Ref{recv, arg}}}, true
		}
	}
	return Member{}, false
}

// IsMembership reports whether a method says by a bool, its last result, whether its only parameter is among the
// elements of its receiver.
func IsMembership(op *testcase.Operation) bool {
	if op.Kind != testcase.OpMethod {
		return false
	}
	sig := op.Signature()
	n := sig.Results().Len()
	if sig.Params().Len() != 1 || sig.Variadic() || n == 0 || n > 2 || !isBool(sig.Results().At(n-1).Type()) || !identifies(sig.Params().At(0).Type()) {
		return false
	}
	words := []string{"Has", "Contain", "Exist", "Includes", "Member"}
	if n == 2 {
		words = append(words, "Get", "Lookup", "Find", "Load", "Peek", "Search")
	}
	name := op.Func.Name()
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(name, w) }) || name == "IsMember"
}
