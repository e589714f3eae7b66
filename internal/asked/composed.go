package asked

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
)

// pairs are keys with a value for each.
var pairs = [...][2]string{
	{"name", "ann"}, {"host", "localhost"}, {"port", "8080"}, {"user", "bob"}, {"path", "/tmp"}, {"color", "red"}, {"debug", "true"}, {"size", "42"}, {"key", "value"}, {"title", "hello world"},
}

// headings are words for what stands above lines.
var headings = [...]string{"server", "client", "main", "users"}

// brackets are the signs that stand around something.
var brackets = [...][2]string{{"[", "]"}, {"{", "}"}, {"(", ")"}, {"<", ">"}}

// remarks are signs in front of what is for people, as far as the code has one of them.
var remarks = [...]string{"#", ";", "//", "--", "%", "!"}

// betweenMany are separators between any number of parts.
const betweenMany = ",;:|/"

// mostLines is how many lines a text has at most, without those in brackets.
const mostLines = 4

// Compose returns a document of a few lines of words of everyday use and the signs that code compares with: a section in brackets, keys and values with a
// separator between them, remarks behind a sign. Of texts made of single characters hardly one in a million is such a document, and a reader of tests
// would not want to see it. Grammars that are learnt from what parsers compare with are those of Höschele and Zeller (AUTOGRAM, ASE 2016); here the
// shapes of lines are given, and only the signs are the code's.
//
//	text := asked.Compose(rnd, []string{"[", "]", "=", "#"}) // "[server]\nhost = localhost\n# user"
//
// What is asked for are the texts of some functions, mostly of few: then the document is often one that these read.
func Compose(rnd *rand.Rand, asked []string) string {
	w := &writer{rnd: rnd, pair: min(rnd.IntN(len(pairs)), rnd.IntN(len(pairs)))}
	for _, text := range asked {
		switch {
		case isWord(text):
			w.words = append(w.words, text)
		case strings.TrimSpace(text) != "":
			w.signs = append(w.signs, text)
		}
	}
	for _, b := range brackets {
		if w.has(b[0]) && w.has(b[1]) {
			w.around = append(w.around, b)
			w.signs = slices.DeleteFunc(w.signs, func(sign string) bool { sign = strings.TrimSpace(sign); return sign == b[0] || sign == b[1] })
		}
	}
	between := slices.DeleteFunc(slices.Clone(w.signs), func(sign string) bool { return slices.Contains(remarks[:], strings.TrimSpace(sign)) })
	if len(between) > 0 && rnd.IntN(8) > 0 {
		w.separator = w.spaced(between[rnd.IntN(len(between))])
	} else {
		w.separator = w.spaced(w.sign())
	}
	w.heading = rnd.IntN(len(headings))
	lines := make([]string, 1+min(rnd.IntN(mostLines), rnd.IntN(mostLines)))
	for i := range lines {
		lines[i] = w.line(i == 0)
	}
	if w.headed && len(lines) < mostLines {
		lines = append(lines, w.plain(w.next())) // a section has something in it
	}
	return strings.Join(lines, "\n")
}

// Some returns the texts that one function asks for, or those of a few that stand together in the source: one reads the brackets around a heading, and
// another one what stands between a key and its value.
func Some(rnd *rand.Rand, lists [][]string) []string {
	const mostTogether = 5
	if len(lists) == 0 {
		return nil
	}
	n := 1 + rnd.IntN(min(mostTogether, len(lists)))
	from := rnd.IntN(len(lists) - n + 1)
	var out []string
	for _, list := range lists[from : from+n] {
		out = addTexts(out, list)
	}
	return out
}

// writer writes the lines of one text.
type writer struct {
	rnd          *rand.Rand
	words, signs []string
	around       [][2]string
	separator    string // between the keys and values of the text
	pair         int    // the number of the next pair
	heading      int    // the number of the next heading
	headed       bool   // the last line is a heading
}

func (w *writer) has(sign string) bool {
	for _, s := range w.signs {
		if strings.Contains(s, sign) {
			return true
		}
	}
	return false
}

// sign returns one of the signs, a space if there are none.
func (w *writer) sign() string {
	if len(w.signs) == 0 || w.rnd.IntN(8) == 0 {
		return " "
	}
	return w.signs[w.rnd.IntN(len(w.signs))]
}

// spaced returns a sign as it is, or with the space that people leave: behind what ends a word, and around other signs.
func (w *writer) spaced(sign string) string {
	switch bare := w.rnd.IntN(2) == 0; {
	case bare || strings.TrimSpace(sign) == "":
		return sign
	case strings.Contains(",;:", sign):
		return sign + " "
	}
	return " " + sign + " "
}

// next returns a key with its value, each pair once before the first comes again.
func (w *writer) next() (key, value string) {
	p := pairs[w.pair%len(pairs)]
	w.pair++
	if len(w.words) > 0 && w.rnd.IntN(2) == 0 {
		p[0] = w.words[w.rnd.IntN(len(w.words))]
	}
	return p[0], p[1]
}

// line writes a line, with what stands between its brackets if it has some that go on: mostly a heading in square ones, a block in braces, and a
// value in parentheses.
func (w *writer) line(first bool) string {
	key, value := w.next()
	if len(w.around) == 0 {
		return w.plain(key, value)
	}
	b := w.around[w.rnd.IntN(len(w.around))]
	heading := headings[w.heading%len(headings)]
	mostly, behind := w.rnd.IntN(2) == 0, w.headed
	k := w.rnd.IntN(10)
	w.headed = false
	switch {
	case !behind && ((b[0] == "[" || b[0] == "<") && mostly && (first || k < 2) || k == 2):
		w.headed = true
		w.heading++
		return b[0] + heading + b[1]
	case b[0] == "{" && mostly, k == 3:
		w.heading++
		return heading + " " + b[0] + "\n\t" + w.plain(key, value) + "\n" + b[1]
	case b[0] == "(" && mostly, k == 4:
		return key + b[0] + value + b[1]
	case k == 5:
		return b[0] + w.plain(key, value) + b[1]
	}
	return w.plain(key, value)
}

// plain writes a line without brackets.
func (w *writer) plain(key, value string) string {
	switch w.rnd.IntN(12) {
	case 0:
		return w.sign() + " " + value
	case 1:
		return w.sign() + key
	case 2, 6:
		if many := strings.Contains(betweenMany, strings.TrimSpace(w.separator)); many || w.rnd.IntN(3) == 0 {
			other, _ := w.next()
			return key + w.separator + value + w.separator + other
		}
	case 3:
		return value
	case 4:
		if w.has(`"`) {
			return key + w.separator + `"` + value + `"`
		}
		return key + " " + value
	case 5:
		return w.sign() + key + w.separator + value
	}
	return key + w.separator + value
}

// IsWord reports whether documents are composed of a word.
func IsWord(word string) bool {
	return slices.Contains(headings[:], word) || slices.ContainsFunc(pairs[:], func(p [2]string) bool {
		return p[0] == word || slices.Contains(strings.Fields(strings.Trim(p[1], "/")), word)
	})
}

// isWord reports whether a text has letters and nothing that separates words.
func isWord(text string) bool {
	letters := false
	for _, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters = true
		case r != '_' && r != '-' && r != '.':
			return false
		}
	}
	return letters
}
