package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"sync"
	"time"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/standin"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/property"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/scenario"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/words"
)

// Given is the input of a selection.
type Given struct {
	Tests    []*testcase.Case    // cases that returned normally
	Findings []*testcase.Finding // one for each defect
	Spare    []*testcase.Case    // cases that cover nothing new and were not observed
	Ran      []*testcase.Case    // every case of the exploration; names are proved against all of them

	Exported map[string]bool // the names of the functions that users of the package call
	Disputed map[string]bool // calls, as text, of which the documentation says something else than the code
	// Existing is the coverage of the hand-written tests, or nil if they do not count; ExistingFiles are
	// their files.
	Existing      testcase.Cover
	ExistingFiles []gotest.File

	MaxTests int            // for one function; 0 means no bound
	Mutants  *mutate.Config // the mutants to choose by; nil means that mutants choose nothing
	// Confirming returns the context for the last run of the selection. Its time is kept aside for it,
	// because a test that is not run again may assert something that changes from run to run.
	Confirming func() (context.Context, context.CancelFunc)
	// Broken returns the findings that calls of tests are: the calls break contracts. Choosing makes calls that no engine has made. A nil
	// Broken finds none.
	Broken func(context.Context, []*testcase.Case) ([]*testcase.Finding, error)
}

// Selection is the result: the tests that are worth writing, and facts about them that later stages
// need.
type Selection struct {
	Tests    []*testcase.Case
	Findings []*testcase.Finding
	Kills    map[*testcase.Sequence][]int // which mutants tests kill, where mutants were run
	// Existing is the coverage of the hand-written tests, or nil if they do not count; ExistingFiles are
	// their files.
	Existing      testcase.Cover
	ExistingFiles []gotest.File
	// Calls are executed calls, by target, with the observers' answers; names of tests are proved
	// against them. ReadsOnly reports whether a call changes nothing that outlives it.
	Calls     map[string][]words.Call
	ReadsOnly func(*testcase.Operation) bool
	// Typical has the tests that show best what an exported function is for.
	Typical map[*testcase.Sequence]bool
	// Why says for each test why it is kept: the mutants, outcomes and blocks that no other test shows.
	Why map[*testcase.Sequence][]string
	// Unseen has the functions of whose calls no test could compare anything.
	Unseen map[string]bool
	// Idle has the functions that no test could tell from a function that does nothing.
	Idle map[string]bool
	// Redundant is how many of the given tests were dropped because other tests show as much.
	Redundant int
}

// typicalWorth is how many blocks a test counts for because it shows best what an exported function is for.
const typicalWorth = 8

// Rank returns the place of each test by worth: first the test that covers most blocks and kills most
// mutants, as far as these are known, then the one that adds most to the first, and so on. A test that is
// typical of its function counts for several blocks more. Of two equals the shorter comes first. adds
// reports whether a test covers or kills something that no test before it does, or is typical. blocks is
// how many blocks the harness counts.
func (s Selection) Rank(blocks int) (place func(*testcase.Case) int, adds func(*testcase.Case) bool) {
	// Of tests that add as much the shorter comes first.
	tests := slices.SortedStableFunc(slices.Values(s.Tests), func(a, b *testcase.Case) int { return a.Seq.Len() - b.Seq.Len() })
	shows := make([]testcase.Cover, len(tests)) // blocks, followed by mutants, followed by what is typical
	next := blocks + 1
	for _, ids := range s.Kills {
		for _, id := range ids {
			next = max(next, blocks+id+1)
		}
	}
	for i, c := range tests {
		if c.Observed != nil {
			shows[i].Union(c.Observed.Cover)
		}
		for _, id := range s.Kills[c.Seq] {
			shows[i].Set(blocks + id)
		}
		if s.Typical[c.Seq] {
			for range typicalWorth {
				shows[i].Set(next)
				next++
			}
		}
	}
	var seen testcase.Cover
	seen.Union(s.Existing)
	places := make(map[*testcase.Sequence]int)
	reaches := make(map[*testcase.Sequence]bool)
	reduce.Greedily(len(tests), func(i int) int { return shows[i].CountBeyond(seen) }, func(i int) {
		reaches[tests[i].Seq] = shows[i].CountBeyond(seen) > 0
		seen.Union(shows[i])
		places[tests[i].Seq] = len(places)
	})
	return func(c *testcase.Case) int { return places[c.Seq] }, func(c *testcase.Case) bool { return reaches[c.Seq] }
}

