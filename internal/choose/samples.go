package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/choose/boundary"
	"github.com/goassay/assay/internal/choose/crossed"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
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
	mostSampled   = 150 // functions
	mostSamples   = 16  // cases of one function that are kept
	fewestSamples = 6   // where many functions have them
	allSamples    = 160 // cases of all functions, about
	mostSeeds     = 2   // accepted texts that are changed
	mostChanged   = 20  // further cases of one function that are kept, each with a text changed in one place
	longestSeed   = 100 // bytes of a text that is changed; in a longer one a reader would not find the place

	mostCrossed = 24  // further cases of one function with one argument of the documentation
	mostMade    = 150 // that are tried
	mostOnDisk  = 16  // calls of one function that are tried with files of the test's own

	mostExemplary = 3 // calls in the documentation whose constants a case gets
	sampleShare   = 8 // the part of the time left that a set of samples may run: an eighth
)

// samples returns calls of exported functions with values as people write them in place of those of the
// shortest tests: one call for each way through a function and each outcome. Where a function accepts a text
// of several parts, it is called with that text changed in one place, too.
func (ch *chooser) samples(ctx context.Context) (standard, error) {
	s := &sampling{ch: ch, known: make(map[string]bool), seen: make(map[string]bool), kept: make(map[string]int), usual: make(map[string]int), reads: make(map[string]bool)}
	s.out.state = make(map[*testcase.Case]container.State)
	for _, c := range ch.Tests {
		s.known[c.Seq.Key()] = true
	}
	var bases, cases []*testcase.Case
	sampled := make(map[string]int)
	for _, c := range slices.Concat(ch.Tests, ch.withoutTest()) {
		if c.Whole || c.Observed.Status != testcase.Returned || !ch.given.Exported[c.Target] || sampled[c.Target] == 2 || len(sampled) == mostSampled {
			continue
		}
		made := s.unknown(c, ch.sampled(ch.calm(ch.parts.WithoutNil(c))))
		if len(made) > 0 {
			sampled[c.Target]++
			bases, cases = append(bases, c), append(cases, made...)
		}
	}
	s.most = min(mostSamples, max(fewestSamples, allSamples/max(1, len(sampled))))
	fit, err := s.printersFirst(ctx, bases, cases)
	if err != nil {
		return s.out, fmt.Errorf("running sample texts: %w", err)
	}
	onDisk, err := s.run(ctx, s.onDisk(slices.Concat(ch.Tests, fit)), s.most+mostCrossed)
	if err != nil {
		return s.out, fmt.Errorf("running calls with files of the tests' own: %w", err)
	}
	fit = slices.Concat(fit, onDisk)
	if _, err := s.run(ctx, s.failing(slices.Concat(ch.Tests, fit)), s.most+mostCrossed); err != nil {
		return s.out, fmt.Errorf("running calls whose dependencies fail: %w", err)
	}
	if err := s.constants(ctx, slices.Concat(ch.Tests, fit)); err != nil {
		return s.out, fmt.Errorf("running calls with each constant: %w", err)
	}
	if err := s.optional(ctx, slices.Concat(ch.Tests, fit, ch.given.Ran)); err != nil {
		return s.out, fmt.Errorf("running calls with each option: %w", err)
	}
	for _, step := range []struct {
		what  string
		cases func() []*testcase.Case
	}{
		{"calls with two arguments swapped", func() []*testcase.Case { return s.swapped(slices.Concat(ch.Tests, fit)) }},
		{"comparisons of texts that are accepted", func() []*testcase.Case { return s.paired(slices.Concat(ch.Tests, fit, ch.given.Ran)) }},
		{"calls with documented arguments", s.crossed},
		{"objects made of texts that are shown", s.shown},
		{"collections with elements in common", s.overlapping},
		{"texts that name a key of a map", s.placeholders},
		{"records with a word for each field", s.records},
		{"arguments that are equal to fields of their names", s.matching},
		{"documents that are read", s.read},
		{"requests that fit routes", s.routed},
		{"documents that are decoded", func() []*testcase.Case { return s.decoding(slices.Concat(ch.Tests, fit, ch.given.Ran)) }},
		{"calls whose requests are answered otherwise", func() []*testcase.Case { return s.answered(slices.Concat(ch.Tests, fit, ch.given.Ran)) }},
		{"functions that calls return", func() []*testcase.Case { return s.applied(slices.Concat(fit, ch.Tests)) }},
	} {
		if _, err := s.run(ctx, step.cases(), s.most+mostCrossed); err != nil {
			return s.out, fmt.Errorf("running %s: %w", step.what, err)
		}
	}
	if err := s.goThrough(ctx, slices.Concat(ch.Tests, ch.given.Ran)); err != nil {
		return s.out, fmt.Errorf("going through cursors: %w", err)
	}
	seeds := ch.accepted(slices.Concat(ch.Tests, fit))
	own := ch.usual(slices.Concat(ch.Tests, fit))
	var changed []*testcase.Case
	for _, c := range bases {
		texts := own[c.Target]
		if outcome.CanFail(c) {
			texts = seeds
		}
		for _, text := range texts {
			changed = append(changed, s.unknown(c, ch.changed(c, text))...)
		}
	}
	if _, err := s.run(ctx, changed, s.most+mostChanged); err != nil {
		return s.out, fmt.Errorf("running changed texts: %w", err)
	}
	return s.out, nil
}

