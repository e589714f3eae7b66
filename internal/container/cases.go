package container

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Case is a call of a method on an object in a state.
type Case struct {
	*testcase.Case
	State State
}

// Cases returns calls of each method of the type on objects in each state: with the element that was added
// first, with the least element, and with an element that is not in the object.
func (f *Filler) Cases() []Case {
	var out []Case
	for _, target := range methodsOf(f.pkg, f.Type) {
		op := call(target)
		for _, state := range []State{Empty, Several, Full, Many} {
			if state == Full && !f.room || state != Many && takesIndex(op) {
				continue
			}
			for _, element := range f.elementsFor(op, state) {
				seq, ok := f.sequence(op, state, element)
				if !ok {
					continue
				}
				out = append(out, Case{&testcase.Case{Package: f.pkg.Path, Target: target.Name, Engine: "container", Seq: seq}, state})
				if !f.takesElement(op) {
					break
				}
			}
		}
		for _, state := range []State{Empty, Several} {
			for _, index := range indices[state] {
				if seq, ok := f.indexed(op, state, index); ok {
					out = append(out, Case{&testcase.Case{Package: f.pkg.Path, Target: target.Name, Engine: "container", Seq: seq}, state})
				}
			}
		}
	}
	return slices.Concat(out, f.ofHandles(), f.ofElements())
}

// ofHandles returns calls of methods with what adding an element has returned: an index or an identifier by which users
// find the element again.
func (f *Filler) ofHandles() []Case {
	var out []Case
	for _, target := range methodsOf(f.pkg, f.Type) {
		op := call(target)
		at := f.handleOf(op)
		if at < 0 || op.Signature().Variadic() {
			continue
		}
		for _, i := range []int{0, several - 1} {
			b := &testcase.Builder{}
			o, ok := f.object(b, f.make, several)
			if !ok {
				return out
			}
			args := []testcase.Ref{o.Ref}
			for k := range op.Signature().Params().Len() {
				ref := o.added[i]
				if k != at {
					ref, ok = f.value(b, op.Signature().Params().At(k).Type(), len(numbers)-1, 1)
				}
				if !ok {
					break
				}
				args = append(args, ref)
			}
			if ok {
				b.Add(op, args...)
				out = append(out, Case{&testcase.Case{Package: f.pkg.Path, Target: target.Name, Engine: "container", Seq: b.Sequence()}, Several})
			}
		}
	}
	return out
}

// handleOf returns which parameter of a method takes a number or a text that adding an element returns, or -1. The names say
// so: a method of the same type may take any number.
func (f *Filler) handleOf(op *testcase.Operation) int {
	results := f.add.Signature().Results()
	if op == f.add || op.Func == f.add.Func || results.Len() == 0 {
		return -1
	}
	t := results.At(0).Type()
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 {
		return -1
	}
	params := op.Signature().Params()
	for k := range params.Len() {
		p := params.At(k)
		if !types.Identical(p.Type(), t) {
			continue
		}
		_, named := types.Unalias(t).(*types.Named)
		if named || isIndex(op.Func.Name(), p.Name()) || isIdentifier(p.Name()) {
			return k
		}
	}
	return -1
}

// isIdentifier reports whether a parameter's name says that it takes an identifier.
func isIdentifier(param string) bool {
	words := gosyntax.Words(param)
	return len(words) > 0 && slices.Contains([]string{"id", "handle", "token", "offset", "ticket", "ref", "seq"}, words[len(words)-1])
}

// ofElements returns calls of methods on what methods without parameters return of an object with several elements: where a
// list's Front returns its first element, the element's Next and Prev are called. Methods of such a thing that return a truth
// or nothing may move it, as those of iterators do, so each of its methods is also called behind each of these.
func (f *Filler) ofElements() []Case {
	var out []Case
	for _, leads := range methodsOf(f.pkg, f.Type) {
		sig := call(leads).Signature()
		if sig.Params().Len() > 0 || sig.Results().Len() != 1 || types.Identical(sig.Results().At(0).Type(), f.Type) {
			continue
		}
		t, addressed := f.partOf(sig.Results().At(0).Type())
		if t == nil {
			continue
		}
		methods := methodsOf(f.pkg, t)
		moves := []*load.Target{nil}
		for _, m := range methods {
			if isMove(call(m).Signature()) {
				moves = append(moves, m)
			}
		}
		for _, target := range methods {
			op := call(target)
			if op.Signature().Results().Len() == 0 {
				continue
			}
			for _, move := range moves {
				b := &testcase.Builder{}
				o, ok := f.object(b, f.make, several)
				if !ok {
					continue
				}
				part := b.Add(call(leads), o.Ref)
				if addressed {
					part = b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, part)
				}
				if move != nil {
					b.Add(call(move), part)
				}
				args, ok := f.functionArguments(b, op)
				if !ok {
					continue
				}
				b.Add(op, append([]testcase.Ref{part}, args...)...)
				out = append(out, Case{&testcase.Case{Package: f.pkg.Path, Target: target.Name, Engine: "container", Seq: b.Sequence()}, Several})
			}
		}
	}
	return out
}

