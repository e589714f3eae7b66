// Package layout finds out what the bytes of a binary input mean, by running a call with each byte changed, and makes such inputs readable:
// {0, 0, 0, 1, 0, 2} for "BASE_B", where a function reads a number of four bytes and one of two.
//
// The way of an input:
//  1. [Probes] returns the input with one byte changed, for each byte.
//  2. The package choose runs the call with all of them. [Learn] compares what came of each with what came of the input itself: a number that
//     went up or down by a power of 256 has the byte in that place; what ends otherwise is decided by the byte; what stays the same does not
//     depend on it.
//  3. [Layout.Plain] returns inputs in which each number is small and different from the others, nothing else stands where no byte counts, and
//     no byte stands behind the last one that counts.
//
// A function that reads no number of several bytes has no layout: its input may be text, or is mixed into a sum. Of times is known on
// which bytes they depend, but not how.
//
// Not supported: inputs of more than [Longest] bytes, texts of type string, lists of bytes that other calls make, and calls that fail.
package layout

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Longest is the length of the longest input that has a layout, in bytes.
const Longest = 96

// flipped is the bit that probes change in a byte.
const flipped = 1

// Probes returns the input with one byte changed, for each byte.
func Probes(input string) []string {
	out := make([]string, len(input))
	for p := range len(input) {
		b := []byte(input)
		b[p] ^= flipped
		out[p] = string(b)
	}
	return out
}

// meaning says what a byte is for.
type meaning int

const (
	idle    meaning = iota // nothing depends on it
	decides                // the call ends otherwise, or what it returns has other parts
	digit                  // it is a part of a number
	letter                 // it is a part of a text
	unclear                // it is a part of something else
)

// place is what is known of one byte.
type place struct {
	means meaning
	leaf  int // the number, text or other part that depends on it
	power int // of 256, in a number
}

// Layout says what the bytes of an input mean.
type Layout struct {
	input  string
	places []place
}

// Learn compares what a case's call came to with what it came to with each byte of an input changed (see Probes): the results of the call, and
// what its arguments point to behind it. It returns nil if no number of several bytes was seen.
func Learn(input string, c *testcase.Case, base *testcase.Outcome, changed []*testcase.Outcome) *Layout {
	l := &Layout{input: input, places: make([]place, len(input))}
	was := leaves(base, c)
	for p := range l.places {
		if p >= len(changed) || changed[p] == nil {
			return nil
		}
		l.places[p] = compare(c, base, changed[p], was)
	}
	if !slices.ContainsFunc(l.fields(), func(f field) bool { return f.isNumber && f.width > 1 }) {
		return nil
	}
	return l
}

// compare returns what a byte means that was changed in a run.
func compare(c *testcase.Case, base, got *testcase.Outcome, was []testcase.Value) place {
	if got.Status != base.Status {
		return place{means: decides}
	}
	is := leaves(got, c)
	if len(is) != len(was) {
		return place{means: decides}
	}
	out := place{leaf: -1}
	for k := range was {
		if was[k].Kind != is[k].Kind {
			return place{means: decides}
		}
		if was[k].Equal(is[k]) || out.leaf >= 0 && out.means == digit {
			continue // of several parts that depend on a byte the first number counts
		}
		switch was[k].Kind {
		case testcase.Int, testcase.Uint:
			if power := powerOf(is[k].Bits - was[k].Bits); power >= 0 {
				out = place{digit, k, power}
				continue
			}
			return place{means: decides}
		case testcase.String:
			if len(was[k].Str) != len(is[k].Str) {
				return place{means: decides}
			}
			out = place{letter, k, 0}
		case testcase.Bool:
			return place{means: decides}
		default:
			if was[k].Err != nil {
				return place{means: decides}
			}
			out = place{unclear, k, 0}
		}
	}
	if out.leaf < 0 {
		return place{means: idle}
	}
	return out
}

// powerOf returns which power of 256 a difference is, up or down, or -1.
func powerOf(difference uint64) int {
	for k := range 8 {
		if d := uint64(flipped) << (8 * k); difference == d || difference == -d {
			return k
		}
	}
	return -1
}

