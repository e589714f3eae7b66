//go:build unix && !linux

package native

import (
	"syscall"
	"time"
)

func dieWithParent(*syscall.SysProcAttr) {}

func usage(int) (time.Duration, int64, bool) { return 0, 0, false }

// wanting reports whether some thread of a process wants the processor. It is called only if usage returned a
// result.
func wanting(int) bool { return false }

func quitThread(int) bool { return false }
