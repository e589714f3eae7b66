package diff

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/lockstep"
	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/pair"
	"github.com/goassay/assay/internal/session"
)

var (
	allMutants  = flag.Bool("mutants", false, "compare every example with each of its mutants that assay's tests notice")
	onlyExample = flag.String("mutants.of", "", "with -mutants: this example only")
	everyNth    = flag.Int("mutants.every", 1, "with -mutants: every n-th mutant only")
)

// TestMutants takes the mutants of the examples that assay's tests notice, each as the new version of its
// example, and counts for how many of them diff shows a difference. None may be proved equal.
func TestMutants(t *testing.T) {
	if !*allMutants {
		t.Skip("-mutants takes an hour; the scripts have a sample")
	}
	bin := filepath.Join(t.TempDir(), "assay")
	if out, err := exec.Command("go", "build", "-o", bin, "../../../cmd/assay").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dirs, err := filepath.Glob("../../../examples/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	all := counts{}
	for _, dir := range dirs {
		if *onlyExample != "" && filepath.Base(dir) != *onlyExample {
			continue
		}
		n := mutantsOf(t, bin, repo, dir)
		t.Logf("%s: %s", filepath.Base(dir), n)
		all.add(n)
	}
	t.Logf("all: %s", all)
}

// counts are those of mutants.
type counts struct {
	mutants, noticed, built, shown, equal int
	seconds                               float64
}

func (c *counts) add(d counts) {
	c.mutants, c.noticed, c.built, c.shown, c.equal = c.mutants+d.mutants, c.noticed+d.noticed, c.built+d.built, c.shown+d.shown, c.equal+d.equal
	c.seconds += d.seconds
}

func (c counts) String() string {
	return fmt.Sprintf("%d mutants, %d noticed by assay's tests, %d of these compile as a version, %d shown (%.1f%%), %d wrongly proved equal, %.1f s each",
		c.mutants, c.noticed, c.built, c.shown, 100*float64(c.shown)/float64(max(c.built, 1)), c.equal, c.seconds/float64(max(c.built, 1)))
}

// mutantsOf counts the mutants of one example.
func mutantsOf(t *testing.T, bin, repo, dir string) (n counts) {
	work := t.TempDir()
	old := filepath.Join(work, "old", filepath.Base(dir))
	copyExample(t, repo, dir, filepath.Join(work, "old"))
	if out, err := exec.Command(bin, "gen", "-cache=off", "-C", old, ".").CombinedOutput(); err != nil {
		t.Logf("%s: gen: %v\n%s", dir, err, out)
	}
	prog, err := load.Load(context.Background(), load.Config{Dir: old})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	var suite []gotest.File
	for _, name := range pkg.TestFiles {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		suite = append(suite, gotest.File{Path: name, Content: src})
	}
	a, err := mutate.Build(context.Background(), prog, pkg, mutate.Config{Suite: suite})
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := a.Suite(context.Background(), mutate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	fresh := filepath.Join(work, "new")
	for i, v := range verdicts {
		if i%*everyNth != 0 {
			continue
		}
		n.mutants++
		if !v.Killed {
			continue
		}
		n.noticed++
		src, ok := mutated(prog, pkg, v.Mutant)
		if !ok {
			continue
		}
		if err := os.RemoveAll(fresh); err != nil {
			t.Fatal(err)
		}
		copyExample(t, repo, dir, fresh)
		if err := os.WriteFile(filepath.Join(fresh, filepath.Base(dir), filepath.Base(v.Mutant.Pos.Filename)), src, 0o600); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		differences, proved, failed := differs(filepath.Join(work, "old"), fresh)
		if failed {
			continue // the mutant does not compile as a version of its own
		}
		n.built++
		n.seconds += time.Since(start).Seconds()
		switch {
		case differences > 0:
			n.shown++
		case proved[v.Mutant.Func]:
			n.equal++
			t.Errorf("%s is proved equal, and %s notices it", v.Mutant, suite[0].Path)
		default:
			t.Logf("%s is not shown", v.Mutant)
		}
	}
	return n
}

// copyExample copies an example to a module of its own.
func copyExample(t *testing.T, repo, from, to string) {
	t.Helper()
	dir := filepath.Join(to, filepath.Base(from))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// The package of annotations becomes a module of its own here, because the examples need nothing else of
	// this module.
	own := filepath.Join(to, "assay")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{
		filepath.Join(to, "go.mod"):  "module example.com/m\n\ngo 1.24\n\nrequire github.com/goassay/assay v0.0.0\n\nreplace github.com/goassay/assay => ./assay\n",
		filepath.Join(own, "go.mod"): "module github.com/goassay/assay\n\ngo 1.24\n",
	}
	for _, name := range []string{"assay.go", "assert.go", "assert_bugs.go"} {
		text, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		contents[filepath.Join(own, name)] = string(text)
	}
	for name, text := range contents {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// differs compares two directories. The result proved has the functions that are said to be equal.
func differs(old, new string) (differences int, proved map[string]bool, failed bool) {
	proved = map[string]bool{}
	res, err := Run(context.Background(), session.Config{Dir: filepath.Dir(old), Timeout: time.Minute, Seed: 1, Events: func(e event.Event) {
		switch e := e.(type) {
		case event.Difference:
			differences++
		case event.Same:
			if e.Verdict == event.Proved {
				proved[e.Func] = true
			}
		}
	}}, Config{Args: []string{old, new}})
	return differences, proved, err != nil || res.Failed
}

// mutated returns the file of a mutant with the mutant in its source, or false if the mutant cannot be
// written there.
func mutated(prog *load.Program, pkg *load.Package, m mutate.Mutant) ([]byte, bool) {
	for _, f := range pkg.Syntax {
		tf := prog.Fset.File(f.FileStart)
		if tf.Name() != m.Pos.Filename {
			continue
		}
		src, err := prog.Source(tf.Name())
		if err != nil {
			return nil, false
		}
		var out []byte
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || out != nil || tf.Offset(n.Pos()) != m.Pos.Offset {
				return out == nil
			}
			text := string(src[m.Pos.Offset:tf.Offset(n.End())])
			if !strings.HasPrefix(m.Text, text+" ") {
				return true
			}
			if with, ok := replacement(pkg, n, m, strings.TrimPrefix(m.Text, text+" "), func(n ast.Node) string { return string(src[tf.Offset(n.Pos()):tf.Offset(n.End())]) }); ok {
				out = bytes.Join([][]byte{src[:m.Pos.Offset], []byte(with), src[tf.Offset(n.End()):]}, nil)
			}
			return out == nil
		})
		return out, out != nil
	}
	return nil, false
}

// replacement returns the text that a mutant has in place of a node.
func replacement(pkg *load.Package, n ast.Node, m mutate.Mutant, what string, text func(ast.Node) string) (string, bool) {
	other, becomes := strings.CutPrefix(what, "becomes ")
	switch n := n.(type) {
	case *ast.BinaryExpr:
		op := other
		if m.Operator == mutate.Boundary || m.Operator == mutate.Negation {
			op = mutatedComparison(n.Op, m.Operator)
		}
		if !becomes || op == "" {
			break
		}
		return "(" + text(n.X) + " " + op + " " + text(n.Y) + ")", true
	case *ast.IncDecStmt:
		if becomes {
			return text(n.X) + other, true
		}
	case *ast.BranchStmt:
		if becomes {
			return other, true
		}
	case *ast.ExprStmt, *ast.AssignStmt, *ast.DeferStmt, *ast.SendStmt:
		if m.Operator == mutate.Removal {
			return "", true
		}
	}
	e, ok := n.(ast.Expr)
	switch {
	case !ok || strings.HasSuffix(what, "..."):
	case m.Operator == mutate.ReturnVal:
		if t := pkg.Info.TypeOf(e); t != nil {
			return "*new(" + types.TypeString(types.Default(t), func(p *types.Package) string {
				if p == pkg.Types {
					return ""
				}
				return p.Name()
			}) + ")", true
		}
	case what == "is inverted":
		return "!(" + text(e) + ")", true
	case becomes && (m.Operator == mutate.Constant || m.Operator == mutate.Sign):
		return "(" + other + ")", true
	}
	return "", false
}

// mutatedComparison returns the operator that a comparison has in a mutant.
func mutatedComparison(op token.Token, kind mutate.Operator) string {
	if kind == mutate.Boundary {
		return map[token.Token]string{token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">"}[op]
	}
	return map[token.Token]string{token.LSS: ">=", token.LEQ: ">", token.GTR: "<=", token.GEQ: "<", token.EQL: "!=", token.NEQ: "=="}[op]
}

// TestMutantsByCode takes all mutants of the examples as new versions: none may be proved equal by its code
// alone. A version whose functions begin with a statement that does nothing must be. Each version is a package of one
// module, because loading takes most of the time.
func TestMutantsByCode(t *testing.T) {
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob("../../../examples/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	if !*allMutants {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { mutantsByCode(t, repo, dir) })
	}
}

// mutantsByCode does the work of TestMutantsByCode for one example.
func mutantsByCode(t *testing.T, repo, dir string) {
	work := t.TempDir()
	copyExample(t, repo, dir, work)
	base := filepath.Join(work, filepath.Base(dir))
	prog, err := load.Load(context.Background(), load.Config{Dir: base})
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	a, err := mutate.Build(context.Background(), prog, pkg, mutate.Config{})
	if err != nil {
		t.Fatal(err)
	}
	mutants := a.Mutants()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	byPath := map[string]mutate.Mutant{}
	add := func(name string, sources map[string][]byte) (path string) {
		copyExample(t, repo, dir, filepath.Join(work, name))
		for _, extra := range []string{"go.mod", "assay"} {
			if err := os.RemoveAll(filepath.Join(work, name, extra)); err != nil {
				t.Fatal(err)
			}
		}
		for file, src := range sources {
			if err := os.WriteFile(filepath.Join(work, name, filepath.Base(dir), filepath.Base(file)), src, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return "example.com/m/" + name + "/" + filepath.Base(dir)
	}
	for i, m := range mutants {
		if src, ok := mutated(prog, pkg, m); ok {
			byPath[add(fmt.Sprintf("mutant%d", i), map[string][]byte{m.Pos.Filename: src})] = m
		}
	}
	harmless := add("harmless", idle(t, prog, pkg))
	news, err := load.Load(context.Background(), load.Config{Dir: work}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, p := range news.Packages {
		m, ok := byPath[p.Path]
		if p.Path != harmless && !ok || len(p.Errors) > 0 {
			continue // the original, or a mutant that does not compile as a version of its own
		}
		pairing, err := pair.Packages(pair.Side{Prog: prog, Pkg: pkg}, pair.Side{Prog: news, Pkg: p})
		if err != nil {
			t.Fatal(err)
		}
		proofs := lockstep.Equal(pairing, nil)
		if p.Path == harmless {
			if t.Logf("%d of %d functions are proved if nothing changes", len(proofs), len(pairing.ChangedFunctions())); len(proofs) == 0 {
				t.Error("nothing is proved although nothing changes")
			}
			continue
		}
		compared++
		zero := strings.HasSuffix(m.Text, "{} is returned as the zero value") // it is the zero value
		if _, proved := proofs[m.Func]; proved && !zero {
			t.Errorf("%s is proved equal", m)
		}
	}
	t.Logf("%d of %d mutants compared", compared, len(mutants))
	if compared == 0 {
		t.Error("no mutant was compared")
	}
}

// idle returns the files of a package in which each function begins with a statement that does nothing.
func idle(t *testing.T, prog *load.Program, pkg *load.Package) map[string][]byte {
	out := map[string][]byte{}
	for _, f := range pkg.Syntax {
		tf := prog.Fset.File(f.FileStart)
		src, err := prog.Source(tf.Name())
		if err != nil {
			t.Fatal(err)
		}
		var text []byte
		at := 0
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
				open := tf.Offset(fd.Body.Lbrace) + 1
				text = append(append(text, src[at:open]...), " _ = 0;"...)
				at = open
			}
		}
		out[tf.Name()] = append(text, src[at:]...)
	}
	return out
}
