// Package finite is for users who say how large the structures may be that assay enumerates. Such bounds are
// finitizations in the sense of Korat (Boyapati, Khurshid, Marinov: Korat: Automated Testing Based on Java
// Predicates, ISSTA 2002).
//
//  1. The user writes a function that makes a finitization with [New]. It says how many objects of each
//     type there are (a class domain, [Finitization.Objects]) and which values each field may have (a
//     field domain, [Finitization.Set]: a union of class domains and sets of values).
//  2. The flag -finitization of assay enum and assay gen names the function. assay calls it, and sends
//     the result of [Finitization.Resolve] to its search.
//  3. Tests that assay writes call [Each] or [EachRead], which search without assay.
//
// Such a function is
//
//	func finTree(n int) *finite.Finitization {
//		f := finite.New(Tree{})
//		nodes := f.Objects(Node{}, n)
//		f.Set("root", finite.Nil, nodes)
//		f.Set("size", finite.Ints(0, n))
//		f.Set("Node.left", finite.Nil, nodes)
//		f.Set("Node.right", finite.Nil, nodes)
//		return f
//	}
//
// "assay enum -finitization finTree . Tree" then shows all trees within these bounds for which RepOK holds,
// one of each isomorphism class, and "assay enum -skeleton . Tree" prints such a function to start from.
// Fields that are not set keep their zero value.
//
// Several roots are the fields of a struct that is declared for them, with a RepOK of its own.
//
// Mistakes (an unknown field, a value outside the field's type, an empty domain) are kept, with the place of
// the call, and reported when the finitization is used.
package finite

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/candidate"
)

// Finitization bounds the structures that are reached from an object of one type, the
// root.
type Finitization struct {
	root    *Class
	classes []*Class
	boxed   []reflect.Type // dynamic types in interfaces; -1-i in a domain is number i
	errs    []string
}

// Class is a class domain: a number of objects of one type. Used as Values, it stands for pointers to these
// objects.
type Class struct {
	f      *Finitization
	number int
	typ    reflect.Type
	n      int
	fields []*field
}

// field is a field that was set. For a slice, domain has its lengths.
type field struct {
	name   string
	path   []int
	typ    reflect.Type
	domain candidate.Domain
	slice  bool
	elems  []elem
}

type elem struct {
	path   []int
	domain candidate.Domain
}

// New returns a finitization of structures whose root is an object of the type of root:
// a struct, or a pointer to one. Its value does not matter.
func New(root any) *Finitization {
	f := &Finitization{}
	f.root = f.class(root, 1)
	return f
}

// Root returns the class domain of the root: one object, which other fields may have.
func (f *Finitization) Root() *Class { return f.root }

// Objects returns a new class domain with n objects. Their type is that of the parameter of, which is a
// struct or a pointer to one; its value does not matter. The number n may be 0: where the root is one of n objects of
// its type, there are n-1 others.
func (f *Finitization) Objects(of any, n int) *Class {
	if n < 0 {
		f.errorf("%d objects: a class has 0 or more", n)
		n = 0
	}
	return f.class(of, n)
}

func (f *Finitization) class(of any, n int) *Class {
	t := reflect.TypeOf(of)
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Name() == "" && len(f.classes) > 0 || t.Kind() == reflect.Interface {
		f.errorf("objects of type %v: want a named type", t)
		t = reflect.TypeFor[struct{}]()
	}
	c := &Class{f: f, number: len(f.classes), typ: t, n: n}
	f.classes = append(f.classes, c)
	return c
}

// Set gives a field its domain, the union of values in their order. A field of the root has its own
// name; a field of a class has the type's name and its own, like "Node.left"; parts of structs and
// arrays have names like "pos.x" and "board[3]". Set on a slice sets its lengths, which are Ints; on
// "items[]", or "items[].key" if the elements are structs, it sets the values of the elements. Setting
// a field again replaces its domain.
func (f *Finitization) Set(name string, values ...Values) {
	for _, c := range f.classes {
		own, ok := strings.CutPrefix(name, c.typ.Name()+".")
		if !ok {
			continue
		}
		if i := strings.IndexByte(own, '.'); i < 0 || hasField(c.typ, own) {
			f.set(c, own, values)
			// Two classes of one type have the same fields.
			for _, other := range f.classes {
				if other != c && other.typ == c.typ {
					f.set(other, own, values)
				}
			}
			return
		}
	}
	f.set(f.root, name, values)
}

// Set does the same as Finitization.Set for a field of the class's objects. The name is the field's own.
func (c *Class) Set(name string, values ...Values) { c.f.set(c, name, values) }

func hasField(t reflect.Type, path string) bool {
	_, _, _, err := follow(t, path)
	return err == nil
}

