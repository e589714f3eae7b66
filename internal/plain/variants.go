package plain

import (
	"go/constant"
	"go/types"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/testcase"
)

// mostVariants is how many variants of one text are made at most.
const mostVariants = 120

// Variants returns texts that differ from a text in one place. A person changes a good input in this way to
// see where it stops being good: one number out of range or too short, one separator missing or replaced, one
// word in capitals or missing, the end cut off, something appended. The parameter signs holds characters that
// the code under test asks for; each is tried as the beginning of an appended text.
func Variants(text string, signs []rune) []string {
	parts := everyday.Tokens(text)
	var out []string
	add := func(s string) {
		if s != text && !slices.Contains(out, s) && len(out) < mostVariants {
			out = append(out, s)
		}
	}
	with := func(i int, s string) string {
		changed := slices.Clone(parts)
		changed[i] = s
		return strings.Join(changed, "")
	}
	for i, p := range parts {
		switch r := []rune(p)[0]; {
		case unicode.IsDigit(r):
			add(with(i, strings.Repeat("9", len(p))))
			add(with(i, strings.Repeat("0", len(p))))
			add(with(i, p[:len(p)-1]))
			add(with(i, p+"0"))
			add(with(i, strings.Repeat("x", len(p))))
		case unicode.IsLetter(r):
			add(with(i, strings.ToUpper(p)))
			add(with(i, strings.ToLower(p)))
			add(with(i, ""))
		default:
			add(with(i, ""))
			add(with(i, p+p))
			for _, other := range []string{"-", ":", "/", ",", " ", "x"} {
				if strings.Contains(text, other) || other == "x" {
					add(with(i, other))
				}
			}
		}
	}
	for i := 1; i < len(parts); i++ {
		add(strings.Join(parts[:i], ""))
	}
	for _, i := range firstAndLastWord(parts) {
		for _, s := range signs {
			if unicode.IsLetter(s) {
				continue
			}
			sign, closing := string(s), string(closingSign(s))
			add(with(i, sign+parts[i]+closing))
			add(with(i, sign+parts[i]))
			add(with(i, parts[i]+sign))
		}
	}
	for _, end := range []string{"x", " ", "0"} {
		add(text + end)
	}
	add(" " + text)
	for _, s := range signs {
		for _, end := range []string{"", "1", "01:00", "0100", "99:99"} {
			add(text + string(s) + end)
		}
	}
	return out
}

// firstAndLastWord returns the numbers of the first and the last token that is a word.
func firstAndLastWord(parts []string) []int {
	var words []int
	for i, p := range parts {
		if unicode.IsLetter([]rune(p)[0]) {
			words = append(words, i)
		}
	}
	if len(words) < 2 {
		return words
	}
	return []int{words[0], words[len(words)-1]}
}

// closingSign returns the sign that ends what a sign begins: a bracket of the other direction, or the same quote.
func closingSign(sign rune) rune {
	switch sign {
	case '(':
		return ')'
	case '[':
		return ']'
	case '{':
		return '}'
	case '<':
		return '>'
	}
	return sign
}

// HasStructure reports whether a text consists of several numbers or words with something between them, so that
// changing one place of it is a test of its own.
func HasStructure(text string) bool {
	const fewest, longest = 3, 80
	return len(everyday.Tokens(text)) >= fewest && len(text) <= longest && !strings.Contains(text, "\n")
}

// mostSigns is how many signs of a package are tried behind a text.
const mostSigns = 8

// Signs returns characters that the code of a package asks for: capital letters and signs.
func Signs(pkg *load.Package) []rune {
	if pkg.Literals == nil {
		return nil
	}
	var out []rune
	for _, c := range pkg.Literals.Ints {
		n, exact := constant.Int64Val(c)
		if r := rune(n); exact && ' ' < n && n <= '~' && !unicode.IsDigit(r) && !unicode.IsLower(r) && !slices.Contains(out, r) && len(out) < mostSigns {
			out = append(out, r)
		}
	}
	return out
}

