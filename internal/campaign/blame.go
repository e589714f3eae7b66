package campaign

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// This file finds out which call of a case breaks an object. After each call it asks the objects involved by
// their own RepOK or CheckInvariants: the receiver, an argument, a result, or an object in a field of one of
// these. The first call after which an object says that it is broken is to blame. The calls after it show no
// behaviour worth testing, and the object was valid before it.

// question asks whether an object is valid after the first at statements of a sequence.
type question struct {
	seq *testcase.Sequence // ends with the question
	at  int                // the number of statements before the question
}

// maxQuestions bounds how often objects are asked. Cases beyond it stay as they are.
const maxQuestions = 20_000

// blame replaces each case in which a call breaks an object by a case that ends with the question to
// that object.
func (g *gen) blame(ctx context.Context, bench *workbench, explored []engine.Explored) error {
	valid := g.invariants()
	if len(valid) == 0 || bench == nil {
		return nil
	}
	if err := g.zeroValues(ctx, bench, valid); err != nil {
		return err
	}
	var seqs []*testcase.Sequence
	number := make(map[string]int) // the number of each sequence in seqs, by its text
	asked := make(map[*testcase.Case][]question)
	for _, x := range explored {
		for _, c := range x.Cases {
			if c.Observed == nil || len(seqs) > maxQuestions {
				continue
			}
			qs := questions(g.Pkg, c, valid)
			asked[c] = qs
			for _, q := range qs {
				key := q.seq.Dump()
				if _, ok := number[key]; !ok {
					number[key] = len(seqs)
					seqs = append(seqs, q.seq)
				}
			}
		}
	}
	if len(seqs) == 0 {
		return nil
	}
	outcomes, err := g.answers(ctx, bench, seqs)
	if err != nil {
		return err
	}
	for i := range explored {
		x := &explored[i]
		for k, c := range x.Cases {
			for _, q := range asked[c] {
				n := number[q.seq.Dump()]
				if o := outcomes[n]; o != nil && finding.SaysBroken(seqs[n], o) {
					x.Cases[k] = blamed(g.Rules, c, seqs[n], o, q.at)
					break
				}
			}
		}
		x.Cases = slices.DeleteFunc(x.Cases, func(c *testcase.Case) bool { return c == nil })
	}
	return nil
}

// withoutBroken leaves out the tests in which a call breaks an object, and returns the findings that these are. The
// engines' cases with such calls have become findings, but a test may have got other values since, and would pin what
// the broken object does.
func (g *gen) withoutBroken(ctx context.Context, bench *workbench, tests []*testcase.Case) ([]*testcase.Case, []*testcase.Finding, error) {
	valid := g.invariants()
	if len(valid) == 0 || bench == nil {
		return tests, nil, nil
	}
	var asked []question
	var of []*testcase.Case
	var seqs []*testcase.Sequence
	for _, c := range tests {
		if f := c.Seq.At(c.TargetStmt()).Op.Func; f == nil || load.IsInvariant(f.Name()) {
			continue // the test shows what the predicate says of an invalid object
		}
		for _, q := range questions(g.Pkg, c, valid) {
			if q.at >= 0 && ofPackage(g.Pkg, q.seq.At(q.at).Op) { // else the input itself is asked
				asked, seqs, of = append(asked, q), append(seqs, q.seq), append(of, c)
			}
		}
	}
	outcomes, err := g.answers(ctx, bench, seqs)
	if err != nil {
		return tests, nil, err
	}
	broken := make(map[*testcase.Case]bool)
	var found []*testcase.Finding
	for i, o := range outcomes {
		if o == nil || broken[of[i]] || !finding.SaysBroken(seqs[i], o) {
			continue
		}
		broken[of[i]] = true
		if c := blamed(g.Rules, of[i], seqs[i], o, asked[i].at); c != nil {
			if _, f := bench.Judge.Case(c); f != nil && g.InScope(f.Func) {
				found = append(found, f)
			}
		}
	}
	for _, f := range found {
		f.Case = finding.EndingAtBreak(g.Pkg, f.Case)
	}
	found, _ = g.splitMisuse(g.Unknown(finding.Merge(g.Rules, found)))
	return slices.DeleteFunc(slices.Clone(tests), func(c *testcase.Case) bool { return broken[c] }), found, nil
}

// maxUnanswered is how many questions of one predicate may go on until they are ended.
const maxUnanswered = 2

