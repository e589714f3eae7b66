package crossed

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// WithArguments returns the sequences of a case in which one argument of its call is one of the call of another case, of the
// same type.
func WithArguments(base, from *testcase.Case) []*testcase.Sequence {
	was, given := base.Seq.ResultTypes(), from.Seq.ResultTypes()
	arguments := func(c *testcase.Case) []testcase.Ref {
		st := c.Seq.At(c.TargetStmt())
		if st.Op.Kind == testcase.OpMethod {
			return st.Args[1:]
		}
		return st.Args
	}
	var out []*testcase.Sequence
	for _, a := range arguments(from) {
		part, ok := making(from.Seq, a, from.TargetStmt())
		if !ok {
			continue
		}
		for _, b := range arguments(base) {
			if b.Result != 0 || !types.Identical(was[b.Stmt][b.Result], given[a.Stmt][a.Result]) {
				continue
			}
			if seq, ok := plain.Replaced(base.Seq, map[int]plain.Part{b.Stmt: part}); ok {
				out = append(out, seq)
			}
		}
	}
	return out
}

// making returns the statements of a sequence before its end that make a value or change what these made.
func making(s *testcase.Sequence, value testcase.Ref, end int) (plain.Part, bool) {
	keep := make([]bool, s.Len())
	need := func(i int) {
		keep[i] = true
		for j := i; j >= 0; j-- {
			if keep[j] {
				for _, a := range s.At(j).Args {
					keep[a.Stmt] = true
				}
			}
		}
	}
	need(value.Stmt)
	for i := range end {
		if st := s.At(i); !keep[i] && slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return keep[a.Stmt] }) {
			need(i)
		}
	}
	at := 0 // the place of the value among what is kept
	for _, kept := range keep[:value.Stmt] {
		if kept {
			at++
		}
	}
	seq, ok := s.Prefix(end).Keep(keep[:end])
	return plain.Part{Seq: seq, Value: testcase.Ref{Stmt: at, Result: value.Result}}, ok
}
