package vm

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// vmPrint writes to the program's standard output.
func vmPrint(m *Machine, st *State, c *call) ([]Value, signal) {
	if m.cfg.Stdout != nil {
		s, ok := m.concreteString(st, c.args[0], c.args[1])
		if !ok {
			s = "?"
		}
		m.cfg.Stdout(s)
	}
	return nil, sigNext
}

// print executes the builtins print and println.
func (m *Machine) print(st *State, name string, argT []*Type, arg func(int) []Value) {
	if m.cfg.Stdout == nil {
		return
	}
	var b strings.Builder
	for i, t := range argT {
		if i > 0 && name == "println" {
			b.WriteByte(' ')
		}
		b.WriteString(m.printText(st, t, arg(i)))
	}
	if name == "println" {
		b.WriteByte('\n')
	}
	m.cfg.Stdout(b.String())
}

func (m *Machine) printText(st *State, t *Type, v []Value) string {
	switch t.Kind {
	case KBool:
		return fmt.Sprint(v[0].Bits != 0)
	case KInt:
		return fmt.Sprint(sext(v[0].Bits, t.Bits))
	case KUint:
		return fmt.Sprint(v[0].Bits)
	case KFloat:
		return runtimeFloat(toFloat(v[0].Bits, t.Bits), t.Bits)
	case KComplex:
		im := runtimeFloat(toFloat(v[1].Bits, t.Bits), t.Bits)
		if im[0] != '+' && im[0] != '-' {
			im = "+" + im
		}
		return "(" + runtimeFloat(toFloat(v[0].Bits, t.Bits), t.Bits) + im + "i)"
	case KInterface:
		return fmt.Sprintf("(%#x,%#x)", v[0].Bits, v[1].Bits)
	case KSlice:
		return fmt.Sprintf("[%d/%d]%#x", v[1].Bits, v[2].Bits, v[0].Bits)
	case KString:
		s, _ := m.concreteString(st, v[0], v[1])
		return s
	}
	return fmt.Sprintf("%#x", v[0].Bits)
}

// runtimeFloat formats a float as the runtime's print does since Go 1.26: the shortest
// text that reads back as the same number.
func runtimeFloat(f float64, w uint8) string {
	return strconv.FormatFloat(f, 'g', -1, int(w))
}

// vmVerbs finds the verb of each argument of a format. If the number of arguments is a symbol, it finds the
// verbs of as many as the format mentions. An argument that the format does not mention counts as one whose type is
// printed, because fmt appends it with its type.
func vmVerbs(m *Machine, st *State, c *call) ([]Value, signal) {
	format, ok := m.concreteString(st, c.args[0], c.args[1])
	var list []directive
	if ok {
		list = directives(format)
	}
	n := int(c.args[2].Bits)
	if c.args[2].Term != 0 {
		n = 0
		for _, d := range list {
			n = max(n, d.arg+1)
		}
	}
	unmentioned := "T"
	if !ok {
		unmentioned = "v" // the format is not known
	}
	verbs := []byte(strings.Repeat(unmentioned, n))
	for _, d := range list {
		if d.arg >= 0 && d.arg < n {
			verbs[d.arg] = d.verb
		}
	}
	return m.newString(st, string(verbs)), sigNext
}

// directive is a part of a format: literal text, or a verb with its flags.
type directive struct {
	text string // literal text, or the whole directive without explicit indexes
	verb byte   // 0 for text
	arg  int    // -1 means none
	star bool   // the width or precision comes from arguments
	odd  bool   // an explicit index or another rarity
}

// directives splits a format.
func directives(f string) []directive {
	var out []directive
	arg := 0
	for i := 0; i < len(f); {
		j := strings.IndexByte(f[i:], '%')
		if j < 0 {
			out = append(out, directive{text: f[i:], arg: -1})
			break
		}
		if j > 0 {
			out = append(out, directive{text: f[i : i+j], arg: -1})
		}
		k := i + j + 1
		d := directive{arg: -1}
		for k < len(f) && strings.IndexByte("+-# 0123456789.*[]", f[k]) >= 0 {
			switch f[k] {
			case '*':
				d.star = true
				arg++
			case '[':
				d.odd = true
			}
			k++
		}
		if k >= len(f) {
			d.text, d.verb, d.odd = f[i+j:], '!', true
			out = append(out, d)
			break
		}
		if f[k] >= 0x80 {
			d.odd = true
		}
		d.verb = f[k]
		d.text = f[i+j : k+1]
		if d.verb == '%' {
			d.text, d.verb = "%", 0
		} else {
			d.arg = arg
			arg++
		}
		out = append(out, d)
		i = k + 1
	}
	return out
}

// withoutWrapping returns a format with %v in place of %w, because Errorf formats both in the same way.
func withoutWrapping(format string) string {
	if !strings.Contains(format, "w") {
		return format
	}
	var b strings.Builder
	for _, d := range directives(format) {
		if d.verb == 0 && d.text == "%" {
			b.WriteByte('%')
		}
		if d.verb == 'w' {
			d.text = d.text[:len(d.text)-1] + "v"
		}
		b.WriteString(d.text)
	}
	return b.String()
}