// partOf returns the pointer type on which the methods of a part are called, and whether the part's address has to be taken.
// It returns nil if a type is neither a pointer nor a struct of the package.
func (f *Filler) partOf(t types.Type) (ptr types.Type, addressed bool) {
	if _, isPointer := types.Unalias(t).(*types.Pointer); isPointer {
		return t, false
	}
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != f.pkg.Path {
		return nil, false
	}
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct {
		return nil, false
	}
	return types.NewPointer(t), true
}

// isMove reports whether a method may move an iterator: it takes nothing and returns a truth or nothing.
func isMove(sig *types.Signature) bool {
	if sig.Params().Len() > 0 || sig.Results().Len() > 1 {
		return false
	}
	if sig.Results().Len() == 0 {
		return true
	}
	b, ok := sig.Results().At(0).Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// functionArguments appends the arguments of a call that takes nothing but functions.
func (f *Filler) functionArguments(b *testcase.Builder, op *testcase.Operation) ([]testcase.Ref, bool) {
	var out []testcase.Ref
	for k := range op.Signature().Params().Len() {
		t := op.Signature().Params().At(k).Type()
		if _, ok := t.Underlying().(*types.Signature); !ok {
			return nil, false
		}
		ref, ok := f.value(b, t, 0, k)
		if !ok {
			return nil, false
		}
		out = append(out, ref)
	}
	return out, true
}

// indices returns the indices that calls take, by state. For three elements they are those of the first and
// the last one, and the indices next to these. For no elements it is the index that the first element would
// have.
var indices = map[State][]int64{Empty: {0}, Several: {0, several - 1, -1, several}}

// indexed returns a call of a method on an object in a state that passes an index, and false if no parameter
// has the name of an index.
func (f *Filler) indexed(op *testcase.Operation, state State, index int64) (*testcase.Sequence, bool) {
	params := op.Signature().Params()
	b := &testcase.Builder{}
	o, ok := f.object(b, f.make, map[State]int{Empty: 0, Several: several}[state])
	if !ok || !takesIndex(op) {
		return nil, false
	}
	args := []testcase.Ref{o.Ref}
	found := false
	for k := range params.Len() {
		p := params.At(k)
		if types.Identical(p.Type(), types.Typ[types.Int]) && isIndex(op.Func.Name(), p.Name()) {
			n := index
			if found {
				n = 1 // with elements in the object the other index is in order
			}
			found = true
			lit, _ := testcase.IntLiteral(types.Typ[types.Int], n)
			args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: p.Type(), Lit: lit}))
			continue
		}
		ref, ok := f.value(b, p.Type(), 1, k)
		if !ok {
			return nil, false
		}
		args = append(args, ref)
	}
	b.Add(op, args...)
	return b.Sequence(), found
}

// takesIndex reports whether a method has a parameter that is an index.
func takesIndex(op *testcase.Operation) bool {
	for p := range op.Signature().Params().Variables() {
		if types.Identical(p.Type(), types.Typ[types.Int]) && isIndex(op.Func.Name(), p.Name()) {
			return !op.Signature().Variadic()
		}
	}
	return false
}

// isIndex reports whether a parameter has the name of an index. The name i may mean any number; it counts
// only if the method's name is about places.
func isIndex(method, param string) bool {
	if slices.Contains([]string{"at", "pos", "position"}, param) || strings.HasPrefix(param, "idx") || strings.HasPrefix(param, "index") {
		return true
	}
	return (param == "i" || param == "j") && slices.Contains([]string{"At", "Get", "Set", "Swap", "Peek", "Item", "Elem", "Nth", "RemoveAt", "InsertAt"}, method)
}

// elements says, by number, which elements the calls take. For three elements it is the first, the least and
// a missing one; for seven also the last and the greatest.
var elements = map[State][]int{
	Empty: {0}, Several: {0, 1, 5}, Full: {0, 1, 5}, Many: {0, 1, 2, 3, 6, 7},
}

// overlapping says which elements an object has that is passed to a method of another one: one that the other has, too, and one
// that it has not. Of two sets of which one contains the other, the union and the intersection are these sets.
var overlapping = [...]int{1, 5}

