package words

import (
	"maps"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// addScripts adds predicates over the script of a stub: "sender fails once, then succeeds", "less
// returns true".
func (n *Namer) addScripts(s subject, r reads, place int, of func(*call) *stub, get func(*call) testcase.Value) {
	n.addReturns(s, r, place, of, get)
	type script struct {
		method string
		fails  int
		then   bool
	}
	found := map[script]bool{}
	methods := []string{""}
	most := 0
	read := func(c *call) (script, bool) {
		st := of(c)
		if st == nil || len(st.fails) == 0 {
			return script{}, false
		}
		k := script{method: st.method}
		for k.fails < len(st.fails) && st.fails[k.fails] {
			k.fails++
		}
		k.then = k.fails < len(st.fails)
		return k, true
	}
	for _, c := range n.calls {
		if k, ok := read(c); ok {
			found[k] = true
			most = max(most, k.fails)
			if !slices.Contains(methods, k.method) {
				methods = append(methods, k.method)
			}
		}
	}
	for _, method := range methods {
		for i := range 2 * (most + 1) {
			k := script{method, i / 2, i%2 > 0}
			if !found[k] {
				continue
			}
			verb := "fails" + times(k.fails)
			switch {
			case k.fails == 0:
				verb = "succeeds"
			case k.fails == 1 && k.then:
				verb = "fails once, then succeeds"
			case k.then:
				verb += ", then succeeds"
			}
			said := s.acts(verb)
			if method != "" {
				said = phrase{text: method + " " + verb, clause: method + " of " + s.clause + " " + verb}
			}
			n.add(predicate{phrase: said, reads: r, place: place}, func(c *call) truth {
				got, ok := read(c)
				// A method without a script returns zeros: it does not fail, and may well be said to succeed.
				unscripted := !ok || got.method != k.method
				if unscripted && get(c).Kind != testcase.Nil && (of(c) == nil || k.fails == 0) {
					return unknown
				}
				return truthOf(ok && got == k)
			})
			if k.fails > 0 && !k.then {
				// Where it fails and nothing becomes of that, the call did not come so far.
				n.add(predicate{phrase: said, reads: r, place: place}, func(c *call) truth {
					got, ok := read(c)
					return truthOf(ok && got == k && passesOn(c, of(c)))
				})
			}
		}
	}
}

// passesOn reports whether a call returned the error of a stub, or one that says the same and more.
func passesOn(c *call, s *stub) bool {
	o, at := c.c.Observed, c.c.TargetStmt()
	if s == nil || s.message == "" || o == nil || at >= len(o.Results) || len(o.Results[at]) == 0 {
		return false
	}
	e := o.Results[at][len(o.Results[at])-1].Err
	return e != nil && strings.Contains(e.Message, s.message)
}

// nameFailing names the rows of which nothing else says what failed by the methods of stand-ins that did (see failing).
func (n *Namer) nameFailing(at []int, out []Name, lists [][]candidate, taken map[string]bool) {
	for i, k := range at {
		said := slices.ContainsFunc(lists[i], func(c candidate) bool { return strings.Contains(c.text, "fails") })
		if text := n.calls[k].failing(); out[i].Text == "" && text != "" && !said && !taken[text] {
			out[i].Text, taken[text] = text, true
		}
	}
}

// failing says which method of a stand-in returned the error that the call came back with, wherever the stand-in is: "Setup fails" for that of a
// field's field. It is "" if there is no such method, or if several have failed.
func (c *call) failing() string {
	o, at := c.c.Observed, c.c.TargetStmt()
	if o == nil || at >= len(o.Results) || len(o.Results[at]) == 0 {
		return ""
	}
	e := o.Results[at][len(o.Results[at])-1].Err
	if e == nil {
		return ""
	}
	method := ""
	for i := range at {
		st := c.c.Seq.At(i)
		if st.Op.Kind != testcase.OpStubIface {
			continue
		}
		for _, answer := range st.Op.Stub {
			for _, a := range st.Args[answer.From:answer.To] {
				made := c.c.Seq.At(a.Stmt)
				if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil || made.Op.Func.FullName() != "errors.New" {
					continue
				}
				message := c.c.Seq.At(made.Args[0].Stmt).Op.Lit.Str
				if message == "" || e.Message != message && !strings.HasSuffix(e.Message, ": "+message) {
					continue
				}
				if method != "" && method != answer.Method {
					return ""
				}
				method = answer.Method
			}
		}
	}
	if method == "" {
		return ""
	}
	return method + " fails"
}

// addStreams adds whether a reader fails and whether a writer is full that the tests' helpers make.
func (n *Namer) addStreams(i int, s subject, r reads, get func(*call) testcase.Value) {
	found := map[string]bool{}
	for _, c := range n.calls {
		if does, ok := streamOf(c, i); ok && does != "" {
			found[does] = true
		}
	}
	for _, does := range slices.Sorted(maps.Keys(found)) {
		n.add(predicate{phrase: s.acts(does), reads: r, place: placeInput + i}, func(c *call) truth {
			got, ok := streamOf(c, i)
			if !ok && get(c).Kind != testcase.Nil {
				return unknown
			}
			return truthOf(got == does)
		})
	}
}

// streamOf says what a reader or writer that is passed does to those who use it: "fails" or "is full", "" for one of the standard
// library's that does neither. It returns false if that is not known.
func streamOf(c *call, i int) (does string, known bool) {
	if i >= len(c.stubs) || c.c.Seq == nil || c.c.Seq.Len() == 0 {
		return "", false
	}
	at := c.c.TargetStmt()
	if i >= len(c.c.Seq.At(at).Args) {
		return "", false
	}
	ref := c.c.Seq.At(at).Args[i]
	for c.c.Seq.At(ref.Stmt).Op.Kind == testcase.OpConvert {
		ref = c.c.Seq.At(ref.Stmt).Args[0]
	}
	op := c.c.Seq.At(ref.Stmt).Op
	switch t := c.c.Seq.ResultTypes()[ref.Stmt][ref.Result]; {
	case op.Via != nil && op.Via.Name == testcase.FullName:
		return "is full", true
	case op.Kind == testcase.OpFunc && op.Via == nil && op.Func.FullName() == "testing/iotest.ErrReader":
		return "fails", true
	case op.Kind == testcase.OpFunc && op.Via == nil && op.Func.FullName() == "testing/iotest.OneByteReader":
		return "", true
	default:
		return "", load.IsNamed(gosyntax.Pointed(t), "strings", "Reader") || load.IsNamed(gosyntax.Pointed(t), "bytes", "Buffer") || load.IsNamed(gosyntax.Pointed(t), "bytes", "Reader")
	}
}

// addReturns adds predicates over the result of a stub that has one call with one result.
func (n *Namer) addReturns(s subject, r reads, place int, of func(*call) *stub, get func(*call) testcase.Value) {
	const longestResult = 24
	said := map[string]bool{}
	for _, c := range n.calls {
		st := of(c)
		if st == nil || st.returns == "" || len(st.returns) > longestResult || said[st.method+" "+st.returns] {
			continue
		}
		said[st.method+" "+st.returns] = true
		p := predicate{phrase: s.answers(st.method, st.returns), reads: r, place: place}
		n.add(p, func(d *call) truth {
			got := of(d)
			if got == nil && get(d).Kind != testcase.Nil {
				return unknown
			}
			return truthOf(got != nil && got.returns == st.returns && got.method == st.method)
		})
	}
}

// answers says what a stand-in answers: "less returns true" of a function, "b.IsOptional" or "b.Name returns "ann"" of the method of an
// interface with several.
func (s subject) answers(method, returns string) phrase {
	if method == "" {
		return s.acts("returns " + returns)
	}
	if s.name != "" && !s.alone {
		method = s.name + "." + method
	}
	switch returns {
	case "true":
		return phrase{text: method, clause: method + " is true"}
	case "false":
		return phrase{text: "not " + method, clause: method + " is false"}
	}
	return phrase{text: method + " returns " + returns, clause: method + " returns " + returns}
}

// ownAnswer names a row by the method of a stand-in that answers there as in no other row: "IsComputed", "not IsComputed", "GetName". If
// several arguments are stand-ins, it says whose method it is: "b.GetName". It returns "" if there is no such method, or if there are
// several. The parameter at has the rows' calls.
func (n *Namer) ownAnswer(i int, at []int) string {
	mine, several := n.answersOf(i)
	var own []string
	for _, key := range slices.Sorted(maps.Keys(mine)) {
		if slices.ContainsFunc(at, func(k int) bool {
			theirs, more := n.answersOf(k)
			several = several || more
			return k != i && theirs[key] == mine[key]
		}) {
			continue
		}
		own = append(own, key)
	}
	if len(own) != 1 {
		return ""
	}
	whose, method, _ := strings.Cut(own[0], ".")
	if several && whose != "" {
		method = whose + "." + method
	}
	if mine[own[0]] == "false" {
		method = "not " + method
	}
	if len(method) > longest {
		return ""
	}
	return method
}

// answersOf returns what the methods of the stand-ins that a call is given answer, in the words of a statement, by the parameter's name
// and the method's. It reports whether several arguments are stand-ins.
func (n *Namer) answersOf(i int) (answers map[string]string, several bool) {
	c := n.calls[i].c
	target := c.Seq.At(c.TargetStmt())
	answers = make(map[string]string)
	for k := target.Op.FirstParam(); k < len(target.Args); k++ {
		st := c.Seq.At(target.Args[k].Stmt)
		for st.Op.Kind == testcase.OpConvert || isRecorder(st.Op) {
			st = c.Seq.At(st.Args[0].Stmt)
		}
		if st.Op.Kind != testcase.OpStubIface {
			continue
		}
		name := ""
		if p := k - target.Op.FirstParam(); p < n.sig.Params().Len() {
			name = n.sig.Params().At(p).Name()
		}
		several = several || k > target.Op.FirstParam()
		for _, script := range st.Op.Stub {
			text := answers[name+"."+script.Method]
			for _, a := range st.Args[script.From:script.To] {
				v := made(c, a, 0)
				if text += spell(v); v.Kind == testcase.Opaque || v.Kind == testcase.Invalid {
					text += c.Seq.Expression(a, n.pkg.Types)
				}
			}
			answers[name+"."+script.Method] = text
		}
	}
	return answers, several
}
