package reduce

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// This file makes sequences smaller by trying: it edits a sequence, runs the result, and keeps it if it still
// serves its purpose. Zeller and Hildebrandt call this delta debugging (TSE 2002).
//
// A subject is a sequence that is being made smaller. An edit removes or replaces some of its statements, and
// a candidate is the sequence that an edit leads to. A pass is a function that proposes edits of one kind, such
// as removals (edits.go). Each subject has a function that accepts a candidate or rejects it: for cases it is
// caseRule.accepts (caserule.go), for findings see findingSubject (findings.go).
//
// The passes come one after the other, each in rounds until no subject gets smaller (at most maxRounds), or the runs are used up.
// A round has three steps:
//
//  1. The pass proposes edits of each subject. The candidates of all subjects are run in a few batches, because
//     a batch costs little more than a single run.
//  2. Each accepted candidate has only one edit. Most edits do not disturb one another, so a further batch
//     has candidates with all the edits that were accepted for a subject, with two thirds of them, and so on.
//  3. The accepted candidate with the most edits becomes the subject's sequence. Of those with a single edit
//     it is the one that was proposed first.
//
// Runs of some findings are slow: if the code hangs, each run takes a whole time limit. Such a subject may use
// only a few runs. Instead of each edit alone, step 1 tries all its edits together, and each half of them. A case whose
// smaller versions hang or end their process again and again is treated so from then on: what it loses is a shorter sequence,
// and what it costs is the time of all other cases.

// subject is a sequence that is being made smaller.
type subject struct {
	seq *testcase.Sequence // the smallest accepted sequence so far
	out *testcase.Outcome  // the outcome of seq
	// accepts reports whether a smaller sequence, which had this outcome, may take the place of seq.
	accepts func(*testcase.Sequence, *testcase.Outcome) bool
	// runsLeft is how many runs the subject may still use, -1 for no bound. It is bounded for findings whose
	// runs are slow, and once mostEnded smaller sequences of a case have ended their process.
	runsLeft int
	ended    int // how many candidates have ended their process, which seq does not

	mustKill []int          // the mutants that smaller sequences must still kill, by their numbers
	origin   *testcase.Case // the case that seq comes from; wanted only if mustKill is not empty
}

// change removes or replaces one statement of a sequence.
type change struct {
	at   int                // the statement's number
	kind changeKind         // what happens to the statement
	by   testcase.Statement // what takes its place, if kind is replaced
}

type changeKind int

const (
	replaced changeKind = iota // another statement takes its place
	removed                    // it is left out, with all statements that use its results
	bypassed                   // the call is left out, and its receiver stands for its result: p.Min(1).Max(2) becomes p.Max(2)
)

// edit is a list of changes that are made together.
type edit []change

// candidate is the sequence that an edit of a subject leads to.
type candidate struct {
	subject *subject
	edit    edit
	seq     *testcase.Sequence
	out     *testcase.Outcome // the outcome of seq if the candidate is accepted, otherwise nil
}

func (c *candidate) accepted() bool { return c.out != nil }

// pass proposes edits of one kind, those that remove most first. Edits may exclude each other, as two simpler
// values for one literal do.
type pass func(s *subject) []edit

// minimiser makes subjects smaller.
type minimiser struct {
	ctx      context.Context
	runner   Runner
	cfg      Config
	runsLeft int // how many runs all subjects together may still use
	stats    *Stats
	// findings says that the subjects are failures to report, and not cases for regression tests. With
	// findings numbers also become the largest or smallest of their type, which makes a fault obvious.
	findings bool
}

// mostEnded is how many smaller sequences of a case may hang or end their process before it has only a few more runs.
const mostEnded = 3

// maxRounds bounds how often a pass is repeated. Each round can make a literal a little simpler, and some
// would take very many rounds.
const maxRounds = 12