// calm returns a case with a context that is not cancelled: samples show what a function is for.
func (ch *chooser) calm(c *testcase.Case) *testcase.Case {
	seq, ok := plain.Calm(ch.Pkg, c)
	if !ok {
		return c
	}
	d := *c
	d.Seq = seq
	return &d
}

// printersFirst runs samples, those of functions that print texts before the others. What they print is then passed to
// the functions that read it, before other texts are: a text that one function printed says what another one has to
// make of it.
func (s *sampling) printersFirst(ctx context.Context, bases, cases []*testcase.Case) ([]*testcase.Case, error) {
	var printers, others []*testcase.Case
	for _, c := range cases {
		if plain.IsPrinter(s.ch.Pkg, c) {
			printers = append(printers, c)
		} else {
			others = append(others, c)
		}
	}
	fit, err := s.run(ctx, printers, s.most)
	if err != nil {
		return nil, err
	}
	printed := plain.PrintedBy(s.ch.Pkg, fit, s.ch.given.Ran)
	var readers []*testcase.Case
	for _, c := range bases {
		var seqs []*testcase.Sequence
		for n := range mostExemplary {
			d := *c
			if seq, ok := plain.Typical(n)(s.ch.Pkg, c); ok {
				d.Seq = seq
			}
			if seq, ok := printed.Inverse(n)(s.ch.Pkg, &d); ok {
				seqs = append(seqs, seq)
			}
		}
		readers = append(readers, s.unknown(c, seqs)...)
	}
	more, err := s.run(ctx, slices.Concat(readers, others), s.most)
	return append(fit, more...), err
}

// constants runs, for each exported function that takes a value of a type with constants, its plainest call that ended
// well with each of these constants. Whether they make a difference is decided where tests are compared (needed.go).
func (s *sampling) constants(ctx context.Context, cases []*testcase.Case) error {
	plainest := make(map[string]*testcase.Case)
	strange := make(map[string]int)
	var order []string
	for _, c := range cases {
		_, ok := plain.ConstantArgument(s.ch.Pkg, c)
		if !ok || c.Whole || !s.ch.given.Exported[c.Target] || c.Observed.Status != testcase.Returned || outcome.HasError(c) || outcome.ReturnsEmpty(c) {
			continue
		}
		n := plain.Strangeness(s.ch.Pkg, c)
		if plainest[c.Target] == nil {
			order = append(order, c.Target)
		} else if n >= strange[c.Target] {
			continue
		}
		plainest[c.Target], strange[c.Target] = c, n
	}
	var each []*testcase.Case
	var seqs []*testcase.Sequence
	for _, target := range order {
		for _, c := range s.unknown(plainest[target], plain.EachConstant(s.ch.Pkg, plainest[target])) {
			each, seqs = append(each, c), append(seqs, c.Seq)
		}
	}
	outcomes, err := s.ch.bench.Proposals(true).Run(ctx, seqs)
	if err := s.ch.UnlessCut(err); err != nil {
		return err
	}
	for _, c := range s.ch.fit(each, outcomes) {
		s.out.state[c] = container.Many
		s.out.cases = append(s.out.cases, c)
	}
	return nil
}

