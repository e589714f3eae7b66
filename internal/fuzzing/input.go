package fuzzing

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Input has the fuzzed arguments of one run. Each is a string, []byte, bool, integer or float of the Go type
// that the corpus has.
type Input []any

// Constant returns the value that a result of a statement certainly has: a literal, a zero value, a
// conversion of one of these, or a slice of such bytes. The result ok is false for other values.
func Constant(seq *testcase.Sequence, ref testcase.Ref) (v any, ok bool) {
	st := seq.At(ref.Stmt)
	op := st.Op
	switch op.Kind {
	case testcase.OpLiteral:
		return native(TypeOf(op.Type), op.Lit)
	case testcase.OpZero:
		if TypeOf(op.Type) == "[]byte" {
			return []byte(nil), true
		}
		return native(TypeOf(op.Type), testcase.Literal{})
	case testcase.OpConvert:
		v, ok := Constant(seq, st.Args[0])
		if !ok {
			return nil, false
		}
		return Convert(v, TypeOf(op.Type))
	case testcase.OpComposite:
		if TypeOf(op.Type) != "[]byte" || op.N > maxBytes {
			return nil, false
		}
		bytes := make([]byte, max(op.N, len(st.Args)))
		for i, a := range st.Args {
			v, ok := Constant(seq, a)
			b, isByte := v.(uint8)
			if !ok || !isByte {
				return nil, false
			}
			at := i
			if op.Elems != nil {
				at = op.Elems[i]
			}
			if at >= len(bytes) {
				return nil, false
			}
			bytes[at] = b
		}
		return bytes, true
	}
	return nil, false
}

// maxBytes bounds the text of an argument that is written to a file.
const maxBytes = 1 << 16

// native returns a literal of a type of the corpus as a Go value.
func native(typ string, l testcase.Literal) (any, bool) {
	n := l.Bits
	switch typ {
	case "string":
		return l.Str, len(l.Str) <= maxBytes
	case "bool":
		return n != 0, true
	case "int":
		return int(n), true
	case "int8":
		return int8(n), true
	case "int16":
		return int16(n), true
	case "int32":
		return int32(n), true
	case "int64":
		return int64(n), true
	case "uint":
		return uint(n), true
	case "uint8":
		return uint8(n), true
	case "uint16":
		return uint16(n), true
	case "uint32":
		return uint32(n), true
	case "uint64":
		return n, true
	case "float32":
		return math.Float32frombits(uint32(n)), true
	case "float64":
		return math.Float64frombits(n), true
	}
	return nil, false
}

// Convert converts a value to another type of the corpus, if the conversion back gives the same value.
// Otherwise ok is false.
func Convert(v any, typ string) (out any, ok bool) {
	if fmt.Sprintf("%T", v) == typ {
		return v, true
	}
	switch v := v.(type) {
	case string:
		return []byte(v), typ == "[]byte"
	case []byte:
		if typ == "[]byte" { // the verb %T writes []uint8
			return v, true
		}
		return string(v), typ == "string"
	case bool, float32, float64:
		return nil, false
	}
	if !strings.HasPrefix(typ, "int") && !strings.HasPrefix(typ, "uint") {
		return nil, false
	}
	// An integer: its decimal form is the same if it fits.
	text := fmt.Sprint(v)
	n, err := strconv.ParseInt(text, 10, 64)
	bits := uint64(n)
	if err != nil {
		if bits, err = strconv.ParseUint(text, 10, 64); err != nil {
			return nil, false
		}
	}
	out, ok = native(typ, testcase.Literal{Bits: bits})
	return out, ok && fmt.Sprint(out) == text
}

// File returns the input as a file of a corpus.
func (in Input) File() []byte {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for _, v := range in {
		switch v := v.(type) {
		case []byte:
			fmt.Fprintf(&b, "[]byte(%q)\n", v)
		case string:
			fmt.Fprintf(&b, "string(%q)\n", v)
		case float32:
			if v != v {
				fmt.Fprintf(&b, "math.Float32frombits(%#x)\n", math.Float32bits(v))
			} else {
				fmt.Fprintf(&b, "float32(%v)\n", v)
			}
		case float64:
			if v != v {
				fmt.Fprintf(&b, "math.Float64frombits(%#x)\n", math.Float64bits(v))
			} else {
				fmt.Fprintf(&b, "float64(%v)\n", v)
			}
		default:
			fmt.Fprintf(&b, "%T(%v)\n", v, v)
		}
	}
	return []byte(b.String())
}

// FileName returns a name for the file of an input. The same input has the same name.
func (in Input) FileName() string {
	sum := sha256.Sum256(in.File())
	return fmt.Sprintf("assay-%x", sum[:8])
}

// Go returns the arguments as Go expressions, for f.Add, typed so that they have the types of the
// corpus.
func (in Input) Go() (text string, math bool) {
	parts := make([]string, len(in))
	for i, v := range in {
		switch v := v.(type) {
		case string:
			parts[i] = fmt.Sprintf("%q", v)
		case []byte:
			parts[i] = fmt.Sprintf("[]byte(%q)", v)
		case bool, int:
			parts[i] = fmt.Sprint(v)
		case float64:
			parts[i], math = floatText(v, math)
		case float32:
			text, m := floatText(float64(v), math)
			parts[i], math = "float32("+text+")", m
		default:
			parts[i] = fmt.Sprintf("%T(%v)", v, v)
		}
	}
	return strings.Join(parts, ", "), math
}

// floatText returns a float64 as a Go expression of that type, and whether the file needs package math.
func floatText(v float64, before bool) (string, bool) {
	switch {
	case math.IsNaN(v):
		return "math.NaN()", true
	case math.IsInf(v, 0):
		return fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, v))), true
	case v == 0 && math.Signbit(v):
		return "math.Copysign(0, -1)", true
	}
	text := fmt.Sprint(v)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, before
}
