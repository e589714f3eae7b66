package choose

import (
	"context"
	"slices"
	"time"

	"github.com/goassay/assay/internal/choose/complete"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file gives content to what tests pass without any: an element of a list that is zero, an empty key of a map. Engines and reducers
// end with such values because they take the same way, and code that forgets them passes the test as well.

// withContent gives content to what the tests leave hollow (complete.Content). A test takes it if its call ends as before, covers the same and
// notices the same mutants. A row whose point is an empty key stays. It may take half of the time that is left, and keeps the tests that it has
// changed by then.
func (m *mutantChooser) withContent(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	r := &respelling{tests: slices.Clone(tests), kills: slices.Clone(kills), long: make([]int, len(tests)), hollow: true}
	r.wants = func(i int) bool { return tests[i].Documented == "" && !tests[i].Keep }
	r.fits = func(i int, proposed *testcase.Case) bool {
		was := r.tests[i]
		return outcome.HasError(was) == outcome.HasError(proposed) && (outcome.ReturnsEmpty(was) || !outcome.ReturnsEmpty(proposed)) && !outcome.IsMisprinted(proposed)
	}
	var ways []plain.Way
	for n := range complete.MostContents {
		ways = append(ways, complete.Content(n))
	}
	part, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/2)
	defer cancel()
	err := m.step(part, ways, r)
	if part.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		err = nil
	}
	if err != nil {
		return tests, kills, err
	}
	if err := m.runAgain(ctx, tests, kills, r); err != nil {
		return tests, kills, err
	}
	m.keepStates(tests, r.tests)
	return r.tests, r.kills, nil
}
