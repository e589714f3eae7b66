package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// unconfinable runs assay as on a system without Landlock: the system calls of Landlock fail as on a kernel
// that does not have them.
func unconfinable() {
	if err := becomeUnconfinable(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

func becomeUnconfinable() error {
	exe, err := exec.LookPath("assay")
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the thread that will call exec
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	if _, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog))); errno != 0 {
		return errno
	}
	return syscall.Exec(exe, append([]string{"assay"}, patient(os.Getenv("EFFORT"), os.Args[1:])...), os.Environ())
}
