package literals

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// mostSpoken is how many texts of one comment's prose are taken.
const mostSpoken = 6

// inQuotes matches a text between double quotes or backquotes, and what stands before it in its sentence.
var inQuotes = regexp.MustCompile("([\\w,]*)\\s*(?:\"([^\"\\n]{2,60})\"|`([^`\\n]{2,60})`)")

// spoken returns the texts that the prose of a doc comment has as examples: those in quotes, and words that are none, like
// 54.119.58.176.in-addr.arpa. in "54.119.58.176.in-addr.arpa. becomes 176.58.119.54". What stands in quotes behind a word like
// returns is a result.
func spoken(prose string) []string {
	prose = strings.Join(strings.Fields(prose), " ")
	var out []string
	add := func(text string) {
		if !slices.Contains(out, text) && len(out) < mostSpoken {
			out = append(out, text)
		}
	}
	for _, m := range inQuotes.FindAllStringSubmatch(prose, -1) {
		text := m[2] + m[3]
		if isResultVerb(m[1]) || isGoName(text) || strings.TrimSpace(text) != text || strings.Contains(text, "(") {
			continue
		}
		add(text)
	}
	words := strings.Fields(inQuotes.ReplaceAllString(prose, "$1 \x00"))
	for i, word := range words {
		if i > 0 && isResultVerb(words[i-1]) {
			continue
		}
		word = strings.Trim(word, `,;:!?()'"`)
		if strings.HasSuffix(word, ".") && (i+1 == len(words) || startsSentence(words[i+1])) {
			word = strings.TrimSuffix(word, ".")
		}
		if isData(word) {
			add(word)
		}
	}
	return out
}

// isResultVerb reports whether a word says that a result follows.
func isResultVerb(word string) bool {
	return slices.Contains([]string{"return", "returns", "returned", "becomes", "yields", "gives", "into", "is", "are", "be", "to", "with", "prefix", "suffix"}, strings.ToLower(strings.Trim(word, ",")))
}

// startsSentence reports whether a word may be the first of a sentence.
func startsSentence(word string) bool { return unicode.IsUpper([]rune(word)[0]) }

var goName = regexp.MustCompile(`^\*?[A-Za-z_]\w*(\.[A-Za-z_]\w*)?(\[\w*\])?$`)

// isGoName reports whether a text is a name in Go, with or without that of a package.
func isGoName(text string) bool {
	dot := strings.IndexByte(text, '.')
	return goName.MatchString(text) && (strings.ContainsFunc(text, unicode.IsUpper) || dot < 0)
}

// isData reports whether a word in a sentence is no word but an example of data: it has two signs that join parts, or digits beside one.
// Names in Go, addresses of pages and packages, standards and parts of words are none.
func isData(word string) bool {
	const shortest, longest = 5, 60
	if len(word) < shortest || len(word) > longest || isGoName(word) || strings.ContainsAny(word, "()<>{}\x00…'\"") || strings.Contains(word, "://") || strings.Contains(word, "...") {
		return false
	}
	first, _, _ := strings.Cut(word, "/")
	if slices.Contains([]string{"github.com", "golang.org", "go.dev", "pkg.go.dev", "gopkg.in", "www", "godoc.org", "en.wikipedia.org"}, first) || strings.HasPrefix(word, "www.") || strings.HasPrefix(word, "RFC") || strings.HasPrefix(word, "ISO") {
		return false
	}
	joints, digits, letters := 0, 0, 0
	kinds := make(map[rune]bool)
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case strings.ContainsRune(".:/@=_#*+&?~,|", r):
			joints++
			kinds[r] = true
		case r == '-':
			kinds[r] = true
		default:
			return false
		}
	}
	if letters+digits < joints || joints == 0 {
		return false
	}
	if digits > 0 {
		return joints >= 2 || letters > 0 && kinds['.'] || kinds['@'] || kinds['='] || kinds[':']
	}
	return kinds['@'] || kinds['='] || len(kinds) > 1 && joints >= 2
}
