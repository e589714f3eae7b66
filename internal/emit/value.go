package emit

import (
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

// Whole reports whether the observation says all of the value, so that it can be
// written and compared: nothing in it is opaque, cut, shared or not observed.
func Whole(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Invalid, testcase.Opaque:
		return false
	}
	if v.Cut || v.Again {
		return false
	}
	for _, e := range v.Elems {
		if !Whole(e) {
			return false
		}
	}
	return true
}

// zero returns the zero value of type t for a place of type ctx.
func (w *writer) zero(t, ctx types.Type) expr {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return prim("*new(" + w.typ(t) + ")")
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil:
			return prim("nil")
		case u.Info()&types.IsBoolean != 0:
			return w.literal(testcase.Literal{Kind: testcase.LitBool}, t, ctx)
		case u.Info()&types.IsString != 0:
			return w.literal(testcase.Literal{Kind: testcase.LitString}, t, ctx)
		case u.Info()&types.IsUnsigned != 0:
			return w.literal(testcase.Literal{Kind: testcase.LitUint}, t, ctx)
		case u.Info()&types.IsInteger != 0:
			return w.literal(testcase.Literal{Kind: testcase.LitInt}, t, ctx)
		case u.Info()&types.IsFloat != 0:
			return w.literal(testcase.Literal{Kind: testcase.LitFloat}, t, ctx)
		}
		return w.literal(testcase.Literal{Kind: testcase.LitComplex}, t, ctx)
	case *types.Struct, *types.Array:
		name := w.typ(t)
		return expr{text: name + "{}", composite: name}
	}
	// nil takes its type from its place.
	if takes(ctx, t) || types.IsInterface(t) && ctx != nil && types.IsInterface(ctx) {
		return prim("nil")
	}
	return w.convert(t, prim("nil"))
}

// value returns an observed value of static type t for a place of type ctx. It
// fails if the value cannot be written.
func (w *writer) value(v testcase.Value, t, ctx types.Type) expr {
	switch v.Kind {
	case testcase.Bool:
		return w.literal(testcase.Literal{Kind: testcase.LitBool, Bits: v.Bits}, t, ctx)
	case testcase.Int:
		return w.literal(testcase.Literal{Kind: testcase.LitInt, Bits: v.Bits}, t, ctx)
	case testcase.Uint:
		return w.literal(testcase.Literal{Kind: testcase.LitUint, Bits: v.Bits}, t, ctx)
	case testcase.Float:
		return w.literal(testcase.Literal{Kind: testcase.LitFloat, Bits: v.Bits}, t, ctx)
	case testcase.Complex:
		return w.literal(testcase.Literal{Kind: testcase.LitComplex, Bits: v.Bits, Imag: v.Imag}, t, ctx)
	case testcase.String:
		return w.literal(testcase.Literal{Kind: testcase.LitString, Str: v.Str}, t, ctx)
	case testcase.Nil:
		return w.zero(t, ctx)
	case testcase.Interface:
		return w.dynamic(v, ctx)
	case testcase.Pointer:
		return w.pointer(v, t)
	case testcase.Struct:
		return w.structValue(v, t)
	case testcase.Slice, testcase.Array, testcase.Map:
		return w.collection(v, t)
	}
	w.fail("a value that is not fully known")
	return prim("nil")
}

// dynamic returns the dynamic value of an interface.
func (w *writer) dynamic(v testcase.Value, ctx types.Type) expr {
	if s := w.sentinel(v); s != nil && v.Err.Identical {
		return prim(w.object(s))
	}
	if len(v.Elems) != 1 {
		w.fail("an interface value that is not fully known")
		return prim("nil")
	}
	e := v.Elems[0]
	if e.TypeName == "*errors.errorString" && v.Err != nil && !v.Err.Unstable {
		return prim(w.std("errors") + ".New(" + quote(v.Err.Message) + ")")
	}
	if e.Type == nil {
		w.fail("a value of type " + e.TypeName + ", which a test cannot name")
		return prim("nil")
	}
	if ctx != nil && !types.IsInterface(ctx) {
		ctx = nil
	}
	return w.value(e, e.Type, ctx)
}

// wrapping is the version of Go from which on errors wrap others and package errors has Is.
const wrapping = "go1.13"

// isNot returns the condition that an error neither is nor wraps the one of that name.
func (w *writer) isNot(got, sentinel string) string {
	if !w.since(wrapping) {
		return got + " != " + sentinel
	}
	return "!" + w.std("errors") + ".Is(" + got + ", " + sentinel + ")"
}

// sentinel returns the most specific error variable that the error is or wraps and
// that a test can name, or nil.
func (w *writer) sentinel(v testcase.Value) *types.Var {
	if v.Err == nil || !v.Err.Identical && !w.since(wrapping) {
		return nil
	}
	for i, s := range v.Err.Sentinels {
		if w.reachable(s) {
			return s
		}
		if i == 0 && v.Err.Identical {
			return nil // it is one that cannot be named; what it wraps says less
		}
	}
	return nil
}

