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
	// mostDoubled bounds how often the time of quick passes is doubled: if at least fewBlind of them, and more than half, came
	// to nothing.
	mostDoubled, fewBlind = 3, 3
	// InVain is after how many rounds in a row that gained nothing a package is finished. A round is a pass with no more
	// time than the pass before, which goes on from what was found.
	InVain = 3
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
	// Round is the number of the round, from 1, for a pass that goes on from what the passes before have found: there is
	// no time for one that begins anew with more time. It is 0 for other passes.
	Round int
}

// Outcome is the result of a pass.
type Outcome struct {
	// Bound and Took are the times of the pass. If an earlier run has done the pass, they come from that run.
	Bound, Took time.Duration
	// Covered of Statements are covered now, and this pass covered Gained of them first. Findings that it has made first
	// count as gained, too.
	Covered, Statements, Gained int
	// Killed of Mutants are noticed by the tests now, and Noticed of them were not before this pass. Both are 0 where
	// there was no time for mutants.
	Killed, Mutants, Noticed int
	// Finished says that more time would not improve the result.
	Finished bool
	// Rounds is how many rounds there were, and the last Vain of them gained nothing.
	Rounds, Vain int
	// Engines is what each engine did in this pass that the pass before had not; nil if it is not known.
	Engines []EngineOutcome
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
	return s.passes > 0 && (p.cfg.Single || s.last.Finished || s.last.Vain >= InVain)
}

// Finished reports whether a package gets no further pass, however much time there is.
func (p *Plan) Finished(name string) bool {
	for _, s := range p.packages {
		if s.name == name {
			return p.finished(s)
		}
	}
	return false
}

// Plan says which package is worked on next. It is not safe for several goroutines.
type Plan struct {
	cfg      Config
	packages []*state
	// doubled is how often the time of quick passes was doubled. Of seen passes with that time blind came to nothing, since
	// the package could not even be built.
	doubled, seen, blind int
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
			return p.start(s, min(p.Quick()<<p.doubled, p.cfg.Most, left), false), true
		}
		if s.running || p.finished(s) {
			continue
		}
		if bound, _ := p.bound(s, left); bound == 0 {
			continue
		}
		if best == nil || p.compare(s, best, left) < 0 {
			best = s
		}
	}
	if best == nil {
		return Job{}, false
	}
	bound, round := p.bound(best, left)
	return p.start(best, bound, round), true
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

// bound returns the time for the next pass over a package, given the time left, and whether the pass is a round. It
// returns 0 if the time left is too short for the pass to improve the last result.
func (p *Plan) bound(s *state, left time.Duration) (next time.Duration, round bool) {
	fits := left - left/overrun // a longer pass would be late, and its results have to be verified in time
	next = min(s.last.Bound*factor, p.cfg.Most, fits)
	if s.last.Bound < p.cfg.Most && next >= min(2*s.last.Bound, p.cfg.Most) {
		return next, false
	}
	// A pass that begins anew would find less than the last one. A round does not need as much time, but it has to
	// build the package and to verify its tests as any pass does.
	next = min(s.last.Bound, fits)
	if s.last.Statements == 0 || next < min(s.last.Bound, slowest) {
		return 0, false
	}
	return next, true
}

// gain returns how many statements, mutants and findings the next pass over a package is expected to gain in each second.
// About a package that was not even built in time nothing is known, so it may gain any number.
func (p *Plan) gain(s *state, left time.Duration) float64 {
	next, round := p.bound(s, left)
	bound := next.Seconds()
	if s.last.Statements == 0 {
		return math.Inf(1)
	}
	if bound == 0 || s.last.Took <= 0 {
		return 0
	}
	o := s.last
	expected := float64(o.Gained+o.Noticed) / o.Took.Seconds() * bound
	if round {
		expected *= improvement(o.Engines)
	}
	return min(expected, float64(o.Statements-o.Covered+o.Mutants-o.Killed)) / bound
}

// compare orders packages for deeper passes. The package with the largest gain comes first; of equal ones the
// package that had the least time, then the one that had the fewest rounds.
func (p *Plan) compare(a, b *state, left time.Duration) int {
	return cmp.Or(cmp.Compare(p.gain(b, left), p.gain(a, left)), cmp.Compare(a.last.Bound, b.last.Bound),
		cmp.Compare(a.last.Rounds, b.last.Rounds), cmp.Compare(a.name, b.name))
}

// start notes that a worker works on a package.
func (p *Plan) start(s *state, bound time.Duration, round bool) Job {
	s.running = true
	open := 0
	for _, other := range p.packages {
		if !p.finished(other) {
			open++
		}
	}
	j := Job{Package: s.name, Pass: s.passes + 1, Bound: bound, Quick: s.passes == 0 && !p.cfg.Single, Workers: max(1, p.cfg.Workers/max(open, 1))}
	if round {
		j.Round = s.last.Rounds + 1
	}
	return j
}

// Done records the outcome of a job. For a round it counts the rounds itself.
func (p *Plan) Done(j Job, o Outcome) {
	for _, s := range p.packages {
		if s.name == j.Package {
			if j.Round > 0 {
				o.Bound, o.Rounds, o.Vain = max(o.Bound, s.last.Bound), j.Round, VainAfter(s.last, j.Bound, o.Gained)
			}
			if j.Quick && j.Bound >= p.Quick()<<p.doubled {
				p.noteQuick(!o.Finished && o.Statements == 0)
			}
			s.passes, s.running, s.last = j.Pass, false, o
		}
	}
}

// noteQuick notes whether a quick pass came to nothing. On a busy machine most are too short for anything, and to see fewer
// packages is better than none; single packages that are slow to build have a longer pass later.
func (p *Plan) noteQuick(blind bool) {
	p.seen++
	if blind {
		p.blind++
	}
	if p.blind >= fewBlind && 2*p.blind > p.seen && p.doubled < mostDoubled {
		p.doubled, p.seen, p.blind = p.doubled+1, 0, 0
	}
}

// VainAfter returns how many of the last rounds gained nothing, after a further one that had so much time and gained so
// much. A round that had less than half of the time of the longest pass says nothing about what longer ones would gain.
func VainAfter(last Outcome, bound time.Duration, gained int) int {
	switch {
	case gained > 0:
		return 0
	case 2*bound < last.Bound:
		return last.Vain
	}
	return last.Vain + 1
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
