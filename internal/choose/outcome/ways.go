package outcome

import (
	"fmt"
	"go/types"
	"maps"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Ways returns the way that each test's call took through its function: the set of blocks and condition outcomes that it covers
// there. In `y%4 == 0 && y%100 != 0 || y%400 == 0` the year 100 takes a way of its own, although other years cover each of its
// outcomes. The blocks are those of the package.
func Ways(tests []*testcase.Case, blocks []testcase.Block) map[*testcase.Case]string {
	own := make(map[string][]int) // blocks, by function
	for b, block := range blocks {
		own[block.Func] = append(own[block.Func], b)
	}
	out := make(map[*testcase.Case]string)
	for _, c := range tests {
		var way strings.Builder
		for _, b := range own[c.Target] {
			if c.Observed.Cover.Has(b) {
				fmt.Fprint(&way, b, " ")
			}
		}
		out[c] = way.String()
	}
	return out
}

// FailuresPassedOn returns the tests of functions that only pass on how another function failed, and what each of them shows: that
// the function fails where the other does, on this way through itself. How often and why the other fails is for the tests of the
// other to show, which are among these tests and fail in the same way. That a panic goes through a function is how Go works, so
// one test of all functions is enough for a panic, if the functions have other tests, and one of each function for all panics, if
// it has not. The blocks are those of the package, and exported has the names of its exported functions.
func FailuresPassedOn(tests []*testcase.Case, blocks []testcase.Block, exported map[string]bool) map[*testcase.Case]string {
	failing := make(map[string]map[string]bool) // functions, by how a test of theirs failed
	executes := make(map[*testcase.Case]map[string]bool)
	for _, c := range tests {
		how := Failure(c)
		if how == "" {
			continue
		}
		if failing[how] == nil {
			failing[how] = make(map[string]bool)
		}
		failing[how][c.Target] = true
		executes[c] = make(map[string]bool)
		for b, block := range blocks {
			if c.Observed.Cover.Has(b) {
				executes[c][block.Func] = true
			}
		}
	}
	calls := make(map[string]map[string]bool) // the functions that failing tests of a function execute
	for c, functions := range executes {
		if calls[c.Target] == nil {
			calls[c.Target] = make(map[string]bool)
		}
		maps.Copy(calls[c.Target], functions)
	}
	ways := Ways(tests, blocks)
	returns := make(map[string]bool)
	for _, c := range tests {
		returns[c.Target] = returns[c.Target] || c.Observed.Status == testcase.Returned && !HasError(c) && !AssertsNothing(c)
	}
	out := make(map[*testcase.Case]string)
	for c, functions := range executes {
		for other := range failing[Failure(c)] {
			if other != c.Target && functions[other] && !calls[other][c.Target] && (exported[other] || !exported[c.Target]) {
				out[c] = "failure passed on by " + c.Target + " " + ways[c]
				switch {
				case c.Observed.Panic == nil:
				case returns[c.Target]:
					out[c] = "passed on: " + Failure(c)
				default:
					out[c] = "panic passed on by " + c.Target
				}
				break
			}
		}
	}
	return out
}

// mostSteps is how many calls a reader follows to see how a test's object got into its state.
const mostSteps = 6

// IsLong reports whether a test has more steps before its call than a reader follows.
func IsLong(c *testcase.Case) bool { return StepsUpTo(c, c.TargetStmt()) > mostSteps }

// StepsUpTo counts the steps of a case before a statement. Consecutive calls of one method whose results nothing uses
// are one step, because a loop or a helper makes them.
func StepsUpTo(c *testcase.Case, end int) int {
	used := make([]bool, c.Seq.Len()) // whether a later statement takes the result as an argument; receivers do not count
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		for k, a := range st.Args {
			used[a.Stmt] = used[a.Stmt] || k > 0 || st.Op.Kind != testcase.OpMethod
		}
	}
	steps := 0
	var last *types.Func
	for i := range end {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod && !op.Kind.Assigns() {
			continue
		}
		if op.Func == nil || op.Func != last || used[i] {
			steps++
		}
		last = op.Func
	}
	return steps
}

// CallsOf counts the statements of a test that are no constants.
func CallsOf(c *testcase.Case) int { return CallsUpTo(c, c.Seq.Len()-1) }

// CallsUpTo does the same as CallsOf up to a statement.
func CallsUpTo(c *testcase.Case, last int) int {
	n := 0
	for i := range last + 1 {
		switch c.Seq.At(i).Op.Kind {
		case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite, testcase.OpGlobal, testcase.OpConvert:
		default:
			n++
		}
	}
	return n
}
