package everyday

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
)

// numbered is how many texts a name gives that no table knows.
const numbered = 4

// people are words before "name" that say whose name it is. The names of all other things are no names of people.
var people = []string{"user", "first", "last", "full", "given", "family", "middle", "nick", "author", "owner", "person", "customer", "contact", "account", "sender", "recipient", "member", "employee", "student", "player", "friend"}

// addresses are the last words of names of what has an address in the web.
var addresses = []string{"url", "uri", "link", "href", "endpoint"}

// sayingNothing are names of parameters from which no text can be made that shows where it was put: any text could be called so.
var sayingNothing = []string{"str", "string", "text", "txt", "value", "val", "data", "raw", "input", "in", "output", "out", "src", "source", "dst", "dest", "target", "result", "res", "arg", "args", "param", "params", "word", "content", "contents", "expr", "pattern", "buf", "first", "second", "left", "right", "needle", "haystack", "sub", "substr", "substring", "other", "want", "got", "expected", "actual", "field", "element", "elem", "items", "item", "any", "obj", "object", "body", "payload", "bytes", "rest", "code", "template", "tmpl", "sql", "query", "fmt"}

// OfField returns texts that a person would write into a field of the given name, or under this key of a document: what a field
// was given then shows in the test that reads it, and fields of different names mostly have different ones. The words before the last one tell
// what the table gives for the last one apart: AuthURL is https://example.com/auth, and PoolName is pool1. A name that is in no
// table is its own text. It returns nil if any text could be called so. The parameter web is that of [TextsFor].
func OfField(name string, web bool) []string {
	words := wordsOfField(name)
	if len(words) == 0 {
		return nil
	}
	last, before := words[len(words)-1], words[:len(words)-1]
	of := strings.Join(before, "-")
	isAddress := slices.Contains(addresses, singular(last))
	switch {
	case isAddress && of != "":
		return []string{"https://example.com/" + of, "https://example.org/" + of, "https://example.com/" + of + "/2", "https://example.org/" + of + "/2"}
	case last == "name" && of != "" && !slices.Contains(people, before[len(before)-1]) && !isTabled(name, web):
		return counted(of)
	case last == "id" && of != "":
		return counted(of + "-")
	}
	if texts := TextsFor(name, web); texts != nil {
		return texts
	}
	const shortest = 3
	if len(strings.Join(words, "")) < shortest {
		return nil
	}
	if whole := strings.Join(words, "-"); singular(last) == last {
		return append([]string{whole}, counted(whole)[1:]...)
	}
	return counted(strings.Join(append(slices.Clone(before), singular(last)), "-"))
}

// OfParameter is OfField for parameters. It returns nil if the parameter may be called so whatever it is.
func OfParameter(name string, web bool) []string {
	if slices.Contains(sayingNothing, strings.Join(wordsOfField(name), "")) {
		return TextsFor(name, web)
	}
	return OfField(name, web)
}

// settings are last words of names of structs that say nothing of what is in them.
var settings = []string{"config", "configuration", "options", "opts", "settings", "params", "args", "spec", "data", "info", "request", "response", "result", "input", "output", "meta", "metadata"}

// ofPeople are names of fields that only structs about people have.
var ofPeople = []string{"age", "email", "mail", "phone", "birthday", "surname"}

// NameOfField returns the name of a field with that of its struct before it, where the field's own name would be the same in any
// struct: the Name of a Pool. Structs of settings are not told apart by that, and those that are about people have names of people.
func NameOfField(of *types.Named, field string) string {
	lower := strings.ToLower(field)
	st, ok := of.Underlying().(*types.Struct)
	words := gosyntax.Words(of.Obj().Name())
	if !ok || lower != "name" && lower != "id" || len(words) == 0 || slices.Contains(settings, words[len(words)-1]) {
		return field
	}
	for f := range st.Fields() {
		if slices.Contains(ofPeople, strings.ToLower(f.Name())) {
			return field
		}
	}
	return words[len(words)-1] + "_" + lower
}

// counted returns a text with the first numbers behind it.
func counted(text string) []string {
	out := make([]string, numbered)
	for i := range out {
		out[i] = text + strconv.Itoa(i+1)
	}
	return out
}

// isTabled reports whether a table has an entry for the whole of a name.
func isTabled(name string, web bool) bool {
	key := strings.Join(gosyntax.Words(name), "")
	return textsByName[key] != nil || web && webTexts[key] != nil
}

// wordsOfField returns the words of a name, also where its last word is written in capitals like what stands before it: JWKSURL.
func wordsOfField(name string) []string {
	words := gosyntax.Words(strings.ReplaceAll(name, "-", "_"))
	isOdd := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if len(words) == 0 || strings.ContainsFunc(name, isOdd) {
		return nil
	}
	last := words[len(words)-1]
	for _, end := range []string{"url", "uri"} {
		if before, ok := strings.CutSuffix(last, end); ok && before != "" {
			return append(words[:len(words)-1:len(words)-1], before, end)
		}
	}
	return words
}

// singular returns a word without the s of its plural.
func singular(word string) string {
	for _, end := range []string{"ss", "us", "is", "as", "os"} {
		if strings.HasSuffix(word, end) {
			return word
		}
	}
	if before, ok := strings.CutSuffix(word, "ies"); ok && len(before) > 1 {
		return before + "y"
	}
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}
