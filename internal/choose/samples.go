package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// sampleTexts are texts as people write them into tests: words, lists, lines, numbers, dates, paths and
// the like. Solvers, mutation and reduction make texts as short as possible, but a function that
// splits, wraps or matches text does most of its work on several words.
var sampleTexts = [...]string{
	"hello world", "one two three", "The quick brown fox", "hello", "a,b,c", "key=value", "foo\nbar\nbaz", "Hello, 世界",
	"helloWorld", "HTTPServer", "user_id", "first-name", "3.14", "-12", "42", "2024-01-02", "user@example.com", "http://example.com/path?q=1", "a/b/c.txt", "[1, 2, 3]", `{"name": "ann"}`, "true",
}

// Bounds of the cases that are made of sample texts.
const (
	mostSampled = 40 // functions
	mostSamples = 12 // cases of one function that are kept
	mostSeeds   = 2  // accepted texts that are changed
	mostChanged = 20 // cases of one function with a changed text that are kept, beside the samples

	mostExemplary = 3 // calls in the documentation whose constants a case gets
	sampleShare   = 8 // the part of the time left that a set of samples may run: an eighth
)

// samples returns calls of exported functions with values as people write them in place of those of the
// shortest tests: one call for each way through a function and each outcome. Where a function accepts a text
// of several parts, it is called with that text changed in one place, too.
func (ch *chooser) samples(ctx context.Context) (standard, error) {
	s := &sampling{ch: ch, known: make(map[string]bool), seen: make(map[string]bool), kept: make(map[string]int)}
	s.out.state = make(map[*testcase.Case]container.State)
	for _, c := range ch.Tests {
		s.known[c.Seq.String()] = true
	}
	var bases, cases []*testcase.Case
	sampled := make(map[string]int)
	for _, c := range slices.Concat(ch.Tests, ch.withoutTest()) {
		if c.Whole || c.Observed.Status != testcase.Returned || !ch.given.Exported[c.Target] || sampled[c.Target] == 2 || len(sampled) == mostSampled {
			continue
		}
		made := s.unknown(c, ch.sampled(c))
		if len(made) > 0 {
			sampled[c.Target]++
			bases, cases = append(bases, c), append(cases, made...)
		}
	}
	fit, err := s.run(ctx, cases, mostSamples)
	if err != nil {
		return s.out, fmt.Errorf("running sample texts: %w", err)
	}
	seeds := ch.accepted(slices.Concat(ch.Tests, fit))
	var changed []*testcase.Case
	for _, c := range bases {
		for _, text := range seeds {
			changed = append(changed, s.unknown(c, ch.changed(c, text))...)
		}
	}
	if _, err := s.run(ctx, changed, mostSamples+mostChanged); err != nil {
		return s.out, fmt.Errorf("running changed texts: %w", err)
	}
	return s.out, nil
}

// sampling are the samples of a package as far as they are chosen.
type sampling struct {
	ch    *chooser
	out   standard
	known map[string]bool // calls that there are already, as text
	seen  map[string]bool // ways and outcomes
	kept  map[string]int  // cases, by function
}

// unknown returns cases like c with these sequences, but for calls that there are already and those that are
// disputed.
func (s *sampling) unknown(c *testcase.Case, seqs []*testcase.Sequence) []*testcase.Case {
	var out []*testcase.Case
	for _, seq := range seqs {
		text := seq.String()
		if s.known[text] || s.ch.given.Disputed[text] {
			continue
		}
		s.known[text] = true
		d := *c
		d.Seq, d.Predicted, d.Path, d.Observed = seq, nil, nil, nil
		for _, way := range []plain.Way{plain.Separators, plain.Answers} { // nothing was chosen for its value here
			if other, ok := way(s.ch.Pkg, &d); ok {
				d.Seq = other
			}
		}
		out = append(out, &d)
	}
	return out
}

