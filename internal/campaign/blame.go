package campaign

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file finds out which call of a case breaks an object, by the inquiries of package finding. The first call after
// which an object says that it is broken is to blame. The calls after it show no behaviour worth testing, and the object
// was valid before it.

// maxQuestions bounds how often objects are asked. Cases beyond it stay as they are.
const maxQuestions = 20_000

// blame replaces each case in which a call breaks an object by a case that ends with the question to
// that object.
func (g *gen) blame(ctx context.Context, bench *workbench, explored []engine.Explored) error {
	valid := finding.PredicatesOf(g.Pkg)
	if bench == nil {
		return nil
	}
	if err := g.zeroValuesByDirective(ctx, bench, valid); err != nil || len(valid) == 0 {
		return err
	}
	if err := g.zeroValues(ctx, bench, valid); err != nil {
		return err
	}
	var seqs []*testcase.Sequence
	number := make(map[string]int) // the number of each sequence in seqs, by its text
	asked := make(map[*testcase.Case][]finding.Inquiry)
	for i := range explored {
		x := &explored[i]
		// No call is to blame for what comes beside an error.
		x.Cases = slices.DeleteFunc(x.Cases, func(c *testcase.Case) bool {
			return c.Observed != nil && (c.Observed.Violated != "" || finding.AsksInvariant(c.Seq)) && valid.GoesOnWithFailed(c.Seq, c.Observed)
		})
		for _, c := range x.Cases {
			if c.Observed == nil || len(seqs) > maxQuestions || valid.GoesOnWithFailed(c.Seq, c.Observed) {
				continue
			}
			qs := valid.Questions(g.Pkg, c.Seq, c.Observed)
			asked[c] = qs
			for _, q := range qs {
				key := q.Seq.Dump()
				if _, ok := number[key]; !ok {
					number[key] = len(seqs)
					seqs = append(seqs, q.Seq)
				}
			}
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	outcomes, err := g.answers(ctx, bench, seqs)
	if err != nil {
		return err
	}
	var said []answer
	of := make(map[*testcase.Case][]int) // the numbers of a case's answers
	for _, x := range explored {
		for _, c := range x.Cases {
			for _, q := range asked[c] {
				o := outcomes[number[q.Seq.Dump()]]
				g.doubtIfChanged(q, o)
				if o == nil || !finding.SaysBroken(q.Seq, o) {
					continue
				}
				if known := of[c]; len(known) > 0 && said[known[0]].At != q.At {
					break
				}
				of[c], said = append(of[c], len(said)), append(said, answer{q, o})
			}
		}
	}
	if err := g.first(ctx, bench, said); err != nil {
		return err
	}
	for i := range explored {
		x := &explored[i]
		for k, c := range x.Cases {
			if numbers := of[c]; len(numbers) > 0 {
				x.Cases[k] = blamed(g.Rules, c, earliest(said, numbers))
			}
		}
		x.Cases = slices.DeleteFunc(x.Cases, func(c *testcase.Case) bool { return c == nil })
	}
	return nil
}

// answer is a question to which an object has said that it is broken.
type answer struct {
	finding.Inquiry
	outcome *testcase.Outcome
}

// earliest returns the answer, of those with some numbers, after the first call. One object may be asked in two ways, as a
// value of the test and as a part of another object that it was passed to; only the first was there before that call.
func earliest(said []answer, numbers []int) answer {
	n := slices.MinFunc(numbers, func(a, b int) int { return said[a].At - said[b].At })
	return said[n]
}

// first replaces each answer by the answer of the same object after the first call at which it says that it is broken.
func (g *gen) first(ctx context.Context, bench *workbench, said []answer) error {
	var earlier []finding.Inquiry
	var of []int
	var seqs []*testcase.Sequence
	for i, a := range said {
		for _, q := range a.Before(g.Pkg) {
			if len(seqs) < maxQuestions {
				earlier, of, seqs = append(earlier, q), append(of, i), append(seqs, q.Seq)
			}
		}
	}
	outcomes, err := g.answers(ctx, bench, seqs)
	if err != nil {
		return err
	}
	for k, o := range outcomes {
		if q := earlier[k]; o != nil && q.At < said[of[k]].At && finding.SaysBroken(q.Seq, o) {
			said[of[k]] = answer{q, o}
		}
	}
	return nil
}

// withoutBroken leaves out the tests in which a call breaks an object, and returns the findings that these are. The
// engines' cases with such calls have become findings, but a test may have got other values since, and would pin what
// the broken object does. A test of the predicate itself shows what it says of an invalid object that is made by hand; if
// a call has broken the object, the predicate will say something else when the call is mended.
func (g *gen) withoutBroken(ctx context.Context, bench *workbench, tests []*testcase.Case) ([]*testcase.Case, []*testcase.Finding, error) {
	valid := finding.PredicatesOf(g.Pkg)
	if len(valid) == 0 || bench == nil {
		return tests, nil, nil
	}
	var asked []finding.Inquiry
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range tests {
		if c.Seq.At(c.TargetStmt()).Op.Func == nil || valid.GoesOnWithFailed(c.Seq, c.Observed) {
			continue
		}
		for _, q := range valid.Questions(g.Pkg, c.Seq, c.Observed) {
			asked, seqs, of = append(asked, q), append(seqs, q.Seq), append(of, c)
		}
	}
	outcomes, err := g.answers(ctx, bench, seqs)
	if err != nil {
		return tests, nil, err
	}
	broken := make(map[*testcase.Case][]int) // the numbers of a test's answers
	given := make(map[*testcase.Case]bool)   // an input is not valid, for which no call is to blame
	var said []answer
	for i, o := range outcomes {
		c := of[i]
		known := broken[c]
		if o == nil || given[c] || !finding.SaysBroken(seqs[i], o) || len(known) > 0 && said[known[0]].At != asked[i].At {
			continue
		}
		if at := asked[i].At; at < 0 || !finding.CallsOf(g.Pkg, seqs[i].At(at).Op) {
			given[c] = true
			continue
		}
		broken[c], said = append(known, len(said)), append(said, answer{asked[i], o})
	}
	if err := g.first(ctx, bench, said); err != nil {
		return tests, nil, err
	}
	var found []*testcase.Finding
	for _, test := range tests {
		if len(broken[test]) == 0 {
			continue
		}
		if c := blamed(g.Rules, test, earliest(said, broken[test])); c != nil {
			if _, f := bench.Judge.Case(c); f != nil && g.InScope(f.Func) {
				found = append(found, f)
			}
		}
	}
	for _, f := range found {
		f.Case = finding.EndingAtBreak(g.Pkg, f.Case)
	}
	found, _ = g.splitMisuse(g.Unknown(finding.Merge(g.Rules, found)))
	return slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return len(broken[c]) > 0 }), found, nil
}

