package finding

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// MarkBroken marks outcomes of sequences that end with a call of RepOK or CheckInvariants which says no, if
// users of the package can make the object. An earlier call has broken the invariant then.
func MarkBroken(rules *usage.Rules, seqs []*testcase.Sequence, outcomes []*testcase.Outcome) {
	pkg := rules.Pkg
	for i, o := range outcomes {
		if o == nil || o.Status != testcase.Returned || o.Violated != "" {
			continue
		}
		method := asksInvariant(pkg, seqs[i])
		if method == "" || !SaysBroken(seqs[i], o) {
			continue
		}
		at := breaker(pkg, seqs[i])
		if at < 0 || asksNothing(seqs[i], o) {
			continue
		}
		// The statements that only lead the question to a part of an object are no use of the package.
		keep := make([]bool, seqs[i].Len())
		for k := range at + 1 {
			keep[k] = true
		}
		if s, ok := seqs[i].Keep(keep); ok {
			a := approachOf(rules, &testcase.Case{Seq: s, Observed: o})
			a.judge(pkg, s)
			if !a.inside && !a.raw && !a.odd && !a.bare && len(a.nils) == 0 {
				o.Violated = method
			}
		}
	}
}

// asksInvariant returns the name of the invariant method that a sequence ends with, or "" if it ends in
// another way.
func asksInvariant(pkg *load.Package, s *testcase.Sequence) string {
	st := s.Last()
	if st.Op.Kind != testcase.OpMethod || st.Op.Func.Pkg() != pkg.Types || len(st.Args) != 1 {
		return ""
	}
	if name := st.Op.Func.Name(); load.IsInvariant(name) {
		return name
	}
	return ""
}

// AsksInvariant reports whether a sequence ends by asking an object whether it is valid, by its method or by
// the contract made of the method.
func AsksInvariant(s *testcase.Sequence) bool {
	switch op := s.Last().Op; op.Kind {
	case testcase.OpCheck:
		return op.Check.Contract == "invariant"
	case testcase.OpMethod:
		return load.IsInvariant(op.Func.Name()) && len(s.Last().Args) == 1
	}
	return false
}

// toldNo reports whether the last statement's only result is false, or an error.
func toldNo(o *testcase.Outcome) bool {
	if o.At >= len(o.Results) || len(o.Results[o.At]) != 1 {
		return false
	}
	v := o.Results[o.At][0]
	return v.Kind == testcase.Bool && v.Bits == 0 || v.Kind == testcase.Interface
}

// SaysBroken reports whether a sequence ends by asking an object whether it is valid, and the answer was no. Where a
// nil pointer is asked there is no object. Nor is there one yet where a part of an object has its zero value: an element
// that nobody has set, a field that is set later.
func SaysBroken(s *testcase.Sequence, o *testcase.Outcome) bool {
	if o.Status != testcase.Returned || o.At != s.Len()-1 || !toldNo(o) {
		return false
	}
	asked := s.Last().Args[0]
	v := askedValue(o, asked)
	if s.At(asked.Stmt).Op.Kind == testcase.OpAddr {
		asked = s.At(asked.Stmt).Args[0]
		v = elem(v, testcase.Pointer, 0)
	}
	switch s.At(asked.Stmt).Op.Kind {
	case testcase.OpField, testcase.OpIndex:
		return !isZero(v)
	}
	return v.Kind != testcase.Nil
}

// asksNothing reports whether the object that a sequence asks at its end is a result that need not be valid.
func asksNothing(s *testcase.Sequence, o *testcase.Outcome) bool {
	ref, _ := askedObject(s)
	op := s.At(ref.Stmt).Op
	return op.IsCall() && ref.Stmt < len(o.Results) && isNoObject(op, o.Results[ref.Stmt], ref.Result)
}

// askedValue returns what was observed of the value that the last statement of a sequence asks.
func askedValue(o *testcase.Outcome, ref testcase.Ref) testcase.Value {
	if len(o.Final) > 0 {
		return o.Final[0]
	}
	if ref.Stmt < len(o.Results) && ref.Result < len(o.Results[ref.Stmt]) {
		return o.Results[ref.Stmt][ref.Result]
	}
	return testcase.Value{}
}

