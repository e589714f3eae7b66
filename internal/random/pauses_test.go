package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
)

// Calls that sleep cost as much effort as what would run meanwhile, so that a package whose constructor sleeps does not
// take minutes.
func TestPauses(t *testing.T) {
	s := open(t, source(`package p

import "time"

type Worker struct{ n int }

func New() *Worker {
	time.Sleep(2 * time.Millisecond)
	return &Worker{}
}

func (w *Worker) Add(n int) int {
	if w.n += n; w.n > 5 {
		return 1
	}
	return 0
}
`))
	cases, res := s.run(t, random.Config{Seed: 1, Ops: 20_000})
	if missing := s.uncovered(res.Covered); missing != "" {
		t.Errorf("not covered: %s\n%s", missing, text(cases))
	}
	if res.Sequences > 1_000 {
		t.Errorf("%d sequences, most of which sleep for two milliseconds", res.Sequences)
	}
}
