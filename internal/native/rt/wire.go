package assayrt

import (
	"encoding/binary"
	"math"
)

// Writer appends the elements of the protocol to Buf.
type Writer struct{ Buf []byte }

// Byte appends one byte.
func (w *Writer) Byte(b byte) { w.Buf = append(w.Buf, b) }

// Bool appends a boolean.
func (w *Writer) Bool(b bool) {
	if b {
		w.Byte(1)
	} else {
		w.Byte(0)
	}
}

// Uint appends an unsigned number. Small numbers take few bytes.
func (w *Writer) Uint(x uint64) { w.Buf = binary.AppendUvarint(w.Buf, x) }

// Num appends a number that is known not to be negative.
func (w *Writer) Num(x int) { w.Buf = binary.AppendUvarint(w.Buf, uint64(x)) }

// Int appends a signed number.
func (w *Writer) Int(x int64) { w.Buf = binary.AppendVarint(w.Buf, x) }

// Bits appends 64 bits unchanged.
func (w *Writer) Bits(x uint64) { w.Buf = binary.LittleEndian.AppendUint64(w.Buf, x) }

// Str appends a string of any bytes.
func (w *Writer) Str(s string) {
	w.Num(len(s))
	w.Buf = append(w.Buf, s...)
}

// Reader takes the elements of the protocol from Buf. A message that is too short or malformed sets
// Bad, and from then on everything reads as zero. This may happen, because the process under test may
// have corrupted its output.
type Reader struct {
	Buf []byte
	Off int
	Bad bool
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.Off >= len(r.Buf) {
		r.Bad = true
		return 0
	}
	b := r.Buf[r.Off]
	r.Off++
	return b
}

// Bool reads a boolean.
func (r *Reader) Bool() bool { return r.Byte() != 0 }

// Uint reads an unsigned number.
func (r *Reader) Uint() uint64 {
	x, n := binary.Uvarint(r.Buf[r.Off:])
	if n <= 0 {
		r.Bad = true
		r.Off = len(r.Buf)
		return 0
	}
	r.Off += n
	return x
}

// Num reads a number that is not negative and fits into an int32. Any other number is malformed.
func (r *Reader) Num() int {
	x := r.Uint()
	if x > math.MaxInt32 {
		r.Bad = true
		return 0
	}
	return int(x)
}

// Count reads the number of elements that follow, each at least one byte long.
func (r *Reader) Count() int {
	n := r.Num()
	if n > len(r.Buf)-r.Off {
		r.Bad = true
		r.Off = len(r.Buf)
		return 0
	}
	return n
}

// Int reads a signed number.
func (r *Reader) Int() int64 {
	x, n := binary.Varint(r.Buf[r.Off:])
	if n <= 0 {
		r.Bad = true
		r.Off = len(r.Buf)
		return 0
	}
	r.Off += n
	return x
}

// Bits reads 64 bits.
func (r *Reader) Bits() uint64 {
	if len(r.Buf)-r.Off < 8 {
		r.Bad = true
		r.Off = len(r.Buf)
		return 0
	}
	x := binary.LittleEndian.Uint64(r.Buf[r.Off:])
	r.Off += 8
	return x
}

// Str reads a string.
func (r *Reader) Str() string {
	n := r.Count()
	s := string(r.Buf[r.Off : r.Off+n])
	r.Off += n
	return s
}
