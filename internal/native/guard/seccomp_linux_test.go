//go:build amd64 || arm64

package guard

import (
	"testing"

	"golang.org/x/sys/unix"
)

// answer executes a filter on a system call.
func answer(t *testing.T, prog []unix.SockFilter, arch, nr uint32, args ...uint64) uint32 {
	t.Helper()
	var a uint32
	for pc := 0; pc < len(prog); pc++ {
		in := prog[pc]
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			switch {
			case in.K == dataNr:
				a = nr
			case in.K == dataArch:
				a = arch
			default:
				i := int(in.K-dataArgs) / 8
				a = 0
				if i < len(args) {
					a = uint32(args[i] >> (8 * ((in.K - dataArgs) % 8)))
				}
			}
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			if a == in.K {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= in.K
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		default:
			t.Fatalf("unknown instruction %v", in)
		}
	}
	t.Fatal("the filter does not end")
	return 0
}

// TestFilter checks the filter by itself. Otherwise Landlock would refuse some of the same calls, and hide
// mistakes in the filter.
func TestFilter(t *testing.T) {
	const pid, other = 4711, 4712
	const none = 0xffff_ffff_ffff_ff9c // AT_FDCWD
	old, now := program(pid, 2), program(pid, 7)
	for _, tt := range []struct {
		what string
		want uint32
		nr   uint32
		args []uint64
	}{
		{"read", allow, unix.SYS_READ, []uint64{0}},
		{"openat", allow, unix.SYS_OPENAT, []uint64{none}},
		{"exit", allow, unix.SYS_EXIT_GROUP, nil},
		{"a thread", allow, unix.SYS_CLONE, []uint64{0x50f00}},
		{"a process", deny, unix.SYS_CLONE, []uint64{uint64(unix.SIGCHLD)}},
		{"a vfork", deny, unix.SYS_CLONE, []uint64{unix.CLONE_VFORK | unix.CLONE_VM}},
		{"a thread in a user namespace", deny, unix.SYS_CLONE, []uint64{0x50f00 | unix.CLONE_NEWUSER}},
		{"a thread in a network namespace", deny, unix.SYS_CLONE, []uint64{0x50f00 | unix.CLONE_NEWNET}},
		{"clone3", missing, unix.SYS_CLONE3, nil},
		{"mapped memory", allow, unix.SYS_MMAP, []uint64{0, 1, 3, unix.MAP_PRIVATE | unix.MAP_ANONYMOUS}},
		{"a mapped file", allow, unix.SYS_MMAP, []uint64{0, 1, 3, unix.MAP_SHARED}},
		{"shared memory", deny, unix.SYS_MMAP, []uint64{0, 1, 3, unix.MAP_SHARED | unix.MAP_ANONYMOUS}},
		{"shared memory, validated", deny, unix.SYS_MMAP, []uint64{0, 1, 3, unix.MAP_SHARED_VALIDATE | unix.MAP_ANONYMOUS | unix.MAP_NORESERVE}},
		{"a signal to a thread of its own", allow, unix.SYS_TGKILL, []uint64{pid, 1, 2}},
		{"a signal to a thread of others", deny, unix.SYS_TGKILL, []uint64{other, other, 2}},
		{"a signal to itself", allow, unix.SYS_KILL, []uint64{pid, 9}},
		{"a signal to others", deny, unix.SYS_KILL, []uint64{other, 9}},
		{"a signal to all", deny, unix.SYS_KILL, []uint64{0xffff_ffff_ffff_ffff, 9}},
		{"a signal to the group", deny, unix.SYS_KILL, []uint64{0, 9}},
		{"tkill", deny, unix.SYS_TKILL, []uint64{pid, 9}},
		{"a queued signal to others", deny, unix.SYS_RT_SIGQUEUEINFO, []uint64{other}},
		{"its own limits", allow, unix.SYS_PRLIMIT64, []uint64{0}},
		{"limits of others", deny, unix.SYS_PRLIMIT64, []uint64{other}},
		{"the owner of a pipe", deny, unix.SYS_FCNTL, []uint64{3, unix.F_SETOWN}},
		{"the signal of a pipe", deny, unix.SYS_FCNTL, []uint64{3, unix.F_SETSIG}},
		{"another descriptor", allow, unix.SYS_FCNTL, []uint64{3, unix.F_DUPFD_CLOEXEC}},
		{"the window's size", allow, unix.SYS_IOCTL, []uint64{1, unix.TIOCGWINSZ}},
		{"typing", deny, unix.SYS_IOCTL, []uint64{1, unix.TIOCSTI}},
		{"a socket", deny, unix.SYS_SOCKET, []uint64{unix.AF_UNIX}},
		{"a pair of sockets", deny, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX}},
		{"connecting", deny, unix.SYS_CONNECT, []uint64{3}},
		{"sending", deny, unix.SYS_SENDTO, []uint64{3}},
		{"io_uring", deny, unix.SYS_IO_URING_SETUP, nil},
		{"ptrace", deny, unix.SYS_PTRACE, nil},
		{"bpf", deny, unix.SYS_BPF, nil},
		{"unshare", deny, unix.SYS_UNSHARE, nil},
		{"modes", deny, unix.SYS_FCHMODAT, nil},
		{"owners", deny, unix.SYS_FCHOWNAT, nil},
		{"times", deny, unix.SYS_UTIMENSAT, nil},
		{"a session", deny, unix.SYS_SETSID, nil},
		{"memory files", deny, unix.SYS_MEMFD_CREATE, nil},
		{"what there will be one day", deny, 9999, nil},
	} {
		if got := answer(t, now, auditArch, tt.nr, tt.args...); got != tt.want {
			t.Errorf("%s: %#x, want %#x", tt.what, got, tt.want)
		}
		if got := answer(t, now, auditArch, tt.nr|0x40000000, tt.args...); got != deny {
			t.Errorf("%s by its number in x32: %#x", tt.what, got)
		}
		if got := answer(t, now, unix.AUDIT_ARCH_I386, tt.nr, tt.args...); got != deny {
			t.Errorf("%s of another architecture: %#x", tt.what, got)
		}
	}
	// Old versions of Landlock cannot refuse the truncation of files.
	if got := answer(t, old, auditArch, unix.SYS_TRUNCATE); got != deny {
		t.Errorf("truncate under an old Landlock: %#x", got)
	}
	if got := answer(t, now, auditArch, unix.SYS_TRUNCATE); got != allow {
		t.Errorf("truncate: %#x", got)
	}
}
