package vm

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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
	conformAll    = flag.Bool("conformance", false, "run all of the Go project's programs in the machine, not a sample")
	conformRun    = flag.String("conformance.run", "", "run only the programs whose name this regular expression matches")
	conformUpdate = flag.Bool("conformance.update", false, "with -conformance: write the lists of the programs that are not supported anew")
)

// conformanceDirs are the directories of $GOROOT/test whose `// run` programs the
// machine executes.
var conformanceDirs = []string{".", "ken", "chan", "interface", "typeparam", "fixedbugs"}

// slow are programs for which the machine needs minutes.
var slow = []string{"fixedbugs/issue39541.go"}

const (
	// sampleEvery says that the default run takes one program in so many.
	sampleEvery = 12
	// programSteps bounds the instructions of one program.
	programSteps = 400_000_000
)

// TestConformance runs the Go project's own test programs in the machine with concrete values. Their output
// and the way in which they end must be what their authors expect of the compiler. If a program needs
// something that the machine does not have, it must end in a named stop, never in a wrong result, and
// testdata/unsupported_test.txt must list it with that reason.
func TestConformance(t *testing.T) {
	root := filepath.Join(goEnv(t, "GOROOT"), "test")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("NOT RUN: this Go distribution has no test directory (%v)", err)
	}
	conform(t, "testdata/unsupported_test.txt", root, runPrograms(t, root), func(name string) (string, bool) {
		want, err := os.ReadFile(strings.TrimSuffix(filepath.Join(root, name), ".go") + ".out")
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(want), false
	})
}

// TestConformanceInterp does the same with the programs with which golang.org/x/tools tests its interpreter
// of SSA. Their output must be the one that `go run` prints.
func TestConformanceInterp(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/tools").Output()
	root := filepath.Join(strings.TrimSpace(string(out)), "go", "ssa", "interp", "testdata")
	if _, err2 := os.Stat(root); err != nil || err2 != nil {
		t.Skipf("NOT RUN: golang.org/x/tools is here without its test data (%v)", errors.Join(err, err2))
	}
	var names []string
	for _, d := range []string{".", "fixedbugs"} {
		files, err := filepath.Glob(filepath.Join(root, d, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			rel, err := filepath.Rel(root, f)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, rel)
		}
	}
	conform(t, "testdata/unsupported_interp.txt", root, names, func(name string) (string, bool) {
		var b bytes.Buffer
		cmd := exec.Command("go", "run", filepath.Join(root, name))
		cmd.Stdout, cmd.Stderr = &b, &b
		if err := cmd.Run(); err != nil {
			return b.String(), true
		}
		return b.String(), false
	})
}