// minimise makes the subjects as small as the passes can. Removals are tried a second time because a call may
// become superfluous when a literal is simpler.
func (m *minimiser) minimise(subjects []*subject) error {
	passes := []pass{m.clean, constants, removals, literals, removals}
	if m.findings {
		passes = append(passes, extremes, simplerBesideExtremes)
	}
	for _, p := range passes {
		shrinking := subjects
		for round := 0; round < maxRounds && len(shrinking) > 0 && m.runsLeft > 0; round++ {
			var err error
			if shrinking, err = m.round(shrinking, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// round applies a pass to the subjects once, and returns those that became smaller. If the runner fails,
// subjects still take the candidates that were accepted before.
func (m *minimiser) round(subjects []*subject, p pass) ([]*subject, error) {
	tried := make([][]*candidate, len(subjects)) // for each subject
	for i, s := range subjects {
		edits := p(s)
		if s.runsLeft >= 0 {
			// An impossible edit would make every edit that it is joined with impossible, too.
			impossible := func(e edit) bool { return apply(s.seq, e) == nil }
			edits = joined(slices.DeleteFunc(edits, impossible))
		}
		for _, e := range edits {
			tried[i] = s.addCandidate(tried[i], e)
		}
	}
	err := m.runTried(tried)

	combined := make([][]*candidate, len(subjects))
	if err == nil {
		for i, s := range subjects {
			combined[i] = s.combine(tried[i])
		}
		err = m.run(slices.Concat(combined...))
	}

	var smaller []*subject
	for i, s := range subjects {
		list := append(combined[i], tried[i]...)
		if k := slices.IndexFunc(list, (*candidate).accepted); k >= 0 {
			s.seq, s.out = list[k].seq, list[k].out
			smaller = append(smaller, s)
		}
	}
	return smaller, err
}

// runTried runs the candidates of each subject: a few of each first, then twice as many, and so on. Subjects of which these end their
// process again and again get no further runs.
func (m *minimiser) runTried(tried [][]*candidate) error {
	for from, n := 0, 2*mostEnded; ; from, n = from+n, 2*n {
		var next []*candidate
		for _, list := range tried {
			if from < len(list) && list[0].subject.ended < mostEnded {
				next = append(next, list[from:min(len(list), from+n)]...)
			}
		}
		if len(next) == 0 {
			return nil
		}
		if err := m.run(next); err != nil {
			return err
		}
	}
}

// addCandidate appends the candidate that an edit leads to. It appends nothing if the edit is impossible, or if
// the subject has used up its runs.
func (s *subject) addCandidate(list []*candidate, e edit) []*candidate {
	seq := apply(s.seq, e)
	if seq == nil || s.runsLeft == 0 {
		return list
	}
	if s.runsLeft > 0 {
		s.runsLeft--
	}
	return append(list, &candidate{subject: s, edit: e, seq: seq})
}

// combine returns candidates with several of the edits that were accepted alone, those with most edits first.
// Usually only a few edits disturb one another. So each candidate has two thirds of the edits of the one before
// it: if the first half of them fits together, little is lost. A subject with few runs gets no such candidates, because all
// its edits were tried together before.
func (s *subject) combine(tried []*candidate) []*candidate {
	if s.runsLeft >= 0 {
		return nil
	}
	var good []edit
	for _, c := range tried {
		if c.accepted() {
			good = append(good, c.edit)
		}
	}
	good = disjoint(good)
	var out []*candidate
	for n := len(good); n > 1; n = n * 2 / 3 {
		out = s.addCandidate(out, slices.Concat(good[:n]...))
	}
	return out
}

// joined returns all edits as one, then each half of them as one. Where several edits change one statement, only
// the first of them takes part. If fewer than two edits are left to join, joined returns the edits that it was given.
func joined(edits []edit) []edit {
	all := disjoint(edits)
	n := len(all)
	if n < 2 {
		return edits
	}
	return []edit{slices.Concat(all...), slices.Concat(all[:n/2]...), slices.Concat(all[n/2:]...)}
}

// disjoint returns edits that can be made together: of several that change one statement it keeps the first.
func disjoint(edits []edit) []edit {
	var out []edit
	changed := map[int]bool{}
	for _, e := range edits {
		if slices.ContainsFunc(e, func(c change) bool { return changed[c.at] }) {
			continue
		}
		for _, c := range e {
			changed[c.at] = true
		}
		out = append(out, e)
	}
	return out
}

// run runs the candidates, as far as the bound allows, and sets the outcomes of those that are accepted.
func (m *minimiser) run(candidates []*candidate) error {
	candidates = candidates[:min(len(candidates), max(m.runsLeft, 0))]
	if len(candidates) == 0 {
		return nil
	}
	seqs := make([]*testcase.Sequence, len(candidates))
	for i, c := range candidates {
		seqs[i] = c.seq
	}
	outs, err := m.runner.Run(m.ctx, seqs)
	m.runsLeft -= len(candidates)
	m.stats.Runs += len(candidates)
	for i, o := range outs[:min(len(outs), len(candidates))] {
		c := candidates[i]
		c.subject.note(o)
		// Nobody should use what a call returns along with an error, or nothing beside false, so no test does either.
		if o != nil && c.subject.accepts(c.seq, o) && !c.seq.UsesFailed(o) && (!c.seq.UsesNothing(o) || c.subject.seq.UsesNothing(c.subject.out)) {
			c.out = o
		}
	}
	if err == nil {
		err = m.ctx.Err()
	}
	if err == nil {
		return m.checkKills(candidates)
	}
	for _, c := range candidates {
		if len(c.subject.mustKill) > 0 {
			c.out = nil // it is not known whether the candidate still kills its mutants
		}
	}
	return err
}

// note counts a candidate that hung or ended its process, which takes as long as some thousands of other runs.
func (s *subject) note(o *testcase.Outcome) {
	ends := func(o *testcase.Outcome) bool {
		return o != nil && (o.Status == testcase.Hung || o.Status == testcase.Died)
	}
	if !ends(o) || ends(s.out) {
		return
	}
	if s.ended++; s.ended >= mostEnded && s.runsLeft < 0 {
		s.runsLeft = dyingRuns
	}
}

// checkKills rejects the accepted candidates that do not kill all mutants which they must kill.
func (m *minimiser) checkKills(candidates []*candidate) error {
	var asked []*candidate
	var cases []*testcase.Case
	for _, c := range candidates {
		if c.accepted() && len(c.subject.mustKill) > 0 {
			smaller := *c.subject.origin
			smaller.Seq, smaller.Observed, smaller.Predicted = c.seq, c.out, nil
			asked, cases = append(asked, c), append(cases, &smaller)
		}
	}
	if len(asked) == 0 {
		return nil
	}
	kills, err := m.cfg.Kills(m.ctx, cases)
	for i, c := range asked {
		survives := func(mutant int) bool { return !slices.Contains(kills[i], mutant) }
		if err != nil || slices.ContainsFunc(c.subject.mustKill, survives) {
			c.out = nil
		}
	}
	return err
}

// apply returns the sequence after an edit, without values that nothing uses any more. It returns nil if the
// edit is impossible, because the last statement needs a removed one.
func apply(s *testcase.Sequence, e edit) *testcase.Sequence {
	keep := make([]bool, s.Len())
	stmts := make([]testcase.Statement, s.Len())
	for i := range stmts {
		stmts[i], keep[i] = s.At(i), true
	}
	for _, c := range e {
		switch c.kind {
		case replaced:
			stmts[c.at] = c.by
		case removed:
			keep[c.at] = false
		case bypassed:
			keep[c.at] = false
			redirect(stmts, testcase.Ref{Stmt: c.at}, stmts[c.at].Args[0])
		}
	}
	// Statements that use a removed statement are removed, too.
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

// redirect makes all statements use the result to in place of the result from.
func redirect(stmts []testcase.Statement, from, to testcase.Ref) {
	for i := from.Stmt + 1; i < len(stmts); i++ {
		if !slices.Contains(stmts[i].Args, from) {
			continue
		}
		stmts[i].Args = slices.Clone(stmts[i].Args) // the sequence itself must not change
		for j, a := range stmts[i].Args {
			if a == from {
				stmts[i].Args[j] = to
			}
		}
	}
}
