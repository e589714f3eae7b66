package check

import (
	"cmp"
	"go/token"
	"strings"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// refute marks the assertions that native runs broke, and collects the other failures.
func (c *checker) refute(judge finding.Judge) {
	var rest []*testcase.Finding
	best := map[*event.Assertion]*testcase.Finding{}
	var cases []*testcase.Case
	for _, x := range c.explored {
		cases = append(cases, x.Cases...)
	}
	c.WarnOfFailing(judge, cases)
	for _, x := range c.explored {
		for _, k := range x.Cases {
			_, f := judge.Case(k)
			if f = finding.AsRefuted(f); f == nil || c.onInvalid[k] {
				continue
			}
			v := c.asserted(x.Target, k, f)
			if v == nil {
				rest = append(rest, f)
				continue
			}
			if old := best[v]; old == nil || finding.Easier(f, old) {
				best[v] = f
			}
		}
	}
	for _, u := range c.units {
		for i := range u.verdicts {
			v := &u.verdicts[i]
			f := best[v]
			if f == nil {
				continue
			}
			v.Verdict, v.Severity, v.Message = event.Refuted, f.Severity, f.Message
			v.Calls, v.Test = callsOf(f.Case.Seq, c.Pkg), c.testOf(f)
			if why, ok := c.Known.Reason(c.Pkg.Path, f); ok {
				c.ReportKnown(f, why)
				continue
			}
			finding.NameRoot(c.Rules, f)
			c.findings = append(c.findings, f)
			c.report(f, true)
		}
	}
	for _, f := range c.Unknown(finding.Merge(c.Rules, rest)) {
		c.findings = append(c.findings, f)
		c.report(f, false)
	}
}

// callsOf returns the source of the calls that show a finding. It is one expression if an expression says
// everything.
func callsOf(seq *testcase.Sequence, pkg *load.Package) string {
	if !isExpression(seq) {
		return seq.Inline()
	}
	return seq.Expression(testcase.Ref{Stmt: seq.Len() - 1}, pkg.Types)
}

// isExpression reports whether an expression for the last call of a sequence says all of it: each other
// statement is used once, or is a constant. An expression does not show that an earlier call has changed
// something, or that one object is passed twice.
func isExpression(seq *testcase.Sequence) bool {
	uses := make([]int, seq.Len())
	for i := range seq.Len() {
		for _, a := range seq.At(i).Args {
			uses[a.Stmt]++
		}
	}
	for i, n := range uses[:seq.Len()-1] {
		op := seq.At(i).Op
		if n != 1 && op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			return false
		}
	}
	return true
}

func (c *checker) report(f *testcase.Finding, asserted bool) {
	e := event.FindingOf(c.Pkg.Path, f, c.Prog.Source)
	e.Asserted = asserted
	c.Events.Send(e)
}

// asserted finds the assertion that a finding breaks, by its kind and line. If there are several, it is the
// assertion that the machine reported, or otherwise one that is not verified. Of the instances of a generic function it is
// the one that was called.
func (c *checker) asserted(target *load.Target, k *testcase.Case, f *testcase.Finding) *event.Assertion {
	kind := f.Kind
	if kind == "contract" || kind == "invariant" {
		kind, _, _ = strings.Cut(strings.TrimPrefix(f.Message, "breaks "), " ")
	}
	pos := f.Pos
	var found, clause *event.Assertion
	rank, verified := 0, false
	for _, u := range c.units {
		for i, as := range u.fn.Assertions {
			if as.Clause != "" && as.Clause == strings.TrimPrefix(f.Message, "breaks ") && u.target.Name == f.Func {
				if u.target == target {
					return &u.verdicts[i]
				}
				clause = cmp.Or(clause, &u.verdicts[i])
			}
			if string(as.Kind) != kind || !samePlace(u.places[i], pos) {
				continue
			}
			r := 1
			if !as.Premise.Verified() {
				r = 2
			}
			if k.Checked != nil && k.Checked.Violated != nil && *k.Checked.Violated == (testcase.AssertionRef{Func: u.fn.Fn.String(), Index: i}) {
				r = 3
			}
			if r > rank {
				rank, found, verified = r, &u.verdicts[i], as.Premise.Verified()
			}
		}
	}
	if clause != nil {
		return clause
	}
	if found == nil || !verified {
		return found
	}
	return cmp.Or(c.required(k), found)
}

// required finds a call that breaks a requirement of its callee, for a failure inside the callee at an
// assertion that is verified under the requirements, or nil if there is none.
func (c *checker) required(k *testcase.Case) *event.Assertion {
	if k.Observed == nil || k.Observed.Panic == nil || len(k.Observed.Panic.Stack) < 2 {
		return nil
	}
	for _, frame := range k.Observed.Panic.Stack[1:] {
		for _, u := range c.units {
			for i, as := range u.fn.Assertions {
				if as.Kind == check.Requires && !as.Premise.Verified() && samePlace(u.places[i], frame.Pos) {
					return &u.verdicts[i]
				}
			}
		}
	}
	return nil
}

// samePlace compares lines, because a run-time panic does not say more.
func samePlace(a, b token.Position) bool {
	return a.Line == b.Line && a.Filename == b.Filename
}

// annotate shows the package's source with its annotations.
func (c *checker) annotate() error {
	for _, name := range c.Pkg.GoFiles {
		src, known := c.cfg.originals[name]
		if !known {
			var err error
			if src, err = c.Prog.Source(name); err != nil {
				return err
			}
		}
		text := guide.Annotate(c.Prog.Fset, name, src, c.functions(), c.cfg.Guide)
		c.Events.Send(event.Annotated{File: name, Text: text})
	}
	return nil
}
