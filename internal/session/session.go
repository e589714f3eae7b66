package session

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Session is a verb at work on one package.
type Session struct {
	Config  Config
	Prog    *load.Program
	Pkg     *load.Package
	Rules   *usage.Rules // what users of the package may do
	Effects *purity.WorldEffects
	Events  *event.Stream
	Known   *finding.Baseline // findings that are accepted and not reported

	// Ctx ends with the user's interrupt or at the deadline; User ends with the interrupt only.
	Ctx, User context.Context
	Deadline  time.Time

	// Result and Summary are filled in by the verb.
	Result  Result
	Summary event.Summary
	// Only has the names (Target.Name) of the functions that the run is about, if these are only a part of
	// the functions that Config.Run selects. Nil means all of these.
	Only map[string]bool

	cancel    context.CancelFunc // ends Ctx
	paths     *purity.Paths
	onPaths   map[*types.Func]bool     // functions that certainly change files, all of which their inputs name
	effects   map[string][]*types.Func // methods that certainly have effects on the world, by their names
	start     time.Time
	uncounted time.Duration              // of the time since start, for which see Config.FirstBuild
	skipped   map[string]bool            // functions that were reported as skipped
	excluded  map[event.Unreachable]bool // the outcomes in unreachable
	// unreachable holds outcomes that are reported unless an execution covers them.
	unreachable []unreachable
	refused     string // why the package's code must not be run, or ""
	late        bool   // the user was told that the timeout cut something off
	continued   bool   // the user is not told that the timeout cut something off
	partial     atomic.Bool
}

// InScope reports whether the run is about a function, by Target.Name.
func (s *Session) InScope(name string) bool {
	return (s.Config.Run == nil || s.Config.Run.MatchString(name)) && (s.Only == nil || s.Only[name])
}

// Partly reports whether the run is about a part of the package. Tests of the rest stay then.
func (s *Session) Partly() bool { return s.Config.Run != nil || s.Only != nil }

// SelectTargets returns the targets that the run is about: exported functions, and functions that are tested
// directly only if exported ones do not reach them. Targets that are not to be tested are reported as
// skipped.
func (s *Session) SelectTargets() (exported, inside []*load.Target) {
	s.MarkEffects()
	for _, t := range s.Pkg.Targets {
		if !s.InScope(t.Name) {
			continue
		}
		if t.Skip != "" {
			s.Skip(t.String(), t.Skip)
			continue
		}
		// A function that was asked for by its name is tested for its own sake.
		if t.Exported || s.Config.Run != nil || s.Config.Unexported {
			exported = append(exported, t)
		} else {
			inside = append(inside, t)
		}
	}
	return exported, inside
}

// MarkEffects marks functions that certainly have effects on the world as skipped. No engine calls
// them, not even to make a value for another function. The exception are functions of which package purity proves that all the
// files which they change are named by inputs of the call: they are called where all these are files and directories of the
// test's own, see refuses.
func (s *Session) MarkEffects() {
	if s.Config.Unsafe {
		return
	}
	s.paths, s.onPaths, s.effects = purity.PathsOf(s.Pkg), make(map[*types.Func]bool), make(map[string][]*types.Func)
	for _, t := range s.Pkg.Targets {
		if t.Skip != "" {
			continue
		}
		reason := s.Effects.Effect(t.Func)
		if reason != "" && t.Obj.Signature().Recv() != nil {
			s.effects[t.Obj.Name()] = append(s.effects[t.Obj.Name()], t.Obj)
		}
		switch {
		case reason == "":
		case s.paths.Changes(t.Obj):
			s.onPaths[t.Obj] = true
		default:
			t.Skip = reason + "; -unsafe tests it all the same"
		}
	}
}

