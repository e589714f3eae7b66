package plain

import (
	"cmp"
	"go/types"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Distinct returns the sequence of a case with a different value for each literal that looks as if
// nobody chose it.
func Distinct(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return rewrite(pkg, c, distinct(whole)(pkg, c), nil)
}

// True is a way that passes true to the case's own call in place of false, which is what an option is when nobody sets it.
func True(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	meant, own := meantAsTheyAre(pkg, c.Seq), feeds(c)
	stmts, changed := slices.Clone(c.Seq.AppendTo(nil)), false
	for i, st := range stmts {
		b, ok := st.Op.Type.(*types.Basic)
		if ok && b.Kind() == types.Bool && own[i] && !meant[i] && (st.Op.Kind == testcase.OpZero || st.Op.Kind == testcase.OpLiteral && st.Op.Lit.Bits == 0) {
			stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: st.Op.Type, Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}}
			changed = true
		}
	}
	return testcase.NewSequence(stmts...), changed
}

// large returns a way that replaces the n-th integer argument of the case's own call, if it looks
// unchosen, by a number that uses all its digits.
func large(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		meant, own, held := meantAsTheyAre(pkg, c.Seq), feeds(c), heldAsAnything(c.Seq)
		seen := 0
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if meant[i] || !own[i] || held[i] || !isSmall(pkg, op) {
				continue // what may be anything is not cut into bits
			}
			if seen++; seen <= n {
				continue
			}
			digits := int64(1234567890123456789)
			switch op.Type.Underlying().(*types.Basic).Kind() {
			case types.Int16, types.Uint16:
				digits = 12345
			case types.Int32, types.Uint32:
				digits = 123456789
			}
			stmts := slices.Clone(c.Seq.AppendTo(nil))
			stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: numeral(op.Type, digits, whole)}
			return testcase.NewSequence(stmts...), true
		}
		return nil, false
	}
}

// isSmall reports whether an operation makes a small integer that nobody chose, of a type that also has large
// values.
func isSmall(pkg *load.Package, op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil || isDuration(op.Type) {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || b.Kind() == types.Int8 || !changeable(pkg, &testcase.Operation{Kind: testcase.OpZero, Type: op.Type}) {
		return false
	}
	v := int64(op.Lit.Bits)
	return 0 <= v && v <= primes[len(primes)-1]
}

// Bounds of how many literals of a case are changed one by one.
const (
	mostLiterals = 5 // constants
	mostLists    = 2 // lists of bytes, and lists of other constants
)

// alone returns a way that changes only one literal: the n-th among the literals that nobody chose.
func alone(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		equal := make(map[testcase.Literal]int)
		for i := range c.Seq.Len() {
			if op := c.Seq.At(i).Op; op.Kind == testcase.OpLiteral {
				equal[op.Lit]++
			}
		}
		at, seen := -1, 0
		meant := meantAsTheyAre(pkg, c.Seq)
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if meant[i] || !changeable(pkg, op) {
				continue
			}
			if seen == n {
				at = i
				break
			}
			seen++
		}
		if at < 0 {
			return nil, false
		}
		fresh := distinct(whole)(pkg, c)
		unused := func(op *testcase.Operation, name string) testcase.Literal {
			lit := fresh(op, name)
			for range primes {
				if equal[lit] == 0 {
					break
				}
				lit = fresh(op, name)
			}
			return lit
		}
		return rewrite(pkg, c, unused, func(i int) bool { return i == at })
	}
}

// A choice returns the literal that takes the place of another one. name is the name of the parameter or
// field that the literal is for, or "" if there is none.
type choice func(op *testcase.Operation, name string) testcase.Literal

// rewrite returns the case's sequence with new literals in place of those that only accepts. Zero structs with plain
// constants become composite literals first, so that they have fields to change.
func rewrite(pkg *load.Package, c *testcase.Case, choose choice, only func(stmt int) bool) (*testcase.Sequence, bool) {
	names := parameterNames(c.Seq)
	meant := meantAsTheyAre(pkg, c.Seq)
	index := make([]int, c.Seq.Len())
	var out []testcase.Statement
	changed := false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		args := make([]testcase.Ref, len(st.Args))
		for k, a := range st.Args {
			args[k] = testcase.Ref{Stmt: index[a.Stmt], Result: a.Result}
		}
		op := st.Op
		switch {
		case only != nil && !only(i) || meant[i]:
		case changeable(pkg, op):
			lit := choose(op, names[i])
			changed = changed || lit != op.Lit || op.Kind == testcase.OpZero
			op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		case (op.Kind == testcase.OpZero || op.Kind == testcase.OpComposite && len(st.Args) == 0) && fillable(pkg, op.Type):
			filled := fill(pkg, op.Type, &out, choose)
			op, args, changed = filled.Op, filled.Args, true
		}
		index[i] = len(out)
		out = append(out, testcase.Statement{Op: op, Args: args})
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(out...), true
}

// fill appends statements that make the fields of a fillable struct, and returns the struct. Fields of other types stay zero.
func fill(pkg *load.Package, t types.Type, out *[]testcase.Statement, choose choice) testcase.Statement {
	op := &testcase.Operation{Kind: testcase.OpComposite, Type: t}
	var args []testcase.Ref
	u := t.Underlying().(*types.Struct)
	for i := range u.NumFields() {
		f := u.Field(i)
		if !f.Exported() {
			continue
		}
		zero := &testcase.Operation{Kind: testcase.OpZero, Type: f.Type()}
		var st testcase.Statement
		switch {
		case changeable(pkg, zero):
			st = testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: f.Type(), Lit: choose(zero, qualified(t, f))}}
		case fillable(pkg, f.Type()):
			st = fill(pkg, f.Type(), out, choose)
		default:
			continue
		}
		op.Elems, args = append(op.Elems, i), append(args, testcase.Ref{Stmt: len(*out)})
		*out = append(*out, st)
	}
	if len(args) == u.NumFields() {
		op.Elems = nil
	}
	return testcase.Statement{Op: op, Args: args}
}

// meantAsTheyAre returns the statements whose values have to stay. These are values to which another package
// gives a meaning (time.Unix takes seconds), sets of flags, and elements of long lists, because different elements there
// would distract the reader.
func meantAsTheyAre(pkg *load.Package, s *testcase.Sequence) map[int]bool {
	const longList = 6
	out := foreignArguments(pkg, s)
	for i := range flagArguments(pkg, s) {
		out[i] = true
	}
	for i := range unread(pkg, s) {
		out[i] = true
	}
	for i := range s.Len() {
		if st := s.At(i); st.Op.Kind == testcase.OpComposite && len(st.Args) > longList {
			for _, a := range st.Args {
				out[a.Stmt] = true
			}
		}
	}
	return out
}

// foreignArguments returns the statements whose results are passed to functions of other packages, because
// values have a meaning there.
func foreignArguments(pkg *load.Package, s *testcase.Sequence) map[int]bool {
	out := make(map[int]bool)
	for i := range s.Len() {
		st := s.At(i)
		if st.Op.Func != nil && (st.Op.Func.Pkg() == nil || st.Op.Func.Pkg().Path() != pkg.Path) {
			for _, a := range st.Args {
				out[a.Stmt] = true
			}
		}
	}
	return out
}

// changeable reports whether an operation makes a constant that looks as if nobody chose it.
func changeable(pkg *load.Package, op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
		return false
	}
	b, ok := op.Type.Underlying().(*types.Basic)
	if !ok || IsEnumeration(pkg, op.Type) && !isDuration(op.Type) || b.Kind() == types.Uint8 || b.Kind() == types.Uintptr || b.Kind() == types.UnsafePointer {
		return false
	}
	const small = 2
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return len(op.Lit.Str) <= 1
	case info&types.IsUnsigned != 0:
		return op.Lit.Bits <= small
	case info&types.IsInteger != 0:
		v := int64(op.Lit.Bits)
		return -small <= v && v <= small
	case info&types.IsFloat != 0:
		v := number(op)
		return math.Abs(v) <= small && !(v == 0 && math.Signbit(v))
	case info&types.IsComplex != 0:
		return math.Abs(number(op)) <= small && op.Lit.Imag == 0
	}
	return false
}

// isDuration reports whether a type is time.Duration. Durations are changed although the type is another
// package's: any duration will do, as long as a test that waits for it is fast.
func isDuration(t types.Type) bool { return load.IsNamed(t, "time", "Duration") }

// IsEnumeration reports whether several constants of a type are declared, because then each value of the type has a
// meaning. It also returns true for types of other packages that are neither numbers nor texts, whose values have meanings as well.
func IsEnumeration(pkg *load.Package, t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	b, basic := n.Underlying().(*types.Basic)
	isConstant := basic && b.Info()&(types.IsNumeric|types.IsString) != 0
	if n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != pkg.Path && !isConstant {
		return true
	}
	return len(load.ConstantsOf(n)) >= fewestConstants
}

// fillable reports whether a type is a struct of the package that users fill: some of its exported fields, but not many, are
// plain constants or fillable themselves.
func fillable(pkg *load.Package, t types.Type) bool {
	const mostFields = 8
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != pkg.Path {
		return false
	}
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	filled := 0
	for f := range s.Fields() {
		if !f.Exported() {
			continue
		}
		if changeable(pkg, &testcase.Operation{Kind: testcase.OpZero, Type: f.Type()}) || fillable(pkg, f.Type()) {
			filled++
		}
	}
	return filled > 0 && filled <= mostFields
}

// parameterNames returns, for each statement, the name of the first parameter that its result is passed as, or of
// the field that the result is in a struct literal.
func parameterNames(s *testcase.Sequence) []string {
	names, _ := namesOf(s)
	return names
}

// namesOf returns what parameterNames does, and for each statement whether the name is that of a field.
func namesOf(s *testcase.Sequence) (out []string, fields []bool) {
	out, fields = make([]string, s.Len()), make([]bool, s.Len())
	name := func(a testcase.Ref, as string) {
		if out[a.Stmt] == "" {
			out[a.Stmt] = as
		}
	}
	for i := range s.Len() {
		st := s.At(i)
		args := st.Args
		switch st.Op.Kind {
		case testcase.OpComposite:
			if u, ok := st.Op.Type.Underlying().(*types.Struct); ok {
				for k, a := range args {
					if st.Op.Elems != nil {
						k = st.Op.Elems[k]
					}
					fields[a.Stmt] = fields[a.Stmt] || out[a.Stmt] == ""
					name(a, qualified(st.Op.Type, u.Field(k)))
				}
			}
			continue
		case testcase.OpMethod:
			if recv := st.Op.Func.Signature().Recv(); recv != nil {
				name(args[0], typeName(recv.Type()))
			}
			args = args[1:]
		case testcase.OpFunc:
			if key, value, ok := setsVariable(s, st); ok {
				name(value, key)
				continue
			}
		default:
			continue
		}
		params := st.Op.Signature().Params()
		for k, a := range args {
			if p := min(k, params.Len()-1); p >= 0 {
				name(a, saysTexts(params.At(p)))
			}
		}
	}
	return out, fields
}

// saysTexts returns what says which texts a parameter takes: its name, or that of its type where the name says nothing.
func saysTexts(p *types.Var) string {
	if of := typeName(p.Type()); everyday.TextsFor(p.Name(), false) == nil && everyday.TextsFor(of, false) != nil {
		return of
	}
	return p.Name()
}

// typeName returns the name of a type of texts, "" if it has none.
func typeName(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	if b, ok := n.Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return ""
	}
	return n.Obj().Name()
}

// setsVariable returns the name and the value of the variable of the environment that a statement sets, and false if it sets
// none.
func setsVariable(s *testcase.Sequence, st testcase.Statement) (key string, value testcase.Ref, ok bool) {
	if st.Op.Via == nil || st.Op.Via.Method != "Setenv" || len(st.Args) < 2 {
		return "", testcase.Ref{}, false
	}
	of, value := s.At(st.Args[len(st.Args)-2].Stmt).Op, st.Args[len(st.Args)-1]
	return strings.ToLower(of.Lit.Str), value, of.Kind == testcase.OpLiteral && of.Lit.Str != ""
}

// ownArguments returns a function that reports whether only the case's own call uses the result of a
// statement.
func ownArguments(c *testcase.Case) func(int) bool {
	target := c.TargetStmt()
	used := make(map[int]bool)
	for i := range c.Seq.Len() {
		for _, a := range c.Seq.At(i).Args {
			if i != target {
				used[a.Stmt] = true
			}
		}
	}
	return func(i int) bool {
		return !used[i] && slices.ContainsFunc(c.Seq.At(target).Args, func(a testcase.Ref) bool { return a.Stmt == i })
	}
}

// primes are easy to read, and no sum of two of these numbers is the double of a third.
var primes = [...]int64{3, 5, 7, 11, 13, 17, 19, 23}

// durations are short enough for a test to wait for them, and stand in the order of primes. Rates computed
// from these durations are whole numbers.
var durations = [len(primes)]time.Duration{
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond,
	5 * time.Millisecond, 25 * time.Millisecond, 40 * time.Millisecond, 80 * time.Millisecond,
}

// Fractions are subtracted from whole numbers to make floats. A fraction shows where code cuts it off. Both
// fractions are exact in binary.
const (
	whole = 0
	half  = 0.5
)

