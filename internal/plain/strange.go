package plain

import (
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Strangeness counts what in the inputs of a case no person would have chosen for an example: texts of
// punctuation and control characters, numbers of many digits, and, with less weight, values that show little:
// zeros, empty texts and lists, and single characters. Texts that the package or its documents spell out do
// not count.
func Strangeness(pkg *load.Package, c *testcase.Case) int {
	const strange, little = 4, 1
	v := vocabulary{all: pkg.Literals}
	own := withTexts(pkg, c.Seq, ownInputs(pkg, c.Seq))
	flags := flagArguments(pkg, c.Seq)
	n := 0
	if _, twice := Apart(pkg, c); twice {
		n += strange // one object in two places shows little, and another one is at hand
	}
	if _, other := Calm(pkg, c); other {
		n += little // a context that is cancelled, and perhaps nothing looks
	}
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !own[i] || !isConstant(c.Seq, st) {
			continue
		}
		op := st.Op
		b, basic := op.Type.Underlying().(*types.Basic)
		text, isText := TextOf(pkg, c.Seq, i)
		switch {
		case len(flags[i]) > 0:
			if isOddSet(op.Lit.Bits, flags[i]) {
				n += strange
			}
		case isText:
			switch {
			case len([]rune(text)) < 2:
				n += little
				if text != "" && !isLetters(text) && !v.has(text) {
					n += strange
				}
			case !v.has(text) && !notation.IsExample(text) && isOutlandish(text):
				n += strange
			}
		case op.Kind == testcase.OpComposite:
			if usage.Producer(pkg, op.Type) != nil {
				n += strange
			}
			if _, isStruct := op.Type.Underlying().(*types.Struct); len(st.Args) == 0 || len(st.Args) == 1 && !isStruct {
				n += little
			}
			for _, a := range st.Args {
				if inner := c.Seq.At(a.Stmt).Op; isLarge(inner) {
					n += strange
				}
			}
			if allAlike(c.Seq, st) || pairsAlike(c.Seq, st) {
				n += strange + little // which element is where does not show
			}
		case !basic:
			n += little
		case IsEnumeration(pkg, op.Type) && !isDuration(op.Type) || b.Info()&types.IsBoolean != 0:
			if !isDeclared(op) {
				n += little
			}
		case op.Kind == testcase.OpZero || op.Lit.Bits == 0:
			n += little
		case isLarge(op):
			n += little
		}
	}
	return n
}

// withTexts adds to the inputs of a sequence the texts that readers among them read.
func withTexts(pkg *load.Package, s *testcase.Sequence, own map[int]bool) map[int]bool {
	for i := range s.Len() {
		if own[i] {
			if text, ok := TextBehind(pkg, s, testcase.Ref{Stmt: i}); ok {
				own[text] = true
			}
		}
	}
	return own
}

// Richness says how much there is in the inputs of a case: characters of texts, words of documents of several lines, digits of numbers, elements of lists, each up to a
// few. A number of one digit, a list of one element or an empty text cannot tell right code from code that does nothing, and of two
// plain tests that show the same a reader wants the one in which more could go wrong.
func Richness(pkg *load.Package, c *testcase.Case) int {
	const mostCharacters, mostWords, mostDigits, mostElements, most = 8, 3, 3, 3, 24
	n := 0
	own := withTexts(pkg, c.Seq, ownInputs(pkg, c.Seq))
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !own[i] || !isConstant(c.Seq, st) {
			continue
		}
		text, isText := TextOf(pkg, c.Seq, i)
		switch {
		case isText:
			n += min(len([]rune(text)), mostCharacters)
			if strings.Contains(text, "\n") {
				n += 2 * min(everyday.CountWords(text), mostWords)
			}
		case st.Op.Kind == testcase.OpLiteral && (st.Op.Lit.Kind == testcase.LitInt || st.Op.Lit.Kind == testcase.LitUint):
			n += min(len(strings.Trim(st.Op.Lit.Text(st.Op.Type), "-")), mostDigits)
		case st.Op.Kind == testcase.OpComposite:
			n += min(len(st.Args), mostElements)
		}
	}
	return min(n, most)
}

// isLarge reports whether an operation makes a whole number of many digits that is no length of time.
func isLarge(op *testcase.Operation) bool {
	const manyDigits = 100_000
	if op.Kind != testcase.OpLiteral || isDuration(op.Type) {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && int64(op.Lit.Bits) > manyDigits
}

// allAlike reports whether a statement makes a list of several elements that are all the same constant.
func allAlike(s *testcase.Sequence, st testcase.Statement) bool {
	if _, ok := st.Op.Type.Underlying().(*types.Slice); !ok || len(st.Args) < 2 {
		return false
	}
	first := s.At(st.Args[0].Stmt).Op
	return first.Kind == testcase.OpLiteral && !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool {
		op := s.At(a.Stmt).Op
		return op.Kind != testcase.OpLiteral || op.Lit != first.Lit
	})
}

// pairsAlike reports whether a statement makes a map in which some key is its own value.
func pairsAlike(s *testcase.Sequence, st testcase.Statement) bool {
	if _, ok := st.Op.Type.Underlying().(*types.Map); !ok {
		return false
	}
	for k := 0; k+1 < len(st.Args); k += 2 {
		key, value := s.At(st.Args[k].Stmt).Op, s.At(st.Args[k+1].Stmt).Op
		if key.Kind == testcase.OpLiteral && value.Kind == testcase.OpLiteral && key.Lit == value.Lit {
			return true
		}
	}
	return false
}

// isLetters reports whether a text consists of letters and digits only.
func isLetters(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isOutlandish reports whether a text has more punctuation than words, or characters that do not print.
func isOutlandish(text string) bool {
	return everyday.IsOutlandish(text) && !slices.ContainsFunc(typicalTexts[:], func(set []string) bool { return slices.Contains(set, text) })
}