// failing returns calls that end well, one of each function, with a dependency that fails.
func (s *sampling) failing(cases []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	done := make(map[string]bool)
	for _, c := range cases {
		if seqs := plain.Failing(s.ch.Pkg, c); !done[c.Target] && !c.Whole && outcome.Succeeds(c) && len(seqs) > 0 {
			done[c.Target] = true
			out = append(out, s.unknown(c, seqs)...)
		}
	}
	return out
}

// onDisk returns calls of exported functions that fail and are passed paths, with directories and files of the tests' own: they may end well
// there, and write something.
func (s *sampling) onDisk(cases []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	made := make(map[string]int)
	for _, c := range cases {
		if c.Whole || !s.ch.given.Exported[c.Target] || made[c.Target] == mostOnDisk {
			continue
		}
		if seq, ok := s.ch.onDisk(s.ch.Pkg, c); ok {
			made[c.Target]++
			out = append(out, s.unknown(c, []*testcase.Sequence{seq})...)
		}
	}
	return out
}

// applied returns calls of the functions that cases' calls returned.
func (s *sampling) applied(cases []*testcase.Case) []*testcase.Case {
	var out []*testcase.Case
	for _, c := range cases {
		out = append(out, s.unknown(c, boundary.Applied(s.ch.Pkg, c))...)
	}
	return out
}

// crossed returns the tests of functions of several arguments with one argument of a call in the documentation each. A
// test that an engine made goes a way of its own, and with what the documentation passes beside it one may see what the
// way does: a text for each language.
func (s *sampling) crossed() []*testcase.Case {
	var out []*testcase.Case
	made := make(map[string]int)
	for _, c := range s.ch.Tests {
		op := c.Seq.At(c.TargetStmt()).Op
		if !outcome.IsPlainCall(op) {
			continue
		}
		params := op.Signature().Params().Len()
		if c.Whole || c.Observed.Status != testcase.Returned || !s.ch.given.Exported[c.Target] || params < 2 {
			continue
		}
		var seqs []*testcase.Sequence
		for n := range mostExemplary {
			for arg := range params {
				if seq, ok := plain.DocumentedArgument(n, arg)(s.ch.Pkg, c); ok {
					seqs = append(seqs, seq)
				}
			}
		}
		if made[c.Target] += len(seqs); made[c.Target] <= mostMade {
			out = append(out, s.unknown(c, seqs)...)
		}
	}
	return out
}

// shown returns the shortest test of each method whose object is made of a text that doc comments or files of testdata show, with such texts.
func (s *sampling) shown() []*testcase.Case {
	return s.perTarget(func(c *testcase.Case) []*testcase.Sequence { return plain.ShownTogether(s.ch.Pkg, c) })
}

// overlapping returns the shortest test of each function of two lists or maps, with pairs of such.
func (s *sampling) overlapping() []*testcase.Case {
	return s.perTarget(func(c *testcase.Case) []*testcase.Sequence {
		var seqs []*testcase.Sequence
		for n := range container.MostPairs {
			if seq, ok := container.Pair(n)(s.ch.Pkg, c); ok {
				seqs = append(seqs, seq)
			}
		}
		return seqs
	})
}

// placeholders returns calls of exported functions that take a map and a text, with texts that name a key of the map.
func (s *sampling) placeholders() []*testcase.Case { return s.perTarget(crossed.Placeholders) }

