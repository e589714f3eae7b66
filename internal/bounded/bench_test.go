//go:build unix

package bounded

import (
	"context"
	"fmt"
	"go/types"
	"syscall"
	"testing"
	"time"

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
			began := processorTime()
			for b.Loop() {
				res, err := lazy.Count(context.Background(), s.prog, fn, spec, typ, 0, 0, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(res.Valid), "valid")
				b.ReportMetric(float64(res.Paths), "paths")
			}
			b.ReportMetric((processorTime()-began).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkAll counts the structures of the original evaluation at every size that it
// lists, one after the other on one processor.
func BenchmarkAll(b *testing.B) {
	s := newStructures(b)
	var counts []func()
	for _, k := range knownCounts() {
		for i, want := range k.counts {
			spec, typ, root := s.spec(b, k.name, k.first+i)
			fn := s.prog.LookupMethod(types.NewPointer(root), s.pkg.Types, "RepOK")
			counts = append(counts, func() {
				res, err := lazy.Count(context.Background(), s.prog, fn, spec, typ, 0, 0, nil)
				if err != nil || res.Valid != want[0] {
					b.Fatalf("%s %d: %d (%v), want %d", k.name, k.first+i, res.Valid, err, want[0])
				}
			})
		}
	}
	began := processorTime()
	for b.Loop() {
		for _, count := range counts {
			count()
		}
	}
	b.ReportMetric((processorTime()-began).Seconds()/float64(b.N), "cpu-s/op")
}

// processorTime is what the process has used: on a machine that others use too, the
// clock says little.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
