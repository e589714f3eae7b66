package emit

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// expr is the text of an expression with what its place needs to know of it.
type expr struct {
	text string
	prec precedence
	// composite is the text of the type in front of a composite literal ("T" of
	// T{...}, "&T" of &T{...}), "" of other expressions: where the place implies the
	// type, it is left out.
	composite string
}

type precedence uint8

const (
	primary precedence = iota // x, f(x), x.f, T{}
	unary                     // -x, &x, *x
	binary                    // x + y, func literals
)

func prim(text string) expr { return expr{text: text} }

// operand returns the text as it stands before a dot, an index or a call.
func (e expr) operand() string {
	if e.prec != primary {
		return "(" + e.text + ")"
	}
	return e.text
}

// convert returns T(e).
func (w *writer) convert(t types.Type, e expr) expr {
	name := w.typ(t)
	if strings.ContainsAny(name, "*<-( ") {
		name = "(" + name + ")"
	}
	return prim(name + "(" + e.text + ")")
}

// takes reports whether a place of type ctx gives an untyped constant (or nil) the
// type t by itself. A nil ctx is a place that takes the type from the expression.
func takes(ctx, t types.Type) bool {
	if ctx == nil || types.IsInterface(ctx) {
		return false
	}
	if _, ok := types.Unalias(ctx).(*types.TypeParam); ok {
		return false
	}
	return types.Identical(ctx, t)
}

// typed returns the untyped constant e, which by itself has the type self, as an
// expression of type t in a place of type ctx.
func (w *writer) typed(e expr, self types.BasicKind, t, ctx types.Type) expr {
	if takes(ctx, t) || types.Identical(t, types.Typ[self]) {
		return e
	}
	return w.convert(t, e)
}

// literal returns the constant of type t for a place of type ctx.
func (w *writer) literal(l testcase.Literal, t, ctx types.Type) expr {
	if name := w.constantName(l, t); name != "" {
		return prim(name)
	}
	switch l.Kind {
	case testcase.LitBool:
		return w.typed(prim(strconv.FormatBool(l.Bits != 0)), types.Bool, t, ctx)
	case testcase.LitInt:
		return w.intLiteral(int64(l.Bits), t, ctx)
	case testcase.LitUint:
		return w.uintLiteral(l.Bits, t, ctx)
	case testcase.LitFloat:
		return w.floatLiteral(floatOf(l.Bits, t), t, ctx)
	case testcase.LitComplex:
		return w.complexLiteral(l, t, ctx)
	case testcase.LitString:
		return w.stringLiteral(l.Str, t, ctx)
	}
	panic("bug: emit: a literal of kind " + strconv.Itoa(int(l.Kind)))
}

// constantName returns the name of the constant of the named type t that has the
// value l, "" if there is none: an enumeration's names read better than numbers.
func (w *writer) constantName(l testcase.Literal, t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || load.IsNamed(t, "time", "Duration") {
		return ""
	}
	var want constant.Value
	switch l.Kind {
	case testcase.LitInt:
		want = constant.MakeInt64(int64(l.Bits))
	case testcase.LitUint:
		want = constant.MakeUint64(l.Bits)
	case testcase.LitString:
		want = constant.MakeString(l.Str)
	default:
		return ""
	}
	var best *types.Const
	scope := n.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), t) || c.Val().Kind() != want.Kind() || !w.reachable(c) || name == "_" {
			continue
		}
		if constant.Compare(c.Val(), token.EQL, want) && (best == nil || c.Pos() < best.Pos()) {
			best = c
		}
	}
	if best == nil {
		return ""
	}
	return w.object(best)
}

// intLiteral returns a signed integer.
func (w *writer) intLiteral(v int64, t, ctx types.Type) expr {
	b := basic(t)
	if load.IsNamed(t, "time", "Duration") {
		return w.duration(v, t, ctx)
	}
	if b.Kind() == types.Int32 && b.Name() == "rune" && v >= 0 && v <= unicode.MaxRune && showsAsRune(rune(v)) {
		return w.typed(prim(strconv.QuoteRune(rune(v))), types.Int32, t, ctx)
	}
	if b.Kind() == types.Int32 && b.Name() == "rune" && v >= utf8.RuneSelf && v <= unicode.MaxRune && utf8.ValidRune(rune(v)) {
		return w.typed(prim(strconv.QuoteRuneToASCII(rune(v))), types.Int32, t, ctx)
	}
	if b.Kind() == types.Int && (v > math.MaxInt32 || v < math.MinInt32) {
		return w.wideInt(v, t, ctx)
	}
	var e expr
	switch b.Kind() {
	case types.Int16:
		e = w.near(v, math.MinInt16, math.MaxInt16, "Int16")
	case types.Int32:
		e = w.near(v, math.MinInt32, math.MaxInt32, "Int32")
	case types.Int, types.Int64:
		e = w.near(v, math.MinInt64, math.MaxInt64, "Int64")
	default:
		e = w.near(v, -1<<62, 1<<62, "")
	}
	return w.typed(e, types.Int, t, ctx)
}

