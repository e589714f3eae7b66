package outcome

import (
	"maps"
	"slices"

	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// ShownAfter returns the results of the observers behind the call of a case.
func ShownAfter(c *testcase.Case) []words.Observation {
	if _, shown := c.Shown(); !shown {
		return nil
	}
	end := c.Seq.Len()
	for end > c.TargetStmt()+1 && observer.IsMembership(c.Seq.At(end-1).Op) {
		end-- // a question about one element, and no state of the object
	}
	return Observations(c.Seq.Prefix(end), c.Observed)
}

// Observations returns the results of the observers at the end of a sequence, helpers that list elements
// among them.
func Observations(s *testcase.Sequence, o *testcase.Outcome) []words.Observation {
	var out []words.Observation
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		if listing := st.Op.Via != nil && st.Op.Observes(); st.Op.Kind != testcase.OpMethod && !listing || len(st.Args) != 1 || i >= len(o.Results) || len(o.Results[i]) == 0 {
			break
		}
		out = append(out, words.Observation{Method: st.Op.Func, Value: o.Results[i][0]})
	}
	return out
}

// ReturnsSome reports whether a case's call returned something that is not nil, false, 0 or empty, and no error.
func ReturnsSome(c *testcase.Case) bool {
	at := c.TargetStmt()
	return c.Observed != nil && c.Observed.Status == testcase.Returned && !HasError(c) && at < len(c.Observed.Results) &&
		slices.ContainsFunc(c.Observed.Results[at], func(v testcase.Value) bool {
			isEmpty := (v.Kind == testcase.Slice || v.Kind == testcase.Map) && len(v.Elems) == 0 && v.Len == 0
			return v.Kind != testcase.Opaque && v.Kind != testcase.Invalid && !isEmpty && !v.IsZero()
		})
}

// Telling returns, for each function whose tests all return nothing but zeros, the shortest of other cases for which ok holds that returns
// something: a getter that returns "" for each object shows as little as one that always returns "".
func Telling(tests, others []*testcase.Case, ok func(*testcase.Case) bool) []*testcase.Case {
	tells, tested := make(map[string]bool), make(map[string]bool)
	for _, c := range tests {
		tested[c.Target], tells[c.Target] = true, tells[c.Target] || ReturnsSome(c)
	}
	best := make(map[string]*testcase.Case)
	for _, c := range others {
		if b := best[c.Target]; tested[c.Target] && !tells[c.Target] && ReturnsSome(c) && ok(c) && (b == nil || c.Seq.Len() < b.Seq.Len()) {
			best[c.Target] = c
		}
	}
	var out []*testcase.Case
	for _, target := range slices.Sorted(maps.Keys(best)) {
		out = append(out, best[target])
	}
	return out
}
