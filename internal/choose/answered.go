package choose

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/testcase"
)

// answered returns calls that end well, one of each function, with other answers to the requests that they send: each status that
// is no success, a body that tells of an error, one that is cut off. An engine looks for new ways through the package's own code,
// and where another package of the module sends the requests, all of these may go one way. For the same reason a function may have
// no call whose requests are answered at all; then its first call gets an answer.
func (s *sampling) answered(cases []*testcase.Case) []*testcase.Case {
	answers := s.ch.parts.Givers.Answers()
	if answers == nil {
		return nil
	}
	cases = slices.DeleteFunc(slices.Clone(cases), func(c *testcase.Case) bool {
		return c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned
	})
	var out []*testcase.Case
	done := make(map[string]bool)
	for _, c := range cases {
		if at := answeredAt(c.Seq, c.TargetStmt()); at >= 0 && !done[c.Target] && outcome.Succeeds(c) {
			done[c.Target] = true
			out = append(out, s.unknown(c, otherwise(answers, c.Target, c.Seq, at))...)
		}
	}
	for _, c := range cases {
		if t := s.ch.Pkg.Target(c.Target); t == nil || done[c.Target] || !s.ch.Pkg.Requests().Sends(t.Obj) {
			continue
		}
		done[c.Target] = true
		if answeredAt(c.Seq, c.TargetStmt()) < 0 {
			seq, at := withAnswer(answers, c.Target, c.Seq)
			out = append(out, s.unknown(c, append([]*testcase.Sequence{seq}, otherwise(answers, c.Target, seq, at)...))...)
		}
	}
	return out
}

// otherwise returns sequences whose requests are answered with a failure, given the statement that has them answered.
func otherwise(answers *giver.Answers, target string, s *testcase.Sequence, at int) []*testcase.Sequence {
	var out []*testcase.Sequence
	args := s.At(at).Args
	for _, code := range answers.Codes[1:] {
		lit, _ := testcase.IntLiteral(types.Typ[types.Int], int64(code)) // each status is an int
		out = append(out, withConstant(s, args[0].Stmt, lit))
	}
	for _, body := range append(answers.Failures(target), "{") {
		out = append(out, withConstant(s, args[len(args)-1].Stmt, testcase.Literal{Kind: testcase.LitString, Str: body}))
	}
	return out
}

// withAnswer returns a sequence that has requests answered with success at its beginning, and the statement that does so.
func withAnswer(answers *giver.Answers, target string, s *testcase.Sequence) (*testcase.Sequence, int) {
	var b testcase.Builder
	text := func(list []string, closed bool) testcase.Ref {
		lit := testcase.Literal{Kind: testcase.LitString, Str: list[0]}
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: lit, Choice: list, Closed: closed})
	}
	code, _ := testcase.IntLiteral(types.Typ[types.Int], int64(answers.Codes[0]))
	args := []testcase.Ref{b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: code})}
	if len(answers.Header) > 0 {
		args = append(args, text(answers.Header, true))
	}
	args = append(args, text(answers.Bodies(target), answers.Decodes(target)))
	at := b.Add(answers.Op, args...).Stmt
	b.Append(s)
	return b.Sequence(), at
}

// answeredAt returns the statement before another one that has requests answered, or -1.
func answeredAt(s *testcase.Sequence, before int) int {
	for i := range before {
		if giver.AnswersRequests(s.At(i).Op) {
			return i
		}
	}
	return -1
}

// withConstant returns a sequence with another constant as a statement.
func withConstant(s *testcase.Sequence, stmt int, lit testcase.Literal) *testcase.Sequence {
	var b testcase.Builder
	for i := range s.Len() {
		st := s.At(i)
		if i == stmt {
			op := *st.Op
			op.Kind, op.Lit = testcase.OpLiteral, lit
			st.Op = &op
		}
		b.Add(st.Op, st.Args...)
	}
	return b.Sequence()
}
