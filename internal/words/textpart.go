package words

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// A function that takes a text and a part of a text (a suffix, what is looked for, a separator) is tested by where the
// part is in the text. The parameter's name says which of its texts is the part.

// textPlace says where a part may be in a text.
type textPlace struct {
	text, clause string // in words: "at the end"; with %s for the name of the part
	holds        func(text, part string) bool
}

// needles are words for a part that is looked for in a text.
var needles = []string{"sub", "substr", "substring", "needle"}

// partPlaces are the places that are told apart, by the last word of the part's name.
func partPlaces(word string) []textPlace {
	whole := textPlace{"the whole text", "%s is the whole text", func(text, part string) bool { return part != "" && text == part }}
	absent := func(of func(text, part string) bool) func(text, part string) bool {
		return func(text, part string) bool { return part != "" && len(part) <= len(text) && !of(text, part) }
	}
	longer := textPlace{word + " longer than the text", "%s is longer than the text", func(text, part string) bool { return text != "" && len(part) > len(text) }}
	switch {
	case word == "suffix" || word == "ending":
		return []textPlace{whole, longer,
			{"no such " + word, "the text does not end with %s", absent(strings.HasSuffix)},
			{"has the " + word, "the text ends with %s", func(text, part string) bool { return part != "" && text != part && strings.HasSuffix(text, part) }},
		}
	case word == "prefix":
		return []textPlace{whole, longer,
			{"no such prefix", "the text does not begin with %s", absent(strings.HasPrefix)},
			{"has the prefix", "the text begins with %s", func(text, part string) bool { return part != "" && text != part && strings.HasPrefix(text, part) }},
		}
	case slices.Contains(needles, word):
		return []textPlace{whole, longer,
			{"not found", "%s is not in the text", absent(strings.Contains)},
			{"found several times", "%s is in the text several times", func(text, part string) bool { return part != "" && strings.Count(text, part) > 1 }},
			{"at the beginning", "the text begins with %s", func(text, part string) bool {
				return part != "" && text != part && strings.HasPrefix(text, part) && strings.Count(text, part) == 1
			}},
			{"at the end", "the text ends with %s", func(text, part string) bool {
				return part != "" && text != part && strings.HasSuffix(text, part) && strings.Count(text, part) == 1
			}},
			{"in the middle", "%s is inside of the text", func(text, part string) bool {
				return part != "" && strings.Count(text, part) == 1 && !strings.HasPrefix(text, part) && !strings.HasSuffix(text, part)
			}},
		}
	case word == "sep" || word == "separator" || word == "delim" || word == "delimiter":
		return []textPlace{
			{"no separator", "there is no %s in the text", func(text, part string) bool { return text != "" && part != "" && !strings.Contains(text, part) }},
			{"one separator", "there is one %s in the text", func(text, part string) bool { return part != "" && strings.Count(text, part) == 1 }},
			{"several separators", "there are several %s in the text", func(text, part string) bool { return part != "" && strings.Count(text, part) > 1 }},
		}
	}
	return nil
}

// addTextParts adds where a text is that is a part of another one, if exactly one other input, or argument of the
// receiver's constructor, is a text that it may be a part of.
func (n *Namer) addTextParts() {
	for part := range min(n.inputs, 64) {
		word := n.partWord(part)
		whole, found := 0, 0
		for i := range min(len(n.subjects), 64) {
			if i != part && n.isText(i) && n.partWord(i) == "" && !replaces(n.subjects[i].name) {
				whole, found = i, found+1
			}
		}
		if word == "" || found != 1 {
			continue
		}
		for _, p := range partPlaces(word) {
			q := predicate{reads: reads{inputs: 1<<part | 1<<whole}, place: placeInput + part}
			q.phrase = phrase{text: p.text, clause: strings.ReplaceAll(p.clause, "%s", n.subjects[part].clause)}
			n.add(q, func(c *call) truth {
				text, ok := textIn(c.inputs[whole])
				other, ok2 := textIn(c.inputs[part])
				if !ok || !ok2 {
					return unknown
				}
				if slices.Contains(needles, word) && strings.Contains(text, other) && foundNothing(c) {
					return no // something else kept the call from finding the part, and that is what the case is about
				}
				return truthOf(p.holds(text, other))
			})
		}
	}
}

// foundNothing reports whether a call returned what says that nothing was found: a negative number, or false.
func foundNothing(c *call) bool {
	if len(c.outcome.results) == 0 {
		return false
	}
	switch v := c.outcome.results[0]; v.Kind {
	case testcase.Int:
		return int64(v.Bits) < 0
	case testcase.Bool:
		return v.Bits == 0
	}
	return false
}

// isText reports whether a subject is a text.
func (n *Namer) isText(i int) bool {
	t := n.inputType(i)
	return basicIs(t, types.IsString) || isBytes(t) || isRunes(t)
}

// partWord returns the word of a text's name that says that it is a part of another text, "" if there is none.
func (n *Namer) partWord(i int) string {
	if !n.isText(i) {
		return ""
	}
	for _, word := range splitWords(n.subjects[i].name) {
		if len(partPlaces(word)) > 0 {
			return word
		}
	}
	return ""
}

// replaces reports whether the name of a text says that it comes into the place of another one.
func replaces(name string) bool {
	return slices.ContainsFunc(splitWords(name), func(word string) bool {
		return slices.Contains([]string{"replacement", "replace", "repl", "with", "new", "by"}, word)
	})
}

// textIn returns the text that a value is, and false if not all of it is known or it is none.
func textIn(v testcase.Value) (string, bool) {
	switch v.Kind {
	case testcase.String:
		return v.Str, !v.Cut
	case testcase.Nil:
		return "", true
	case testcase.Slice:
		if v.Len == 0 {
			return "", true
		}
		if v.Cut {
			return "", false
		}
		return textOf(v)
	}
	return "", false
}
