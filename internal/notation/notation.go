package notation

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Text is a text in a notation.
type Text struct {
	Name  string // says what the text shows: "nested object", "unclosed list"
	Value string
}

// Notation is a way to write something as text.
type Notation struct {
	Accepted []Text // by most of its readers, the plainest first
	Refused  []Text // by many of them

	names    []string // words by which functions, parameters and packages are called after it
	mentions []string // words of documentation that speak of nothing else, in lower case
	params   []string // names of parameters that take it where the package is called after it
	of       string   // the name of a notation that this one is a kind of: what package mustache calls a template
}

// Is reports whether a language, as fenced blocks name it, is the notation.
func (n *Notation) Is(language string) bool { return slices.Contains(n.names, language) }

// Texts returns all texts, those that readers accept first.
func (n *Notation) Texts() []Text { return slices.Concat(n.Accepted, n.Refused) }

// Quoted returns the notation as it stands in a JSON document: each text in quotes. What is refused is refused there, too.
func (n *Notation) Quoted() *Notation {
	quoted := func(texts []Text) []Text {
		out := make([]Text, len(texts))
		for i, t := range texts {
			out[i] = Text{t.Name, strconv.Quote(t.Value)}
		}
		return out
	}
	return &Notation{Accepted: quoted(n.Accepted), Refused: append(quoted(n.Refused), Text{"no quotes", "1"}, Text{"another kind", `{"a":1}`})}
}

// Place is where a text is asked for: a parameter of a function.
type Place struct {
	Param   []string // the words of its name, in lower case
	Func    []string
	Type    []string // of the receiver's type, none for functions
	Package string
	Doc     string // what the function's documentation says
	About   string // what the package's documentation says
	HTTP    bool   // the package is about HTTP
	Pair    bool   // the function takes another text of the same type, and its parameter says no more
	// Shown says that the documentation passes texts to functions of the package. These say more than the package's name.
	Shown bool
}

// neutral are words at the end of a parameter's name that say no more than that it is a text.
var neutral = map[string]bool{
	"s": true, "str": true, "string": true, "text": true, "txt": true, "src": true, "source": true, "in": true, "input": true, "data": true, "b": true, "bs": true, "buf": true,
	"bytes": true, "body": true, "content": true, "contents": true, "raw": true, "doc": true, "document": true, "value": true, "val": true, "v": true, "r": true, "rd": true,
	"reader": true, "p": true, "line": true, "lines": true, "spec": true, "expr": true, "expression": true, "rule": true, "x": true, "a": true, "t": true, "arg": true, "payload": true, "code": true, "word": true,
}

// For returns the notation that a place asks for, or nil if none is known. The parameter's own name has the first say; what
// is around it counts only where that name says no more than that it is a text.
func For(p Place) *Notation {
	n := forPlace(p)
	if p.Pair && n != nil && slices.Contains(n.names, "patch") {
		return &versions // it makes a patch of two texts, and reads none
	}
	if own := within(p.Package); n != nil && own != nil && slices.Contains(n.names, own.of) {
		return own
	}
	return n
}

// forPlace is For, without a look at other parameters.
func forPlace(p Place) *Notation {
	if len(p.Param) > 0 {
		end := p.Param[len(p.Param)-1]
		if p.HTTP && slices.Contains(routes.names, end) {
			return &routes
		}
		if n := within(p.Package); n != nil && strings.HasSuffix(p.Package, end) && p.Package != end {
			return n // the path that package jsonpath takes is none of a file
		}
		if n := within(p.Package); n != nil && slices.Contains(n.params, end) {
			return n
		}
		if !neutral[end] {
			return called(p.Param)
		}
	}
	around := [][]string{p.Func, p.Type}
	if len(p.Param) > 0 && slices.Contains(expressions, p.Param[len(p.Param)-1]) {
		around = around[:1] // the type is what reads the expression: a Language reads no name of one
	}
	for _, words := range around {
		if n := called(words); n != nil {
			return n
		}
	}
	if n := mentioned(p.Doc); n != nil {
		return n
	}
	if n := within(p.Package); n != nil && !p.Shown {
		return n
	}
	if len(p.Param) > 0 && slices.Contains(expressions, p.Param[len(p.Param)-1]) {
		return mentioned(p.About)
	}
	return nil
}

// expressions are names of parameters for what is written in the language that the package is about.
var expressions = []string{"expr", "expression", "spec", "pattern", "rule"}

// Beside returns texts that people try a pattern on, one that fits it first. There are none for texts that are no patterns.
func Beside(pattern string) []string { return beside[pattern] }

// Separated returns texts for code that takes a text apart at a separator, and nil if the separator is no sign or space. What
// stands at both sides of a sign of assignment are a key and a value.
func Separated(sep string) *Notation {
	const longest = 3
	if sep == "" || len(sep) > longest || strings.ContainsFunc(sep, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return nil
	}
	if slices.Contains([]string{"=", ":", ": ", "=>", "->", ":="}, sep) {
		return &Notation{
			Accepted: []Text{{"key and value", "name" + sep + "ann"}, {"separator in the value", "name" + sep + "ann" + sep + "lee"}, {"empty value", "name" + sep}},
			Refused:  []Text{{"no separator", "name"}, {"no key", sep + "ann"}},
		}
	}
	return &Notation{
		Accepted: []Text{{"three parts", "apple" + sep + "banana" + sep + "cherry"}, {"empty part", "apple" + sep + sep + "cherry"}, {"one part", "apple"}},
		Refused:  []Text{{"separator at the end", "apple" + sep}, {"nothing but the separator", sep}},
	}
}

