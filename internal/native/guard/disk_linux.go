package guard

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// nameless returns how many bytes of the disk a process has, or the processes of a group
// have, in open files that were removed.
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
			continue // it has ended
		}
		// Behind the name, which may contain anything: state, parent, group.
		f := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(f) > 2 && string(f[2]) == strconv.Itoa(pid) {
			sum += namelessOf(e.Name())
		}
	}
	return sum
}

// namelessOf is nameless for the process of that number.
func namelessOf(pid string) int64 {
	dir := fmt.Sprintf("/proc/%s/fd/", pid)
	files, err := os.ReadDir(dir)
	if err != nil {
		return 0 // it has ended
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