// chooser makes a selection.
type chooser struct {
	*session.Session
	bench *session.Bench
	given Given
	how   reduce.Config
	parts *standin.Parts
	// shared has texts that the documentation passes to functions which take one text.
	shared []string
	// decoded has texts of what functions decode, by their names as targets.
	decoded map[string][]notation.Text
	// documents are those of these texts, and of the structs that tests decode into, that have all fields.
	documents map[string]bool
	paths     *purity.Paths // which inputs name files, nil until somebody asks
	words     outcome.Words // what the package says in its own texts
	step      time.Time     // when the current step of the selection began, for -debug=stages
	// byHand has what handBuilt says of each sequence, which orders of tests ask many times. A choice by mutants may go on
	// beside its caller when its time is over.
	byHand sync.Map
	attribution
	Selection
}

// Tests selects the tests to write. It drops cases that show nothing new, shortens the others and the
// cases of findings, and adds cases that kill mutants. Then it runs the selection once more in another
// process, so that no test asserts a result that depends on anything but the code and its inputs. On an
// error it returns the selection as far as it got.
func Tests(ctx context.Context, s *session.Session, bench *session.Bench, given Given) (Selection, error) {
	ch := &chooser{Session: s, bench: bench, given: given, Selection: Selection{
		Tests: given.Tests, Findings: given.Findings, Existing: given.Existing, ExistingFiles: given.ExistingFiles,
	}}
	ch.ReadsOnly = purity.New(ch.Prog).PureCalls(ch.Pkg)
	ch.words = outcome.WordsOf(ch.Pkg.Syntax)
	givers, err := giver.New(s.Prog, s.Pkg)
	if err != nil {
		s.Warn("%v", err)
	}
	ch.parts = &standin.Parts{Pkg: s.Pkg, Givers: givers}
	ch.shared, ch.decoded = plain.SharedTexts(s.Pkg), ch.decodedArguments()
	ch.documents = whole(ch.decoded)
	ch.attribution.ch, ch.attribution.reached, ch.attribution.masks = ch, make(map[string]map[string]bool), make(map[string]testcase.Cover)
	ch.how = ch.reduction()
	if err := ch.unwrapMust(ctx); err != nil {
		return ch.Selection, err
	}
	if err := ch.splitCalls(ctx); err != nil {
		return ch.Selection, fmt.Errorf("running calls alone: %w", err)
	}
	if err := ch.turnSwitches(ctx); err != nil {
		return ch.Selection, err
	}
	if err := ch.UnlessCut(ch.dropInvalid(ctx)); err != nil { // before they make valid ones redundant
		return ch.Selection, fmt.Errorf("asking objects whether they are valid: %w", err)
	}
	ch.step = time.Now()
	told, err := ch.scenarios(ctx)
	if err != nil {
		return ch.Selection, err
	}
	ch.took("scenarios")
	stats, err := ch.dropRedundant(ctx)
	if err != nil {
		return ch.Selection, err
	}
	ch.took("reducing")
	if err := ch.addWanted(ctx); err != nil {
		return ch.Selection, err
	}
	ch.Tests = slices.Concat(ch.Tests, told)
	if err := ch.addKillers(ctx); err != nil {
		// The selection is usable without this step, so the error only makes the result partial.
		ch.MarkPartial()
		ch.Warn("choosing tests by mutants: %v", err)
	}
	ch.dropEmpty()
	if err := ch.renewDefaults(ctx); err != nil {
		return ch.Selection, err
	}
	if err := ch.stopClocks(ctx); err != nil {
		return ch.Selection, err
	}
	ch.Redundant = len(given.Tests) - len(ch.Tests)
	ch.Debug("stages", "%s: reduced %d cases to %d, %d to %d statements, in %d runs", ch.Pkg.Path,
		len(given.Tests), len(ch.Tests), stats.Statements[0], stats.Statements[1], stats.Runs)
	if err := ch.completeFindings(ctx); err != nil {
		return ch.Selection, err
	}
	ch.took("findings")
	ctx, stop := given.Confirming()
	defer stop()
	if err := ch.addProperties(ctx); err != nil {
		return ch.Selection, err
	}
	err = ch.confirm(ctx)
	ch.took("confirming")
	return ch.Selection, err
}

// addWanted adds the calls that a reader looks for although they cover nothing new, and writes computed values as literals.
func (ch *chooser) addWanted(ctx context.Context) error {
	for _, step := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"iterators", ch.collectIterators},
		{"successes", ch.addSuccesses},
		{"set-up", ch.addSetUp},
		{"literals in place of calls", ch.respellCertain},
	} {
		if err := step.do(ctx); err != nil {
			return err
		}
		ch.took(step.name)
	}
	return nil
}

