//go:build unix && !linux

package assayrt

import "syscall"

const fDupFdCloexec = syscall.F_DUPFD_CLOEXEC

func mtime(st *syscall.Stat_t) syscall.Timespec { return st.Mtimespec }
