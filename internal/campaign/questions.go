package campaign

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file makes the questions by which package campaign finds out which call breaks an object (blame.go).

// questions returns the questions that a case raises, in the order in which they would be answered.
func questions(pkg *load.Package, c *testcase.Case, valid map[*types.TypeName]*load.Target) []question {
	n := c.Seq.Len()
	if finding.AsksInvariant(c.Seq) {
		n--
	}
	if o := c.Observed; o.Status != testcase.Returned {
		n = min(n, o.At) // there is nothing to ask after the call that ended the case
	}
	all := c.Seq.ResultTypes()
	if n < c.Seq.Len() {
		if a := c.Seq.Last().Args[0]; !ofPackage(pkg, c.Seq.At(a.Stmt).Op) && !touched(pkg, c.Seq, a) {
			return ask(c.Seq, n-1, a, all, valid)
		}
	}
	known := make(map[testcase.Ref]bool) // objects that were passed to a call of the package
	var out []question
	for at := range n {
		st := c.Seq.At(at)
		if !ofPackage(pkg, st.Op) || load.IsInvariant(st.Op.Func.Name()) {
			continue
		}
		for _, a := range st.Args {
			if !known[a] {
				known[a] = true
				if !ofPackage(pkg, c.Seq.At(a.Stmt).Op) {
					out = append(out, ask(c.Seq, at-1, a, all, valid)...)
				}
			}
		}
		for _, a := range st.Args {
			out = append(out, ask(c.Seq, at, a, all, valid)...)
		}
		for r := range all[at] {
			ref := testcase.Ref{Stmt: at, Result: r}
			known[ref] = true
			out = append(out, ask(c.Seq, at, ref, all, valid)...)
		}
	}
	return out
}

// touched reports whether a call of the package takes an object before the last statement.
func touched(pkg *load.Package, s *testcase.Sequence, ref testcase.Ref) bool {
	for i := range s.Len() - 1 {
		if st := s.At(i); ofPackage(pkg, st.Op) && slices.Contains(st.Args, ref) {
			return true
		}
	}
	return false
}

// promotes reports whether an object's own predicate is that of an embedded field.
func promotes(t types.Type, f *types.Var, valid map[*types.TypeName]*load.Target) bool {
	named := load.NamedOf(f.Type())
	if named == nil || !f.Embedded() || valid[named.Origin().Obj()] == nil {
		return false
	}
	predicate := valid[named.Origin().Obj()].Obj
	obj, _, _ := types.LookupFieldOrMethod(t, true, predicate.Pkg(), predicate.Name())
	return obj == predicate
}

// mostAsked is how many elements of a list are asked: the first ones.
const mostAsked = 3

// mostDeep is how many fields lead from an object to a part that is asked.
const mostDeep = 2

// asking collects the questions after one statement of a sequence.
type asking struct {
	prefix *testcase.Sequence // up to the statement
	at     int
	all    [][]types.Type // the types of all results of the sequence
	valid  map[*types.TypeName]*load.Target
	out    []question
}

// ask returns the questions about an object, and about the parts that its fields lead to, by a pointer or by the
// elements of a list or a map, after a statement.
func ask(s *testcase.Sequence, at int, ref testcase.Ref, all [][]types.Type, valid map[*types.TypeName]*load.Target) []question {
	keep := make([]bool, s.Len())
	for i := range at + 1 {
		keep[i] = true
	}
	prefix, ok := s.Keep(keep)
	if !ok {
		return nil
	}
	a := &asking{prefix: prefix, at: at, all: all, valid: valid}
	t := all[ref.Stmt][ref.Result]
	a.add(ref, t)
	a.parts(ref, t, nil, mostDeep)
	return a.out
}

