package random

import (
	"go/constant"
	"go/types"
	"math"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/testcase"
)

// alphabet are the characters of random strings, in addition to strings from the code.
const alphabet = "aab1 .-_/:A0Z,z9\"'()[]{}<>+*=%#@!?\\\n\té世"

// limits are texts of the largest and smallest numbers of Go's types. Code that reads numbers often
// fails on them, and random strings never hit them.
var limits = [...]string{
	"127", "128", "255", "256", "32768", "65536", "2147483647", "-2147483648", "2147483648", "4294967296",
	"9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e309",
}

// documents are short texts of the formats that packages of the standard library read, and of the usual
// ones of other modules by the last part of their path. Code that decodes what it reads does not get
// far with anything else.
var documents = map[string][]string{
	"encoding/json": {`{"a":1}`, `[1,2]`, `"abc"`, `{"name":"ann","id":3}`}, "encoding/xml": {"<a>1</a>", `<a b="c"><d>1</d></a>`}, "encoding/csv": {"a,b\n1,2\n"},
	"encoding/base64": {"YWJj"}, "encoding/hex": {"616263"}, "net/url": {"https://example.com/a?q=1", "a=1&b=2"}, "net/mail": {"ann@example.com"}, "net": {"192.0.2.1:80", "192.0.2.1"},
	"net/netip": {"192.0.2.1", "192.0.2.0/24"}, "net/textproto": {"A: b\r\nC: d\r\n\r\n"}, "time": {"2024-05-06T07:08:09Z", "1h30m"}, "regexp": {"a+", "(b|c)"}, "html": {"<p>a</p>"},
	"text/template": {"{{.}}"}, "html/template": {"<p>{{.}}</p>"}, "math/big": {"12345678901234567890"},
	"yaml": {"a: 1\n", "- a\n- b\n"}, "toml": {"a = 1\n", "[b]\nc = \"d\"\n"}, "json": {`{"a":1}`, `[1,2]`},
}

// documentsFor returns the texts of the formats that a package imports readers of, in their order.
func documentsFor(pkg *types.Package) []string {
	var out []string
	for _, imp := range pkg.Imports() {
		name := strings.TrimSuffix(path.Base(imp.Path()), path.Ext(imp.Path())) // gopkg.in/yaml.v3
		texts := documents[imp.Path()]
		if texts == nil && strings.Contains(imp.Path(), ".") {
			texts = documents[strings.TrimPrefix(name, "go-")]
		}
		out = append(out, texts...)
	}
	return out
}

// maxLiteral is the largest length, in bytes, of strings that are put together here. Strings of the
// code and its tests keep their length.
const maxLiteral = 60

func clip(s string) string {
	if len(s) > maxLiteral {
		return s[:maxLiteral]
	}
	return s
}

// str makes a string: in most cases one of the code's strings, or a combination of parts of them. If
// the draft is about a row of the tests, it may be a string of the row.
func (e *engine) str() string {
	if len(e.row) > 0 && e.rnd.IntN(5) > 0 {
		s := e.row[e.rnd.IntN(len(e.row))]
		if e.rnd.IntN(3) == 0 {
			s = e.mutateString(s)
		}
		return s
	}
	if texts := e.notatedTexts(); len(texts) > 0 && e.rnd.IntN(3) == 0 {
		s := texts[e.rnd.IntN(len(texts))]
		if e.rnd.IntN(3) == 0 {
			s = e.mutateString(s)
		}
		return s
	}
	if len(e.documents) > 0 && decodes(e.now) && e.rnd.IntN(4) == 0 {
		return e.documents[e.rnd.IntN(len(e.documents))]
	}
	if len(e.asked) > 0 && len(e.notatedTexts()) == 0 && e.rnd.IntN(composedPart) == 0 {
		return asked.Compose(e.rnd, asked.Some(e.rnd, e.asked))
	}
	if sizes := e.sizes(); len(sizes) > 0 && e.limit == math.MaxInt64 && e.rnd.IntN(longTexts) == 0 {
		return e.long(sizes)
	}
	l := e.hints().Strings
	some := func() string {
		if e.limit == math.MaxInt64 && e.rnd.IntN(24) == 0 {
			return limits[e.rnd.IntN(len(limits))]
		}
		if len(l) == 0 || e.rnd.IntN(4) == 0 {
			return e.letters(1 + e.rnd.IntN(4))
		}
		return l[e.rnd.IntN(len(l))]
	}
	switch k := e.rnd.IntN(20); {
	case k < 2:
		return ""
	case k < 11:
		return some()
	case k < 15:
		return clip(some() + some())
	case k < 18:
		return e.mutateString(some())
	}
	return e.letters(e.rnd.IntN(8))
}

