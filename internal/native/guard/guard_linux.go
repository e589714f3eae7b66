package guard

import (
	"debug/elf"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	llsys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Available says that this system has a shim.
const Available = true

// Limits that no test needs to exceed.
const (
	maxFile  = 64 << 20  // bytes of a file
	maxFiles = 1024      // descriptors
	overhead = 256 << 20 // bytes of data beyond the limit: the runtime maps more than it uses
)

// systemRead is what programs commonly read of the system: time zones, shared
// libraries, a source of randomness, and what the Go runtime looks at when it
// starts.
func systemRead() []string {
	return []string{
		"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/localtime", "/etc/mime.types", "/usr/share/mime",
		"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache",
		"/dev/urandom", "/dev/random", "/dev/zero", "/sys/kernel/mm/transparent_hugepage",
	}
}

// confine restricts the process as far as the kernel can, and says how.
func confine(spec *Spec) string {
	var done []string
	limit := func(what int, name string, max uint64) {
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: max, Max: max}); err != nil {
			done = append(done, "no limit of "+name+" ("+err.Error()+")")
		}
	}
	limit(unix.RLIMIT_CORE, "core", 0)
	limit(unix.RLIMIT_FSIZE, "file size", maxFile)
	limit(unix.RLIMIT_NOFILE, "files", maxFiles)
	if spec.Memory > 0 {
		limit(unix.RLIMIT_DATA, "data", spec.Memory+overhead)
	}
	done = append(done, restrictPaths(spec))
	if err := filterSyscalls(); err != nil {
		done = append(done, "no system call filter ("+err.Error()+")")
	} else {
		done = append(done, "seccomp: no sockets, no signals to others")
	}
	return strings.Join(done, "; ")
}

// restrictPaths applies Landlock: the directory can be written, a few things read,
// the harness executed, and nothing else; no network and no signals to others where
// the kernel's version has that.
func restrictPaths(spec *Spec) string {
	abi, err := llsys.LandlockGetABIVersion()
	if err != nil || abi < 1 {
		return "no landlock in this kernel: the file system is not protected"
	}
	const read = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSReadDir)
	const readFile = landlock.AccessFSSet(llsys.AccessFSReadFile)
	const run = landlock.AccessFSSet(llsys.AccessFSReadFile | llsys.AccessFSExecute)
	rules := []landlock.Rule{
		landlock.RWDirs(append([]string{spec.Dir}, spec.Write...)...),
		landlock.PathAccess(run, spec.Bin),
		landlock.RWFiles("/dev/null").IgnoreIfMissing(),
	}
	if ld := interpreter(spec.Bin); ld != "" {
		rules = append(rules, landlock.PathAccess(run, ld).IgnoreIfMissing())
	}
	for _, p := range append(systemRead(), spec.Read...) {
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
	if err := landlock.V11.BestEffort().Restrict(rules...); err != nil {
		return "landlock failed (" + err.Error() + "): the file system is not protected"
	}
	return fmt.Sprintf("landlock ABI %d", abi)
}

// interpreter returns the dynamic linker that an executable asks for, if any.
func interpreter(bin string) string {
	f, err := elf.Open(bin)
	if err != nil {
		return ""
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			if b, err := io.ReadAll(p.Open()); err == nil {
				return strings.TrimRight(string(b), "\x00")
			}
		}
	}
	return ""
}

// become executes the harness in place of this process.
func become(spec *Spec, env []string) error {
	return syscall.Exec(spec.Bin, spec.Args, env)
}
