package bounded

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// bounds are the default bounds of all types reached from a root type, for any size.
type bounds struct {
	classes []class
	fields  []bound
	boxed   []types.Type // dynamic types of values in interfaces
	left    []string     // the fields that stay zero, with the reason
}

// class is a class domain: size objects of a type, or fixed objects if fixed is not 0.
type class struct {
	typ   types.Type
	fixed int
	less  int // how many objects less, for a class of the root's type: one object is the root
}

func (c class) count(size int) int {
	if c.fixed > 0 {
		return c.fixed
	}
	return max(size-c.less, 0) // with one object of the root's type there is no other one
}

// bound is the domain of a field.
type bound struct {
	class  int
	name   string
	path   []int
	slice  bool
	domain []part
	elems  []bound
}

// part is a part of a domain, for any size.
type part struct {
	kind  candidate.PartKind
	class int
	boxed int // 1 + index in bounds.boxed
}

// boundsOf makes the default bounds of everything reached from a root type. If the root is an input, which is
// a struct of receiver and arguments, the first needed pointers in it are not nil.
func boundsOf(pkg *load.Package, root types.Type, needed int) *bounds {
	b := &builder{pkg: pkg, bounds: &bounds{}, numbers: map[string]int{}}
	b.add(root, 1)
	st, ok := root.Underlying().(*types.Struct)
	if !ok {
		b.left = append(b.left, "its type is no struct")
		return b.bounds
	}
	_, named := root.(*types.Named)
	if !named {
		b.input(st, needed)
	}
	for c := 0; c < len(b.classes); c++ {
		if c > 0 || named {
			b.structFields(c, b.classes[c].typ.Underlying().(*types.Struct), "", nil, &b.fields)
		}
	}
	return b.bounds
}

type builder struct {
	*bounds
	pkg     *load.Package
	numbers map[string]int // the class of each type, by number
}

func key(t types.Type) string { return types.TypeString(t, nil) }

func (b *builder) add(t types.Type, fixed int) int {
	if fixed == 0 && hasNoSize(t) {
		fixed = 1 // objects without a size may share one address
	}
	b.classes = append(b.classes, class{typ: t, fixed: fixed})
	if _, ok := b.numbers[key(t)]; !ok {
		b.numbers[key(t)] = len(b.classes) - 1
	}
	return len(b.classes) - 1
}

// input makes bounds of the fields of an input.
func (b *builder) input(st *types.Struct, needed int) {
	// If only the input refers to a type, there are as many objects of the type as the input has pointers to
	// it.
	refs := map[string]int{}
	for i := range st.NumFields() {
		if t := pointee(st.Field(i).Type()); t != nil && b.searched(t) {
			refs[key(t)]++
		}
	}
	for i := range st.NumFields() {
		if t := pointee(st.Field(i).Type()); t != nil && b.searched(t) {
			if _, ok := b.numbers[key(t)]; !ok {
				c := b.add(t, 0)
				if !reaches(st, t) && !hasNoSize(t) {
					b.classes[c].fixed = refs[key(t)]
				}
			}
		}
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		n := len(b.fields)
		b.field(0, f.Type(), f.Name(), []int{i}, &b.fields)
		_, isPointer := types.Unalias(f.Type()).(*types.Pointer) // what a receiver without a pointer has first may be nil
		if i < needed && isPointer && len(b.fields) > n && b.fields[n].domain[0].kind == candidate.Nil {
			b.fields[n].domain = b.fields[n].domain[1:]
		}
	}
}

// hasNoSize reports whether values of a type take no memory.
func hasNoSize(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !hasNoSize(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return u.Len() == 0 || hasNoSize(u.Elem())
	}
	return false
}

// pointee returns the named struct that t points to, or nil.
func pointee(t types.Type) *types.Named {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n
}

// searched reports whether objects of a named struct are enumerated. Only structs of the package's module
// are.
func (b *builder) searched(n *types.Named) bool {
	p := n.Obj().Pkg()
	return p != nil && (p == b.pkg.Types || b.pkg.OfModule(p.Path()))
}

// reaches reports whether a pointer to t is a field of a struct that the input's fields lead to.
func reaches(input *types.Struct, t *types.Named) bool {
	seen := map[string]bool{}
	var visit func(u types.Type, depth int) bool
	visit = func(u types.Type, depth int) bool {
		if p := pointee(u); p != nil {
			if depth > 0 && key(p) == key(t) {
				return true
			}
			if seen[key(p)] {
				return false
			}
			seen[key(p)] = true
			return visit(p.Underlying(), depth+1)
		}
		switch u := u.Underlying().(type) {
		case *types.Struct:
			for i := range u.NumFields() {
				if visit(u.Field(i).Type(), depth) {
					return true
				}
			}
		case *types.Slice:
			return visit(u.Elem(), depth)
		case *types.Array:
			return visit(u.Elem(), depth)
		case *types.Interface:
			return depth > 0 && types.Implements(types.NewPointer(t), u)
		}
		return false
	}
	return visit(input, 0)
}

// structFields makes bounds of the fields of a struct that is part of class c.
func (b *builder) structFields(c int, st *types.Struct, name string, path []int, into *[]bound) {
	for i := range st.NumFields() {
		f := st.Field(i)
		full := f.Name()
		if name != "" {
			full = name + "." + full
		}
		if f.Name() == "_" {
			continue
		}
		b.field(c, f.Type(), full, append(slices.Clone(path), i), into)
	}
}

