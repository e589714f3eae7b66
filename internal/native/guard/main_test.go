package guard_test

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/native/guard"
)

// needConfinement skips a test on systems where processes cannot be confined, because the test would run its
// programs unconfined there.
func needConfinement(t *testing.T) {
	t.Helper()
	r, err := guard.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.How, "although the kernel says so") {
		t.Fatal(r.How)
	}
	if !r.Confined {
		t.Skip("NOT TESTED, since this system cannot confine a process: " + r.How)
	}
}
