package verify

import (
	"fmt"
	"go/format"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/bounded"
	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// exhaustiveFiles writes the files of the exhaustive tests: one beside each source.
func exhaustiveFiles(pkg *load.Package, tests []*bounded.Exhaustive) []emit.File {
	var written []emit.File
	bySource := map[string][]*bounded.Exhaustive{}
	var sources []string
	for _, x := range tests {
		if bySource[x.Source] == nil {
			sources = append(sources, x.Source)
		}
		bySource[x.Source] = append(bySource[x.Source], x)
	}
	slices.Sort(sources)
	for _, source := range sources {
		f := emit.File{Path: strings.TrimSuffix(source, ".go") + files.ExhaustiveSuffix}
		var imports []string
		var text strings.Builder
		for _, x := range bySource[source] {
			imports = append(imports, x.Import...)
			text.WriteString("\n" + x.Text)
			f.Tests = append(f.Tests, emit.Test{Name: x.Name, Func: x.Target})
		}
		slices.Sort(imports)
		src := fmt.Sprintf("package %s\n\nimport (\n", pkg.Name)
		for _, standard := range []bool{true, false} {
			for _, i := range slices.Compact(slices.Clone(imports)) {
				if gosyntax.IsStandard(i, "") == standard {
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
		f.Content = testfile.Seal(out)
		written = append(written, f)
	}
	return written
}
