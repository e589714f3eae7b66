package plain

import (
	"go/constant"
	"go/types"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Enumerated returns ways that pass declared constants in place of values that a type with constants does not have:
// time.February for the month 0, IPv6 for the family "". Equal values stay equal. The ways begin with different constants.
func Enumerated(first int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) { return enumerated(pkg, c, first) }
}

func enumerated(pkg *load.Package, c *testcase.Case, first int) (*testcase.Sequence, bool) {
	foreign := foreignArguments(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	given := make(map[string]*testcase.Operation)
	for i, st := range stmts {
		op := st.Op
		if foreign[i] || isDeclared(op) {
			continue
		}
		declared := declaredLiterals(op.Type)
		key := types.TypeString(op.Type, nil) + " " + op.Lit.Text(op.Type)
		if given[key] == nil {
			n := declared[(len(given)+first+1)%len(declared)] // the first constant is often the zero value
			given[key] = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: n}
		}
		stmts[i].Op = given[key]
	}
	if len(given) == 0 {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// isDeclared reports whether an operation makes no constant of a type with several declared ones, or one of these.
func isDeclared(op *testcase.Operation) bool {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Choice != nil {
		return true
	}
	declared := declaredLiterals(op.Type)
	return len(declared) < fewestConstants || slices.ContainsFunc(declared, func(l testcase.Literal) bool {
		return l.Str == op.Lit.Str && l.Bits == op.Lit.Bits
	})
}

// declaredLiterals returns the constants that are declared for a type of integers or texts in its package: integers in ascending
// order, texts in the order of the constants' names. A text without letters or digits is none of several, but a special one.
func declaredLiterals(t types.Type) []testcase.Literal {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	var out []testcase.Literal
	switch {
	case b.Info()&types.IsInteger != 0:
		for _, n := range constantsOf(t) {
			if lit, ok := testcase.IntLiteral(b, n); ok {
				out = append(out, lit)
			}
		}
	case b.Info()&types.IsString != 0:
		for _, c := range load.ConstantsOf(t) {
			if text := constant.StringVal(c.Val()); strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
				out = append(out, testcase.Literal{Kind: testcase.LitString, Str: text})
			}
		}
	}
	return out
}

// MixedUnits is a way that passes the sum of a unit and the next smaller one in place of a unit and one: Gibibyte + Mebibyte
// where Gibibyte + 1 shows as much. With one alone, code that takes the wrong unit often returns the same.
func MixedUnits(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	const times = 8 // how much larger the next unit is, at least
	foreign := foreignArguments(pkg, c.Seq)
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, st := range stmts {
		op := st.Op
		if foreign[i] || op.Kind != testcase.OpLiteral || op.Lit.Kind != testcase.LitInt {
			continue
		}
		units := constantsOf(op.Type)
		at, found := slices.BinarySearch(units, int64(op.Lit.Bits)-1)
		if !found || at == 0 || units[at-1] <= 0 || units[at]/units[at-1] < times {
			continue
		}
		lit, fits := testcase.IntLiteral(op.Type.Underlying().(*types.Basic), units[at]+units[at-1])
		if fits {
			stmts[i].Op, changed = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}, true
		}
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// Bounds of the constants of a type for which [EachConstant] makes a call each. Two are told apart by the tests that
// cover both ways through a function.
const fewestEach, mostEach, mostChoices = 3, 10, 12

// EachConstant returns sequences of a case whose call takes one value of a type with constants of the package: one
// sequence for each of these constants, and one for a part of a unit if the constants are units.
func EachConstant(pkg *load.Package, c *testcase.Case) []*testcase.Sequence {
	at, ok := ConstantArgument(pkg, c)
	if !ok {
		return nil
	}
	op := c.Seq.At(at).Op
	with := func(lit testcase.Literal) *testcase.Sequence {
		stmts := slices.Clone(c.Seq.AppendTo(nil))
		stmts[at].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		return testcase.NewSequence(stmts...)
	}
	var out []*testcase.Sequence
	b := op.Type.Underlying().(*types.Basic)
	if b.Info()&types.IsString != 0 {
		for _, lit := range declaredLiterals(op.Type) {
			out = append(out, with(lit))
		}
		return out
	}
	values := constantsOf(op.Type)
	if flags := flagArguments(pkg, c.Seq)[at]; len(flags) > 0 {
		values = []int64{0}
		for _, f := range flags {
			values = append(values, int64(bitOf(f)))
		}
	} else if choices := pkg.Literals.ChoicesOf(c.Seq.Places()[at]); len(choices) > 0 {
		values = choices
	} else if half, ok := halfUnit(values); ok {
		values = append(slices.Clone(values), half)
	}
	for _, n := range values {
		if lit, fits := testcase.IntLiteral(b, n); fits {
			out = append(out, with(lit))
		}
	}
	return out
}

// halfUnit returns one and a half of the second unit, if constants are units: each one many times the next smaller one. With whole
// units alone nobody sees what becomes of fractions.
func halfUnit(units []int64) (int64, bool) {
	const times = 8
	if len(units) < fewestEach || units[0] <= 0 {
		return 0, false
	}
	for i, n := range units[1:] {
		if n/units[i] < times || n%units[i] != 0 {
			return 0, false
		}
	}
	return units[1] + units[1]/2, true
}

// ConstantArgument returns the statement that makes the only argument of a case's call, or field of a struct that it is
// passed, whose type is one of the package's with a few constants, which the code compares with such constants, or that is a set of
// flags. It returns false if there is none, or if there are several.
func ConstantArgument(pkg *load.Package, c *testcase.Case) (int, bool) {
	at, found := 0, 0
	flags := flagArguments(pkg, c.Seq)
	places := c.Seq.Places()
	for _, a := range withFieldsOf(c.Seq, c.Seq.At(c.TargetStmt()).Args) {
		op := c.Seq.At(a.Stmt).Op
		if n := len(flags[a.Stmt]); n > 0 && n <= mostEach {
			at, found = a.Stmt, found+1
			continue
		}
		if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
			continue
		}
		if n := len(pkg.Literals.ChoicesOf(places[a.Stmt])); n >= fewestEach && n <= mostChoices && types.Identical(op.Type, places[a.Stmt].Type()) {
			at, found = a.Stmt, found+1
			continue
		}
		b, ok := op.Type.Underlying().(*types.Basic)
		named := load.NamedOf(op.Type)
		if !ok || b.Info()&(types.IsInteger|types.IsString) == 0 || named == nil || named.Obj().Pkg() != pkg.Types {
			continue
		}
		if n := len(declaredLiterals(op.Type)); n >= fewestEach && n <= mostEach {
			at, found = a.Stmt, found+1
		}
	}
	return at, found == 1
}

// withFieldsOf returns arguments, and the fields of those that are written as structs.
func withFieldsOf(s *testcase.Sequence, args []testcase.Ref) []testcase.Ref {
	out := slices.Clone(args)
	for _, a := range args {
		st := s.At(a.Stmt)
		if st.Op.Kind == testcase.OpAddr {
			st = s.At(st.Args[0].Stmt)
		}
		if st.Op.Kind != testcase.OpComposite {
			continue
		}
		if _, ok := st.Op.Type.Underlying().(*types.Struct); ok {
			out = append(out, st.Args...)
		}
	}
	return out
}

// fewestConstants is how many constants make an enumeration of a type. A single one is a name for a value
// among others.
const fewestConstants = 2

// constantsOf returns the values of the constants that are declared for an integer type in its package, in
// ascending order. There are none for durations, whose constants are units.
func constantsOf(t types.Type) []int64 {
	if isDuration(t) {
		return nil
	}
	var out []int64
	for _, c := range load.ConstantsOf(t) {
		if v, exact := constant.Int64Val(constant.ToInt(c.Val())); exact && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

// flagArguments returns the statements that make sets of flags for calls of the package's functions, with the flags that the
// parameter takes.
func flagArguments(pkg *load.Package, s *testcase.Sequence) map[int][]*types.Const {
	if pkg.Literals == nil || len(pkg.Literals.Flags) == 0 {
		return nil
	}
	out := make(map[int][]*types.Const)
	eachArgument(pkg, s, func(fn *types.Func, param int, a testcase.Ref) {
		op := s.At(a.Stmt).Op
		if flags := pkg.Literals.Flags.Of(fn, param); len(flags) > 0 && op.Choice == nil && (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) {
			out[a.Stmt] = flags
		}
	})
	return out
}

// bitOf returns the bit that a flag stands for.
func bitOf(flag *types.Const) uint64 {
	v, _ := constant.Uint64Val(constant.ToInt(flag.Val()))
	return v
}

// mostDroppedFlags is for how many flags [WithoutFlag] has a way.
const mostDroppedFlags = 8

// OnlyFlags is a way to pass sets of flags without bits that are no flags of the function.
func OnlyFlags(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	return withFlags(pkg, c, func(set uint64, flags []*types.Const) uint64 {
		var all uint64
		for _, f := range flags {
			all |= bitOf(f)
		}
		return set & all
	})
}

// WithoutFlag returns a way to pass sets without the n-th flag of the function. A solver sets bits that nobody asks for, and a
// reader wonders what they are for.
func WithoutFlag(n int) Way {
	return func(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		return withFlags(pkg, c, func(set uint64, flags []*types.Const) uint64 {
			if n >= len(flags) {
				return set
			}
			return set &^ bitOf(flags[n])
		})
	}
}

// withFlags replaces all sets of flags in a case by others.
func withFlags(pkg *load.Package, c *testcase.Case, other func(set uint64, flags []*types.Const) uint64) (*testcase.Sequence, bool) {
	stmts := slices.Clone(c.Seq.AppendTo(nil))
	changed := false
	for i, flags := range flagArguments(pkg, c.Seq) {
		op := stmts[i].Op
		set := other(op.Lit.Bits, flags)
		lit, ok := testcase.IntLiteral(op.Type.Underlying().(*types.Basic), int64(set))
		if set == op.Lit.Bits || !ok {
			continue
		}
		stmts[i].Op = &testcase.Operation{Kind: testcase.OpLiteral, Type: op.Type, Lit: lit}
		changed = true
	}
	if !changed {
		return nil, false
	}
	return testcase.NewSequence(stmts...), true
}

// isOddSet reports whether a set of flags has bits that are no flags, or more flags than people pass in an example.
func isOddSet(set uint64, flags []*types.Const) bool {
	const most = 2
	n := bits.OnesCount64(set)
	for _, f := range flags {
		set &^= bitOf(f)
	}
	return set != 0 || n > most
}
