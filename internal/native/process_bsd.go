//go:build unix && !linux

package native

import (
	"syscall"
	"time"
)

func dieWithParent(*syscall.SysProcAttr) {}

func usage(int) (time.Duration, int64, bool) { return 0, 0, false }
