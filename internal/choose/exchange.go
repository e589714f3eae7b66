package choose

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/choose/crossed"
	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// This file tries calls in the place of those with noise (everyday.go), and reaches through exported functions what only tests of
// unexported ones cover.

// elementSet numbers what tests show: mutants have their own numbers, blocks of the function that a test is about and of
// unexported functions come behind all mutants, and classes of outcomes behind all blocks.
type elementSet struct {
	m        *mutantChooser
	outcomes map[string]int // the number of each class
}

// of returns what a test shows that kills these mutants.
func (e *elementSet) of(c *testcase.Case, ids []int) testcase.Cover {
	var out testcase.Cover
	for _, id := range ids {
		out.Set(id)
	}
	first := len(e.m.ofMutants) + 1
	for b, block := range e.m.bench.Blocks() {
		if (block.Func == c.Target || !e.m.given.Exported[block.Func]) && c.Observed.Cover.Has(b) {
			out.Set(first + b)
		}
	}
	class := outcome.Class(c)
	if _, ok := e.outcomes[class]; !ok {
		e.outcomes[class] = len(e.outcomes)
	}
	out.Set(first + len(e.m.bench.Blocks()) + e.outcomes[class])
	return out
}

// supplant returns calls with texts that people write, and the mutants that the calls kill. The calls show what otherwise
// only tests with noisy texts show. The noisy tests then go where nobody would miss them (see needed).
func (m *mutantChooser) supplant(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int, error) {
	limited, cancel := context.WithTimeout(ctx, time.Until(session.DeadlineOf(ctx))/everydayShare)
	defer cancel()
	chosen, err := m.everydayCalls(limited, tests, kills)
	if limited.Err() != nil && ctx.Err() == nil {
		m.MarkPartial()
		return nil, nil, nil
	}
	if err != nil || len(chosen) == 0 {
		return nil, nil, err
	}
	if chosen, err = m.observers.Tests(ctx, chosen); err != nil {
		return nil, nil, err
	}
	ids, err := m.chooseFields(ctx, chosen, nil)
	for _, c := range chosen {
		m.standard.state[c] = container.Many
	}
	return chosen, ids, err
}

// everydayCalls runs the calls with other texts, and chooses for each function those that together show most.
func (m *mutantChooser) everydayCalls(ctx context.Context, tests []*testcase.Case, kills [][]int) ([]*testcase.Case, error) {
	e := &exchange{m: m, set: &elementSet{m: m, outcomes: make(map[string]int)}, alone: make(map[string]testcase.Cover), most: make(map[string]int)}
	noisy := m.noisy(tests, true)
	inner := e.inner(tests)
	lifted := e.lifted(tests)
	passed := e.passedOn(tests, kills, inner)
	var cases []*testcase.Case
	for _, target := range slices.Sorted(maps.Keys(m.given.Exported)) {
		if len(noisy[target])+len(inner[target])+len(lifted[target]) == 0 {
			continue
		}
		alone := e.shownAlone(target, noisy[target], tests, kills)
		alone.Union(e.hidden)
		alone.Union(passed[target])
		e.alone[target], e.most[target] = alone, len(noisy[target])+len(inner[target])+len(lifted[target])
		cases = slices.Concat(cases, m.everydayCases(tests, noisy[target], inner[target]), lifted[target])
	}
	cases = cases[:min(len(cases), mostEveryday)]
	var seqs []*testcase.Sequence
	for _, c := range cases {
		seqs = append(seqs, c.Seq)
	}
	outcomes, err := m.bench.Proposals(true).Run(ctx, seqs)
	if err != nil {
		return nil, err
	}
	fit := m.fit(cases, outcomes)
	onward := m.passedOn(slices.Concat(tests, fit))
	fit = slices.DeleteFunc(fit, func(c *testcase.Case) bool { return onward[c] != "" }) // it is for the other function to fail
	ids := make([][]int, len(fit))
	verdicts, err := m.planted.Cases(ctx, fit, mutate.Options{All: true, Pair: func(k, id int) bool { return e.alone[fit[k].Target].Has(id) }})
	if err != nil {
		return nil, err
	}
	for _, v := range verdicts {
		for _, k := range v.By {
			ids[k] = append(ids[k], v.Mutant.ID)
		}
	}
	out := e.fewest(fit, ids)
	m.Debug("stages", "%s: choose: %d calls with everyday texts, of %d that ran", m.Pkg.Path, len(out), len(fit))
	return out, nil
}

