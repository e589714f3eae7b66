package choose

import (
	"go/types"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// mostOrdinary is how many ordinary calls of a function are kept for themselves, mostSpans how many of these for a length of time.
const mostOrdinary, mostSpans = 5, 2

// mostOneWay is how many ordinary calls are kept that take one way through a function which has several. Of two texts that are read in the
// same way the third says nothing that the others do not say.
const mostOneWay = 2

// ordinary returns calls of exported functions with inputs that users have (see isUsual), a few of each function. The
// result of each call is not empty, is not what was passed, and differs from the results of the other calls in more than
// what the calls themselves pass: "3 MB" and "7 MB" show the same of a function that formats numbers. Of a function that makes
// objects, each call executes something else. If a function
// passes its text on to another exported function, no call of the first has a text that a call of the second has, because
// both would show the same.
func (m *mutantChooser) ordinary(tests []*testcase.Case) map[*testcase.Case]bool {
	out := make(map[*testcase.Case]bool)
	chosen, spans := make(map[string][]*testcase.Case), make(map[string]int)
	passes, ways := m.passingOn(tests), m.allWays(tests)
	several := make(map[string]map[string]bool) // the ways that calls take, by function
	for _, c := range tests {
		if several[c.Target] == nil {
			several[c.Target] = make(map[string]bool)
		}
		several[c.Target][ways[c]] = true
	}
	silent := func(c *testcase.Case) bool { return c.Documented == "" }
	// The calls of whose results the documentation speaks are kept in any case.
	others := slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return !silent(c) })
	slices.SortStableFunc(others, func(a, b *testcase.Case) int { return len(listed(a)) - len(listed(b)) })
	order := slices.Concat(slices.DeleteFunc(slices.Clone(tests), silent), others)
	for _, c := range order {
		if passes[c] {
			continue
		}
		if !m.isUsual(c) || c.Observed.Status != testcase.Returned || outcome.HasError(c) || outcome.ReturnsEmpty(c) && !m.fillsIn(c) || outcome.ReturnsItsInput(c) || outcome.ListsItsInput(c) || outcome.ReturnsNothing(c) || m.handBuilt(c) || m.idle[c] || outcome.IsLong(c) || outcome.IsOverlong(c) || outcome.AssertsNothing(c) || outcome.ShowsNewObject(c) || outcome.IsPrivate(m.Pkg, c) {
			continue
		}
		if byHand := m.given.Existing != nil && m.given.Existing.Contains(c.Observed.Cover); byHand || len(chosen[c.Target]) == mostOrdinary {
			continue
		}
		if slices.ContainsFunc(chosen[c.Target], func(d *testcase.Case) bool {
			return outcome.SameResults(c, d) && !m.otherNotation(c, d, ways) || ways[c] == ways[d] && (m.areWords(c) && m.areWords(d) || outcome.Echo(c) != "" && outcome.Echo(c) == outcome.Echo(d)) ||
				outcome.MakesObject(c) && slices.Equal(c.Observed.Cover, d.Observed.Cover) // both only keep what they are passed
		}) {
			continue
		}
		if silent(c) && onlyCombines(c, chosen[c.Target]) {
			continue
		}
		alike := 0
		for _, d := range chosen[c.Target] {
			if ways[c] == ways[d] {
				alike++
			}
		}
		if silent(c) && len(several[c.Target]) > 1 && alike == mostOneWay {
			continue
		}
		if _, text := m.usualText(c); !text && !outcome.IsUse(c) {
			if spans[c.Target]++; spans[c.Target] > mostSpans {
				continue // beside a length of time the other values differ
			}
		}
		chosen[c.Target] = append(chosen[c.Target], c)
		out[c] = true
	}
	return out
}

// onlyCombines reports whether a call passes a list of several texts after another one, or of texts that earlier calls pass: Reverse of
// {"192.0.2.0/24", "2001:db8::/32"} beside Reverse of each of the two, or of two others.
func onlyCombines(c *testcase.Case, earlier []*testcase.Case) bool {
	texts := listed(c)
	var known []string
	for _, d := range earlier {
		of := listed(d)
		if len(of) > 1 && len(of) == len(texts) {
			return true
		}
		known = append(known, of...)
	}
	return len(texts) > 1 && !slices.ContainsFunc(texts, func(t string) bool { return !slices.Contains(known, t) })
}

