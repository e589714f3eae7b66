package vm

import (
	"fmt"

	"github.com/goassay/assay/internal/testcase"
)

// mapValue writes a map input: the entries that the path has looked at, and further entries up to its length.
func (b *builder) mapValue(v Value, t *Type) testcase.Ref {
	v = b.decided(v)
	if v.Bits == 0 {
		return b.zero(t)
	}
	id := v.obj()
	if r, ok := b.objs[id]; ok {
		return r
	}
	o := b.st.object(id)
	if o.input == 0 {
		panic(unwritable("a map that is no input"))
	}
	rec := b.st.objects[o.input-1]
	n := b.eval(rec.length)
	if n > maxWritten {
		panic(unwritable(fmt.Sprintf("a map of %d entries", n)))
	}
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t.Go}
	var refs []testcase.Ref
	taken := map[string]bool{}
	for _, e := range o.m.entries {
		if !e.from {
			continue
		}
		taken[b.key(e.key, t.Key)] = true
		refs = append(refs, b.value(e.key, t.Key), b.value(e.orig, t.Elem))
	}
	for _, a := range o.m.absent {
		taken[b.key(a, t.Key)] = true
	}
	missing := int(n) - len(refs)/2
	single := t.Key.Kind != KStruct && t.Key.Kind != KArray
	if missing > maxListed && single && b.fillMap(op, t, missing, taken) {
		missing = 0
	}
	for i := 0; missing > 0; i++ {
		key, text := b.filler(t.Key, i)
		if key == nil {
			panic(unwritable(fmt.Sprintf("a map of %d entries with keys of type %s", n, t.Key.Name)))
		}
		if taken[text] {
			continue
		}
		refs = append(refs, b.fillKey(t.Key, key), b.zero(t.Elem))
		missing--
	}
	r := b.out.Add(op, refs...)
	b.objs[id] = r
	return r
}

// key encodes a key by its value under the model.
func (b *builder) key(v []Value, t *Type) string {
	switch t.Kind {
	case KString:
		return b.text(v)
	case KInterface:
		if v[0].Lazy != 0 {
			e := b.st.lazies.at(v[0].Lazy)
			if e.kind != isValue {
				return fmt.Sprint("lazy", v[0].Lazy)
			}
			v = e.val[:]
		}
		if v[0].Bits == 0 {
			return "nil"
		}
		dt := b.m.types.all[v[0].Bits]
		return dt.Name + ":" + b.key(b.m.unbox(b.st, dt, v[1]), dt)
	case KStruct:
		if i := distinctive(t); i >= 0 { // the fields that tell fillers apart, so that no filler is taken for another key
			f := t.Fields[i]
			return b.key(v[f.Off:f.Off+f.Type.Size], f.Type)
		}
	case KArray:
		if t.Len > 0 {
			return b.key(v[:t.Elem.Size], t.Elem)
		}
	}
	s := ""
	for _, c := range v {
		s += fmt.Sprint(b.eval(c), ".", c.Lazy, ",")
	}
	return s
}

// maxListed is how many entries of which nothing is known are listed one by one. If a map has more of them,
// its size is all that matters, and they are not listed.
const maxListed = 24

// fillMap fills a map with n entries whose keys are consecutive free numbers. It reports whether the type of
// the keys has so many values.
func (b *builder) fillMap(op *testcase.Operation, t *Type, n int, taken map[string]bool) bool {
	first := 0
	for i := 0; i < first+n; i++ {
		key, text := b.filler(t.Key, i)
		if key == nil {
			return false
		}
		if taken[text] {
			first = i + 1
		}
	}
	op.N, op.From = n, first
	return true
}

// filler is the i-th key of a type for entries of which nothing is known, with its encoding, or nil if no
// keys are left. For a key with several parts it is the part that tells such keys apart.
func (b *builder) filler(t *Type, i int) (*testcase.Operation, string) {
	switch t.Kind {
	case KStruct:
		if k := distinctive(t); k >= 0 {
			return b.filler(t.Fields[k].Type, i)
		}
		return nil, ""
	case KArray:
		if t.Len > 0 {
			return b.filler(t.Elem, i)
		}
		return nil, ""
	}
	op := &testcase.Operation{Kind: testcase.OpLiteral, Type: t.Go}
	if t.Kind == KBool && i < 2 {
		op.Lit = testcase.Literal{Kind: testcase.LitBool, Bits: uint64(i)}
		return op, fmt.Sprint(i, ".0,")
	}
	lit, ok := testcase.FillKey(t.Go, i)
	if !ok {
		return nil, ""
	}
	op.Lit = lit
	if lit.Kind == testcase.LitString {
		return op, lit.Str
	}
	return op, fmt.Sprint(lit.Bits, ".0,")
}

// fillKey adds a key in which everything is zero but the part that filler returned.
func (b *builder) fillKey(t *Type, part *testcase.Operation) testcase.Ref {
	switch t.Kind {
	case KStruct:
		k := distinctive(t)
		return b.out.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t.Go, Elems: []int{k}}, b.fillKey(t.Fields[k].Type, part))
	case KArray:
		return b.out.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t.Go, Elems: []int{0}}, b.fillKey(t.Elem, part))
	}
	return b.out.Add(part)
}

// distinctive returns the number of the field by which the keys of a struct type are told apart if nothing else is known
// of them, or -1 if no field has enough values. Numbers and texts come before booleans.
func distinctive(t *Type) int {
	weak := -1
	for i, f := range t.Fields {
		k := i
		switch inner := f.Type; {
		case f.Name == "_":
			continue
		case inner.Kind == KStruct && distinctive(inner) < 0, inner.Kind == KArray && inner.Len == 0:
			continue
		case inner.Kind == KBool:
			if weak < 0 {
				weak = k
			}
			continue
		case inner.Kind != KStruct && inner.Kind != KArray:
			if _, ok := testcase.FillKey(inner.Go, 0); !ok {
				continue
			}
		}
		return k
	}
	return weak
}
