package smtlib

import (
	"github.com/goassay/assay/internal/term"
)

func boolean(id term.ID) value { return value{sort: sort{kind: boolSort}, id: id} }

func (x *elaborator) vector(id term.ID) value {
	return value{sort: sort{kind: bvSort, eb: x.st.Width(id)}, id: id}
}

// operator applies a built-in operator. The operator may have indexes.
func (x *elaborator) operator(e, op *sexp, args []value) (value, error) {
	if op.isList() {
		if len(op.list) >= 3 && op.list[0].is("_") && op.list[1].kind == symbol {
			return x.indexed(e, op, args)
		}
		return value{}, x.errorf(op, "malformed operator")
	}
	if op.kind != symbol {
		return value{}, x.errorf(op, "%s is no operator", short(op.text))
	}
	if v, ok, err := x.core(e, op.text, args); ok || err != nil {
		return v, err
	}
	if v, ok, err := x.bitvector(e, op.text, args); ok || err != nil {
		return v, err
	}
	if v, ok, err := x.floating(e, op.text, args); ok || err != nil {
		return v, err
	}
	return value{}, x.errorf(op, "unknown operator %s", short(op.text))
}

// need checks the number of arguments and their kind.
func (x *elaborator) need(e *sexp, args []value, n int, k sortKind) error {
	if len(args) != n {
		return x.errorf(e, "%d arguments where %d are needed", len(args), n)
	}
	return x.all(e, args, k)
}

func (x *elaborator) all(e *sexp, args []value, k sortKind) error {
	for i, a := range args {
		if a.sort.kind != k {
			want := [...]string{"Bool", "bit-vector", "float", "rounding mode", "number"}[k]
			return x.errorf(e.list[i+1], "argument of sort %s where a %s is needed", a.sort, want)
		}
	}
	return nil
}

func (x *elaborator) same(e *sexp, args []value) error {
	for i, a := range args {
		if a.sort != args[0].sort {
			return x.errorf(e.list[i+1], "argument of sort %s beside %s", a.sort, args[0].sort)
		}
	}
	return nil
}

// equal applies SMT-LIB's =, for which all NaN are one value.
func (x *elaborator) equal(a, b value) term.ID {
	eq := x.st.Eq(a.id, b.id)
	if a.sort.kind == fpSort {
		eq = x.st.Or(eq, x.st.And(x.st.FIsNaN(a.id), x.st.FIsNaN(b.id)))
	}
	return eq
}

// core applies the operators of the theory Core.
func (x *elaborator) core(e *sexp, op string, args []value) (value, bool, error) {
	st := x.st
	fold := func(f func(a, b term.ID) term.ID) (value, bool, error) {
		if len(args) < 1 {
			return value{}, true, x.errorf(e, "%s needs arguments", op)
		}
		if err := x.all(e, args, boolSort); err != nil {
			return value{}, true, err
		}
		r := args[0].id
		for _, a := range args[1:] {
			r = f(r, a.id)
		}
		return boolean(r), true, nil
	}
	switch op {
	case "not":
		if err := x.need(e, args, 1, boolSort); err != nil {
			return value{}, true, err
		}
		return boolean(st.Not(args[0].id)), true, nil
	case "and":
		return fold(st.And)
	case "or":
		return fold(st.Or)
	case "xor":
		return fold(st.Xor)
	case "=>":
		if len(args) < 2 {
			return value{}, true, x.errorf(e, "=> needs two arguments")
		}
		if err := x.all(e, args, boolSort); err != nil {
			return value{}, true, err
		}
		r := args[len(args)-1].id
		for i := len(args) - 2; i >= 0; i-- {
			r = st.Implies(args[i].id, r)
		}
		return boolean(r), true, nil
	case "=", "distinct":
		if len(args) < 2 {
			return value{}, true, x.errorf(e, "%s needs two arguments", op)
		}
		if err := x.same(e, args); err != nil {
			return value{}, true, err
		}
		if k := args[0].sort.kind; k == rmSort || k == numSort {
			return value{}, true, x.errorf(e, "comparison of %ss is not supported", args[0].sort)
		}
		r := term.True
		for i := range args {
			if op == "=" {
				if i > 0 {
					r = st.And(r, x.equal(args[i-1], args[i]))
				}
				continue
			}
			if len(args) > 1000 {
				return value{}, true, x.errorf(e, "distinct of more than 1000 arguments is not supported")
			}
			for j := range i {
				r = st.And(r, st.Not(x.equal(args[j], args[i])))
			}
		}
		return boolean(r), true, nil
	case "ite":
		if len(args) != 3 || args[0].sort.kind != boolSort {
			return value{}, true, x.errorf(e, "ite needs a Bool and two alternatives")
		}
		if args[1].sort != args[2].sort {
			return value{}, true, x.errorf(e, "alternatives of sorts %s and %s", args[1].sort, args[2].sort)
		}
		if k := args[1].sort.kind; k == rmSort || k == numSort {
			return value{}, true, x.errorf(e, "ite of %ss is not supported", args[1].sort)
		}
		return value{sort: args[1].sort, id: st.Ite(args[0].id, args[1].id, args[2].id)}, true, nil
	}
	return value{}, false, nil
}

