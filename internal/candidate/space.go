package candidate

import (
	"fmt"
	"reflect"
	"unsafe"
)

// Space is a Spec in memory.
type Space struct {
	Spec  *Spec
	slots []slot
	// own has the slots of each object in the order in which they are walked, by class and object. Slots of
	// slices' elements are left out.
	own [][][]int32
	// mem holds all objects and arrays in one piece. The field shadow is a copy of what mem should contain.
	mem, shadow reflect.Value
	base        unsafe.Pointer
	twin        unsafe.Pointer
	size        uintptr
	root        unsafe.Pointer
	first       [][]unsafe.Pointer // the objects, by class

	// Mirror, if not nil, receives the candidate's vector as far as it has room, so that the parent process
	// can read it.
	Mirror []uint16

	bases   []int // number of the first object of each class
	reached []bool
}

// NewSpace lays a Spec out in memory. The function typ returns the type of a number. For a class this is the
// type of the objects, and not that of pointers to them.
func NewSpace(spec *Spec, typ func(int) (reflect.Type, error)) (*Space, error) {
	s := &Space{Spec: spec}
	l, err := layoutOf(spec, typ)
	if err != nil {
		return nil, err
	}
	memType := reflect.StructOf(l.parts)
	s.mem, s.shadow = reflect.New(memType), reflect.New(memType)
	s.base, s.twin, s.size = s.mem.UnsafePointer(), s.shadow.UnsafePointer(), memType.Size()
	for i := range l.parts {
		l.places = append(l.places, unsafe.Add(s.base, memType.Field(i).Offset))
	}
	n := 0
	for i, c := range spec.Classes {
		var objs []unsafe.Pointer
		for o := range c.N {
			objs = append(objs, unsafe.Add(l.places[i], uintptr(o)*l.types[i].Size()))
		}
		s.first = append(s.first, objs)
		s.bases = append(s.bases, n)
		n += c.N
		s.own = append(s.own, make([][]int32, c.N))
	}
	s.root = s.first[0][0]
	s.reached = make([]bool, n)
	domains := map[string][]value{}
	for n, sl := range spec.Slots() {
		if sl.Elem < 0 {
			s.own[sl.Class][sl.Object] = append(s.own[sl.Class][sl.Object], int32(n))
		}
		sx, t, err := s.slotAt(l, sl)
		if err != nil {
			return nil, err
		}
		dom := spec.DomainOf(sl)
		sx.labelled = dom.Labelled
		key := fmt.Sprintf("%p %d %s", t, sx.kind, dom.text())
		vals, ok := domains[key]
		if !ok {
			if vals, err = s.values(dom, t, sx.kind, typ); err != nil {
				return nil, err
			}
			domains[key] = vals
		}
		sx.vals = vals
		if dom.Each {
			if sl.Elem >= len(vals) {
				return nil, fmt.Errorf("%d elements, and %d objects for them", spec.Fields[sl.Field].MaxLen(), len(vals))
			}
			sx.fixed = int32(sl.Elem)
		}
		s.slots = append(s.slots, sx)
	}
	s.reset()
	return s, nil
}

// layout says how the objects of a Spec lie in memory.
type layout struct {
	parts   []reflect.StructField // the objects of each class, then the arrays of slice fields
	places  []unsafe.Pointer      // where the parts begin
	types   []reflect.Type        // of each class
	fields  []reflect.Type
	offsets []uintptr // the offsets of the fields within their objects
	arrays  []int     // the part that has the arrays of a slice field, one array for each object
}

// layoutOf lays the objects of a Spec out.
func layoutOf(spec *Spec, typ func(int) (reflect.Type, error)) (*layout, error) {
	l := &layout{
		types: make([]reflect.Type, len(spec.Classes)), fields: make([]reflect.Type, len(spec.Fields)),
		offsets: make([]uintptr, len(spec.Fields)), arrays: make([]int, len(spec.Fields)),
	}
	add := func(t reflect.Type) int {
		l.parts = append(l.parts, reflect.StructField{Name: fmt.Sprintf("F%d", len(l.parts)), Type: t})
		return len(l.parts) - 1
	}
	for i, c := range spec.Classes {
		t, err := typ(c.Type)
		if err != nil {
			return nil, err
		}
		if t.Size() == 0 && c.N > 1 {
			return nil, fmt.Errorf("%s has no size, so its objects are not told apart: there can be one", t)
		}
		l.types[i] = t
		add(reflect.ArrayOf(c.N, t))
	}
	for i := range spec.Fields {
		f := &spec.Fields[i]
		t, off, err := follow(l.types[f.Class], f.Path)
		if err != nil {
			return nil, err
		}
		l.fields[i], l.offsets[i] = t, off
		if !f.Slice {
			continue
		}
		if t.Kind() != reflect.Slice {
			return nil, fmt.Errorf("a %s is no slice", t)
		}
		// There is room for one element more than an array has, so that no two arrays touch.
		l.arrays[i] = add(reflect.ArrayOf(spec.Classes[f.Class].N*(f.MaxLen()+1), t.Elem()))
	}
	return l, nil
}

