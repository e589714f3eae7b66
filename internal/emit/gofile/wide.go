package gofile

import (
	"go/types"
	"math"
	"strconv"
)

// This file writes values of type int, uint and uintptr beyond 32 bits. A plain constant would not compile
// where int has 32 bits. People write such numbers to mean the extremes of a type or their neighbours, so
// these are written in a form that denotes the extremes there, too. All other values pass through a variable,
// by the helper wide. In both cases w.Wide is set, and the test is skipped where int is narrow, because the
// outcome there is not known.

// wideInt returns a value of underlying type int beyond 32 bits.
func (w *Writer) wideInt(v int64, t, ctx types.Type) Expr {
	w.Wide = true
	if (v < math.MinInt64+16 || v > math.MaxInt64-16) && w.Since("go1.17") {
		return w.typed(w.besideExtreme(v, math.MinInt64, math.MaxInt64, "Int", t), types.Int, t, ctx)
	}
	e := w.besideExtreme(v, -1<<62, 1<<62, "", t)
	e = Primary(w.Helper("wide") + "(" + e.Text + ")")
	if types.Identical(t, types.Typ[types.Int]) {
		return e
	}
	return w.Convert(t, e)
}

// wideUint returns a value of underlying type uint or uintptr beyond 32 bits.
func (w *Writer) wideUint(v uint64, t, ctx types.Type) Expr {
	w.Wide = true
	if k := math.MaxUint64 - v; k < 16 && Basic(t).Kind() == types.Uint && w.Since("go1.17") {
		e := Primary(w.Std("math") + ".MaxUint")
		if k > 0 {
			e = Expr{Text: e.Text + " - " + strconv.FormatUint(k, 10), Prec: Binary}
		}
		if takes(ctx, t) {
			return e
		}
		return w.Convert(t, e)
	}
	e := Primary(w.Helper("wideUint") + "(" + Decimal(v).Text + ")")
	if types.Identical(t, types.Typ[types.Uint]) {
		return e
	}
	return w.Convert(t, e)
}
