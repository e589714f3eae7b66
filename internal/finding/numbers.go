package finding

import (
	"fmt"
	"go/types"
	"math"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/usage"
)

// ofNumber grades failures on numbers that a caller passes and could have checked, and on slices where the
// function needs a fixed number of elements.
func (g *grading) ofNumber() *grade {
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length", "negative-shift", "other":
	default:
		return nil
	}
	fn := g.target.Obj
	if g.kind == "division-by-zero" && g.choosesFromNothing() {
		return misuse(onNumber, "the test passes nothing to choose from")
	}
	if g.kind == "index-out-of-range" && g.unlikeLists() {
		return misuse(onNumber, "the function takes elements of two lists that belong together, and the test passes lists of unlike lengths")
	}
	if by := usage.CalledBy(fn); by != "" {
		return misuse(onNumber, by+" calls it, with arguments in range")
	}
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "division-by-zero", "negative-length":
		if roomForNone(g.c.Seq) && !g.passesText() && !gosyntax.ReturnsError(fn.Signature()) {
			return misuse(onNumber, "a container that is told to have no room keeps nothing")
		}
	}
	if purity.ShortBuffer(g.rules.Pkg, g.stack) || purity.FixedSize(g.rules.Pkg, g.stack) {
		return misuse(onShort, "the function says by its fixed indexes how long the slice has to be")
	}
	if g.passesNegative() && g.kind != "division-by-zero" && g.kind != "other" {
		return g.onNumber()
	}
	switch g.kind {
	case "index-out-of-range", "slice-out-of-range", "negative-length":
		if g.approach.beyond {
			return misuse(onSize, "a number in the settings that are passed is beyond any memory")
		}
	}
	if !g.numbers().Unchecked {
		if g.approach.below && g.kind != "division-by-zero" {
			return misuse(onNumber, "a number in the settings that are passed is negative, which nothing allows")
		}
		if g.kind == "negative-length" && !g.passesText() && MadeByNumbers(g.c.Seq) {
			return misuse(onSize, "the size comes of the numbers by which the object was made")
		}
		return nil
	}
	if g.byCalls {
		return nil
	}
	return g.onNumber()
}

// numbers returns where the number comes from that makes the case panic. What another package panics on is any of the numbers that
// it is passed.
func (g *grading) numbers() purity.Numbers {
	kind := g.kind
	if kind == "other" || raisedElsewhere(g.rules.Pkg, g.c.Observed) {
		kind = ""
	}
	return purity.NumbersOf(g.rules.Pkg, kind, g.stack)
}

// inRange is the evidence for misuse of numbers that a function does not check.
const inRange = "a caller can know which numbers are in range"

// StoredNumbers returns the functions, by the name of their target, that store the numbers which nobody checks in fields of an object, if a
// finding is misuse for such numbers and its own call is passed none of them. It returns nil for other findings.
func StoredNumbers(rules *usage.Rules, f *testcase.Finding) map[string]bool {
	if f.Severity != testcase.Misuse || f.Evidence != inRange {
		return nil
	}
	n := gradingOf(rules, f.Case, f.Kind).numbers()
	if n.Passed {
		return nil
	}
	return n.By
}

// OfCalls grades a finding anew that is misuse of numbers which are stored in an object. To be called if the calls between the making of
// the object and the one that fails lead to the failure, and these store no such numbers.
func OfCalls(rules *usage.Rules, f *testcase.Finding) {
	f.ByCalls = true
	Grade(rules, f.Case, f)
}

// ofEntry grades the failure of a table that has no entry for a constant which the package declares. Where the test does not
// pass the constant, the code itself has brought it there. A constant that the test passes may only say how many there are.
func (g *grading) ofEntry() *grade {
	var index int64
	o := g.c.Observed
	if g.kind != "index-out-of-range" || o.Panic == nil {
		return nil
	}
	if n, err := fmt.Sscanf(o.Panic.Message, "runtime error: index out of range [%d]", &index); n != 1 || err != nil {
		return nil
	}
	missing := purity.MissingEntry(g.rules.Pkg, g.stack, index)
	if missing == nil {
		return nil
	}
	evidence := fmt.Sprintf("the package declares %s, for which the table has no entry", missing.Name())
	for i := range g.c.Seq.Len() {
		if op := g.c.Seq.At(i).Op; op.Kind == testcase.OpLiteral && types.Identical(op.Type, missing.Type()) && int64(op.Lit.Bits) == index {
			if !missing.Exported() {
				return nil
			}
			return &grade{testcase.Warning, "", evidence, usage.Usual}
		}
	}
	return &grade{testcase.Error, "", evidence + ", and the calls lead to it", usage.Declared}
}

// onNumber grades a failure on a number that the test passes and that the function does not check.
func (g *grading) onNumber() *grade {
	if word := g.rules.Refuses(g.target.Obj); word.Allowed && word.Rank >= usage.Shown {
		return &grade{testcase.Warning, "", word.Evidence + ", and panics on a number out of range", word.Rank}
	}
	return misuse(onNumber, inRange)
}

// passesNegative reports whether the last call is given a negative number for a parameter that the function
// does not compare with anything. A function that returns errors or takes texts is another matter.
func (g *grading) passesNegative() bool {
	last, sig := g.c.Seq.Last(), g.target.Obj.Signature()
	if usage.Data(g.target.Obj) != "" || gosyntax.ReturnsError(sig) {
		return false
	}
	args := last.Args
	if last.Op.Kind == testcase.OpMethod {
		args = args[1:]
	}
	for k, a := range args {
		op := g.c.Seq.At(a.Stmt).Op
		if op.Kind == testcase.OpLiteral && isNegative(op.Lit, op.Type) && k < sig.Params().Len() && !g.rules.Compares(g.target.Obj, sig.Params().At(k)) {
			return true
		}
	}
	return false
}

