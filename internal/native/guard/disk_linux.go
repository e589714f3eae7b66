package guard

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// nameless returns how many bytes on the disk belong to removed files that a process, or a process of a
// group, still has open.
func nameless(pid int, group bool) int64 {
	if pid <= 0 {
		return 0
	}
	if !group {
		return namelessOf(strconv.Itoa(pid))
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	var sum int64
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // the process has ended
		}
		// Behind the name, which may contain anything: state, parent, group.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) > 2 && string(f[2]) == strconv.Itoa(pid) {
			sum += namelessOf(e.Name())
		}
	}
	return sum
}

// namelessOf does the same as nameless for one process.
func namelessOf(pid string) int64 {
	dir := fmt.Sprintf("/proc/%s/fd/", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0 // the process has ended
	}
	var sum int64
	for _, f := range files {
		info, err := os.Stat(dir + f.Name())
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink == 0 {
			sum += st.Blocks * 512
		}
	}
	return sum
}
