package random_test

import (
	"testing"

	"github.com/goassay/assay/internal/random"
	"github.com/goassay/assay/internal/testcase"
)

// BenchmarkRun measures how many operations a second are executed on a ring buffer, together with the other
// work of the engine: making sequences, learning from them, and shortening those that cover something new.
func BenchmarkRun(b *testing.B) {
	s := open(b, source(ring+"\nfunc (r *Ring) never(n int) bool { return n == 123456789 && r.n == 987654321 }\n"))
	ops := 0
	b.ResetTimer()
	for i := range b.N {
		res, err := random.Run(b.Context(), random.Subject{Prog: s.prog, Pkg: s.pkg, Harness: s.h}, random.Config{Seed: uint64(i), Ops: 500_000}, func(*testcase.Case) bool { return true })
		if err != nil {
			b.Fatal(err)
		}
		ops += res.Ops
	}
	b.ReportMetric(float64(ops)/b.Elapsed().Seconds(), "ops/s")
}
