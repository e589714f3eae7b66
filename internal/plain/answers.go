package plain

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// Answers returns the sequence of a case with stand-ins for functions that return something other than zeros.
// A stand-in without a script returns zeros, and with zeros a test cannot show whether the result was used.
func Answers(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	give := distinct(whole)(pkg, c)
	empty, loose, target := emptyAnswers(c.Seq), looseAnswers(pkg, c.Seq), c.Seq.At(c.TargetStmt()).Op.Func
	if target != nil && pkg.Func(target.Origin()) == nil {
		target = nil // what it asks is not known
	}
	return rebuilt(c.Seq, func(i int, out *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if loose[i] {
			text := &testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.String]}
			return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: text.Type, Lit: give(text, "")}}, true
		}
		if empty[i] {
			mark := len(*out)
			made, ok := someObject(pkg, out, st.Op.Type, 1)
			if !ok {
				*out = (*out)[:mark]
				return st, false
			}
			return made, true
		}
		methods := answering(pkg, st.Op)
		if len(methods) == 0 {
			return st, false
		}
		a := &answers{pkg: pkg, give: give, op: *st.Op, out: out}
		mark := len(*out)
		for _, m := range methods {
			if m.of == nil || target == nil || pkg.Mentions(target, m.of) {
				a.add(m.name, m.sig)
			}
		}
		if len(a.op.Stub) == 0 {
			*out = (*out)[:mark]
			return st, false
		}
		anew := testcase.Statement{Op: &a.op}
		for _, s := range a.script {
			anew.Args = append(anew.Args, testcase.Ref{Stmt: len(*out)})
			*out = append(*out, s)
		}
		return anew, true
	})
}

// answering returns what of a stand-in without a script can be given an answer: the function, or the methods of an interface that
// has few of them and is none of the standard library's, whose methods promise more than their types say.
func answering(pkg *load.Package, op *testcase.Operation) (out []method) {
	const mostMethods = 3
	if op.Kind != testcase.OpStubFunc && op.Kind != testcase.OpStubIface || len(op.Stub) > 0 {
		return nil
	}
	switch u := op.Type.Underlying().(type) {
	case *types.Signature:
		return []method{{"", u, nil}}
	case *types.Interface:
		named := load.NamedOf(op.Type)
		if named == nil || named.Obj().Pkg() == nil || u.NumMethods() > mostMethods || named.Obj().Pkg() != pkg.Types && gosyntax.IsStandard(named.Obj().Pkg().Path(), pkg.Module) {
			return nil
		}
		for m := range u.Methods() {
			if m.Exported() && !testcase.ReturnsItself(op.Type, m.Signature()) {
				out = append(out, method{m.Name(), m.Signature(), m})
			}
		}
	}
	return out
}

// method is a method of a stand-in, or its function, which has no name.
type method struct {
	name string
	sig  *types.Signature
	of   *types.Func // nil for a function
}

// answers are the answers of one stand-in.
type answers struct {
	pkg    *load.Package
	give   choice
	op     testcase.Operation // the stand-in, with the calls that it answers
	script []testcase.Statement
	out    *[]testcase.Statement // what the answers need
}

// add adds an answer of a method, if there is one that is not zero.
func (a *answers) add(name string, sig *types.Signature) {
	from, mark, some := len(a.script), len(*a.out), false
	for r := range sig.Results().Variables() {
		zero := &testcase.Operation{Kind: testcase.OpZero, Type: r.Type()}
		if changeable(a.pkg, zero) && !isTruth(r.Type()) {
			zero = &testcase.Operation{Kind: testcase.OpLiteral, Type: r.Type(), Lit: a.give(zero, r.Name())}
			some = true
		} else if gosyntax.IsAny(r.Type()) {
			text := &testcase.Operation{Kind: testcase.OpZero, Type: types.Typ[types.String]}
			zero = &testcase.Operation{Kind: testcase.OpLiteral, Type: text.Type, Lit: a.give(text, r.Name())}
			some = true
		} else if made, ok := someObject(a.pkg, a.out, r.Type(), 1+len(a.script)); ok { // the first is what the test passes
			a.script, some = append(a.script, made), true
			continue
		}
		a.script = append(a.script, testcase.Statement{Op: zero})
	}
	if !some {
		a.script, *a.out = a.script[:from], (*a.out)[:mark]
		return
	}
	a.op.Stub = append(a.op.Stub, testcase.StubCall{Method: name, From: from, To: len(a.script)})
}

