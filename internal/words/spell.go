package words

import (
	"bytes"
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// spell writes a value briefly in Go's notation: {3, 4}, "1x", -1. It returns "" if part of the value is not
// known.
func spell(v testcase.Value) string {
	if v.Cut || v.Again {
		return ""
	}
	switch v.Kind {
	case testcase.Bool:
		return strconv.FormatBool(v.Bits != 0)
	case testcase.Int:
		return spellInt(int64(v.Bits), v.Type)
	case testcase.Uint:
		if v.Bits == math.MaxUint64 {
			return "MaxUint64"
		}
		return strconv.FormatUint(v.Bits, 10)
	case testcase.Float:
		return spellFloat(floatOf(v))
	case testcase.Complex:
		if is32Complex(v.Type) {
			return ""
		}
		return fmt.Sprint(complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Imag)))
	case testcase.String:
		return quoted(v.Str)
	case testcase.Nil:
		return "nil"
	case testcase.Interface:
		if len(v.Elems) == 1 {
			return spell(v.Elems[0])
		}
	case testcase.Pointer:
		if len(v.Elems) == 1 {
			if s := spell(v.Elems[0]); s == "nil" {
				return s
			} else if s != "" {
				return "&" + s
			}
		}
	case testcase.Slice, testcase.Array, testcase.Map:
		if text, ok := textOf(v); ok {
			return quoted(text)
		}
		return spellList(v)
	case testcase.Struct:
		return spellStruct(v)
	}
	return ""
}

func is32Complex(t types.Type) bool {
	b, ok := underlying(t).(*types.Basic)
	return ok && b.Kind() == types.Complex64
}

// spellInt writes an integer; the extremes of its type by their names, durations with their units.
func spellInt(n int64, t types.Type) string {
	if load.IsNamed(t, "time", "Duration") {
		return time.Duration(n).String()
	}
	if name, _ := extreme(n, t); name != "" {
		return name
	}
	if b, ok := types.Unalias(t).(*types.Basic); ok && b.Name() == "rune" && n >= 0 && n <= unicode.MaxRune && unicode.IsPrint(rune(n)) {
		return strconv.QuoteRune(rune(n))
	}
	return strconv.FormatInt(n, 10)
}

// extreme returns the name that package math has for the largest or smallest value of a type with at
// least 32 bits, and reports whether it is the largest.
func extreme(n int64, t types.Type) (name string, largest bool) {
	b, ok := underlying(t).(*types.Basic)
	if !ok || b.Info()&types.IsUnsigned != 0 {
		return "", false
	}
	suffix := map[types.BasicKind]string{types.Int: "Int", types.Int64: "Int64", types.Int32: "Int32"}[b.Kind()]
	w := width(t)
	if suffix == "" {
		return "", false
	}
	switch n {
	case math.MaxInt64 >> (64 - w):
		return "Max" + suffix, true
	case math.MinInt64 >> (64 - w):
		return "Min" + suffix, false
	}
	return "", false
}

// spellFloat writes a float.
func spellFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "+Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	case f == 0 && math.Signbit(f):
		return "-0"
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// textOf returns the text that a slice of bytes or of runes holds, and false if the slice holds no text or is
// empty.
func textOf(v testcase.Value) (string, bool) {
	if v.Kind != testcase.Slice || !isBytes(v.Type) && !isRunes(v.Type) || len(v.Elems) == 0 {
		return "", false
	}
	var b []byte
	for _, e := range v.Elems {
		if isRunes(v.Type) {
			b = utf8.AppendRune(b, rune(e.Bits))
		} else {
			b = append(b, byte(e.Bits))
		}
	}
	if !utf8.Valid(b) || bytes.ContainsFunc(b, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
		return "", false
	}
	return string(b), true
}

// isBytes reports whether a type is a slice of bytes.
func isBytes(t types.Type) bool {
	b := element(t)
	return b != nil && b.Kind() == types.Uint8
}

// isRunes reports whether a type is a slice of a type that the package calls a rune.
func isRunes(t types.Type) bool {
	b := element(t)
	return b != nil && b.Name() == "rune"
}

// element returns the type of a slice's elements if it is a basic type, and nil otherwise.
func element(t types.Type) *types.Basic {
	s, ok := underlying(t).(*types.Slice)
	if !ok {
		return nil
	}
	b, _ := types.Unalias(s.Elem()).(*types.Basic)
	return b
}

// spellList writes the elements of a slice, an array or a map.
func spellList(v testcase.Value) string {
	var parts []string
	for i := 0; i < len(v.Elems); i++ {
		s := spell(v.Elems[i])
		if s == "" {
			return ""
		}
		if v.Kind == testcase.Map {
			i++
			value := spell(v.Elems[i])
			if value == "" {
				return ""
			}
			s += ": " + value
		}
		parts = append(parts, s)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// spellStruct writes a struct: all fields if most of them are not zero, otherwise the fields that are
// not zero, with their names. Unexported fields are left out.
func spellStruct(v testcase.Value) string {
	st, ok := underlying(v.Type).(*types.Struct)
	if !ok || st.NumFields() != len(v.Elems) {
		return ""
	}
	const few, most = 3, 2 // fields that are written without their names, and with them
	var all, set []string
	exported, nested := true, false
	for i, e := range v.Elems {
		exported = exported && st.Field(i).Exported()
		s := spell(e)
		if s == "" {
			return ""
		}
		all, nested = append(all, s), nested || strings.Contains(s, "{")
		if !e.IsZero() {
			if !st.Field(i).Exported() {
				return ""
			}
			set = append(set, st.Field(i).Name()+": "+s)
		}
	}
	switch {
	case exported && 2*len(set) >= len(all) && len(set) > 0 && len(all) <= few && !nested:
		return "{" + strings.Join(all, ", ") + "}"
	case len(set) > most || nested:
		return "" // nobody reads that in a name
	}
	return "{" + strings.Join(set, ", ") + "}"
}

// quoted returns a text in quotes. A document that is nothing but a text in quotes, as that of a network in JSON, needs no others.
func quoted(text string) string {
	if n := len(text); n > 2 && text[0] == '"' && text[n-1] == '"' && strconv.Quote(text[1:n-1]) == text {
		return text
	}
	return strconv.Quote(text)
}