// maxUnanswered is how many questions of one predicate may go on until they are ended.
const maxUnanswered = 2

// answers runs questions, a few at first. A predicate that does not return on some of these is asked no
// further questions, because waiting for all of them would take too long. Other predicates are asked all
// their questions.
func (g *gen) answers(ctx context.Context, bench *workbench, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	out := make([]*testcase.Outcome, len(seqs))
	unanswered := make(map[*types.Func]int)
	for from, n := 0, 4; from < len(seqs); n *= 8 {
		to := min(len(seqs), from+n)
		var at []int
		var part []*testcase.Sequence
		for i := from; i < to; i++ {
			if unanswered[seqs[i].Last().Op.Func] <= maxUnanswered {
				at, part = append(at, i), append(part, seqs[i])
			}
		}
		from = to
		more, err := bench.Runner(false).RunUnmarked(ctx, part)
		if err != nil {
			return nil, err
		}
		for k, o := range more {
			predicate := part[k].Last().Op.Func
			if o.Exhausted() || o != nil && o.Status == testcase.Deadlock {
				if unanswered[predicate]++; unanswered[predicate] == maxUnanswered+1 {
					g.silent(predicate)
				}
				continue
			}
			out[at[k]] = o
			switch {
			case g.doubtful[predicate]:
			case changesAsked(part[k], o):
				g.doubt(predicate, changesIt)
			case refuses(part[k], o):
				g.doubt(predicate, " panics itself instead of saying no: it says nothing of the objects on which it panics")
			}
		}
	}
	return out, nil
}

// changesAsked reports whether the question at the end of a sequence has changed the object that it is about, as far as
// the object was observed right before.
func changesAsked(s *testcase.Sequence, o *testcase.Outcome) bool {
	a := s.Last().Args[0]
	if o == nil || o.Status != testcase.Returned || a.Stmt != s.Len()-2 || len(o.Final) == 0 || a.Stmt >= len(o.Results) || a.Result >= len(o.Results[a.Stmt]) {
		return false
	}
	before := o.Results[a.Stmt][a.Result]
	return before.Kind == testcase.Pointer && !before.Equal(o.Final[0])
}

// doubtIfChanged reports a predicate that has changed the object which it was asked about since the call before.
func (g *gen) doubtIfChanged(q finding.Inquiry, o *testcase.Outcome) {
	predicate := q.Seq.Last().Op.Func
	if o == nil || o.Status != testcase.Returned || len(o.Final) == 0 || q.Seen.Kind != testcase.Pointer || g.doubtful[predicate] {
		return
	}
	if !q.Seen.Equal(o.Final[0]) {
		g.doubt(predicate, changesIt)
	}
}

