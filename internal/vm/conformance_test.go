package vm

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
)

var (
	conformAll = flag.Bool("conformance", false, "run all of $GOROOT/test in the machine, not a sample")
	conformRun = flag.String("conformance.run", "", "run only the programs whose name contains this")
)

// conformanceDirs are the directories of $GOROOT/test whose `// run` programs the
// machine executes.
var conformanceDirs = []string{".", "ken", "chan", "interface", "typeparam", "fixedbugs"}

// sampleEvery is which part of the programs the default run takes.
const sampleEvery = 12

// programSteps bounds the instructions of one program.
const programSteps = 30_000_000

// TestConformance runs the Go project's own test programs in the machine with concrete
// values: what they print and how they end must be what their authors expect of the
// compiler. A program that needs what the machine does not have must end in a named
// stop, never in another result.
func TestConformance(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("NOT RUN: this Go distribution has no test directory (%v)", err)
	}
	names := runPrograms(t, root)
	if *conformRun != "" {
		names = keep(names, func(_ int, n string) bool { return strings.Contains(n, *conformRun) })
	} else if !*conformAll {
		names = keep(names, func(i int, _ string) bool { return i%sampleEvery == 0 })
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module conform\n\ngo 1.26\n")
	for i, n := range names {
		src, err := os.ReadFile(filepath.Join(root, n))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("p%04d", i), filepath.Base(n)), string(src))
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	same, unsupported := 0, map[string][]string{}
	for _, pkg := range prog.Packages {
		var i int
		if _, err := fmt.Sscanf(filepath.Base(pkg.Path), "p%04d", &i); err != nil {
			t.Fatal(err)
		}
		name := names[i]
		if len(pkg.Errors) > 0 {
			unsupported["does not load: "+pkg.Errors[0].Message] = append(unsupported["does not load: "+pkg.Errors[0].Message], name)
			continue
		}
		want, err := os.ReadFile(strings.TrimSuffix(filepath.Join(root, name), ".go") + ".out")
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		start := time.Now()
		out, stop, reason := runMain(t, prog, pkg, name)
		if d := time.Since(start); d > 5*time.Second {
			t.Logf("slow: %s took %v", name, d)
		}
		switch {
		case stop == StopUnsupported || stop == StopBudget || stop == StopMemory || stop == StopStack:
			unsupported[string(stop)+": "+reason] = append(unsupported[string(stop)+": "+reason], name)
			if *conformRun != "" {
				t.Logf("%s printed %q", name, clip(out))
			}
		case stop == StopExit && reason == "exit status 0", stop == StopReturn:
			if out != string(want) {
				t.Errorf("%s: printed %q, want %q", name, clip(out), clip(string(want)))
			} else {
				same++
			}
		default:
			t.Errorf("%s: ended in %s (%s) after printing %q", name, stop, reason, clip(out))
		}
	}
	var reasons []string
	for r := range unsupported {
		reasons = append(reasons, r)
	}
	sort.Slice(reasons, func(i, j int) bool {
		a, b := len(unsupported[reasons[i]]), len(unsupported[reasons[j]])
		return a > b || a == b && reasons[i] < reasons[j]
	})
	for _, r := range reasons {
		t.Logf("%4d %s: %s", len(unsupported[r]), r, strings.Join(unsupported[r], " "))
	}
	t.Logf("%d of %d programs behave the same (%.1f %%), the others are unsupported", same, len(names), 100*float64(same)/float64(max(1, len(names))))
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

func keep(names []string, ok func(int, string) bool) []string {
	var out []string
	for i, n := range names {
		if ok(i, n) {
			out = append(out, n)
		}
	}
	return out
}

func write(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// runPrograms lists the programs of one file that are meant to be run without
// arguments.
func runPrograms(t *testing.T, root string) []string {
	var out []string
	for _, d := range conformanceDirs {
		files, err := filepath.Glob(filepath.Join(root, d, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if line := directiveLine(src); line == "// run" {
				rel, err := filepath.Rel(root, f)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, rel)
			}
		}
	}
	return out
}

// directiveLine is the first comment that is no build constraint.
func directiveLine(src []byte) string {
	for _, l := range bytes.Split(src, []byte("\n")) {
		s := strings.TrimSpace(string(l))
		if s == "" || strings.HasPrefix(s, "//go:build") || strings.HasPrefix(s, "// +build") {
			continue
		}
		return s
	}
	return ""
}

// runMain runs a program's initialisers and main function.
func runMain(t *testing.T, prog *load.Program, pkg *load.Package, name string) (out string, stop Stop, reason string) {
	defer func() {
		if r := recover(); r != nil {
			buf := make([]byte, 1<<13)
			buf = buf[:runtime.Stack(buf, false)]
			t.Errorf("%s: crash: %v\n%s", name, r, buf)
		}
	}()
	var b strings.Builder
	ts := term.NewStore()
	sctx := solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{})
	m, err := New(prog, pkg, ts, sctx, Config{MaxDepth: 1_000_000, Args: []string{"program"}, Env: []string{"PATH=/bin"}, Stdout: func(s string) { b.WriteString(s) }})
	if err != nil {
		t.Fatal(err)
	}
	stop, reason = m.RunMain(programSteps, &search.DFS[*State]{})
	return b.String(), stop, reason
}
