package load

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
)

// Constructors returns the functions of the package that make a T: those that return T or *T, alone or
// with an error or a bool, also where the result is an interface that holds a T or *T, always or for some arguments. The best come
// first: those with the directive //assay:factory, those that always return a T, New*, then exported ones, then those with the fewest
// and simplest arguments. Functions that need a T to make one, or a list of T, are left out. Generic ones are
// instantiated with T's type arguments.
func (pkg *Package) Constructors(t types.Type) []*Target {
	want := NamedOf(t)
	if want == nil || pkg.Types == nil {
		return nil
	}
	var out []*Target
	seen := make(map[*types.Func]bool)
	for _, target := range pkg.Targets {
		obj := target.Obj
		if seen[obj] || obj.Signature().Recv() != nil || target.Skip != "" && !target.Factory && !strings.HasPrefix(target.Skip, skipNoTypes) {
			continue
		}
		seen[obj] = true
		if c := pkg.constructor(target, want); c != nil {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *Target) int {
		return cmp.Or(
			-compareBool(a.Factory, b.Factory),
			compareBool(a.IsAmong(want), b.IsAmong(want)),
			-compareBool(strings.HasPrefix(a.Name, "New"), strings.HasPrefix(b.Name, "New")),
			-compareBool(a.Exported, b.Exported),
			cmp.Compare(effort(a), effort(b)),
		)
	})
	return out
}

// Factories returns the functions of the package with the directive //assay:factory that return a t.
func (pkg *Package) Factories(t types.Type) []*Target {
	var out []*Target
	for _, target := range pkg.Targets {
		if target.Factory && target.Func != nil && types.Identical(target.Func.Signature.Results().At(0).Type(), t) {
			out = append(out, target)
		}
	}
	return out
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// constructor returns the target if it makes a want. A generic target is instantiated.
func (pkg *Package) constructor(target *Target, want *types.Named) *Target {
	obj := target.Obj
	made := madeBy(obj.Signature())
	if madeFirst(obj.Signature()) && (made == nil || made.Origin() != want.Origin()) {
		if target.Behind != nil {
			made = NamedOf(target.Behind)
		} else if target.IsAmong(want) && !takes(obj.Signature(), obj.Signature().Results().At(0).Type()) {
			made = want
		}
	}
	if made == nil || made.Origin() != want.Origin() {
		return nil
	}
	if needsOne(obj.Signature(), want) || finds(target.Func, want) {
		return nil
	}
	params := obj.Signature().TypeParams()
	if params.Len() == 0 {
		if !types.Identical(made, want) {
			return nil // New() *Set[int] does not make a Set[string]
		}
		return target
	}
	// The type parameters are found by matching the result's type arguments.
	targs := make([]types.Type, params.Len())
	for i := range made.TypeArgs().Len() {
		if tp, ok := types.Unalias(made.TypeArgs().At(i)).(*types.TypeParam); ok {
			targs[tp.Index()] = want.TypeArgs().At(i)
		}
	}
	if slices.Contains(targs, nil) {
		return nil
	}
	inst, err := types.Instantiate(nil, obj.Signature(), targs, true)
	if err != nil {
		return nil
	}
	if got := madeBy(inst.(*types.Signature)); got == nil || !types.Identical(got, want) {
		return nil
	}
	for _, t := range pkg.Targets {
		if t.Obj == obj && slices.EqualFunc(t.TypeArgs, targs, types.Identical) {
			return t
		}
	}
	pkg.prog.deps.mu.Lock()
	defer pkg.prog.deps.mu.Unlock()
	fn, err := pkg.prog.instance(obj, targs)
	if err != nil {
		return nil
	}
	return &Target{Name: target.Name, Func: fn, Obj: obj, TypeArgs: targs, Exported: target.Exported, Pos: target.Pos}
}

// IsAmong reports whether a function returns an interface that holds a t, or a pointer to one, for some arguments and something else for
// others.
func (t *Target) IsAmong(want types.Type) bool {
	named := NamedOf(want)
	return named != nil && slices.ContainsFunc(t.Among, func(a types.Type) bool { return types.Identical(NamedOf(a), named) })
}

// takes reports whether a function has a parameter of a type. What is given an expression and returns another one makes none for who has
// none.
func takes(sig *types.Signature, t types.Type) bool {
	return slices.ContainsFunc(slices.Collect(sig.Params().Variables()), func(p *types.Var) bool { return types.Identical(p.Type(), t) })
}

// needsOne reports whether a function takes a T, or chooses or computes one from a list of T that users write themselves: the
// newest of some versions, the centre of some points, the mean of some colours. A list that is variadic may be empty, and a
// list of what users cannot write may be a node's children.
func needsOne(sig *types.Signature, want *types.Named) bool {
	is := func(t types.Type) bool {
		n := NamedOf(t)
		return n != nil && n.Origin() == want.Origin()
	}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if is(t) {
			return true
		}
		if sig.Variadic() && i == sig.Params().Len()-1 || !isWritten(want) {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Slice:
			if is(u.Elem()) {
				return true
			}
		case *types.Array:
			if is(u.Elem()) {
				return true
			}
		case *types.Map:
			if is(u.Key()) || is(u.Elem()) {
				return true
			}
		}
	}
	return false
}