// field makes the bound of a field of type t, or notes why it stays zero.
func (b *builder) field(c int, t types.Type, name string, path []int, into *[]bound) {
	leave := func(why string) {
		b.left = append(b.left, fmt.Sprintf("%s.%s: %s", types.TypeString(b.classes[c].typ, types.RelativeTo(b.pkg.Types)), name, why))
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if n, ok := types.Unalias(t).(*types.Named); ok && !b.searched(n) {
			leave("its type is not of this module")
			return
		}
		b.structFields(c, u, name, path, into)
		return
	case *types.Array:
		if u.Len() > maxArray {
			leave(fmt.Sprintf("an array of more than %d elements", maxArray))
			return
		}
		for i := range int(u.Len()) {
			b.field(c, u.Elem(), name+"["+strconv.Itoa(i)+"]", append(slices.Clone(path), i), into)
		}
		return
	case *types.Slice:
		f := bound{class: c, name: name, path: path, slice: true, domain: []part{{kind: candidate.Ints}}}
		n := len(b.left)
		b.field(c, u.Elem(), "", nil, &f.elems)
		if len(b.left) > n {
			b.left = b.left[:n]
			if len(f.elems) == 0 {
				leave("a slice of " + types.TypeString(u.Elem(), types.RelativeTo(b.pkg.Types)))
				return
			}
		}
		if slices.ContainsFunc(f.elems, func(e bound) bool { return e.slice }) {
			leave("a slice of slices")
			return
		}
		*into = append(*into, f)
		return
	}
	if d := b.domain(t); len(d) > 0 {
		*into = append(*into, bound{class: c, name: name, path: path, domain: d})
	} else {
		leave("a " + types.TypeString(t, types.RelativeTo(b.pkg.Types)))
	}
}

// maxArray is how many elements of an array are enumerated.
const maxArray = 32

// domain returns the default domain of a type, or nil if it has none.
func (b *builder) domain(t types.Type) []part {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsBoolean != 0:
			return []part{{kind: candidate.Bools}}
		case info&(types.IsInteger|types.IsFloat) != 0:
			return []part{{kind: candidate.Ints}}
		case info&types.IsString != 0:
			return []part{{kind: candidate.Strings}}
		}
	case *types.Pointer:
		if n := pointee(t); n != nil && b.searched(n) {
			return append([]part{{kind: candidate.Nil}}, b.objects(n)...)
		}
	case *types.Interface:
		out := []part{{kind: candidate.Nil}}
		for _, n := range b.implementations(u) {
			if n.Underlying().(*types.Struct).NumFields() == 0 && types.Implements(n, u) {
				out = append(out, part{kind: candidate.Empty, boxed: b.box(n)})
			}
			out = append(out, b.objects(n)...)
		}
		if types.Implements(types.Typ[types.Int], u) {
			out = append(out, part{kind: candidate.Ints, boxed: b.box(types.Typ[types.Int])})
		}
		if len(out) > 1 {
			return out
		}
	}
	return nil
}

// box notes a dynamic type of values in interfaces, and returns its number, which counts from 1.
func (b *builder) box(t types.Type) int {
	i := slices.IndexFunc(b.boxed, func(u types.Type) bool { return types.Identical(t, u) })
	if i < 0 {
		i = len(b.boxed)
		b.boxed = append(b.boxed, t)
	}
	return i + 1
}

// objects returns the class domains of a type, the root's included.
func (b *builder) objects(n *types.Named) []part {
	c, ok := b.numbers[key(n)]
	if !ok {
		c = b.add(n, 0)
	}
	out := []part{{kind: candidate.Objects, class: c}}
	if c == 0 {
		// The root is one of the objects. The other objects are a class of their own.
		other := slices.IndexFunc(b.classes[1:], func(x class) bool { return key(x.typ) == key(n) }) + 1
		if other == 0 {
			b.classes = append(b.classes, class{typ: n, less: 1})
			other = len(b.classes) - 1
		}
		out = append(out, part{kind: candidate.Objects, class: other})
	}
	return out
}

// implementations lists the struct types of the package whose pointers implement an
// interface that has methods.
func (b *builder) implementations(u *types.Interface) []*types.Named {
	if u.NumMethods() == 0 {
		return nil
	}
	var out []*types.Named
	scope := b.pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		n, ok := tn.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			continue
		}
		if _, ok := n.Underlying().(*types.Struct); ok && types.Implements(types.NewPointer(n), u) {
			out = append(out, n)
		}
	}
	return out
}

// spec returns the bounds for a size, and the types of its type numbers.
func (b *bounds) spec(size int) (*candidate.Spec, []types.Type) {
	s := &candidate.Spec{}
	var list []types.Type
	for i, c := range b.classes {
		s.Classes = append(s.Classes, candidate.Class{Type: i, N: c.count(size)})
		list = append(list, c.typ)
	}
	list = append(list, b.boxed...)
	domain := func(parts []part) candidate.Domain {
		var d candidate.Domain
		for _, p := range parts {
			out := candidate.Part{Kind: p.kind, Class: p.class}
			if p.boxed > 0 {
				out.Boxed = len(b.classes) + p.boxed
			}
			switch p.kind {
			case candidate.Ints:
				out.Hi = int64(size)
			case candidate.Bools:
				out.Hi = 1
			case candidate.Strings:
				out.Strs = []string{"", "a", "b"}
			}
			d.Parts = append(d.Parts, out)
		}
		return d
	}
	for _, f := range b.fields {
		out := candidate.Field{Class: f.class, Path: f.path, Slice: f.slice, Domain: domain(f.domain)}
		for _, e := range f.elems {
			out.Elems = append(out.Elems, candidate.Elem{Path: e.path, Domain: domain(e.domain)})
		}
		s.Fields = append(s.Fields, out)
	}
	return s, list
}