// listed returns the texts in the lists that a call passes.
func listed(c *testcase.Case) []string {
	var out []string
	for i := range c.TargetStmt() {
		op := c.Seq.At(i).Op
		if op.Kind != testcase.OpComposite {
			continue
		}
		if _, list := op.Type.Underlying().(*types.Slice); !list {
			continue
		}
		for _, a := range c.Seq.At(i).Args {
			if e := c.Seq.At(a.Stmt).Op; e.Kind == testcase.OpLiteral && e.Lit.Kind == testcase.LitString {
				out = append(out, e.Lit.Str)
			}
		}
	}
	return out
}

// fillsIn reports whether a call fills in a struct that it is passed with a document that has all fields.
func (m *mutantChooser) fillsIn(c *testcase.Case) bool {
	text, _ := m.usualText(c)
	return m.documents[text] && c.TargetStmt() < c.Seq.Len()-1
}

// otherNotation reports whether two calls are passed documents with all fields and go different ways: they read different notations.
func (m *mutantChooser) otherNotation(c, d *testcase.Case, ways map[*testcase.Case]string) bool {
	one, _ := m.usualText(c)
	other, _ := m.usualText(d)
	return m.documents[one] && m.documents[other] && ways[c] != ways[d]
}

// areWords reports whether the text that a call passes is nothing but words where any text would do, and the documentation does not speak
// of the call. Of two such
// calls that take the same way the second says what the first says: "hello world" beside "hello".
func (m *mutantChooser) areWords(c *testcase.Case) bool {
	text, ok := m.usualText(c)
	isLetter := func(r rune) bool { return unicode.IsLetter(r) || r == ' ' }
	return ok && c.Documented == "" && m.notationOf(c.Target) == nil && strings.TrimFunc(text, isLetter) == "" && !plain.IsDocumented(m.Pkg, c)
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

// Bounds of the texts that are tried in the place of noisy ones.
const (
	mostEveryday    = 3000 // calls in all
	mostEverydayFor = 400  // calls of one function
	everydayShare   = 4    // the part of the time left that they may take: a quarter
)

// noisyTest is a test that passes a text which nobody would have written.
type noisyTest struct {
	index int // among the tests
	stmt  int // the statement that makes the text
	text  string
	known bool // its notation is known, and so are texts that say more than words and signs
}

// noisy returns, for each exported function, its tests whose first text is noise, by which their call is told something, or
// what makes its object. In notations with more signs than words, like JSON, no text is noisy. If strictly is set, any text that
// is not known in its notation counts as noise.
func (m *mutantChooser) noisy(tests []*testcase.Case, strictly bool) map[string][]noisyTest {
	known := m.known()
	out := make(map[string][]noisyTest)
	for i, c := range tests {
		st := c.Seq.At(c.TargetStmt())
		if c.Whole || c.Documented != "" || !m.given.Exported[c.Target] || !outcome.IsPlainCall(st.Op) || c.Observed.Status != testcase.Returned || m.isUsual(c) {
			continue
		}
		texts := m.textsOf(c, st)
		if len(texts) == 0 && len(st.Args) > 0 {
			if maker := c.Seq.At(madeAt(c.Seq, st.Args[0])); outcome.IsPlainCall(maker.Op) && maker.Op.Func.Pkg() == m.Pkg.Types {
				st, texts = maker, m.textsOf(c, maker)
			}
		}
		if len(texts) == 0 {
			continue
		}
		text, _ := plain.TextOf(m.Pkg, c.Seq, texts[0])
		isKnown, isStrange, isSigns := known, false, false
		if n := m.notationOf(testcase.TargetName(st.Op.Func)); n != nil {
			if isSigns = !isOfWords(n); isSigns && !strictly {
				continue
			}
			isKnown = knownIn(n, isKnown)
			isStrange = strictly && text != "" && !known(text) && !slices.ContainsFunc(n.Texts(), func(t notation.Text) bool { return t.Value == text })
		}
		// Of two texts that are compared or matched, what the one shows depends on the other. Where a text is made of the
		// first one, the others say how.
		if (len(texts) == 1 || !outcome.Measures(st.Op.Signature())) && (isStrange || everyday.IsNoise(text, isKnown)) {
			out[c.Target] = append(out[c.Target], noisyTest{index: i, stmt: texts[0], text: text, known: isStrange && (isSigns || !everyday.IsNoise(text, isKnown))})
		}
	}
	return out
}

// textsOf returns the statements that make the texts which a call of a case takes.
func (m *mutantChooser) textsOf(c *testcase.Case, call testcase.Statement) []int {
	var out []int
	for _, a := range call.Args {
		if stmt, ok := plain.TextBehind(m.Pkg, c.Seq, a); ok {
			out = append(out, stmt)
		}
	}
	return out
}

// madeAt returns the statement that makes a value, or what the value points to.
func madeAt(s *testcase.Sequence, value testcase.Ref) int {
	at := value.Stmt
	for k := s.At(at).Op.Kind; k == testcase.OpAddr || k == testcase.OpDeref || k == testcase.OpConvert; k = s.At(at).Op.Kind {
		at = s.At(at).Args[0].Stmt
	}
	return at
}

// isOfWords reports whether the texts of a notation are mostly words and numbers, as sizes, dates and versions are.
func isOfWords(n *notation.Notation) bool {
	return !slices.ContainsFunc(n.Accepted, func(t notation.Text) bool {
		return strings.Contains(t.Value, "\n") || everyday.IsNoise(t.Value, func(word string) bool { return word != t.Value })
	})
}

// knownIn returns a function that also knows the texts of a notation and their words.
func knownIn(n *notation.Notation, isKnown func(string) bool) func(string) bool {
	words := make(map[string]bool)
	for _, t := range n.Texts() {
		words[t.Value] = true
		for _, word := range everyday.Tokens(t.Value) {
			words[word] = true
		}
	}
	return func(text string) bool { return words[text] || isKnown(text) }
}

// How many mutants a test must kill that no other test kills, if it passes what nobody would and shows nothing else. A reader
// would throw such a test away for less.
const (
	fewestOfText   = 3
	fewestOfNumber = math.MaxInt // that a cost is negative means nothing, and neither does what comes of it
)

// withNoise returns, for the tests with noisy texts or noisy numbers, how many mutants they must kill.
func (m *mutantChooser) withNoise(tests []*testcase.Case) map[int]int {
	out := make(map[int]int)
	for _, of := range m.noisy(tests, false) {
		for _, n := range of {
			out[n.index] = fewestOfText
		}
	}
	isKnown := m.known()
	for i, c := range tests {
		if !m.given.Exported[c.Target] || c.Whole || c.Documented != "" {
			continue
		}
		if out[i] == 0 && (isPreparedByNoise(c, isKnown) || outcome.IsMisprinted(c) || outcome.IsOverlong(c) || m.parts.HasOddElements(c)) {
			out[i] = fewestOfText
		}
		if m.passesNoise(c) {
			out[i] = fewestOfNumber
		}
	}
	return out
}

// isPreparedByNoise reports whether a method that returns nothing is called before a test's own call, and is passed a text, or
// a list with one, that nobody would have written. Texts that functions read may be in any notation.
func isPreparedByNoise(c *testcase.Case, isKnown func(string) bool) bool {
	var noise func(i int) bool
	noise = func(i int) bool {
		switch st := c.Seq.At(i); st.Op.Kind {
		case testcase.OpLiteral:
			return st.Op.Lit.Kind == testcase.LitString && everyday.IsNoise(st.Op.Lit.Str, isKnown)
		case testcase.OpComposite:
			return slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return noise(a.Stmt) })
		}
		return false
	}
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if st.Op.Kind == testcase.OpMethod && len(c.Seq.ResultTypes()[i]) == 0 && slices.ContainsFunc(st.Args[1:], func(a testcase.Ref) bool { return noise(a.Stmt) }) {
			return true
		}
	}
	return false
}

