package assay_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNamedFiles checks that the files and directories which HACKING.md and ARCHITECTURE.md name in their
// tables are there. A table that leads nowhere costs a reader more time than none.
func TestNamedFiles(t *testing.T) {
	for _, tt := range []struct {
		file, heading string
		least         int // the rows that the table has at least, so that a renamed heading is noticed
	}{
		{"HACKING.md", "## To change X, open Y", 30},
		{"ARCHITECTURE.md", "### Where in a room", 40},
		{"ARCHITECTURE.md", "### One subject in several rooms", 8},
	} {
		rows := tableUnder(t, tt.file, tt.heading)
		if len(rows) < tt.least {
			t.Errorf("%s, %q: %d rows, want at least %d", tt.file, tt.heading, len(rows), tt.least)
		}
		for _, row := range rows {
			for _, path := range missingPaths(row) {
				t.Errorf("%s: there is no %s, in the row\n%s", tt.file, path, row)
			}
		}
	}
}

// tableUnder returns the rows of the first table under a heading, without the head of the table.
func tableUnder(t *testing.T, file, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), heading+"\n")
	if !ok {
		t.Fatalf("%s has no heading %q", file, heading)
	}
	var rows []string
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(line, "|") {
			rows = append(rows, line)
		} else if len(rows) > 0 || strings.HasPrefix(line, "#") {
			break
		}
	}
	if len(rows) < 2 {
		t.Fatalf("%s has no table under %q", file, heading)
	}
	return rows[2:]
}

var (
	quoted    = regexp.MustCompile("`([^`]+)`")
	pathNamed = regexp.MustCompile(`^[\w./*-]+\.(go|md|txtar|html|yaml)$|^(internal|cmd|docs|ci|\.)[\w./-]*/[\w./-]*$`)
)

// missingPaths returns the paths that a row names and that do not exist. A path is meant from the top of
// the repository, from internal, or from the directory of a path or room that the row names before.
func missingPaths(row string) []string {
	dirs := []string{".", "internal", "internal/vm"}
	var missing []string
	for _, m := range quoted.FindAllStringSubmatch(row, -1) {
		name := m[1]
		found := false
		for _, dir := range slices.Clone(dirs) {
			full := filepath.Join(dir, filepath.FromSlash(name))
			if matches, err := filepath.Glob(full); err != nil || len(matches) == 0 {
				continue
			}
			found = true
			if info, err := os.Stat(full); err == nil && !info.IsDir() {
				full = filepath.Dir(full)
			}
			dirs = append(dirs, full)
		}
		if !found && pathNamed.MatchString(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestFilesArePlaced checks that each file of a room is in the room's rows of ARCHITECTURE.md, because who looks
// for the place of a change reads the table before the code. Left out are doc.go and the files of one operating
// system or architecture.
func TestFilesArePlaced(t *testing.T) {
	placed := make(map[string]bool)
	for _, row := range tableUnder(t, "ARCHITECTURE.md", "### Where in a room") {
		room := ""
		for _, m := range quoted.FindAllStringSubmatch(row, -1) {
			if room == "" {
				room = m[1]
			} else {
				placed[room+"/"+m[1]] = true
			}
		}
	}
	oneSystem := regexp.MustCompile(`_(linux|unix|bsd|windows|other|rest|amd64|arm64)\.go$`)
	err := filepath.WalkDir("internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() {
			if base == "testdata" || base[0] == '.' {
				return filepath.SkipDir
			}
			return nil
		}
		file := strings.TrimPrefix(filepath.ToSlash(path), "internal/")
		if strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go") && base != "doc.go" && !oneSystem.MatchString(base) && !placed[file] {
			t.Errorf("%s is in no row of its room in ARCHITECTURE.md, under \"Where in a room\"", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
