package native

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// dieWithParent makes the kernel kill the process when this process dies.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// usage returns the processor time that a process has used and the bytes that it keeps in memory. The result
// ok is false if the system does not tell.
func usage(pid int) (cpu time.Duration, rss int64, ok bool) {
	fields := status(fmt.Sprintf("/proc/%d/stat", pid))
	if len(fields) < 22 {
		return 0, 0, false
	}
	const tick = time.Second / 100 // USER_HZ
	return time.Duration(number(fields[11])+number(fields[12])) * tick, number(fields[21]) * int64(os.Getpagesize()), true
}

// wanting reports whether some thread of a process runs, or would run if a processor were free.
func wanting(pid int) bool {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		return false // the process has ended
	}
	for _, t := range threads {
		// R: the thread runs or is ready to run. D: it waits for a disk.
		if f := status(dir + "/" + t.Name() + "/stat"); len(f) > 0 && (f[0][0] == 'R' || f[0][0] == 'D') {
			return true
		}
	}
	return false
}

// quitThread sends SIGQUIT to a running thread of the process, the one with the most processor time if
// there are several, and reports whether there was one.
func quitThread(pid int) bool {
	dir := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(dir)
	if err != nil {
		return false // the process has ended
	}
	best, most := 0, int64(-1)
	for _, t := range threads {
		f := status(dir + "/" + t.Name() + "/stat")
		if len(f) < 13 || f[0][0] != 'R' {
			continue
		}
		tid, err := strconv.Atoi(t.Name())
		if err != nil {
			continue // the entries of threads are numbers
		}
		if used := number(f[11]) + number(f[12]); used > most {
			best, most = tid, used
		}
	}
	return best != 0 && unix.Tgkill(pid, best, unix.SIGQUIT) == nil
}

// number reads a number of a stat file.
func number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0 // the fields that we read fit into 64 bits
	}
	return n
}

// status returns the fields of a stat file behind the name. The first field is the state.
func status(file string) [][]byte {
	stat, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may contain anything
}
