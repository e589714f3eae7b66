package candidate

import (
	"fmt"
	"strconv"
	"strings"
)

// Spec is a finitization as data. Types are numbers; the maker and the user of the Spec agree on their
// meaning. Class 0 is the root: it has one object, from which everything else is reached.
type Spec struct {
	Classes []Class
	Fields  []Field // by class, within a class in the order in which they are walked
}

// Class is a class domain: N objects of a type.
type Class struct {
	Type int
	N    int
	// After is a class with copies of the same objects, 0 if there is none. A candidate that has an object of this class and
	// none of that one is isomorphic to another candidate.
	After int
}

// Field is a field of each object of a class, with its possible values. For a slice, Domain are its
// lengths, and Elems the values of its elements.
type Field struct {
	Class  int
	Path   []int // field numbers of structs, indices of arrays
	Domain Domain
	Slice  bool
	Elems  []Elem
}

// Elem is a part of the elements of a slice. With an empty Path it is the whole element.
type Elem struct {
	Path   []int
	Domain Domain
}

// Domain is the ordered union of values that a field may have.
type Domain struct {
	Parts []Part
	// Labelled says that the objects in the domain are distinguished: candidates that differ in the choice of
	// one of them are not isomorphic.
	Labelled bool
	// Each says, for the elements of a slice, that element i is object i of the domain's only class. Such
	// elements are not searched.
	Each bool
}

// PartKind is the kind of a part of a domain.
type PartKind byte

// The kinds of parts. The letters are those of the text form.
const (
	Nil     PartKind = 'n'
	Objects PartKind = 'o' // the objects of Class
	Ints    PartKind = 'i' // Lo..Hi
	Bools   PartKind = 'b' // Lo..Hi of false, true
	Strings PartKind = 's' // Strs
	Empty   PartKind = 'e' // the value of the struct type without fields that is boxed
)

// Part is a part of a domain.
type Part struct {
	Kind   PartKind
	Class  int
	Lo, Hi int64
	Strs   []string
	// Boxed is the number of the dynamic type of values in an interface, plus one. It is 0 if the field is no
	// interface, or if the values are objects.
	Boxed int
}

// Value is a value of a domain.
type Value struct {
	Kind  PartKind
	Class int   // of objects
	Index int   // which object
	Int   int64 // of ints and bools
	Str   string
	Boxed int
}

// Size returns how many values the domain has.
func (d Domain) Size(s *Spec) int {
	n := 0
	for _, p := range d.Parts {
		switch p.Kind {
		case Nil, Empty:
			n++
		case Objects:
			n += s.Classes[p.Class].N
		case Strings:
			n += len(p.Strs)
		default:
			n += int(max(p.Hi-p.Lo+1, 0))
		}
	}
	return n
}

// Values lists the domain.
func (d Domain) Values(s *Spec) []Value {
	out := make([]Value, 0, d.Size(s))
	for _, p := range d.Parts {
		switch p.Kind {
		case Nil:
			out = append(out, Value{Kind: Nil})
		case Empty:
			out = append(out, Value{Kind: Empty, Boxed: p.Boxed})
		case Objects:
			for i := range s.Classes[p.Class].N {
				out = append(out, Value{Kind: Objects, Class: p.Class, Index: i})
			}
		case Strings:
			for _, str := range p.Strs {
				out = append(out, Value{Kind: Strings, Str: str, Boxed: p.Boxed})
			}
		default:
			for i := p.Lo; i <= p.Hi; i++ {
				out = append(out, Value{Kind: p.Kind, Int: i, Boxed: p.Boxed})
			}
		}
	}
	return out
}

// Slot is one place of the candidate vector.
type Slot struct {
	Class, Object int
	Field         int // index in Spec.Fields
	// Elem is the index of the slice element that the slot is in. It is -1 if the slot is the field
	// itself, which for a slice is its length. Part is the index in Field.Elems.
	Elem, Part int
}

// Slots lists the places of the candidate vector: by class, object and field; a
// slice's length is followed by the parts of its elements.
func (s *Spec) Slots() []Slot {
	var out []Slot
	for c, class := range s.Classes {
		for obj := range class.N {
			for f, field := range s.Fields {
				if field.Class != c {
					continue
				}
				out = append(out, Slot{c, obj, f, -1, 0})
				if !field.Slice {
					continue
				}
				for e := range field.MaxLen() {
					for p := range field.Elems {
						out = append(out, Slot{c, obj, f, e, p})
					}
				}
			}
		}
	}
	return out
}

// MaxLen returns the greatest length that a slice may have.
func (f *Field) MaxLen() int {
	n := int64(0)
	for _, p := range f.Domain.Parts {
		n = max(n, p.Hi)
	}
	return int(n)
}

// DomainOf returns the domain of a slot.
func (s *Spec) DomainOf(slot Slot) Domain {
	f := &s.Fields[slot.Field]
	if slot.Elem < 0 {
		return f.Domain
	}
	return f.Elems[slot.Part].Domain
}

// String returns the text form, which Parse reads.
func (s *Spec) String() string {
	var b strings.Builder
	for _, c := range s.Classes {
		fmt.Fprintf(&b, "class %d %d", c.Type, c.N)
		if c.After > 0 {
			fmt.Fprintf(&b, " %d", c.After)
		}
		b.WriteByte('\n')
	}
	for _, f := range s.Fields {
		kind := "field"
		if f.Slice {
			kind = "slice"
		}
		fmt.Fprintf(&b, "%s %d %s %s\n", kind, f.Class, pathText(f.Path), f.Domain.text())
		for _, e := range f.Elems {
			fmt.Fprintf(&b, "elem %s %s\n", pathText(e.Path), e.Domain.text())
		}
	}
	return b.String()
}

func pathText(path []int) string {
	if len(path) == 0 {
		return "-"
	}
	var b strings.Builder
	for i, p := range path {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(p))
	}
	return b.String()
}

func (d Domain) text() string {
	var b strings.Builder
	if d.Labelled {
		b.WriteString("labelled ")
	}
	if d.Each {
		b.WriteString("each ")
	}
	for i, p := range d.Parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte(byte(p.Kind))
		if p.Boxed > 0 {
			b.WriteString("@" + strconv.Itoa(p.Boxed) + ":")
		}
		switch p.Kind {
		case Objects:
			b.WriteString(strconv.Itoa(p.Class))
		case Ints, Bools:
			b.WriteString(strconv.FormatInt(p.Lo, 10) + ".." + strconv.FormatInt(p.Hi, 10))
		case Strings:
			for j, s := range p.Strs {
				if j > 0 {
					b.WriteByte(',')
				}
				fmt.Fprintf(&b, "%x.", s) // so that an empty text is not nothing
			}
		}
	}
	return b.String()
}
