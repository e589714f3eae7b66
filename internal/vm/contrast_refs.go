package vm

import (
	"fmt"

	"github.com/goassay/assay/internal/term"
)

// slices compares whether two slices are nil, their elements, and their capacities.
func (c *contrast) slices(x []Value, tx *Type, y []Value, ty *Type, depth int) term.ID {
	nx, okX := c.a.nilSlice(x)
	ny, okY := c.b.nilSlice(y)
	var diff term.ID = term.False
	switch {
	case okX && okY:
		if nx && ny {
			return term.False
		}
		if nx != ny {
			return term.True
		}
	case okX || okY || c.a.st.lazies.at(x[0].Lazy).name != c.b.st.lazies.at(y[0].Lazy).name:
		diff = c.doubt("whether a slice is nil is not decided")
	}
	x, y = append([]Value(nil), x...), append([]Value(nil), y...)
	x[0].Lazy, y[0].Lazy = 0, 0
	caps := c.ts.Not(c.ts.Eq(c.a.m.termOf(x[2], 64), c.b.m.termOf(y[2], 64)))
	return c.ts.OrAll(diff, caps, c.arrays(x[0], x[1], tx.Elem, y[0], y[1], ty.Elem, depth))
}

// nilSlice reports whether a slice is nil, and whether that is known.
func (h half) nilSlice(v []Value) (isNilSlice, known bool) {
	h.m.known(v[0])
	if v[0].Lazy == 0 {
		return v[0].Bits == 0, true
	}
	switch h.st.lazies.at(v[0].Lazy).kind {
	case isNil:
		return true, true
	case notNil:
		return false, true
	}
	return false, false
}

// arrays compares the first nx elements at x with the first ny at y.
func (c *contrast) arrays(x, nx Value, ex *Type, y, ny Value, ey *Type, depth int) term.ID {
	c.a.m.known(x)
	c.b.m.known(y)
	if nx.Term == 0 && ny.Term == 0 {
		if nx.Bits != ny.Bits {
			return term.True
		}
		return c.elements(x, ex, y, ey, nx.Bits, depth)
	}
	lengths := c.ts.Not(c.ts.Eq(c.a.m.termOf(nx, 64), c.b.m.termOf(ny, 64)))
	if lengths == term.True {
		return term.True
	}
	switch {
	case nx.Term == 0:
		return c.ts.Or(lengths, c.elements(x, ex, y, ey, nx.Bits, depth))
	case ny.Term == 0:
		return c.ts.Or(lengths, c.elements(x, ex, y, ey, ny.Bits, depth))
	case c.sameArray(x, y, 0):
		return lengths
	}
	return c.doubt("texts or slices of unknown length are made in different ways")
}

// elements compares n elements.
func (c *contrast) elements(x Value, ex *Type, y Value, ey *Type, n uint64, depth int) term.ID {
	if n > maxContrast {
		return c.doubt("there is more to compare than the machine does")
	}
	var all []term.ID
	for i := range int(n) {
		vx, okX := c.a.element(x, ex, i)
		vy, okY := c.b.element(y, ey, i)
		if !okX || !okY {
			return c.doubt("elements that the machine makes when they are looked at")
		}
		all = append(all, c.value(vx, ex, vy, ey, depth+1))
	}
	return c.ts.OrAll(all...)
}

// element returns the cells of element i at an address.
func (h half) element(at Value, t *Type, i int) ([]Value, bool) {
	if t.Size == 0 {
		return nil, true
	}
	if t.Size == 1 && t.scalar() {
		return []Value{h.m.readCell(h.st, Value{Bits: at.Bits + uint64(i), Term: at.Term}, t.width())}, true
	}
	o := h.st.object(at.obj())
	from := at.off() + i*t.Size
	if at.Term != 0 || o.kind != objCells || from+t.Size > len(o.cells) {
		return nil, false
	}
	return o.cells[from : from+t.Size], true
}

// sameArray reports whether two addresses certainly lead to the same content, whatever its length. They do if
// they lead to the same place in the same input with the same writes, or to pieces that are the same one by
// one.
func (c *contrast) sameArray(x, y Value, depth int) bool {
	if x.off() != y.off() || x.Term != y.Term || depth > 8 {
		return false
	}
	if x.Bits == 0 || y.Bits == 0 {
		return x.Bits == y.Bits
	}
	o, q := c.a.st.object(x.obj()), c.b.st.object(y.obj())
	if o.kind == objBytes && q.kind == objBytes {
		return o.str == q.str
	}
	if o.kind != objLazy || q.kind != objLazy {
		return false
	}
	l, r := o.lazy, q.lazy
	if l.width != r.width || l.has != r.has || l.base != r.base || len(l.log) != len(r.log) || len(l.parts) != len(r.parts) || len(l.elems)+len(r.elems) > 0 {
		return false
	}
	for i := range l.log {
		if !sameCell(l.log[i].index, r.log[i].index) || !sameCell(l.log[i].val, r.log[i].val) {
			return false
		}
	}
	for i := range l.parts {
		p, q := l.parts[i], r.parts[i]
		if !sameCell(p.len, q.len) {
			return false
		}
		if p.len.Term == 0 {
			c.size += int(min(p.len.Bits, maxContrast))
			if c.elements(p.ptr, c.a.m.byteType, q.ptr, c.b.m.byteType, p.len.Bits, depth+1) != term.False {
				return false
			}
			continue
		}
		if !c.sameArray(p.ptr, q.ptr, depth+1) {
			return false
		}
	}
	return true
}