// refuses says why a sequence is not run: it names files of the machine, or calls a function that changes files and names
// files that are not its own.
func (s *Session) refuses(seq *testcase.Sequence) string {
	if !s.Config.Unsafe && !s.paths.Within(seq) {
		return "it names a file of the machine"
	}
	for i := range seq.Len() {
		op := seq.At(i).Op
		f := op.Func
		switch {
		case op.Kind == testcase.OpFuncLit && s.calls(op.Text), op.Kind == testcase.OpCheck && s.checks(op.Check):
			return "its code calls a function that has an effect on the world"
		case f == nil:
		case s.onPaths[f] && !s.paths.Given(seq):
			return f.Name() + " would change files that are not the test's own"
		case s.throughInterface(f):
			return f.Name() + " has an effect on the world where it is a method of this package"
		}
	}
	return ""
}

// ChangesFiles reports whether a function certainly changes the files that its inputs name, so that it is called only with
// files of a test's own.
func (s *Session) ChangesFiles(fn *types.Func) bool { return s.onPaths[fn] }

// checks reports whether a check calls a function that certainly has effects on the world, with what the check passes.
func (s *Session) checks(c *testcase.Check) bool {
	f, _ := c.Object.(*types.Func)
	g, _ := c.Other.(*types.Func)
	return s.onPaths[f] || s.onPaths[g] || s.calls(c.Body)
}

// calls reports whether code calls a method with a name that methods have which certainly have effects on the world.
func (s *Session) calls(code string) bool {
	for name := range s.effects {
		if strings.Contains(code, "."+name+"(") {
			return true
		}
	}
	return false
}

// throughInterface reports whether a method is an interface's, and one that certainly has effects on the world may be behind it.
func (s *Session) throughInterface(f *types.Func) bool {
	recv := f.Signature().Recv()
	if recv == nil || len(s.effects[f.Name()]) == 0 {
		return false
	}
	i, ok := recv.Type().Underlying().(*types.Interface)
	return ok && slices.ContainsFunc(s.effects[f.Name()], func(m *types.Func) bool {
		if m.Signature().RecvTypeParams().Len() > 0 {
			return true
		}
		on := m.Signature().Recv().Type()
		if _, ok := on.(*types.Pointer); !ok {
			on = types.NewPointer(on)
		}
		return types.Implements(on, i)
	})
}

// Analyser returns an analyser that knows the contracts of the package.
func (s *Session) Analyser(cfg check.Config) *check.Program { return NewAnalyser(s.Prog, s.Pkg, cfg) }

// NewAnalyser returns an analyser that knows the contracts of a package.
func NewAnalyser(prog *load.Program, pkg *load.Package, cfg check.Config) *check.Program {
	a := check.New(prog.Fset, prog.Sizes, cfg)
	a.Source(prog.Source)
	a.Standard(func(path string) bool { return path != pkg.Path && prog.Standard(path) })
	for _, t := range pkg.Targets {
		if t.Func != nil && t.Checked != nil {
			a.Contract(t.Func, t.Checked)
		}
	}
	return a
}

// Skip reports once why a function gets no test.
func (s *Session) Skip(fn, reason string) { s.SkipAt(fn, "", reason) }

// SkipAt is Skip with the place in the source that is the reason.
func (s *Session) SkipAt(fn, pos, reason string) {
	if s.skipped[fn] {
		return
	}
	s.skipped[fn] = true
	s.Events.Send(event.Skip{Package: s.Pkg.Path, Func: fn, Pos: pos, Reason: reason})
}

// Skipped reports whether a function was reported as skipped.
func (s *Session) Skipped(fn string) bool { return s.skipped[fn] }

// NoteUnreachable notes an outcome that assumptions exclude, with blocks that run only where the outcome shows. It notes each
// outcome once, because a function may be explored several times.
func (s *Session) NoteUnreachable(u event.Unreachable, shown []testcase.Block) {
	if !s.excluded[u] {
		s.excluded[u] = true
		s.unreachable = append(s.unreachable, unreachable{u, shown})
	}
}

// unreachable is an outcome that assumptions exclude. Each of the blocks, of which only the place counts and what kind of block
// it is, runs only where the outcome shows.
type unreachable struct {
	event.Unreachable
	shown []testcase.Block
}

