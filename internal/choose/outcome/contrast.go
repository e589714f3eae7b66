package outcome

import (
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Contrasts returns what tests show of a function beside its best test: that it returns something else for other inputs. A
// function that always returned what it returns in its only test would pass that test. The parameter best has the best test of
// each function, and stands says which other tests a reader would take for examples of their function.
//
// Each test that returns something else than the best one shows the same, so that one of them is enough. The best test shows
// that it is the one to differ from. Two objects that hold what their function was passed, and nothing else, do not differ for a reader,
// and what a method that returns its object did is seen by the object's observers.
func Contrasts(tests []*testcase.Case, best map[*testcase.Case]bool, stands func(*testcase.Case) bool) map[*testcase.Case]string {
	of := make(map[string]*testcase.Case)
	for _, c := range tests {
		if best[c] && !ReturnsNothing(c) && !returnsReceiver(c) {
			of[c.Target] = c
		}
	}
	out := make(map[*testcase.Case]string)
	for _, c := range tests {
		b := of[c.Target]
		if b == nil || c == b || !stands(c) || c.Observed.Status != testcase.Returned || HasError(c) || SameResults(b, c) || keepsItsInput(b) && keepsItsInput(c) || differsByInput(b, c) {
			continue
		}
		out[c] = "something else than the best of " + c.Target
		out[b] = "the best of " + c.Target
	}
	return out
}

// returnsReceiver reports whether a method returned the object that it was called on.
func returnsReceiver(c *testcase.Case) bool {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if st.Op.Kind != testcase.OpMethod || at >= len(c.Observed.Results) || len(c.Observed.Results[at]) != 1 {
		return false
	}
	got, a := c.Observed.Results[at][0], st.Args[0]
	if got.Kind != testcase.Pointer || got.ID == 0 || a.Stmt >= len(c.Observed.Results) || a.Result >= len(c.Observed.Results[a.Stmt]) {
		return false
	}
	return c.Observed.Results[a.Stmt][a.Result].ID == got.ID
}

// PassesNothing reports whether the call of a case is passed empty texts, zeros and nils alone, which is no strange thing to pass.
func PassesNothing(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	args := st.Args[st.Op.FirstParam():]
	return len(args) > 0 && !slices.ContainsFunc(args, func(a testcase.Ref) bool {
		op := c.Seq.At(a.Stmt).Op
		return op.Kind != testcase.OpZero && (op.Kind != testcase.OpLiteral || op.Lit.Str != "" || op.Lit.Bits != 0)
	})
}

// keepsItsInput reports whether a case's call returns an object or a map in which there are only constants that the case passes.
func keepsItsInput(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 {
		return false
	}
	passed := make(map[string]bool)
	for i := range at {
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpLiteral {
			passed[op.Lit.Text(op.Type)], passed[op.Lit.Str] = true, true
		}
	}
	held := 0
	var kept func(v testcase.Value) bool
	kept = func(v testcase.Value) bool {
		switch {
		case len(v.Elems) > 0:
			return !slices.ContainsFunc(v.Elems, func(e testcase.Value) bool { return !kept(e) })
		case v.IsZero() || v.Kind == testcase.Bool:
			return true
		case v.Kind == testcase.String:
			held++
			return passed[v.Str]
		}
		return false
	}
	for _, v := range c.Observed.Results[at] {
		if len(v.Elems) == 0 && !v.IsZero() || !kept(v) {
			return false
		}
	}
	return held > 0
}

// differsByInput reports whether two calls return objects that differ in nothing but what the calls were passed: a message of a type, with
// the data that its constructor is given. The second one shows no more than the first.
func differsByInput(b, c *testcase.Case) bool {
	at, other := b.TargetStmt(), c.TargetStmt()
	if at >= len(b.Observed.Results) || other >= len(c.Observed.Results) || len(b.Observed.Results[at]) != len(c.Observed.Results[other]) {
		return false
	}
	var explained func(x, y testcase.Value) bool
	explained = func(x, y testcase.Value) bool {
		switch {
		case x.Equal(y), isArgument(b, x) && isArgument(c, y):
			return true
		case x.Kind != y.Kind || len(x.Elems) != len(y.Elems) || x.Kind != testcase.Struct && x.Kind != testcase.Pointer && x.Kind != testcase.Interface:
			return false
		}
		for i := range x.Elems {
			if !explained(x.Elems[i], y.Elems[i]) {
				return false
			}
		}
		return true
	}
	for k, x := range b.Observed.Results[at] {
		if y := c.Observed.Results[other][k]; len(x.Elems) == 0 && !x.Equal(y) || !explained(x, y) {
			return false
		}
	}
	return true
}

// isArgument reports whether a value is one that a case passes its call.
func isArgument(c *testcase.Case, v testcase.Value) bool {
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		if a.Stmt < len(c.Observed.Results) && a.Result < len(c.Observed.Results[a.Stmt]) && c.Observed.Results[a.Stmt][a.Result].Equal(v) {
			return true
		}
	}
	return false
}

// AddCoarser adds to what a test shows those outcomes of others that say less of the same: that a handler
// returned nil is also shown by a test that looks at its status as well.
func AddCoarser(shows [][]string) {
	outcomes := make(map[string]bool)
	for _, elements := range shows {
		for _, e := range elements {
			outcomes[e] = outcomes[e] || strings.HasPrefix(e, "outcome ")
		}
	}
	for i, elements := range shows {
		for _, e := range elements {
			if !outcomes[e] {
				continue
			}
			for at := len(e) - 1; at > len("outcome "); at-- {
				if e[at] == ' ' && outcomes[e[:at]] {
					shows[i] = append(shows[i], e[:at])
				}
			}
		}
	}
}
