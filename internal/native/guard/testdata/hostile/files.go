package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"unsafe"
)

// readable succeeds if a file can be opened for reading.
func readable(name string) error {
	f, err := os.Open(name)
	if err == nil {
		f.Close()
	}
	return err
}

// writable succeeds if a file can be opened for writing. It writes nothing.
func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		f.Close()
	}
	return err
}

func files() map[string]attack {
	own := func(name string) {
		if err := os.WriteFile(name, []byte("mine"), 0o700); err != nil {
			panic(err)
		}
	}
	path := func(s string) uintptr {
		p, err := syscall.BytePtrFromString(s)
		if err != nil {
			panic(err)
		}
		return uintptr(unsafe.Pointer(p))
	}
	return map[string]attack{
		"remove the parent directory": func(w world) error {
			_ = os.RemoveAll("..")
			if entries, err := os.ReadDir(w.decoys); err == nil {
				return errors.New(entries[0].Name())
			}
			return errors.New("see the decoys")
		},
		"remove a file":           func(w world) error { return os.Remove(w.decoys + "/decoy") },
		"remove by way of chdir":  func(w world) error { return errors.Join(os.Chdir(w.decoys), os.Remove("decoy")) },
		"overwrite a file":        func(w world) error { return os.WriteFile(w.decoys+"/decoy", []byte("x"), 0o600) },
		"truncate a file":         func(w world) error { return os.Truncate(w.decoys+"/decoy", 0) },
		"append to a file":        func(w world) error { _, err := os.OpenFile(w.decoys+"/decoy", os.O_APPEND|os.O_WRONLY, 0); return err },
		"create a file elsewhere": func(w world) error { return os.WriteFile(w.decoys+"/new", nil, 0o600) },
		"make a directory":        func(w world) error { return os.Mkdir(w.decoys+"/new", 0o700) },
		"make a device":           func(w world) error { return syscall.Mknod("null", syscall.S_IFCHR|0o666, 1<<8|3) },
		"rename a file":           func(w world) error { return os.Rename(w.decoys+"/decoy", w.decoys+"/gone") },
		"rename a file to here":   func(w world) error { return os.Rename(w.decoys+"/decoy", "decoy") },
		"rename over a file":      func(w world) error { own("mine"); return os.Rename("mine", w.decoys+"/decoy") },
		"hard link to here":       func(w world) error { return os.Link(w.decoys+"/decoy", "decoy") },
		"hard link to elsewhere":  func(w world) error { own("mine"); return os.Link("mine", w.decoys+"/new") },
		"write through a symlink": func(w world) error {
			return errors.Join(os.Symlink(w.decoys+"/decoy", "link"), os.WriteFile("link", nil, 0o600))
		},
		"create through a symlink to a directory": func(w world) error {
			return errors.Join(os.Symlink(w.decoys, "dir"), os.WriteFile("dir/new", nil, 0o600))
		},
		"read through a symlink": func(w world) error {
			return errors.Join(os.Symlink(w.decoys+"/secret", "link"), readable("link"))
		},
		"change a mode":   func(w world) error { return os.Chmod(w.decoys+"/decoy", 0o777) },
		"change an owner": func(w world) error { return os.Chown(w.decoys+"/decoy", os.Getuid(), os.Getgid()) },
		"change times": func(w world) error {
			return syscall.UtimesNano(w.decoys+"/decoy", []syscall.Timespec{{Sec: 1}, {Sec: 1}})
		},
		"set an attribute": func(w world) error { return syscall.Setxattr(w.decoys+"/decoy", "user.x", []byte("x"), 0) },
		"mode by descriptor": func(world) error {
			f, err := os.Open("/dev/null")
			if err != nil {
				return err
			}
			return f.Chmod(0o666)
		},
		"read a secret":    func(w world) error { return readable(w.decoys + "/secret") },
		"read .netrc":      func(w world) error { return readable(w.decoys + "/.netrc") },
		"read /etc/passwd": func(world) error { return readable("/etc/passwd") },
		"read /etc/shadow": func(world) error { return readable("/etc/shadow") },
		"list a directory": func(w world) error { _, err := os.ReadDir(w.decoys); return err },
		"list the root":    func(world) error { _, err := os.ReadDir("/"); return err },
		"write to the module": func(w world) error {
			return os.WriteFile(w.decoys+"/module/more_test.go", []byte("package m"), 0o600)
		},
		"change the module":  func(w world) error { return os.WriteFile(w.decoys+"/module/m.go", []byte("package m"), 0o600) },
		"poison the cache":   func(w world) error { return os.WriteFile(w.decoys+"/gocache/00/entry-a", []byte("x"), 0o600) },
		"add to the cache":   func(w world) error { return os.WriteFile(w.decoys+"/gocache/00/entry-b", []byte("x"), 0o600) },
		"/proc/self/mem":     func(world) error { return writable("/proc/self/mem") },
		"/proc/self/root":    func(w world) error { return readable("/proc/self/root" + w.decoys + "/secret") },
		"/proc/self/cwd":     func(w world) error { return readable("/proc/self/cwd/../decoys/secret") },
		"/proc/self/environ": func(world) error { return readable("/proc/self/environ") },
		"/proc/sys":          func(world) error { return writable("/proc/sys/kernel/core_pattern") },
		"/sys":               func(world) error { return writable("/sys/fs/cgroup/cgroup.procs") },
		"kernel messages":    func(world) error { return readable("/dev/kmsg") },
		"physical memory":    func(world) error { return readable("/dev/mem") },
		"the terminal":       func(world) error { return readable("/dev/tty") },
		"shared memory file": func(world) error {
			f, err := os.OpenFile("/dev/shm/assay-hostile-test", os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err == nil {
				os.Remove(f.Name())
			}
			return err
		},
		"temporary file of the system": func(world) error {
			f, err := os.CreateTemp("/tmp", "assay-hostile-test")
			if err == nil {
				os.Remove(f.Name())
			}
			return err
		},
		"inherited descriptors": func(world) error {
			for fd := 3; fd < 2000; fd++ {
				var st syscall.Stat_t
				if syscall.Fstat(fd, &st) == nil && (st.Mode&syscall.S_IFMT == syscall.S_IFREG || st.Mode&syscall.S_IFMT == syscall.S_IFDIR) {
					_, _ = syscall.Write(fd, []byte("escaped"))
					return nil
				}
			}
			return errors.New("there are none")
		},
		"environment": func(world) error {
			for _, e := range os.Environ() {
				if strings.Contains(e, "SECRET") || strings.HasPrefix(e, "ASSAY_") {
					return nil
				}
			}
			return errors.New("there is nothing in it")
		},
		"mount": func(w world) error {
			return syscall.Mount("none", ".", "tmpfs", 0, "")
		},
		"chroot":             func(world) error { return syscall.Chroot(".") },
		"file by its handle": func(w world) error { return denied(nameToHandleAt, ^uintptr(99), path(w.decoys+"/decoy"), 0, 0, 0) },
		"watch a directory":  func(world) error { _, err := syscall.InotifyInit1(0); return err },
		"execute a shell":    func(world) error { return syscall.Exec("/bin/sh", []string{"sh", "-c", "echo escaped"}, nil) },
		"start a shell":      func(world) error { return exec.Command("/bin/sh", "-c", "true").Run() },
		"execute a file of its own": func(w world) error {
			in, err := os.Open(os.Args[0])
			if err != nil {
				return err
			}
			out, err := os.OpenFile("copy", os.O_CREATE|os.O_WRONLY, 0o700)
			if err != nil {
				return err
			}
			if _, err := io.Copy(out, in); err != nil {
				return err
			}
			if err := out.Close(); err != nil {
				return err
			}
			return syscall.Exec("copy", []string{"copy", "list", w.decoys}, nil)
		},
	}
}
