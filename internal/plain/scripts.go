package plain

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Scripts returns the sequence of a case with shorter scripts of stand-ins. A stand-in repeats the last call
// of its script, so equal calls at the end are written once.
func Scripts(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface {
			continue
		}
		var script []testcase.StubCall
		for k, call := range st.Op.Stub {
			last := !slices.ContainsFunc(st.Op.Stub[k+1:], func(o testcase.StubCall) bool { return o.Method == call.Method && !sameResults(stmts, st, call, o) })
			before := lastOf(script, call.Method)
			if last && before >= 0 && sameResults(stmts, st, call, script[before]) {
				changed = true
				continue
			}
			script = append(script, call)
		}
		if len(script) < len(st.Op.Stub) {
			op := *st.Op
			op.Stub = script
			stmts[i].Op = &op
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

const (
	mostMethods  = 3  // methods of the stand-ins of a case that lose their scripts one by one
	mostScripted = 16 // methods that are tried as the only one with a script
)

// Scripted returns a way that keeps the script of the n-th scripted method of a case's stand-ins, or of all others: if the call never
// calls a method of its stand-in, what that method would return says nothing, and of an interface with thirty methods most calls ask one.
func Scripted(n int, itself bool) Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seen := 0
		seq, ok := rescripted(c, func(first bool) bool {
			if first {
				seen++
			}
			return (seen-1 == n) == itself
		})
		return seq, ok && n < seen
	}
}

// Once returns the sequence of a case whose stand-ins return the same at each call.
func Once(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return rescripted(c, func(first bool) bool { return first })
}

// rescripted returns a sequence with only those scripted calls of stand-ins that keep reports true for. The calls of a
// method come one after the other, and first is true for the first of them.
func rescripted(c *testcase.Case, keep func(first bool) bool) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface || len(st.Op.Stub) == 0 {
			continue
		}
		op := *st.Op
		var args []testcase.Ref
		op.Stub = nil
		order := slices.Clone(st.Op.Stub)
		slices.SortStableFunc(order, func(a, b testcase.StubCall) int { return strings.Compare(a.Method, b.Method) })
		last := ""
		for k, call := range order {
			first := k == 0 || call.Method != last
			last = call.Method
			if !keep(first) {
				changed = true
				continue
			}
			from := len(args)
			args = append(args, st.Args[call.From:call.To]...)
			op.Stub = append(op.Stub, testcase.StubCall{Method: call.Method, From: from, To: len(args)})
		}
		stmts[i] = testcase.Statement{Op: &op, Args: args}
	}
	if !changed {
		return nil, false
	}
	return trimmed(stmts)
}

// lastOf returns the index of the last call of a method in a script, or -1 if the script has no call of the
// method.
func lastOf(script []testcase.StubCall, method string) int {
	for k := len(script) - 1; k >= 0; k-- {
		if script[k].Method == method {
			return k
		}
	}
	return -1
}

// sameResults reports whether two scripted calls return results of the same statements, or equal constants.
func sameResults(stmts []testcase.Statement, st testcase.Statement, a, b testcase.StubCall) bool {
	return slices.EqualFunc(st.Args[a.From:a.To], st.Args[b.From:b.To], func(x, y testcase.Ref) bool {
		p, q := stmts[x.Stmt], stmts[y.Stmt]
		constant := (p.Op.Kind == testcase.OpLiteral || p.Op.Kind == testcase.OpZero) && p.Op.Kind == q.Op.Kind
		return x == y || constant && types.Identical(p.Op.Type, q.Op.Type) && p.Op.Lit == q.Op.Lit
	})
}
