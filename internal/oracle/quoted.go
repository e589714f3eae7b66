package oracle

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/testcase"
)

// This file finds calls and their results in prose: Foo("a") returns "b".

func unquote(s string) (string, error) { return strconv.Unquote(s) }

// relation matches the text between a call and its result.
var relation = regexp.MustCompile("^[`'\")*_]*\\s*(?:" +
	`(?:(?:always|also|now|just|simply|thus|therefore|then|will|would|should)\s+)?` +
	`(?:returns?|gives?|yields?|equals?|evaluates?\s+to|becomes?|produces?|results?\s+in|reports?|prints?(?:\s+out)?|is|are)(?:\s+equal\s+to|\s+exactly|:)?\s` +
	`|//\s*(?:=>|->|→|⇒|==|=|returns?|Output:|output:)?` +
	`|==|=>|=|->|→|⇒|➜|⟹|⇔|:)\s*`)

// arrow matches the text between an input and a result, if the function is known.
var arrow = regexp.MustCompile("^[`]?\\s*(?:=>|->|→|⇒|➜|⟹)\\s*")

// conditional matches words in front of a call which mean that the text claims nothing.
var conditional = regexp.MustCompile(`(?i)\b(?:if|when|whenever|unless|whether|while|until|not|never|instead of|rather than|before|formerly|previously|used to|suppose|assume|assuming|example of a bug|!)\s*(?:that\s+)?[` + "`" + `(]*$`)

// prose reads paragraphs: all lines joined, for sentences that go on in the next line, and then
// each line by itself.
func (r *reader) prose(p passage, b block) {
	r.own = r.declaredIn(b)
	defer func() {
		for _, l := range b.lines {
			r.line(p, l.number, l.text)
		}
	}()
	if b.code || len(b.lines) < 2 || len(b.lines) > maxStatements {
		return
	}
	var joined strings.Builder
	starts := make([]int, len(b.lines))
	for i, l := range b.lines {
		starts[i] = joined.Len()
		joined.WriteString(strings.TrimSpace(l.text) + " ")
	}
	r.text(p, joined.String(), func(at int) int {
		line := b.lines[0].number
		for i, s := range starts {
			if s <= at {
				line = b.lines[i].number
			}
		}
		return line
	})
}

// line reads one line.
func (r *reader) line(p passage, number int, text string) {
	r.text(p, text, func(int) int { return number })
	r.inputs(p, number, text)
}

// text looks for calls with a value behind them.
func (r *reader) text(p passage, text string, line func(at int) int) {
	for i := 0; i < len(text); {
		start, end, ok := nextCall(text, i)
		if !ok {
			return
		}
		i = end
		if r.considered++; r.considered > maxConsidered {
			return
		}
		m := relation.FindStringIndex(text[end:])
		if m == nil {
			// Columns: Foo("a")    "b"
			if rest := strings.TrimLeft(text[end:], "`"); strings.HasPrefix(rest, "  ") || strings.HasPrefix(rest, "\t") {
				m = []int{0, len(text[end:]) - len(strings.TrimLeft(rest, " \t"))}
			}
		}
		if r.passesOwn(text[start:end]) {
			continue
		}
		if m == nil || conditional.MatchString(text[:start]) {
			// The call is no claim, but people pass its constants as arguments.
			r.translate(newTranslator(r.here, token.NewFileSet()), p, text[start:end])
			continue
		}
		if r.quoted(p, line(start), sentence(text, start, end), text[start:end], text[end+m[1]:]) {
			continue
		}
	}
}

// declared matches the declaration of a variable, or an assignment to it.
var declared = regexp.MustCompile(`\bvar\s+(\w+)|\b(\w+)\s*(?:,\s*\w+\s*)?:=`)

// declaredIn returns the variables that a paragraph declares although earlier code gave their names to constants: in
// "var i *int; IsNil(i)" i is not the i of another piece of code. What such a variable is worth is not known.
func (r *reader) declaredIn(b block) []string {
	var out []string
	for _, l := range b.lines {
		for _, m := range declared.FindAllStringSubmatch(l.text, -1) {
			if _, ok := r.named[m[1]+m[2]]; ok {
				out = append(out, m[1]+m[2])
			}
		}
	}
	return out
}

