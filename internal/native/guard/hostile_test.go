package guard_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/goassay/assay/internal/native/guard"
)

var allHostile = flag.Bool("hostile", false, "try all hostile programs, not a sample of them")

// TestHostile runs programs that try to do harm or to learn secrets. Each is confined as code under test is,
// in a directory of its own, below a temporary directory that also has the decoys. Whatever the programs
// print: the decoys must not change, nothing must arrive where the test listens, no signal must arrive, and
// the test must be able to end each program.
func TestHostile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT TESTED: this system cannot confine a process")
	}
	needConfinement(t)
	h := newHostile(t)
	names := h.list(t)
	if len(names) < 100 {
		t.Fatalf("there are only %d hostile programs", len(names))
	}
	for i, name := range names {
		endless := strings.HasSuffix(name, "without end") || name == "much memory"
		if !*allHostile && (i%4 != 0 || endless) {
			continue
		}
		t.Run(strings.ReplaceAll(name, "/", "|"), func(t *testing.T) {
			h.try(t, name, endless)
		})
	}
}

// hostile is a hostile program, and the files and addresses that it attacks.
type hostile struct {
	bin    string
	root   string // everything
	decoys string // the files that must not change
	before string // a digest of the decoys
	args   []string
	heard  atomic.Int32 // the connections and signals that have arrived
}

func newHostile(t *testing.T) *hostile {
	h := &hostile{root: t.TempDir()}
	if real, err := filepath.EvalSymlinks(h.root); err == nil {
		h.root = real
	}
	h.decoys = filepath.Join(h.root, "decoys")
	for name, content := range map[string]string{
		"decoy": "as it was", "secret": "SECRET", ".netrc": "machine example.com password SECRET",
		"module/go.mod": "module example.com/m\n", "module/m.go": "package m\n", "gocache/00/entry-a": "v1",
	} {
		file := filepath.Join(h.decoys, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	h.bin = filepath.Join(t.TempDir(), "hostile")
	build := exec.Command("go", "build", "-o", h.bin, ".")
	build.Dir = filepath.Join("testdata", "hostile")
	build.Env, _ = guard.GoEnv(append(os.Environ(), "GOWORK=off"))
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tcp := h.listen(t, "tcp", "127.0.0.1:0")
	h.listen(t, "unix", filepath.Join(h.decoys, "socket"))
	name := fmt.Sprintf("assay-hostile-%d", os.Getpid())
	h.listen(t, "unix", "@"+name)
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { udp.Close() })
	go func() {
		if _, _, err := udp.ReadFrom(make([]byte, 100)); err == nil {
			h.heard.Add(1)
		}
	}()
	signals := make(chan os.Signal, 10)
	signal.Notify(signals, syscall.SIGIO, syscall.SIGUSR1, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(signals); close(signals) })
	go func() {
		for range signals {
			h.heard.Add(1)
		}
	}()
	h.args = []string{h.decoys, tcp, udp.LocalAddr().String(), name}
	h.before = digest(t, h.decoys)
	t.Setenv("ASSAY_TEST_SECRET", "SECRET")
	return h
}

// listen counts connections, and returns the address.
func (h *hostile) listen(t *testing.T, network, address string) string {
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // the test is over
			}
			h.heard.Add(1)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// digest sums up names, modes and contents of the files in a directory.
func digest(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(sum, name, info.Mode())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintln(sum, info.Size(), info.ModTime().UnixNano(), info.Sys().(*syscall.Stat_t).Nlink, content)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// command returns a command that runs the program confined, and its own directory.
func (h *hostile) command(t *testing.T, ctx context.Context, name string) (*exec.Cmd, string) {
	t.Helper()
	dir, err := os.MkdirTemp(h.decoys+"/..", "own")
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Clean(dir)
	policy := guard.Policy{Mode: guard.Require, Write: []string{dir}, Memory: 128 << 20}
	cmd, err := guard.Command(ctx, policy, dir, h.bin, append([]string{name}, h.args...)...)
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd, dir
}

// list returns the names of all programs.
func (h *hostile) list(t *testing.T) []string {
	cmd, _ := h.command(t, t.Context(), "list")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// try runs one program. If the program is endless, try ends it when it has printed its results, or when it
// uses more than it may.
func (h *hostile) try(t *testing.T, name string, endless bool) {
	// File descriptors that another program may inherit from this one by mistake.
	leak, err := os.Open(filepath.Join(h.decoys, "secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd, dir := h.command(t, ctx, name)
	cmd.ExtraFiles = []*os.File{leak}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	full := false
	if endless {
		disk := guard.Disk{Dirs: []string{dir}, Pid: cmd.Process.Pid}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = cmd.Wait() // the error is looked at below
		}()
		full = overstays(disk, ended)
		cancel()
		<-ended
	} else {
		_ = cmd.Wait() // the error is looked at below
	}
	said := out.String()
	t.Logf("%.200s", said)
	if msg, ok := guard.Failure(cmd.ProcessState.ExitCode(), said); ok {
		t.Fatalf("it did not run: %s", msg)
	}
	if strings.Contains(said, "escaped") || strings.Contains(said, "NOT CONFINED") || strings.Contains(said, "no such attack") {
		t.Errorf("it says: %s", said)
	}
	if !endless && !strings.Contains(said, "refused") {
		t.Errorf("it ended without a word: %s: %s", cmd.ProcessState, said)
	}
	if name == "much memory" && !strings.Contains(said, "out of memory") && !strings.Contains(said, "cannot allocate memory") {
		t.Errorf("memory has no limit: %s: %.300s", cmd.ProcessState, said)
	}
	if slices.Contains([]string{"many small files without end", "large files without end", "removed files without end"}, name) && !full {
		t.Error("nobody noticed that the disk is filled")
	}
	if after := digest(t, h.decoys); after != h.before {
		t.Fatal("the decoys have changed")
	}
	if n := h.heard.Load(); n != 0 {
		t.Fatalf("%d messages or signals came in", n)
	}
	if err := syscall.Kill(-cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("processes are left: %v", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}

// overstays waits until a process has ended, takes too much of the disk, or has had some
// seconds, and reports whether it took too much.
func overstays(disk guard.Disk, ended <-chan struct{}) bool {
	late := time.After(10 * time.Second)
	for {
		select {
		case <-ended:
			return false
		case <-late:
			return false
		case <-time.After(50 * time.Millisecond):
			if disk.Full() {
				return true
			}
		}
	}
}
