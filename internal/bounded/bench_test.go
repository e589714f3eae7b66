//go:build linux

package bounded

import (
	"context"
	"fmt"
	"go/types"
	"runtime"
	"sync"
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
			began := processorTime(syscall.RUSAGE_SELF)
			for b.Loop() {
				res, err := countWith(context.Background(), 1, func() (*lazy.Counter, error) { return lazy.NewCounter(s.prog, fn, spec, typ) }, func(lazy.Result) {})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(res.Valid), "valid")
				b.ReportMetric(float64(res.Paths), "paths")
			}
			b.ReportMetric((processorTime(syscall.RUSAGE_SELF)-began).Seconds()/float64(b.N), "cpu-s/op")
		})
	}
}

// BenchmarkAll counts the structures of the original evaluation at every size that it lists, one after the
// other, each with one worker and with two. Beside the time it reports the processor time of all workers,
// and as busiest-s the processor time of the worker with the most work, added up over the structures. That
// is the time that the benchmark would take if nobody else used the machine.
func BenchmarkAll(b *testing.B) {
	s := newStructures(b)
	for workers := 1; workers <= 2; workers++ {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			var all, busiest time.Duration
			for b.Loop() {
				for _, k := range knownCounts() {
					for i, want := range k.counts {
						spec, typ, root := s.spec(b, k.name, k.first+i)
						fn := s.prog.LookupMethod(types.NewPointer(root), s.pkg.Types, "RepOK")
						var mu sync.Mutex
						began, now := map[int]time.Duration{}, map[int]time.Duration{} // by thread
						res, err := countWith(context.Background(), workers, func() (*lazy.Counter, error) {
							runtime.LockOSThread() // each worker has a thread of its own
							mu.Lock()
							defer mu.Unlock()
							if _, ok := began[syscall.Gettid()]; !ok {
								began[syscall.Gettid()] = processorTime(syscall.RUSAGE_THREAD)
							}
							return lazy.NewCounter(s.prog, fn, spec, typ)
						}, func(lazy.Result) {
							mu.Lock()
							defer mu.Unlock()
							now[syscall.Gettid()] = processorTime(syscall.RUSAGE_THREAD)
						})
						own := syscall.Gettid() // this worker began, and the others continued
						now[own] = processorTime(syscall.RUSAGE_THREAD)
						runtime.UnlockOSThread()
						if err != nil || res.Valid != want[0] {
							b.Fatalf("%s %d: %d (%v), want %d", k.name, k.first+i, res.Valid, err, want[0])
						}
						most := time.Duration(0)
						for id, t := range now {
							all += t - began[id]
							if id != own {
								most = max(most, t-began[id])
							}
						}
						busiest += most + now[own] - began[own]
					}
				}
			}
			b.ReportMetric(all.Seconds()/float64(b.N), "cpu-s/op")
			b.ReportMetric(busiest.Seconds()/float64(b.N), "busiest-s/op")
		})
	}
}

// processorTime returns the processor time that the process or the thread has used. On a machine that others
// use too, elapsed time says little.
func processorTime(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
