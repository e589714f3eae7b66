package gofile

import (
	"cmp"
	"fmt"
	"go/types"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Whole reports whether the observation has every part of the value, so that the value can be written and
// compared: no part is opaque, cut, part of itself, in an order of chance or not observed, and no text is more than a reader looks at.
func Whole(v testcase.Value) bool {
	if v.Type != nil && load.IsNamed(v.Type, "time", "Time") && len(v.Elems) == 3 && v.Elems[2].Kind == testcase.Opaque {
		return whole(v.Elems[0]) && whole(v.Elems[1]) // only the instant of a time is compared
	}
	return whole(v.Unshared())
}

// Sorts reports whether tests put the elements of an observed list in order, because these come in an order of chance, and then compare it: unless
// it is longer than a reader looks at.
func Sorts(v testcase.Value) bool {
	const readable = 400 // characters
	n := 0
	for _, e := range v.Elems {
		n += len(e.Str) + len(`"", `)
	}
	return v.Shuffled && n <= readable
}

func whole(v testcase.Value) bool {
	switch v.Kind {
	case testcase.Invalid, testcase.Opaque:
		return false
	}
	if v.Cut || v.Again || v.Shuffled || v.Kind == testcase.String && isUnreadable(v.Str) {
		return false
	}
	for _, e := range v.Elems {
		if !whole(e) {
			return false
		}
	}
	return true
}

// Zero returns the zero value of type t for a place of type ctx.
func (w *Writer) Zero(t, ctx types.Type) Expr {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return Primary("*new(" + w.Type(t) + ")")
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.UnsafePointer || u.Kind() == types.UntypedNil:
			return Primary("nil")
		case u.Info()&types.IsBoolean != 0:
			return w.Literal(testcase.Literal{Kind: testcase.LitBool}, t, ctx)
		case u.Info()&types.IsString != 0:
			return w.Literal(testcase.Literal{Kind: testcase.LitString}, t, ctx)
		case u.Info()&types.IsUnsigned != 0:
			return w.Literal(testcase.Literal{Kind: testcase.LitUint}, t, ctx)
		case u.Info()&types.IsInteger != 0:
			return w.Literal(testcase.Literal{Kind: testcase.LitInt}, t, ctx)
		case u.Info()&types.IsFloat != 0:
			return w.Literal(testcase.Literal{Kind: testcase.LitFloat}, t, ctx)
		}
		return w.Literal(testcase.Literal{Kind: testcase.LitComplex}, t, ctx)
	case *types.Struct, *types.Array:
		name := w.Type(t)
		return Expr{Text: name + "{}", Composite: name}
	}
	// A nil takes its type from its place.
	if takes(ctx, t) || types.IsInterface(t) && ctx != nil && types.IsInterface(ctx) {
		return Primary("nil")
	}
	return w.Convert(t, Primary("nil"))
}

// Value returns an observed value of static type t for a place of type ctx. It
// fails if the value cannot be written.
func (w *Writer) Value(v testcase.Value, t, ctx types.Type) Expr {
	v = v.Unshared()
	switch v.Kind {
	case testcase.Bool:
		return w.Literal(testcase.Literal{Kind: testcase.LitBool, Bits: v.Bits}, t, ctx)
	case testcase.Int:
		return w.Literal(testcase.Literal{Kind: testcase.LitInt, Bits: v.Bits}, t, ctx)
	case testcase.Uint:
		return w.Literal(testcase.Literal{Kind: testcase.LitUint, Bits: v.Bits}, t, ctx)
	case testcase.Float:
		return w.Literal(testcase.Literal{Kind: testcase.LitFloat, Bits: v.Bits}, t, ctx)
	case testcase.Complex:
		return w.Literal(testcase.Literal{Kind: testcase.LitComplex, Bits: v.Bits, Imag: v.Imag}, t, ctx)
	case testcase.String:
		return w.Literal(testcase.Literal{Kind: testcase.LitString, Str: v.Str}, t, ctx)
	case testcase.Nil:
		return w.Zero(t, ctx)
	case testcase.Interface:
		return w.dynamic(v, ctx)
	case testcase.Pointer:
		return w.pointer(v, t)
	case testcase.Struct:
		return w.structValue(v, t)
	case testcase.Slice, testcase.Array, testcase.Map:
		if o := w.declared(v, t); o != nil {
			return Primary(w.Object(o))
		}
		if text := cmp.Or(w.address(v, t), w.uuid(v, t)); text != "" {
			return Primary(text)
		}
		return w.collection(v, t)
	}
	w.Fail("a value that is not fully known")
	return Primary("nil")
}

