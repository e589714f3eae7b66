package phrase

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A text inside of structs is a name by itself.
func TestWithoutWrapping(t *testing.T) {
	for name, want := range map[string]string{
		`&{Values: {&{Value: "'abc'"}}}`:           `"'abc'"`,
		`&{Values: {&{Value: "a"}, {Value: "b"}}}`: `&{Values: {&{Value: "a"}, {Value: "b"}}}`,
		`{Name: "ann", Age: 3}`:                    `{Name: "ann", Age: 3}`,
		`&{Values: {&{Value: "\x80"}}}`:            `&{Values: {&{Value: "\x80"}}}`,
		"empty":                                    "empty",
	} {
		if got := WithoutWrapping(name); got != want {
			t.Errorf("WithoutWrapping(%s) = %s, want %s", name, got, want)
		}
	}
}

// The only case of several without a name that returns an error is called by that.
func TestFailsAlone(t *testing.T) {
	ends := func(err *testcase.ErrorInfo) *testcase.Case {
		return &testcase.Case{Seq: testcase.NewSequence(testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc}}),
			Observed: &testcase.Outcome{Results: [][]testcase.Value{{{Err: err}}}}}
	}
	fine, failing := ends(nil), ends(&testcase.ErrorInfo{Message: "failed"})
	for _, tt := range []struct {
		cases   []*testcase.Case
		isNamed bool // the others
		want    bool
	}{
		{[]*testcase.Case{failing, fine}, false, true},
		{[]*testcase.Case{failing, failing}, false, false},
		{[]*testcase.Case{failing, failing}, true, true},
		{[]*testcase.Case{fine, failing}, false, false},
	} {
		if got := FailsAlone(len(tt.cases), 0, func(k int) *testcase.Case { return tt.cases[k] }, func(int) bool { return tt.isNamed }); got != tt.want {
			t.Errorf("FailsAlone of %d cases = %t, want %t", len(tt.cases), got, tt.want)
		}
	}
}
