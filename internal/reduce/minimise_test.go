package reduce

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// editsAt returns edits that remove the statements with the given numbers.
func editsAt(places ...[]int) []edit {
	var out []edit
	for _, list := range places {
		var e edit
		for _, at := range list {
			e = append(e, change{at: at, kind: removed})
		}
		out = append(out, e)
	}
	return out
}

// text shows the numbers of the statements that each edit changes.
func text(edits []edit) string {
	var out [][]int
	for _, e := range edits {
		var at []int
		for _, c := range e {
			at = append(at, c.at)
		}
		out = append(out, at)
	}
	return fmt.Sprint(out)
}

func TestJoined(t *testing.T) {
	tests := []struct {
		name  string
		edits []edit
		want  string
	}{
		{"nothing to join", editsAt([]int{1}, []int{1}), "[[1] [1]]"},
		{"each of two is also tried alone", editsAt([]int{1}, []int{2}), "[[1 2] [1] [2]]"},
		{"halves", editsAt([]int{1}, []int{2}, []int{3}), "[[1 2 3] [1] [2 3]]"},
		{"the first of edits that exclude each other", editsAt([]int{1}, []int{1}, []int{2}), "[[1 2] [1] [2]]"},
		{"an edit that is left out leaves its statements to others", editsAt([]int{1}, []int{1, 2}, []int{2}), "[[1 2] [1] [2]]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := text(joined(tt.edits)); got != tt.want {
				t.Errorf("joined(%s) = %s, want %s", text(tt.edits), got, tt.want)
			}
		})
	}
}

// A subject whose runs are slow loses the one of its two calls that is superfluous.
func TestSmallerWithFewRuns(t *testing.T) {
	w := newWorld(t)
	var b testcase.Builder
	ring := b.Add(w.fn("New"), b.Add(intLit(1)))
	b.Add(w.fn("Ring.Dequeue"), ring)
	b.Add(w.fn("Ring.Enqueue"), ring, b.Add(floatLit(0)))
	b.Add(w.fn("Ring.IsFull"), ring)
	seq := b.Sequence()
	outs, err := w.Run(context.Background(), []*testcase.Sequence{seq})
	if err != nil {
		t.Fatal(err)
	}
	full := func(s *testcase.Sequence, o *testcase.Outcome) bool {
		const enqueue = 1 // its block
		return o.Status == testcase.Returned && s.Last().Op == seq.Last().Op && o.Cover.Has(enqueue) && o.Results[s.Len()-1][0].Bits == 1
	}
	if !full(seq, outs[0]) {
		t.Fatalf("the ring is not full: %v", outs[0])
	}
	got, st, err := Smaller(context.Background(), []Subject{{Seq: seq, Out: outs[0], Same: full, MaxRuns: 20}}, w, Config{})
	if err != nil {
		t.Fatal(err)
	}
	const want = "v1 := New(0); v1.Enqueue(0); v1.IsFull()"
	if text := got[0].Seq.String(); text != want || st.Runs > 20 {
		t.Errorf("%s after %d runs, want %s after at most 20", text, st.Runs, want)
	}
}

// A case whose smaller versions end their process has only a few more runs, and the others of its batch are not run.
func TestRunTried(t *testing.T) {
	died := &testcase.Outcome{Status: testcase.Died}
	returned := &testcase.Outcome{Status: testcase.Returned}
	var seqs []*testcase.Sequence
	m := &minimiser{ctx: context.Background(), runsLeft: 1000, stats: new(Stats), runner: runnerFunc(func(s []*testcase.Sequence) []*testcase.Outcome {
		seqs = append(seqs, s...)
		outs := make([]*testcase.Outcome, len(s))
		for i := range s {
			outs[i] = died
			if s[i].Len() == 2 {
				outs[i] = returned
			}
		}
		return outs
	})}
	op := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral}}
	never := func(*testcase.Sequence, *testcase.Outcome) bool { return false }
	tried := make([][]*candidate, 2)
	for k := range tried {
		s := &subject{seq: testcase.NewSequence(op, op, op), out: returned, runsLeft: -1, accepts: never}
		for range 100 {
			tried[k] = append(tried[k], &candidate{subject: s, seq: testcase.NewSequence(slices.Repeat([]testcase.Statement{op}, k+1)...)})
		}
	}
	if err := m.runTried(tried); err != nil {
		t.Fatal(err)
	}
	count := [3]int{}
	for _, s := range seqs {
		count[s.Len()]++
	}
	if count[1] > 2*mostEnded || count[2] != 100 {
		t.Errorf("%d candidates ran that end their process, of 100, and %d of 100 that do not", count[1], count[2])
	}
	if dying, other := tried[0][0].subject, tried[1][0].subject; dying.runsLeft != dyingRuns || other.runsLeft != -1 {
		t.Errorf("runs left: %d and %d, want %d and no bound", dying.runsLeft, other.runsLeft, dyingRuns)
	}
}

// runnerFunc is a runner that is a function.
type runnerFunc func([]*testcase.Sequence) []*testcase.Outcome

func (f runnerFunc) Run(_ context.Context, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	return f(seqs), nil
}

// A negative bound of the runs is a bound that has been reached.
func TestNoRunsLeft(t *testing.T) {
	w := newWorld(t)
	var b testcase.Builder
	b.Add(w.fn("Sum"), b.Add(intLit(100)), b.Add(intLit(8)))
	seq := b.Sequence()
	outs, err := w.Run(context.Background(), []*testcase.Sequence{seq})
	if err != nil {
		t.Fatal(err)
	}
	all := func(*testcase.Sequence, *testcase.Outcome) bool { return true }
	got, st, err := Smaller(context.Background(), []Subject{{Seq: seq, Out: outs[0], Same: all}}, w, Config{MaxRuns: -1})
	if err != nil || st.Runs != 0 || got[0].Seq != seq {
		t.Errorf("%s after %d runs, error %v, want the sequence as it is", got[0].Seq, st.Runs, err)
	}
}

// A sequence to which the system refuses something is no test, and takes the place of none.
func TestCaseRule_denied(t *testing.T) {
	target := &testcase.Operation{Kind: testcase.OpLiteral}
	failed := func(message string) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.Pointer, Err: &testcase.ErrorInfo{Message: message}}}}}
	}
	seq := testcase.NewSequence(testcase.Statement{Op: target})
	now := &subject{seq: seq, out: failed("no such host")}
	for message, want := range map[string]bool{"no host": true, "dial tcp: socket: operation not permitted": false} {
		out := failed(message)
		rule := &caseRule{target: "F", behaviour: behaviour(seq, out), current: now}
		if got := rule.accepts(seq, out); got != want {
			t.Errorf("%s: accepted %t, want %t", message, got, want)
		}
	}
}