// elementsFor returns the elements that calls of a method take. Of methods that add an element, the call with a new one comes
// first: if it is added where an equal one is, a test cannot tell the two.
func (f *Filler) elementsFor(op *testcase.Operation, state State) []int {
	out := elements[state]
	words := gosyntax.Words(op.Func.Name())
	adds := op == f.add || len(words) > 0 && slices.Contains([]string{"add", "push", "append", "prepend", "insert", "enqueue", "put"}, words[0])
	if missing := out[len(out)-1]; adds && state != Empty {
		out = append([]int{missing}, out[:len(out)-1]...)
	}
	return out
}

// sequence makes an object in a state and calls a method on it.
func (f *Filler) sequence(op *testcase.Operation, state State, element int) (*testcase.Sequence, bool) {
	b := &testcase.Builder{}
	maker, n := f.make, map[State]int{Empty: 0, Several: several, Full: capacity, Many: many}[state]
	switch state {
	case Full:
		maker, _ = withNumbers(f.pkg, f.make, capacity)
	case Many:
		maker, _ = withNumbers(f.pkg, f.make, many+1)
	}
	o, ok := f.object(b, maker, n)
	if !ok {
		return nil, false
	}
	args, ok := f.arguments(b, op, element, o.added, n > 0)
	if !ok {
		return nil, false
	}
	b.Add(op, append([]testcase.Ref{o.Ref}, args...)...)
	return b.Sequence(), true
}

// takesElement reports whether a method takes values like those that the filler adds, or like those that
// adding an element returns.
func (f *Filler) takesElement(op *testcase.Operation) bool {
	params := op.Signature().Params()
	if params.Len() == 0 {
		return false
	}
	t := element(params.At(0).Type(), op, 0)
	adds := f.add.Signature().Params()
	return f.isHandle(t) || adds.Len() > 0 && types.Identical(t, element(adds.At(0).Type(), f.add, 0))
}

// isHandle reports whether a type is that of pointers which adding an element returns: other
// methods take these for the element.
func (f *Filler) isHandle(t types.Type) bool {
	_, pointer := t.Underlying().(*types.Pointer)
	results := f.add.Signature().Results()
	return pointer && results.Len() > 0 && types.Identical(t, results.At(0).Type()) && !types.Identical(t, f.Type)
}

// element returns the type of the i-th parameter. For a variadic parameter it is the type of one argument.
func element(t types.Type, op *testcase.Operation, i int) types.Type {
	sig := op.Signature()
	if sig.Variadic() && i == sig.Params().Len()-1 {
		return t.Underlying().(*types.Slice).Elem()
	}
	return t
}

// arguments appends the arguments of a call about element i. It returns false if the method takes
// anything but numbers, texts, objects of the filler's type and results of adding. If another value is asked
// for, then what stands beside the element, such as the value beside a key, is what no element of an object
// has beside it: a test with the same value could not tell whether the call has changed it or returned it.
func (f *Filler) arguments(b *testcase.Builder, op *testcase.Operation, i int, added []testcase.Ref, another bool) ([]testcase.Ref, bool) {
	var out []testcase.Ref
	params := op.Signature().Params()
	for k := range params.Len() {
		t := element(params.At(k).Type(), op, k)
		if f.isLike(t) && op != f.add {
			other, ok := f.holding(b, f.make, overlapping[:]...)
			if !ok {
				return nil, false
			}
			out = append(out, other.Ref)
			continue
		}
		if f.isHandle(t) {
			if i >= len(added) {
				return nil, false
			}
			out = append(out, added[i])
			continue
		}
		if op != f.add && !f.takesElement(op) {
			i = 1 // a small number: the index of the last of three elements, or a length to shrink to
		}
		number := i
		if k > 0 && another {
			number = len(numbers) - 1
		}
		if k > 0 && isRank(params.At(k)) {
			out = append(out, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: rank(t, number)}))
			continue
		}
		ref, ok := f.value(b, t, number, k)
		if !ok {
			return nil, false
		}
		out = append(out, ref)
	}
	return out, true
}

// isRank reports whether a parameter is a number by which elements are put in order: a priority.
func isRank(p *types.Var) bool {
	b, ok := p.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&(types.IsInteger|types.IsFloat) == 0 {
		return false
	}
	words := gosyntax.Words(p.Name())
	return len(words) > 0 && slices.Contains([]string{"priority", "prio", "weight", "score", "rank", "cost", "distance", "expiry"}, words[len(words)-1])
}

