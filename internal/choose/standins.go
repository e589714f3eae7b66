package choose

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// realParts knows values that people pass where engines pass stand-ins: functions that look at their
// arguments, objects of the package that implement an interface, and values of the standard library. A stand-in returns the same
// whatever it is given, so a test with it cannot show which arguments it was given.
type realParts struct {
	pkg     *load.Package
	givers  *giver.Room
	fillers []*container.Filler
	recipes map[string][]plain.Part // by type, calls that made objects of the package in some run
}

// mostFunctions is how many functions of one type are tried in place of a stand-in.
const mostFunctions = 3

// mostNils is how many nils of a case are tried to be replaced, one after the other.
const mostNils = 3

// ways returns, by step, the ways to use real parts in place of stand-ins and a value in place of a nil
// that does not matter. There are several for each place, because a call that rejects its first
// argument may accept another.
func (p *realParts) ways() [][]plain.Way {
	var ready []plain.Way
	for n := range mostFunctions {
		ready = append(ready, p.instead(func(op *testcase.Operation) (plain.Part, bool) { return p.readyMade(op, n) }))
	}
	var made []plain.Way
	for n := range mostRecipes {
		made = append(made, p.made(n))
	}
	var values []plain.Way
	for _, apart := range []bool{true, false} {
		for n := range mostFunctions {
			values = append(values, p.values(n, apart))
		}
	}
	steps := [][]plain.Way{{p.instead(p.emptyWriter)}, made, p.passed()[0], {record.Unrecorded}, {p.instead(p.implementation)}, ready, values, {p.given}, {p.plainRequests}}
	for n := range mostNils {
		steps = append(steps, []plain.Way{p.notNil(n)})
	}
	return append(steps, p.passed()...) // some functions need the value that took the place of a nil
}

// passed returns, by step, the ways to pass functions that people pass in place of stand-ins, without noting their calls.
func (p *realParts) passed() [][]plain.Way {
	var functions []plain.Way
	for n := range mostFunctions {
		functions = append(functions, p.instead(func(op *testcase.Operation) (plain.Part, bool) { return p.function(op, n) }))
	}
	return [][]plain.Way{functions, {record.Unrecorded}}
}

// Bounds of the calls that make objects.
const (
	mostRecipes   = 3 // of one type
	longestRecipe = 8 // statements
)

// learnRecipes finds the shortest calls that made objects of the package's types in executed cases, those that use no
// object written by hand.
func (p *realParts) learnRecipes(cases []*testcase.Case) {
	p.recipes = make(map[string][]plain.Part)
	seen := make(map[string]bool)
	for _, c := range cases {
		if c.Observed == nil || c.Observed.Status != testcase.Returned {
			continue
		}
		for i := range min(c.Seq.Len(), len(c.Observed.Results)) {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpFunc && op.Kind != testcase.OpMethod || op.Via != nil || !p.isOwnFunc(op.Func) || !op.Func.Exported() {
				continue
			}
			results, values := c.Seq.ResultTypes()[i], c.Observed.Results[i]
			if len(results) == 0 || !p.isOwn(results[0]) || len(values) != len(results) || values[0].Kind == testcase.Nil || values[len(values)-1].Err != nil {
				continue
			}
			part, ok := p.recipe(c.Seq, i)
			if !ok {
				continue
			}
			t := results[0]
			if held := p.heldBehind(t, values[0]); held != nil {
				part, t = part.Extend(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpAssert, Type: held}, Args: []testcase.Ref{{Stmt: part.Len() - 1}}}), held
			}
			if text := t.String() + " " + part.Key(); !seen[text] {
				seen[text] = true
				p.recipes[t.String()] = append(p.recipes[t.String()], plain.Part{Seq: part, Value: testcase.Ref{Stmt: part.Len() - 1}})
			}
		}
	}
	for t, parts := range p.recipes {
		slices.SortStableFunc(parts, func(a, b plain.Part) int {
			return cmp.Or(a.Seq.Len()-b.Seq.Len(), strings.Compare(a.Seq.Key(), b.Seq.Key()))
		})
		p.recipes[t] = parts[:min(len(parts), mostRecipes)]
	}
}

