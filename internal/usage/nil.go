package usage

import (
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
)

// receiverName is how documentation calls the receiver of any method.
const receiverName = "receiver"

// prohibition returns the first sentence of documentation that forbids a parameter to be nil, or "" if there is none.
func prohibition(doc, name string, fn *types.Func) string {
	return firstSentence(doc, func(s string) bool {
		for _, form := range []string{"not be nil", "non-nil", "cannot be nil", "can't be nil", "never nil"} {
			if i := strings.Index(s, form); i >= 0 {
				return containsWord(s, name) || !promises(s[:i], fn)
			}
		}
		return false
	})
}

// promises reports whether what a sentence says behind its beginning is said of the result of a function: "Common returns a non-nil span",
// "The result is never nil", "Common is never nil".
func promises(before string, fn *types.Func) bool {
	return returnsNil(fn.Signature()) && (containsAny(before, "return", "result") || strings.HasPrefix(before, strings.ToLower(fn.Name())+" is "))
}

// allowance returns the first sentence of documentation that allows a parameter to be nil, or "" if there is none. A
// sentence that names no parameter ("If nil, all are used") speaks of the one whose entry it is in, in a list of
// parameters: "chars - the characters to choose from. If nil, ...".
func allowance(doc, name string, fn *types.Func) string {
	entry := ""
	return firstSentence(doc, func(s string) bool {
		if head := entryOf(s, fn.Signature()); head != "" {
			entry = head
			if head == name && indexOfWords(s, "or nil") >= 0 {
				return true // the sentence says what the parameter is
			}
		}
		return allowsNil(s, name, fn) && (entry == "" || entry == name || containsWord(s, name))
	})
}

// Promised returns the kind that the documentation of a function says a parameter is to have, where the parameter takes any value and the
// function returns an error for those that have another one: "Returns error if `fn` is not a function", "An error is returned
// unless v is a pointer to a struct". That is said of all values, nil among them. The kind is in the words of Kinds, "pointer", or "other"; it
// is "" where nothing is promised. "Returns an error if v is not known" promises nothing of a kind.
func (r *Rules) Promised(fn *types.Func, param int) (kind, sentence string) {
	sig := fn.Origin().Signature()
	if param < 0 || param >= sig.Params().Len() || !gosyntax.ReturnsError(sig) || !gosyntax.IsAny(sig.Params().At(param).Type()) {
		return "", ""
	}
	name := strings.ToLower(sig.Params().At(param).Name())
	if name == "" || name == "_" {
		return "", ""
	}
	for _, doc := range r.docs(fn) {
		sentence := firstSentence(doc, func(s string) bool {
			if kind == "" {
				kind = promisedKind(s, name)
			}
			return kind != ""
		})
		if sentence != "" {
			return kind, sentence
		}
	}
	return "", ""
}

// promisedKind returns the kind that a sentence promises an error for the lack of, "" if it promises nothing.
func promisedKind(lower, name string) string {
	words := strings.FieldsFunc(lower, func(c rune) bool { return !isLetter(c) && c != '\'' })
	fails := slices.ContainsFunc(words, func(w string) bool { return w == "error" || w == "errors" || len(w) > 3 && strings.HasPrefix(w, "err") })
	if !fails || !containsAny(lower, "return", "report", "fails with") || containsAny(lower, "nil", "no error", "not return", "never", "n't return", "panic") {
		return ""
	}
	for i, w := range words {
		if w != name || i == 0 {
			continue
		}
		before := words[i-1]
		for j := i - 1; j > 0 && slices.Contains([]string{"the", "given", "passed", "provided", "argument", "parameter", "value"}, before); j-- {
			before = words[j-1]
		}
		rest := words[i+1:]
		for len(rest) > 0 && slices.Contains([]string{"argument", "parameter", "value"}, rest[0]) {
			rest = rest[1:]
		}
		switch {
		case before == "unless" && len(rest) > 2 && rest[0] == "is":
			rest = rest[1:]
		case (before == "if" || before == "when") && len(rest) > 3 && rest[0] == "is" && rest[1] == "not":
			rest = rest[2:]
		case (before == "if" || before == "when") && len(rest) > 2 && rest[0] == "isn't":
			rest = rest[1:]
		default:
			continue
		}
		if len(rest) < 2 || rest[0] != "a" && rest[0] != "an" || slices.Contains([]string{"valid", "known", "registered", "supported"}, rest[1]) {
			continue
		}
		if slices.Contains(rest, "or") {
			return "other" // one of several kinds
		}
		for _, kind := range []string{"function", "struct", "map", "list", "channel"} {
			if slices.Contains(kindWords[kind], rest[1]) {
				return kind
			}
		}
		if rest[1] == "pointer" {
			return "pointer"
		}
		return "other"
	}
	return ""
}

