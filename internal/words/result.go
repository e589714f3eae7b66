package words

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// addOutcomes adds words for the outcomes of calls: constants of enumerations, sentinels, messages. These
// words say nothing about the input, so they are used only where no predicate over the input is proved.
func (n *Namer) addOutcomes() {
	seen := map[string]bool{}
	for _, c := range n.calls {
		p, same := n.outcomePhrase(c)
		if same == nil || seen[p.text] {
			continue
		}
		seen[p.text] = true
		named := c.outcome.sentinel != nil && strings.Contains(p.text, " ")
		n.add(predicate{phrase: p, place: placeOutcome, outcome: true, named: named}, func(c *call) truth { return truthOf(same(c)) })
	}
	n.addSuccess()
	n.addStatuses()
	n.addRuns()
}

// success is the word for a call that returns no error. No other predicate is joined with it.
const success = "success"

// addSuccess adds the word for calls that return no error, of a function that returns errors to others. It is for
// cases of which nothing shorter and more particular can be said.
func (n *Namer) addSuccess() {
	failed := func(c *call) truth {
		results := n.sig.Results()
		last := results.Len() - 1
		if last < 0 || !gosyntax.IsError(results.At(last).Type()) || len(c.outcome.results) != last+1 {
			return unknown
		}
		return truthOf(c.outcome.results[last].Kind != testcase.Nil)
	}
	if !slices.ContainsFunc(n.calls, func(c *call) bool { return failed(c) == yes }) {
		return
	}
	n.add(predicate{phrase: phrase{text: success, strain: bare - 3*slight}, place: placeOutcome, outcome: true}, func(c *call) truth {
		switch failed(c) {
		case yes:
			return no
		case no:
			return yes
		}
		return unknown
	})
}

// answers names rows by what the function answers, if it is one that answers a question (see answerWords) and no other row has
// the answer: "equal". A short input keeps its place as the name. picked has the predicates that named the rows.
func (n *Namer) answers(at []int, out []Name, picked []*predicate, taken map[string]bool) {
	n.orders(at, out, taken)
	truth, falsity := n.answerWords()
	if truth == "" {
		return
	}
	var rows [2][]int // of the answers false and true
	for i, k := range at {
		results := n.calls[k].outcome.results
		if len(results) == 0 || results[0].Kind != testcase.Bool {
			return
		}
		if len(results) == 2 && results[1].Kind != testcase.Nil {
			continue // a row with an error has no answer
		}
		rows[results[0].Bits] = append(rows[results[0].Bits], i)
	}
	for answer, text := range [2]string{falsity, truth} {
		if len(rows[answer]) != 1 || taken[text] {
			continue
		}
		if i := rows[answer][0]; picked[i] == nil || !picked[i].raw {
			delete(taken, out[i].Text)
			out[i].Text, out[i].Proved, taken[text] = text, true, true
		}
	}
}

// comparisons has, by the name of a function that compares two values, what its answers false and true say of the first
// one.
var comparisons = map[string][2]string{
	"eq": {"not equal", "equal"}, "equal": {"not equal", "equal"}, "equals": {"not equal", "equal"},
	"ne": {"equal", "not equal"}, "neq": {"equal", "not equal"},
	"lt": {"not less", "less"}, "less": {"not less", "less"}, "less than": {"not less", "less"},
	"gt": {"not greater", "greater"}, "greater": {"not greater", "greater"}, "greater than": {"not greater", "greater"},
	"le": {"greater", "not greater"}, "lte": {"greater", "not greater"},
	"ge": {"less", "not less"}, "gte": {"less", "not less"},
	"before": {"not before", "before"}, "after": {"not after", "after"},
}

