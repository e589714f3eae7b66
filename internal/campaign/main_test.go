package campaign

import (
	"os"
	"testing"

	"github.com/goassay/assay/internal/native"
)

// The test binary is also the process that guards native runs.
func TestMain(m *testing.M) {
	native.GuardMain()
	os.Exit(m.Run())
}
