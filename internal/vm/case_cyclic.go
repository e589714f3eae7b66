package vm

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/testcase"
)

// An input may be a circle: a list whose last element points to the first. Such an object cannot be written as one
// expression. The field that closes the circle is set by a statement of its own.

// link is a field that points to an object inside of which the field is.
type link struct {
	from, to ObjID
	field    *types.Var
}

// linked reports whether field i of an object points to an object that is being written. The field is set later.
func (b *builder) linked(owner ObjID, t *Type, i int, v Value) bool {
	if t.Fields[i].Type.Kind != KPointer {
		return false
	}
	p := b.decided(v)
	if p.Bits == 0 || p.off() != 0 || !b.busy[p.obj()] {
		return false
	}
	b.links = append(b.links, link{owner, p.obj(), t.Go.Underlying().(*types.Struct).Field(i)})
	return true
}

// setLinks sets the fields that point to an object, which has just been written.
func (b *builder) setLinks(id ObjID, r testcase.Ref) {
	for _, l := range b.links {
		if l.to == id {
			b.out.Add(&testcase.Operation{Kind: testcase.OpSetField, Var: l.field}, b.objs[l.from], r)
		}
	}
	b.links = slices.DeleteFunc(b.links, func(l link) bool { return l.to == id })
}
