package choose

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/question"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// This file brings objects to further states, where a call may change something that it does not change in the
// states to which the exploration brought them:
//
//  1. grow takes cases that end in different states of an object, the shortest first, and continues each by one
//     further call of every method that may change the object, then by two and by three.
//  2. ownCalls gives such a call what the case has passed before. A method that replaces an element, or that
//     takes one out, does so only for a key that is there.
//  3. changedFields says which fields of its object each call changed, so that calls which change something are
//     gone on from, one for each set of fields.
//
// A call that is made three times is one step to a reader, and comes before three different calls. Where a game is
// won, a method that begins anew says so to every observer; on a new game it changes nothing.

// Bounds of the states that grow makes.
const (
	growRounds    = 3   // each round appends one further call
	mostGrownFrom = 60  // cases of one type that are gone on from in a round
	mostGrown     = 400 // further calls on objects of one type in a round
	mostOwn       = 3   // values of a type that a case passed, and that a further call of it takes
)

// grow returns cases that continue the tests and the candidates by one to three further calls.
func (m *mutantChooser) grow(ctx context.Context) ([]*testcase.Case, error) {
	var bases []*testcase.Case
	for _, c := range slices.Concat(m.Tests, m.candidates()) {
		if c.Observed != nil {
			bases = append(bases, c)
		}
	}
	calls := m.furtherCalls(bases)
	known := make(map[string]bool) // states of objects, and texts of sequences
	var out []*testcase.Case
	for range growRounds {
		var cases []*testcase.Case
		var seqs []*testcase.Sequence
		for _, c := range m.growOnce(bases, calls, known) {
			cases, seqs = append(cases, c), append(seqs, c.Seq)
		}
		outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
		if err := m.UnlessCut(err); err != nil {
			return nil, fmt.Errorf("bringing objects to further states: %w", err)
		}
		bases = m.fit(cases, outcomes)
		out = append(out, bases...)
	}
	later, err := m.later(ctx, out, calls)
	return append(out, later...), err
}

// Bounds of the cases in which time passes.
const (
	mostLaterFrom = 40  // cases of one type that are gone on from
	mostLater     = 400 // cases in all
	mostSet       = 3   // durations that one case waits for
)

// later returns cases that wait before a further call of a method that looks at the clock: as long as a duration says that the
// case has set, or a constant of the package if it has set none, and for a moment less and more. A breaker that was opened
// says then that it is half open.
func (m *mutantChooser) later(ctx context.Context, grown []*testcase.Case, calls map[string][]furtherCall) ([]*testcase.Case, error) {
	fake, err := purity.NewFakeTime(m.Prog, m.Pkg)
	if fake == nil {
		return nil, err
	}
	bases := shortest(slices.Concat(m.Tests, m.candidates(), grown))
	from, known := make(map[string]int), make(map[string]bool)
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	var waits []int // for each case, the number of the wait that it is about
	wait := 0
	for _, c := range bases {
		object, ok := m.changeable(c)
		if !ok {
			continue
		}
		typ := objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])
		state, ok := m.observers.Left(c.Seq, c.Observed)
		if key := "state " + typ + " " + state.String(); !ok || known[key] || from[typ] == mostLaterFrom {
			continue
		} else {
			known[key] = true
		}
		from[typ]++
		for _, f := range slices.Concat(calls[typ], m.ownCalls(c, object, calls[typ])) {
			if !fake.Holds(f.op.Func) {
				continue
			}
			for k, d := range waitsOf(fake, c.Seq) {
				if k%aroundEach == 0 {
					wait++
				}
				further := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(fake.Wait(c.Seq, d), object)}
				if text := further.Seq.Key(); len(cases) < mostLater && !known[text] && further.Seq.Len() <= testcase.MaxKnown && !m.bench.Changes(further.Seq) {
					known[text] = true
					cases, seqs, waits = append(cases, further), append(seqs, further.Seq), append(waits, wait)
				}
			}
		}
	}
	outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return nil, fmt.Errorf("letting time pass: %w", err)
	}
	m.Tests = append(m.Tests, m.turns(cases, outcomes, waits)...)
	return m.fit(cases, outcomes), nil
}

// mostTurns is how many changes with time a test shows of one method.
const mostTurns = 3

