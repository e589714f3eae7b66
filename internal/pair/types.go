package pair

import (
	"fmt"
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// Type returns the counterpart of a type in the other version. The error says what the other version
// lacks.
func (t *Translator) Type(typ types.Type) (types.Type, error) {
	if out, ok := t.cache[typ]; ok {
		return out, nil
	}
	out, err := t.translate(typ)
	if err == nil {
		t.cache[typ] = out
	}
	return out, err
}

func (t *Translator) translate(typ types.Type) (types.Type, error) {
	switch u := types.Unalias(typ).(type) {
	case *types.Basic:
		return u, nil
	case *types.Named:
		return t.named(u)
	case *types.TypeParam:
		return u, nil // only the place of its name is compared
	case *types.Pointer:
		return wrap(t, u.Elem(), func(e types.Type) types.Type { return types.NewPointer(e) })
	case *types.Slice:
		return wrap(t, u.Elem(), func(e types.Type) types.Type { return types.NewSlice(e) })
	case *types.Array:
		return wrap(t, u.Elem(), func(e types.Type) types.Type { return types.NewArray(e, u.Len()) })
	case *types.Chan:
		return wrap(t, u.Elem(), func(e types.Type) types.Type { return types.NewChan(u.Dir(), e) })
	case *types.Map:
		k, err := t.Type(u.Key())
		if err != nil {
			return nil, err
		}
		return wrap(t, u.Elem(), func(e types.Type) types.Type { return types.NewMap(k, e) })
	case *types.Signature:
		return t.signature(u)
	case *types.Tuple:
		return t.tuple(u)
	case *types.Struct:
		return t.structure(u)
	case *types.Interface:
		return t.iface(u)
	}
	return nil, fmt.Errorf("type %s has no partner", typ)
}

// wrap translates an element and makes the type of it.
func wrap(t *Translator, elem types.Type, build func(types.Type) types.Type) (types.Type, error) {
	e, err := t.Type(elem)
	if err != nil {
		return nil, err
	}
	return build(e), nil
}

func (t *Translator) named(n *types.Named) (types.Type, error) {
	if p := n.Obj().Pkg(); p != nil && n.Obj().Parent() != p.Scope() {
		return nil, fmt.Errorf("%s is declared within a function", n.Obj().Name())
	}
	o, err := t.object(n.Obj())
	if err != nil {
		return nil, err
	}
	tn, ok := o.(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("%s is no type any more", n.Obj().Name())
	}
	if n.TypeArgs().Len() == 0 {
		return tn.Type(), nil
	}
	var args []types.Type
	for a := range n.TypeArgs().Types() {
		b, err := t.Type(a)
		if err != nil {
			return nil, err
		}
		args = append(args, b)
	}
	generic, ok := types.Unalias(tn.Type()).(*types.Named)
	if !ok || generic.TypeParams().Len() != len(args) {
		return nil, fmt.Errorf("%s has other type parameters", n.Obj().Name())
	}
	return types.Instantiate(nil, generic, args, false)
}

func (t *Translator) signature(s *types.Signature) (types.Type, error) {
	params, err := t.tuple(s.Params())
	if err != nil {
		return nil, err
	}
	results, err := t.tuple(s.Results())
	if err != nil {
		return nil, err
	}
	return types.NewSignatureType(nil, nil, nil, params, results, s.Variadic()), nil
}

func (t *Translator) tuple(l *types.Tuple) (*types.Tuple, error) {
	var vars []*types.Var
	for v := range l.Variables() {
		typ, err := t.Type(v.Type())
		if err != nil {
			return nil, err
		}
		vars = append(vars, types.NewParam(v.Pos(), t.pkg(v.Pkg()), v.Name(), typ))
	}
	return types.NewTuple(vars...), nil
}

func (t *Translator) structure(s *types.Struct) (types.Type, error) {
	fields := make([]*types.Var, s.NumFields())
	tags := make([]string, s.NumFields())
	for i := range fields {
		f := s.Field(i)
		typ, err := t.Type(f.Type())
		if err != nil {
			return nil, err
		}
		fields[i], tags[i] = types.NewField(f.Pos(), t.pkg(f.Pkg()), f.Name(), typ, f.Embedded()), s.Tag(i)
	}
	return types.NewStruct(fields, tags), nil
}

func (t *Translator) iface(i *types.Interface) (types.Type, error) {
	if i.NumMethods() == 0 && i.IsMethodSet() {
		return types.NewInterfaceType(nil, nil).Complete(), nil
	}
	if !i.IsMethodSet() {
		return nil, fmt.Errorf("a constraint")
	}
	var methods []*types.Func
	for m := range i.Methods() {
		sig, err := t.signature(m.Signature())
		if err != nil {
			return nil, err
		}
		methods = append(methods, types.NewFunc(m.Pos(), t.pkg(m.Pkg()), m.Name(), sig.(*types.Signature)))
	}
	return types.NewInterfaceType(methods, nil).Complete(), nil
}

// Outcome returns an outcome in terms of the other version: values have the types of the other version,
// or nil if it has no such type.
func (t *Translator) Outcome(o *testcase.Outcome) *testcase.Outcome {
	out := *o
	out.Results = make([][]testcase.Value, len(o.Results))
	for i, r := range o.Results {
		out.Results[i] = t.values(r)
	}
	out.Final = t.values(o.Final)
	return &out
}

func (t *Translator) values(list []testcase.Value) []testcase.Value {
	if list == nil {
		return nil
	}
	out := make([]testcase.Value, len(list))
	for i, v := range list {
		out[i] = v
		if v.Type != nil {
			typ, err := t.Type(v.Type)
			if err != nil {
				typ = nil
			}
			out[i].Type = typ
		}
		out[i].Elems = t.values(v.Elems)
		if v.Kind == testcase.Struct && v.Type != nil && out[i].Type != nil {
			out[i].Elems = reordered(out[i].Elems, v.Type, out[i].Type)
		}
		if v.Err != nil {
			e := *v.Err
			e.Sentinels = nil
			for _, s := range v.Err.Sentinels {
				if o, err := t.object(s); err == nil {
					if sv, ok := o.(*types.Var); ok {
						e.Sentinels = append(e.Sentinels, sv)
					}
				}
			}
			e.Identical = v.Err.Identical && len(e.Sentinels) > 0
			out[i].Err = &e
		}
	}
	return out
}

// reordered returns the fields of a struct of type from in the order of the type to, by name. Fields
// that from lacks are marked as not observed.
func reordered(fields []testcase.Value, from, to types.Type) []testcase.Value {
	a, ok := from.Underlying().(*types.Struct)
	b, okB := to.Underlying().(*types.Struct)
	if !ok || !okB || len(fields) != a.NumFields() {
		return fields
	}
	out := make([]testcase.Value, b.NumFields())
	for i := range out {
		for k := range fields {
			if a.Field(k).Name() == b.Field(i).Name() {
				out[i] = fields[k]
			}
		}
	}
	return out
}
