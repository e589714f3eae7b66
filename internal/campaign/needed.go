package campaign

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// needed returns the tests without those that nobody would miss, with the mutants that each
// kills. A test is missed if it covers a block, kills a mutant or shows an outcome of its
// function that no other test does. What an observer returns is asserted behind the calls of
// other methods, so an observer's own outcomes are not missed.
//
// Tests are tried one after the other and dropped for good, those that say least first: those
// of calls that return nothing, then observers', then those of functions that are not exported, then the longest.
func (m *mutantChooser) needed(tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int) {
	observer := make(map[string]bool)
	for _, t := range m.Pkg.Targets {
		observer[t.Name] = m.observers.shows(t.Obj)
	}
	shows := make([][]string, len(tests))
	count := make(map[string]int)
	for i, c := range tests {
		shows[i] = m.elements(c, kills[i], m.exported[c.Target], !observer[c.Target])
		for _, e := range shows[i] {
			count[e]++
		}
	}
	order := make([]int, len(tests))
	for i := range order {
		order[i] = i
	}
	class := func(i int) int {
		switch c := tests[i]; {
		case isSilent(c):
			return 0
		case observer[c.Target]:
			return 1
		case !m.exported[c.Target]:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(class(a)-class(b), tests[b].Seq.Len()-tests[a].Seq.Len(), b-a)
	})
	drop := make(map[int]bool)
	for _, i := range order {
		if slices.ContainsFunc(shows[i], func(e string) bool { return count[e] == 1 }) {
			continue
		}
		drop[i] = true
		for _, e := range shows[i] {
			count[e]--
		}
	}
	var left []*testcase.Case
	var ids [][]int
	for i, c := range tests {
		if !drop[i] {
			left, ids = append(left, c), append(ids, kills[i])
		}
	}
	return left, ids
}

// elements returns what a test shows: blocks that the hand-written tests do not cover, mutants,
// and, if outcomes count, the class of its outcome. Of a function that is not exported only
// blocks count, and what it returns: what else it does is for the functions' tests to show
// that users call.
func (m *mutantChooser) elements(c *testcase.Case, kills []int, exported, outcomes bool) []string {
	if !exported && changesOnly(c) {
		kills, outcomes = nil, false
	}
	var out []string
	for b := range m.bench.Blocks() {
		if c.Observed.Cover.Has(b) && !m.existing.Has(b) {
			out = append(out, fmt.Sprint("block ", b))
		}
	}
	for _, id := range kills {
		out = append(out, fmt.Sprint("mutant ", id))
	}
	if outcomes {
		out = append(out, "outcome "+c.Target+" "+outcomeClass(c))
	}
	return out
}

// outcomeClass says how the call of a case ended, as far as a reader would tell outcomes apart:
// its errors by identity, truths by value, and of all else whether it is nil.
func outcomeClass(c *testcase.Case) string {
	o := c.Observed
	var b strings.Builder
	b.WriteString(o.Status.String())
	if o.Panic != nil {
		b.WriteString(" " + o.Panic.Kind + " " + o.Panic.Message)
	}
	target, end := c.TargetStmt(), c.Seq.Len()
	if _, shown := c.Shown(); shown {
		end = target + 1 // observers tell of the object, and not of the outcome
	}
	for i := target; i < min(end, len(o.Results)); i++ {
		for _, v := range o.Results[i] {
			b.WriteString(" " + valueClass(v))
		}
	}
	return b.String()
}

// valueClass is what a reader tells values of results apart by.
func valueClass(v testcase.Value) string {
	switch {
	case v.Err != nil && len(v.Err.Sentinels) > 0:
		return v.Err.Sentinels[0].Name()
	case v.Err != nil:
		return "error"
	case v.Kind == testcase.Bool:
		return fmt.Sprint(v.Bits != 0)
	case v.Kind == testcase.Nil:
		return "nil"
	}
	return "value"
}

// changesOnly reports whether the call of a case returns nothing: all that its test could look
// at are fields.
func changesOnly(c *testcase.Case) bool {
	at := c.TargetStmt()
	return len(c.Seq.ResultTypes()[at]) == 0
}

// isSilent reports whether nothing comes of the case's call, and of what is called behind it,
// that a test could compare: a test would only say that it does not panic.
func isSilent(c *testcase.Case) bool {
	if len(c.Observed.Final) > 0 && c.Seq.Last().Op.Kind == testcase.OpMethod {
		return false // it may have changed its receiver
	}
	results := c.Seq.ResultTypes()
	for i := c.TargetStmt(); i < c.Seq.Len(); i++ {
		for _, t := range results[i] {
			if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
				return false
			}
		}
	}
	return true
}
