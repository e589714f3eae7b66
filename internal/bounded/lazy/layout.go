package lazy

import (
	"go/types"

	"github.com/goassay/assay/internal/candidate"
)

// val is a cell of memory or a register. It has bits or, if s is not 0, it is a part of the variable s-1 (a
// slot).
type val struct {
	b int64
	s int32
}

// part says which cell of a variable a val is, because the variable of an interface has two.
const part = 1 << 30

// The number of cells of a type. A number, boolean, pointer, map or function has one cell, and so has a
// string, which is the number of its text. A slice has address, length and capacity. An interface has the
// number of its dynamic type, followed by the value, or by the address of a larger value.
const (
	sliceCells = 3
	ifaceCells = 2
)

// cells returns how many cells a value of type t takes.
func (c *compiler) cells(t types.Type) int32 {
	if n, ok := c.sizes[t]; ok {
		return n
	}
	n := int32(1)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch u.Kind() {
		case types.Float32, types.Float64, types.Complex64, types.Complex128, types.UnsafePointer, types.UntypedFloat:
			c.unsupported("values of type " + u.String())
		}
	case *types.Slice:
		n = sliceCells
	case *types.Interface:
		n = ifaceCells
	case *types.Chan:
		c.unsupported("channels")
	case *types.Struct:
		n = 0
		for i := range u.NumFields() {
			n += c.cells(u.Field(i).Type())
		}
	case *types.Array:
		n = int32(u.Len()) * c.cells(u.Elem())
	case *types.Tuple:
		n = 0
		for i := range u.Len() {
			n += c.cells(u.At(i).Type())
		}
	}
	c.sizes[t] = n
	return n
}

// offset returns where field i of a struct begins.
func (c *compiler) offset(st *types.Struct, i int) int32 {
	n := int32(0)
	for j := range i {
		n += c.cells(st.Field(j).Type())
	}
	return n
}

// follow returns the cell and the type of a part of a value of type t.
func (c *compiler) follow(t types.Type, path []int) (int32, types.Type) {
	off := int32(0)
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			off += c.offset(u, i)
			t = u.Field(i).Type()
		case *types.Array:
			off += int32(i) * c.cells(u.Elem())
			t = u.Elem()
		}
	}
	return off, t
}

// domain is the set of possible values of a variable.
type domain struct {
	vals  [][2]int64 // the cells of each value
	class []int32    // the class of values that are objects, or -1
	index []int32
	ints  uint64 // the set of the values that are numbers
	full  uint64
	// one is the only class of the domain's objects, or -1 if there are no objects, or objects of several
	// classes. The bits of a value are those of the object.
	one      int32
	objects  uint64
	labelled bool
	boxed    bool // the numbers are values of an interface
}

