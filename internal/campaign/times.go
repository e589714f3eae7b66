package campaign

import (
	"context"
	"time"

	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// times divides the time for a package between the stages. The time that building the harness took
// tells how long go test will take. Packages that change their own variables need longer for
// everything.
type times struct {
	s     *session.Session
	build time.Duration
	// changing is the share of the cases that change variables of the package: 1 if functions do and the cases are not known yet, 0 if no
	// function does.
	changing float64
}

// times returns how the time is divided, given the harness, which may be nil.
func (g *gen) times(b *workbench) times {
	t := times{s: g.Session}
	if b != nil {
		t.build = again(b.BuildTime)
		if b.Stateful() {
			t.changing = 1
		}
	}
	return t
}

// knowing returns how the time is divided once the cases are known. Where hardly one of them changes variables, the package needs hardly longer
// than others, whatever its functions may do.
func (t times) knowing(cases []*testcase.Case, changes func(*testcase.Sequence) bool) times {
	if t.changing == 0 || len(cases) == 0 {
		return t
	}
	n := 0
	for _, c := range cases {
		if changes(c.Seq) {
			n++
		}
	}
	t.changing = float64(n) / float64(len(cases))
	return t
}

// ofChanging returns the part of an extra time that so many changing cases need.
func (t times) ofChanging(extra time.Duration) time.Duration {
	return time.Duration(t.changing * float64(extra))
}

// again estimates how long a build takes that follows the first one. What a first build needs for more than a second it needs,
// for the most part, to compile what the package imports, which is in the cache from then on.
func again(first time.Duration) time.Duration {
	const alone, others = time.Second, 8
	return min(first, alone) + max(0, first-alone)/others
}

// explore returns the context of exploration. It ends early enough to reduce and verify, because
// choosing well among the cases found is worth more than finding some more.
func (t times) explore() (context.Context, context.CancelFunc) {
	// Learning what tests may ask of objects, and running them against mutants, takes longer the more functions there are. In a
	// very large package there is hardly time for it at all.
	const huge = 400
	choosing := t.s.Config.Bound() * 4 / 10
	if len(t.s.Pkg.Targets) > huge {
		choosing = t.s.Config.Bound() / 6
	}
	reserve := t.verification() + max(2*time.Second, choosing)
	reserve += t.ofChanging(t.s.Config.Bound() / 5) // cases that change variables run once more, each in a process of its own
	// If building took so long that hardly any time is left, some of it goes into exploring
	// nevertheless: go test finds much in its cache and may be faster than the estimate.
	reserve = min(reserve, t.s.Config.Bound()*2/3, time.Until(t.s.Deadline)*3/4)
	return context.WithDeadline(t.s.Ctx, t.s.Deadline.Add(-reserve))
}

// givenBack returns the contexts in which exploration goes on if nothing that it found becomes a test. First there
// remains the time to run tests, because one may still be found; then nothing remains.
func (t times) givenBack() []func() (context.Context, context.CancelFunc) {
	until := func(reserve func() time.Duration) func() (context.Context, context.CancelFunc) {
		return func() (context.Context, context.CancelFunc) {
			return context.WithDeadline(t.s.Ctx, t.s.Deadline.Add(-reserve()))
		}
	}
	return []func() (context.Context, context.CancelFunc){
		until(t.verification),
		until(func() time.Duration { return 0 }),
	}
}

// ifFew returns the context in which exploration goes on if it was too short to find more than a few cases, as it is where calls
// sleep or the machine is busy: choosing among these takes a tenth of the time, not four.
func (t times) ifFew() (context.Context, context.CancelFunc) {
	return context.WithDeadline(t.s.Ctx, t.s.Deadline.Add(-t.verification()-t.s.Config.Bound()/10))
}

// ifLittle returns the context in which exploration goes on if it reached only a small part of the package. Three quarters of the time
// for choosing are left: with less, tests are written as the engines made them, which nobody reads.
func (t times) ifLittle() (context.Context, context.CancelFunc) {
	return context.WithDeadline(t.s.Ctx, t.s.Deadline.Add(-t.verification()-t.s.Config.Bound()*3/10))
}

// reduce returns the context of reduction, which leaves time to confirm and to verify.
func (t times) reduce() (context.Context, context.CancelFunc) {
	reserve := t.verification() + t.ofChanging(t.s.Config.Bound()/10) // time for confirm
	return t.until(min(reserve, time.Until(t.s.Deadline)*2/3))
}

// confirm returns the context in which the selected cases run once more. It leaves time to verify.
func (t times) confirm() (context.Context, context.CancelFunc) {
	return t.until(min(t.verification(), time.Until(t.s.Deadline)*3/4))
}

// verify returns the context of verification. If the machine has become slower since the harness was built,
// verification may exceed the deadline by up to half of the bound: without it everything that was found would
// be lost.
func (t times) verify() (context.Context, context.CancelFunc) {
	end := time.Now().Add(min(t.verification(), t.s.Config.Bound()/2))
	if end.Before(t.s.Deadline) {
		end = t.s.Deadline
	}
	// It takes time to find out that a test fails elsewhere, and to run the other tests without it.
	bound := t.s.Config.Bound()
	if end = end.Add(bound / 4); end.After(t.s.Deadline.Add(bound / 2)) {
		end = t.s.Deadline.Add(bound / 2)
	}
	return context.WithDeadline(context.WithoutCancel(t.s.User), end)
}

// finish returns the context of the last stages.
func (t times) finish() (context.Context, context.CancelFunc) { return t.until(0) }

// until returns a context that ends the given time before the deadline. An interrupt does not end it,
// because the cases found so far are worth finishing.
func (t times) until(reserve time.Duration) (context.Context, context.CancelFunc) {
	return context.WithDeadline(context.WithoutCancel(t.s.User), t.s.Deadline.Add(-reserve))
}

// verification is the time that is kept for go test. It compiles, vets, links and runs tests, where
// building the harness only compiled and linked, and takes some seconds on a busy machine. Doubting the
// tests that have passed comes on top.
func (t times) verification() time.Duration {
	bound := t.s.Config.Bound()
	// The tests of a large package take longer to be compiled than its harness.
	const perTarget = 10 * time.Millisecond
	t.build += time.Duration(len(t.s.Pkg.Targets)) * perTarget / 4
	doubting := min(bound/10, verify.LeastDoubt)
	once := max(2*time.Second+2*t.build, bound/10)
	// A second and a third round find tests that spoil others.
	further := t.ofChanging(max(4*time.Second+12*t.build, bound/4) - once)
	return min(once+further+doubting, bound/2)
}
