package mutate

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// fuels are pairs of bounds on turns of loops: a case that takes at most usual turns without a mutant may
// take most turns with one. The first pair that fits counts. A case with more turns is bounded by time alone.
// Most endless loops that mutants make are in cases that otherwise take a few turns.
var fuels = []struct{ usual, most int }{{100, 20_000}, {2_000, 200_000}, {500_000, 5_000_000}}

// firstRound is how many cases run against a mutant in the first round. Each later round doubles the number.
// Rounds save work, because most kills come early.
const firstRound = 2

// work is the work that is left for one mutant.
type work struct {
	id    int
	cases []int // the cases that reach the mutant and have not run
}

// runner runs sequences against mutants.
type runner struct {
	*Analysis
	seqs    []*testcase.Sequence
	base    []*testcase.Outcome // the outcomes without a mutant
	fuel    []int
	capture native.Capture
	usable  func(i int) bool // reports whether a case can tell anything
	differ  func(k int, base, got *testcase.Outcome) string
	own     func(k int) string // returns the function that a case is about, by Target.Name; nil if cases are about none
	opt     Options
	apart   bool // each mutant gets processes of its own
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
		if !r.wanted[i+1] || r.opt.Only != nil && !r.opt.Only(i+1) {
			continue
		}
		w := &work{id: i + 1, cases: r.reaching(i + 1)}
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
			if len(w.cases) == 0 || v.Killed && !r.opt.All || r.opt.Most > 0 && len(v.By) >= r.opt.Most {
				v.Run = true
				continue
			}
			next = append(next, w)
		}
		todo = next
	}
	return r.out, nil
}

// reaching returns the cases that reach a mutant and matter for it. Cases about the mutant's function come
// first.
func (r *runner) reaching(id int) []int {
	m := r.mutants[id-1]
	var own, others []int
	for k := range r.seqs {
		switch {
		case !r.usable(k) || !r.base[k].Cover.Has(m.site) || r.opt.Pair != nil && !r.opt.Pair(k, id):
		case r.own != nil && r.own(k) == m.Func:
			own = append(own, k)
		default:
			others = append(others, k)
		}
	}
	return append(own, others...)
}

