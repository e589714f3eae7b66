package choose

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/choose/question"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// showing returns the elements that each test shows, and none for tests that are beside the point or compare nothing. The map
// observer says of which functions the results are asserted behind other calls.
func (m *mutantChooser) showing(tests []*testcase.Case, kills [][]int, observer map[string]bool, noisy map[int]int) [][]string {
	shows, noticed := make([][]string, len(tests)), kills
	var ways map[*testcase.Case]string
	if m.planted == nil {
		ways = m.ways(tests)
	}
	keeping := m.keeping(tests, kills)
	beside, idles, stateful := m.besideThePoint(tests, keeping), m.idles(tests), m.stateful(tests)
	seen := slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool {
		return beside[c] || outcome.AssertsNothing(c) || outcome.IsPrivate(m.Pkg, c) // what these execute others may be needed for
	})
	all, public := m.ownOf(seen), m.shownToUsers(seen, tests, noticed)
	reached, shown := m.reachedByUsers(seen)
	onlyBlocks := func(c *testcase.Case) bool {
		return idles[c.Target] && !keeping[c] || reached[c.Target] || outcome.IsLong(c) || m.given.Exported[c.Target] && m.handBuilt(c)
	}
	// A test stands for its own function if the function is one of the users' and no observer.
	stands := func(c *testcase.Case) bool {
		return m.given.Exported[c.Target] && !observer[c.Target] && !beside[c] && !outcome.AssertsNothing(c) && !m.makesUpOption(c)
	}
	kills = m.ownKills(tests, kills, func(c *testcase.Case) bool { return stands(c) && !onlyBlocks(c) })
	m.home = m.coveredAtHome(tests, func(c *testcase.Case) bool { return stands(c) && !outcome.IsPrivate(m.Pkg, c) })
	typical, passedOn, constants := m.typicalOf(tests, observer), m.passedOn(tests), m.constantsOf(tests)
	ordinary, states := m.ordinary(tests), m.statesOf(tests, observer, stateful)
	contrasts := m.contrasts(tests, noisy, func(c *testcase.Case) bool { return stands(c) && !onlyBlocks(c) })
	for i, c := range tests {
		if beside[c] || outcome.AssertsNothing(c) || shown[c.Target] {
			continue
		}
		if outcome.IsPrivate(m.Pkg, c) {
			shows[i] = m.blocksOf(c, all, true)
			for _, id := range kills[i] {
				if !public(c, id) {
					shows[i] = append(shows[i], fmt.Sprint("mutant ", id))
				}
			}
			continue
		}
		if onlyBlocks(c) {
			shows[i] = m.blocksOf(c, all, reached[c.Target] || outcome.IsLong(c))
		} else {
			shows[i] = append(m.elements(c, all, kills[i], passedOn[c] == ""), outcome.Asked(c, observer)...)
			if stands(c) {
				shows[i] = append(shows[i], typicalAsked(c, observer)...)
				shows[i] = append(shows[i], m.askedBehindInterface(c)...)
			}
			if way := passedOn[c]; way != "" && m.given.Exported[c.Target] {
				shows[i] = append(shows[i], way)
			}
		}
		if w, ok := ways[c]; ok && m.given.Exported[c.Target] && !observer[c.Target] && !outcome.IsLong(c) && !m.handBuilt(c) && !m.idle[c] {
			shows[i] = append(shows[i], "way "+c.Target+" "+w)
		}
		if stands(c) && question.AsksOthers(c) {
			shows[i] = append(shows[i], "element not named by "+c.Target)
		}
		shows[i] = append(m.withoutOptions(c, shows[i]), m.changes[c.Seq]...)
		if option := addedTo(c); c.Whole && m.optioned[option] {
			shows[i] = append(shows[i], "option "+option)
		}
		if constant := constants[c]; constant != "" {
			shows[i] = append(shows[i], constant)
		}
		if contrast := contrasts[c]; contrast != "" {
			shows[i] = append(shows[i], contrast)
		}
		if ordinary[c] {
			shows[i] = append(shows[i], "ordinary "+c.Seq.Key())
		}
		if typical[c] {
			shows[i] = append(shows[i], "typical "+c.Target)
		}
		if state := states[c]; state != "" {
			shows[i] = append(shows[i], state)
		}
	}
	outcome.AddCoarser(shows)
	return shows
}

