package literals

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/everyday"
)

var (
	// placeholder matches what documentation writes where a text may have any word: {region}, <user>.
	placeholder = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9_-]*\}|<[A-Za-z][A-Za-z0-9_-]*>`)
	// phrase matches placeholders of several words: <user name>.
	phrase = regexp.MustCompile(`<[A-Za-z][A-Za-z0-9_-]*(?:\s[A-Za-z0-9_-]+){1,3}>`)
	// optional matches what documentation puts into brackets because a text need not have it: (:port), [.ext].
	optional = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
	word     = regexp.MustCompile(`[A-Za-z]+`)
)

// wordsInTemplates and numbersInTemplates stand for placeholders whose names do not say what to write.
var (
	wordsInTemplates   = []string{"abc", "def", "ghi", "jkl"}
	numbersInTemplates = []string{"1", "2", "3", "4"}
)

// isTemplate reports whether a text has placeholders and says something beside them. Two brackets, or a sign before one, belong to
// the language of a template engine or a shell, whose texts are as they stand; and a mark with an end is HTML.
func isTemplate(text string) bool {
	if strings.Contains(text, "{{") || strings.Contains(text, "${") || strings.Contains(text, "%{") || strings.Contains(text, "#{") || strings.Contains(text, "</") || strings.Contains(text, "/>") {
		return false
	}
	rest := placeholder.ReplaceAllString(text, "")
	return rest != text && strings.TrimSpace(rest) != ""
}

// fill returns a text with words in the place of its placeholders, {id}.example.com(:port) as id1.example.com: first without what need
// not be there, then with it, and at last with numbers in the place of words: of <user>:<group> nobody knows which it means. It returns
// nothing for a text without placeholders.
func fill(text string) []string {
	if !isTemplate(text) {
		return nil
	}
	bare := written(optional.ReplaceAllString(text, ""), wordsInTemplates)
	whole := written(optional.ReplaceAllStringFunc(text, func(group string) string {
		return word.ReplaceAllStringFunc(group[1:len(group)-1], func(name string) string {
			if texts := everyday.TextsFor(name, false); len(texts) > 0 {
				return texts[0]
			}
			return name
		})
	}), wordsInTemplates)
	var out []string
	for _, filled := range []string{bare, whole, written(optional.ReplaceAllString(text, ""), numbersInTemplates)} {
		if !slices.Contains(out, filled) {
			out = append(out, filled)
		}
	}
	return out
}

// written replaces each placeholder by what people write for its name, or by one of some words; one name stands for one word.
func written(text string, any []string) string {
	words, used := make(map[string]string), make(map[string]int)
	return placeholder.ReplaceAllStringFunc(text, func(mark string) string {
		name := mark[1 : len(mark)-1]
		if words[name] == "" {
			texts := everyday.TextsFor(name, false)
			if len(texts) == 0 {
				texts = any
			}
			first := texts[0]
			words[name] = texts[min(used[first], len(texts)-1)]
			used[first]++
		}
		return words[name]
	})
}

// templates returns the words of prose that are templates, without what a sentence puts around them.
func templates(prose string) []string {
	var out []string
	prose = phrase.ReplaceAllStringFunc(prose, func(mark string) string { return strings.Join(strings.Fields(mark), "-") })
	for _, s := range strings.Fields(prose) {
		s = strings.Trim(s, "\"'`.,;:!?")
		// A sentence's own brackets may be around the word and others, so that it has only one of them.
		if !strings.Contains(s, "(") || !strings.Contains(s, ")") {
			s = strings.Trim(s, "()\"'`.,;:")
		}
		if len(s) <= maxShownLine && isTemplate(s) {
			out = append(out, s)
		}
	}
	return out
}