// leaves returns the parts of what a case's call returned, of what it may have changed and of what was asked behind it, which have no parts of their own. Times, errors, lists of bytes
// and lists that are cut are whole.
func leaves(o *testcase.Outcome, c *testcase.Case) []testcase.Value {
	var out []testcase.Value
	target, of := c.TargetStmt(), c.Seq.ResultTypes()
	for i := target; i < len(o.Results) && i < len(of); i++ {
		for k, v := range o.Results[i] {
			out = addLeaves(out, v, of[i][k])
		}
	}
	if args := c.Seq.At(target).Args; target == c.Seq.Len()-1 && len(o.Final) == len(args) {
		for k, v := range o.Final {
			if v.Kind == testcase.Pointer {
				out = addLeaves(out, v, of[args[k].Stmt][args[k].Result])
			}
		}
	}
	return out
}

// addLeaves appends the leaves of a value.
func addLeaves(out []testcase.Value, v testcase.Value, t types.Type) []testcase.Value {
	if len(v.Elems) == 0 || v.Err != nil || v.Cut || t == nil || load.IsNamed(t, "time", "Time") {
		return append(out, v)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return addLeaves(out, v.Elems[0], u.Elem())
	case *types.Interface:
		return addLeaves(out, v.Elems[0], v.Elems[0].Type)
	case *types.Struct:
		for i, e := range v.Elems {
			out = addLeaves(out, e, u.Field(i).Type())
		}
	case *types.Slice:
		return addElements(out, v, u.Elem())
	case *types.Array:
		return addElements(out, v, u.Elem())
	case *types.Map:
		for i, e := range v.Elems {
			out = addLeaves(out, e, []types.Type{u.Key(), u.Elem()}[i%2])
		}
	default:
		out = append(out, v)
	}
	return out
}

// addElements appends the leaves of a list. A list of bytes is one leaf, a text.
func addElements(out []testcase.Value, v testcase.Value, elem types.Type) []testcase.Value {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
		text := make([]byte, len(v.Elems))
		for i, e := range v.Elems {
			text[i] = byte(e.Bits)
		}
		return append(out, testcase.Value{Kind: testcase.String, Str: string(text)})
	}
	for _, e := range v.Elems {
		out = addLeaves(out, e, elem)
	}
	return out
}

// field is a run of bytes that belong together.
type field struct {
	at, width int
	means     meaning
	isNumber  bool
	ascending bool // the last byte of a number has the highest power
}

// fields returns the runs of bytes that belong together.
func (l *Layout) fields() []field {
	var out []field
	for p := 0; p < len(l.places); {
		f := field{at: p, width: 1, means: l.places[p].means}
		f.isNumber = f.means == digit
		for p++; p < len(l.places); p++ {
			before, now := l.places[p-1], l.places[p]
			if now.means != f.means || now.leaf != before.leaf {
				break
			}
			step := now.power - before.power
			if f.isNumber && (step != 1 && step != -1 || f.width > 1 && f.ascending != (step == 1)) {
				break
			}
			f.ascending = f.isNumber && step == 1
			f.width++
		}
		out = append(out, f)
	}
	return out
}

// MostPlain is how many inputs [Layout.Plain] returns at most.
const MostPlain = 6

// Plain returns inputs with the same layout that are easier to read, the easiest first: without the bytes behind the last one that counts, and
// where it is not clear how something depends on bytes, with a small number there, its last byte or its first the lowest one, or as it was.
func (l *Layout) Plain() []string {
	var out []string
	end := 0
	for p, of := range l.places {
		if of.means != idle {
			end = p + 1
		}
	}
	for _, length := range []int{end, len(l.input)} {
		for _, as := range []order{bigEndian, littleEndian, unchanged} {
			if text := l.plain(as)[:length]; text != l.input && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// order says what is written where it is not clear how something depends on bytes: a number, with its lowest byte at the end or the beginning, or
// what is there.
type order int

const (
	bigEndian order = iota
	littleEndian
	unchanged
)

// plain returns the input with small numbers, one larger than the other, and with zeros where nothing depends on a byte.
func (l *Layout) plain(as order) string {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	b := []byte(l.input)
	numbers, texts := byte(0), 0
	for _, f := range l.fields() {
		part := b[f.at : f.at+f.width]
		switch {
		case f.isNumber || f.means == unclear && as != unchanged:
			clear(part)
			numbers++
			if f.ascending || f.means == unclear && as == littleEndian {
				part[0] = numbers
			} else {
				part[f.width-1] = numbers
			}
		case f.means == letter && strings.Trim(string(part), letters) != "":
			for i := range part {
				part[i] = letters[texts%len(letters)]
				texts++
			}
		case f.means == idle:
			clear(part)
		}
	}
	return string(b)
}
