package schedule

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// work is a package that behaves as told: a pass has to take so many seconds to cover everything, and twice
// as many to be finished.
type work struct {
	statements int
	seconds    float64
}

// simulate follows a plan with the given number of workers, without a clock. It returns the jobs in the
// order in which they began, and how much is covered at the end.
func simulate(t *testing.T, cfg Config, works map[string]work) (jobs []Job, covered map[string]int, end time.Duration) {
	t.Helper()
	for name := range works {
		cfg.Packages = append(cfg.Packages, name)
	}
	type running struct {
		job  Job
		ends time.Duration
	}
	p := New(cfg)
	covered = make(map[string]int)
	var busy []running
	var now time.Duration
	for {
		for len(busy) < cfg.Workers {
			job, ok := p.Next(now)
			if !ok {
				break
			}
			if slices.ContainsFunc(busy, func(r running) bool { return r.job.Package == job.Package }) {
				t.Fatalf("%s is worked on twice at the same time", job.Package)
			}
			jobs = append(jobs, job)
			w := works[job.Package]
			took := min(job.Bound, time.Duration(2*w.seconds*float64(time.Second)))
			busy = append(busy, running{job, now + took})
		}
		if len(busy) == 0 {
			return jobs, covered, now
		}
		slices.SortFunc(busy, func(a, b running) int { return int(a.ends - b.ends) })
		first := busy[0]
		busy = busy[1:]
		w := works[first.job.Package]
		took := first.ends - now
		now = first.ends
		had := covered[first.job.Package]
		share := min(1, first.job.Bound.Seconds()/w.seconds)
		covered[first.job.Package] = max(had, int(share*float64(w.statements)))
		p.Done(first.job, Outcome{
			Bound: first.job.Bound, Took: max(took, time.Millisecond), Covered: covered[first.job.Package], Statements: w.statements,
			Gained: covered[first.job.Package] - had, Finished: first.job.Bound.Seconds() >= 2*w.seconds,
		})
	}
}

// Every package has a pass before any has a second one.
func TestPlan_quickFirst(t *testing.T) {
	works := make(map[string]work)
	for i := range 20 {
		works[fmt.Sprintf("p%02d", i)] = work{100, 30}
	}
	jobs, covered, _ := simulate(t, Config{Budget: 10 * time.Minute, Workers: 2, Most: 3 * time.Minute}, works)
	for i, j := range jobs {
		if quick := i < len(works); j.Quick != quick || (j.Pass == 1) != quick {
			t.Fatalf("job %d is %+v", i, j)
		}
		if j.Quick && j.Bound > slowest {
			t.Errorf("the quick pass over %s has %s", j.Package, j.Bound)
		}
	}
	if len(covered) != len(works) {
		t.Errorf("%d packages had a pass, want all", len(covered))
	}
}

// The package that has gained most for its time gets the next pass.
func TestPlan_gain(t *testing.T) {
	jobs, _, _ := simulate(t, Config{Budget: time.Hour, Workers: 1, Most: time.Minute}, map[string]work{
		"a-small": {20, 40}, "b-large": {4000, 40}, "c-covered": {4000, 4}, "d-quick": {100, 1},
	})
	var deepened []string
	for _, j := range jobs {
		if !j.Quick {
			deepened = append(deepened, j.Package)
		}
	}
	// The large package gains most as long as it gains anything, and then the small one does. The covered one
	// gains nothing, and the quick one was finished by its first pass. In the end no package gains anything,
	// and the remaining passes only finish them. Then there are rounds, three in vain for each that is not finished.
	want := []string{"b-large", "b-large", "a-small", "a-small", "c-covered", "a-small", "b-large", "a-small", "b-large", "a-small", "b-large", "a-small", "b-large"}
	if !slices.Equal(deepened, want) {
		t.Errorf("deepened %v, want %v", deepened, want)
	}
	for i, j := range jobs[len(jobs)-6:] {
		if j.Round != 1+i/2 || j.Bound != time.Minute {
			t.Errorf("round %d of %s has %s, want round %d with a minute", j.Round, j.Package, j.Bound, 1+i/2)
		}
	}
}

// Mutants that tests begin to notice count like statements, up to those that are left.
func TestPlan_mutants(t *testing.T) {
	outcomes := map[string]Outcome{
		"a-statements": {Covered: 50, Statements: 100, Gained: 10},
		"b-mutants":    {Covered: 100, Statements: 100, Gained: 5, Killed: 100, Mutants: 200, Noticed: 10},
		"c-noticed":    {Covered: 100, Statements: 100, Gained: 40, Killed: 200, Mutants: 200, Noticed: 200},
	}
	p := New(Config{Packages: []string{"a-statements", "b-mutants", "c-noticed"}, Budget: time.Hour, Workers: 1, Most: time.Minute})
	var order []string
	for range 6 {
		j, _ := p.Next(0)
		o := outcomes[j.Package]
		if o.Bound, o.Took = j.Bound, 5*time.Second; !j.Quick {
			order = append(order, j.Package)
			o.Finished = true
		}
		p.Done(j, o)
	}
	if want := []string{"b-mutants", "a-statements", "c-noticed"}; !slices.Equal(order, want) {
		t.Errorf("deepened %v, want %v", order, want)
	}
}

