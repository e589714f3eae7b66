package native

import (
	"os"
	"syscall"
)

func passHandles(attr *syscall.SysProcAttr, files ...*os.File) {
	for _, f := range files {
		h := syscall.Handle(f.Fd())
		if syscall.SetHandleInformation(h, syscall.HANDLE_FLAG_INHERIT, syscall.HANDLE_FLAG_INHERIT) == nil {
			attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, h)
		}
	}
}
