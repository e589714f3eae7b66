package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func nothing(string) bool { return false }

// packs returns the contents of a list's packs by digest.
func packs(t *testing.T, m *Manifest, dir string) map[string][]byte {
	t.Helper()
	contents := make(map[string][]byte)
	for _, p := range m.Packs {
		data, err := p.Content(dir)
		if err != nil {
			t.Fatal(err)
		}
		contents[p.Digest] = data
	}
	return contents
}

// A module that is unpacked elsewhere has the files that were packed, without those that are left out. Small
// files of one directory travel together.
func TestBundle(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	large := strings.Repeat("x", MaxPack)
	write(t, from, map[string]string{"go.mod": "module m\n", "a/a.go": "package a\n", "a/b/b.go": "package b\n", "a/z.go": "", "same.go": "package a\n", ".git/config": "x",
		"sub/.git": "gitdir: ../.git/modules/sub", "sub/s.go": "package sub\n", "a/gone.go": "y", "large/1": large, "large/2": "2", "large/3": "3"})
	if err := os.Symlink("/etc/passwd", filepath.Join(from, "link")); err != nil {
		t.Log(err) // no links here
	}
	m, err := Of(from, func(name string) bool { return name == "a/gone.go" })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range m.Packs {
		var names []string
		for _, f := range p.Files {
			names = append(names, f.Name)
		}
		got = append(got, strings.Join(names, " "))
	}
	if want := "go.mod same.go, a/a.go a/z.go, a/b/b.go, large/1, large/2 large/3, sub/s.go"; strings.Join(got, ", ") != want {
		t.Errorf("packs %s, want %s", strings.Join(got, ", "), want)
	}
	contents := packs(t, m, from)
	travelled, err := Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if err := travelled.Unpack(to, func(d string) ([]byte, error) { return contents[d], nil }); err != nil {
		t.Fatal(err)
	}
	again, err := Of(to, nothing)
	if err != nil || string(again.Encode()) != string(m.Encode()) {
		t.Errorf("unpacked %s, want %s (%v)", again.Encode(), m.Encode(), err)
	}
	write(t, from, map[string]string{"a/z.go": "package a\n"})
	if _, err := m.Packs[1].Content(from); err == nil || !strings.Contains(err.Error(), "z.go was changed while it was sent") {
		t.Errorf("a file that was changed: %v", err)
	}
}