func (f *Finitization) set(c *Class, name string, values []Values) {
	base, rest, inElem := strings.Cut(name, "[]")
	path, t, full, err := follow(c.typ, base)
	if err != nil {
		f.errorf("%v", err)
		return
	}
	var fl *field
	for _, x := range c.fields {
		if x.name == full {
			fl = x
		}
	}
	if fl == nil {
		fl = &field{name: full, path: path, typ: t, slice: t.Kind() == reflect.Slice}
	}
	what := c.typ.Name() + "." + name
	var dom candidate.Domain
	if inElem {
		if !fl.slice {
			f.errorf("%s: a %s is no slice", what, t)
			return
		}
		epath, et, _, err := follow(t.Elem(), strings.TrimPrefix(rest, "."))
		if err != nil {
			f.errorf("%v", err)
			return
		}
		if dom, err = f.domain(et, values); err != nil {
			f.errorf("%s: %v", what, err)
			return
		}
		fl.setElem(epath, dom)
	} else {
		for _, v := range values {
			if _, ok := v.(each); ok {
				f.errorf("%s: InOrder is for the elements of slices", what)
				return
			}
		}
		vt := t
		if fl.slice {
			vt = reflect.TypeFor[int]()
		}
		if dom, err = f.domain(vt, values); err != nil {
			f.errorf("%s: %v", what, err)
			return
		}
		for _, p := range dom.Parts {
			if fl.slice && p.Lo < 0 {
				f.errorf("%s: %d is no length", what, p.Lo)
				return
			}
		}
		fl.domain = dom
	}
	for _, x := range c.fields {
		if x == fl {
			return
		}
	}
	c.fields = append(c.fields, fl)
}

func (fl *field) setElem(path []int, dom candidate.Domain) {
	for i := range fl.elems {
		if fmt.Sprint(fl.elems[i].path) == fmt.Sprint(path) {
			fl.elems[i].domain = dom
			return
		}
	}
	fl.elems = append(fl.elems, elem{path, dom})
}

// follow finds the part of a value of type t that a name like "pos.x" or "board[3]" means. An empty name
// means the whole value.
func follow(t reflect.Type, name string) (path []int, part reflect.Type, full string, err error) {
	full = name
	for name != "" {
		if index, ok := strings.CutPrefix(name, "["); ok {
			n, rest, found := strings.Cut(index, "]")
			i := 0
			if _, e := fmt.Sscanf(n, "%d", &i); e != nil || !found || t.Kind() != reflect.Array || i < 0 || i >= t.Len() {
				return nil, nil, "", fmt.Errorf("a %s has no element [%s]", t, n)
			}
			path, t, name = append(path, i), t.Elem(), strings.TrimPrefix(rest, ".")
			continue
		}
		end := strings.IndexAny(name, ".[")
		if end < 0 {
			end = len(name)
		}
		own := name[:end]
		if t.Kind() != reflect.Struct {
			return nil, nil, "", fmt.Errorf("a %s has no field %s", t, own)
		}
		sf, ok := t.FieldByName(own)
		if !ok {
			return nil, nil, "", fmt.Errorf("%s has no field %s; it has %s", t, own, fieldNames(t))
		}
		if len(sf.Index) > 1 && throughPointer(t, sf.Index) {
			return nil, nil, "", fmt.Errorf("%s.%s is a field of an embedded pointer's object: set it there", t, own)
		}
		path, t, name = append(path, sf.Index...), sf.Type, strings.TrimPrefix(name[end:], ".")
	}
	return path, t, full, nil
}

func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

func fieldNames(t reflect.Type) string {
	var names []string
	for i := range t.NumField() {
		names = append(names, t.Field(i).Name)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}

// errorf keeps a mistake with the place of the first caller outside of this package.
func (f *Finitization) errorf(form string, args ...any) {
	place := ""
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		fr, more := frames.Next()
		if !strings.HasPrefix(fr.Function, "github.com/goassay/assay/finite.") || strings.HasSuffix(fr.File, "_test.go") {
			place = fmt.Sprintf("%s:%d: ", filepath.ToSlash(fr.File), fr.Line)
			break
		}
		if !more {
			break
		}
	}
	f.errs = append(f.errs, place+fmt.Sprintf(form, args...))
}

// Err returns the first mistake in the finitization, or nil if there is none.
func (f *Finitization) Err() error {
	if len(f.errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s", f.errs[0])
}

// Resolve returns the finitization in the form in which it is sent: a text that names types by their
// index in the list. If root is not nil it checks that this is the type of the root. It is for assay's
// own use.
func (f *Finitization) Resolve(root reflect.Type) (spec string, types []reflect.Type, err error) {
	if f == nil {
		return "", nil, fmt.Errorf("the finitization is nil")
	}
	if err := f.Err(); err != nil {
		return "", nil, err
	}
	if root != nil && f.root.typ != root {
		return "", nil, fmt.Errorf("the finitization is of %s, not of %s", f.root.typ, root)
	}
	s := &candidate.Spec{}
	for i, c := range f.classes {
		s.Classes = append(s.Classes, candidate.Class{Type: i, N: c.n})
		types = append(types, c.typ)
	}
	types = append(types, f.boxed...)
	// The types in interfaces come after those of the classes.
	number := func(d candidate.Domain) candidate.Domain {
		d.Parts = slices.Clone(d.Parts)
		for i := range d.Parts {
			if b := d.Parts[i].Boxed; b < 0 {
				d.Parts[i].Boxed = len(f.classes) - b
			}
		}
		return d
	}
	for _, c := range f.classes {
		for _, fl := range c.fields {
			if len(fl.domain.Parts) == 0 {
				return "", nil, fmt.Errorf("%s.%s: its elements are set, and not its lengths", c.typ.Name(), fl.name)
			}
			out := candidate.Field{Class: c.number, Path: fl.path, Slice: fl.slice, Domain: number(fl.domain)}
			for _, e := range fl.elems {
				out.Elems = append(out.Elems, candidate.Elem{Path: e.path, Domain: number(e.domain)})
			}
			s.Fields = append(s.Fields, out)
		}
	}
	return s.String(), types, nil
}
