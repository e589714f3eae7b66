package mutate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/native"
)

func TestMain(m *testing.M) {
	native.GuardMain()
	os.Exit(m.Run())
}

// loadModule writes the files of an archive to a new directory and loads its package p.
func loadModule(t testing.TB, a *txtar.Archive) (*load.Program, *load.Package) {
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
	return prog, prog.Packages[0]
}

// build builds the mutants of a package with the test files of its directory as the
// suite.
func build(t testing.TB, prog *load.Program, pkg *load.Package, cfg mutate.Config) *mutate.Analysis {
	t.Helper()
	for _, name := range pkg.TestFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Suite = append(cfg.Suite, native.TestFile{Path: name, Content: src})
	}
	if testing.Verbose() {
		cfg.Log = os.Stderr
	}
	a, err := mutate.Build(t.Context(), prog, pkg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

// TestSuite runs the archives in testdata: the verdicts are below the mutants.
func TestSuite(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := &ar.Files[len(ar.Files)-1]
			if want.Name != "verdicts" {
				t.Fatal("the last file is not verdicts")
			}
			mod := &txtar.Archive{Files: ar.Files[:len(ar.Files)-1]}
			prog, pkg := loadModule(t, mod)
			a := build(t, prog, pkg, mutate.Config{})
			vs, err := a.Suite(t.Context(), mutate.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(vs, a.Tests()); got != string(want.Data) {
				if *update {
					want.Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				t.Errorf("got\n%s\nwant\n%s", got, want.Data)
			}
		})
	}
}

// show writes a line for each verdict, and the score.
func show(vs []mutate.Verdict, tests []string) string {
	var b strings.Builder
	for _, v := range vs {
		m := v.Mutant
		fmt.Fprintf(&b, "%d:%d %s %s: %s: ", m.Pos.Line, m.Pos.Column, m.Func, m.Operator, m.Text)
		switch {
		case !v.Run:
			b.WriteString("not run")
		case v.Killed && tests != nil:
			fmt.Fprintf(&b, "killed by %s (%s)", tests[v.By[0]], v.How)
		case v.Killed:
			fmt.Fprintf(&b, "killed by %d (%s)", v.By, v.How)
		case v.Covered:
			b.WriteString("survives")
		default:
			b.WriteString("not covered")
		}
		b.WriteString("\n")
	}
	s := mutate.Sum(vs)
	fmt.Fprintf(&b, "%d of %d killed, %d covered\n", s.Killed, s.Mutants, s.Covered)
	return b.String()
}
