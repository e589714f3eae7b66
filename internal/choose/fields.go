package choose

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/choose/outcome"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/testcase"
)

// This file chooses the fields that tests assert of large results and of changed objects, by the mutants that they notice.

// chooseFields runs cases against all mutants that they reach and returns the mutants that each case notices.
// Of a large result a test asserts only some fields. chooseFields picks them greedily, the field that notices
// most mutants first, until these fields and the results that are no structs notice all that the case can
// notice. It sets the chosen fields in each case. A mutant that some case notices as users would, and that a reader can follow, is not
// noticed by unexported fields. The parameter pair reports which mutants matter for a case.
// If it is nil, all mutants matter, and the search for a mutant stops at enoughKillers. When the context ends, chooseFields
// returns the mutants that the cases are known to notice by then with the context's error, and leaves the cases' fields as
// they are.
func (m *mutantChooser) chooseFields(ctx context.Context, cases []*testcase.Case, pair func(k, id int) bool) ([][]int, error) {
	type notice struct {
		id     int
		fields []testcase.FieldRef // nil if the case notices the mutant by something else as well
	}
	by := make([][]notice, len(cases))
	most := 0
	if pair == nil {
		most = enoughKillers
	}
	_, err := m.planted.Cases(ctx, cases, mutate.Options{All: true, Most: most, Pair: pair, Noticed: func(k, id int, base, got *testcase.Outcome) {
		if f := cases[k].Seq.At(min(got.At, cases[k].TargetStmt())).Op.Func; got.Status != base.Status && got.At < cases[k].TargetStmt() && f != nil && testcase.TargetName(f) == m.planted.Mutants()[id-1].Func {
			return // a preparing call failed by itself, which its own tests are to notice
		}
		fields, other := mutate.Fields(base, got, mutate.SeenBy(cases[k]))
		if last := cases[k].Seq.Last().Op; last.IsCall() && m.ReadsOnly(last) {
			fields = slices.DeleteFunc(fields, func(f testcase.FieldRef) bool { return f.Stmt < 0 }) // a test does not look at what such a call leaves
			if len(fields) == 0 && !other {
				return
			}
		}
		isPublic := func(f testcase.FieldRef) bool { return !m.isUnexported(cases[k], f) }
		if c := cases[k]; m.given.Exported[c.Target] && !outcome.IsLong(c) && !m.handBuilt(c) && (other || slices.ContainsFunc(fields, isPublic)) {
			m.public[id] = true
		}
		if other {
			fields = nil
		}
		by[k] = append(by[k], notice{id, fields})
	}})
	out := make([][]int, len(cases))
	for k, c := range cases {
		telling := make(map[testcase.FieldRef][]int) // the mutants that only this field notices
		for _, n := range by[k] {
			fields := n.fields
			if m.public[n.id] && fields != nil {
				if fields = slices.DeleteFunc(slices.Clone(fields), func(f testcase.FieldRef) bool { return m.isUnexported(c, f) }); len(fields) == 0 {
					continue // other cases show as much to users
				}
			}
			out[k] = append(out[k], n.id)
			for _, f := range fields {
				telling[f] = append(telling[f], n.id)
			}
		}
		slices.Sort(out[k])
		if err == nil {
			c.Fields = outcome.CheapestFields(c, telling)
		}
	}
	return out, err
}

// isUnexported reports whether a field of what a case of an exported function returns or changes is one that users do not see.
func (m *mutantChooser) isUnexported(c *testcase.Case, f testcase.FieldRef) bool {
	if fn := c.Seq.At(c.TargetStmt()).Op.Func; fn == nil || !fn.Exported() {
		return false
	}
	ref := testcase.Ref{Stmt: f.Stmt, Result: f.Result}
	if f.Stmt < 0 {
		args := c.Seq.Last().Args
		if f.Result >= len(args) {
			return false
		}
		ref = args[f.Result]
	}
	t := c.Seq.ResultTypes()[ref.Stmt][ref.Result]
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	return ok && f.Field < st.NumFields() && !m.isSeen(t, st.Field(f.Field))
}

// isSeen reports whether users see a field of a struct: it is exported, a method returns it, or it is an embedded struct with a field that they see.
func (m *mutantChooser) isSeen(t types.Type, f *types.Var) bool {
	if f.Exported() || m.Pkg.Accessor(t, f) != nil {
		return true
	}
	st, ok := f.Type().Underlying().(*types.Struct)
	return ok && f.Embedded() && slices.ContainsFunc(slices.Collect(st.Fields()), func(part *types.Var) bool {
		return part.Exported() || m.Pkg.Accessor(f.Type(), part) != nil
	})
}

// shownToUsers returns which mutants tests need not notice by unexported fields: those that the given ones of the tests notice on
// objects of the same type, for what a setter sets shows in what is made of the object; and of methods whose effect shows in
// this way those in what they return, which is their object to go on with.
func (m *mutantChooser) shownToUsers(given, tests []*testcase.Case, kills [][]int) func(c *testcase.Case, id int) bool {
	object := func(c *testcase.Case) string {
		// The signature of a helper through which a method is called has no receiver.
		if st := c.Seq.At(c.TargetStmt()); st.Op.Kind == testcase.OpMethod {
			return objectType(st.Op.Func.Signature().Recv().Type())
		}
		return ""
	}
	among := make(map[*testcase.Case]bool)
	for _, c := range given {
		among[c] = true
	}
	noticed, effect := make(map[string]bool), make(map[string]bool)
	for i, c := range tests {
		for _, id := range kills[i] {
			if on := object(c); on != "" && among[c] {
				mutant := m.planted.Mutants()[id-1]
				noticed[fmt.Sprint(on, id)], effect[mutant.Func] = true, effect[mutant.Func] || mutant.Operator != mutate.ReturnVal
			}
		}
	}
	return func(c *testcase.Case, id int) bool {
		mutant, on := m.planted.Mutants()[id-1], object(c)
		sig := c.Seq.At(c.TargetStmt()).Op.Signature()
		again := on != "" && sig.Recv() != nil && sig.Results().Len() == 1 && types.Identical(sig.Recv().Type(), sig.Results().At(0).Type())
		return noticed[fmt.Sprint(on, id)] || again && effect[c.Target] && mutant.Operator == mutate.ReturnVal && mutant.Func == c.Target
	}
}
