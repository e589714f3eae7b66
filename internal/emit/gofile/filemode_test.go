package gofile

import (
	"go/importer"
	"go/token"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Modes of files are written by the names of their kinds, with permissions in octal.
func TestFileMode(t *testing.T) {
	source := importer.ForCompiler(token.NewFileSet(), "source", nil)
	fs, err := source.Import("io/fs")
	if err != nil {
		t.Fatal(err)
	}
	os, err := source.Import("os")
	if err != nil {
		t.Fatal(err)
	}
	mode := fs.Scope().Lookup("FileMode").Type()
	for _, tt := range []struct {
		v    uint64
		want string
		uses []*types.Package
	}{
		{0o644, "0644", nil},
		{0o777, "fs.ModePerm", nil},
		{1 << 31, "fs.ModeDir", nil},
		{1<<31 | 0o755, "fs.ModeDir | 0755", nil},
		{1<<27 | 1<<20 | 0o777, "fs.ModeSymlink | fs.ModeSticky | 0777", nil},
		{1<<31 | 0o755, "os.ModeDir | 0755", []*types.Package{os}},
		{1 << 10, "1024", nil}, // a bit that has no name
	} {
		pkg := types.NewPackage("p", "p")
		pkg.SetImports(tt.uses)
		w := NewWriter(&load.Package{Path: "p", Name: "p", Types: pkg}, false, "go1.24", NewNames(nil), NewImports())
		if got := w.Literal(testcase.Literal{Kind: testcase.LitUint, Bits: tt.v}, mode, mode); got.Text != tt.want {
			t.Errorf("%#o: %s, want %s", tt.v, got.Text, tt.want)
		}
	}
}
