package random

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// This file edits sequences: the functions return copies with statements or parts left out or replaced.
// They run nothing; the shrinker decides which edits are of use.

// prune drops statements whose values nothing uses. It keeps calls, assignments and the last statement.
func prune(s *testcase.Sequence) *testcase.Sequence {
	keep := make([]bool, s.Len())
	all := true
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		switch st.Op.Kind {
		case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue:
			keep[i] = true
		}
		if i == s.Len()-1 || st.Op.Kind.Assigns() {
			keep[i] = true
		}
		if keep[i] {
			for _, a := range st.Args {
				keep[a.Stmt] = true
			}
		} else {
			all = false
		}
	}
	if all {
		return s
	}
	out, _ := s.Keep(keep)
	return out
}

// withoutReads returns a sequence in which what a literal has in a field takes the place of the field that is read of the literal, if
// nothing else uses the literal: "a" for (&Node{Name: "a"}).Name. A directory of the test's own is joined to nothing.
func withoutReads(s *testcase.Sequence) *testcase.Sequence {
	uses := make([]int, s.Len())
	for i := range s.Len() {
		for _, a := range s.At(i).Args {
			uses[a.Stmt]++
		}
	}
	results := s.ResultTypes()
	stmts := slices.Clone(s.AppendTo(nil))
	instead := make(map[int]testcase.Ref)
	for i, st := range stmts {
		stmts[i].Args = slices.Clone(st.Args)
		for k, a := range st.Args {
			if ref, ok := instead[a.Stmt]; ok {
				stmts[i].Args[k] = ref
			}
		}
		if i == s.Len()-1 {
			continue
		}
		if st.Op.Kind == testcase.OpFunc && st.Op.Func.FullName() == "path/filepath.Join" && len(st.Args) == 1 && s.At(st.Args[0].Stmt).Op.Via != nil {
			instead[i] = stmts[i].Args[0]
			continue
		}
		if st.Op.Kind != testcase.OpField {
			continue
		}
		made := st.Args[0].Stmt
		if s.At(made).Op.Kind == testcase.OpAddr && uses[made] == 1 {
			made = s.At(made).Args[0].Stmt
		}
		if ref, ok := fieldOf(stmts[made], st.Op.Var); ok && uses[made] == 1 && isIdentical(results, ref, testcase.Ref{Stmt: i}) {
			instead[i] = ref
		}
	}
	if len(instead) == 0 {
		return s
	}
	return testcase.NewSequence(stmts...)
}

// fieldOf returns what a literal of a struct has in a field, and false if it is no such literal or does not set the field.
func fieldOf(st testcase.Statement, field *types.Var) (testcase.Ref, bool) {
	if st.Op.Kind != testcase.OpComposite {
		return testcase.Ref{}, false
	}
	u, ok := st.Op.Type.Underlying().(*types.Struct)
	if !ok {
		return testcase.Ref{}, false
	}
	for k, a := range st.Args {
		n := k
		if st.Op.Elems != nil {
			n = st.Op.Elems[k]
		}
		if u.Field(n) == field {
			return a, true
		}
	}
	return testcase.Ref{}, false
}

// isIdentical reports whether two results are of one type.
func isIdentical(all [][]types.Type, a, b testcase.Ref) bool {
	return types.Identical(all[a.Stmt][a.Result], all[b.Stmt][b.Result])
}

// withoutStatement returns the sequence without statement i and without all statements that use its
// results, directly or not. It returns nil if the last statement is among them.
func withoutStatement(s *testcase.Sequence, i int) *testcase.Sequence {
	keep := make([]bool, s.Len())
	for j := range keep {
		keep[j] = j != i
		for _, a := range s.At(j).Args {
			keep[j] = keep[j] && keep[a.Stmt]
		}
	}
	if !keep[s.Len()-1] {
		return nil
	}
	out, ok := s.Keep(keep)
	if !ok {
		return nil
	}
	return out
}

