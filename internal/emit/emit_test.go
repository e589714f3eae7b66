package emit

import (
	"bytes"
	"flag"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/testcase"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// A file is no longer than it may be, unless one case alone is: what does not fit goes into
// further files, each function in one of them. What is not written is said, and not what the
// rank puts first.
func TestMaxLines(t *testing.T) {
	const most = 60
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	imp := exportImporter(fset)
	shortened, divided := 0, 0
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r := loadArchive(t, name, ar, fset, imp)
		rank := map[*testcase.Case]int{}
		for i, c := range r.cases {
			rank[c] = -i // the last is the best
		}
		all, before, err := Files(r.pkg, r.cases, nil, Config{Fset: fset})
		if err != nil {
			t.Fatal(err)
		}
		files, unwritten, err := Files(r.pkg, r.cases, nil, Config{Fset: fset, MaxLines: most, Rank: func(c *testcase.Case) int { return rank[c] }})
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > len(all) {
			divided++
		}
		if len(files) > maxParts*len(all) {
			t.Errorf("%s: %d files, of %d", name, len(files), len(all))
		}
		dropped := map[*testcase.Case]bool{}
		for _, u := range unwritten {
			dropped[u.Case] = true
			if u.Case == r.cases[len(r.cases)-1] && len(unwritten) > len(before) {
				t.Errorf("%s: the case that ranks first is not written", name)
			}
		}
		n := 0
		in := map[string]string{}
		for _, f := range files {
			cases := 0
			for _, x := range f.Tests {
				n += len(x.Cases)
				cases += len(x.Cases)
				if other := in[x.Func]; other != "" && other != f.Path {
					t.Errorf("%s: tests of %s in %s and %s", name, x.Func, other, f.Path)
				}
				in[x.Func] = f.Path
			}
			if lines := bytes.Count(f.Content, []byte("\n")); lines > most && cases > 1 {
				t.Errorf("%s: %d lines with %d cases", f.Path, lines, cases)
			}
		}
		if want := len(r.cases) - len(before); n+len(dropped)-len(before) != want {
			t.Errorf("%s: %d cases written and %d not, of %d", name, n, len(dropped), len(r.cases))
		}
		if len(unwritten) > len(before) {
			shortened++
		}
	}
	if shortened == 0 || divided == 0 {
		t.Errorf("%d files shortened, %d divided: the test tests nothing", shortened, divided)
	}
}

// Of a result with many fields that is not compared whole, the fields are asserted that mutants have told, and
// one where they told none.
func TestFields(t *testing.T) {
	ar := txtar.Parse([]byte(`
-- a.go --
package fields

type Box struct {
	A, B, C, D, E, G, H int
	f                   error
}

func New() *Box { return &Box{A: 1, B: 2, C: 3, D: 4, E: 5, G: 6, H: 7} }
-- cases --
case New
do New()
got &Box{A: 1, B: 2, C: 3, D: 4, E: 5, G: 6, H: 7, f: opaque()}
`))
	fset := token.NewFileSet()
	r := loadArchive(t, "fields", ar, fset, exportImporter(fset))
	for _, tt := range []struct {
		name   string
		fields map[testcase.FieldRef]bool
		want   string
	}{
		{"nobody asked", nil, "A B C D E G"},
		{"one", map[testcase.FieldRef]bool{{Stmt: 0, Result: 0, Field: 4}: true}, "E"},
		{"two", map[testcase.FieldRef]bool{{Stmt: 0, Result: 0, Field: 1}: true, {Stmt: 0, Result: 0, Field: 3}: true}, "B D"},
		{"none", map[testcase.FieldRef]bool{}, "A"},
	} {
		c := *r.cases[0]
		c.Fields = tt.fields
		files, _, err := Files(r.pkg, []*testcase.Case{&c}, nil, Config{Fset: fset})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range []string{"A", "B", "C", "D", "E", "G", "H"} {
			if bytes.Contains(files[0].Content, []byte("got."+f+" != ")) {
				got = append(got, f)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s:\n%s", tt.name, got, tt.want, files[0].Content)
		}
	}
}

// What a test's calls set is put back, unless it cannot be copied or named.
func TestRestores(t *testing.T) {
	ar := txtar.Parse([]byte(`-- p.go --
package p

import "sync"

var limit = 10

var state struct {
	mu sync.Mutex
	n  int
}

func SetLimit(n int) { limit = n; state.n = n }
-- cases --
case SetLimit
do SetLimit(3)
`))
	fset := token.NewFileSet()
	r := loadArchive(t, "restores", ar, fset, exportImporter(fset))
	c := *r.cases[0]
	c.Whole = true // nothing is asserted, and the documentation makes the call
	for _, name := range []string{"limit", "state"} {
		c.Restores = append(c.Restores, r.pkg.Types.Scope().Lookup(name).(*types.Var))
	}
	files, _, err := Files(r.pkg, []*testcase.Case{&c}, nil, Config{Fset: fset})
	if err != nil {
		t.Fatal(err)
	}
	want := "\toldLimit := limit\n\tdefer func() { limit = oldLimit }()\n\n\tSetLimit(3)\n"
	if got := string(files[0].Content); !strings.Contains(got, want) || strings.Contains(got, "oldState") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// go vet complains if nothing is done with the text that a method called String returns, in a function that the test passes, too.
func TestClosureDropsText(t *testing.T) {
	ar := txtar.Parse([]byte(`-- p.go --
package p

type List struct{ n int }

func (l *List) String() string { return "list" }

func (l *List) Each(do func(int) bool) { do(l.n) }

func New() *List { return &List{} }
-- cases --
case List.Each
do New()
`))
	fset := token.NewFileSet()
	r := loadArchive(t, "closures", ar, fset, exportImporter(fset))
	scope := r.pkg.Types.Scope()
	method := func(name string) *types.Func {
		f, _, _ := types.LookupFieldOrMethod(scope.Lookup("List").Type(), true, r.pkg.Types, name)
		return f.(*types.Func)
	}
	each, text := method("Each"), method("String")
	var b testcase.Builder
	list := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: scope.Lookup("New").(*types.Func)})
	yes := b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Bool], Lit: testcase.Literal{Kind: testcase.LitBool, Bits: 1}})
	do := b.Add(&testcase.Operation{Kind: testcase.OpClosure, Type: each.Signature().Params().At(0).Type(), Func: text}, list, yes)
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: each}, list, do)
	c := *r.cases[0]
	c.Whole = true // nothing is asserted, and the documentation makes the call
	c.Seq = b.Sequence()
	c.Observed.At, c.Observed.Results = c.Seq.Len()-1, nil
	files, _, err := Files(r.pkg, []*testcase.Case{&c}, nil, Config{Fset: fset})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(files[0].Content), "_ = l.String()\n"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A second call may return the object of the first. If the test reads the parts of the second one, nothing compares it with the