// run runs cases, keeps at most so many of one function, and returns those that may be tests. Calls that wait
// would take all of the time that is left for choosing, so there is a share of it.
func (s *sampling) run(ctx context.Context, cases []*testcase.Case, most int) ([]*testcase.Case, error) {
	var seqs []*testcase.Sequence
	for _, c := range cases {
		seqs = append(seqs, c.Seq)
	}
	limited, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/sampleShare)
	defer cancel()
	outcomes, err := s.ch.bench.Proposals(true).Run(limited, seqs)
	if limited.Err() != nil && ctx.Err() == nil {
		s.ch.MarkPartial()
		err = nil
	}
	if err := s.ch.UnlessCut(err); err != nil {
		return nil, err
	}
	fit := s.ch.fit(cases, outcomes)
	ways := s.ch.ways(fit)
	for _, c := range fit {
		key := fmt.Sprint(c.Target, outcomeClass(c), ways[c])
		if !s.seen[key] && s.kept[c.Target] < most {
			s.seen[key] = true
			s.kept[c.Target]++
			s.out.state[c] = container.Many
			s.out.cases = append(s.out.cases, c)
		}
	}
	return fit, nil
}

// accepted returns texts of several parts with which calls that can fail did not, those of the documentation
// first.
func (ch *chooser) accepted(cases []*testcase.Case) []string {
	var documented, others []string
	for _, c := range cases {
		if !ch.given.Exported[c.Target] || !isSuccess(c) {
			continue
		}
		for _, a := range c.Seq.At(c.TargetStmt()).Args {
			text, ok := plain.TextOf(ch.Pkg, c.Seq, a.Stmt)
			if !ok || !plain.HasStructure(text) || slices.Contains(documented, text) || slices.Contains(others, text) {
				continue
			}
			if plain.IsSpelledOut(ch.Pkg, text) {
				documented = append(documented, text)
			} else {
				others = append(others, text)
			}
		}
	}
	all := append(documented, others...)
	return all[:min(len(all), mostSeeds)]
}

// changed returns the sequences of a case of a function that can fail with a text, and with its variants, in
// place of the only text that its call takes.
func (ch *chooser) changed(c *testcase.Case, text string) []*testcase.Sequence {
	at, found := -1, 0
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		if _, ok := plain.TextOf(ch.Pkg, c.Seq, a.Stmt); ok {
			at = a.Stmt
			found++
		}
	}
	results := c.Seq.ResultTypes()[c.TargetStmt()]
	if found != 1 || len(results) == 0 || !gofile.IsError(results[len(results)-1]) {
		return nil
	}
	var out []*testcase.Sequence
	for _, t := range append([]string{text}, plain.Variants(text, plain.Signs(ch.Pkg))...) {
		if seq, ok := plain.WithText(c.Seq, at, t); ok {
			out = append(out, seq)
		}
	}
	return out
}

// withoutTest returns a case that ran for each exported function that has no test, the shortest. The tests
// of other functions may cover what it covers, but do not show what it returns; tests by hand are for
// their author to choose.
func (ch *chooser) withoutTest() []*testcase.Case {
	has := make(map[string]bool)
	for _, c := range ch.Tests {
		has[c.Target] = true
	}
	shortest := make(map[string]*testcase.Case)
	var order []string
	for _, c := range ch.given.Ran {
		byHand := ch.given.Existing != nil && c.Observed != nil && covers(ch.given.Existing, c.Observed.Cover)
		if has[c.Target] || byHand || !ch.given.Exported[c.Target] || c.Observed == nil || c.Observed.Status != testcase.Returned {
			continue
		}
		s, ok := shortest[c.Target]
		if !ok {
			order = append(order, c.Target)
		}
		if !ok || c.Seq.Len() < s.Seq.Len() {
			shortest[c.Target] = c
		}
	}
	var out []*testcase.Case
	for _, target := range order {
		out = append(out, shortest[target])
	}
	return out
}

// fit returns the cases that returned and whose observed outcomes make them fit to be tests.
func (ch *chooser) fit(cases []*testcase.Case, outcomes []*testcase.Outcome) []*testcase.Case {
	return slices.DeleteFunc(ch.fitOrRefused(cases, outcomes), func(c *testcase.Case) bool { return c.Observed.Status != testcase.Returned })
}

// fitOrRefused is fit together with the cases whose call was refused by an explicit panic, where the
// refusal is no defect.
func (ch *chooser) fitOrRefused(cases []*testcase.Case, outcomes []*testcase.Outcome) []*testcase.Case {
	var out []*testcase.Case
	for i, c := range cases {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Unstable || !ch.InScope(c.Target) {
			continue
		}
		refused := outcomes[i].Status == testcase.Panicked && outcomes[i].Panic != nil && outcomes[i].Panic.Kind == "explicit" && outcomes[i].At == c.TargetStmt()
		if outcomes[i].Status != testcase.Returned && !refused {
			continue
		}
		c.Observed = outcomes[i]
		if unfit, found := ch.bench.Judge.Case(c); unfit == "" && (found == nil || refused && found.Severity == testcase.Misuse) {
			out = append(out, c)
		}
	}
	return out
}

