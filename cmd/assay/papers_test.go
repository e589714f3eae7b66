package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPapers checks the table of what the five texts promise: each row names tests that
// exist, and the rows are numbered.
func TestPapers(t *testing.T) {
	content, err := os.ReadFile("../../docs/papers.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(content)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 4 || strings.Contains(cells[0], "#") {
			continue
		}
		rows++
		if got := strings.TrimSpace(cells[0]); got != strconv.Itoa(rows) {
			t.Errorf("row %d has the number %s", rows, got)
		}
		shown := name.FindAllStringSubmatch(cells[3], -1)
		if len(shown) == 0 {
			t.Errorf("row %d names no test", rows)
		}
		for _, s := range shown {
			if !exists(t, s[1]) {
				t.Errorf("row %d: there is no %s", rows, s[1])
			}
		}
	}
	if rows < 80 {
		t.Errorf("%d rows, want at least 80", rows)
	}
}

// exists reports whether a test of that name is there: script/NAME, or ROOM.TestNAME.
func exists(t *testing.T, test string) bool {
	if script, ok := strings.CutPrefix(test, "script/"); ok {
		_, err := os.Stat(filepath.Join("testdata", "script", script+".txtar"))
		return err == nil
	}
	room, fn, ok := strings.Cut(test, ".")
	if !ok {
		return false
	}
	var dirs []string
	for _, pattern := range []string{"../../internal/" + room, "../../internal/*/" + room, "../../" + room} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, found...)
	}
	if room == "root" {
		dirs = []string{"../.."}
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			content, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(content), "\nfunc "+fn+"(") {
				return true
			}
		}
	}
	return false
}
