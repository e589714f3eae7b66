package mutate

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/event"
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
}

// runner runs sequences against mutants.
type runner struct {
	*Analysis
	seqs    []*testcase.Sequence
	base    []*testcase.Outcome // with no mutant on
	fuel    []int
	capture native.Capture
	usable  func(i int) bool // a case can tell anything at all
	differ  func(k int, base, got *testcase.Outcome) string
	all     bool
	only    func(id int) bool // nil is all
	noticed func(k, id int, base, got *testcase.Outcome)
	out     []Verdict
}

// run runs the sequences against the mutants that they reach.
func (r *runner) run(ctx context.Context) ([]Verdict, error) {
	r.out = r.verdicts()
	if err := r.setFuel(ctx); err != nil {
		return r.out, err
	}
	var todo []*work
	for i := range r.out {
		if !r.wanted[i+1] || r.only != nil && !r.only(i+1) {
			continue
		}
		w := &work{id: i + 1}
		for k := range r.seqs {
			if r.usable(k) && r.base[k].Cover.Has(r.mutants[i].site) {
				w.cases = append(w.cases, k)
			}
		}
		if len(w.cases) == 0 {
			r.out[i].Run = true
			continue
		}
		r.out[i].Covered = true
		todo = append(todo, w)
	}
	for n := firstRound; len(todo) > 0; n *= 2 {
		if err := r.runMore(ctx, todo, n); err != nil {
			return r.out, err
		}
		var next []*work
		for _, w := range todo {
			v := &r.out[w.id-1]
			if len(w.cases) == 0 || v.Killed && !r.all {
				v.Run = true
				continue
			}
			next = append(next, w)
		}
		todo = next
	}
	return r.out, nil
}

// runMore runs up to n further cases of each mutant.
func (r *runner) runMore(ctx context.Context, todo []*work, n int) error {
	if r.stateful {
		for _, w := range todo {
			if err := r.runInOwnProcess(ctx, w, w.take(n)); err != nil {
				return err
			}
		}
		return nil
	}
	// After each case with a mutant on comes the same one with none, to see that it did
	// not spoil anything.
	var jobs []native.Job
	taken := make([][]int, len(todo))
	for i, w := range todo {
		taken[i] = w.take(n)
		for _, k := range taken[i] {
			jobs = append(jobs, r.job(k, w.id), r.job(k, 0))
		}
	}
	r.harness.Fresh()
	got, err := r.harness.RunJobs(ctx, jobs, r.capture)
	if err != nil {
		return err
	}
	for i, w := range todo {
		var spoiled []int
		for _, k := range taken[i] {
			mutated, after := got[0], got[1]
			got = got[2:]
			how := r.differ(k, r.base[k], mutated)
			switch {
			case how == "":
			case r.differ(k, r.base[k], after) != "":
				spoiled = append(spoiled, k)
			default:
				r.kill(w, k, how, mutated)
			}
		}
		for _, k := range spoiled {
			if !r.all && r.out[w.id-1].Killed {
				break
			}
			if err := r.runInOwnProcess(ctx, w, []int{k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// runInOwnProcess runs cases with a mutant on in a process of their own.
func (r *runner) runInOwnProcess(ctx context.Context, w *work, cases []int) error {
	var jobs []native.Job
	for _, k := range cases {
		jobs = append(jobs, r.job(k, w.id))
	}
	r.harness.Fresh()
	got, err := r.harness.RunJobs(ctx, jobs, r.capture)
	if err != nil {
		return err
	}
	for i, k := range cases {
		if how := r.differ(k, r.base[k], got[i]); how != "" {
			r.kill(w, k, how, got[i])
		}
	}
	return nil
}

// take takes the next n cases.
func (w *work) take(n int) []int {
	n = min(n, len(w.cases))
	out := w.cases[:n]
	w.cases = w.cases[n:]
	return out
}

func (r *runner) job(k, id int) native.Job {
	return native.Job{Seq: r.seqs[k], Variant: id, Fuel: r.fuel[k]}
}

// kill notes that case k notices a mutant by its outcome.
func (r *runner) kill(w *work, k int, how string, got *testcase.Outcome) {
	if r.noticed != nil {
		r.noticed(k, w.id, r.base[k], got)
	}
	v := &r.out[w.id-1]
	if v.Killed && !r.all {
		return
	}
	if !v.Killed || k < v.By[0] {
		v.How = how
	}
	v.Killed = true
	v.By = append(v.By, k)
	slices.Sort(v.By)
}

// setFuel finds out how much each sequence may use with a mutant on.
func (r *runner) setFuel(ctx context.Context) error {
	r.fuel = make([]int, len(r.seqs))
	var jobs []native.Job
	var index []int
	for i, s := range r.seqs {
		if r.usable(i) {
			jobs = append(jobs, native.Job{Seq: s, Fuel: usualFuel})
			index = append(index, i)
		}
	}
	got, err := r.harness.RunJobs(ctx, jobs, native.CaptureNone)
	if err != nil {
		return err
	}
	for j, i := range index {
		if got[j].Status == r.base[i].Status && !spent(got[j]) {
			r.fuel[i] = mostFuel
		}
	}
	return nil
}

// spent reports whether a case was cut because its loops took too many turns.
func spent(o *testcase.Outcome) bool { return o.Panic != nil && o.Panic.Message == outOfFuel }

// EventOf tells what became of a mutant of a package; tests are the names of the suite's tests.
func EventOf(pkg string, tests []string, v Verdict) event.Mutant {
	m := event.Mutant{
		Package: pkg, Func: v.Mutant.Func, Pos: v.Mutant.Pos.String(), Operator: string(v.Mutant.Operator), Text: v.Mutant.Text, Fate: event.Survived,
	}
	switch {
	case v.Killed:
		m.Fate = event.Killed
		if len(v.By) > 0 && v.By[0] < len(tests) {
			m.Test = tests[v.By[0]]
		}
	case !v.Covered:
		m.Fate = event.Unreached
	}
	return m
}
