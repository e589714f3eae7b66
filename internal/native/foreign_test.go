package native_test

import (
	"testing"

	"github.com/goassay/assay/internal/native"
)

// An error of an exported type of another package is marked. What an unexported one says, like fmt's, the package has written.
func TestForeignErrors(t *testing.T) {
	h, pkg := build(t, source(`package p

import (
	"encoding/json"
	"fmt"
)

type Error struct{}

func (Error) Error() string { return "own" }

func Own() error { return Error{} }

func Foreign() error { return json.Unmarshal([]byte("{"), new(int)) }

func Written() error { return fmt.Errorf("bad: %w", Error{}) }
`), native.Config{})
	want := []bool{false, true, false}
	for i, out := range run(t, h, pkg, native.Options{}, "Own()", "Foreign()", "Written()") {
		if got := out.Results[0][0].Err; got == nil || got.Foreign != want[i] {
			t.Errorf("case %d: %+v, want an error that is foreign: %t", i, got, want[i])
		}
	}
}