// addProperties adds the instances of properties that hold for the tests' inputs. Where hand-written tests count, their authors
// have chosen which properties to test.
func (ch *chooser) addProperties(ctx context.Context) error {
	if ch.given.Existing != nil {
		return nil
	}
	found, err := property.RoundTrips(ctx, ch.Pkg, ch.bench.Proposals(true).Run, ch.Tests, ch.given.Ran)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("looking for properties: %w", err)
	}
	ch.Tests = slices.Concat(ch.Tests, slices.DeleteFunc(found, func(c *testcase.Case) bool { return !ch.InScope(c.Target) }))
	return nil
}

// scenarios returns one test for each type that tells what its objects do from start to end. Where hand-written tests count, their
// authors have told it. It has its own part of the time, because these are the tests that a reader looks for first.
func (ch *chooser) scenarios(ctx context.Context) ([]*testcase.Case, error) {
	if ch.given.Existing != nil {
		return nil, nil
	}
	ctx, cancel := ch.tellingTime(ctx)
	defer cancel()
	ch.parts.LearnRecipes(ch.given.Ran)
	teller := scenario.Teller{Pkg: ch.Pkg, Try: ch.bench.Proposals(false).Run, Run: ch.bench.Proposals(true).Run, Ready: ch.parts.Ready, Makers: ch.parts.Makers, ReadsOnly: ch.ReadsOnly,
		Called: ch.parts.Givers.Called(), Recorders: giver.NewRecorders(ch.Pkg.Types, ch.Pkg.StartsGoroutines())}
	found, err := teller.Cases(ctx)
	if err := ch.UnlessCut(err); err != nil {
		return nil, err
	}
	var outcomes []*testcase.Outcome
	for _, c := range found {
		outcomes = append(outcomes, c.Observed)
	}
	return ch.fit(found, outcomes), nil
}

// tellingTime returns the context in which scenarios are found. It lasts a moment even if the time for choosing is over.
func (ch *chooser) tellingTime(ctx context.Context) (context.Context, context.CancelFunc) {
	least := time.Now().Add(min(ch.Config.Bound()/20, 2*time.Second))
	if end := time.Now().Add(time.Until(session.DeadlineOf(ctx)) / scenariosShare); end.After(least) {
		return context.WithDeadline(ctx, end)
	}
	if ctx.Err() != nil && ch.User.Err() != nil {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(context.WithoutCancel(ctx), least)
}

// took says how long a step of the selection took, and begins the next one.
func (ch *chooser) took(what string) {
	ch.Debug("stages", "%s: choose: %s took %s", ch.Pkg.Path, what, time.Since(ch.step).Round(time.Millisecond))
	ch.step = time.Now()
}

// dropEmpty drops tests that could compare nothing, and tests that only make an object or what a constructor takes, if
// tests that go on with what these make execute as much. An option or an empty object is tested by what is done with it,
// and not by the assertion that it is not nil.
func (ch *chooser) dropEmpty() {
	empty := func(c *testcase.Case) bool {
		return outcome.AssertsNothing(c) || outcome.ReturnsHidden(c) || outcome.MakesUnseen(c) || ch.setsUp(c)
	}
	covered := make(map[string]testcase.Cover) // by function: by tests whose own call needs what it returns
	for _, c := range ch.Tests {
		if empty(c) {
			continue
		}
		for name := range needs(c) {
			cover := covered[name]
			cover.Union(c.Observed.Cover)
			covered[name] = cover
		}
	}
	ch.Tests = slices.DeleteFunc(slices.Clone(ch.Tests), func(c *testcase.Case) bool {
		return !c.Keep && empty(c) && covered[c.Target].Contains(ch.own(c))
	})
}

// passesHollow reports whether a case writes a struct of the package without anything in it. What is printed of it is what is printed of
// nothing.
func (ch *chooser) passesHollow(c *testcase.Case) bool {
	for i := range c.TargetStmt() {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite || len(c.Seq.At(i).Args) > 0 || op.Type == nil {
			continue
		}
		named := load.NamedOf(op.Type)
		if st, ok := op.Type.Underlying().(*types.Struct); ok && named != nil && named.Obj().Pkg() == ch.Pkg.Types && st.NumFields() > 0 {
			return true
		}
	}
	return false
}

// needs returns the names of the functions whose results lead to the call that a test is about, and of the methods that return their own object
// and are called on what leads there.
func needs(c *testcase.Case) map[string]bool {
	out := make(map[string]bool)
	seen := make(map[int]bool)
	var visit func(i int)
	visit = func(i int) {
		for _, a := range c.Seq.At(i).Args {
			if seen[a.Stmt] {
				continue
			}
			seen[a.Stmt] = true
			if f := c.Seq.At(a.Stmt).Op.Func; f != nil {
				out[testcase.TargetName(f)] = true
			}
			visit(a.Stmt)
		}
	}
	visit(c.TargetStmt())
	for i := range c.TargetStmt() { // b.Delete() as well as NewBuilder().Delete()
		st := c.Seq.At(i)
		if results := c.Seq.ResultTypes()[i]; st.Op.Kind == testcase.OpMethod && seen[st.Args[0].Stmt] && len(results) == 1 && types.Identical(results[0], c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result]) {
			out[testcase.TargetName(st.Op.Func)] = true
		}
	}
	return out
}

