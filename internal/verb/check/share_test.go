package check

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/symbolic"
)

// What says that the time was used up says that it was the function's share. Other bounds stay.
func TestNameShare(t *testing.T) {
	res := symbolic.Result{Bound: symbolic.TimeUsedUp, Any: &symbolic.AnyInputs{Bound: "200 cases", Past: &symbolic.AnyInputs{Bound: symbolic.TimeUsedUp}}}
	nameShare(&res)
	for _, b := range []string{res.Bound, res.Any.Past.Bound} {
		if !strings.HasPrefix(b, "the function's share of the time") {
			t.Errorf("got %q", b)
		}
	}
	if res.Any.Bound != "200 cases" {
		t.Errorf("got %q", res.Any.Bound)
	}
}
