package main

import (
	"errors"
	"syscall"
	"unsafe"
)

func kernel() map[string]attack {
	var zeros [256]byte
	p := uintptr(unsafe.Pointer(&zeros))
	return map[string]attack{
		"io_uring":            func(world) error { return denied(ioUringSetup, 1, p) },
		"bpf":                 func(world) error { return denied(bpf, 99, p, 8) },
		"perf events":         func(world) error { return denied(perfEventOpen, p, 0, ^uintptr(0), ^uintptr(0), 0) },
		"userfaultfd":         func(world) error { return denied(userfaultfd, 99) },
		"keys":                func(world) error { return denied(keyctl, 0, ^uintptr(2), 0) },
		"shared memory":       func(world) error { return denied(shmget, 0, 4096, 0o600) },
		"message queue":       func(world) error { return denied(msgget, 0, 0o600) },
		"semaphores":          func(world) error { return denied(semget, 0, 1, 0o600) },
		"named message queue": func(world) error { return denied(mqOpen, 0, 0, 0, 0) },
		"memory file":         func(world) error { return denied(memfdCreate, p, 0) },
		"another filter":      func(world) error { return denied(seccomp, 99, 0, 0) },
		"personality":         func(world) error { return denied(syscall.SYS_PERSONALITY, 0xffffffff) },
		"load a module":       func(world) error { return denied(syscall.SYS_INIT_MODULE, 0, 0, p) },
		"kexec":               func(world) error { return denied(kexecLoad, 0, 17, 0, 1) },
		"type into the terminal": func(world) error {
			const sti = 0x5412
			return denied(syscall.SYS_IOCTL, 0, sti, p)
		},
		"shared anonymous memory": func(world) error {
			_, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_ANON)
			return err
		},
		"numbers of x32": func(world) error {
			const x32 = 0x40000000
			for _, nr := range foreignNumbers() {
				err := call(nr|x32, syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
				if !errors.Is(err, syscall.EPERM) {
					return nil
				}
			}
			return errors.New("all are refused")
		},
		"calls of i386": func(world) error { return oldCall() },
	}
}