// exchange is a search for calls that show what only tests to be replaced show.
type exchange struct {
	m   *mutantChooser
	set *elementSet
	// alone has, by exported function, what its noisy tests show and no other test of it. It includes what hidden has: the
	// blocks that only tests of unexported functions cover.
	alone  map[string]testcase.Cover
	hidden testcase.Cover
	most   map[string]int // calls of an exported function that are chosen at most
}

// inner returns, by exported function, texts that may lead through it to what only tests of unexported functions cover: the
// texts that these tests pass, behind the signs that the package asks for.
func (e *exchange) inner(tests []*testcase.Case) map[string][]noisyTest {
	var public testcase.Cover
	byTarget := make(map[string][]noisyTest) // tests of exported functions with a text
	var private []noisyTest
	for i, c := range tests {
		st := c.Seq.At(c.TargetStmt())
		exported := e.m.given.Exported[c.Target]
		if exported {
			public.Union(e.set.of(c, nil))
		}
		if c.Whole || !outcome.IsPlainCall(st.Op) || c.Observed.Status != testcase.Returned {
			continue
		}
		for _, a := range st.Args {
			at, ok := plain.TextBehind(e.m.Pkg, c.Seq, a)
			if !ok {
				continue
			}
			text, _ := plain.TextOf(e.m.Pkg, c.Seq, at)
			if exported {
				byTarget[c.Target] = append(byTarget[c.Target], noisyTest{index: i, stmt: at, text: text})
			} else {
				private = append(private, noisyTest{index: i, stmt: at, text: text})
			}
			break
		}
	}
	out := make(map[string][]noisyTest)
	for _, p := range private {
		covered := e.set.of(tests[p.index], nil).Minus(public)
		if covered.Count() == 0 {
			continue
		}
		for target, bases := range byTarget {
			if !e.m.reaches(target, tests[p.index].Target) {
				continue
			}
			e.hidden.Union(covered)
			for _, base := range e.differentSetUps(tests, bases) {
				for _, sign := range append([]rune{0}, plain.Signs(e.m.Pkg)...) {
					out[target] = append(out[target], noisyTest{index: base.index, stmt: base.stmt, text: strings.Trim(string(sign), "\x00") + p.text})
				}
			}
		}
	}
	return out
}

// mostLifted is how many calls of one exported function are tried with arguments of tests of unexported ones.
const mostLifted = 60

// lifted returns, by exported function, calls that may cover what only tests of unexported functions cover: calls with an
// argument of such a test, where the exported function takes one of the same type and reaches the other one. What a stand-in
// answers, or an error of a kind, matters far below the call that it is passed to.
func (e *exchange) lifted(tests []*testcase.Case) map[string][]*testcase.Case {
	var public testcase.Cover
	bases := make(map[string][]*testcase.Case)
	for _, c := range tests {
		if !e.m.given.Exported[c.Target] {
			continue
		}
		public.Union(e.set.of(c, nil))
		const most = 4 // calls that differ in what else they pass
		if outcome.IsPlainCall(c.Seq.At(c.TargetStmt()).Op) && !c.Whole && c.Observed.Status == testcase.Returned && len(bases[c.Target]) < most {
			bases[c.Target] = append(bases[c.Target], c)
		}
	}
	out := make(map[string][]*testcase.Case)
	known := make(map[string]bool)
	for _, p := range tests {
		if e.m.given.Exported[p.Target] || p.Whole || !outcome.IsPlainCall(p.Seq.At(p.TargetStmt()).Op) || p.Observed.Status != testcase.Returned {
			continue
		}
		covered := e.set.of(p, nil).Minus(public)
		if covered.Count() == 0 {
			continue
		}
		for _, target := range slices.Sorted(maps.Keys(bases)) {
			if !e.m.reaches(target, p.Target) {
				continue
			}
			for _, base := range bases[target] {
				for _, seq := range crossed.WithArguments(base, p) {
					if text := seq.Key(); known[text] || e.m.given.Disputed[text] || len(out[target]) == mostLifted {
						continue
					}
					known[seq.Key()] = true
					d := *base
					d.Seq, d.Predicted, d.Path, d.Observed = seq, nil, nil, nil
					out[target] = append(out[target], &d)
					e.hidden.Union(covered)
				}
			}
		}
	}
	return out
}