// first, which then needs no variable: Go refuses variables that nothing uses.
func TestSameObjectOfWhichPartsAreRead(t *testing.T) {
	ar := txtar.Parse([]byte(`-- p.go --
package p

import "regexp"

var re = regexp.MustCompile("^a$")

func Pattern() *regexp.Regexp { return re }
-- cases --
case Pattern
do Pattern()
`))
	fset := token.NewFileSet()
	r := loadArchive(t, "same", ar, fset, exportImporter(fset))
	pattern := r.pkg.Types.Scope().Lookup("Pattern").(*types.Func)
	made := pattern.Signature().Results().At(0).Type()
	text, _, _ := types.LookupFieldOrMethod(made, true, r.pkg.Types, "String")
	var b testcase.Builder
	b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: pattern})
	again := b.Add(&testcase.Operation{Kind: testcase.OpFunc, Func: pattern})
	b.Add(&testcase.Operation{Kind: testcase.OpMethod, Func: text.(*types.Func)}, again)
	c := *r.cases[0]
	c.Seq = b.Sequence()
	object := []testcase.Value{{Kind: testcase.Pointer, Type: made, ID: 1}}
	c.Observed.At, c.Observed.Results = 2, [][]testcase.Value{object, object, {{Kind: testcase.String, Type: types.Typ[types.String], Str: "^a$", Len: 3}}}
	files, _, err := Files(r.pkg, []*testcase.Case{&c}, nil, Config{Fset: fset})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(files[0].Content); strings.Contains(got, "regexp := ") || !strings.Contains(got, "got.String() != ") {
		t.Errorf("got\n%s\nwant parts of the second result, and no variable for the first", got)
	}
}