// entryOf returns the parameter whose entry in a list of parameters begins in a sentence, or "" if none does.
func entryOf(lower string, sig *types.Signature) string {
	at, entry := -1, ""
	for p := range sig.Params().Variables() {
		name := strings.ToLower(p.Name())
		for _, mark := range []string{" - ", ": ", " -- "} {
			if i := strings.LastIndex(" "+lower, " "+name+mark); name != "" && i > at {
				at, entry = i, name
			}
		}
	}
	return entry
}

func containsWord(lower, word string) bool {
	return word != "" && slices.Contains(strings.FieldsFunc(lower, func(c rune) bool { return !isLetter(c) }), word)
}

// allowsNil reports whether a sentence allows a parameter of a function to be nil.
func allowsNil(lower, name string, fn *types.Func) bool {
	if !strings.Contains(lower, "nil") {
		return false
	}
	for _, form := range []string{"%s is nil", "%s may be nil", "%s can be nil", "nil %s", "%s == nil", "%s are nil"} {
		if name != "" && indexOfWords(lower, strings.ReplaceAll(form, "%s", name)) >= 0 {
			return true
		}
	}
	for _, form := range []string{"if nil", "nil is allowed", "nil is valid", "nil is ok", "or nil"} {
		i := indexOfWords(lower, form)
		if i < 0 {
			continue
		}
		if strings.Contains(lower[:i], "return") {
			return false // "returns nil if ..." speaks of the result, not of a parameter
		}
		if form == "if nil" && name == receiverName && returnsNil(fn.Signature()) {
			return false // "Peek is the first line. If nil, there is none"
		}
		return form != "or nil" || orNil(lower[:i], name, fn)
	}
	return false
}

// orNil reports whether a sentence that goes on with "or nil" says so of a parameter. "Common is what both have in common, or nil" speaks of
// the result, whatever the verb is, and "Advance goes on to the next line, or nil" of what a method sets. So the sentence has to say what the
// parameter is ("opts are the settings, or nil"), or nothing else that the function passes on can be nil.
func orNil(before, name string, fn *types.Func) bool {
	if name == receiverName {
		return false
	}
	words := strings.Fields(before)
	if len(words) == 0 {
		return false
	}
	if words[0] == "pass" && fn.Name() != "Pass" {
		return true
	}
	for _, subject := range []string{name, "argument", "arguments", "parameter"} {
		if saysWhatIs(words, subject) {
			return true
		}
	}
	sig := fn.Signature()
	if returnsNil(sig) {
		return false
	}
	named, could := "", 0
	for p := range sig.Params().Variables() {
		if !couldBeNil(p.Type()) {
			continue
		}
		could++
		if f, ok := p.Type().Underlying().(*types.Signature); ok && returnsNil(f) {
			return false // what a function that is passed comes to may be meant
		}
	}
	for _, w := range words {
		w = strings.TrimRight(w, ",:")
		for p := range sig.Params().Variables() {
			if w != "" && w == strings.ToLower(p.Name()) {
				named = w
			}
		}
	}
	return named == name || named == "" && could == 1
}

// saysWhatIs reports whether the last clause of a text says what something is, or has to be: "opts are the settings,", "if s is empty". A comma at
// the end ends a clause with if, so that "the first, if s is set, or nil" says nothing of s.
func saysWhatIs(words []string, subject string) bool {
	comma := strings.HasSuffix(words[len(words)-1], ",")
	for i := len(words) - 2; i >= 0; i-- {
		if i < len(words)-1 && strings.HasSuffix(words[i], ",") {
			return false
		}
		if words[i] != subject || !slices.Contains([]string{"is", "are", "may", "can", "must", "should", "has", "have"}, words[i+1]) {
			continue
		}
		if i == 0 || strings.HasSuffix(words[i-1], ",") || strings.HasSuffix(words[i-1], ":") || words[i-1] == "the" && i == 1 || words[i-1] == "its" {
			return true
		}
		return !comma && slices.Contains([]string{"if", "when", "whether", "that", "and"}, words[i-1])
	}
	return false
}

// returnsNil reports whether a result of a function could be nil.
func returnsNil(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		_, list := v.Type().Underlying().(*types.Slice)
		_, parameter := types.Unalias(v.Type()).(*types.TypeParam)
		if list || parameter || couldBeNil(v.Type()) {
			return true
		}
	}
	return false
}

// indexOfWords returns the index of words in a text at which none of its other words goes on: `m is nil` is not in `cm is nil`. It is -1
// if there is none.
func indexOfWords(text, words string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], words)
		if i < 0 {
			return -1
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(words):])
		if !isLetter(before) && !isLetter(after) {
			return i
		}
		from = i + 1
	}
}

// isLetter reports whether a character is part of a word or of a name.
func isLetter(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }
