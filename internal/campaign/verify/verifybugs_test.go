package verify

import (
	"testing"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// A finding is reproduced if its test says so, or if the runtime ends the process with a message while the
// test runs. No other end of the process counts.
func TestReproduces(t *testing.T) {
	const name = "TestF_bug1"
	said := func(lines ...string) map[string][]string { return map[string][]string{name: lines} }
	for _, test := range []struct {
		what, kind string
		res        gotest.Result
		want       bool
	}{
		{"it fails", "nil-dereference", gotest.Result{Failed: []string{name}}, true},
		{"it passes", "nil-dereference", gotest.Result{OK: true}, false},
		{"another one fails", "nil-dereference", gotest.Result{Failed: []string{"TestG_bug1"}}, false},
		{"it takes too long", "nil-dereference", gotest.Result{Failed: []string{name}, Died: []string{name}, Hung: true, Output: said("panic: test timed out after 20s")}, false},
		{"it hangs, as it should", "hang", gotest.Result{Failed: []string{name}, Died: []string{name}, Hung: true, Output: said("panic: test timed out after 20s")}, true},
		{"the stack overflows", "stack-overflow", gotest.Result{Failed: []string{name}, Died: []string{name}, Output: said("runtime: goroutine stack exceeds 1000000000-byte limit", "fatal error: stack overflow")}, true},
		{"a goroutine panics", "other", gotest.Result{Failed: []string{name}, Died: []string{name}, Output: said("panic: oops")}, true},
		{"the code exits", "other", gotest.Result{Failed: []string{name}, Died: []string{name}, Output: said("goodbye")}, false},
		{"the process never came to it", "other", gotest.Result{Output: map[string][]string{"": {"panic: in init"}}}, false},
	} {
		if got := reproduces(&testcase.Finding{Kind: test.kind}, name, &test.res); got != test.want {
			t.Errorf("%s: reproduces = %t, want %t", test.what, got, test.want)
		}
	}
}