// isNegative reports whether a literal is a number below zero.
func isNegative(l testcase.Literal, t types.Type) bool {
	switch l.Kind {
	case testcase.LitInt:
		return int64(l.Bits) < 0
	case testcase.LitFloat:
		if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
			return math.Float32frombits(uint32(l.Bits)) < 0
		}
		return math.Float64frombits(l.Bits) < 0
	}
	return false
}

// OfSettings makes a finding one of the numbers by which a caller has made the object. To be called if the method
// fails whatever else it is given.
func OfSettings(f *testcase.Finding) {
	v := misuse(onNumber, "the method fails whatever it is given, since its object was made with such numbers")
	f.Severity, f.Misuse, f.Evidence, f.Rank = v.severity, v.misuse, v.evidence, v.rank
}

// OfNumbers makes a finding one of the numbers that a call is passed. To be called if the call does not fail so with ordinary ones.
func OfNumbers(f *testcase.Finding) {
	v := misuse(onNumber, "the call does not fail so with ordinary numbers, and a caller can know which are in range")
	f.Severity, f.Misuse, f.Evidence, f.Rank = v.severity, v.misuse, v.evidence, v.rank
}

// OfRefusable makes a finding a warning: a function that returns errors fails on a number that a caller can know to be out of
// range. To be called if the call does not fail so with ordinary numbers.
func OfRefusable(f *testcase.Finding) {
	if f.Severity == testcase.Error {
		f.Severity, f.Rank, f.Excused = testcase.Warning, usage.Shown, true
		f.Evidence += "; with an ordinary number in place of the one that is passed it does not fail"
	}
}

// passesText reports whether the last call is given a text or a list that is not empty.
func (g *grading) passesText() bool {
	for _, a := range g.c.Seq.Last().Args {
		op := g.c.Seq.At(a.Stmt).Op
		if op.Type == nil || op.Kind == testcase.OpZero {
			continue
		}
		switch u := op.Type.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsString != 0 && op.Lit.Str != "" {
				return true
			}
		case *types.Interface:
			return true // a reader may have any content
		case *types.Slice, *types.Map, *types.Array:
			return true
		}
	}
	return slices.ContainsFunc(g.c.Seq.Last().Args[min(1, len(g.c.Seq.Last().Args)):], func(a testcase.Ref) bool {
		return madeByCall(g.c.Seq, a)
	})
}

// MadeByNumbers reports whether the receiver of the last call comes from a call with a number.
func MadeByNumbers(seq *testcase.Sequence) bool {
	last := seq.Last()
	if last.Op.Kind != testcase.OpMethod || !madeByCall(seq, last.Args[0]) {
		return false
	}
	return slices.ContainsFunc(seq.At(last.Args[0].Stmt).Args, func(a testcase.Ref) bool {
		t := seq.At(a.Stmt).Op.Type
		if t == nil {
			return false
		}
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	})
}

// ofEncoded grades objects that consist of nothing but bytes which the test passes: Append(b []byte) Set
// returns whatever it is given. The package does not say whether a Set may hold any bytes.
func (g *grading) ofEncoded() *grade {
	last := g.c.Seq.Last()
	if last.Op.Kind != testcase.OpMethod || g.c.Observed.Violated != "" {
		return nil
	}
	maker := g.c.Seq.At(last.Args[0].Stmt).Op
	if maker.Kind != testcase.OpFunc || maker.Func.Pkg() != g.rules.Pkg.Types || maker.Via != nil {
		return nil
	}
	sig := maker.Signature()
	made, ok := sig.Results().At(0).Type().Underlying().(*types.Slice)
	if !ok || !types.Identical(made.Elem(), types.Typ[types.Byte]) {
		return nil
	}
	for p := range sig.Params().Variables() {
		if types.Identical(p.Type().Underlying(), made) {
			return &grade{testcase.Warning, "", "the bytes that " + testcase.TargetName(maker.Func) + " makes it of are those that the test passes, which nothing allows or excludes", usage.Usual}
		}
	}
	return nil
}

// numbers reads the numbers in a struct literal.
func (a *approach) numbers(seq *testcase.Sequence, st testcase.Statement) {
	a.below = a.below || hasField(seq, st, isNegative)
	a.beyond = a.beyond || hasField(seq, st, isBeyondMemory)
}

// hasField reports whether a statement makes a struct with a field that is a literal for which is holds.
func hasField(seq *testcase.Sequence, st testcase.Statement, is func(testcase.Literal, types.Type) bool) bool {
	if _, ok := st.Op.Type.Underlying().(*types.Struct); !ok {
		return false
	}
	return slices.ContainsFunc(st.Args, func(ref testcase.Ref) bool {
		op := seq.At(ref.Stmt).Op
		return op.Kind == testcase.OpLiteral && is(op.Lit, op.Type)
	})
}

// isBeyondMemory reports whether a literal is a number of no type of its own, such as a count or a width, of more elements
// than any memory has. A sum of two such numbers may overflow. Durations and flags are no counts.
func isBeyondMemory(l testcase.Literal, t types.Type) bool {
	if _, named := types.Unalias(t).(*types.Named); named {
		return false
	}
	const memory = 1 << 47 // bytes, the address space of a process
	return l.Kind == testcase.LitInt && int64(l.Bits) > memory || l.Kind == testcase.LitUint && l.Bits > memory
}
