package literals

import (
	"regexp"
	"strings"

	"github.com/goassay/assay/internal/everyday"
)

var (
	// placeholder matches what documentation writes where a text may have any word: {region}, <user>.
	placeholder = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9_-]*\}|<[A-Za-z][A-Za-z0-9_-]*>`)
	// optional matches what documentation puts into brackets because a text need not have it: (:port), [.ext].
	optional = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
	word     = regexp.MustCompile(`[A-Za-z]+`)
)

// wordsInTemplates stand for placeholders whose names do not say what to write.
var wordsInTemplates = []string{"abc", "def", "ghi", "jkl"}

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
// not be there, then with it. It returns nothing for a text without placeholders.
func fill(text string) []string {
	if !isTemplate(text) {
		return nil
	}
	bare := written(optional.ReplaceAllString(text, ""))
	whole := written(optional.ReplaceAllStringFunc(text, func(group string) string {
		return word.ReplaceAllStringFunc(group[1:len(group)-1], func(name string) string {
			if texts := everyday.TextsFor(name, false); len(texts) > 0 {
				return texts[0]
			}
			return name
		})
	}))
	if bare == whole {
		return []string{bare}
	}
	return []string{bare, whole}
}

// written replaces each placeholder by what people write for its name, or by a word; one name stands for one word.
func written(text string) string {
	words, used := make(map[string]string), make(map[string]int)
	return placeholder.ReplaceAllStringFunc(text, func(mark string) string {
		name := mark[1 : len(mark)-1]
		if words[name] == "" {
			texts := everyday.TextsFor(name, false)
			if len(texts) == 0 {
				texts = wordsInTemplates
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
