package mutate

import (
	"context"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Fuel of cases, in turns of loops: what takes more than the first with no mutant on
// is bounded by time alone, and everything else may take the second with one.
const (
	usualFuel = 500_000
	mostFuel  = 5_000_000
)

// firstRound is how many cases of a mutant are run before it is looked at what came of
// them; each later round doubles it. Kills mostly come early.
const firstRound = 2

// work is what is to be done for one mutant.
type work struct {
	id    int
	cases []int // that reach it and were not run
	redo  []int // that seemed to notice it in a process that was no longer clean
}

// run runs sequences against the mutants that they reach.
func (a *Analysis) run(ctx context.Context, seqs []*testcase.Sequence, base []*testcase.Outcome, c native.Capture,
	usable func(int) bool, differ func(i int, base, got *testcase.Outcome) string, all bool) ([]Verdict, error) {
	out := a.verdicts()
	fuel, err := a.fuel(ctx, seqs, base, usable)
	if err != nil {
		return out, err
	}
	var todo []*work
	for i := range out {
		if !a.wanted[i+1] {
			continue
		}
		w := &work{id: i + 1}
		for k := range seqs {
			if usable(k) && base[k].Cover.Has(a.mutants[i].site) {
				w.cases = append(w.cases, k)
			}
		}
		if len(w.cases) == 0 {
			out[i].Run = true
			continue
		}
		out[i].Covered = true
		todo = append(todo, w)
	}
	note := func(w *work, k int, how string) {
		v := &out[w.id-1]
		if !v.Killed {
			v.How = how
		}
		v.Killed = true
		v.By = append(v.By, k)
	}
	for round := firstRound; len(todo) > 0; round *= 2 {
		if err := a.round(ctx, todo, round, seqs, base, fuel, c, differ, all, note); err != nil {
			return out, err
		}
		var next []*work
		for _, w := range todo {
			if len(w.cases) == 0 || out[w.id-1].Killed && !all {
				out[w.id-1].Run = true
				continue
			}
			next = append(next, w)
		}
		todo = next
	}
	return out, nil
}

// round runs up to n further cases of each mutant.
func (a *Analysis) round(ctx context.Context, todo []*work, n int, seqs []*testcase.Sequence, base []*testcase.Outcome, fuel []int,
	c native.Capture, differ func(int, *testcase.Outcome, *testcase.Outcome) string, all bool, note func(*work, int, string)) error {
	// After each case with a mutant on comes the same one with none.
	var jobs []native.Job
	for _, w := range todo {
		for _, k := range w.cases[:min(n, len(w.cases))] {
			jobs = append(jobs, native.Job{Seq: seqs[k], Variant: w.id, Fuel: fuel[k]}, native.Job{Seq: seqs[k], Fuel: fuel[k]})
		}
	}
	a.harness.Fresh()
	got, err := a.harness.RunJobs(ctx, jobs, c)
	if err != nil {
		return err
	}
	at := 0
	for _, w := range todo {
		taken := min(n, len(w.cases))
		for _, k := range w.cases[:taken] {
			mutated, after := got[at], got[at+1]
			at += 2
			how := differ(k, base[k], mutated)
			if how == "" || len(w.redo) > 0 && !all {
				continue
			}
			if differ(k, base[k], after) != "" {
				w.redo = append(w.redo, k)
				continue
			}
			note(w, k, how)
			if !all {
				at += 2 * (taken - indexOf(w.cases[:taken], k) - 1)
				break
			}
		}
		w.cases = w.cases[taken:]
	}
	return a.redo(ctx, todo, seqs, base, fuel, c, differ, note)
}

// redo runs again, each in a process of its own, what seemed to notice a mutant when
// the process's state was spoiled.
func (a *Analysis) redo(ctx context.Context, todo []*work, seqs []*testcase.Sequence, base []*testcase.Outcome, fuel []int,
	c native.Capture, differ func(int, *testcase.Outcome, *testcase.Outcome) string, note func(*work, int, string)) error {
	for _, w := range todo {
		for _, k := range w.redo {
			a.harness.Fresh()
			got, err := a.harness.RunJobs(ctx, []native.Job{{Seq: seqs[k], Variant: w.id, Fuel: fuel[k]}}, c)
			if err != nil {
				return err
			}
			if how := differ(k, base[k], got[0]); how != "" {
				note(w, k, how)
			}
		}
		w.redo = nil
	}
	return nil
}

func indexOf(l []int, x int) int {
	for i, y := range l {
		if y == x {
			return i
		}
	}
	return -1
}

// fuel finds out how much each sequence may use with a mutant on.
func (a *Analysis) fuel(ctx context.Context, seqs []*testcase.Sequence, base []*testcase.Outcome, usable func(int) bool) ([]int, error) {
	out := make([]int, len(seqs))
	var jobs []native.Job
	var index []int
	for i, s := range seqs {
		if usable(i) {
			jobs = append(jobs, native.Job{Seq: s, Fuel: usualFuel})
			index = append(index, i)
		}
	}
	got, err := a.harness.RunJobs(ctx, jobs, native.CaptureNone)
	if err != nil {
		return nil, err
	}
	for j, i := range index {
		if got[j].Status == base[i].Status && !outOfFuelled(got[j]) {
			out[i] = mostFuel
		}
	}
	return out, nil
}

// outOfFuelled reports whether a case was cut because its loops took too many turns.
func outOfFuelled(o *testcase.Outcome) bool { return o.Panic != nil && o.Panic.Message == outOfFuel }
