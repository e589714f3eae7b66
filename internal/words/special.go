package words

import (
	"cmp"
	"go/types"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// special returns predicates that are made for one row: over the exact value of an input, over the exact
// values of all inputs, and over the earlier calls on the receiver.
func (n *Namer) special(i int, rows []int) []*predicate {
	c := n.calls[i]
	var out []*predicate
	keep := func(p predicate, holds func(c *call) truth) {
		if q := n.add(p, holds); q != nil && q.text == p.text && q.holds.has(i) {
			out = append(out, q)
		}
	}
	var parts, named []string
	whole := true
	var differing reads
	for k, v := range c.inputs {
		if n.hasRecv && k == 0 && !n.byValue() || k > 63 {
			continue
		}
		text := spell(v)
		if (text == "" || text == "{}") && k < n.inputs {
			text = cmp.Or(n.madeOf(c, k), text) // {} is also an object of hidden fields that a function made
		}
		switch {
		case text == "{}" && types.IsInterface(n.inputType(k)), strings.Contains(text, "&{") && text != "&{}":
			text = "" // the value in an interface has no text that says anything, and a dump of an object is no name
		case text == "&{}" && k < n.inputs:
			text = n.subjects[k].is("empty").text
		}
		varies := len(rows) == 1
		for _, r := range rows {
			varies = varies || !n.calls[r].inputs[k].Equal(v)
		}
		if !varies {
			continue
		}
		if text == "" {
			whole = whole && k >= n.inputs
			continue
		}
		if k < n.inputs {
			parts = append(parts, text)
		}
		if name := n.subjects[k].name; k >= n.inputs {
		} else if name == "" || strings.HasPrefix(text, "empty") {
			named = append(named, text)
		} else {
			named = append(named, name+" "+text)
		}
		if k < n.inputs {
			differing.inputs |= 1 << k
		}
		n.valuePredicates(i, k, text, keep)
	}
	scalar := len(parts) == 1 && n.texts[n.subjects[bits.TrailingZeros64(differing.inputs)].equals(parts[0], false).text] != nil
	if whole && len(parts) > 0 && !scalar {
		p := predicate{phrase: phrase{text: strings.Join(parts, ", "), strain: bare}, reads: differing, place: placeInput, raw: true}
		if len(parts) > 1 {
			keepNamed := strings.Join(named, ", ")
			if len(keepNamed) <= longest*2/3 {
				p.text = keepNamed
			}
		}
		if both := strings.Join(parts, " and "); len(parts) == 2 && n.comparesTexts() && len(both) <= longest {
			p.text, p.strain = both, slight // one of two texts that are compared says nothing
		}
		keep(p, func(d *call) truth {
			all := yes
			for k := range c.inputs {
				switch {
				case differing.inputs&(1<<k) == 0 || d.inputs[k].Equal(c.inputs[k]):
				case d.inputs[k].Kind == testcase.Invalid || d.inputs[k].Cut:
					all = unknown
				default:
					return no
				}
			}
			return all
		})
	}
	n.pair(c, keep)
	n.past(c, keep)
	return out
}

// pair makes the predicate that names a comparison of two objects, each made of one text or number, by both: "1.2" and "1.3".
// One of them says nothing.
func (n *Namer) pair(c *call, keep func(predicate, func(*call) truth)) {
	results := n.sig.Results()
	if n.inputs != 2 || results.Len() != 1 || !basicIs(results.At(0).Type(), types.IsBoolean|types.IsNumeric) || c.c.Seq == nil {
		return
	}
	a, b := n.madeOf(c, 0), n.madeOf(c, 1)
	if a == "" || b == "" || len(a+b) > longest*3/2 {
		return
	}
	text := a + " and " + b
	keep(predicate{phrase: phrase{text: text, strain: slight - weight(text)/2}, reads: reads{inputs: 3}, place: placeInput, raw: true}, func(d *call) truth {
		if d.c.Seq == nil {
			return unknown
		}
		return truthOf(n.madeOf(d, 0) == a && n.madeOf(d, 1) == b)
	})
}

// nameBoth names rows by both values that the function compares where they were named by one of the two: "1.2" and "1.3". The parameter at
// has the rows' calls, and picked the predicates that named the rows.
func (n *Namer) nameBoth(at []int, out []Name, picked []*predicate, taken map[string]bool) {
	results := n.sig.Results()
	compares := n.inputs == 2 && results.Len() == 1 && basicIs(results.At(0).Type(), types.IsBoolean|types.IsNumeric)
	if !compares && !n.comparesTexts() {
		return
	}
	for i, p := range picked {
		if p == nil || !p.raw || bits.OnesCount64(p.inputs) != 1 {
			continue
		}
		c := n.calls[at[i]]
		if c.c.Seq == nil {
			continue
		}
		var parts []string
		for k := range n.inputs {
			text := n.madeOf(c, k)
			if v := c.inputs[k]; text == "" && v.Kind == testcase.String {
				text = spell(v)
			}
			parts = append(parts, text)
		}
		if n.hasRecv && n.comparesTexts() {
			parts = parts[1:]
		}
		text := strings.Join(parts, " and ")
		if slices.Contains(parts, "") || len(text) > longest*3/2 || taken[text] {
			continue
		}
		delete(taken, out[i].Text)
		out[i].Text, out[i].Proved, taken[text] = text, true, true
	}
}

// comparesTexts reports whether the inputs of the function, beside its receiver, are two texts.
func (n *Namer) comparesTexts() bool {
	ps := n.sig.Params()
	return ps.Len() == 2 && !n.sig.Variadic() && basicIs(ps.At(0).Type(), types.IsString) && basicIs(ps.At(1).Type(), types.IsString)
}

// past makes the predicates over what was done before a call: how its receiver was made, and what was called.
func (n *Namer) past(c *call, keep func(predicate, func(*call) truth)) {
	p, holds := setting(c)
	if holds != nil {
		keep(p, holds)
	}
	if q, told := n.story(c); told != nil && (holds == nil || len(c.steps) > 0) {
		keep(q, told)
	}
	if q, led := source(c); led != nil {
		keep(q, led)
	}
	if q, prepared := n.preparation(c); prepared != nil {
		keep(q, prepared)
	}
	if q, undoes := n.roundTrip(c); undoes != nil {
		keep(q, undoes)
	}
}

// preparation returns a predicate over the functions of the package that were called with an argument of the
// tested function before: "after Status(404)".
func (n *Namer) preparation(c *call) (predicate, func(*call) truth) {
	text := n.prepared(c)
	if text == "" {
		return predicate{}, nil
	}
	p := predicate{phrase: phrase{text: "after " + text, strain: slight}, place: placeInput}
	return p, func(d *call) truth { return truthOf(n.prepared(d) == text) }
}

// prepared returns the calls of functions of the package that got an argument of the tested function before it
// did, in words; "" if there are none or the tested function is a method.
func (n *Namer) prepared(c *call) string {
	if n.hasRecv || c.c.Seq == nil {
		return ""
	}
	seq, target := c.c.Seq, c.c.TargetStmt()
	var calls []string
	for i := range target {
		st := seq.At(i)
		if st.Op.Kind != testcase.OpFunc || st.Op.Via != nil || st.Op.Func.Pkg() != n.pkg.Types || len(seq.ResultTypes()[i]) > 0 {
			continue
		}
		if !slices.ContainsFunc(st.Args, func(a testcase.Ref) bool { return slices.Contains(seq.At(target).Args, a) }) {
			continue
		}
		var args []string
		for _, a := range st.Args {
			if text := spell(made(c.c, a, 0)); text != "" && !slices.Contains(seq.At(target).Args, a) {
				args = append(args, text)
			}
		}
		calls = append(calls, st.Op.Func.Name()+"("+strings.Join(args, ", ")+")")
	}
	return strings.Join(calls, ", ")
}

// source returns a predicate over the method of another object that returned the receiver: "from Front".
func source(c *call) (predicate, func(*call) truth) {
	if c.from == "" {
		return predicate{}, nil
	}
	p := predicate{phrase: phrase{text: "from " + c.from}, reads: reads{inputs: 1}, place: placeReceiver}
	return p, func(d *call) truth { return truthOf(d.from == c.from) }
}

// valuePredicates makes the predicates that say which value input k of call i has, how the value ends, or how
// long it is.
func (n *Namer) valuePredicates(i, k int, text string, keep func(predicate, func(*call) truth)) {
	v := n.calls[i].inputs[k]
	get := func(c *call) testcase.Value { return c.inputs[k] }
	r := reads{inputs: 1 << k}
	switch v.Kind {
	case testcase.Int, testcase.Uint, testcase.Float, testcase.String, testcase.Bool:
		word := text
		if v.Type != nil && !load.IsNamed(v.Type, "time", "Duration") && text == spell(v) {
			word = spellConstant(v) // of another package's type, too
		}
		p := predicate{phrase: n.subjects[k].equals(word, false), reads: r, place: n.placeOf(r)}
		p.raw, p.strain = true, last
		if n.subjects[k].silent() || n.passedOn(k) {
			p.strain = bare
		}
		p.edge = n.atEdge(i, k)
		keep(p, ask(get, func(w testcase.Value) bool { return w.Equal(v) }))
	}
	if (v.Kind == testcase.Pointer || v.Kind == testcase.Struct) && k < n.inputs && text == n.madeOf(n.calls[i], k) {
		p := predicate{phrase: n.subjects[k].equals(text, false), reads: r, place: n.placeOf(r)}
		p.raw, p.strain = true, last
		keep(p, ask(get, func(w testcase.Value) bool { return w.Equal(v) }))
		return
	}
	if name := n.notated(k, v); name != "" {
		p := predicate{phrase: phrase{text: n.subjects[k].does(name).text, strain: named}, reads: r, place: n.placeOf(r)}
		keep(p, ask(get, func(w testcase.Value) bool { return w.Equal(v) }))
	}
	if end := v.Str[max(0, len(v.Str)-1):]; v.Kind == testcase.String && tailed(v.Str) && n.charactersOf(n.subjects[k], r).asks(end) {
		p := predicate{phrase: n.subjects[k].does("ends with " + strconv.QuoteRune(rune(end[0]))), reads: r, place: n.placeOf(r)}
		p.strain = clumsy
		keep(p, ask(get, func(w testcase.Value) bool { return len(w.Str) > 1 && strings.HasSuffix(w.Str, end) }))
	}
	if words, ok := textOf(v); ok && (isRunes(v.Type) || isBytes(v.Type)) {
		p := predicate{phrase: n.subjects[k].equals(strconv.Quote(words), false), reads: r, place: n.placeOf(r)}
		p.raw, p.strain = true, last
		if n.subjects[k].silent() {
			p.strain = bare
		}
		keep(p, ask(get, func(w testcase.Value) bool { return w.Equal(v) }))
		return
	}
	if (v.Kind == testcase.Slice || v.Kind == testcase.Map) && v.Len > 3 && n.subjects[k].many != "" {
		p := predicate{phrase: n.subjects[k].holds("", v.Len), reads: r, place: n.placeOf(r)}
		p.strain = last
		keep(p, ask(get, func(w testcase.Value) bool { return w.Kind == v.Kind && w.Len == v.Len }))
	}
}

// madeOf returns the text or the number that an input was made of by a function of the package, as Go writes it: the
// "1.2.3" of what NewVersion("1.2.3") returned. It returns "" for inputs that were made otherwise.
func (n *Namer) madeOf(c *call, k int) string {
	st := c.c.Seq.At(c.c.TargetStmt())
	if k >= len(st.Args) {
		return ""
	}
	made := c.c.Seq.At(st.Args[k].Stmt)
	if made.Op.Kind == testcase.OpAssert { // what is in the interface that the function returned
		made = c.c.Seq.At(made.Args[0].Stmt)
	}
	if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil || made.Op.Func.Pkg() != n.pkg.Types || len(made.Args) != 1 || stale(c.c, st.Args[k], c.c.TargetStmt()) {
		return ""
	}
	of := c.c.Seq.At(made.Args[0].Stmt).Op
	if of.Kind != testcase.OpLiteral {
		return ""
	}
	return spell(literalValue(of.Lit, of.Type))
}

// notated returns the name of the text that input k is, in the notation that the parameter asks for, or "".
func (n *Namer) notated(k int, v testcase.Value) string {
	param := k
	if n.hasRecv {
		param--
	}
	if param < 0 || k >= n.inputs {
		return ""
	}
	text, ok := v.Str, v.Kind == testcase.String
	if !ok {
		if text, ok = textOf(v); !ok {
			return ""
		}
	}
	in := n.pkg.Notated(n.fn, param)
	if in == nil || !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return "" // one word says more than what it is
	}
	for _, known := range in.Texts() {
		if known.Value == text {
			return known.Name
		}
	}
	return ""
}

