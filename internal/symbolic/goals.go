package symbolic

import (
	"context"

	"github.com/goassay/assay/internal/vm"
)

// goalsPerTarget is how many goals of one target are tried. Each has a part of the target's budget, beside what the
// explorations before have used of it.
const goalsPerTarget = 8

// goalPaths is how many paths lead off the path to a goal, each by a decision that is flipped.
const goalPaths = 60

// executeGoals looks for outcomes that no path took because of earlier decisions, from inputs that their
// conditions ask for.
func (e *explorer) executeGoals(ctx context.Context) error {
	b, tried := e.budget.Part(2*goalsPerTarget), 0
	limits := vm.Limits{
		Steps: int64(b.Instructions), Paths: goalPaths, Queries: int64(b.Queries), Effort: int64(b.Effort),
		States: b.States, PathSteps: int64(b.Instructions), PathForks: b.Branches,
	}
	stop := func() bool { return ctx.Err() != nil || e.done }
	// The path to a goal may come to conditions that contradict it in turn.
	for goals := e.m.Goals(); len(goals) > 0; goals = e.m.Goals() {
		for _, g := range goals {
			if tried == goalsPerTarget || stop() {
				return nil
			}
			stats, found, err := e.m.ExploreGoal(g, &seeded{Searcher: e.cfg.searcher()}, limits, stop, e.path)
			if err != nil {
				return err
			}
			if found {
				tried++
			}
			e.add(stats)
		}
	}
	return nil
}

// missesPerTarget is how many outcomes of a target are approached by numbers that come nearer. Each has a part of the
// target's budget, beside what was used of it.
const missesPerTarget = 4

// approachMisses looks for outcomes of comparisons that no path took, because a number in them is counted by branches.
func (e *explorer) approachMisses(ctx context.Context) error {
	b := e.budget.Part(missesPerTarget)
	// An attempt asks many questions, one for each decision that may be flipped, of which each costs little.
	limits := vm.Limits{Steps: int64(b.Instructions), Queries: int64(e.budget.Queries), Effort: int64(b.Effort), PathForks: b.Branches}
	stop := func() bool { return ctx.Err() != nil || e.done }
	for i, x := range e.m.Misses() {
		if i == missesPerTarget || stop() {
			return nil
		}
		stats, err := e.m.Approach(x, e.cfg.searcher(), limits, stop, e.path)
		if err != nil {
			return err
		}
		e.add(stats)
	}
	return nil
}
