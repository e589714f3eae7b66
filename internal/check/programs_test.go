package check

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/goassay/assay/internal/programs"
)

// The flags ask for -programs packages of -functions random functions each; the first package has the seed
// -first. With -programs 0 the test takes a sample, as every run of the tests does.
var (
	morePrograms = flag.Int("programs", 0, "how many packages of random functions TestRandomPrograms compares with their execution")
	firstProgram = flag.Int("first", 0, "the seed of the first package of -programs")
	perPackage   = flag.Int("functions", 250, "how many functions a package of -programs has")
	perFunction  = flag.Int("calls", 150, "with how many arguments each function of -programs is called")
)

// Assertions that are verified in random functions hold when the functions run: no panic occurs at a line
// whose assertions of that kind are all verified without assumptions. In functions that start no goroutines
// the same holds for assertions that are verified under assumptions which the harness keeps.
func TestRandomPrograms(t *testing.T) {
	packages, functions, calls := *morePrograms, *perPackage, *perFunction
	if packages == 0 {
		packages, functions, calls = 1, 120, 100
	}
	imp := importer.Default()
	var total programTally
	for i := range packages {
		total.add(checkPrograms(t, imp, uint64(*firstProgram+i), functions, calls))
		if (i+1)%10 == 0 {
			fmt.Printf("%d packages: %v\n", i+1, total)
		}
	}
	t.Log(total)
	if total.panics == 0 || total.verified == 0 || total.contested == 0 {
		t.Error("nothing was compared")
	}
}

// programTally counts what was compared.
type programTally struct {
	functions, assertions, verified, kept int
	panics                                int // places at which something panicked
	contested                             int // places with assertions that are not verified, and that did not panic
	violations                            int
}

func (n *programTally) add(m programTally) {
	n.functions += m.functions
	n.assertions += m.assertions
	n.verified += m.verified
	n.kept += m.kept
	n.panics += m.panics
	n.contested += m.contested
	n.violations += m.violations
}

func (n programTally) String() string {
	return fmt.Sprintf("%d functions, %d assertions, %d verified and %d under what the harness keeps, panics at %d places, %d places that are not verified and did not panic, %d violations",
		n.functions, n.assertions, n.verified, n.kept, n.panics, n.contested, n.violations)
}

// place is where a panic may occur: a line, and the kind of assertion.
type panicPlace struct {
	line int
	kind Kind
}

// checkPrograms compares the verified assertions of a package of random functions with what the functions
// do.
func checkPrograms(t *testing.T, imp types.Importer, seed uint64, functions, calls int) programTally {
	src := programs.Source(seed, functions)
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": src, "main.go": programs.Harness(functions, calls)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n, proved := analysePrograms(t, imp, filepath.Join(dir, "p.go"), src)
	n.functions = functions
	panics := runPrograms(t, dir, seed)
	lines := strings.Split(src, "\n")
	for place, by := range panics {
		n.panics++
		if how := proved[place]; how != "" {
			n.violations++
			t.Errorf("seed %d, line %d: %s by %s, which is verified %s:\n%s", seed, place.line, place.kind, by, how, strings.TrimSpace(lines[place.line-1]))
			if *morePrograms > 0 {
				os.WriteFile(filepath.Join(os.TempDir(), fmt.Sprintf("program%d.go", seed)), []byte(src), 0o666)
			}
		}
	}
	for place, how := range proved {
		if _, ok := panics[place]; !ok && how == "" {
			n.contested++
		}
	}
	return n
}

// analysePrograms returns for each place how its assertions are verified, or "" if one of them is not.
func analysePrograms(t *testing.T, imp types.Importer, name, src string) (programTally, map[panicPlace]string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	observed, err := parser.ParseFile(fset, "runtime.go", programs.Runtime, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: imp}, fset, types.NewPackage("main", "main"), []*ast.File{f, observed}, ssa.InstantiateGenerics)
	if err != nil {
		t.Fatal(err)
	}
	p := New(fset, types.SizesFor("gc", "amd64"), Config{})
	var n programTally
	proved := map[panicPlace]string{}
	note := func(as assertionKey, how string) {
		at := fset.Position(as.position())
		if at.Filename != name || as.kind.StandsForOthers() {
			return
		}
		place := panicPlace{at.Line, as.kind}
		if old, ok := proved[place]; !ok {
			proved[place] = how
		} else if old == "" || how == "" {
			proved[place] = ""
		}
		n.assertions++
	}
	for _, fn := range withLiterals(functionsOf(pkg)) {
		pre := p.prepare(fn)
		none := p.once(fn, pre, func(place) bool { return false }, false)
		if none == nil {
			t.Fatalf("seed of %s: the analysis gave %s up", name, fn)
		}
		some := none
		if tested(fn) {
			some = p.once(fn, pre, func(pl place) bool {
				return pl.ins == nil && (pl.kind == Race || pl.kind == NonNilArgs && fn.Params[pl.n-1].Name() != "y") // y may be nil
			}, false)
		}
		for _, k := range none.order {
			switch {
			case none.holds[k]:
				n.verified++
				note(k, "without assumptions")
			case some != nil && some.holds[k]:
				n.kept++
				note(k, "where nothing is nil and no other goroutine runs")
			default:
				note(k, "")
			}
		}
	}
	return n, proved
}

// tested reports whether the harness calls a function: with no nil function or interface, and while no other
// goroutine runs.
func tested(fn *ssa.Function) bool {
	_, err := strconv.Atoi(strings.TrimPrefix(fn.Name(), "F"))
	return err == nil && fn.Signature.Recv() == nil && !startsGoroutines(fn)
}

// withLiterals adds the function literals that are declared in functions.
func withLiterals(fns []*ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, fn := range fns {
		out = append(append(out, fn), withLiterals(fn.AnonFuncs)...)
	}
	return out
}

// functionsOf lists the functions of a package with their instances.
func functionsOf(pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if fn.Pkg == pkg && fn.Parent() == nil && fn.Synthetic == "" || fn.Origin() != nil && fn.Origin().Pkg == pkg && fn.Parent() == nil {
			if fn.TypeParams().Len() > len(fn.TypeArgs()) {
				continue
			}
			out = append(out, fn)
		}
	}
	slices.SortFunc(out, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// startsGoroutines reports whether a function, or a function literal in it, starts a goroutine.
func startsGoroutines(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, ins := range b.Instrs {
			if _, ok := ins.(*ssa.Go); ok {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.AnonFuncs, startsGoroutines)
}

// runPrograms builds and runs the program in dir, one goroutine at a time.
func runPrograms(t *testing.T, dir string, seed uint64) map[panicPlace]string {
	build := exec.Command("go", "build", "-gcflags=-N -l", "-o", "program", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, out)
	}
	run := exec.Command(filepath.Join(dir, "program"))
	run.Dir = dir
	run.Env = []string{"GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOTRACEBACK=single"}
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Errorf("seed %d: %v\n%.2000s", seed, err, stderr.String())
	}
	panics := map[panicPlace]string{}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		line, rest, _ := strings.Cut(sc.Text(), " ")
		at, err := strconv.Atoi(line)
		if err != nil {
			continue
		}
		kind, by, _ := strings.Cut(rest, " ")
		panics[panicPlace{at, Kind(kind)}] = by
	}
	return panics
}
