package requests

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// Notation is a set of notations in which values are written.
type Notation int

// The notations.
const (
	JSON Notation = 1 << iota
	XML
	YAML
	TOML
)

// String returns the extension of files in a notation.
func (n Notation) String() string {
	switch n {
	case JSON:
		return "json"
	case XML:
		return "xml"
	case YAML:
		return "yaml"
	case TOML:
		return "toml"
	}
	return strconv.Itoa(int(n))
}

// Decoded is a type whose values a function decodes.
type Decoded struct {
	Type types.Type
	As   Notation
}

// Decoded returns the types that a function decodes values of: its own before those of the functions that it calls, and those of
// methods that may be behind an interface last.
func (f *Facts) Decoded(fn *types.Func) []Decoded {
	reached := []string{fn.Origin().FullName()}
	var behind []string
	var out []Decoded
	for i := 0; i < len(reached); i++ {
		in := f.funcs[reached[i]]
		if in != nil {
			out = append(out, in.decoded...)
			for _, callee := range in.calls {
				if !slices.Contains(reached, callee) {
					reached = append(reached, callee)
				}
			}
			behind = append(behind, in.behind...)
		}
		if i == len(reached)-1 {
			for _, name := range behind {
				if !slices.Contains(reached, name) {
					reached = append(reached, name)
				}
			}
			behind = nil
		}
	}
	return out
}

// Into returns the notations from which a function decodes into what its k-th parameter points to, 0 if it does not.
func (f *Facts) Into(fn *types.Func, k int) Notation {
	return f.into[paramPlace(fn.Origin().FullName(), k)]
}

// mostDecoded is how many types one function decodes values of at the most: a generic function that calls itself may do so with
// ever larger types.
const mostDecoded = 40

// instance is a call of a function of type parameters with types for these.
type instance struct {
	callee string
	params *types.TypeParamList
	args   []types.Type
	in     *function
}

// instance notes the type arguments of a call: its own, or those of the receiver.
func (f *finder) instance(in *function, call *ast.CallExpr, id *ast.Ident, callee *types.Func) {
	info, sig := in.source.Info, callee.Signature()
	params, args := sig.TypeParams(), info.Instances[id].TypeArgs
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && sig.RecvTypeParams().Len() > 0 {
		t := info.TypeOf(sel.X)
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			params, args = sig.RecvTypeParams(), n.TypeArgs()
		}
	}
	if params.Len() > 0 && params.Len() == args.Len() {
		f.instances = append(f.instances, instance{callee.FullName(), params, slices.Collect(args.Types()), in})
	}
}

// seed notes the parameter of a function of another module, or of the standard library, that decodes: of json.Unmarshal,
// Decoder.Decode, and functions that are called like these in packages for the same notations.
func (f *finder) seed(callee *types.Func) {
	if callee.Pkg() == nil || f.sources[callee.Pkg().Path()] != nil {
		return
	}
	var as Notation
	switch path := callee.Pkg().Path(); {
	case strings.Contains(path, "json"):
		as = JSON
	case strings.Contains(path, "xml"):
		as = XML
	case strings.Contains(path, "yaml"):
		as = YAML
	case strings.Contains(path, "toml"):
		as = TOML
	default:
		return
	}
	params := callee.Signature().Params().Len()
	switch callee.Name() {
	case "Unmarshal", "UnmarshalFromString", "UnmarshalStrict", "DecodeFile", "DecodeReader":
		if params >= 2 { // options may follow
			f.mark(paramPlace(callee.FullName(), 1), as)
		}
	case "Decode":
		if params > 0 {
			f.mark(paramPlace(callee.FullName(), min(params, 2)-1), as) // toml.Decode takes a text first
		}
	}
}

// mark notes that code decodes into what a place points to.
func (f *finder) mark(p place, as Notation) {
	if p != nil && f.into[p]|as != f.into[p] {
		f.into[p] |= as
		f.grown = true
	}
}

// followValues follows the values into which code decodes back to where their types are known.
func (f *finder) followValues() {
	for f.grown = true; f.grown; {
		f.grown = false
		for _, v := range f.flows {
			as := f.into[v.to]
			switch {
			case v.via != nil && f.into[v.to] != 0:
				f.mark(v.via, as)
			case as != 0:
				f.decodesInto(v.in, v.from, as)
			}
		}
		for _, i := range f.instances {
			if callee := f.funcs[i.callee]; callee != nil {
				for _, d := range callee.deferred {
					f.decodes(i.in, substituted(d.Type, i.args), d.As)
				}
			}
		}
	}
}

// decodesInto notes that a function decodes into what an expression points to.
func (f *finder) decodesInto(in *function, e ast.Expr, as Notation) {
	info := in.source.Info
	x, address := unwrapped(info, e)
	t := info.TypeOf(x)
	switch {
	case t == nil:
	case types.IsInterface(t) && !isTypeParam(t):
		f.mark(f.placeOf(in, x), as)
	case address || isTypeParam(t):
		f.decodes(in, t, as)
	default:
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			f.decodes(in, p.Elem(), as)
		}
	}
}

// decodes notes that a function decodes values of a type. Into what the fields of any type point to, it decodes as well.
func (f *finder) decodes(in *function, t types.Type, as Notation) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if types.IsInterface(t) && !isTypeParam(t) {
		return
	}
	list := &in.decoded
	if holdsTypeParam(t) {
		list = &in.deferred
	}
	known := slices.IndexFunc(*list, func(d Decoded) bool { return types.Identical(d.Type, t) })
	switch {
	case known >= 0 && (*list)[known].As|as == (*list)[known].As || known < 0 && len(*list) == mostDecoded:
		return
	case known >= 0:
		(*list)[known].As |= as
	default:
		*list = append(*list, Decoded{t, as})
	}
	f.grown = true
	if s, ok := t.Underlying().(*types.Struct); ok {
		for v := range s.Fields() {
			if types.IsInterface(v.Type()) {
				f.mark(fieldName(v), as)
			}
		}
	}
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// holdsTypeParam reports whether a type parameter is a type, or among what the type is made of.
func holdsTypeParam(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Pointer:
		return holdsTypeParam(t.Elem())
	case *types.Slice:
		return holdsTypeParam(t.Elem())
	case *types.Map:
		return holdsTypeParam(t.Elem())
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if holdsTypeParam(a) {
				return true
			}
		}
	}
	return false
}

// substituted returns a type with other types in the place of the type parameters of its function.
func substituted(t types.Type, args []types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if t.Index() < len(args) {
			return args[t.Index()]
		}
	case *types.Pointer:
		return types.NewPointer(substituted(t.Elem(), args))
	case *types.Slice:
		return types.NewSlice(substituted(t.Elem(), args))
	case *types.Map:
		return types.NewMap(t.Key(), substituted(t.Elem(), args))
	case *types.Named:
		if !holdsTypeParam(t) {
			return t
		}
		list := make([]types.Type, t.TypeArgs().Len())
		for i := range list {
			list[i] = substituted(t.TypeArgs().At(i), args)
		}
		// The arguments need not be looked at again, because the compiler has done so.
		if out, err := types.Instantiate(nil, t.Origin(), list, false); err == nil {
			return out
		}
	}
	return t
}
