package lazy

import (
	"go/token"
	"go/types"
)

// execRare executes the rarer instructions. It returns false if something has to be decided first.
func (m *machine) execRare(in *instr, stack []val, get func(int32) val) bool {
	one := func(o int32) (int64, bool) { return m.decide(get(o)) }
	two := func(a, b int32) (x, y int64, ok bool) {
		if x, ok = one(a); ok {
			y, ok = one(b)
		}
		return x, y, ok
	}
	switch in.op {
	case opArith:
		x, y, ok := two(in.b, in.c)
		if !ok {
			return false
		}
		stack[in.a] = val{b: m.arith(token.Token(in.k), x, y, in.n)}
	case opNegate:
		x, ok := one(in.b)
		if !ok {
			return false
		}
		if in.k == 1 {
			x = ^x
		} else {
			x = -x
		}
		stack[in.a] = val{b: wrap(x, in.n)}
	case opConvert:
		// A number that fits into the new type keeps its value, whether decided or not.
		v := get(in.b)
		if v.s != 0 && in.n != kindInt64 {
			x, ok := m.concrete(v)
			if !ok {
				return false
			}
			v = val{b: x}
		}
		if v.s == 0 {
			v.b = wrap(v.b, in.n)
		}
		stack[in.a] = v
	case opEqual:
		equal := true
		x, y := m.operand(stack, in.b, in.n), m.operand(stack, in.c, in.n)
		for i := range x {
			o, ok := m.compare(eq, x[i], y[i])
			if !ok {
				return false
			}
			if !o {
				equal = false
				break
			}
		}
		stack[in.a] = truth(equal != (in.k == 1))
	case opEqualIface:
		o, ok := m.compare(eq, get(in.b), get(in.c))
		if !ok {
			return false
		}
		if o {
			t, ok := one(in.b)
			if !ok {
				return false
			}
			if t != 0 && m.c.cells(m.c.typs[t]) != 1 {
				m.unsupported("comparing interfaces of large values")
			}
			if t != 0 {
				if o, ok = m.compare(eq, get(in.b+1), get(in.c+1)); !ok {
					return false
				}
			}
		}
		stack[in.a] = truth(o == (relation(in.k) == eq))
	case opCompareStr, opConcat:
		x, y, ok := two(in.b, in.c)
		if !ok {
			return false
		}
		s, t := m.c.strs[x], m.c.strs[y]
		if in.op == opConcat {
			stack[in.a] = val{b: m.c.text(s + t)}
			break
		}
		c := int64(0)
		if s < t {
			c = -1
		} else if s > t {
			c = 1
		}
		stack[in.a] = truth(relation(in.k).holds(c, 0))
	case opLen:
		x, ok := one(in.b)
		if !ok {
			return false
		}
		stack[in.a] = val{b: int64(len(m.c.strs[x]))}
	case opStrIndex:
		x, i, ok := two(in.b, in.c)
		if !ok {
			return false
		}
		if i < 0 || i >= int64(len(m.c.strs[x])) {
			m.unsupported("an index is out of range")
		}
		stack[in.a] = val{b: int64(m.c.strs[x][i])}
	case opMakeSlice:
		n, c, ok := two(in.b, in.c)
		if !ok {
			return false
		}
		if n < 0 || c < n || c > maxSteps {
			m.unsupported("a length is out of range")
		}
		a := m.alloc(max(int32(c)*in.n, 1))
		stack[in.a], stack[in.a+1], stack[in.a+2] = val{b: a}, val{b: n}, val{b: c}
	case opSlice:
		return m.slice(in, stack, get)
	case opAppend:
		return m.append(in, stack, get)
	case opCopy:
		n, k, ok := two(in.b+1, in.c+1)
		if !ok {
			return false
		}
		n = min(n, k)
		to, from := get(in.b).b, get(in.c).b
		cells := append([]val(nil), m.mem[from:from+n*int64(in.n)]...)
		for i, v := range cells {
			m.write(to+int64(i), v)
		}
		stack[in.a] = val{b: n}
	case opMakeIface:
		stack[in.a] = val{b: in.k}
		if in.n == 1 {
			stack[in.a+1] = get(in.b)
		} else {
			a := m.alloc(max(in.n, 1))
			copy(m.mem[a:], m.operand(stack, in.b, in.n))
			stack[in.a+1] = val{b: a}
		}
	case opAssert:
		return m.assert(in, stack, get)
	case opClosure:
		cl := in.x.(*closure)
		a := m.alloc(cl.size + 1)
		m.mem[a] = val{b: cl.f}
		at := a + 1
		for _, p := range cl.parts {
			copy(m.mem[at:at+int64(p.n)], m.operand(stack, p.src, p.n))
			at += int64(p.n)
		}
		stack[in.a] = val{b: a}
	case opMakeMap:
		stack[in.a] = val{b: m.alloc(mapHeader)}
	case opMapLen:
		n := int64(0)
		if p := get(in.b).b; p != 0 {
			n = m.mem[p].b
		}
		stack[in.a] = val{b: n}
	case opMapUpdate:
		return m.mapUpdate(in, stack, get)
	case opLookup:
		return m.lookup(in, stack, get)
	case opRange:
		stack[in.a], stack[in.a+1] = get(in.b), val{}
	case opNext:
		m.mapNext(in, stack)
	default:
		panic("bug: lazy: unknown instruction")
	}
	return true
}

