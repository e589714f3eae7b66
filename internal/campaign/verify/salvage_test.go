package verify

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// If there was no time for doubts, those tests are saved that pass in other orders, twice, and by
// themselves. In this package the test of Add passes once in a process, and the test of Two passes only if
// Add ran before.
func TestSalvage(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": `package toy

var n int

func Add(k int) int { n += k; return n }

func Two(k int) bool { return n >= k }

func Twice(k int) int { return 2 * k }
`} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg := session.Config{Dir: dir, Timeout: 10 * time.Minute, Seed: 1, Events: func(e event.Event) {
		if d, ok := e.(event.Diagnostic); ok {
			t.Log(d.Message)
		}
	}}
	res, err := session.Each(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		return salvageToys(t, s)
	}})
	if err != nil || res.Failed {
		t.Fatalf("%v, failed: %t", err, res.Failed)
	}
}

// salvageToys saves one case of each function twice: first when no suite was doubted, so that a binary has
// to be built, then with the binary of the suite that was doubted last.
func salvageToys(t *testing.T, s *session.Session) error {
	v := &verifier{Session: s, passed: make(map[*testcase.Case]bool), work: t.TempDir()}
	var cases []*testcase.Case
	var seqs []*testcase.Sequence
	for _, target := range s.Pkg.Targets {
		c := &testcase.Case{Target: target.Name, Engine: "toy", Seq: testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj}, Args: []testcase.Ref{{Stmt: 0}}},
		)}
		v.passed[c] = true
		cases, seqs = append(cases, c), append(seqs, c.Seq)
	}
	bench, err := s.Build(t.Context(), session.BenchConfig{})
	if err != nil {
		return err
	}
	defer bench.Close()
	outcomes, err := bench.RunInRow(t.Context(), seqs, false)
	if err != nil {
		return err
	}
	for i, c := range cases {
		c.Observed = outcomes[i]
	}
	for _, tt := range []string{"nothing was doubted", "a suite was doubted"} {
		kept, err := v.confirmed(context.Background(), cases)
		if err != nil {
			return err
		}
		if len(kept) != 1 || kept[0].Target != "Twice" {
			t.Errorf("%s: %d cases are saved, want that of Twice", tt, len(kept))
		}
		suite, _, err := v.emitCompiling(cases)
		if err != nil {
			return err
		}
		v.last = &doubter{trial: &trial{v, suite, make(map[*testcase.Case]bool)}}
		if v.last.plain, err = v.last.build(t.Context(), "plain.test", nil); err != nil {
			return err
		}
	}
	clear(v.passed)
	if kept, err := v.confirmed(context.Background(), cases); err != nil || len(kept) > 0 {
		t.Errorf("%d cases are saved that did not pass: %v", len(kept), err)
	}
	return nil
}
