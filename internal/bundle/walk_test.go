package bundle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// names returns the names of files, in a line.
func names(files []File) string {
	var out []string
	for _, f := range files {
		out = append(out, f.Name)
	}
	return strings.Join(out, " ")
}

// Where there are more files than may be sent, those that no package needs are left out, and only then.
func TestFilesOf(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"go.mod": "module m\n", "notes.txt": "", "a/README.md": "", "a/b/b.go": "package b\n", "a/b/b.s": "", "a/b/testdata/x/y/z": "",
		"web/w.go":        "package web\n\nimport \"embed\"\n\n//go:embed all:static one.txt \"two words/*.css\" \"broken\n//go:embed page-[0-9].html [\nvar files embed.FS\n",
		"web/static/a/.b": "", "web/two words/s.css": "", "web/two words/s.js": "", "web/page-1.html": "", "web/other/o.css": "",
		"node/one/1.js": "", "node/one/deep/2.js": "", "node/two/3.js": "", "docs/d.md": "", "a/pictures/p.png": "", "replaced/go.mod": "module r\n",
		"left/own.go": "", ".git/config": "",
	})
	leave := func(name string) bool { return name == "left/own.go" }
	all, omitted, err := filesOf(root, leave, MaxFiles)
	if err != nil || len(all) != 18 || omitted.String() != "" {
		t.Fatalf("all: %d files (%s), %q, %v", len(all), names(all), omitted.String(), err)
	}
	const most = 12
	lean, omitted, err := filesOf(root, leave, most)
	if err != nil {
		t.Fatal(err)
	}
	want := "go.mod notes.txt a/README.md a/b/b.go a/b/b.s a/b/testdata/x/y/z replaced/go.mod web/page-1.html web/w.go web/static/a/.b web/two words/s.css"
	got := strings.Fields(names(lean))
	wanted := strings.Fields(want)
	slices.Sort(got)
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("of too many files\n%s are sent, want\n%s", got, wanted)
	}
	if got, want := omitted.String(), "7 files that are neither of packages nor what these embed (in node, a/pictures, docs, 2 more)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if _, _, err := filesOf(root, leave, len(lean)-1); err == nil || !strings.Contains(err.Error(), "even without what no package needs: run without workers") {
		t.Errorf("if packages alone have too many: %v", err)
	}
}

// A file that is too large to be sent is left out, and named; the others are sent.
func TestFilesOf_large(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"go.mod": "module m\n", "m.go": "package m\n", "dump": ""})
	if err := os.Truncate(filepath.Join(root, "dump"), MaxFile+1); err != nil {
		t.Fatal(err)
	}
	m, err := Of(root, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(slices.Collect(m.Files())); got != "go.mod m.go" {
		t.Errorf("%s are sent", got)
	}
	if got, want := m.Omitted.String(), "dump (larger than 32 MB)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
