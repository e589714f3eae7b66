package scenario

import (
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Values are numbered: those of the first change, those of the second, those that are never put in, and others.
const (
	first = iota
	second
	absent
	other
	numbers
)

// values makes the arguments of calls: by their names where these say something, as ready-made values of their types, or from
// short lists. Values of different numbers are different where the type allows.
type values struct {
	pkg   *load.Package
	ready Ready
}

// words are texts for parameters whose names say nothing, by the parameter's place, so that two arguments of one call differ.
var words = [...][numbers]string{{"apple", "banana", "cherry", "damson"}, {"red", "yellow", "black", "blue"}, {"one", "two", "three", "four"}}

// people are texts for parameters that take a person's name.
var people = [numbers]string{"ann", "bob", "carol", "dave"}

// add appends the n-th value for a parameter, the k-th of its function, and returns false if it knows none.
func (v values) add(b *testcase.Builder, t types.Type, name string, k, n int) (testcase.Ref, bool) {
	if isBytes(t) {
		return plain.BytesOf(b, t, v.text(name, k, n)), true
	}
	if lit, ok := v.literal(t, name, k, n); ok {
		return b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit}), true
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if u.NumMethods() == 0 && !u.IsComparable() {
			text := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.String], Lit: testcase.Literal{Kind: testcase.LitString, Str: v.text(name, k, n)}})
			return b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: t}, text), true
		}
	case *types.Slice:
		elem, ok := v.add(b, u.Elem(), strings.TrimSuffix(name, "s"), k, n)
		if !ok {
			return testcase.Ref{}, false
		}
		return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t, N: 1}, elem), true
	case *types.Struct:
		if ref, ok := v.record(b, t, u, n); ok {
			return ref, true
		}
	case *types.Pointer:
		if st, ok := u.Elem().Underlying().(*types.Struct); ok {
			if ref, ok := v.record(b, u.Elem(), st, n); ok {
				return b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, ref), true
			}
		}
	}
	if seq := v.ready(t, n); seq != nil {
		return b.Append(seq), true
	}
	return testcase.Ref{}, false
}

// isBytes reports whether a type is a list of bytes.
func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), types.Typ[types.Byte])
}

// text returns the n-th text for a parameter: one that its name asks for, numbered if the name knows fewer.
func (v values) text(name string, k, n int) string {
	known := plain.TextsFor(v.pkg, name)
	if len(known) == 0 {
		return words[k%len(words)][n]
	}
	if known[0] == people[0] {
		return people[n]
	}
	if n < len(known) && len(known) > 1 {
		return known[n]
	}
	if last := known[0][len(known[0])-1]; last >= '0' && last <= '9' {
		return known[0] + "." + strconv.Itoa(n+1)
	}
	return known[0] + strconv.Itoa(n+1)
}

// literal returns the n-th constant of a type, and false for types that are no plain numbers, texts or truths, and for those
// of which the package declares the values.
func (v values) literal(t types.Type, name string, k, n int) (testcase.Literal, bool) {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok || plain.IsEnumeration(v.pkg, t) && !testcase.IsDuration(t) {
		return testcase.Literal{}, false
	}
	number := int64(n + 1)
	if k > 0 {
		number *= 10
	}
	switch info := basic.Info(); {
	case testcase.IsDuration(t):
		lit, _ := testcase.IntLiteral(basic, number*int64(time.Minute))
		return lit, true
	case info&types.IsString != 0:
		return testcase.Literal{Kind: testcase.LitString, Str: v.text(name, k, n)}, true
	case info&types.IsInteger != 0:
		if isRoom(name) {
			number = room
		}
		return testcase.IntLiteral(basic, number)
	case basic.Kind() == types.Float64:
		return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(number) + 0.5)}, true
	case basic.Kind() == types.Bool:
		return testcase.Literal{Kind: testcase.LitBool, Bits: 1}, true
	}
	return testcase.Literal{}, false
}

// room is the number of elements or bytes for which there is room in objects.
const room = 10

// withRoom returns a sequence with enough room where its calls take a number of elements or bytes: in a cache of one element the
// second would take the place of the first.
func withRoom(s *testcase.Sequence) *testcase.Sequence {
	stmts := slices.Clone(s.AppendTo(nil))
	for i, place := range s.Places() {
		op := stmts[i].Op
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || !isRoom(place.Name()) {
			continue
		}
		basic, ok := op.Type.Underlying().(*types.Basic)
		if !ok || basic.Info()&types.IsInteger == 0 {
			continue
		}
		if lit, ok := testcase.IntLiteral(basic, room); ok && (op.Kind == testcase.OpZero || int64(op.Lit.Bits) < room) {
			stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		}
	}
	return testcase.NewSequence(stmts...)
}

// isRoom reports whether a parameter's name says that it takes a number of elements or bytes for which there is to be room.
func isRoom(name string) bool {
	return slices.ContainsFunc(gosyntax.Words(name), func(w string) bool {
		return slices.Contains([]string{"size", "cap", "capacity", "max", "limit", "length", "len", "maximum"}, w)
	})
}

// mostFields is how many fields a struct may have that is written as a literal.
const mostFields = 6

// record appends the n-th value of a struct whose fields are all exported, and numbers, texts or truths.
func (v values) record(b *testcase.Builder, t types.Type, st *types.Struct, n int) (testcase.Ref, bool) {
	if st.NumFields() == 0 || st.NumFields() > mostFields {
		return testcase.Ref{}, false
	}
	var lits []testcase.Literal
	for k := range st.NumFields() {
		lit, ok := v.literal(st.Field(k).Type(), st.Field(k).Name(), k, n)
		if !ok || !st.Field(k).Exported() {
			return testcase.Ref{}, false
		}
		lits = append(lits, lit)
	}
	var args []testcase.Ref
	for k, lit := range lits {
		args = append(args, b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: st.Field(k).Type(), Lit: lit}))
	}
	return b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, args...), true
}

// named returns the sequence of a function's call with arguments by their names, or nil if some argument cannot be made. What
// the call returns may be taken out of its interface.
func (v values) named(s *testcase.Sequence) *testcase.Sequence {
	call, inside := s.Last(), s.Last().Op
	if inside.Kind == testcase.OpAssert {
		call = s.At(call.Args[0].Stmt)
	}
	op := call.Op
	if op.Kind != testcase.OpFunc || op.Via != nil {
		return nil
	}
	b := &testcase.Builder{}
	args, ok := v.arguments(b, op, func(p *types.Var, k int) (testcase.Ref, bool) { return v.add(b, p.Type(), p.Name(), k, first) })
	if !ok {
		return nil
	}
	made := b.Add(op, args...)
	if inside != op {
		b.Add(inside, made)
	}
	return b.Sequence()
}

// arguments appends the arguments of a call, each as value makes it; a variadic parameter gets one argument if it takes
// numbers or texts, and none else: options are left out.
func (v values) arguments(b *testcase.Builder, op *testcase.Operation, value func(p *types.Var, k int) (testcase.Ref, bool)) ([]testcase.Ref, bool) {
	sig := op.Signature()
	var out []testcase.Ref
	for k := range sig.Params().Len() {
		p := sig.Params().At(k)
		if sig.Variadic() && k == sig.Params().Len()-1 {
			elem := p.Type().Underlying().(*types.Slice).Elem()
			if _, basic := elem.Underlying().(*types.Basic); !basic {
				break
			}
			p = types.NewVar(p.Pos(), p.Pkg(), strings.TrimSuffix(p.Name(), "s"), elem)
		}
		ref, ok := value(p, k)
		if !ok {
			return nil, false
		}
		out = append(out, ref)
	}
	return out, true
}