// assert executes a type assertion.
func (m *machine) assert(in *instr, stack []val, get func(int32) val) bool {
	a := in.x.(*assertion)
	fits := func(t int64) int64 {
		if t == 0 {
			return 0
		}
		if a.iface {
			if types.Implements(m.c.typs[t], a.typ.Underlying().(*types.Interface)) {
				return 1
			}
			return 0
		}
		if types.Identical(m.c.typs[t], a.typ) {
			return 1
		}
		return 0
	}
	t, v := get(in.b), get(in.b+1)
	var o int64
	if t.s != 0 {
		var ok bool
		if o, ok = m.split(t, fits); !ok {
			return false
		}
	} else {
		o = fits(t.b)
	}
	if o == 0 && !a.commaOk {
		m.unsupported("a type assertion fails")
	}
	dst := stack[in.a : in.a+a.n]
	switch {
	case o == 0:
		clear(dst)
	case a.iface:
		dst[0], dst[1] = t, v
	case a.n == 1:
		dst[0] = v
	default:
		copy(dst, m.mem[v.b:v.b+int64(a.n)])
	}
	if a.commaOk {
		stack[in.a+a.n] = val{b: o}
	}
	return true
}

// arith computes with numbers.
func (m *machine) arith(op token.Token, x, y int64, kind int32) int64 {
	switch op {
	case token.ADD:
		x += y
	case token.SUB:
		x -= y
	case token.MUL:
		x *= y
	case token.QUO, token.REM:
		switch {
		case y == 0:
			m.unsupported("a division by zero")
		case kind == kindUint64:
			if op == token.QUO {
				return int64(uint64(x) / uint64(y))
			}
			return int64(uint64(x) % uint64(y))
		case op == token.QUO:
			x /= y
		default:
			x %= y
		}
	case token.AND:
		x &= y
	case token.OR:
		x |= y
	case token.XOR:
		x ^= y
	case token.AND_NOT:
		x &^= y
	case token.SHL, token.SHR:
		if y < 0 {
			m.unsupported("a negative shift")
		}
		switch {
		case op == token.SHL:
			x <<= uint64(y)
		case kind == kindUint64:
			x = int64(uint64(x) >> uint64(y))
		default:
			x >>= uint64(y)
		}
	default:
		m.unsupported("the operator " + op.String())
	}
	return wrap(x, kind)
}

// wrap cuts a number to the width of its kind.
func wrap(x int64, kind int32) int64 {
	switch kind {
	case kindInt8:
		return int64(int8(x))
	case kindInt16:
		return int64(int16(x))
	case kindInt32:
		return int64(int32(x))
	case kindUint8:
		return int64(uint8(x))
	case kindUint16:
		return int64(uint16(x))
	case kindUint32:
		return int64(uint32(x))
	}
	return x
}
