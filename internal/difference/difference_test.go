package difference

import (
	"go/token"
	"go/types"
	"math"
	"slices"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// outcome returns the outcome of calls that return one value each.
func outcome(values ...testcase.Value) *testcase.Outcome {
	o := &testcase.Outcome{Status: testcase.Returned, At: len(values) - 1}
	for _, v := range values {
		o.Results = append(o.Results, []testcase.Value{v})
	}
	return o
}

// panicked returns an outcome with a panic at statement i.
func panicked(i int, runtime bool, message string, before ...testcase.Value) *testcase.Outcome {
	o := outcome(before...)
	o.Status, o.At = testcase.Panicked, i
	o.Panic = &testcase.Panic{Runtime: runtime, Message: message, Kind: testcase.PanicKind(runtime, message)}
	return o
}

func number(n int64) testcase.Value { return testcase.Value{Kind: testcase.Int, Bits: uint64(n)} }

func float(f float64) testcase.Value {
	return testcase.Value{Kind: testcase.Float, Bits: math.Float64bits(f)}
}

func failure(text string) testcase.Value {
	return testcase.Value{Kind: testcase.Interface, Err: &testcase.ErrorInfo{Message: text}, Elems: []testcase.Value{{Kind: testcase.Opaque}}}
}

func TestCompare(t *testing.T) {
	noError := testcase.Value{Kind: testcase.Nil}
	hung := &testcase.Outcome{Status: testcase.Hung, Results: [][]testcase.Value{nil}}
	hang := *outcome(number(1))
	tests := []struct {
		name          string
		old, new      *testcase.Outcome
		kind          Kind
		at            int
		before, after string
	}{
		{"same", outcome(number(1)), outcome(number(1)), "", 0, "", ""},
		{"another number", outcome(number(1)), outcome(number(2)), Result, 0, "1", "2"},
		{"the first statement that differs", outcome(number(1), number(2)), outcome(number(3), number(4)), Result, 0, "1", "3"},
		{"panics", outcome(number(1)), panicked(0, true, "runtime error: integer divide by zero"), Panics, 0, "returns 1", "panics: runtime error: integer divide by zero"},
		{"panics earlier", panicked(1, true, "index out of range", number(1)), panicked(0, true, "integer divide by zero"), Panics, 0, "returns 1", "panics: integer divide by zero"},
		{"panics later", panicked(0, true, "integer divide by zero"), panicked(1, true, "index out of range", number(1)), Mended, 0, "panics: integer divide by zero", "returns 1"},
		{"another index", panicked(0, true, "index out of range [5] with length 2"), panicked(0, true, "index out of range [4] with length 2"), "", 0, "", ""},
		{"another panic", panicked(0, false, "a"), panicked(0, false, "b"), OtherPanic, 0, "panics: a", "panics: b"},
		{"hangs", &hang, hung, Hangs, 0, "returns 1", "does not return"},
		{"no longer hangs", hung, &hang, Ends, 0, "does not return", "returns 1"},
		{"returns an error", outcome(noError), outcome(failure("x")), ReturnsError, 0, "nil", `error("x")`},
		{"loses an error", outcome(failure("x")), outcome(noError), LosesError, 0, `error("x")`, "nil"},
		{"another text", outcome(failure("x")), outcome(failure("y")), ErrorText, 0, `error("x")`, `error("y")`},
		{"another address", outcome(failure("got 0x58df20")), outcome(failure("got 0x58de00")), "", 0, "", ""},
		{"another space", outcome(failure("a\u00a0b")), outcome(failure("a b")), "", 0, "", ""},
		{"NaN", outcome(float(math.NaN())), outcome(float(math.Float64frombits(0x7ff8000000000002))), "", 0, "", ""},
		{"ULP", outcome(float(1)), outcome(float(math.Nextafter(1, 2))), Result, 0, "1", "1.0000000000000002 (1 ULP)"},
		{"ULPs around zero", outcome(float(math.SmallestNonzeroFloat64)), outcome(float(-math.SmallestNonzeroFloat64)), Result, 0, "5e-324", "-5e-324 (2 ULPs)"},
		{"zeros", outcome(float(0)), outcome(float(math.Copysign(0, -1))), Result, 0, "0", "-0 (the sign of zero)"},
		{"not run", outcome(number(1)), &testcase.Outcome{}, "", 0, "", ""},
		{"not observed", outcome(testcase.Value{}), outcome(noError), "", 0, "", ""},
		{"opaque or nil", outcome(testcase.Value{Kind: testcase.Opaque}), outcome(noError), Result, 0, "(a value)", "nil"},
		{"other values in each run", outcome(testcase.Value{Kind: testcase.Opaque, Varies: true}), outcome(noError), Result, 0, "(a value that differs between runs)", "nil"},
		{"nil in some runs", outcome(testcase.Value{Kind: testcase.Opaque, Varies: true, MaybeNil: true}), outcome(noError), "", 0, "", ""},
		{"opaque", outcome(testcase.Value{Kind: testcase.Opaque}), outcome(number(2)), "", 0, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Compare(tt.old, tt.new, func(int) bool { return true }, func(*types.Var) bool { return true })
			if got == nil {
				got = &Difference{}
			}
			want := Difference{tt.kind, tt.at, tt.before, tt.after}
			if *got != want {
				t.Errorf("got %+v, want %+v", *got, want)
			}
		})
	}
}