// pointer returns a pointer to a new variable with the value.
func (w *writer) pointer(v testcase.Value, t types.Type) expr {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || v.Again || len(v.Elems) != 1 {
		w.fail("a pointer to what is not known")
		return prim("nil")
	}
	return w.addressOf(w.value(v.Elems[0], p.Elem(), nil), t)
}

// addressOf returns a pointer of type t to a new variable that holds e.
func (w *writer) addressOf(e expr, t types.Type) expr {
	var out expr
	switch {
	case addressable(e):
		out = expr{text: "&" + e.text, prec: unary, composite: "&" + e.composite}
	case w.since("go1.26"):
		out = prim("new(" + e.text + ")")
	case w.since("go1.18"):
		out = prim(w.helper("ptr") + "(" + e.text + ")")
	default:
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			panic("bug: emit: address of type " + t.String())
		}
		out = prim(w.pointerMaker(p.Elem()) + "(" + e.text + ")")
	}
	if _, ok := types.Unalias(t).(*types.Named); ok {
		return w.convert(t, out)
	}
	return out
}

// addressable reports whether the address of an expression can be taken where it stands: of
// a composite literal, and not of its address.
func addressable(e expr) bool { return e.composite != "" && e.composite[0] != '&' }

// structValue returns a struct.
func (w *writer) structValue(v testcase.Value, t types.Type) expr {
	if load.IsNamed(t, "time", "Time") {
		return w.time(v)
	}
	st := t.Underlying().(*types.Struct)
	fields := make([]int, 0, st.NumFields())
	elems := make([]expr, 0, st.NumFields())
	all := w.positional(t) && !isZero(v)
	for i, e := range v.Elems {
		f := st.Field(i)
		if isZero(e) && !all {
			continue
		}
		if !w.selectable(f) || f.Name() == "_" {
			w.fail("field " + f.Name() + " is not accessible to a test")
			continue
		}
		fields = append(fields, i)
		elems = append(elems, w.value(e, f.Type(), f.Type()))
	}
	return w.structLiteral(t, fields, elems)
}

// structLiteral returns a struct with the given fields.
func (w *writer) structLiteral(t types.Type, fields []int, elems []expr) expr {
	st := t.Underlying().(*types.Struct)
	name := w.typ(t)
	short := len(fields) == st.NumFields() && w.positional(t)
	parts := make([]string, len(elems))
	for i, e := range elems {
		parts[i] = e.text
		if !short {
			parts[i] = st.Field(fields[i]).Name() + ": " + e.text
		}
	}
	return expr{text: name + "{" + join(parts) + "}", composite: name}
}

// positional reports whether values of the struct type t are written without keys: a
// small struct of plain data reads best as Point{1, 2}.
func (w *writer) positional(t types.Type) bool {
	st := t.Underlying().(*types.Struct)
	n := named(t)
	own := n == nil || n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == w.pkg.Path && !w.external
	if !own || st.NumFields() > 3 {
		return false
	}
	for f := range st.Fields() {
		if basic(f.Type()) == nil || f.Name() == "_" {
			return false
		}
	}
	return true
}

// isZero reports whether the value is its type's zero value.
func isZero(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Nil:
		return true
	case testcase.Bool, testcase.Int, testcase.Uint, testcase.Float:
		return v.Bits == 0
	case testcase.Complex:
		return v.Bits == 0 && v.Imag == 0
	case testcase.String:
		return v.Len == 0 && v.Str == ""
	case testcase.Struct, testcase.Array:
		for _, e := range v.Elems {
			if !isZero(e) {
				return false
			}
		}
		return !v.Cut
	}
	return false
}

// collection returns a slice, array or map.
func (w *writer) collection(v testcase.Value, t types.Type) expr {
	if v.Cut || v.Again {
		w.fail("a value that is not fully known")
		return prim("nil")
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		elems := make([]expr, len(v.Elems))
		for i, e := range v.Elems {
			et := u.Key()
			if i%2 == 1 {
				et = u.Elem()
			}
			elems[i] = w.value(e, et, et)
		}
		return w.mapLiteral(t, elems)
	case *types.Slice:
		if len(v.Elems) == 0 {
			name := w.typ(t)
			return expr{text: name + "{}", composite: name}
		}
		if e, ok := w.textSlice(v, t, u); ok {
			return e
		}
		return w.listValue(v, t, u.Elem(), len(v.Elems))
	case *types.Array:
		return w.listValue(v, t, u.Elem(), int(u.Len()))
	}
	panic("bug: emit: a collection of type " + t.String())
}

// listValue returns a slice or array, without its zero elements where many are.
func (w *writer) listValue(v testcase.Value, t, elem types.Type, n int) expr {
	var index []int
	var elems []expr
	zeros := 0
	for _, e := range v.Elems {
		if isZero(e) {
			zeros++
		}
	}
	sparse := zeros > 16 && zeros > len(v.Elems)*3/4
	for i, e := range v.Elems {
		if sparse && isZero(e) {
			continue
		}
		index = append(index, i)
		elems = append(elems, w.value(e, elem, elem))
	}
	return w.listLiteral(t, elem, n, index, elems)
}

