package diff

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// Costs are compared as follows. The largest inputs of each function are made still larger, and both versions
// run these inputs several times, in turns. The least time counts, because longer times only show that the
// machine was busy. The least memory counts, because earlier calls may have filled caches that later calls
// use.
const (
	mostMeasured = 24    // functions that are measured
	largeText    = 2_000 // bytes of a text
	largeSlice   = 2_000 // elements of a slice
	largeNumber  = 20_000
	repeats      = 5
	slowdown     = 10                    // it is a difference if one version takes this many times as long, or as much memory
	noticeable   = 20 * time.Millisecond // and at least this much time for a call
	muchMemory   = 1_000_000             // or at least this many bytes for a call
)

// cost is what a call takes.
type cost struct {
	time  time.Duration
	bytes uint64 // allocated by the last statement, including memory that was freed
}

// costs looks for functions that take longer or more memory by an order of magnitude. Costs that people do
// not notice are left out. If a function takes longer, more memory is not reported as well.
func (c *comparison) costs(ctx context.Context) error {
	measured := 0
	for _, f := range c.functions {
		if c.distance(f) > 0 || measured == mostMeasured {
			break // the remaining functions only reach changed ones
		}
		measured++
		k := c.largest(f.New.Name)
		if k == nil || ctx.Err() != nil {
			continue
		}
		grown, _ := enlarged(reduce.Clean(k.seqs[newSide], purity.New(c.Prog).PureCalls(c.Pkg)))
		over, err := c.sides[newSide].over.Sequence(grown)
		if err != nil {
			continue // the old version cannot run it
		}
		big := &case2{target: k.target, engine: "cost", seqs: [2]*testcase.Sequence{over, grown}}
		if err := c.runBoth(ctx, []*case2{big}, false); err != nil {
			return err
		}
		if big.diff != nil {
			c.cases.all = append(c.cases.all, big) // the larger input shows different results
			continue
		}
		if endsProcess(big.raw) || endsProcess(big.outs[newSide]) {
			continue
		}
		costs, err := c.measure(ctx, big)
		if err != nil {
			return err
		}
		before, after := costs[oldSide], costs[newSide]
		c.Debug("stats", "%s: %s and %d bytes before, %s and %d after", f.New, before.time, before.bytes, after.time, after.bytes)
		switch {
		case after.time > noticeable && after.time > slowdown*before.time:
			big.diff = &difference.Difference{Kind: difference.Slower, At: grown.Len() - 1, Before: took(before.time), After: took(after.time)}
		case after.bytes > muchMemory && after.bytes > slowdown*before.bytes:
			big.diff = &difference.Difference{Kind: difference.Memory, At: grown.Len() - 1, Before: allocates(before.bytes), After: allocates(after.bytes)}
		default:
			continue
		}
		c.slower = append(c.slower, big)
	}
	return nil
}

// took says how long a call takes, by the order of magnitude, because the exact time differs from run to run.
func took(d time.Duration) string {
	for _, unit := range []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond} {
		if d >= unit {
			return fmt.Sprintf("takes more than %s", unit)
		}
	}
	return "takes less than 1ms"
}

// allocates says how much memory a call allocates, by its order of magnitude.
func allocates(bytes uint64) string {
	for _, unit := range []struct {
		bytes uint64
		name  string
	}{{1e9, "1 GB"}, {1e8, "100 MB"}, {1e7, "10 MB"}, {1e6, "1 MB"}, {1e5, "100 kB"}} {
		if bytes >= unit.bytes {
			return "allocates more than " + unit.name
		}
	}
	return "allocates less than 100 kB"
}

// largest returns the case with the largest inputs of a function that can be made larger, among those that
// returned in both versions, or nil if there is none.
func (c *comparison) largest(name string) *case2 {
	var best *case2
	most := 0
	for _, k := range c.cases.all {
		if k.target != name || k.diff != nil || k.outs[newSide] == nil || k.raw == nil || k.raw.Status != testcase.Returned || k.outs[newSide].Status != testcase.Returned {
			continue
		}
		if op := k.seqs[newSide].Last().Op; op.Func == nil || testcase.TargetName(op.Func) != name {
			continue
		}
		_, n := enlarged(k.seqs[newSide])
		if n > most || n > 0 && n == most && compareSize(k, best) > 0 {
			best, most = k, n
		}
	}
	return best
}

// enlarged returns a sequence with larger arguments of its last call, and how many it made
// larger: texts are repeated, slices have more elements, and numbers become large.
func enlarged(s *testcase.Sequence) (_ *testcase.Sequence, n int) {
	direct := map[int]bool{}
	for _, a := range s.Last().Args {
		direct[a.Stmt] = true
	}
	stmts := make([]testcase.Statement, s.Len())
	for i := range stmts {
		stmts[i] = s.At(i)
		op := *stmts[i].Op
		if !direct[i] {
			continue
		}
		switch {
		case op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString:
			text := op.Lit.Str
			if text == "" {
				text = "a"
			}
			op.Lit.Str = strings.Repeat(text, largeText/len(text)+1)
		case op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitInt && wide(op.Type):
			op.Lit.Bits = largeNumber
		case op.Kind == testcase.OpComposite && op.Elems == nil && isSlice(op.Type):
			op.N = max(op.N, largeSlice)
		default:
			continue
		}
		stmts[i].Op = &op
		n++
	}
	return testcase.NewSequence(stmts...), n
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// wide reports whether a type has room for large numbers.
func wide(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && slices.Contains([]types.BasicKind{types.Int, types.Int32, types.Int64}, b.Kind())
}

// measure returns the least that either version takes for a case. The time includes the way to the harness
// and back, which is the same for both.
func (c *comparison) measure(ctx context.Context, k *case2) (out [2]cost, err error) {
	for n := range repeats {
		for i, s := range c.sides {
			start := time.Now()
			outs, err := s.bench.Harness.RunWith(ctx, []*testcase.Sequence{k.seqs[i]}, native.Options{Capture: native.CaptureCost})
			if err != nil {
				return out, c.UnlessCut(err)
			}
			now := cost{time.Since(start), outs[0].Allocated}
			if n == 0 {
				out[i] = now
			}
			out[i] = cost{min(out[i].time, now.time), min(out[i].bytes, now.bytes)}
		}
	}
	return out, nil
}