func TestCompareOnlyCalls(t *testing.T) {
	d := Compare(outcome(number(1), number(2)), outcome(number(3), number(4)), func(i int) bool { return i == 1 }, func(*types.Var) bool { return true })
	if d == nil || d.At != 1 {
		t.Errorf("got %+v, want the difference at statement 1", d)
	}
}

func TestKindsAreOrdered(t *testing.T) {
	if Panics.Rank() != 0 || !Panics.Worse() || Mended.Worse() || ErrorText.Severity() != testcase.Note {
		t.Error("the table of kinds is not what it says")
	}
}

func TestExplain(t *testing.T) {
	// All runs go through place 0. Places 1 and 2 are each on the way of some of the runs that differ.
	runs := []Run{
		{false, []int{0}}, {false, []int{0}}, {true, []int{0, 1}}, {true, []int{0, 1}}, {true, []int{0, 2}}, {true, nil}, {false, []int{0}},
	}
	if got, want := Explain(runs, 3), []int{-1, -1, 1, 1, 2, -1, -1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Stand-ins of an interface have a number of their own in each version.
func TestStubs(t *testing.T) {
	of := func(name string) *testcase.Outcome {
		return outcome(testcase.Value{Kind: testcase.Interface, Elems: []testcase.Value{{Kind: testcase.Opaque, TypeName: name}}})
	}
	for other, same := range map[string]bool{"*m/catalog.assay_s3": true, "*m/catalog.assay1_s3": true, "*m/catalog.assay_t3": false, "*m/catalog.T": false} {
		if d := Compare(of("*m/catalog.assay_s2"), of(other), func(int) bool { return true }, func(*types.Var) bool { return true }); (d == nil) != same {
			t.Errorf("%s: %+v", other, d)
		}
	}
}

// An error may be a variable that only one version knows.
func TestSentinels(t *testing.T) {
	pkg := types.NewPackage("io/fs", "fs")
	v := types.NewVar(token.NoPos, pkg, "ErrNotExist", types.Universe.Lookup("error").Type())
	is := failure("x")
	is.Err = &testcase.ErrorInfo{Message: is.Err.Message, Sentinels: []*types.Var{v}}
	for _, known := range []bool{true, false} {
		d := Compare(outcome(failure("x")), outcome(is), func(int) bool { return true }, func(*types.Var) bool { return known })
		if (d != nil) != known {
			t.Errorf("known %v: %+v", known, d)
		}
	}
}

// A type has one name, whatever alias of it a package uses.
func TestAliases(t *testing.T) {
	fs, os := types.NewPackage("io/fs", "fs"), types.NewPackage("os", "os")
	declared := types.NewTypeName(token.NoPos, fs, "PathError", nil)
	named := types.NewNamed(declared, types.NewStruct(nil, nil), nil)
	alias := types.NewAlias(types.NewTypeName(token.NoPos, os, "PathError", nil), named)
	of := func(t types.Type) *testcase.Outcome {
		v := failure("x")
		v.Elems = []testcase.Value{{Kind: testcase.Opaque, Type: types.NewPointer(t)}}
		return outcome(v)
	}
	if d := Compare(of(named), of(alias), func(int) bool { return true }, func(*types.Var) bool { return true }); d != nil {
		t.Errorf("a type and its alias: %+v", d)
	}
	other := types.NewNamed(types.NewTypeName(token.NoPos, fs, "OtherError", nil), types.NewStruct(nil, nil), nil)
	if d := Compare(of(named), of(other), func(int) bool { return true }, func(*types.Var) bool { return true }); d == nil {
		t.Error("no difference between two types")
	}
}
