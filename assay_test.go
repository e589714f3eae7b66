//go:build !assay_bugs

package assay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/goassay/assay"
)

// Production code links the package. So the package imports nothing, and a call does nothing.
func TestNothingInProduction(t *testing.T) {
	functions := 0
	for _, name := range []string{"assay.go", "assert.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Imports) != 0 {
			t.Errorf("%s: %d imports, want none", name, len(f.Imports))
		}
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				t.Errorf("%s: a declaration that is no function: %T", name, d)
				continue
			}
			functions++
			if len(fd.Body.List) != 0 {
				t.Errorf("%s does something", fd.Name.Name)
			}
		}
	}
	if functions != 6 {
		t.Errorf("%d annotations, want 6", functions)
	}
}

// A false condition does not panic without the build tag.
func TestNeverPanics(t *testing.T) {
	assay.Assume(false)
	assay.AssumeOrExecuteConcretely(false)
	assay.Prefer(false)
	assay.Assert(false)
	assay.Assumed("id", false)
	assay.Verified(false, "id")
}

// sum is compiled twice, with annotations and without, for the benchmark.
func sum(list []int) int {
	total := 0
	for _, v := range list {
		total += v
	}
	return total
}

func annotatedSum(list []int) int {
	total := 0
	for i, v := range list {
		assay.Assume(v < 1000)
		assay.AssumeOrExecuteConcretely(len(list) <= 1000)
		assay.Prefer(v > 0)
		assay.Verified(i >= 0, "overflow")
		assay.Assert(total >= 0)
		total += v
	}
	return total
}

func BenchmarkAnnotations(b *testing.B) {
	list := make([]int, 1000)
	for i := range list {
		list[i] = i
	}
	for _, bb := range []struct {
		name string
		f    func([]int) int
	}{{"without", sum}, {"with", annotatedSum}} {
		b.Run(bb.name, func(b *testing.B) {
			for b.Loop() {
				if bb.f(list) != 499500 {
					b.Fatal("wrong sum")
				}
			}
		})
	}
}
