package guard_test

import (
	"os"
	"testing"

	"github.com/goassay/assay/internal/native/guard"
)

func TestMain(m *testing.M) {
	guard.Main()
	os.Exit(m.Run())
}
