package native_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/testcase"
)

var update = flag.Bool("update", false, "rewrite the expected outcomes in testdata")

// needConfinement skips a test where processes cannot be confined.
func needConfinement(t *testing.T) {
	t.Helper()
	r, err := guard.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.How, "although the kernel says so") {
		t.Fatal(r.How)
	}
	if !r.Confined {
		t.Skip("NOT TESTED, since this system cannot confine a process: " + r.How)
	}
}

// module writes the files of an archive, but for the cases, to a new directory.
func module(t testing.TB, a *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		if f.Name == "cases" {
			continue
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// source returns an archive of a module with one package p.
func source(src string) *txtar.Archive {
	return &txtar.Archive{Files: []txtar.File{
		{Name: "go.mod", Data: []byte("module example.com/m\n\ngo 1.24\n")},
		{Name: "p/p.go", Data: []byte(src)},
	}}
}

// loadOne loads the package p of a module.
func loadOne(t testing.TB, dir string) (*load.Program, *load.Package) {
	t.Helper()
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, "./p")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	for _, e := range pkg.Errors {
		t.Fatal(e)
	}
	return prog, pkg
}

// build builds the harness of the package p of an archive.
func build(t testing.TB, a *txtar.Archive, cfg native.Config) (*native.Harness, *load.Package) {
	t.Helper()
	prog, pkg := loadOne(t, module(t, a))
	if cfg.CaseTimeout == 0 {
		cfg.CaseTimeout = 150 * time.Millisecond
	}
	if testing.Verbose() {
		cfg.Log = os.Stderr
	}
	h, err := native.Build(t.Context(), prog, pkg, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, pkg
}

// run runs scripts and returns their outcomes.
func run(t testing.TB, h *native.Harness, pkg *load.Package, opt native.Options, scripts ...string) []*testcase.Outcome {
	t.Helper()
	var seqs []*testcase.Sequence
	for _, s := range scripts {
		seqs = append(seqs, sequence(t, pkg, s))
	}
	out, err := h.RunWith(t.Context(), seqs, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCases runs the scripts in testdata, of each archive all in one call, and
// compares their outcomes with what is written below each.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cfg := native.Config{MemoryLimit: 200 << 20, CaseTimeout: time.Minute}
			if strings.Contains(string(a.Comment), "impatient") {
				cfg.CaseTimeout = 150 * time.Millisecond
			}
			if strings.Contains(string(a.Comment), "confined") {
				needConfinement(t)
			}
			h, pkg := build(t, a, cfg)
			cases := &a.Files[len(a.Files)-1]
			var scripts []string
			for line := range strings.Lines(string(cases.Data)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "=>") {
					scripts = append(scripts, line)
				}
			}
			opt := native.Options{Twice: strings.Contains(string(a.Comment), "twice")}
			var b strings.Builder
			outs := run(t, h, pkg, opt, scripts...)
			for i, o := range outs {
				b.WriteString(scripts[i] + "\n=> " + show(o) + "\n")
			}
			if strings.Contains(string(a.Comment), "probed") {
				seqs := make([]*testcase.Sequence, len(scripts))
				for i, s := range scripts {
					seqs[i] = sequence(t, pkg, s)
				}
				probes, err := h.Probe(t.Context(), seqs)
				if err != nil {
					t.Fatal(err)
				}
				for i, p := range probes {
					if p.Status != outs[i].Status {
						t.Errorf("%s: %s when it is probed, %s when it is run", scripts[i], p.Status, outs[i].Status)
					}
				}
			}
			if got := b.String(); got != string(cases.Data) {
				if *update {
					cases.Data = []byte(got)
					if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
						t.Fatal(err)
					}
					return
				}
				want := strings.Split(string(cases.Data), "\n")
				for i, line := range strings.Split(got, "\n") {
					// Either a look from outside notices that the limit of memory is reached, or an allocation
					// fails. Only in the second case is a place known.
					memory := scripts[min(i/2, len(scripts)-1)] == "Memory()" && strings.HasPrefix(line, `=> died fatal "out of memory"`)
					if i >= len(want) || line != want[i] && !memory {
						t.Errorf("%s\ngot  %s\nwant %s", scripts[i/2], line, want[min(i, len(want)-1)])
					}
				}
			}
		})
	}
}

// If a caller asks for it, the outcome says how much memory the last statement allocated. Allocations of the
// statements before it do not count, nor do those of the harness.
func TestCost(t *testing.T) {
	h, pkg := build(t, source("package p\n\nimport \"time\"\n\nvar kept []byte\n\nfunc Make(n int) int { kept = make([]byte, n); return len(kept) }\n\nfunc Nothing() {}\n\nfunc Wait(n int) int { for t := time.Now(); time.Since(t) < time.Duration(n)*time.Millisecond; {\n}\nreturn n }\n\nfunc Fail() { panic(1) }\n"), native.Config{})
	outs := run(t, h, pkg, native.Options{Capture: native.CaptureCost}, "Make(1000000)", "Make(1000000); Nothing()", "Fail()", "Wait(20)", "Wait(20); Nothing()")
	if got := outs[0].Allocated; got < 1_000_000 || got > 1_100_000 {
		t.Errorf("Make(1000000) allocates %d bytes", got)
	}
	if got := outs[1].Allocated; outs[1].Status != testcase.Returned || got > 10_000 {
		t.Errorf("Nothing() allocates %d bytes: %v", got, outs[1].Status)
	}
	if outs[2].Status != testcase.Panicked || outs[2].Allocated != 0 {
		t.Errorf("Fail() is %v and allocates %d bytes", outs[2].Status, outs[2].Allocated)
	}
	if got := outs[3].Took; got < 20*time.Millisecond {
		t.Errorf("Wait(20) takes %s", got)
	}
	if outs[4].Took >= outs[3].Took {
		t.Errorf("Nothing() takes %s, and Wait(20) before it %s", outs[4].Took, outs[3].Took)
	}
	for _, o := range run(t, h, pkg, native.Options{}, "Make(1000)") {
		if o.Allocated != 0 || o.Took != 0 {
			t.Errorf("without being asked: %d bytes, %s", o.Allocated, o.Took)
		}
	}
}
