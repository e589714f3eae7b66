package observer

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Member is a question whether an argument of a case's own call is among the elements of its receiver.
type Member struct {
	Arg int                // the argument's number in the statement of the call, in which the receiver is number 0
	Ask testcase.Statement // a call whose last result is the answer, like Contains(key), or a lookup that was learnt
}

// Learn makes a lookup of a method with one parameter, whose results for what is not in the object are known: a trie returns
// nil, a store an error. Runs must have shown that it returns something else for what is in the object.
func (t *Table) Learn(op *testcase.Operation, absent []testcase.Value) {
	if op.Kind == testcase.OpMethod && op.Signature().Params().Len() == 1 && !op.Signature().Variadic() && !IsMembership(op) {
		t.learnt[op.Func] = absent
	}
}

// Answer returns what a lookup says by its results: whether its argument is in the object. It returns false as known if the
// method is no lookup, or if its results were not observed.
func (t *Table) Answer(op *testcase.Operation, results []testcase.Value) (in, known bool) {
	if absent, ok := t.learnt[op.Func]; ok {
		return !slices.EqualFunc(results, absent, testcase.Value.Equal), len(results) == len(absent)
	}
	if !IsMembership(op) || len(results) == 0 || results[len(results)-1].Kind != testcase.Bool {
		return false, false
	}
	in = results[len(results)-1].Bits != 0
	return in, in || !narrows(op)
}

// narrows reports whether a lookup only finds some of what another one of its type finds, by their names: GetString beside Get, which finds values of
// all types.
func narrows(op *testcase.Operation) bool {
	named := load.NamedOf(op.Signature().Recv().Type())
	if named == nil {
		return false
	}
	for f := range named.Methods() {
		wider := &testcase.Operation{Kind: testcase.OpMethod, Func: f}
		if f.Exported() && f != op.Func && strings.HasPrefix(op.Func.Name(), f.Name()) && IsMembership(wider) && types.Identical(f.Signature().Params().At(0).Type(), op.Signature().Params().At(0).Type()) {
			return true
		}
	}
	return false
}

// isLearnt reports whether a method is a lookup that was learnt.
func (t *Table) isLearnt(op *testcase.Operation) bool { return t.learnt[op.Func] != nil }

// Member returns the question whether an argument of a case's own call is in its receiver, for a type with
// a lookup that answers by a bool: Contains(key), or Get(key) with a second result. It returns false if there is no
// such lookup for an argument, and for a call that is such a lookup itself: its own result is the answer, and to
// ask first could change the object, as in a cache that notes what was used last.
func (t *Table) Member(c *testcase.Case) (Member, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || len(st.Args) < 2 || IsMembership(st.Op) || t.isLearnt(st.Op) {
		return Member{}, false
	}
	recv := st.Args[0]
	named := load.NamedOf(c.Seq.ResultTypes()[recv.Stmt][recv.Result])
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
	for _, target := range t.pkg.Targets {
		if target.Recv == nil || t.learnt[target.Obj] == nil || !types.Identical(load.NamedOf(target.Recv), named) {
			continue
		}
		op := &testcase.Operation{Kind: testcase.OpMethod, Func: target.Obj, TypeArgs: target.TypeArgs}
		if arg, ok := lookedUp(c, op); ok {
			return Member{slices.Index(st.Args, arg), testcase.Statement{Op: op, Args: []testcase.Ref{recv, arg}}}, true
		}
	}
	return Member{}, false
}

// mostOthers is how many elements a test is asked about that its own call does not name.
const mostOthers = 4

// Others returns the questions whether elements that calls before a case's own put into its receiver are in it: for a
// cache that was filled by Add, Get of the keys that were added, but for those that the case's own call names. It returns
// nothing if the receiver has no such lookup, or if the case's own call is one.
func (t *Table) Others(c *testcase.Case) []testcase.Statement {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || IsMembership(st.Op) {
		return nil
	}
	recv := st.Args[0]
	named := load.NamedOf(c.Seq.ResultTypes()[recv.Stmt][recv.Result])
	if named == nil {
		return nil
	}
	t.Of(named)
	i := slices.IndexFunc(t.lookups[typeKey(named)], IsMembership)
	if i < 0 {
		return nil
	}
	op := t.lookups[typeKey(named)][i]
	known := make(map[string]bool)
	for _, a := range st.Args[1:] {
		known[c.Seq.Expression(a, t.pkg.Types)] = true
	}
	var out []testcase.Statement
	for j := range at {
		put := c.Seq.At(j)
		if put.Op.Kind != testcase.OpMethod || len(put.Args) < 2 || put.Args[0] != recv || IsMembership(put.Op) || put.Op.Signature().Variadic() {
			continue
		}
		key := put.Args[1]
		text := c.Seq.Expression(key, t.pkg.Types)
		if known[text] || !c.Seq.IsConstant(key) || !types.Identical(put.Op.Signature().Params().At(0).Type(), op.Signature().Params().At(0).Type()) {
			continue
		}
		known[text] = true
		out = append(out, testcase.Statement{Op: op, Args: []testcase.Ref{recv, key}})
	}
	if len(out) > mostOthers {
		out = slices.Concat(out[:mostOthers/2], out[len(out)-mostOthers/2:])
	}
	return out
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