// withoutPart returns the statement in all forms that have one part less, those without a part at the
// end first. The parts are elements of slices, pairs of maps, fields of structs, arguments for a variadic
// parameter, and the last call that a stub function is scripted for.
func withoutPart(st testcase.Statement) []testcase.Statement {
	op := st.Op
	if op.IsNameless() {
		return nil
	}
	switch op.Kind {
	case testcase.OpComposite:
		switch op.Type.Underlying().(type) {
		case *types.Struct:
			if op.Elems != nil {
				return withoutArguments(st, 0, 1)
			}
		case *types.Slice:
			if op.Elems == nil {
				return withoutArguments(st, 0, 1)
			}
		case *types.Map:
			if op.Elems == nil {
				return withoutArguments(st, 0, 2) // a key and its element
			}
		}
	case testcase.OpFunc, testcase.OpMethod:
		if !op.Signature().Variadic() || op.Spread {
			return nil
		}
		first := op.Signature().Params().Len() - 1
		if op.Kind == testcase.OpMethod {
			first++ // the receiver
		}
		return withoutArguments(st, first, 1)
	case testcase.OpStubFunc:
		if len(op.Stub) < 2 {
			return nil
		}
		// A stub repeats its last scripted call, so one call is enough to return the same always.
		shorter := *op
		last := op.Stub[len(op.Stub)-1]
		shorter.Stub = op.Stub[:len(op.Stub)-1]
		return []testcase.Statement{{Op: &shorter, Args: st.Args[:last.From]}}
	}
	return nil
}

// withoutArguments returns the statement without n adjacent arguments, for each group of n arguments
// from the given one on, the last group first.
func withoutArguments(st testcase.Statement, from, n int) []testcase.Statement {
	var out []testcase.Statement
	for j := len(st.Args) - n; j >= from; j -= n {
		op := st.Op
		if op.Kind == testcase.OpComposite {
			smaller := *op
			if op.Elems != nil {
				smaller.Elems = slices.Delete(slices.Clone(op.Elems), j, j+1)
			} else if op.N > 0 && n == 1 {
				smaller.N--
			}
			op = &smaller
		}
		out = append(out, testcase.Statement{Op: op, Args: slices.Delete(slices.Clone(st.Args), j, j+n)})
	}
	return out
}

// withArgument returns the sequence in which argument j of statement i is the last value that made
// makes. The statements of made stand in front of statement i.
func withArgument(s *testcase.Sequence, i, j int, made *testcase.Sequence) *testcase.Sequence {
	stmts := s.Prefix(i).AppendTo(make([]testcase.Statement, 0, s.Len()+made.Len()))
	stmts = made.AppendTo(stmts)
	for n := i; n < s.Len(); n++ {
		args := slices.Clone(s.At(n).Args)
		for m := range args {
			if args[m].Stmt >= i {
				args[m].Stmt += made.Len()
			}
		}
		if n == i {
			args[j] = testcase.Ref{Stmt: i + made.Len() - 1}
		}
		stmts = append(stmts, testcase.Statement{Op: s.At(n).Op, Args: args})
	}
	return testcase.NewSequence(stmts...)
}

// replace returns the sequence with another statement i.
func replace(s *testcase.Sequence, i int, st testcase.Statement) *testcase.Sequence {
	stmts := make([]testcase.Statement, s.Len())
	for j := range stmts {
		stmts[j] = s.At(j)
	}
	stmts[i] = st
	return testcase.NewSequence(stmts...)
}

// literalLike returns the constant of a basic type that is most like the number v, such as "aa" for 2.
// It returns false if the type has none.
func literalLike(b *types.Basic, v int64) (testcase.Literal, bool) {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return testcase.Literal{Kind: testcase.LitBool, Bits: uint64(v & 1)}, v >= 0 && v < 2
	case info&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: strings.Repeat("a", max(int(v), 0))}, v >= 0
	case info&types.IsUnsigned != 0:
		return testcase.Literal{Kind: testcase.LitUint, Bits: uint64(v)}, v >= 0
	case info&types.IsInteger != 0:
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(v)}, true
	case info&types.IsFloat != 0:
		return floatLiteral(float64(v), b), true
	}
	return testcase.Literal{}, false
}
