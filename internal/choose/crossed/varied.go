package crossed

import (
	"go/types"
	"math"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Variants returns the calls of cases with one constant exchanged by another one, also a constant of the calls that lead to the
// case's own: at most most of them for each function, and the same number of each case, as far as there are as many. What is
// true of an input of the case and of its variant, and yet does not lead to the same end, is no reason for how the case ends.
func Variants(cases []*testcase.Case, most int) []Call {
	known := make(map[string]bool)
	for _, c := range cases {
		known[c.Seq.Key()] = true
	}
	var out []Call
	count := make(map[string]int)
	for round, more := 0, true; more; round++ {
		more = false
		for _, c := range cases {
			call := c.Seq.Prefix(c.TargetStmt() + 1)
			for i := range call.Len() {
				others := alternatives(call.At(i).Op)
				if round >= len(others) || count[c.Target] >= most {
					continue
				}
				more = true
				seq := with(call, i, others[round])
				if known[seq.Key()] {
					continue
				}
				known[seq.Key()] = true
				count[c.Target]++
				out = append(out, Call{&testcase.Case{Target: c.Target, Engine: c.Engine, Seq: seq}, c})
			}
		}
	}
	return out
}

// with returns a sequence with another constant as statement i.
func with(s *testcase.Sequence, i int, lit testcase.Literal) *testcase.Sequence {
	stmts := s.AppendTo(nil)
	op := *stmts[i].Op
	op.Kind, op.Lit = testcase.OpLiteral, lit
	stmts[i].Op = &op
	return testcase.NewSequence(stmts...)
}

// alternatives returns constants to stand in place of the constant that an operation makes, nil if it makes none.
func alternatives(op *testcase.Operation) []testcase.Literal {
	if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero || op.Type == nil {
		return nil
	}
	basic, ok := op.Type.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return []testcase.Literal{{Kind: testcase.LitBool, Bits: 1 - op.Lit.Bits&1}}
	case info&types.IsInteger != 0:
		return numbers(basic, int64(op.Lit.Bits))
	case info&types.IsFloat != 0:
		return floats(basic.Kind() == types.Float32, op.Lit.Bits)
	case info&types.IsString != 0:
		return texts(op.Lit.Str)
	}
	return nil
}

// numbers returns integers of a type other than n: its neighbours, and small ones of different sign, size and parity.
func numbers(t *types.Basic, n int64) []testcase.Literal {
	var out []testcase.Literal
	for _, k := range []int64{n + 1, n - 1, 1, 2, 0, -1, 7, 3, 10, 100, -n, 2 * n} {
		if lit, fits := testcase.IntLiteral(t, k); fits && k != n && !slices.Contains(out, lit) {
			out = append(out, lit)
		}
	}
	return out
}

// floats returns numbers other than that with these bits.
func floats(is32 bool, bits uint64) []testcase.Literal {
	f := math.Float64frombits(bits)
	if is32 {
		f = float64(math.Float32frombits(uint32(bits)))
	}
	var out []testcase.Literal
	for _, k := range []float64{f + 1, f - 1, 0, 2, -1, 0.5, 7, 2 * f, -f} {
		lit := testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(k)}
		if is32 {
			lit.Bits = uint64(math.Float32bits(float32(k)))
		}
		if k != f && !math.IsNaN(k) && !slices.Contains(out, lit) {
			out = append(out, lit)
		}
	}
	return out
}

// texts returns texts other than s: the text with something in it changed, and short ones of different characters.
func texts(s string) []testcase.Literal {
	half := len(s) / 2
	other := "x"
	if strings.HasPrefix(s[half:], "x") {
		other = "y"
	}
	rest := ""
	if s != "" {
		rest = s[half+1:]
	}
	var out []testcase.Literal
	for _, k := range []string{
		s + "x", s[:half] + other + rest, strings.TrimSuffix(s, s[max(0, len(s)-1):]), "hello", strings.ToUpper(s), "Hello", strings.ToLower(s),
		"ab", "", "7", "h\u00e9llo", s + s, "hello world", "a", "a,b", "-1", s + " ", "$x",
	} {
		if lit := (testcase.Literal{Kind: testcase.LitString, Str: k}); k != s && !slices.Contains(out, lit) {
			out = append(out, lit)
		}
	}
	return out
}
