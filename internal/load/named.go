package load

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/gosyntax"
)

// NamedOf returns the named type that t is or points to, or nil.
func NamedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// NamedIn returns the named types of the values that a value of a type leads to without interfaces: its fields, its
// elements and what it points to, and itself.
func NamedIn(t types.Type) []*types.Named {
	var out []*types.Named
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		t = types.Unalias(t)
		if seen[t] {
			return
		}
		seen[t] = true
		if n, ok := t.(*types.Named); ok {
			out = append(out, n)
		}
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				visit(f.Type())
			}
		case *types.Map:
			visit(u.Key())
			visit(u.Elem())
		case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
			visit(u.Elem())
		}
	}
	visit(t)
	return out
}

// IsInvariant reports whether a method of that name says whether its receiver is valid, by the
// convention of Korat and of Liskov's representation invariants.
func IsInvariant(method string) bool { return method == "RepOK" || method == "CheckInvariants" }

// Predicates returns what the methods look like by which an object says whether it is valid, by their names.
func Predicates() map[string]string {
	return map[string]string{"RepOK": "RepOK() bool", "CheckInvariants": "CheckInvariants() error"}
}

// IsPredicate reports whether a method says whether its receiver is valid: by its name, and by what it takes and
// returns.
func IsPredicate(f *types.Func) bool {
	sig := f.Signature()
	if sig.Recv() == nil || sig.Params().Len() != 0 || sig.Results().Len() != 1 {
		return false
	}
	return Predicates()[f.Name()] == f.Name()+"() "+sig.Results().At(0).Type().String()
}

// HasInvariant reports whether objects of a type can say whether they are valid, by a method of their own or one
// that an embedded field promotes.
func HasInvariant(t types.Type) bool {
	if _, pointer := t.Underlying().(*types.Pointer); !pointer {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		f := methods.At(i).Obj().(*types.Func)
		if IsPredicate(f) {
			return true
		}
	}
	return false
}

// Promoted returns the exported methods of the package that embedded fields promote to a struct of it, in the order of
// their names. Each is a target whose receiver is a pointer to the struct, and whose name begins with that of the struct.
// Methods of other packages are not among them, nor those with a contract, which is asked of the embedded object alone.
func (p *Package) Promoted(n *types.Named) []*Target {
	if _, ok := n.Underlying().(*types.Struct); !ok || n.TypeParams().Len() > 0 {
		return nil
	}
	var out []*Target
	recv := types.NewPointer(n)
	for sel := range types.NewMethodSet(recv).Methods() {
		f, ok := sel.Obj().(*types.Func)
		if !ok || len(sel.Index()) < 2 || f.Pkg() != p.Types || !f.Exported() || IsPredicate(f) {
			continue
		}
		for _, t := range p.Targets {
			if t.Obj != f || len(t.TypeArgs) > 0 || t.Skip != "" || t.Checked != nil {
				continue
			}
			promoted := *t
			promoted.Name, promoted.Recv, promoted.Exported = n.Obj().Name()+"."+f.Name(), recv, n.Obj().Exported()
			promoted.Func = t.Func.Prog.MethodValue(sel)
			out = append(out, &promoted)
		}
	}
	return out
}

// PromotedToAny returns what Promoted returns of all structs that the package declares, in the order of their names.
func (p *Package) PromotedToAny() []*Target {
	var out []*Target
	for _, name := range p.Types.Scope().Names() {
		if o, ok := p.Types.Scope().Lookup(name).(*types.TypeName); ok && !o.IsAlias() {
			if n, ok := o.Type().(*types.Named); ok {
				out = append(out, p.Promoted(n)...)
			}
		}
	}
	return out
}

// IsNamed reports whether t is the type called name of the package with a path.
func IsNamed(t types.Type, path, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path
}

// IsBuffer reports whether a type is a pointer to a buffer of the standard library, which a test passes to
// see what is written to it.
func IsBuffer(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && (IsNamed(p.Elem(), "bytes", "Buffer") || IsNamed(p.Elem(), "strings", "Builder"))
}

// IsRecorder reports whether a type is a pointer to httptest's recorder of responses.
func IsRecorder(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && IsNamed(p.Elem(), "net/http/httptest", "ResponseRecorder")
}

// IsRecord reports whether a type is a struct that shows all its fields to users of the package and holds nothing but data,
// parts included, or an array of data, as identifiers and digests are: a value that anybody writes as a literal and
// compares as a whole.
func IsRecord(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		return u.NumFields() > 0 && !IsNamed(t, "time", "Time") && isOpenData(t, make(map[types.Type]bool))
	case *types.Array:
		return u.Len() > 0 && isOpenData(t, make(map[types.Type]bool))
	}
	return false
}

