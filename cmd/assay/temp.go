package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/lock"
)

// tempPrefix begins the names of the directories that processes of assay have their temporary
// files in.
const tempPrefix = "assay-run-"

// inOwnTemp runs f with a directory of its own for temporary files, those of the go command and of
// tests included, and removes it in the end. A process that is killed cannot, so the next one
// removes what nobody has locked any more. Where there are no locks the files go where they
// always go.
//
// The children of a killed process may write a while longer, which keeps a directory from being
// removed. So abandoned ones are looked for at the start and at the end.
func inOwnTemp(f func() int) int {
	all := os.TempDir()
	removeAbandoned(all)
	defer removeAbandoned(all)
	own, err := os.MkdirTemp(all, tempPrefix)
	if err != nil {
		return f() // whoever needs a file says why there is none
	}
	defer os.RemoveAll(own) // what stays the next process removes
	unlock, ok := lock.Try(own)
	if !ok {
		return f()
	}
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

// removeAbandoned removes the directories of processes that are gone.
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
			_ = os.RemoveAll(dir) // what stays the next process removes
			unlock()
		}
	}
}
