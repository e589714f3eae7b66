package reduce

import (
	"context"
	"go/types"
	"math/bits"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// subject is a sequence that is being made smaller.
type subject struct {
	seq  *testcase.Sequence
	out  *testcase.Outcome
	same func(*testcase.Sequence, *testcase.Outcome) bool // whether a smaller sequence still serves its purpose
	few  int                                              // how many runs may still be spent, if each is expensive; -1 means no bound
	// mutants has the mutants that the reduced case must still kill. The case that the sequence came from is
	// of; stillKill copies it and puts a candidate in place of its sequence.
	mutants []int
	of      *testcase.Case
}

// spendRun takes one of the runs that may still be spent, and reports whether there was one.
func (s *subject) spendRun() bool {
	if s.few > 0 {
		s.few--
		return true
	}
	return s.few < 0
}

// minimiser makes subjects smaller in rounds. In each round candidates of all subjects are run in one
// batch, and the candidates that pass are combined.
type minimiser struct {
	ctx    context.Context
	runner Runner
	cfg    Config
	left   int // how many runs may still be made
	stats  *Stats
	// shows says that the subjects are findings. A finding shows a fault best at an extreme.
	shows bool
}

// A change makes a sequence smaller. Changes of one kind are independent of one another, so they can be made
// together.
type change struct {
	at  int // the number of the statement
	del bool
	st  testcase.Statement // the statement that takes its place, unless del is set
	// bypass deletes a call, and uses its receiver in place of its result: p.Min(1).Max(2) becomes
	// p.Max(2).
	bypass bool
}

// apply returns the sequence after the changes, without values that nothing uses any more. It returns nil if
// a statement that stays needs a removed one.
func apply(s *testcase.Sequence, changes []change) *testcase.Sequence {
	keep := make([]bool, s.Len())
	stmts := make([]testcase.Statement, s.Len())
	for i := range stmts {
		stmts[i], keep[i] = s.At(i), true
	}
	for _, c := range changes {
		switch {
		case c.bypass:
			keep[c.at] = false
			redirect(stmts, testcase.Ref{Stmt: c.at}, stmts[c.at].Args[0])
		case c.del:
			keep[c.at] = false
		default:
			stmts[c.at] = c.st
		}
	}
	// Statements that use a removed statement are removed, too, except the last statement.
	for i := range stmts {
		for _, a := range stmts[i].Args {
			keep[i] = keep[i] && keep[a.Stmt]
		}
	}
	if !keep[len(stmts)-1] {
		return nil
	}
	out, ok := testcase.NewSequence(stmts...).Keep(keep)
	if !ok {
		return nil
	}
	return prune(out)
}

// redirect makes all statements use one result in place of another.
func redirect(stmts []testcase.Statement, from, to testcase.Ref) {
	for i := from.Stmt + 1; i < len(stmts); i++ {
		if k := slices.Index(stmts[i].Args, from); k >= 0 {
			stmts[i].Args = slices.Clone(stmts[i].Args)
			for j, a := range stmts[i].Args {
				if a == from {
					stmts[i].Args[j] = to
				}
			}
		}
	}
}

// trial is a candidate for a subject, in a batch.
type trial struct {
	s       *subject
	changes []change
	seq     *testcase.Sequence
	out     *testcase.Outcome
}

// run runs the trials, as far as the bound allows, and marks those that pass.
func (m *minimiser) run(trials []*trial) error {
	trials = trials[:min(len(trials), m.left)]
	if len(trials) == 0 {
		return nil
	}
	seqs := make([]*testcase.Sequence, len(trials))
	for i, t := range trials {
		seqs[i] = t.seq
	}
	outs, err := m.runner.Run(m.ctx, seqs)
	m.left -= len(trials)
	m.stats.Runs += len(trials)
	for i := range min(len(outs), len(trials)) {
		if outs[i] != nil && trials[i].s.same(trials[i].seq, outs[i]) && !trials[i].seq.UsesFailed(outs[i]) {
			trials[i].out = outs[i]
		}
	}
	if err == nil {
		err = m.ctx.Err()
	}
	if err == nil {
		return m.stillKill(trials)
	}
	for _, t := range trials {
		if len(t.s.mutants) > 0 {
			t.out = nil // it is not known whether the candidate still kills its mutants
		}
	}
	return err
}

// stillKill rejects the trials that do not kill all mutants that they have to kill.
func (m *minimiser) stillKill(trials []*trial) error {
	var asked []*trial
	var cases []*testcase.Case
	for _, t := range trials {
		if t.out != nil && len(t.s.mutants) > 0 {
			c := *t.s.of
			c.Seq, c.Observed, c.Predicted = t.seq, t.out, nil
			asked, cases = append(asked, t), append(cases, &c)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	kills, err := m.cfg.Kills(m.ctx, cases)
	for i, t := range asked {
		if err != nil || slices.ContainsFunc(t.s.mutants, func(id int) bool { return !slices.Contains(kills[i], id) }) {
			t.out = nil
		}
	}
	return err
}

// passing returns the trials of a subject that passed.
func passing(trials []*trial, s *subject) []*trial {
	var out []*trial
	for _, t := range trials {
		if t.s == s && t.out != nil {
			out = append(out, t)
		}
	}
	return out
}

// pass is one kind of change. For each place at which a sequence may become smaller it proposes alternatives,
// from the smallest on. An alternative may change several statements together.
type pass func(m *minimiser, s *subject) [][]alternative

type alternative []change

// minimise makes the subjects as small as the passes can.
func (m *minimiser) minimise(subjects []*subject) error {
	passes := []pass{(*minimiser).clean, (*minimiser).constants, (*minimiser).removals, (*minimiser).literals, (*minimiser).removals}
	if m.shows {
		passes = append(passes, (*minimiser).extremes, (*minimiser).simplerBesideExtremes)
	}
	for _, p := range passes {
		active := subjects
		const rounds = 12
		for range rounds {
			var err error
			active, err = m.tryPass(active, p)
			if err != nil || len(active) == 0 || m.left <= 0 {
				if err != nil {
					return err
				}
				break
			}
		}
	}
	return nil
}

// tryPass tries the changes of one pass on the subjects and returns the subjects that became smaller. It
// tries each change alone first. Then it combines the best change of each statement that has a change which
// passed, and makes as many of these together as pass together.
func (m *minimiser) tryPass(subjects []*subject, p pass) ([]*subject, error) {
	var trials []*trial
	for _, s := range subjects {
		options := p(m, s)
		if s.few >= 0 {
			options = combined(options)
		}
		for _, alternatives := range options {
			for _, a := range alternatives {
				if seq := apply(s.seq, a); seq != nil && s.spendRun() {
					trials = append(trials, &trial{s: s, changes: a, seq: seq})
				}
			}
		}
	}
	if err := m.run(trials); err != nil {
		m.adopt(subjects, trials)
		return nil, err
	}
	var combos []*trial
	for _, s := range subjects {
		var good []alternative
		taken := map[int]bool{}
		for _, t := range passing(trials, s) {
			if slices.ContainsFunc(t.changes, func(c change) bool { return taken[c.at] }) {
				continue
			}
			for _, c := range t.changes {
				taken[c.at] = true
			}
			good = append(good, t.changes)
		}
		for n := len(good); n > 1; n = n * 2 / 3 {
			all := slices.Concat(good[:n]...)
			if seq := apply(s.seq, all); seq != nil && s.spendRun() {
				combos = append(combos, &trial{s: s, changes: all, seq: seq})
			}
		}
	}
	err := m.run(combos)
	return m.adopt(subjects, append(combos, trials...)), err
}

// combined returns combinations of the smallest alternatives: of all options, and of each half of the
// options. They are for subjects that cannot afford to try each option alone.
func combined(options [][]alternative) [][]alternative {
	join := func(part [][]alternative) []alternative {
		var all alternative
		taken := map[int]bool{}
		for _, alternatives := range part {
			a := alternatives[0]
			if !slices.ContainsFunc(a, func(c change) bool { return taken[c.at] }) {
				all = append(all, a...)
			}
			for _, c := range a {
				taken[c.at] = true
			}
		}
		return []alternative{all}
	}
	n := len(options)
	if n < 2 {
		return options
	}
	out := [][]alternative{join(options)}
	if n > 2 {
		out = append(out, join(options[:n/2]), join(options[n/2:]))
	}
	return out
}

// adopt replaces each subject by the first of its trials that passed, and returns the replaced
// subjects. (Combined trials come first, the largest of them before the others.)
func (m *minimiser) adopt(subjects []*subject, trials []*trial) []*subject {
	var out []*subject
	for _, s := range subjects {
		if ok := passing(trials, s); len(ok) > 0 {
			s.seq, s.out = ok[0].seq, ok[0].out
			out = append(out, s)
		}
	}
	return out
}

// clean proposes to remove the statements that are dead and pure. They can nearly always be removed
// together, so one round is enough.
func (m *minimiser) clean(s *subject) [][]alternative {
	dead := Dead(s.seq)
	var out [][]alternative
	for i := s.seq.Len() - 2; i >= 0; i-- {
		if dead[i] && isPure(s.seq.At(i).Op, m.cfg.Pure) {
			out = append(out, []alternative{{{at: i, del: true}}})
		}
	}
	return out
}

// constants proposes to replace calls that return a number, a string or a bool by the returned
// constant: Kind(2).String() rather than Triangle(2, 2, 1).String().
func (m *minimiser) constants(s *subject) [][]alternative {
	var out [][]alternative
	ts := s.seq.ResultTypes()
	for i := s.seq.Len() - 2; i >= 0; i-- {
		op := s.seq.At(i).Op
		if op.Func == nil && op.Kind != testcase.OpCallValue || len(ts[i]) != 1 || i >= len(s.out.Results) || len(s.out.Results[i]) != 1 {
			continue
		}
		if lit, ok := constant(s.out.Results[i][0], ts[i][0]); ok {
			out = append(out, []alternative{{{at: i, st: testcase.Statement{Op: lit}}}})
		}
	}
	return out
}

// constant returns the literal of an observed value of a basic type.
func constant(v testcase.Value, t types.Type) (*testcase.Operation, bool) {
	const longest = 32
	b, ok := underlyingOf(t).(*types.Basic)
	if !ok || b.Kind() == types.UnsafePointer || v.Cut || len(v.Str) > longest {
		return nil, false
	}
	kind := map[testcase.ValueKind]testcase.LitKind{testcase.Bool: testcase.LitBool, testcase.Int: testcase.LitInt, testcase.Uint: testcase.LitUint,
		testcase.Float: testcase.LitFloat, testcase.Complex: testcase.LitComplex, testcase.String: testcase.LitString}[v.Kind]
	if kind == 0 {
		return nil, false
	}
	return &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: kind, Bits: v.Bits, Imag: v.Imag, Str: v.Str}}, true
}

// removals proposes to remove each statement that has an effect, with the statements that use it. If the
// statement returns an object of its receiver's type, these statements can use the receiver instead.
func (m *minimiser) removals(s *subject) [][]alternative {
	var out [][]alternative
	results := s.seq.ResultTypes()
	for i := s.seq.Len() - 2; i >= 0; i-- {
		switch k := s.seq.At(i).Op.Kind; {
		case k.Assigns(), k == testcase.OpFunc, k == testcase.OpMethod, k == testcase.OpCallValue,
			k == testcase.OpField, k == testcase.OpDeref, k == testcase.OpIndex, k == testcase.OpAssert, k == testcase.OpConvert:
			options := []alternative{{{at: i, del: true}}}
			if k == testcase.OpMethod && returnsReceiver(i, s.seq, results) {
				options = append(options, alternative{{at: i, bypass: true}})
			}
			out = append(out, options)
		}
	}
	return out
}

// returnsReceiver reports whether a method's first result has the type of its receiver, a pointer, as in
// builders whose calls are chained. (A value receiver does not count: a time in UTC is another time than a
// local one, though both may look the same here.)
func returnsReceiver(i int, s *testcase.Sequence, results [][]types.Type) bool {
	receiver := s.At(i).Args[0]
	if len(results[i]) == 0 {
		return false
	}
	if _, pointer := types.Unalias(results[i][0]).(*types.Pointer); !pointer {
		return false
	}
	return types.Identical(results[i][0], results[receiver.Stmt][receiver.Result])
}

// manyStatements is the number of statements from which on single literals stay as they are. There are too
// many to try, and a large collection is in a case for its size.
const manyStatements = 400

// literals proposes simpler literals and fewer elements.
func (m *minimiser) literals(s *subject) [][]alternative {
	var out [][]alternative
	large := s.seq.Len() > manyStatements
	for i := s.seq.Len() - 1; i >= 0; i-- {
		st := s.seq.At(i)
		var alternatives []alternative
		switch st.Op.Kind {
		case testcase.OpLiteral:
			if large {
				continue
			}
			for _, op := range simpler(st.Op) {
				alternatives = append(alternatives, alternative{{at: i, st: testcase.Statement{Op: op}}})
			}
		case testcase.OpComposite, testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan:
			for _, f := range fewer(st) {
				alternatives = append(alternatives, alternative{{at: i, st: f}})
			}
		}
		if len(alternatives) > 0 {
			out = append(out, alternatives)
		}
	}
	if large {
		return out
	}
	return append(out, equalLiterals(s.seq)...)
}

// equalLiterals proposes to replace all equal literals by the same simpler one. This helps if literals must
// be equal, so that no literal can become simpler alone.
func equalLiterals(s *testcase.Sequence) [][]alternative {
	var out [][]alternative
	done := make([]bool, s.Len())
	for i := range s.Len() {
		op := s.At(i).Op
		if done[i] || op.Kind != testcase.OpLiteral || weight(op) <= 1 {
			continue
		}
		same := []int{i}
		for j := i + 1; j < s.Len(); j++ {
			if o := s.At(j).Op; o.Kind == testcase.OpLiteral && o.Lit == op.Lit {
				same = append(same, j)
				done[j] = true
			}
		}
		if len(same) < 2 {
			continue
		}
		var alternatives []alternative
		for _, o := range simpler(op) {
			var a alternative
			for _, j := range same {
				c := *s.At(j).Op
				c.Lit = o.Lit
				a = append(a, change{at: j, st: testcase.Statement{Op: &c}})
			}
			alternatives = append(alternatives, a)
		}
		out = append(out, alternatives)
	}
	return out
}

// cases makes cases smaller. If a statement is removed, the target must return exactly the same. If a literal
// becomes simpler, the case must behave alike and cover exactly the same blocks, so that facts about its path
// stay true. In both cases the blocks stay covered that no smaller case covers. The parameter mutants has,
// for each case, the mutants that it must still kill; nil means none.
func (m *minimiser) cases(cases []*testcase.Case, mutants [][]int) ([]*testcase.Case, error) {
	subjects := make([]*subject, len(cases))
	needed := owned(cases, m.cfg)
	var active []*subject
	for i, c := range cases {
		s := &subject{seq: c.Seq, out: c.Observed, few: -1, of: c}
		if mutants != nil {
			s.mutants = mutants[i]
		}
		was := behaviour(c.Seq, c.Observed)
		s.same = func(seq *testcase.Sequence, o *testcase.Outcome) bool {
			if o.Disliked > s.out.Disliked {
				return false // the value is simpler, but the user does not want to read it
			}
			if o.Unsteady(targetAt(seq, c.Target)) || o.Status != s.out.Status || behaviour(seq, o) != was || !o.Cover.Contains(needed[i]) {
				return false
			}
			if calls(seq) < calls(s.seq) {
				return sameAtTarget(c.Target, s.seq, s.out, seq, o)
			}
			return o.Cover.Contains(s.out.Cover) && s.out.Cover.Contains(o.Cover) && (targetAt(seq, c.Target) >= 0) == (targetAt(s.seq, c.Target) >= 0)
		}
		subjects[i] = s
		switch c.Observed.Status {
		case testcase.Returned, testcase.Panicked:
			if !c.Whole && !c.Unsteady() && c.Observed.Violated == "" {
				active = append(active, s)
			}
		}
	}
	err := m.minimise(active)
	out := make([]*testcase.Case, len(cases))
	for i, c := range cases {
		out[i] = c
		if subjects[i].seq != c.Seq {
			smaller := *c
			smaller.Seq, smaller.Observed, smaller.Predicted = subjects[i].seq, subjects[i].out, nil
			if m.cfg.Blocks != nil {
				smaller.Path = nil // the path is computed from the coverage again
			}
			out[i] = &smaller
		}
	}
	return out, err
}

// owned returns for each case the blocks that it must still cover: each block belongs to the smallest
// case that covers it. Blocks that other tests cover (Config.Covered) belong to no case. Blocks of a
// function with cases of its own belong only to one of these.
func owned(cases []*testcase.Case, cfg Config) []testcase.Cover {
	order := make([]int, len(cases))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return size(cases[a].Seq).compare(size(cases[b].Seq)) })
	tested := testedBlocks(cases, cfg.Blocks)
	var seen testcase.Cover
	out := make([]testcase.Cover, len(cases))
	for _, i := range order {
		for k, w := range cases[i].Observed.Cover {
			for ; w != 0; w &= w - 1 {
				b := k*64 + bits.TrailingZeros64(w)
				if !seen.Has(b) && !cfg.Covered.Has(b) && (!tested.Has(b) || cfg.Blocks[b].Func == cases[i].Target) {
					out[i].Set(b)
					seen.Set(b)
				}
			}
		}
	}
	return out
}

