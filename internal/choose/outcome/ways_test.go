package outcome

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// TestFailuresPassedOn has a panic of Inner go through Middle and Outer. If these have other tests, the panics through them
// count as one thing that tests show, so that one test of all is enough. A function that has no other test keeps one of its
// own, and an error that is passed on is one thing for each way through a function.
func TestFailuresPassedOn(t *testing.T) {
	functions := []string{"Inner", "Middle", "Outer", "Alone"} // each calls the first
	var blocks []testcase.Block
	for _, f := range functions {
		blocks = append(blocks, testcase.Block{Func: f, Stmts: 1})
	}
	exported := map[string]bool{"Inner": true, "Middle": true, "Outer": true, "Alone": true}
	pkg := types.NewPackage("example.com/p", "p")
	problem := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Universe.Lookup("error").Type()))
	test := func(name string, covered []int, outcome testcase.Outcome) *testcase.Case {
		fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, problem, false))
		for _, b := range covered {
			outcome.Cover.Set(b)
		}
		return &testcase.Case{Target: name, Seq: testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn}}), Observed: &outcome}
	}
	panics := testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{Kind: "explicit", Message: "no"}}
	returns := testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.Nil}}}}
	fails := testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.Pointer, Err: &testcase.ErrorInfo{Message: "bad"}}}}}

	inner, middle, outer, alone := test("Inner", []int{0}, panics), test("Middle", []int{0, 1}, panics), test("Outer", []int{0, 1, 2}, panics), test("Alone", []int{0, 3}, panics)
	well := []*testcase.Case{test("Middle", []int{1}, returns), test("Outer", []int{2}, returns)}
	got := FailuresPassedOn(append(well, inner, middle, outer, alone), blocks, exported)
	if got[inner] != "" {
		t.Errorf("Inner itself passes nothing on, but %q", got[inner])
	}
	if got[middle] == "" || got[middle] != got[outer] {
		t.Errorf("the panic through Middle shows %q, the one through Outer %q, want the same", got[middle], got[outer])
	}
	if got[alone] == "" || got[alone] == got[outer] {
		t.Errorf("the panic through Alone, which has no other test, shows %q, want a thing of its own", got[alone])
	}

	inner, middle, outer = test("Inner", []int{0}, fails), test("Middle", []int{0, 1}, fails), test("Outer", []int{0, 1, 2}, fails)
	got = FailuresPassedOn(append(well, inner, middle, outer), blocks, exported)
	if got[middle] == "" || got[outer] == "" || got[middle] == got[outer] {
		t.Errorf("the error through Middle shows %q, the one through Outer %q, want a thing each", got[middle], got[outer])
	}
}

// TestContrasts has a best test of F that returns 1, one test that returns the same and one that returns something else, and
// tests of G that all return the same.
func TestContrasts(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	number := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
	test := func(name string, n uint64) *testcase.Case {
		fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, number, false))
		results := [][]testcase.Value{{{Kind: testcase.Int, Bits: n}}}
		return &testcase.Case{Target: name, Seq: testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: fn}}), Observed: &testcase.Outcome{Status: testcase.Returned, Results: results}}
	}
	best, same, other, noisy, only, again := test("F", 1), test("F", 1), test("F", 2), test("F", 3), test("G", 1), test("G", 1)
	got := Contrasts([]*testcase.Case{best, same, other, noisy, only, again}, map[*testcase.Case]bool{best: true, only: true}, func(c *testcase.Case) bool { return c != noisy })
	if got[best] == "" || got[other] == "" || got[best] == got[other] {
		t.Errorf("the best test shows %q, the other %q, want a thing each", got[best], got[other])
	}
	for name, c := range map[string]*testcase.Case{"the same": same, "noise": noisy, "the only result": only, "the only result again": again} {
		if got[c] != "" {
			t.Errorf("%s shows %q, want nothing", name, got[c])
		}
	}
}