// composedPart says that one text of so many is composed of words and the signs of functions that were entered.
const composedPart = 6

// longTexts says that one text of so many is long where the code has buffers of some size, or limits of a text's length: code that
// fills a buffer, divides what it is given into blocks or looks for what repeats does something else then. Elsewhere a long text
// shows no more than a short one.
const longTexts = 32

// sizes returns the lengths from which on the package's code may do something else with a text.
func (e *engine) sizes() []int {
	if e.pkg.Literals == nil {
		return nil
	}
	return e.pkg.Literals.Sizes
}

// long makes a text of a few lines, or of one of the sizes or just beyond it, by repeating a short one.
func (e *engine) long(sizes []int) string {
	unit := e.letters(1 + e.rnd.IntN(3))
	if l := e.hints().Strings; len(l) > 0 && e.rnd.IntN(2) == 0 {
		if s := l[e.rnd.IntN(len(l))]; s != "" && len(s) <= maxLiteral {
			unit = s
		}
	}
	n := 40 + e.rnd.IntN(300)
	if e.rnd.IntN(2) == 0 {
		n = sizes[min(e.rnd.IntN(len(sizes)), e.rnd.IntN(len(sizes)))] + e.rnd.IntN(2) // small ones more often, which cost less
	}
	return strings.Repeat(unit, n/len(unit)+1)[:n]
}

// notatedTexts returns texts in the notations that the parameters of the function being tried ask for.
func (e *engine) notatedTexts() []string {
	texts, ok := e.notated[e.now]
	if ok {
		return texts
	}
	if t := e.pkg.Target(e.now); t != nil && t.Obj != nil {
		for i := range t.Obj.Signature().Params().Len() {
			n := e.pkg.Notated(t.Obj, i)
			if n == nil {
				n = e.pkg.NotatedElements(t.Obj, i)
			}
			if n == nil {
				continue
			}
			for _, text := range n.Texts() {
				texts = append(texts, text.Value)
			}
		}
	}
	e.notated[e.now] = texts
	return texts
}

func (e *engine) letters(n int) string {
	var out []byte
	letters := []rune(alphabet)
	for range n {
		out = utf8.AppendRune(out, letters[e.rnd.IntN(len(letters))])
	}
	return string(out)
}

// likeAccepted returns one of the constants that a function has accepted, or a text of the code's that looks like
// one of them: if "USD" is a currency "EUR" may be one, and only with both do they differ.
func (e *engine) likeAccepted(accepted []testcase.Literal) testcase.Literal {
	l := accepted[e.rnd.IntN(len(accepted))]
	if l.Kind != testcase.LitString || l.Str == "" || e.pkg.Literals == nil || e.rnd.IntN(3) > 0 {
		return l
	}
	if e.alike == nil {
		e.alike = map[string][]string{}
		for _, s := range e.pkg.Literals.Strings {
			if len(s) <= maxLiteral {
				e.alike[classes(s)] = append(e.alike[classes(s)], s)
			}
		}
	}
	if others := e.alike[classes(l.Str)]; len(others) > 0 {
		l.Str = others[e.rnd.IntN(len(others))]
	}
	return l
}

// classes replaces each letter and digit of a text by one that stands for its class.
func classes(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '0'
		case unicode.IsUpper(r):
			return 'A'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, s)
}

// rowPart is which part of the sequences are about a row, where there are rows.
const rowPart = 4

// chooseRow chooses the row of texts that the next draft is about: a row of the tests, a row of the
// code of the draft's last action, or none.
func (e *engine) chooseRow(a *action) {
	e.row = nil
	if c := e.ofChange(); c != nil && len(c.Strings) > 0 {
		if e.row = []string{c.Strings[e.rnd.IntN(len(c.Strings))]}; len(c.Rows) > 0 && e.rnd.IntN(2) == 0 {
			e.row = c.Rows[e.rnd.IntN(len(c.Rows))]
		}
		return
	}
	if rows := e.givers.Rows(); len(rows) > 0 && e.rnd.IntN(rowPart) == 0 {
		e.row = rows[e.rnd.IntN(len(rows))]
		return
	}
	l := e.pkg.Literals
	if l == nil || e.rnd.IntN(rowPart) > 0 {
		return
	}
	rows := l.Rows
	if own := l.ByFunc[a.name]; own != nil && len(own.Rows) > 0 && (len(rows) == 0 || e.rnd.IntN(2) == 0) {
		rows = own.Rows
	}
	if len(rows) > 0 {
		e.row = rows[e.rnd.IntN(len(rows))]
	}
}