// passedOn reports whether a method asks nothing about its input k, so that which value it has is hardly the reason
// for a case: a container keeps one value as it keeps another.
func (n *Namer) passedOn(k int) bool {
	if !n.hasRecv || k == 0 || k >= n.inputs || len(n.code.list) == 0 {
		return false
	}
	for _, c := range n.code.list {
		if c.inputs&(1<<k) != 0 {
			return false
		}
	}
	return true
}

// tailed reports whether the last byte of a text is of another class than the byte before it: a letter
// after digits, a sign after letters.
func tailed(text string) bool {
	sort := func(b byte) int {
		switch {
		case '0' <= b && b <= '9':
			return 0
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			return 1
		case b <= ' ' || b >= 0x7f:
			return 2
		}
		return 3 + int(b)
	}
	k := len(text)
	return k > 1 && sort(text[k-1]) != 0 && sort(text[k-1]) != 2 && sort(text[k-1]) != sort(text[k-2])
}

// atEdge reports whether a condition of the code would go the other way if input k of call i
// were one more or one less.
func (n *Namer) atEdge(i, k int) bool {
	v := n.calls[i].inputs[k]
	beside := func(step int64) testcase.Value {
		if v.Kind == testcase.Float {
			return floatValue(floatOf(v)+float64(step), v.Type)
		}
		w := v
		w.Bits += uint64(step)
		return wrap(w)
	}
	if v.Kind != testcase.Int && v.Kind != testcase.Uint && v.Kind != testcase.Float {
		return false
	}
	for _, c := range n.code.list {
		if c.eval == nil || c.inputs != 1<<k || c.observers != 0 {
			continue
		}
		here := c.eval(n.calls[i]).truth()
		for _, step := range []int64{-1, 1} {
			moved := *n.calls[i]
			moved.inputs = slices.Clone(moved.inputs)
			moved.inputs[k] = beside(step)
			if t := c.eval(&moved).truth(); t != here && t != unknown && here != unknown {
				return true
			}
		}
	}
	return false
}

