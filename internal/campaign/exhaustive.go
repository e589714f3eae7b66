package campaign

import (
	"context"
	"fmt"
	"go/format"
	"os/exec"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/testcase"
)

// finitePath is what exhaustive tests import.
const finitePath = "github.com/goassay/assay/finite"

// requireFinite checks that tests of the package can import package finite.
func (g *gen) requireFinite(ctx context.Context) error {
	if !g.cfg.Exhaustive {
		return nil
	}
	cmd := exec.CommandContext(ctx, "go", "list", finitePath)
	cmd.Dir, cmd.Env = g.pkg.Dir, gotest.Env(g.pkg.Dir)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("tests written with -exhaustive import %s, and the module does not require it (go get %s)", finitePath, finitePath)
	}
	return nil
}

// wantExhaustive returns a function that keeps exhaustive tests, nil if none are wanted.
func (g *gen) wantExhaustive() func(*bounded.Exhaustive) {
	if !g.cfg.Exhaustive {
		return nil
	}
	return func(x *bounded.Exhaustive) { g.exhaustive = append(g.exhaustive, x) }
}

// exhaustiveSuffix ends the names of files with exhaustive tests.
const exhaustiveSuffix = "_exhaustive_assay_test.go"

// exhaustiveFiles writes the files of the exhaustive tests: one beside each source.
func (g *gen) exhaustiveFiles() []emit.File {
	var files []emit.File
	bySource := map[string][]*bounded.Exhaustive{}
	var sources []string
	for _, x := range g.exhaustive {
		if bySource[x.Source] == nil {
			sources = append(sources, x.Source)
		}
		bySource[x.Source] = append(bySource[x.Source], x)
	}
	slices.Sort(sources)
	for _, source := range sources {
		f := emit.File{Path: strings.TrimSuffix(source, ".go") + exhaustiveSuffix}
		var imports []string
		var text strings.Builder
		for _, x := range bySource[source] {
			imports = append(imports, x.Import...)
			text.WriteString("\n" + x.Text)
			f.Tests = append(f.Tests, emit.Test{Name: x.Name, Func: x.Target})
		}
		slices.Sort(imports)
		src := fmt.Sprintf("package %s\n\nimport (\n", g.pkg.Name)
		for _, standard := range []bool{true, false} {
			for _, i := range slices.Compact(slices.Clone(imports)) {
				if first, _, _ := strings.Cut(i, "/"); strings.Contains(first, ".") != standard {
					src += fmt.Sprintf("\t%q\n", i)
				}
			}
			if standard {
				src += "\n"
			}
		}
		src += ")\n" + text.String()
		out, err := format.Source([]byte(src))
		if err != nil {
			panic("bug: campaign: an exhaustive test does not parse: " + err.Error())
		}
		f.Content = emit.Seal(out)
		files = append(files, f)
	}
	return files
}

// dropExhaustive takes an exhaustive test out that does not pass. It returns a case that
// stands for it among those taken out, nil if it is no such test.
func (g *gen) dropExhaustive(t emit.Test) *testcase.Case {
	n := len(g.exhaustive)
	g.exhaustive = slices.DeleteFunc(g.exhaustive, func(x *bounded.Exhaustive) bool { return x.Name == t.Name })
	if len(g.exhaustive) == n {
		return nil
	}
	return &testcase.Case{}
}
