package words

import (
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file tells the rows of one test apart where predicates do not: by what made their objects, by the call that only one of them
// makes, by the fields that it sets, by what it returns.

// madeBy returns what made the receiver of a row, if a function of another name made that of each other row: several functions make
// one unexported type, and which of them it was is what the row is about. The parameter at has the rows' calls.
func (n *Namer) madeBy(i int, at []int) string {
	maker := func(k int) string {
		c := n.calls[k].c
		target := c.Seq.At(c.TargetStmt())
		if target.Op.Kind != testcase.OpMethod || len(target.Args) == 0 {
			return ""
		}
		st := c.Seq.At(target.Args[0].Stmt)
		for st.Op.Kind == testcase.OpAssert || st.Op.Kind == testcase.OpDeref || st.Op.Kind == testcase.OpConvert {
			st = c.Seq.At(st.Args[0].Stmt)
		}
		if st.Op.Kind != testcase.OpFunc || st.Op.Via != nil {
			return ""
		}
		return st.Op.Func.Name()
	}
	mine := maker(i)
	if slices.ContainsFunc(at, func(k int) bool { return k != i && (maker(k) == mine || maker(k) == "") }) {
		return ""
	}
	return mine
}

// ownMaker returns the name of the function that makes an input of a row, or a part of one, and is called for no other row: of the tests of
// a list of attributes one is about SimpleBooleanParams. It is "" if there is none, or if there are several. The parameter at has the
// rows' calls.
func (n *Namer) ownMaker(i int, at []int) string {
	made := func(k int) []string {
		c := n.calls[k].c
		var names []string
		for j := range c.TargetStmt() {
			if op := c.Seq.At(j).Op; op.Kind == testcase.OpFunc && op.Via == nil && op.Func.Origin() != n.fn && len(c.Seq.ResultTypes()[j]) > 0 {
				names = append(names, op.Func.Name())
			}
		}
		return names
	}
	own := slices.DeleteFunc(made(i), func(name string) bool {
		return slices.ContainsFunc(at, func(k int) bool { return k != i && slices.Contains(made(k), name) })
	})
	if own = slices.Compact(own); len(own) != 1 || len(at) < 2 {
		return ""
	}
	return own[0]
}

// nameExpressions names rows after the calls that make one of their arguments, where the rows differ in what that is made of and their names would
// speak of its fields: In("key") rather than "f.Cmp CompareIn". A user of the package writes the call, and not the field. Nor does it say much
// that something is "from FromString", if what it is made of fits into the name. The parameter at has the rows' calls.
func (n *Namer) nameExpressions(at []int, out []Name, taken map[string]bool) {
	const (
		fewest = 3  // rows with an argument that a call makes
		most   = 32 // letters of a name
	)
	for k := range n.inputs {
		texts, makers := make([]string, len(at)), make(map[*types.Func]bool)
		made := 0
		for i, c := range at {
			var maker *types.Func
			if texts[i], maker = n.expression(n.calls[c].c, k); maker != nil {
				makers[maker] = true
				made++
			}
		}
		several := made >= fewest && len(makers) > 1
		for i, text := range texts {
			again := slices.Contains(texts[i+1:], text) || slices.Contains(texts[:i], text)
			says := several && n.namesPart(n.calls[at[i]], out[i].Text, k) || strings.HasPrefix(out[i].Text, "from ") && strings.HasPrefix(text, strings.TrimPrefix(out[i].Text, "from ")+"(")
			if text != "" && len(text) <= most && !again && !taken[text] && says {
				delete(taken, out[i].Text)
				out[i].Text, taken[text] = text, true
			}
		}
	}
}

// namesPart reports whether the name of a call speaks of a field of an input, of what the input was made of, or of nothing at all.
func (n *Namer) namesPart(c *call, name string, k int) bool {
	of := n.subjects[k].name + "."
	return name == "" || name == n.madeOf(c, k) || strings.HasPrefix(name, of) || strings.Contains(name, " "+of) || fieldCount.MatchString(name)
}

// fieldCount matches a name that counts the elements of a field.
var fieldCount = regexp.MustCompile(`\b(?:elements?|nil) (?:in )?[A-Z]`)

// expression returns the call that makes an input of a case, as Go writes it, and the function. It returns "" if no exported function of
// the package makes the input, or if something in the call is neither a constant nor such a call.
func (n *Namer) expression(c *testcase.Case, k int) (string, *types.Func) {
	at := c.TargetStmt()
	if args := c.Seq.At(at).Args; k < len(args) && c.Seq.At(at).Op.Via == nil && !stale(c, args[k], at) {
		if op := c.Seq.At(args[k].Stmt).Op; op.Kind == testcase.OpFunc {
			return n.spellCall(c, args[k], 0), op.Func
		}
	}
	return "", nil
}

// spellCall returns a constant, nil or the call of an exported function of the package with such arguments, and "" for anything else.
func (n *Namer) spellCall(c *testcase.Case, ref testcase.Ref, depth int) string {
	const deepest = 2
	st := c.Seq.At(ref.Stmt)
	switch {
	case st.Op.Kind == testcase.OpLiteral:
		return spell(literalValue(st.Op.Lit, st.Op.Type))
	case st.Op.Kind == testcase.OpZero:
		return spell(made(c, ref, 0))
	case st.Op.Kind != testcase.OpFunc || st.Op.Via != nil || st.Op.Func.Pkg() != n.pkg.Types || !st.Op.Func.Exported() || depth > deepest:
		return ""
	}
	args := st.Args
	if st.Op.Spread {
		switch list := c.Seq.At(args[len(args)-1].Stmt); list.Op.Kind {
		case testcase.OpComposite:
			args = slices.Concat(args[:len(args)-1], list.Args)
		case testcase.OpZero:
			args = args[:len(args)-1]
		default:
			return ""
		}
	}
	texts := make([]string, len(args))
	for i, a := range args {
		if texts[i] = n.spellCall(c, a, depth+1); texts[i] == "" {
			return ""
		}
	}
	return st.Op.Func.Name() + "(" + strings.Join(texts, ", ") + ")"
}

// nameOptions names rows whose objects were prepared by several calls after the last call that no other row makes:
// "no border" for SetBorder(false). With such a preparation the objects are alike, and the one call is what the row is about. The parameter
// at has the rows' calls.
func (n *Namer) nameOptions(at []int, out []Name, taken map[string]bool) {
	const fewest = 3 // calls that prepare the object
	for i, k := range at {
		if c := n.calls[k]; len(c.steps) < fewest || c.made != "new" {
			continue
		}
		if text := n.ownStep(k, at); text != "" && !taken[text] {
			out[i].Text, taken[text] = text, true
		}
	}
}

// ownStep returns the last call before that of a row that no other row makes, "" if there is none. Calls of one method with
// different arguments fill an object, and none of them is what the row is about.
func (n *Namer) ownStep(i int, at []int) string {
	steps := n.calls[i].steps
	for k := len(steps) - 1; k >= 0; k-- {
		method, _, _ := strings.Cut(steps[k], "(")
		again := slices.ContainsFunc(steps, func(s string) bool { return s != steps[k] && strings.HasPrefix(s, method+"(") })
		shared := slices.ContainsFunc(at, func(j int) bool { return j != i && slices.Contains(n.calls[j].steps, steps[k]) })
		if !shared && !again && len(steps[k]) <= longest {
			return asSetting(steps[k])
		}
	}
	return ""
}

// exactly says "four bytes" of rows that are called "at least four bytes" and have four. The parameter at has the rows' calls.
func (n *Namer) exactly(at []int, out []Name, taken map[string]bool) {
	for i, k := range at {
		for j, v := range n.calls[k].inputs[:n.inputs] {
			length, ok := lengthOf(v)
			if !ok {
				continue
			}
			text := n.subjects[j].holds("", length).text
			for _, bound := range []string{"at least", "at most"} {
				if out[i].Text == n.subjects[j].holds(bound, length).text && !taken[text] {
					delete(taken, out[i].Text)
					out[i].Text, taken[text] = text, true
				}
			}
		}
	}
}

// lengthOf returns how many elements a value has; false if it has none or is not known as a whole.
func lengthOf(v testcase.Value) (int, bool) {
	switch {
	case v.Cut:
	case v.Kind == testcase.String:
		return len(v.Str), true
	case v.Kind == testcase.Slice:
		return len(v.Elems), true
	}
	return 0, false
}

// fieldsSet names a call by the fields that are set in the first struct that it is given as a literal: "locale and key", or "all fields". It
// returns "" if there is none, or if it has too many fields for a name.
func (n *Namer) fieldsSet(i int) string {
	const most = 3
	c := n.calls[i].c
	for _, a := range c.Seq.At(c.TargetStmt()).Args {
		st := c.Seq.At(a.Stmt)
		if st.Op.Kind == testcase.OpAddr {
			st = c.Seq.At(st.Args[0].Stmt)
		}
		if st.Op.Kind != testcase.OpComposite {
			continue // calls have no type
		}
		u, ok := st.Op.Type.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		var set []string
		for k, v := range st.Args {
			field := k
			if st.Op.Elems != nil {
				field = st.Op.Elems[k]
			}
			if c.Seq.At(v.Stmt).Op.Kind != testcase.OpZero {
				set = append(set, u.Field(field).Name())
			}
		}
		switch {
		case len(set) > 2 && len(set) == u.NumFields():
			return "all fields"
		case len(set) == 0 || len(set) > most:
			return ""
		case len(set) == 1:
			return set[0]
		}
		return strings.Join(set[:len(set)-1], ", ") + " and " + set[len(set)-1]
	}
	return ""
}

// spellVague names a row by its input if the input is short, and if the row's name so far says only that the input is not
// empty or not like another input. picked has the predicates that named the rows, and lists all that could.
func spellVague(out []Name, picked []*predicate, lists [][]candidate, taken map[string]bool) {
	const short = 24
	spelled := slices.ContainsFunc(picked, func(p *predicate) bool { return p != nil && p.raw })
	for i, p := range picked {
		if p == nil || !isVague(p.text) {
			continue
		}
		k := slices.IndexFunc(lists[i], func(c candidate) bool {
			return c.raw && !taken[c.text] && len(c.text) <= short && (spelled || strings.HasPrefix(c.text, `"`))
		})
		if k >= 0 {
			delete(taken, out[i].Text)
			out[i].Text, out[i].Proved = lists[i][k].text, lists[i][k].proved
			taken[out[i].Text] = true
		}
	}
}

// isVague reports whether a name says no more of an input than that it is like most inputs.
func isVague(text string) bool {
	return slices.ContainsFunc([]string{"not empty", "not nil", "not zero", "positive"}, func(word string) bool {
		return text == word || strings.HasPrefix(text, word+" ") || strings.HasSuffix(text, " "+word)
	})
}

// returned says what a call returned, or "" if the text would be long or the result is not known. If the function returns a
// function, the case calls the returned function last, and returned says what that call returned.
func (n *Namer) returned(i int) string {
	const most = 24
	results := n.calls[i].outcome.results
	if _, ok := n.result(0).(*types.Signature); ok {
		c := n.calls[i].c
		results = nil
		if last := c.Seq.Len() - 1; last > c.TargetStmt() && c.Observed != nil && last < len(c.Observed.Results) {
			results = c.Observed.Results[last]
		}
	}
	if len(results) == 0 {
		return ""
	}
	text := spell(results[0])
	if e := n.enums.of(results[0].Type); e != nil {
		if c := e.constant(results[0]); c != nil {
			text = constantWords(c.Name(), e.named.Obj().Name())
		}
	}
	if text == "" || len(text) > most || !plain(text) {
		return ""
	}
	return "returns " + text
}

// result returns the underlying type of a result of the function, or nil if there is no such result.
func (n *Namer) result(k int) types.Type {
	res := n.fn.Signature().Results()
	if k >= res.Len() {
		return nil
	}
	return res.At(k).Type().Underlying()
}

// dense names the rows of a table after their results if the function's only input is a number and its
// results are texts that all differ, like those of an enumeration's String. It returns the names that it
// gave. Where the input is a declared constant, the text has to be about this constant: the direction on the left of
// North is no name for North.
func (n *Namer) dense(at []int, out []Name) map[string]bool {
	taken := map[string]bool{}
	if n.inputs != 1 || len(at) < 3 || basicIs(n.inputType(0), types.IsString) {
		return taken
	}
	if _, ok := n.inputType(0).Underlying().(*types.Basic); !ok {
		return taken
	}
	const most = 32
	for _, i := range at {
		o := &n.calls[i].outcome
		if len(o.results) != 1 || o.results[0].Kind != testcase.String {
			return map[string]bool{}
		}
		text := o.results[0].Str
		if e := n.enums.of(n.inputType(0)); e != nil {
			if c := e.constant(n.calls[i].inputs[0]); c != nil && !sharesWord(text, constantWords(c.Name(), e.named.Obj().Name())) {
				return map[string]bool{}
			}
		}
		if o.results[0].Cut || !plain(text) || len(text) > most || taken[text] || strings.Contains(text, "\n") {
			return map[string]bool{}
		}
		taken[text] = true
	}
	for r, i := range at {
		o := &n.calls[i].outcome
		out[r].Text = o.results[0].Str
		out[r].Proved = true
		for k, c := range n.calls {
			if k != i && c.inputs[0].Kind != testcase.Invalid && len(c.outcome.results) == 1 && c.outcome.results[0].Str == out[r].Text && o.other(&c.outcome) {
				out[r].Proved = false
			}
		}
	}
	return taken
}

// withoutPredicates names the rows that need no predicate: by texts that the function makes of constants, by the constants, and by an
// option that was set. It returns the names.
func (n *Namer) withoutPredicates(at []int, out []Name) (taken map[string]bool) {
	taken = n.dense(at, out)
	n.nameConstants(at, out, taken)
	n.nameOptions(at, out, taken)
	return taken
}

// nameConstants names the rows of a table after the declared constants that are the function's only input, beside one that is none: what else is
// true of one of them, as how many properties it has, says less.
func (n *Namer) nameConstants(at []int, out []Name, taken map[string]bool) {
	const fewest = 3
	if n.inputs != 1 || len(at) < fewest || len(taken) > 0 {
		return
	}
	e := n.enums.of(n.inputType(0))
	if e == nil {
		return
	}
	names := make([]string, len(at))
	given := make(map[string]bool)
	for r, i := range at {
		c := e.constant(n.calls[i].inputs[0])
		if c == nil {
			continue
		}
		if names[r] = constantWords(c.Name(), e.named.Obj().Name()); names[r] == "" || given[names[r]] || len(names[r]) > longest {
			return
		}
		given[names[r]] = true
	}
	if len(given) < fewest || len(given) == len(at) { // a row that has nothing but its constant needs no other name
		return
	}
	for r, name := range names {
		if name != "" {
			out[r].Text, out[r].Proved, taken[name] = name, true, true
		}
	}
}

// sharesWord reports whether two texts have a word in common, or one is part of the other.
func sharesWord(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if strings.Contains(a, b) || strings.Contains(b, a) {
		return true
	}
	return slices.ContainsFunc(splitWords(b), func(word string) bool { return len(word) > 2 && strings.Contains(a, word) })
}