// withoutOptions returns what a test shows that can compare nothing but that its call ends well, without what is in the functions that make the options
// which the call is passed: of these it says nothing. Of other tests it returns all.
func (m *mutantChooser) withoutOptions(c *testcase.Case, shows []string) []string {
	if !outcome.OnlySucceeds(c) {
		return shows
	}
	makers := make(map[string]bool)
	for i := range c.TargetStmt() {
		if op := c.Seq.At(i).Op; op.Kind == testcase.OpFunc && op.Func.Pkg() == m.Pkg.Types && len(c.Seq.ResultTypes()[i]) == 1 && usage.IsOption(m.Pkg, c.Seq.ResultTypes()[i][0]) {
			makers[testcase.TargetName(op.Func)] = true
		}
	}
	if len(makers) == 0 {
		return shows
	}
	hidden := make(map[string]bool)
	for b, block := range m.bench.Blocks() {
		if makers[block.Func] {
			hidden[fmt.Sprint("block ", b)] = true
		}
	}
	for id, of := range m.ofMutants {
		if makers[of.Mutant.Func] {
			hidden[fmt.Sprint("mutant ", id+1)] = true
		}
	}
	return slices.DeleteFunc(shows, func(e string) bool { return hidden[e] })
}

// statesOf returns what calls on containers in standard states show: what one on a filled one comes to, and that a call on an empty one comes to
// something that none on a filled one comes to. The functions in stateful are those for which the state matters.
func (m *mutantChooser) statesOf(tests []*testcase.Case, observer, stateful map[string]bool) map[*testcase.Case]string {
	ofSeveral := make(map[string]bool)
	for _, c := range tests {
		if m.standard.state[c] == container.Several {
			ofSeveral[outcome.Element(c.Target, outcome.Class(c))] = true
		}
	}
	out := make(map[*testcase.Case]string)
	for _, c := range tests {
		looksUp := len(c.Seq.At(c.TargetStmt()).Args) > 1 // a method that is asked for something, like Has
		state := m.standard.state[c]
		counts := state == container.Empty && !ofSeveral[outcome.Element(c.Target, outcome.Class(c))] || state == container.Several
		if counts && (!observer[c.Target] || looksUp) && stateful[c.Target] {
			out[c] = fmt.Sprint("state ", c.Target, " ", state, " ", outcome.Class(c))
		}
	}
	return out
}

// elements returns what a test shows: blocks that the hand-written tests do not cover (see blocksOf), mutants, and, if
// outcomes count, the class of its outcome. For an unexported function that returns nothing only blocks
// count, because its effects are for the tests of the exported functions to show.
func (m *mutantChooser) elements(c *testcase.Case, all testcase.Cover, kills []int, outcomes bool) []string {
	if !m.given.Exported[c.Target] && outcome.ReturnsNothing(c) {
		kills, outcomes = nil, false
	}
	out := m.blocksOf(c, all, false)
	for _, id := range kills {
		out = append(out, fmt.Sprint("mutant ", id))
	}
	if c.Keep {
		out = append(out, "kept "+c.Seq.Key())
	}
	if outcomes {
		out = append(out, outcome.Element(c.Target, outcome.ClassByOwn(c, m.words)))
	}
	return out
}

// contrasts returns what tests show beside the best test of their function (see [outcome.Contrasts]). The parameter stands says which
// tests stand for their function; of these only such count as have values that are as plain as those of the best one, or a
// container in a standard state.
func (m *mutantChooser) contrasts(tests []*testcase.Case, noisy map[int]int, stands func(*testcase.Case) bool) map[*testcase.Case]string {
	withNoise := make(map[*testcase.Case]bool)
	for i := range noisy {
		withNoise[tests[i]] = noisy[i] > 0
	}
	plainest := make(map[string]int) // how strange the values of each function's best test are
	shown := make(map[string]bool)   // functions whose best test returns a document in which nothing is left empty: it shows all that another would
	for c := range m.best {
		plainest[c.Target], shown[c.Target] = plain.Strangeness(m.Pkg, c), outcome.ReturnsDocument(c) && outcome.Zeros(c) == 0
	}
	return outcome.Contrasts(tests, m.best, func(c *testcase.Case) bool {
		return stands(c) && !shown[c.Target] && (m.standard.state[c] != container.Unknown || !withNoise[c] && (plain.Strangeness(m.Pkg, c) <= plainest[c.Target] || outcome.PassesNothing(c))) && !outcome.IsPrivate(m.Pkg, c) && !outcome.IsLong(c)
	})
}