// IsSpelledOut reports whether the package or its documents spell out a text.
func IsSpelledOut(pkg *load.Package, text string) bool {
	return vocabulary{all: pkg.Literals}.has(text)
}

// TextOf returns the text that a statement makes as a constant: a string, or a slice of bytes. It returns
// false for types with constants of their own, because each of their values has a meaning.
func TextOf(pkg *load.Package, s *testcase.Sequence, stmt int) (string, bool) {
	st := s.At(stmt)
	switch st.Op.Kind {
	case testcase.OpLiteral, testcase.OpZero, testcase.OpComposite:
	default:
		return "", false
	}
	if b, ok := st.Op.Type.Underlying().(*types.Basic); ok {
		return st.Op.Lit.Str, b.Info()&types.IsString != 0 && st.Op.Choice == nil && !IsEnumeration(pkg, st.Op.Type)
	}
	if _, isSlice := st.Op.Type.Underlying().(*types.Slice); !isSlice {
		return "", false
	}
	return bytesOf(pkg, s, st)
}

// TextBehind returns the statement that makes a text as a constant (see TextOf) for an argument: the argument itself, or
// what a reader of the standard library reads from.
func TextBehind(pkg *load.Package, s *testcase.Sequence, arg testcase.Ref) (stmt int, ok bool) {
	const deepest = 3 // a conversion to an interface, a buffered reader, and what it reads
	at := arg.Stmt
	for range deepest {
		if _, ok := TextOf(pkg, s, at); ok {
			return at, true
		}
		st := s.At(at)
		foreign := st.Op.Kind == testcase.OpFunc && st.Op.Func.Pkg() != nil && slices.Contains([]string{"strings", "bytes", "bufio"}, st.Op.Func.Pkg().Path())
		if len(st.Args) == 0 || !foreign && st.Op.Kind != testcase.OpConvert {
			return 0, false
		}
		at = st.Args[0].Stmt
	}
	return 0, false
}

// WithText returns a sequence in which a statement that makes a text (see TextOf) makes the given text.
func WithText(s *testcase.Sequence, stmt int, text string) (*testcase.Sequence, bool) {
	return rebuilt(s, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := s.At(i)
		if i != stmt {
			return st, false
		}
		t := st.Op.Type
		if t == nil {
			t = s.ResultTypes()[i][0] // a call makes the text
		}
		if _, isSlice := t.Underlying().(*types.Slice); isSlice {
			return bytesLiteral(t, text, out), true
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}}, true
	})
}

// WithTexts returns a sequence in which a statement that makes a list of texts makes one of the given texts.
func WithTexts(s *testcase.Sequence, stmt int, texts []string) (*testcase.Sequence, bool) {
	return rebuilt(s, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := s.At(i)
		if i != stmt || st.Op.Kind != testcase.OpComposite && st.Op.Kind != testcase.OpZero {
			return st, false
		}
		list, ok := st.Op.Type.Underlying().(*types.Slice)
		if !ok {
			return st, false
		}
		made := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpComposite, Type: st.Op.Type, N: len(texts)}}
		for _, text := range texts {
			made.Args = append(made.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: list.Elem(), Lit: testcase.Literal{Kind: testcase.LitString, Str: text}}})
		}
		return made, true
	})
}

// Missing returns the sequence of a case whose call fails because there is no file, with a path that says so: missing.md in place
// of readme.md, missing/readme.md in place of docs/readme.md. A reader would take the other for a file that is there.
func Missing(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	message := notExisting(c)
	if message == "" {
		return nil, false
	}
	at, longest := -1, ""
	for i := range c.TargetStmt() {
		if text, ok := TextOf(pkg, c.Seq, i); ok && len(text) > max(len(longest), 1) && strings.Contains(message, text) {
			at, longest = i, text // a short text may be part of a word of the message
		}
	}
	if at < 0 || strings.HasPrefix(longest, "missing") {
		return nil, false
	}
	if dir, file := path.Split(longest); dir != "" && file != "" {
		return WithText(c.Seq, at, "missing/"+file) // a call that makes files fails only where there is no directory
	}
	return WithText(c.Seq, at, "missing"+path.Ext(longest))
}