// story returns a predicate over the calls on the receiver before the tested call: "new", "after Push
// twice".
func (n *Namer) story(c *call) (predicate, func(*call) truth) {
	if c.steps == nil || c.made == "" || c.made == "nil" || c.made != "new" && len(c.steps) == 0 {
		return predicate{}, nil
	}
	text := "new"
	var parts []string
	for i := 0; i < len(c.steps); {
		j := i
		for j < len(c.steps) && c.steps[j] == c.steps[i] {
			j++
		}
		parts = append(parts, c.steps[i]+times(j-i))
		i = j
	}
	if len(parts) > 0 {
		text = "after " + strings.Join(parts, ", ")
	}
	p := predicate{phrase: phrase{text: text, clause: "", strain: slight}, reads: reads{inputs: 1}, place: placeReceiver}
	p.own = len(parts) == 0 // of several rows on new objects it says nothing
	switch {
	case c.made != "new":
		p.strain = clumsy + slight // what the method was asked for may say more
	case len(parts) > 0:
		p.strain = clumsy
	case n.byValue() && n.maker != nil && n.maker.Signature().Params().Len() > 0, n.isMadeOfText():
		p.strain = bare // every value is new; what it was made of tells it from others
	case n.maker != nil && n.maker.Signature().Params().Len() > 0 && n.allNew():
		p.strain = clumsy
	}
	return p, func(d *call) truth {
		return truthOf(d.made == c.made && d.steps != nil && slices.Equal(d.steps, c.steps))
	}
}

