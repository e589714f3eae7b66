package words

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/testcase"
)

// cause returns what the message of a call's error or panic says beyond the names of the package and the
// function and beyond the texts that were passed: of `parse "7x": unknown unit` it is "unknown unit". It is ""
// if nothing is left that a name could say. cut reports whether the message is longer.
func (c *call) cause() (text string, cut bool) {
	for _, known := range libraryMessages {
		if strings.Contains(c.outcome.message, known.part) {
			return known.words, false
		}
	}
	text = withoutLists(innermost(errorWords(c.withoutInjected())))
	for _, passed := range c.passed() {
		text = without(text, passed)
	}
	text = strings.Trim(text, " :,;.-")
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return "", false
	}
	short := text
	if !c.outcome.literal {
		short = withoutQuotes(short)
	}
	short = closed(beginning(withoutGot(withoutNumbers(short))))
	return short, short != text
}

// listed matches a list or map as package fmt prints it.
var listed = regexp.MustCompile(`(?:map)?\[[^\[\]]*\]`)

// withoutLists returns a message without the lists that it prints, which stand in the case's input already: of
// `invalid length 3 ["a" "b" "c"]` it is "invalid length 3". A message that is left without two words stays.
func withoutLists(message string) string {
	short := strings.Join(strings.Fields(listed.ReplaceAllString(message, "")), " ")
	if short == message || len(strings.FieldsFunc(short, func(r rune) bool { return !unicode.IsLetter(r) })) < 2 {
		return message
	}
	return short
}

// withoutInjected returns the message without the error at its end that the case has a stand-in return: of "failed to read intro: failed" the first four
// words are left.
func (c *call) withoutInjected() string {
	message := c.outcome.message
	for _, text := range c.injected() {
		if before, ok := strings.CutSuffix(message, ": "+text); ok && len(strings.Fields(before)) > 1 {
			return before
		}
	}
	return message
}

// quotes matches a text as package fmt quotes it, or as many messages do by hand.
var quotes = regexp.MustCompile(`(?:^|[ (:=,])(?:"(?:[^"\\]|\\.)*"|'[^']*')`)

// withoutQuotes returns a message up to the first text that it quotes, if it has said what is wrong by then, in two words at least: the text is
// a part of the input, and the same mistake in another input has the same name. Of `malformed closing line "---\n": <nil>` the first three
// words are the name, and of `invalid version "1.x": minor is no number` the last four, since what comes behind a quote with a colon is the cause.
func withoutQuotes(text string) string {
	at := quotes.FindStringIndex(text)
	if at == nil {
		return text
	}
	if _, behind, ok := strings.Cut(text[at[1]:], ": "); ok && strings.HasPrefix(text[at[1]:], ": ") && wordCount(behind) > 1 {
		return withoutQuotes(behind)
	}
	before := strings.TrimRight(text[:at[0]], " :,;.-(")
	if short := withoutTail(before); wordCount(short) > 1 {
		return short
	}
	return text
}

// wordCount returns how many words of letters a text has.
func wordCount(text string) int {
	return len(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }))
}

// beginningOfAll returns what all messages of a function's errors begin with, up to a colon, if there are three of them at least: it says nothing
// about any of them, unless what comes behind it is nothing but an input.
func beginningOfAll(messages []string) string {
	slices.Sort(messages)
	messages = slices.Compact(messages)
	if len(messages) < 3 {
		return ""
	}
	first, last := messages[0], messages[len(messages)-1]
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	i := strings.LastIndex(first[:n], ": ")
	if i < 0 {
		return ""
	}
	return first[:i+2]
}

// failures are beginnings of messages which say that something failed and not why.
var failures = []string{"unable to ", "failed to ", "failed ", "cannot ", "can't ", "could not ", "couldn't ", "error ", "while ", "parsing ", "reading ", "decoding "}

