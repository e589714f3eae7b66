package reduce

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// This file has the passes of minimise.go: each proposes edits of one kind. Numbers that become extremes are
// in extremes.go; which literal is simpler than another, and how collections get fewer elements, is in
// simplify.go.

// replace returns the edit that puts the value of an operation without arguments in place of a statement.
func replace(at int, op *testcase.Operation) edit {
	return edit{{at: at, kind: replaced, by: testcase.Statement{Op: op}}}
}

// clean proposes to remove the statements that are dead and pure (redundancy.go). They can nearly always be
// removed together.
func (m *minimiser) clean(s *subject) []edit {
	dead := Dead(s.seq)
	var out []edit
	for i := s.seq.Len() - 2; i >= 0; i-- {
		if dead[i] && isPure(s.seq.At(i).Op, m.cfg.Pure) {
			out = append(out, edit{{at: i, kind: removed}})
		}
	}
	return out
}

// constants proposes to replace calls that return a number, a string or a bool by the returned
// constant: Kind(2).String() rather than Triangle(2, 2, 1).String().
func constants(s *subject) []edit {
	var out []edit
	ts := s.seq.ResultTypes()
	for i := s.seq.Len() - 2; i >= 0; i-- {
		op := s.seq.At(i).Op
		isCall := op.Func != nil || op.Kind == testcase.OpCallValue
		if !isCall || len(ts[i]) != 1 || i >= len(s.out.Results) || len(s.out.Results[i]) != 1 {
			continue
		}
		if lit, ok := constant(s.out.Results[i][0], ts[i][0]); ok {
			out = append(out, replace(i, lit))
		}
	}
	return out
}

// constant returns the literal of an observed value of a basic type.
func constant(v testcase.Value, t types.Type) (*testcase.Operation, bool) {
	const longest = 32
	b, ok := underlyingOf(t).(*types.Basic)
	if !ok || b.Kind() == types.UnsafePointer || v.Cut || len(v.Str) > longest {
		return nil, false
	}
	kind := map[testcase.ValueKind]testcase.LitKind{testcase.Bool: testcase.LitBool, testcase.Int: testcase.LitInt, testcase.Uint: testcase.LitUint,
		testcase.Float: testcase.LitFloat, testcase.Complex: testcase.LitComplex, testcase.String: testcase.LitString}[v.Kind]
	if kind == 0 {
		return nil, false
	}
	return &testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: testcase.Literal{Kind: kind, Bits: v.Bits, Imag: v.Imag, Str: v.Str}}, true
}

// removals proposes to remove each statement that has an effect, with the statements that use it. If the
// statement returns an object of its receiver's type, these statements can use the receiver instead.
func removals(s *subject) []edit {
	var out []edit
	results := s.seq.ResultTypes()
	for i := s.seq.Len() - 2; i >= 0; i-- {
		k := s.seq.At(i).Op.Kind
		if !removable(k) {
			continue
		}
		out = append(out, edit{{at: i, kind: removed}})
		if k == testcase.OpMethod && returnsReceiver(i, s.seq, results) {
			out = append(out, edit{{at: i, kind: bypassed}})
		}
	}
	return out
}

// removable reports whether statements of a kind are removed one by one. Those that only make a value, such
// as literals, go by themselves when nothing uses the value any more (prune).
func removable(k testcase.OpKind) bool {
	switch k {
	case testcase.OpFunc, testcase.OpMethod, testcase.OpCallValue, testcase.OpField, testcase.OpDeref, testcase.OpIndex,
		testcase.OpAssert, testcase.OpConvert:
		return true
	}
	return k.Assigns()
}

// returnsReceiver reports whether a method's first result has the type of its receiver, a pointer, as in
// builders whose calls are chained. (A value receiver does not count: a time in UTC is another time than a
// local one, though both may look the same here.)
func returnsReceiver(i int, s *testcase.Sequence, results [][]types.Type) bool {
	receiver := s.At(i).Args[0]
	if len(results[i]) == 0 {
		return false
	}
	if _, pointer := types.Unalias(results[i][0]).(*types.Pointer); !pointer {
		return false
	}
	return types.Identical(results[i][0], results[receiver.Stmt][receiver.Result])
}

// manyStatements: in a sequence of more statements than this, literals are not simplified one by one. That
// would take too many runs, and such a sequence usually needs its size, not its values.
const manyStatements = 400

// literals proposes simpler literals and fewer elements.
func literals(s *subject) []edit {
	var out []edit
	large := s.seq.Len() > manyStatements
	for i := s.seq.Len() - 1; i >= 0; i-- {
		st := s.seq.At(i)
		switch st.Op.Kind {
		case testcase.OpLiteral:
			if large {
				continue
			}
			for _, op := range simpler(st.Op) {
				out = append(out, replace(i, op))
			}
		case testcase.OpComposite, testcase.OpStubFunc, testcase.OpStubIface, testcase.OpMakeChan:
			for _, f := range fewer(st) {
				out = append(out, edit{{at: i, kind: replaced, by: f}})
			}
		}
	}
	if large {
		return out
	}
	return append(out, equalLiterals(s.seq)...)
}

// equalLiterals proposes to replace all equal literals by the same simpler one. This helps if literals must
// be equal, so that no literal can become simpler alone.
func equalLiterals(s *testcase.Sequence) []edit {
	var out []edit
	done := make([]bool, s.Len())
	for i := range s.Len() {
		op := s.At(i).Op
		if done[i] || op.Kind != testcase.OpLiteral || weight(op) <= 1 {
			continue
		}
		places := []int{i}
		for j := i + 1; j < s.Len(); j++ {
			if o := s.At(j).Op; o.Kind == testcase.OpLiteral && o.Lit == op.Lit {
				places = append(places, j)
				done[j] = true
			}
		}
		if len(places) < 2 {
			continue
		}
		for _, o := range simpler(op) {
			var e edit
			for _, j := range places {
				c := *s.At(j).Op
				c.Lit = o.Lit
				e = append(e, replace(j, &c)...)
			}
			out = append(out, e)
		}
	}
	return out
}