// stateful returns the functions for which it makes a difference whether their object has elements: of two calls, one on
// an object without elements and one on an object with several, the results or the ways through the function differ.
func (m *mutantChooser) stateful(tests []*testcase.Case) map[string]bool {
	empty, several := make(map[string][]*testcase.Case), make(map[string][]*testcase.Case)
	for _, c := range tests {
		switch m.standard.state[c] {
		case container.Empty:
			empty[c.Target] = append(empty[c.Target], c)
		case container.Several:
			several[c.Target] = append(several[c.Target], c)
		}
	}
	ways := m.allWays(tests)
	out := make(map[string]bool)
	for target, of := range several {
		for _, c := range of {
			if isApartFromFilling(m.observers, c) {
				continue
			}
			out[target] = out[target] || len(empty[target]) == 0 || slices.ContainsFunc(empty[target], func(d *testcase.Case) bool {
				return ways[c] != ways[d] || outcome.Class(c) != outcome.Class(d) || !outcome.SameResults(c, d) && (!outcome.ReturnsNothing(c) || !outcome.LeavesSame(c, d))
			})
		}
	}
	for target := range empty {
		out[target] = out[target] || len(several[target]) == 0
	}
	return out
}

// typicalOf returns, for each exported function, the tests that show best what the function is for: those
// that end well, with values from the documentation or as plain as there are, and that return
// something. One of them is enough for a reader. Observers have none, because other tests assert their
// results, but for those that return a text.
func (m *mutantChooser) typicalOf(tests []*testcase.Case, observer map[string]bool) map[*testcase.Case]bool {
	// The number of calls before the own one makes a test long; those behind it look at what it did, and the more
	// they see the better.
	type worth struct{ empty, documented, strange, long, looks, rich int }
	best := make(map[string]worth)
	bestCase := make(map[string]*testcase.Case)
	worths := make(map[*testcase.Case]worth)
	filled, told := m.onSeveral(tests), outcome.Told(tests)
	for _, c := range tests {
		if told[c.Target] && c.Story == nil {
			continue // a scenario shows what the function is for
		}
		if m.given.Existing != nil && m.given.Existing.Contains(c.Observed.Cover) {
			continue // a hand-written test shows what the function is for
		}
		if !m.given.Exported[c.Target] || observer[c.Target] && !outcome.ReturnsText(c) || c.Observed.Status != testcase.Returned || m.handBuilt(c) || m.isIdle(c) || outcome.IsLong(c) || outcome.IsOverlong(c) || outcome.IsSilent(c) || outcome.AssertsNothing(c) || outcome.IsPrivate(m.Pkg, c) {
			continue
		}
		w := worth{empty: outcome.Zeros(c), strange: plain.Strangeness(m.Pkg, c), long: outcome.CallsUpTo(c, c.TargetStmt()), looks: c.Seq.Len() - c.TargetStmt(), rich: plain.Richness(m.Pkg, c)}
		if outcome.ReturnsEmpty(c) || outcome.ReturnsItsInput(c) || outcome.ShowsNewObject(c) {
			w.empty++
		}
		if outcome.IsMisprinted(c) || outcome.IsHollow(c) {
			w.empty++
		}
		if filled[c.Target] && m.standard.state[c] != container.Several && !isProgram(c) {
			w.empty++ // what Remove is for shows on an object that has something to be removed
		}
		if outcome.FailedBefore(m.Pkg, c) > 0 || outcome.HasError(c) {
			w.empty += 100 // such a test is taken only if no call ends well
		}
		switch {
		case c.Documented != "":
			w.documented = -2
		case isProgram(c) || plain.IsDocumented(m.Pkg, c):
			w.documented = -1
		}
		worths[c] = w
		b, ok := best[c.Target]
		if !ok || cmp.Or(cmp.Compare(w.empty, b.empty), cmp.Compare(w.documented, b.documented), cmp.Compare(w.strange, b.strange), cmp.Compare(w.long, b.long), cmp.Compare(b.looks, w.looks), cmp.Compare(b.rich, w.rich)) < 0 {
			best[c.Target], bestCase[c.Target] = w, c
		}
	}
	m.best = make(map[*testcase.Case]bool)
	for _, c := range bestCase {
		m.best[c] = true
	}
	out := make(map[*testcase.Case]bool)
	for c, w := range worths {
		b := best[c.Target]
		out[c] = w.empty == b.empty && w.documented == b.documented && w.strange <= b.strange+aboutAsPlain && w.long <= b.long+1
	}
	return out
}

