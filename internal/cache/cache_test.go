package cache

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "assay"), []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPutGet(t *testing.T) {
	d := open(t)
	k := KeyOf("a", "b")
	if _, ok := d.Get(k); ok {
		t.Fatal("there is an entry before one was put")
	}
	for _, want := range []string{"", "x", "another"} {
		if err := d.Put(k, []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, ok := d.Get(k); !ok || string(got) != want {
			t.Errorf("Get = %q, %v, want %q", got, ok, want)
		}
	}
	if _, ok := d.Get(KeyOf("ab")); ok {
		t.Error("parts of a key run together")
	}
}

// An entry that is not as it was written counts as no entry, and can be written again.
func TestGet_damaged(t *testing.T) {
	d := open(t)
	k := KeyOf("k")
	if err := d.Put(k, []byte("content")); err != nil {
		t.Fatal(err)
	}
	whole, err := d.root.ReadFile(d.file(k))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	for name, content := range map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)-2], "flipped": flipped, "longer": append(bytes.Clone(whole), 'x'),
		"without content": whole[:len(magic)+5], "foreign": []byte("SQLite format 3\x00"),
	} {
		if err := d.root.WriteFile(d.file(k), content, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := d.Get(k); ok {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if err := d.Put(k, []byte("again")); err != nil {
		t.Fatal(err)
	}
	if got, ok := d.Get(k); !ok || string(got) != "again" {
		t.Errorf("Get = %q, %v after it was put again", got, ok)
	}
}

func TestTrim(t *testing.T) {
	d := open(t)
	now := time.Now()
	for _, name := range []string{"old", "new"} {
		if err := d.Put(KeyOf(name), []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	past := now.Add(-Unused - time.Hour)
	if err := d.root.Chtimes(d.file(KeyOf("old")), past, past); err != nil {
		t.Fatal(err)
	}
	if err := d.trim(now); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Get(KeyOf("old")); !ok { // now the entry has been used
		t.Error("trimmed although that was done a moment ago")
	}
	if err := d.root.Chtimes(d.file(KeyOf("old")), past, past); err != nil {
		t.Fatal(err)
	}
	if err := d.trim(now.Add(between + time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Get(KeyOf("old")); ok {
		t.Error("an entry that nobody has used for long is still there")
	}
	if _, ok := d.Get(KeyOf("new")); !ok {
		t.Error("an entry in use was removed")
	}
}

// An entry is used only if it was made with the same secret and for the same key.
func TestGet_foreign(t *testing.T) {
	path := t.TempDir()
	with := func(secret string) *Dir {
		d, err := Open(path, []byte(secret))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	mine, others := with("mine"), with("others")
	a, b := KeyOf("a"), KeyOf("b")
	for k, d := range map[Key]*Dir{a: others, b: mine} {
		if err := d.Put(k, []byte("content")); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok := mine.Get(a); ok {
		t.Errorf("an entry that somebody else made is believed: %q", got)
	}
	content, err := mine.root.ReadFile(mine.file(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := mine.put(mine.file(a), content); err != nil {
		t.Fatal(err)
	}
	if got, ok := mine.Get(a); ok {
		t.Errorf("the entry of another key is believed: %q", got)
	}
	if _, ok := mine.Get(b); !ok {
		t.Error("an entry is not found with the secret that it was made with")
	}
}

// If somebody puts links or pipes in the place of entries, the cache neither follows the links nor waits for
// the pipes.
func TestDir_planted(t *testing.T) {
	d := open(t)
	k := KeyOf("k")
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(d.root.Name(), filepath.Dir(d.file(k)))); err != nil {
		t.Skipf("NOT TESTED: no symbolic link can be made here: %v", err)
	}
	if _, ok := d.Get(k); ok {
		t.Error("there is an entry")
	}
	if err := d.Put(k, []byte("content")); err == nil {
		t.Error("an entry was written through a link")
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside of the cache there is %v, %v", left, err)
	}
}

// In a directory of the user's that has other files, too, the cache leaves those alone.
func TestTrim_others(t *testing.T) {
	path := t.TempDir()
	now := time.Now()
	past := now.Add(-10 * Unused)
	kept := []string{"notes.txt", "ab/notes.txt", "src/main.go", "ab/cd/deep", "zz/" + hex.EncodeToString(make([]byte, 32)), "ab/" + strings.Repeat("cd", 32)}
	gone := []string{"00/" + strings.Repeat("00", 32), "00/new-1"}
	for _, name := range slices.Concat(kept, gone) {
		full := filepath.Join(path, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(full, past, past); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(path, []byte("secret")); err != nil {
		t.Fatal(err)
	}
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(path, name)); err != nil {
			t.Errorf("%s, which is no entry, was removed", name)
		}
	}
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(path, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestSecret(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config", "secret")
	secret := func() string {
		t.Helper()
		s, err := Secret(name)
		if err != nil || len(s) != secretBytes {
			t.Fatalf("Secret = %d bytes, %v", len(s), err)
		}
		return string(s)
	}
	first := secret()
	if again := secret(); again != first {
		t.Error("the secret is another the second time")
	}
	info, err := os.Stat(name)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the secret's file: %v, %v", info.Mode(), err)
	}
	spoil := map[string]func() error{
		"others can read it": func() error { return os.Chmod(name, 0o644) },
		"cut off":            func() error { return os.WriteFile(name, []byte("x"), 0o600) },
		"a link": func() error {
			return errors.Join(os.Rename(name, name+"2"), os.Symlink(name+"2", name))
		},
	}
	for what, do := range spoil {
		if runtime.GOOS == "windows" && what != "cut off" {
			continue
		}
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if now := secret(); now == first {
			t.Errorf("%s: the secret is still used", what)
		}
	}
	left, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(left) > 2 {
		t.Errorf("beside the secret there is %v, %v", left, err)
	}
}

// Many processes that start at the same time agree on one secret.
func TestSecret_race(t *testing.T) {
	name := filepath.Join(t.TempDir(), "config", "secret")
	const n = 20
	got := make([]string, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			s, err := Secret(name)
			if err != nil {
				t.Error(err)
			}
			got[i] = string(s)
		})
	}
	wg.Wait()
	for i := range got {
		if got[i] != got[0] {
			t.Fatal("there are several secrets")
		}
	}
}

// Entries can be listed, looked at without counting as used, and removed: by age, by size, and one by one.
func TestEntries(t *testing.T) {
	d := open(t)
	now := time.Now()
	for i, name := range []string{"old", "middle", "new"} {
		k := KeyOf(name)
		if err := d.Put(k, bytes.Repeat([]byte("x"), 100)); err != nil {
			t.Fatal(err)
		}
		used := now.Add(time.Duration(i-3) * time.Hour)
		if err := d.root.Chtimes(d.file(k), used, used); err != nil {
			t.Fatal(err)
		}
	}
	names := func() (out []string) {
		entries, err := d.Entries()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			for _, name := range []string{"old", "middle", "new", "one"} {
				if e.Key == KeyOf(name) {
					out = append(out, name)
				}
			}
			if e.Size < 100 {
				t.Errorf("an entry has %d bytes", e.Size)
			}
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"new", "middle", "old"}) {
		t.Fatalf("entries %v", got)
	}
	if data, ok := d.Peek(KeyOf("old")); !ok || len(data) != 100 {
		t.Errorf("Peek = %d bytes, %v", len(data), ok)
	}
	if removed, err := d.Trim(now, 150*time.Minute, Limit); err != nil || len(removed) != 1 || removed[0].Key != KeyOf("old") {
		t.Errorf("Trim by age removed %v (%v), want what was only looked at", removed, err)
	}
	if removed, err := d.Trim(now, Unused, 200); err != nil || len(removed) != 1 || removed[0].Key != KeyOf("middle") {
		t.Errorf("Trim by size removed %v (%v)", removed, err)
	}
	for range 2 {
		if err := d.Remove(KeyOf("new")); err != nil {
			t.Error(err)
		}
	}
	if got := names(); got != nil {
		t.Errorf("%v are left", got)
	}
}