// address returns a net.IP or net.IPMask as people write it, or "".
func (w *Writer) address(v testcase.Value, t types.Type) string {
	b, ok := v.Bytes()
	if !ok || v.Kind != testcase.Slice || v.Len > len(v.Elems) {
		return ""
	}
	return w.Address(b, t)
}

// Address returns the call that makes a net.IP or a net.IPMask of these bytes, as people write it. It returns "" for other types, and
// for bytes that are no address or that mask no prefix.
func (w *Writer) Address(b []byte, t types.Type) string {
	switch {
	case load.IsNamed(t, "net", "IPMask"):
		if ones, bits := net.IPMask(b).Size(); bits > 0 {
			return fmt.Sprintf("%s.CIDRMask(%d, %d)", w.Std("net"), ones, bits)
		}
	case load.IsNamed(t, "net", "IP"):
		ip := net.IP(b)
		switch parsed := net.ParseIP(ip.String()); {
		case parsed == nil:
		case slices.Equal(parsed, ip):
			return w.Std("net") + ".ParseIP(" + Quote(ip.String()) + ")"
		case slices.Equal(parsed.To4(), ip):
			return w.Std("net") + ".ParseIP(" + Quote(ip.String()) + ").To4()"
		}
	}
	return ""
}

// uuid returns a UUID as people write it, or "".
func (w *Writer) uuid(v testcase.Value, t types.Type) string {
	v.Kind = testcase.Slice // of the array's elements
	b, ok := v.Bytes()
	if !ok {
		return ""
	}
	return w.UUID(b, t)
}

// UUID returns the call that makes a UUID of a type from its text (RFC 9562): by the function MustParse of the type's package. It
// returns "" for other types, for packages without such a function, and for the UUID that is zero.
func (w *Writer) UUID(b []byte, t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Name() != "UUID" || n.Obj().Pkg() == nil || len(b) != 16 || !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) {
		return ""
	}
	parse, ok := n.Obj().Pkg().Scope().Lookup("MustParse").(*types.Func)
	if !ok || parse.Signature().Params().Len() != 1 || parse.Signature().Results().Len() != 1 || !types.Identical(parse.Signature().Results().At(0).Type(), t) || !IsBasic(parse.Signature().Params().At(0).Type(), types.IsString) {
		return ""
	}
	return w.Object(parse) + "(" + Quote(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])) + ")"
}

// dynamic returns the dynamic value of an interface.
func (w *Writer) dynamic(v testcase.Value, ctx types.Type) Expr {
	if s := w.Sentinel(v); s != nil && v.Err.Identical {
		return Primary(w.Object(s))
	}
	if len(v.Elems) != 1 {
		w.Fail("an interface value that is not fully known")
		return Primary("nil")
	}
	e := v.Elems[0]
	if e.TypeName == "*errors.errorString" && v.Err != nil && !v.Err.Unstable {
		return Primary(w.Std("errors") + ".New(" + Quote(v.Err.Message) + ")")
	}
	if e.Type == nil {
		w.Fail("a value of type " + e.TypeName + ", which a test cannot name")
		return Primary("nil")
	}
	if ctx != nil && !types.IsInterface(ctx) {
		ctx = nil
	}
	return w.Value(e, e.Type, ctx)
}

// wrapping is the first version of Go in which errors wrap others and package errors has Is.
const wrapping = "go1.13"

// IsNot returns the condition that an error neither is the named one nor wraps it.
func (w *Writer) IsNot(got, sentinel string) string {
	if !w.Since(wrapping) {
		return got + " != " + sentinel
	}
	return "!" + w.Std("errors") + ".Is(" + got + ", " + sentinel + ")"
}

