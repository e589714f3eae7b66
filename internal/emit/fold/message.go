package fold

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/load"
)

// A message is what the subtests of a group say where one check fails.
type message struct {
	calls []*ast.CallExpr
	parts [][]part // for each row
}

// A part of a message is a word or a character, a verb with its argument, or a hole.
type part struct {
	word string
	verb string
	arg  string   // the argument's text
	expr ast.Expr // the argument, or nil if it is not in the source
	hole *hole
}

// report notes the messages of calls that fail the test. It returns false if the calls are no such calls.
func (m *match) report(xs []ast.Expr) bool {
	msg, ok := m.newMessage(xs)
	if ok {
		m.messages = append(m.messages, msg)
	}
	return ok
}

// newMessage reads calls of t.Error, t.Errorf, t.Fatal and t.Fatalf. It returns false if one of them is no such call
// with a constant text, or if some end the test and others do not.
func (m *match) newMessage(xs []ast.Expr) (message, bool) {
	msg := message{}
	fatal := make([]bool, len(xs))
	for i, x := range xs {
		call, ok := x.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return msg, false
		}
		name := m.src.text(call.Fun)
		formats := strings.HasSuffix(name, "f")
		lit, isLit := call.Args[0].(*ast.BasicLit)
		text, isText := unquoted(lit)
		switch strings.TrimSuffix(name, "f") {
		case "t.Error":
		case "t.Fatal":
			fatal[i] = true
		default:
			return msg, false
		}
		if !isLit || !isText || !formats && len(call.Args) > 1 {
			return msg, false
		}
		parts := words(text)
		if formats {
			if parts, ok = m.formatted(text, call.Args[1:]); !ok {
				return msg, false
			}
		}
		msg.calls, msg.parts = append(msg.calls, call), append(msg.parts, parts)
	}
	return msg, equal(fatal)
}

// formatted divides a format into parts.
func (m *match) formatted(format string, args []ast.Expr) ([]part, bool) {
	var out []part
	for {
		text, rest, found := strings.Cut(format, "%")
		out = append(out, words(text)...)
		if !found {
			return out, len(args) == 0
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("+#-0123456789. ", r) })
		if n < 0 {
			return nil, false
		}
		if rest[0] == '%' {
			out = append(out, part{word: "%"})
			format = rest[1:]
			continue
		}
		if len(args) == 0 || rest[n] >= 0x80 {
			return nil, false
		}
		out = append(out, part{verb: "%" + rest[:n+1], arg: m.src.text(args[0]), expr: args[0]})
		format, args = rest[n+1:], args[1:]
	}
}

// words divides a text into words, numbers and other characters.
func words(text string) []part {
	var out []part
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) })
		switch {
		case n < 0:
			n = len(text)
		case n == 0:
			for n = 1; n < len(text) && text[n]&0xc0 == 0x80; n++ {
			}
		}
		out = append(out, part{word: text[:n]})
		text = text[n:]
	}
	return out
}

// cutTail takes a text from the end of the message of row i, and reports whether it was there.
func (msg *message) cutTail(i int, text string) bool {
	n := begins(msg.parts[i][max(0, len(msg.parts[i])-len(words(text))):], words(text))
	if n == 0 {
		return false
	}
	msg.parts[i] = msg.parts[i][:len(msg.parts[i])-n]
	return true
}

// begins returns how many parts a text takes at the beginning of others, 0 if it is not there.
func begins(parts, text []part) int {
	if len(text) > len(parts) {
		return 0
	}
	for i, p := range text {
		if parts[i].word != p.word || p.word == "" {
			return 0
		}
	}
	return len(text)
}

// A reading is an attempt to read messages beside one another.
type reading struct {
	*match
	parts [][]part
	steps int
	out   []part // the common message
	// from and to are the places between which the check stands that fails with the message.
	from, to token.Pos
}

// mostSteps bounds how long messages are read: where the same few words are in many holes there are many ways.
const mostSteps = 5000

// message writes the common message of a check in the place of the first subtest's one.
func (m *match) message(msg message) bool {
	r := &reading{match: m, parts: msg.parts, to: msg.calls[0].Pos()}
	for _, other := range m.messages {
		if end := other.calls[0].End(); end < r.to {
			r.from = max(r.from, end)
		}
	}
	if !r.read(make([]int, len(msg.parts))) {
		return false
	}
	call := msg.calls[0]
	m.edits = append(m.edits, edit{from: call.Pos(), to: call.End(), late: func() string { return r.text(call) }})
	return true
}