// sampled returns the sequences of a case with the constants of calls in the documentation, with values that
// are typical, with the numbers that its parameters' names ask for, and those with one text that its call
// takes written as a person would, and small numbers beside it also as 5.
func (ch *chooser) sampled(c *testcase.Case) []*testcase.Sequence {
	out := ch.exemplary(c)
	if seq, ok := plain.Numbered(ch.Pkg, c); ok {
		d := *c
		d.Seq = seq
		if named, ok := plain.Distinct(ch.Pkg, &d); ok {
			seq = named
		}
		out = append(out, seq)
	}
	args := c.Seq.At(c.TargetStmt()).Args
	for _, a := range args {
		if !ch.isText(c.Seq.At(a.Stmt).Op) {
			continue
		}
		for _, text := range ch.textsFor(c, a) {
			stmts := slices.Clone(c.Seq.AppendTo(nil))
			op := stmts[a.Stmt].Op
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}}
			out = append(out, testcase.NewSequence(slices.Clone(stmts)...))
			if ch.fives(stmts, args) {
				out = append(out, testcase.NewSequence(stmts...))
			}
		}
	}
	return out
}

// exemplary returns the sequences of a case with the constants of calls in the documentation, and with
// typical values: those in all of its calls, and in its own call the constants.
func (ch *chooser) exemplary(c *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	try := func(way plain.Way, c *testcase.Case) *testcase.Case {
		seq, ok := way(ch.Pkg, c)
		if !ok {
			return nil
		}
		out = append(out, seq)
		d := *c
		d.Seq = seq
		return &d
	}
	var ways []plain.Way
	for n := range mostExemplary {
		ways = append(ways, plain.Documented(n), plain.Borrowed(n))
	}
	for n := range plain.MostTypical {
		typical := try(plain.Typical(n), c)
		if typical == nil {
			continue
		}
		for _, way := range ways[:2] { // other arguments of the call stay typical
			try(way, typical)
		}
		if n == 0 {
			out = append(out, plain.Edges(ch.Pkg, typical)...)
		}
	}
	for _, way := range ways {
		try(way, c)
	}
	return out
}

// textsFor returns the sample texts for an argument: where its name says what texts it takes, those, and one
// that it does not take.
func (ch *chooser) textsFor(c *testcase.Case, arg testcase.Ref) []string {
	st := c.Seq.At(c.TargetStmt())
	params := st.Op.Signature().Params()
	k := slices.Index(st.Args, arg)
	if st.Op.Kind == testcase.OpMethod {
		k--
	}
	if k = min(k, params.Len()-1); k < 0 {
		return sampleTexts[:]
	}
	if texts := plain.TextsFor(ch.Pkg, params.At(k).Name()); len(texts) > 0 && !plain.TakesAnyText(params.At(k).Name()) {
		return append(slices.Clone(texts), sampleTexts[0])
	}
	return sampleTexts[:]
}

// isText reports whether an operation makes a text that nothing else gives a meaning.
func (ch *chooser) isText(op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 && !plain.IsEnumeration(ch.Pkg, op.Type)
}

// fives writes the integers among the arguments as 5, and reports whether there are any.
func (ch *chooser) fives(stmts []testcase.Statement, args []testcase.Ref) bool {
	found := false
	for _, a := range args {
		op := stmts[a.Stmt].Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil || plain.IsEnumeration(ch.Pkg, op.Type) {
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		if !ok || b.Info()&types.IsInteger == 0 {
			continue
		}
		if lit, ok := testcase.IntLiteral(b, 5); ok {
			stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
			found = true
		}
	}
	return found
}

// join returns the union of two sets of calls.
func (s standard) join(o standard) standard {
	out := standard{cases: slices.Concat(s.cases, o.cases), state: make(map[*testcase.Case]container.State)}
	for _, part := range []standard{s, o} {
		for c, state := range part.state {
			out.state[c] = state
		}
	}
	return out
}
