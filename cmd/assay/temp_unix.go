//go:build unix

package main

import (
	"os"
	"syscall"
)

// own reports whether a directory belongs to the user.
func own(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}