// turns returns the cases that show how the answer of a method changes with time: the last one before the change and the first
// one behind it, for each pair of answers. The parameter waits numbers the calls that wait for about as long. These cases are tests even where shorter ones notice as many faults: a breaker that never closes again looks
// the same as one that was open for no time.
func (m *mutantChooser) turns(cases []*testcase.Case, outcomes []*testcase.Outcome, waits []int) []*testcase.Case {
	var out []*testcase.Case
	known, count := make(map[string]bool), make(map[string]int)
	for i := range cases {
		if i+1 >= len(outcomes) || waits[i] != waits[i+1] {
			continue
		}
		before, ok := replied(cases[i], outcomes[i])
		after, same := replied(cases[i+1], outcomes[i+1])
		turn := cases[i].Target + " " + before + ", " + after
		if !ok || !same || before == after || known[turn] || count[cases[i].Target] == mostTurns {
			continue
		}
		known[turn] = true
		count[cases[i].Target]++
		for _, c := range m.fit(cases[i:i+2], outcomes[i:i+2]) {
			d := *c
			d.Keep = true
			out = append(out, &d)
		}
	}
	return out
}

// replied returns what the last call of a case returned, if that is one number, text or truth, and the call took nothing.
func replied(c *testcase.Case, o *testcase.Outcome) (string, bool) {
	at := c.Seq.Len() - 1
	if o.Status != testcase.Returned || o.Unsteady(at) || len(c.Seq.Last().Args) != 1 || at >= len(o.Results) || len(o.Results[at]) != 1 {
		return "", false
	}
	switch v := o.Results[at][0]; v.Kind {
	case testcase.Bool, testcase.Int, testcase.Uint, testcase.String:
		return v.String(), true
	}
	return "", false
}

// aroundEach is how many waits there are for each duration.
const aroundEach = 3

// waitsOf returns how long a case may wait: on both sides of each duration, and for as long.
func waitsOf(fake *purity.FakeTime, s *testcase.Sequence) []time.Duration {
	set := fake.Set(s.AppendTo(nil))
	if len(set) == 0 {
		set = fake.Spoken
	}
	var out []time.Duration
	for _, d := range set[:min(len(set), mostSet)] {
		d = fake.Bounded(d, set)
		out = append(out, d-1, d, d+1)
	}
	return out
}

// growOnce returns cases with one further call behind those of the bases whose object is in a state that known
// does not have, and adds these states.
func (m *mutantChooser) growOnce(bases []*testcase.Case, calls map[string][]furtherCall, known map[string]bool) []*testcase.Case {
	order := slices.Clone(bases)
	slices.SortStableFunc(order, func(a, b *testcase.Case) int {
		return cmp.Or(cmp.Compare(outcome.StepsUpTo(a, a.Seq.Len()), outcome.StepsUpTo(b, b.Seq.Len())), cmp.Compare(outcome.CallsOf(a), outcome.CallsOf(b)), cmp.Compare(a.Seq.Len(), b.Seq.Len()))
	})
	from, made := make(map[string]int), make(map[string]int)
	var out []*testcase.Case
	for _, c := range order {
		object, ok := m.changeable(c)
		if !ok {
			continue
		}
		typ := objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])
		state, ok := m.observers.Left(c.Seq, c.Observed)
		if key := "state " + typ + " " + state.String(); !ok || known[key] || from[typ] == mostGrownFrom {
			continue
		} else {
			known[key] = true
		}
		from[typ]++
		for _, f := range slices.Concat(m.ownCalls(c, object, calls[typ]), calls[typ]) {
			if m.ReadsOnly(f.op) || made[typ] == mostGrown {
				continue
			}
			further := &testcase.Case{Package: c.Package, Target: f.target, Engine: c.Engine, Seq: f.after(c.Seq, object)}
			text := "sequence " + further.Seq.Key()
			if further.Seq.Len() > testcase.MaxKnown || known[text] || outcome.IsLong(further) || m.bench.Changes(further.Seq) {
				continue
			}
			known[text] = true
			made[typ]++
			out = append(out, further)
		}
	}
	return out
}

// changeable returns the object that the last call of a case made or may have changed. It returns false if nothing
// can be said of it, or if a test of it would be of no use to a reader.
func (m *mutantChooser) changeable(c *testcase.Case) (testcase.Ref, bool) {
	object, ok := m.observers.Table.Subject(c)
	return object, ok && m.given.Exported[c.Target] && c.Observed != nil && c.Observed.Status == testcase.Returned &&
		c.TargetStmt() == c.Seq.Len()-1 && !c.Whole && !outcome.IsLong(c) && !m.handBuilt(c) && !m.bench.Changes(c.Seq)
}

