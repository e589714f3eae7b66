package choose

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/choose/told"
	"github.com/goassay/assay/internal/mutate"
	observers "github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// observing makes tests assert what a call did to its object: it has each test call the object's
// exported observers behind the call. A test then shows both the state that changed and the state that
// did not.
type observing struct {
	*chooser
	table     *observers.Table
	use       map[string]map[*testcase.Operation]bool // which observers say something, by type
	still     map[string]bool                         // methods that return something and moved no observer, by target
	inert     map[string]bool                         // methods that return nothing and moved no observer, by target
	mute      map[string]bool                         // methods that return a copy of their object, which no observer tells from it, by target
	hidden    map[string]bool                         // inert methods that change fields which a test can assert, by target
	elements  []*testcase.Operation                   // helpers that list the elements of containers
	lists     []*testcase.Operation                   // the observers that return all elements, methods too
	moves     map[string]map[*types.Func]bool         // which observers of containers calls move, by target
	echoes    map[*types.Func]bool                    // observers that return the text of which their object was made
	renames   map[string]map[*types.Func]bool         // which of these return something else behind a call, by target
	told      *told.Reader
	recording *record.Recorder
}

func newObserving(ch *chooser) *observing {
	o := &observing{chooser: ch, told: told.New(ch.Session, ch.bench), recording: record.New(ch.Session, ch.bench), table: observers.New(ch.Pkg, ch.how.Pure), use: make(map[string]map[*testcase.Operation]bool), still: make(map[string]bool), inert: make(map[string]bool), hidden: make(map[string]bool), mute: make(map[string]bool), moves: make(map[string]map[*types.Func]bool), echoes: make(map[*types.Func]bool), renames: make(map[string]map[*types.Func]bool)}
	o.table.Distrust(ch.Findings)
	return o
}

// Bounds of observers: how many methods a test asks about the state that a method has left, and of how many of a type those are
// chosen that may have another answer after a call. Of a new object a test asks them all.
const (
	maxObservers = 4
	mostUseful   = 16
)