// add adds the question about an object, if its type has a predicate. The statements before lead to the object.
func (a *asking) add(ref testcase.Ref, t types.Type, before ...testcase.Statement) {
	named := load.NamedOf(t)
	if named == nil {
		return
	}
	m := a.valid[named.Origin().Obj()]
	if m == nil || m.Obj.Signature().TypeParams() != nil {
		return
	}
	_, have := types.Unalias(t).(*types.Pointer)
	_, want := types.Unalias(m.Obj.Signature().Recv().Type()).(*types.Pointer)
	stmts := slices.Clone(before)
	if want && !have {
		stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(t)}, Args: []testcase.Ref{ref}})
		ref = testcase.Ref{Stmt: a.prefix.Len() + len(stmts) - 1}
	}
	var args []types.Type
	for t := range named.TypeArgs().Types() {
		args = append(args, t)
	}
	stmts = append(stmts, testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: m.Obj, TypeArgs: args}, Args: []testcase.Ref{ref}})
	a.out = append(a.out, question{a.prefix.Extend(stmts...), a.at})
}

// parts adds the questions about what the fields of an object lead to. A field that holds a struct is part of its owner,
// not an object of its own.
func (a *asking) parts(ref testcase.Ref, t types.Type, before []testcase.Statement, deep int) {
	base := t
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		base = p.Elem()
	}
	st, ok := base.Underlying().(*types.Struct)
	if named := load.NamedOf(base); !ok || named == nil || named.TypeArgs().Len() > 0 || deep == 0 {
		return
	}
	for f := range st.Fields() {
		stmts := append(slices.Clone(before), testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpField, Type: f.Type(), Var: f}, Args: []testcase.Ref{ref}})
		field := testcase.Ref{Stmt: a.prefix.Len() + len(stmts) - 1}
		switch u := f.Type().Underlying().(type) {
		case *types.Pointer:
			a.add(field, f.Type(), stmts...)
			a.parts(field, f.Type(), stmts, deep-1)
		case *types.Slice:
			a.elements(field, u.Elem(), stmts, mostAsked)
		case *types.Array:
			a.elements(field, u.Elem(), stmts, min(mostAsked, int(u.Len())))
		case *types.Map:
			a.values(field, u, stmts)
		default:
			if promotes(t, f, a.valid) {
				a.add(field, f.Type(), stmts...)
			}
		}
	}
}

// asked reports whether elements of a type are pointers to objects that can be asked.
func (a *asking) asked(elem types.Type) bool {
	_, pointer := types.Unalias(elem).(*types.Pointer)
	named := load.NamedOf(elem)
	return pointer && named != nil && a.valid[named.Origin().Obj()] != nil
}

// elements adds the questions about the first elements of a list. Where there is none, the question has no answer.
func (a *asking) elements(list testcase.Ref, elem types.Type, before []testcase.Statement, n int) {
	if !a.asked(elem) {
		return
	}
	for i := range n {
		lit, _ := testcase.IntLiteral(types.Typ[types.Int], int64(i))
		index := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: lit}}
		a.element(list, elem, append(slices.Clone(before), index), testcase.Ref{Stmt: a.prefix.Len() + len(before)})
	}
}

// values adds the questions about what a map has under the constants that were passed before.
func (a *asking) values(m testcase.Ref, t *types.Map, before []testcase.Statement) {
	if !a.asked(t.Elem()) {
		return
	}
	seen := make(map[string]bool)
	for i := range a.prefix.Len() {
		key := testcase.Ref{Stmt: i}
		if a.prefix.At(i).Op.Kind != testcase.OpLiteral || !types.Identical(a.all[i][0], t.Key()) || seen[a.prefix.Expression(key, nil)] {
			continue
		}
		seen[a.prefix.Expression(key, nil)] = true
		a.element(m, t.Elem(), before, key)
	}
}

// element adds the question about one element of a list or a map.
func (a *asking) element(of testcase.Ref, elem types.Type, before []testcase.Statement, index testcase.Ref) {
	stmts := append(slices.Clone(before), testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpIndex, Type: elem}, Args: []testcase.Ref{of, index}})
	a.add(testcase.Ref{Stmt: a.prefix.Len() + len(stmts) - 1}, elem, stmts...)
}