// makers returns the calls that made objects of a type.
func (p *realParts) makers(t types.Type) []*testcase.Sequence {
	var out []*testcase.Sequence
	for _, part := range p.recipes[t.String()] {
		out = append(out, part.Seq)
	}
	return out
}

// emptyWriter returns a buffer in place of a writer that fails when it is full: that it does matters only if it shows.
func (p *realParts) emptyWriter(op *testcase.Operation) (plain.Part, bool) {
	isFull := func(op *testcase.Operation) bool { return op.Via != nil && op.Via.Name == testcase.FullName }
	if !isFull(op) {
		return plain.Part{}, false
	}
	values := p.givers.Values(op.Signature().Results().At(0).Type())
	i := slices.IndexFunc(values, func(s *testcase.Sequence) bool { return !isFull(s.Last().Op) })
	if i < 0 {
		return plain.Part{}, false
	}
	return plain.Part{Seq: values[i], Value: testcase.Ref{Stmt: values[i].Len() - 1}}, true
}

// ready returns the n-th value that takes the place of a literal or a stand-in of a type, or the first one, nil if there is none.
func (p *realParts) ready(t types.Type, n int) *testcase.Sequence {
	if values := p.givers.Values(t); len(values) > 0 {
		return values[min(n, len(values)-1)]
	}
	if part, ok := p.something(t); ok && part.Value == (testcase.Ref{Stmt: part.Seq.Len() - 1}) {
		return part.Seq
	}
	return nil
}

// heldBehind returns the type of the package's object to which the pointer leads that a value of an interface has, or nil.
func (p *realParts) heldBehind(t types.Type, v testcase.Value) types.Type {
	if !types.IsInterface(t) || len(v.Elems) != 1 || v.Elems[0].Kind != testcase.Pointer || v.Elems[0].Type == nil || !p.isOwn(v.Elems[0].Type) {
		return nil
	}
	return v.Elems[0].Type
}

// recipe returns the statements that statement i needs, and false if they are many or write an object of the package by
// hand whose fields users cannot set.
func (p *realParts) recipe(s *testcase.Sequence, i int) (*testcase.Sequence, bool) {
	keep := make([]bool, i+1)
	keep[i] = true
	for k := i; k >= 0; k-- {
		if !keep[k] {
			continue
		}
		st := s.At(k)
		if st.Op.Kind == testcase.OpStubFunc || st.Op.Kind == testcase.OpStubIface || p.isHidden(st.Op) {
			return nil, false
		}
		for _, a := range st.Args {
			keep[a.Stmt] = true
		}
	}
	part, ok := s.Prefix(i + 1).Keep(keep)
	return part, ok && part.Len() <= longestRecipe
}

// isHidden reports whether an operation writes a struct of the package that users cannot name, or that has fields which they do not
// see.
func (p *realParts) isHidden(op *testcase.Operation) bool {
	if op.Kind != testcase.OpZero && op.Kind != testcase.OpComposite && op.Kind != testcase.OpAddr || op.Type == nil || !p.isOwn(op.Type) {
		return false
	}
	t := op.Type
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if named := load.NamedOf(t); ok && named != nil && !named.Obj().Exported() {
		return true
	}
	return ok && slices.ContainsFunc(slices.Collect(st.Fields()), func(f *types.Var) bool { return !f.Exported() })
}

// writesObject reports whether a case writes an object by hand that calls of the package make.
func (p *realParts) writesObject(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		if op := c.Seq.At(i).Op; p.isHidden(op) && len(p.recipes[op.Type.String()]) > 0 {
			return true
		}
	}
	return false
}

// made returns a way that takes the n-th call that makes an object in place of an object that is written by hand although
// users do not see all of its fields.
func (p *realParts) made(n int) plain.Way {
	return p.instead(func(op *testcase.Operation) (plain.Part, bool) {
		if !p.isHidden(op) || n >= len(p.recipes[op.Type.String()]) {
			return plain.Part{}, false
		}
		return p.recipes[op.Type.String()][n], true
	})
}

