package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/goassay/assay/internal/lock"
)

// tempPrefix begins the names of the directories that processes of assay have their temporary
// files in.
const tempPrefix = "assay-run-"

// inOwnTemp runs f with a directory of its own for temporary files, those of the go command and of tests
// included, and removes the directory in the end. A killed process cannot do that, so later processes remove
// directories that no process has locked any more. On systems without locks the files go to the usual place.
//
// Children of a killed process may still write for some time, and a directory cannot be removed meanwhile, as after an
// interrupt, by which compilers lose their go command. A process therefore tries for a while to remove its own directory, and
// abandoned ones are removed at the start and at the end.
func inOwnTemp(f func() int) int {
	all := os.TempDir()
	removeAbandoned(all)
	defer removeAbandoned(all)
	own, unlock, ok := lockedTemp(all)
	if !ok {
		return f() // code that needs a file reports what is wrong with the usual place
	}
	defer removeWritten(own)
	defer unlock()
	before, had := os.LookupEnv("TMPDIR")
	if os.Setenv("TMPDIR", own) != nil {
		return f()
	}
	defer func() {
		if had {
			_ = os.Setenv("TMPDIR", before) // nothing runs after this
		}
	}()
	return f()
}

// lockedTemp makes a directory for temporary files and locks it. Until the lock is taken, a process that starts
// at the same moment may take the directory for an abandoned one and remove it; then another one is made. It
// returns false if no directory can be made or locked.
func lockedTemp(all string) (dir string, unlock func(), ok bool) {
	const tries = 5
	for range tries {
		dir, err := os.MkdirTemp(all, tempPrefix)
		if err != nil {
			return "", nil, false
		}
		unlock, ok := lock.Try(dir)
		if ok {
			if _, err := os.Stat(dir); err == nil {
				return dir, unlock, true
			}
			unlock()
		}
		_ = os.RemoveAll(dir) // empty, if it is still there
	}
	return "", nil, false
}

// removeWritten removes a directory in which other processes may still write. After some seconds what is left is left to the
// next process.
func removeWritten(dir string) {
	const tries, pause = 60, 50 * time.Millisecond
	for range tries {
		if os.RemoveAll(dir) == nil {
			return
		}
		time.Sleep(pause)
	}
}

// removeAbandoned removes the directories of processes that have ended.
func removeAbandoned(all string) {
	entries, err := os.ReadDir(all)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		dir := filepath.Join(all, e.Name())
		if unlock, ok := lock.Try(dir); ok && own(dir) {
			_ = os.RemoveAll(dir) // the next process removes what is left
			unlock()
		}
	}
}
