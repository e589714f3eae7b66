package diff

import (
	"cmp"
	"context"
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/difference"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Costs are compared as follows. The largest inputs of each function are made still larger, and both versions
// run these inputs several times, in turns. The least time counts, because longer times only show that the
// machine was busy. The least memory counts, because earlier calls may have filled caches that later calls
// use.
const (
	mostMeasured = 24 // functions that are measured
	largeNumber  = 20_000
	repeats      = 5
	slowdown     = 10                     // it is a difference if one version takes this many times as long, or as much memory
	noticeable   = 20 * time.Millisecond  // and at least this much time for a call
	muchMemory   = 1_000_000              // or at least this many bytes for a call
	longCall     = 200 * time.Millisecond // a call that takes so long is measured twice
)

// growth is how inputs are made larger.
type growth struct {
	size int // bytes of a text, elements of a slice
	// distinct says that the elements of slices are given, and all different: what compares them or puts them together has
	// nothing to do if they are zero. Otherwise they are.
	distinct bool
}

// growths are tried in turn, the next one if an execution of the last does not end.
var growths = [2][]growth{
	{{20_000, false}, {2_000, false}},
	{{10_000, true}, {1_000, true}},
}

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
		if k == nil {
			continue
		}
		for _, ways := range growths {
			if ctx.Err() != nil {
				return nil
			}
			found, err := c.costOf(ctx, k, ways)
			if err != nil {
				return err
			}
			if found {
				break
			}
		}
	}
	return nil
}

// costOf compares what a function costs for larger inputs than those of a case, and reports whether there is a
// difference.
func (c *comparison) costOf(ctx context.Context, k *case2, ways []growth) (bool, error) {
	clean := needed(reduce.Clean(k.seqs[newSide], purity.New(c.Prog).PureCalls(c.Pkg)))
	for i, way := range ways {
		grown, n := enlarged(clean, way)
		if n == 0 {
			return false, nil
		}
		grown = needed(grown)
		over, err := c.sides[newSide].over.Sequence(grown)
		if err != nil {
			return false, nil // the old version cannot run it
		}
		big := &case2{target: k.target, engine: "cost", seqs: [2]*testcase.Sequence{over, grown}}
		if err := c.runBoth(ctx, []*case2{big}, false); err != nil {
			return false, err
		}
		if (endsProcess(big.raw) || endsProcess(big.outs[newSide])) && i < len(ways)-1 {
			continue // with less they may end
		}
		if big.diff != nil {
			if !way.distinct { // so many elements are more than can be made smaller
				c.cases.all = append(c.cases.all, big) // the larger input shows different results
			}
			return !way.distinct, nil
		}
		if endsProcess(big.raw) || endsProcess(big.outs[newSide]) {
			return false, nil
		}
		costs, err := c.measure(ctx, big)
		if err != nil {
			return false, err
		}
		before, after := costs[oldSide], costs[newSide]
		c.Debug("stats", "%s: %s and %d bytes before, %s and %d after", k.target, before.time, before.bytes, after.time, after.bytes)
		big.costs = costs
		if big.diff = before.worse(after, grown.Len()-1); big.diff == nil {
			return false, nil
		}
		c.slower = append(c.slower, big)
		return true, nil
	}
	return false, nil
}

// needed returns a sequence without the calls that its last one is given nothing of, if it can do without: what it costs is
// measured anew anyway.
func needed(s *testcase.Sequence) *testcase.Sequence {
	keep := make([]bool, s.Len())
	todo := []int{s.Len() - 1}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if keep[i] {
			continue
		}
		keep[i] = true
		for _, a := range s.At(i).Args {
			todo = append(todo, a.Stmt)
		}
	}
	if out, ok := s.Keep(keep); ok {
		return out
	}
	return s
}

// worse returns the difference if a call, the statement at, takes an order of magnitude more than it did, and nil if it
// does not.
func (before cost) worse(after cost, at int) *difference.Difference {
	switch {
	case after.time > noticeable && after.time > slowdown*before.time:
		return &difference.Difference{Kind: difference.Slower, At: at, Before: took(before.time), After: took(after.time)}
	case after.bytes > muchMemory && after.bytes > slowdown*before.bytes:
		return &difference.Difference{Kind: difference.Memory, At: at, Before: allocates(before.bytes), After: allocates(after.bytes)}
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
		_, n := enlarged(k.seqs[newSide], growth{size: 1})
		if n > most || n > 0 && n == most && compareSize(k, best) > 0 {
			best, most = k, n
		}
	}
	return best
}

