package guard

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
)

// TestDisk checks that files with and without a name count, and so do many small ones.
func TestDisk(t *testing.T) {
	const part = 8 << 20
	dir := t.TempDir()
	d := Disk{Dirs: []string{filepath.Join(filepath.Dir(dir), filepath.Base(dir)[:1]+"*")}, Pid: os.Getpid()}
	sparse := func(name string, size int64) *os.File {
		t.Helper()
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		return f
	}
	sparse("half", maxDisk/2)
	if d.Full() {
		t.Error("full with a half")
	}
	sparse("more", maxDisk/2+part)
	if !d.Full() {
		t.Error("not full with more than there may be")
	}
	if err := os.Remove(filepath.Join(dir, "more")); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		f := sparse("nameless", 0)
		if _, err := f.Write(make([]byte, part)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(f.Name()); err != nil {
			t.Fatal(err)
		}
		if n := nameless(os.Getpid(), false); n < part {
			t.Errorf("%d bytes are in files without a name, want %d or more", n, part)
		}
	}
	sub := filepath.Join(dir, "sub")
	if err := os.Mkdir(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range maxEntries + 1 {
		if err := os.Symlink("x", filepath.Join(sub, strconv.Itoa(i))); err != nil {
			t.Fatal(err)
		}
	}
	if !(Disk{Dirs: []string{sub}}).Full() {
		t.Error("not full with too many files")
	}
}