// Sentinel returns the most specific error variable that the error is or wraps and
// that a test can name, or nil.
func (w *Writer) Sentinel(v testcase.Value) *types.Var {
	if v.Err == nil || !v.Err.Identical && !w.Since(wrapping) {
		return nil
	}
	for i, s := range v.Err.Sentinels {
		if w.Reachable(s) {
			return s
		}
		if i == 0 && v.Err.Identical {
			return nil // the test cannot name the variable, and the error that this one wraps says less
		}
	}
	return nil
}

// pointer returns a pointer to a new variable with the value.
func (w *Writer) pointer(v testcase.Value, t types.Type) Expr {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || v.Again || len(v.Elems) != 1 {
		w.Fail("a pointer to what is not known")
		return Primary("nil")
	}
	return w.AddressOf(w.Value(v.Elems[0], p.Elem(), nil), t)
}

// AddressOf returns a pointer of type t to a new variable that holds e.
func (w *Writer) AddressOf(e Expr, t types.Type) Expr {
	var out Expr
	switch {
	case addressable(e):
		out = Expr{Text: "&" + e.Text, Prec: Unary, Composite: "&" + e.Composite}
	case w.Since("go1.26"):
		out = Primary("new(" + e.Text + ")")
	case w.Since("go1.18"):
		out = Primary(w.Helper("ptr") + "(" + e.Text + ")")
	default:
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			panic("bug: gofile: address of type " + t.String())
		}
		out = Primary(w.pointerMaker(p.Elem()) + "(" + e.Text + ")")
	}
	if _, ok := types.Unalias(t).(*types.Named); ok {
		return w.Convert(t, out)
	}
	return out
}

// addressable reports whether an & can stand in front of an expression: the expression is a composite
// literal, and has no & yet.
func addressable(e Expr) bool { return e.Composite != "" && e.Composite[0] != '&' }

// structValue returns a struct.
func (w *Writer) structValue(v testcase.Value, t types.Type) Expr {
	if load.IsNamed(t, "time", "Time") {
		return w.time(v)
	}
	if load.IsMoment(t) && !v.IsZero() {
		return w.Convert(t, w.time(v))
	}
	st := t.Underlying().(*types.Struct)
	fields := make([]int, 0, st.NumFields())
	elems := make([]Expr, 0, st.NumFields())
	all := w.WithZeros(t) && !v.IsZero()
	for i, e := range v.Elems {
		f := st.Field(i)
		if e.IsZero() && !all {
			continue
		}
		if !w.Selectable(f) || f.Name() == "_" {
			w.Fail("field " + f.Name() + " is not accessible to a test")
			continue
		}
		fields = append(fields, i)
		elems = append(elems, w.Value(e, f.Type(), f.Type()))
	}
	return w.StructLiteral(t, fields, elems)
}

// StructLiteral returns a struct with the given fields.
func (w *Writer) StructLiteral(t types.Type, fields []int, elems []Expr) Expr {
	st := t.Underlying().(*types.Struct)
	name := w.Type(t)
	short := len(fields) == st.NumFields() && w.Positional(t)
	parts := make([]string, len(elems))
	for i, e := range elems {
		parts[i] = e.Text
		if !short {
			parts[i] = st.Field(fields[i]).Name() + ": " + e.Text
		}
	}
	return Expr{Text: name + "{" + joinParts(parts) + "}", Composite: name}
}

// Positional reports whether values of the struct type t are written without keys: a
// small struct of numbers reads best as Point{1, 2}, and one of texts that only the package sees as pair{"a", "b"}.
func (w *Writer) Positional(t types.Type) bool {
	st := t.Underlying().(*types.Struct)
	n := load.NamedOf(t)
	own := n == nil || n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == w.Pkg.Path && !w.External
	if !own || st.NumFields() > 3 {
		return false
	}
	for f := range st.Fields() {
		b := Basic(f.Type())
		if b == nil || f.Name() == "_" || !types.Identical(f.Type(), st.Field(0).Type()) || f.Exported() && b.Info()&types.IsNumeric == 0 {
			return false
		}
	}
	return true
}

