package load

import "go/types"

// maxInstances bounds how many instances of one generic function are tested.
const maxInstances = 2

// maxTries bounds the search for type arguments. Constraints that need more tries cannot be satisfied
// by a blind choice.
const maxTries = 2000

// typeArguments chooses up to maxInstances lists of type arguments that satisfy the constraints, as the
// function satisfied decides. The first list has the simplest types, different ones for different
// parameters if possible, so that code which mixes them up fails. A second list is chosen only if the
// constraint admits both integers and floats by name, because their arithmetic differs.
func typeArguments(pkg *Package, params *types.TypeParamList, satisfied func([]types.Type) bool) [][]types.Type {
	s := typeSearch{pkg: pkg, satisfied: satisfied}
	for tp := range params.TypeParams() {
		s.params = append(s.params, tp)
	}
	s.chosen = make([]types.Type, len(s.params))
	var out [][]types.Type
	if !s.assign(0, types.Int) {
		return nil
	}
	out = append(out, append([]types.Type(nil), s.chosen...))
	if arithmetic(s.params) {
		s.chosen = make([]types.Type, len(s.params))
		if s.assign(0, types.Float64) {
			out = append(out, s.chosen)
		}
	}
	return out[:min(len(out), maxInstances)]
}

// typeSearch is a backtracking search for type arguments.
type typeSearch struct {
	pkg       *Package
	params    []*types.TypeParam
	chosen    []types.Type // nil where not chosen yet
	satisfied func([]types.Type) bool
	tries     int
}

// assign chooses types for parameter i and those after it. Parameters whose constraint names a shape ("~[]E")
// are chosen after the parameters that the shape refers to.
func (s *typeSearch) assign(i int, first types.BasicKind) bool {
	if i == len(s.params) {
		s.tries++
		return s.satisfied(s.chosen)
	}
	at := s.next()
	for _, c := range s.candidates(at, i, first) {
		if s.tries >= maxTries {
			break
		}
		s.chosen[at] = c
		if s.assign(i+1, first) {
			return true
		}
	}
	s.chosen[at] = nil
	return false
}

// next returns the parameter to choose next: the first one without a shape, or the first remaining one.
func (s *typeSearch) next() int {
	left := -1
	for i, tp := range s.params {
		if s.chosen[i] != nil {
			continue
		}
		if !shaped(tp) {
			return i
		}
		if left < 0 {
			left = i
		}
	}
	return left
}

// shaped reports whether a term of the constraint mentions a type parameter.
func shaped(tp *types.TypeParam) bool {
	for _, t := range terms(tp) {
		if mentionsParam(t) {
			return true
		}
	}
	return false
}

// terms returns the types that the constraint lists, without tildes.
func terms(tp *types.TypeParam) []types.Type {
	var out []types.Type
	seen := make(map[types.Type]bool)
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.(type) {
		case *types.Union:
			for term := range u.Terms() {
				visit(term.Type())
			}
		default:
			if iface, ok := t.Underlying().(*types.Interface); ok {
				for e := range iface.EmbeddedTypes() {
					visit(e)
				}
				return
			}
			out = append(out, t)
		}
	}
	visit(tp.Constraint())
	return out
}

func mentionsParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return mentionsParam(t.Elem())
	case *types.Slice:
		return mentionsParam(t.Elem())
	case *types.Array:
		return mentionsParam(t.Elem())
	case *types.Chan:
		return mentionsParam(t.Elem())
	case *types.Map:
		return mentionsParam(t.Key()) || mentionsParam(t.Elem())
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				if mentionsParam(v.Type()) {
					return true
				}
			}
		}
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if mentionsParam(a) {
				return true
			}
		}
	}
	return false
}

