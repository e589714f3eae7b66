package question

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What observers say is what the calls behind the case's own say: a method without parameters is no observer of
// what it did itself.
func TestAnswerRun(t *testing.T) {
	pkg := types.NewPackage("p", "p")
	typ := types.NewPointer(types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Stack", nil), types.NewStruct(nil, nil), nil))
	method := func(name string) *types.Func {
		recv := types.NewVar(token.NoPos, pkg, "s", typ)
		result := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
		return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(recv, nil, nil, nil, result, false))
	}
	pop, size := method("Pop"), method("Len")
	call := func(f *types.Func) testcase.Statement {
		return testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpMethod, Func: f}, Args: []testcase.Ref{{Stmt: 0}}}
	}
	number := func(n uint64) []testcase.Value { return []testcase.Value{{Kind: testcase.Int, Bits: n}} }
	seq := testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpZero, Type: typ}}, call(pop), call(size))
	a := Answer{seq: seq, from: 2, outcome: &testcase.Outcome{Results: [][]testcase.Value{nil, number(7), number(3)}}}
	run := a.Run()
	if len(run) != 1 || len(run[size]) != 1 || run[size][0].Bits != 3 {
		t.Errorf("run() = %v, want Len alone, 3", run)
	}
}

// Observers are asked behind a call that has filled a list of bytes, with a look at the bytes; a change of a map or of another list is compared
// behind the last statement only, so that nothing can be asked.
func TestWithTexts(t *testing.T) {
	pkg := types.NewPackage("example.com/m", "m")
	recv := types.NewPointer(types.NewNamed(types.NewTypeName(0, pkg, "Reader", nil), types.NewStruct(nil, nil), nil))
	list := func(n uint64) testcase.Value {
		return testcase.Value{Kind: testcase.Slice, Len: 1, Elems: []testcase.Value{{Kind: testcase.Uint, Bits: n}}}
	}
	for _, tt := range []struct {
		name    string
		param   types.Type
		changed bool
		asked   bool
		looks   int
	}{
		{"unchanged bytes", types.NewSlice(types.Typ[types.Byte]), false, true, 0},
		{"filled bytes", types.NewSlice(types.Typ[types.Byte]), true, true, 1},
		{"a changed list", types.NewSlice(types.Typ[types.Int]), true, false, 0},
		{"a changed map", types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), true, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sig := types.NewSignatureType(types.NewParam(0, pkg, "r", recv), nil, nil, types.NewTuple(types.NewParam(0, pkg, "p", tt.param)), nil, false)
			var b testcase.Builder
			r := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: recv})
			p := b.Add(&testcase.Operation{Kind: testcase.OpZero, Type: tt.param})
			b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: types.NewFunc(0, pkg, "Read", sig)}, r, p)
			after := list(1)
			if tt.changed {
				after = list(2)
			}
			object := testcase.Value{Kind: testcase.Pointer}
			c := &testcase.Case{Target: "Reader.Read", Seq: b.Sequence(), Observed: &testcase.Outcome{Status: testcase.Returned,
				Results: [][]testcase.Value{{object}, {list(1)}, nil}, Final: []testcase.Value{object, after}}}
			got := withTexts(c)
			if (got != nil) != tt.asked || got != nil && got.Seq.Len() != c.Seq.Len()+tt.looks {
				t.Errorf("withTexts = %v, want a test: %t, with %d looks", got, tt.asked, tt.looks)
			}
		})
	}
}