// rank returns the number by which the i-th element is put in order. Elements are added neither in this order nor in its
// opposite, so that a test tells both from the order of adding.
func rank(t types.Type, i int) testcase.Literal {
	b := t.Underlying().(*types.Basic)
	if b.Info()&types.IsFloat != 0 {
		if b.Kind() == types.Float32 {
			return testcase.Literal{Kind: testcase.LitFloat, Bits: uint64(math.Float32bits(float32(ranks[i])))}
		}
		return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(ranks[i]))}
	}
	lit, _ := testcase.IntLiteral(b, ranks[i]) // the number fits into every type
	return lit
}

// isLike reports whether objects of the filler's type can be passed as a t, which is the type itself or an
// interface of the package with methods.
func (f *Filler) isLike(t types.Type) bool {
	if types.Identical(t, f.Type) {
		return true
	}
	named := load.NamedOf(t)
	iface, ok := t.Underlying().(*types.Interface)
	return ok && named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == f.pkg.Path && iface.NumMethods() > 0 && types.Implements(f.Type, iface)
}

// The elements, by their number; no object contains the last one. Values that go with an element, such as the
// value for a key, are numbered in the same order.
var (
	numbers = [...]int64{4, 2, 6, 1, 3, 5, 7, 9}
	texts   = [...]string{"grape", "banana", "mango", "apple", "cherry", "lemon", "orange", "plum"}
	ranks   = [...]int64{2, 1, 3, 6, 4, 7, 5, 9}
	beside  = [...]int64{10, 20, 30, 40, 50, 60, 70, 90}
	aside   = [...]string{"one", "two", "three", "four", "five", "six", "seven", "nine"}
)

// value appends the i-th element as the k-th argument of a call.
func (f *Filler) value(b *testcase.Builder, t types.Type, i, k int) (testcase.Ref, bool) {
	if in, ok := t.Underlying().(*types.Interface); ok {
		if in.NumMethods() > 0 || in.IsComparable() {
			return testcase.Ref{}, false
		}
		n, _ := testcase.IntLiteral(types.Typ[types.Int], number(i, k))
		lit := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: n})
		return b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, lit), true
	}
	if sig, ok := t.Underlying().(*types.Signature); ok && f.functions != nil {
		if seq := f.functions(t); seq != nil {
			return b.Append(seq), true
		}
		if !isVisitor(sig) {
			return testcase.Ref{}, false
		}
		return b.Add(&testcase.Operation{Kind: testcase.OpStubFunc, Type: t}), true
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !types.Identical(u.Elem(), types.Typ[types.Byte]) {
			return testcase.Ref{}, false
		}
		return plain.BytesOf(b, t, aside[i]), true
	case *types.Struct:
		return f.record(b, t, i)
	case *types.Pointer:
		if _, isStruct := u.Elem().Underlying().(*types.Struct); !isStruct {
			return testcase.Ref{}, false
		}
		record, ok := f.record(b, u.Elem(), i)
		if !ok {
			return record, false
		}
		return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, record), true
	}
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || plain.IsEnumeration(f.pkg, t) {
		return testcase.Ref{}, false
	}
	var lit testcase.Literal
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		lit = testcase.Literal{Kind: testcase.LitString, Str: texts[i]}
		if k > 0 {
			lit.Str = aside[i]
		}
	case info&types.IsInteger != 0:
		lit, _ = testcase.IntLiteral(basic, number(i, k)) // the number fits into every type
	case basic.Kind() == types.Float64:
		lit = testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(number(i, k)) + 0.5)}
	default:
		return testcase.Ref{}, false
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}), true
}

// isVisitor reports whether functions of a signature may do nothing with what they are passed: they return nothing, or an error.
// Which elements they are passed is what a test shows.
func isVisitor(sig *types.Signature) bool {
	results := sig.Results()
	return sig.Params().Len() > 0 && (results.Len() == 0 || results.Len() == 1 && gosyntax.IsError(results.At(0).Type()))
}

// mostFields is how many fields a struct may have whose values are elements.
const mostFields = 6

// record appends a struct as the i-th element. It returns false if the struct has fields that users cannot set, or fields of
// other types than elements have.
func (f *Filler) record(b *testcase.Builder, t types.Type, i int) (testcase.Ref, bool) {
	st := t.Underlying().(*types.Struct)
	if st.NumFields() == 0 || st.NumFields() > mostFields {
		return testcase.Ref{}, false
	}
	var args []testcase.Ref
	for k := range st.NumFields() {
		if _, ok := st.Field(k).Type().Underlying().(*types.Basic); !ok || !st.Field(k).Exported() {
			return testcase.Ref{}, false
		}
		ref, ok := f.value(b, st.Field(k).Type(), i, k)
		if !ok {
			return testcase.Ref{}, false
		}
		args = append(args, ref)
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, args...), true
}

func number(i, k int) int64 {
	if k > 0 {
		return beside[i]
	}
	return numbers[i]
}
