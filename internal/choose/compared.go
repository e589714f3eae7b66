package choose

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// This file has the samples of functions that compare or measure two values.

// swapped returns calls of functions that compare or measure two values of one type, with the two in each other's
// place. Of a comparison, this is the other answer: what is less the one way is greater the other way.
func (s *sampling) swapped(cases []*testcase.Case) []*testcase.Case {
	const mostOfOne = 2 // calls of one function that are turned round
	var out []*testcase.Case
	made := make(map[string]int)
	for _, c := range cases {
		st := c.Seq.At(c.TargetStmt())
		if c.Whole || c.Observed.Status != testcase.Returned || !s.ch.given.Exported[c.Target] || made[c.Target] == mostOfOne || !outcome.IsPlainCall(st.Op) || !outcome.Measures(st.Op.Signature()) {
			continue
		}
		i, ok := firstPair(c.Seq, st.Args)
		if !ok {
			continue
		}
		args := slices.Clone(st.Args)
		args[i], args[i+1] = args[i+1], args[i]
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[c.TargetStmt()] = testcase.Statement{Op: st.Op, Args: args}
		made[c.Target]++
		out = append(out, s.unknown(c, []*testcase.Sequence{testcase.NewSequence(stmts...)})...)
	}
	return out
}

// paired returns calls of functions that compare or measure two objects which a function of the package makes of a text each:
// with each two of the texts that it accepts, and with such a text beside itself changed in one place. What an order says
// shows on neighbours, like 1.2.3 and 1.2.4.
func (s *sampling) paired(cases []*testcase.Case) []*testcase.Case {
	const mostTexts, mostNeighbours = 4, 24
	var out []*testcase.Case
	made := make(map[string]bool)
	for _, c := range cases {
		if made[c.Target] || c.Whole || c.Observed == nil || c.Observed.Status != testcase.Returned || !s.ch.given.Exported[c.Target] {
			continue
		}
		st := c.Seq.At(c.TargetStmt())
		if !outcome.IsPlainCall(st.Op) || !outcome.Measures(st.Op.Signature()) || len(st.Args) != 2 {
			continue
		}
		seq := c.Seq
		if other, ok := plain.Apart(s.ch.Pkg, c); ok {
			seq = other
		}
		seq = madeTwice(seq, c.Target)
		maker, a, b := s.madeOfTexts(seq, c.Target)
		if maker == nil {
			continue
		}
		texts := s.acceptedTexts(testcase.TargetName(maker), cases, mostTexts)
		var pairs [][2]string
		for i, text := range texts {
			pairs = append(pairs, [2]string{text, text})
			for _, other := range texts[i+1:] {
				pairs = append(pairs, [2]string{text, other}, [2]string{other, text})
			}
		}
		for _, text := range texts {
			neighbours := plain.Variants(text, plain.Signs(s.ch.Pkg))
			for _, other := range neighbours[:min(len(neighbours), mostNeighbours)] {
				pairs = append(pairs, [2]string{text, other}, [2]string{other, text})
			}
		}
		var seqs []*testcase.Sequence
		for _, pair := range pairs {
			first, ok := plain.WithText(seq, a, pair[0])
			if !ok {
				continue
			}
			if both, ok := plain.WithText(first, b, pair[1]); ok && both.Len() == seq.Len() {
				seqs = append(seqs, both)
			}
		}
		made[c.Target] = true
		out = append(out, s.unknown(c, seqs)...)
	}
	return out
}

