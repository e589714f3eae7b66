//go:build linux && (amd64 || arm64)

package guard

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filterSyscalls makes the kernel refuse all system calls except those that a Go program needs for its own
// work: for this thread and the programs that it executes, in every calling convention of the architecture. A
// refused call fails with EPERM, an error that any call may return. The parameter landlock is the version of
// Landlock, which decides how much the filter has to refuse.
func filterSyscalls(landlock int) error {
	prog := program(uint32(os.Getpid()), landlock) // exec does not change the number of the process
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&fprog)))
	if errno != 0 {
		return fmt.Errorf("no system call filter: %w", errno)
	}
	return nil
}

// The actions of a filter.
const (
	allow   = uint32(unix.SECCOMP_RET_ALLOW)
	deny    = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	missing = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.ENOSYS)
)

// Offsets in struct seccomp_data. Filters look at the lower half of arguments only. The kernel itself reads
// no more of process numbers, commands and flags of clone, and mmap has no flags in the upper half.
const (
	dataNr   = 0
	dataArch = 4
	dataArgs = 16
)

// program returns the filter for process pid. It refuses calls of another architecture and of x32, whose
// numbers are not in the list.
func program(pid uint32, landlock int) []unix.SockFilter {
	var p filter
	p.load(dataArch)
	p.equal(auditArch, 1, 0)
	p.ret(deny)
	p.load(dataNr)
	for _, nr := range append(common(), legacy()...) {
		p.equal(nr, 0, 1)
		p.ret(allow)
	}
	if landlock >= 3 {
		p.equal(unix.SYS_TRUNCATE, 0, 1) // an older Landlock does not protect files from truncate
		p.ret(allow)
	}
	// Programs fall back to clone, whose flags a filter can read.
	p.equal(unix.SYS_CLONE3, 0, 1)
	p.ret(missing)
	for _, c := range conditional(pid) {
		p.conditional(c)
	}
	p.ret(deny)
	return p
}

// condition allows a system call by one of its arguments.
type condition struct {
	nr, arg uint32
	mask    uint32   // the bits of the argument that are compared; 0 means all
	values  []uint32 // with one of these values the call is allowed
	refuse  bool     // the values are refused, and others allowed
}

// conditional lists the calls that are allowed for some arguments only.
func conditional(pid uint32) []condition {
	const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
		unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET
	self := []uint32{pid}
	return []condition{
		// Threads may be made, but no processes and no namespaces.
		{nr: unix.SYS_CLONE, arg: 0, mask: unix.CLONE_THREAD | namespaces, values: []uint32{unix.CLONE_THREAD}},
		// Shared memory without a file belongs to no process in particular, so no limit would cover it.
		{nr: unix.SYS_MMAP, arg: 3, mask: unix.MAP_SHARED | unix.MAP_ANONYMOUS, values: []uint32{unix.MAP_SHARED | unix.MAP_ANONYMOUS}, refuse: true},
		// Signals go to the process itself only. The runtime needs tgkill.
		{nr: unix.SYS_KILL, arg: 0, values: self},
		{nr: unix.SYS_TGKILL, arg: 0, values: self},
		{nr: unix.SYS_RT_SIGQUEUEINFO, arg: 0, values: self},
		{nr: unix.SYS_RT_TGSIGQUEUEINFO, arg: 0, values: self},
		{nr: unix.SYS_PRLIMIT64, arg: 0, values: []uint32{0, pid}},
		// F_SETOWN and F_SETSIG would make the kernel send signals to other processes.
		{nr: unix.SYS_FCNTL, arg: 1, values: []uint32{
			unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
			unix.F_GETLK, unix.F_SETLK, unix.F_SETLKW, unix.F_OFD_GETLK, unix.F_OFD_SETLK, unix.F_OFD_SETLKW, unix.F_GETPIPE_SZ,
		}},
		// TIOCSTI would type into the user's terminal.
		{nr: unix.SYS_IOCTL, arg: 1, values: []uint32{unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCINQ, fionbio, fioclex, fionclex}},
		{nr: unix.SYS_PRCTL, arg: 0, values: []uint32{unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_VMA, unix.PR_GET_DUMPABLE, unix.PR_GET_NO_NEW_PRIVS}},
	}
}

// Commands of ioctl that have no name in package unix.
const (
	fionbio  = 0x5421
	fioclex  = 0x5451
	fionclex = 0x5450
)

// common lists the system calls that are allowed on every architecture.
func common() []uint32 {
	return []uint32{
		// memory
		unix.SYS_BRK, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MREMAP, unix.SYS_MINCORE, unix.SYS_MSYNC, unix.SYS_MEMBARRIER,
		// threads and signals of the process's own
		unix.SYS_FUTEX, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_SET_TID_ADDRESS, unix.SYS_RSEQ, unix.SYS_GETTID,
		unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_RESTART_SYSCALL, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
		unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGSUSPEND,
		unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_SIGALTSTACK,
		// The shim executes the program. Landlock allows no other file to be executed.
		unix.SYS_EXECVE, unix.SYS_WAIT4, unix.SYS_WAITID,
		// time
		unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES,
		unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME, unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE,
		unix.SYS_SETITIMER, unix.SYS_GETITIMER, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,
		// properties of the process and the system
		unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETPGID, unix.SYS_GETSID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
		unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS, unix.SYS_CAPGET, unix.SYS_GETRUSAGE, unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT,
		unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_GETRANDOM, unix.SYS_UMASK, unix.SYS_GETCPU,
		// descriptors
		unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV, unix.SYS_PWRITEV,
		unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2,
		unix.SYS_FLOCK, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FADVISE64,
		unix.SYS_COPY_FILE_RANGE, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_TEE, unix.SYS_EVENTFD2,
		unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL, unix.SYS_PSELECT6,
		// Files: Landlock decides which. Calls that Landlock does not check are not allowed: changes of
		// modes, owners, times and attributes of files, and access to files by their numbers.
		unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT,
		unix.SYS_SYMLINKAT, unix.SYS_READLINKAT, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_FSTAT, statAt, unix.SYS_STATX,
		unix.SYS_STATFS, unix.SYS_FSTATFS, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR,
	}
}

// filter is a program in the making.
type filter []unix.SockFilter

// load adds an instruction that loads the word at an offset of struct seccomp_data.
func (p *filter) load(offset uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

// equal adds an instruction that skips yes instructions if the loaded word is k, and no instructions
// otherwise.
func (p *filter) equal(k uint32, yes, no int) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jt: uint8(yes), Jf: uint8(no)})
}

func (p *filter) ret(answer uint32) {
	*p = append(*p, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: answer})
}

// conditional adds instructions that decide a call by its argument. Calls with other numbers go on to the
// next rule.
func (p *filter) conditional(c condition) {
	hit, miss := allow, deny
	if c.refuse {
		hit, miss = deny, allow
	}
	var body filter
	body.load(dataArgs + 8*c.arg)
	if c.mask != 0 {
		body = append(body, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: c.mask})
	}
	for _, v := range c.values {
		body.equal(v, 0, 1)
		body.ret(hit)
	}
	body.ret(miss)
	p.equal(c.nr, 0, len(body))
	*p = append(*p, body...)
}
