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
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// Costs are compared as follows: the largest inputs of each function are made larger still, and both
// versions run them several times, in turns. The least time counts, since the others only show how busy
// the machine was.
const (
	mostMeasured = 24    // functions
	largeText    = 2_000 // bytes of a text
	largeSlice   = 2_000 // elements of a slice
	largeNumber  = 20_000
	repeats      = 5
	slowdown     = 10                    // times as long is a difference
	noticeable   = 20 * time.Millisecond // and no less than this for a call
)

// costs looks for functions that have become slower by an order of magnitude. Costs that people do not
// notice are left out.
func (c *comparison) costs(ctx context.Context) error {
	measured := 0
	for _, f := range c.functions {
		if c.distance(f) > 0 || measured == mostMeasured {
			break // the others only reach these
		}
		measured++
		k := c.largest(f.New.Name)
		if k == nil || ctx.Err() != nil {
			continue
		}
		grown, _ := enlarged(reduce.Clean(k.seqs[newSide], pureCalls(c.Session)))
		over, err := c.sides[newSide].over.Sequence(grown)
		if err != nil {
			continue // the old version cannot run it
		}
		big := &case2{target: k.target, engine: "cost", seqs: [2]*testcase.Sequence{over, grown}}
		if err := c.runBoth(ctx, []*case2{big}, false); err != nil {
			return err
		}
		if big.diff != nil {
			c.cases.all = append(c.cases.all, big) // it differs in its results
			continue
		}
		if endsProcess(big.raw) || endsProcess(big.outs[newSide]) {
			continue
		}
		times, err := c.measure(ctx, big)
		if err != nil {
			return err
		}
		c.Debug("stats", "%s: %s before, %s after", f.New, times[oldSide], times[newSide])
		if times[newSide] > noticeable && times[newSide] > slowdown*times[oldSide] {
			big.diff = &difference.Difference{Kind: difference.Slower, At: grown.Len() - 1, Before: took(times[oldSide]), After: took(times[newSide])}
			c.slower = append(c.slower, big)
		}
	}
	return nil
}

// took says how long a call takes, by its order of magnitude: the rest differs from run to run.
func took(d time.Duration) string {
	for _, unit := range []time.Duration{time.Second, 100 * time.Millisecond, 10 * time.Millisecond, time.Millisecond} {
		if d >= unit {
			return fmt.Sprintf("takes more than %s", unit)
		}
	}
	return "takes less than 1ms"
}

// largest returns the case with the largest inputs of a function that can be made larger, among those
// that returned in both versions; nil if there is none.
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

// measure returns the least time that either version takes for a case, with the way to the
// harness and back, which is the same for both.
func (c *comparison) measure(ctx context.Context, k *case2) (out [2]time.Duration, err error) {
	for range repeats {
		for i, s := range c.sides {
			start := time.Now()
			if _, err := s.bench.Harness.RunWith(ctx, []*testcase.Sequence{k.seqs[i]}, native.Options{Capture: native.CaptureNone}); err != nil {
				return out, c.UnlessCut(err)
			}
			if d := time.Since(start); out[i] == 0 || d < out[i] {
				out[i] = d
			}
		}
	}
	return out, nil
}
