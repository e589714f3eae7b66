package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "assay"))
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

// What is not as it was written is no entry, and can be written again.
func TestGet_damaged(t *testing.T) {
	d := open(t)
	k := KeyOf("k")
	if err := d.Put(k, []byte("content")); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(d.file(k))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)-1] ^= 1
	for name, content := range map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)-2], "flipped": flipped, "longer": append(bytes.Clone(whole), 'x'),
		"without content": whole[:len(magic)+5], "foreign": []byte("SQLite format 3\x00"),
	} {
		if err := os.WriteFile(d.file(k), content, 0o600); err != nil {
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
	past := now.Add(-unused - time.Hour)
	if err := os.Chtimes(d.file(KeyOf("old")), past, past); err != nil {
		t.Fatal(err)
	}
	if err := d.trim(now); err != nil {
		t.Fatal(err)
	}
	if _, ok := d.Get(KeyOf("old")); !ok { // and now it has been used
		t.Error("trimmed although that was done a moment ago")
	}
	if err := os.Chtimes(d.file(KeyOf("old")), past, past); err != nil {
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
