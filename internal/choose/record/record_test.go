package record

import (
	"go/types"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// How many calls were noted is read from the last statements of a run that came so far.
func TestCounts(t *testing.T) {
	noted := func(n int) []testcase.Value {
		return []testcase.Value{{Kind: testcase.Slice, Elems: make([]testcase.Value, n)}}
	}
	ended := &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{noted(7), noted(2), noted(0)}}
	if got, want := counts(ended, 2), []int{2, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	cut := &testcase.Outcome{Status: testcase.Panicked, Results: [][]testcase.Value{noted(7), noted(2)}}
	for name, o := range map[string]*testcase.Outcome{"a run that panicked": cut, "no run": nil} {
		if got, want := counts(o, 2), []int{0, 0}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// A call that was noted with the address of a function is noted otherwise in each program.
func TestHasAddress(t *testing.T) {
	for text, want := range map[string]bool{`d("", 0x5146a0)`: true, `d("", 0xc000012345)`: true, `d(0x1f)`: false, `d("x0x5146a0")`: false, `GET /a`: false} {
		if got := hasAddress(testcase.Value{Kind: testcase.String, Str: text}); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

// Where no request came, the statement that has requests answered goes, with the arguments that only it uses.
func TestUnasked(t *testing.T) {
	answer := &testcase.Operation{Kind: testcase.OpFunc, Via: &testcase.Helper{Name: "answerRequests", OfTest: true}}
	text := &testcase.Operation{Kind: testcase.OpLiteral}
	var b testcase.Builder
	code, shared := b.Add(text), b.Add(text)
	at := b.Add(answer, code, shared)
	b.Add(text, shared)
	drop := make(map[int]bool)
	if unasked(b.Sequence(), at.Stmt, testcase.Value{Kind: testcase.Slice, Elems: make([]testcase.Value, 1)}, drop) || len(drop) > 0 {
		t.Errorf("a statement whose requests came is dropped: %v", drop)
	}
	if !unasked(b.Sequence(), at.Stmt, testcase.Value{Kind: testcase.Nil}, drop) || !drop[at.Stmt] || !drop[code.Stmt] || drop[shared.Stmt] {
		t.Errorf("dropped %v, want the statement and its own argument", drop)
	}
}

// A sequence that looks at its requests already looks at them once when it is wrapped again, behind what was added to it.
func TestWrap_again(t *testing.T) {
	list := types.NewSlice(types.Typ[types.String])
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", types.NewPointer(list))), false)
	answer := &testcase.Operation{
		Kind: testcase.OpFunc, Func: types.NewFunc(0, nil, "answerRequests", sig),
		Via: &testcase.Helper{Name: "answerRequests", OfTest: true, Sig: sig},
	}
	target := &testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, nil, "F", types.NewSignatureType(nil, nil, nil, nil, nil, false))}
	var b testcase.Builder
	requests := b.Add(answer)
	b.Add(target)
	b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: list}, requests)
	s := b.Sequence()
	got := new(Recorder).wrap(&testcase.Case{Target: "F", Seq: s}, s.Len(), nil)
	if got == nil || got.Len() != 3 || got.At(1).Op != target || !looksAtRequests(got, 2) {
		t.Errorf("wrapped again: %v, want one look at the requests at the end", got)
	}
}

func TestIsHollow(t *testing.T) {
	for text, want := range map[string]bool{
		"unmarshal(&{{  0 0 <nil> false} [] 0001-01-01 00:00:00 +0000 UTC})": true,
		"save({ann <nil>})":    true,
		"save(<nil>)":          false,
		`save({"name":"ann"})`: false,
	} {
		if got := isHollow(testcase.Value{Kind: testcase.String, Str: text}); got != want {
			t.Errorf("isHollow(%q) = %t, want %t", text, got, want)
		}
	}
}

// A function literal is wrapped where it is passed as any value; where a parameter is of its type, what it does shows that it was called. That
// it was not called is asserted where nothing calls it later.
func TestIsPassedAsAny(t *testing.T) {
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	takes := func(p types.Type) *testcase.Operation {
		in := types.NewTuple(types.NewParam(0, nil, "f", p))
		return &testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, nil, "F", types.NewSignatureType(nil, nil, nil, in, nil, false))}
	}
	for _, tt := range []struct {
		param types.Type
		want  bool
	}{{types.NewInterfaceType(nil, nil), true}, {sig, false}} {
		var b testcase.Builder
		f := b.Add(&testcase.Operation{Kind: testcase.OpFuncLit, Type: sig, Text: "func() {}"})
		b.Add(takes(tt.param), f)
		if got := isPassedAsAny(b.Sequence(), 0, 1); got != tt.want {
			t.Errorf("passed as %s: %t, want %t", tt.param, got, tt.want)
		}
		wrapped := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: types.NewFunc(0, nil, "recordF", sig), Via: &testcase.Helper{Sig: sig}}, f)
		b.Add(&testcase.Operation{Kind: testcase.OpDeref, Type: types.NewSlice(types.Typ[types.String])}, wrapped)
		for _, started := range []bool{true, false} {
			r := &run{seq: b.Sequence(), looks: []int{3}, started: started}
			if got := r.mayStillCome(0); got != started {
				t.Errorf("where goroutines are started %t: may still come %t", started, got)
			}
		}
	}
}
