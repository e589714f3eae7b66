package finding

import (
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Of returns the defect that the end of a case shows, or nil if it shows none. An exit of the process is no
// finding, because the code wants to exit.
func Of(rules *usage.Rules, c *testcase.Case) *testcase.Finding {
	o, pkg := c.Observed, rules.Pkg
	if o == nil || endsByGiven(c) {
		return nil
	}
	c = endingAtFailure(pkg, c)
	// The finding keeps the case as it ran, with the call of RepOK or CheckInvariants at its end, because
	// this case is reduced and run again. The finding is about the call before the last one.
	f := &testcase.Finding{Case: c}
	c = EndingAtBreak(pkg, c)
	f.Func = c.Target
	switch {
	case o.Status == testcase.Panicked && strings.HasPrefix(o.Violated, "assert"):
		violated(f, o) // the assertion is broken before the panic, which it may guard against
	case o.Status == testcase.Panicked:
		panicked(f, pkg, o)
	}
	switch o.Status {
	case testcase.Panicked:
	case testcase.Died:
		died(f, pkg, o)
	case testcase.Hung:
		f.Kind, f.Message = "hang", "does not return"
		if o.Panic == nil {
			break
		}
		// The stack begins with the outermost loop. All functions that lead to one loop thus have one cause.
		if frames := inPackage(pkg, o.Panic.Stack); len(frames) > 0 {
			f.Pos, f.Cause = frames[0].Pos, cause(f.Kind, frames)
		}
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
		violated(f, o)
	}
	if t := pkg.Target(c.Target); t != nil {
		f.Declared = t.Pos
	}
	if !f.Pos.IsValid() {
		f.Pos = f.Declared
	}
	if f.Cause == "" {
		f.Cause = f.Kind + " " + c.Target + " " + o.Violated
		if f.Kind == "assertion" {
			f.Cause += " " + o.ViolatedAt.String() // a function may assert several things
		}
	}
	f.FaultOf = goingOn(pkg, f, o)
	Grade(rules, c, f)
	return f
}

// panicked fills in a finding that is a panic. It is named after the innermost function of the package on the
// stack; functions further in belong to other packages.
func panicked(f *testcase.Finding, pkg *load.Package, o *testcase.Outcome) {
	f.Kind = panicKind(pkg, o.Panic)
	f.Message = "panics: " + strings.TrimPrefix(firstLine(o.Panic.Message), "runtime error: ")
	frames := inPackage(pkg, o.Panic.Stack)
	if len(frames) > 0 {
		f.Pos = frames[0].Pos
	}
	f.Cause = cause(f.Kind, frames)
}

// died fills in a finding whose case ends the process, without a panic that could be recovered.
func died(f *testcase.Finding, pkg *load.Package, o *testcase.Outcome) {
	f.Kind = "fatal"
	if strings.Contains(o.Message, "stack overflow") || strings.Contains(o.Message, "stack exceeds") {
		f.Kind = "stack-overflow"
	}
	f.Message = "crashes the process: " + firstLine(o.Message)
	frames := faultAt(pkg, o)
	if frames == nil {
		frames = panickedBeside(pkg, o)
		if frames != nil {
			// By a panic of its own the code would refuse misuse, but nobody can recover one in a goroutine.
			if kind := panicKind(pkg, o.Panic); kind != "explicit" {
				f.Kind = kind
			}
		}
	}
	if frames == nil {
		frames = diedWith(pkg, o, func(message string) bool { return message == testcase.OutOfMemory })
	}
	if frames != nil {
		f.Pos = frames[0].Pos
		f.Cause = cause(f.Kind, frames)
	}
}

// panickedBeside returns the frames in the package if the outcome is a panic of a goroutine that the package started,
// and nil otherwise. Such a panic ends the process during whatever call is made next, so its place and its cause are
// those of the goroutine, not of the call.
func panickedBeside(pkg *load.Package, o *testcase.Outcome) []testcase.Frame {
	return diedWith(pkg, o, func(message string) bool { return strings.HasPrefix(message, "panic: ") })
}

// diedWith returns the frames in the package if the outcome is the end of the process with a message for which is holds, and
// nil otherwise.
func diedWith(pkg *load.Package, o *testcase.Outcome, is func(message string) bool) []testcase.Frame {
	if o == nil || o.Status != testcase.Died || o.Panic == nil || !is(o.Message) {
		return nil
	}
	if frames := inPackage(pkg, o.Panic.Stack); len(frames) > 0 {
		return frames
	}
	return nil
}

// violated fills in a finding that breaks a contract, an invariant or an assertion.
func violated(f *testcase.Finding, o *testcase.Outcome) {
	f.Kind = "contract"
	switch {
	case strings.Contains(o.Violated, "RepOK"), strings.Contains(o.Violated, "CheckInvariants"), strings.HasPrefix(o.Violated, "invariant"), o.Violated == "contract invariant":
		f.Kind = "invariant"
	case strings.HasPrefix(o.Violated, "assert"):
		f.Kind = "assertion"
	}
	f.Message = "breaks " + o.Violated
	f.Pos = o.ViolatedAt
	if o.Violated == "contract "+testcase.DocumentationContract {
		f.Kind, f.Message = testcase.DocumentationContract, firstLine(o.Message)
		f.Cause = f.Kind + " " + f.Func + " " + f.Case.Seq.String()
		return
	}
	if strings.HasPrefix(o.Violated, "contract ") {
		f.Message = "breaks the " + o.Violated
	}
	if o.Message != "" {
		f.Message += ": " + firstLine(o.Message)
	}
}

// faultAt returns the frames in the package if the outcome is an access to invalid memory that ended the
// process, and nil otherwise. With a small address the same access would panic as a nil dereference.
func faultAt(pkg *load.Package, o *testcase.Outcome) []testcase.Frame {
	return diedWith(pkg, o, func(message string) bool { return firstLine(message) == "fault" })
}

// endingAtFailure returns a case that ends where its execution ended. If a preparing statement failed,
// the finding is about that statement.
func endingAtFailure(pkg *load.Package, c *testcase.Case) *testcase.Case {
	at := c.Observed.At
	if at < 0 || at >= c.Seq.Len()-1 {
		return c
	}
	op := c.Seq.At(at).Op
	if op.Func == nil || op.Func.Pkg() == nil || op.Func.Pkg().Path() != pkg.Path {
		return c
	}
	d := *c
	d.Seq, d.Target, d.Path, d.Predicted = c.Seq.Prefix(at+1), testcase.TargetName(op.Func), nil, nil
	return &d
}

// panicKind returns the kind of a panic. If a dependency calls panic, it refuses an argument of the code
// under test, which itself did not call panic.
func panicKind(pkg *load.Package, p *testcase.Panic) string {
	stack := p.Stack
	for len(stack) > 1 && logsPanic(stack[0].Func) {
		stack = stack[1:]
	}
	if p.Kind == "explicit" && len(stack) > 0 && !OfModule(pkg, stack[0].Func) {
		return "other"
	}
	return p.Kind
}

// logsPanic reports whether a function is one of package log whose documentation has it call panic: who calls it panics by his own word.
func logsPanic(fn string) bool {
	name, ok := strings.CutPrefix(fn, "log.")
	return ok && strings.HasPrefix(strings.TrimPrefix(name, "(*Logger)."), "Panic")
}

// OfModule reports whether a function belongs to the package's module.
func OfModule(pkg *load.Package, fn string) bool {
	return strings.HasPrefix(fn, pkg.Path+".") ||
		pkg.Module != "" && (strings.HasPrefix(fn, pkg.Module+"/") || strings.HasPrefix(fn, pkg.Module+"."))
}

// cause returns a key that is equal for findings with one cause: the kind, the place, and the functions that
// lead to the place.
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

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// FramesOf returns the frames of a panic that are in the package, or nil if there was no panic.
func FramesOf(pkg *load.Package, o *testcase.Outcome) []purity.Frame {
	if o.Panic == nil {
		return nil
	}
	var stack []purity.Frame
	for _, f := range inPackage(pkg, o.Panic.Stack) {
		stack = append(stack, purity.Frame{Func: f.Func, Line: f.Pos.Line})
	}
	return stack
}

// inPackage drops the frames outside the package under test.
func inPackage(pkg *load.Package, stack []testcase.Frame) []testcase.Frame {
	var out []testcase.Frame
	for _, f := range stack {
		if strings.HasPrefix(f.Func, pkg.Path+".") {
			out = append(out, f)
		}
	}
	return out
}
