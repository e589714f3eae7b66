package random_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

func TestMain(m *testing.M) {
	native.GuardMain()
	os.Exit(m.Run())
}

// subject is a package with its harness.
type subject struct {
	prog *load.Program
	pkg  *load.Package
	h    *native.Harness
}

// open loads and builds the package p of a module.
func open(t testing.TB, a *txtar.Archive) subject {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./p")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range prog.Packages[0].Errors {
		t.Fatal(e)
	}
	h, err := native.Build(t.Context(), prog, prog.Packages[0], native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return subject{prog, prog.Packages[0], h}
}

// source returns the archive of a module with the one file p/p.go.
func source(src string) *txtar.Archive {
	return &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.24\n")},
		{Name: "p/p.go", Data: []byte(src)},
	}}
}

// run returns the cases of a run.
func (s subject) run(t testing.TB, cfg random.Config) ([]*testcase.Case, random.Result) {
	t.Helper()
	var out []*testcase.Case
	res, err := random.Run(t.Context(), s.prog, s.pkg, s.h, cfg, nil, func(c *testcase.Case) bool {
		out = append(out, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, res
}

// text prints cases, one a line.
func text(cases []*testcase.Case) string {
	var b strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&b, "%s: %s => %s\n", c.Target, strings.ReplaceAll(strings.TrimSpace(c.Seq.String()), "\n", "; "), c.Observed.Status)
	}
	return b.String()
}

// uncovered lists the blocks that a run did not reach.
func (s subject) uncovered(c testcase.Cover) string {
	var b strings.Builder
	for i, k := range s.h.Blocks() {
		if !c.Has(i) {
			fmt.Fprintf(&b, "%s:%d %s %v; ", k.Func, k.Pos.Line, k.Text, k.Value)
		}
	}
	return b.String()
}