// near returns v as min + k or max - k if it is one of the last few values of its
// type, else as a number.
func (w *writer) near(v, min, max int64, name string) expr {
	const few = 16
	switch {
	case name == "":
	case v == min:
		return prim(w.std("math") + ".Min" + name)
	case v == max:
		return prim(w.std("math") + ".Max" + name)
	case v < min+few:
		return expr{text: w.std("math") + ".Min" + name + " + " + strconv.FormatInt(v-min, 10), prec: binary}
	case v > max-few:
		return expr{text: w.std("math") + ".Max" + name + " - " + strconv.FormatInt(max-v, 10), prec: binary}
	}
	if e, ok := w.beside(v); ok {
		return e
	}
	if v < 0 {
		return expr{text: strconv.FormatInt(v, 10), prec: unary}
	}
	return decimal(uint64(v))
}

// beside returns v as an exported constant of the package, or as the number beside one: that
// 65537 is MaxCapacity + 1 is why a test passes it. Small numbers stand for themselves.
func (w *writer) beside(v int64) (expr, bool) {
	const small = 16
	if -small <= v && v <= small {
		return expr{}, false
	}
	scope := w.pkg.Types.Scope()
	for _, d := range []int64{0, 1, -1} {
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if !ok || !c.Exported() || !types.Identical(c.Type(), types.Typ[types.UntypedInt]) {
				continue
			}
			k, exact := constant.Int64Val(c.Val())
			if !exact || k != v-d {
				continue
			}
			e := prim(w.object(c))
			switch d {
			case 1:
				e = expr{text: e.text + " + 1", prec: binary}
			case -1:
				e = expr{text: e.text + " - 1", prec: binary}
			}
			return e, true
		}
	}
	return expr{}, false
}

// decimal returns v as a number, large powers of two as shifts.
func decimal(v uint64) expr {
	if v >= 1<<17 && v&(v-1) == 0 {
		n := 0
		for v>>n > 1 {
			n++
		}
		return expr{text: "1 << " + strconv.Itoa(n), prec: binary}
	}
	// 3 << 30 rather than 3221225472.
	if n := bits.TrailingZeros64(v) / 10 * 10; v >= 1<<16 && n > 0 && v>>n < 1000 && v%1000 != 0 {
		return expr{text: strconv.FormatUint(v>>n, 10) + " << " + strconv.Itoa(n), prec: binary}
	}
	return prim(strconv.FormatUint(v, 10))
}

// uintLiteral returns an unsigned integer.
func (w *writer) uintLiteral(v uint64, t, ctx types.Type) expr {
	b := basic(t)
	if b.Kind() == types.Uint8 && b.Name() == "byte" && v > ' ' && v < 0x7f {
		e := prim(strconv.QuoteRune(rune(v)))
		if takes(ctx, t) {
			return e
		}
		return w.convert(t, e)
	}
	var max uint64
	switch b.Kind() {
	case types.Uint, types.Uintptr:
		if v > math.MaxUint32 {
			return w.wideUint(v, t, ctx)
		}
	case types.Uint16:
		max = math.MaxUint16
	case types.Uint32:
		max = math.MaxUint32
	case types.Uint64:
		max = math.MaxUint64
	}
	e := decimal(v)
	if max != 0 && v == max {
		e = prim(w.std("math") + ".Max" + upperFirst(b.Name()))
	} else if max != 0 && v > max-16 {
		e = expr{text: w.std("math") + ".Max" + upperFirst(b.Name()) + " - " + strconv.FormatUint(max-v, 10), prec: binary}
	}
	if takes(ctx, t) {
		return e
	}
	return w.convert(t, e)
}

// duration returns a time.Duration in its largest whole unit.
func (w *writer) duration(v int64, t, ctx types.Type) expr {
	units := []struct {
		name string
		size int64
	}{{"Hour", 3600e9}, {"Minute", 60e9}, {"Second", 1e9}, {"Millisecond", 1e6}, {"Microsecond", 1e3}, {"Nanosecond", 1}}
	if v == 0 || v == math.MinInt64 || v == math.MaxInt64 {
		return w.typed(w.near(v, math.MinInt64, math.MaxInt64, "Int64"), types.Int, t, ctx)
	}
	for _, u := range units {
		switch {
		case v%u.size != 0:
		case v == u.size:
			return prim(w.std("time") + "." + u.name)
		default:
			return expr{text: strconv.FormatInt(v/u.size, 10) + " * " + w.std("time") + "." + u.name, prec: binary}
		}
	}
	panic("bug: emit: no unit divides a duration")
}

