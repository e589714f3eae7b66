package assayrt

import (
	"cmp"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Go leaves some things open: in which order a loop goes through a map, and what a number that an integer type
// does not have is converted to. First runs and second runs answer these questions differently.

// The value of Env ends in one of these texts. They say whether loops over maps go from the smallest key to
// the largest, or from the largest to the smallest. The environment says so because the initialisers of
// packages have loops, too. Slowly is as Descending, and time passes between the calls of a case.
const (
	Ascending  = ",0"
	Descending = ",1"
	Slowly     = ",2"
)

// descends is the direction in the environment, and descending is the direction for the running case.
var (
	slowly     = strings.HasSuffix(os.Getenv(Env), Slowly)
	descends   = slowly || strings.HasSuffix(os.Getenv(Env), Descending)
	descending = descends
)

// between is how much time passes between two calls of a case in runs that are slow. A call that depends on how
// soon it follows the call before it has another result then.
const between = 2 * time.Millisecond

// mostPauses is before how many calls of a case time passes, the last ones, because a case may have dozens of calls.
const mostPauses = 3

// Ordered goes through a map in the order of its keys. A key that is deleted before its turn has no turn, as
// in Go. A key that is inserted meanwhile has no turn either, which Go leaves open.
type Ordered struct {
	m     reflect.Value
	turns []turn
}

// turn is a key whose turn has not come yet.
type turn struct {
	key  reflect.Value
	text string        // the key, if it is a text
	nan  reflect.Value // the value, if the key is a NaN, which no index finds
}

// Order returns an iteration over the map m.
func Order(m any) *Ordered {
	v := reflect.ValueOf(m)
	o := &Ordered{m: v, turns: make([]turn, 0, v.Len())}
	kind := v.Type().Key().Kind()
	for it := v.MapRange(); it.Next(); {
		e := turn{key: it.Key()}
		if kind == reflect.String {
			e.text = e.key.String()
		}
		if mayBeNaN(kind) && !v.MapIndex(e.key).IsValid() {
			e.nan = it.Value()
		}
		o.turns = append(o.turns, e)
	}
	switch {
	case len(o.turns) < 2:
	case kind == reflect.String:
		slices.SortFunc(o.turns, func(a, b turn) int { return strings.Compare(a.text, b.text) })
	case kind == reflect.Int:
		slices.SortFunc(o.turns, func(a, b turn) int { return cmp.Compare(a.key.Int(), b.key.Int()) })
	default:
		slices.SortFunc(o.turns, func(a, b turn) int {
			if c := compareKeys(a.key, b.key, keyDepth); c != 0 || !a.nan.IsValid() {
				return c
			}
			return compareKeys(a.nan, b.nan, keyDepth)
		})
	}
	if descending {
		slices.Reverse(o.turns)
	}
	return o
}

// mayBeNaN reports whether keys of a kind may differ from themselves.
func mayBeNaN(k reflect.Kind) bool {
	switch k {
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128, reflect.Interface, reflect.Array, reflect.Struct:
		return true
	}
	return false
}

// NextKey sets *key to the next key, and reports whether there was one.
func (o *Ordered) NextKey(key any) bool { return o.next(key, nil) }

// Next sets *key and *value to the next key and its value, and reports whether there was one.
func (o *Ordered) Next(key, value any) bool { return o.next(key, value) }

func (o *Ordered) next(key, value any) bool {
	for len(o.turns) > 0 {
		e := o.turns[0]
		o.turns = o.turns[1:]
		v := e.nan
		if !v.IsValid() {
			v = o.m.MapIndex(e.key)
		} else if o.m.Len() == 0 {
			return false // only clear can have removed such keys
		}
		if !v.IsValid() {
			continue
		}
		reflect.ValueOf(key).Elem().Set(e.key)
		if value != nil {
			reflect.ValueOf(value).Elem().Set(v)
		}
		return true
	}
	return false
}

const (
	// keyDepth is how many pointers are followed to distinguish keys.
	keyDepth = 3
	// keyElems is how many elements of an array behind a pointer are compared.
	keyElems = 64
)

// compareKeys orders values of one type. Pointers are ordered by what they lead to, because addresses differ
// between processes. Only pointers to equal values are ordered by address. Other goroutines may write to
// memory behind pointers, so values of several words, except texts, are not read there.
func compareKeys(a, b reflect.Value, depth int) int {
	switch a.Kind() {
	case reflect.Bool:
		return cmp.Compare(number(a.Bool()), number(b.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return compareFloats(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		return cmp.Or(compareFloats(real(a.Complex()), real(b.Complex())), compareFloats(imag(a.Complex()), imag(b.Complex())))
	case reflect.String:
		return strings.Compare(a.String(), b.String())
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareKeys(a.Field(i), b.Field(i), depth); c != 0 {
				return c
			}
		}
	case reflect.Array:
		n := a.Len()
		if depth < keyDepth {
			n = min(n, keyElems)
		}
		for i := range n {
			if c := compareKeys(a.Index(i), b.Index(i), depth); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		return compareInterfaces(a, b, depth)
	case reflect.Pointer:
		return comparePointers(a, b, depth)
	case reflect.Chan, reflect.UnsafePointer:
		if depth == keyDepth {
			return cmp.Compare(a.Pointer(), b.Pointer())
		}
		return cmp.Compare(number(!a.IsNil()), number(!b.IsNil()))
	}
	return 0
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

func compareFloats(a, b float64) int {
	return cmp.Or(cmp.Compare(a, b), cmp.Compare(math.Float64bits(a), math.Float64bits(b)))
}

func compareInterfaces(a, b reflect.Value, depth int) int {
	if depth < keyDepth {
		return 0
	}
	if a.IsNil() || b.IsNil() {
		return cmp.Compare(number(!a.IsNil()), number(!b.IsNil()))
	}
	a, b = a.Elem(), b.Elem()
	if a.Type() != b.Type() {
		return cmp.Or(strings.Compare(a.Type().String(), b.Type().String()), strings.Compare(a.Type().PkgPath(), b.Type().PkgPath()))
	}
	return compareKeys(a, b, depth)
}

func comparePointers(a, b reflect.Value, depth int) int {
	if a.Pointer() == b.Pointer() {
		return 0
	}
	if a.IsNil() || b.IsNil() {
		return cmp.Compare(number(!a.IsNil()), number(!b.IsNil()))
	}
	c := 0
	if depth > 0 && !raceDetector {
		c = compareKeys(a.Elem(), b.Elem(), depth-1)
	}
	if c == 0 && depth == keyDepth {
		c = cmp.Compare(a.Pointer(), b.Pointer())
	}
	return c
}

// Whole returns the number that is converted to an integer type in place of x. The parameter size says how many
// bits the type has: it is negative for signed types, and 1 or -1 for the size of a word. In first runs, and
// if x is in the type's range, the number is x. In second runs it is another number of the range, because Go
// leaves open what x would become.
func Whole(x float64, size int) float64 {
	if !descending {
		return x
	}
	signed := size < 0
	bits := max(size, -size)
	if bits == 1 {
		bits = strconv.IntSize
	}
	low, high := 0.0, math.Ldexp(1, bits) // high is the smallest number beyond the range
	if signed {
		low, high = -high/2, high/2
	}
	if t := math.Trunc(x); t >= low && t < high {
		return x
	}
	// Processors that differ from the usual one make zero of a NaN, and of other numbers the nearest one in
	// the range. A number close to the nearest one is taken, because floating-point numbers do not reach the
	// largest integers.
	other := 0.0
	switch {
	case x < low:
		other = low
	case x >= high:
		other = high / 2
	}
	if other == native(x, bits, signed) {
		other = high / 4
	}
	return other
}

// native returns what this processor makes of x.
func native(x float64, bits int, signed bool) float64 {
	switch {
	case bits == 8 && signed:
		return float64(int8(x))
	case bits == 16 && signed:
		return float64(int16(x))
	case bits == 32 && signed:
		return float64(int32(x))
	case signed:
		return float64(int64(x))
	case bits == 8:
		return float64(uint8(x))
	case bits == 16:
		return float64(uint16(x))
	case bits == 32:
		return float64(uint32(x))
	}
	return float64(uint64(x))
}
