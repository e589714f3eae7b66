package gofile

import (
	"go/types"
	"math"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Comparison says which differences a comparison has to allow for.
type Comparison struct {
	Special   bool // NaN or -0 is expected somewhere
	Tolerance bool // floats may differ by rounding
	NilCounts bool // both a nil and an empty slice or map are expected
}

// Need returns the Comparison extended by what the expected value makes necessary.
func (c Comparison) Need(v testcase.Value) Comparison {
	switch v.Kind {
	case testcase.Float:
		f := FloatOf(v.Bits, v.Type)
		c.Special = c.Special || math.IsNaN(f) || f == 0 && math.Signbit(f)
	case testcase.Complex:
		re, im := FloatOf(v.Bits, v.Type), FloatOf(v.Imag, v.Type)
		c.Special = c.Special || math.IsNaN(re) || math.IsNaN(im)
	}
	for _, e := range v.Elems {
		c = c.Need(e)
	}
	return c
}

// Differs returns the condition that got differs from want; both are operands of type t. It returns false if
// there is no good way to compare them.
func (w *Writer) Differs(got, want string, t types.Type, c Comparison) (string, bool) {
	eq, ok := w.Equals(got, want, t, c)
	if !ok {
		return "", false
	}
	if eq == got+" == "+want {
		return got + " != " + want, true
	}
	return "!" + eq, true
}

// Equals returns the condition that got equals want. The condition is got == want, or an expression that can
// be negated by a ! in front.
func (w *Writer) Equals(got, want string, t types.Type, c Comparison) (string, bool) {
	plain := got + " == " + want
	inexact := c.Special || c.Tolerance
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsFloat != 0 && inexact:
			f := w.floatComparer(c)
			return w.Helper(f) + "(" + AsFloat64(got, t) + ", " + AsFloat64(want, t) + ")", true
		case u.Info()&types.IsComplex != 0 && inexact:
			f := w.Helper(w.floatComparer(c))
			part := func(x, p string) string {
				if IsBasic32(t) {
					return "float64(" + p + "(" + x + "))"
				}
				return p + "(" + x + ")"
			}
			return "(" + f + "(" + part(got, "real") + ", " + part(want, "real") + ") && " + f + "(" + part(got, "imag") + ", " + part(want, "imag") + "))", true
		}
		return plain, true
	case *types.Chan:
		return plain, true
	case *types.Signature:
		return "", false
	case *types.Slice:
		if isFloat64(u.Elem()) && inexact {
			return w.floatsEqual(got, want, c), true
		}
		if inexact && HasFloats(u.Elem(), nil) && w.Since("go1.21") {
			return w.elementsEqual(got, want, u.Elem(), c)
		}
		if types.Identical(u.Elem(), types.Typ[types.Byte]) && !c.NilCounts {
			return w.Std("bytes") + ".Equal(" + got + ", " + want + ")", true
		}
		if PlainlyComparable(u.Elem()) && !(inexact && HasFloats(u.Elem(), nil)) && !c.NilCounts && w.Since("go1.21") {
			return w.Std("slices") + ".Equal(" + got + ", " + want + ")", true
		}
	case *types.Map:
		if isFloat64(u.Elem()) && inexact && w.Since("go1.21") {
			return w.Std("maps") + ".EqualFunc(" + got + ", " + want + ", " + w.Helper(w.floatComparer(c)) + ")", true
		}
		if PlainlyComparable(u.Elem()) && !(inexact && HasFloats(t, nil)) && !c.NilCounts && w.Since("go1.21") {
			return w.Std("maps") + ".Equal(" + got + ", " + want + ")", true
		}
	case *types.Struct:
		if load.IsNamed(t, "time", "Time") {
			return got + ".Equal(" + want + ")", true
		}
		if inexact && HasFloats(t, nil) {
			return w.fieldsEqual(got, want, u, c)
		}
		if PlainlyComparable(t) {
			return plain, true
		}
	case *types.Array:
		if inexact && HasFloats(t, nil) {
			if isFloat64(u.Elem()) {
				return w.floatsEqual(got+"[:]", want+"[:]", c), true
			}
			return "", false
		}
		if PlainlyComparable(t) {
			return plain, true
		}
	}
	if inexact && HasFloats(t, nil) {
		return "", false
	}
	if w.Pkg.TestImports["github.com/google/go-cmp/cmp"] && exportedData(t, nil) && !c.NilCounts {
		return w.Imports.Name("github.com/google/go-cmp/cmp", "cmp") + ".Equal(" + got + ", " + want + ")", true
	}
	return w.Std("reflect") + ".DeepEqual(" + got + ", " + want + ")", true
}

