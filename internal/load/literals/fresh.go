package literals

import (
	"go/constant"
	"slices"
	"strings"
)

// Limits of the texts that are made from those of the tests by putting a changed function's constants
// into them: how long the constants are at least, so that they are words, and how many texts there are.
const (
	minWord   = 3
	maxSwaps  = 60
	maxAround = 40
)

// Change returns constants that a change of a package is about. Whoever mends a defect often adds a test
// with the input that showed it. The functions changed are Target.Names of the new version. The lists
// have, in this order:
//
//  1. what the new version has in its code or tests and the old version does not, then the reverse;
//  2. the constants in changed functions, which decide which of them is executed;
//  3. texts of the tests in which such a constant is, and those with another of these constants in its
//     place: the tests may say {"indent":1} nowhere, where "sort" and "indent" are clauses of one switch
//     and the tests say {"sort":1}.
func Change(old, new *Set, changed []string) *Set {
	if old == nil || new == nil {
		return &Set{}
	}
	out := &Set{
		Ints:    only(new.Ints, old.Ints, key),
		Floats:  only(new.Floats, old.Floats, key),
		Strings: only(new.Strings, old.Strings, itself),
		Rows:    only(new.Rows, old.Rows, joined),
		Seeds:   only(new.Seeds, old.Seeds, listKey),
		Calls:   map[string][][]constant.Value{},
	}
	for name, list := range new.allCalls {
		if l := only(list, old.allCalls[name], listKey); len(l) > 0 {
			out.Calls[name] = l
		}
	}
	out.Ints = append(out.Ints, only(old.Ints, new.Ints, key)...)
	out.Floats = append(out.Floats, only(old.Floats, new.Floats, key)...)
	out.Strings = append(out.Strings, only(old.Strings, new.Strings, itself)...)

	var near []string
	for _, s := range []*Set{new, old} {
		for _, name := range changed {
			own := s.ByFunc[name]
			if own == nil {
				continue
			}
			out.Ints = append(out.Ints, only(own.Ints, out.Ints, key)...)
			out.Floats = append(out.Floats, only(own.Floats, out.Floats, key)...)
			near = append(near, only(own.Strings, near, itself)...)
		}
	}
	out.Strings = append(out.Strings, only(near, out.Strings, itself)...)
	out.Strings = append(out.Strings, only(around(new.Strings, near), out.Strings, itself)...)
	return out
}

// around returns the texts that have one of the words in them, and these with each other word in its place.
// A word of letters has to stand by itself.
func around(texts, words []string) []string {
	var with, swapped []string
	for _, text := range texts {
		for _, w := range words {
			at := wordIn(text, w)
			if at < 0 || text == w {
				continue
			}
			if !slices.Contains(with, text) && len(with) < maxAround {
				with = append(with, text)
			}
			for _, other := range words {
				if other == w || len(other) < minWord || strings.ContainsAny(other, " \n") || len(swapped) >= maxSwaps {
					continue
				}
				swapped = append(swapped, text[:at]+other+text[at+len(w):])
			}
		}
	}
	return append(swapped, only(with, swapped, itself)...)
}

// wordIn returns where a text has a word, or -1.
func wordIn(text, word string) int {
	if len(word) < minWord {
		return -1
	}
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] == '_')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		if end := i + len(word); !letter(i-1) && !letter(end) {
			return i
		}
		from = i + 1
	}
}

// only returns the elements of a list whose keys are not those of another one.
func only[E any](list, other []E, key func(E) string) []E {
	if len(list) == 0 {
		return nil
	}
	known := make(map[string]bool, len(other))
	for _, e := range other {
		known[key(e)] = true
	}
	var out []E
	for _, e := range list {
		if k := key(e); !known[k] {
			known[k] = true
			out = append(out, e)
		}
	}
	return out
}

func itself(s string) string { return s }

func joined(row []string) string { return strings.Join(row, "\x00") }

func listKey(args []constant.Value) string {
	keys := make([]string, len(args))
	for i, v := range args {
		if v != nil {
			keys[i] = key(v)
		}
	}
	return strings.Join(keys, "\x00")
}