// typicalAsked returns what a test shows of getters that answer with a text and that it asks what its call returned: a test of such a getter
// itself would make the same object and ask it the same.
func typicalAsked(c *testcase.Case, observer map[string]bool) []string {
	var out []string
	for i := c.TargetStmt() + 1; i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || len(st.Args) != 1 || st.Args[0].Stmt != c.TargetStmt() || len(c.Observed.Results[i]) != 1 {
			continue
		}
		if v := c.Observed.Results[i][0]; v.Kind == testcase.String && v.Str != "" && observer[testcase.TargetName(st.Op.Func)] {
			out = append(out, "typical "+testcase.TargetName(st.Op.Func))
		}
	}
	return out
}

// askedBehindInterface returns what a test shows of methods that it asks behind its call by an interface of what the call returned.
func (m *mutantChooser) askedBehindInterface(c *testcase.Case) []string {
	var out []string
	for i := c.TargetStmt() + 1; i < min(c.Seq.Len(), len(c.Observed.Results)); i++ {
		if answers := m.answersBehind(c, i); answers != "" && !outcome.IsEmptyResult(c, i) {
			out = append(out, "typical "+answers, outcome.Element(answers, testcase.Returned.String()+outcome.ResultsClass(c, i)))
		}
	}
	return out
}

// answersBehind returns the method of the package that answers where a statement calls a method without arguments by an interface: the
// only one of this name that was executed. It is "" for other statements.
func (m *mutantChooser) answersBehind(c *testcase.Case, i int) string {
	st := c.Seq.At(i)
	if st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || len(st.Args) != 1 || st.Op.Func.Signature().Recv() == nil || !types.IsInterface(st.Op.Func.Signature().Recv().Type()) {
		return ""
	}
	found := ""
	for b, block := range m.bench.Blocks() {
		_, method, _ := strings.Cut(block.Func, ".")
		if method != st.Op.Func.Name() || block.Func == found || !c.Observed.Cover.Has(b) {
			continue
		}
		if found != "" {
			return ""
		}
		found = block.Func
	}
	return found
}

// onSeveral returns the functions of which some test ends well on an object with several elements.
func (m *mutantChooser) onSeveral(tests []*testcase.Case) map[string]bool {
	out := make(map[string]bool)
	for _, c := range tests {
		if m.standard.state[c] == container.Several && c.Observed.Status == testcase.Returned && !outcome.HasError(c) {
			out[c.Target] = true
		}
	}
	return out
}

// aboutAsPlain is by how much the values of one test may be stranger than those of another without a
// reader minding it.
const aboutAsPlain = 4