// WithZeros reports whether values of the struct type t are written with the fields that are zero: Point{0, 2} rather than Point{Y: 2}. Of
// texts and truths the names of the fields say more than an empty text would.
func (w *Writer) WithZeros(t types.Type) bool {
	st := t.Underlying().(*types.Struct)
	return st.NumFields() > 0 && w.Positional(t) && Basic(st.Field(0).Type()).Info()&types.IsNumeric != 0
}

// collection returns a slice, array or map.
func (w *Writer) collection(v testcase.Value, t types.Type) Expr {
	if v.Cut || v.Again {
		w.Fail("a value that is not fully known")
		return Primary("nil")
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		elems := make([]Expr, len(v.Elems))
		for i, e := range v.Elems {
			et := u.Key()
			if i%2 == 1 {
				et = u.Elem()
			}
			elems[i] = w.Value(e, et, et)
		}
		return w.MapLiteral(t, elems)
	case *types.Slice:
		if len(v.Elems) == 0 {
			name := w.Type(t)
			return Expr{Text: name + "{}", Composite: name}
		}
		if e, ok := w.TextSlice(v, t, u); ok {
			return e
		}
		return w.listValue(v, t, u.Elem(), len(v.Elems))
	case *types.Array:
		return w.listValue(v, t, u.Elem(), int(u.Len()))
	}
	panic("bug: gofile: a collection of type " + t.String())
}

// listValue returns a slice or array. If most of its elements are zero, these are left out.
func (w *Writer) listValue(v testcase.Value, t, elem types.Type, n int) Expr {
	var index []int
	var elems []Expr
	zeros := 0
	for _, e := range v.Elems {
		if e.IsZero() {
			zeros++
		}
	}
	sparse := zeros > 16 && zeros > len(v.Elems)*3/4
	for i, e := range v.Elems {
		if sparse && e.IsZero() {
			continue
		}
		index = append(index, i)
		elems = append(elems, w.Value(e, elem, elem))
	}
	return w.ListLiteral(t, elem, n, index, elems)
}

// ListLiteral returns a slice or array of length n with the given elements, which
// are at the given indices (ascending).
func (w *Writer) ListLiteral(t, elem types.Type, n int, index []int, elems []Expr) Expr {
	name := w.Type(t)
	_, isSlice := t.Underlying().(*types.Slice)
	if len(elems) == 0 && n > 0 && isSlice {
		return Primary("make(" + name + ", " + strconv.Itoa(n) + ")")
	}
	if !isSlice && !slices.ContainsFunc(elems, func(e Expr) bool { return e.Text != "0" }) {
		return Expr{Text: name + "{}", Composite: name}
	}
	if b := Basic(elem); b != nil && b.Kind() == types.Uint8 {
		elems = uniformBytes(elems)
	}
	elemName := w.Type(elem)
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
		parts = append(parts, strconv.Itoa(n-1)+": "+elide(w.Zero(elem, elem), elem, elemName))
	}
	return Expr{Text: name + "{" + joinParts(parts) + "}", Composite: name}
}

// uniformBytes returns bytes that are all written in one way: as characters, as numbers of one digit, or otherwise
// in base 16. A list of both characters and numbers reads as neither text nor data.
func uniformBytes(elems []Expr) []Expr {
	out := slices.Clone(elems)
	small, characters := true, true
	for i, e := range elems {
		n, err := strconv.ParseUint(e.Text, 10, 8)
		if err != nil {
			r, _, rest, err := strconv.UnquoteChar(strings.Trim(e.Text, "'"), '\'')
			if err != nil || rest != "" || !strings.HasPrefix(e.Text, "'") || r > math.MaxUint8 {
				return elems // an expression
			}
			n, small = uint64(r), false
		} else {
			characters = false
		}
		small = small && n < 10
		out[i].Text = fmt.Sprintf("0x%02x", n)
	}
	if small || characters {
		return elems
	}
	return out
}

// MapLiteral returns a map of the given keys and values.
func (w *Writer) MapLiteral(t types.Type, elems []Expr) Expr {
	u := t.Underlying().(*types.Map)
	name := w.Type(t)
	key, elem := w.Type(u.Key()), w.Type(u.Elem())
	var parts []string
	for i := 0; i+1 < len(elems); i += 2 {
		parts = append(parts, elide(elems[i], u.Key(), key)+": "+elide(elems[i+1], u.Elem(), elem))
	}
	return Expr{Text: name + "{" + joinParts(parts) + "}", Composite: name}
}