// finds reports whether a function is given an object of the package by an interface that a T implements, and makes no T itself: it looks
// for one around that object, like ParentEdge(n Node) *Edge. Who has no T gets none from it.
func finds(f *ssa.Function, want *types.Named) bool {
	if f == nil || len(f.Blocks) == 0 {
		return false
	}
	for p := range f.Signature.Params().Variables() {
		of := NamedOf(p.Type())
		iface, ok := p.Type().Underlying().(*types.Interface)
		if ok && of != nil && of.Obj().Pkg() == want.Obj().Pkg() && iface.NumMethods() > 0 &&
			(types.Implements(want, iface) || types.Implements(types.NewPointer(want), iface)) {
			return !allocates(f, want, 0)
		}
	}
	return false
}

// allocates reports whether a function, or one that it calls, makes an object of a type.
func allocates(f *ssa.Function, t types.Type, depth int) bool {
	const deepest = 3
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Alloc:
				if types.Identical(in.Type().Underlying().(*types.Pointer).Elem(), t) {
					return true
				}
			case ssa.CallInstruction:
				if callee := in.Common().StaticCallee(); callee != nil && callee.Pkg == f.Pkg && depth < deepest && allocates(callee, t, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// isWritten reports whether users write values of a type themselves: a number, a text, or a struct of which all fields are
// exported.
func isWritten(t *types.Named) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		_, basic := t.Underlying().(*types.Basic)
		return basic
	}
	for f := range st.Fields() {
		if !f.Exported() {
			return false
		}
	}
	return true
}

// madeBy returns the named type that a function with the signature of a constructor
// makes: its first result, which only an error or a bool may follow.
func madeBy(sig *types.Signature) *types.Named {
	if !madeFirst(sig) {
		return nil
	}
	return NamedOf(sig.Results().At(0).Type())
}

// madeFirst reports whether a function has one result that only an error or a bool may follow.
func madeFirst(sig *types.Signature) bool {
	res := sig.Results()
	switch res.Len() {
	case 1:
		return true
	case 2:
		second := res.At(1).Type()
		return gosyntax.IsError(second) || types.Identical(second, types.Typ[types.Bool])
	}
	return false
}

// effort estimates how hard it is to call a constructor.
func effort(t *Target) int {
	sig := t.Func.Signature
	n := 0
	for i := range sig.Params().Len() {
		n += 2
		if sig.Variadic() && i == sig.Params().Len()-1 {
			n--
			continue
		}
		switch u := sig.Params().At(i).Type().Underlying().(type) {
		case *types.Basic:
		case *types.Slice, *types.Array, *types.Map:
			n++
		case *types.Struct:
			n += u.NumFields()
		default:
			n += 4
		}
	}
	if sig.Results().Len() > 1 {
		n++ // the call can fail
	}
	return n
}

// Implementations returns the concrete types of package in, and the exported ones of its direct imports, that
// implement the interface. The result has T if its method set implements the interface, and *T otherwise. The
// package's own types come first, in the order of the source, followed by those of its imports by path and
// name. Generic types are tried in the instances that are tested. A type that has the methods from an embedded interface alone is
// left out: it does nothing by itself. So is an answer of a service that is an error only because it embeds one.
func (p *Program) Implementations(iface *types.Interface, in *Package) []types.Type {
	if in.Types == nil {
		return nil
	}
	var out []types.Type
	isError := types.Identical(iface, types.Universe.Lookup("error").Type().Underlying())
	add := func(t types.Type) {
		if types.IsInterface(t) || isHollow(t, iface) || isError && IsAnswer(t) {
			return
		}
		if types.Implements(t, iface) {
			out = append(out, t)
		} else if ptr := types.NewPointer(t); types.Implements(ptr, iface) {
			out = append(out, ptr)
		}
	}
	for _, tn := range in.typeNames() {
		named, ok := types.Unalias(tn.Type()).(*types.Named)
		if !ok || named.Obj() != tn {
			continue
		}
		if named.TypeParams().Len() == 0 {
			add(named)
			continue
		}
		for _, targs := range p.receiverArgs(in, named) {
			if inst, err := types.Instantiate(nil, named, targs, true); err == nil {
				add(inst)
			}
		}
	}
	imports := slices.Clone(in.Types.Imports())
	slices.SortFunc(imports, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	for _, imp := range imports {
		scope := imp.Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || !tn.Exported() || tn.IsAlias() {
				continue
			}
			if named, ok := tn.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
				add(named)
			}
		}
	}
	return out
}