// elementsEqual compares lists element by element, with a function that compares two elements.
func (w *Writer) elementsEqual(got, want string, elem types.Type, c Comparison) (string, bool) {
	eq, ok := w.Equals("a", "b", elem, c)
	if !ok {
		return "", false
	}
	if rest, ok := strings.CutPrefix(eq, "("); ok {
		eq = strings.TrimSuffix(rest, ")")
	}
	return w.Std("slices") + ".EqualFunc(" + got + ", " + want + ", func(a, b " + w.Type(elem) + ") bool { return " + eq + " })", true
}

// floatsEqual compares lists of floats. Before Go 1.21 there is no package slices, and a helper does it.
func (w *Writer) floatsEqual(got, want string, c Comparison) string {
	f := w.floatComparer(c)
	if !w.Since("go1.21") {
		return w.Helper(f+"All") + "(" + got + ", " + want + ")"
	}
	return w.Std("slices") + ".EqualFunc(" + got + ", " + want + ", " + w.Helper(f) + ")"
}

// floatComparer returns the kind of the helper that compares floats in this way.
func (w *Writer) floatComparer(c Comparison) string {
	if c.Tolerance {
		return "closeTo"
	}
	return "sameFloat"
}

// fieldsEqual compares a small struct with floats field by field.
func (w *Writer) fieldsEqual(got, want string, st *types.Struct, c Comparison) (string, bool) {
	if st.NumFields() > 4 {
		return "", false
	}
	out := ""
	for f := range st.Fields() {
		if !w.Selectable(f) || f.Name() == "_" {
			return "", false
		}
		eq, ok := w.Equals(got+"."+f.Name(), want+"."+f.Name(), f.Type(), c)
		if !ok {
			return "", false
		}
		if out != "" {
			out += " && "
		}
		out += eq
	}
	return "(" + out + ")", true
}

// AsFloat64 returns x as a float64.
func AsFloat64(x string, t types.Type) string {
	if types.Identical(t, types.Typ[types.Float64]) {
		return x
	}
	return "float64(" + x + ")"
}

func isFloat64(t types.Type) bool { return types.Identical(t, types.Typ[types.Float64]) }

// PlainlyComparable reports whether == on t compares data. It does if t is comparable and contains no
// pointers, channels or interfaces: == compares pointers and channels by identity, and may panic on
// interfaces.
func PlainlyComparable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Struct:
		if load.IsNamed(t, "time", "Time") {
			return false
		}
		for f := range u.Fields() {
			if !PlainlyComparable(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return PlainlyComparable(u.Elem())
	}
	return false
}

// HasFloats reports whether a value of type t may contain floats.
func HasFloats(t types.Type, seen map[types.Type]bool) bool {
	if seen == nil {
		seen = map[types.Type]bool{}
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Pointer:
		return HasFloats(u.Elem(), seen)
	case *types.Slice:
		return HasFloats(u.Elem(), seen)
	case *types.Array:
		return HasFloats(u.Elem(), seen)
	case *types.Map:
		return HasFloats(u.Key(), seen) || HasFloats(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if HasFloats(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		return true
	}
	return false
}

// exportedData reports whether package cmp can compare values of type t: no struct in t has unexported
// fields.
func exportedData(t types.Type, seen map[types.Type]bool) bool {
	if seen == nil {
		seen = map[types.Type]bool{}
	}
	if seen[t] {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Pointer:
		return exportedData(u.Elem(), seen)
	case *types.Slice:
		return exportedData(u.Elem(), seen)
	case *types.Array:
		return exportedData(u.Elem(), seen)
	case *types.Map:
		return exportedData(u.Key(), seen) && exportedData(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() || !exportedData(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}
