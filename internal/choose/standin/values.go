package standin

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Ready returns the n-th value that takes the place of a literal or a stand-in of a type, or the first one, nil if there is none.
func (p *Parts) Ready(t types.Type, n int) *testcase.Sequence {
	if values := p.Givers.Values(t); len(values) > 0 {
		return values[min(n, len(values)-1)]
	}
	if part, ok := p.something(t); ok && part.Value == (testcase.Ref{Stmt: part.Seq.Len() - 1}) {
		return part.Seq
	}
	return nil
}

// readyMade returns the n-th ready-made value of a type of the standard library where an operation makes a
// stand-in for the type, or a literal of a type that has a function to make it: a recorder for a
// ResponseWriter, a request of httptest for &http.Request{}.
func (p *Parts) readyMade(op *testcase.Operation, n int) (plain.Part, bool) {
	if op.Type == nil || op.Kind != testcase.OpStubIface && op.Kind != testcase.OpAddr || p.isOwn(op.Type) {
		return plain.Part{}, false
	}
	values := p.Givers.Values(op.Type)
	if n >= len(values) || op.Kind == testcase.OpAddr && values[n].Last().Op.Kind != testcase.OpFunc {
		return plain.Part{}, false
	}
	return plain.Part{Seq: values[n], Value: testcase.Ref{Stmt: values[n].Len() - 1}}, true
}

// values returns a way that uses ready-made values of other packages in place of those that are written as literals, a network by
// cidr("192.0.2.0/24") in place of bytes, and elements that have an order in place of stand-ins for them. The first literal of a type becomes the n-th value, others become the
// next ones, and equal literals stay equal. If apart is set, the elements that have an order are all different, and take the place of
// nil as well: a queue of equal elements, or of nil, does not show which of them comes first.
func (p *Parts) values(n int, apart bool) plain.Way {
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
			ready := slices.DeleteFunc(slices.Clone(p.Givers.Values(op.Type)), func(s *testcase.Sequence) bool {
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

// written returns a way that makes objects of other packages as the module does, with record.New("www.example.org.", 300) in place of
// record.New("", 0). The first object of a function becomes the n-th one that is known, others become the next ones, and equal ones stay equal.
func (p *Parts) written(n int) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		place := make(map[string]int) // of an object among those of its function, by its text
		kinds := make(map[string]int) // how many different objects there are, by function
		with := make(map[int]plain.Part)
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpFunc || op.Via != nil || op.Func == nil || p.isOwnFunc(op.Func) {
				continue
			}
			ready := p.Givers.MadeBy(op.Func)
			if len(ready) == 0 {
				continue
			}
			text := c.Seq.Expression(testcase.Ref{Stmt: i}, nil)
			if _, ok := place[text]; !ok {
				place[text] = kinds[op.Func.FullName()]
				kinds[op.Func.FullName()]++
			}
			if seq := ready[(n+place[text])%len(ready)]; seq.Expression(testcase.Ref{Stmt: seq.Len() - 1}, nil) != text {
				with[i] = plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}
			}
		}
		return plain.Replaced(c.Seq, with)
	}
}

// haveOrder reports whether the ready-made values of a type are numbers of a type that tests declare (see package giver).
func (p *Parts) haveOrder(t types.Type) bool {
	values := p.Givers.Values(t)
	return len(values) > 0 && values[0].Last().Op.Via != nil && values[0].Last().Op.Via.Number != ""
}

// HasOddElements reports whether a case passes nil or a stand-in where users pass elements that have an order.
func (p *Parts) HasOddElements(c *testcase.Case) bool {
	for i := range c.Seq.Len() {
		op := c.Seq.At(i).Op
		if (op.Kind == testcase.OpZero || op.Kind == testcase.OpStubIface) && p.isOwn(op.Type) && p.haveOrder(op.Type) {
			return true
		}
	}
	return false
}

// emptyWriter returns a buffer in place of a writer that fails when it is full: that it does matters only if it shows.
func (p *Parts) emptyWriter(op *testcase.Operation) (plain.Part, bool) {
	isFull := func(op *testcase.Operation) bool { return op.Via != nil && op.Via.Name == testcase.FullName }
	if !isFull(op) {
		return plain.Part{}, false
	}
	values := p.Givers.Values(op.Signature().Results().At(0).Type())
	i := slices.IndexFunc(values, func(s *testcase.Sequence) bool { return !isFull(s.Last().Op) })
	if i < 0 {
		return plain.Part{}, false
	}
	return plain.Part{Seq: values[i], Value: testcase.Ref{Stmt: values[i].Len() - 1}}, true
}

// plainRequests is a way to make requests that have nothing but a method and a URL without a helper, and
// without a body that nobody reads.
func (p *Parts) plainRequests(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	with := make(map[int]plain.Part)
	for i := range c.Seq.Len() {
		if !p.hasPlainer(c.Seq, i) {
			continue
		}
		made := p.Givers.Values(c.Seq.ResultTypes()[i][0])[0]
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
func (p *Parts) hasPlainer(s *testcase.Sequence, i int) bool {
	return p.Givers.PlainRequest(s, i) || p.Givers.NeedlessBody(s, i)
}

// function returns the n-th function that people pass where an operation makes a stand-in for one.
func (p *Parts) function(op *testcase.Operation, n int) (plain.Part, bool) {
	if op.Kind != testcase.OpStubFunc {
		return plain.Part{}, false
	}
	seq := p.FunctionOf(op.Type, n)
	if seq == nil {
		return plain.Part{}, false
	}
	return plain.Part{Seq: seq, Value: testcase.Ref{Stmt: seq.Len() - 1}}, true
}

// FunctionOf returns the n-th function of a type that people pass, or nil if there are fewer. For a type of
// the package these are the package's functions of that type.
func (p *Parts) FunctionOf(t types.Type, n int) *testcase.Sequence {
	if p.isOwn(t) {
		for _, name := range p.Pkg.Types.Scope().Names() {
			f, ok := p.Pkg.Types.Scope().Lookup(name).(*types.Func)
			if !ok || !f.Exported() || f.Signature().TypeParams().Len() > 0 || !types.Identical(f.Signature(), t.Underlying()) {
				continue
			}
			if n == 0 {
				return testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFuncValue, Type: t, Func: f}})
			}
			n--
		}
	}
	values := p.Givers.Values(t)
	if len(values) == 0 {
		values = p.Givers.Values(t.Underlying())
	}
	if n >= len(values) {
		return nil
	}
	return values[n]
}

// implementation returns statements that make an object with a few elements. The object implements the
// interface of the package for which the given operation makes a stand-in.
func (p *Parts) implementation(op *testcase.Operation) (plain.Part, bool) {
	if op.Kind != testcase.OpStubIface {
		return plain.Part{}, false
	}
	iface, ok := op.Type.Underlying().(*types.Interface)
	if !ok || !p.isOwn(op.Type) {
		return plain.Part{}, false
	}
	for _, f := range p.Fillers {
		if types.Implements(f.Type, iface) {
			return f.Several()
		}
	}
	return plain.Part{}, false
}

// given is a way to pass what is ready-made for an interface of another package, where an object stands that the package's
// functions made for this alone: a handler that says what it was asked, and not a server, in a middleware.
func (p *Parts) given(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
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
func (p *Parts) givenFor(s *testcase.Sequence, i int) ([]*testcase.Sequence, bool) {
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
	values := p.Givers.Values(as)
	return values, len(values) > 0
}
