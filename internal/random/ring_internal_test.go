package random

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// TestRedundancy counts the failing sequences that the engine makes of the ring buffer of Robinson et al.
// (ASE 2011): as they are; without dead statements; without statements that are dead and pure; and after
// minimisation, which leaves one sequence, the constructor and Enqueue(-1).
func TestRedundancy(t *testing.T) {
	prog, err := load.Load(t.Context(), load.Config{Dir: "../../examples/ringbuffer"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	h, err := native.Build(t.Context(), prog, pkg, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	analysis := purity.New(prog)
	pure := func(op *testcase.Operation) bool {
		for _, target := range pkg.Targets {
			if target.Obj == op.Func {
				return analysis.Pure(target.Func)
			}
		}
		return false
	}

	e := newEngine(Subject{prog, pkg, h}, Config{Seed: 1, Ops: DefaultOps}, func(*testcase.Case) bool { return true })
	var findings []*testcase.Finding
	dead, clean := map[string]bool{}, map[string]bool{}
	statements := [3]int{}
	failing := 0
	for range 60 {
		e.weigh()
		trials := e.batch()
		seqs := make([]*testcase.Sequence, len(trials))
		for i := range trials {
			seqs[i] = trials[i].seq
		}
		probes, err := h.Probe(t.Context(), seqs)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range probes {
			if p.Status != testcase.Panicked || p.Panic.Kind != "nil-dereference" {
				continue
			}
			s := upTo(seqs[i], p.At)
			living := alive(s)
			cleaned := reduce.Clean(s, pure)
			failing++
			statements[0] += s.Len()
			if key := living.Dump(); !dead[key] {
				dead[key] = true
				statements[1] += living.Len()
			}
			if key := cleaned.Dump(); !clean[key] {
				clean[key] = true
				statements[2] += cleaned.Len()
				o := *p.Outcome
				o.At = cleaned.Len() - 1
				findings = append(findings, &testcase.Finding{
					Severity: testcase.Error, Case: &testcase.Case{Package: pkg.Path, Target: "RingBuffer.Enqueue", Seq: cleaned, Observed: &o},
				})
			}
		}
		if err := e.learn(t.Context(), trials, probes); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range findings {
		f.Cause = "nil-dereference " + f.Case.Observed.Panic.Stack[0].Func
	}
	left, stats, err := reduce.Findings(t.Context(), findings, h, reduce.Config{Pure: pure})
	if err != nil {
		t.Fatal(err)
	}
	mean := func(sum, n int) float64 { return float64(sum) / float64(max(n, 1)) }
	t.Logf("%d of %d sequences fail, of %.1f statements; without dead variables %d different ones of %.1f; without dead and pure statements %d of %.1f; one cause, minimised in %d runs: %d of %d",
		failing, e.res.Sequences, mean(statements[0], failing), len(dead), mean(statements[1], len(dead)), len(clean), mean(statements[2], len(clean)),
		stats.Runs, len(left), left[0].Case.Seq.Len())
	if len(clean) < 10 || len(left) != 1 {
		t.Fatalf("%d failing sequences, %d findings", failing, len(left))
	}
	if got := left[0].Case.Seq.String(); got != "v1 := New(0); v1.Enqueue(-1)" {
		t.Errorf("what is left is %s", got)
	}
	if strings.Count(fmt.Sprint(left[0].Case.Seq.Dump()), "\n") != 4 {
		t.Errorf("more than a constructor and Enqueue(-1):\n%s", left[0].Case.Seq.Dump())
	}
}

// upTo returns the sequence up to a statement.
func upTo(s *testcase.Sequence, at int) *testcase.Sequence {
	stmts := make([]testcase.Statement, at+1)
	for i := range stmts {
		stmts[i] = s.At(i)
	}
	return testcase.NewSequence(stmts...)
}

// alive returns the sequence without its dead statements.
func alive(s *testcase.Sequence) *testcase.Sequence {
	dead := reduce.Dead(s)
	keep := make([]bool, len(dead))
	for i := range dead {
		keep[i] = !dead[i]
	}
	out, ok := s.Keep(keep)
	if !ok {
		panic("what is alive needs what is dead")
	}
	return out
}