// innermost returns a message without what says only that something failed, in front of why it did: of
// `unable to send request: Post "/message": unsupported protocol scheme ""` the last three words of prose.
func innermost(message string) string {
	for {
		before, rest, ok := strings.Cut(message, ": ")
		if !ok || strings.ContainsAny(before, "([{") {
			return message
		}
		lower := strings.ToLower(before)
		if !slices.ContainsFunc(failures, func(f string) bool { return strings.HasPrefix(lower, f) }) {
			return message
		}
		rest = operation.ReplaceAllString(rest, "")
		why, _, _ := strings.Cut(rest, ": ")
		if len(strings.Fields(why)) < 2 || strings.ContainsAny(why, "[{") {
			return message
		}
		message = strings.TrimSuffix(strings.TrimSpace(rest), ` ""`)
	}
}

// operation matches what package net/url and others put before the cause: `Post "/message": `.
var operation = regexp.MustCompile(`^\w+ "[^"]*": `)

// closed returns a text up to a bracket or quote that it opens and does not close: of `invalid objects: ["a` it is "invalid objects".
func closed(text string) string {
	var open []int // the places of what is not closed yet
	for i, r := range text {
		switch {
		case len(open) > 0 && closing[rune(text[open[len(open)-1]])] == r:
			open = open[:len(open)-1]
		case len(open) > 0 && strings.ContainsRune("\"`", rune(text[open[len(open)-1]])): // quoted
		case strings.ContainsRune("([{\"`", r):
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return text
	}
	if text = withoutTail(strings.Trim(text[:open[0]], " :,;.-")); slices.Contains(unfinished, text) {
		return ""
	}
	return text
}

// closing are the ends of brackets and quotes by their beginnings.
var closing = map[rune]rune{'(': ')', '[': ']', '{': '}', '"': '"', '`': '`'}

// libraryMessages are messages of the standard library, and of those that read YAML and TOML, that say what a parser met, in words for what was wrong with the input.
var libraryMessages = []struct{ part, words string }{
	{"looking for beginning of value", "not JSON"},
	{"unexpected end of JSON input", "JSON that is cut off"},
	{"yaml: unmarshal errors:", "YAML with values of other types"},
	{"yaml: ", "not YAML"},
	{"toml: ", "not TOML"},
	{"XML syntax error", "not XML"},
	{"unexpected EOF", "input that is cut off"},
}

// withoutNumbers returns a message without what stands behind a colon at its end and has no letters, and without what package fmt says of an
// argument that it cannot print: of "too many messages: 7 >= 7" the first three words are the name.
func withoutNumbers(text string) string {
	text, _, _ = strings.Cut(text, "%!")
	if i := strings.LastIndex(text, ": "); i > 0 && !strings.ContainsFunc(text[i:], unicode.IsLetter) && len(strings.Fields(text[:i])) > 1 {
		text = text[:i]
	}
	return strings.Trim(text, " :,;.-")
}

// withoutGot returns a message without what it says was got in place of what it expects, of which the value has been taken out, and
// without what package strconv says of a number: of "expected a digit, got" the first three words are the name.
func withoutGot(text string) string {
	if before, _, ok := strings.Cut(text, ": strconv."); ok && len(strings.Fields(before)) > 1 {
		text = before
	}
	for _, tail := range []string{" but got", " got", " but found", " found"} {
		if before, ok := strings.CutSuffix(text, tail); ok && len(strings.Fields(before)) > 2 {
			return strings.Trim(before, " :,;.-")
		}
	}
	return text
}

// beginning returns a message up to where its details begin, if it is too long for a name: "IBAN length 19
// does not match length 18 specified for country code NL" loses what comes behind "specified". It is "" if that
// leaves too little or too much.
func beginning(text string) string {
	if len(text) <= longest {
		return text
	}
	const least = 12
	for k := longest; k >= least; k-- {
		if strings.Count(text[:k], "(") > strings.Count(text[:k], ")") {
			continue // in brackets there are nothing but details
		}
		for _, detail := range []string{" (", ", ", "; ", ": ", " - ", " for ", " because ", " specified ", " according ", " in ", " of ", " with ", " from ", " and ", " at ", " to "} {
			if strings.HasPrefix(text[k:], detail) {
				return withoutTail(text[:k])
			}
		}
	}
	return ""
}

// unfinished are words with which no name ends: "content length should be between 1" is about the content length.
var unfinished = []string{
	"according", "as", "at", "be", "between", "but", "by", "exceed", "exceeds", "expected", "for", "from", "got", "has", "in", "is", "must", "not", "of", "on", "should", "specified", "than", "to", "was", "with",
}

// withoutTail returns a text without the unfinished words at its end, and without a number behind one of these.
func withoutTail(text string) string {
	words := strings.Fields(text)
	for n := len(words); n > 1; n-- {
		last := words[n-1]
		number := strings.Trim(last, "0123456789.,+-") == "" && slices.Contains(unfinished, words[n-2])
		if !number && !slices.Contains(unfinished, last) {
			return strings.Join(words[:n], " ")
		}
	}
	return text
}

// passed returns the texts that were passed to a call, and those of errors that it may meet, the longest first, since one may be a part of another.
func (c *call) passed() []string {
	var out []string
	for _, v := range c.inputs {
		if v.Kind == testcase.Interface && len(v.Elems) == 1 {
			v = v.Elems[0]
		}
		text, ok := v.Str, v.Kind == testcase.String
		if !ok {
			text, ok = textOf(v)
		}
		if text == "" { // as it looks in a message that quotes it
			text = `""`
		}
		if ok && !v.Cut {
			out = append(out, text)
		}
	}
	out = append(out, c.injected()...)
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return out
}

// injected returns the messages of the errors that a case makes for stand-ins to return. That such an error comes
// back is said by what failed.
func (c *call) injected() []string {
	var out []string
	for i := range c.c.TargetStmt() {
		st := c.c.Seq.At(i)
		if st.Op.Kind != testcase.OpFunc || st.Op.Via != nil || st.Op.Func.FullName() != "errors.New" {
			continue
		}
		if lit := c.c.Seq.At(st.Args[0].Stmt).Op.Lit; lit.Kind == testcase.LitString && lit.Str != "" {
			out = append(out, lit.Str)
		}
	}
	return out
}

// without returns a message from which the quoted text is taken out. What comes behind a quote with a colon is
// the cause, and what comes before it says then only what was tried. If the text stands behind a colon, the cause is
// what comes before that.
func without(message, quoted string) string {
	const quotes = "\"'`()[]<>“”‘’"
	at := 0
	for {
		k := strings.Index(message[at:], quoted)
		if k < 0 {
			return message
		}
		before, after := message[:at+k], message[at+k+len(quoted):]
		l, _ := utf8.DecodeLastRuneInString(before)
		r, _ := utf8.DecodeRuneInString(after)
		if letter(l) || letter(r) { // it is a part of a word
			at += k + len(quoted)
			continue
		}
		inQuotes := strings.ContainsRune(quotes, l) && before != ""
		before = strings.TrimRight(before, quotes)
		after = strings.TrimLeft(after, quotes)
		if rest, found := strings.CutPrefix(after, ": "); found && strings.ContainsFunc(rest, unicode.IsLetter) {
			if head := withoutTail(before); strings.ContainsAny(rest, "\"`") && len(strings.Fields(head)) > 2 {
				return head // what was tried says more than a message with texts of another package
			}
			return errorWords(rest)
		}
		if head, found := strings.CutSuffix(strings.TrimSpace(before), ":"); found && strings.ContainsFunc(head, unicode.IsLetter) && strings.IndexAny(after, ".,;(") == 0 {
			return head // details of the text follow
		}
		if !inQuotes && len(quoted) < 2 { // one character without quotes may be there for another reason
			at += k + len(quoted)
			continue
		}
		message = strings.TrimSpace(strings.TrimSpace(before) + " " + strings.TrimSpace(after))
		at = min(len(before), len(message))
	}
}

// letter reports whether a rune is part of a word.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