// askedObject returns the object that the question at the end of a sequence is about, and the steps that
// lead from the object to the part that is asked. Statements in front of the question may take an address,
// follow a pointer, read a field, look up an element or look into an interface.
func askedObject(s *testcase.Sequence) (testcase.Ref, []testcase.Step) {
	ref := s.Last().Args[0]
	var steps []testcase.Step
	for ref.Stmt > 0 {
		st := s.At(ref.Stmt)
		step := testcase.Step{Type: s.ResultTypes()[ref.Stmt][ref.Result]}
		switch st.Op.Kind {
		case testcase.OpField:
			step.Field = st.Op.Var
		case testcase.OpIndex:
			step.Index = s.Expression(st.Args[1], nil)
		case testcase.OpAssert:
			step.Held = true
		case testcase.OpAddr, testcase.OpDeref:
		default:
			return ref, steps
		}
		// A value that was there before the last call counts as an object by itself.
		called := false
		for i := ref.Stmt + 1; i < s.Len()-1; i++ {
			called = called || s.At(i).Op.Kind == testcase.OpFunc || s.At(i).Op.Kind == testcase.OpMethod
		}
		if called {
			break
		}
		if st.Op.Kind != testcase.OpAddr && st.Op.Kind != testcase.OpDeref {
			steps = append([]testcase.Step{step}, steps...)
		}
		ref = st.Args[0]
	}
	return ref, steps
}

// breaker returns the last call of the package, before the last statement, that may have reached the last statement's
// receiver, or -1 if there is none. Earlier questions do not count, because they change nothing.
func breaker(pkg *load.Package, s *testcase.Sequence) int {
	recv, _ := askedObject(s)
	for at := s.Len() - 2; at >= recv.Stmt; at-- {
		st := s.At(at)
		if st.Op.Kind != testcase.OpFunc && st.Op.Kind != testcase.OpMethod {
			continue
		}
		switch {
		case st.Op.Func.Pkg() == pkg.Types && load.IsInvariant(st.Op.Func.Name()):
		case reaches(pkg, s, at, recv):
			if st.Op.Func.Pkg() != pkg.Types {
				return -1
			}
			return at
		}
	}
	return -1
}

// AskedBefore returns inquiries that show whether the object of a marked sequence, or another one, was broken before the
// call that the marked sequence blames.
func (p Predicates) AskedBefore(pkg *load.Package, s *testcase.Sequence, o *testcase.Outcome) []*testcase.Sequence {
	if o.Violated == "" || o.Violated != asksInvariant(pkg, s) {
		return nil
	}
	at := breaker(pkg, s)
	var out []*testcase.Sequence
	for _, q := range p.Questions(pkg, s, o) {
		if q.At < at {
			out = append(out, q.Seq)
		}
	}
	return out
}

// EndingAtBreak returns a case that ends with the call that broke an invariant, if c asks for the invariant
// behind that call. It returns other cases as they are.
func EndingAtBreak(pkg *load.Package, c *testcase.Case) *testcase.Case {
	if c.Observed.Violated == "" || c.Observed.Violated != asksInvariant(pkg, c.Seq) {
		return c
	}
	at := breaker(pkg, c.Seq)
	out := *c.Observed
	out.At, out.Results, out.Final = at, out.Results[:at+1], nil
	d := *c
	d.Seq, d.Target, d.Path, d.Predicted, d.Observed = c.Seq.Prefix(at+1), testcase.TargetName(c.Seq.At(at).Op.Func), nil, nil, &out
	ref, path := askedObject(c.Seq)
	d.Broken = &testcase.Part{Object: ref, Path: path}
	return &d
}

// brokenAfter returns the invariant that does not hold after the call that a case tests, or "" if there is
// none. If all inputs are valid, the case itself may end with the question.
func brokenAfter(c *testcase.Case) string {
	o, last := c.Observed, c.Seq.Len()-1
	op := c.Seq.At(last).Op
	if !c.Whole || op.Kind != testcase.OpMethod || o.Status != testcase.Returned || last >= len(o.Results) || len(o.Results[last]) != 1 {
		return ""
	}
	switch v := o.Results[last][0]; {
	case op.Func.Name() == "RepOK" && v.Kind == testcase.Bool && v.Bits == 0, op.Func.Name() == "CheckInvariants" && v.Kind == testcase.Interface:
		return op.Func.Name()
	}
	return ""
}

