package verify

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/gotest"
)

// A test that panics, or ends the process otherwise, hides all tests that would have run after it. If each round found one such
// test, a suite with ten of them would need ten builds, and nothing would be written for want of time.

// mostEnds is how many tests that end the process are looked for in one round.
const mostEnds = 40

// takeHidden takes out the tests that fail among those which a run did not come to because its process ended early. It runs
// the rest of the suite, built once, until a run comes to its end.
func (t *trial) takeHidden(ctx context.Context, res *gotest.Result, names []string) {
	if res.Hung || !endedEarly(res) {
		return
	}
	d := t.withBinary(ctx, names)
	if d == nil {
		return
	}
	skip := skipped(t, res)
	for range mostEnds {
		again, err := d.plain.Try(ctx, gotest.Trial{Names: names, Skip: skip, Count: repeats, Shuffle: t.Config.Seed + 1, Timeout: atLeast})
		if err != nil || again.Hung {
			return // what is left is for the next round
		}
		before := len(t.bad)
		t.takeFailed(again, "")
		skip = append(skip, skipped(t, again)...)
		if len(t.bad) == before || !endedEarly(again) {
			return
		}
	}
}

// withBinary returns a doubter with a binary of the suite, or nil if that does not build: the next round meets the same error and
// reports it.
func (t *trial) withBinary(ctx context.Context, names []string) *doubter {
	d := &doubter{trial: t, names: names}
	var err error
	if d.plain, err = d.buildPlain(ctx); err != nil {
		return nil
	}
	return d
}

// endedEarly reports whether a test ended the process, by a panic or otherwise.
func endedEarly(res *gotest.Result) bool {
	return len(res.Died) > 0 || slices.ContainsFunc(res.Failed, func(name string) bool {
		return slices.ContainsFunc(res.Output[name], func(line string) bool { return strings.HasPrefix(line, "panic: ") })
	})
}

// skipped returns patterns for the subtests that failed, and for the tests that failed without a subtest whose case is known.
func skipped(t *trial, res *gotest.Result) []string {
	exactly := func(s string) string { return "^" + regexp.QuoteMeta(s) + "$" }
	var out []string
	for _, f := range t.s.Files {
		for _, test := range f.Tests {
			if !slices.Contains(res.Failed, test.Name) {
				continue
			}
			rows := 0
			for _, row := range test.Rows {
				// A slash divides a pattern, so that rows whose names have one are left out with all others of their test.
				if name := gosyntax.SubtestName(row); row != "" && slices.Contains(res.Subtests[test.Name], name) && !strings.Contains(name, "/") {
					out = append(out, exactly(test.Name)+"/"+exactly(name))
					rows++
				}
			}
			if rows == 0 {
				out = append(out, exactly(test.Name))
			}
		}
	}
	return out
}
