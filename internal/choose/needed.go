package choose

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/emit/phrase"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// needed drops the tests that nobody would miss, and returns the others with the mutants that each kills. A test is
// missed if no other test covers one of its blocks, kills one of its mutants, shows the same outcome of its function,
// takes the same way through it, or calls it on an object without elements or with several. The test that shows best what
// an exported function is for is missed as well. These rules change that:
//
//   - what an observer returns is asserted behind the calls of other methods as well: an outcome of it that such a test
//     shows needs no test of the observer's own, and its ways and states do not count;
//   - a test with so many steps that nobody would follow them is missed only if it executes statements that no other test
//     executes;
//   - some tests are missed only for blocks that no other test covers, whatever else they show: those of objects that users
//     cannot come by, those of unexported functions of numbers, texts and truths which tests of exported ones reach, and
//     those of functions that no test can tell from functions which do nothing;
//   - tests of other unexported functions are not missed where tests of exported ones cover half of these functions;
//   - a test that compares nothing, or that is beside the point (beside.go), is never missed; of a test that could compare
//     nothing but unexported fields only mutants count, and statements that no other test executes, and of a function that is no
//     method two mutants or three statements: readers would see an option by what it does, and not by the field that it sets;
//   - of the tests that differ in a constant alone, one is missed for each constant, if all make a difference;
//   - of the documentation's programs with one option more, one is missed for each option;
//   - of the tests of a function that passes on how another one fails, one is missed for each way through the
//     function, where tests of the other fail alike;
//   - of the tests of a function with texts that users have, a few are missed whatever others show, because a reader looks
//     for these first;
//   - where a function has tests that return something else than its best one, one of these is missed;
//   - a test that asks what became of an element which the call did not name is missed, as that of a full cache;
//   - a test of a call in the documentation is missed, unless a hand-written test makes the same call;
//   - a test that passes a text which nobody would write is not missed for one or two mutants, and one that passes a
//     number which nobody would pass for no mutant;
//   - a test on which users have no hold (see isInner), and one whose preparing calls fail, are missed only for two statements
//     or two mutants at least, but for one statement on the zero value of a type that users make otherwise; the latter also for a change of its object; a test of a getter that no test can tell from
//     one that does nothing is missed for two mutants or four statements;
//   - a test that makes an object of which everything that is asked is zero, is missed only if it shows best what the
//     function is for, or, if it is the only one of its function, for two statements or mutants, or for one where other tests show what else
//     the function makes;
//   - ways count only where no mutants say whether a way matters.
//
// Tests are tried one after the other and dropped for good. The tests that say least are tried first: calls that return
// nothing, then calls of observers, then calls of unexported functions, on nil and with noise, then calls of containers in a state that nobody
// chose, then the others, then calls with values as people write them, then the programs of the documentation and the first choice among the tests that show
// what a function is for, and calls of whose results the documentation speaks last. Among
// tests of one such class, a test with values that the documentation passes is tried after the others, a test of an object with
// several elements after one of another object, a test with more calls before one with fewer, a test with values that no person would choose before one with plain values, and of two as plain the one with less in its inputs.
func (m *mutantChooser) needed(tests []*testcase.Case, kills [][]int) ([]*testcase.Case, [][]int) {
	observer := make(map[string]bool)
	for _, t := range m.Pkg.Targets {
		observer[t.Name] = m.observers.Shows(t.Obj)
	}
	for _, c := range tests {
		for i := c.TargetStmt() + 1; i < c.Seq.Len(); i++ {
			if answers := m.answersBehind(c, i); answers != "" {
				observer[answers] = true
			}
		}
	}
	noisy, idles := m.withNoise(tests), m.idles(tests)
	shows := m.showing(tests, kills, observer, noisy)
	count := make(map[string]int)
	for _, elements := range shows {
		for _, e := range elements {
			count[e]++
		}
	}
	drop := make(map[int]bool)
	fresh := make(map[string]int) // tests that show a new object with nothing in it, by function: of these one is enough
	for _, c := range tests {
		if outcome.ShowsNewObject(c) {
			fresh[c.Target]++
		}
	}
	for _, i := range m.leastFirst(tests, observer, noisy) {
		only := m.alone(shows[i], count)
		isEnough := only.others > 0 || only.mutants > 0 && only.mutants >= noisy[i]
		switch hard := only.mutants >= fewestOfInner || only.statements >= fewestOfInner; {
		case m.isInner(tests[i]):
			isEnough = (hard || only.statements > 0 && m.isOnZero(tests[i])) && !outcome.IsVacuous(tests[i])
		case idles[tests[i].Target] && isGetter(tests[i]) && tests[i].Documented == "" && !tests[i].Keep && !tests[i].Whole:
			isEnough = only.mutants >= fewestOfInner || only.statements >= fewestOfIdle
		case tests[i].Documented == "" && !tests[i].Keep && (!isMethod(tests[i]) || outcome.MakesHidden(m.Pkg, tests[i])) && outcome.IsPrivate(m.Pkg, tests[i]):
			isEnough = only.mutants >= fewestOfInner || only.statements > fewestOfInner
		case tests[i].Documented == "" && !tests[i].Keep && !tests[i].Whole && outcome.ShowsNewObject(tests[i]):
			typical := "typical " + tests[i].Target
			isEnough = slices.Contains(shows[i], typical) && count[typical] == 1 || fresh[tests[i].Target] < 2 && (hard || (only.statements > 0 || only.mutants > 0) && besideOthers(tests, drop, i))
		case tests[i].Documented == "" && outcome.FailedBefore(m.Pkg, tests[i]) > 0:
			isEnough = hard || only.changes > 0 // three refusals may be what freezes an account
		}
		if isEnough {
			continue
		}
		drop[i] = true
		if outcome.ShowsNewObject(tests[i]) {
			fresh[tests[i].Target]--
		}
		for _, e := range shows[i] {
			count[e]--
		}
	}
	m.noteReasons(tests, drop, shows, count)
	m.noteIdle(idles)
	m.typical = make(map[*testcase.Sequence]bool)
	var left []*testcase.Case
	var ids [][]int
	for i, c := range tests {
		if !drop[i] {
			if slices.Contains(shows[i], "typical "+c.Target) {
				m.typical[c.Seq] = true
			}
			left, ids = append(left, c), append(ids, kills[i])
		}
	}
	return left, ids
}

