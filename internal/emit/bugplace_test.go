package emit

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// A comment names the function of the package whose file it names, and what that function has called.
func TestRaisedIn(t *testing.T) {
	for _, tt := range []struct {
		stack     []string
		in, calls string
	}{
		{[]string{"example.com/m.compile", "example.com/m.Add"}, "example.com/m.compile", ""},
		{[]string{"regexp.MustCompile", "example.com/m.compile", "example.com/m.Add"}, "example.com/m.compile", ", which calls regexp.MustCompile"},
		{[]string{"math/rand.(*Rand).Intn", "math/rand.Intn", "example.com/m.Pick"}, "example.com/m.Pick", ", which calls rand.Intn"},
		{[]string{"example.com/other.F"}, "example.com/other.F", ""},
	} {
		var stack []testcase.Frame
		for _, f := range tt.stack {
			stack = append(stack, testcase.Frame{Func: f})
		}
		if got := raisedIn("example.com/m", stack); got != tt.in {
			t.Errorf("raisedIn(%v) = %s, want %s", tt.stack, got, tt.in)
		}
		if got := calledBelow("example.com/m", stack); got != tt.calls {
			t.Errorf("calledBelow(%v) = %q, want %q", tt.stack, got, tt.calls)
		}
	}
}
