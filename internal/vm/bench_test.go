package vm

import (
	"context"
	"fmt"
	"go/types"
	"testing"
	"time"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/search"
	"github.com/goassay/assay/internal/solver"
	"github.com/goassay/assay/internal/solver/bitblast"
	"github.com/goassay/assay/internal/term"
	"github.com/goassay/assay/internal/testcase"
)

// speedMachine returns a machine over testdata/speed and the function with the given name.
func speedMachine(tb testing.TB, name string) (*Machine, *load.Target) {
	tb.Helper()
	prog, err := load.Load(context.Background(), load.Config{Dir: "testdata/speed"}, ".")
	if err != nil {
		tb.Fatal(err)
	}
	pkg := prog.Packages[0]
	if len(pkg.Errors) > 0 {
		tb.Fatal(pkg.Errors)
	}
	ts := term.NewStore()
	sctx := solver.NewContext(ts, bitblast.New(ts, bitblast.Config{}), solver.Config{})
	m, err := New(prog, pkg, ts, sctx, Config{})
	if err != nil {
		tb.Fatal(err)
	}
	return m, pkg.Target(name)
}

// all explores every path of a driver, and returns how many paths, instructions and queries there were.
func all(tb testing.TB, m *Machine, d *Driver) Stats {
	tb.Helper()
	stats, err := m.Explore(d, &search.DFS[*State]{}, Limits{}, nil, func(p *Path) bool {
		if p.Stop != StopReturn {
			tb.Fatalf("%s: %s", p.Stop, p.Reason)
		}
		return true
	})
	if err != nil {
		tb.Fatal(err)
	}
	return stats
}

// BenchmarkConcrete executes functions without symbols, and reports millions of SSA instructions a second.
func BenchmarkConcrete(b *testing.B) {
	for _, name := range []string{"ArrayLoop", "Trees", "Strings"} {
		b.Run(name, func(b *testing.B) {
			m, t := speedMachine(b, name)
			d := &Driver{Calls: []DriverCall{{Func: t.Func, Obj: t.Obj}}}
			all(b, m, d) // compile it
			b.ResetTimer()
			var steps int64
			began := time.Now()
			for range b.N {
				steps += all(b, m, d).Steps
			}
			b.ReportMetric(float64(steps)/1e6/time.Since(began).Seconds(), "Minstr/s")
		})
	}
}

// BenchmarkFork reports how long one decision takes whose two sides are both followed, with one write after
// it and with the given number of objects on the heap. The time for making the objects is measured with an
// input that is known, and subtracted.
func BenchmarkFork(b *testing.B) {
	for _, objects := range []int{1, 100, 1000, 10_000} {
		b.Run(fmt.Sprint(objects), func(b *testing.B) {
			m, t := speedMachine(b, "Forks")
			x, n := t.Obj.Signature().Params().At(0), t.Obj.Signature().Params().At(1)
			count := testcase.Literal{Kind: testcase.LitInt, Bits: uint64(objects)}
			driver := func(lit *testcase.Literal) *Driver {
				return &Driver{Calls: []DriverCall{{Func: t.Func, Obj: t.Obj, Args: []DriverArg{
					{Call: -1, Type: x.Type(), Name: x.Name(), Lit: lit},
					{Call: -1, Type: types.Typ[types.Int], Name: n.Name(), Lit: &count},
				}}}}
			}
			known, symbolic := driver(&testcase.Literal{Kind: testcase.LitUint}), driver(nil)
			all(b, m, known) // compile it
			b.ResetTimer()
			forks := 0
			var making time.Duration
			for range b.N {
				began := time.Now()
				all(b, m, known)
				making += time.Since(began)
				forks += all(b, m, symbolic).Paths - 1
			}
			b.ReportMetric(float64((b.Elapsed()-2*making).Nanoseconds())/float64(forks), "ns/fork")
		})
	}
}
