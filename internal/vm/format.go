package vm

import (
	"fmt"
	"go/types"
	"sort"
	"strings"
)

// formatValue formats a known value as fmt does. It is not ok where the value is not
// known, holds an address, or has methods inside that fmt would call.
func (m *Machine) formatValue(st *State, d directive, v [2]Value) (string, bool) {
	if v[0].Lazy != 0 {
		return "", false
	}
	if v[0].Bits == 0 {
		return fmt.Sprintf(d.text, nil), true
	}
	t := m.types.all[v[0].Bits]
	if d.verb == 'T' {
		return m.typeString(t), true
	}
	if strings.Contains(d.text, "#") && (d.verb == 'v' || named(t)) {
		return "", false
	}
	return m.formatCells(st, d, t, m.unbox(st, t, v[1]), 0)
}

func named(t *Type) bool {
	_, ok := types.Unalias(t.Go).(*types.Named)
	return ok
}

// formatCells formats a value of type t; depth is how deep inside of another it is.
func (m *Machine) formatCells(st *State, d directive, t *Type, v []Value, depth int) (string, bool) {
	if depth > 20 {
		return "", false
	}
	if depth > 0 && m.hasText(t) {
		return "", false
	}
	if h, ok := m.hostValue(st, [2]Value{{Bits: uint64(t.ID)}, m.reboxed(st, t, v)}); ok {
		return fmt.Sprintf(d.text, h), true
	}
	list := func(open, end string, n int, elem func(i int) (string, bool)) (string, bool) {
		var b strings.Builder
		b.WriteString(open)
		for i := range n {
			s, ok := elem(i)
			if !ok {
				return "", false
			}
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
		b.WriteString(end)
		return b.String(), true
	}
	switch t.Kind {
	case KStruct:
		return list("{", "}", len(t.Fields), func(i int) (string, bool) {
			f := t.Fields[i]
			s, ok := m.formatCells(st, d, f.Type, v[f.Off:f.Off+f.Type.Size], depth+1)
			if strings.Contains(d.text, "+") {
				s = f.Name + ":" + s
			}
			return s, ok
		})
	case KArray:
		n := t.Elem.Size
		return list("[", "]", t.Len, func(i int) (string, bool) {
			return m.formatCells(st, d, t.Elem, v[i*n:(i+1)*n], depth+1)
		})
	case KSlice:
		if v[1].Term != 0 || v[1].Bits > 1<<16 || v[0].Lazy == poison {
			return "", false
		}
		n := t.Elem.Size
		return list("[", "]", int(v[1].Bits), func(i int) (string, bool) {
			cells := make([]Value, n)
			if n > 0 {
				m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, v[0]), num(i), n), t.Elem, cells)
			}
			return m.formatCells(st, d, t.Elem, cells, depth+1)
		})
	case KInterface:
		if v[0].Lazy != 0 {
			return "", false
		}
		if v[0].Bits == 0 {
			return "<nil>", true
		}
		dt := m.types.all[v[0].Bits]
		return m.formatCells(st, d, dt, m.unbox(st, dt, v[1]), depth+1)
	case KMap:
		return m.formatMap(st, d, t, v[0], depth)
	case KPointer:
		if v[0].Lazy != 0 || v[0].Term != 0 {
			return "", false
		}
		if v[0].Bits == 0 {
			return fmt.Sprintf(d.text, (*int)(nil)), true
		}
		switch t.Elem.Kind {
		case KStruct, KSlice, KArray, KMap:
			if depth == 0 && (d.verb == 'v' || d.verb == 's' || d.verb == 'd') {
				cells := make([]Value, t.Elem.Size)
				m.load(st, v[0], t.Elem, cells)
				s, ok := m.formatCells(st, d, t.Elem, cells, depth+1)
				return "&" + s, ok
			}
		}
	}
	return "", false
}

// formatMap formats a map, by key as fmt sorts it.
func (m *Machine) formatMap(st *State, d directive, t *Type, ref Value, depth int) (string, bool) {
	if ref.Lazy != 0 {
		return "", false
	}
	type entry struct {
		num  int64
		key  string
		text string
	}
	var entries []entry
	if ref.Bits != 0 {
		md := st.object(ref.obj()).m
		if md.lazy {
			return "", false
		}
		for _, e := range md.entries {
			if e.dead {
				continue
			}
			k, ok := m.formatCells(st, d, t.Key, e.key, depth+1)
			if !ok {
				return "", false
			}
			x, ok := m.formatCells(st, d, t.Elem, e.val, depth+1)
			if !ok {
				return "", false
			}
			en := entry{key: k, text: k + ":" + x}
			switch t.Key.Kind {
			case KInt:
				en.num = sext(e.key[0].Bits, t.Key.Bits)
			case KUint:
				en.num = int64(e.key[0].Bits >> 1)
			case KString:
			default:
				if md.live > 1 {
					return "", false
				}
			}
			entries = append(entries, en)
		}
	}
	sort.Slice(entries, func(i, j int) bool {
		a, b := entries[i], entries[j]
		return a.num < b.num || a.num == b.num && a.key < b.key
	})
	texts := make([]string, len(entries))
	for i, e := range entries {
		texts[i] = e.text
	}
	return "map[" + strings.Join(texts, " ") + "]", true
}

// hasText reports whether fmt would call a method of a value of type t.
func (m *Machine) hasText(t *Type) bool {
	ms := m.msets.MethodSet(t.Go)
	for _, name := range []string{"Error", "String", "Format", "GoString"} {
		if ms.Lookup(nil, name) != nil {
			return true
		}
	}
	return false
}

// reboxed is the second cell of an interface that holds v.
func (m *Machine) reboxed(st *State, t *Type, v []Value) Value {
	if t.Size <= 1 || t.Kind != KString && t.Kind != KSlice && t.Kind != KComplex {
		if t.Size == 1 {
			return v[0]
		}
		if t.Size == 0 {
			return Value{}
		}
	}
	return m.box(st, t, v)[1]
}