// slotAt returns a slot without its values, and the type of its values.
func (s *Space) slotAt(l *layout, sl Slot) (slot, reflect.Type, error) {
	f := &s.Spec.Fields[sl.Field]
	t, at := l.fields[sl.Field], unsafe.Add(s.first[sl.Class][sl.Object], l.offsets[sl.Field])
	sx := slot{fixed: -1}
	if f.Slice {
		et := t.Elem()
		data := unsafe.Add(l.places[l.arrays[sl.Field]], uintptr(sl.Object*(f.MaxLen()+1))*et.Size())
		if sl.Elem < 0 {
			sx.kind, sx.size, sx.data, sx.elem, sx.perElem = kLength, unsafe.Sizeof([]int{}), data, et.Size(), len(f.Elems)
		} else {
			var off uintptr
			var err error
			if t, off, err = follow(et, f.Elems[sl.Part].Path); err != nil {
				return sx, nil, err
			}
			at = unsafe.Add(data, uintptr(sl.Elem)*et.Size()+off)
		}
	}
	if sx.kind == 0 {
		k, err := kindOf(t)
		if err != nil {
			return sx, nil, err
		}
		sx.kind, sx.size = k, t.Size()
	}
	sx.addr = at
	return sx, t, nil
}

// reset makes the candidate the first one.
func (s *Space) reset() {
	for i := range s.slots {
		s.set(i, max(s.slots[i].fixed, 0))
	}
}

// follow returns the type and offset of a part of a value of type t.
func follow(t reflect.Type, path []int) (reflect.Type, uintptr, error) {
	var off uintptr
	for _, i := range path {
		switch {
		case t.Kind() == reflect.Struct && i < t.NumField():
			off += t.Field(i).Offset
			t = t.Field(i).Type
		case t.Kind() == reflect.Array && i < t.Len():
			t = t.Elem()
			off += uintptr(i) * t.Size()
		default:
			return nil, 0, fmt.Errorf("a %s has no part %d", t, i)
		}
	}
	return t, off, nil
}

// values makes the values of a domain for a field of type t.
func (s *Space) values(d Domain, t reflect.Type, k kind, typ func(int) (reflect.Type, error)) ([]value, error) {
	var out []value
	for _, v := range d.Values(s.Spec) {
		x := value{class: -1, bits: uint64(v.Int), str: v.Str}
		switch {
		case v.Kind == Nil && k != kPointer && k != kInterface:
			return nil, fmt.Errorf("nil is no %s", t)
		case v.Kind == Nil:
		case v.Kind == Objects:
			x.class, x.index = int32(v.Class), int32(v.Index)
			p := s.first[v.Class][v.Index]
			ct, err := typ(s.Spec.Classes[v.Class].Type)
			if err != nil {
				return nil, err
			}
			pt := reflect.PointerTo(ct)
			switch {
			case k == kPointer && t.Elem() == ct:
				x.ptr = p
			case k == kInterface && pt.Implements(t):
				box := reflect.New(t)
				box.Elem().Set(reflect.NewAt(ct, p))
				x.word = *(*[2]unsafe.Pointer)(box.UnsafePointer())
			default:
				return nil, fmt.Errorf("a %s is no %s", pt, t)
			}
		case k == kInterface:
			bt, err := typ(v.Boxed - 1)
			if err != nil {
				return nil, err
			}
			e := reflect.New(bt).Elem()
			if err := setBasic(e, v); err != nil {
				return nil, err
			}
			if !bt.AssignableTo(t) {
				return nil, fmt.Errorf("a %s is no %s", bt, t)
			}
			box := reflect.New(t)
			box.Elem().Set(e)
			x.word = *(*[2]unsafe.Pointer)(box.UnsafePointer())
		case k == kLength:
			if v.Int < 0 {
				return nil, fmt.Errorf("%d is no length", v.Int)
			}
		default:
			e := reflect.New(t).Elem()
			if err := setBasic(e, v); err != nil {
				return nil, err
			}
			if k != kString {
				x.bits = bitsOf(e)
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// setBasic assigns a number, boolean or string, or the only value of an empty struct.
func setBasic(e reflect.Value, v Value) error {
	switch {
	case v.Kind == Empty && e.Kind() == reflect.Struct && e.NumField() == 0:
		return nil
	case v.Kind == Strings && e.Kind() == reflect.String:
		e.SetString(v.Str)
		return nil
	case v.Kind == Bools && e.Kind() == reflect.Bool:
		e.SetBool(v.Int != 0)
		return nil
	case v.Kind == Ints && e.CanInt() && !e.OverflowInt(v.Int):
		e.SetInt(v.Int)
		return nil
	case v.Kind == Ints && e.CanUint() && v.Int >= 0 && !e.OverflowUint(uint64(v.Int)):
		e.SetUint(uint64(v.Int))
		return nil
	case v.Kind == Ints && e.CanFloat():
		e.SetFloat(float64(v.Int))
		return nil
	}
	return fmt.Errorf("%s is no %s", v, e.Type())
}

// bitsOf returns the memory of a small value.
func bitsOf(e reflect.Value) uint64 {
	p := e.Addr().UnsafePointer()
	switch e.Type().Size() {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}

// String returns the value as text.
func (v Value) String() string {
	switch v.Kind {
	case Nil:
		return "nil"
	case Empty:
		return "{}"
	case Objects:
		return fmt.Sprintf("object %d", v.Index)
	case Bools:
		return fmt.Sprint(v.Int != 0)
	case Strings:
		return fmt.Sprintf("%q", v.Str)
	}
	return fmt.Sprint(v.Int)
}
