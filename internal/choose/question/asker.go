// Package question makes tests ask what a call did: behind a test's own call it puts calls of the observers of the object that the
// call changed or made. What they answer is asserted, so a test shows the state that changed and the state that did not.
//
//  1. [Asker.Learn] asks all observers behind the calls of the tests (asker.go), and keeps those whose answers differ between
//     objects. Methods that many runs show to change nothing become observers before (effect.go), and so do helpers that list
//     elements (elements.go). Learn also finds out which observers only repeat what an object was made of (echo.go), which calls move no
//     observer, and which objects show more once they are finished (effect.go).
//  2. [Asker.Tests] returns tests with the questions behind their calls. Calls that changed an element which they do not name are
//     asked about that element (elements.go), parts of receivers that have nothing to say themselves (parts.go), errors of which kind they are (errors.go), and returned objects of other
//     packages what they are (described.go). Packages
//     told and record add what they know.
//  3. [Asker.Calls] returns all executed calls with what observers say before them. Names are proved against these (calls.go).
//  4. [Asker.Operations] are the operations that harnesses need to ask.
//
// Which methods are observers at all, package observer says. An answer is used only if it is whole, and the same where it is asked twice.
//
// Not supported: an object that a call reaches without being its receiver, its result or what its receiver was made of is not asked.
package question

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Asker makes tests assert what a call did to its object: it has each test call the object's exported
// observers behind the call. A test then shows both the state that changed and the state that did not.
type Asker struct {
	Table     *observer.Table // which methods are observers
	Told      *told.Reader
	Recording *record.Recorder

	*session.Session
	bench    *session.Bench
	pure     func(*testcase.Operation) bool
	givers   *giver.Room
	fields   *purity.Fields
	use      map[string]map[*testcase.Operation]bool // which observers say something, by type
	still    map[string]bool                         // methods that return something and moved no observer, by target
	inert    map[string]bool                         // methods that return nothing and moved no observer, by target
	mute     map[string]bool                         // methods that return a copy of their object, which no observer tells from it, by target
	hidden   map[string]bool                         // inert methods that change fields which a test can assert, by target
	elements []*testcase.Operation                   // helpers that list the elements of containers
	lists    []*testcase.Operation                   // the observers that return all elements, methods too
	moves    map[string]map[*types.Func]bool         // which observers of containers calls move, by target
	echoes   map[*types.Func]bool                    // observers that return the text of which their object was made
	renames  map[string]map[*types.Func]bool         // which of these return something else behind a call, by target
}

// New returns an Asker for the package of a session, which runs tests on a bench. pure reports whether a call changes nothing that
// outlives it.
func New(s *session.Session, bench *session.Bench, givers *giver.Room, pure func(*testcase.Operation) bool) *Asker {
	return &Asker{
		Table: observer.New(s.Pkg, pure), Told: told.New(s, bench), Recording: record.New(s, bench),
		Session: s, bench: bench, pure: pure, givers: givers, fields: new(purity.Fields),
		use: make(map[string]map[*testcase.Operation]bool), still: make(map[string]bool), inert: make(map[string]bool), hidden: make(map[string]bool),
		mute: make(map[string]bool), moves: make(map[string]map[*types.Func]bool), echoes: make(map[*types.Func]bool), renames: make(map[string]map[*types.Func]bool),
	}
}

// Bounds of observers: how many methods a test asks about the state that a method has left, and of how many of a type those are
// chosen that may have another answer after a call. Of a new object a test asks them all.
const (
	maxObservers = 4
	mostUseful   = 16
)

// Learn asks all observers behind the tests' calls. It keeps those whose answers differ between objects
// of their type; a constant answer would assert nothing.
func (o *Asker) Learn(ctx context.Context, tests []*testcase.Case) error {
	if err := o.acceptObservers(ctx, tests); err != nil {
		return err
	}
	if err := o.acceptElements(ctx, tests); err != nil {
		return err
	}
	if err := o.Told.Learn(ctx, tests); err != nil {
		return err
	}
	answers, err := o.Ask(ctx, tests, func(*testcase.Case, *testcase.Operation) bool { return true })
	if err != nil {
		return err
	}
	runs := make(map[string][]observer.Run)
	of := make(map[string][]*testcase.Operation)
	for _, a := range answers {
		key := a.typ.String()
		of[key] = o.Table.Of(a.typ)
		runs[key] = append(runs[key], a.Run())
	}
	echoes := make(echo)
	for _, a := range answers {
		echoes.note(a.seq, a.seq.Last().Args[0].Stmt, a.Run())
	}
	o.echoes = echoes.mostly()
	o.findRenaming(tests, answers)
	whole := make(map[string]bool)
	for _, a := range answers {
		whole[a.typ.String()] = observer.ComparedWhole(a.typ)
	}
	for key, ops := range of {
		if whole[key] {
			o.use[key] = make(map[*testcase.Operation]bool)
			continue
		}
		chosen := observer.Informative(ops, runs[key], o.echoes)
		if text := observer.Telling(echoes.without(ops), runs[key]); text != nil && len(chosen) > 0 && len(echoes.without(ops)) < len(ops) {
			chosen = []*testcase.Operation{text} // the echo was for what this one says
		}
		o.use[key] = make(map[*testcase.Operation]bool)
		for _, op := range chosen[:min(len(chosen), mostUseful)] {
			o.use[key][op] = true
		}
	}
	if err := o.leaveOutDerived(ctx, tests, answers, runs); err != nil {
		return err
	}
	if err := o.learnFinishers(ctx, tests, answers); err != nil {
		return err
	}
	if err := o.findStill(ctx, tests, answers); err != nil {
		return err
	}
	return o.findMute(ctx, tests)
}

