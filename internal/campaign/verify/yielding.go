package verify

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// A reader that a goroutine of the package fills in advance may have seen the end of its input when a test looks, or not. On
// a quiet machine the goroutine is first in thousands of runs, and on a busy one it is not. The suite therefore also runs
// where the goroutines of the package let others go first before each of their statements, and where everybody else does.

// yieldVariable is the environment variable that says who lets others go first.
const yieldVariable = "ASSAY_YIELD"

// Those who let others go first.
const (
	goroutinesYield = "goroutines"
	sharedYield     = "shared" // the functions that goroutines call; others may call them, too
	othersYield     = "others"
	someYield       = "some" // now this one and now that one
)

// someTimes is how often the suite runs so. Each run where some yield has another order, because the count goes on, and where a
// select has several cases that are ready, each run takes another one.
const someTimes = 10

// yieldSource is the source of the function that lets others go first. The others do so often, so that a goroutine comes to where it waits.
// A process does so a million times at most, so that loops do not take for ever.
const yieldSource = `package %s

import (
	assayos "os"
	assayruntime "runtime"
	assayatomic "sync/atomic"
)

var (
	assayYields  = assayos.Getenv(%q)
	assayYielded int32
)

func assayYield(who string) {
	times := 1
	switch {
	case assayYields == "some":
	case assayYields == "others" && who == "others":
		times = 64
	case assayYields == "goroutines" && who != "others":
	default:
		return
	}
	n := assayatomic.AddInt32(&assayYielded, 1)
	if n >= 1<<20 || assayYields == "some" && uint32(n)*2654435761>>16&1 != 0 {
		return
	}
	for i := 0; i < times; i++ {
		assayruntime.Gosched()
	}
}
`

// tryYielding takes out the tests that fail if goroutines run in another order. There is one processor, because others would
// take up at once who has let others go first.
func (d *doubter) tryYielding(ctx context.Context) error {
	if !d.Pkg.StartsGoroutines() || len(d.names) == 0 {
		return nil
	}
	files, err := d.yieldingFiles()
	if err != nil {
		return err
	}
	b, err := d.build(ctx, "yielding.test", files)
	if err != nil {
		return err
	}
	for _, c := range []struct {
		who, what string
		times     int
	}{
		{goroutinesYield, "if the goroutines of the package are slow", someTimes}, {othersYield, "if the goroutines of the package are fast", someTimes},
		{someYield, "if the goroutines of the package run in another order", someTimes},
	} {
		if err := d.try(ctx, b, gotest.Trial{Count: c.times, Env: []string{"GOMAXPROCS=1", yieldVariable + "=" + c.who}}, c.what); err != nil {
			return err
		}
	}
	for _, f := range d.s.Files {
		for _, test := range f.Tests {
			for _, c := range test.Cases {
				d.orderly[c] = slices.Contains(d.names, test.Name)
			}
		}
	}
	return nil
}

// takeStarting takes out the tests that are not known to hold with goroutines in another order. On a busy machine they may have run
// twice, each time in the same one.
func (d *doubter) takeStarting() {
	for _, f := range d.s.Files {
		for _, test := range f.Tests {
			taken := slices.DeleteFunc(slices.Clone(test.Cases), d.inOrder)
			if test.Bug == nil && len(taken) > 0 {
				d.takeCases(test, taken, "there was no time to run it with goroutines in another order")
			}
		}
	}
}

// inOrder reports whether a case has passed with goroutines in other orders, or its calls start none.
func (v *verifier) inOrder(c *testcase.Case) bool {
	if v.orderly[c] || !v.Pkg.StartsGoroutines() {
		return true
	}
	if v.starts == nil {
		v.starts = startingFuncs(v.Pkg)
	}
	for i := range c.Seq.Len() {
		if fn := c.Seq.At(i).Op.Func; fn != nil && v.starts[fn.Origin()] {
			return false
		}
	}
	return true
}

// startingFuncs returns the functions of a package that start goroutines, or name a function that does. What calls a function by
// way of an interface or a variable is not among them: too many tests would go for what they never do.
func startingFuncs(pkg *load.Package) map[*types.Func]bool {
	out := make(map[*types.Func]bool)
	users := make(map[*types.Func][]*types.Func)
	var work []*types.Func
	note := func(fn *types.Func) {
		if !out[fn] {
			out[fn] = true
			work = append(work, fn)
		}
	}
	for fn, decl := range pkg.Funcs() {
		ast.Inspect(decl, func(n ast.Node) bool {
			if load.StartedBy(pkg.Info, n) != nil {
				note(fn)
			}
			if name, ok := n.(*ast.Ident); ok {
				if used, ok := pkg.Info.Uses[name].(*types.Func); ok && used.Pkg() == pkg.Types {
					users[used.Origin()] = append(users[used.Origin()], fn)
				}
			}
			return true
		})
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for _, user := range users[fn] {
			note(user)
		}
	}
	return out
}

