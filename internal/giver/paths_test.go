package giver_test

import (
	"slices"
	"testing"

	"github.com/goassay/assay/internal/giver"
)

// Files have the extensions that the code compares with, and helpers that make files and directories are known as such.
func TestFiles(t *testing.T) {
	prog, pkg := open(t, "1.24", `package p

import "os"

var extensions = []string{"toml", "other"}

func Write(path string) error { return os.WriteFile(path+extensions[0], nil, 0o600) }
`)
	room, err := giver.New(prog, pkg)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	made := 0
	for _, s := range room.Files() {
		if op := s.Last().Op; giver.MakesFile(op) {
			made++
			names = op.Via.Values[0]
		}
	}
	if made != 1 || !slices.Equal(names, []string{"a.txt", "a.toml"}) {
		t.Errorf("%d helpers make files, called %q; want 1, called a.txt and a.toml", made, names)
	}
	for _, s := range room.Directories() {
		if op := s.Last().Op; !giver.MakesDirectory(op) || giver.MakesFile(op) {
			t.Errorf("%s makes no directory", s)
		}
	}
}
