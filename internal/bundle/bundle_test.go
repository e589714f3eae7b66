package bundle

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
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

// A module that is unpacked elsewhere has the files that were packed, without those that are left out.
func TestBundle(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	write(t, from, map[string]string{"go.mod": "module m\n", "a/a.go": "package a\n", "a/b/b.go": "package b\n", "same.go": "package a\n", ".git/config": "x", "a/gone.go": "y"})
	if err := os.Symlink("/etc/passwd", filepath.Join(from, "link")); err != nil {
		t.Log(err) // no links here
	}
	m, err := Of(from, func(name string) bool { return name == "a/gone.go" })
	if err != nil {
		t.Fatal(err)
	}
	contents := make(map[string][]byte)
	for _, f := range m.Files {
		if contents[f.Digest], err = os.ReadFile(filepath.Join(from, f.Name)); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.Files) != 4 || len(contents) != 3 {
		t.Errorf("%d files with %d contents, want 4 with 3: %v", len(m.Files), len(contents), m.Files)
	}
	travelled, err := Decode(m.Encode())
	if err != nil {
		t.Fatal(err)
	}
	if err := travelled.Unpack(to, func(d string) ([]byte, error) { return contents[d], nil }); err != nil {
		t.Fatal(err)
	}
	again, err := Of(to, func(string) bool { return false })
	if err != nil || string(again.Encode()) != string(m.Encode()) {
		t.Errorf("unpacked %s, want %s (%v)", again.Encode(), m.Encode(), err)
	}
}

// A list with names that lead elsewhere, or with too many files, is refused before anything is written. So
// is a file whose content does not have the digest in the list.
func TestUnpack_refused(t *testing.T) {
	x := File{Name: "x", Size: 1, Digest: Digest([]byte("x"))}
	for name, files := range map[string][]File{
		`a file named "../x"`:       {{Name: "../x"}},
		`a file named "/x"`:         {{Name: "/x"}},
		`a file named "a/../../x"`:  {{Name: "a/../../x"}},
		`a file named ""`:           {{Name: ""}},
		`a file named "."`:          {{Name: "."}},
		`a file named "a\\b"`:       {{Name: `a\b`}},
		`"x" is out of order`:       {x, x},
		`x has 33554433 bytes`:      {{Name: "x", Size: MaxFile + 1}},
		`x has -1 bytes`:            {{Name: "x", Size: -1}},
		`y is not what its digest`:  {{Name: "y", Size: 1, Digest: Digest([]byte("y"))}},
		`x is not what its digest`:  {{Name: "x", Size: 2, Digest: x.Digest}},
		`mkdirat x: `:               {x, {Name: "x/y", Size: 1, Digest: x.Digest}},
		`z: there is none`:          {{Name: "z", Size: 1, Digest: "none"}},
		`more than 536870912 bytes`: large(),
	} {
		m := &Manifest{Files: files}
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
