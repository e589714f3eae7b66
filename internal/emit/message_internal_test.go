package emit

import (
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// What an error says is compared, unless it changes from run to run or another package says it.
func TestStableMessage(t *testing.T) {
	for _, tt := range []struct {
		e    testcase.ErrorInfo
		want bool
	}{
		{testcase.ErrorInfo{Message: "bad"}, true},
		{testcase.ErrorInfo{Message: "bad", Unstable: true}, false},
		{testcase.ErrorInfo{Message: "bad", Foreign: true}, false},
		{testcase.ErrorInfo{}, false},
	} {
		if _, got := stableMessage(testcase.Value{Err: &tt.e}); got != tt.want {
			t.Errorf("%+v: compared %t, want %t", tt.e, got, tt.want)
		}
	}
}