// records returns calls of functions that take texts apart, with a word for each field of what they return.
func (s *sampling) records() []*testcase.Case {
	return s.perTarget(func(c *testcase.Case) []*testcase.Sequence { return crossed.Records(s.ch.Pkg, c) })
}

// matching returns calls with arguments that are equal to the fields of their names, all or all but one.
func (s *sampling) matching() []*testcase.Case { return s.perTarget(crossed.Matching) }

// read returns calls of functions that read texts, and of methods that look something up in what was read, with documents of the signs that the code
// asks for. Which parts of it such a document comes to counts, and not only the way through the function itself.
func (s *sampling) read() []*testcase.Case {
	shortest := slices.SortedStableFunc(slices.Values(slices.Concat(s.ch.Tests, s.ch.given.Ran)), func(c, d *testcase.Case) int { return c.Seq.Len() - d.Seq.Len() })
	out := s.ofEach(shortest, func(c *testcase.Case) []*testcase.Sequence { return crossed.Documents(s.ch.Pkg, c, s.asks) })
	for _, c := range out {
		s.reads[c.Target] = true
	}
	return out
}

// asks returns the texts that each function asks for which a function of the package reaches.
func (s *sampling) asks(f *types.Func) [][]string {
	if s.asked == nil {
		s.asked, s.places = make(map[string][][]string), asked.Of(s.ch.bench.Blocks())
	}
	name := testcase.TargetName(f)
	lists, known := s.asked[name]
	if !known {
		lists = s.places.ByFunction(func(other string) bool { return other == name || s.ch.reaches(name, other) })
		s.asked[name] = lists
	}
	return lists
}

// perTarget returns what can be made of one case of each exported function: of the first of which something can.
func (s *sampling) perTarget(variants func(*testcase.Case) []*testcase.Sequence) []*testcase.Case {
	return s.ofEach(slices.Concat(s.ch.Tests, s.ch.given.Ran), variants)
}

// ofEach returns what can be made of one of some cases for each exported function: of the first of which something can.
func (s *sampling) ofEach(cases []*testcase.Case, variants func(*testcase.Case) []*testcase.Sequence) []*testcase.Case {
	var out []*testcase.Case
	done := make(map[string]bool)
	for _, c := range cases {
		if done[c.Target] || c.Whole || !s.ch.given.Exported[c.Target] {
			continue
		}
		if seqs := variants(c); len(seqs) > 0 {
			done[c.Target] = true
			out = append(out, s.unknown(c, seqs)...)
		}
	}
	return out
}

// sampling holds the samples of a package that are chosen so far.
type sampling struct {
	ch     *chooser
	out    standard
	known  map[string]bool       // calls that there are already, as text
	seen   map[string]bool       // ways and outcomes
	kept   map[string]int        // cases, by function
	usual  map[string]int        // cases with texts that users have, which are kept for that alone, by function
	asked  map[string][][]string // see asks
	places *asked.Places
	reads  map[string]bool // functions for which each part of the code that a call comes to makes a case another one
	most   int             // cases of one function
}

// unknown returns cases like c with these sequences. It leaves out calls that exist already, and calls whose results the
// documentation disputes.
func (s *sampling) unknown(c *testcase.Case, seqs []*testcase.Sequence) []*testcase.Case {
	var out []*testcase.Case
	for _, seq := range seqs {
		text := seq.Key()
		if s.known[text] || s.ch.given.Disputed[text] {
			continue
		}
		s.known[text] = true
		d := *c
		d.Seq, d.Predicted, d.Path, d.Observed = seq, nil, nil, nil
		for _, way := range []plain.Way{plain.Nothing, plain.Readers, plain.Separators, plain.Direct, plain.Held, plain.Foreign, plain.Addressed, plain.Answers, plain.Formats, plain.Unread} { // the values were not chosen for a purpose, so they may become plainer
			if other, ok := way(s.ch.Pkg, &d); ok {
				d.Seq = other
			}
		}
		if d.TargetStmt() == d.Seq.Len()-1 || d.Seq.Last().Op.Kind == testcase.OpCallValue {
			d.Seq = reduce.Clean(d.Seq, s.ch.how.Pure) // a call without its last option needs no function that makes one
		}
		if key := d.Seq.Key(); key == text || !s.known[key] {
			s.known[key], out = true, append(out, &d)
		}
	}
	return out
}

