package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/testcase"
)

// readyMade makes a value by one of the givers of its type. If other factories make such values, too,
// one of the two is chosen at random.
func (e *engine) readyMade(d *draft, t types.Type) (testcase.Ref, bool) {
	list := e.givers.Values(t)
	if len(list) == 0 || len(d.stmts) > maxStmts/2 {
		return testcase.Ref{}, false
	}
	if len(e.factories[e.pool.keys.of(t)]) > 0 && e.rnd.IntN(4) > 0 {
		return testcase.Ref{}, false
	}
	if _, isFunc := types.Unalias(t).(*types.Signature); isFunc && e.givers.Callbacks(t) == 0 && e.rnd.IntN(3) > 0 {
		return testcase.Ref{}, false // the package's own functions, and stand-ins that return anything, go further
	}
	s := list[e.rnd.IntN(len(list))]
	if giver.PassesPanic(s) && e.rnd.IntN(1+e.endless/2) > 0 {
		return testcase.Ref{}, false // the code has it panic in goroutines, which ends the process
	}
	from := len(d.stmts)
	d.stmts = s.AppendTo(d.stmts)
	e.varyTexts(d.stmts, from)
	return testcase.Ref{Stmt: len(d.stmts) - 1}, true
}

// varyTexts gives the helpers that statements call, from a number on, other texts of those that they are
// worth calling with.
func (e *engine) varyTexts(stmts []testcase.Statement, from int) {
	for _, st := range stmts[from:] {
		h := st.Op.Via
		if h == nil {
			continue
		}
		for k, values := range h.Values {
			s := e.chooseFrom(values)
			if list := e.givers.Dialogues(e.now); len(list) > 0 && slices.Contains(values, list[0]) && e.rnd.IntN(3) > 0 {
				s = list[e.rnd.IntN(len(list))]
			}
			if !h.Closed[k] && e.rnd.IntN(8) == 0 {
				s = e.str()
			}
			at := &stmts[st.Args[k].Stmt]
			at.Op = e.chosenOp(at.Op.Type, values, h.Closed[k], s)
		}
	}
}

// sameHelper reports whether two helpers, which may be nil, are the same code.
func sameHelper(a, b *testcase.Helper) bool {
	return a == b || a != nil && b != nil && a.Name == b.Name && a.Text == b.Text
}

// hasOwnDriver reports whether a value of a draft is of a type of the package whose own method
// is called through the helper: there is an action for that method.
func (e *engine) hasOwnDriver(d *draft, r testcase.Ref) bool {
	t := e.slotType(d.stmts[r.Stmt].Op, r.Result)
	if t == nil || types.IsInterface(t) {
		return false
	}
	f := e.givers.ServeHTTP(t)
	return f != nil && f.Pkg() == e.pkg.Types
}

// chooseFrom chooses one of the texts that a parameter of a helper is worth calling with. It prefers
// texts of the row that the draft is about.
func (e *engine) chooseFrom(list []string) string {
	if e.rnd.IntN(4) > 0 {
		for _, s := range e.row {
			if s != "" && slices.Contains(list, s) {
				return s
			}
		}
	}
	return list[e.rnd.IntN(len(list))]
}

// answer has the requests answered that an action may send, unless the draft does so already: mostly with success, and
// with what the action decodes. Some drafts are left to clients with a transport of their own.
func (e *engine) answer(d *draft, a *action) {
	answers := e.givers.Answers()
	if answers == nil || !a.sends || slices.ContainsFunc(d.stmts, func(st testcase.Statement) bool { return giver.AnswersRequests(st.Op) }) || e.rnd.IntN(8) == 0 {
		return
	}
	code := answers.Codes[0]
	if e.rnd.IntN(3) == 0 {
		code = answers.Codes[e.rnd.IntN(len(answers.Codes))]
	}
	text := types.Typ[types.String]
	args := []testcase.Ref{d.add(e.literalOp(types.Typ[types.Int], testcase.Literal{Kind: testcase.LitInt, Bits: uint64(code)}))}
	if len(answers.Header) > 0 {
		lines := answers.Header[0]
		if e.rnd.IntN(2) == 0 {
			lines = answers.Header[e.rnd.IntN(len(answers.Header))]
		}
		args = append(args, d.add(e.chosenOp(text, answers.Header, true, lines)))
	}
	bodies := answers.Bodies(a.name)
	body := bodies[0]
	if e.rnd.IntN(2) == 0 {
		body = bodies[e.rnd.IntN(len(bodies))]
	}
	args = append(args, d.add(e.chosenOp(text, bodies, answers.Decodes(a.name), body)))
	d.add(answers.Op, args...)
}

// chooseArgs begins a draft with a command line if its action reads that of the process, which is that of the harness
// otherwise.
func (e *engine) chooseArgs(d *draft, a *action) {
	set, lines := e.commandLine, e.argLines
	if set == nil || !a.args || slices.ContainsFunc(d.stmts, func(st testcase.Statement) bool { return giver.SetsCommandLine(st.Op) }) {
		return
	}
	d.add(set, d.add(e.chosenOp(types.Typ[types.String], lines, false, lines[e.rnd.IntN(len(lines))])))
}

// simplerAt returns constants that are easier to read than that of statement i, the best first. A status with which requests
// are answered gives way to those that come before it among the statuses.
func (s *shrinker) simplerAt(i int) []testcase.Literal {
	op := s.seq.At(i).Op
	answers := s.e.givers.Answers()
	if op.Choice == nil && op.Lit.Kind == testcase.LitString && hasWords(op.Lit.Str, s.e.isWord) {
		var out []testcase.Literal
		for _, text := range simplerDocuments(op.Lit.Str, s.e.isWord) {
			out = append(out, testcase.Literal{Kind: testcase.LitString, Str: text})
		}
		return out
	}
	if answers == nil || op.Lit.Kind != testcase.LitInt || !giver.IsStatus(s.seq, i) {
		return simpler(op)
	}
	var out []testcase.Literal
	for _, code := range answers.Codes {
		if uint64(code) == op.Lit.Bits {
			break
		}
		out = append(out, testcase.Literal{Kind: testcase.LitInt, Bits: uint64(code)})
	}
	return out
}

// ownBodies returns what takes the place of statement i if it is a body that the function under test does not decode: requests of
// another function were to be answered with it, which is no longer called.
func (s *shrinker) ownBodies(i int) []*testcase.Operation {
	op, answers := s.seq.At(i).Op, s.e.givers.Answers()
	if answers == nil || op.Lit.Kind != testcase.LitString || !answers.Decodes(s.act.name) || !giver.IsBody(s.seq, i) {
		return nil
	}
	bodies := answers.Bodies(s.act.name)
	if slices.Contains(bodies, op.Lit.Str) {
		return nil
	}
	return []*testcase.Operation{s.e.chosenOp(op.Type, bodies, true, bodies[0])}
}