// sameCell reports whether two scalar cells are the same number or the same term.
func sameCell(x, y Value) bool {
	return x.Lazy == 0 && y.Lazy == 0 && x.Term == y.Term && (x.Term != 0 || x.Bits == y.Bits)
}

// pointers compares two pointers: whether they are nil, which objects they point to (if these are inputs or
// variables), and the values behind them.
func (c *contrast) pointers(x Value, tx *Type, y Value, ty *Type, depth int) term.ID {
	nx, x, okX := c.a.pointer(x)
	ny, y, okY := c.b.pointer(y)
	switch {
	case !okX && !okY && nx == ny:
		return term.False // neither path has used the pointer
	case !okX || !okY:
		return c.doubt("a pointer that only one version looks at")
	case x.Bits == 0 || y.Bits == 0:
		return c.ts.Bool(x.Bits != y.Bits)
	case x.Term != 0 || y.Term != 0:
		return c.doubt("a pointer to an element of unknown index")
	}
	key := [2]uint64{x.Bits ^ uint64(tx.ID)<<52, y.Bits ^ uint64(ty.ID)<<52}
	if c.seen[key] {
		return term.False
	}
	c.seen[key] = true
	for i, of := range [2][2]uint64{{x.Bits, y.Bits}, {y.Bits, x.Bits}} {
		if other, ok := c.with[i][of[0]]; ok && other != of[1] {
			return c.doubt("objects that are shared in other ways")
		}
		c.with[i][of[0]] = of[1]
	}
	a, okA := c.a.identity(x)
	b, okB := c.b.identity(y)
	if a != b || !okA || !okB {
		return c.doubt("pointers to different objects")
	}
	o, q := c.a.st.object(x.obj()), c.b.st.object(y.obj())
	n, k := tx.Elem.Size, ty.Elem.Size
	if o.kind != objCells || q.kind != objCells || x.off()+n > len(o.cells) || y.off()+k > len(q.cells) {
		return c.doubt("a pointer into an object of unknown length")
	}
	return c.value(o.cells[x.off():x.off()+n], tx.Elem, q.cells[y.off():y.off()+k], ty.Elem, depth+1)
}

// pointer returns the decided value of a pointer; known is false if it is not decided, and then name is
// the input's.
func (h half) pointer(v Value) (name string, _ Value, known bool) {
	h.m.known(v)
	if v.Lazy == 0 {
		return "", v, true
	}
	switch e := h.st.lazies.at(v.Lazy); e.kind {
	case isNil:
		return "", Value{}, true
	case isValue:
		return "", Value{Bits: e.val[0].Bits + v.Bits, Term: v.Term}, true
	default:
		return e.name + fmt.Sprint(v.Bits), v, false
	}
}

// identity names the object behind a pointer if other code can reach the object, too: an input, or an object
// in a package-level variable. An object that the call itself has made has no name. The result known is false
// for other objects that an initialiser made.
func (h half) identity(v Value) (name string, known bool) {
	if v.obj()&staticRegion != 0 {
		return "a constant", true
	}
	if o := h.st.object(v.obj()); o.input > 0 {
		return fmt.Sprint("input ", h.st.objects[o.input-1].name, v.off()), true
	}
	if v.obj()&imageRegion == 0 {
		return "", true
	}
	for _, g := range h.m.byObj {
		if g.v == nil || g.obj == zeroBase {
			continue
		}
		var found string
		if g.obj == v.obj() {
			found = "the variable " + g.v.Name() + fmt.Sprint(v.off())
		} else {
			cells := h.m.image[g.obj&^imageRegion].cells
			for _, cell := range cells[:min(len(cells), 2)] {
				if cell.Bits == v.Bits && cell.Term == 0 && cell.Lazy == 0 {
					found = "in the variable " + g.v.Name()
				}
			}
		}
		// Several variables may hold the object. The first by name stands for all.
		if found != "" && (!known || found < name) {
			name, known = found, true
		}
	}
	return name, known
}
