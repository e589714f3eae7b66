package guard

import (
	"io/fs"
	"path/filepath"
)

// Bounds on what a process leaves on the disk: bytes in all, and files and directories.
const (
	maxDisk    = 256 << 20
	maxEntries = 20_000
)

// Disk looks after the space on the disk that a process takes. The kernel bounds one file
// only, so somebody has to add up.
type Disk struct {
	Dirs []string // where the process may write; names of directories, or patterns of such
	// Pid is the process; with Group it is the group whose processes are meant.
	Pid   int
	Group bool
}

// Full reports whether the process takes more space than any test needs.
func (d Disk) Full() bool {
	var bytes int64
	entries := 0
	full := func() bool { return bytes > maxDisk || entries > maxEntries }
	for _, pattern := range d.Dirs {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			dirs = []string{pattern}
		}
		for _, dir := range dirs {
			// The process goes on meanwhile: what cannot be read is gone, or comes the next time.
			_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
				if err != nil {
					return nil
				}
				entries++
				if info, err := e.Info(); err == nil && e.Type().IsRegular() {
					bytes += info.Size()
				}
				if full() {
					return fs.SkipAll
				}
				return nil
			})
		}
	}
	if !full() {
		bytes += nameless(d.Pid, d.Group)
	}
	return full()
}