// setsUp reports whether a test ends with a method that sets fields and returns its own receiver. What it has set is seen where
// something else is done with the object.
func (ch *chooser) setsUp(c *testcase.Case) bool {
	if c.Seq.Last().Op.Kind != testcase.OpMethod || c.TargetStmt() != c.Seq.Len()-1 {
		return false
	}
	t := ch.Pkg.Target(c.Target)
	return t != nil && t.Func != nil && purity.SetsAndReturnsItself(t.Func)
}

// addSuccesses adds, for each function whose tests all end in an error, a spare case that ends without one, and for each whose tests all
// return nothing but zeros a case that returns something. A
// reader looks for the successful call first, so the case is added even if it covers nothing new. Where
// hand-written tests already show a successful call, none is added.
func (ch *chooser) addSuccesses(ctx context.Context) error {
	succeeds := make(map[string]bool)
	for _, c := range ch.Tests {
		succeeds[c.Target] = succeeds[c.Target] || outcome.Succeeds(c)
	}
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range ch.given.Spare {
		sig := c.Seq.Last().Op.Signature()
		if succeeds[c.Target] || !ch.given.Exported[c.Target] || sig == nil || sig.Results().Len() == 0 || !gosyntax.IsError(sig.Results().At(sig.Results().Len()-1).Type()) {
			continue
		}
		d := *c
		cases = append(cases, &d)
	}
	for _, c := range outcome.Telling(ch.Tests, ch.given.Ran, func(c *testcase.Case) bool { return ch.given.Exported[c.Target] && !ch.handBuilt(c) }) {
		d := *c
		cases, succeeds[c.Target] = append(cases, &d), false
	}
	// A few of each function first, then twice as many, and so on: one that succeeds is enough. Where cases need a process each, the first
	// few have to do; the shortest success that an engine saw is among them.
	const few = 4
	for n := few; len(cases) > 0 && (n == few || !ch.bench.Stateful()); n *= 2 {
		now, later := firstOfEach(cases, n)
		seqs = seqs[:0]
		for _, c := range now {
			seqs = append(seqs, c.Seq)
		}
		outcomes, err := ch.bench.Runner(true).Run(ctx, seqs)
		if err := ch.UnlessCut(err); err != nil {
			return fmt.Errorf("running successes: %w", err)
		}
		for _, c := range ch.fit(now, outcomes) {
			byHand := ch.given.Existing != nil && ch.given.Existing.Contains(c.Observed.Cover)
			if !succeeds[c.Target] && !byHand && (outcome.Succeeds(c) || outcome.ReturnsSome(c)) {
				succeeds[c.Target] = true
				ch.Tests = append(ch.Tests, c)
			}
		}
		cases = slices.DeleteFunc(later, func(c *testcase.Case) bool { return succeeds[c.Target] })
	}
	return nil
}

// firstOfEach divides cases into the first n of each function and the others.
func firstOfEach(cases []*testcase.Case, n int) (first, others []*testcase.Case) {
	count := make(map[string]int)
	for _, c := range cases {
		if count[c.Target]++; count[c.Target] <= n {
			first = append(first, c)
		} else {
			others = append(others, c)
		}
	}
	return first, others
}

// reduction returns the configuration of the reducer.
func (ch *chooser) reduction() reduce.Config {
	cfg := reduce.Config{
		MaxTests: ch.given.MaxTests, Pure: ch.ReadsOnly,
		Split:     func(target string) bool { return ch.given.Exported[target] },
		HandBuilt: ch.handBuilt,
		Covered:   slices.Clone(ch.Existing),
	}
	for b, block := range ch.bench.Blocks() {
		if ch.isElsewhere(block.Func) || ch.isApart(block.Func) {
			cfg.Covered.Set(b)
		}
	}
	if ch.bench.Stateful() {
		cfg.MaxRuns = maxStatefulRuns
	}
	return cfg
}