// Separates reports whether a function of package strings takes a text apart at another one, or looks for it there.
func Separates(function string) bool {
	return slices.Contains([]string{"Split", "SplitN", "SplitAfter", "Cut", "Index", "LastIndex"}, function)
}

// Treated returns texts that show what a function of package strings does to the text that it is passed first. The text that it is passed
// behind that is "" if it is no constant. It returns nil where any text shows as much.
func Treated(function, constant string) *Notation {
	if Separates(function) {
		return Separated(constant)
	}
	within := strings.Contains
	if slices.Contains([]string{"Trim", "TrimLeft", "TrimRight"}, function) {
		within = strings.ContainsAny // these take a set of characters
	}
	words := slices.DeleteFunc([]string{"hello", "big", "run"}, func(word string) bool { return constant != "" && within(word, constant) })
	if len(words) == 0 {
		return nil
	}
	word := words[0]
	switch function {
	case "ToLower", "ToUpper", "Title", "ToTitle":
		return &Notation{Accepted: []Text{{"capitals", "Hello World"}, {"small letters", word}}}
	case "TrimSpace":
		return &Notation{Accepted: []Text{{"space around it", "  hello world \n"}, {"no space", word}}, Refused: []Text{{"nothing but space", "  "}}}
	case "Fields":
		return Separated(" ")
	}
	if constant == "" || len(constant) > longestTreated {
		return nil
	}
	with := func(name, text string) *Notation {
		return &Notation{Accepted: []Text{{name, text}, {"without it", word}}}
	}
	switch function {
	case "TrimPrefix", "CutPrefix", "HasPrefix", "TrimLeft":
		return with("with the prefix", constant+word)
	case "TrimSuffix", "CutSuffix", "HasSuffix", "TrimRight":
		return with("with the suffix", word+constant)
	case "Trim":
		return with("at both ends", constant+word+constant)
	case "Contains", "Count", "Replace", "ReplaceAll":
		return with("in two places", word+constant+"big"+constant+"world")
	}
	return nil
}

// longestTreated is how long the constants may be that texts for Treated have in them.
const longestTreated = 16

// Joined returns a notation with the texts of several, a few of each kind, and nil if there are none.
func Joined(of []*Notation) *Notation {
	const most = 6
	out := &Notation{}
	add := func(to *[]Text, texts []Text) {
		for _, t := range texts {
			if len(*to) < most && !slices.ContainsFunc(*to, func(u Text) bool { return u.Value == t.Value }) {
				*to = append(*to, t)
			}
		}
	}
	for _, n := range of {
		if n != nil {
			add(&out.Accepted, n.Accepted)
			add(&out.Refused, n.Refused)
		}
	}
	if len(out.Accepted) == 0 {
		return nil
	}
	return out
}

// Separators returns the notation of texts at which other texts are taken apart, and those that may be.
func Separators() (separators, separable *Notation) { return &separatorTexts, &separableTexts }

var (
	separatorTexts = Notation{Accepted: []Text{{"comma", ","}, {"semicolon", ";"}}}
	separableTexts = Notation{
		Accepted: []Text{{"two separators", "apple,banana;cherry"}, {"separators in the other order", "apple;banana,cherry"}, {"two in a row", "apple,,banana"}},
		Refused:  []Text{{"no separator", "apple"}},
	}
)

// Routes returns the patterns by which routers of HTTP requests are told what to answer.
func Routes() *Notation { return &routes }

// IsLanguage reports whether a language, as fenced blocks name it, is a known notation.
func IsLanguage(language string) bool { return called([]string{language}) != nil }

// IsKnown reports whether a text is one of the table's. Single characters are not: everybody comes upon them.
func IsKnown(text string) bool { return known()[text] }

var known = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for _, n := range append(table, routes) {
		for _, t := range n.Texts() {
			if len(t.Value) > 1 {
				out[t.Value] = true
			}
		}
	}
	return out
})

// called returns the notation that one of the words of a name stands for. Of several the last one counts, after which
// the thing is called: the dateURL is a URL.
func called(words []string) *Notation {
	for _, w := range slices.Backward(words) {
		for i := range table {
			if n := &table[i]; slices.Contains(n.names, w) || strings.HasSuffix(w, "s") && slices.Contains(n.names, strings.TrimSuffix(w, "s")) {
				return n
			}
		}
	}
	return nil
}

// mentioned returns the notation that a doc comment mentions first.
func mentioned(doc string) *Notation {
	for word := range strings.FieldsFuncSeq(doc, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = strings.ToLower(word)
		for i := range table {
			if slices.Contains(table[i].mentions, word) {
				return &table[i]
			}
		}
	}
	return nil
}

// within returns the notation whose name the name of a package has in it. Names of packages are written without a sign
// between their words, so that short names may be there by chance.
func within(name string) *Notation {
	const shortest = 4
	var best *Notation
	longest := 0
	for i := range table {
		for _, w := range table[i].names {
			if (w == name || len(w) >= shortest && strings.Contains(name, w)) && len(w) > longest {
				best, longest = &table[i], len(w)
			}
		}
	}
	return best
}

// IsExample reports whether a text is one of the texts of some notation.
func IsExample(text string) bool { return examples()[text] }

var examples = sync.OnceValue(func() map[string]bool {
	out := make(map[string]bool)
	for _, n := range table {
		for _, t := range n.Texts() {
			out[t.Value] = true
		}
	}
	return out
})
