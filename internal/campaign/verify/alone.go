package verify

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// If a test fails, and others set package-level variables and do not put them back, it may fail because of these. To take all of those out
// would lose many good tests for one bad one, so the tests that failed run alone first.

// mostAlone is how many tests that failed run alone in one round.
const mostAlone = 12

// takeFailingAlone takes out the tests among those that failed which fail alone as well, and reports whether there are some. If no
// test of the suite is suspected of setting variables, no test runs alone.
func (t *trial) takeFailingAlone(ctx context.Context, res *gotest.Result, names []string, suspected func(*testcase.Case) bool) bool {
	some := false
	for _, f := range t.s.Files {
		for _, test := range f.Tests {
			some = some || slices.ContainsFunc(test.Cases, suspected)
		}
	}
	if !some {
		return false
	}
	d := t.withBinary(ctx, names)
	if d == nil {
		return false
	}
	before := len(t.bad)
	for _, name := range res.Failed[:min(len(res.Failed), mostAlone)] {
		again, err := d.plain.Try(ctx, gotest.Trial{Names: []string{name}, Count: repeats, Shuffle: t.Config.Seed + 1, Timeout: atLeast})
		if err != nil || again.Hung {
			break
		}
		t.takeFailed(again, "")
	}
	return len(t.bad) > before
}