// candidates lists the types to try for parameter at, the i-th to be chosen.
func (s *typeSearch) candidates(at, i int, first types.BasicKind) []types.Type {
	var out []types.Type
	if ts := terms(s.params[at]); len(ts) > 0 && shaped(s.params[at]) {
		for _, t := range ts {
			if c := s.substitute(t); c != nil {
				out = append(out, c)
			}
		}
		return out
	}
	// Parameters after the first one prefer another type than their predecessors.
	basics := []types.BasicKind{types.Int, types.String, types.Bool, types.Float64, types.Byte, types.Complex128}
	if first == types.Float64 {
		basics = []types.BasicKind{types.Float64, types.Int, types.String, types.Bool, types.Byte, types.Complex128}
	}
	n := len(basics)
	for k := range basics {
		out = append(out, types.Typ[basics[(k+i)%n]])
	}
	// Types of the package, and implementations of them, for constraints with methods.
	for _, tn := range s.pkg.typeNames() {
		named, ok := types.Unalias(tn.Type()).(*types.Named)
		if !ok || types.IsInterface(named) {
			continue
		}
		if n := named.TypeParams().Len(); n > 0 {
			// Instances of the package's generic types over int are candidates as well.
			targs := make([]types.Type, n)
			for j := range targs {
				targs[j] = types.Typ[types.Int]
			}
			inst, err := types.Instantiate(nil, named, targs, true)
			if err != nil {
				continue
			}
			out = append(out, inst, types.NewPointer(inst))
			continue
		}
		out = append(out, named, types.NewPointer(named))
	}
	// Terms that are not basic types come last, as in "[]byte | string".
	return append(out, terms(s.params[at])...)
}

// substitute replaces the parameters in t by the chosen types, or nil if a needed one is not chosen yet.
func (s *typeSearch) substitute(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		for i, tp := range s.params {
			if tp == t {
				return s.chosen[i]
			}
		}
		return nil
	case *types.Pointer:
		if e := s.substitute(t.Elem()); e != nil {
			return types.NewPointer(e)
		}
	case *types.Slice:
		if e := s.substitute(t.Elem()); e != nil {
			return types.NewSlice(e)
		}
	case *types.Array:
		if e := s.substitute(t.Elem()); e != nil {
			return types.NewArray(e, t.Len())
		}
	case *types.Chan:
		if e := s.substitute(t.Elem()); e != nil {
			return types.NewChan(t.Dir(), e)
		}
	case *types.Map:
		k, e := s.substitute(t.Key()), s.substitute(t.Elem())
		if k != nil && e != nil {
			return types.NewMap(k, e)
		}
	case *types.Signature:
		params, ok1 := s.substituteTuple(t.Params())
		results, ok2 := s.substituteTuple(t.Results())
		if ok1 && ok2 {
			return types.NewSignatureType(nil, nil, nil, params, results, t.Variadic())
		}
	case *types.Named:
		var targs []types.Type
		for a := range t.TypeArgs().Types() {
			b := s.substitute(a)
			if b == nil {
				return nil
			}
			targs = append(targs, b)
		}
		if len(targs) == 0 {
			return t
		}
		if inst, err := types.Instantiate(nil, t.Origin(), targs, true); err == nil {
			return inst
		}
	default:
		return t
	}
	return nil
}

func (s *typeSearch) substituteTuple(t *types.Tuple) (*types.Tuple, bool) {
	vars := make([]*types.Var, 0, t.Len())
	for v := range t.Variables() {
		e := s.substitute(v.Type())
		if e == nil {
			return nil, false
		}
		vars = append(vars, types.NewVar(v.Pos(), v.Pkg(), v.Name(), e))
	}
	return types.NewTuple(vars...), true
}

// arithmetic reports whether some constraint names both integer and floating-point types but not strings:
// such a function computes with numbers.
func arithmetic(params []*types.TypeParam) bool {
	for _, tp := range params {
		var all types.BasicInfo
		for _, t := range terms(tp) {
			if b, ok := t.Underlying().(*types.Basic); ok {
				all |= b.Info()
			}
		}
		if all&types.IsInteger != 0 && all&types.IsFloat != 0 && all&types.IsString == 0 {
			return true
		}
	}
	return false
}