// notNil returns a way that passes something where the n-th nil of an interface of the package, or of a
// function, stands. A nil that another package takes stays: a request without a body is plainer than one with a
// body that nobody reads.
func (p *realParts) notNil(n int) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seen := 0
		foreign := make(map[int]bool)
		for i := range c.Seq.Len() {
			if st := c.Seq.At(i); st.Op.Kind == testcase.OpFunc && !p.isOwnFunc(st.Op.Func) {
				for _, a := range st.Args {
					foreign[a.Stmt] = true
				}
			}
		}
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpZero || foreign[i] {
				continue
			}
			part, ok := p.something(op.Type)
			if !ok {
				continue
			}
			if seen++; seen > n {
				return plain.Replaced(c.Seq, map[int]plain.Part{i: part})
			}
		}
		return nil, false
	}
}

// withoutNil returns a case that passes something in place of each nil for an interface of the package or a function. With nil
// only the calls that fail before they use it would return.
func (p *realParts) withoutNil(c *testcase.Case) *testcase.Case {
	d := *c
	for range mostNils {
		seq, ok := p.notNil(0)(p.pkg, &d)
		if !ok {
			break
		}
		d.Seq = seq
	}
	return &d
}

// something returns a value for an interface of the package, a function type, or a type that has ready-made
// values: an implementation, a function that people pass, or a stand-in that returns zero values.
func (p *realParts) something(t types.Type) (plain.Part, bool) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return p.function(&testcase.Operation{Kind: testcase.OpStubFunc, Type: t}, 0)
	case *types.Interface:
		stub := &testcase.Operation{Kind: testcase.OpStubIface, Type: t}
		if part, ok := p.implementation(stub); ok {
			return part, true
		}
		if part, ok := p.readyMade(stub, 0); ok {
			return part, true
		}
		if !p.isOwn(t) || u.NumMethods() == 0 || !u.IsMethodSet() {
			return plain.Part{}, false
		}
		return plain.Part{Seq: testcase.NewSequence(testcase.Statement{Op: stub})}, true
	}
	return p.readyMade(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, 0)
}

// instead returns a way that replaces the statements for which part knows a replacement.
func (p *realParts) instead(part func(*testcase.Operation) (plain.Part, bool)) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		with := make(map[int]plain.Part)
		for i := range c.Seq.Len() {
			if made, ok := part(c.Seq.At(i).Op); ok {
				with[i] = made
			}
		}
		return plain.Replaced(c.Seq, with)
	}
}

// function returns the n-th function that people pass where an operation makes a stand-in for one.
func (p *realParts) function(op *testcase.Operation, n int) (plain.Part, bool) {
	if op.Kind != testcase.OpStubFunc {
		return plain.Part{}, false
	}
	seq := p.functionOf(op.Type, n)
	if seq == nil {
		return plain.Part{}, false
	}
	return plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}, true
}

// functionOf returns the n-th function of a type that people pass, or nil if there are fewer. For a type of
// the package these are the package's functions of that type.
func (p *realParts) functionOf(t types.Type, n int) *testcase.Sequence {
	if p.isOwn(t) {
		for _, name := range p.pkg.Types.Scope().Names() {
			f, ok := p.pkg.Types.Scope().Lookup(name).(*types.Func)
			if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 || !types.Identical(f.Signature(), t.Underlying()) {
				continue
			}
			if n == 0 {
				return testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFuncValue, Type: t, Func: f}})
			}
			n--
		}
	}
	values := p.givers.Values(t)
	if len(values) == 0 {
		values = p.givers.Values(t.Underlying())
	}
	if n >= len(values) {
		return nil
	}
	return values[n]
}

// implementation returns statements that make an object with a few elements. The object implements the
// interface of the package for which the given operation makes a stand-in.
func (p *realParts) implementation(op *testcase.Operation) (plain.Part, bool) {
	if op.Kind != testcase.OpStubIface {
		return plain.Part{}, false
	}
	iface, ok := op.Type.Underlying().(*types.Interface)
	if !ok || !p.isOwn(op.Type) {
		return plain.Part{}, false
	}
	for _, f := range p.fillers {
		if types.Implements(f.Type, iface) {
			return f.Several()
		}
	}
	return plain.Part{}, false
}

