package workers

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/enum"
)

// checked is what the verb check says of a module: the events without times, and the messages.
func checked(t *testing.T, dir string, check func(session.Config) (session.Result, error)) (said []string, result session.Result) {
	t.Helper()
	result, err := check(session.Config{Dir: dir, Patterns: []string{"./a", "./b", "./c", "./d", "./e"}, Timeout: time.Hour, Events: func(e event.Event) {
		switch e := e.(type) {
		case event.Diagnostic:
			said = append(said, e.Pos.String()+": "+e.Message)
			return
		case event.Summary:
			e.ElapsedS, e.AnalysisS, e.SolverS = 0, nil, nil
			if e.Solver != nil {
				s := *e.Solver
				e.Solver = &s
			}
			line, err := event.Encode(time.Time{}, e)
			if err != nil {
				t.Fatal(err)
			}
			var fields map[string]any
			if err := json.Unmarshal(line, &fields); err != nil {
				t.Fatal(err)
			}
			delete(fields, "solver") // it has times
			said = append(said, fmt.Sprint(fields))
			return
		}
		if e.Action() == "" {
			return
		}
		line, err := event.Encode(time.Time{}, e)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(line))
	}})
	if err != nil {
		t.Fatal(err)
	}
	return said, result
}

// writeAll writes files below a directory.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// withWorker starts a server and a worker for the duration of the test, and returns a connection to the server.
func withWorker(t *testing.T) *queue.Queue {
	t.Helper()
	q, cfg := serve(t)
	own := connect(t, cfg)
	ctx, cancel := context.WithCancel(t.Context())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		w := &Worker{Name: "w", Log: slog.New(slog.DiscardHandler), Dir: t.TempDir()}
		_ = w.Work(ctx, own) // it ends with ctx
	}()
	t.Cleanup(func() { cancel(); <-worked })
	return q
}

// Workers say of packages what check says without them, in the same order and of the same files; of a package that fails
// at a worker the reason is said, and the others go on.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"go.mod":   "module example.com/m\n\ngo 1.24\n",
		"a/a.go":   "package a\n\n// Div divides.\nfunc Div(x, y int) int { return x / y }\n\n// Half is half of x.\nfunc Half(x int) int { return x / 2 }\n",
		"b/b.go":   "package b\n\n// At is the i-th of s.\nfunc At(s []int, i int) int { return s[i] }\n",
		"c/c.go":   "package c\n\nfunc F() int { return \"no\" }\n",
		"d/d.go":   "package d\n\n//assay:requires nonsense\nfunc G(x int) int { return 10 / x }\n",
		"f/f.go":   "package f\n\n// Tree is a binary tree.\ntype Tree struct {\n\troot *node\n\tsize int\n}\n\ntype node struct{ left, right *node }\n\n// RepOK reports whether t is a tree.\nfunc (t *Tree) RepOK() bool {\n\tseen := map[*node]bool{}\n\treturn visit(t.root, seen) && len(seen) == t.size\n}\n\nfunc visit(n *node, seen map[*node]bool) bool {\n\tif n == nil {\n\t\treturn true\n\t}\n\tif seen[n] {\n\t\treturn false\n\t}\n\tseen[n] = true\n\treturn visit(n.left, seen) && visit(n.right, seen)\n}\n",
		"e/doc.go": "package e\n\n// Parsed is the first of a list.\nfunc Parsed() int { list := []int{}; return list[0] }\n",
	})
	want, alone := checked(t, dir, func(cfg session.Config) (session.Result, error) {
		return checkverb.Run(t.Context(), cfg, checkverb.Config{})
	})
	if alone.ErrorFindings == 0 || !alone.Failed || len(want) < 8 {
		t.Fatalf("without workers: %+v\n%s", alone, strings.Join(want, "\n"))
	}
	q := withWorker(t)
	c, err := NewCoordinator(t.Context(), q, dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, again := range []string{"once", "again, from what the server keeps"} {
		got, result := checked(t, dir, func(cfg session.Config) (session.Result, error) {
			return c.Check(t.Context(), cfg, checkverb.Config{}, 3)
		})
		if !slices.Equal(got, want) || result != alone {
			t.Errorf("%s: %+v, want %+v, and\n%s\nwant\n%s", again, result, alone, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	// A function that is asked for need not be in each package.
	_, result := checked(t, dir, func(cfg session.Config) (session.Result, error) {
		if err := cfg.Select("^Half$"); err != nil {
			t.Fatal(err)
		}
		cfg.Patterns = []string{"./a", "./b"}
		return c.Check(t.Context(), cfg, checkverb.Config{}, 1)
	})
	if result != (session.Result{}) {
		t.Errorf("of a function that one of two packages has: %+v", result)
	}
	list, err := q.List(t.Context(), true)
	if err != nil || len(list) != 6 || list[0].State != queue.Done || list[0].What != "check example.com/m/a 1h0m0s" {
		t.Errorf("the jobs are %v, %v", list, err)
	}

	// The parts of a space add up to all of it.
	counts := func(enumerate func(session.Config) (session.Result, error)) (valid, candidates int64, said []string) {
		t.Helper()
		_, err := enumerate(session.Config{Dir: dir, Patterns: []string{"./f"}, Timeout: time.Hour, Events: func(e event.Event) {
			switch e := e.(type) {
			case event.Summary:
				if e.Package != "" {
					valid, candidates = *e.Valid, *e.Candidates
				}
			case event.Diagnostic:
				said = append(said, e.Message)
			case event.Space:
				said = append(said, fmt.Sprint(e))
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		return valid, candidates, said
	}
	space := enum.Config{Type: "Tree", Size: 3, Paper: true}
	valid, candidates, about := counts(func(cfg session.Config) (session.Result, error) { return enum.Run(t.Context(), cfg, space) })
	if valid == 0 || len(about) < 1 {
		t.Fatalf("without workers %d of %d, and %q", valid, candidates, about)
	}
	if v, n, said := counts(func(cfg session.Config) (session.Result, error) { return c.Enum(t.Context(), cfg, space, 1) }); v != valid || n < candidates || !slices.Equal(said, about) {
		t.Errorf("in parts there are %d of %d, and %q; want %d of %d, and %q", v, n, said, valid, candidates, about)
	}

	// What a worker sends has to be about the package.
	for _, data := range []string{`{`, `{"Summary":{"action":"skip"}}`, `{"Summary":{"action":"summary","package":"other"}}`, `{"Events":[{"action":"pass"},{"action":"made up"}],"Summary":{"action":"summary","package":"m"}}`} {
		var v verdicts
		if err := json.Unmarshal([]byte(data), &v); err == nil && v.say(&session.Session{Events: &event.Stream{}, Pkg: &load.Package{Path: "m"}}) == nil {
			t.Errorf("%s is believed", data)
		}
	}
}
