package choose

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/notation"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// mostRouted is with how many routes a handler is asked.
const mostRouted = 8

// routed returns requests to handlers that were told a route before: of each type that answers requests, for each of its
// methods that take a route and what answers there, the shortest call that ran with each route that is known, and
// behind it a request for a path that the route matches. One more request is for a path that it does not match. The
// engines find such pairs by chance alone.
func (s *sampling) routed() []*testcase.Case {
	routes := s.ch.Pkg.Routes()
	if routes == nil {
		return nil
	}
	drivers := make(map[string]*testcase.Case)  // requests to objects, by type
	shortest := make(map[string]*testcase.Case) // calls that tell routes, by method
	var order []string
	for _, c := range s.ch.given.Ran {
		if c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || !s.ch.given.Exported[c.Target] || s.ch.handBuilt(c) {
			continue
		}
		st := c.Seq.At(c.TargetStmt())
		switch {
		case st.Op.Kind == testcase.OpMethod && st.Op.Drives() && targetOf(st.Op) > 0 && outcome.AsksConstants(c):
			t := typeOf(c, st.Args[0])
			if drivers[t] == nil || c.Seq.Len() < drivers[t].Seq.Len() {
				drivers[t] = c
			}
		case s.ch.routeOf(c) >= 0:
			known, found := shortest[c.Target]
			if !found {
				order = append(order, c.Target)
			}
			if !found || outcome.IsMute(known) && !outcome.IsMute(c) || outcome.IsMute(known) == outcome.IsMute(c) && c.Seq.Len() < known.Seq.Len() {
				shortest[c.Target] = c
			}
		}
	}
	var out []*testcase.Case
	for _, target := range order {
		told := shortest[target]
		driver := drivers[typeOf(told, told.Seq.At(told.TargetStmt()).Args[0])]
		if driver == nil {
			continue
		}
		var seqs []*testcase.Sequence
		for i, route := range routes[:min(len(routes), mostRouted)] {
			seqs = append(seqs, s.ch.asked(told, driver, route.Value, giver.PathOf(route.Value)))
			if i == 0 {
				seqs = append(seqs, s.ch.asked(told, driver, route.Value, "/nope"))
			}
		}
		out = append(out, s.unknown(driver, seqs)...)
	}
	return out
}

// typeOf returns the type of a value of a case, as text.
func typeOf(c *testcase.Case, r testcase.Ref) string {
	return types.TypeString(c.Seq.ResultTypes()[r.Stmt][r.Result], nil)
}

// asked returns the sequence of a case that tells an object a route, with another route, and behind it the request of
// another case to the same object, for another path.
func (ch *chooser) asked(told, driver *testcase.Case, route, path string) *testcase.Sequence {
	at := told.TargetStmt()
	stmts := slices.Clone(told.Seq.AppendTo(nil)[:at+1])
	text := func(of *testcase.Operation, s string) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: of.Type, Lit: testcase.Literal{Kind: testcase.LitString, Str: s}}}
	}
	k := stmts[at].Args[ch.routeOf(told)].Stmt
	stmts[k] = text(stmts[k].Op, route)
	request := driver.Seq.At(driver.TargetStmt())
	args := []testcase.Ref{stmts[at].Args[0]}
	for i, a := range request.Args[1:] {
		st := driver.Seq.At(a.Stmt)
		if i+1 == targetOf(request.Op) {
			st = text(&testcase.Operation{Type: types.Typ[types.String]}, path)
		}
		args = append(args, testcase.Ref{Stmt: len(stmts)})
		stmts = append(stmts, st)
	}
	return testcase.NewSequence(append(stmts, testcase.Statement{Op: request.Op, Args: args})...)
}

// routeOf returns which argument of a case's own call is a route, and -1 if none is, if it is no constant, or if the call is
// not told what answers there.
func (ch *chooser) routeOf(c *testcase.Case) int {
	st := c.Seq.At(c.TargetStmt())
	if st.Op.Kind != testcase.OpMethod || st.Op.Via != nil || st.Op.Func.Pkg() != ch.Pkg.Types {
		return -1
	}
	found, answers := -1, false
	for k, a := range st.Args[1:] {
		op := c.Seq.At(a.Stmt).Op
		switch types.Unalias(c.Seq.ResultTypes()[a.Stmt][a.Result]).Underlying().(type) {
		case *types.Signature, *types.Interface:
			answers = answers || op.Kind != testcase.OpZero
		case *types.Basic:
			if ch.Pkg.TakesRoute(st.Op.Func, k) && (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) {
				found = k + 1
			}
		}
	}
	if !answers {
		return -1
	}
	return found
}

// targetOf returns which argument of a request to a handler is its target, or -1 if none is.
func targetOf(op *testcase.Operation) int {
	if op.Via == nil {
		return -1
	}
	for k := range op.Via.Sig.Params().Len() {
		if op.Via.Sig.Params().At(k).Name() == "target" {
			return k + 1 // behind the receiver
		}
	}
	return -1
}