// readyMade returns the n-th ready-made value of a type of the standard library where an operation makes a
// stand-in for the type, or a literal of a type that has a function to make it: a recorder for a
// ResponseWriter, a request of httptest for &http.Request{}.
func (p *realParts) readyMade(op *testcase.Operation, n int) (plain.Part, bool) {
	if op.Type == nil || op.Kind != testcase.OpStubIface && op.Kind != testcase.OpAddr || p.isOwn(op.Type) {
		return plain.Part{}, false
	}
	values := p.givers.Values(op.Type)
	if n >= len(values) || op.Kind == testcase.OpAddr && values[n].Last().Op.Kind != testcase.OpFunc {
		return plain.Part{}, false
	}
	return plain.Part{Seq: values[n], Value: testcase.Ref{Stmt: values[n].Len() - 1}}, true
}

// values returns a way that uses ready-made values of other packages in place of those that are written as literals, a network by
// cidr("192.0.2.0/24") in place of bytes, and elements that have an order in place of stand-ins for them. The first literal of a type becomes the n-th value, others become the
// next ones, and equal literals stay equal. If apart is set, the elements that have an order are all different, and take the place of
// nil as well: a queue of equal elements, or of nil, does not show which of them comes first.
func (p *realParts) values(n int, apart bool) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		place := make(map[string]int) // of a literal among those of its type, by their text
		kinds := make(map[string]int) // how many different literals there are, by type
		with := make(map[int]plain.Part)
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			ordered := op.Type != nil && p.isOwn(op.Type) && p.haveOrder(op.Type)
			isLiteral := (op.Kind == testcase.OpZero || op.Kind == testcase.OpComposite) && !p.isOwn(op.Type) && !types.IsInterface(op.Type)
			isNil := apart && ordered && op.Kind == testcase.OpZero
			if !isLiteral && !isNil && (op.Kind != testcase.OpStubIface || !p.isOwn(op.Type)) || load.NamedOf(op.Type) == nil {
				continue
			}
			if _, pointer := op.Type.Underlying().(*types.Pointer); pointer {
				continue
			}
			ready := slices.DeleteFunc(slices.Clone(p.givers.Values(op.Type)), func(s *testcase.Sequence) bool {
				k := s.Last().Op.Kind
				return k != testcase.OpFunc && k != testcase.OpDeref
			})
			if len(ready) == 0 {
				continue
			}
			text := c.Seq.Expression(testcase.Ref{Stmt: i}, nil)
			if apart && ordered {
				text = fmt.Sprint("statement ", i)
			}
			if _, ok := place[text]; !ok {
				place[text] = kinds[op.Type.String()]
				kinds[op.Type.String()]++
			}
			seq := ready[(n+place[text])%len(ready)]
			with[i] = plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}
		}
		return plain.Replaced(c.Seq, with)
	}
}

// haveOrder reports whether the ready-made values of a type are numbers of a type that tests declare (see package giver).
func (p *realParts) haveOrder(t types.Type) bool {
	values := p.givers.Values(t)
	return len(values) > 0 && values[0].Last().Op.Via != nil && values[0].Last().Op.Via.Number != ""
}

// hasOddElements reports whether a case passes nil or a stand-in where users pass elements that have an order.
func (p *realParts) hasOddElements(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if (op.Kind == testcase.OpZero || op.Kind == testcase.OpStubIface) && p.isOwn(op.Type) && p.haveOrder(op.Type) {
			return true
		}
	}
	return false
}

// given is a way to pass what is ready-made for an interface of another package, where an object stands that the package's
// functions made for this alone: a handler that says what it was asked, and not a server, in a middleware.
func (p *realParts) given(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	with := make(map[int]plain.Part)
	for i := range c.Seq.Len() {
		if values, ok := p.givenFor(c.Seq, i); ok {
			with[i] = plain.Part{Seq: values[0], Value: testcase.Ref{Stmt: values[0].Len() - 1}}
		}
	}
	return plain.Replaced(c.Seq, with)
}

