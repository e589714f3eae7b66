package main

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

// Numbers of system calls that package syscall lacks are in nr_GOARCH.go.

func processes() map[string]attack {
	return map[string]attack{
		// Signals: number 0 is none, but whether it could be sent is found out.
		"signal the parent": func(w world) error { return syscall.Kill(w.parent, 0) },
		"signal everybody":  func(world) error { return syscall.Kill(-1, 0) },
		"signal the group":  func(world) error { return syscall.Kill(0, 0) },
		"signal a thread":   func(w world) error { return call(syscall.SYS_TGKILL, uintptr(w.parent), uintptr(w.parent), 0) },
		"signal by tkill":   func(w world) error { return call(syscall.SYS_TKILL, uintptr(w.parent), 0) },
		"queue a signal":    func(w world) error { return denied(syscall.SYS_RT_SIGQUEUEINFO, uintptr(w.parent), 0, 0) },
		"signal by a pidfd": func(w world) error { return call(pidfdOpen, uintptr(w.parent), 0) },
		"signal by a pipe": func(w world) error {
			var p [2]int
			if err := syscall.Pipe(p[:]); err != nil {
				return err
			}
			const setOwner = 8
			return call(syscall.SYS_FCNTL, uintptr(p[0]), setOwner, uintptr(w.parent))
		},
		"trace the parent": func(w world) error {
			const seize = 0x4206
			err := call(syscall.SYS_PTRACE, seize, uintptr(w.parent), 0, 0)
			if err == nil {
				_ = syscall.PtraceDetach(w.parent)
			}
			return err
		},
		"read the parent's memory": func(w world) error {
			var buf [8]byte
			local := [2]uintptr{uintptr(unsafe.Pointer(&buf)), 8}
			return denied(processVMReadv, uintptr(w.parent), uintptr(unsafe.Pointer(&local)), 1, uintptr(unsafe.Pointer(&local)), 1, 0)
		},
		"the parent's memory file": func(w world) error { return readable(pid(w.parent) + "/mem") },
		"the parent's environment": func(w world) error { return readable(pid(w.parent) + "/environ") },
		"the parent's descriptors": func(w world) error { _, err := os.ReadDir(pid(w.parent) + "/fd"); return err },
		"the parent's directory":   func(w world) error { return readable(pid(w.parent) + "/cwd/decoy") },
		"the parent's limits": func(w world) error {
			var old syscall.Rlimit
			return call(prlimit64, uintptr(w.parent), syscall.RLIMIT_NOFILE, 0, uintptr(unsafe.Pointer(&old)))
		},
		"the parent's priority": func(w world) error { return denied(syscall.SYS_SETPRIORITY, 0, uintptr(w.parent), 0) },
		"the parent's processors": func(w world) error {
			var mask [128]byte
			return denied(syscall.SYS_SCHED_SETAFFINITY, uintptr(w.parent), uintptr(len(mask)), uintptr(unsafe.Pointer(&mask)))
		},
		"start a process": func(w world) error { return exec.Command(os.Args[0], "list", w.decoys).Run() },
		"start a session": func(world) error { _, err := syscall.Setsid(); return err },
		"leave the group": func(world) error { return syscall.Setpgid(0, 0) },
		"outlive the parent": func(world) error {
			const deathSignal = 1
			return call(syscall.SYS_PRCTL, deathSignal, 0)
		},
		"another user":   func(world) error { return syscall.Setuid(12345) },
		"another group":  func(world) error { return syscall.Setgid(12345) },
		"further groups": func(world) error { return syscall.Setgroups([]int{12345}) },
		"capabilities": func(world) error {
			hdr := [2]uint32{0x20080522, 0}
			var data [6]uint32
			if err := call(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&hdr)), uintptr(unsafe.Pointer(&data))); err != nil {
				return err
			}
			for _, d := range data {
				if d != 0 {
					return nil
				}
			}
			return errors.New("it has none")
		},
		"raise limits": func(world) error {
			for _, what := range []int{syscall.RLIMIT_FSIZE, syscall.RLIMIT_NOFILE, syscall.RLIMIT_DATA} {
				if syscall.Setrlimit(what, &syscall.Rlimit{Cur: 1 << 40, Max: 1 << 40}) == nil {
					return nil
				}
			}
			return errors.New("none can be raised")
		},
		"user namespace":    func(world) error { return syscall.Unshare(syscall.CLONE_NEWUSER) },
		"mount namespace":   func(world) error { return syscall.Unshare(syscall.CLONE_NEWNS) },
		"network namespace": func(world) error { return syscall.Unshare(syscall.CLONE_NEWNET) },
		"enter a namespace": func(world) error { return denied(setns, ^uintptr(0), 0) },
		// A clone that succeeds would be another process with this one's memory: it must end.
		"clone into a namespace": func(world) error { return clone(syscall.CLONE_NEWUSER | uintptr(syscall.SIGCHLD)) },
		"clone a process":        func(world) error { return clone(uintptr(syscall.SIGCHLD)) },
		"clone3": func(world) error {
			var args [11]uint64
			args[0] = syscall.CLONE_NEWUSER
			return denied(clone3, uintptr(unsafe.Pointer(&args)), 7) // of a size that there is not
		},
	}
}

// clone calls clone; the other process, if there is one, ends at once.
func clone(flags uintptr) error {
	r, _, errno := syscall.RawSyscall6(syscall.SYS_CLONE, flags, 0, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	if r == 0 {
		for {
			syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	_, _ = syscall.Wait4(int(r), nil, 0, nil)
	return nil
}