// IsErrorData reports whether a type is an error of the package that holds nothing but data and that no function makes: whoever
// returns such an error writes a literal of it, whether users see its fields or not.
func (pkg *Package) IsErrorData(t types.Type) bool {
	named := NamedOf(t)
	if named == nil || named.Obj().Pkg() != pkg.Types {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	ptr := types.NewPointer(named)
	if !ok || !gosyntax.ImplementsError(ptr) || len(pkg.Constructors(named))+len(pkg.Constructors(ptr)) > 0 {
		return false
	}
	for f := range st.Fields() {
		if i, isInterface := f.Type().Underlying().(*types.Interface); isInterface && i.Empty() {
			continue
		}
		if _, basic := f.Type().Underlying().(*types.Basic); !basic && !isOpenData(f.Type(), make(map[types.Type]bool)) {
			return false
		}
	}
	return st.NumFields() > 0
}

// isOpenData reports whether values of a type are data all of which users can write.
func isOpenData(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] || IsNamed(t, "time", "Time") {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Slice:
		return isOpenData(u.Elem(), seen)
	case *types.Array:
		return isOpenData(u.Elem(), seen)
	case *types.Map:
		return isOpenData(u.Key(), seen) && isOpenData(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !isOpenData(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

// HasHiddenFields reports whether a type is a struct with unexported fields.
func HasHiddenFields(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if !s.Field(i).Exported() {
			return true
		}
	}
	return false
}

// ConstantsOf returns the constants of a type that the package which declares the type has, by name. A type without a name
// has none. If a type of whole numbers has none, constants without a type count that are called like it: KindList and KindMap of type Kind uint8.
func ConstantsOf(t types.Type) []*types.Const {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	var out []*types.Const
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return calledLike(named)
	}
	return out
}

// calledLike returns the constants without a type that have the name of a type of whole numbers in front of their names, if there are several.
func calledLike(named *types.Named) []*types.Const {
	b, ok := named.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return nil
	}
	var out []*types.Const
	scope, own := named.Obj().Pkg().Scope(), named.Obj().Name()
	for _, name := range scope.Names() {
		if len(name) <= len(own) || !strings.EqualFold(name[:len(own)], own) || !unicode.IsUpper(rune(name[len(own)])) {
			continue
		}
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), types.Typ[types.UntypedInt]) && representable(c, b) {
			out = append(out, c)
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// representable reports whether a basic type has the value of a constant.
func representable(c *types.Const, b *types.Basic) bool {
	v := constant.ToInt(c.Val())
	if b.Info()&types.IsUnsigned != 0 && constant.Sign(v) < 0 {
		return false
	}
	sizes := map[types.BasicKind]int{types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64}
	most, known := sizes[b.Kind()]
	if !known {
		most = 63
	}
	return constant.BitLen(v) <= most
}

// FlagsOf returns the constants of a type that stand for one bit each, by their bits, and none if constants of the type are not meant to be combined.
func FlagsOf(t types.Type) []*types.Const {
	if Flags(t) == 0 {
		return nil
	}
	var out []*types.Const
	for _, c := range ConstantsOf(t) {
		if v, exact := constant.Uint64Val(constant.ToInt(c.Val())); exact && bits.OnesCount64(v) == 1 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *types.Const) int {
		x, _ := constant.Uint64Val(constant.ToInt(a.Val()))
		y, _ := constant.Uint64Val(constant.ToInt(b.Val()))
		return cmp.Compare(x, y)
	})
	return slices.CompactFunc(out, func(a, b *types.Const) bool { return constant.Compare(a.Val(), token.EQL, b.Val()) })
}

// Flags returns the bits that the constants of a type name, or 0 if its constants are not meant to be
// combined. Constants are meant to be combined if the type is an integer type, if at least three of its
// constants and most of them are different powers of two, and if they do not simply count.
func Flags(t types.Type) uint64 {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0
	}
	if b, ok := named.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return 0
	}
	var all uint64
	var values []uint64
	others := 0
	for _, c := range ConstantsOf(named) {
		v, exact := constant.Uint64Val(constant.ToInt(c.Val()))
		switch {
		case !exact || slices.Contains(values, v):
			continue
		case bits.OnesCount64(v) == 1:
			all |= v
		case v != 0:
			others++
		}
		values = append(values, v)
	}
	single := bits.OnesCount64(all)
	if single < 3 || others >= single {
		return 0
	}
	if slices.Max(values)-slices.Min(values) == uint64(len(values)-1) {
		return 0 // 0, 1, 2, 3, 4: an enumeration
	}
	return all
}

// IsSyntax reports whether a type, or what it points to, is one of package go/ast. Nobody writes such values node by node: they are parsed.
func IsSyntax(t types.Type) bool {
	named := NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "go/ast"
}

// IsMoment reports whether a type is declared as another time.Time: type Date time.Time.
func IsMoment(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() == "time" {
		return false
	}
	for _, p := range n.Obj().Pkg().Imports() {
		if of, ok := p.Scope().Lookup("Time").(*types.TypeName); ok && p.Path() == "time" {
			return types.Identical(n.Underlying(), of.Type().Underlying())
		}
	}
	return false
}

// Moments returns the types of a package that are declared as another time.Time, by their names.
func Moments(pkg *types.Package) []types.Type {
	var out []types.Type
	for _, name := range pkg.Scope().Names() {
		if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !o.IsAlias() && IsMoment(o.Type()) {
			out = append(out, o.Type())
		}
	}
	return out
}
