package reduce

import (
	"context"
	"math"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// overflowing runs calls of Sum, which fails where the sum of its arguments overflows.
type overflowing struct{}

func (overflowing) Run(_ context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	out := make([]*testcase.Outcome, len(seqs))
	for i, s := range seqs {
		last := s.Last()
		a, b := int64(s.At(last.Args[0].Stmt).Op.Lit.Bits), int64(s.At(last.Args[1].Stmt).Op.Lit.Bits)
		out[i] = &testcase.Outcome{Status: testcase.Returned, At: s.Len() - 1}
		if sum := a + b; b > 0 && sum < a || b < 0 && sum > a {
			out[i].Status = testcase.Panicked
			out[i].Panic = &testcase.Panic{Kind: "explicit", Message: "overflow"}
		}
	}
	return out, nil
}

// A finding is shown with the extreme of a type and a small number, and not with two numbers near the
// extremes.
func TestFindingsAtExtreme(t *testing.T) {
	w := newWorld(t)
	tests := []struct {
		a, b int64
		want string
	}{
		{math.MaxInt64 - 7, 8, "Sum(9223372036854775807, 1)"},
		{math.MinInt64 + 100, -2000, "Sum(-9223372036854775808, -1)"},
	}
	for _, tt := range tests {
		var b testcase.Builder
		b.Add(w.fn("Sum"), b.Add(intLit(tt.a)), b.Add(intLit(tt.b)))
		s := b.Sequence()
		outs, err := overflowing{}.Run(context.Background(), []*testcase.Sequence{s})
		if err != nil || outs[0].Panic == nil {
			t.Fatalf("Sum(%d, %d) does not fail (error %v)", tt.a, tt.b, err)
		}
		f := &testcase.Finding{Kind: "explicit", Severity: testcase.Error, Cause: "c", Case: &testcase.Case{Target: "Sum", Seq: s, Observed: outs[0]}}
		got, _, err := Findings(context.Background(), []*testcase.Finding{f}, overflowing{}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if text := got[0].Case.Seq.String(); text != tt.want {
			t.Errorf("%s, want %s", text, tt.want)
		}
	}
}
