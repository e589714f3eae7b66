package words

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/gosyntax"
)

// This file has all of the English: how a predicate over a subject is said as the name of a
// row and as a clause after "when".

// phrase is the text of a predicate.
type phrase struct {
	text   string // of a row: "amount above limit", "empty"
	clause string // of a sentence: "amount is above limit", "the buffer is empty"
	// strain says how far the words are from what a person would say; 0 is plain English.
	strain int
}

// The strains.
const (
	slight = 4   // said by the code's own signs, or in many words
	clumsy = 8   // a negation
	last   = 16  // used only where little else can be said
	bare   = 46  // no phrase, but the input written as Go does
	named  = -12 // a bonus: the phrase has the name of a bound that a state has reached, or of a kind of text
)

// subject is the thing that a predicate is about.
type subject struct {
	name   string // in a row's name: "amount"; "" for the receiver, because rows speak of it without a name
	clause string // in a sentence: "amount", "the buffer"
	// alone says that there is no other input, so that a row need not say whose value it is.
	alone bool
	// lone says that no other input has a type of this kind. A phrase that fits only such a value then
	// needs no name.
	lone bool
	// one and many are the words for its elements: "element", "elements".
	one, many string
	strain    int // added to the strain of its shapes' phrases
}

// silent reports whether a row says nothing of the subject.
func (s subject) silent() bool { return s.alone || s.name == "" }

// is says an adjective of the subject: "negative amount".
func (s subject) is(adjective string) phrase {
	text := adjective + " " + s.name
	switch {
	case s.silent() || strings.HasPrefix(adjective, s.name+" "):
		text = adjective // spec nist p256, and not spec spec nist p256
	case strings.Contains(adjective, " "):
		text = s.name + " " + adjective
	}
	return phrase{text: text, clause: s.clause + " is " + adjective}
}

// isNil says that the subject is nil. Rows name the receiver here, because otherwise they would seem to
// speak of an argument.
func (s subject) isNil() phrase {
	if s.name == "" && !s.alone {
		return phrase{text: "nil receiver", clause: s.clause + " is nil"}
	}
	return s.is("nil")
}

// stands says where the subject is: "amount above limit".
func (s subject) stands(where string) phrase {
	text := s.name + " " + where
	if s.silent() {
		text = where
	}
	return phrase{text: text, clause: s.clause + " is " + where}
}

// does says a verb of the subject: "s contains a quote".
func (s subject) does(verb string) phrase {
	text := s.name + " " + verb
	if s.silent() || s.lone {
		text = verb
	}
	return phrase{text: text, clause: s.clause + " " + verb}
}

// acts says what a function or an object that the call is passed does when it is called: "h fails". Without the subject a reader
// would take it for what the call under test does.
func (s subject) acts(verb string) phrase {
	p := s.does(verb)
	if s.name != "" {
		p.text = s.name + " " + verb
	}
	return p
}

// equals says that the subject is a constant: "amount of limit", "month 4", "locked".
func (s subject) equals(constant string, named bool) phrase {
	p := phrase{text: s.name + " " + constant, clause: s.clause + " is " + constant}
	switch {
	case s.silent(), s.lone && strings.HasPrefix(constant, `"`):
		p.text = constant
	case named && strings.Contains(constant, "."): // of another package: "day Sunday"
		p.text = s.name + " " + constant[strings.LastIndexByte(constant, '.')+1:]
	case named:
		p.text = s.name + " of " + constant
	}
	return p
}

// differs says that the subject is not a constant.
func (s subject) differs(constant string) phrase {
	p := s.stands("not " + constant)
	p.strain = last
	return p
}

// holds says how many elements the subject has: "two elements", "3 lines". of is a word
// before the number: "more than".
func (s subject) holds(of string, n int) phrase {
	if of == "" && n == 0 {
		if s.name != "" && s.many != "" && s.many == s.name {
			return phrase{text: "no " + s.many, clause: "there are no " + s.many}
		}
		return s.is("empty")
	}
	noun := s.many
	if n == 1 {
		noun = s.one
	}
	amount := strings.TrimSpace(of+" "+numeral(n)) + " " + noun
	if s.many == s.name && s.name != "" {
		verb := "there are "
		if n == 1 && of == "" {
			verb = "there is "
		}
		return phrase{text: amount, clause: verb + amount}
	}
	p := phrase{text: amount + " in " + s.name, clause: s.clause + " has " + amount}
	if s.silent() {
		p.text = amount
	}
	return p
}

// compared says how the subject compares with something, or "" if there is no good way.
func (s subject) compared(op token.Token, y string, named bool) phrase {
	switch op {
	case token.EQL:
		return s.equals(y, named)
	case token.NEQ:
		return s.differs(y)
	case token.LSS:
		return s.stands("below " + y)
	case token.GTR:
		return s.stands("above " + y)
	case token.LEQ:
		return s.stands("at most " + y)
	case token.GEQ:
		return s.stands("at least " + y)
	}
	return phrase{}
}

