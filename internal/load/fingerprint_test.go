package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The fingerprint of a package changes with everything that affects the behaviour of the package, and with
// nothing else.
func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	take := func() string {
		t.Helper()
		prog, err := Load(context.Background(), Config{Dir: dir}, "./a")
		if err != nil {
			t.Fatal(err)
		}
		f, err := prog.Fingerprint(prog.Packages[0], func(name string) bool { return strings.HasSuffix(name, "_own_test.go") })
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	put("go.mod", "module example.com/m\n\ngo 1.24\n")
	put("a/a.go", "package a\n\nimport \"example.com/m/b\"\n\nfunc F() int { return b.G() }\n")
	put("b/b.go", "package b\n\n//go:noinline\nfunc G() int { return 1 }\n")
	put("c/c.go", "package c\n")
	last := take()
	for _, c := range []struct {
		name, content string
		changes       bool
	}{
		{"a/a.go", "package a\n\nimport \"example.com/m/b\"\n\nfunc F() int { return b.G() }\n", false},
		{"c/c.go", "package c\n\nvar X = 1\n", false},
		{"a/a_own_test.go", "package a\n", false},
		{"a/a_test.go", "package a\n", true},
		{"a/a.go", "package a\n\nimport \"example.com/m/b\"\n\n//assay:pure\nfunc F() int { return b.G() }\n", true},
		{"b/b.go", "package b\n\n//go:noinline\nfunc G() int { return 2 }\n", true},
		{"a/testdata/x", "1", true},
		{"go.mod", "module example.com/m\n\ngo 1.25\n", true},
	} {
		put(c.name, c.content)
		now := take()
		if (now != last) != c.changes {
			t.Errorf("after writing %s the fingerprint changes: %v, want %v", c.name, now != last, c.changes)
		}
		last = now
	}
}

// The print of a version's content is the same in another directory and at another time. It changes with
// everything in the module on which the package depends.
func TestContentPrint(t *testing.T) {
	put := func(dir, name, content string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	take := func(dir string) string {
		t.Helper()
		prog, err := Load(context.Background(), Config{Dir: dir}, "./a")
		if err != nil {
			t.Fatal(err)
		}
		f, err := prog.ContentPrint(prog.Packages[0], func(name string) bool { return strings.HasSuffix(name, "_own_test.go") })
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	files := map[string]string{
		"go.mod":         "module example.com/m\n\ngo 1.24\n\nrequire example.com/r v1.0.0\n\nreplace example.com/r => ./r\n",
		"a/a.go":         "package a\n\nimport (\n\t_ \"embed\"\n\n\t\"example.com/m/b\"\n\t\"example.com/r\"\n)\n\n//go:embed text\nvar text string\n\nfunc F() int { return b.G() + r.H() }\n",
		"a/text":         "x",
		"a/testdata/d/x": "1",
		"b/b.go":         "package b\n\nfunc G() int { return 1 }\n",
		"c/c.go":         "package c\n",
		"r/go.mod":       "module example.com/r\n\ngo 1.24\n",
		"r/r.go":         "package r\n\nfunc H() int { return 1 }\n",
	}
	here, there := t.TempDir(), t.TempDir()
	for name, content := range files {
		put(here, name, content)
		put(there, name, content)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(there, "a/testdata/d/x"), old, old); err != nil {
		t.Fatal(err)
	}
	last := take(here)
	if take(there) != last {
		t.Error("the same content in another directory has another print")
	}
	for _, c := range []struct {
		name, content string
		changes       bool
	}{
		{"c/c.go", "package c\n\nvar X = 1\n", false},
		{"a/a_own_test.go", "package a\n", false},
		{"a/a_test.go", "package a\n", true},
		{"a/text", "y", true},
		{"a/testdata/d/x", "2", true},
		{"b/b.go", "package b\n\nfunc G() int { return 2 }\n", true},
		{"r/r.go", "package r\n\nfunc H() int { return 2 }\n", true},
		{"go.mod", strings.Replace(files["go.mod"], "1.24", "1.25", 1), true},
	} {
		put(here, c.name, c.content)
		now := take(here)
		if (now != last) != c.changes {
			t.Errorf("after writing %s the print changes: %v, want %v", c.name, now != last, c.changes)
		}
		last = now
	}
}
