package phrase

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/everyday"
)

// aboutCharacters matches names that say of a text only which characters it has. Of a line that is longer than a name, like the
// header of a browser, they say nothing that a reader looks for.
var aboutCharacters = regexp.MustCompile(`(?i)\b(contains|starts with|ends with|begins with|without) (a |an |no )?(digits?|letters?|space|spaces|['"\x60]|upper-case|lower-case|non-ASCII|punctuation)`)

// ByLongTexts gives cases whose names speak of nothing but the characters of a long text other names: what the text has and the
// texts of the others do not have. The result are the names of all cases; texts has the long text of each case, "" where there
// is none. A name gets no longer than longest bytes.
func ByLongTexts(names, texts []string, longest int) []string {
	out := slices.Clone(names)
	for i, name := range names {
		if texts[i] == "" || !aboutCharacters.MatchString(name) {
			continue
		}
		if run := ownRun(texts, i, longest); run != "" && !slices.Contains(out, run) {
			out[i] = run
		}
	}
	return out
}

// ByLines gives cases that are called by their whole text of several lines the name of the one line which only this text has: line "42".
// The result are the names of all cases. A name gets no longer than longest bytes.
func ByLines(names []string, longest int) []string {
	out := slices.Clone(names)
	lines := make([][]string, len(names))
	for i, name := range names {
		if text, err := strconv.Unquote(name); err == nil && strings.Contains(text, "\n") {
			lines[i] = strings.Split(text, "\n")
		}
	}
	for i := range names {
		own := slices.DeleteFunc(slices.Clone(lines[i]), func(line string) bool {
			elsewhere := func(other []string) bool { return !slices.Equal(other, lines[i]) && slices.Contains(other, line) }
			return strings.TrimSpace(line) == "" || slices.ContainsFunc(lines, elsewhere)
		})
		if len(own) != 1 || len(own) == len(lines[i]) {
			continue
		}
		if called := "line " + strconv.Quote(own[0]); len(called) <= longest && !slices.Contains(out, called) {
			out[i] = called
		}
	}
	return out
}

// ownRun returns the shortest run of words and numbers of a text that none of the other texts has, or "" if there is none that is
// short enough. It begins with a word, ends with a word or a number, and has no sign between that divides a text. Of several of one
// length the first is taken.
func ownRun(texts []string, at, longest int) string {
	const mostTokens = 7 // a word, a number and two of the parts of a version, say
	parts := everyday.Tokens(texts[at])
	for n := 1; n <= mostTokens; n++ {
		for from := 0; from+n <= len(parts); from++ {
			run := strings.Join(parts[from:from+n], "")
			if len(run) > longest || !isRun(parts[from:from+n]) {
				continue
			}
			elsewhere := false
			for i, text := range texts {
				elsewhere = elsewhere || i != at && strings.Contains(text, run)
			}
			if !elsewhere {
				return run + restOfVersion(parts[from+n:])
			}
		}
	}
	return ""
}

// restOfVersion returns what the tokens begin with of a version of which the first number stands before them: ".1" of ".1; x64".
func restOfVersion(tokens []string) string {
	rest := ""
	for len(tokens) > 1 && tokens[0] == "." && unicode.IsDigit([]rune(tokens[1])[0]) {
		rest += tokens[0] + tokens[1]
		tokens = tokens[2:]
	}
	return rest
}

// isRun reports whether tokens make a name.
func isRun(tokens []string) bool {
	const fewestLetters = 2
	isWord := func(t string) bool { return len(t) >= fewestLetters && unicode.IsLetter([]rune(t)[0]) }
	last := []rune(tokens[len(tokens)-1])[0]
	if !isWord(tokens[0]) || !unicode.IsLetter(last) && !unicode.IsDigit(last) {
		return false
	}
	return !slices.ContainsFunc(tokens, func(t string) bool {
		return strings.Contains(`;,()[]{}<>"`, t) || !unicode.IsPrint([]rune(t)[0])
	})
}