// answers runs questions, a few at first. A predicate that does not return on some of these is asked no
// further questions, because waiting for all of them would take too long. Other predicates are asked all
// their questions.
func (g *gen) answers(ctx context.Context, bench *workbench, seqs []*testcase.Sequence) ([]*testcase.Outcome, error) {
	out := make([]*testcase.Outcome, len(seqs))
	unanswered := make(map[*types.Func]int)
	for from, n := 0, 4; from < len(seqs); n *= 8 {
		to := min(len(seqs), from+n)
		var at []int
		var part []*testcase.Sequence
		for i := from; i < to; i++ {
			if unanswered[seqs[i].Last().Op.Func] <= maxUnanswered {
				at, part = append(at, i), append(part, seqs[i])
			}
		}
		from = to
		more, err := bench.Runner(false).RunUnmarked(ctx, part)
		if err != nil {
			return nil, err
		}
		for k, o := range more {
			predicate := part[k].Last().Op.Func
			if o.Exhausted() || o != nil && o.Status == testcase.Deadlock {
				if unanswered[predicate]++; unanswered[predicate] == maxUnanswered+1 {
					g.silent(predicate)
				}
				continue
			}
			out[at[k]] = o
		}
	}
	return out, nil
}

// silent reports that a predicate does not always return, and where it is declared.
func (g *gen) silent(predicate *types.Func) {
	name := testcase.TargetName(predicate)
	g.Events.Send(event.Diagnostic{
		Pos:     g.Prog.Fset.Position(predicate.Pos()),
		Message: name + " does not always return: it is not asked any more whether a call breaks an object", Warning: true,
	})
}

// blamed returns the case that ends with the question after which an object is known to be broken. The case
// stays as it was if no call of the package had a part in the object before. The input itself was invalid
// then, and no call is to blame for what the invariant says later.
func blamed(rules *usage.Rules, c *testcase.Case, seq *testcase.Sequence, o *testcase.Outcome, at int) *testcase.Case {
	if at < 0 || !ofPackage(rules.Pkg, seq.At(at).Op) {
		if finding.AsksInvariant(c.Seq) && (c.Seq.Last().Op.Kind == testcase.OpCheck || c.Observed.Violated != "") {
			return nil
		}
		return c
	}
	op := seq.At(at).Op
	d := *c
	d.Seq, d.Observed, d.Path, d.Predicted, d.Checked, d.Fields = seq, o, nil, nil, nil, nil
	d.Target = testcase.TargetName(op.Func)
	finding.MarkBroken(rules, []*testcase.Sequence{seq}, []*testcase.Outcome{o})
	return &d
}

// ofPackage reports whether an operation calls a function of the package.
func ofPackage(pkg *load.Package, op *testcase.Operation) bool {
	return (op.Kind == testcase.OpFunc || op.Kind == testcase.OpMethod) && op.Func.Pkg() == pkg.Types
}

// invariants returns the methods by which types of the package say whether an object is valid.
func (g *gen) invariants() map[*types.TypeName]*load.Target {
	out := make(map[*types.TypeName]*load.Target)
	for _, t := range g.Pkg.Targets {
		if t.Recv == nil || !load.IsPredicate(t.Obj) {
			continue
		}
		if named := load.NamedOf(t.Recv); named != nil {
			if _, ok := out[named.Obj()]; !ok {
				out[named.Obj()] = t
			}
		}
	}
	return out
}

// zeroValues notes the types without a constructor whose zero value is not valid. No call is to blame
// for such a value, and no method can be expected to work on it.
func (g *gen) zeroValues(ctx context.Context, bench *workbench, valid map[*types.TypeName]*load.Target) error {
	for _, t := range g.Pkg.Targets {
		if t.Recv == nil {
			continue
		}
		named := load.NamedOf(t.Recv)
		if named == nil || valid[named.Obj()] != t || !named.Obj().Exported() || finding.HasConstructor(g.Pkg, named) {
			continue
		}
		var b testcase.Builder
		v := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: named})
		if _, pointer := types.Unalias(t.Recv).(*types.Pointer); pointer {
			v = b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t.Recv}, v)
		}
		b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: t.Obj, TypeArgs: t.TypeArgs}, v)
		seq := b.Sequence()
		outcomes, err := bench.Runner(false).RunUnmarked(ctx, []*testcase.Sequence{seq})
		if err != nil {
			return err
		}
		if outcomes[0] != nil && finding.SaysBroken(seq, outcomes[0]) {
			g.Events.Send(event.Diagnostic{
				Pos:     g.Prog.Fset.Position(named.Obj().Pos()),
				Message: fmt.Sprintf("the zero value of %s is not valid: %s says so, and no function makes one that is", named.Obj().Name(), t.Obj.Name()), Warning: true,
			})
		}
	}
	return nil
}

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