// Called returns a sequence in which files are called as files with such contents are: config.yaml if there is YAML in them.
func Called(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	seq, changed := c.Seq, false
	for i := range seq.Len() {
		st := seq.At(i)
		if st.Op.Via == nil || st.Op.Via.Beside == nil || len(st.Args) < 2 {
			continue
		}
		first, last := seq.At(st.Args[0].Stmt).Op, seq.At(st.Args[len(st.Args)-1].Stmt).Op
		name := st.Op.Via.Beside[last.Lit.Str]
		if name == "" || name == first.Lit.Str || first.Kind != testcase.OpLiteral || last.Kind != testcase.OpLiteral {
			continue
		}
		other, ok := WithText(seq, st.Args[0].Stmt, name)
		if ok && other.Len() == seq.Len() {
			seq, changed = other, true
		}
	}
	return seq, changed
}

// notExisting returns what the error says by which the call of a case reports that a file does not exist, or "".
func notExisting(c *testcase.Case) string {
	at := c.TargetStmt()
	if c.Observed == nil || at >= len(c.Observed.Results) {
		return ""
	}
	for _, v := range c.Observed.Results[at] {
		if v.Err != nil && slices.ContainsFunc(v.Err.Sentinels, func(e *types.Var) bool { return e.Name() == "ErrNotExist" }) {
			return v.Err.Message
		}
	}
	return ""
}

// Bounds of [Whole].
const (
	fewestOfWhole = 8 // bytes of a text that may be the beginning of a known one
	mostWhole     = 4 // bytes of the known one for each byte of its beginning
)

// Whole returns the sequence of a case in which texts that are only the beginning of a known one are that text as a whole. Known
// are texts that the package or its documents spell out, and those of the notation that a function reads. Mutation and reduction
// cut off what the code does not look at, and a reader asks why a header ends in the middle of a word.
func Whole(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	if pkg.Literals == nil {
		return nil, false
	}
	seq, changed := c.Seq, false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Func == nil || st.Op.Func.Pkg() != pkg.Types || st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Via != nil {
			continue
		}
		for k, a := range st.Args {
			at, ok := TextBehind(pkg, seq, a)
			if !ok {
				continue
			}
			text, _ := TextOf(pkg, seq, at)
			whole := wholeOf(pkg, st.Op, k-st.Op.FirstParam(), text)
			if whole == "" {
				continue
			}
			if other, ok := WithText(seq, at, whole); ok && other.Len() == seq.Len() {
				seq, changed = other, true
			}
		}
	}
	return seq, changed
}

// wholeOf returns the shortest known text that a text is the beginning of, as an argument of a call, or "".
func wholeOf(pkg *load.Package, op *testcase.Operation, param int, text string) string {
	if len(text) < fewestOfWhole || IsSpelledOut(pkg, text) {
		return ""
	}
	known := pkg.Literals.Strings
	if param >= 0 {
		if n := pkg.Notated(op.Func, param); n != nil {
			for _, t := range n.Accepted {
				if t.Value == text {
					return ""
				}
				known = append(known[:len(known):len(known)], t.Value)
			}
		}
	}
	best := ""
	for _, list := range [][]string{known, pkg.Literals.Listed} {
		for _, t := range list {
			if len(t) > len(text) && len(t) <= mostWhole*len(text) && strings.HasPrefix(t, text) && (best == "" || len(t) < len(best)) {
				best = t
			}
		}
	}
	return best
}