// WithoutQuestion returns a finding in the form in which tests show it: its case ends with the call that
// breaks the invariant.
func WithoutQuestion(f *testcase.Finding) *testcase.Finding {
	predicate := brokenAfter(f.Case)
	if predicate == "" {
		return f
	}
	n := f.Case.Seq.Len() - 1
	c, o := *f.Case, *f.Case.Observed
	o.At, o.Results, o.Final, o.Violated, o.ViolatedAt = n-1, o.Results[:n], nil, predicate, f.Pos
	ref, path := askedObject(f.Case.Seq)
	c.Seq, c.Observed, c.Broken = c.Seq.Prefix(n), &o, &testcase.Part{Object: ref, Path: path}
	g := *f
	g.Case = &c
	return &g
}

// OnInvalid returns those cases whose own call gets an input that the case writes out and that is not valid, as run, which runs
// sequences, says: the receiver, and the arguments as well if all is set. Nothing is promised of such calls.
func OnInvalid(pkg *load.Package, cases []*testcase.Case, all bool, run func([]*testcase.Sequence) ([]*testcase.Outcome, error)) (map[*testcase.Case]bool, error) {
	var seqs []*testcase.Sequence
	var of []*testcase.Case
	for _, c := range cases {
		for _, s := range asksWritten(pkg, c, all) {
			seqs, of = append(seqs, s), append(of, c)
		}
	}
	if len(seqs) == 0 {
		return nil, nil
	}
	outcomes, err := run(seqs)
	invalid := make(map[*testcase.Case]bool)
	for i, o := range outcomes {
		if o != nil && o.Status == testcase.Returned && o.Results[seqs[i].Len()-1][0].Bits == 0 {
			invalid[of[i]] = true
		}
	}
	return invalid, err
}

// asksWritten returns sequences that ask inputs of a case's own call, before that call, whether they are valid: the receiver, and the
// arguments as well if all is set. Asked are those that the case writes out and that have a predicate, their own or one that a
// field promotes. The calls of predicates have none.
func asksWritten(pkg *load.Package, c *testcase.Case, all bool) []*testcase.Sequence {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	isMethod := st.Op.Kind == testcase.OpMethod
	if !isMethod && !all || !isMethod && st.Op.Kind != testcase.OpFunc || c.Whole || load.IsInvariant(st.Op.Func.Name()) {
		return nil
	}
	inputs := st.Args
	if !all {
		inputs = inputs[:1]
	}
	var out []*testcase.Sequence
	for _, input := range inputs {
		made := c.Seq.At(input.Stmt)
		if made.Op.Kind == testcase.OpAddr {
			made = c.Seq.At(made.Args[0].Stmt)
		}
		if made.Op.Kind != testcase.OpComposite && made.Op.Kind != testcase.OpLiteral && made.Op.Kind != testcase.OpConvert {
			continue
		}
		t := c.Seq.ResultTypes()[input.Stmt][input.Result]
		obj, _, _ := types.LookupFieldOrMethod(t, true, pkg.Types, "RepOK")
		predicate, ok := obj.(*types.Func)
		if !ok || !load.IsPredicate(predicate) {
			continue
		}
		var args []types.Type // of the type that has the predicate
		if named := load.NamedOf(t); named != nil {
			args = slices.Collect(named.TypeArgs().Types())
		}
		ask := testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: predicate, TypeArgs: args}, Args: []testcase.Ref{input}}
		out = append(out, c.Seq.Prefix(at).Extend(ask))
	}
	return out
}

// OnZero reports whether an input of a case's own call is a zero value of a type with a predicate, which no call was passed before.
func OnZero(pkg *load.Package, c *testcase.Case) bool {
	return slices.ContainsFunc(c.Seq.At(c.TargetStmt()).Args, func(input testcase.Ref) bool {
		for i := range c.TargetStmt() {
			if st := c.Seq.At(i); st.Op.IsCall() && slices.Contains(st.Args, input) {
				return false
			}
		}
		made := c.Seq.At(input.Stmt)
		if made.Op.Kind == testcase.OpAddr {
			made = c.Seq.At(made.Args[0].Stmt)
		}
		if made.Op.Kind != testcase.OpZero {
			return false
		}
		obj, _, _ := types.LookupFieldOrMethod(c.Seq.ResultTypes()[input.Stmt][input.Result], true, pkg.Types, "RepOK")
		predicate, ok := obj.(*types.Func)
		return ok && load.IsPredicate(predicate)
	})
}
