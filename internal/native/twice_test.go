package native_test

import (
	"go/token"
	"testing"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// Two runs that differ only in their results ended in the same way.
func TestMergeWavers(t *testing.T) {
	result := func(n uint64) [][]testcase.Value {
		return [][]testcase.Value{{{Kind: testcase.Int, Bits: n}}}
	}
	panicked := func(kind string, line int, message string) *testcase.Outcome {
		return &testcase.Outcome{Status: testcase.Panicked, Panic: &testcase.Panic{
			Kind: kind, Message: message, Stack: []testcase.Frame{{Func: "p.F", Pos: token.Position{Filename: "p.go", Line: line}}},
		}}
	}
	for name, tt := range map[string]struct {
		a, b             *testcase.Outcome
		unstable, wavers bool
	}{
		"equal":         {&testcase.Outcome{Results: result(1)}, &testcase.Outcome{Results: result(1)}, false, false},
		"results":       {&testcase.Outcome{Results: result(1), Violated: "contract x"}, &testcase.Outcome{Results: result(2), Violated: "contract x"}, true, false},
		"contract":      {&testcase.Outcome{Violated: "contract x"}, &testcase.Outcome{}, true, true},
		"status":        {&testcase.Outcome{}, panicked("explicit", 1, "a"), true, true},
		"place":         {panicked("explicit", 1, "a"), panicked("explicit", 2, "a"), false, true},
		"message":       {panicked("explicit", 1, "a"), panicked("explicit", 1, "b"), true, false},
		"kind of panic": {panicked("explicit", 1, "a"), panicked("nil-dereference", 1, "a"), false, true},
	} {
		native.Merge(tt.a, tt.b)
		if tt.a.Unstable != tt.unstable || tt.a.Wavers != tt.wavers {
			t.Errorf("%s: unstable %v, wavers %v; want %v, %v", name, tt.a.Unstable, tt.a.Wavers, tt.unstable, tt.wavers)
		}
	}
}

// A byte that two random texts have in common is no part of either. Of other lists, the elements that are the same in both
// runs are known.
func TestMergeBytes(t *testing.T) {
	list := func(kind testcase.ValueKind, elems ...uint64) *testcase.Outcome {
		v := testcase.Value{Kind: testcase.Slice, Len: len(elems)}
		for _, e := range elems {
			v.Elems = append(v.Elems, testcase.Value{Kind: kind, Bits: e})
		}
		return &testcase.Outcome{Results: [][]testcase.Value{{v}}}
	}
	text := list(testcase.Uint, 'a', 'b')
	native.Merge(text, list(testcase.Uint, 'a', 'c'))
	if got := text.Results[0][0]; got.Kind != testcase.Opaque || !text.Unstable {
		t.Errorf("bytes that differ are %v, want opaque", got)
	}
	if got := text.Results[0][0]; !got.Varies || got.MaybeNil || got.String() != "(a value that differs between runs)" {
		t.Errorf("bytes that differ are %+v, want that they vary", got)
	}
	sometimes := list(testcase.Uint, 'a')
	for range 2 {
		native.Merge(sometimes, &testcase.Outcome{Results: [][]testcase.Value{{{Kind: testcase.Nil}}}})
	}
	if got := sometimes.Results[0][0]; !got.MaybeNil {
		t.Errorf("bytes that are nil in one run are %+v, want that it may be nil", got)
	}
	numbers := list(testcase.Int, 1, 2)
	native.Merge(numbers, list(testcase.Int, 1, 3))
	if got := numbers.Results[0][0]; got.Kind != testcase.Slice || got.Elems[0].Kind != testcase.Int || got.Elems[1].Kind != testcase.Opaque {
		t.Errorf("numbers that differ are %v, want the first one and an opaque one", got)
	}
}

// What a case with a process of its own has changed is not there for the cases of the next call.
func TestFreshLeavesNothing(t *testing.T) {
	prog, pkg := loadOne(t, module(t, source("package p\n\nvar n int\n\nfunc Next() int { n++; return n }\n\nfunc Get() int { return n }\n")))
	h, err := native.Build(t.Context(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close() }()
	run(t, h, pkg, native.Options{Fresh: true, Twice: true}, "Next()", "Next()")
	if out := run(t, h, pkg, native.Options{Twice: true}, "Get()"); out[0].Unstable || out[0].Results[0][0].Bits != 0 {
		t.Errorf("Get() after the calls of others: %v, unstable %v; want 0", out[0].Results, out[0].Unstable)
	}
}

// A list whose elements come in an order of chance is known in ascending order, whichever runs follow.
func TestMergeShuffled(t *testing.T) {
	list := func(elems ...string) *testcase.Outcome {
		v := testcase.Value{Kind: testcase.Slice, Len: len(elems)}
		for _, e := range elems {
			v.Elems = append(v.Elems, testcase.Value{Kind: testcase.String, Str: e, Len: len(e)})
		}
		return &testcase.Outcome{Results: [][]testcase.Value{{v}}}
	}
	o := list("b", "a", "c")
	for _, again := range []*testcase.Outcome{list("b", "a", "c"), list("c", "a", "b"), list("a", "b", "c")} {
		native.Merge(o, again)
	}
	if v := o.Results[0][0]; !v.Shuffled || !v.Equal(list("a", "b", "c").Results[0][0]) || !o.Unstable {
		t.Errorf("merged: %+v, unstable %t", v, o.Unstable)
	}
	native.Merge(o, list("a", "b", "d"))
	if v := o.Results[0][0]; v.Shuffled || v.Elems[2].Kind != testcase.Opaque {
		t.Errorf("with another element: %+v", v)
	}
	same := list("b", "a")
	if native.Merge(same, list("b", "a")); same.Results[0][0].Shuffled || same.Unstable {
		t.Error("a list in its own order counts as shuffled")
	}
}