// notated returns variants of a case's sequence in which a text that its call takes is in the notation that the parameter
// asks for: one variant for each text that is known in it, between typical values for the other arguments. The calls that
// the documentation makes come first. It returns nil if the notation of no argument is known.
func (ch *chooser) notated(c *testcase.Case) []*testcase.Sequence {
	st := c.Seq.At(c.TargetStmt())
	if !outcome.IsPlainCall(st.Op) {
		return nil
	}
	first := st.Op.FirstParam()
	var out []*testcase.Sequence
	for k := first; k < len(st.Args); k++ {
		out = append(out, ch.notatedList(c, k)...)
		var texts []notation.Text
		n := ch.Pkg.Notated(st.Op.Func, k-first)
		if b := gofile.Basic(st.Op.Signature().Params().At(min(k-first, st.Op.Signature().Params().Len()-1)).Type()); b == nil || n == nil {
			texts = append(texts, ch.decoded[c.Target]...)
		}
		if n != nil {
			texts = append(texts, n.Texts()...)
		}

		for i, text := range texts {
			d := *c
			if seq, ok := plain.Typical(i%plain.MostTypical)(ch.Pkg, c); ok {
				d.Seq = seq
			}
			at, ok := plain.TextBehind(ch.Pkg, d.Seq, d.Seq.At(d.TargetStmt()).Args[k])
			if !ok {
				break
			}
			seq, ok := plain.WithText(d.Seq, at, text.Value)

			if !ok {
				continue
			}
			tried := ch.besidePattern(&d, seq, k, text.Value)
			if len(tried) == 0 {
				tried = append(tried, seq)
			}
			out = append(out, tried...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	var documented []*testcase.Sequence
	for n := range mostExemplary {
		for _, way := range []plain.Way{plain.Documented(n), plain.Borrowed(n), plain.Shared(n)} {
			if seq, ok := way(ch.Pkg, c); ok {
				documented = append(documented, seq)
			}
		}
	}
	return append(documented, out...)
}

// notatedList returns variants of a case's sequence in which argument k of its call, a list of texts, has texts in the notation that
// these are in: one, each two neighbours of those that are accepted, and one that is refused beside one that is not.
func (ch *chooser) notatedList(c *testcase.Case, k int) []*testcase.Sequence {
	const most = 4
	st := c.Seq.At(c.TargetStmt())
	n := ch.Pkg.NotatedElements(st.Op.Func, k-st.Op.FirstParam())
	if n == nil || len(n.Accepted) < 2 {
		return nil
	}
	first := n.Accepted[0].Value
	lists := [][]string{{first}}
	for i, text := range n.Accepted[1:min(len(n.Accepted), most)] {
		lists = append(lists, []string{n.Accepted[i].Value, text.Value})
	}
	if len(n.Refused) > 0 {
		lists = append(lists, []string{n.Refused[0].Value}, []string{first, n.Refused[0].Value})
	}
	seqs := append([]*testcase.Sequence{c.Seq}, plain.EachConstant(ch.Pkg, c)...)
	if typical, ok := plain.Typical(0)(ch.Pkg, c); ok {
		seqs = append(seqs, typical)
	}
	var out []*testcase.Sequence
	for _, seq := range seqs {
		for _, list := range lists {
			d := *c
			d.Seq = seq
			if tried, ok := plain.WithTexts(seq, seq.At(d.TargetStmt()).Args[k].Stmt, list); ok {
				out = append(out, tried)
			}
		}
	}
	return out
}

// acceptedList returns the texts in argument k of a case's call, if that is a list of texts which the notation of these accepts.
func (ch *chooser) acceptedList(c *testcase.Case, k int) (string, bool) {
	st := c.Seq.At(c.TargetStmt())
	list := c.Seq.At(st.Args[k].Stmt)
	if list.Op.Kind != testcase.OpComposite || len(list.Args) == 0 {
		return "", false
	}
	n := ch.Pkg.NotatedElements(st.Op.Func, k-st.Op.FirstParam())
	if n == nil {
		return "", false
	}
	var texts []string
	for _, a := range list.Args {
		text, ok := plain.TextOf(ch.Pkg, c.Seq, a.Stmt)
		if !ok || !slices.ContainsFunc(n.Accepted, func(t notation.Text) bool { return t.Value == text }) {
			return "", false
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " "), true
}

// besidePattern returns variants of a sequence that passes a pattern as argument k of its case's call: in each of them
// the other text of the call is one that people try the pattern on. There are none if the text is no pattern, or if the call
// takes several other texts.
func (ch *chooser) besidePattern(c *testcase.Case, seq *testcase.Sequence, k int, pattern string) []*testcase.Sequence {
	texts := notation.Beside(pattern)
	other, found := 0, 0
	d := *c
	d.Seq = seq
	for i, a := range seq.At(d.TargetStmt()).Args {
		if at, ok := plain.TextBehind(ch.Pkg, seq, a); ok && i != k {
			other, found = at, found+1
		}
	}
	if found != 1 {
		return nil
	}
	var out []*testcase.Sequence
	for _, text := range texts {
		if tried, ok := plain.WithText(seq, other, text); ok {
			out = append(out, tried)
		}
	}
	return out
}

// hasNotation reports whether the notation of a text is known that a function takes.
func (ch *chooser) hasNotation(target string) bool { return ch.notationOf(target) != nil }

// notationOf returns the notation of the first text that a function takes in a known one, or nil.
func (ch *chooser) notationOf(target string) *notation.Notation {
	t := ch.Pkg.Target(target)
	if t == nil || t.Obj == nil {
		return nil
	}
	for i := range t.Obj.Signature().Params().Len() {
		if n := ch.Pkg.Notated(t.Obj, i); n != nil {
			return n
		}
	}
	return nil
}

// exemplary returns variants of a case's sequence: with typical values in all of its calls, with constants of
// calls in the documentation, and with such constants in its own call and typical values elsewhere.
func (ch *chooser) exemplary(c *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	try := func(way plain.Way, c *testcase.Case) *testcase.Case {
		seq, ok := way(ch.Pkg, c)
		if !ok {
			return nil
		}
		out = append(out, seq)
		d := *c
		d.Seq = seq
		return &d
	}
	var ways []plain.Way
	for n := range mostExemplary {
		ways = append(ways, plain.Documented(n), plain.Borrowed(n), plain.Shared(n))
	}
	for n := range plain.MostTypical {
		typical := try(plain.Typical(n), c)
		if typical == nil {
			continue
		}
		try(plain.Apart, typical)
		for _, way := range ways[:3] { // arguments that the documentation does not give stay typical
			try(way, typical)
		}
		if n == 0 {
			try(plain.Octets, typical)
		}
		if n == 0 || n == plain.MostTypical-1 {
			out = append(out, plain.Edges(ch.Pkg, typical)...)
		}
	}
	for _, way := range ways {
		try(way, c)
	}
	return out
}

// accepted returns texts of several parts that were passed to calls which can fail and did not. Texts of the
// documentation come first.
func (ch *chooser) accepted(cases []*testcase.Case) []string {
	var documented, others []string
	for _, c := range cases {
		if !ch.given.Exported[c.Target] || !outcome.Succeeds(c) {
			continue
		}
		for _, a := range c.Seq.At(c.TargetStmt()).Args {
			text, ok := plain.TextOf(ch.Pkg, c.Seq, a.Stmt)
			if !ok || len(text) > longestSeed || !plain.HasStructure(text) || slices.Contains(documented, text) || slices.Contains(others, text) {
				continue
			}
			if plain.IsSpelledOut(ch.Pkg, text) {
				documented = append(documented, text)
			} else {
				others = append(others, text)
			}
		}
	}
	all := append(documented, others...)
	return all[:min(len(all), mostSeeds)]
}

// usual returns texts of several parts by the functions that take them and cannot fail, as far as they are texts that users
// have: texts of the documentation and of the notation that the parameter takes.
func (ch *chooser) usual(cases []*testcase.Case) map[string][]string {
	out := make(map[string][]string)
	for _, c := range cases {
		text, ok := ch.usualText(c)
		if ok && !outcome.CanFail(c) && len(text) <= longestSeed && plain.HasStructure(text) && len(out[c.Target]) < mostSeeds && !slices.Contains(out[c.Target], text) {
			out[c.Target] = append(out[c.Target], text)
		}
	}
	return out
}

// isListed reports whether the README lists a text, or shows that a command prints it, which a case's function may read.
func (ch *chooser) isListed(c *testcase.Case, text string) bool {
	return ch.Pkg.Literals != nil && (plain.IsReader(c) || outcome.CanFail(c)) && slices.Contains(ch.Pkg.Literals.Listed, text)
}

// usualText returns the first text that an exported function is passed in a case and that users have: a text of the
// documentation, or one that the notation of the parameter accepts.
func (ch *chooser) usualText(c *testcase.Case) (string, bool) {
	st := c.Seq.At(c.TargetStmt())
	if !ch.given.Exported[c.Target] || !outcome.IsPlainCall(st.Op) {
		return "", false
	}
	first := st.Op.FirstParam()
	for k := first; k < len(st.Args); k++ {
		if text := contentsOf(c.Seq, st.Args[k]); text != "" && ch.documents[text] {
			return text, true
		}
		if text, ok := ch.acceptedList(c, k); ok {
			return text, true
		}
		at, ok := plain.TextBehind(ch.Pkg, c.Seq, st.Args[k])
		if !ok {
			continue
		}
		text, _ := plain.TextOf(ch.Pkg, c.Seq, at)
		if text == "" {
			continue
		}
		if ch.documents[text] {
			return text, true
		}
		if plain.IsDocumented(ch.Pkg, c) || slices.Contains(ch.shared, text) && st.Op.Signature().Params().Len() == 1 || ch.isListed(c, text) && !outcome.HasError(c) {
			return text, true
		}
		if n := ch.Pkg.Notated(st.Op.Func, k-first); n != nil && slices.ContainsFunc(n.Accepted, func(t notation.Text) bool { return t.Value == text }) {
			return text, true
		}
	}
	return "", false
}