// emptyAnswers returns the statements that make empty lists, or nil, for stand-ins alone to return beside no error.
func emptyAnswers(s *testcase.Sequence) map[int]bool {
	uses, out := make(map[int]int), make(map[int]bool)
	for i := range s.Len() {
		for _, a := range s.At(i).Args {
			uses[a.Stmt]++
		}
	}
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Kind != testcase.OpStubFunc {
			continue
		}
		for _, call := range st.Op.Stub {
			if call.To > len(st.Args) || call.To-call.From < 1 || fails(s, st.Args[call.To-1]) {
				continue
			}
			for _, a := range st.Args[call.From:call.To] {
				out[a.Stmt] = uses[a.Stmt] == 1 && isEmpty(s.At(a.Stmt))
			}
		}
	}
	return out
}

// looseAnswers marks the statements whose values stand-ins return as values of any type, and nobody chose: pointers to nothing, nil.
func looseAnswers(pkg *load.Package, s *testcase.Sequence) map[int]bool {
	out := make(map[int]bool)
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Kind != testcase.OpStubFunc {
			continue
		}
		results := st.Op.Type.Underlying().(*types.Signature).Results()
		for _, call := range st.Op.Stub {
			for k := range min(call.To, len(st.Args)) - call.From {
				a := st.Args[call.From+k]
				if k >= results.Len() || !gosyntax.IsAny(results.At(k).Type()) || fails(s, st.Args[min(call.To, len(st.Args))-1]) {
					continue
				}
				if op := s.At(a.Stmt).Op; op.Kind == testcase.OpZero || op.Kind == testcase.OpAddr || op.Kind == testcase.OpConvert {
					_, out[a.Stmt] = unchosen(pkg, s, a)
				}
			}
		}
	}
	return out
}

// someObject makes an object where a stand-in returns one, or a list of one object. It appends what the object needs to out. The
// parameter n tells several objects of one stand-in apart.
func someObject(pkg *load.Package, out *[]testcase.Statement, t types.Type, n int) (testcase.Statement, bool) {
	if list, ok := t.Underlying().(*types.Slice); ok {
		elem, ok := someObject(pkg, out, list.Elem(), n)
		if !ok {
			return testcase.Statement{}, false
		}
		*out = append(*out, elem)
		made := &testcase.Operation{Kind: testcase.OpComposite, Type: t, N: 1}
		return testcase.Statement{Op: made, Args: []testcase.Ref{{Stmt: len(*out) - 1}}}, true
	}
	if f := foreignMaker(pkg, t); f != nil {
		return callOfMaker(pkg, out, f, n), true
	}
	if _, ok := t.Underlying().(*types.Pointer); ok {
		if f := constructor(pkg, t); f != nil {
			return testcase.Statement{Op: f}, true
		}
	}
	return testcase.Statement{}, false
}

// Direct is a way that passes a stand-in for a function where functions of the package made one for this call alone. A reader of
// Recoverer(h) asks what h does, and finds another middleware that has nothing to do with it. Options are what functions make.
func Direct(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	uses, passed := make(map[int]int), make(map[int]bool)
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		for k, a := range st.Args {
			uses[a.Stmt]++
			isReceiver := k == 0 && (st.Op.Kind == testcase.OpMethod || st.Op.Kind == testcase.OpCallValue)
			passed[a.Stmt] = passed[a.Stmt] || !isReceiver && (ownCall(pkg, st.Op) || st.Op.Kind == testcase.OpCallValue)
		}
	}
	results := c.Seq.ResultTypes()
	makes := func(i int) bool {
		op := c.Seq.At(i).Op
		return i < c.TargetStmt() && (ownCall(pkg, op) && op.Via == nil || op.Kind == testcase.OpCallValue) && len(results[i]) == 1 && isFunction(results[i][0]) && !usage.IsOption(pkg, results[i][0])
	}
	seq, ok := rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		if !makes(i) || uses[i] != 1 || !passed[i] {
			return c.Seq.At(i), false
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpStubFunc, Type: results[i][0]}}, true
	})
	if !ok {
		return nil, false
	}
	return withoutMakers(pkg, seq)
}

