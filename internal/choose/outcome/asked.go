package outcome

import (
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
