package campaign

import (
	"context"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// toy is an engine that calls every function of one int with 7.
type toy struct {
	name string
	unit engine.Unit
	runs *atomic.Int32
}

func (t toy) Name() string      { return t.name }
func (t toy) Unit() engine.Unit { return t.unit }

func (t toy) Run(ctx context.Context, task engine.Task, yield func(*testcase.Case) bool) (engine.Report, error) {
	t.runs.Add(1)
	targets := []*load.Target{task.Target}
	if t.unit != engine.PerFunction {
		targets = task.Pkg.Targets
	}
	for _, target := range targets {
		if target.Recv != nil {
			continue
		}
		c := &testcase.Case{Target: target.Name, Engine: t.name, Seq: testcase.NewSequence(
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpLiteral, Type: types.Typ[types.Int], Lit: testcase.Literal{Kind: testcase.LitInt, Bits: 7}}},
			testcase.Statement{Op: &testcase.Operation{Kind: testcase.OpFunc, Func: target.Obj}, Args: []testcase.Ref{{Stmt: 0}}},
		)}
		if t.unit == engine.PerPackage {
			outcomes, err := task.Harness.Run(ctx, []*testcase.Sequence{c.Seq})
			if err != nil {
				return engine.Report{}, err
			}
			c.Observed = outcomes[0]
		}
		if !yield(c) {
			break
		}
	}
	return engine.Report{}, nil
}

// Some code of the package can never be covered, so that engines which work on uncovered code have something
// to do.
const toyPackage = `package toy

func Twice(n int) int {
	if n != n {
		return 1
	}
	return 2 * n
}

type T struct{}

func (T) M(n int) int {
	if n != n {
		return 1
	}
	return n
}
`

// An engine works as soon as it is in the table: by itself with -engine, and together with the others
// without -engine. That holds for engines of functions, of types and of packages. The run with the others has all
// three, because one such run costs as much as the other three together.
func TestEngineJoins(t *testing.T) {
	units := map[string]engine.Unit{"functions": engine.PerFunction, "types": engine.PerType, "packages": engine.PerPackage}
	for name, unit := range units {
		t.Run(name, func(t *testing.T) {
			if written := joined(t, []string{name}, toy{name, unit, new(atomic.Int32)}); written != 1 {
				t.Errorf("-engine %s: %d of its tests are written, want that of Twice", name, written)
			}
		})
	}
	t.Run("together", func(t *testing.T) {
		var all []toy
		for name, unit := range units {
			all = append(all, toy{name, unit, new(atomic.Int32)})
		}
		joined(t, nil, all...)
	})
}

// joined runs gen over the package with engines beside those of the table, each of which has to run, and counts the tests
// that they contribute.
func joined(t *testing.T, names []string, toys ...toy) (written int) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{"go.mod": "module example.com/toy\n\ngo 1.24\n", "toy.go": toyPackage} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cfg := Config{Engines: names, DryRun: true, NoMutants: true, Waiting: true}
	cfg.Config = session.Config{Dir: dir, Timeout: 10 * time.Minute, Seed: 1, Events: func(e event.Event) {
		switch e := e.(type) {
		case event.Test:
			if !e.Provisional && slices.ContainsFunc(toys, func(y toy) bool { return y.name == e.Engine }) {
				written++
			}
		case event.Diagnostic:
			t.Log(e.Message)
		}
	}}
	table := engine.All()
	for _, y := range toys {
		table = append(table, y)
	}
	res, err := genWith(t.Context(), cfg, table)
	if err != nil || res.Failed {
		t.Fatalf("-engine %q: %v, failed: %t", names, err, res.Failed)
	}
	for _, y := range toys {
		if y.runs.Load() == 0 {
			t.Errorf("-engine %q: %s did not run", names, y.name)
		}
	}
	return written
}