// passesOwn reports whether a call passes one of the variables that its paragraph declares.
func (r *reader) passesOwn(call string) bool {
	words := strings.FieldsFunc(call, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return slices.ContainsFunc(r.own, func(name string) bool { return slices.Contains(words, name) })
}

// sentence returns the part of a text that contains a call, for a reader.
func sentence(text string, start, end int) string {
	from := 0
	if i := strings.LastIndex(text[:start], ". "); i >= 0 {
		from = i + 2
	}
	to := len(text)
	if i := strings.Index(text[end:], ". "); i >= 0 {
		to = end + i + 1
	}
	return strings.TrimSpace(text[from:to])
}

// nextCall returns where the next expression that ends with a call begins and ends.
func nextCall(text string, from int) (start, end int, ok bool) {
	for i := from; i < len(text); {
		j := strings.IndexByte(text[i:], '(')
		if j < 0 {
			return 0, 0, false
		}
		open := i + j
		start = nameBefore(text, from, open)
		length := closing(text[open:], '(', ')')
		if start == open || length < 0 {
			i = open + 1
			continue
		}
		end = open + length + 1
		for { // a chain of calls like New(3).Len()
			rest := text[end:]
			n := 0
			if strings.HasPrefix(rest, ".") {
				for n = 1; n < len(rest) && isNameByte(rest[n]); n++ {
				}
			}
			if n < 2 || n >= len(rest) || rest[n] != '(' {
				break
			}
			length := closing(rest[n:], '(', ')')
			if length < 0 {
				break
			}
			end += n + length + 1
		}
		return start, end, true
	}
	return 0, 0, false
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// nameBefore returns where the name begins that ends at a place: Foo, p.Foo, Set[int], T{1}.Foo,
// (T{}).Foo.
func nameBefore(text string, from, open int) int {
	i := open
	for i > from {
		c := text[i-1]
		switch {
		case isNameByte(c) || c == '.':
			i--
		case c == ']' || c == '}' || c == ')':
			if i == open && c != ']' {
				return open
			}
			back := opening(text[from:i], c)
			if back < 0 {
				return i
			}
			i = from + back
		default:
			if (c == '&' || c == '*') && i < open {
				return i
			}
			goto done
		}
	}
done:
	for i < open && (text[i] == '.' || text[i] >= '0' && text[i] <= '9') {
		i++
	}
	return i
}

// opening returns where the bracket opens that closes at the end of a text, or -1 if the text has no such
// bracket.
func opening(text string, end byte) int {
	open := map[byte]byte{')': '(', ']': '[', '}': '{'}[end]
	level := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case end:
			level++
		case open:
			level--
			if level == 0 {
				return i
			}
		}
	}
	return -1
}

// quoted adds the claim that a call has the result that a text begins with. It returns false if the text is
// no result or the call is not one of the package.
func (r *reader) quoted(p passage, line int, says, call, value string) bool {
	t := newTranslator(r.here, token.NewFileSet())
	ref, ok := r.translate(t, p, call)
	if !ok || p.outside && !strings.Contains(call, r.pkg.Name+".") {
		return false
	}
	w, ok := t.values(ref, value)
	if !ok {
		return false
	}
	r.add(p, line, says, called{testcase.TargetName(t.stmts[ref.Stmt].Op.Func), t.sequence(ref.Stmt + 1)}, w)
	return true
}

// translate translates the text of a call of the package. The call has to be the last statement of the
// translation.
func (r *reader) translate(t *translator, p passage, call string) (testcase.Ref, bool) {
	e, err := parser.ParseExprFrom(t.fset, "", call, 0)
	if err != nil {
		return testcase.Ref{}, false
	}
	if _, ok := e.(*ast.CallExpr); !ok {
		return testcase.Ref{}, false
	}
	info, ok := r.here.typeCheck(t.fset, e)
	if !ok {
		return testcase.Ref{}, false
	}
	ref, ok := t.expr(info, e)
	if !ok || len(t.calls) == 0 || t.calls[len(t.calls)-1] != len(t.stmts)-1 {
		return testcase.Ref{}, false
	}
	return ref, true
}

// inputs reads a line "input => result" of the documentation of a function that takes one
// argument.
func (r *reader) inputs(p passage, number int, text string) {
	if p.of == "" || strings.Contains(p.of, ".") {
		return
	}
	f, ok := r.pkg.Types.Scope().Lookup(p.of).(*types.Func)
	if !ok || f.Signature().Params().Len() != 1 || f.Signature().TypeParams().Len() > 0 || r.considered > maxConsidered {
		return
	}
	text = strings.TrimLeftFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("-*•`", c) })
	for _, end := range slices.Backward(tokenEnds(text)) {
		m := arrow.FindStringIndex(text[end:])
		if m == nil {
			continue
		}
		r.considered++
		r.quoted(p, number, strings.TrimSpace(text), p.of+"("+text[:end]+")", text[end+m[1]:])
		return
	}
}