// Bounds of [ShorterTexts].
const (
	fewestOfShorter = 12 // bytes of a text that is worth being made shorter
	mostShorter     = 8  // beginnings, ends and middles of a text that are tried
)

// ShorterTexts returns the ways of [Shorter], those with the shortest texts first.
func ShorterTexts() []Way {
	var out []Way
	for n := range mostShorter {
		out = append(out, Shorter(n))
	}
	return out
}

// Shorter returns a way that passes only a run of the words of a text, the n-th by length: "${HELLO-WORLD}" in place of
// "Build ${HELLO-WORLD} on ${HOST:-here}". Texts that engines make are documents' texts with one place changed, and a reader has to
// look for that place. What the package or its documents spell out stays as it is, and so does a sentence.
func Shorter(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		if pkg.Literals == nil {
			return nil, false
		}
		used := feeds(c)
		at, longest := -1, ""
		for i := range c.TargetStmt() {
			if text, ok := TextOf(pkg, c.Seq, i); ok && used[i] && len(text) > max(len(longest), fewestOfShorter) && isMade(pkg, text) && !hasNotation(pkg, c.Seq, i) {
				at, longest = i, text
			}
		}
		if at < 0 {
			return nil, false
		}
		runs := wordRuns(longest)
		if n >= len(runs) {
			return nil, false
		}
		return WithText(c.Seq, at, runs[n])
	}
}

// Bounds of [PaddedTexts].
const (
	fewestOfPadded = 40 // bytes of a text of which nobody reads each word
	mostPadded     = 8  // texts that are tried
)

// PaddedTexts returns ways that pass many equal characters and one word in place of a long text that engines made, where only
// its length and this word matter: 128 blanks and "error".
func PaddedTexts() []Way {
	var out []Way
	for n := range mostPadded {
		out = append(out, func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
			if pkg.Literals == nil {
				return nil, false
			}
			used := feeds(c)
			for i := range c.TargetStmt() {
				text, ok := TextOf(pkg, c.Seq, i)
				if !ok || !used[i] || len(text) < fewestOfPadded || IsSpelledOut(pkg, text) || isUniform(text) {
					continue
				}
				if list := padded(text, otherTexts(pkg, c.Seq, i)); n < len(list) {
					return WithText(c.Seq, i, list[n])
				}
			}
			return nil, false
		})
	}
	return out
}

// ShorterRuns returns ways that shorten the first long run of one character in a text: to a few, or to no more than a buffer holds.
func ShorterRuns() []Way {
	const long = 32
	var out []Way
	for _, to := range []int{2, 16, 64, 128, 256, 512, 1024, 4096} {
		out = append(out, func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
			used := feeds(c)
			for i := range c.TargetStmt() {
				text, ok := TextOf(pkg, c.Seq, i)
				if !ok || !used[i] || len(text) < long || pkg.Literals != nil && IsSpelledOut(pkg, text) {
					continue
				}
				if from, n := longestRun(text); n >= long && n > to {
					return WithText(c.Seq, i, text[:from+to]+text[from+n:])
				}
			}
			return nil, false
		})
	}
	return out
}

// longestRun returns the place and the length of the longest run of one ASCII character in a text.
func longestRun(text string) (from, n int) {
	for i := 0; i < len(text); {
		j := i + 1
		for j < len(text) && text[j] == text[i] {
			j++
		}
		if j-i > n && text[i] < utf8.RuneSelf {
			from, n = i, j-i
		}
		i = j
	}
	return from, n
}

// isUniform reports whether most of a text is one character, so that a reader sees at once what the rest is.
func isUniform(text string) bool {
	count := make(map[rune]int)
	most := 0
	for _, r := range text {
		count[r]++
		most = max(most, count[r])
	}
	return 4*most >= 3*len([]rune(text))
}