// If most packages cannot be built in a quick pass, since the machine is busy, those after them get more time, up to eight
// times as much. Packages without statements, passes that began before the time was doubled, and single packages that are
// slow to build, change nothing.
func TestPlan_blind(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("p%02d", i))
	}
	outcomes := map[byte]func(Job) Outcome{
		'x': func(j Job) Outcome { return Outcome{Bound: j.Bound, Took: j.Bound} },
		'.': func(j Job) Outcome { return Outcome{Bound: j.Bound, Took: j.Bound, Statements: 9} },
		'0': func(j Job) Outcome { return Outcome{Bound: j.Bound, Took: j.Bound, Finished: true} },
	}
	for passes, want := range map[string][]time.Duration{
		"xx":          {slowest, slowest, slowest},
		"xxxxxxxxx":   {slowest, slowest, slowest, 2 * slowest, 2 * slowest, 2 * slowest, 4 * slowest, 4 * slowest, 4 * slowest, 8 * slowest},
		"x.x.x":       {slowest, slowest, slowest, slowest, slowest, 2 * slowest},
		"...x..x..x":  {slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest},
		"0x00xx..x.x": {slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest, slowest},
	} {
		p := New(Config{Packages: names, Budget: 3 * time.Minute, Workers: 2, Most: 3 * time.Minute})
		var bounds []time.Duration
		for i := range passes {
			j, _ := p.Next(0)
			bounds = append(bounds, j.Bound)
			p.Done(j, outcomes[passes[i]](j))
		}
		j, _ := p.Next(0)
		if bounds = append(bounds, j.Bound); !slices.Equal(bounds, want) {
			t.Errorf("%s: passes have %s, want %s", passes, bounds, want)
		}
	}
	p := New(Config{Packages: names, Budget: 3 * time.Minute, Workers: 2, Most: 3 * time.Minute})
	var begun []Job
	for range 4 {
		j, _ := p.Next(0)
		begun = append(begun, j)
	}
	for _, j := range begun {
		p.Done(j, outcomes['x'](j))
	}
	if j, _ := p.Next(175 * time.Second); j.Bound != 5*time.Second {
		t.Errorf("at the end a pass has %s, want what is left", j.Bound)
	}
	if j, _ := p.Next(0); j.Bound != 2*slowest {
		t.Errorf("after four passes that began together one has %s, want twice the time", j.Bound)
	}
}

// A package of which nothing is known yet comes before packages that have gained something.
func TestPlan_unknown(t *testing.T) {
	p := New(Config{Packages: []string{"a", "b"}, Budget: time.Hour, Workers: 1, Most: time.Minute})
	for range 2 {
		job, _ := p.Next(0)
		o := Outcome{Bound: job.Bound, Took: job.Bound}
		if job.Package == "a" {
			o.Covered, o.Statements, o.Gained = 50, 100, 50
		}
		p.Done(job, o)
	}
	if job, ok := p.Next(0); !ok || job.Package != "b" {
		t.Errorf("Next() = %+v, %v, want b", job, ok)
	}
}

// No pass begins that would not end in time, or that would begin anew with hardly more time than the pass before it.
// What is left of the time goes into rounds.
func TestPlan_end(t *testing.T) {
	for _, budget := range []time.Duration{time.Second, 7 * time.Second, 20 * time.Second, 100 * time.Second, 1000 * time.Second} {
		jobs, _, end := simulate(t, Config{Budget: budget, Workers: 3, Most: 3 * time.Minute}, map[string]work{
			"a": {100, 1000}, "b": {200, 1000}, "c": {300, 1000}, "d": {400, 1000},
		})
		if end > budget {
			t.Errorf("with a budget of %s the last pass ends at %s", budget, end)
		}
		last := make(map[string]time.Duration)
		for _, j := range jobs {
			if j.Round > 0 {
				if j.Bound < min(slowest, last[j.Package]) || j.Bound > last[j.Package] {
					t.Errorf("budget %s: round %d of %s has %s after %s", budget, j.Round, j.Package, j.Bound, last[j.Package])
				}
				continue
			}
			if j.Bound < min(2*last[j.Package], 3*time.Minute) {
				t.Errorf("budget %s: %s has %s after %s", budget, j.Package, j.Bound, last[j.Package])
			}
			last[j.Package] = j.Bound
		}
	}
}

