package lockstep

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Values of interface types may have methods that have changed. A call of one by its name is a use of all methods of
// that name, but code of other packages may call any: package fmt asks a value for String. So a function that passes
// on values whose types it does not know, or asks what methods they have, is not proved if such methods have changed.

// otherMethods returns the names of exported methods that only one version has, or that are not known to do the same.
func (c *comparer) otherMethods() map[string]bool {
	out := map[string]bool{}
	for side, functions := range c.functions {
		for key, fn := range functions {
			if fn.Signature.Recv() == nil || !token.IsExported(fn.Name()) {
				continue
			}
			to := key
			if side == 0 {
				to = c.pairing.NewKey(key)
			}
			if to == "" || c.pairing.OldKey(to) == "" || c.pairing.Affected(to) && !c.same[to] {
				out[fn.Name()] = true
			}
		}
	}
	return out
}

// mayCallOthers reports whether a function may have one of some methods called on a value of a type that it does not
// know.
func (c *comparer) mayCallOthers(fn *ssa.Function, methods map[string]bool) bool {
	if fn == nil || len(methods) == 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			switch ins := ins.(type) {
			case *ssa.TypeAssert:
				if i, ok := ins.AssertedType.Underlying().(*types.Interface); ok && hasMethodOf(i, methods) {
					return true
				}
			case ssa.CallInstruction:
				if c.passesUnknown(ins.Common(), methods) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, func(f *ssa.Function) bool { return c.mayCallOthers(f, methods) })
}

func hasMethodOf(i *types.Interface, names map[string]bool) bool {
	for m := range i.Methods() {
		if names[m.Name()] {
			return true
		}
	}
	return false
}

// asked are the methods that packages fmt and errors look for in values of any type.
var asked = []string{"Error", "String", "GoString", "Format", "Scan", "Is", "As", "Unwrap"}

// passesUnknown reports whether a call passes values of types that are not known to code that is not compared.
func (c *comparer) passesUnknown(call *ssa.CallCommon, methods map[string]bool) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return false
	}
	callee := call.StaticCallee()
	if callee != nil && callee.Parent() != nil {
		return false // a literal, whose code is compared
	}
	if callee != nil && callee.Object() != nil && (c.functions[0][keyOf(callee.Object())] == callee || c.functions[1][keyOf(callee.Object())] == callee) {
		return false
	}
	if callee != nil && callee.Pkg != nil {
		if path := callee.Pkg.Pkg.Path(); path == "fmt" || path == "errors" {
			known := map[string]bool{}
			for _, name := range asked {
				known[name] = methods[name]
			}
			for i := range callee.Signature.Params().Len() {
				if iface, ok := callee.Signature.Params().At(i).Type().Underlying().(*types.Interface); ok {
					for m := range iface.Methods() {
						known[m.Name()] = methods[m.Name()]
					}
				}
			}
			if !slices.Contains(valuesOf(known), true) {
				return false
			}
		}
	}
	return slices.ContainsFunc(call.Args, func(v ssa.Value) bool { return isUnknown(v) })
}

func valuesOf(m map[string]bool) []bool {
	var out []bool
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

// isUnknown reports whether a value is, or leads to, a value of an interface type whose dynamic type is not to be seen
// in the code. The methods of those that are to be seen count as used.
func isUnknown(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.MakeClosure:
		return false
	case *ssa.MakeInterface:
		return isUnknown(v.X)
	case *ssa.Slice:
		// The arguments of a variadic function are stored into an array first.
		if array, ok := v.X.(*ssa.Alloc); ok && strings.HasPrefix(array.Comment, "varargs") {
			return slices.ContainsFunc(*array.Referrers(), func(use ssa.Instruction) bool {
				at, ok := use.(*ssa.IndexAddr)
				return ok && slices.ContainsFunc(*at.Referrers(), func(use ssa.Instruction) bool {
					s, ok := use.(*ssa.Store)
					return !ok || isUnknown(s.Val)
				})
			})
		}
	}
	return leadsToInterface(v.Type(), map[types.Type]bool{})
}

// leadsToInterface reports whether a value of a type is or refers to one of an interface type, or may run code.
func leadsToInterface(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return leadsToInterface(u.Elem(), seen)
	case *types.Slice:
		return leadsToInterface(u.Elem(), seen)
	case *types.Array:
		return leadsToInterface(u.Elem(), seen)
	case *types.Chan:
		return leadsToInterface(u.Elem(), seen)
	case *types.Map:
		return leadsToInterface(u.Key(), seen) || leadsToInterface(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if leadsToInterface(f.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}
