package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// judge decides what each case is: a test, a finding, or nothing.
func (g *gen) judge() error {
	ctx, cancel := g.shrinking()
	defer cancel()
	if err := g.blame(ctx); g.unlessCut(err) != nil {
		return fmt.Errorf("asking objects whether they are valid: %w", err)
	}
	paths := 0
	var all []*testcase.Finding
	for _, x := range g.explored {
		usable, reason := 0, ""
		for _, c := range x.cases {
			paths++
			verdict, f := g.judging().Case(c)
			if f != nil && f.Func != x.target.Name {
				// Something else failed on the way to the target.
				if g.about(f.Func) {
					all = append(all, f)
				}
				reason = "what prepares for it fails: " + f.Func + " " + f.Message
				continue
			}
			if f != nil {
				all = append(all, f)
			}
			if verdict == "" {
				g.tests = append(g.tests, c)
			}
			if verdict == "" || f != nil {
				usable++
			} else {
				reason = verdict
			}
		}
		if usable == 0 {
			g.skip(x.target.String(), g.whyNothing(x, reason))
		}
	}
	g.findings = finding.Merge(g.rules, all)
	news := g.known.Unknown(g.pkg.Path, g.findings)
	if n := len(g.findings) - len(news); n > 0 {
		g.summary.Known = event.Count(n)
	}
	g.findings = g.withoutMisuse(news)
	tests, err := g.undisputed(ctx, g.tests)
	if g.unlessCut(err) != nil {
		return fmt.Errorf("asking contracts about tests: %w", err)
	}
	g.tests = tests
	if g.ctx.Err() == nil {
		g.staleLines()
	}
	if g.harness != nil {
		g.sayUnreachable(g.harness.Blocks(), g.natural())
	}
	g.summary.Paths = event.Count(paths)
	return nil
}

// withoutMisuse takes out what users of the package may not do, unless it was asked for.
func (g *gen) withoutMisuse(all []*testcase.Finding) []*testcase.Finding {
	var findings []*testcase.Finding
	for _, f := range all {
		if f.Severity != testcase.Misuse {
			findings = append(findings, f)
			continue
		}
		for _, fn := range f.Functions() {
			m := event.Misuse{Package: g.pkg.Path, Func: fn, What: f.Misuse}
			if !slices.Contains(g.misuse, m) {
				g.misuse = append(g.misuse, m)
			}
		}
	}
	if g.cfg.Misuse {
		return all
	}
	return findings
}

// announceMisuse tells which functions fail on misuse, and counts them.
func (g *gen) announceMisuse() {
	functions, by := make(map[string]bool), make(map[string]int)
	for _, m := range g.misuse {
		g.events.Send(m)
		functions[m.Func] = true
		by[m.What]++
	}
	if len(functions) > 0 {
		g.summary.Misuse, g.summary.Misused = event.Count(len(functions)), by
	}
}

// staleLines says which lines of the baseline are about nothing any more.
func (g *gen) staleLines() {
	tested := map[string]bool{}
	for _, x := range g.explored {
		tested[x.target.Name] = true
	}
	for _, s := range g.known.Stale(g.pkg.Path, func(f string) bool { return tested[f] }) {
		g.events.Send(event.Diagnostic{Message: s, Warning: true})
	}
}

// maxDoubts is how many differences between prediction and observation are looked into.
const maxDoubts = 200

// mismatches counts the cases that the machine predicted wrongly. Nothing written depends
// on it, so it comes after writing.
func (g *gen) mismatches() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.interrupted), max(time.Until(g.deadline)/2, time.Second))
	defer cancel()
	g.summary.Mismatches = event.Count(g.mismatched(ctx))
	return nil
}

// mismatched is how many they are. The machine starts each path from fresh variables, so
// a case that seems wrong is run again in processes of its own: what an earlier case left
// behind, or what differs from run to run, is not the machine's to know. What there is no
// time to run again counts as it was observed.
func (g *gen) mismatched(ctx context.Context) int {
	var doubts []*testcase.Case
	var seqs []*testcase.Sequence
	for _, x := range g.explored {
		for _, c := range x.cases {
			if finding.Mismatch(c) != "" && len(doubts) < maxDoubts {
				doubts = append(doubts, c)
				seqs = append(seqs, c.Seq)
			}
		}
	}
	if len(doubts) == 0 || g.harness == nil {
		return 0
	}
	outcomes, err := g.harness.RunWith(ctx, seqs, native.Options{Twice: true, Fresh: true})
	if err != nil {
		g.debug("mismatches", "%s: not run again: %v", g.pkg.Path, err)
	}
	n := 0
	for i, c := range doubts {
		d := *c
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status != testcase.NotRun {
			d.Observed = outcomes[i]
		}
		if m := finding.Mismatch(&d); m != "" {
			n++
			g.debug("mismatches", "%s: %s: %s", c.Target, c.Seq, m)
		}
	}
	return n
}

// whyNothing is the reason why a target has no usable case.
func (g *gen) whyNothing(x explored, reason string) string {
	var bug *bugError
	switch {
	case errors.As(x.err, &bug):
		return bug.Error()
	case errors.Is(x.err, context.DeadlineExceeded), errors.Is(x.err, errSlice):
		return "there was no time left"
	case errors.Is(x.err, context.Canceled):
		return "interrupted"
	case x.err != nil:
		return oneLine(x.err.Error())
	case x.effort.skip != "":
		return x.effort.skip
	case reason != "":
		return reason
	case len(x.effort.stops) > 0:
		stops := ""
		for _, s := range sortedKeys(x.effort.stops) {
			if stops != "" {
				stops += ", "
			}
			stops += fmt.Sprintf("%s (%d)", s, x.effort.stops[s])
		}
		return "no path came to an end: " + stops
	}
	return "no input was found"
}
