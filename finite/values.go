package finite

import (
	"fmt"
	"reflect"

	"github.com/goassay/assay/internal/candidate"
)

// Values is a part of a field domain: a set of values, or the objects of a [Class]. Parts may have values in common, which the
// domain has once, where they come first.
type Values interface {
	// parts returns the values for a field of type t.
	parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error)
}

// Nil is the nil of a pointer or an interface. It usually comes first in a domain, so that structures grow
// from small ones.
var Nil Values = nilValue{}

type nilValue struct{}

func (nilValue) parts(_ *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		return nil, false, fmt.Errorf("nil is no value of type %s", t)
	}
	return []candidate.Part{{Kind: candidate.Nil}}, false, nil
}

func (c *Class) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	p := reflect.PointerTo(c.typ)
	if p != t && !(t.Kind() == reflect.Interface && p.Implements(t)) {
		return nil, false, fmt.Errorf("a %s is no value of type %s", p, t)
	}
	if c.f != f {
		return nil, false, fmt.Errorf("the objects are another finitization's")
	}
	return []candidate.Part{{Kind: candidate.Objects, Class: c.number}}, false, nil
}

// Ints returns the integers from lo to hi, both included. They are for fields of any type of numbers, and
// become ints in fields of interface types.
func Ints(lo, hi int) Values { return intValues{lo, hi} }

type intValues struct{ lo, hi int }

func (v intValues) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	if v.lo > v.hi {
		return nil, false, fmt.Errorf("no integers from %d to %d", v.lo, v.hi)
	}
	for _, i := range []int{v.lo, v.hi} {
		e := reflect.New(t).Elem()
		switch {
		case e.CanInt() && !e.OverflowInt(int64(i)), e.CanUint() && i >= 0 && !e.OverflowUint(uint64(i)), e.CanFloat():
		case t.Kind() == reflect.Interface && reflect.TypeFor[int]().Implements(t):
		default:
			return nil, false, fmt.Errorf("%d is no value of type %s", i, t)
		}
	}
	p := candidate.Part{Kind: candidate.Ints, Lo: int64(v.lo), Hi: int64(v.hi)}
	f.box(&p, t, reflect.TypeFor[int]())
	return []candidate.Part{p}, false, nil
}

// Bools returns false and true.
func Bools() Values { return boolValues{} }

type boolValues struct{}

func (boolValues) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	if t.Kind() != reflect.Bool && !(t.Kind() == reflect.Interface && reflect.TypeFor[bool]().Implements(t)) {
		return nil, false, fmt.Errorf("true is no value of type %s", t)
	}
	p := candidate.Part{Kind: candidate.Bools, Lo: 0, Hi: 1}
	f.box(&p, t, reflect.TypeFor[bool]())
	return []candidate.Part{p}, false, nil
}

// Strings returns the given strings.
func Strings(s ...string) Values { return stringValues(s) }

type stringValues []string

func (v stringValues) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	if t.Kind() != reflect.String && !(t.Kind() == reflect.Interface && reflect.TypeFor[string]().Implements(t)) {
		return nil, false, fmt.Errorf("a string is no value of type %s", t)
	}
	if len(v) == 0 {
		return nil, false, fmt.Errorf("no strings")
	}
	p := candidate.Part{Kind: candidate.Strings, Strs: v}
	f.box(&p, t, reflect.TypeFor[string]())
	return []candidate.Part{p}, false, nil
}

// Empty returns the value of a struct type without fields, for fields of an interface type that it
// implements: finite.Empty(Leaf{}). Pointers to such structs are the objects of a [Class].
func Empty(v any) Values { return emptyValue{v} }

type emptyValue struct{ v any }

func (v emptyValue) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	dynamic := reflect.TypeOf(v.v)
	switch {
	case dynamic == nil || dynamic.Kind() != reflect.Struct || dynamic.NumField() > 0:
		return nil, false, fmt.Errorf("%T is no struct type without fields", v.v)
	case t.Kind() != reflect.Interface || !dynamic.Implements(t):
		return nil, false, fmt.Errorf("a %s is no value of type %s", dynamic, t)
	}
	p := candidate.Part{Kind: candidate.Empty}
	f.box(&p, t, dynamic)
	return []candidate.Part{p}, false, nil
}