// text returns the call with the common message that was read.
func (r *reading) text(call *ast.CallExpr) string {
	var format strings.Builder
	var args []string
	var verbs []string // of the values got
	for _, p := range r.out {
		switch {
		case p.hole != nil && !r.shows(p.hole.typ):
			format.WriteString(p.hole.lead + p.hole.col.Name) // its text would say nothing
		case p.hole != nil:
			verb := p.verb
			if p.hole.want && len(verbs) == 1 {
				verb = verbs[0]
			}
			format.WriteString(p.hole.lead + verb)
			args = append(args, p.hole.mark())
		case p.verb != "":
			format.WriteString(p.verb)
			args = append(args, r.argumentText(p))
			verbs = append(verbs, p.verb)
		default:
			if p.word == "=" {
				verbs = nil
			}
			format.WriteString(strings.ReplaceAll(p.word, "%", "%%"))
		}
	}
	fun := strings.TrimSuffix(r.src.text(call.Fun), "f")
	if len(args) == 0 {
		return fun + "(" + gofile.Quote(strings.ReplaceAll(format.String(), "%%", "%")) + ")"
	}
	return fun + "f(" + strings.Join(append([]string{gofile.Quote(format.String())}, args...), ", ") + ")"
}

// shows reports whether a message with a value of the type says which value it is. The fields of a struct of another
// package mean nothing to a reader.
func (m *match) shows(t types.Type) bool {
	_, isPointer := t.Underlying().(*types.Pointer)
	n := load.NamedOf(t)
	foreign := n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != m.w.Pkg.Path
	return gofile.Showable(t) && !(isPointer && foreign && gofile.Verb(t) == "%+v")
}

// read reads the messages from these positions on. Holes come first: their values differ, so that they are not there
// by chance.
func (r *reading) read(at []int) bool {
	if r.steps++; r.steps > mostSteps {
		return false
	}
	ended := 0
	for i, p := range r.parts {
		if at[i] == len(p) {
			ended++
		}
	}
	if ended == len(at) {
		return true
	}
	if ended == 0 && (r.verbs(at) || r.elided(at)) {
		return true
	}
	for _, v := range r.values(at) {
		if r.goOn(at, v.by, v.part) {
			return true
		}
	}
	if ended > 0 {
		return false
	}
	first := r.parts[0][at[0]]
	if first.word == "" || !equal(each(r.heads(at), func(p part) string { return p.word })) {
		return false
	}
	return r.goOn(at, each(at, func(int) int { return 1 }), first)
}

// heads returns the parts at positions.
func (r *reading) heads(at []int) []part {
	out := make([]part, len(at))
	for i, k := range at {
		out[i] = r.parts[i][k]
	}
	return out
}

// goOn reads on behind so many parts of each message, for which one part is written.
func (r *reading) goOn(at, by []int, write part) bool {
	next := slices.Clone(at)
	for i := range next {
		next[i] += by[i]
	}
	n := len(r.out)
	r.out = append(r.out, write)
	if r.read(next) {
		return true
	}
	r.out = r.out[:n]
	return false
}

// verbs reads a verb with the same argument in all messages.
func (r *reading) verbs(at []int) bool {
	heads := r.heads(at)
	if slices.ContainsFunc(heads, func(p part) bool { return p.verb == "" || p.arg != heads[0].arg }) {
		return false
	}
	if heads[0].expr != nil && r.rows[0].wants[heads[0].arg] != nil && !r.kept[heads[0].arg] {
		return false // the variable is gone
	}
	p := heads[0]
	if !equal(each(heads, func(p part) string { return p.verb })) {
		p.verb = "%v"
		if t := r.src.typeOf(p.expr); p.expr != nil && t != nil {
			p.verb = gofile.Verb(t)
		}
	}
	return r.goOn(at, each(at, func(int) int { return 1 }), p)
}

// A value is a hole whose values the messages spell at some position.
type value struct {
	part
	by    []int // how many parts its values take
	total int
}