// learn asks all observers behind the tests' calls. It keeps those whose answers differ between objects
// of their type; a constant answer would assert nothing.
func (o *observing) learn(ctx context.Context, tests []*testcase.Case) error {
	if err := o.acceptObservers(ctx, tests); err != nil {
		return err
	}
	if err := o.acceptElements(ctx, tests); err != nil {
		return err
	}
	if err := o.told.Learn(ctx, tests); err != nil {
		return err
	}
	answers, err := o.ask(ctx, tests, func(*testcase.Case, *testcase.Operation) bool { return true })
	if err != nil {
		return err
	}
	runs := make(map[string][]observers.Run)
	of := make(map[string][]*testcase.Operation)
	for _, a := range answers {
		key := a.typ.String()
		of[key] = o.table.Of(a.typ)
		runs[key] = append(runs[key], a.run())
	}
	echoes := make(echo)
	for _, a := range answers {
		echoes.note(a.seq, a.seq.Last().Args[0].Stmt, a.run())
	}
	o.echoes = echoes.mostly()
	o.findRenaming(tests, answers)
	whole := make(map[string]bool)
	for _, a := range answers {
		whole[a.typ.String()] = observers.ComparedWhole(a.typ)
	}
	for key, ops := range of {
		if whole[key] {
			o.use[key] = make(map[*testcase.Operation]bool)
			continue
		}
		chosen := observers.Informative(ops, runs[key], o.echoes)
		if text := observers.Telling(echoes.without(ops), runs[key]); text != nil && len(chosen) > 0 && len(echoes.without(ops)) < len(ops) {
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

// echo counts, for objects that a function made of one text, how often each of their observers returned this text. Such an
// observer shows what a parser was given, and not what the parser has made of the text.
type echo map[*types.Func]struct{ asked, same int }

// madeOf returns the text of which a function made an object: its first argument. Options may follow.
func madeOf(s *testcase.Sequence, made int) (string, bool) {
	st := s.At(made)
	if st.Op.Kind != testcase.OpFunc || len(st.Args) == 0 || len(st.Args) > 1 && !st.Op.Signature().Variadic() {
		return "", false
	}
	of := s.At(st.Args[0].Stmt).Op
	return of.Lit.Str, of.Kind == testcase.OpLiteral && of.Lit.Kind == testcase.LitString
}

// findRenaming notes which methods make observers that echo return something else than the text of which their object was
// made. What the others return behind other calls says nothing of these.
func (o *observing) findRenaming(tests []*testcase.Case, answers []answer) {
	for _, a := range answers {
		text, ok := madeOf(a.seq, a.seq.Last().Args[0].Stmt)
		if !ok {
			continue
		}
		target := tests[a.test].Target
		for f, results := range a.run() {
			if o.echoes[f] && (len(results) != 1 || results[0].Str != text) {
				if o.renames[target] == nil {
					o.renames[target] = make(map[*types.Func]bool)
				}
				o.renames[target][f] = true
			}
		}
	}
}

// note counts the answers of the observers of the object that a statement made.
func (e echo) note(s *testcase.Sequence, made int, answers observers.Run) {
	text, ok := madeOf(s, made)
	if !ok {
		return
	}
	for i := made + 1; i < s.Len(); i++ {
		if later := s.At(i); !later.Op.Observes() && slices.ContainsFunc(later.Args, func(a testcase.Ref) bool { return a.Stmt == made }) {
			return // the object may say something else since
		}
	}
	for f, results := range answers {
		if len(results) == 1 && results[0].Kind == testcase.String {
			n := e[f]
			n.asked++
			if results[0].Str == text {
				n.same++
			}
			e[f] = n
		}
	}
}

// mostly returns the observers that returned the text of which their object was made at least three times, and for three
// objects out of four.
func (e echo) mostly() map[*types.Func]bool {
	const several = 3
	out := make(map[*types.Func]bool)
	for f, n := range e {
		out[f] = n.same >= several && 4*n.same >= 3*n.asked
	}
	return out
}

// without returns the operations that are no echo.
func (e echo) without(ops []*testcase.Operation) []*testcase.Operation {
	mostly := e.mostly()
	return slices.DeleteFunc(slices.Clone(ops), func(op *testcase.Operation) bool { return mostly[op.Func] })
}

// learnFinishers finds out which objects show more once they are finished. A buffered writer, for
// example, may show its last word only after Close, so observers are asked behind Close.
func (o *observing) learnFinishers(ctx context.Context, tests []*testcase.Case, answers []answer) error {
	tried := make(map[string]bool)
	for _, a := range answers {
		key := a.typ.String()
		finisher := o.table.Finisher(a.typ)
		if finisher == nil || tried[key] {
			continue
		}
		tried[key] = true
		o.table.Finish(a.typ, finisher)
		var same []*testcase.Case
		before := make(map[*testcase.Case]observers.Run)
		for _, b := range answers {
			if b.typ.String() == key && len(same) < mostProbes {
				same = append(same, tests[b.test])
				before[tests[b.test]] = b.run()
			}
		}
		finished, err := o.ask(ctx, same, func(_ *testcase.Case, op *testcase.Operation) bool { return o.use[key][op] })
		if err != nil {
			return err
		}
		moves := false
		for _, b := range finished {
			was := before[same[b.test]]
			for f, v := range b.run() {
				old, asked := was[f]
				moves = moves || asked && !slices.EqualFunc(old, v, testcase.Value.Equal)
			}
		}
		if !moves {
			o.table.Finish(a.typ, nil)
		}
	}
	return nil
}

// withValues returns the tests with distinct values in place of zeros, and drops those that then end
// badly. An object made of zeros gives observers nothing to tell apart.
func (ch *chooser) withValues(ctx context.Context) ([]*testcase.Case, error) {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range ch.Tests {
		if seq, ok := plain.Distinct(ch.Pkg, c); ok && !c.Whole {
			d := *c
			d.Seq, d.Predicted, d.Path, d.Observed = seq, nil, nil, nil
			cases, seqs = append(cases, &d), append(seqs, seq)
		}
	}
	outcomes, err := ch.bench.Proposals(true).Run(ctx, seqs)
	if err := ch.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("running tests with other values: %w", err)
	}
	return ch.fit(cases, outcomes), nil
}

// findStill notes the methods that moved no observer in any test. If they return something their effect is
// their result, so no test asserts that the observers stayed the same. Tests assert that only for
// methods that move observers at other times, and for methods that return nothing.
func (o *observing) findStill(ctx context.Context, tests []*testcase.Case, answers []answer) error {
	var after []answer
	var seqs []*testcase.Sequence
	for _, a := range answers {
		c := tests[a.test]
		if a.seq.Last().Args[0].Stmt == c.TargetStmt() {
			continue // an object that the call made was asked, not its receiver
		}
		if seq, ok := o.table.Before(c); ok {
			after, seqs = append(after, a), append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Runner(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers before calls: %w", err)
	}
	moved := make(map[string]bool)
	for i, a := range after {
		target, silent := tests[a.test].Target, outcome.ReturnsNothing(tests[a.test])
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Status != testcase.Returned {
			// The observer's answer before the call is not known, so the method counts as one that moves it, unless the
			// method has only a copy of its object.
			moved[target] = moved[target] || !tests[a.test].Seq.At(tests[a.test].TargetStmt()).Op.HasCopy()
			continue
		}
		before := answer{seq: seqs[i], from: tests[a.test].TargetStmt(), outcome: outcomes[i]}.run()
		for f, v := range a.run() {
			was, ok := before[f]
			moved[target] = moved[target] || !ok || !slices.EqualFunc(was, v, testcase.Value.Equal)
		}
		switch {
		case moved[target]:
		case silent:
			o.inert[target] = true
		default:
			o.still[target] = true
		}
	}
	for target := range moved {
		if moved[target] {
			delete(o.still, target)
			delete(o.inert, target)
		}
	}
	return nil
}

// findMute notes the methods that return a changed copy of their object, as c.WithBold(true) does, of which no observer tells anything
// but what it tells of the object: what such a method does shows in the copy itself.
func (o *observing) findMute(ctx context.Context, tests []*testcase.Case) error {
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range tests {
		if before, after, ok := o.table.OfCopy(c); ok {
			of, seqs = append(of, c), append(seqs, before, after)
		}
	}
	outcomes, err := o.bench.Runner(false).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("asking observers of what methods return: %w", err)
	}
	answers := func(k int) (said observers.Run) {
		if k < len(outcomes) && outcomes[k] != nil && outcomes[k].Status == testcase.Returned {
			said = observers.Answers(seqs[k], of[k/2].TargetStmt()+k%2, outcomes[k])
		}
		return said
	}
	for i, c := range of {
		was, is := answers(2*i), answers(2*i+1)
		mute, asked := o.mute[c.Target]
		o.mute[c.Target] = was != nil && was.Equal(is) && (mute || !asked)
	}
	return nil
}

// findHidden notes the inert methods whose effect only fields show. To ask observers there would say nothing of what
// the call does, so tests assert the fields that it changes.
func (m *mutantChooser) findHidden(ctx context.Context, tests []*testcase.Case) error {
	if m.Pkg.ExternalTests {
		return nil // tests do not see these fields
	}
	inert := slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return !m.observers.inert[c.Target] })
	changed, err := m.changedFields(ctx, inert)
	if err != nil {
		return fmt.Errorf("asking what methods change that no observer shows: %w", err)
	}
	for c, fields := range changed {
		object, _ := m.observers.table.Subject(c)
		t := c.Seq.ResultTypes()[object.Stmt][object.Result]
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		for f := range strings.SplitSeq(fields, ",") {
			n, err := strconv.Atoi(f)
			if ok && err == nil && (mutate.IsPlain(st.Field(n).Type()) || testcase.IsChangedWhole(st.Field(n))) {
				m.observers.hidden[c.Target] = true
			}
		}
	}
	return nil
}

// The runs that show that a method only looks at its object: so many at least, and at most.
const fewestProbes, mostProbes = 2, 12

// acceptObservers makes some unproved methods observers: those that look like observers and left every
// object, as deep as it can be read, as it was. Package purity cannot prove them because it does not
// follow every call.
func (o *observing) acceptObservers(ctx context.Context, tests []*testcase.Case) error {
	type probe struct {
		typ  types.Type
		op   *testcase.Operation
		base int // the sequence without the call
	}
	probes := make(map[int]probe) // the probe whose sequence has this number
	var seqs []*testcase.Sequence
	count := make(map[*testcase.Operation]int)
	for _, c := range tests {
		ref, ok := o.table.Subject(c)
		if !ok || !outcome.Observable(c) {
			continue
		}
		t := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
		base := -1
		for _, op := range o.table.Unproved(t) {
			seq, ok := o.table.Probe(c, op)
			if !ok || count[op] >= mostProbes || o.sets(op) {
				continue
			}
			if base < 0 {
				base = len(seqs)
				seqs = append(seqs, c.Seq)
			}
			count[op]++
			probes[len(seqs)] = probe{t, op, base}
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return fmt.Errorf("running what looks like observers: %w", err)
	}
	if len(outcomes) < len(seqs) {
		return nil // the time ended before anything ran
	}
	changes := make(map[*testcase.Operation]bool)
	unchanged := make(map[*testcase.Operation]int)
	for i := range seqs {
		p, ok := probes[i]
		if !ok {
			continue
		}
		was, okWas := o.left(seqs[p.base], outcomes[p.base])
		switch got := outcomes[i]; {
		case got == nil || got.Status != testcase.Returned:
			changes[p.op] = true
		case !okWas || len(got.Final) == 0:
		case !sameObject(was, got.Final[0]):
			changes[p.op] = true
		case was.Kind != testcase.Nil:
			unchanged[p.op]++
		}
	}
	for i := range seqs {
		if p, ok := probes[i]; ok && !changes[p.op] && unchanged[p.op] >= fewestProbes {
			o.table.Accept(p.typ, p.op)
			changes[p.op] = true // one difference is enough
		}
	}
	return nil
}

// sets reports whether the code of a method sets fields. If it does, a few runs in which the object stayed as it was prove
// little: a scanner that is at the end of its text does not move any more.
func (o *observing) sets(op *testcase.Operation) bool {
	t := o.Pkg.FirstTargetOf(op.Func)
	return t != nil && t.Func != nil && purity.SetsFields(t.Func)
}

// left returns the state, behind the last call of a sequence, of the object that this call made or
// changed.
func (o *observing) left(s *testcase.Sequence, got *testcase.Outcome) (testcase.Value, bool) {
	if got == nil || got.Status != testcase.Returned {
		return testcase.Value{}, false
	}
	last := s.Len() - 1
	if s.At(last).Op.Kind == testcase.OpMethod {
		if len(got.Final) == 0 {
			return testcase.Value{}, false
		}
		return got.Final[0], deep(got.Final[0])
	}
	if last >= len(got.Results) || len(got.Results[last]) == 0 {
		return testcase.Value{}, false
	}
	return got.Results[last][0], deep(got.Results[last][0])
}

// sameObject reports whether two values are the same in all parts that can be read in both. Parts that differ
// from run to run, such as a time or a pointer's address, do not count: the harness runs each sequence twice
// and marks such parts as opaque.
func sameObject(a, b testcase.Value) bool {
	if a.Kind == testcase.Opaque || b.Kind == testcase.Opaque {
		return true
	}
	if a.Kind != b.Kind || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !sameObject(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return len(a.Elems) > 0 || a.Equal(b)
}

// deep reports whether a value was read to its full depth, with no part cut off.
func deep(v testcase.Value) bool {
	if v.Cut || v.Kind == testcase.Invalid {
		return false
	}
	for _, e := range v.Elems {
		if !deep(e) {
			return false
		}
	}
	return true
}

// operations returns calls of all observers that say something about some object.
func (o *observing) operations() []*testcase.Operation {
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

// shows reports whether tests ask an observer behind calls of other methods.
func (o *observing) shows(f *types.Func) bool {
	for _, ops := range o.use {
		for op := range ops {
			if op.Func == f {
				return true
			}
		}
	}
	return false
}

// shown returns the tests with calls of observers behind their own call, where the object has observers and
// can take them. The tests then also assert with which arguments their dependencies were called.
func (o *observing) shown(ctx context.Context, tests []*testcase.Case) ([]*testcase.Case, error) {
	out := append([]*testcase.Case(nil), tests...)
	asked := make(map[*testcase.Case]int)
	answers, err := o.ask(ctx, tests, func(c *testcase.Case, op *testcase.Operation) bool {
		if isMethod := c.Seq.At(c.TargetStmt()).Op.Kind == testcase.OpMethod; isMethod && asked[c] == maxObservers || !o.asks(c, op) {
			return false
		}
		asked[c]++
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, a := range answers {
		c := *tests[a.test]
		c.Seq, c.Observed, c.Predicted = a.seq, a.outcome, nil
		out[a.test] = &c
	}
	if out, err = o.others(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.told.Tests(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.described(ctx, out); err != nil {
		return nil, err
	}
	if out, err = o.told.Written(ctx, out, o.parts.Givers.HeaderKeys()); err != nil {
		return nil, err
	}
	return o.recording.Tests(ctx, out)
}

// answer holds what the observers of a test's object returned.
type answer struct {
	test    int // its index among the tests
	typ     types.Type
	seq     *testcase.Sequence
	from    int // the first statement that may be a call of an observer
	outcome *testcase.Outcome
}

// run returns the observers' results, by observer.
func (a answer) run() observers.Run {
	return observers.Answers(a.seq, a.from, a.outcome)
}

// ask runs the observers for which use holds behind the tests' calls. If an object cannot take an
// observer, its test gets no answer, and only the call itself is tested.
func (o *observing) ask(ctx context.Context, tests []*testcase.Case, use func(*testcase.Case, *testcase.Operation) bool) ([]answer, error) {
	var out []answer
	var seqs []*testcase.Sequence
	for i, c := range tests {
		if !outcome.Observable(c) {
			continue
		}
		ref, ok := o.table.Subject(c)
		if !ok || o.still[c.Target] {
			if ref, ok = o.table.Made(c); !ok {
				continue
			}
		}
		if ref.Stmt == c.TargetStmt() && o.mute[c.Target] {
			continue
		}
		if seq, ok := o.table.Behind(c, ref, func(op *testcase.Operation) bool { return use(c, op) }); ok {
			out = append(out, answer{test: i, typ: c.Seq.ResultTypes()[ref.Stmt][ref.Result], seq: seq, from: c.TargetStmt() + 1})
			seqs = append(seqs, seq)
		}
	}
	outcomes, err := o.bench.Proposals(true).Run(ctx, seqs)
	if err := o.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("running observers: %w", err)
	}
	var good []answer
	for i, a := range out {
		if i < len(outcomes) && outcomes[i] != nil && outcomes[i].Status == testcase.Returned && outcomes[i].Violated == "" && told.IsWhole(a.seq, outcomes[i], tests[a.test].TargetStmt()+1) {
			a.outcome = outcomes[i]
			good = append(good, a)
		}
	}
	return good, nil
}