// isElsewhere reports whether a function is generated, or is an exported function that the run is not about. A test must
// not be kept because it calls such a function beside its own.
func (ch *chooser) isElsewhere(name string) bool {
	t := ch.Pkg.Target(name)
	return t != nil && (t.Exported && !ch.InScope(name) || t.IsGenerated())
}

// handBuilt reports whether a case has an object that users of the package cannot come by: an object
// written field by field, or the zero value of a type for which the package has functions that make
// objects.
func (ch *chooser) handBuilt(c *testcase.Case) bool {
	if c.Whole {
		return false
	}
	if built, ok := ch.byHand.Load(c.Seq); ok {
		return built.(bool)
	}
	built := (finding.HandBuilt(ch.Pkg, c) || finding.Unmade(ch.Rules, c)) && !ch.writesWithin(c)
	ch.byHand.Store(c.Seq, built)
	return built
}

// writesWithin reports whether all structs of a case of which users cannot set all fields are written as tests within the package write
// them: of types without a constructor, and with some of these fields (plain.Completed).
func (ch *chooser) writesWithin(c *testcase.Case) bool {
	within := false
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite || op.Type == nil {
			continue
		}
		named, st := load.NamedOf(op.Type), (*types.Struct)(nil)
		if named != nil && named.Obj().Pkg() == ch.Pkg.Types {
			st, _ = op.Type.Underlying().(*types.Struct)
		}
		if st == nil || !slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return !f.Exported() }) {
			continue
		}
		if !slices.ContainsFunc(op.Elems, func(k int) bool { return !st.Field(k).Exported() }) || len(ch.Pkg.Constructors(op.Type)) > 0 {
			return false
		}
		within = true
	}
	return within
}

// dropRedundant drops the cases that cover and show nothing new, and shortens the others.
func (ch *chooser) dropRedundant(ctx context.Context) (stats reduce.Stats, err error) {
	err = ch.RunOrLeave(ctx, func() (func(), error) {
		tests, st, err := reduce.Cases(ctx, ch.given.Tests, ch.bench.Proposals(false), ch.how)
		return func() { ch.Tests, stats = tests, st }, err
	})
	if err != nil {
		err = fmt.Errorf("reducing tests: %w", err)
	}
	return stats, err
}

// completeFindings adds what calls of the tests break to the findings, unless there is a finding with the same cause, and makes
// the cases of all of them short.
func (ch *chooser) completeFindings(ctx context.Context) error {
	if ch.given.Broken == nil {
		return ch.shortenFindings(ctx)
	}
	found, err := ch.given.Broken(ctx, ch.Tests)
	if err := ch.UnlessCut(err); err != nil {
		return fmt.Errorf("asking contracts about tests: %w", err)
	}
	all := slices.Clone(ch.Findings)
	for _, f := range found {
		if !slices.ContainsFunc(all, func(o *testcase.Finding) bool { return o.Cause == f.Cause }) {
			all = append(all, f)
		}
	}
	ch.Findings = all
	return ch.shortenFindings(ctx)
}

// shortenFindings makes the cases of findings as short as possible. A shorter case must not be easier
// to excuse: if it passes nil where the longer one passed an object, or an object that is not valid, the longer one stays.
func (ch *chooser) shortenFindings(ctx context.Context) error {
	original := slices.Clone(ch.Findings)
	shortened := ch.Findings
	err := ch.RunOrLeave(ctx, func() (func(), error) {
		shorter, _, err := reduce.Findings(ctx, original, ch.bench.Runner(false), ch.how)
		return func() { shortened = shorter }, err
	})
	if err != nil {
		return fmt.Errorf("reducing findings: %w", err)
	}
	cases := make([]*testcase.Case, len(shortened))
	for i, f := range shortened {
		cases[i] = f.Case
	}
	invalid, err := ch.onInvalid(ctx, cases, true)
	if ch.UnlessCut(err) != nil {
		return fmt.Errorf("asking whether shorter inputs are valid: %w", err)
	}
	for i, f := range shortened {
		was := *f
		finding.Grade(ch.Rules, finding.EndingAtBreak(ch.Pkg, f.Case), f)
		if was.Excused && f.Severity.Rank() < was.Severity.Rank() {
			f.Severity, f.Evidence, f.Rank = was.Severity, was.Evidence, was.Rank
		}
		for _, o := range original {
			if o.Cause == f.Cause && (o.Severity.Rank() < f.Severity.Rank() || invalid[f.Case]) {
				shortened[i] = o
			}
		}
	}
	ch.Findings = shortened
	return nil
}

// maxStatefulRuns bounds the reducer's runs of cases that change variables of the package. Each such run
// needs a process of its own, which takes some ten milliseconds.
const maxStatefulRuns = 800
