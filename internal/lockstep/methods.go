package lockstep

import (
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
)

// Values of interface types may have methods that have changed. A call of one by its name is a use of all methods of
// that name, but code of other packages may call any: package fmt asks a value for String. So a function that passes
// on values whose types it does not know, or asks what methods they have, is not proved if such methods have changed.

// otherMethods returns the names of exported methods that only one version has, or that are not known to do the same,
// and both names of all methods that have another name now.
func (c *comparer) otherMethods() map[string]bool {
	out := map[string]bool{}
	for side, functions := range c.functions {
		for key, fn := range functions {
			if fn.Signature.Recv() == nil {
				continue
			}
			to := key
			if side == 0 {
				to = c.pairing.NewKey(key)
			}
			if c.isRenamedMethod(key, side == 1) {
				out[fn.Name()] = true
				continue
			}
			if token.IsExported(fn.Name()) && (to == "" || c.pairing.OldKey(to) == "" || c.pairing.Affected(to) && !c.same[to]) {
				out[fn.Name()] = true
			}
		}
	}
	return out
}

// isRenamedMethod reports whether a method of a version has another name in the other version.
func (c *comparer) isRenamedMethod(key string, new bool) bool {
	side, other := 0, c.pairing.NewKey(key)
	if new {
		side, other = 1, c.pairing.OldKey(key)
	}
	fn, partner := c.functions[side][key], c.functions[1-side][other]
	return fn != nil && partner != nil && fn.Signature.Recv() != nil && fn.Name() != partner.Name()
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

// A value that is converted to an interface is known, and so are its methods, but what is done with it may not be. The
// declarations that a function uses have all methods of such a value. What the code of the function says is more
// precise: which methods it calls, and that package encoding/json, say, looks for a few names only.

// usesOf returns the declarations that a function of a version uses, with the methods that may be called on values
// that it converts to interfaces, and whether one of these has another name in the other version.
func (c *comparer) usesOf(key string, new bool) (uses []string, renamed bool) {
	side := 0
	if new {
		side = 1
	}
	u := &usage{called: map[string]bool{}, boxed: map[string]bool{}}
	u.function(c.functions[side][key])
	out := slices.DeleteFunc(slices.Clone(c.pairing.Uses(key, new)), func(used string) bool {
		fn := c.functions[side][used]
		return fn != nil && fn.Signature.Recv() != nil && !u.called[used]
	})
	boxed := slices.Sorted(maps.Keys(u.boxed))
	return append(out, boxed...), slices.ContainsFunc(boxed, func(key string) bool { return c.isRenamedMethod(key, new) })
}

// namesPrefix begins the keys of the names of types; see load.Declaration.
const namesPrefix = "names of "

// usage is what a function uses by its code.
type usage struct {
	called map[string]bool // functions and methods, by the keys of their declarations
	boxed  map[string]bool // methods of values that are converted to interfaces
}

func (u *usage) function(fn *ssa.Function) {
	if fn == nil {
		return
	}
	var operands []*ssa.Value
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			operands = ins.Operands(operands[:0])
			for _, o := range operands {
				if f, ok := (*o).(*ssa.Function); ok {
					u.mentions(f)
				}
			}
			if box, ok := ins.(*ssa.MakeInterface); ok {
				u.converted(box.X.Type(), looksFor(box))
			}
		}
	}
	for _, f := range fn.AnonFuncs {
		u.function(f)
	}
}

// mentions notes a function that is called or used as a value.
func (u *usage) mentions(fn *ssa.Function) {
	if fn.Object() != nil {
		u.called[keyOf(fn.Object())] = true
	}
	for _, t := range fn.TypeArgs() {
		u.converted(t, nil) // generic code may convert values of its parameters
	}
}

// converted notes the methods of a type and of what its values lead to: those of some names, or all if names is nil.
func (u *usage) converted(t types.Type, names []string) {
	for _, n := range load.NamedIn(t) {
		u.boxed[namesPrefix+keyOf(n.Obj())] = true
		for m := range n.Origin().Methods() {
			if names == nil || slices.Contains(names, m.Name()) {
				u.boxed[keyOf(m)] = true
			}
		}
	}
}

// looksFor returns the names of the methods that may be called on a value that is converted to an interface, if it
// goes nowhere but to functions of which these are known, and nil otherwise.
func looksFor(box *ssa.MakeInterface) []string {
	out := []string{""}
	for _, use := range *box.Referrers() {
		if _, ok := use.(*ssa.DebugRef); ok {
			continue
		}
		names := namesAsked(passedTo(box, use), box)
		if names == nil {
			return nil
		}
		out = append(out, names...)
	}
	return out
}

// passedTo returns the call that an instruction passes a value to, directly or as one of its variadic arguments, or nil.
func passedTo(v ssa.Value, use ssa.Instruction) *ssa.Call {
	if call, ok := use.(*ssa.Call); ok {
		return call
	}
	store, ok := use.(*ssa.Store)
	if !ok || store.Val != v {
		return nil
	}
	at, ok := store.Addr.(*ssa.IndexAddr)
	if !ok || len(*at.Referrers()) != 1 {
		return nil
	}
	array, ok := at.X.(*ssa.Alloc)
	if !ok || !strings.HasPrefix(array.Comment, "varargs") {
		return nil
	}
	var out *ssa.Call
	for _, use := range *array.Referrers() {
		switch use := use.(type) {
		case *ssa.IndexAddr, *ssa.DebugRef:
		case *ssa.Slice:
			if len(*use.Referrers()) != 1 {
				return nil
			}
			if out, ok = (*use.Referrers())[0].(*ssa.Call); !ok {
				return nil
			}
		default:
			return nil
		}
	}
	return out
}

// namesAsked returns the names of the methods that a function of a library calls on a value of any type, or nil if it
// may call all, or keep the value.
func namesAsked(call *ssa.Call, v ssa.Value) []string {
	if call == nil || call.Call.IsInvoke() {
		return nil
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Pkg == nil || callee.Signature.Recv() != nil {
		return nil
	}
	var names []string
	switch path, name := callee.Pkg.Pkg.Path(), callee.Name(); {
	case path == "fmt" && name != "Errorf": // an error keeps what it wraps
		names = slices.Clone(asked)
	case path == "encoding/json" && (name == "Marshal" || name == "MarshalIndent"):
		names = []string{"MarshalJSON", "MarshalJSONTo", "MarshalText", "AppendText", "IsZero"}
	case path == "encoding/json" && name == "Unmarshal":
		names = []string{"UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText"}
	default:
		return nil
	}
	for i, a := range call.Call.Args {
		if iface, ok := callee.Signature.Params().At(i).Type().Underlying().(*types.Interface); ok && a == v {
			for m := range iface.Methods() {
				names = append(names, m.Name())
			}
		}
	}
	return names
}

// asked are the methods that packages fmt and errors look for in values of any type.
var asked = []string{"Error", "String", "GoString", "Format", "Scan", "Is", "As", "Unwrap"}

// passesUnknown reports whether a call passes values of types that are not known to code that is not compared.
func (c *comparer) passesUnknown(call *ssa.CallCommon, methods map[string]bool) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok || !slices.ContainsFunc(slices.Collect(maps.Keys(methods)), token.IsExported) {
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