// calls returns how many statements of the sequence are calls or have other effects.
func calls(s *testcase.Sequence) int { return size(s).statements }

// sameAtTarget reports whether the last call of the target returned the same in two executions, as far as was
// observed. If the call returns nothing, its effects on its arguments must be the same. Otherwise the
// receiver may differ, because removed statements may have changed it.
func sameAtTarget(target string, s *testcase.Sequence, o *testcase.Outcome, t *testcase.Sequence, p *testcase.Outcome) bool {
	i, j := targetAt(s, target), targetAt(t, target)
	if i < 0 || j < 0 {
		i, j = s.Len()-1, t.Len()-1
	}
	var a, b []testcase.Value
	if i < len(o.Results) {
		a = o.Results[i]
	}
	if j < len(p.Results) {
		b = p.Results[j]
	}
	equal := testcase.Value.Equal
	if len(a) == 0 && len(b) == 0 {
		return slices.EqualFunc(o.Final, p.Final, equal)
	}
	return slices.EqualFunc(a, b, equal)
}

// targetAt returns the last statement that calls the function "Func" or "Type.Method", or -1 if none does.
func targetAt(s *testcase.Sequence, target string) int {
	for i := s.Len() - 1; i >= 0; i-- {
		if f := s.At(i).Op.Func; f != nil && testcase.TargetName(f) == target {
			return i
		}
	}
	return -1
}
