package fuzzing_test

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/fuzzing"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

var (
	fuzzDirs = flag.String("fuzz-dirs", "", "directories of packages to fuzz by go test -fuzz for comparison, comma-separated; files are written there")
	fuzzTime = flag.Duration("fuzz-seconds", 30*time.Second, "for -fuzz-dirs: how long each package is fuzzed, its functions one after the other")
)

// TestFuzzFigures prints the coverage that `go test -fuzz` reaches with a Fuzz function for each exported
// function and method that such a function can call, for docs/benchmarks.md. Go's fuzzing makes the
// arguments that it can make; other parameters and receivers have their zero value. The test checks nothing,
// and runs only if a flag asks for it. The code runs unconfined, as go test -fuzz runs it, so it is only for
// packages that do nothing to the machine.
func TestFuzzFigures(t *testing.T) {
	if *fuzzDirs == "" {
		t.Skip("a measurement: run with -fuzz-dirs DIR,...; TestFuzzFunction checks what it writes")
	}
	for dir := range strings.SplitSeq(*fuzzDirs, ",") {
		t.Log(fuzzFigure(t, dir))
	}
}

var covered = regexp.MustCompile(`coverage: ([0-9.]+%) of statements`)

func fuzzFigure(t *testing.T, dir string) string {
	t.Helper()
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	src, names := fuzzFile(pkg)
	base := filepath.Base(dir)
	if len(names) == 0 {
		return base + ": no function that go test -fuzz can call"
	}
	if err := os.WriteFile(filepath.Join(dir, "figure_fuzz_test.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	cacheDir := t.TempDir()
	crashes := 0
	for _, name := range names {
		each := *fuzzTime / time.Duration(len(names))
		out, err := run(t, dir, "-run=^$", "-fuzz=^"+name+"$", "-fuzztime="+each.String(), "-parallel=2", "-test.fuzzcachedir="+cacheDir)
		if err != nil && strings.Contains(out, "Failing input") {
			crashes++
			continue // the input is in testdata already
		}
		if err != nil && !strings.Contains(out, "context deadline exceeded") {
			t.Errorf("%s: %s: %v\n%s", base, name, err, out)
		}
	}
	for _, name := range names {
		inputs, err := filepath.Glob(filepath.Join(cacheDir, "*", name, "*"))
		if err != nil {
			t.Fatal(err)
		}
		deeper, err := filepath.Glob(filepath.Join(cacheDir, name, "*"))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, "testdata", "fuzz", name)
		if err := os.MkdirAll(to, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, in := range append(inputs, deeper...) {
			data, err := os.ReadFile(in)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(to, filepath.Base(in)), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, _ := run(t, dir, "-run=^FuzzAssayFigure", "-cover")
	share := "-"
	if m := covered.FindStringSubmatch(out); m != nil {
		share = m[1]
	}
	return fmt.Sprintf("%s: %d functions, %d of them crash, %s of the statements", base, len(names), crashes, share)
}

func run(t *testing.T, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// fuzzFile returns a file with the Fuzz functions that can be made for exported functions, and their names.
func fuzzFile(pkg *load.Package) (src string, names []string) {
	src = "package " + pkg.Name + "\n\nimport \"testing\"\n"
	for _, target := range pkg.Targets {
		if !target.Exported || target.Skip != "" || len(target.TypeArgs) > 0 {
			continue
		}
		if text, ok := fuzzFunction(target, len(names)); ok {
			names = append(names, fmt.Sprintf("FuzzAssayFigure%d", len(names)))
			src += text
		}
	}
	return src, names
}

// fuzzFunction returns a Fuzz function that calls a target, and whether Go's fuzzing can make one of the
// arguments. The Fuzz function recovers panics, because a panic would end the fuzzing.
func fuzzFunction(target *load.Target, number int) (string, bool) {
	sig := target.Obj.Signature()
	var params, args, zeros []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i).Type()
		if typ := fuzzing.TypeOf(p); typ != "" && !(sig.Variadic() && i == sig.Params().Len()-1) {
			name := fmt.Sprintf("p%d", i)
			params = append(params, name+" "+typ)
			args = append(args, types.TypeString(p, within(target))+"("+name+")")
			continue
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			continue
		}
		name := fmt.Sprintf("z%d", i)
		zeros = append(zeros, "var "+name+" "+types.TypeString(p, within(target)))
		args = append(args, name)
	}
	if len(params) == 0 {
		return "", false
	}
	for _, z := range zeros {
		if strings.Contains(z, ".") {
			return "", false // the type is of another package, which the file does not import
		}
	}
	call := target.Obj.Name()
	if sig.Recv() != nil {
		recv := sig.Recv().Type()
		decl := "recv := new(" + types.TypeString(gosyntax.Pointed(recv), within(target)) + ")"
		zeros = append(zeros, decl)
		call = "recv." + call
	}
	body := strings.Join(append(zeros, call+"("+strings.Join(args, ", ")+")"), "\n\t\t")
	return fmt.Sprintf("\nfunc FuzzAssayFigure%d(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, %s) {\n\t\tdefer func() { _ = recover() }()\n\t\t%s\n\t})\n}\n",
		number, strings.Join(params, ", "), body), true
}

func within(target *load.Target) types.Qualifier {
	return types.RelativeTo(target.Obj.Pkg())
}

// TestFuzzFunction checks that the measurement writes correct Go, and for which functions.
func TestFuzzFunction(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": `package m

type Level int
type Box struct{ n int }

func Text(s string, n Level) bool         { return s == "" && n > 0 }
func (b *Box) Put(data []byte, to *Box) int { return len(data) }
func None(b Box) int                      { return b.n }
func hidden(s string) int                 { return len(s) }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	src, names := fuzzFile(prog.Packages[0])
	if _, err := parser.ParseFile(token.NewFileSet(), "m_test.go", src, parser.SkipObjectResolution); err != nil {
		t.Errorf("%v:\n%s", err, src)
	}
	if len(names) != 2 || !strings.Contains(src, "Text(string(p0), Level(p1))") || !strings.Contains(src, "recv.Put([]byte(p0), z1)") {
		t.Errorf("%d functions:\n%s", len(names), src)
	}
}
