package gofile

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Expr is the text of an expression, with facts that matter to the place where it stands.
type Expr struct {
	Text string
	Prec precedence
	// Composite is the text of the type in front of a composite literal ("T" of T{...}, "&T" of &T{...}), or
	// "" for other expressions. The type is left out in places that imply it.
	Composite string
}

type precedence uint8

const (
	primary precedence = iota // x, f(x), x.f, T{}
	Unary                     // -x, &x, *x
	Binary                    // x + y, func literals
)

func Primary(text string) Expr { return Expr{Text: text} }

// Operand returns the text as it stands before a dot, an index or a call.
func (e Expr) Operand() string {
	if e.Prec != primary {
		return "(" + e.Text + ")"
	}
	return e.Text
}

// Convert returns T(e).
func (w *Writer) Convert(t types.Type, e Expr) Expr {
	name := w.Type(t)
	if strings.ContainsAny(name, "*<-( ") {
		name = "(" + name + ")"
	}
	return Primary(name + "(" + e.Text + ")")
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

// typed returns the untyped constant e, whose default type is self, as an expression of type t in a
// place of type ctx.
func (w *Writer) typed(e Expr, self types.BasicKind, t, ctx types.Type) Expr {
	if takes(ctx, t) || types.Identical(t, types.Typ[self]) {
		return e
	}
	return w.Convert(t, e)
}

// Literal returns the constant of type t for a place of type ctx.
func (w *Writer) Literal(l testcase.Literal, t, ctx types.Type) Expr {
	if c := w.constantOf(l, t); c != nil {
		if types.Identical(c.Type(), t) {
			return Primary(w.Object(c))
		}
		return w.typed(Primary(w.Object(c)), types.Int, t, ctx)
	}
	if flags := load.FlagsOf(t); len(flags) > 0 && types.Identical(flags[0].Type(), t) {
		if e, ok := w.FlagSet(l, flags); ok {
			return e
		}
	}
	switch l.Kind {
	case testcase.LitBool:
		return w.typed(Primary(strconv.FormatBool(l.Bits != 0)), types.Bool, t, ctx)
	case testcase.LitInt:
		return w.intLiteral(int64(l.Bits), t, ctx)
	case testcase.LitUint:
		return w.uintLiteral(l.Bits, t, ctx)
	case testcase.LitFloat:
		return w.floatLiteral(FloatOf(l.Bits, t), t, ctx)
	case testcase.LitComplex:
		return w.complexLiteral(l, t, ctx)
	case testcase.LitString:
		return w.stringLiteral(l.Str, t, ctx)
	}
	panic("bug: gofile: a literal of kind " + strconv.Itoa(int(l.Kind)))
}

// constantOf returns the constant of the named type t that has the value l, or nil if there is none. An enumeration's names read better than its
// numbers.
func (w *Writer) constantOf(l testcase.Literal, t types.Type) *types.Const {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || load.IsNamed(t, "time", "Duration") {
		return nil
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
		return nil
	}
	var best *types.Const
	for _, c := range load.ConstantsOf(n) {
		if c.Val().Kind() != want.Kind() || !w.Reachable(c) {
			continue
		}
		if constant.Compare(c.Val(), token.EQL, want) && (best == nil || c.Pos() < best.Pos()) {
			best = c
		}
	}
	return best
}

// FlagSet returns a set of flags as people write it: FlagA | FlagB. It returns false for the empty set, for a set with bits
// that none of the flags stands for, and if a test cannot name a flag.
func (w *Writer) FlagSet(l testcase.Literal, flags []*types.Const) (Expr, bool) {
	rest := l.Bits
	var names []string
	for _, f := range flags {
		bit, _ := constant.Uint64Val(constant.ToInt(f.Val()))
		if rest&bit == 0 {
			continue
		}
		if !w.Reachable(f) {
			return Expr{}, false
		}
		rest &^= bit
		names = append(names, w.Object(f))
	}
	if len(names) == 0 || rest != 0 {
		return Expr{}, false
	}
	if len(names) == 1 {
		return Primary(names[0]), true
	}
	return Expr{Text: strings.Join(names, " | "), Prec: Binary}, true
}

// intLiteral returns a signed integer.
func (w *Writer) intLiteral(v int64, t, ctx types.Type) Expr {
	b := Basic(t)
	if load.IsNamed(t, "time", "Duration") {
		return w.duration(v, t, ctx)
	}
	if b.Kind() == types.Int32 && b.Name() == "rune" && v >= 0 && v <= unicode.MaxRune && showsAsRune(rune(v)) {
		return w.typed(Primary(strconv.QuoteRune(rune(v))), types.Int32, t, ctx)
	}
	if b.Kind() == types.Int32 && b.Name() == "rune" && v >= utf8.RuneSelf && v <= unicode.MaxRune && utf8.ValidRune(rune(v)) {
		return w.typed(Primary(strconv.QuoteRuneToASCII(rune(v))), types.Int32, t, ctx)
	}
	if b.Kind() == types.Int && (v > math.MaxInt32 || v < math.MinInt32) {
		return w.wideInt(v, t, ctx)
	}
	var e Expr
	switch b.Kind() {
	case types.Int16:
		e = w.besideExtreme(v, math.MinInt16, math.MaxInt16, "Int16", t)
	case types.Int32:
		e = w.besideExtreme(v, math.MinInt32, math.MaxInt32, "Int32", t)
	case types.Int, types.Int64:
		e = w.besideExtreme(v, math.MinInt64, math.MaxInt64, "Int64", t)
	default:
		e = w.besideExtreme(v, -1<<62, 1<<62, "", t)
	}
	return w.typed(e, types.Int, t, ctx)
}

// besideExtreme returns v as min + k or max - k if v is one of the last few values of its type, and as a number
// otherwise.
func (w *Writer) besideExtreme(v, min, max int64, name string, t types.Type) Expr {
	const few = 16
	switch {
	case name == "":
	case v == min:
		return Primary(w.Std("math") + ".Min" + name)
	case v == max:
		return Primary(w.Std("math") + ".Max" + name)
	case v < min+few:
		return Expr{Text: w.Std("math") + ".Min" + name + " + " + strconv.FormatInt(v-min, 10), Prec: Binary}
	case v > max-few:
		return Expr{Text: w.Std("math") + ".Max" + name + " - " + strconv.FormatInt(max-v, 10), Prec: Binary}
	}
	if e, ok := w.beside(v, t); ok {
		return e
	}
	if v < 0 {
		return Expr{Text: strconv.FormatInt(v, 10), Prec: Unary}
	}
	return Decimal(uint64(v))
}

// beside returns v as an exported constant of the package, or as such a constant plus or minus 1: a test that
// passes 65537 does so because 65537 is MaxCapacity + 1. The constants are those of the type, or untyped ones. Small numbers
// are written as they are.
func (w *Writer) beside(v int64, t types.Type) (Expr, bool) {
	const small = 16
	if -small <= v && v <= small {
		return Expr{}, false
	}
	_, named := types.Unalias(t).(*types.Named)
	scope := w.Pkg.Types.Scope()
	for _, d := range []int64{0, 1, -1} {
		var best *types.Const // of several with one value the one that is declared first
		for _, name := range scope.Names() {
			c, ok := scope.Lookup(name).(*types.Const)
			if !ok || !c.Exported() || !types.Identical(c.Type(), types.Typ[types.UntypedInt]) && !(named && types.Identical(c.Type(), t)) {
				continue
			}
			if k, exact := constant.Int64Val(c.Val()); exact && k == v-d && (best == nil || c.Pos() < best.Pos()) {
				best = c
			}
		}
		if best == nil {
			continue
		}
		e := Primary(w.Object(best))
		switch d {
		case 1:
			e = Expr{Text: e.Text + " + 1", Prec: Binary}
		case -1:
			e = Expr{Text: e.Text + " - 1", Prec: Binary}
		}
		return e, true
	}
	if named {
		return w.sum(v, t)
	}
	return Expr{}, false
}

// sum returns v as the sum of two exported constants of its type that are units, the larger one first: Gibibyte + Mebibyte.
func (w *Writer) sum(v int64, t types.Type) (Expr, bool) {
	list := load.ConstantsOf(t)
	slices.SortFunc(list, func(a, b *types.Const) int { return cmp.Compare(a.Pos(), b.Pos()) }) // of several with one value the first
	for _, a := range list {
		for _, b := range list {
			x, exactX := constant.Int64Val(a.Val())
			y, exactY := constant.Int64Val(b.Val())
			if exactX && exactY && a.Exported() && b.Exported() && y > 0 && x/y >= 8 && x < math.MaxInt64-y && x+y == v {
				return Expr{Text: w.Object(a) + " + " + w.Object(b), Prec: Binary}, true
			}
		}
	}
	return Expr{}, false
}

// Decimal returns v as a decimal number, or as a shift if v is a large power of two or a multiple of one.
func Decimal(v uint64) Expr {
	if v >= 1<<17 && v&(v-1) == 0 {
		n := 0
		for v>>n > 1 {
			n++
		}
		return Expr{Text: "1 << " + strconv.Itoa(n), Prec: Binary}
	}
	// Written as 3 << 30 rather than 3221225472.
	if n := bits.TrailingZeros64(v) / 10 * 10; v >= 1<<16 && n > 0 && v>>n < 1000 && v%1000 != 0 {
		return Expr{Text: strconv.FormatUint(v>>n, 10) + " << " + strconv.Itoa(n), Prec: Binary}
	}
	return Primary(strconv.FormatUint(v, 10))
}

// writesHex reports whether the package writes most of its large numbers in hexadecimal, as packages do that
// are about bits: 0x7c00 says what 31744 hides.
func (w *Writer) writesHex() bool {
	if w.hex == nil {
		const large = 256
		hexes, decimals := 0, 0
		for _, f := range w.Pkg.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.INT {
					if v, err := strconv.ParseUint(lit.Value, 0, 64); err == nil && v >= large {
						if strings.HasPrefix(strings.ToLower(lit.Value), "0x") {
							hexes++
						} else {
							decimals++
						}
					}
				}
				return true
			})
		}
		most := hexes > decimals
		w.hex = &most
	}
	return *w.hex
}

