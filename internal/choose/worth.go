package choose

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

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

// noteReasons notes for each kept test why it is kept: the elements that it alone shows. shows are the
// elements of each test; count says in how many of the kept tests each element is.
func (m *mutantChooser) noteReasons(tests []*testcase.Case, drop map[int]bool, shows [][]string, count map[string]int) {
	m.Why = make(map[*testcase.Sequence][]string)
	for i, c := range tests {
		if drop[i] {
			continue
		}
		var why []string
		for _, e := range shows[i] {
			if count[e] == 1 {
				why = append(why, m.reason(e))
			}
		}
		m.Why[c.Seq] = why
	}
}

// reason says in words what an element of a test is.
func (m *mutantChooser) reason(element string) string {
	kind, rest, _ := strings.Cut(element, " ")
	switch kind {
	case "block":
		n, err := strconv.Atoi(rest)
		if blocks := m.bench.Blocks(); err == nil && n < len(blocks) {
			b := blocks[n]
			place := fmt.Sprintf("%s:%d", filepath.Base(b.Pos.Filename), b.Pos.Line)
			if b.Text != "" {
				return fmt.Sprintf("covers %s: %s is %t", place, b.Text, b.Value)
			}
			return "covers " + place
		}
	case "mutant":
		n, err := strconv.Atoi(rest)
		if err == nil && n > 0 && n <= len(m.ofMutants) {
			v := m.ofMutants[n-1].Mutant
			v.Pos.Filename = filepath.Base(v.Pos.Filename)
			return "kills " + v.String()
		}
	case "outcome":
		target, class, _ := strings.Cut(rest, " ")
		return "shows the outcome of " + target + ": " + class
	case "way":
		target, _, _ := strings.Cut(rest, " ")
		return "takes a way of its own through " + target
	case "state":
		target, state, _ := strings.Cut(rest, " ")
		return "calls " + target + " in the state " + state
	case "documented":
		return "is what the documentation says of " + rest
	}
	return element
}

// mostOrdinary is how many ordinary calls of a function are kept for themselves.
const mostOrdinary = 5

// ordinary returns calls of exported functions with what users have (see isUsual), a few of each function, each
// with a result that is neither empty, nor what was passed, nor that of another. A function that passes a text on to another
// one has none with a text that the other one has, too.
func (m *mutantChooser) ordinary(tests []*testcase.Case) map[*testcase.Case]bool {
	out := make(map[*testcase.Case]bool)
	chosen := make(map[string][]*testcase.Case)
	passes := m.passingOn(tests)
	for _, c := range tests {
		if passes[c] {
			continue
		}
		if !m.isUsual(c) || c.Observed.Status != testcase.Returned || hasError(c) || returnsEmpty(c) || returnsItsInput(c) || listsItsInput(c) || returnsNothing(c) || m.handBuilt(c) || m.idle[c] || isLong(c) || assertsNothing(c) {
			continue
		}
		if byHand := m.given.Existing != nil && m.given.Existing.Contains(c.Observed.Cover); byHand || len(chosen[c.Target]) == mostOrdinary {
			continue
		}
		if slices.ContainsFunc(chosen[c.Target], func(d *testcase.Case) bool { return sameResults(c, d) }) {
			continue
		}
		chosen[c.Target] = append(chosen[c.Target], c)
		out[c] = true
	}
	return out
}

// listsItsInput reports whether a case's call returns a list of nothing but a text that it was given.
func listsItsInput(c *testcase.Case) bool {
	at := c.TargetStmt()
	if at >= len(c.Observed.Results) || len(c.Observed.Results[at]) == 0 || len(c.Observed.Results[at][0].Elems) != 1 {
		return false
	}
	only := c.Observed.Results[at][0].Elems[0]
	return only.Kind == testcase.String && slices.ContainsFunc(c.Seq.At(at).Args, func(a testcase.Ref) bool {
		op := c.Seq.At(a.Stmt).Op
		return op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString && op.Lit.Str == only.Str
	})
}

// passingOn returns the tests with usual texts whose function calls another exported one of which there is a test with the
// same text.
func (m *mutantChooser) passingOn(tests []*testcase.Case) map[*testcase.Case]bool {
	byText := make(map[string][]*testcase.Case)
	for _, c := range tests {
		if text, ok := m.usualText(c); ok && c.Observed.Status == testcase.Returned {
			byText[text] = append(byText[text], c)
		}
	}
	executes := func(c *testcase.Case, target string) bool {
		for b, block := range m.bench.Blocks() {
			if block.Func == target && c.Observed.Cover.Has(b) {
				return true
			}
		}
		return false
	}
	out := make(map[*testcase.Case]bool)
	for _, of := range byText {
		for _, c := range of {
			out[c] = slices.ContainsFunc(of, func(d *testcase.Case) bool {
				return d.Target != c.Target && executes(c, d.Target) && !executes(d, c.Target)
			})
		}
	}
	return out
}
