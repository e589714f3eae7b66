package vm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goassay/assay/internal/term"
)

// Describe writes for people the heap that can be reached from the driver's argument a, in a notation close
// to Go. Zero parts are left out, and an object that was written before is a caret and its number. name
// returns the names of symbolic values.
func (m *Machine) Describe(st *State, a DriverArg, name func(term.ID) string) string {
	d := &describer{m: m, st: st, name: name, objs: map[ObjID]int{}}
	t := m.types.of(a.Type)
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(unsupported); !ok {
				panic(r)
			}
		}
	}()
	d.value(m.argument(st, a, 0), t)
	return d.b.String()
}

// describer writes a heap.
type describer struct {
	m    *Machine
	st   *State
	name func(term.ID) string
	objs map[ObjID]int
	b    strings.Builder
}

// maxDescribed bounds the text.
const maxDescribed = 2000

func (d *describer) value(v []Value, t *Type) {
	if d.b.Len() > maxDescribed {
		d.b.WriteString("…")
		return
	}
	switch t.Kind {
	case KStruct:
		d.b.WriteByte('{')
		sep := ""
		for _, f := range t.Fields {
			if fv := v[f.Off : f.Off+f.Type.Size]; !zeroCells(fv) {
				d.b.WriteString(sep + f.Name + ": ")
				d.value(fv, f.Type)
				sep = ", "
			}
		}
		d.b.WriteByte('}')
	case KArray:
		d.list(v, t.Elem, t.Len)
	case KSlice:
		if v[1].Term != 0 || v[0].Lazy != 0 || v[0].Bits == 0 {
			d.b.WriteString(map[bool]string{true: "nil", false: "[…]"}[zeroCells(v)])
			return
		}
		o := d.st.object(v[0].obj())
		n := int(v[1].Bits) * t.Elem.Size
		if o.kind != objCells || v[0].off()+n > len(o.cells) {
			d.b.WriteString("[…]")
			return
		}
		d.list(o.cells[v[0].off():v[0].off()+n], t.Elem, int(v[1].Bits))
		if v[2].Term == 0 && v[2].Bits != v[1].Bits {
			fmt.Fprintf(&d.b, "/%d", v[2].Bits)
		}
	case KPointer:
		d.pointer(v[0], t)
	case KString:
		if s, ok := d.m.concreteString(d.st, v[0], v[1]); ok && utf8.ValidString(s) {
			d.b.WriteString(strconv.Quote(s))
		} else if o := v[0].obj(); v[1].Term == 0 && v[0].Term == 0 && v[0].Lazy == 0 && d.st.object(o).kind == objCells {
			d.list(d.st.object(o).cells[v[0].off():v[0].off()+int(v[1].Bits)], d.m.byteType, int(v[1].Bits))
		} else {
			d.b.WriteString("text")
		}
	case KInterface:
		if v[0].Lazy != 0 || v[0].Bits == 0 {
			d.b.WriteString(map[bool]string{true: "nil", false: "?"}[v[0].Lazy == 0])
			return
		}
		dt := d.m.types.all[v[0].Bits]
		d.value(d.m.unbox(d.st, dt, v[1]), dt)
	case KMap:
		if v[0].Lazy != 0 || v[0].Bits == 0 {
			d.b.WriteString("nil")
			return
		}
		d.b.WriteString("map[")
		sep := ""
		for _, e := range d.st.object(v[0].obj()).m.entries {
			if !e.dead {
				d.b.WriteString(sep)
				d.value(e.key, t.Key)
				d.b.WriteByte(':')
				d.value(e.val, t.Elem)
				sep = " "
			}
		}
		d.b.WriteByte(']')
	case KFunc, KChan, KUnsafePointer:
		d.b.WriteString("…")
	default:
		d.scalar(v[0], t)
	}
}

func (d *describer) scalar(v Value, t *Type) {
	switch {
	case v.Term != 0:
		d.b.WriteString(d.name(v.Term))
	case t.Kind == KBool:
		d.b.WriteString(strconv.FormatBool(v.Bits != 0))
	case t.Kind == KInt:
		d.b.WriteString(strconv.FormatInt(sext(v.Bits, t.Bits), 10))
	default:
		d.b.WriteString(strconv.FormatUint(v.Bits, 10))
	}
}

func (d *describer) list(v []Value, elem *Type, n int) {
	d.b.WriteByte('[')
	for i := range n {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		if i >= 32 {
			d.b.WriteString("…")
			break
		}
		d.value(v[i*elem.Size:(i+1)*elem.Size], elem)
	}
	d.b.WriteByte(']')
}

func (d *describer) pointer(v Value, t *Type) {
	switch {
	case v.Lazy != 0 || v.Term != 0:
		d.b.WriteByte('?')
		return
	case v.Bits == 0:
		d.b.WriteString("nil")
		return
	}
	id := v.obj()
	if n, ok := d.objs[id]; ok {
		fmt.Fprintf(&d.b, "^%d", n)
		return
	}
	d.objs[id] = len(d.objs)
	o := d.st.object(id)
	if o.kind != objCells || v.off()+t.Elem.Size > len(o.cells) {
		d.b.WriteByte('?')
		return
	}
	d.value(o.cells[v.off():v.off()+t.Elem.Size], t.Elem)
}

// zeroCells reports whether all cells are certainly zero.
func zeroCells(v []Value) bool {
	for _, c := range v {
		if c != (Value{}) {
			return false
		}
	}
	return true
}
