package plain

import (
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/testcase"
)

// A spelling returns another way to write a text, or the same text if it knows none.
type spelling func(v vocabulary, text string) string

// vocabulary is the text that a package's code, tests and documents spell out. Such texts have a meaning, so
// no spelling changes them. The field near has the texts of the function under test.
type vocabulary struct {
	all, near *load.Literals
	names     []string          // words for the parts of a text, in their order
	told      map[string]string // words that stand for parts of the texts of a case, by part
}

func (v vocabulary) has(word string) bool {
	for _, l := range []*load.Literals{v.near, v.all} {
		if l != nil && slices.Contains(l.Strings, word) {
			return true
		}
	}
	return notation.IsKnown(word)
}

// separates reports whether the function under test spells out a character.
func (v vocabulary) separates(r rune) bool { return spells(v.near, r) }

// means reports whether any function of the package spells out a character.
func (v vocabulary) means(r rune) bool { return spells(v.near, r) || spells(v.all, r) }

func spells(l *load.Literals, r rune) bool {
	if l == nil {
		return false
	}
	if slices.ContainsFunc(l.Strings, func(s string) bool { return s == string(r) }) {
		return true
	}
	return slices.ContainsFunc(l.Ints, func(c constant.Value) bool {
		n, exact := constant.Int64Val(c)
		return exact && n == int64(r)
	})
}

// Spelled returns a way that spells the texts anew which the case's own call takes.
func Spelled(how spelling) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		return spelled(pkg, c, how, feeds(c))
	}
}

// SpelledAll returns a way that spells all texts anew which a case passes to functions of the package,
// including those that prepare for its own call.
func SpelledAll(how spelling) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		foreign := foreignArguments(pkg, c.Seq)
		used := make([]bool, c.Seq.Len())
		for i := range used {
			used[i] = !foreign[i]
		}
		return spelled(pkg, c, how, used)
	}
}

