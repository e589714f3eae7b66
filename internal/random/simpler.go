package random

import (
	"go/types"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/goassay/assay/internal/asked"
	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/testcase"
)

// simpler returns constants that are easier to read than an operation's, the best first. Each comes
// earlier in a fixed order, so the search for simpler constants ends.
func simpler(op *testcase.Operation) []testcase.Literal {
	l := op.Lit
	if op.Choice != nil {
		var out []testcase.Literal
		before := op.ChosenBefore()
		for _, s := range before {
			out = append(out, testcase.Literal{Kind: l.Kind, Str: s})
		}
		if len(before) < len(op.Choice) {
			return out
		}
		for _, s := range simplerStrings(l.Str) {
			out = append(out, testcase.Literal{Kind: l.Kind, Str: s})
		}
		return out
	}
	b := op.Type.Underlying().(*types.Basic)
	var out []testcase.Literal
	if testcase.IsDuration(op.Type) {
		for _, d := range testcase.PlainerDurations(time.Duration(l.Bits)) {
			out = append(out, testcase.Literal{Kind: l.Kind, Bits: uint64(d)})
		}
		return out
	}
	switch l.Kind {
	case testcase.LitBool:
		if l.Bits != 0 {
			out = append(out, testcase.Literal{Kind: l.Kind})
		}
	case testcase.LitInt:
		v := int64(l.Bits)
		for _, n := range []int64{0, 1, 2, 3, 5, 10, -1, 100, v / 10, v / 2, v - 1, v + 1, -v} {
			if magnitude(n) < magnitude(v) && wrapInt(n, b) == n {
				out = append(out, testcase.Literal{Kind: l.Kind, Bits: uint64(n)})
			}
		}
	case testcase.LitUint:
		v := l.Bits
		for _, n := range []uint64{0, 1, 2, 3, 5, 10, 100, v / 10, v / 2, v - 1} {
			if n < v {
				out = append(out, testcase.Literal{Kind: l.Kind, Bits: n})
			}
		}
	case testcase.LitFloat:
		v := math.Float64frombits(l.Bits)
		if b.Kind() == types.Float32 {
			v = float64(math.Float32frombits(uint32(l.Bits)))
		}
		for _, f := range []float64{0, 1, 2, -1, 0.5, 10, 100, math.Trunc(v), math.Round(v*4) / 4, -v} {
			if ease(f) < ease(v) {
				out = append(out, floatLiteral(f, b))
			}
		}
	case testcase.LitString:
		for _, s := range simplerStrings(l.Str) {
			out = append(out, testcase.Literal{Kind: l.Kind, Str: s})
		}
	}
	return out
}

// magnitude orders integers: 0, 1, -1, 2, -2, ...
func magnitude(v int64) uint64 {
	switch {
	case v == math.MinInt64:
		return math.MaxUint64 // twice its absolute value does not fit
	case v < 0:
		return uint64(-v) * 2
	case v > 0:
		return uint64(v)*2 - 1
	}
	return 0
}

// ease orders floats by how easy they are to read: whole numbers first, small before large, positive
// before negative; NaN and infinities last.
func ease(f float64) float64 {
	switch {
	case f != f:
		return math.Inf(1)
	case math.IsInf(f, 0):
		return math.MaxFloat64
	}
	e := math.Abs(f) * 2
	if math.Signbit(f) {
		e += 1
	}
	if f != math.Trunc(f) {
		e = e*4 + 1000
	}
	return e
}

// maxCuts bounds how many ways there are to cut larger parts out of a string.
const maxCuts = 60

// simplerStrings returns strings that are shorter, or as long with plainer letters.
func simplerStrings(s string) []string {
	if s == "" {
		return nil
	}
	out := []string{""}
	if len(s) > 1 {
		out = append(out, "a", s[:len(s)/2], s[len(s)/2:])
		for size := len(s) / 4; size > 1; size /= 2 {
			for i := 0; i+size <= len(s) && len(out) < maxCuts; i += size {
				out = append(out, s[:i]+s[i+size:])
			}
		}
		for i := range min(len(s), 40) {
			out = append(out, s[:i]+s[i+1:])
		}
	}
	for i := range min(len(s), 40) {
		var plain byte
		switch c := s[i]; {
		case c >= 0x80 || c < ' ':
			plain = 'a'
		case c >= 'b' && c <= 'z' || c >= 'A' && c <= 'Z':
			plain = 'a'
		case c >= '1' && c <= '9':
			plain = '0'
			if c > '1' {
				out = append(out, s[:i]+"1"+s[i+1:])
			}
		default:
			continue
		}
		if rank(s[i]) > rank(plain) {
			out = append(out, s[:i]+string(plain)+s[i+1:])
		}
	}
	var better []string
	valid := utf8.ValidString(s)
	for _, c := range out {
		if valid && !utf8.ValidString(c) {
			continue // half a letter
		}
		if len(c) < len(s) || len(c) == len(s) && c != s {
			better = append(better, c)
		}
	}
	return better
}

// shortestWord is how many letters a word has at least that is kept or left out as a whole.
const shortestWord = 3

// hasWords reports whether a text has two words that somebody wrote, and something between them.
func hasWords(s string, isWord func(string) bool) bool {
	n := 0
	for _, token := range everyday.Tokens(s) {
		if isWord(token) {
			n++
		}
	}
	return n > 1
}

// simplerDocuments returns shorter texts of one that has words: with fewer lines, without some of its words and signs, and with fewer letters only
// where there is no word. A document that is cut down by letters until it does just as much, "--name: drop\nD", says less to a reader than the
// one that somebody wrote.
func simplerDocuments(s string, isWord func(string) bool) []string {
	out := []string{"", "a"}
	without := func(parts []string, sep string) {
		for size := len(parts) / 2; size > 0; size /= 2 {
			for i := 0; i+size <= len(parts) && len(out) < 2*maxCuts; i += size {
				out = append(out, strings.Join(slices.Concat(parts[:i], parts[i+size:]), sep))
			}
		}
	}
	for _, sep := range []string{"\n\n", "\n"} {
		if parts := strings.Split(s, sep); len(parts) > 1 {
			without(parts, sep)
		}
	}
	tokens := everyday.Tokens(s)
	without(tokens, "")
	for i, token := range tokens {
		if isWord(token) || len(out) > 2*maxCuts {
			continue
		}
		for _, other := range simplerStrings(token) {
			out = append(out, strings.Join(slices.Concat(tokens[:i], []string{other}, tokens[i+1:]), ""))
		}
	}
	return slices.DeleteFunc(out, func(text string) bool { return len(text) > len(s) || text == s })
}

// isWord reports whether some text of the package or its documents, or one that was composed, has a word.
func (e *engine) isWord(word string) bool {
	if len(word) < shortestWord {
		return false
	}
	if e.words == nil {
		e.words = make(map[string]bool)
		note := func(text string) {
			for _, token := range everyday.Tokens(text) {
				e.words[token] = true
			}
		}
		if l := e.pkg.Literals; l != nil {
			for _, text := range l.Strings {
				note(text)
			}
			for _, s := range l.Shown {
				note(s.Text)
			}
			for _, f := range l.Fenced {
				note(f.Text)
			}
		}
	}
	return e.words[word] || asked.IsWord(word)
}

// rank orders bytes by how plain they are.
func rank(c byte) int {
	const order = "a01bcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ23456789"
	if i := strings.IndexByte(order, c); i >= 0 {
		return i
	}
	return len(order) + int(c)
}