// changesIt is what is said of a predicate that changes what it is asked about.
const changesIt = " changes the object that it is asked about: what it says may depend on how often it was asked"

// refuses reports whether the question at the end of a sequence ended by a panic that the predicate's own code asks for.
// Other panics of a predicate are findings.
func refuses(s *testcase.Sequence, o *testcase.Outcome) bool {
	return o != nil && o.Status == testcase.Panicked && o.At == s.Len()-1 && o.Panic != nil && !o.Panic.Runtime
}

// doubt reports, once for each predicate, why not all of its answers are to be believed.
func (g *gen) doubt(predicate *types.Func, why string) {
	if g.doubtful == nil {
		g.doubtful = make(map[*types.Func]bool)
	}
	g.doubtful[predicate] = true
	g.Events.Send(event.Diagnostic{
		Pos:     g.Prog.Fset.Position(predicate.Pos()),
		Message: testcase.TargetName(predicate) + why, Warning: true,
	})
}

// silent reports that a predicate does not always return, and where it is declared.
func (g *gen) silent(predicate *types.Func) {
	name := testcase.TargetName(predicate)
	g.Events.Send(event.Diagnostic{
		Pos:     g.Prog.Fset.Position(predicate.Pos()),
		Message: name + " does not always return: it is not asked any more whether a call breaks an object", Warning: true,
	})
}

// blamed returns the case that ends with the question after which an object is known to be broken. The case
// stays as it was if no call of the package had a part in the object before. The input itself was invalid
// then, and no call is to blame for what the invariant says later.
func blamed(rules *usage.Rules, c *testcase.Case, a answer) *testcase.Case {
	seq, o, at := a.Seq, a.outcome, a.At
	if at < 0 || !finding.CallsOf(rules.Pkg, seq.At(at).Op) {
		if finding.AsksInvariant(c.Seq) && (c.Seq.Last().Op.Kind == testcase.OpCheck || c.Observed.Violated != "") {
			return nil
		}
		return c
	}
	op := seq.At(at).Op
	d := *c
	d.Seq, d.Observed, d.Path, d.Predicted, d.Checked, d.Fields = seq, o, nil, nil, nil, nil
	d.Target = testcase.TargetName(op.Func)
	finding.MarkBroken(rules, []*testcase.Sequence{seq}, []*testcase.Outcome{o})
	return &d
}

// zeroValues notes the types without a constructor whose zero value is not valid. No call is to blame
// for such a value, and no method can be expected to work on it.
func (g *gen) zeroValues(ctx context.Context, bench *workbench, valid finding.Predicates) error {
	for _, t := range g.Pkg.Targets {
		if t.Recv == nil {
			continue
		}
		named := load.NamedOf(t.Recv)
		if named == nil || valid[named.Obj()] != t || !named.Obj().Exported() || finding.HasConstructor(g.Pkg, named) {
			continue
		}
		var b testcase.Builder
		v := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: named})
		if _, pointer := types.Unalias(t.Recv).(*types.Pointer); pointer {
			v = b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t.Recv}, v)
		}
		b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}, v)
		seq := b.Sequence()
		outcomes, err := bench.Runner(false).RunUnmarked(ctx, []*testcase.Sequence{seq})
		if err != nil {
			return err
		}
		if outcomes[0] != nil && finding.SaysBroken(seq, outcomes[0]) {
			g.invalidZero(named, t.Obj.Name())
		}
	}
	return nil
}

// invalidZero says that the zero value of a type is not valid.
func (g *gen) invalidZero(named *types.Named, by string) {
	g.Events.Send(event.Diagnostic{
		Pos:     g.Prog.Fset.Position(named.Obj().Pos()),
		Message: fmt.Sprintf("the zero value of %s is not valid: %s says so, and no function makes one that is", named.Obj().Name(), by), Warning: true,
	})
}

