package everyday

import (
	"slices"
	"strings"
	"unicode"
)

// Bounds of [Grafts].
const (
	mostGrafts     = 160 // texts in all
	mostGraftsAt   = 24  // texts in which one part is exchanged
	fewestOfPart   = 2   // bytes of a part
	mostPartTokens = 8   // tokens of a part
)

// Grafts returns texts that differ from a text in one part: where it has a constant that a function asks for, it has another
// constant of that function, and where it has something of the form of such a constant, it has the constant. A person who knows
// that "Windows NT 10.0" is good, and reads that the code asks for " NT 6.1" as well, writes "Windows NT 6.1". Each of the
// groups has the constants of one function, and the texts come in the order of the groups.
func Grafts(text string, groups [][]string) []string {
	parts := Tokens(text)
	var out []string
	for _, group := range groups {
		for _, found := range group {
			at := placeOf(parts, found, strings.EqualFold)
			if at < 0 || !isPart(found) {
				continue
			}
			n := 0
			for _, other := range group {
				if n < mostGraftsAt && isPart(other) && !strings.EqualFold(other, found) && sameFrame(found, other) {
					out = added(out, text, exchanged(parts, at, len(Tokens(found)), other))
					n++
				}
			}
		}
		for _, c := range group {
			if n := len(Tokens(c)); n > 1 && n <= mostPartTokens && isPart(c) && placeOf(parts, c, strings.EqualFold) < 0 {
				if at := placeOf(parts, c, alike(c)); at >= 0 {
					out = added(out, text, exchanged(parts, at, n, c))
				}
			}
		}
	}
	return out
}

// added adds a variant of a text to others, unless it is one of them or the text itself, or there are many.
func added(texts []string, of, variant string) []string {
	if variant == of || len(texts) == mostGrafts || slices.Contains(texts, variant) {
		return texts
	}
	return append(texts, variant)
}

// isPart reports whether a constant may be a part of a text that people read: it has a letter or a digit, and is neither a single
// byte nor a format or several lines.
func isPart(c string) bool {
	return len(c) >= fewestOfPart && !strings.ContainsAny(c, "%\n\x00") && strings.ContainsFunc(c, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// exchanged returns the text of these tokens with another text in the place of n of them.
func exchanged(parts []string, at, n int, other string) string {
	return strings.Join(parts[:at], "") + other + strings.Join(parts[at+n:], "")
}

// placeOf returns the number of the first token at which the tokens of a constant stand, by what same says of two tokens, or -1.
func placeOf(parts []string, constant string, same func(have, want string) bool) int {
	want := Tokens(constant)
	for at := 0; at+len(want) <= len(parts); at++ {
		if slices.EqualFunc(parts[at:at+len(want)], want, same) {
			return at
		}
	}
	return -1
}

// alike returns a function that says whether one token may stand for another one of a constant: a number for a number, and for
// anything else only itself. A constant without a word has the form of too much.
func alike(constant string) func(have, want string) bool {
	hasWord := slices.ContainsFunc(Tokens(constant), func(t string) bool { return unicode.IsLetter([]rune(t)[0]) })
	return func(have, want string) bool {
		if unicode.IsDigit([]rune(want)[0]) {
			return hasWord && unicode.IsDigit([]rune(have)[0])
		}
		return have == want
	}
}

// sameFrame reports whether two constants begin and end with tokens of the same kind, so that one reads well in the place of the
// other.
func sameFrame(a, b string) bool {
	kind := func(token string) int {
		switch r := []rune(token)[0]; {
		case unicode.IsLetter(r):
			return 1
		case unicode.IsDigit(r):
			return 2
		}
		return 0
	}
	of := func(s string) (first, last int) {
		tokens := Tokens(s)
		return kind(tokens[0]), kind(tokens[len(tokens)-1])
	}
	firstA, lastA := of(a)
	firstB, lastB := of(b)
	return (firstA == 0) == (firstB == 0) && (lastA == 0) == (lastB == 0)
}
