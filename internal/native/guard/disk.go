package guard

import (
	"io/fs"
	"path/filepath"
)

// Bounds on the files of a process: bytes in all, and the number of files and directories.
const (
	maxDisk    = 256 << 20
	maxEntries = 20_000
)

// Disk watches the space that a process takes on the disk. The kernel only bounds the size of each file, so
// Disk adds up the sizes of all files.
type Disk struct {
	Dirs []string // directories in which the process may write, or patterns of directories
	// Pid is the process. If Group is set, it is the process group whose processes are meant.
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
			// The process goes on meanwhile. A file that cannot be read has been removed, or is counted the
			// next time.
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