// floatOf returns the float of a literal or value of type t.
func floatOf(bits uint64, t types.Type) float64 {
	if b := basic(t); b != nil && (b.Kind() == types.Float32 || b.Kind() == types.Complex64) {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// floatLiteral returns a floating-point number.
func (w *writer) floatLiteral(v float64, t, ctx types.Type) expr {
	e, constant := w.float(v, isBasic32(t), !takes(ctx, t))
	if constant && takes(ctx, t) || types.Identical(t, types.Typ[types.Float64]) {
		return e
	}
	return w.convert(t, e)
}

// isBasic32 reports whether t is a float32 or complex64.
func isBasic32(t types.Type) bool {
	b := basic(t)
	return b != nil && (b.Kind() == types.Float32 || b.Kind() == types.Complex64)
}

// float returns the number as an untyped constant, or as an expression of type
// float64 where there is no constant. point asks for a constant that is no integer.
func (w *writer) float(v float64, is32, point bool) (e expr, constant bool) {
	switch {
	case math.IsNaN(v):
		return prim(w.std("math") + ".NaN()"), false
	case math.IsInf(v, 1):
		return prim(w.std("math") + ".Inf(1)"), false
	case math.IsInf(v, -1):
		return prim(w.std("math") + ".Inf(-1)"), false
	case v == 0 && math.Signbit(v):
		return prim(w.std("math") + ".Copysign(0, -1)"), false
	}
	sign, abs := "", math.Abs(v)
	prec := primary
	if v < 0 {
		sign, prec = "-", unary
	}
	switch {
	case !is32 && abs == math.MaxFloat64:
		return expr{text: sign + w.std("math") + ".MaxFloat64", prec: prec}, true
	case !is32 && abs == math.SmallestNonzeroFloat64:
		return expr{text: sign + w.std("math") + ".SmallestNonzeroFloat64", prec: prec}, true
	case is32 && abs == math.MaxFloat32:
		return expr{text: sign + w.std("math") + ".MaxFloat32", prec: prec}, true
	}
	size := 64
	if is32 {
		size = 32
	}
	s := strconv.FormatFloat(abs, 'g', -1, size)
	if i := strings.Index(s, "e+"); i >= 0 {
		exp, err := strconv.Atoi(s[i+2:])
		if err == nil && exp < 15 {
			s = strconv.FormatFloat(abs, 'f', -1, size)
		} else {
			s = s[:i] + "e" + strings.TrimLeft(s[i+2:], "0")
		}
	}
	if point && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return expr{text: sign + s, prec: prec}, true
}

// complexLiteral returns a complex number.
func (w *writer) complexLiteral(l testcase.Literal, t, ctx types.Type) expr {
	re, reConst := w.float(floatOf(l.Bits, t), isBasic32(t), false)
	im, imConst := w.float(floatOf(l.Imag, t), isBasic32(t), false)
	e := prim("complex(" + re.text + ", " + im.text + ")")
	if reConst && imConst {
		e = expr{text: re.text + " + " + im.text + "i", prec: binary}
		if im.prec == unary {
			e.text = re.text + " - " + im.text[1:] + "i"
		}
		if strings.Contains(im.text, "math") { // a name takes no i
			e = prim("complex(" + re.text + ", " + im.text + ")")
		}
	}
	if reConst && imConst && takes(ctx, t) || types.Identical(t, types.Typ[types.Complex128]) {
		return e
	}
	return w.convert(t, e)
}

// stringLiteral returns a string.
func (w *writer) stringLiteral(s string, t, ctx types.Type) expr {
	e, constant := w.str(s)
	if constant && takes(ctx, t) || types.Identical(t, types.Typ[types.String]) {
		return e
	}
	return w.convert(t, e)
}

// str returns the string as a constant, or as an expression with strings.Repeat if
// it is long and regular.
func (w *writer) str(s string) (e expr, constant bool) {
	q := quote(s)
	if len(s) <= 64 {
		return prim(q), true
	}
	// The whole is one short word again and again, or has long runs of one byte.
	for n := 1; n <= 16 && n < len(s); n++ {
		if len(s)%n == 0 && s == strings.Repeat(s[:n], len(s)/n) {
			return prim(w.std("strings") + ".Repeat(" + quote(s[:n]) + ", " + strconv.Itoa(len(s)/n) + ")"), false
		}
	}
	var parts []string
	for rest := s; rest != ""; {
		i, n := longRun(rest)
		if i > 0 {
			parts = append(parts, quote(rest[:i]))
		}
		if n > 0 {
			parts = append(parts, w.std("strings")+".Repeat("+quote(rest[i:i+1])+", "+strconv.Itoa(n)+")")
		}
		rest = rest[i+n:]
	}
	if text := strings.Join(parts, " + "); len(text) < len(q)*2/3 {
		return expr{text: text, prec: binary}, false
	}
	return prim(q), true
}

// longRun returns where the first run of at least 32 equal ASCII bytes begins and
// how long it is; len(s), 0 if there is none.
func longRun(s string) (start, n int) {
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		if j-i >= 32 && s[i] < utf8.RuneSelf {
			return i, j - i
		}
		i = j
	}
	return len(s), 0
}

// quote returns s as a string literal, in backquotes if that saves escapes.
func quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) && !strings.Contains(s, "\t") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// showsAsRune reports whether the rune reads better as a character than as a
// number.
func showsAsRune(r rune) bool {
	return r == '\n' || r == '\t' || r == '\r' || r >= ' ' && r != utf8.RuneError && unicode.IsPrint(r)
}
