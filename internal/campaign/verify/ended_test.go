package verify

import (
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Tests that end the process are all found in one round, and those that they have kept from running stay. In this package the
// tests of three functions panic when they run for the second time.
func TestHidden(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": `package toy

var calls = map[string]int{}

func second(name string, k int) int {
	if calls[name]++; calls[name] > 1 {
		panic(name)
	}
	return k
}

func A(k int) int { return second("a", k) }

func B(k int) int { return second("b", k) }

func C(k int) int { return second("c", k) }

func D(k int) int { return 2 * k }
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg := session.Config{Dir: dir, Timeout: 10 * time.Minute, Seed: 1}
	res, err := session.Each(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error { return hiddenToys(t, s) }})
	if err != nil || res.Failed {
		t.Fatalf("%v, failed: %t", err, res.Failed)
	}
}

func hiddenToys(t *testing.T, s *session.Session) error {
	v := &verifier{Session: s, passed: make(map[*testcase.Case]bool), work: t.TempDir()}
	var cases []*testcase.Case
	for _, target := range s.Pkg.Targets {
		if !target.Exported {
			continue
		}
		seq := testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj}, Args: []testcase.Ref{{Stmt: 0}}},
		)
		cases = append(cases, &testcase.Case{Target: target.Name, Engine: "toy", Seq: seq})
	}
	bench, err := s.Build(t.Context(), session.BenchConfig{})
	if err != nil {
		return err
	}
	defer bench.Close()
	for _, c := range cases {
		outcomes, err := bench.RunInRow(t.Context(), []*testcase.Sequence{c.Seq}, false)
		if err != nil {
			return err
		}
		c.Observed = outcomes[0]
	}
	suite, _, err := v.emitCompiling(cases)
	if err != nil {
		return err
	}
	tr := &trial{v, suite, make(map[*testcase.Case]bool)}
	names := v.testNames(suite)
	res, err := v.runTests(t.Context(), suite, names, "")
	if err != nil {
		return err
	}
	// Where D is suspected, what fails alone goes, and D stays; where nothing is, nothing runs alone.
	alone := &trial{v, suite, make(map[*testcase.Case]bool)}
	if alone.takeFailingAlone(t.Context(), res, names, func(*testcase.Case) bool { return false }) || len(alone.bad) > 0 {
		t.Error("tests ran alone though none is suspected")
	}
	isD := func(c *testcase.Case) bool { return c.Target == "D" }
	if !alone.takeFailingAlone(t.Context(), res, names, isD) || len(alone.bad) != 1 {
		t.Errorf("%d cases fail alone, want the one that failed before", len(alone.bad))
	}
	for c := range alone.bad {
		if isD(c) {
			t.Error("D was taken out, which does not fail")
		}
	}
	tr.takeFailed(res, "")
	if len(tr.bad) != 1 {
		t.Errorf("%d cases failed in the first run, which ends at the first panic", len(tr.bad))
	}
	tr.takeHidden(t.Context(), res, names)
	var bad []string
	for c := range tr.bad {
		bad = append(bad, c.Target)
	}
	slices.Sort(bad)
	if !slices.Equal(bad, []string{"A", "B", "C"}) {
		t.Errorf("taken out: %s", bad)
	}
	return nil
}
