package files

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// small mounts a file system of 64 KB.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("nothing can be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// If there is no space, or nothing may be written, everything stays as it was.
func TestReplace_noRoom(t *testing.T) {
	dir := small(t)
	old := map[string]string{"a_assay_test.go": string(sealed("// a\n")), "gone_assay_test.go": string(sealed("// gone\n"))}
	if err := replaceWith(dir, old); err != nil {
		t.Fatal(err)
	}
	big := string(sealed(strings.Repeat("// long\n", 4000)))
	fresh := map[string]string{"a_assay_test.go": big, "b_assay_test.go": big, "c_assay_test.go": big}
	if err := replaceWith(dir, fresh); !errors.Is(err, unix.ENOSPC) {
		t.Errorf("three files of 32 KB: %v, want that there is no space left", err)
	}
	if got := tree(t, dir); !maps.Equal(got, old) {
		t.Errorf("a full disk has left %d files", len(got))
	}
	if err := Writable(dir); err != nil {
		t.Errorf("the disk is full for good: %v", err)
	}

	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("the file system cannot become read-only: %v", err)
	}
	if err := Writable(dir); !errors.Is(err, unix.EROFS) {
		t.Errorf("Writable = %v, want that the file system is read-only", err)
	}
	if err := replaceWith(dir, map[string]string{"a_assay_test.go": string(sealed("// new\n"))}); !errors.Is(err, unix.EROFS) {
		t.Errorf("a read-only file system: %v", err)
	}
	if got := tree(t, dir); !maps.Equal(got, old) {
		t.Errorf("a read-only file system has %d files", len(got))
	}
}