// IsAnswer reports whether a type, or what it points to, is a struct that is an error because it embeds an error of another package
// beside fields of its own, as answers of services do whose fields say whether the request has failed. No code returns one as an error.
func IsAnswer(t types.Type) bool {
	n := NamedOf(t)
	if n == nil || strings.HasSuffix(n.Obj().Name(), "Error") {
		return false
	}
	m, path, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "Error")
	st, isStruct := n.Underlying().(*types.Struct)
	return m != nil && len(path) > 1 && isStruct && st.NumFields() > 1 && m.Pkg() != n.Obj().Pkg() && gosyntax.ImplementsError(types.NewPointer(n))
}

// isHollow reports whether a type is a struct that has all methods of an interface from an interface that it embeds.
func isHollow(t types.Type, iface *types.Interface) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok || iface.Empty() {
		return false
	}
	for m := range iface.Methods() {
		_, path, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, m.Pkg(), m.Name())
		if len(path) < 2 || !types.IsInterface(st.Field(path[0]).Type()) {
			return false
		}
	}
	return true
}

// typeNames returns the package-level types of the package in the order of the source.
func (pkg *Package) typeNames() []*types.TypeName {
	var out []*types.TypeName
	for _, d := range pkg.TypeDecls() {
		out = append(out, d.Object)
	}
	return out
}

// Bounds of what is followed: maxPassedOn is through how many functions of the package a result is followed that one function passes on
// from another, as parsers do from level to level, and maxAmong how many types are noted.
const (
	maxPassedOn = 12
	maxAmong    = 40
)

// behind returns the types of the package that a function makes although its result is an interface. The first is the type
// that all values have which it returns first, nil aside; it is nil if there is no such type, or if it is not the only one. Then the
// list has the types that some of these values have. Which one is returned for which arguments is known only by calls, and so is
// whether there are others. The package's SSA must be built.
func (pkg *Package) behind(fn *ssa.Function) (only types.Type, among []types.Type) {
	res := fn.Signature.Results()
	if res.Len() == 0 || !types.IsInterface(res.At(0).Type()) || len(fn.TypeArgs()) > 0 || fn.TypeParams().Len() > 0 {
		return nil, nil
	}
	b := &returned{pkg: pkg.SSA, seen: make(map[ssa.Value]bool)}
	b.function(fn, maxPassedOn)
	own := slices.DeleteFunc(slices.Clone(b.made), func(t types.Type) bool {
		named := NamedOf(t)
		return named == nil || named.Obj().Pkg() != pkg.Types
	})
	switch {
	case len(own) == 1 && len(b.made) == 1 && !b.unknown:
		return own[0], nil
	case gosyntax.IsError(res.At(0).Type()):
		return nil, nil // nobody calls a function for the error that it may return
	}
	return nil, own
}

// returned collects which types the values have that a function returns as an interface.
type returned struct {
	pkg     *ssa.Package
	seen    map[ssa.Value]bool
	made    []types.Type // the types found, in the order of the code
	unknown bool         // there are values whose type is unknown
}

// function looks at what a function returns first. It follows results of other functions through depth calls.
func (b *returned) function(fn *ssa.Function, depth int) {
	if fn == nil || len(fn.Blocks) == 0 || depth == 0 || fn.Pkg != b.pkg {
		b.unknown = true
		return
	}
	for _, block := range fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok {
			b.value(ret.Results[0], depth)
		}
	}
}

// value looks at a value that is returned.
func (b *returned) value(v ssa.Value, depth int) {
	if b.seen[v] || len(b.made) == maxAmong {
		return
	}
	b.seen[v] = true
	switch v := v.(type) {
	case *ssa.Const: // nil
	case *ssa.MakeInterface:
		if t := v.X.Type(); !slices.ContainsFunc(b.made, func(m types.Type) bool { return types.Identical(m, t) }) {
			b.made = append(b.made, t)
		}
	case *ssa.ChangeInterface:
		b.value(v.X, depth)
	case *ssa.Phi:
		for _, e := range v.Edges {
			b.value(e, depth)
		}
	case *ssa.Call:
		b.function(v.Call.StaticCallee(), depth-1)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		if !ok || v.Index != 0 {
			b.unknown = true
			return
		}
		b.function(call.Call.StaticCallee(), depth-1)
	case *ssa.UnOp:
		b.unknown = true
		if variable, ok := v.X.(*ssa.Alloc); ok { // a result that a deferred function may change
			b.variable(variable, depth)
		}
	default:
		b.unknown = true
	}
}

// variable looks at what a function assigns to a variable that is returned.
func (b *returned) variable(v *ssa.Alloc, depth int) {
	for _, r := range *v.Referrers() {
		if store, ok := r.(*ssa.Store); ok && store.Addr == v {
			b.value(store.Val, depth)
		}
	}
}