// run runs cases, keeps at most the given number for each function, and returns those that are fit to be
// tests. It may take only a share of the time, because calls that wait would take all the time that is left
// for choosing.
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
		key := fmt.Sprint(c.Target, outcome.Class(c), ways[c])
		if s.reads[c.Target] || s.ch.hasNotation(c.Target) || c.Seq.At(c.TargetStmt()).Op.Drives() {
			key = fmt.Sprint(c.Target, outcome.Class(c), c.Observed.Cover) // what is read may matter far below the call
		}
		text, _ := s.ch.usualText(c)
		if isDocument := s.ch.documents[text]; isDocument || s.ch.isUsual(c) && s.usual[c.Target] < mostOrdinary && !outcome.ReturnsItsInput(c) {
			s.usual[c.Target]++
			key += c.Seq.Key()
		}
		if !s.seen[key] && s.kept[c.Target] < most {
			s.seen[key] = true
			s.kept[c.Target]++
			s.out.state[c] = container.Many
			s.out.cases = append(s.out.cases, c)
		}
	}
	return fit, nil
}

// isUsual reports whether an exported function is passed in a case what users have: such a text (see usualText), or a length
// of time that people name.
func (ch *chooser) isUsual(c *testcase.Case) bool {
	_, text := ch.usualText(c)
	return text || len(elementsOf(c)) > 1 || ch.given.Exported[c.Target] && outcome.IsUse(c) || ch.given.Exported[c.Target] && outcome.IsPlainCall(c.Seq.At(c.TargetStmt()).Op) && plain.PassesSpan(c)
}