// yieldingFiles returns the files of the package and of its tests in the form in which their statements let others go first.
func (d *doubter) yieldingFiles() (map[string]string, error) {
	files := make(map[string]string)
	put := func(name, as string, text []byte) error {
		files[name] = filepath.Join(d.work, as)
		return os.WriteFile(files[name], text, 0o600)
	}
	whose := bodiesOf(d.Pkg.Syntax, d.Pkg.Info)
	for i, f := range d.Pkg.Syntax {
		name := d.Prog.Fset.File(f.FileStart).Name()
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		offset := func(n ast.Node) int { return d.Prog.Fset.PositionFor(n.Pos(), false).Offset }
		if err := put(name, "yielding"+strconv.Itoa(i)+".go", withYields(src, f, offset, whose)); err != nil {
			return nil, err
		}
	}
	for i, f := range d.s.Files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, f.Path, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("reading %s again: %w", f.Path, err)
		}
		if file.Name.Name != d.Pkg.Name {
			continue // tests outside of the package cannot call its functions
		}
		offset := func(n ast.Node) int { return fset.Position(n.Pos()).Offset }
		if err := put(f.Path, "yielding"+strconv.Itoa(i)+"_test.go", withYields(f.Content, file, offset, nil)); err != nil {
			return nil, err
		}
	}
	return files, put(filepath.Join(d.Pkg.Dir, "assay_yield.go"), "yield.go", fmt.Appendf(nil, yieldSource, d.Pkg.Name, yieldVariable))
}

// bodiesOf returns the bodies of the functions that a package starts in goroutines, and those of the functions that these name.
func bodiesOf(files []*ast.File, info *types.Info) map[*ast.BlockStmt]string {
	bodies := make(map[types.Object]*ast.BlockStmt)
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				bodies[info.Defs[fn.Name]] = fn.Body
			}
		}
	}
	whose := make(map[*ast.BlockStmt]string)
	var work []*ast.BlockStmt
	note := func(body *ast.BlockStmt, who string) {
		if body != nil && whose[body] == "" {
			whose[body] = who
			work = append(work, body)
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			fn := load.StartedBy(info, n)
			if fn == nil {
				return true
			}
			switch fn := ast.Unparen(fn).(type) {
			case *ast.FuncLit:
				note(fn.Body, goroutinesYield)
			case *ast.Ident:
				note(bodies[info.Uses[fn]], goroutinesYield)
			case *ast.SelectorExpr:
				note(bodies[info.Uses[fn.Sel]], goroutinesYield)
			}
			return true
		})
	}
	for len(work) > 0 {
		body := work[len(work)-1]
		work = work[:len(work)-1]
		ast.Inspect(body, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				note(bodies[info.Uses[name]], sharedYield)
			}
			return true
		})
	}
	return whose
}

// withYields returns the text of a file in which each statement of a function lets others go first, on the same line as the
// statement. The bodies that are not the others' are in whose.
func withYields(src []byte, f *ast.File, offset func(ast.Node) int, whose map[*ast.BlockStmt]string) []byte {
	at := make(map[int]string)
	var walk func(n ast.Node, who string)
	walk = func(n ast.Node, who string) {
		ast.Inspect(n, func(m ast.Node) bool {
			var list []ast.Stmt
			switch m := m.(type) {
			case *ast.BlockStmt:
				if m != n && whose[m] != "" {
					walk(m, whose[m])
					return false
				}
				list = m.List
			case *ast.CaseClause:
				list = m.Body
			case *ast.CommClause:
				list = m.Body
			}
			for _, s := range list {
				switch s.(type) {
				case *ast.CaseClause, *ast.CommClause:
				default:
					at[offset(s)] = who
				}
			}
			return true
		})
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			walk(fn.Body, cmp.Or(whose[fn.Body], othersYield))
		}
	}
	var out strings.Builder
	from := 0
	for _, i := range slices.Sorted(maps.Keys(at)) {
		out.Write(src[from:i])
		fmt.Fprintf(&out, "assayYield(%q); ", at[i])
		from = i
	}
	out.Write(src[from:])
	return []byte(out.String())
}