// orders names rows of functions that compare two values of one type by how these compare: "equal", "less", "greater". If
// several rows compare alike, the field in which their values differ is named as well, or else the rows keep their names.
func (n *Namer) orders(at []int, out []Name, taken map[string]bool) {
	if n.inputs != 2 || !types.Identical(n.inputType(0), n.inputType(1)) || n.sig.Results().Len() != 1 {
		return
	}
	truths, isAsked := comparisons[strings.Join(splitWords(n.fn.Name()), " ")]
	isTruth := basicIs(n.sig.Results().At(0).Type(), types.IsBoolean)
	isOrder := slices.Contains([]string{"Compare", "Cmp", "CompareTo"}, n.fn.Name()) && basicIs(n.sig.Results().At(0).Type(), types.IsInteger)
	if !isOrder && !(isAsked && isTruth) {
		return
	}
	text := make([]string, len(at))
	count := make(map[string]int)
	for i, k := range at {
		c := n.calls[k]
		if len(c.outcome.results) != 1 {
			return
		}
		switch v := c.outcome.results[0]; {
		case isOrder && v.Kind == testcase.Int:
			text[i] = [...]string{"less", "equal", "greater"}[1+cmp.Compare(int64(v.Bits), 0)]
		case isTruth && v.Kind == testcase.Bool:
			text[i] = truths[v.Bits]
			if same := equal(c.inputs[0], c.inputs[1]); same == yes && slices.Contains([]string{"not less", "not greater", "not before", "not after"}, text[i]) {
				text[i] = "equal" // neither less nor greater
			}
		}
		count[text[i]]++
	}
	for i, k := range at {
		if field := n.differing(n.calls[k]); text[i] != "" && text[i] != "equal" && count[text[i]] > 1 && field != "" {
			text[i] += " by " + field
			count[text[i]]++
		}
	}
	for i := range at {
		if count[text[i]] == 1 && text[i] != "" && (!taken[text[i]] || out[i].Text == text[i]) {
			delete(taken, out[i].Text)
			out[i].Text, out[i].Proved, taken[text[i]] = text[i], true, true
		}
	}
}

// differing returns the name of the only exported field in which the two inputs of a call differ, "" if there is not one.
func (n *Namer) differing(c *call) string {
	st, ok := n.inputType(0).Underlying().(*types.Struct)
	if !ok || len(c.inputs[0].Elems) != st.NumFields() || len(c.inputs[1].Elems) != st.NumFields() {
		return ""
	}
	found := ""
	for f := range st.NumFields() {
		if c.inputs[0].Elems[f].Equal(c.inputs[1].Elems[f]) {
			continue
		}
		if found != "" || !st.Field(f).Exported() {
			return ""
		}
		found = st.Field(f).Name()
	}
	return found
}

// answerWords returns words for the two answers of a function that returns one truth, or a truth and an error, and whose name asks
// a question: "equal" and "not equal" of Equals, "empty" and "not empty" of IsEmpty. They are "" if the name asks none.
func (n *Namer) answerWords() (truth, falsity string) {
	results := n.sig.Results()
	if results.Len() == 0 || results.Len() > 2 || !basicIs(results.At(0).Type(), types.IsBoolean) || results.Len() == 2 && !gosyntax.IsError(results.At(1).Type()) {
		return "", ""
	}
	ws := splitWords(n.fn.Name())
	if len(ws) == 0 {
		return "", ""
	}
	rest := strings.Join(ws[1:], " ")
	switch last := ws[len(ws)-1]; {
	case len(ws) > 1 && (ws[0] == "less" || ws[0] == "greater"):
		return ws[0] + " " + rest, "not " + ws[0] + " " + rest
	case last == "equal" || last == "equals" || last == "eq":
		return "equal", "not equal"
	case last == "less" && len(ws) == 1:
		return "less", "not less"
	case len(ws) > 1 && ws[0] == "is":
		return rest, "not " + rest
	case len(ws) > 1 && ws[0] == "same":
		return "same " + rest, "different " + rest
	case len(ws) > 1 && ws[0] == "can":
		return "can " + rest, "cannot " + rest
	case len(ws) > 1 && (ws[0] == "has" || ws[0] == "contains"):
		return ws[0] + " " + rest, "no " + rest
	case len(ws) == 1 && (last == "contains" || last == "includes"):
		return "contained", "not contained"
	case len(ws) == 1 && (last == "has" || last == "exists"):
		return "present", "absent"
	case len(ws) == 1 && (last == "match" || last == "matches"):
		return "match", "no match"
	case len(ws) == 1 && (last == "empty" || last == "valid"):
		return last, "not " + last
	}
	return "", ""
}