// ownKills returns the mutants that count for each test: those in functions that its call can execute or that the test asks
// behind it, and those that no test of such a function kills, as far as that test compares anything. A mutant of an exported function that tests of
// its own stand for counts for no test of another one that only executes the function inside of its call: NewVersion, which
// calls Set, need not be refused the same texts, nor others. What New and Push leave in an object shows behind other calls.
func (m *mutantChooser) ownKills(tests []*testcase.Case, kills [][]int, stands func(*testcase.Case) bool) [][]int {
	own, home := make(map[int]bool), make(map[int]bool)
	tested := make(map[string]bool) // exported functions that tests of their own stand for
	reaches := func(c *testcase.Case, id int) bool {
		f := m.ofMutants[id-1].Mutant.Func
		return m.reaches(c.Target, f) || calls(c, f, c.TargetStmt()+1) // the test asks it what the call did
	}
	for i, c := range tests {
		if outcome.AssertsNothing(c) {
			continue
		}
		for _, id := range kills[i] {
			own[id] = own[id] || reaches(c, id)
			home[id] = home[id] || m.ofMutants[id-1].Mutant.Func == c.Target && stands(c)
		}
		tested[c.Target] = tested[c.Target] || stands(c)
	}
	out := make([][]int, len(tests))
	for i, c := range tests {
		out[i] = slices.DeleteFunc(slices.Clone(kills[i]), func(id int) bool {
			f := m.ofMutants[id-1].Mutant.Func
			if c.Story != nil && calls(c, f, c.TargetStmt()+1) {
				return false // it is about all that it calls
			}
			return own[id] && !reaches(c, id) || f != c.Target && (home[id] || tested[f] && !calls(c, f, 0))
		})
	}
	return out
}

// calls reports whether a test calls a function of this name beside its own call, in the statements from the given one on.
func calls(c *testcase.Case, name string, from int) bool {
	for i := from; i < c.Seq.Len(); i++ {
		if f := c.Seq.At(i).Op.Func; i != c.TargetStmt() && f != nil && testcase.TargetName(f) == name {
			return true
		}
	}
	return false
}

// coveredAtHome returns the blocks of functions that tests cover which stand for the function itself.
func (m *mutantChooser) coveredAtHome(tests []*testcase.Case, stands func(*testcase.Case) bool) testcase.Cover {
	var out testcase.Cover
	blocks := m.bench.Blocks()
	for _, c := range tests {
		if !stands(c) {
			continue
		}
		for b, block := range blocks {
			if block.Func == c.Target && c.Observed.Cover.Has(b) {
				out.Set(b)
			}
		}
	}
	return out
}

// blocksOf returns the blocks that a test covers and the hand-written tests do not. The outcomes of a condition are
// blocks as well. Where mutants choose, such an outcome counts only in the function that the test is about, in what the
// test asks behind it, and not at all if statements alone count: for a test of a function that tests of exported ones reach, or a test of many steps. A
// character that takes one of ten outcomes far below the call need not change anything that the test sees, and if it
// does, a mutant says so.
//
// Blocks that only the calls before the test's own execute do not count if they count for another test, and neither do those of another
// exported function that its own tests cover. The parameter all has the blocks that count for any test.
func (m *mutantChooser) blocksOf(c *testcase.Case, all testcase.Cover, statements bool) []string {
	var out []string
	counting := m.counting(c, all)
	for b, block := range m.bench.Blocks() {
		if !counting.Has(b) || m.given.Existing.Has(b) || m.isElsewhere(block.Func) || m.isApart(block.Func) || block.Func != c.Target && m.home.Has(b) && (c.Story == nil || !calls(c, block.Func, c.TargetStmt()+1)) {
			continue
		}
		if isOutcome := block.Stmts == 0 && block.Text != ""; isOutcome && m.planted != nil && (statements || block.Func != c.Target && !calls(c, block.Func, c.TargetStmt()+1)) {
			continue
		}
		out = append(out, fmt.Sprint("block ", b))
	}
	return out
}

// reachedByUsers returns the unexported functions that tests of exported functions reach. Those tests show what they do, so a
// test of their own is missed only for blocks that nothing else reaches. It also returns those of them of which these tests cover
// at least half of the blocks, and that take more than numbers, texts and truths: of these no test is missed, because nobody
// knows which objects the callers can have in the rest.
func (m *mutantChooser) reachedByUsers(tests []*testcase.Case) (reached, shown map[string]bool) {
	var covered testcase.Cover
	for _, c := range tests {
		if m.given.Exported[c.Target] {
			covered.Union(c.Observed.Cover)
		}
	}
	type count struct{ all, covered int }
	blocks := make(map[string]count)
	for b, block := range m.bench.Blocks() {
		if m.given.Exported[block.Func] || block.Stmts == 0 {
			continue
		}
		n := blocks[block.Func]
		n.all++
		if covered.Has(b) {
			n.covered++
		}
		blocks[block.Func] = n
	}
	reached, shown = make(map[string]bool), make(map[string]bool)
	for name, n := range blocks {
		reached[name], shown[name] = n.covered > 0, 2*n.covered >= n.all && !m.takesBasics(name)
	}
	return reached, shown
}

