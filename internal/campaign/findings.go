package campaign

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// findingOf returns what is wrong with how a case ended, or nil if nothing is. An
// exit of the process is no finding: the code asked for it.
func findingOf(pkg *load.Package, c *testcase.Case) *testcase.Finding {
	o := c.Observed
	if o == nil {
		return nil
	}
	c = atCause(pkg, c)
	// The case stays as it ran, with the question at its end: that is what is reduced and
	// run again.
	f := &testcase.Finding{Case: c}
	c = atBreak(pkg, c)
	f.Func = c.Target
	switch o.Status {
	case testcase.Panicked:
		f.Kind = panicKind(pkg, o.Panic)
		f.Message = "panics: " + strings.TrimPrefix(firstLine(o.Panic.Message), "runtime error: ")
		frames := inPackage(pkg, o.Panic.Stack)
		if len(frames) > 0 {
			f.Pos = frames[0].Pos
		}
		f.Cause = cause(f.Kind, frames)
	case testcase.Died:
		f.Kind = "fatal"
		if strings.Contains(o.Message, "stack overflow") || strings.Contains(o.Message, "stack exceeds") {
			f.Kind = "stack-overflow"
		}
		f.Message = "crashes the process: " + firstLine(o.Message)
		if frames := faultAt(pkg, o); frames != nil {
			f.Pos = frames[0].Pos
			f.Cause = cause(f.Kind, frames)
		}
	case testcase.Hung:
		f.Kind, f.Message = "hang", "does not return"
	case testcase.Deadlock:
		f.Kind, f.Message = "deadlock", "all goroutines are asleep"
	default:
		if o.Violated == "" {
			predicate := brokenAfter(c)
			if predicate == "" {
				return nil
			}
			f.Kind, f.Message = "invariant", "breaks "+predicate
			f.Cause = f.Kind + " " + c.Target + " " + predicate
		}
	}
	if o.Violated != "" && o.Status != testcase.Panicked {
		f.Kind = "contract"
		switch {
		case strings.Contains(o.Violated, "RepOK"), strings.Contains(o.Violated, "CheckInvariants"), strings.HasPrefix(o.Violated, "invariant"), o.Violated == "contract invariant":
			f.Kind = "invariant"
		case strings.HasPrefix(o.Violated, "assert"):
			f.Kind = "assertion"
		}
		f.Message = "breaks " + o.Violated
		if strings.HasPrefix(o.Violated, "contract ") {
			f.Message = "breaks the " + o.Violated
		}
		if o.Message != "" {
			f.Message += ": " + firstLine(o.Message)
		}
		f.Pos = o.ViolatedAt
	}
	if !f.Pos.IsValid() {
		if t := pkg.Target(c.Target); t != nil {
			f.Pos = t.Pos
		}
	}
	if f.Cause == "" {
		f.Cause = f.Kind + " " + c.Target + " " + o.Violated
	}
	f.Severity = severityOf(pkg, c, f.Kind)
	return f
}

// faultAt returns the frames in the package of an access to memory that ended the process,
// nil if that is not what an outcome is. Where the address is small it would have been the
// panic of a nil pointer in the same place.
func faultAt(pkg *load.Package, o *testcase.Outcome) []testcase.Frame {
	if o == nil || o.Status != testcase.Died || o.Panic == nil || firstLine(o.Message) != "fault" {
		return nil
	}
	if frames := inPackage(pkg, o.Panic.Stack); len(frames) > 0 {
		return frames
	}
	return nil
}

// brokenAfter returns which invariant does not hold after what a case tests, "" if none:
// a case of valid inputs may end with the question.
func brokenAfter(c *testcase.Case) string {
	o, last := c.Observed, c.Seq.Len()-1
	op := c.Seq.At(last).Op
	if !c.Whole || op.Kind != testcase.OpMethod || o.Status != testcase.Returned || last >= len(o.Results) || len(o.Results[last]) != 1 {
		return ""
	}
	switch v := o.Results[last][0]; {
	case op.Func.Name() == "RepOK" && v.Kind == testcase.Bool && v.Bits == 0, op.Func.Name() == "CheckInvariants" && v.Kind == testcase.Interface:
		return op.Func.Name()
	}
	return ""
}