// ownCalls returns calls of the exported methods of an object with constants that the case has passed to methods
// of the object before, the last first; and the known calls with such a constant in place of their first argument,
// so that what is under a key is replaced by something else.
func (m *mutantChooser) ownCalls(c *testcase.Case, object testcase.Ref, known []furtherCall) []furtherCall {
	passed := m.ownConstants(c, object)
	typeOf := func(a testcase.Ref) string { return c.Seq.ResultTypes()[a.Stmt][a.Result].String() }
	key := objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])
	var out []furtherCall
	for _, t := range m.Pkg.Targets {
		if t.Recv == nil || !t.Exported || t.Skip != "" || objectType(t.Recv) != key || t.Obj.Signature().Variadic() {
			continue
		}
		op := &testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}
		params := op.Signature().Params()
		for k := range mostOwn {
			var args []testcase.Ref
			for i := range params.Len() {
				if own := passed[params.At(i).Type().String()]; len(own) > 0 {
					args = append(args, own[(k+i)%len(own)])
				}
			}
			fresh := slices.ContainsFunc(args, func(a testcase.Ref) bool { return k < len(passed[typeOf(a)]) })
			if params.Len() > 0 && len(args) == params.Len() && fresh {
				out = append(out, furtherCall{t.Name, op, c.Seq, object, args})
			}
		}
	}
	for _, f := range known {
		if len(f.args) < 2 || f.op.Signature().Variadic() || slices.ContainsFunc(f.args, func(a testcase.Ref) bool { return f.from.At(a.Stmt).Op.Kind != testcase.OpLiteral }) {
			continue
		}
		for _, own := range passed[f.op.Signature().Params().At(0).Type().String()] {
			g := furtherCall{f.target, f.op, c.Seq, object, []testcase.Ref{own}}
			for _, a := range f.args[1:] {
				g.args = append(g.args, testcase.Ref{Stmt: g.from.Len()})
				g.from = g.from.Extend(f.from.At(a.Stmt))
			}
			out = append(out, g)
		}
	}
	return out
}

// ownConstants returns the constants that a case passed to methods of an object, by type, the last first.
func (m *mutantChooser) ownConstants(c *testcase.Case, object testcase.Ref) map[string][]testcase.Ref {
	passed := make(map[string][]testcase.Ref)
	seen := make(map[string]bool)
	for i := c.TargetStmt(); i >= 0; i-- {
		st := c.Seq.At(i)
		if !isCallOf(c.Seq, i, object) {
			continue
		}
		for _, a := range st.Args[1:] {
			typ := c.Seq.ResultTypes()[a.Stmt][a.Result].String()
			text := typ + " " + c.Seq.Expression(a, m.Pkg.Types)
			if c.Seq.At(a.Stmt).Op.Kind == testcase.OpLiteral && !seen[text] && len(passed[typ]) < mostOwn {
				seen[text] = true
				passed[typ] = append(passed[typ], a)
			}
		}
	}
	return passed
}

// mostHeld is how many keys of an object a method is asked about.
const mostHeld = 2

// heldCalls returns questions about what an object holds behind the last call of a case: calls of its exported methods with
// one parameter, each with a key of a map in the object that the case did not pass. What a call computed and put away under a
// number of its own shows to nobody who asks about other numbers.
func (m *mutantChooser) heldCalls(c *testcase.Case, object testcase.Ref) []furtherCall {
	state, ok := m.leftOf(c.Seq, c.Observed, object)
	if !ok || c.TargetStmt() != c.Seq.Len()-1 {
		return nil
	}
	keys := make(map[string][]testcase.Literal) // by type
	heldKeys(state, keys)
	key := objectType(c.Seq.ResultTypes()[object.Stmt][object.Result])
	var out []furtherCall
	for _, t := range m.Pkg.Targets {
		if t.Recv == nil || !t.Exported || t.Skip != "" || objectType(t.Recv) != key {
			continue
		}
		op := &testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}
		if sig := op.Signature(); sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() == 0 {
			continue
		}
		typ := op.Signature().Params().At(0).Type()
		for _, lit := range keys[typ.String()] {
			var b testcase.Builder
			arg := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: typ, Lit: lit})
			out = append(out, furtherCall{t.Name, op, b.Sequence(), testcase.Ref{Stmt: -1}, []testcase.Ref{arg}})
		}
	}
	return out
}

