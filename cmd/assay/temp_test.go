package main

import (
	"os"
	"runtime"
	"sync/atomic"
	"testing"
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
