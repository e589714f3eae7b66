package bounded

import (
	"context"
	"fmt"
	"go/types"
	"testing"

	"github.com/goassay/assay/internal/bounded/lazy"
)

// BenchmarkLazy counts the structures of the original evaluation at their largest sizes.
func BenchmarkLazy(b *testing.B) {
	s := newStructures(b)
	for _, k := range knownCounts() {
		size := k.first + len(k.counts) - 1
		b.Run(fmt.Sprintf("%s/%d", k.name, size), func(b *testing.B) {
			spec, typ, root := s.spec(b, k.name, size)
			fn := s.prog.LookupMethod(types.NewPointer(root), s.pkg.Types, "RepOK")
			for b.Loop() {
				res, err := lazy.Count(context.Background(), s.prog, fn, spec, typ, 0, 0, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(res.Valid), "valid")
				b.ReportMetric(float64(res.Paths), "paths")
			}
		})
	}
}
