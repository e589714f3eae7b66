package emit

import (
	"cmp"
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/fuzzing"
	"github.com/goassay/assay/internal/load"
)

// FuzzSuffix ends the names of files with proposed Fuzz functions.
const FuzzSuffix = "_fuzz_assay_test.go"

// Proposal is a Fuzz function to be written for a function of the package.
type Proposal struct {
	Func   *types.Func
	Inputs []fuzzing.Input // the seeds, whose types are those of the corpus
}

// Fuzz writes the proposed Fuzz functions, in a file beside each source. They check that a function takes any
// input without a panic, because this is expected of every function. The returned names of each file's tests
// are the names of these functions.
func Fuzz(pkg *load.Package, fset *token.FileSet, proposals []Proposal) []File {
	bySource := map[string][]Proposal{}
	var sources []string
	for _, p := range proposals {
		source := fset.PositionFor(p.Func.Pos(), false).Filename
		if bySource[source] == nil {
			sources = append(sources, source)
		}
		bySource[source] = append(bySource[source], p)
	}
	slices.Sort(sources)
	var files []File
	for _, source := range sources {
		ps := bySource[source]
		slices.SortFunc(ps, func(a, b Proposal) int { return cmp.Compare(a.Func.Pos(), b.Func.Pos()) })
		files = append(files, fuzzFile(pkg, fset, source, ps))
	}
	return files
}

func fuzzFile(pkg *load.Package, fset *token.FileSet, source string, proposals []Proposal) File {
	external := pkg.ExternalTests && pkg.Name != "main"
	imports := map[string]string{"testing": "testing"}
	qualify := func(p *types.Package) string {
		if p == pkg.Types && !external {
			return ""
		}
		imports[p.Path()] = p.Name()
		return p.Name()
	}
	f := File{Path: strings.TrimSuffix(source, ".go") + FuzzSuffix}
	var body strings.Builder
	for _, p := range proposals {
		name := "Fuzz" + p.Func.Name()
		f.Tests = append(f.Tests, Test{Name: name, Func: p.Func.Name()})
		fmt.Fprintf(&body, "\n// %s checks that %s takes any input without a panic.\nfunc %s(f *testing.F) {\n", name, p.Func.Name(), name)
		for _, in := range p.Inputs {
			text, math := in.Go()
			if math {
				imports["math"] = "math"
			}
			fmt.Fprintf(&body, "f.Add(%s)\n", text)
		}
		params, call := fuzzCall(p.Func, qualify)
		fmt.Fprintf(&body, "f.Fuzz(func(t *testing.T, %s) {\n%s\n})\n}\n", params, call)
	}
	var src strings.Builder
	for _, s := range pkg.Syntax {
		if fset.PositionFor(s.Package, false).Filename == source {
			if c := testfile.SourceConstraint(s, source); c != nil {
				src.WriteString("//go:build " + c.String() + "\n\n")
			}
		}
	}
	src.WriteString("package " + pkg.Name)
	if external {
		src.WriteString("_test")
	}
	src.WriteString("\n\n" + gofile.ImportText(imports, pkg.Module) + body.String())
	out, err := format.Source([]byte(src.String()))
	if err != nil {
		panic(fmt.Sprintf("bug: emit: wrote what is no Go: %v\n%s", err, src.String()))
	}
	f.Content = testfile.Seal(out)
	return f
}

// fuzzCall returns the fuzzed parameters of a function and a call of the function with them.
func fuzzCall(fn *types.Func, qualify types.Qualifier) (params, call string) {
	sig := fn.Signature()
	taken := map[string]bool{"t": true, "f": true}
	var ps, args []string
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		name := v.Name()
		if name == "" || name == "_" || taken[name] || types.Universe.Lookup(name) != nil || name == fn.Name() || name == fn.Pkg().Name() {
			name = fmt.Sprintf("arg%d", i)
		}
		taken[name] = true
		typ := fuzzing.TypeOf(v.Type())
		ps = append(ps, name+" "+typ)
		if text := types.TypeString(v.Type(), qualify); text != typ && types.Unalias(v.Type()) != v.Type().Underlying() {
			name = text + "(" + name + ")"
		}
		args = append(args, name)
	}
	callee := fn.Name()
	if q := qualify(fn.Pkg()); q != "" {
		callee = q + "." + callee
	}
	call = callee + "(" + strings.Join(args, ", ") + ")"
	if n := sig.Results().Len(); n > 0 {
		call = strings.TrimSuffix(strings.Repeat("_, ", n), ", ") + " = " + call
	}
	return strings.Join(ps, ", "), call
}
