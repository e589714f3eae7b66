package finding

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What the confinement refuses is no behaviour of the code: a system call by itself says so with or without the words of a call before it.
func TestDenied(t *testing.T) {
	for message, want := range map[string]bool{
		"operation not permitted":                    true,
		"open /dev/mem: operation not permitted":     true,
		"route lookup error operation not permitted": true,
		"open /etc/shadow: permission denied":        true,
		"permission denied":                          false, // io/fs.ErrPermission, which packages return of themselves
		"bad file descriptor":                        false,
	} {
		o := &testcase.Outcome{Results: [][]testcase.Value{{{Kind: testcase.Interface, Err: &testcase.ErrorInfo{Message: message}}}}}
		if got := Denied(o); got != want {
			t.Errorf("%q: Denied = %t, want %t", message, got, want)
		}
	}
}
