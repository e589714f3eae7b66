package outcome

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// Of a document in JSON what is empty counts, and of another text nothing.
func TestZeros(t *testing.T) {
	op := &testcase.Operation{Kind: testcase.OpFunc}
	for text, want := range map[string]int{
		`{"a":null,"b":"","c":0,"d":[],"e":{}}`: 5,
		`{"a":1,"b":"x","c":[true,{"d":"y"}]}`:  0,
		`[0,"",false]`:                          2,
		`{"a":null`:                             0,
		`null`:                                  0,
		"":                                      0,
	} {
		c := &testcase.Case{
			Seq:      testcase.NewSequence(testcase.Statement{Op: op}),
			Observed: &testcase.Outcome{Status: testcase.Returned, Results: [][]testcase.Value{{{Kind: testcase.String, Str: text, Len: len(text)}}}},
		}
		if got := Zeros(c); got != want {
			t.Errorf("Zeros of %s: %d, want %d", text, got, want)
		}
	}
}
