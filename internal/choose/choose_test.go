package choose

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A test that is typical of its function ranks before one that covers a little more, and adds something
// although others cover all that it does.
func TestRankTypical(t *testing.T) {
	covering := func(blocks ...int) *testcase.Case {
		c := &testcase.Case{Seq: testcase.NewSequence(), Observed: &testcase.Outcome{}}
		for _, b := range blocks {
			c.Observed.Cover.Set(b)
		}
		return c
	}
	typical, much, little := covering(0), covering(0, 1, 2), covering(1)
	s := Selection{
		Tests: []*testcase.Case{little, much, typical},
		Kills: map[*testcase.Sequence][]int{much.Seq: {1, 2}}, Typical: map[*testcase.Sequence]bool{typical.Seq: true},
	}
	place, adds := s.Rank(3)
	if place(typical) != 0 || place(much) != 1 || place(little) != 2 {
		t.Errorf("places %d, %d, %d; want 0, 1, 2", place(typical), place(much), place(little))
	}
	if !adds(typical) || !adds(much) || adds(little) {
		t.Errorf("adds %t, %t, %t; want true, true, false", adds(typical), adds(much), adds(little))
	}
}
