package guard

import "golang.org/x/sys/unix"

// auditArch is the kernel's number of the architecture.
const auditArch = unix.AUDIT_ARCH_X86_64

// statAt is the call that returns the properties of a file in a directory.
const statAt = unix.SYS_NEWFSTATAT

// legacy lists the allowed system calls that only old architectures have: older forms of other calls,
// and those that set the thread's own registers.
func legacy() []uint32 {
	return []uint32{
		unix.SYS_ARCH_PRCTL, unix.SYS_TIME, unix.SYS_ALARM, unix.SYS_PAUSE, unix.SYS_GETPGRP,
		unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK,
		unix.SYS_RENAME, unix.SYS_LINK, unix.SYS_SYMLINK, unix.SYS_READLINK, unix.SYS_GETDENTS, unix.SYS_PIPE, unix.SYS_DUP2,
		unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_CREATE, unix.SYS_EPOLL_WAIT, unix.SYS_EVENTFD,
	}
}