// addStatuses adds the statuses that recorders were told: "answers 404".
func (n *Namer) addStatuses() {
	seen := map[uint64]bool{}
	for _, c := range n.calls {
		status, known := c.status()
		if !known || seen[status] {
			continue
		}
		seen[status] = true
		p := predicate{phrase: phrase{text: "answers " + strconv.FormatUint(status, 10), strain: clumsy}, place: placeOutcome, outcome: true}
		n.add(p, func(d *call) truth {
			other, known := d.status()
			if !known {
				return unknown
			}
			return truthOf(other == status)
		})
	}
}

// status returns the status that a recorder has behind the call, false if the case does not look at it.
func (c *call) status() (uint64, bool) {
	if c.c.Seq == nil || c.c.Observed == nil {
		return 0, false
	}
	for i := c.c.TargetStmt() + 1; i < min(c.c.Seq.Len(), len(c.c.Observed.Results)); i++ {
		st := c.c.Seq.At(i)
		if st.Op.Kind != testcase.OpField || len(c.c.Observed.Results[i]) != 1 || c.c.Observed.Results[i][0].Kind != testcase.Int {
			continue
		}
		if of := c.c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result]; types.TypeString(of, nil) == "*net/http/httptest.ResponseRecorder" {
			return c.c.Observed.Results[i][0].Bits, true
		}
	}
	return 0, false
}

// outcomePhrase returns words for the outcome of a call, and a function that reports whether the same words hold
// for another call; nil if it has no words.
func (n *Namer) outcomePhrase(c *call) (phrase, func(*call) bool) {
	o := &c.outcome
	switch {
	case o.sentinel != nil:
		text, strain := n.sentinelWords(o.sentinel), slight
		if !strings.Contains(text, " ") {
			strain = clumsy
		}
		return phrase{text: text, strain: strain}, func(d *call) bool { return d.outcome.sentinel == o.sentinel }
	case o.message != "":
		text, cut := c.cause()
		if text == "" {
			return phrase{}, nil
		}
		said, strain := text, -slight-weight(text)/2 // a reader looks for the cause first, however long
		if cut {
			strain = slight // what was left out may be the cause
		}
		if !strings.Contains(text, " ") {
			strain = bare // one word says little, and may be the message of an error that was passed
		}
		if o.panicked {
			said, strain = "panics: "+text, max(strain, 0)
		}
		return phrase{text: said, strain: strain}, func(d *call) bool {
			other, _ := d.cause()
			return d.outcome.panicked == o.panicked && d.outcome.sentinel == nil && d.outcome.message != "" && other == text
		}
	case len(o.consts) == 1:
		k := o.consts[0]
		named := types.Unalias(k.Type()).(*types.Named)
		return phrase{text: constantWords(k.Name(), named.Obj().Name()), strain: clumsy},
			func(d *call) bool { return len(d.outcome.consts) == 1 && d.outcome.consts[0] == k }
	}
	return phrase{}, nil
}

// sentinelWords returns the meaning of a sentinel error: its message, or else its name.
func (n *Namer) sentinelWords(v *types.Var) string {
	if text := errorWords(n.sentinelMessage(v)); plain(text) && len(text) <= longest {
		return text
	}
	switch v.Pkg().Path() + "." + v.Name() {
	case "io.EOF":
		return "end of input"
	case "io.ErrUnexpectedEOF":
		return "input that is cut off"
	}
	ws := splitWords(v.Name())
	if len(ws) > 1 && (ws[0] == "err" || ws[0] == "error") {
		ws = ws[1:]
	}
	text := ""
	for _, w := range ws {
		if text != "" {
			text += " "
		}
		text += w
	}
	return text
}

