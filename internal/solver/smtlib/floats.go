package smtlib

import (
	"math"
	"math/big"

	"github.com/goassay/assay/internal/term"
)

// This file has the floats Float32 and Float64. Arithmetic rounds to nearest, ties to even; other rounding
// modes are supported for conversions to integers. Results that SMT-LIB leaves open (conversions out of
// range, the sign of the minimum of two zeros) are an arbitrary function of the argument.

// roundingModes maps both spellings of a mode to the short one.
var roundingModes = map[string]string{
	"RNE": "RNE", "RNA": "RNA", "RTP": "RTP", "RTN": "RTN", "RTZ": "RTZ",
	"roundNearestTiesToEven": "RNE", "roundNearestTiesToAway": "RNA", "roundTowardPositive": "RTP", "roundTowardNegative": "RTN", "roundTowardZero": "RTZ",
}

func float(s sort, id term.ID) value { return value{sort: s, id: id} }

// floatConst returns the value of (_ +oo eb sb) and the like.
func (x *elaborator) floatConst(e *sexp, name string) (value, error) {
	switch name {
	case "+oo", "-oo", "+zero", "-zero", "NaN":
	default:
		return value{}, x.errorf(e, "unknown indexed identifier %s", short(name))
	}
	eb, err := x.index(e, 2)
	if err != nil {
		return value{}, err
	}
	sb, err := x.index(e, 3)
	if err != nil {
		return value{}, err
	}
	s := sort{fpSort, eb, sb}
	if err := x.supported(e, s); err != nil {
		return value{}, err
	}
	inf := (uint64(1)<<eb - 1) << (sb - 1)
	sign := uint64(1) << (eb + sb - 1)
	bits := map[string]uint64{"+oo": inf, "-oo": inf | sign, "+zero": 0, "-zero": sign, "NaN": inf | 1<<(sb-2)}[name]
	return float(s, x.st.Const(eb+sb, bits)), nil
}

// mode checks that the first argument is one of the allowed rounding modes.
func (x *elaborator) mode(e *sexp, args []value, allowed ...string) (string, error) {
	if len(args) == 0 || args[0].sort.kind != rmSort {
		return "", x.errorf(e, "the first argument must be a rounding mode")
	}
	for _, a := range allowed {
		if args[0].text == a {
			return a, nil
		}
	}
	return "", x.errorf(e.list[1], "rounding mode %s is not supported here", args[0].text)
}

// floating applies the operators of the theory FloatingPoint that have no indexes.
func (x *elaborator) floating(e *sexp, op string, args []value) (v value, ok bool, err error) {
	st := x.st
	fail := func(err error) (value, bool, error) { return value{}, true, err }
	switch op {
	case "fp":
		if err := x.need(e, args, 3, bvSort); err != nil {
			return fail(err)
		}
		s := sort{fpSort, args[1].sort.eb, args[2].sort.eb + 1}
		if args[0].sort.eb != 1 {
			return fail(x.errorf(e, "the sign of a float has one bit"))
		}
		if err := x.supported(e, s); err != nil {
			return fail(err)
		}
		return float(s, st.Concat(args[0].id, st.Concat(args[1].id, args[2].id))), true, nil
	case "fp.abs", "fp.neg":
		if err := x.need(e, args, 1, fpSort); err != nil {
			return fail(err)
		}
		if op == "fp.abs" {
			return float(args[0].sort, st.FAbs(args[0].id)), true, nil
		}
		return float(args[0].sort, st.FNeg(args[0].id)), true, nil
	case "fp.add", "fp.sub", "fp.mul", "fp.div":
		if _, err := x.mode(e, args, "RNE"); err != nil {
			return fail(err)
		}
		f := map[string]func(a, b term.ID) term.ID{"fp.add": st.FAdd, "fp.sub": st.FSub, "fp.mul": st.FMul, "fp.div": st.FDiv}[op]
		if len(args) != 3 || args[1].sort.kind != fpSort || args[1].sort != args[2].sort {
			return fail(x.errorf(e, "%s needs a rounding mode and two floats of one sort", op))
		}
		return float(args[1].sort, f(args[1].id, args[2].id)), true, nil
	case "fp.sqrt", "fp.roundToIntegral":
		return x.rounded(e, op, args)
	case "fp.min", "fp.max":
		if err := x.need(e, args, 2, fpSort); err != nil {
			return fail(err)
		}
		if err := x.same(e, args); err != nil {
			return fail(err)
		}
		a, b := args[0].id, args[1].id
		less := st.FLt(a, b)
		if op == "fp.max" {
			less = st.FLt(b, a)
		}
		zeros := st.And(st.FEq(a, b), st.Ne(a, b)) // true for zeros of different sign
		any := st.Read(st.NewArray(op, 1), st.ZExt(a, 64))
		r := st.Ite(zeros, st.Ite(any, a, b), st.Ite(less, a, b))
		return float(args[0].sort, st.Ite(st.FIsNaN(a), b, st.Ite(st.FIsNaN(b), a, r))), true, nil
	case "fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq":
		if len(args) < 2 {
			return fail(x.errorf(e, "%s needs two arguments", op))
		}
		if err := x.all(e, args, fpSort); err != nil {
			return fail(err)
		}
		if err := x.same(e, args); err != nil {
			return fail(err)
		}
		r := term.True
		for i := 1; i < len(args); i++ {
			a, b := args[i-1].id, args[i].id
			var c term.ID
			switch op {
			case "fp.leq":
				c = st.FLe(a, b)
			case "fp.lt":
				c = st.FLt(a, b)
			case "fp.geq":
				c = st.FLe(b, a)
			case "fp.gt":
				c = st.FLt(b, a)
			default:
				c = st.FEq(a, b)
			}
			r = st.And(r, c)
		}
		return boolean(r), true, nil
	case "fp.isNormal", "fp.isSubnormal", "fp.isZero", "fp.isInfinite", "fp.isNaN", "fp.isNegative", "fp.isPositive":
		if err := x.need(e, args, 1, fpSort); err != nil {
			return fail(err)
		}
		return boolean(x.classify(op, args[0])), true, nil
	case "fp.to_ieee_bv":
		if err := x.need(e, args, 1, fpSort); err != nil {
			return fail(err)
		}
		return x.vector(args[0].id), true, nil
	case "-", "/":
		return x.number(e, op, args)
	case "fp.fma", "fp.rem", "fp.to_real":
		return fail(x.errorf(e, "%s is not supported", op))
	}
	return value{}, false, nil
}

