package schedule

import (
	"cmp"
	"math"
	"slices"
	"time"
)

const (
	// quickest and slowest bound the time of the quick pass. In less than quickest hardly any package can be
	// built.
	quickest = 2 * time.Second
	slowest  = 5 * time.Second
	// factor is how many times the time of the previous pass a pass has.
	factor = 3
	// overrun is the fraction of its time by which a pass may be late, because its results have to be
	// verified.
	overrun = 4
)

// Config says what to divide. Packages about which nothing else is known are worked on in the order of their
// names.
type Config struct {
	Packages []string
	Budget   time.Duration // the time for all packages, from the first call of Next
	Workers  int           // how many workers work at the same time; less than 1 means 1
	Most     time.Duration // the longest time of one pass
	// Single makes each package be worked on once, with the time Most.
	Single bool
}

// Job is a pass over one package.
type Job struct {
	Package string
	Pass    int           // the number of the pass, from 1
	Bound   time.Duration // the time of the pass
	// Quick says that it is the first pass. Any result that an earlier run has kept is good enough for such a
	// pass.
	Quick bool
	// Workers is how many of the workers the package may use.
	Workers int
}

// Outcome is the result of a pass.
type Outcome struct {
	// Bound and Took are the times of the pass. If an earlier run has done the pass, they come from that run.
	Bound, Took time.Duration
	// Covered of Statements are covered now, and this pass covered Gained of them first.
	Covered, Statements, Gained int
	// Finished says that more time would not improve the result.
	Finished bool
}

// state is everything known about a package.
type state struct {
	name    string
	passes  int
	running bool
	last    Outcome
}

// finished reports whether the package needs no further pass.
func (p *Plan) finished(s *state) bool {
	return s.passes > 0 && (p.cfg.Single || s.last.Finished || s.last.Bound >= p.cfg.Most)
}

// Plan says which package is worked on next. It is not safe for several goroutines.
type Plan struct {
	cfg      Config
	packages []*state
}

// New returns a plan in which no job was done.
func New(cfg Config) *Plan {
	cfg.Workers = max(cfg.Workers, 1)
	p := &Plan{cfg: cfg}
	for _, name := range cfg.Packages {
		p.packages = append(p.packages, &state{name: name})
	}
	slices.SortFunc(p.packages, func(a, b *state) int { return cmp.Compare(a.name, b.name) })
	return p
}

// Next returns the next job for a worker, given the time since the beginning. It returns false if there is
// none, because no time is left, or because all packages that need more are being worked on.
func (p *Plan) Next(late time.Duration) (Job, bool) {
	left := p.cfg.Budget - late
	if left <= 0 {
		return Job{}, false
	}
	var best *state
	for _, s := range p.packages {
		if !s.running && s.passes == 0 {
			return p.start(s, min(p.Quick(), p.cfg.Most, left)), true
		}
		if s.running || p.finished(s) || p.bound(s, left) == 0 {
			continue
		}
		if best == nil || p.compare(s, best, left) < 0 {
			best = s
		}
	}
	if best == nil {
		return Job{}, false
	}
	return p.start(best, p.bound(best, left)), true
}

// Quick returns the time of the first pass. If possible all first passes together take at most two thirds of
// the budget.
func (p *Plan) Quick() time.Duration {
	if p.cfg.Single {
		return p.cfg.Most
	}
	share := p.cfg.Budget * time.Duration(p.cfg.Workers) * 2 / 3 / time.Duration(max(len(p.packages), 1))
	return min(max(share, quickest), slowest)
}

// bound returns the time for the next pass over a package, given the time left. It returns 0 if the time left
// is too short for the pass to improve the last result.
func (p *Plan) bound(s *state, left time.Duration) time.Duration {
	next := min(s.last.Bound*factor, p.cfg.Most)
	if fits := left - left/overrun; next > fits {
		next = fits // a longer pass would be late, and its results have to be verified in time
	}
	if next < min(2*s.last.Bound, p.cfg.Most) {
		return 0
	}
	return next
}

// gain returns how many statements the next pass over a package is expected to cover more in each second.
// About a package that was not even built in time nothing is known, so it may gain any number.
func (p *Plan) gain(s *state, left time.Duration) float64 {
	bound := p.bound(s, left).Seconds()
	if s.last.Statements == 0 {
		return math.Inf(1)
	}
	if bound == 0 || s.last.Took <= 0 {
		return 0
	}
	expected := float64(s.last.Gained) / s.last.Took.Seconds() * bound
	return min(expected, float64(s.last.Statements-s.last.Covered)) / bound
}

// compare orders packages for deeper passes. The package with the largest gain comes first; of equal ones the
// package that had the least time.
func (p *Plan) compare(a, b *state, left time.Duration) int {
	return cmp.Or(cmp.Compare(p.gain(b, left), p.gain(a, left)), cmp.Compare(a.last.Bound, b.last.Bound), cmp.Compare(a.name, b.name))
}

// start notes that a worker works on a package.
func (p *Plan) start(s *state, bound time.Duration) Job {
	s.running = true
	open := 0
	for _, other := range p.packages {
		if !p.finished(other) {
			open++
		}
	}
	return Job{Package: s.name, Pass: s.passes + 1, Bound: bound, Quick: s.passes == 0 && !p.cfg.Single, Workers: max(1, p.cfg.Workers/max(open, 1))}
}

// Done records the outcome of a job.
func (p *Plan) Done(j Job, o Outcome) {
	for _, s := range p.packages {
		if s.name == j.Package {
			s.passes, s.running, s.last = j.Pass, false, o
		}
	}
}

// Progress returns how many packages had a pass, how many need no further pass, and how many of the known
// statements are covered.
func (p *Plan) Progress() (seen, finished, covered, statements int) {
	for _, s := range p.packages {
		if s.passes > 0 {
			seen++
		}
		if p.finished(s) {
			finished++
		}
		covered, statements = covered+s.last.Covered, statements+s.last.Statements
	}
	return seen, finished, covered, statements
}
