package guard

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Available says that this system may have the means to confine a process. Probe finds out whether it
// has.
const Available = true

// Limits that no test needs to exceed.
const (
	maxFile    = 64 << 20  // bytes of a file
	maxFiles   = 1024      // descriptors
	maxThreads = 4096      // in addition to the threads that the system has now; the limit does not apply to the superuser
	overhead   = 256 << 20 // bytes of data beyond the limit: the runtime maps more than it uses
)

// systemRead are the files of the system that Go programs commonly read: time zones, types of files, a
// source of randomness, and files that the Go runtime reads when it starts.
func systemRead() []string {
	return []string{
		"/usr/share/zoneinfo", "/usr/share/lib/zoneinfo", "/usr/lib/locale/TZ", "/etc/zoneinfo", "/etc/localtime",
		"/dev/urandom", "/dev/random", "/dev/zero", "/sys/kernel/mm/transparent_hugepage",
	}
}

// mimeTypes are the files from which package mime learns more types than it knows itself.
func mimeTypes() []string {
	return []string{"/etc/mime.types", "/etc/apache2/mime.types", "/etc/apache/mime.types", "/etc/httpd/conf/mime.types", "/usr/share/mime", "/usr/local/share/mime"}
}

// libraries are the files that programs read which are not linked statically.
func libraries() []string {
	return []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"}
}

// confine restricts the process irrevocably, and says how. If the error is not nil, the file system or the
// rest of the system is not protected.
func confine(s *spec) (how string, err error) {
	runtime.LockOSThread() // some restrictions apply to one thread, which has to call exec
	inheritOnly(s)
	var notes []string
	limit := func(what int, name string, most uint64) {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			notes = append(notes, "no limit of "+name+" ("+err.Error()+")")
		}
	}
	limit(unix.RLIMIT_CORE, "core", 0)
	limit(unix.RLIMIT_FSIZE, "file size", maxFile)
	limit(unix.RLIMIT_NOFILE, "files", maxFiles)
	if n := tasks(); n > 0 {
		limit(unix.RLIMIT_NPROC, "threads", n+maxThreads)
	}
	if !s.Race {
		limit(unix.RLIMIT_DATA, "data", s.memory()+overhead)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", fmt.Errorf("privileges can be gained: %w", err)
	}
	abi, pathErr := restrictPaths(s)
	if err := dropCapabilities(); err != nil {
		notes = append(notes, "capabilities are kept ("+err.Error()+")")
	}
	if pathErr != nil {
		pathErr = fmt.Errorf("the file system is not protected: %w", pathErr)
	}
	callErr := filterSyscalls(abi)
	if callErr != nil {
		callErr = fmt.Errorf("network and processes are not protected: %w", callErr)
	}
	if err := errors.Join(pathErr, callErr); err != nil {
		return "", errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return strings.Join(append([]string{fmt.Sprintf("landlock ABI %d", abi), "seccomp"}, notes...), "; "), nil
}

// inheritOnly marks all descriptors to be closed by exec, except the first three and those to keep.
func inheritOnly(s *spec) {
	keep := map[int]bool{}
	for _, fd := range s.Keep {
		keep[fd] = true
	}
	for fd := 3; fd < maxFiles; fd++ {
		if !keep[fd] {
			syscall.CloseOnExec(fd) // it is no error if there is no such descriptor
		}
	}
	// Higher descriptors are marked in one call if the kernel has it (5.11 and later).
	if err := unix.CloseRange(maxFiles, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
			for _, e := range entries {
				if fd, err := strconv.Atoi(e.Name()); err == nil && fd >= maxFiles {
					syscall.CloseOnExec(fd)
				}
			}
		}
	}
}

// tasks returns how many threads the system has, or 0 if it does not say.
func tasks() uint64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text)) // for example 0.00 0.01 0.05 1/317 4711
	if len(fields) < 4 {
		return 0
	}
	_, all, _ := strings.Cut(fields[3], "/")
	n, err := strconv.ParseUint(all, 10, 32)
	if err != nil {
		return 0
	}
	return n
}

// restrictPaths applies Landlock: some directories can be written, some files read, the program executed, and
// nothing else. If the kernel's version supports it, there is no network, and no access to other processes'
// sockets and no signals to them. It returns the version of Landlock.
func restrictPaths(s *spec) (abi int, err error) {
	abi, err = llsys.LandlockGetABIVersion()
	if err != nil || abi < 1 {
		return 0, errors.New("this kernel has no Landlock, or does not allow it here")
	}
	const read = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSReadDir)
	const readFile = landlock.AccessFSSet(llsys.AccessFSReadFile)
	const run = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSExecute)
	write := read | landlock.AccessFSSet(llsys.AccessFSWriteFile|llsys.AccessFSRemoveDir|llsys.AccessFSRemoveFile|
		llsys.AccessFSMakeDir|llsys.AccessFSMakeReg|llsys.AccessFSMakeFifo|llsys.AccessFSMakeSym)
	if abi >= 2 {
		write |= llsys.AccessFSRefer // files may be moved from one directory to another
	}
	if abi >= 3 {
		write |= llsys.AccessFSTruncate
	}
	rules := []landlock.Rule{landlock.RWFiles("/dev/null").IgnoreIfMissing()}
	for _, dir := range s.Write {
		rules = append(rules, landlock.PathAccess(write, dir))
	}
	paths := append(systemRead(), s.Read...)
	if !s.NoMIME {
		paths = append(paths, mimeTypes()...)
	}
	if s.Bin != "" {
		rules = append(rules, landlock.PathAccess(run, s.Bin))
		if ld := interpreter(s.Bin); ld != "" {
			rules = append(rules, landlock.PathAccess(run, ld).IgnoreIfMissing())
			paths = append(paths, libraries()...)
		}
	}
	if s.Race {
		paths = append(paths, "/proc/self")
	}
	for _, p := range paths {
		var st unix.Stat_t
		if unix.Stat(p, &st) != nil {
			continue
		}
		access := readFile
		if st.Mode&unix.S_IFMT == unix.S_IFDIR {
			access = read
		}
		rules = append(rules, landlock.PathAccess(access, p).IgnoreIfMissing())
	}
	return abi, landlock.V11.BestEffort().Restrict(rules...)
}

// interpreter returns the dynamic linker that an executable names, or "" if it names none.
func interpreter(bin string) string {
	f, err := elf.Open(bin)
	if err != nil {
		return ""
	}
	defer f.Close() // the file is only read, so nothing can be lost
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			if b, err := io.ReadAll(p.Open()); err == nil {
				return strings.TrimRight(string(b), "\x00")
			}
		}
	}
	return ""
}

// dropCapabilities takes the superuser's capabilities away. With these, a process of the superuser
// could raise its limits, and change owners and devices.
func dropCapabilities() error {
	const noRoot = 1<<0 | 1<<1 // SECBIT_NOROOT, locked: exec does not give capabilities back
	hdr := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&hdr, &data[0]); err != nil {
		return err
	}
	if data[0].Permitted == 0 && data[1].Permitted == 0 {
		return nil
	}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		// Capabilities that the kernel does not know, or that cannot be dropped here, are dropped by capset
		// below.
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0)
	}
	bits := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0)
	data = [2]unix.CapUserData{}
	if err := unix.Capset(&hdr, &data[0]); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		return bits
	}
	return nil
}

// become executes the program in place of this process.
func become(s *spec) error { return syscall.Exec(s.Bin, s.Args, s.Env) }