// heldKeys adds the first keys of the maps that a value leads to, by type.
func heldKeys(v testcase.Value, keys map[string][]testcase.Literal) {
	for i, e := range v.Elems {
		if v.Kind == testcase.Map && i%2 == 0 && e.Type != nil && len(keys[e.Type.String()]) < mostHeld {
			if lit, ok := e.Literal(); ok && !slices.Contains(keys[e.Type.String()], lit) {
				keys[e.Type.String()] = append(keys[e.Type.String()], lit)
			}
		}
		heldKeys(e, keys)
	}
}

// unknownChange stands for what a call changed in an object that could not be read before and after the call.
const unknownChange = "?"

// changedFields returns, for each of the cases that call a method, the numbers of the fields of its object that the
// call changed, as text; "" if the object is the same as before. Objects are read to the end, unexported fields as well,
// because a field that no observer shows may decide what a later call does.
func (m *mutantChooser) changedFields(ctx context.Context, pool []*testcase.Case) (map[*testcase.Case]string, error) {
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range pool {
		at := c.TargetStmt()
		object, ok := m.observers.Table.Subject(c)
		if ok && object.Stmt < at && !c.Whole && !m.bench.Changes(c.Seq) {
			cases = append(cases, c)
			before := at - 1
			for before > object.Stmt && !isCallOf(c.Seq, before, object) {
				before-- // constants that the call takes
			}
			seqs = append(seqs, c.Seq.Prefix(before+1), c.Seq.Prefix(at+1))
		}
	}
	outcomes, err := m.bench.Proposals(false).Run(ctx, seqs)
	if err := m.UnlessCut(err); err != nil {
		return nil, err
	}
	out := make(map[*testcase.Case]string)
	for i, c := range cases {
		out[c] = unknownChange
		if 2*i+1 >= len(outcomes) {
			continue
		}
		object, _ := m.observers.Table.Subject(c)
		before, ok := m.leftOf(seqs[2*i], outcomes[2*i], object)
		after, okAfter := m.leftOf(seqs[2*i+1], outcomes[2*i+1], object)
		if ok && okAfter {
			out[c] = differentFields(before, after)
		}
	}
	return out, nil
}

// leftOf returns the state of an object behind the last call of a sequence, if this call made the object or was a
// method of it.
func (m *mutantChooser) leftOf(s *testcase.Sequence, o *testcase.Outcome, object testcase.Ref) (testcase.Value, bool) {
	if last := s.Len() - 1; last != object.Stmt && !isCallOf(s, last, object) {
		return testcase.Value{}, false
	}
	return m.observers.Left(s, o)
}

// isCallOf reports whether a statement calls a method of an object.
func isCallOf(s *testcase.Sequence, i int, object testcase.Ref) bool {
	return s.At(i).Op.Kind == testcase.OpMethod && s.At(i).Args[0] == object
}

// differentFields returns the numbers of the fields in which two objects differ.
func differentFields(a, b testcase.Value) string {
	for a.Kind == testcase.Pointer && b.Kind == testcase.Pointer && len(a.Elems) == 1 && len(b.Elems) == 1 {
		a, b = a.Elems[0], b.Elems[0]
	}
	if a.Kind != testcase.Struct || b.Kind != testcase.Struct || len(a.Elems) != len(b.Elems) {
		if question.SameObject(a, b) {
			return ""
		}
		return "all"
	}
	var out []string
	for i := range a.Elems {
		if !question.SameObject(a.Elems[i], b.Elems[i]) {
			out = append(out, fmt.Sprint(i))
		}
	}
	return strings.Join(out, ",")
}

// findHidden notes the inert methods whose effect only fields show. To ask observers there would say nothing of what
// the call does, so tests assert the fields that it changes.
func (m *mutantChooser) findHidden(ctx context.Context, tests []*testcase.Case) error {
	if m.Pkg.ExternalTests {
		return nil // tests do not see these fields
	}
	inert := slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return !m.observers.IsInert(c.Target) })
	changed, err := m.changedFields(ctx, inert)
	if err != nil {
		return fmt.Errorf("asking what methods change that no observer shows: %w", err)
	}
	for c, fields := range changed {
		object, _ := m.observers.Table.Subject(c)
		t := c.Seq.ResultTypes()[object.Stmt][object.Result]
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		for f := range strings.SplitSeq(fields, ",") {
			n, err := strconv.Atoi(f)
			if ok && err == nil && (mutate.IsPlain(st.Field(n).Type()) || testcase.IsChangedWhole(st.Field(n))) {
				m.observers.Hide(c.Target)
			}
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