// Nothing is a way that passes nothing for a variadic parameter where a list without elements is spread over it. Nobody writes
// f([]T{}...), and a function may well tell it from f().
func Nothing(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	at := c.TargetStmt()
	st := c.Seq.At(at)
	if !st.Op.Spread || len(st.Args) == 0 {
		return nil, false
	}
	if list := c.Seq.At(st.Args[len(st.Args)-1].Stmt); list.Op.Kind != testcase.OpComposite && list.Op.Kind != testcase.OpZero || len(list.Args) > 0 || list.Op.N > 0 {
		return nil, false
	}
	op := *st.Op
	op.Spread = false
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	stmts[at] = testcase.Statement{Op: &op, Args: slices.Clone(st.Args[:len(st.Args)-1])}
	return trimmed(stmts)
}

// Found is a way by which stand-ins that answer with something say that there is something: the last of their results is a truth
// that says so, and nobody implements a lookup that returns a value and false.
func Found(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	changed := make(map[int]bool) // the statements of truths that become true
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface {
			continue
		}
		for _, call := range st.Op.Stub {
			if call.To-call.From != 2 {
				continue
			}
			value, found := c.Seq.At(st.Args[call.From].Stmt).Op, st.Args[call.From+1].Stmt
			if isFalse(c.Seq.At(found).Op) && value.Kind == testcase.OpLiteral && value.Lit != (testcase.Literal{Kind: value.Lit.Kind}) {
				changed[found] = true
			}
		}
	}
	if len(changed) == 0 {
		return nil, false
	}
	return rebuilt(c.Seq, func(i int, _ *[]testcase.Statement) (testcase.Statement, bool) {
		st := c.Seq.At(i)
		if !changed[i] {
			return st, false
		}
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: st.Op.Type, Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}}}, true
	})
}

