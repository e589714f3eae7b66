// Package everyday knows texts that people write into tests, and tells them from texts that solvers, mutation and
// reduction leave behind: "foo;bar" from ";", and "wizard" from "{d".
//
//  1. [IsNoise] reports whether nobody would have written a text.
//  2. [Instead] returns texts that may show what such a text shows.
//
// The caller runs them and sees whether they do.
package everyday

import (
	"slices"
	"strings"
	"unicode"
)

// Words are words that together have each letter, in capitals and not, doubled letters, vowels side by side, and letters that
// are rare. Code that looks at single letters, like a stemmer or a phonetic code, does something else with each of them.
var Words = []string{
	"banana", "letter", "Mississippi", "jukebox", "wizard", "quick", "vodka", "oxygen", "rhythm", "Hawaii", "Pfister", "Zebra", "yellow", "Fjord", "Knight",
}

// fillers are words that stand for any word in generated tests and in documentation.
var fillers = []string{"foo", "bar", "baz", "abc", "def", "ghi", "jkl", "hello", "world", "one", "two", "three", "kitten", "sitting", "key", "value", "name", "example", "com"}

// IsNoise reports whether nobody would have written a text: it has a word that is none, more signs than words and numbers, or
// characters that do not print. The parameter isKnown reports whether the package or its documents spell a word or a text out.
func IsNoise(text string, isKnown func(string) bool) bool {
	if text == "" || isKnown(text) || slices.Contains(Words, text) {
		return false
	}
	words, signs := 0, 0
	for _, t := range Tokens(text) {
		r := []rune(t)[0]
		switch {
		case unicode.IsLetter(r):
			if !isKnown(t) && !isWord(t) {
				return true
			}
			words++
		case unicode.IsDigit(r):
			words++
		case r == ' ' || r == '\n':
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			return true
		default:
			signs++
		}
	}
	return signs > words
}

// isWord reports whether a stretch of letters is a word that people use in tests.
func isWord(letters string) bool {
	lower := strings.ToLower(letters)
	return slices.Contains(fillers, lower) || slices.ContainsFunc(Words, func(w string) bool { return strings.ToLower(w) == lower })
}

// mostInstead is how many texts [Instead] returns at most.
const mostInstead = 60

// Instead returns texts with what may matter in a noisy text: its signs and numbers, between and around words, and behind,
// before and inside of texts that the code accepts. The plainest come first.
func Instead(noise string, accepted []string) []string {
	var out []string
	add := func(s string) {
		if s != noise && s != "" && !slices.Contains(out, s) && len(out) < mostInstead {
			out = append(out, s)
		}
	}
	worded, signs := inWords(noise), signsOf(noise)
	for _, a := range accepted {
		for _, other := range withEnds(a, noise) {
			add(other)
		}
	}
	add(worded)
	add(betweenWords(noise))
	for _, core := range []string{worded, signs} {
		if core == "" {
			continue
		}
		add("foo " + core + " bar")
		add("foo " + core)
		add(core + " bar")
		for _, a := range accepted {
			add(a + " " + core)
			if i := strings.IndexByte(a, ' '); i > 0 {
				add(a[:i+1] + core + a[i:])
			}
		}
	}
	if signs == "" {
		return out
	}
	add("foo" + signs + "bar")
	add("foo" + signs)
	add(signs + "bar")
	for _, a := range accepted {
		add(a + signs)
		add(signs + a)
		if i := strings.IndexByte(a, ' '); i > 0 {
			add(a[:i] + signs + a[i:])
		}
	}
	return out
}

// withEnds returns an accepted text with the first or the last character of a noisy one: "3G" from "3k" and "a=aG".
func withEnds(accepted, noise string) []string {
	const longest = 16
	a, n := []rune(accepted), []rune(noise)
	if len(a) < 2 || len(a) > longest || len(n) == 0 {
		return nil
	}
	return []string{string(a[:len(a)-1]) + string(n[len(n)-1]), accepted + string(n[len(n)-1]), string(n[0]) + string(a[1:])}
}

// inWords returns a text in which each stretch of letters is a word, another one for another stretch.
func inWords(text string) string {
	var b strings.Builder
	given := make(map[string]string)
	for _, t := range Tokens(text) {
		if !unicode.IsLetter([]rune(t)[0]) || isWord(t) {
			b.WriteString(t)
			continue
		}
		if given[t] == "" {
			given[t] = fillers[min(len(given), 2)]
		}
		b.WriteString(given[t])
	}
	return b.String()
}

// betweenWords returns a text with a word on each side of each sign where there is no word.
func betweenWords(text string) string {
	parts := Tokens(inWords(text))
	isSign := func(i int) bool {
		if i < 0 || i >= len(parts) {
			return true
		}
		r := []rune(parts[i])[0]
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	next := 0
	word := func() string {
		next++
		return fillers[min(next-1, 2)]
	}
	var b strings.Builder
	for i := 0; i <= len(parts); i++ {
		if isSign(i) && isSign(i-1) {
			b.WriteString(word())
		}
		if i < len(parts) {
			b.WriteString(parts[i])
		}
	}
	return b.String()
}

// signsOf returns the characters of a text that are neither letters nor digits nor white space.
func signsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
}

// IsOutlandish reports whether a text has more signs than letters and digits, or characters that do not print. Spaces say nothing: of "[]\nt = l" nobody
// knows what it is for them.
func IsOutlandish(text string) bool {
	letters, marks := 0, 0
	for _, r := range text {
		switch {
		case r == ' ' || r == '\n':
		case unicode.IsLetter(r), unicode.IsDigit(r):
			letters++
		case !unicode.IsPrint(r) || r == unicode.ReplacementChar:
			return true
		default:
			marks++
		}
	}
	return marks > letters
}

// CountWords returns how many words a text has, of three letters at least.
func CountWords(text string) int {
	n := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 2 {
			n++
		}
	}
	return n
}

// Tokens divides a text into words, numbers and single other characters.
func Tokens(text string) []string {
	sort := func(r rune) int {
		switch {
		case unicode.IsLetter(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	var out []string
	last, begin := 0, 0
	for i, r := range text {
		k := sort(r)
		if i > 0 && (k == 0 || k != last) {
			out, begin = append(out, text[begin:i]), i
		}
		last = k
	}
	if text != "" {
		out = append(out, text[begin:])
	}
	return out
}