// allNew reports whether nothing was done to the receivers of all calls that are known: then what they were made of tells them
// apart.
func (n *Namer) allNew() bool {
	return !slices.ContainsFunc(n.calls, func(c *call) bool { return c.made == "new" && len(c.steps) > 0 })
}

// isMadeOfText reports whether the function that makes the receivers takes a text.
func (n *Namer) isMadeOfText() bool {
	return n.maker != nil && slices.ContainsFunc(slices.Collect(n.maker.Signature().Params().Variables()), func(v *types.Var) bool { return load.IsText(v.Type()) })
}

// roundTrip returns the name for calls that undo what an earlier call of the case did: Decode of what Encode made of a text
// returns the text. The predicate holds for a call whose first result is the argument of the earlier call.
func (n *Namer) roundTrip(c *call) (predicate, func(*call) truth) {
	if n.undoes(c) != yes {
		return predicate{}, nil
	}
	p := predicate{phrase: phrase{text: "round trip"}, place: placeOutcome, outcome: true}
	return p, n.undoes
}

// undoes reports whether the result of a call is an argument of an earlier call whose result this call takes. Both
// are calls of the package. Values that may be equal by chance, like numbers and empty texts, do not count.
func (n *Namer) undoes(c *call) truth {
	seq := c.c.Seq
	if seq == nil || seq.Len() == 0 || len(c.outcome.results) == 0 {
		return unknown
	}
	result := c.outcome.results[0]
	if !distinctive(result) {
		return no
	}
	for _, taken := range seq.At(c.c.TargetStmt()).Args {
		st := seq.At(taken.Stmt)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod || st.Op.Func.Pkg() != n.pkg.Types || takesMore(c.c, taken) {
			continue
		}
		for _, given := range st.Args {
			if v := made(c.c, given, 0); distinctive(v) && alike(v, result) {
				return yes
			}
		}
	}
	return no
}

// takesMore reports whether the call of a case takes a text, a list or a struct beside an argument. The result may then
// come from there.
func takesMore(c *testcase.Case, beside testcase.Ref) bool {
	return slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args, func(a testcase.Ref) bool {
		return a != beside && distinctive(made(c, a, 0))
	})
}

// distinctive reports whether a value is a text, a list of bytes or a struct that is not empty.
func distinctive(v testcase.Value) bool {
	const shortest = 2
	if v.Cut {
		return false
	}
	switch v.Kind {
	case testcase.String:
		return len(v.Str) >= shortest
	case testcase.Slice:
		return len(v.Elems) >= shortest
	case testcase.Struct:
		return len(v.Elems) > 0 && !v.IsZero() && !load.IsNamed(v.Type, "time", "Time")
	}
	return false
}

// alike reports whether two values have the same contents.
func alike(a, b testcase.Value) bool {
	if a.Kind != b.Kind || a.Bits != b.Bits || a.Str != b.Str || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !alike(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return true
}