// spelled changes the spelling of the texts of a case that used marks.
func spelled(pkg *load.Package, c *testcase.Case, how spelling, used []bool) (*testcase.Sequence, bool) {
	if pkg.Literals == nil {
		return nil, false
	}
	v := vocabulary{all: pkg.Literals, near: pkg.Literals.ByFunc[c.Target], names: resultNames(c), told: make(map[string]string)}
	named, fields := namesOf(c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		op := st.Op
		if !used[i] || op.Kind != testcase.OpLiteral || op.Choice != nil || op.Lit.Kind != testcase.LitString || IsEnumeration(pkg, op.Type) || len(op.Lit.Str) > 1 && v.has(op.Lit.Str) {
			continue
		}
		lit, own := op.Lit, v
		texts := textsFor(pkg, named[i], fields[i])
		if slices.Contains(texts, lit.Str) || slices.Contains(otherWords[:], lit.Str) || !isWord(lit.Str) && everyday.IsByName(lit.Str) {
			continue // what a person writes already
		}
		if len(texts) > 0 && len(v.names) == 0 && isWord(op.Lit.Str) {
			own.names = texts[:1]
		}
		if lit.Str = how(own, lit.Str); lit != op.Lit {
			stmts[i] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}}
			changed = true
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// feeds marks the statements whose values the case's own call takes, as arguments, as elements of
// arguments, or in interfaces.
func feeds(c *testcase.Case) []bool {
	target := c.TargetStmt()
	out := make([]bool, c.Seq.Len())
	for _, a := range c.Seq.At(target).Args {
		out[a.Stmt] = true
	}
	for i := target - 1; i >= 0; i-- {
		if st := c.Seq.At(i); out[i] && (st.Op.Kind == testcase.OpComposite || st.Op.Kind == testcase.OpAddr || st.Op.Kind == testcase.OpConvert) {
			for _, a := range st.Args {
				out[a.Stmt] = true
			}
		}
	}
	return out
}

// resultNames returns the names of the target's text results. If a function returns `key, value, err`,
// then the words key and value are good parts of the text that it reads.
func resultNames(c *testcase.Case) []string {
	f := c.Seq.At(c.TargetStmt()).Op.Func
	if f == nil {
		return nil
	}
	var out []string
	for r := range f.Signature().Results().Variables() {
		if b, ok := r.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 && len(r.Name()) > 1 {
			out = append(out, r.Name())
		}
	}
	return out
}

// part is a stretch of a text whose characters are of one kind.
type part struct {
	text string
	kind int // the kind of its characters
}

// The kinds of characters.
const (
	letters = iota
	digits
	others // other characters: each is a part by itself
	known  // a text that the package spells out
)

// parts cuts a text where the kind of its characters changes.
func parts(s string) []part {
	kindOf := func(r rune) int {
		switch {
		case unicode.IsLetter(r):
			return letters
		case unicode.IsDigit(r):
			return digits
		}
		return others
	}
	var out []part
	for _, r := range s {
		k := kindOf(r)
		if n := len(out); n > 0 && out[n-1].kind == k && k != others {
			out[n-1].text += string(r)
			continue
		}
		out = append(out, part{string(r), k})
	}
	return out
}

// parts cuts a text as the function parts does, but for what the package spells out in it: in "}.lambda.localhost" no spelling changes
// ".lambda." or "localhost", by which the code tells one text from another.
func (v vocabulary) parts(s string) []part {
	var out []part
	from := 0
	for at := 0; at < len(s); {
		n := v.spelledAt(s, at)
		if n == 0 {
			at++
			continue
		}
		out = append(out, parts(s[from:at])...)
		out = append(out, part{s[at : at+n], known})
		at += n
		from = at
	}
	return append(out, parts(s[from:])...)
}

// spelledAt returns the length of the longest text that the package spells out and that stands at a place of s as words of its own, or 0.
// Capitals make no difference, since much code ignores them. The whole of s is no part of it.
func (v vocabulary) spelledAt(s string, at int) int {
	const most = 1000 // texts of the package, the most frequent first
	longest := 0
	for _, l := range []*load.Literals{v.near, v.all} {
		if l == nil {
			continue
		}
		for _, text := range l.Strings[:min(len(l.Strings), most)] {
			n := len(text)
			if n < 2 || n <= longest || n >= len(s) || at+n > len(s) || !strings.EqualFold(s[at:at+n], text) {
				continue
			}
			if !withinWord(s, at) && !withinWord(s, at+n) {
				longest = n
			}
		}
	}
	return longest
}

// withinWord reports whether a place of a text is between two letters or two digits.
func withinWord(s string, at int) bool {
	if at == 0 || at == len(s) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	behind, _ := utf8.DecodeRuneInString(s[at:])
	return unicode.IsLetter(before) && unicode.IsLetter(behind) || unicode.IsDigit(before) && unicode.IsDigit(behind)
}

// isWord reports whether a text is nothing but letters.
func isWord(s string) bool {
	ps := parts(s)
	return len(ps) == 1 && ps[0].kind == letters
}

func concat(ps []part) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.text)
	}
	return b.String()
}

// collapsed writes repeated characters once, and huge numbers as nines. Where the solver had to make a text
// long, neither its length nor its numbers have a meaning.
func collapsed(v vocabulary, s string) string {
	const huge = 10 // digits
	ps := v.parts(s)
	for i, p := range ps {
		switch {
		case p.kind == digits && len(p.text) >= huge:
			ps[i].text = strings.Repeat("9", len(p.text))
		case p.kind == letters && !v.has(p.text):
			ps[i].text = onceEach(p.text)
		}
	}
	// A separator that is repeated more than twice is written once.
	var out []part
	for i, p := range ps {
		if p.kind == others && i >= 2 && ps[i-1].text == p.text && ps[i-2].text == p.text {
			continue
		}
		out = append(out, p)
	}
	return concat(out)
}

// once writes repeated characters once, and leaves numbers as they are.
func once(v vocabulary, s string) string {
	ps := v.parts(s)
	for i, p := range ps {
		if p.kind == letters && !v.has(p.text) {
			ps[i].text = onceEach(p.text)
		}
	}
	return concat(ps)
}