// Work of an earlier run is not done again: the passes begin where that run ended.
func TestPlan_goesOn(t *testing.T) {
	p := New(Config{Packages: []string{"a", "b", "c"}, Budget: time.Hour, Workers: 1, Most: time.Minute})
	kept := map[string]Outcome{
		"a": {Bound: 15 * time.Second, Took: 15 * time.Second, Covered: 10, Statements: 100, Gained: 5},
		"b": {Bound: time.Minute, Took: time.Minute, Covered: 10, Statements: 100, Gained: 5},
		"c": {Finished: true, Covered: 100, Statements: 100},
	}
	for range kept {
		job, _ := p.Next(0)
		p.Done(job, kept[job.Package])
	}
	job, ok := p.Next(0)
	if !ok || job.Package != "a" || job.Bound != 45*time.Second {
		t.Errorf("Next() = %+v, %v, want 45s for a", job, ok)
	}
	p.Done(job, Outcome{Bound: job.Bound, Took: job.Bound, Covered: 10, Statements: 100})
	if seen, finished, covered, statements := p.Progress(); seen != 3 || finished != 1 || covered != 120 || statements != 300 {
		t.Errorf("Progress() = %d, %d, %d, %d", seen, finished, covered, statements)
	}
}

// A run in which there is no time for longer passes goes on with rounds, one after the other, until three in a row gain
// nothing; an earlier run's rounds count. A package of which nothing is known gets none.
func TestPlan_rounds(t *testing.T) {
	p := New(Config{Packages: []string{"a", "b"}, Budget: 2 * time.Minute, Workers: 1, Most: 3 * time.Minute})
	for _, o := range []Outcome{
		{Bound: 90 * time.Second, Took: 90 * time.Second, Covered: 10, Statements: 100, Gained: 5, Rounds: 4, Vain: 2},
		{Bound: 90 * time.Second, Took: 90 * time.Second},
	} {
		job, _ := p.Next(0)
		p.Done(job, o)
	}
	for i, gained := range []int{3, 0, 0, 0} {
		job, ok := p.Next(0)
		if want := (Job{Package: "a", Pass: 2 + i, Bound: 90 * time.Second, Workers: 1, Round: 5 + i}); !ok || job != want {
			t.Fatalf("Next() = %+v, %v, want %+v", job, ok, want)
		}
		p.Done(job, Outcome{Bound: time.Second, Took: time.Second, Covered: 13, Statements: 100, Gained: gained})
	}
	if job, ok := p.Next(0); ok {
		t.Errorf("after three rounds in vain: %+v", job)
	}
}

// When few packages are left, they may use the workers that have no package.
func TestPlan_workers(t *testing.T) {
	p := New(Config{Packages: []string{"a", "b"}, Budget: time.Hour, Workers: 8, Most: time.Minute})
	a, _ := p.Next(0)
	p.Done(a, Outcome{Finished: true})
	b, _ := p.Next(0)
	if a.Workers != 4 || b.Workers != 8 {
		t.Errorf("the packages get %d and %d workers, want 4 and 8", a.Workers, b.Workers)
	}
	if job, ok := p.Next(0); ok {
		t.Errorf("Next() = %+v while all are worked on", job)
	}
}

// Run does all jobs, each package on one worker at a time, and stops when its context ends.
func TestRun(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("p%02d", i))
	}
	cfg := Config{Packages: names, Budget: time.Hour, Workers: 4, Most: 5 * time.Second}
	var mu sync.Mutex
	busy, done := make(map[string]bool), make(map[string]int)
	do := func(j Job) Outcome {
		mu.Lock()
		defer mu.Unlock()
		if busy[j.Package] {
			t.Errorf("%s is worked on twice at the same time", j.Package)
		}
		busy[j.Package] = true
		mu.Unlock()
		mu.Lock()
		busy[j.Package] = false
		done[j.Package]++
		return Outcome{Finished: done[j.Package] == 2, Bound: time.Second, Took: time.Second, Statements: 1}
	}
	Run(t.Context(), New(cfg), do, func(Job, Outcome) {})
	for _, name := range names {
		if done[name] != 2 {
			t.Errorf("%s had %d passes, want 2", name, done[name])
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	jobs := 0
	Run(ctx, New(cfg), func(Job) Outcome { return Outcome{Finished: true} }, func(Job, Outcome) {
		if jobs++; jobs == 3 {
			cancel()
		}
	})
	if jobs < 3 || jobs > 3+cfg.Workers {
		t.Errorf("%d jobs were done although the third was to be the last", jobs)
	}
}

// Without a budget each package has one pass, with all the time.
func TestPlan_single(t *testing.T) {
	jobs, _, _ := simulate(t, Config{Budget: 1000 * time.Hour, Workers: 2, Most: time.Minute, Single: true}, map[string]work{
		"a": {100, 1}, "b": {100, 1000}, "c": {100, 10},
	})
	if len(jobs) != 3 {
		t.Fatalf("%d passes over 3 packages", len(jobs))
	}
	for _, j := range jobs {
		if j.Bound != time.Minute || j.Quick {
			t.Errorf("%s has %s, quick %v", j.Package, j.Bound, j.Quick)
		}
	}
}