// againstZero says how a number compares with zero.
func (s subject) againstZero(op token.Token) phrase {
	switch op {
	case token.EQL:
		return s.is("zero")
	case token.LSS:
		return s.is("negative")
	case token.GTR:
		return s.is("positive")
	case token.LEQ:
		p := s.stands("zero or negative")
		p.strain = slight
		return p
	}
	word := "negative"
	if op == token.NEQ {
		word = "zero"
	}
	p := s.stands("not " + word)
	p.strain = clumsy
	return p
}

// against says how the number of the subject's elements compares with n.
func (s subject) against(op token.Token, n int) phrase {
	switch {
	case op == token.EQL, op == token.LSS && n == 1, op == token.LEQ && n == 0:
		if op != token.EQL {
			n = 0
		}
		return s.holds("", n)
	case n == 0 && (op == token.NEQ || op == token.GTR), n == 1 && op == token.GEQ:
		p := s.stands("not empty")
		p.strain = clumsy
		return p
	}
	if s.one == "byte" {
		switch op {
		case token.GTR:
			return s.stands("longer than " + strconv.Itoa(n))
		case token.LSS:
			return s.stands("shorter than " + strconv.Itoa(n))
		}
	}
	of := map[token.Token]string{token.LSS: "fewer than", token.GTR: "more than", token.LEQ: "at most", token.GEQ: "at least", token.NEQ: "not"}[op]
	p := s.holds(of, n)
	if op == token.NEQ {
		p.strain = clumsy
	}
	return p
}

// called says the name of a bool method or variable of the subject, or its opposite: IsFull, Closed,
// hasNext.
func (s subject) called(name string, truth bool) phrase {
	ws := splitWords(name)
	switch {
	case len(ws) > 1 && ws[0] == "is":
		return s.state(strings.Join(ws[1:], " "), truth)
	case len(ws) > 1 && ws[0] == "has":
		what := strings.Join(ws[1:], " ")
		if truth {
			return s.does("has " + what)
		}
		return s.does("has no " + what)
	case len(ws) > 1 && (ws[0] == "can" || ws[0] == "should"):
		if truth {
			return s.does(strings.Join(ws, " "))
		}
		p := s.does(ws[0] + " not " + strings.Join(ws[1:], " "))
		p.strain = clumsy
		return p
	}
	p := s.state(strings.Join(ws, " "), truth)
	if !IsAdjective(ws[len(ws)-1]) {
		p.strain += slight
	}
	return p
}

// state says that the subject is in a state, or that it is not. Rows give only the state if the subject is
// the receiver.
func (s subject) state(word string, truth bool) phrase {
	if truth {
		return s.is(word)
	}
	if o := opposite(word); o != "" {
		return s.is(o)
	}
	p := s.is("not " + word)
	p.strain = clumsy
	return p
}

// chosen is state for a constant of the subject's type. What has a single letter for a name is called by the constant alone.
func (s subject) chosen(constant string, truth bool) phrase {
	if len(s.name) == 1 && truth {
		return phrase{text: constant, clause: s.clause + " is " + constant}
	}
	return s.state(constant, truth)
}

// opposite returns the positive word for the negation of a word, or "" if there is none.
func opposite(word string) string {
	pairs := [...][2]string{{"open", "closed"}, {"valid", "invalid"}, {"enabled", "disabled"}, {"even", "odd"}, {"present", "absent"},
		{"known", "unknown"}, {"locked", "unlocked"}, {"visible", "hidden"}, {"finite", "not finite"}, {"leap", "not leap"}}
	for _, p := range pairs {
		switch word {
		case p[0]:
			return p[1]
		case p[1]:
			return p[0]
		}
	}
	return ""
}

// IsAdjective reports whether a word is an adjective.
func IsAdjective(word string) bool {
	switch word {
	case "full", "empty", "open", "valid", "ready", "done", "dirty", "active", "zero", "negative", "positive", "busy", "new", "old", "broken", "leaf", "nil":
		return true
	}
	return strings.HasSuffix(word, "ed") && len(word) > 4 || strings.HasSuffix(word, "able") || strings.HasSuffix(word, "ing") && word != "string"
}

// both joins two phrases; the phrase about the receiver's state comes first.
func both(p, q phrase) phrase {
	const divisible = "divisible by "
	if strings.Contains(q.text, divisible) && !strings.Contains(q.text, "not "+divisible) && strings.Contains(p.text, "not "+divisible) {
		p, q = q, p
	}
	out := phrase{text: p.text + ", " + q.text, strain: p.strain + q.strain}
	if strings.Contains(p.text, divisible) {
		if rest, ok := strings.CutPrefix(q.text, "not "+divisible); ok {
			out.text = p.text + ", not by " + rest
		}
	}
	if p.clause != "" && q.clause != "" {
		out.clause = p.clause + " and " + q.clause
		// A subject that both phrases speak of is said only once.
		at := strings.Index(p.clause, " is ")
		if at > 0 && strings.HasPrefix(q.clause, p.clause[:at+4]) {
			out.clause = p.clause + " and " + q.clause[at+4:]
		}
	}
	return out
}