// lettered replaces each mark that the package does not spell out by a letter, because such a mark stands for
// any character. Other white space becomes a space.
func lettered(v vocabulary, s string) string {
	var b strings.Builder
	for _, p := range v.parts(s) {
		if p.kind == known {
			b.WriteString(p.text)
			continue
		}
		for _, r := range p.text {
			switch {
			case unicode.IsLetter(r) && r < unicode.MaxASCII || unicode.IsDigit(r) || r == ' ' || r == '\n' || v.means(r):
				b.WriteRune(r)
			case unicode.IsSpace(r):
				b.WriteByte(' ')
			default:
				b.WriteByte('a')
			}
		}
	}
	return b.String()
}

// onceEach returns a text in which each run of one character has become a single character.
func onceEach(s string) string {
	var b strings.Builder
	last := rune(-1)
	for _, r := range s {
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// worded writes each stretch of letters that the package does not spell out as a word.
func worded(v vocabulary, s string) string {
	ps := v.parts(s)
	next := v.words()
	for i, p := range ps {
		if p.kind == letters && !v.has(p.text) {
			ps[i].text = next()
		}
	}
	return concat(ps)
}

// filled does the same as worded, and puts a word on each side of a separator where nothing stands.
func filled(v vocabulary, s string) string {
	ps := v.parts(s)
	isSeparator := func(i int) bool {
		if i < 0 || i >= len(ps) {
			return true // both ends of the text count as separators
		}
		r := []rune(ps[i].text)
		if ps[i].kind == known {
			return !unicode.IsLetter(r[0]) && !unicode.IsLetter(r[len(r)-1])
		}
		return ps[i].kind == others && v.separates(r[0])
	}
	if len(ps) == 0 || len(ps) > 8 {
		return s
	}
	next := v.words()
	var out []part
	for i, p := range ps {
		if isSeparator(i) && isSeparator(i-1) {
			out = append(out, part{next(), letters})
		}
		if p.kind == letters && !v.has(p.text) {
			p.text = next()
		}
		out = append(out, p)
	}
	if isSeparator(len(ps) - 1) {
		out = append(out, part{next(), letters})
	}
	return concat(out)
}

// between puts a word into each gap between what the package spells out in a text, and between characters that it spells out: no character of such
// a gap means anything.
func between(v vocabulary, s string) string {
	ps := v.parts(s)
	if !slices.ContainsFunc(ps, func(p part) bool { return p.kind == known }) {
		return s
	}
	next := v.words()
	var out []part
	inGap := false
	for _, p := range ps {
		r, _ := utf8.DecodeRuneInString(p.text)
		means := p.kind == known || p.kind == others && v.means(r)
		switch {
		case means:
			out = append(out, p)
		case !inGap:
			out = append(out, part{next(), letters})
		}
		inGap = !means
	}
	return concat(out)
}

// bracketed puts a word into each pair of brackets that has nothing but signs in it, and leaves the rest: {{^}} becomes
// {{^abc}}.
func bracketed(v vocabulary, s string) string {
	ps := v.parts(s)
	next := v.words()
	var out []part
	opened := false // nothing but signs since the last bracket that opens
	for _, p := range ps {
		isClosing := p.kind == others && strings.ContainsAny(p.text, ")]}>")
		if isClosing && opened {
			out = append(out, part{next(), letters})
		}
		opened = p.kind == others && !isClosing && (opened || strings.ContainsAny(p.text, "([{<"))
		out = append(out, p)
	}
	return concat(out)
}

// counted writes a 3 for each number in a text that is nothing but zeros. What has no size hides in which unit it is.
func counted(v vocabulary, s string) string {
	ps := v.parts(s)
	for i, p := range ps {
		isFraction := i > 0 && ps[i-1].text == "." || i+1 < len(ps) && ps[i+1].text == "."
		if p.kind == digits && len(ps) > 1 && !isFraction && strings.Trim(p.text, "0") == "" {
			ps[i].text = "3"
		}
	}
	return concat(ps)
}

// uniform writes a long text as one letter repeated, for functions to which only its length matters.
func uniform(v vocabulary, s string) string {
	const long = 32
	if len(s) <= long || v.has(s) || strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII }) {
		return s
	}
	return strings.Repeat("a", len(s))
}

// named replaces each stretch of letters that the package does not spell out, and each stretch of zeros
// beside other characters, by a word. A stretch has the same word wherever it stands in the case.
func named(v vocabulary, s string) string {
	return inWords(v, s, func(text string) string { return text })
}