// elide returns the element of a composite literal without the type that the literal's element type t,
// written as name, implies.
func elide(e Expr, t types.Type, name string) string {
	if types.IsInterface(t) || e.Composite == "" {
		return e.Text
	}
	if e.Composite == name {
		return strings.TrimPrefix(e.Text, name)
	}
	if "*"+strings.TrimPrefix(e.Composite, "&") == name && e.Composite[0] == '&' {
		return strings.TrimPrefix(e.Text, e.Composite)
	}
	return e.Text
}

// joinParts joins the parts of a composite literal. It uses several lines if one line would be too long.
func joinParts(parts []string) string {
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

// TextSlice returns a []byte or []rune that holds text as the conversion of a string.
func (w *Writer) TextSlice(v testcase.Value, t types.Type, u *types.Slice) (Expr, bool) {
	b, ok := types.Unalias(u.Elem()).(*types.Basic)
	if !ok || b.Kind() != types.Uint8 && b.Kind() != types.Int32 {
		return Expr{}, false
	}
	var text strings.Builder
	for _, e := range v.Elems {
		if b.Kind() == types.Uint8 {
			text.WriteByte(byte(e.Bits))
			continue
		}
		r := rune(int64(e.Bits))
		if !utf8.ValidRune(r) || r == utf8.RuneError {
			return Expr{}, false
		}
		text.WriteRune(r)
	}
	return w.textConversion(text.String(), t, isLongText(text.String()))
}

// isLongText reports whether bytes are written as a text even if there are escapes in it: there are too many for a list of numbers, or
// few of them do not print, as in what is sent to a terminal ("abc\x1b[31m").
func isLongText(s string) bool {
	const short, long, longNumbers = 4, 16, 32
	numbers := 0
	for i := range len(s) {
		if s[i] < ' ' {
			numbers++
		}
	}
	return len(s) > longNumbers || len(s) > long && numbers <= len(s)/2 || len(s) >= short && numbers <= len(s)/4 && utf8.ValidString(s)
}

// textConversion returns T("...") for the content s of a []byte or []rune, and whether the conversion reads
// better than a list of numbers. Long content may contain escapes.
func (w *Writer) textConversion(s string, t types.Type, long bool) (Expr, bool) {
	if !long {
		for _, r := range s {
			if r == utf8.RuneError || !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
				return Expr{}, false
			}
		}
	}
	e, _ := w.str(s)
	return w.Convert(t, e), true
}

// time returns a time.Time, from the fields of the type in package time: wall has the nanoseconds (and a flag
// for a monotonic reading), ext has the seconds since year 1, and loc is nil for UTC. A time in another zone
// is written by its instant, because tests compare instants.
func (w *Writer) time(v testcase.Value) Expr {
	pkg := w.Std("time")
	if v.IsZero() {
		return Primary(pkg + ".Time{}")
	}
	if len(v.Elems) != 3 || v.Elems[0].Bits>>30 != 0 || v.Elems[2].Kind != testcase.Nil && v.Elems[2].Kind != testcase.Opaque {
		w.Fail("a time with a monotonic clock reading")
		return Primary(pkg + ".Time{}")
	}
	const unixToYear1 = 62135596800
	secs, ok := int64(v.Elems[1].Bits), true
	if secs < math.MinInt64+unixToYear1 {
		ok = false
	}
	t := time.Unix(secs-unixToYear1, int64(v.Elems[0].Bits)).UTC()
	if !ok || t.Year() < -9999 || t.Year() > 9999 {
		w.Fail("a time far from now")
	}
	d := func(n int) string { return strconv.Itoa(n) }
	return Primary(pkg + ".Date(" + strings.Join([]string{d(t.Year()), pkg + "." + t.Month().String(), d(t.Day()), d(t.Hour()), d(t.Minute()),
		d(t.Second()), d(t.Nanosecond()), pkg + ".UTC"}, ", ") + ")")
}