func (x *elaborator) classify(op string, a value) term.ID {
	st := x.st
	s := a.sort
	w := s.width()
	exp := st.Extract(a.id, w-2, s.sb-1)
	frac := st.Extract(a.id, s.sb-2, 0)
	expZero := st.Eq(exp, st.Const(s.eb, 0))
	expOnes := st.Eq(exp, st.Const(s.eb, ^uint64(0)))
	fracZero := st.Eq(frac, st.Const(s.sb-1, 0))
	switch op {
	case "fp.isNormal":
		return st.And(st.Not(expZero), st.Not(expOnes))
	case "fp.isSubnormal":
		return st.And(expZero, st.Not(fracZero))
	case "fp.isZero":
		return st.And(expZero, fracZero)
	case "fp.isInfinite":
		return st.And(expOnes, fracZero)
	case "fp.isNaN":
		return st.FIsNaN(a.id)
	}
	neg := st.Extract(a.id, w-1, w-1)
	if op == "fp.isPositive" {
		neg = st.Not(neg)
	}
	return st.And(neg, st.Not(st.FIsNaN(a.id)))
}

// rounded applies fp.sqrt and fp.roundToIntegral.
func (x *elaborator) rounded(e *sexp, op string, args []value) (value, bool, error) {
	if len(args) != 2 || args[1].sort.kind != fpSort {
		return value{}, true, x.errorf(e, "%s needs a rounding mode and a float", op)
	}
	a := args[1].id
	if op == "fp.sqrt" {
		_, err := x.mode(e, args, "RNE")
		return float(args[1].sort, x.st.FSqrt(a)), true, err
	}
	m, err := x.mode(e, args, "RNE", "RTZ", "RTN", "RTP")
	if err != nil {
		return value{}, true, err
	}
	f := map[string]func(term.ID) term.ID{"RNE": x.st.FRoundEven, "RTZ": x.st.FTrunc, "RTN": x.st.FFloor, "RTP": x.st.FCeil}[m]
	return float(args[1].sort, f(a)), true, nil
}

// number computes with the numbers in which literals are written.
func (x *elaborator) number(e *sexp, op string, args []value) (value, bool, error) {
	if err := x.all(e, args, numSort); err != nil || len(args) == 0 || len(args) > 2 {
		return value{}, true, x.errorf(e, "%s is understood between numbers only", op)
	}
	a := rat(args[0].text)
	switch {
	case op == "-" && len(args) == 1:
		a = a.Neg(a)
	case op == "-":
		a = a.Sub(a, rat(args[1].text))
	case len(args) != 2 || rat(args[1].text).Sign() == 0:
		return value{}, true, x.errorf(e, "malformed quotient")
	default:
		a = a.Quo(a, rat(args[1].text))
	}
	return value{sort: sort{kind: numSort}, text: a.RatString()}, true, nil
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("bug: number " + s)
	}
	return r
}

