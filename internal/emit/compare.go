package emit

import (
	"go/types"
	"math"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// comparison says what the way of comparing must take into account.
type comparison struct {
	special   bool // NaN or -0 is expected somewhere
	tolerance bool // floats may differ by rounding
	nilCounts bool // both a nil and an empty slice or map are expected
}

// need returns what comparing with the expected value takes.
func (c comparison) need(v testcase.Value) comparison {
	switch v.Kind {
	case testcase.Float:
		f := floatOf(v.Bits, v.Type)
		c.special = c.special || math.IsNaN(f) || f == 0 && math.Signbit(f)
	case testcase.Complex:
		re, im := floatOf(v.Bits, v.Type), floatOf(v.Imag, v.Type)
		c.special = c.special || math.IsNaN(re) || math.IsNaN(im)
	}
	for _, e := range v.Elems {
		c = c.need(e)
	}
	return c
}

// differs returns the condition that got is not want, both operands of type t, and
// false if there is no good way to compare them.
func (w *writer) differs(got, want string, t types.Type, c comparison) (string, bool) {
	eq, ok := w.equals(got, want, t, c)
	if !ok {
		return "", false
	}
	if eq == got+" == "+want {
		return got + " != " + want, true
	}
	return "!" + eq, true
}

// equals returns the condition that got is want: either got == want or something
// that takes a ! in front.
func (w *writer) equals(got, want string, t types.Type, c comparison) (string, bool) {
	plain := got + " == " + want
	inexact := c.special || c.tolerance
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsFloat != 0 && inexact:
			f := w.floatComparer(c)
			return w.helper(f) + "(" + asFloat64(got, t) + ", " + asFloat64(want, t) + ")", true
		case u.Info()&types.IsComplex != 0 && inexact:
			f := w.helper(w.floatComparer(c))
			part := func(x, p string) string {
				if isBasic32(t) {
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
		if isFloat64(u.Elem()) && inexact && w.since("go1.21") {
			return w.std("slices") + ".EqualFunc(" + got + ", " + want + ", " + w.helper(w.floatComparer(c)) + ")", true
		}
		if plainlyComparable(u.Elem()) && !(inexact && hasFloats(u.Elem(), nil)) && !c.nilCounts && w.since("go1.21") {
			if types.Identical(u.Elem(), types.Typ[types.Byte]) {
				return w.std("bytes") + ".Equal(" + got + ", " + want + ")", true
			}
			return w.std("slices") + ".Equal(" + got + ", " + want + ")", true
		}
	case *types.Map:
		if isFloat64(u.Elem()) && inexact && w.since("go1.21") {
			return w.std("maps") + ".EqualFunc(" + got + ", " + want + ", " + w.helper(w.floatComparer(c)) + ")", true
		}
		if plainlyComparable(u.Elem()) && !(inexact && hasFloats(t, nil)) && !c.nilCounts && w.since("go1.21") {
			return w.std("maps") + ".Equal(" + got + ", " + want + ")", true
		}
	case *types.Struct:
		if load.IsNamed(t, "time", "Time") {
			return got + ".Equal(" + want + ")", true
		}
		if inexact && hasFloats(t, nil) {
			return w.fieldsEqual(got, want, u, c)
		}
		if plainlyComparable(t) {
			return plain, true
		}
	case *types.Array:
		if inexact && hasFloats(t, nil) {
			if isFloat64(u.Elem()) && w.since("go1.21") {
				return w.std("slices") + ".EqualFunc(" + got + "[:], " + want + "[:], " + w.helper(w.floatComparer(c)) + ")", true
			}
			return "", false
		}
		if plainlyComparable(t) {
			return plain, true
		}
	}
	if inexact && hasFloats(t, nil) {
		return "", false
	}
	if w.pkg.TestImports["github.com/google/go-cmp/cmp"] && exportedData(t, nil) && !c.nilCounts {
		return w.imports.name("github.com/google/go-cmp/cmp", "cmp") + ".Equal(" + got + ", " + want + ")", true
	}
	return w.std("reflect") + ".DeepEqual(" + got + ", " + want + ")", true
}

// floatComparer returns the kind of the helper that compares floats.
func (w *writer) floatComparer(c comparison) string {
	if c.tolerance {
		return "closeTo"
	}
	return "sameFloat"
}

// fieldsEqual compares a small struct with floats field by field.
func (w *writer) fieldsEqual(got, want string, st *types.Struct, c comparison) (string, bool) {
	if st.NumFields() > 4 {
		return "", false
	}
	out := ""
	for f := range st.Fields() {
		if !w.selectable(f) || f.Name() == "_" {
			return "", false
		}
		eq, ok := w.equals(got+"."+f.Name(), want+"."+f.Name(), f.Type(), c)
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

// asFloat64 returns x as a float64.
func asFloat64(x string, t types.Type) string {
	if types.Identical(t, types.Typ[types.Float64]) {
		return x
	}
	return "float64(" + x + ")"
}

func isFloat64(t types.Type) bool { return types.Identical(t, types.Typ[types.Float64]) }

// plainlyComparable reports whether == on t compares data: t is comparable and has
// no pointers, channels or interfaces in it, which == compares by identity or may
// panic on.
func plainlyComparable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Struct:
		if load.IsNamed(t, "time", "Time") {
			return false
		}
		for f := range u.Fields() {
			if !plainlyComparable(f.Type()) {
				return false
			}
		}
		return true
	case *types.Array:
		return plainlyComparable(u.Elem())
	}
	return false
}

// hasFloats reports whether a value of type t may contain floats.
func hasFloats(t types.Type, seen map[types.Type]bool) bool {
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
		return hasFloats(u.Elem(), seen)
	case *types.Slice:
		return hasFloats(u.Elem(), seen)
	case *types.Array:
		return hasFloats(u.Elem(), seen)
	case *types.Map:
		return hasFloats(u.Key(), seen) || hasFloats(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if hasFloats(f.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		return true
	}
	return false
}

// exportedData reports whether package cmp can compare values of type t: no struct
// in it has unexported fields.
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

// hasLock reports whether copying a value of type t copies a lock, which go vet
// refuses.
func hasLock(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		if types.IsInterface(u) {
			return false
		}
		ms := types.NewMethodSet(types.NewPointer(u))
		if ms.Lookup(nil, "Lock") != nil && ms.Lookup(nil, "Unlock") != nil {
			return true
		}
		return hasLock(u.Underlying())
	case *types.Struct:
		for f := range u.Fields() {
			if hasLock(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return hasLock(u.Elem())
	}
	return false
}