// besideOthers reports whether a test that is not dropped calls the function of test i, and shows another object than one of zeros.
func besideOthers(tests []*testcase.Case, drop map[int]bool, i int) bool {
	f := tests[i].Seq.At(tests[i].TargetStmt()).Op.Func
	for k, c := range tests {
		if drop[k] || c.Observed.Status != testcase.Returned || outcome.ShowsNewObject(c) {
			continue
		}
		for j := range c.Seq.Len() {
			if c.Seq.At(j).Op.Func == f {
				return true
			}
		}
	}
	return false
}

// noteIdle notes the functions that no test can tell from a function that does nothing, of all tests that there were.
func (m *mutantChooser) noteIdle(idles map[string]bool) {
	if m.idle == nil {
		return
	}
	if m.idlers == nil {
		m.idlers = make(map[string]bool)
	}
	for target, idle := range idles {
		was, known := m.idlers[target]
		m.idlers[target] = idle && (was || !known)
	}
}

// fewestOfInner is how many mutants or statements a test on which users have no hold has to show alone. A reader would not follow
// a structure that somebody wrote field by field to see that a method returns a constant.
const fewestOfInner = 2

// fewestOfIdle is how many statements a test alone has to execute if a function that does nothing would pass it. A getter may
// take a lock, give it back and return.
const fewestOfIdle = 4

// isGetter reports whether a test's call is that of a method that takes nothing and returns more than an error. Of zero inputs a
// function may well make zero, and what a method that returns an error has done may be in a file.
func isGetter(c *testcase.Case) bool {
	if !isMethod(c) {
		return false
	}
	sig := c.Seq.At(c.TargetStmt()).Op.Signature()
	return sig.Params().Len() == 0 && sig.Results().Len() > 0 && !gosyntax.IsError(sig.Results().At(0).Type())
}

func isMethod(c *testcase.Case) bool { return c.Seq.At(c.TargetStmt()).Op.Kind == testcase.OpMethod }

// isInner reports whether users have no hold on what a test shows: its function is unexported and takes more than numbers,
// texts and truths, its object is one that users cannot make, or it makes up an option. In a command all functions are alike.
func (m *mutantChooser) isInner(c *testcase.Case) bool {
	if c.Documented != "" || c.Keep || c.Whole || m.Pkg.Name == "main" {
		return false
	}
	if !m.given.Exported[c.Target] {
		return !m.takesBasics(c.Target)
	}
	return m.handBuilt(c) || m.onInnerLiteral(c) || m.makesUpOption(c)
}

// isOnZero reports whether a test calls an exported function on or with zero values of types that users make otherwise, and nothing but that
// keeps users from calling it so. That such an object refuses with an error says nothing.
func (m *mutantChooser) isOnZero(c *testcase.Case) bool {
	return m.given.Exported[c.Target] && c.Observed.Status == testcase.Returned && !outcome.HasError(c) && !finding.HandBuilt(m.Pkg, c) && !m.onInnerLiteral(c) && !m.makesUpOption(c)
}