// isShown reports whether a block of the package is one of those that show the outcome.
func (u unreachable) isShown(b testcase.Block) bool {
	return slices.ContainsFunc(u.shown, func(s testcase.Block) bool {
		return s.Value == b.Value && (s.Text == "") == (b.Text == "") && s.Pos.String() == b.Pos.String()
	})
}

// ReportUnreachable reports the outcomes of conditions that the assumptions exclude unless an execution has
// had the outcome. (It may have been an execution of another function.)
func (s *Session) ReportUnreachable(blocks []testcase.Block, cover testcase.Cover) {
	for _, u := range s.unreachable {
		reached := false
		for i, b := range blocks {
			reached = reached || cover.Has(i) && u.isShown(b)
		}
		if !reached {
			s.Events.Send(u.Unreachable)
		}
	}
	s.unreachable = nil
}

// Debug sends a line if -debug asks for the topic.
func (s *Session) Debug(topic, format string, args ...any) {
	if s.Config.Debug[topic] {
		s.Events.Send(event.Debug{Topic: topic, Text: fmt.Sprintf(format, args...)})
	}
}

// debugLog returns a writer of lines that -debug asks for under a topic, nil if it asks for none.
func (s *Session) debugLog(topic string) io.Writer {
	if !s.Config.Debug[topic] {
		return nil
	}
	return debugWriter{s, topic}
}

type debugWriter struct {
	s     *Session
	topic string
}

// Write sends a line, which ends p.
func (w debugWriter) Write(p []byte) (int, error) {
	w.s.Debug(w.topic, "%s", strings.TrimSuffix(string(p), "\n"))
	return len(p), nil
}

// Warn sends a warning about the package.
func (s *Session) Warn(format string, args ...any) {
	s.Events.Send(event.Diagnostic{Message: s.Pkg.Path + ": " + fmt.Sprintf(format, args...), Warning: true})
}

// Fail reports an error that ended the work on the package.
func (s *Session) Fail(err error) {
	if errors.Is(err, context.DeadlineExceeded) {
		s.TimedOut("")
		return
	}
	if errors.Is(err, context.Canceled) {
		return // the interrupt has been announced
	}
	s.Result.Failed = true
	s.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s", s.Pkg.Path, OneLine(err.Error()))})
}

// TimedOut reports once that the timeout cut something off.
func (s *Session) TimedOut(what string) {
	if s.late {
		return
	}
	s.late = true
	if s.continued {
		return
	}
	msg := fmt.Sprintf("%s: timed out after %s", s.Pkg.Path, s.Config.Bound())
	if spent := time.Since(s.start) - s.uncounted; spent < s.Config.Bound()*9/10 {
		msg = fmt.Sprintf("%s: out of time after %s of %s, the rest of which running the tests may take", s.Pkg.Path, spent.Round(100*time.Millisecond), s.Config.Bound())
	}
	if what != "" {
		msg += ": " + what
	}
	s.Events.Send(event.Diagnostic{Message: msg, Warning: true})
}

// MarkPartial notes that a time limit or a bug of ours cut something off. The result of the run may be
// incomplete then, so no cache may keep it.
func (s *Session) MarkPartial() { s.partial.Store(true) }

// Partial reports whether MarkPartial was called.
func (s *Session) Partial() bool { return s.partial.Load() }

// Whole reports whether neither the time nor a bug of ours cut anything off.
func (s *Session) Whole() bool {
	return !s.late && !s.Result.Failed && s.Ctx.Err() == nil && !s.partial.Load()
}

// StartOver forgets everything counted and reported so far, because the work is done again.
func (s *Session) StartOver() {
	s.Summary = event.Summary{Verb: s.Summary.Verb, Package: s.Summary.Package}
	s.Result = Result{}
	s.unreachable = nil
	s.skipped, s.excluded = make(map[string]bool), make(map[event.Unreachable]bool)
	s.Only = nil
}

// OneLine returns a text on one line, because messages have one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