// passedOn adds to inner, for each exported function, the texts by which tests of other functions kill mutants of it that its
// own tests let survive, and returns these mutants.
func (e *exchange) passedOn(tests []*testcase.Case, kills [][]int, inner map[string][]noisyTest) map[string]testcase.Cover {
	own := make(map[string]testcase.Cover)
	bases := make(map[string][]noisyTest)
	texts := make([]string, len(tests))
	for i, c := range tests {
		if !outcome.IsPlainCall(c.Seq.At(c.TargetStmt()).Op) || c.Whole || c.Observed.Status != testcase.Returned {
			continue
		}
		killed := own[c.Target]
		for _, id := range kills[i] {
			killed.Set(id)
		}
		own[c.Target] = killed
		for _, a := range c.Seq.At(c.TargetStmt()).Args {
			if at, ok := plain.TextBehind(e.m.Pkg, c.Seq, a); ok {
				texts[i], _ = plain.TextOf(e.m.Pkg, c.Seq, at)
				bases[c.Target] = append(bases[c.Target], noisyTest{index: i, stmt: at, text: texts[i]})
				break
			}
		}
	}
	out := make(map[string]testcase.Cover)
	for i, c := range tests {
		lacking := make(map[string]bool)
		for _, id := range kills[i] {
			f := e.m.ofMutants[id-1].Mutant.Func
			if texts[i] != "" && f != c.Target && e.m.given.Exported[f] && len(bases[f]) > 0 && !own[f].Has(id) {
				missing := out[f]
				missing.Set(id)
				out[f], lacking[f] = missing, true
			}
		}
		for f := range lacking {
			for _, base := range e.differentSetUps(tests, bases[f]) {
				inner[f] = append(inner[f], noisyTest{index: base.index, stmt: base.stmt, text: texts[i]})
			}
		}
	}
	return out
}

// differentSetUps returns a few of the tests of a function that differ in something else than the text.
func (e *exchange) differentSetUps(tests []*testcase.Case, of []noisyTest) []noisyTest {
	const most = 3
	seen := make(map[string]bool)
	var out []noisyTest
	for _, n := range of {
		seq, ok := plain.WithText(tests[n.index].Seq, n.stmt, "text")
		if !ok || seen[seq.Key()] || len(out) == most {
			continue
		}
		seen[seq.Key()] = true
		out = append(out, n)
	}
	return out
}

// shownAlone returns what the noisy tests of a function show and no other test.
func (e *exchange) shownAlone(target string, noisy []noisyTest, tests []*testcase.Case, kills [][]int) testcase.Cover {
	var others, out testcase.Cover
	next := 0
	for i, c := range tests {
		if next < len(noisy) && noisy[next].index == i {
			next++
			shown := e.set.of(c, kills[i])
			out.Union(shown)
			continue
		}
		if c.Target == target {
			others.Union(e.set.of(c, kills[i]))
			continue
		}
		for _, id := range kills[i] {
			others.Set(id)
		}
	}
	return out.Minus(others)
}

// everydayCases returns the calls to try in the place of the noisy tests of one function, and to reach what inner is for.
func (m *mutantChooser) everydayCases(tests []*testcase.Case, noisy, inner []noisyTest) []*testcase.Case {
	accepted := m.acceptedBy(tests)
	known := make(map[string]bool)
	for _, c := range tests {
		known[c.Seq.Key()] = true
	}
	var out []*testcase.Case
	try := func(n noisyTest, text string) {
		c := tests[n.index]
		seq, ok := plain.WithText(c.Seq, n.stmt, text)
		if !ok || len(out) == mostEverydayFor {
			return
		}
		key := seq.Key()
		if known[key] || m.given.Disputed[key] {
			return
		}
		known[key] = true
		d := *c
		d.Seq, d.Predicted, d.Path, d.Observed = seq, nil, nil, nil
		out = append(out, &d)
	}
	whole := m.wholeTexts(noisy, tests, accepted)
	for _, n := range noisy {
		for _, text := range whole[m.readerOf(tests[n.index], n.stmt)] {
			try(n, text)
		}
	}
	for _, n := range noisy {
		if n.known {
			continue
		}
		for _, text := range everyday.Instead(n.text, accepted[tests[n.index].Target]) {
			try(n, text)
		}
	}
	for _, n := range noisy {
		if n.known {
			continue
		}
		for _, text := range everyday.Words {
			try(n, text)
		}
	}
	for _, n := range inner {
		try(n, "foo "+n.text)
		try(n, n.text)
	}
	return out
}