// runMore runs up to n more cases for each mutant.
func (r *runner) runMore(ctx context.Context, todo []*work, n int) error {
	taken := make([][]int, len(todo))
	for i, w := range todo {
		for _, k := range w.next(n) {
			if runs, ok := r.costly[costlyRun{r.seqs[k], w.id}]; ok {
				r.take(w, k, runs)
			} else {
				taken[i] = append(taken[i], k)
			}
		}
	}
	if r.apart {
		for i, w := range todo {
			if err := r.runInOwnProcess(ctx, w, taken[i]); err != nil {
				return err
			}
		}
		return nil
	}
	// After each case with a mutant the same case runs without one. This shows whether the mutant has spoiled
	// any state.
	var jobs []native.Job
	for i, w := range todo {
		for _, k := range taken[i] {
			jobs = append(jobs, r.jobs(k, w.id)...)
			jobs = append(jobs, r.job(k, 0))
		}
	}
	r.renew(len(jobs))
	got, err := r.harness.RunJobs(ctx, jobs, r.capture)
	if err != nil {
		return err
	}
	for i, w := range todo {
		var spoiled []int
		for _, k := range taken[i] {
			times := r.times(w.id)
			mutated, after := got[:times], got[times]
			got = got[times+1:]
			if mutated[0].Status == testcase.Hung {
				r.costly[costlyRun{r.seqs[k], w.id}] = mutated
			}
			if r.differAll(k, mutated) != "" && r.differ(k, r.base[k], after) != "" {
				spoiled = append(spoiled, k)
				r.spoiled = true
				continue
			}
			r.take(w, k, mutated)
		}
		for _, k := range spoiled {
			if !r.opt.All && r.out[w.id-1].Killed {
				break
			}
			if err := r.runInOwnProcess(ctx, w, []int{k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// take notes what the runs of case k against a mutant show.
func (r *runner) take(w *work, k int, runs []*testcase.Outcome) {
	if runs[0].Status == testcase.Hung {
		w.cases = nil // the mutant may make each further case wait until its time is over, too
	}
	if how := r.differAll(k, runs); how != "" {
		r.kill(w, k, how, runs[0])
	}
}

// runInOwnProcess runs cases with a mutant on in a process of their own.
func (r *runner) runInOwnProcess(ctx context.Context, w *work, cases []int) error {
	if len(cases) == 0 {
		return nil
	}
	var jobs []native.Job
	times := r.times(w.id)
	for _, k := range cases {
		jobs = append(jobs, r.jobs(k, w.id)...)
	}
	r.harness.Fresh()
	r.spoiled = true // the next jobs get another process again
	got, err := r.harness.RunJobs(ctx, jobs, r.capture)
	if err != nil {
		return err
	}
	for i, k := range cases {
		runs := got[i*times : (i+1)*times]
		r.costly[costlyRun{r.seqs[k], w.id}] = runs
		r.take(w, k, runs)
	}
	return nil
}

// times returns how often a case runs against a mutant. In a function that goes through a map it has to
// notice the mutant in both orders, because a difference that shows in one order only is noticed by chance.
func (r *runner) times(id int) int {
	if r.unordered[r.mutants[id-1].Func] {
		return 2
	}
	return 1
}

// differAll says how the runs of a case with a mutant differ from the run without one. It returns "" if one
// of the runs does not differ.
func (r *runner) differAll(k int, runs []*testcase.Outcome) string {
	how := ""
	for _, o := range runs {
		if how = r.differ(k, r.base[k], o); how == "" {
			return ""
		}
	}
	return how
}

// next removes the next n cases of the work and returns them.
func (w *work) next(n int) []int {
	n = min(n, len(w.cases))
	out := w.cases[:n]
	w.cases = w.cases[n:]
	return out
}

// jobs returns the runs of a case against a mutant. The first run goes through maps in the order of the keys.
func (r *runner) jobs(k, id int) []native.Job {
	var out []native.Job
	for i := range r.times(id) {
		j := r.job(k, id)
		j.Descending = i > 0
		out = append(out, j)
	}
	return out
}

func (r *runner) job(k, id int) native.Job {
	return native.Job{Seq: r.seqs[k], Variant: id, Fuel: r.fuel[k]}
}

// kill notes that case k notices a mutant, and by which difference.
func (r *runner) kill(w *work, k int, how string, got *testcase.Outcome) {
	if r.opt.Noticed != nil {
		r.opt.Noticed(k, w.id, r.base[k], got)
	}
	v := &r.out[w.id-1]
	if v.Killed && !r.opt.All {
		return
	}
	if !v.Killed || k < v.By[0] {
		v.How = how
	}
	v.Killed = true
	v.By = append(v.By, k)
	slices.Sort(v.By)
}

// setFuel sets how many turns each sequence may take with a mutant on.
func (r *runner) setFuel(ctx context.Context) error {
	r.fuel = make([]int, len(r.seqs))
	var left []int
	for i := range r.seqs {
		if r.usable(i) {
			left = append(left, i)
		}
	}
	for _, fuel := range fuels {
		var jobs []native.Job
		for _, i := range left {
			jobs = append(jobs, native.Job{Seq: r.seqs[i], Fuel: fuel.usual})
		}
		got, err := r.harness.RunJobs(ctx, jobs, native.CaptureNone)
		if err != nil {
			return err
		}
		var hungry []int
		for j, i := range left {
			if got[j].Status == r.base[i].Status && !spent(got[j]) {
				r.fuel[i] = fuel.most
			} else {
				hungry = append(hungry, i)
			}
		}
		left = hungry
	}
	return nil
}

// spent reports whether a case was ended because its loops took too many turns.
func spent(o *testcase.Outcome) bool { return o.Panic != nil && o.Panic.Message == outOfFuel }

// EventOf returns the event for a mutant of a package. The parameter tests has the names of the suite's
// tests.
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
