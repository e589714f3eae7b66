//go:build !unix && !windows

package native

import (
	"os"
	"syscall"
)

func passHandles(*syscall.SysProcAttr, ...*os.File) {}
