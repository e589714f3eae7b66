package guard

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// auditArch returns the kernel's number of the architecture, for those on which the
// filter was thought through.
func auditArch() (arch uint32, ok bool) {
	switch runtime.GOARCH {
	case "amd64":
		return unix.AUDIT_ARCH_X86_64, true
	case "arm64":
		return unix.AUDIT_ARCH_AARCH64, true
	}
	return 0, false
}

// Offsets in struct seccomp_data.
const (
	dataNr   = 0
	dataArch = 4
	dataArg0 = 16
)

// filterSyscalls has the kernel refuse, for this thread and what it executes, the
// system calls by which a process reaches others: Landlock covers TCP only (UDP in
// later versions), and signals only in later versions. A refused call fails with
// EPERM, as code under test must expect of any call.
func filterSyscalls() error {
	arch, ok := auditArch()
	if !ok {
		return errors.New("not on " + runtime.GOARCH)
	}
	pid := uint32(syscall.Getpid()) // stays the same over exec
	deny := uint32(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM))
	stmt := func(code uint16, k uint32) unix.SockFilter { return unix.SockFilter{Code: code, K: k} }
	jeq := func(k uint32, jt, jf uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: jt, Jf: jf}
	}
	load := func(off uint32) unix.SockFilter { return stmt(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, off) }
	ret := func(k uint32) unix.SockFilter { return stmt(unix.BPF_RET|unix.BPF_K, k) }
	prog := []unix.SockFilter{
		load(dataArch),
		jeq(arch, 1, 0),
		ret(deny),
		load(dataNr),
	}
	for _, nr := range []uint32{
		unix.SYS_SOCKET, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_VM_READV,
		unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_TKILL, unix.SYS_SETPGID, unix.SYS_SETSID,
		unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_MOUNT, unix.SYS_UNSHARE, unix.SYS_SETNS,
	} {
		prog = append(prog, jeq(nr, 0, 1), ret(deny))
	}
	for _, nr := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
		// To the process itself they are allowed: the runtime needs tgkill.
		prog = append(prog, jeq(nr, 0, 4), load(dataArg0), jeq(pid, 1, 0), ret(deny), ret(unix.SECCOMP_RET_ALLOW))
	}
	prog = append(prog, ret(unix.SECCOMP_RET_ALLOW))

	runtime.LockOSThread() // the thread that will call exec
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return errno
	}
	return nil
}
