package symbolic

import (
	"context"
	"testing"

	"github.com/goassay/assay/internal/testcase"
)

// BenchmarkPaths explores every path of the subjects in the machine's test data. It measures the exploration
// alone, but for the few cases that the exploration makes on its way.
func BenchmarkPaths(b *testing.B) {
	prog, pkg := subject(b, "../vm/testdata/paths")
	for _, name := range []string{"Triangle", "Bubble5", "Bubble6", "Bubble7", "BST4", "BST5", "BST6", "Expr6", "Expr7", "Regexp7", "Base64x4", "Base64x8"} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				res, err := Run(context.Background(), Subject{prog, pkg, pkg.Target(name)}, Config{Count: true}, func(*testcase.Case) bool { return true })
				if err != nil {
					b.Fatal(err)
				}
				if !res.Complete {
					b.Fatal("not every path was explored")
				}
				b.ReportMetric(float64(res.Paths), "paths")
				b.ReportMetric(float64(res.Queries), "queries")
			}
		})
	}
}
