package bounded

import (
	"go/types"
	"math"
	"strconv"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// caseWriter writes the objects of a structure as statements.
type caseWriter struct {
	b     testcase.Builder
	s     *Structure
	made  map[*Object]testcase.Ref
	open  map[*Object]bool // objects being made; references to these are set afterwards
	later []assignment
	ok    bool
}

// assignment sets a field to an object that is made later than the field's owner.
type assignment struct {
	from, to *Object
	field    *types.Var
}

// sequence returns the statements that make an input (the fields of a structure's root), call the target with
// it and, if after is not nil, ask whether the invariant after holds then. The result ok is false if a part
// of the input cannot be written.
func sequence(s *Structure, in *input, after *native.Check) (seq *testcase.Sequence, ok bool) {
	w := &caseWriter{s: s, made: map[*Object]testcase.Ref{}, open: map[*Object]bool{}, ok: true}
	root := s.Objects[0]
	args := make([]testcase.Ref, in.root.NumFields())
	for i := range args {
		args[i] = w.part(root, in.root.Field(i).Type(), []int{i})
	}
	for _, a := range w.later {
		w.b.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: a.field}, w.made[a.from], w.made[a.to])
	}
	kind := testcase.OpFunc
	if in.target.Recv != nil {
		kind = testcase.OpMethod
	}
	w.b.Add(&testcase.Operation{Kind: kind, Func: in.target.Obj, TypeArgs: in.target.TypeArgs, Spread: in.spread()}, args...)
	if after != nil {
		t := load.NamedOf(in.root.Field(after.Fields[0]).Type())
		w.b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: after.Func.Origin(), TypeArgs: typeArgs(t)}, args[after.Fields[0]])
	}
	return w.b.Sequence(), w.ok
}

// object makes an object and returns the pointer to it.
func (w *caseWriter) object(o *Object) testcase.Ref {
	if r, ok := w.made[o]; ok {
		return r
	}
	w.open[o] = true
	v := w.part(o, o.Type, nil)
	delete(w.open, o)
	r := w.b.Add(&testcase.Operation{Kind: testcase.OpAddr, Type: types.NewPointer(o.Type)}, v)
	w.made[o] = r
	return r
}

// part makes the part of o at a path, of type t.
func (w *caseWriter) part(o *Object, t types.Type, path []int) testcase.Ref {
	for i := range o.Fields {
		if f := &o.Fields[i]; len(f.Path) == len(path) && hasPrefix(f.Path, path) {
			if f.Slice {
				return w.slice(f)
			}
			return w.leaf(o, f)
		}
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t, Elems: []int{}}
	var args []testcase.Ref
	n := 0
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n = u.NumFields()
	case *types.Array:
		n = int(u.Len())
	default:
		return w.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
	}
	for i := range n {
		p := append(path[:len(path):len(path)], i)
		if !w.hasContent(o, p) {
			continue
		}
		op.Elems = append(op.Elems, i)
		args = append(args, w.part(o, partType(o.Type, p), p))
	}
	return w.b.Add(op, args...)
}

// hasContent reports whether the part of o at a path has something that is not zero and exists from the
// beginning. Parts that exist only later are noted, and set then.
func (w *caseWriter) hasContent(o *Object, path []int) bool {
	any := false
	for i := range o.Fields {
		f := &o.Fields[i]
		if !hasPrefix(f.Path, path) || f.zero() {
			continue
		}
		if f.To != nil && w.open[f.To] {
			st, ok := o.Type.Underlying().(*types.Struct)
			if !ok || len(f.Path) != 1 {
				w.ok = false // no statement sets a field of an embedded struct
				continue
			}
			w.later = append(w.later, assignment{o, f.To, st.Field(f.Path[0])})
			continue
		}
		any = true
	}
	return any
}

// leaf makes a value that is no slice.
func (w *caseWriter) leaf(o *Object, f *FieldValue) testcase.Ref {
	if f.To == nil {
		return w.basic(f)
	}
	if w.open[f.To] {
		w.ok = false // the element refers back to an object being made
		return w.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: f.Type})
	}
	r := w.object(f.To)
	if types.IsInterface(f.Type) {
		r = w.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: f.Type}, r)
	}
	return r
}

// basic makes a number, boolean, string, empty struct or nil.
func (w *caseWriter) basic(f *FieldValue) testcase.Ref {
	t := f.Type
	v := f.Value
	if v.Kind == candidate.Nil {
		return w.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
	}
	if v.Boxed > 0 {
		t = w.s.shape.types[v.Boxed-1]
	}
	if v.Kind == candidate.Empty {
		r := w.b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: t})
		return w.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: f.Type}, r)
	}
	lit := testcase.Literal{Bits: uint64(v.Int)}
	switch info := t.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		lit.Kind = testcase.LitBool
	case info&types.IsString != 0:
		lit = testcase.Literal{Kind: testcase.LitString, Str: v.Str}
	case info&types.IsUnsigned != 0:
		lit.Kind = testcase.LitUint
	case info&types.IsFloat != 0:
		lit.Kind, lit.Bits = testcase.LitFloat, math.Float64bits(float64(v.Int))
		if t.Underlying().(*types.Basic).Kind() == types.Float32 {
			lit.Bits = uint64(math.Float32bits(float32(v.Int)))
		}
	default:
		lit.Kind = testcase.LitInt
	}
	r := w.b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit})
	if v.Boxed > 0 {
		r = w.b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: f.Type}, r)
	}
	return r
}

// slice makes a slice with its elements.
func (w *caseWriter) slice(f *FieldValue) testcase.Ref {
	elem := f.Type.Underlying().(*types.Slice).Elem()
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: f.Type, N: f.Len, Elems: []int{}}
	var args []testcase.Ref
	for e := range f.Len {
		pseudo := &Object{Type: elem}
		for j := range f.Elems {
			if f.Elems[j].Index == e {
				pseudo.Fields = append(pseudo.Fields, f.Elems[j].FieldValue)
			}
		}
		if len(pseudo.Fields) == 0 {
			continue
		}
		op.Elems = append(op.Elems, e)
		args = append(args, w.part(pseudo, elem, nil))
	}
	return w.b.Add(op, args...)
}

// input is a target with its receiver and arguments as the fields of one root.
type input struct {
	target *load.Target
	root   *types.Struct
	needed int // fields of the root that are not nil: a receiver
}

func (in *input) spread() bool { return in.target.Obj.Signature().Variadic() }

// inputOf returns the input of a target. Its fields have the names of receiver and
// parameters.
func inputOf(pkg *load.Package, t *load.Target) *input {
	in := &input{target: t}
	var fields []*types.Var
	taken := map[string]bool{}
	add := func(name string, typ types.Type) {
		if name == "" || name == "_" || taken[name] {
			name = "p" + strconv.Itoa(len(fields))
		}
		taken[name] = true
		fields = append(fields, types.NewField(0, pkg.Types, name, typ, false))
	}
	if t.Recv != nil {
		add(t.Obj.Signature().Recv().Name(), t.Recv)
		in.needed = 1
	}
	params := t.Func.Signature.Params()
	for i := range params.Len() {
		add(params.At(i).Name(), params.At(i).Type())
	}
	in.root = types.NewStruct(fields, nil)
	return in
}