// values returns the holes whose values the messages spell at these positions: as they are in the source, or raw, as
// texts without their quotes. Behind the word want expected values come first, before it the others, then those of
// the check itself, then those of the type of what was got. Longer texts come before shorter ones, which may be their beginnings, and holes before those that the message has already.
func (r *reading) values(at []int) []value {
	var out []value
	for _, h := range r.holes {
		for _, raw := range []bool{false, true} {
			v := value{part: part{hole: h, verb: gofile.Verb(h.typ)}, by: make([]int, len(at))}
			there := true
			for i, k := range at {
				n, ok := r.spelled(i, k, h, raw)
				there = there && ok
				v.by[i] = n
				v.total += n
			}
			if !there || v.total == 0 {
				continue
			}
			switch {
			case raw && h.want:
				v.verb = "%v"
			case raw:
				v.verb = "%s"
			case h.lists != nil:
				v.verb += "..."
			}
			out = append(out, v)
		}
	}
	used := func(v value) int {
		return len(slices.DeleteFunc(slices.Clone(r.out), func(p part) bool { return p.hole != v.hole }))
	}
	wanted := slices.ContainsFunc(r.out, func(p part) bool { return p.word == "want" })
	slices.SortStableFunc(out, func(a, b value) int {
		if (a.hole.want == wanted) != (b.hole.want == wanted) {
			if a.hole.want == wanted {
				return -1
			}
			return 1
		}
		if x, y := r.isOfCheck(a.hole), r.isOfCheck(b.hole); x != y {
			if x {
				return -1
			}
			return 1
		}
		if x, y := r.isOfGot(a.hole), r.isOfGot(b.hole); x != y {
			if x {
				return -1
			}
			return 1
		}
		if a.total != b.total {
			return b.total - a.total
		}
		return used(a) - used(b)
	})
	return out
}

// isOfCheck reports whether a hole is in the check that fails with the message. One of another check may have the same values.
func (r *reading) isOfCheck(h *hole) bool {
	return len(h.exprs) > 0 && h.exprs[0] != nil && r.from <= h.exprs[0].Pos() && h.exprs[0].Pos() < r.to
}

// isOfGot reports whether the next expected value in the message has the type of the hole: the type of the value that was
// got in its place. Values of different types may be spelled alike.
func (r *reading) isOfGot(h *hole) bool {
	var got []types.Type
	wants := 0
	for _, p := range r.out {
		switch {
		case p.hole != nil && p.hole.want:
			wants++
		case p.hole == nil && p.verb != "" && p.expr != nil:
			got = append(got, r.src.typeOf(p.expr))
		}
	}
	return h.want && wants < len(got) && got[wants] != nil && types.Identical(got[wants], h.typ)
}

// spelled returns how many parts the value of a hole takes in the message of row i from part k on, and whether it is
// there.
func (r *reading) spelled(i, k int, h *hole, raw bool) (int, bool) {
	rest := r.parts[i][k:]
	if len(rest) > 0 && rest[0].hole == h {
		return 1, true
	}
	if len(rest) > 0 && rest[0].verb != "" && rest[0].expr != nil && h.exprs != nil {
		if e := r.resolved(i, rest[0].expr); e != rest[0].expr && r.src.text(e) == r.src.text(h.exprs[i]) {
			return 1, true
		}
	}
	if len(rest) > 0 && rest[0].verb != "" && rest[0].expr != nil && h.exprs == nil && r.src.text(r.resolved(i, rest[0].expr)) == h.cells[i] {
		return 1, true
	}
	best, found := 0, false
	for _, text := range r.spellings(i, h, raw) {
		if text == "" {
			found = true
			continue
		}
		if n := begins(rest, words(text)); n > best {
			best, found = n, true
		}
	}
	return best, found
}

// spellings returns the texts by which messages show the value of a hole in row i.
func (r *reading) spellings(i int, h *hole, raw bool) []string {
	text := h.cells[i]
	if h.exprs != nil {
		text = r.src.text(h.exprs[i])
	}
	if h.lists != nil {
		if raw || h.lists[i] == "" {
			return []string{""}
		}
		return []string{h.lead + h.lists[i]}
	}
	if !raw {
		out := []string{text, gofile.OneLine(text, 60), gofile.OneLine(text, 50)}
		if h.exprs != nil {
			if v := r.src.Info.Types[h.exprs[i]].Value; v != nil && v.Kind() == constant.Int && load.IsNamed(h.typ, "time", "Duration") {
				if n, ok := constant.Int64Val(v); ok {
					out = append(out, time.Duration(n).String())
				}
			}
		}
		return out
	}
	if h.exprs == nil {
		return nil
	}
	s, ok := r.constantText(h.exprs[i])
	if !ok {
		return nil
	}
	return []string{s, gofile.OneLine(s, 60)}
}

// elided reads lists of arguments, of which some message leaves its list out, as lists that are left out.
func (r *reading) elided(at []int) bool {
	by := make([]int, len(at))
	some := false
	for i, p := range r.heads(at) {
		if p.word != "(" {
			return false
		}
		rest := r.parts[i][at[i]:]
		some = some || begins(rest, words("(...)")) > 0
		depth := 0
		for k, p := range rest {
			switch p.word {
			case "(":
				depth++
			case ")":
				depth--
			}
			if depth == 0 {
				by[i] = k + 1
				break
			}
		}
		if by[i] == 0 {
			return false
		}
	}
	return some && r.goOn(at, by, part{word: "(...)"})
}