// isFalse reports whether an operation makes a truth that is false.
func isFalse(op *testcase.Operation) bool {
	if op.Kind != testcase.OpZero && op.Kind != testcase.OpLiteral || op.Type == nil {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0 && op.Lit.Bits == 0
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// withoutMakers drops calls whose only result is a function that nothing uses, and the objects that they alone were called on.
func withoutMakers(pkg *load.Package, s *testcase.Sequence) (*testcase.Sequence, bool) {
	uses := make([]int, s.Len())
	for i := range s.Len() {
		for _, a := range s.At(i).Args {
			uses[a.Stmt]++
		}
	}
	keep, results := make([]bool, s.Len()), s.ResultTypes()
	for i := s.Len() - 1; i >= 0; i-- {
		st := s.At(i)
		keep[i] = i == s.Len()-1 || uses[i] > 0 || len(results[i]) != 1 || !isFunction(results[i][0])
		if st.Op.Kind == testcase.OpMethod && ownCall(pkg, st.Op) {
			keep[i] = keep[i] || uses[st.Args[0].Stmt] > 1 // the call may have changed an object that others use
		}
		if !keep[i] {
			for _, a := range st.Args {
				uses[a.Stmt]--
			}
		}
	}
	left, ok := s.Keep(keep)
	if !ok {
		return nil, false
	}
	return trimmed(left.AppendTo(nil))
}

// isTruth reports whether a type is a boolean. False is as good an answer as true, so a zero of such a type
// need not be replaced.
func isTruth(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// Failures returns the sequence of a case whose stand-ins return zeros beside an error, as functions
// usually do.
func Failures(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	uses := make([]int, len(stmts))
	for _, st := range stmts {
		for _, a := range st.Args {
			uses[a.Stmt]++
		}
	}
	changed := false
	for _, st := range c.Seq.AppendTo(nil) {
		if st.Op.Kind != testcase.OpStubFunc && st.Op.Kind != testcase.OpStubIface {
			continue
		}
		for _, call := range st.Op.Stub {
			if call.To-call.From < 2 || call.To > len(st.Args) || !fails(c.Seq, st.Args[call.To-1]) {
				continue
			}
			for _, a := range st.Args[call.From : call.To-1] {
				if op := stmts[a.Stmt].Op; op.Kind == testcase.OpLiteral && op.Choice == nil && uses[a.Stmt] == 1 {
					stmts[a.Stmt] = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: op.Type}}
					changed = true
				}
			}
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// mostFailing is how many methods of the stand-ins of one case fail, one in each variant.
const mostFailing = 4

// Failing returns variants of a case's sequence in each of which one method of a stand-in fails, or a stand-in for a function does:
// the method returns an error, its function mentions it, and it does nothing in the case. What a caller makes of that is half of
// what it does with a dependency.
func Failing(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	errorsNew, target := importedFunc(pkg, "errors", "New"), c.Seq.At(c.TargetStmt()).Op.Func
	if errorsNew == nil || target == nil || pkg.Func(target.Origin()) == nil {
		return nil
	}
	var out []*testcase.Sequence
	for i := range c.TargetStmt() {
		for _, m := range failable(pkg, c.Seq.At(i).Op) {
			if m.of != nil && !pkg.Mentions(target, m.of) || len(out) == mostFailing {
				continue
			}
			seq, ok := rebuilt(c.Seq, func(k int, before *[]testcase.Statement) (testcase.Statement, bool) {
				st := c.Seq.At(k)
				if k != i {
					return st, false
				}
				return failing(st, m, errorsNew, before), true
			})
			if ok {
				out = append(out, seq)
			}
		}
	}
	return out
}

// failable returns what of a stand-in without answers can fail: the function, or methods of an interface of the package.
func failable(pkg *load.Package, op *testcase.Operation) (out []method) {
	if op.Kind != testcase.OpStubFunc && op.Kind != testcase.OpStubIface || len(op.Stub) > 0 {
		return nil
	}
	fails := func(sig *types.Signature) bool {
		n := sig.Results().Len()
		return n > 0 && gosyntax.IsError(sig.Results().At(n-1).Type())
	}
	switch u := op.Type.Underlying().(type) {
	case *types.Signature:
		if fails(u) {
			out = append(out, method{"", u, nil})
		}
	case *types.Interface:
		if named := load.NamedOf(op.Type); named == nil || named.Obj().Pkg() != pkg.Types {
			return nil
		}
		for m := range u.Methods() {
			if m.Exported() && fails(m.Signature()) {
				out = append(out, method{m.Name(), m.Signature(), m})
			}
		}
	}
	return out
}

// failing returns a stand-in of which a method returns an error and zeros beside it.
func failing(st testcase.Statement, m method, errorsNew *types.Func, before *[]testcase.Statement) testcase.Statement {
	add := func(op *testcase.Operation, args ...testcase.Ref) testcase.Ref {
		*before = append(*before, testcase.Statement{Op: op, Args: args})
		return testcase.Ref{Stmt: len(*before) - 1}
	}
	op := *st.Op
	results := m.sig.Results()
	var args []testcase.Ref
	for i := range results.Len() - 1 {
		args = append(args, add(&testcase.Operation{Kind: testcase.OpZero, Type: results.At(i).Type()}))
	}
	text := add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: errorTexts[0]}})
	args = append(args, add(&testcase.Operation{Kind: testcase.OpFunc, Func: errorsNew}, text))
	op.Stub = []testcase.StubCall{{Method: m.name, From: 0, To: len(args)}}
	return testcase.Statement{Op: &op, Args: args}
}

// fails reports whether a result is an error that is not nil.
func fails(s *testcase.Sequence, r testcase.Ref) bool {
	t := s.ResultTypes()[r.Stmt][r.Result]
	return gosyntax.IsError(t) && s.At(r.Stmt).Op.Kind != testcase.OpZero
}
