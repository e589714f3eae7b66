package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A directory for temporary files stays as long as its process uses it, even if other processes look for
// abandoned directories at the moment when it is made.
func TestLockedTemp(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no locks of directories")
	}
	all := t.TempDir()
	var done atomic.Bool
	ended := make(chan bool)
	const others, times = 3, 300
	for range others {
		go func() {
			for !done.Load() {
				removeAbandoned(all)
			}
			ended <- true
		}()
	}
	made := 0
	for range times {
		dir, unlock, ok := lockedTemp(all)
		if !ok {
			continue // each time, other processes removed the directory before it was locked
		}
		made++
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("a locked directory is gone: %v", err)
		}
		unlock()
	}
	done.Store(true)
	for range others {
		<-ended
	}
	if made == 0 {
		t.Error("no directory was made")
	}
}

// A directory in which compilers write for a while is removed when they have ended.
func TestRemoveWritten(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	dir := filepath.Join(t.TempDir(), "own")
	if err := os.MkdirAll(filepath.Join(dir, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	const writers, patience = 4, 400 * time.Millisecond
	var began, ended sync.WaitGroup
	for w := range writers {
		began.Add(1)
		ended.Go(func() {
			for i, start := 0, time.Now(); time.Since(start) < patience; i++ {
				if os.WriteFile(filepath.Join(dir, "b", fmt.Sprint(w, "-", i)), nil, 0o666) != nil {
					return
				}
				if i == 0 {
					began.Done()
				}
			}
		})
	}
	began.Wait()
	removeWritten(dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory is still there")
	}
	ended.Wait()
}