// Tests returns the tests with calls of observers behind their own call, where the object has observers and
// can take them. The tests then also assert with which arguments their dependencies were called.
func (o *Asker) Tests(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	out := append([]*testcase.Case(nil), tests...)
	asked := make(map[*testcase.Case]int)
	answers, err := o.Ask(ctx, tests, func(c *testcase.Case, op *testcase.Operation) bool {
		if isMethod := c.Seq.At(c.TargetStmt()).Op.Kind == testcase.OpMethod; isMethod && asked[c] == maxObservers || !o.Asks(c, op) {
			return false
		}
		asked[c]++
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, a := range answers {
		c := *tests[a.Test]
		c.Seq, c.Observed, c.Predicted = a.seq, a.outcome, nil
		out[a.Test] = &c
	}
	if out, err = o.others(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.parts(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.Told.Tests(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.kindsOfErrors(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.described(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.Told.Written(ctx, out, o.givers.HeaderKeys()); err != nil {
		return nil, err
	}
	if out, err = o.Told.Files(ctx, out); err != nil {
		return nil, err
	}
	return o.Recording.Tests(ctx, out)
}

// Ask runs the observers for which use holds behind the tests' calls. If an object cannot take an
// observer, its test gets no answer, and only the call itself is tested.
func (o *Asker) Ask(ctx context.Context, tests []*testcase.Case, use func(*testcase.Case, *testcase.Operation) bool) ([]Answer, error) {
	var out []Answer
	var seqs []*testcase.Sequence
	for i, c := range tests {
		if c = withTexts(c); c == nil {
			continue
		}
		ref, ok := o.Table.Subject(c)
		if !ok || o.still[c.Target] {
			if ref, ok = o.Table.Made(c); !ok {
				continue
			}
		}
		if ref.Stmt == c.TargetStmt() && c.CallFailed() {
			continue
		}
		if ref.Stmt == c.TargetStmt() && o.mute[c.Target] {
			continue
		}
		if seq, ok := o.Table.Behind(c, ref, func(op *testcase.Operation) bool { return use(c, op) }); ok {
			out = append(out, Answer{Test: i, typ: c.Seq.ResultTypes()[ref.Stmt][ref.Result], seq: seq, from: c.TargetStmt() + 1})
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("running observers: %w", err)
	}
	var good []Answer
	for i, a := range out {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status == testcase.Returned && outcomes[i].Violated == "" && told.IsWhole(a.seq, outcomes[i], tests[a.Test].TargetStmt()+1) {
			a.outcome = outcomes[i]
			good = append(good, a)
		}
	}
	return good, nil
}

// withTexts returns a test behind whose call observers can be asked: the test itself, or if the call has filled a list of bytes of the test, as Read
// does, the test with a look at the bytes behind the call. It returns nil if there is none.
func withTexts(c *testcase.Case) *testcase.Case {
	if outcome.Observable(c) {
		return c
	}
	o, last := c.Observed, c.Seq.Last()
	if o == nil || o.Status != testcase.Returned || last.Op.Kind != testcase.OpMethod || c.TargetStmt() != c.Seq.Len()-1 || len(o.Final) != len(last.Args) {
		return nil
	}
	var b testcase.Builder
	b.Append(c.Seq)
	for k, a := range last.Args[1:] {
		t := c.Seq.ResultTypes()[a.Stmt][a.Result]
		switch t.Underlying().(type) {
		case *types.Slice, *types.Map:
		default:
			continue
		}
		if a.Stmt < len(o.Results) && o.Final[k+1].Equal(o.Results[a.Stmt][a.Result]) {
			continue
		}
		if !types.Identical(t.Underlying(), types.NewSlice(types.Typ[types.Uint8])) {
			return nil // such a change is compared behind the last statement only
		}
		b.Add(observer.BytesAsText(), a)
	}
	d := *c
	d.Seq = b.Sequence()
	return &d
}

// Answer holds what the observers of a test's object returned.
type Answer struct {
	Test    int // its index among the tests
	typ     types.Type
	seq     *testcase.Sequence
	from    int // the first statement that may be a call of an observer
	outcome *testcase.Outcome
}

// Run returns the observers' results, by observer.
func (a Answer) Run() observer.Run {
	return observer.Answers(a.seq, a.from, a.outcome)
}

// Operations returns calls of all observers that say something about some object.
func (o *Asker) Operations() []*testcase.Operation {
	out := slices.Clone(o.elements)
	for _, key := range slices.Sorted(maps.Keys(o.use)) {
		for _, t := range o.Pkg.Targets {
			for op := range o.use[key] {
				if op.Func == t.Obj && len(op.TypeArgs) == len(t.TypeArgs) {
					out = append(out, op)
					break
				}
			}
		}
	}
	return out
}

// Shows reports whether tests ask an observer behind calls of other methods.
func (o *Asker) Shows(f *types.Func) bool {
	for _, ops := range o.use {
		for op := range ops {
			if op.Func == f {
				return true
			}
		}
	}
	return false
}

// IsInert reports whether a function is a method that returns nothing and moved no observer in any test.
func (o *Asker) IsInert(target string) bool { return o.inert[target] }

// IsStill reports whether a function is a method that returns something and moved no observer in any test.
func (o *Asker) IsStill(target string) bool { return o.still[target] }

// Hide has no observer asked behind calls of a method: what it changes only fields show.
func (o *Asker) Hide(target string) { o.hidden[target] = true }
