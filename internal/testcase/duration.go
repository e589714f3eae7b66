package testcase

import (
	"go/types"
	"slices"
	"time"
)

// durations are what people pass for a time, the plainest first: one that does not end while the test runs, one that
// ends at once, none, and one that is over before it began.
var durations = []time.Duration{time.Minute, time.Millisecond, 0, -time.Millisecond}

// IsDuration reports whether a type is time.Duration.
func IsDuration(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Duration" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "time"
}

// PlainerDurations returns the durations that read better than d, the plainest first. A smaller duration is no plainer
// one: whether a call comes within nanoseconds of another one is chance.
func PlainerDurations(d time.Duration) []time.Duration {
	if i := slices.Index(durations, d); i >= 0 {
		return durations[:i]
	}
	return durations
}