// wholeTexts returns, for each function that noisy tests pass a text, texts as its users have them: those of the notation that it
// reads, those that it accepts, such texts from a sign on that the code asks for, and with one part exchanged for a constant that it asks for, or one that a
// function asks for which it reaches.
func (m *mutantChooser) wholeTexts(noisy []noisyTest, tests []*testcase.Case, accepted accepted) map[string][]string {
	out := make(map[string][]string)
	signs := plain.Signs(m.Pkg)
	for _, n := range noisy {
		reader := m.readerOf(tests[n.index], n.stmt)
		if _, known := out[reader]; known || reader == "" {
			continue
		}
		var texts []string
		if of := m.notationOf(reader); of != nil {
			for _, t := range of.Texts() { // what a check refuses is another kind of input elsewhere
				texts = append(texts, t.Value)
			}
		}
		texts = slices.Concat(texts, accepted[reader])
		whole := slices.Clone(texts)
		groups := m.asked(reader)
		for _, text := range texts {
			if len(text) <= longestGrafted {
				whole = append(whole, everyday.Grafts(text, groups)...)
			}
		}
		whole = append(whole, rests(texts, signs)...)
		out[reader] = whole
	}
	return out
}

// rests returns what texts are from the first sign on which code asks for: (Linux) of curl (Linux).
func rests(texts []string, signs []rune) []string {
	const most = 12
	var out []string
	for _, text := range texts {
		for _, sign := range signs {
			if i := strings.IndexRune(text, sign); i > 0 && i+1 < len(text) && len(out) < most {
				out = append(out, text[i:])
			}
		}
	}
	return out
}

// longestGrafted is the length of the longest text of which variants with other constants are made, in bytes.
const longestGrafted = 200

// asked returns the constants that a function and those which it reaches ask for, those of one function together, and those of the
// package's tables.
func (m *mutantChooser) asked(function string) [][]string {
	if m.Pkg.Literals == nil {
		return nil
	}
	var out [][]string
	for _, name := range slices.Sorted(maps.Keys(m.Pkg.Literals.ByFunc)) {
		if own := m.Pkg.Literals.ByFunc[name]; name == function || m.reaches(function, name) {
			out = append(out, own.Strings)
		}
	}
	return append(out, m.Pkg.Literals.Tables...)
}

// readerOf returns the function that a case passes the text of a statement to, or "".
func (m *mutantChooser) readerOf(c *testcase.Case, stmt int) string {
	for i := c.TargetStmt(); i > stmt; i-- {
		st := c.Seq.At(i)
		passed := func(a testcase.Ref) bool {
			at, ok := plain.TextBehind(m.Pkg, c.Seq, a)
			return ok && at == stmt
		}
		if outcome.IsPlainCall(st.Op) && st.Op.Func.Pkg() == m.Pkg.Types && slices.ContainsFunc(st.Args, passed) {
			return testcase.TargetName(st.Op.Func)
		}
	}
	return ""
}

// fewest chooses the calls that take the place of tests: for each function no more calls than there are tests of it to replace. It
// takes one call after the other, always the one that shows most of what these tests alone show and no chosen call shows; of two
// that show as much it takes the plainer one.
func (e *exchange) fewest(cases []*testcase.Case, ids [][]int) []*testcase.Case {
	order := make([]int, len(cases))
	strange := make([]int, len(cases))
	shows := make([]testcase.Cover, len(cases))
	for i, c := range cases {
		order[i], strange[i] = i, plain.Strangeness(e.m.Pkg, c)
		shows[i] = e.set.of(c, ids[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return strange[a] - strange[b] })
	taken := make(map[string]int)
	var out []*testcase.Case
	reduce.Greedily(len(cases), func(k int) int {
		c := cases[order[k]]
		missing := e.alone[c.Target]
		gain := missing.Count() - missing.CountBeyond(shows[order[k]])
		if gain == 0 || taken[c.Target] == e.most[c.Target] {
			return -1
		}
		return gain
	}, func(k int) {
		c := cases[order[k]]
		for target, missing := range e.alone {
			if target == c.Target {
				missing = missing.Minus(shows[order[k]])
			}
			e.alone[target] = missing.Minus(e.hiddenIn(shows[order[k]]))
		}
		taken[c.Target]++
		out = append(out, c)
	})
	return out
}

// hiddenIn returns what a call shows of what only tests of unexported functions cover.
func (e *exchange) hiddenIn(shown testcase.Cover) testcase.Cover {
	return e.hidden.Minus(e.hidden.Minus(shown))
}