// sentinelMessage returns the text that a declared error is made of, or "" if its declaration does not show
// the text.
func (n *Namer) sentinelMessage(v *types.Var) string {
	for _, d := range n.pkg.Variables() {
		if call, ok := d.Value.(*ast.CallExpr); ok && d.Object == v && len(call.Args) == 1 { // with further arguments the text is a format
			if c := n.pkg.Info.Types[call.Args[0]].Value; c != nil && c.Kind() == constant.String {
				return constant.StringVal(c)
			}
		}
	}
	for _, c := range n.calls { // an error that is made in another way, or in another package, is asked for its text
		for _, r := range c.outcome.results {
			if r.Err != nil && r.Err.Identical && len(r.Err.Sentinels) > 0 && r.Err.Sentinels[0] == v {
				return r.Err.Message
			}
		}
	}
	return ""
}

// addRuns adds names for the ends of ranges, "lowest A" and "highest F", if the only input is a number and
// each result belongs to one range of numbers.
func (n *Namer) addRuns() {
	if n.inputs != 1 || !basicIs(n.inputType(0), types.IsInteger) {
		return
	}
	order := slices.Clone(n.calls)
	at := func(c *call) int64 { return int64(c.inputs[0].Bits) }
	slices.SortStableFunc(order, func(a, b *call) int {
		if a.inputs[0].Kind == testcase.Uint {
			return cmp.Compare(a.inputs[0].Bits, b.inputs[0].Bits)
		}
		return cmp.Compare(at(a), at(b))
	})
	type run struct {
		word   string
		lo, hi *call
		below  bool // the number below the range was executed, too, and had another outcome
		above  bool
	}
	runs := map[int][]run{}
	var bases []int
	for i := 0; i < len(order); {
		c := order[i]
		if c.inputs[0].Kind == testcase.Invalid {
			return
		}
		j := i
		for j < len(order) && order[j].outcome.base == c.outcome.base {
			j++
		}
		base := c.outcome.base
		r := run{word: n.resultWord(c), lo: c, hi: order[j-1]}
		r.below = i > 0 && at(order[i-1]) == at(c)-1
		r.above = j < len(order) && at(order[j]) == at(order[j-1])+1
		if runs[base] == nil {
			bases = append(bases, base)
		}
		runs[base] = append(runs[base], r)
		i = j
	}
	for _, base := range bases {
		r := runs[base][0]
		if len(runs[base]) > 1 || r.word == "" || r.lo == r.hi || at(r.lo) == at(r.hi) {
			continue
		}
		for _, end := range []struct {
			word string
			c    *call
			ok   bool
		}{{"lowest ", r.lo, r.below}, {"highest ", r.hi, r.above}} {
			if !end.ok {
				continue
			}
			p := predicate{phrase: phrase{text: end.word + r.word, strain: named}, reads: reads{inputs: 1}, place: placeInput, edge: true}
			n.add(p, func(c *call) truth { return truthOf(c.inputs[0].Bits == end.c.inputs[0].Bits) })
		}
	}
}

// resultWord returns a short word for a constant that the function returns, because the constant tells the
// outcome.
func (n *Namer) resultWord(c *call) string {
	o := &c.outcome
	if o.sentinel != nil || o.message != "" || o.panicked {
		return ""
	}
	if len(o.consts) == 1 {
		return constantWords(o.consts[0].Name(), types.Unalias(o.consts[0].Type()).(*types.Named).Obj().Name())
	}
	for i, v := range o.results {
		if text := valueKey(v); v.Kind == testcase.String && n.classes.consts[strconv.Itoa(i)+text] && plain(v.Str) && len(v.Str) <= 16 {
			return v.Str
		}
	}
	return ""
}