// toldApart does the same as named with another word for each stretch, also for equal ones: of "abc.abc.abc" nobody sees which part
// something took.
func toldApart(v vocabulary, s string) string {
	return inWords(v, s, func(text string) string { return strconv.Itoa(len(v.told)) + text })
}

// inWords replaces such stretches. Those for which key returns the same have the same word.
func inWords(v vocabulary, s string, key func(text string) string) string {
	ps := v.parts(s)
	isNumber := len(ps) == 1 || strings.Trim(s, "0123456789+-.eE") == "" && strings.Trim(s, ".0") != ""
	list := wordsFor(v)
	for i, p := range ps {
		zeros := p.kind == digits && strings.Trim(p.text, "0") == "" && !isNumber
		if !zeros && (p.kind != letters || v.has(p.text) && !slices.Contains(otherWords[:], p.text)) {
			continue
		}
		k := key(p.text)
		if v.told[k] == "" {
			v.told[k] = unusedWord(list, v.told)
		}
		ps[i].text = v.told[k]
	}
	return concat(ps)
}

// unusedWord returns the first word that stands for no part of a text, the last one if all do.
func unusedWord(list []string, told map[string]string) string {
	used := make(map[string]bool, len(told))
	for _, word := range told {
		used[word] = true
	}
	for _, word := range list {
		if !used[word] {
			return word
		}
	}
	return list[len(list)-1]
}

// initialed writes each zero beside other characters as the letter a, for functions to which a text's length
// matters, so that no word fits.
func initialed(v vocabulary, s string) string {
	if strings.Trim(s, "0123456789+-.eE") == "" && strings.Trim(s, ".0") != "" {
		return s // the text is a number
	}
	ps := v.parts(s)
	for i, p := range ps {
		if p.kind == digits && strings.Trim(p.text, "0") == "" && len(ps) > 1 {
			ps[i].text = strings.Repeat("a", len(p.text))
		}
	}
	return concat(ps)
}

// words returns a function that returns another word each time.
func (v vocabulary) words() func() string {
	list := wordsFor(v)
	n := -1
	return func() string {
		n = min(n+1, len(list)-1)
		return list[n]
	}
}

// wordsFor returns the words that stand for the parts of texts, in their order.
func wordsFor(v vocabulary) []string {
	return append(slices.Clone(v.names), otherWords[:]...)
}

// Readable returns a way that replaces each byte of a text that does not print by the text with, also in bytes of which others are
// signs or letters: "HTTP/xxx" instead of {72, 84, 84, 80, 47, 0, 0, 0}.
func Readable(with string) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seq, changed := readableTexts(c, with)
		d := *c
		if changed {
			d.Seq = seq
		}
		most := 4 // lists of bytes
		if readsNumbers(pkg, c) {
			most = 0
		}
		for range most {
			other, ok := readableBytes(pkg, d.Seq, with)
			if !ok {
				break
			}
			d.Seq, changed = other, true
		}
		return d.Seq, changed
	}
}

// readableBytes does what Readable does for the first list of bytes that needs it.
func readableBytes(pkg *load.Package, s *testcase.Sequence, with string) (*testcase.Sequence, bool) {
	for i := range s.Len() {
		if s.At(i).Op.Kind != testcase.OpComposite {
			continue
		}
		text, ok := TextOf(pkg, s, i)
		isSign := func(r rune) bool { return ' ' < r && r <= '~' }
		if !ok || !strings.ContainsFunc(text, isSign) {
			continue
		}
		if readable := printable(text, with); readable != text {
			return WithText(s, i, readable)
		}
	}
	return nil, false
}

// readableTexts does what Readable does for constant texts.
func readableTexts(c *testcase.Case, with string) (*testcase.Sequence, bool) {
	var out []testcase.Statement
	changed := false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if op := st.Op; op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString && op.Choice == nil {
			if s := printable(op.Lit.Str, with); s != op.Lit.Str {
				lit := op.Lit
				lit.Str = s
				st.Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
				changed = true
			}
		}
		out = append(out, st)
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(out...), true
}

// printable returns a text in which each control character and each byte that is no UTF-8 is replaced.
func printable(s, with string) string {
	var b strings.Builder
	for _, r := range s {
		if r == utf8.RuneError || r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			b.WriteString(with)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