// zeroValuesByDirective does the same as zeroValues for invariants that directives state. Such an invariant is no method that
// could be asked: it is assumed of the receiver of each exported method. If no method without parameters takes the zero value,
// the value is not valid.
func (g *gen) zeroValuesByDirective(ctx context.Context, bench *workbench, valid finding.Predicates) error {
	if g.Pkg.Contracts == nil {
		return nil
	}
	taken := make(map[*types.Named]bool) // whether some method takes the zero value, for each type that was tried
	var tried []*types.Named
	for _, t := range g.Pkg.Targets {
		if t.Recv == nil || !t.Obj.Exported() || len(t.TypeArgs) > 0 || t.Obj.Signature().Params().Len() > 0 {
			continue
		}
		named := load.NamedOf(t.Recv)
		if named == nil || taken[named] || valid[named.Obj()] != nil || !named.Obj().Exported() || g.Pkg.Contracts.Type(named.Obj().Name()) == nil ||
			finding.HasConstructor(g.Pkg, named) || requires(g.Pkg, t) {
			continue
		}
		var b testcase.Builder
		v := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: named})
		if _, pointer := types.Unalias(t.Recv).(*types.Pointer); pointer {
			v = b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t.Recv}, v)
		}
		b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj}, v)
		outcomes, err := bench.Runner(false).RunUnmarked(ctx, []*testcase.Sequence{b.Sequence()})
		if err != nil {
			return err
		}
		if _, ok := taken[named]; !ok {
			tried = append(tried, named)
		}
		taken[named] = outcomes[0] == nil || outcomes[0].Status != testcase.Discarded
	}
	for _, named := range tried {
		if !taken[named] {
			g.invalidZero(named, "//assay:invariant")
		}
	}
	return nil
}

// requires reports whether a method asks for more than its type's invariant.
func requires(pkg *load.Package, t *load.Target) bool {
	d := pkg.Func(t.Obj)
	if d == nil {
		return true
	}
	f := pkg.Contracts.Func(d)
	return f != nil && slices.ContainsFunc(f.Clauses, func(c contract.Clause) bool { return c.Kind == contract.Requires })
}

// The most findings of one cause, and calls of one case, that are looked at to know which call has left a lock held.
const (
	mostLeft   = 8
	mostBefore = 12
)

// noteLeftLocks notes, in findings whose call waits for a lock, which call before has left it held: the call without which, and without all
// that come behind it, the last one does not wait. Who mends that call mends them all, and the function that waits may be right.
// Findings of one cause that are not looked at are taken for the same as the others, if these agree.
func noteLeftLocks(ctx context.Context, bench *workbench, findings []*testcase.Finding) error {
	if bench == nil {
		return nil
	}
	pkg := bench.Judge.Rules.Pkg
	of := make(map[string][]*testcase.Finding) // by cause
	var causes []string
	var seqs []*testcase.Sequence
	var before [][]int // for each finding that is looked at, the calls that may have left the lock
	var asked []*testcase.Finding
	waited := 0
	for _, f := range findings {
		if !finding.WaitsForLock(pkg, f) {
			continue
		}
		if of[f.Cause] == nil {
			causes = append(causes, f.Cause)
		}
		of[f.Cause] = append(of[f.Cause], f)
		calls := callsBeside(pkg, f.Case.Seq)
		if len(of[f.Cause]) > mostLeft || len(calls) > mostBefore {
			continue
		}
		if f.Case.Observed.Exhausted() {
			if waited++; waited > mostWaited {
				continue
			}
		}
		asked, before = append(asked, f), append(before, calls)
		for _, at := range calls {
			seqs = append(seqs, withoutDeadFrom(f.Case.Seq, at))
		}
	}
	if len(asked) == 0 {
		return nil
	}
	outcomes, err := bench.Runner(false).RunUnmarked(ctx, seqs)
	looked := make(map[*testcase.Finding]bool)
	for i, f := range asked {
		at, known := 0, true
		for k := range before[i] {
			known = known && k < len(outcomes) && outcomes[k] != nil && outcomes[k].Status != testcase.NotRun
			if known && !failsAlike(f.Case.Observed, outcomes[k]) {
				at = k + 1
			}
		}
		outcomes = outcomes[min(len(before[i]), len(outcomes)):]
		if looked[f] = known; known && at > 0 {
			f.FaultOf = testcase.TargetName(f.Case.Seq.At(before[i][at-1]).Op.Func)
		}
	}
	for _, cause := range causes {
		same := of[cause]
		by := same[0].FaultOf
		if !looked[same[0]] || slices.ContainsFunc(same, func(f *testcase.Finding) bool { return looked[f] && f.FaultOf != by }) {
			continue
		}
		for _, f := range same {
			f.FaultOf = by
		}
	}
	return err
}

// callsBeside returns the calls of the package in a sequence that the last one does not need.
func callsBeside(pkg *load.Package, s *testcase.Sequence) []int {
	var out []int
	for i, dead := range reduce.Dead(s) {
		if dead && finding.CallsOf(pkg, s.At(i).Op) {
			out = append(out, i)
		}
	}
	return out
}

// withoutDeadFrom returns a sequence without those of its statements, from one on, that its last one does not need.
func withoutDeadFrom(s *testcase.Sequence, from int) *testcase.Sequence {
	keep := reduce.Dead(s)
	for i := range keep {
		keep[i] = i < from || !keep[i]
	}
	if out, ok := s.Keep(keep); ok {
		return out
	}
	return s
}
