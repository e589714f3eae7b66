package choose

import (
	"go/types"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/testcase"
)

// mostReplies is how many bodies answer the requests of one function in place of that with which its call succeeds.
const mostReplies = 5

// answered returns calls that end well, one of each function, with other answers to the requests that they send: each status that
// is no success, a body that tells of an error, one that is cut off. An engine looks for new ways through the package's own code,
// and where another package of the module sends the requests, all of these may go one way.
func (s *sampling) answered(cases []*testcase.Case) []*testcase.Case {
	answers := s.ch.parts.Givers.Answers()
	if answers == nil {
		return nil
	}
	var out []*testcase.Case
	done := make(map[string]bool)
	for _, c := range cases {
		at := answeredAt(c)
		if at < 0 || done[c.Target] || c.Whole || !outcome.Succeeds(c) {
			continue
		}
		done[c.Target] = true
		args := c.Seq.At(at).Args
		var seqs []*testcase.Sequence
		for _, code := range answers.Codes[1:] {
			lit, _ := testcase.IntLiteral(types.Typ[types.Int], int64(code)) // each status is an int
			seqs = append(seqs, withConstant(c.Seq, args[0].Stmt, lit))
		}
		bodies := answers.Bodies(c.Target)
		for _, body := range append(bodies[:min(len(bodies), mostReplies):mostReplies], "{") {
			lit := testcase.Literal{Kind: testcase.LitString, Str: body}
			seqs = append(seqs, withConstant(c.Seq, args[len(args)-1].Stmt, lit))
		}
		out = append(out, s.unknown(c, seqs)...)
	}
	return out
}

// answeredAt returns the statement before a case's own call that has requests answered, or -1.
func answeredAt(c *testcase.Case) int {
	for i := range c.TargetStmt() {
		if giver.AnswersRequests(c.Seq.At(i).Op) {
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