// Labelled returns the same values with distinguished objects: structures that differ in the choice of such
// an object are not isomorphic. It applies to the whole domain.
func Labelled(values ...Values) Values { return labelled(values) }

type labelled []Values

func (v labelled) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	var out []candidate.Part
	for _, x := range v {
		ps, _, err := x.parts(f, t)
		if err != nil {
			return nil, false, err
		}
		out = append(out, ps...)
	}
	return out, true, nil
}

// InOrder returns, for the elements of a slice, the objects of a class in their order: element i is object i,
// and nothing is searched. There must be at least as many objects as the slice can have elements. The slice then lists
// a set: structures are still the same if they differ only in which object is which, as the nodes of a graph do. Where the place in
// the slice matters (whether the first leads to the second, or the second to the first), the other domains that have
// these objects have to be Labelled.
func InOrder(c *Class) Values { return each{c} }

type each struct{ c *Class }

func (v each) parts(f *Finitization, t reflect.Type) ([]candidate.Part, bool, error) {
	return v.c.parts(f, t)
}

// domain is the union of values for a field of type t.
func (f *Finitization) domain(t reflect.Type, values []Values) (candidate.Domain, error) {
	var d candidate.Domain
	for _, v := range values {
		ps, lab, err := v.parts(f, t)
		if err != nil {
			return d, err
		}
		for _, p := range ps {
			d.Parts = appendNew(d.Parts, p)
		}
		d.Labelled = d.Labelled || lab
		if _, ok := v.(each); ok {
			if len(values) > 1 {
				return d, fmt.Errorf("InOrder with other values")
			}
			d.Each = true
		}
	}
	for _, p := range d.Parts {
		if p.Kind != candidate.Objects || f.classes[p.Class].n > 0 {
			return d, nil
		}
	}
	return d, fmt.Errorf("an empty domain")
}

// appendNew appends a part to the parts of a domain, without the values that are among these. A union is a set: a value that
// stood there twice would make each structure with it twice.
func appendNew(parts []candidate.Part, p candidate.Part) []candidate.Part {
	if p.Kind == candidate.Strings {
		return appendStrings(parts, p)
	}
	left := []candidate.Part{p}
	for _, known := range parts {
		if known.Kind != p.Kind || known.Boxed != p.Boxed || known.Class != p.Class {
			continue
		}
		var out []candidate.Part
		for _, q := range left {
			if q.Kind != candidate.Ints && q.Kind != candidate.Bools {
				continue // it has one value, or those of one class
			}
			below, above := q, q
			below.Hi, above.Lo = min(q.Hi, known.Lo-1), max(q.Lo, known.Hi+1)
			if known.Lo > q.Lo {
				out = append(out, below)
			}
			if known.Hi < q.Hi {
				out = append(out, above)
			}
		}
		left = out
	}
	return append(parts, left...)
}

// appendStrings does the same as appendNew for strings.
func appendStrings(parts []candidate.Part, p candidate.Part) []candidate.Part {
	known := make(map[string]bool)
	for _, q := range parts {
		if q.Kind == p.Kind && q.Boxed == p.Boxed {
			for _, s := range q.Strs {
				known[s] = true
			}
		}
	}
	strs := p.Strs
	p.Strs = nil
	for _, s := range strs {
		if !known[s] {
			known[s] = true
			p.Strs = append(p.Strs, s)
		}
	}
	if len(p.Strs) == 0 {
		return parts
	}
	return append(parts, p)
}

// box notes the dynamic type of a part of an interface's domain.
func (f *Finitization) box(p *candidate.Part, t, dynamic reflect.Type) {
	if t.Kind() != reflect.Interface {
		return
	}
	for i, b := range f.boxed {
		if b == dynamic {
			p.Boxed = -(i + 1)
			return
		}
	}
	f.boxed = append(f.boxed, dynamic)
	p.Boxed = -len(f.boxed)
}