// otherTexts returns the texts that the other statements of a sequence make.
func otherTexts(pkg *load.Package, s *testcase.Sequence, but int) []string {
	var out []string
	for i := range s.Len() {
		if text, ok := TextOf(pkg, s, i); ok && i != but && text != "" {
			out = append(out, text)
		}
	}
	return out
}

// padded returns texts of the length of a text that consist of blanks or of equal letters, of these before one of the words that the text has,
// and of these behind its first word. A text of which all but the word is one character already has none, nor have letters or
// digits in their order: what reads at a wrong place of them shows, and among equal letters it would not.
func padded(text string, words []string) []string {
	const mostWords = 2
	if text != "" && (text == inOrder(len(text), int(text[0])-'a') || text == inOrder(len(text), int(text[0])-'0')) {
		return nil
	}
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) > len(text)/2 || !strings.Contains(text, w) })
	words = append([]string{""}, words[:min(len(words), mostWords)]...)
	var out []string
	for _, filler := range []string{" ", "x"} {
		for _, word := range words {
			out = append(out, strings.Repeat(filler, len(text)-len(word))+word)
		}
		if first := strings.Fields(text); len(first) > 1 && strings.HasPrefix(text, first[0]) {
			out = append(out, first[0]+strings.Repeat(filler, len(text)-len(first[0])))
		}
	}
	if slices.Contains(out, text) {
		return nil
	}
	return out[:min(len(out), mostPadded)]
}

// isMade reports whether a text is neither a sentence nor spelled out by the package or its documents.
func isMade(pkg *load.Package, text string) bool {
	isSign := func(r rune) bool {
		return unicode.In(r, unicode.P, unicode.S) && !strings.ContainsRune(",.!?'", r)
	}
	if !strings.ContainsFunc(text, isSign) || IsSpelledOut(pkg, text) || slices.Contains(pkg.Literals.Listed, text) {
		return false
	}
	for _, calls := range pkg.Literals.Documented {
		for _, args := range calls {
			if slices.ContainsFunc(args, func(v constant.Value) bool {
				return v != nil && v.Kind() == constant.String && constant.StringVal(v) == text
			}) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(pkg.Literals.Fenced, func(f literals.Fenced) bool { return f.Text == text })
}

// hasNotation reports whether a function of the package takes the text of a statement in a known notation, whose texts are as people
// write them as a whole.
func hasNotation(pkg *load.Package, s *testcase.Sequence, stmt int) bool {
	for i := range s.Len() {
		st := s.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		for k, a := range st.Args {
			if a.Stmt == stmt && k >= st.Op.FirstParam() && pkg.Notated(st.Op.Func, k-st.Op.FirstParam()) != nil {
				return true
			}
		}
	}
	return false
}

// wordRuns returns beginnings, ends and middles of a text that consist of whole words, at most mostShorter, the shortest first. In
// each of them brackets and quotes that were closed in the text are closed.
func wordRuns(text string) []string {
	var starts, ends []int
	inWord := false
	for i, r := range text + " " {
		if word := !unicode.IsSpace(r); word != inWord {
			if inWord = word; word {
				starts = append(starts, i)
			} else {
				ends = append(ends, i)
			}
		}
	}
	closed := isClosed(text)
	var out []string
	for a, start := range starts {
		for _, end := range ends[a:] {
			if run := text[start:end]; len(run) < len(text) && (!closed || isClosed(run)) && !slices.Contains(out, run) {
				out = append(out, run)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return len(a) - len(b) })
	return out[:min(len(out), mostShorter)]
}

// isClosed reports whether a text has as many brackets of each kind that end as begin, and an even number of each quote.
func isClosed(text string) bool {
	for _, pair := range []string{"()", "[]", "{}", "<>"} {
		if strings.Count(text, pair[:1]) != strings.Count(text, pair[1:]) {
			return false
		}
	}
	for _, quote := range []string{`"`, "`"} {
		if strings.Count(text, quote)%2 != 0 {
			return false
		}
	}
	return true
}
