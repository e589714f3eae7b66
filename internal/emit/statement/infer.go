package statement

import (
	"fmt"
	"go/types"
	"strings"
)

// Inferable reports whether Go infers the type arguments of a call. The n arguments have exactly the types of
// the instantiated parameters, or implement them. Before go1.21 type arguments are not inferred from an
// argument that implements a generic interface.
func (w *File) Inferable(origin *types.Signature, args []types.Type, n int) bool {
	tps := origin.TypeParams()
	known := map[*types.TypeParam]bool{}
	for i := range tps.Len() {
		for j := range min(n, origin.Params().Len()) {
			p := origin.Params().At(j).Type()
			if _, param := p.(*types.TypeParam); types.IsInterface(p) && !param && mentionsTypeParam(p) && !w.Since("go1.21") {
				return false
			}
			if mentions(p, tps.At(i), nil) && !types.IsInterface(args[i]) {
				known[tps.At(i)] = true
			}
		}
	}
	// For func F[S ~[]E, E any](s S), the type of S determines E by its constraint.
	for range tps.Len() {
		for i := range tps.Len() {
			if !known[tps.At(i)] {
				continue
			}
			for j := range tps.Len() {
				if mentions(tps.At(i).Constraint().Underlying(), tps.At(j), nil) && !types.IsInterface(args[j]) {
					known[tps.At(j)] = true
				}
			}
		}
	}
	return len(known) == tps.Len()
}

// TypeArgs returns [T, U].
func (w *File) TypeArgs(ts []types.Type) string {
	out := make([]string, len(ts))
	for i, t := range ts {
		out[i] = w.Type(t)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// ParamType returns the type that the place of argument k asks for. It is nil if type arguments are
// inferred from the argument's own type.
func ParamType(sig, origin *types.Signature, explicit bool, k int, spread bool) types.Type {
	at := func(sig *types.Signature) types.Type {
		n := sig.Params().Len()
		if sig.Variadic() && k >= n-1 && !spread {
			return sig.Params().At(n - 1).Type().(*types.Slice).Elem()
		}
		if k >= n {
			panic(fmt.Sprintf("bug: emit: argument %d of a call of %s", k, sig))
		}
		return sig.Params().At(k).Type()
	}
	if !explicit && mentionsTypeParam(at(origin)) {
		return nil
	}
	return at(sig)
}

// mentionsTypeParam reports whether a type parameter occurs in t.
func mentionsTypeParam(t types.Type) bool { return mentions(t, nil, nil) }

// mentions reports whether a type parameter occurs in t. If tp is nil, any type parameter counts.
func mentions(t types.Type, tp *types.TypeParam, seen map[types.Type]bool) bool {
	if seen == nil {
		seen = map[types.Type]bool{}
	}
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	in := func(ts ...types.Type) bool {
		for _, u := range ts {
			if mentions(u, tp, seen) {
				return true
			}
		}
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return tp == nil || t == tp
	case *types.Pointer:
		return in(t.Elem())
	case *types.Slice:
		return in(t.Elem())
	case *types.Array:
		return in(t.Elem())
	case *types.Chan:
		return in(t.Elem())
	case *types.Map:
		return in(t.Key(), t.Elem())
	case *types.Signature:
		return in(t.Params(), t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			if in(t.At(i).Type()) {
				return true
			}
		}
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			if in(t.TypeArgs().At(i)) {
				return true
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if in(t.Field(i).Type()) {
				return true
			}
		}
	case *types.Interface:
		for i := range t.NumEmbeddeds() {
			if in(t.EmbeddedType(i)) {
				return true
			}
		}
		for i := range t.NumExplicitMethods() {
			if in(t.ExplicitMethod(i).Type()) {
				return true
			}
		}
	case *types.Union:
		for i := range t.Len() {
			if in(t.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}