func goEnv(t *testing.T, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// conform runs the programs under root in the machine. It compares their output, and whether they fail, with
// the result of want, and the unsupported programs with a list.
func conform(t *testing.T, listFile, root string, names []string, want func(name string) (out string, fails bool)) {
	only, err := regexp.Compile(*conformRun)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile(listFile)
	if err != nil {
		t.Fatal(err)
	}
	chosen := func(i int, n string) bool {
		if *conformRun != "" {
			return only.MatchString(n)
		}
		// For programs that are too much for the machine, it takes minutes until the machine gives up.
		long := strings.Contains(string(listed), n+"\tbudget") || slices.Contains(slow, n)
		return *conformAll || i%sampleEvery == 0 && !long
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module conform\n\ngo 1.26\n")
	asked := map[string]bool{}
	for i, n := range names {
		if !chosen(i, n) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, n))
		if err != nil {
			t.Fatal(err)
		}
		asked[n] = true
		write(t, filepath.Join(dir, fmt.Sprintf("p%04d", i), filepath.Base(n)), string(src))
	}
	if len(asked) == 0 && *conformRun == "" {
		t.Fatal("no program was chosen")
	}
	if len(asked) == 0 {
		t.Skip("no program of that name") // the program belongs to the other set
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: dir}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	same, unsupported := 0, map[string]string{}
	for _, n := range names {
		if asked[n] {
			unsupported[n] = "no file of it is for this version and platform"
		}
	}
	for _, pkg := range prog.Packages {
		var i int
		if _, err := fmt.Sscanf(filepath.Base(pkg.Path), "p%04d", &i); err != nil {
			t.Fatal(err)
		}
		name := names[i]
		if pkg.Types != nil && pkg.Types.Name() != "main" {
			unsupported[name] = "no program: package " + pkg.Types.Name()
			continue
		}
		if len(pkg.Errors) > 0 {
			unsupported[name] = "does not load: " + pkg.Errors[0].Message
			continue
		}
		delete(unsupported, name)
		start := time.Now()
		out, stop, reason := runMain(t, prog, pkg, name)
		if d := time.Since(start); d > 10*time.Second {
			t.Logf("slow: %s took %v", name, d)
		}
		if stop == StopUnsupported || stop == StopBudget || stop == StopMemory || stop == StopStack {
			unsupported[name] = string(stop) + ": " + programPath.ReplaceAllString(reason, "main.")
			if *conformRun != "" {
				t.Logf("%s: %s, after printing %q", name, unsupported[name], clip(out))
			}
			continue
		}
		wantOut, fails := want(name)
		ok := stop == StopExit && reason == "exit status 0" || stop == StopReturn
		switch {
		case ok == fails:
			t.Errorf("%s: ended in %s (%s) after printing %q, want failure: %v, printing %q", name, stop, reason, clip(out), fails, clip(wantOut))
		case ok && address.ReplaceAllString(out, "0x") != address.ReplaceAllString(wantOut, "0x"):
			t.Errorf("%s: printed %q, want %q", name, clip(out), clip(wantOut))
		default:
			same++
		}
	}
	t.Logf("%d of %d programs behave the same (%.1f %%), %d are unsupported", same, len(asked), 100*float64(same)/float64(len(asked)), len(unsupported))
	if *conformUpdate && *conformAll {
		writeList(t, listFile, names, unsupported)
	}
	compareList(t, listFile, names, asked, unsupported)
}

// address matches addresses as print writes them, because they differ in each run.
var address = regexp.MustCompile(`0x[0-9a-f]{9,}`)

// programPath is an import path for the programs that no other package has.
var programPath = regexp.MustCompile(`conform/p\d+\.`)

const listHeader = "# Programs that the machine does not support, and how it says so, with %s.\n"

// goVersion is the release of the toolchain without the number of the patch.
func goVersion() string {
	v := strings.SplitN(runtime.Version(), ".", 3)
	return strings.Join(v[:min(2, len(v))], ".")
}

func writeList(t *testing.T, file string, names []string, unsupported map[string]string) {
	var b strings.Builder
	fmt.Fprintf(&b, listHeader, goVersion())
	for _, n := range names {
		if r := unsupported[n]; r != "" {
			fmt.Fprintf(&b, "%s\t%s\n", n, r)
		}
	}
	write(t, file, b.String())
}

// compareList compares the programs that were unsupported in this run with the committed list.
func compareList(t *testing.T, file string, names []string, asked map[string]bool, unsupported map[string]string) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	header, rest, _ := strings.Cut(string(b), "\n")
	if header+"\n" != fmt.Sprintf(listHeader, goVersion()) {
		t.Logf("NOT COMPARED: %s was written with another Go version than %s", file, goVersion())
		return
	}
	listed := map[string]string{}
	for _, l := range strings.Split(strings.TrimSpace(rest), "\n") {
		name, reason, _ := strings.Cut(l, "\t")
		listed[name] = reason
	}
	for _, n := range names {
		switch {
		case !asked[n] || listed[n] == unsupported[n]:
		case listed[n] == "":
			t.Errorf("%s is not supported (%s), and not in %s", n, unsupported[n], file)
		case unsupported[n] == "":
			t.Errorf("%s is in %s (%s), and supported", n, file, listed[n])
		default:
			t.Errorf("%s is not supported because of %q, but %s says %q", n, unsupported[n], file, listed[n])
		}
	}
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
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

// directiveLine returns the first comment that is no build constraint.
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