// vmFormat formats. The host formats known values. Symbolic text is joined unchanged if the verb is a plain
// %s or %v. With any other symbolic value nothing is known of the result, see exactText.
func vmFormat(m *Machine, st *State, c *call) ([]Value, signal) {
	if st.exact {
		st.exact = false
		return make([]Value, 3), sigNext
	}
	done := func(text []Value) ([]Value, signal) { return append(text[:2:2], Value{Bits: 1}), sigNext }
	var exact *exactText
	phantom := func() []Value {
		if exact == nil && m.printsAddress(st, c) {
			exact = &exactText{}
		} else if exact == nil {
			exact = m.keepExact(st)
		}
		return m.phantom(st, exact)
	}
	format, ok := m.concreteString(st, c.args[0], c.args[1])
	n := c.args[3]
	if !ok || n.Term != 0 {
		return done(phantom())
	}
	format = withoutWrapping(format)
	anyT := m.types.of(types.Universe.Lookup("any").Type())
	args := make([][2]Value, n.Bits)
	for i := range args {
		var v [2]Value
		m.load(st, m.elemAddr(st, m.resolveSlicePtr(st, c.args[2]), num(i), 2), anyT, v[:])
		args[i] = m.resolveIface(st, v, anyT)
	}
	host := make([]any, len(args))
	known := true
	for i, a := range args {
		if host[i], ok = m.hostValue(st, a); !ok {
			known, host[i] = false, nil
		}
	}
	if known {
		return done(m.newString(st, fmt.Sprintf(format, host...)))
	}
	out := []Value{{}, {}}
	used := 0
	for _, d := range directives(format) {
		switch {
		case d.odd || d.star || d.arg >= len(args) || strings.Contains(d.text, "#"):
			return done(phantom())
		case d.verb == 0:
			out = m.concat(st, out, m.newString(st, d.text))
			continue
		}
		used++
		if t := args[d.arg][0]; d.verb == 'T' && t.Lazy == 0 && t.Bits != 0 {
			out = m.concat(st, out, m.newString(st, m.typeString(m.types.all[t.Bits])))
			continue
		}
		if host[d.arg] != nil || args[d.arg] == ([2]Value{}) {
			out = m.concat(st, out, m.newString(st, fmt.Sprintf(d.text, host[d.arg])))
			continue
		}
		t := m.types.all[args[d.arg][0].Bits]
		if args[d.arg][0].Lazy == 0 && t != nil && t.Kind == KString && (d.text == "%s" || d.text == "%v" || d.text == "%w") {
			s := m.unbox(st, t, args[d.arg][1])
			out = m.concat(st, out, []Value{s[0], s[1]})
			continue
		}
		out = m.concat(st, out, phantom())
	}
	if used < len(args) {
		return done(phantom())
	}
	return done(out)
}

// hostValue turns a known value into one of the host's for formatting. The models have replaced values whose
// types have methods that fmt would call, except inside of other values. hostValue refuses such inner values.
func (m *Machine) hostValue(st *State, v [2]Value) (any, bool) {
	if v[0].Lazy != 0 {
		return nil, false
	}
	if v[0].Bits == 0 {
		return nil, true
	}
	t := m.types.all[v[0].Bits]
	cells := m.unbox(st, t, v[1])
	for _, c := range cells {
		if c.Term != 0 || c.Lazy != 0 {
			return nil, false
		}
	}
	switch t.Kind {
	case KBool:
		return cells[0].Bits != 0, true
	case KInt:
		switch n := sext(cells[0].Bits, t.Bits); t.Bits {
		case 8:
			return int8(n), true
		case 16:
			return int16(n), true
		case 32:
			return int32(n), true
		default:
			return n, true
		}
	case KUint:
		switch n := cells[0].Bits; t.Bits {
		case 8:
			return uint8(n), true
		case 16:
			return uint16(n), true
		case 32:
			return uint32(n), true
		default:
			return n, true
		}
	case KFloat:
		if t.Bits == 32 {
			return math.Float32frombits(uint32(cells[0].Bits)), true
		}
		return math.Float64frombits(cells[0].Bits), true
	case KComplex:
		c := complex(toFloat(cells[0].Bits, t.Bits), toFloat(cells[1].Bits, t.Bits))
		if t.Bits == 32 {
			return complex64(c), true
		}
		return c, true
	case KString:
		s, ok := m.concreteString(st, cells[0], cells[1])
		return s, ok
	case KSlice:
		if t.Elem.Kind == KUint && t.Elem.Bits == 8 && !strings.Contains(t.Elem.Name, ".") {
			if isNilCell(cells[0]) {
				return []byte(nil), true
			}
			s, ok := m.concreteString(st, cells[0], cells[1])
			return []byte(s), ok
		}
		if t.Elem.scalar() && t.Elem.Kind == KInt && t.Elem.Bits == 64 && !strings.Contains(t.Elem.Name, ".") {
			if cells[1].Term != 0 {
				return nil, false
			}
			out := make([]int, cells[1].Bits)
			for i := range out {
				var e [1]Value
				m.load(st, m.elemAddr(st, cells[0], num(i), 1), t.Elem, e[:])
				if e[0].Term != 0 {
					return nil, false
				}
				out[i] = int(e[0].Bits)
			}
			return out, true
		}
		if t.Elem.Kind == KString && !strings.Contains(t.Elem.Name, ".") {
			if cells[1].Term != 0 {
				return nil, false
			}
			out := make([]string, cells[1].Bits)
			for i := range out {
				var e [2]Value
				m.load(st, m.elemAddr(st, cells[0], num(i), 2), t.Elem, e[:])
				s, ok := m.concreteString(st, e[0], e[1])
				if !ok {
					return nil, false
				}
				out[i] = s
			}
			return out, true
		}
	}
	return nil, false
}