// makesUpOption reports whether a stand-in or an empty option stands in a test where users pass what the package's functions return,
// or whether the test calls an option itself, where users pass it on.
func (m *mutantChooser) makesUpOption(c *testcase.Case) bool {
	if sig := c.Seq.At(c.TargetStmt()).Op.Signature(); sig != nil && sig.Results().Len() == 1 && usage.IsOption(m.Pkg, sig.Results().At(0).Type()) {
		return true
	}
	for i := range c.TargetStmt() {
		op := c.Seq.At(i).Op
		switch op.Kind {
		case testcase.OpStubFunc, testcase.OpStubIface, testcase.OpZero:
			if usage.IsOption(m.Pkg, op.Type) {
				return true
			}
		}
	}
	return false
}

// onInnerLiteral reports whether the receiver of a test's call is a literal of an unexported struct of the package.
func (m *mutantChooser) onInnerLiteral(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod {
		return false
	}
	made := c.Seq.At(st.Args[0].Stmt)
	if made.Op.Kind == testcase.OpAddr {
		made = c.Seq.At(made.Args[0].Stmt)
	}
	named := load.NamedOf(made.Op.Type)
	if made.Op.Kind != testcase.OpZero && made.Op.Kind != testcase.OpComposite || named == nil || named.Obj().Pkg() != m.Pkg.Types {
		return false
	}
	_, isStruct := named.Underlying().(*types.Struct)
	return isStruct && !named.Obj().Exported()
}

// share counts what a test shows and no other test: mutants, statements, changes of objects, and anything but mutants.
type share struct{ mutants, statements, changes, others int }

// alone returns what of the shown no other test shows.
func (m *mutantChooser) alone(shown []string, count map[string]int) (only share) {
	blocks := m.bench.Blocks()
	for _, e := range shown {
		if count[e] != 1 {
			continue
		}
		if strings.HasPrefix(e, "mutant ") {
			only.mutants++
			continue
		}
		only.others++
		if strings.HasPrefix(e, changeElement) {
			only.changes++
		}
		if of, ok := strings.CutPrefix(e, "block "); ok {
			if b, err := strconv.Atoi(of); err == nil {
				only.statements += blocks[b].Stmts
			}
		}
	}
	return only
}

// leastFirst returns the numbers of the tests in the order in which needed tries to drop them: the tests that
// say least come first. noisy has the tests that pass what nobody would.
func (m *mutantChooser) leastFirst(tests []*testcase.Case, observer map[string]bool, noisy map[int]int) []int {
	inStates := make(map[string]bool) // targets with calls on objects in standard states
	for c, state := range m.standard.state {
		if state != container.Many || !plain.NamesTexts(m.Pkg, c) {
			inStates[c.Target] = true
		}
	}
	class := func(i int) int {
		switch c := tests[i]; {
		case c.Documented != "", c.Story != nil:
			return 7
		case outcome.IsSilent(c) || outcome.IsPrivate(m.Pkg, c) || m.makesUpOption(c):
			return 0
		case m.best[c] || isProgram(c):
			return 6
		case m.handBuilt(c):
			return 0
		case observer[c.Target] && phrase.OnNil(c): // what is absent shows better on an object that has something in it
			return 0
		case observer[c.Target]:
			return 1
		case !m.given.Exported[c.Target], noisy[i] > 0, phrase.OnNil(c):
			return 2
		case inStates[c.Target] && m.standard.state[c] == container.Unknown:
			return 3
		case m.standard.state[c] == container.Many:
			return 5 // calls on objects with several elements, as people write them
		}
		return 4
	}
	order := make([]int, len(tests))
	strange, rich := make([]int, len(tests)), make([]int, len(tests))
	documented := make([]int, len(tests)) // 1 for calls with values that the documentation passes
	several := make([]int, len(tests))    // 1 for calls on objects with several elements
	changes := make([]int, len(tests))    // 1 for calls that return something else than what they were given
	for i, c := range tests {
		order[i] = i
		if !outcome.ReturnsItsInput(c) {
			changes[i] = 1
		}
		if m.standard.state[c] == container.Several {
			several[i] = 1
		}
		strange[i], rich[i] = plain.Strangeness(m.Pkg, c), plain.Richness(m.Pkg, c)
		if plain.IsDocumented(m.Pkg, c) {
			documented[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(class(a)-class(b), documented[a]-documented[b], several[a]-several[b], changes[a]-changes[b], outcome.CallsOf(tests[b])-outcome.CallsOf(tests[a]), strange[b]-strange[a], rich[a]-rich[b], tests[b].Seq.Len()-tests[a].Seq.Len(), b-a)
	})
	return order
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