// layout puts the candidate's objects into memory. Every slot becomes a variable.
func (m *machine) layout(spec *candidate.Spec, typ []types.Type) {
	c := m.c
	m.mem = make([]val, 1, 1<<12) // address 0 is nil
	m.addr = make([][]int64, len(spec.Classes))
	alloc := func(n int32) int64 {
		a := int64(len(m.mem))
		m.mem = append(m.mem, make([]val, n)...)
		return a
	}
	for i, cl := range spec.Classes {
		for range cl.N {
			// An object without fields also has an address of its own.
			m.addr[i] = append(m.addr[i], alloc(max(c.cells(typ[cl.Type]), 1)))
		}
	}
	domains := map[int]*domain{}
	m.own = make([][][]int32, len(spec.Classes))
	for i, cl := range spec.Classes {
		m.own[i] = make([][]int32, cl.N)
	}
	slots := spec.Slots()
	arrays := map[[2]int]int64{}
	for n, sl := range slots {
		f := &spec.Fields[sl.Field]
		off, ft := c.follow(typ[spec.Classes[f.Class].Type], f.Path)
		at := m.addr[sl.Class][sl.Object] + int64(off)
		k := sl.Field * 64
		v := variable{elems: -1}
		if f.Slice {
			elem := ft.Underlying().(*types.Slice).Elem()
			size := c.cells(elem)
			id := [2]int{sl.Object, sl.Field}
			if sl.Elem < 0 {
				a := alloc(max(int32(f.MaxLen())*size, 1))
				arrays[id] = a
				m.mem[at] = val{b: a}
				m.mem[at+2] = val{s: int32(n) + 1}
				at++
				v.elems = int32(len(f.Elems))
				ft = types.Typ[types.Int]
			} else {
				eoff, et := c.follow(elem, f.Elems[sl.Part].Path)
				at = arrays[id] + int64(int32(sl.Elem)*size+eoff)
				ft = et
				k += 1 + sl.Part
			}
		}
		if sl.Elem < 0 {
			m.own[sl.Class][sl.Object] = append(m.own[sl.Class][sl.Object], int32(n))
		}
		d := domains[k]
		if d == nil {
			d = m.domain(spec, spec.DomainOf(sl), typ)
			domains[k] = d
		}
		v.dom, v.mask = d, d.full
		if spec.DomainOf(sl).Each {
			v.mask = 1 << sl.Elem
		}
		m.mem[at] = val{s: int32(n) + 1}
		if types.IsInterface(ft) {
			m.mem[at+1] = val{s: (int32(n) + 1) | part}
		}
		m.vars = append(m.vars, v)
	}
	m.fixed = int64(len(m.mem))
	m.top = make([]int32, len(spec.Classes))
	for i := range m.top {
		m.top[i] = -1
	}
	m.top[0] = 0
}

// domain makes a domain of cells.
func (m *machine) domain(spec *candidate.Spec, dom candidate.Domain, typ []types.Type) *domain {
	d := &domain{one: -1, labelled: dom.Labelled || dom.Each}
	values := dom.Values(spec)
	if len(values) > 64 {
		m.c.unsupported("domains of more than 64 values")
	}
	several := false
	for i, v := range values {
		cell, class, index := [2]int64{v.Int}, int32(-1), int32(-1)
		switch v.Kind {
		case candidate.Objects:
			class, index = int32(v.Class), int32(v.Index)
			cell[0] = m.addr[v.Class][v.Index]
			d.objects |= 1 << i
			several = several || d.one >= 0 && d.one != class
			d.one = class
		case candidate.Empty:
			m.c.unsupported("empty structs as values of interfaces")
		case candidate.Strings:
			cell[0] = m.c.text(v.Str)
		case candidate.Ints:
			d.ints |= 1 << i
		}
		if v.Boxed > 0 {
			d.boxed = true
			cell = [2]int64{m.c.typeNumber(typ[v.Boxed-1]), cell[0]}
		}
		d.vals = append(d.vals, cell)
		d.class, d.index = append(d.class, class), append(d.index, index)
		d.full |= 1 << i
	}
	if several {
		d.one = -1
	}
	return d
}

// fixInterfaces turns the objects in domains of interface fields into values of interfaces.
func (m *machine) fixInterfaces(spec *candidate.Spec, typ []types.Type) {
	done := map[*domain]bool{}
	for n, sl := range spec.Slots() {
		f := &spec.Fields[sl.Field]
		_, ft := m.c.follow(typ[spec.Classes[f.Class].Type], f.Path)
		if sl.Elem >= 0 {
			_, ft = m.c.follow(ft.Underlying().(*types.Slice).Elem(), f.Elems[sl.Part].Path)
		}
		d := m.vars[n].dom
		if !types.IsInterface(ft) || done[d] {
			continue
		}
		done[d] = true
		for i := range d.vals {
			if d.class[i] >= 0 {
				t := types.NewPointer(typ[spec.Classes[d.class[i]].Type])
				d.vals[i] = [2]int64{m.c.typeNumber(t), d.vals[i][0]}
			}
		}
	}
}