// bitvector applies the operators of the theory FixedSizeBitVectors, and those that QF_BV derives from them.
func (x *elaborator) bitvector(e *sexp, op string, args []value) (value, bool, error) {
	st := x.st
	if op == "bvnot" || op == "bvneg" {
		if err := x.need(e, args, 1, bvSort); err != nil {
			return value{}, true, err
		}
		if op == "bvnot" {
			return x.vector(st.Not(args[0].id)), true, nil
		}
		return x.vector(st.Neg(args[0].id)), true, nil
	}
	if op == "concat" {
		if len(args) == 0 {
			return value{}, true, x.errorf(e, "concat needs arguments")
		}
		if err := x.all(e, args, bvSort); err != nil {
			return value{}, true, err
		}
		// Arguments are taken from the right, because concatenations are stored in this way.
		last := args[len(args)-1]
		r, w := last.id, last.sort.eb
		for i := len(args) - 2; i >= 0; i-- {
			if w += args[i].sort.eb; w > maxWidth {
				return value{}, true, x.errorf(e, "bit-vector wider than %d", maxWidth)
			}
			r = st.Concat(args[i].id, r)
		}
		return x.vector(r), true, nil
	}
	f, pred, chain := x.binaryBV(op)
	if f == nil {
		return value{}, false, nil
	}
	if err := x.all(e, args, bvSort); err != nil {
		return value{}, true, err
	}
	if len(args) != 2 && !(chain && len(args) > 2) {
		return value{}, true, x.errorf(e, "%d arguments where 2 are needed", len(args))
	}
	if err := x.same(e, args); err != nil {
		return value{}, true, err
	}
	r := args[0].id
	for _, a := range args[1:] {
		r = f(r, a.id)
	}
	if pred {
		return boolean(r), true, nil
	}
	return x.vector(r), true, nil
}

// binaryBV returns an operator on two bit-vectors, whether it is a predicate, and whether it takes more than two
// arguments.
func (x *elaborator) binaryBV(op string) (f func(a, b term.ID) term.ID, pred, chain bool) {
	st := x.st
	switch op {
	case "bvand":
		return st.And, false, true
	case "bvor":
		return st.Or, false, true
	case "bvxor":
		return st.Xor, false, true
	case "bvadd":
		return st.Add, false, true
	case "bvmul":
		return st.Mul, false, true
	case "bvsub":
		return st.Sub, false, false
	case "bvudiv":
		return st.UDiv, false, false
	case "bvurem":
		return st.URem, false, false
	case "bvsdiv":
		return st.SDiv, false, false
	case "bvsrem":
		return st.SRem, false, false
	case "bvsmod":
		return x.smod, false, false
	case "bvshl":
		return st.Shl, false, false
	case "bvlshr":
		return st.LShr, false, false
	case "bvashr":
		return st.AShr, false, false
	case "bvnand":
		return func(a, b term.ID) term.ID { return st.Not(st.And(a, b)) }, false, false
	case "bvnor":
		return func(a, b term.ID) term.ID { return st.Not(st.Or(a, b)) }, false, false
	case "bvxnor":
		return func(a, b term.ID) term.ID { return st.Not(st.Xor(a, b)) }, false, false
	case "bvcomp":
		return st.Eq, false, false
	case "bvult":
		return st.Ult, true, false
	case "bvule":
		return st.Ule, true, false
	case "bvugt":
		return func(a, b term.ID) term.ID { return st.Ult(b, a) }, true, false
	case "bvuge":
		return func(a, b term.ID) term.ID { return st.Ule(b, a) }, true, false
	case "bvslt":
		return st.Slt, true, false
	case "bvsle":
		return st.Sle, true, false
	case "bvsgt":
		return func(a, b term.ID) term.ID { return st.Slt(b, a) }, true, false
	case "bvsge":
		return func(a, b term.ID) term.ID { return st.Sle(b, a) }, true, false
	}
	return nil, false, false
}

// smod returns the remainder with the sign of the divisor, or a if b is zero.
func (x *elaborator) smod(a, b term.ID) term.ID {
	st := x.st
	w := st.Width(a)
	zero := st.Const(w, 0)
	r := st.SRem(a, b)
	fix := st.AndAll(st.Ne(r, zero), st.Ne(b, zero), st.Xor(st.Slt(r, zero), st.Slt(b, zero)))
	return st.Ite(fix, st.Add(r, b), r)
}

// indexed applies an operator with indexes, like (_ extract 7 0).
func (x *elaborator) indexed(e, op *sexp, args []value) (value, error) {
	st := x.st
	name := op.list[1].text
	switch name {
	case "extract", "repeat", "zero_extend", "sign_extend", "rotate_left", "rotate_right":
	default:
		return x.indexedFloat(e, op, args)
	}
	if err := x.need(e, args, 1, bvSort); err != nil {
		return value{}, err
	}
	a, w := args[0].id, args[0].sort.eb
	n, err := x.index(op, 2)
	if err != nil {
		return value{}, err
	}
	if name == "extract" {
		lo, err := x.index(op, 3)
		if err != nil {
			return value{}, err
		}
		if len(op.list) != 4 || lo > n || n >= w {
			return value{}, x.errorf(op, "no bits %d to %d in a bit-vector of width %d", n, lo, w)
		}
		return x.vector(st.Extract(a, n, lo)), nil
	}
	if len(op.list) != 3 {
		return value{}, x.errorf(op, "%s takes one index", name)
	}
	switch name {
	case "zero_extend", "sign_extend":
		if w+n > maxWidth {
			return value{}, x.errorf(op, "bit-vector wider than %d", maxWidth)
		}
		if name == "zero_extend" {
			return x.vector(st.ZExt(a, w+n)), nil
		}
		return x.vector(st.SExt(a, w+n)), nil
	case "repeat":
		if n == 0 || n*w > maxWidth {
			return value{}, x.errorf(op, "cannot repeat %d times", n)
		}
		r := a
		for range n - 1 {
			r = st.Concat(a, r)
		}
		return x.vector(r), nil
	}
	if n %= w; n == 0 {
		return args[0], nil
	}
	if name == "rotate_right" {
		n = w - n
	}
	return x.vector(st.Concat(st.Extract(a, w-n-1, 0), st.Extract(a, w-1, w-n))), nil
}