// indexedFloat applies to_fp, to_fp_unsigned, fp.to_sbv and fp.to_ubv.
func (x *elaborator) indexedFloat(e, op *sexp, args []value) (value, error) {
	st := x.st
	name := op.list[1].text
	switch name {
	case "fp.to_sbv", "fp.to_ubv":
		w, err := x.index(op, 2)
		if err != nil {
			return value{}, err
		}
		if len(args) != 2 || args[1].sort.kind != fpSort || w == 0 || w > 64 {
			return value{}, x.errorf(e, "%s needs a rounding mode and a float, and at most 64 bits", name)
		}
		m, err := x.mode(e, args, "RTZ", "RNE", "RTN", "RTP")
		if err != nil {
			return value{}, err
		}
		return x.vector(x.toInt(name, m, args[1].id, w)), nil
	case "to_fp", "to_fp_unsigned":
	default:
		return value{}, x.errorf(op, "unknown operator %s", short(name))
	}
	eb, err := x.index(op, 2)
	if err != nil {
		return value{}, err
	}
	sb, err := x.index(op, 3)
	if err != nil {
		return value{}, err
	}
	s := sort{fpSort, eb, sb}
	if err := x.supported(op, s); err != nil {
		return value{}, err
	}
	w := s.width()
	if len(args) == 1 && name == "to_fp" {
		if args[0].sort != (sort{kind: bvSort, eb: w}) {
			return value{}, x.errorf(e, "to_fp of %s needs a bit-vector of width %d", args[0].sort, w)
		}
		return float(s, args[0].id), nil
	}
	if len(args) != 2 {
		return value{}, x.errorf(e, "%s needs a rounding mode and an argument", name)
	}
	a := args[1]
	if a.sort.kind == fpSort && a.sort.sb <= sb && name == "to_fp" { // the conversion is exact
		return float(s, st.FConv(a.id, w)), nil
	}
	if _, err := x.mode(e, args, "RNE"); err != nil {
		return value{}, err
	}
	switch {
	case a.sort.kind == fpSort && name == "to_fp":
		return float(s, st.FConv(a.id, w)), nil
	case a.sort.kind == bvSort && a.sort.eb > 64:
		return value{}, x.errorf(e, "conversion of more than 64 bits is not supported")
	case a.sort.kind == bvSort && name == "to_fp":
		return float(s, st.FFromS(a.id, w)), nil
	case a.sort.kind == bvSort:
		return float(s, st.FFromU(a.id, w)), nil
	case a.sort.kind == numSort && name == "to_fp":
		if w == 32 {
			f, _ := rat(a.text).Float32()
			return float(s, st.Const(32, uint64(math.Float32bits(f)))), nil
		}
		f, _ := rat(a.text).Float64()
		return float(s, st.Const(64, math.Float64bits(f))), nil
	}
	return value{}, x.errorf(e, "%s of sort %s", name, a.sort)
}

// toInt rounds to an integer. A value that does not fit yields an unknown function of the argument.
func (x *elaborator) toInt(name, mode string, a term.ID, w int) term.ID {
	st := x.st
	fw := st.Width(a)
	r := map[string]func(term.ID) term.ID{"RNE": st.FRoundEven, "RTZ": st.FTrunc, "RTN": st.FFloor, "RTP": st.FCeil}[mode](a)
	pow := func(e int, sign float64) term.ID {
		f := math.Ldexp(sign, e)
		if fw == 32 {
			return st.Const(32, uint64(math.Float32bits(float32(f))))
		}
		return st.Const(64, math.Float64bits(f))
	}
	var in, val term.ID
	if name == "fp.to_sbv" {
		in = st.And(st.FLe(pow(w-1, -1), r), st.FLt(r, pow(w-1, 1)))
		val = st.Extract(st.FToS(r, 64), w-1, 0)
	} else {
		in = st.And(st.FLe(pow(0, 0), r), st.FLt(r, pow(w, 1)))
		val = st.Extract(st.FToU(r, 64), w-1, 0)
	}
	other := st.Read(st.NewArray(name+mode, w), st.ZExt(a, 64))
	return st.Ite(in, val, other)
}
