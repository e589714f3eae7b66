package load

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fingerprint changes with everything that decides what the package does, and with
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
