package term

// Subst returns t with the terms that are keys of m replaced by their values, all at once. Key and value have
// the same width. Terms that contain a replaced term are built anew and thereby simplified.
func (s *Store) Subst(t ID, m map[ID]ID) ID {
	if len(m) == 0 {
		return t
	}
	done := make(map[ID]ID, len(m))
	for k, v := range m {
		s.pair(OpNone, k, v)
		done[k] = v
	}
	stack := []ID{t}
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		if _, ok := done[t]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		n := s.at(t)
		ready, same := true, true
		var args [3]ID
		for i := range n.op.arity() {
			a := n.arg(i)
			r, ok := done[a]
			if !ok {
				stack = append(stack, a)
				ready = false
				continue
			}
			args[i] = r
			same = same && r == a
		}
		if !ready {
			continue
		}
		stack = stack[:len(stack)-1]
		if same {
			done[t] = t
		} else {
			done[t] = s.Rebuild(t, args[:n.op.arity()])
		}
	}
	return done[t]
}

// Rebuild returns the term with the operator of t and other arguments of the same widths.
func (s *Store) Rebuild(t ID, args []ID) ID {
	n := *s.at(t)
	w := int(n.width)
	var a, b ID
	if len(args) > 0 {
		a = args[0]
	}
	if len(args) > 1 {
		b = args[1]
	}
	switch n.op {
	case OpConst, OpVar, OpElem, OpArray:
		return t
	case OpRead:
		return s.Read(Array(n.a), a)
	case OpLookup:
		return s.Lookup(Table(n.a), a)
	case OpNot:
		return s.Not(a)
	case OpNeg:
		return s.Neg(a)
	case OpIte:
		return s.Ite(a, b, args[2])
	case OpExtract:
		return s.Extract(a, int(n.b), int(n.c))
	case OpConcat:
		return s.Concat(a, b)
	case OpZExt:
		return s.ZExt(a, w)
	case OpSExt:
		return s.SExt(a, w)
	case OpFSqrt:
		return s.FSqrt(a)
	case OpFIsNaN:
		return s.FIsNaN(a)
	case OpFFloor:
		return s.FFloor(a)
	case OpFCeil:
		return s.FCeil(a)
	case OpFTrunc:
		return s.FTrunc(a)
	case OpFRoundEven:
		return s.FRoundEven(a)
	case OpFConv:
		return s.FConv(a, w)
	case OpFFromS:
		return s.FFromS(a, w)
	case OpFFromU:
		return s.FFromU(a, w)
	case OpFToS:
		return s.FToS(a, w)
	case OpFToU:
		return s.FToU(a, w)
	}
	return s.Binary(n.op, a, b)
}

// Binary builds the term of a binary operator.
func (s *Store) Binary(op Op, a, b ID) ID {
	switch op {
	case OpAnd:
		return s.And(a, b)
	case OpOr:
		return s.Or(a, b)
	case OpXor:
		return s.Xor(a, b)
	case OpAdd:
		return s.Add(a, b)
	case OpMul:
		return s.Mul(a, b)
	case OpUDiv:
		return s.UDiv(a, b)
	case OpURem:
		return s.URem(a, b)
	case OpSDiv:
		return s.SDiv(a, b)
	case OpSRem:
		return s.SRem(a, b)
	case OpShl:
		return s.Shl(a, b)
	case OpLShr:
		return s.LShr(a, b)
	case OpAShr:
		return s.AShr(a, b)
	case OpEq:
		return s.Eq(a, b)
	case OpUlt:
		return s.Ult(a, b)
	case OpSlt:
		return s.Slt(a, b)
	case OpConcat:
		return s.Concat(a, b)
	case OpFAdd:
		return s.FAdd(a, b)
	case OpFMul:
		return s.FMul(a, b)
	case OpFDiv:
		return s.FDiv(a, b)
	case OpFEq:
		return s.FEq(a, b)
	case OpFLt:
		return s.FLt(a, b)
	case OpFLe:
		return s.FLe(a, b)
	}
	panic("bug: no binary operator " + op.String())
}