// Whatever programs have left in a directory, after Unpack it has the files and no others. Only packs with a
// file that is missing or differs are asked for, and what is as it should be is left alone.
func TestUnpack_again(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	write(t, from, map[string]string{"go.mod": "module m\n", "a/a.go": "package a\n", "a/b.go": "package a // b\n", "b/b.go": "package b\n", "c/c.go": "package c\n", "d/d.go": "package d\n"})
	m, err := Of(from, nothing)
	if err != nil {
		t.Fatal(err)
	}
	contents := packs(t, m, from)
	var mu sync.Mutex
	unpack := func() (asked int) {
		t.Helper()
		err := m.Unpack(to, func(d string) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			return contents[d], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Of(to, nothing)
		if err != nil || string(again.Encode()) != string(m.Encode()) {
			t.Errorf("unpacked %s, want %s (%v)", again.Encode(), m.Encode(), err)
		}
		return asked
	}
	if n := unpack(); n != 5 {
		t.Errorf("%d packs were asked for at first, want 5", n)
	}
	if n := unpack(); n != 0 {
		t.Errorf("%d packs were asked for although all is there", n)
	}
	info := func() os.FileInfo {
		i, err := os.Stat(filepath.Join(to, "a", "b.go"))
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	before := info()
	outside := filepath.Join(t.TempDir(), "outside")
	write(t, filepath.Dir(outside), map[string]string{"outside": "mine"})
	// A file has another content of the same length; a file that does not belong there; a directory in the place
	// of a file; a file in the place of a directory; a link that leads outside; a directory that cannot be read.
	write(t, to, map[string]string{"a/a.go": "package x\n", "a/a_test.go": "package a\n", "new/x": "", "b/b.go": "package b\n"})
	for _, step := range []error{
		os.Remove(filepath.Join(to, "b", "b.go")), os.Mkdir(filepath.Join(to, "b", "b.go"), 0o777),
		os.RemoveAll(filepath.Join(to, "c")), os.WriteFile(filepath.Join(to, "c"), nil, 0o666),
		os.Remove(filepath.Join(to, "d", "d.go")), os.Symlink(outside, filepath.Join(to, "d", "d.go")),
		os.Mkdir(filepath.Join(to, "closed"), 0o777), os.WriteFile(filepath.Join(to, "closed", "x"), nil, 0o666), os.Chmod(filepath.Join(to, "closed"), 0),
		os.Chmod(filepath.Join(to, "go.mod"), 0o755),
	} {
		if step != nil {
			t.Fatal(step)
		}
	}
	if n := unpack(); n != 5 {
		t.Errorf("%d packs were asked for, want those of a.go, b.go, c.go, d.go and go.mod", n)
	}
	if after := info(); !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Error("a file that was as it should be was written again")
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "mine" {
		t.Errorf("the file that a link leads to has %q (%v)", data, err)
	}
}

// A list with names that lead elsewhere, or with too many files, is refused before anything is written. So
// is a file whose content does not have the digest in the list.
func TestUnpack_refused(t *testing.T) {
	x := File{Name: "x", Size: 1, Digest: Digest([]byte("x"))}
	for name, files := range map[string][]File{
		`a file named "../x"`:         {{Name: "../x"}},
		`a file named "/x"`:           {{Name: "/x"}},
		`a file named "a/../../x"`:    {{Name: "a/../../x"}},
		`a file named ""`:             {{Name: ""}},
		`a file named "."`:            {{Name: "."}},
		`a file named "a\\b"`:         {{Name: `a\b`}},
		`"x" is out of order`:         {x, x},
		`x has 33554433 bytes`:        {{Name: "x", Size: MaxFile + 1}},
		`1 bytes follow on e`:         {{Name: "e", Digest: Digest(nil)}},
		`x has -1 bytes`:              {{Name: "x", Size: -1}},
		`y is not what its digest`:    {{Name: "y", Size: 1, Digest: Digest([]byte("y"))}},
		`x is not what its digest`:    {{Name: "x", Size: 2, Digest: x.Digest}},
		`x: `:                         {x, {Name: "x/y", Size: 1, Digest: x.Digest}},
		`z and what is beside it: th`: {{Name: "z", Size: 1, Digest: "none"}},
		`more than 536870912 bytes`:   large(),
	} {
		m := &Manifest{}
		for _, f := range files {
			m.Packs = append(m.Packs, Pack{f.Digest, []File{f}})
		}
		dir := filepath.Join(t.TempDir(), "in")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		decoded, err := Decode(m.Encode())
		if err == nil {
			err = decoded.Unpack(dir, func(digest string) ([]byte, error) {
				if digest == "none" {
					return nil, errors.New("there is none")
				}
				return []byte("x"), nil
			})
		}
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
		if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
			t.Errorf("%s: something is outside: %v (%v)", name, entries, err)
		}
	}
}

func large() []File {
	var out []File
	for i := range MaxTotal/MaxFile + 1 {
		out = append(out, File{Name: "f" + string(rune('a'+i)), Size: MaxFile})
	}
	return out
}

// Temporary files and the user's configuration below the module's directory are no part of the module, and files come and go
// while it is packed.
func TestOf_temporary(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.mod": "module m\n", "a.go": "package a\n", "b.go": "package b\n", ".tmp/x/y.tmp": "x", ".config/go/telemetry/z.count": "1"})
	t.Setenv("TMPDIR", filepath.Join(dir, ".tmp"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, ".config"))
	if os.TempDir() != filepath.Join(dir, ".tmp") {
		t.Skip("another variable names the directory of temporary files here")
	}
	if config, err := os.UserConfigDir(); err != nil || config != filepath.Join(dir, ".config") {
		if err := os.RemoveAll(filepath.Join(dir, ".config")); err != nil { // the user's configuration is elsewhere here
			t.Fatal(err)
		}
	}
	m, err := Of(dir, func(name string) bool {
		if name == "b.go" { // the last one that is looked at is gone before anything is read
			if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
				t.Fatal(err)
			}
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for f := range m.Files() {
		got = append(got, f.Name)
	}
	if want := []string{"b.go", "go.mod"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}