// mutateString changes a string in one place. It gets a little longer at most.
func (e *engine) mutateString(s string) string {
	limit := max(maxLiteral, len(s)+16)
	clip := func(s string) string { return s[:min(len(s), limit)] }
	// Code that reads indices and lengths out of text often fails on unusual ones, and no branch shows
	// that.
	if e.rnd.IntN(4) == 0 {
		if from, to, ok := e.number(s); ok {
			return clip(s[:from] + e.numeral() + s[to:])
		}
	}
	at := e.rnd.IntN(len(s) + 1)
	if len(e.awaited) > 0 && e.rnd.IntN(awaitedPart) == 0 {
		return clip(e.toward(s, at))
	}
	switch e.rnd.IntN(11) {
	case 0: // cut off
		return s[:at]
	case 1: // drop a part
		end := min(len(s), at+1+e.rnd.IntN(3))
		return s[:at] + s[end:]
	case 2: // double a part
		end := min(len(s), at+1+e.rnd.IntN(5))
		return clip(s[:end] + s[at:])
	case 3: // replace a byte
		if at < len(s) {
			return s[:at] + e.letters(1) + s[at+1:]
		}
	case 4: // change a byte a little: digits become other digits
		if at < len(s) {
			return s[:at] + string([]byte{s[at] + byte(e.rnd.IntN(5)) - 2}) + s[at+1:]
		}
	case 5, 6: // insert one of the code's strings
		if l := e.hints().Strings; len(l) > 0 {
			return clip(s[:at] + l[e.rnd.IntN(len(l))] + s[at:])
		}
	case 7: // replace a word
		if from, to, ok := wordAt(s, at); ok {
			if l := e.hints().Strings; len(l) > 0 {
				return clip(s[:from] + l[e.rnd.IntN(len(l))] + s[to:])
			}
		}
	case 8: // double a word, with the text in front of it
		if from, to, ok := wordAt(s, at); ok && from > 0 {
			return clip(s[:to] + s[from-1:])
		}
	case 9: // drop a word and the text in front of it
		if from, to, ok := wordAt(s, at); ok {
			return s[:max(from-1, 0)] + s[to:]
		}
	}
	return clip(s[:at] + e.letters(1+e.rnd.IntN(2)) + s[at:])
}

// awaitedPart says that one change of so many puts in a text that the code waits for.
const awaitedPart = 3

// toward puts a text that the code waits for into another one: at a place, in place of the word there, or behind the end, where a grammar goes on.
func (e *engine) toward(s string, at int) string {
	text := e.awaited[e.rnd.IntN(len(e.awaited))]
	switch e.rnd.IntN(6) {
	case 0:
		return s[:at] + text + s[at:]
	case 1:
		return s + text
	case 2:
		return s + " " + text
	case 3:
		return s + "\n" + text
	}
	if from, to, ok := wordAt(s, at); ok {
		return s[:from] + text + s[to:]
	}
	return s[:at] + text + s[at:]
}

// number returns where one of the numbers in a text begins and ends, if there are any.
func (e *engine) number(s string) (from, to int, ok bool) {
	n := 0
	for i := range len(s) {
		if digit(s[i]) && (i == 0 || !digit(s[i-1])) {
			// Each of the n so far is it with the same chance.
			if n++; e.rnd.IntN(n) == 0 {
				from = i
			}
		}
	}
	to = from
	for to < len(s) && digit(s[to]) {
		to++
	}
	return from, to, n > 0
}

// numeral makes the text of a number, within the limit of the action being tried.
func (e *engine) numeral() string {
	i := int64(e.rnd.IntN(12)) - 1
	switch k := e.rnd.IntN(24); {
	case k == 0 && e.limit == math.MaxInt64:
		return limits[e.rnd.IntN(len(limits))]
	case k < 7:
		if l := e.hints().Ints; len(l) > 0 {
			if n, exact := constant.Int64Val(constant.ToInt(l[e.rnd.IntN(len(l))])); exact {
				i = n
			}
		}
	case k < 13:
		i = int64(e.rnd.IntN(300))
	}
	if e.limit != math.MaxInt64 {
		i %= e.limit + 1
	}
	return strconv.FormatInt(i, 10)
}

// wordAt returns where the run of digits or of letters begins and ends that the byte at is
// in or stands before, if there is one.
func wordAt(s string, at int) (from, to int, ok bool) {
	for at < len(s) && !digit(s[at]) && !letter(s[at]) {
		at++
	}
	if at == len(s) {
		return 0, 0, false
	}
	same := letter
	if digit(s[at]) {
		same = digit
	}
	from, to = at, at
	for from > 0 && same(s[from-1]) {
		from--
	}
	for to < len(s) && same(s[to]) {
		to++
	}
	return from, to, true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func letter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf || c == '_'
}