// withoutQuestion returns a finding as tests are written of it: its case ends with what
// breaks the invariant, and not with the question whether it holds.
func withoutQuestion(f *testcase.Finding) *testcase.Finding {
	predicate := brokenAfter(f.Case)
	if predicate == "" {
		return f
	}
	n := f.Case.Seq.Len() - 1
	keep := make([]bool, n+1)
	for i := range n {
		keep[i] = true
	}
	seq, ok := f.Case.Seq.Keep(keep)
	if !ok {
		panic("bug: campaign: a prefix needs what comes later")
	}
	c, o := *f.Case, *f.Case.Observed
	o.At, o.Results, o.Final, o.Violated, o.ViolatedAt = n-1, o.Results[:n], nil, predicate, f.Pos
	c.Seq, c.Observed = seq, &o
	g := *f
	g.Case = &c
	return &g
}

// atCause returns a case that ends where its execution ended: a statement that prepares
// may have failed, and then it is what the finding is about.
func atCause(pkg *load.Package, c *testcase.Case) *testcase.Case {
	at := c.Observed.At
	if at < 0 || at >= c.Seq.Len()-1 {
		return c
	}
	op := c.Seq.At(at).Op
	if op.Func == nil || op.Func.Pkg() == nil || op.Func.Pkg().Path() != pkg.Path {
		return c
	}
	keep := make([]bool, c.Seq.Len())
	for i := range at + 1 {
		keep[i] = true
	}
	seq, ok := c.Seq.Keep(keep)
	if !ok {
		return c
	}
	d := *c
	d.Seq, d.Target, d.Path, d.Predicted = seq, testcase.TargetName(op.Func), nil, nil
	return &d
}

// panicKind is the panic's kind; a panic call in a dependency is its way of refusing
// what the code under test passed, not a word of the code under test.
func panicKind(pkg *load.Package, p *testcase.Panic) string {
	if p.Kind == "explicit" && len(p.Stack) > 0 && !ours(pkg, p.Stack[0].Func) {
		return "other"
	}
	return p.Kind
}

// ours reports whether a function is of the package's module.
func ours(pkg *load.Package, fn string) bool {
	return strings.HasPrefix(fn, pkg.Path+".") ||
		pkg.Module != "" && (strings.HasPrefix(fn, pkg.Module+"/") || strings.HasPrefix(fn, pkg.Module+"."))
}

// cause tells findings apart: the kind, the place, and through which functions.
func cause(kind string, frames []testcase.Frame) string {
	var b strings.Builder
	b.WriteString(kind)
	for i, f := range frames {
		if i == 0 {
			fmt.Fprintf(&b, " %s:%d", f.Pos.Filename, f.Pos.Line)
		}
		b.WriteString(" " + f.Func)
	}
	return b.String()
}

// mergeFindings keeps one finding for each cause, the one that is easiest to believe:
// the most severe, then the one through the function nearest to the cause, then the
// shortest test. A nil that is passed is another cause than one that the code has made,
// which is worse if it is an error. The order is that of the severity, then of the first
// occurrence.
func mergeFindings(pkg *load.Package, all []*testcase.Finding) []*testcase.Finding {
	best := make(map[string]*testcase.Finding)
	var order []string
	for _, f := range all {
		// The place alone: the same instruction reached through two exported functions
		// is one bug.
		kind := f.Kind
		if kind == "deadlock" {
			kind = "hang" // it depends on the other goroutines whether the runtime notices
		}
		if faultAt(pkg, f.Case.Observed) != nil {
			kind = "nil-dereference"
		}
		key := kind + " " + f.Pos.String()
		if fn := shortIn(pkg, f); fn != "" {
			key = "short " + fn // whichever element is the first that does not fit
		}
		if kind == "nil-dereference" && f.Pos.IsValid() && approachOf(pkg, f.Case).nils {
			key += passedNil
		}
		if !f.Pos.IsValid() {
			key = f.Cause
		}
		old := best[key]
		if old == nil {
			order = append(order, key)
		}
		if old == nil || easier(f, old) {
			best[key] = f
		}
	}
	var out []*testcase.Finding
	for _, k := range order {
		made, passed := strings.CutSuffix(k, passedNil)
		if f := best[made]; passed && f != nil && f.Severity == testcase.Error {
			continue
		}
		out = append(out, best[k])
	}
	out = withoutPrinted(pkg, out)
	slices.SortStableFunc(out, func(a, b *testcase.Finding) int { return rank(a.Severity) - rank(b.Severity) })
	return out
}