// madeTwice returns a sequence in which the second argument of its own call, the receiver among them, is an object of its own where both came from one
// call: what an interface holds, and the interface. It returns other sequences as they are.
func madeTwice(seq *testcase.Sequence, target string) *testcase.Sequence {
	own := testcase.Case{Target: target, Seq: seq}
	at := own.TargetStmt()
	made := func(a testcase.Ref) int {
		if st := seq.At(a.Stmt); st.Op.Kind == testcase.OpAssert {
			return st.Args[0].Stmt
		}
		return a.Stmt
	}
	st := seq.At(at)
	call := made(st.Args[0])
	if made(st.Args[1]) != call || seq.At(call).Op.Kind != testcase.OpFunc || len(seq.At(call).Args) != 1 {
		return seq
	}
	stmts := slices.Clone(seq.AppendTo(nil)[:at])
	again := func(of testcase.Statement, args ...testcase.Ref) testcase.Ref {
		stmts = append(stmts, testcase.Statement{Op: of.Op, Args: args})
		return testcase.Ref{Stmt: len(stmts) - 1}
	}
	text := seq.At(seq.At(call).Args[0].Stmt)
	if len(text.Args) > 0 {
		return seq
	}
	object := again(seq.At(call), again(text))
	if arg := seq.At(st.Args[1].Stmt); arg.Op.Kind == testcase.OpAssert {
		object = again(arg, object)
	} else {
		object.Result = st.Args[1].Result
	}
	again(st, st.Args[0], object)
	return testcase.NewSequence(stmts...)
}

// madeOfTexts returns the function that makes both arguments of a sequence's own call, the receiver among them, of one text each,
// and the statements of the two texts; nil if they are made otherwise.
func (s *sampling) madeOfTexts(seq *testcase.Sequence, target string) (maker *types.Func, a, b int) {
	own := testcase.Case{Target: target, Seq: seq}
	var texts []int
	for _, arg := range seq.At(own.TargetStmt()).Args {
		st := seq.At(arg.Stmt)
		if st.Op.Kind == testcase.OpAssert { // what is in the interface that the function returns for some texts
			st = seq.At(st.Args[0].Stmt)
		}
		if st.Op.Kind != testcase.OpFunc || !outcome.IsPlainCall(st.Op) || len(st.Args) != 1 || maker != nil && st.Op.Func != maker {
			return nil, 0, 0
		}
		if _, ok := plain.TextOf(s.ch.Pkg, seq, st.Args[0].Stmt); !ok || seq.At(st.Args[0].Stmt).Op.Kind != testcase.OpLiteral {
			return nil, 0, 0
		}
		maker, texts = st.Op.Func, append(texts, st.Args[0].Stmt)
	}
	if len(texts) != 2 || texts[0] == texts[1] {
		return nil, 0, 0
	}
	return maker, texts[0], texts[1]
}

// acceptedTexts returns texts that cases pass to a function and that the function accepts, the plainest first. Texts of several
// parts come before others, and zeros after them.
func (s *sampling) acceptedTexts(function string, cases []*testcase.Case, most int) []string {
	strange := make(map[string]int)
	var out []string
	for _, c := range cases {
		if c.Target != function || c.Observed == nil || c.Observed.Status != testcase.Returned || outcome.HasError(c) {
			continue
		}
		args := c.Seq.At(c.TargetStmt()).Args
		if text, ok := plain.TextOf(s.ch.Pkg, c.Seq, args[0].Stmt); ok && len(args) == 1 && text != "" && !slices.Contains(out, text) {
			strange[text] = plain.Strangeness(s.ch.Pkg, c)
			if !plain.HasStructure(text) {
				strange[text]++ // a neighbour of several parts differs in one of them
			}
			if plain.IsDocumented(s.ch.Pkg, c) {
				strange[text] -= 2
			}
			if digits := strings.Trim(text, "0.,:-"); digits == "" {
				strange[text] += 2 // zeros alone show little
			}
			out = append(out, text)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strange[a] - strange[b] })
	return out[:min(len(out), most)]
}

// firstPair returns the place of the first of two neighbouring arguments, the receiver among them, that have one type
// and are not one value.
func firstPair(seq *testcase.Sequence, args []testcase.Ref) (int, bool) {
	all := seq.ResultTypes()
	for i := range len(args) - 1 {
		if args[i] != args[i+1] && types.Identical(all[args[i].Stmt][args[i].Result], all[args[i+1].Stmt][args[i+1].Result]) {
			return i, true
		}
	}
	return 0, false
}