// listLiteral returns a slice or array of length n with the given elements, which
// are at the given indices (ascending).
func (w *writer) listLiteral(t, elem types.Type, n int, index []int, elems []expr) expr {
	name := w.typ(t)
	_, isSlice := t.Underlying().(*types.Slice)
	if len(elems) == 0 && n > 0 && isSlice {
		return prim("make(" + name + ", " + strconv.Itoa(n) + ")")
	}
	elemName := w.typ(elem)
	parts := make([]string, 0, len(elems)+1)
	next := 0
	for i, e := range elems {
		text := elide(e, elem, elemName)
		if index[i] != next {
			text = strconv.Itoa(index[i]) + ": " + text
		}
		next = index[i] + 1
		parts = append(parts, text)
	}
	if isSlice && next < n {
		parts = append(parts, strconv.Itoa(n-1)+": "+elide(w.zero(elem, elem), elem, elemName))
	}
	return expr{text: name + "{" + join(parts) + "}", composite: name}
}

// mapLiteral returns a map of the given keys and values.
func (w *writer) mapLiteral(t types.Type, elems []expr) expr {
	u := t.Underlying().(*types.Map)
	name := w.typ(t)
	key, elem := w.typ(u.Key()), w.typ(u.Elem())
	var parts []string
	for i := 0; i+1 < len(elems); i += 2 {
		parts = append(parts, elide(elems[i], u.Key(), key)+": "+elide(elems[i+1], u.Elem(), elem))
	}
	return expr{text: name + "{" + join(parts) + "}", composite: name}
}

// elide returns the element of a composite literal whose elements have type t,
// written name, without what that implies.
func elide(e expr, t types.Type, name string) string {
	if types.IsInterface(t) || e.composite == "" {
		return e.text
	}
	if e.composite == name {
		return strings.TrimPrefix(e.text, name)
	}
	if "*"+strings.TrimPrefix(e.composite, "&") == name && e.composite[0] == '&' {
		return strings.TrimPrefix(e.text, e.composite)
	}
	return e.text
}

// join joins the parts of a composite literal, on several lines where one would
// be too long.
func join(parts []string) string {
	n := 0
	for _, p := range parts {
		n += len(p) + 2
	}
	if n <= 100 {
		return strings.Join(parts, ", ")
	}
	var b strings.Builder
	b.WriteString("\n")
	line := 0
	for _, p := range parts {
		if line > 0 && (line+len(p) > 90 || strings.Contains(p, "\n")) {
			b.WriteString("\n")
			line = 0
		} else if line > 0 {
			b.WriteString(" ")
		}
		b.WriteString(p + ",")
		line += len(p) + 2
	}
	b.WriteString("\n")
	return b.String()
}

// textSlice returns a []byte or []rune that is text as the conversion of a string.
func (w *writer) textSlice(v testcase.Value, t types.Type, u *types.Slice) (expr, bool) {
	b, ok := types.Unalias(u.Elem()).(*types.Basic)
	if !ok || b.Kind() != types.Uint8 && b.Kind() != types.Int32 {
		return expr{}, false
	}
	var text strings.Builder
	for _, e := range v.Elems {
		if b.Kind() == types.Uint8 {
			text.WriteByte(byte(e.Bits))
			continue
		}
		r := rune(int64(e.Bits))
		if !utf8.ValidRune(r) || r == utf8.RuneError {
			return expr{}, false
		}
		text.WriteRune(r)
	}
	return w.textConversion(text.String(), t, len(v.Elems) > 16)
}

// textConversion returns T("...") for the content s of a []byte or []rune, and
// whether that reads better than a list of numbers. Long content may have escapes.
func (w *writer) textConversion(s string, t types.Type, long bool) (expr, bool) {
	if !long {
		for _, r := range s {
			if r == utf8.RuneError || !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
				return expr{}, false
			}
		}
	}
	e, _ := w.str(s)
	return w.convert(t, e), true
}

// time returns a time.Time, from the fields that package time keeps: wall has the
// nanoseconds (and a flag for a monotonic reading), ext the seconds since year 1,
// loc is nil for UTC.
func (w *writer) time(v testcase.Value) expr {
	pkg := w.std("time")
	if isZero(v) {
		return prim(pkg + ".Time{}")
	}
	if len(v.Elems) != 3 || v.Elems[0].Bits>>30 != 0 || v.Elems[2].Kind != testcase.Nil {
		w.fail("a time in a time zone or with a monotonic clock reading")
		return prim(pkg + ".Time{}")
	}
	const unixToYear1 = 62135596800
	secs, ok := int64(v.Elems[1].Bits), true
	if secs < math.MinInt64+unixToYear1 {
		ok = false
	}
	t := time.Unix(secs-unixToYear1, int64(v.Elems[0].Bits)).UTC()
	if !ok || t.Year() < -9999 || t.Year() > 9999 {
		w.fail("a time far from now")
	}
	d := func(n int) string { return strconv.Itoa(n) }
	return prim(pkg + ".Date(" + strings.Join([]string{d(t.Year()), pkg + "." + t.Month().String(), d(t.Day()), d(t.Hour()), d(t.Minute()),
		d(t.Second()), d(t.Nanosecond()), pkg + ".UTC"}, ", ") + ")")
}
