package emit

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/testcase"
)

// maxParts is the largest number of test files for one source file. If these do not hold all cases, the
// cases that the rank puts last are left out.
const maxParts = 4

// parts divides the tests for a source file so that no file is longer than allowed. The tests of a
// function stay together and in the order of the source.
func (g *generator) parts(f *sourceFile) []*sourceFile {
	most := g.cfg.MaxLines
	r := g.best(f, false)
	if most <= 0 || r.over(most) <= 1 {
		return []*sourceFile{f}
	}
	// Parts are not filled to the last line, because each needs imports and helpers of its own.
	const fill = 0.85
	g.spare(f, r.over(most)/fill)
	r = g.best(f, false)
	r = g.shorten(f, r, int(float64(maxParts*most)*fill*fill))
	size := map[string]float64{} // the size of a function's tests, as a fraction of a full file
	for i, fn := range r.functions {
		lines, text := strings.Count(fn.body, "\n")+strings.Count(fn.doc, "\n")+5, len(fn.body)+len(fn.doc)+60
		size[r.tests[i].Func] += max(float64(lines)/float64(most), float64(text)/float64(most*lineBytes))
	}
	var out []*sourceFile
	used := 0.
	for _, t := range f.targets {
		if len(out) == 0 || used+size[t.name] > fill && used > 0 && len(out) < maxParts {
			out = append(out, &sourceFile{path: f.path, syntax: f.syntax})
			used = 0
		}
		last := out[len(out)-1]
		last.targets = append(last.targets, t)
		used += size[t.name]
	}
	return out
}

// spare drops cases from the tests of a source file that need several files. It keeps the best cases, as many
// as one file holds, and of the others those that add something to the cases of a better rank and the best
// one of each exported function, which a reader would miss. The parameter over says how many times too long
// the file is.
func (g *generator) spare(f *sourceFile, over float64) {
	if g.cfg.Adds == nil {
		return
	}
	var all []*testcase.Case
	for _, t := range f.targets {
		all = append(all, t.cases...)
	}
	if g.cfg.Rank != nil {
		slices.SortStableFunc(all, func(a, b *testcase.Case) int { return cmp.Compare(g.cfg.Rank(a), g.cfg.Rank(b)) })
	}
	best := make(map[string]*testcase.Case)
	for _, c := range all {
		if best[c.Target] == nil {
			best[c.Target] = c
		}
	}
	for _, c := range all[int(float64(len(all))/over):] {
		if g.cfg.Adds(c) || best[c.Target] == c && isExported(c.Target) {
			continue
		}
		g.unwritten = append(g.unwritten, Unwritten{c, fmt.Sprintf("the file would have more than %d lines", g.cfg.MaxLines)})
		for _, t := range f.targets {
			t.cases = slices.DeleteFunc(t.cases, func(d *testcase.Case) bool { return c == d })
		}
	}
}

// isExported reports whether a function, by its name as Case.Target has it, is one that users call.
func isExported(target string) bool {
	return !slices.ContainsFunc(strings.Split(target, "."), func(name string) bool { return !token.IsExported(name) })
}

// partPath returns the path of the i-th file of tests for a source file: x_assay_test.go, x_2_assay_test.go
// and so on. A number is left out if x_N.go is itself a source file.
func (g *generator) partPath(source string, i int) string {
	if i == 0 {
		return testfile.TestPath(source, false)
	}
	base := strings.TrimSuffix(source, ".go")
	n := 1
	for ; i > 0; i-- {
		n++
		for slices.ContainsFunc(g.pkg.GoFiles, func(name string) bool { return filepath.Base(name) == filepath.Base(base)+"_"+strconv.Itoa(n)+".go" }) {
			n++
		}
	}
	return testfile.TestPath(base+"_"+strconv.Itoa(n)+".go", false)
}