// known returns a function that knows the texts and signs which the package or a person would write.
func (m *mutantChooser) known() func(text string) bool {
	signs := plain.Signs(m.Pkg)
	return func(text string) bool {
		if letter := []rune(text); len(letter) == 1 && slices.Contains(signs, letter[0]) {
			return true // the code asks for it
		}
		return plain.IsSpelledOut(m.Pkg, text) || everyday.IsByName(text) || slices.Contains(sampleTexts[:], text)
	}
}

// passesNoise reports whether a test's call is passed a whole number below zero, or one beyond 32 bits, for a parameter that the
// function compares with nothing. Nobody would pass a cost of -3.
func (m *mutantChooser) passesNoise(c *testcase.Case) bool {
	st := c.Seq.At(c.TargetStmt())
	if !outcome.IsPlainCall(st.Op) {
		return false
	}
	params := st.Op.Func.Signature().Params()
	first := st.Op.FirstParam()
	for k := first; k < len(st.Args) && k-first < params.Len(); k++ {
		op := c.Seq.At(st.Args[k].Stmt).Op
		n := int64(op.Lit.Bits)
		if op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt || op.Choice != nil || load.IsNamed(op.Type, "time", "Duration") || 0 <= n && n <= math.MaxUint32 {
			continue
		}
		if !m.Rules.Compares(st.Op.Func, params.At(k-first)) {
			return true
		}
	}
	return false
}