// shortIn returns the function that panics because the slice that it is given for its
// results is too short, "" if that is not what a finding is about.
func shortIn(pkg *load.Package, f *testcase.Finding) string {
	o := f.Case.Observed
	if o == nil || o.Panic == nil || f.Kind != "index-out-of-range" && f.Kind != "slice-out-of-range" || f.Severity != testcase.Warning {
		return ""
	}
	stack := framesOf(pkg, o)
	if !purity.ShortBuffer(pkg, stack) {
		return ""
	}
	return stack[0].Func
}

// withoutPrinted drops, where a method that makes text panics by itself and when fmt calls
// it, the finding that is less severe, or else the one by way of fmt.
func withoutPrinted(pkg *load.Package, all []*testcase.Finding) []*testcase.Finding {
	drop := make(map[*testcase.Finding]bool)
	for _, f := range all {
		if o := f.Case.Observed; o == nil || o.Violated != "contract string" {
			continue
		}
		for _, g := range all {
			if o := g.Case.Observed; g.Func != f.Func || o == nil || o.Status != testcase.Panicked || g.Kind == "nil-dereference" && approachOf(pkg, g.Case).nils {
				continue
			}
			if rank(g.Severity) <= rank(f.Severity) {
				drop[f] = true
			} else {
				drop[g] = true
			}
		}
	}
	return slices.DeleteFunc(all, func(f *testcase.Finding) bool { return drop[f] })
}

// passedNil ends the keys of findings that a nil argument leads to.
const passedNil = " passed"

func easier(a, b *testcase.Finding) bool {
	return cmp.Or(
		rank(a.Severity)-rank(b.Severity),
		cmp.Compare(strings.Count(a.Cause, " "), strings.Count(b.Cause, " ")),
		a.Case.Seq.Len()-b.Case.Seq.Len(),
		cmp.Compare(weight(a.Case.Seq), weight(b.Case.Seq)),
	) < 0
}

// weight estimates how much there is to read in the literals of a sequence.
func weight(s *testcase.Sequence) int {
	n := 0
	for i := range s.Len() {
		op := s.At(i).Op
		n += len(op.Lit.Str) + op.N
		switch op.Lit.Kind {
		case testcase.LitInt:
			n += len(fmt.Sprint(int64(op.Lit.Bits)))
		case testcase.LitUint, testcase.LitFloat:
			n += len(fmt.Sprint(op.Lit.Bits))
		}
	}
	return n
}

func rank(s testcase.Severity) int {
	switch s {
	case testcase.Error:
		return 0
	case testcase.Warning:
		return 1
	}
	return 2
}

// sameConstant reports whether a declared constant has the value of the literal.
func sameConstant(c *types.Const, l testcase.Literal) bool {
	switch l.Kind {
	case testcase.LitInt:
		v, ok := constant.Int64Val(constant.ToInt(c.Val()))
		return ok && v == int64(l.Bits)
	case testcase.LitUint:
		v, ok := constant.Uint64Val(constant.ToInt(c.Val()))
		return ok && v == l.Bits
	case testcase.LitString:
		return c.Val().Kind() == constant.String && constant.StringVal(c.Val()) == l.Str
	case testcase.LitBool:
		return c.Val().Kind() == constant.Bool && constant.BoolVal(c.Val()) == (l.Bits != 0)
	}
	return true // floats are no enumerations
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