// takesBasics reports whether a function has no receiver and takes nothing but numbers, texts and truths.
func (m *mutantChooser) takesBasics(name string) bool {
	t := m.Pkg.Target(name)
	if t == nil || t.Obj == nil || t.Recv != nil {
		return false
	}
	for p := range t.Obj.Signature().Params().Variables() {
		if gofile.Basic(p.Type()) == nil {
			return false
		}
	}
	return true
}

// constantsOf returns the tests that call an exported function with different constants of one type and nothing else
// different, and what each of them shows, where all of these constants make a difference. A reader of such a table
// misses the constants that it does not have.
func (m *mutantChooser) constantsOf(tests []*testcase.Case) map[*testcase.Case]string {
	groups := make(map[string][]*testcase.Case)
	var order []string
	for _, c := range tests {
		at, ok := plain.ConstantArgument(m.Pkg, c)
		if !ok || !m.given.Exported[c.Target] || c.Observed.Status != testcase.Returned || outcome.ReturnsNothing(c) || outcome.ReturnsItsInput(c) {
			continue
		}
		stmts := c.Seq.AppendTo(nil)
		stmts[at].Op = &testcase.Operation{Kind: testcase.OpZero, Type: stmts[at].Op.Type}
		key := c.Target + " " + testcase.NewSequence(stmts[:c.TargetStmt()+1]...).String()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], c)
	}
	out := make(map[*testcase.Case]string)
	for _, key := range order {
		const fewest = 3
		var each []*testcase.Case // one of each constant
		shown := make(map[*testcase.Case]string)
		seen := make(map[string]bool)
		for _, c := range groups[key] {
			at, _ := plain.ConstantArgument(m.Pkg, c)
			op := c.Seq.At(at).Op
			shown[c] = fmt.Sprint("constant ", op.Lit.Text(op.Type), " of ", c.Target)
			if !seen[shown[c]] {
				seen[shown[c]], each = true, append(each, c)
			}
		}
		if len(each) >= fewest && outcome.AllDiffer(each) {
			maps.Copy(out, shown)
		}
	}
	return out
}

// passedOn returns the tests of functions that only pass on how another function failed, and what each of them shows:
// that the function fails where the other does, on this way through itself. How often and why the other fails is for the
// tests of the other to show, which are among these tests and fail in the same way. That a panic goes through a function
// is how Go works, so one test of all functions is enough for a panic, if the functions have other tests, and one of each
// function for all panics, if it has not.
func (m *mutantChooser) passedOn(tests []*testcase.Case) map[*testcase.Case]string {
	return outcome.FailuresPassedOn(tests, m.bench.Blocks(), m.given.Exported)
}

// mostWays is how many ways through a function are told apart. A reader does not care about each way if there
// are more.
const mostWays = 12

// ways returns the way that each test's call took through its function: the set of blocks and condition
// outcomes that it covers there. In `y%4 == 0 && y%100 != 0 || y%400 == 0` the year 100 takes a way of
// its own, although other years cover each of its outcomes. Functions with too many ways have none.
func (ch *chooser) ways(tests []*testcase.Case) map[*testcase.Case]string {
	out := ch.allWays(tests)
	distinct := make(map[string]map[string]bool)
	for _, c := range tests {
		if distinct[c.Target] == nil {
			distinct[c.Target] = make(map[string]bool)
		}
		distinct[c.Target][out[c]] = true
	}
	for _, c := range tests {
		if len(distinct[c.Target]) > mostWays {
			delete(out, c)
		}
	}
	return out
}

// allWays returns the same as ways, for functions with too many ways as well.
func (ch *chooser) allWays(tests []*testcase.Case) map[*testcase.Case]string {
	return outcome.Ways(tests, ch.bench.Blocks())
}
