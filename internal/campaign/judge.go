package campaign

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// judge decides what each case is: a test, a finding, or nothing.
func (g *gen) judge() error {
	paths := 0
	var all []*testcase.Finding
	for _, x := range g.explored {
		usable, reason := 0, ""
		for _, c := range x.cases {
			paths++
			verdict, f := judgeCase(g, c)
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
	g.findings = mergeFindings(g.pkg, all)
	news := g.known.unknown(g.pkg.Path, g.findings)
	if n := len(g.findings) - len(news); n > 0 {
		g.summary.Known = count(n)
	}
	g.findings = news
	if g.ctx.Err() == nil {
		g.staleLines()
	}
	g.summary.Paths = count(paths)
	return nil
}

// staleLines says which lines of the baseline are about nothing any more.
func (g *gen) staleLines() {
	tested := map[string]bool{}
	for _, x := range g.explored {
		tested[x.target.Name] = true
	}
	for _, s := range g.known.stale(g.pkg.Path, func(f string) bool { return tested[f] }) {
		g.events.send(Diagnostic{Message: s, Warning: true})
	}
}

// maxDoubts is how many differences between prediction and observation are looked into.
const maxDoubts = 200

// mismatches counts the cases that the machine predicted wrongly. Nothing written depends
// on it, so it comes after writing.
func (g *gen) mismatches() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(g.interrupted), max(time.Until(g.deadline)/2, time.Second))
	defer cancel()
	g.summary.Mismatches = count(g.mismatched(ctx))
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
			if mismatch(c) != "" && len(doubts) < maxDoubts {
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
		if m := mismatch(&d); m != "" {
			n++
			g.debug("mismatches", "%s: %s: %s", c.Target, c.Seq, m)
		}
	}
	return n
}

// maxStatements is how long a test may be that is given to the reducer: beyond it
// nobody would read what comes out.
const maxStatements = 600

// judgeCase says why a case is no test, "" if it is one, and what it found.
func judgeCase(g *gen, c *testcase.Case) (verdict string, f *testcase.Finding) {
	o := c.Observed
	if o == nil || o.Status == testcase.NotRun {
		return "there was no time to run it", nil
	}
	if n := c.Seq.Len(); n > maxStatements {
		return fmt.Sprintf("its input would take %d statements to write", n), nil
	}
	if repeatsKey(c.Seq) {
		return "a map in it has a key twice, which cannot be written", nil
	}
	if denied(o) {
		return "it is refused access to the system, and need not be elsewhere", nil
	}
	if o.Status == testcase.Returned && g.asksMachine(o) {
		return "what it comes to depends on the machine", nil
	}
	switch o.Status {
	case testcase.Discarded:
		return "no input satisfies what the code assumes", nil
	case testcase.Refused:
		return o.Message, nil
	case testcase.Exited:
		return "it ends the process", nil
	case testcase.Goexit:
		return "it ends its goroutine", nil
	}
	f = findingOf(g.pkg, c)
	switch {
	case f != nil && f.Kind == "explicit" && f.Severity == testcase.Note && !o.Held && o.Status == testcase.Panicked && !o.Unstable:
		// The code refuses misuse in so many words: that is behaviour to be tested, and
		// a note.
		return "", f
	case f != nil:
		return f.Message, f
	case o.Held:
		return "it leaves a lock of the package held", nil
	case o.Unstable && o.Status != testcase.Returned:
		return "it behaves differently each time", nil
	}
	return "", nil
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

// denied reports whether the execution met an error that says that the kernel refused
// something, as it does under confinement: a test that expects it would fail where tests
// run freely.
func denied(o *testcase.Outcome) bool {
	says := func(text string) bool {
		return strings.HasSuffix(text, ": permission denied") || strings.HasSuffix(text, ": operation not permitted")
	}
	var met func(v testcase.Value) bool
	met = func(v testcase.Value) bool {
		return v.Err != nil && says(v.Err.Message) || v.Kind == testcase.String && says(v.Str) || slices.ContainsFunc(v.Elems, met)
	}
	for _, vs := range o.Results {
		if slices.ContainsFunc(vs, met) {
			return true
		}
	}
	return slices.ContainsFunc(o.Final, met) || o.Panic != nil && (met(o.Panic.Value) || says(o.Panic.Message))
}

// repeatsKey reports whether a map is made with the same constant key twice, be it one of
// those that are there for the map's size: a run takes that, a compiler does not.
func repeatsKey(s *testcase.Sequence) bool {
	for i := range s.Len() {
		st := s.At(i)
		m, ok := st.Op.Type, st.Op.Kind == testcase.OpComposite
		if !ok {
			continue
		}
		t, ok := m.Underlying().(*types.Map)
		if !ok {
			continue
		}
		seen := make(map[testcase.Literal]bool)
		for j := 0; j+1 < len(st.Args); j += 2 {
			op := s.At(st.Args[j].Stmt).Op
			key := op.Lit
			if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
				continue
			}
			if op.Kind == testcase.OpZero {
				first, ok := testcase.FillKey(t.Key(), 0)
				if !ok {
					continue
				}
				key = testcase.Literal{Kind: first.Kind}
			}
			if seen[key] {
				return true
			}
			seen[key] = true
		}
		for n := st.Op.From; n < st.Op.From+st.Op.N && len(seen) > 0; n++ {
			if key, ok := testcase.FillKey(t.Key(), n); ok && seen[key] {
				return true
			}
		}
	}
	return false
}