// uintLiteral returns an unsigned integer.
func (w *Writer) uintLiteral(v uint64, t, ctx types.Type) Expr {
	if load.IsNamed(t, "io/fs", "FileMode") && v != 0 {
		if e, ok := w.fileMode(v, t, ctx); ok {
			return e
		}
	}
	b := Basic(t)
	if b.Kind() == types.Uint8 && b.Name() == "byte" && v > ' ' && v < 0x7f {
		e := Primary(strconv.QuoteRune(rune(v)))
		if takes(ctx, t) {
			return e
		}
		return w.Convert(t, e)
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
	e := Decimal(v)
	const large = 256
	if max != 0 && v >= large && w.writesHex() {
		e = Primary(fmt.Sprintf("%#x", v))
	}
	if max != 0 && v == max {
		e = Primary(w.Std("math") + ".Max" + UpperFirst(b.Name()))
	} else if max != 0 && v > max-16 {
		e = Expr{Text: w.Std("math") + ".Max" + UpperFirst(b.Name()) + " - " + strconv.FormatUint(max-v, 10), Prec: Binary}
	}
	if takes(ctx, t) {
		return e
	}
	return w.Convert(t, e)
}

// duration returns a time.Duration in its largest whole unit, or as a sum of units if a reader could not make anything of
// so large a number.
func (w *Writer) duration(v int64, t, ctx types.Type) Expr {
	units := []struct {
		name string
		size int64
	}{{"Hour", 3600e9}, {"Minute", 60e9}, {"Second", 1e9}, {"Millisecond", 1e6}, {"Microsecond", 1e3}, {"Nanosecond", 1}}
	if v == 0 || v == math.MinInt64 || v == math.MaxInt64 {
		return w.typed(w.besideExtreme(v, math.MinInt64, math.MaxInt64, "Int64", t), types.Int, t, ctx)
	}
	part := func(n int64, unit string) string {
		if n == 1 {
			return w.Std("time") + "." + unit
		}
		return strconv.FormatInt(n, 10) + " * " + w.Std("time") + "." + unit
	}
	const large = 10_000
	for _, u := range units {
		if n := v / u.size; v%u.size == 0 && -large < n && n < large {
			return Expr{Text: part(n, u.name), Prec: precOf(n)}
		}
	}
	var parts []string
	sign := int64(1)
	if v < 0 {
		sign = -1
	}
	for rest, i := v, 0; rest != 0; i++ {
		if n := rest / units[i].size; n != 0 {
			parts = append(parts, part(n*sign, units[i].name))
			rest %= units[i].size
		}
	}
	sum := strings.Join(parts, " + ")
	switch {
	case v > 0:
		return Expr{Text: sum, Prec: Binary}
	case len(parts) == 1:
		return Expr{Text: "-" + sum, Prec: Binary}
	}
	return Expr{Text: "-(" + sum + ")", Prec: Binary}
}

// precOf returns the precedence of so many of a unit: of one the unit alone is written.
func precOf(n int64) precedence {
	if n == 1 {
		return primary
	}
	return Binary
}

// FloatOf returns the float of a literal or value of type t.
func FloatOf(bits uint64, t types.Type) float64 {
	if b := Basic(t); b != nil && (b.Kind() == types.Float32 || b.Kind() == types.Complex64) {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// floatLiteral returns a floating-point number.
func (w *Writer) floatLiteral(v float64, t, ctx types.Type) Expr {
	e, constant := w.float(v, IsBasic32(t), !takes(ctx, t))
	if constant && takes(ctx, t) || types.Identical(t, types.Typ[types.Float64]) {
		return e
	}
	return w.Convert(t, e)
}

// IsBasic32 reports whether t is a float32 or complex64.
func IsBasic32(t types.Type) bool {
	b := Basic(t)
	return b != nil && (b.Kind() == types.Float32 || b.Kind() == types.Complex64)
}

// float returns the number as an untyped constant, or as an expression of type float64 if no constant denotes
// it. The parameter point asks for a constant that is no integer.
func (w *Writer) float(v float64, is32, point bool) (e Expr, constant bool) {
	switch {
	case math.IsNaN(v):
		return Primary(w.Std("math") + ".NaN()"), false
	case math.IsInf(v, 1):
		return Primary(w.Std("math") + ".Inf(1)"), false
	case math.IsInf(v, -1):
		return Primary(w.Std("math") + ".Inf(-1)"), false
	case v == 0 && math.Signbit(v):
		return Primary(w.Std("math") + ".Copysign(0, -1)"), false
	}
	sign, abs := "", math.Abs(v)
	prec := primary
	if v < 0 {
		sign, prec = "-", Unary
	}
	switch {
	case !is32 && abs == math.MaxFloat64:
		return Expr{Text: sign + w.Std("math") + ".MaxFloat64", Prec: prec}, true
	case !is32 && abs == math.SmallestNonzeroFloat64:
		return Expr{Text: sign + w.Std("math") + ".SmallestNonzeroFloat64", Prec: prec}, true
	case is32 && abs == math.MaxFloat32:
		return Expr{Text: sign + w.Std("math") + ".MaxFloat32", Prec: prec}, true
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
	if digits := strings.TrimRight(s, "0"); len(digits) == 1 && len(s) > 5 {
		s = digits + "e" + strconv.Itoa(len(s)-1) // nobody counts five zeros
	}
	if point && !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return Expr{Text: sign + s, Prec: prec}, true
}

// complexLiteral returns a complex number.
func (w *Writer) complexLiteral(l testcase.Literal, t, ctx types.Type) Expr {
	re, reConst := w.float(FloatOf(l.Bits, t), IsBasic32(t), false)
	im, imConst := w.float(FloatOf(l.Imag, t), IsBasic32(t), false)
	e := Primary("complex(" + re.Text + ", " + im.Text + ")")
	if reConst && imConst {
		e = Expr{Text: re.Text + " + " + im.Text + "i", Prec: Binary}
		if im.Prec == Unary {
			e.Text = re.Text + " - " + im.Text[1:] + "i"
		}
		if strings.Contains(im.Text, "math") { // an i cannot follow a name
			e = Primary("complex(" + re.Text + ", " + im.Text + ")")
		}
	}
	if reConst && imConst && takes(ctx, t) || types.Identical(t, types.Typ[types.Complex128]) {
		return e
	}
	return w.Convert(t, e)
}

// stringLiteral returns a string.
func (w *Writer) stringLiteral(s string, t, ctx types.Type) Expr {
	e, constant := w.str(s)
	if constant && takes(ctx, t) || types.Identical(t, types.Typ[types.String]) {
		return e
	}
	return w.Convert(t, e)
}

// str returns the string as a constant, or as an expression with strings.Repeat if the string is long and
// regular.
func (w *Writer) str(s string) (e Expr, constant bool) {
	if readsInLines(s) {
		return Primary("`" + s + "`"), true
	}
	if text, ok := lineByLine(s); ok {
		return Expr{Text: text, Prec: Binary}, true
	}
	q := Quote(s)
	const long, longRun = 64, 32
	if len(s) <= longRun || len(s) <= long && s != strings.Repeat(s[:1], len(s)) {
		return Primary(q), true
	}
	// The text is one short word repeated, perhaps with a part of it at the end, or has long runs of one byte.
	for n := 1; n <= longestWord && 2*n <= len(s); n++ {
		word, rest := s[:n], s[len(s)/n*n:]
		if s[n:] != s[:len(s)-n] || !utf8.ValidString(word) && utf8.ValidString(s) {
			continue
		}
		times := w.Std("strings") + ".Repeat(" + Quote(word) + ", " + strconv.Itoa(len(s)/n) + ")"
		if rest == "" {
			return Primary(times), false
		}
		return Expr{Text: times + " + " + Quote(rest), Prec: Binary}, false
	}
	var parts []string
	for rest := s; rest != ""; {
		i, n := firstRun(rest)
		if i > 0 {
			parts = append(parts, Quote(rest[:i]))
		}
		if n > 0 {
			parts = append(parts, w.Std("strings")+".Repeat("+Quote(rest[i:i+1])+", "+strconv.Itoa(n)+")")
		}
		rest = rest[i+n:]
	}
	if text := strings.Join(parts, " + "); len(text) < len(q)*2/3 {
		return Expr{Text: text, Prec: Binary}, false
	}
	return Primary(q), true
}

// longestWord is how long a word may be whose repetition is written by strings.Repeat: as long as the alphabet.
const longestWord = 26

// isUnreadable reports whether nobody would read a text in a test: it is longer than a screen, and does not repeat itself.
func isUnreadable(s string) bool {
	const most = 1500
	if len(s) <= most {
		return false
	}
	for n := 1; n <= longestWord; n++ {
		if s[n:] == s[:len(s)-n] {
			return false
		}
	}
	left := 0 // bytes outside of runs
	for rest := s; rest != ""; {
		i, n := firstRun(rest)
		left, rest = left+i, rest[i+n:]
	}
	return left > most
}

// Ends returns how a text begins and how it ends, which is what tests compare of a text that nobody would read as a whole: at most so much as
// fits on a line, whole characters, and no part of a further line.
func Ends(s string) (first, last string) {
	const most = 60
	for n := min(most, len(s)); n >= 0; n-- {
		if n == len(s) || utf8.RuneStart(s[n]) {
			first = s[:n]
			break
		}
	}
	for n := max(0, len(s)-most); n <= len(s); n++ {
		if n == len(s) || utf8.RuneStart(s[n]) {
			last = s[n:]
			break
		}
	}
	if line, _, more := strings.Cut(first, "\n"); more && strings.TrimSpace(line) != "" {
		first = line + "\n"
	}
	body := strings.TrimRight(last, "\n")
	if i := strings.LastIndexByte(body, '\n'); i >= 0 && strings.TrimSpace(body[i:]) != "" {
		last = last[i+1:]
	}
	return first, last
}

// lineByLine returns a text of several lines as the sum of its lines, if each line is short enough to be read. It is for texts
// that a raw literal would not show, because they have spaces at the ends of lines.
func lineByLine(s string) (string, bool) {
	const fewest, longest = 3, 100
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) < fewest || fitsRow(s) || !utf8.ValidString(s) || len(s) < fewest*8 {
		return "", false
	}
	for i, line := range lines {
		if lines[i] = Quote(line); len(lines[i]) > longest {
			return "", false
		}
	}
	return strings.Join(lines, " +\n"), true
}

// readsInLines reports whether a text is written line by line, as it is, in a raw literal: it has several lines, no long run of one
// character, nothing that the source would hide, and more than fits into a row of a table.
func readsInLines(s string) bool {
	const fewest = 3 // line feeds
	_, run := firstRun(s)
	if run > 0 || fitsRow(s) || strings.Count(s, "\n") < fewest || !utf8.ValidString(s) || strings.Contains(s, " \n") || strings.HasSuffix(s, " ") {
		return false
	}
	indented := strings.ReplaceAll(s, "\n\t", "\n") // a tab shows where a line begins with it
	for was := ""; was != indented; {
		was, indented = indented, strings.ReplaceAll(indented, "\n\t", "\n")
	}
	return !strings.ContainsFunc(indented, func(r rune) bool { return r == '`' || r != '\n' && !unicode.IsPrint(r) })
}

// fitsRow reports whether a text of several lines is short and plain enough for a row of a table, with its line feeds as \n.
func fitsRow(s string) bool {
	const row = 40 // bytes of a literal
	return len(s) <= row && len(strconv.Quote(s)) <= row && !strings.ContainsAny(s, "\"\\")
}

// firstRun returns the beginning and the length of the first run of at least 32 equal ASCII bytes. If there is
// no such run, it returns len(s) and 0.
func firstRun(s string) (start, n int) {
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

// OneLine returns the first line of a text, with dots in place of what follows the line or its first n bytes. No character
// is cut in two.
func OneLine(text string, n int) string {
	text, _, cut := strings.Cut(text, "\n")
	if cut || len(text) > n {
		for n = min(n, len(text)); n > 0 && text[n-1]&0xc0 == 0x80; n-- {
		}
		return text[:n] + "..."
	}
	return text
}

// Quote returns s as a string literal. It uses backquotes if they save escapes.
func Quote(s string) string {
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