// numeral returns a number as prose has it.
func numeral(n int) string {
	small := [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n >= 0 && n < len(small) {
		return small[n]
	}
	return strconv.Itoa(n)
}

// Counted says how many there are of something whose name is in the plural: "no results", "one result", "two results".
func Counted(n int, nouns string) string {
	switch n {
	case 0:
		return "no " + nouns
	case 1:
		return "one " + strings.TrimSuffix(nouns, "s")
	}
	return numeral(n) + " " + nouns
}

// times says how often something was done.
func times(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return " twice"
	}
	return " " + numeral(n) + " times"
}

// nouns returns the words for the elements of a value with a name: elements of lines are lines;
// otherwise they are elements.
func nouns(name string) (one, many string) {
	if utf8.RuneCountInString(name) >= 4 && strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && !strings.HasSuffix(name, "us") && strings.ToLower(name) == name {
		one = strings.TrimSuffix(name, "s")
		switch {
		case strings.HasSuffix(name, "ies"):
			one = strings.TrimSuffix(name, "ies") + "y"
		case strings.HasSuffix(name, "xes"), strings.HasSuffix(name, "ches"), strings.HasSuffix(name, "shes"):
			one = strings.TrimSuffix(name, "es")
		}
		return one, name
	}
	return "element", "elements"
}

// initialisms are words that people write in capitals, by how an identifier has them.
var initialisms = map[string]string{
	"api": "API", "ascii": "ASCII", "cidr": "CIDR", "cpu": "CPU", "css": "CSS", "csv": "CSV", "dns": "DNS", "eof": "EOF", "html": "HTML", "http": "HTTP", "https": "HTTPS",
	"id": "ID", "ids": "IDs", "ip": "IP", "ips": "IPs", "ipv4": "IPv4", "ipv6": "IPv6", "json": "JSON", "sql": "SQL", "tcp": "TCP", "tls": "TLS", "ttl": "TTL", "udp": "UDP",
	"uri": "URI", "url": "URL", "urls": "URLs", "utc": "UTC", "uuid": "UUID", "xml": "XML", "yaml": "YAML",
}

// splitWords splits an identifier into words, which are in lower case unless people write them in capitals. A character that is no
// letter is a word by itself.
func splitWords(name string) []string {
	out := gosyntax.Words(name)
	for i, w := range out {
		if spelled, ok := initialisms[w]; ok {
			out[i] = spelled
		}
	}
	for i := 1; i < len(out); i++ {
		if out[i-1] == "na" && out[i] == "n" {
			out = slices.Replace(out, i-1, i+1, "NaN")
		}
	}
	if len(out) > 0 {
		return out
	}
	return []string{name}
}

// constantWords says the name of an enumeration's constant in words, without the name of
// its type: StateOpen is "open", and SpecAES of a KeySpec is "aes".
func constantWords(name, typeName string) string {
	ws, ts := splitWords(name), splitWords(typeName)
	if len(ws) > len(ts) && strings.Join(ws[:len(ts)], " ") == strings.Join(ts, " ") {
		ws = ws[len(ts):]
	} else if n := len(ws) - len(ts); n > 0 && strings.Join(ws[n:], " ") == strings.Join(ts, " ") {
		ws = ws[:n]
	} else {
		for n := min(len(ts), len(ws)-1); n > 0; n-- {
			if slices.Equal(ws[:n], ts[len(ts)-n:]) {
				ws = ws[n:]
				break
			}
		}
	}
	return strings.Join(ws, " ")
}

// errorWords returns an error's message without the names of the package and of the function in front
// of it: "parse: unknown unit" becomes "unknown unit".
func errorWords(message string) string {
	for {
		before, rest, ok := strings.Cut(message, ": ")
		if !ok || strings.ContainsAny(before, " \"'`") || strings.TrimSpace(rest) == "" {
			break
		}
		message = rest
	}
	return strings.TrimSpace(message)
}

// plain reports whether a text can be part of a name as it is.
func plain(text string) bool {
	for _, r := range text {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return false
		}
	}
	return text != "" && strings.TrimSpace(text) == text
}

// weight is the cost of reading a text: its letters, words and signs.
func weight(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r == ' ':
			n += 3
		case strings.ContainsRune("<>=!%&|+*/^", r):
			n += 4
		default:
			n++
		}
	}
	return n
}