// givenFor returns the ready-made values of the interface of another package as which a statement's object is passed, and
// false if it is used in another way as well, or if no function of the package made it.
func (p *realParts) givenFor(s *testcase.Sequence, i int) ([]*testcase.Sequence, bool) {
	made := s.At(i)
	for made.Op.Kind == testcase.OpConvert {
		made = s.At(made.Args[0].Stmt)
	}
	if made.Op.Kind != testcase.OpFunc || made.Op.Via != nil || !p.isOwnFunc(made.Op.Func) {
		return nil, false
	}
	var as types.Type
	for j := i + 1; j < s.Len(); j++ {
		st := s.At(j)
		for k, a := range st.Args {
			if a.Stmt != i {
				continue
			}
			sig := st.Op.Signature()
			if st.Op.Kind == testcase.OpCallValue {
				f := st.Args[0]
				sig, _ = s.ResultTypes()[f.Stmt][f.Result].Underlying().(*types.Signature)
			}
			if sig == nil || as != nil {
				return nil, false
			}
			if k -= len(st.Args) - sig.Params().Len(); k < 0 || k >= sig.Params().Len() || sig.Variadic() {
				return nil, false
			}
			as = sig.Params().At(k).Type()
		}
	}
	if as == nil || !types.IsInterface(as) || p.isOwn(as) {
		return nil, false
	}
	values := p.givers.Values(as)
	return values, len(values) > 0
}

// plainRequests is a way to make requests that have nothing but a method and a URL without a helper, and
// without a body that nobody reads.
func (p *realParts) plainRequests(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	with := make(map[int]plain.Part)
	for i := range c.Seq.Len() {
		if !p.hasPlainer(c.Seq, i) {
			continue
		}
		made := p.givers.Values(c.Seq.ResultTypes()[i][0])[0]
		var stmts []testcase.Statement
		texts := 0
		for _, st := range made.AppendTo(nil) {
			if st.Op.Kind == testcase.OpLiteral && texts < 2 { // the method and the URL
				if own := c.Seq.At(c.Seq.At(i).Args[texts].Stmt).Op; own.Lit.Str != "" {
					st.Op = own
				}
				texts++
			}
			stmts = append(stmts, st)
		}
		with[i] = plain.Part{Seq: testcase.NewSequence(stmts...), Value: testcase.Ref{Stmt: made.Len() - 1}}
	}
	return plain.Replaced(c.Seq, with)
}

// hasPlainer reports whether a statement makes a request that plainRequests makes in a plainer way.
func (p *realParts) hasPlainer(s *testcase.Sequence, i int) bool {
	return p.givers.PlainRequest(s, i) || p.givers.NeedlessBody(s, i)
}

// isOwn reports whether a type is one of the package's own.
func (p *realParts) isOwn(t types.Type) bool {
	named := load.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == p.pkg.Path
}

// isOwnFunc reports whether a function is one of the package's own.
func (p *realParts) isOwnFunc(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == p.pkg.Path
}

// operations returns the operations of the parts that can replace stand-ins and nils in the cases.
func (p *realParts) operations(cases []*testcase.Case) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[types.Type]bool)
	for _, c := range cases {
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if values, ok := p.givenFor(c.Seq, i); ok {
				for _, st := range values[0].AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
			if p.hasPlainer(c.Seq, i) && !seen[c.Seq.ResultTypes()[i][0]] {
				seen[c.Seq.ResultTypes()[i][0]] = true
				for _, st := range p.givers.Values(c.Seq.ResultTypes()[i][0])[0].AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
			if op.Kind != testcase.OpStubFunc && op.Kind != testcase.OpStubIface && op.Kind != testcase.OpZero && op.Kind != testcase.OpAddr || seen[op.Type] {
				continue
			}
			seen[op.Type] = true
			var parts []plain.Part
			if op.Kind == testcase.OpZero {
				if part, ok := p.something(op.Type); ok {
					parts = append(parts, part)
				}
			}
			for n := range mostFunctions {
				if part, ok := p.function(op, n); ok {
					parts = append(parts, part)
				}
				if part, ok := p.readyMade(op, n); ok {
					parts = append(parts, part)
				}
			}
			if part, ok := p.implementation(op); ok {
				parts = append(parts, part)
			}
			for _, part := range parts {
				for _, st := range part.Seq.AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
		}
	}
	return out
}