// enlarged returns a sequence with larger arguments of its last call, and how many it made
// larger: texts are repeated, slices have more elements, and numbers become large. If the elements are to be distinct,
// only slices of which they can be count.
func enlarged(s *testcase.Sequence, way growth) (_ *testcase.Sequence, n int) {
	direct := map[int]bool{}
	for _, a := range s.Last().Args {
		direct[a.Stmt] = true
	}
	var b testcase.Builder
	at := make([]int, s.Len()) // where the statements stand now
	for i := range s.Len() {
		st := s.At(i)
		op, args := *st.Op, make([]testcase.Ref, len(st.Args))
		for j, a := range st.Args {
			args[j] = testcase.Ref{Stmt: at[a.Stmt], Result: a.Result}
		}
		switch {
		case !direct[i]:
		case op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitString:
			text := cmp.Or(op.Lit.Str, "a")
			op.Lit.Str = strings.Repeat(text, way.size/len(text)+1)
			if !way.distinct {
				n++
			}
		case op.Kind == testcase.OpLiteral && op.Lit.Kind == testcase.LitInt && wide(op.Type):
			op.Lit.Bits = largeNumber
			if !way.distinct {
				n++
			}
		case (op.Kind == testcase.OpComposite && op.Elems == nil || op.Kind == testcase.OpZero) && isSlice(op.Type):
			op.Kind, op.N = testcase.OpComposite, max(op.N, way.size)
			if !way.distinct {
				n++
			} else if more := elements(&b, op.Type.Underlying().(*types.Slice).Elem(), way.size); more != nil {
				args = more
				n++
			}
		}
		b.Add(&op, args...)
		at[i] = b.Len() - 1
	}
	return b.Sequence(), n
}

// elements adds distinct elements for a slice, or none if their type has no room for so many.
func elements(b *testcase.Builder, t types.Type, count int) []testcase.Ref {
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	literal := func(i int) (testcase.Literal, bool) {
		switch {
		case basic.Info()&types.IsString != 0:
			return testcase.Literal{Kind: testcase.LitString, Str: "a" + strconv.Itoa(i)}, true
		case basic.Info()&types.IsInteger != 0:
			return testcase.IntLiteral(basic, int64(i))
		case basic.Kind() == types.Float64:
			return testcase.Literal{Kind: testcase.LitFloat, Bits: math.Float64bits(float64(i))}, true
		}
		return testcase.Literal{}, false
	}
	if _, ok := literal(count); !ok {
		return nil
	}
	out := make([]testcase.Ref, count)
	for i := range out {
		lit, _ := literal(i)
		out[i] = b.Add(&testcase.Operation{Kind: testcase.OpLiteral, Type: t, Lit: lit})
	}
	return out
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

// measure returns the least that either version takes for a case.
func (c *comparison) measure(ctx context.Context, k *case2) (out [2]cost, err error) {
	for n := range repeats {
		for i, s := range c.sides {
			now, err := costIn(ctx, s.bench, k.seqs[i])
			if err != nil {
				return out, c.UnlessCut(err)
			}
			if n == 0 {
				out[i] = now
			}
			out[i] = cost{min(out[i].time, now.time), min(out[i].bytes, now.bytes)}
		}
		if n > 0 && max(out[oldSide].time, out[newSide].time) > longCall {
			break
		}
	}
	return out, nil
}

// costIn runs a case once, and returns what its last call takes. Where the clock stands still while it runs, the time
// includes the way to the harness and back.
func costIn(ctx context.Context, bench *session.Bench, seq *testcase.Sequence) (cost, error) {
	start := time.Now()
	outs, err := bench.Harness.RunWith(ctx, []*testcase.Sequence{seq}, native.Options{Capture: native.CaptureCost})
	if err != nil {
		return cost{}, err
	}
	return cost{cmp.Or(outs[0].Took, time.Since(start)), outs[0].Allocated}, nil
}
