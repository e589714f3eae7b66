package smtlib

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

func z3(t testing.TB, st *term.Store, ms int) *Process {
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("NOT RUN: z3 is not on PATH, the comparison with another solver is missing")
	}
	p, err := Start(st, []string{fmt.Sprintf("(set-option :timeout %d)", ms)}, path, "-in")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// On random terms at 8 bits, with floats and reads among them, Z3 has the verdict of the embedded solver,
// and the models of Z3 satisfy the query by our evaluation.
func TestAgainstZ3(t *testing.T) {
	st := term.NewStore()
	other := z3(t, st, 500)
	own := bitblast.New(st, bitblast.Config{})
	n := 80
	if testing.Short() {
		n = 50
	}
	count := map[solver.Verdict]int{}
	for round := range n {
		r := rand.New(rand.NewPCG(17, uint64(round)))
		var cs []term.ID
		for range 1 + r.IntN(3) {
			cs = append(cs, randomBool(r, st, round%4))
		}
		q := &solver.Query{Conjuncts: cs, Limit: 5e5}
		a, b := own.Check(q), other.Check(q)
		count[a.Verdict]++
		if a.Verdict != solver.Unknown && b.Verdict != solver.Unknown && a.Verdict != b.Verdict {
			var s strings.Builder
			WriteQuery(&s, st, q)
			t.Fatalf("round %d: %s, but Z3 says %s:\n%s", round, a.Verdict, b.Verdict, s.String())
		}
		for _, m := range []*term.Model{a.Model, b.Model} {
			for _, c := range cs {
				if m != nil && !st.Holds(c, m) {
					var s strings.Builder
					WriteQuery(&s, st, q)
					t.Fatalf("round %d: a model violates %s:\n%s", round, st.String(c), s.String())
				}
			}
		}
	}
	t.Logf("%d sat, %d unsat, %d unknown", count[solver.Sat], count[solver.Unsat], count[solver.Unknown])
	if count[solver.Sat] < n/10 || count[solver.Unsat] < n/10 {
		t.Error("the queries are too one-sided")
	}
}

// randomBool returns a random condition. With mode 1 it has floats, with mode 2 array reads.
func randomBool(r *rand.Rand, st *term.Store, mode int) term.ID {
	w := 8
	if mode == 1 {
		w = 32
	}
	var leaves []term.ID
	for i := range 3 {
		leaves = append(leaves, st.Var(w, string(rune('a'+i))))
	}
	arr := st.NewArray("arr", 8)
	var gen func(depth int) term.ID
	gen = func(depth int) term.ID {
		if depth == 0 || r.IntN(6) == 0 {
			if r.IntN(3) == 0 {
				if mode == 1 {
					return st.Const(32, uint64([]uint32{0, 1 << 31, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x00000001, 0x4b800000}[r.IntN(8)]))
				}
				return st.Const(w, r.Uint64()>>r.IntN(64))
			}
			return leaves[r.IntN(3)]
		}
		a, b := gen(depth-1), gen(depth-1)
		if mode == 1 {
			switch r.IntN(9) {
			case 0:
				return st.FAdd(a, b)
			case 1:
				return st.FMul(a, b)
			case 2:
				return st.FSub(a, b)
			case 3:
				return st.FNeg(a)
			case 4:
				return st.FConv(st.FConv(a, 64), 32)
			case 5:
				return st.FFromS(st.FToS(a, 32), 32)
			case 6:
				return st.FFloor(a)
			case 7:
				return st.FRoundEven(a)
			}
			return st.FFromU(st.FToU(a, 64), 32)
		}
		if mode == 2 && r.IntN(3) == 0 {
			return st.Read(arr, st.ZExt(a, 64))
		}
		ops := []term.Op{term.OpAdd, term.OpMul, term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem, term.OpAnd, term.OpOr, term.OpXor, term.OpShl, term.OpLShr, term.OpAShr, term.OpAdd}
		switch r.IntN(5) {
		case 0:
			return st.Ite(st.Slt(a, b), st.Not(a), st.Neg(b))
		case 1:
			k := r.IntN(7)
			return st.SExt(st.Extract(a, 7, k), 8)
		case 2:
			return st.Lookup(st.NewTable(8, []uint64{5, 9, 200, 13, 0, 77}), a)
		}
		return st.Binary(ops[r.IntN(len(ops))], a, b)
	}
	a, b := gen(2+r.IntN(2)), gen(r.IntN(3))
	if mode == 1 {
		switch r.IntN(4) {
		case 0:
			return st.FEq(a, b)
		case 1:
			return st.FLe(a, b)
		case 2:
			return st.FIsNaN(a)
		}
		return st.And(st.FLt(a, b), st.FLt(b, a))
	}
	switch r.IntN(4) {
	case 0:
		return st.Eq(a, b)
	case 1:
		return st.Ult(a, b)
	case 2:
		return st.Slt(a, b)
	}
	return st.And(st.Eq(a, b), st.Ne(b, gen(1)))
}