// changed returns sequences of a case whose function takes one text: one sequence with the given text, and one with each
// variant of this text.
func (ch *chooser) changed(c *testcase.Case, text string) []*testcase.Sequence {
	at, found := -1, 0
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		if _, ok := plain.TextOf(ch.Pkg, c.Seq, a.Stmt); ok {
			at = a.Stmt
			found++
		}
	}
	if found != 1 {
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

// withoutTest returns, for each exported function that has no test, its shortest case that ran. The tests of
// other functions may cover the same code, but do not show what this function returns. Functions with
// hand-written tests are left out, because their author chose what to test.
func (ch *chooser) withoutTest() []*testcase.Case {
	has := make(map[string]bool)
	for _, c := range ch.Tests {
		has[c.Target] = true
	}
	shortest := make(map[string]*testcase.Case)
	var order []string
	for _, c := range ch.given.Ran {
		byHand := ch.given.Existing != nil && c.Observed != nil && ch.given.Existing.Contains(c.Observed.Cover)
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

// fit returns the cases that returned and whose outcomes make them fit to be tests.
func (ch *chooser) fit(cases []*testcase.Case, outcomes []*testcase.Outcome) []*testcase.Case {
	return slices.DeleteFunc(ch.fitOrRefused(cases, outcomes), func(c *testcase.Case) bool { return c.Observed.Status != testcase.Returned })
}

// fitOrRefused returns what fit returns, and the cases whose call was refused by an explicit panic where the
// refusal is no defect.
func (ch *chooser) fitOrRefused(cases []*testcase.Case, outcomes []*testcase.Outcome) []*testcase.Case {
	var out []*testcase.Case
	for i, c := range cases {
		if i >= len(outcomes) || outcomes[i] == nil || outcomes[i].Unsteady(c.TargetStmt()) || !ch.InScope(c.Target) {
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

// sampled returns variants of a case's sequence. Where a text that its call takes is in a notation that is known, they
// have texts in this notation. Otherwise they are variants with constants of calls in the documentation, with typical
// values, with lengths of time, with the numbers that the names of its parameters ask for, with ordinary numbers and bytes, with the values of certain ways, and with one text argument
// replaced by a text that a person would write. For each such text there is a second variant in which small integers
// among the arguments are 5.
func (ch *chooser) sampled(c *testcase.Case) []*testcase.Sequence {
	if out := ch.notated(c); len(out) > 0 {
		return ch.withData(c, out)
	}
	return ch.withData(c, ch.unnotated(c))
}

// withData returns sequences of a case with data for the names in their texts before those without, where its call takes data.
func (ch *chooser) withData(c *testcase.Case, seqs []*testcase.Sequence) []*testcase.Sequence {
	var out []*testcase.Sequence
	for _, seq := range seqs {
		d := *c
		d.Seq = seq
		for n := range plain.MostKeyed {
			if keyed, ok := plain.Keyed(n)(ch.Pkg, &d); ok {
				out = append(out, keyed)
			}
		}
	}
	return append(out, seqs...)
}

// unnotated does what sampled says, where no notation is known.
func (ch *chooser) unnotated(c *testcase.Case) []*testcase.Sequence {
	out := slices.Concat(plain.Spans(ch.Pkg, c), ch.exemplary(c))
	for n := range plain.MostNumbered {
		seq, ok := plain.Numbered(n)(ch.Pkg, c)
		if !ok {
			break
		}
		d := *c
		d.Seq = seq
		if named, ok := plain.Distinct(ch.Pkg, &d); ok {
			seq = named
		}
		out = append(out, seq)
	}
	d := *c
	if applyAll(ch.Pkg, &d, certain[0]) {
		out = append(out, d.Seq)
	}
	for n := range plain.MostOrdinary {
		if seq, ok := plain.Ordinary(n)(ch.Pkg, c); ok {
			out = append(out, seq)
		}
	}
	if seq, ok := plain.Bytes(-1, false)(ch.Pkg, c); ok {
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

// textsFor returns the sample texts for an argument. A function that makes something of a text is passed what the README
// lists first. If the parameter's name says what kind of texts it takes, they are texts of this kind and one text of
// another kind.
func (ch *chooser) textsFor(c *testcase.Case, arg testcase.Ref) []string {
	st := c.Seq.At(c.TargetStmt())
	if !outcome.IsPlainCall(st.Op) {
		return sampleTexts[:] // the call of a value names no parameters
	}
	params := st.Op.Signature().Params()
	k := slices.Index(st.Args, arg)
	if st.Op.Kind == testcase.OpMethod {
		k--
	}
	if k = min(k, params.Len()-1); k < 0 {
		return sampleTexts[:]
	}
	if lits := ch.Pkg.Literals; lits != nil && (plain.IsReader(c) || outcome.CanFail(c)) && len(lits.Listed) > 0 {
		return slices.Concat(lits.Listed, sampleTexts[:])
	}
	if texts := plain.TextsFor(ch.Pkg, params.At(k).Name()); len(texts) > 0 && !plain.TakesAnyText(params.At(k).Name()) {
		if !strings.ContainsFunc(strings.Join(texts, ""), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return texts // nobody indents or separates with words
		}
		return append(slices.Clone(texts), sampleTexts[0])
	}
	return sampleTexts[:]
}

// isText reports whether an operation makes a text whose meaning nothing else determines.
func (ch *chooser) isText(op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 && !plain.IsEnumeration(ch.Pkg, op.Type)
}

// fives replaces the integers among the arguments by 5, and reports whether there are any.
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

// union returns the union of two sets of calls.
func (s standard) union(o standard) standard {
	out := standard{cases: slices.Concat(s.cases, o.cases), state: make(map[*testcase.Case]container.State)}
	for _, part := range []standard{s, o} {
		for c, state := range part.state {
			out.state[c] = state
		}
	}
	return out
}
