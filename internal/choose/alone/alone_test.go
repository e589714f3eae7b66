package alone

import (
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A call beside the case's own one becomes a case, unless something needs its result, or it may change something.
func TestCalls(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	num := types.NewVar(0, pkg, "", types.Typ[types.Int])
	fn := func(name string) *types.Func {
		return types.NewFunc(0, pkg, name, types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(0, pkg, "n", types.Typ[types.Int])), types.NewTuple(num), false))
	}
	half, count := fn("Half"), fn("Count")
	p := &load.Package{Path: "p", Types: pkg, Targets: []*load.Target{{Name: "Half", Obj: half}, {Name: "Count", Obj: count}}}
	pure := func(op *testcase.Operation) bool { return op.Func == half }
	number := func(n uint64) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: n}}}
	}
	call := func(f *types.Func, arg int) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: f}, Args: []testcase.Ref{{Stmt: arg}}}
	}
	tests := []struct {
		name  string
		stmts []testcase.Statement
		own   string // "" where the case is not split
		parts []string
	}{
		{"a call beside", []testcase.Statement{number(3), call(half, 0), number(5), call(half, 2)}, "Half(5)", []string{"Half(3)"}},
		{"a call whose result is passed", []testcase.Statement{number(3), call(half, 0), call(half, 1)}, "v1 := Half(3); Half(v1)", []string{"Half(3)"}},
		{"a call that may change something", []testcase.Statement{number(3), call(count, 0), number(5), call(half, 2)}, "", nil},
		{"one of each", []testcase.Statement{number(3), call(count, 0), number(5), call(half, 2), number(7), call(half, 4)}, "Count(3); Half(7)", []string{"Count(3); Half(5)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &testcase.Case{Target: "Half", Seq: testcase.NewSequence(tt.stmts...)}
			splits, seqs := Calls(p, []*testcase.Case{c}, pure)
			if tt.own == "" {
				if len(splits) > 0 || len(seqs) > 0 {
					t.Fatalf("split into %s", splits[0].Own.Seq)
				}
				return
			}
			if len(splits) != 1 || len(splits[0].Parts) != len(tt.parts) || len(seqs) != 1+len(tt.parts) {
				t.Fatalf("%d splits, %d sequences; want one with %d parts", len(splits), len(seqs), len(tt.parts))
			}
			if got := splits[0].Own.Seq.String(); got != tt.own {
				t.Errorf("own call = %s, want %s", got, tt.own)
			}
			for i, part := range splits[0].Parts {
				if got := part.Seq.String(); got != tt.parts[i] || part.Target != "Half" {
					t.Errorf("part %d = %s of %s, want %s of Half", i, got, part.Target, tt.parts[i])
				}
			}
		})
	}
}
