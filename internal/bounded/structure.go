package bounded

import (
	"fmt"
	"go/types"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// Shape is a specification with the types that its numbers denote. It says how vectors are read.
type Shape struct {
	pkg   *load.Package
	spec  *candidate.Spec
	types []types.Type
	slots []candidate.Slot
	vals  [][]candidate.Value // the values by slot; slots with one domain share a list
	first map[[3]int]int      // the first slot, by class, object and field
}

// Structure is the part of a candidate that is reached from its root.
type Structure struct {
	shape   *Shape
	Objects []*Object // the root first, in the order in which they are reached
}

// Object is an object of a structure.
type Object struct {
	Number int // its index in Structure.Objects
	Type   types.Type
	Fields []FieldValue // the fields that are not zero, in the order of the finitization
	class  int
	index  int
}

// FieldValue is the value of a part of an object. For the elements of a slice it has the part of one element.
type FieldValue struct {
	Path  []int
	Type  types.Type
	Value candidate.Value
	// To is the object that the value points to, or nil.
	To *Object
	// Slice says that the value is a slice of Len elements. Elems has the parts of the elements.
	Slice bool
	Len   int
	Elems []ElemValue
}

// ElemValue is a part of an element of a slice.
type ElemValue struct {
	Index int
	FieldValue
}

// shapeOf makes the shape of the space that a search walked.
func shapeOf(pkg *load.Package, root types.Type, spec *candidate.Spec, names []string) (*Shape, error) {
	known := map[string]types.Type{}
	collect(root, known)
	for _, n := range implementers(pkg) {
		collect(n, known)
	}
	var list []types.Type
	for i, name := range names {
		t := known[name]
		if i == 0 {
			t = root
		}
		if t == nil {
			if b, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
				t = b.Type()
			}
		}
		if t == nil {
			return nil, fmt.Errorf("the type %s is not reached from %s", name, root)
		}
		list = append(list, t)
	}
	return newShape(pkg, spec, list), nil
}

func newShape(pkg *load.Package, spec *candidate.Spec, list []types.Type) *Shape {
	s := &Shape{pkg: pkg, spec: spec, types: list, slots: spec.Slots(), first: map[[3]int]int{}}
	type where struct{ field, part int }
	shared := map[where][]candidate.Value{}
	for i, sl := range s.slots {
		k := where{sl.Field, -1}
		if sl.Elem >= 0 {
			k.part = sl.Part
		} else {
			s.first[[3]int{sl.Class, sl.Object, sl.Field}] = i
		}
		if _, ok := shared[k]; !ok {
			shared[k] = spec.DomainOf(sl).Values(spec)
		}
		s.vals = append(s.vals, shared[k])
	}
	return s
}

// collect notes the named types that t leads to, by their full names.
func collect(t types.Type, into map[string]types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		k := key(t)
		if _, ok := into[k]; ok {
			return
		}
		into[k] = t
		collect(t.Underlying(), into)
	case *types.Pointer:
		collect(t.Elem(), into)
	case *types.Slice:
		collect(t.Elem(), into)
	case *types.Array:
		collect(t.Elem(), into)
	case *types.Struct:
		for i := range t.NumFields() {
			collect(t.Field(i).Type(), into)
		}
	}
}

// implementers returns the package's own struct types. Interfaces may hold pointers to these.
func implementers(pkg *load.Package) []types.Type {
	var out []types.Type
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				out = append(out, n)
			}
		}
	}
	return out
}

// structure reads a vector.
func (s *Shape) structure(vector []int32) *Structure {
	if s == nil || len(vector) != len(s.slots) {
		return nil
	}
	st := &Structure{shape: s}
	seen := map[[2]int]*Object{}
	var object func(class, index int) *Object
	object = func(class, index int) *Object {
		k := [2]int{class, index}
		if o := seen[k]; o != nil {
			return o
		}
		o := &Object{Number: len(st.Objects), Type: s.types[s.spec.Classes[class].Type], class: class, index: index}
		seen[k] = o
		st.Objects = append(st.Objects, o)
		for f := range s.spec.Fields {
			field := &s.spec.Fields[f]
			if field.Class != class {
				continue
			}
			slot := s.first[[3]int{class, index, f}]
			v := s.vals[slot][vector[slot]]
			fv := FieldValue{Path: field.Path, Type: partType(o.Type, field.Path), Value: v, Slice: field.Slice}
			if field.Slice {
				fv.Len = int(v.Int)
				elem := fv.Type.Underlying().(*types.Slice).Elem()
				for e := range fv.Len {
					for p, part := range field.Elems {
						es := slot + 1 + e*len(field.Elems) + p
						ev := s.vals[es][vector[es]]
						x := ElemValue{e, FieldValue{Path: part.Path, Type: partType(elem, part.Path), Value: ev}}
						if ev.Kind == candidate.Objects {
							x.To = object(ev.Class, ev.Index)
						}
						fv.Elems = append(fv.Elems, x)
					}
				}
			} else if v.Kind == candidate.Objects {
				fv.To = object(v.Class, v.Index)
			}
			o.Fields = append(o.Fields, fv)
		}
		return o
	}
	object(0, 0)
	return st
}

// partType returns the type of a part of a value of type t.
func partType(t types.Type, path []int) types.Type {
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			t = u.Field(i).Type()
		case *types.Array:
			t = u.Elem()
		}
	}
	return t
}

// zero reports whether a value is its type's zero value.
func (f *FieldValue) zero() bool {
	if f.Slice {
		return false // the slice is empty, and not nil
	}
	v := f.Value
	if v.Boxed > 0 {
		return false
	}
	switch v.Kind {
	case candidate.Nil:
		return true
	case candidate.Objects:
		return false
	case candidate.Strings:
		return v.Str == ""
	}
	return v.Int == 0
}
