package native_test

import (
	"testing"
	"time"

	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/testcase"
)

// A case that waits for the lock of a file waits for the world outside of its process, which is no hang of the function.
func TestWaitedOutside(t *testing.T) {
	h, pkg := build(t, source(`package p

import (
	"os"
	"path/filepath"
	"syscall"
)

func Lock() error {
	name := filepath.Join(os.TempDir(), "lock")
	for range 2 { // the second description of the file waits for the first one
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			return err
		}
	}
	return nil
}
`), native.Config{CaseTimeout: time.Second})
	out := run(t, h, pkg, native.Options{}, "Lock()")[0]
	if out.Status != testcase.Hung || out.Message != testcase.WaitedOutside {
		t.Errorf("%v %q, want a case that waited outside", out.Status, out.Message)
	}
}