// distinct returns a choice that gives each literal a different value.
func distinct(fraction float64) func(*load.Package, *testcase.Case) choice {
	return func(pkg *load.Package, _ *testcase.Case) choice {
		numbers, texts := 0, map[string]bool{}
		return func(op *testcase.Operation, name string) testcase.Literal {
			b := op.Type.Underlying().(*types.Basic)
			if b.Info()&types.IsString != 0 {
				return text(pkg, name, texts)
			}
			numbers++
			return numeral(op.Type, primes[(numbers-1)%len(primes)], fraction)
		}
	}
}

// ordered returns a choice that keeps the order of numbers and their equality, and leaves gaps.
func ordered(fraction float64) func(*load.Package, *testcase.Case) choice {
	return func(pkg *load.Package, c *testcase.Case) choice { return orderedBy(fraction, pkg, c) }
}

func orderedBy(fraction float64, pkg *load.Package, c *testcase.Case) choice {
	var values []float64
	for i := range c.Seq.Len() {
		if op := c.Seq.At(i).Op; changeable(pkg, op) && op.Type.Underlying().(*types.Basic).Info()&types.IsString == 0 {
			values = append(values, number(op))
		}
	}
	slices.SortFunc(values, cmp.Compare[float64])
	values = slices.Compact(values)
	texts := map[string]bool{}
	words := map[string]testcase.Literal{}
	return func(op *testcase.Operation, name string) testcase.Literal {
		b := op.Type.Underlying().(*types.Basic)
		if b.Info()&types.IsString != 0 {
			if _, ok := words[op.Lit.Str]; !ok {
				words[op.Lit.Str] = text(pkg, name, texts)
			}
			return words[op.Lit.Str]
		}
		rank := int64(max(0, slices.Index(values, number(op))))
		return numeral(op.Type, 2*(rank+1), fraction)
	}
}

// number returns the value of a numeric constant.
func number(op *testcase.Operation) float64 {
	b := op.Type.Underlying().(*types.Basic)
	switch {
	case op.Kind == testcase.OpZero:
		return 0
	case b.Info()&types.IsUnsigned != 0:
		return float64(op.Lit.Bits)
	case b.Info()&types.IsInteger != 0:
		return float64(int64(op.Lit.Bits))
	case b.Kind() == types.Float32, b.Kind() == types.Complex64: // the real part
		return float64(math.Float32frombits(uint32(op.Lit.Bits)))
	}
	return math.Float64frombits(op.Lit.Bits)
}

// numeral returns a number as a constant of a type. If the type is a float, the fraction is subtracted; of a complex number the
// imaginary part is one less.
func numeral(t types.Type, n int64, fraction float64) testcase.Literal {
	b := t.Underlying().(*types.Basic)
	switch {
	case isDuration(t):
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(durations[max(0, slices.Index(primes[:], n))])}
	case b.Name() == "rune":
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64('a' + n)}
	case b.Info()&types.IsUnsigned != 0:
		return testcase.Literal{Kind: testcase.LitUint, Bits: uint64(n)}
	case b.Info()&types.IsInteger != 0:
		return testcase.Literal{Kind: testcase.LitInt, Bits: uint64(n)}
	case b.Kind() == types.Float32:
		return testcase.Literal{Kind: testcase.LitFloat, Bits: uint64(math.Float32bits(float32(float64(n) - fraction)))}
	case b.Kind() == types.Complex64:
		return testcase.Literal{Kind: testcase.LitComplex, Bits: uint64(math.Float32bits(float32(n))), Imag: uint64(math.Float32bits(float32(n - 1)))}
	case b.Info()&types.IsComplex != 0:
		return testcase.Literal{Kind: testcase.LitComplex, Bits: math.Float64bits(float64(n)), Imag: math.Float64bits(float64(n - 1))}
	}
	return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(n) - fraction)}
}

// text returns a word for a parameter. No other literal has got the word so far.
func text(pkg *load.Package, name string, taken map[string]bool) testcase.Literal {
	words := textsOfField(pkg, name, false)
	if len(words) == 0 {
		words = []string{"abc"}
	}
	word := words[0]
	for _, w := range slices.Concat(words, []string{"def", "ghi", "jkl", "mno"}) {
		if !taken[w] {
			taken[w] = true
			return testcase.Literal{Kind: testcase.LitString, Str: w}
		}
	}
	return testcase.Literal{Kind: testcase.LitString, Str: word}
}
