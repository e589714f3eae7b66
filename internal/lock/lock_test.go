package lock

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("NOT TESTED: there are no locks on Windows, where processes go on without")
	}
	dir := t.TempDir()
	unlock, err := Dir(t.Context(), dir, func() { t.Error("a lock that nobody has is waited for") })
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-waiting; cancel() }()
	if _, err := Dir(ctx, dir, func() { close(waiting) }); !errors.Is(err, context.Canceled) {
		t.Errorf("a second lock: %v, want that it waits until the context ends", err)
	}
	unlock()
	unlock, err = Dir(t.Context(), dir, func() { t.Error("a lock that was given back is waited for") })
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// Only one of many goroutines has the lock at a time.
func TestDir_many(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	var inside atomic.Int32 // an atomic counter, because the race detector does not know that the lock orders the goroutines
	for range 8 {
		wg.Go(func() {
			unlock, err := Dir(t.Context(), dir, func() {})
			if err != nil {
				t.Error(err)
				return
			}
			defer unlock()
			if inside.Add(1) != 1 && runtime.GOOS != "windows" {
				t.Error("two have the lock")
			}
			inside.Add(-1)
		})
	}
	wg.Wait()
}

// Locking something that is no directory does not fail.
func TestDir_none(t *testing.T) {
	unlock, err := Dir(t.Context(), filepath.Join(t.TempDir(), "gone"), func() { t.Error("waits") })
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