// TestGolden writes the tests of each archive's cases and compares them with the archive's golden files; then all of them
// together are compiled, run, and run again on changed sources (files named *.go.mutant), on which they must fail.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	module := t.TempDir()
	write(t, filepath.Join(module, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n\nrequire github.com/stretchr/testify v1.0.0\n\nreplace github.com/stretchr/testify => ./testify-stand-in\n"))
	standIn, err := txtar.ParseFile("testdata/standin/testify.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range standIn.Files {
		write(t, filepath.Join(module, "testify-stand-in", filepath.FromSlash(f.Name)), f.Data)
	}
	fset := token.NewFileSet()
	imp := exportImporter(fset)
	bugs := map[string]bool{}
	mutants := map[string]*txtar.Archive{}
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			r := loadArchive(t, name, ar, fset, imp)
			cases, findings := r.cases, r.findings
			files, unwritten, err := Files(r.pkg, cases, findings, Config{Fset: fset, Lacks: r.lack, Types: r.typed})
			if err != nil {
				t.Fatal(err)
			}
			again, _, _ := Files(r.pkg, cases, findings, Config{Fset: fset, Lacks: r.lack, Types: r.typed})
			got := map[string][]byte{}
			for i, f := range files {
				base := filepath.Base(f.Path)
				got[base] = f.Content
				if !bytes.Equal(f.Content, again[i].Content) {
					t.Errorf("%s: the second time has other bytes", base)
				}
				if generated, edited := testfile.Verify(f.Content); !generated || edited {
					t.Errorf("%s: Verify = %t, %t, want true, false", base, generated, edited)
				}
				if len(f.Tests) == 0 {
					t.Errorf("%s has no tests", base)
				}
				write(t, filepath.Join(module, name, base), f.Content)
				if strings.HasSuffix(base, "_bug_test.go") {
					bugs[name] = true
				}
			}
			var reasons bytes.Buffer
			for _, u := range unwritten {
				reasons.WriteString(u.Case.Seq.String() + ": " + u.Reason + "\n")
			}
			if reasons.Len() > 0 {
				got["unwritten"] = reasons.Bytes()
			}
			compare(t, path, ar, got)
			for _, f := range ar.Files {
				switch {
				case strings.HasSuffix(f.Name, ".mutant"):
					mutants[name] = ar
				case strings.HasSuffix(f.Name, ".go") && got[f.Name] == nil:
					write(t, filepath.Join(module, name, f.Name), f.Data)
				}
			}
		})
	}
	if testing.Short() || t.Failed() {
		return
	}
	t.Run("vet", func(t *testing.T) {
		if out, err := goCommand(module, "vet", "-tags", testfile.BugTag, "./..."); err != nil {
			t.Fatalf("go vet: %v\n%s", err, out)
		}
	})
	t.Run("pass", func(t *testing.T) {
		if out, err := goCommand(module, "test", "-vet=off", "./..."); err != nil {
			t.Fatalf("go test: %v\n%s", err, out)
		}
	})
	t.Run("bugs", func(t *testing.T) {
		out := packagesThatPass(module, slices.Sorted(maps.Keys(bugs)), "-tags", testfile.BugTag, "-run", "_bug")
		for name := range bugs {
			if out.passes(name) {
				t.Errorf("%s: the tests of the findings pass\n%s", name, out)
			}
		}
	})
	t.Run("mutants", func(t *testing.T) {
		for name, ar := range mutants {
			for _, f := range ar.Files {
				if base, ok := strings.CutSuffix(f.Name, ".mutant"); ok {
					write(t, filepath.Join(module, name, base), f.Data)
				}
			}
		}
		out := packagesThatPass(module, slices.Sorted(maps.Keys(mutants)))
		for name := range mutants {
			if out.passes(name) {
				t.Errorf("%s: the tests pass on the mutant\n%s", name, out)
			}
		}
		if strings.Contains(string(out), "build failed") {
			t.Errorf("a mutant does not compile\n%s", out)
		}
	})
}

// testOutput is what go test says of several packages.
type testOutput string

// packagesThatPass runs the tests of packages of a module, all in one run of go test, which builds them side by side.
func packagesThatPass(module string, names []string, flags ...string) testOutput {
	args := append([]string{"test", "-vet=off"}, flags...)
	for _, name := range names {
		args = append(args, "./"+name)
	}
	out, _ := goCommand(module, args...) // an error says that some fail, and so does the output
	return testOutput(out)
}

// passes reports whether the tests of a package passed.
func (o testOutput) passes(name string) bool {
	return strings.Contains(string(o), "ok  \texample.com/m/"+name+"\t")
}

// compare compares what was written with the goldens of the archive, or replaces
// them.
func compare(t *testing.T, path string, ar *txtar.Archive, got map[string][]byte) {
	t.Helper()
	isGolden := func(name string) bool { return strings.Contains(name, "_assay_") || name == "unwritten" }
	if *update {
		var kept []txtar.File
		for _, f := range ar.Files {
			if !isGolden(f.Name) {
				kept = append(kept, f)
			}
		}
		for _, name := range sortedKeys(got) {
			kept = append(kept, txtar.File{Name: name, Data: got[name]})
		}
		ar.Files = kept
		write(t, path, txtar.Format(ar))
		return
	}
	want := map[string][]byte{}
	for _, f := range ar.Files {
		if isGolden(f.Name) {
			want[f.Name] = f.Data
		}
	}
	for _, name := range sortedKeys(got) {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], want[name])
		}
		delete(want, name)
	}
	for _, name := range sortedKeys(want) {
		t.Errorf("%s was not written", name)
	}
}

func sortedKeys(m map[string][]byte) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	return cmd.CombinedOutput()
}
