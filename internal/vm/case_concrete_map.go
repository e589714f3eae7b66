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
	if missing > maxListed && b.fillMap(op, t, missing, taken) {
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
		refs = append(refs, b.out.Add(key), b.zero(t.Elem))
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
// keys are left.
func (b *builder) filler(t *Type, i int) (*testcase.Operation, string) {
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
