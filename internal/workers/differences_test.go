package workers

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/queue"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/diff"
)

// Workers say of two versions what diff says without them, in the same order and of the same files: of packages whose
// dependency has changed, that are new, gone or moved, and that do not compile in one of the versions.
func TestDiff(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{
		"old/go.mod":     "module example.com/m\n\ngo 1.24\n",
		"old/a/a.go":     "package a\n\nimport \"example.com/m/dep\"\n\n// Half is half of x.\nfunc Half(x int) int { return x / 2 }\n\n// Sum sums.\nfunc Sum(x, y int) int { return dep.Add(x, y) }\n\n// Twice is twice x.\nfunc Twice(x int) int { return x + x }\n",
		"old/dep/dep.go": "package dep\n\n// Add adds.\nfunc Add(x, y int) int { return x + y }\n",
		"old/gone/g.go":  "package gone\n\n// F and G are not alone.\nfunc F(x int) int { return 10 / x }\n\n// G is one.\nfunc G() int { return 1 }\n",
		"old/bad/bad.go": "package bad\n\nfunc B() int { return \"no\" }\n",
		"old/req/req.go": "package req\n\n//assay:requires nonsense\nfunc R(x int) int { return 10 / x }\n",
	})
	if err := os.CopyFS(filepath.Join(dir, "new"), os.DirFS(filepath.Join(dir, "old"))); err != nil {
		t.Fatal(err)
	}
	writeAll(t, dir, map[string]string{
		"new/a/a.go":       "package a\n\nimport \"example.com/m/dep\"\n\n// Half is half of x.\nfunc Half(x int) int { return (x + 1) / 2 }\n\n// Sum sums.\nfunc Sum(x, y int) int { return dep.Add(x, y) }\n\n// Twice is twice x.\nfunc Twice(x int) int { return 2 * x }\n",
		"new/a/a_test.go":  "package a\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(3) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
		"new/dep/dep.go":   "package dep\n\n// Add adds.\nfunc Add(x, y int) int {\n\tif x > 100 {\n\t\tpanic(x)\n\t}\n\treturn x + y\n}\n\n// Sub is new.\nfunc Sub(x, y int) int { return x - y }\n",
		"new/moved/g.go":   "package gone\n\n// F and G are not alone.\nfunc F(x int) int { return 10 / x }\n\n// G is two.\nfunc G() int { return 2 }\n",
		"new/bad/bad.go":   "package bad\n\nfunc B() int { return 1 }\n",
		"new/fresh/f.go":   "package fresh\n\n// Z is new.\nfunc Z() int { return 0 }\n",
		"new/req/req.go":   "package req\n\n//assay:requires nonsense\nfunc R(x int) int { return 11 / x }\n",
		"new/broken/br.go": "package broken\n\nfunc F() int { return \"no\" }\n",
	})
	if err := os.RemoveAll(filepath.Join(dir, "new", "gone")); err != nil {
		t.Fatal(err)
	}
	how := diff.Config{Args: []string{"old", "new", "./..."}, Fail: diff.FailChanged}
	want, alone := checked(t, dir, func(cfg session.Config) (session.Result, error) { return diff.Run(t.Context(), cfg, how) })
	all := strings.Join(want, "\n")
	for _, part := range []string{`"func":"Half"`, `"noticed_by":["TestHalf"]`, `"func":"Sum"`, `"verdict":"proved"`, `"action":"added"`, "moved, was example.com/m/gone", "new: old does not have it", "does not compile", "nonsense"} {
		if !strings.Contains(all, part) {
			t.Fatalf("without workers nothing has %s:\n%s", part, all)
		}
	}
	if alone.ErrorFindings == 0 || !alone.Failed {
		t.Fatalf("without workers: %+v", alone)
	}
	q := withWorker(t)
	for _, again := range []string{"once", "again, from what the server keeps"} {
		got, result := checked(t, dir, func(cfg session.Config) (session.Result, error) { return Diff(t.Context(), q, cfg, how, 2) })
		if !slices.Equal(got, want) || result != alone {
			t.Errorf("%s: %+v, want %+v, and\n%s\nwant\n%s", again, result, alone, strings.Join(got, "\n"), all)
		}
	}
	// Only what both versions have and what compiles in both is sent, and once.
	var jobs []string
	list, err := q.List(t.Context(), true)
	for _, s := range list {
		if s.State == queue.Done {
			jobs = append(jobs, s.What)
		}
	}
	slices.Sort(jobs)
	if wantJobs := []string{"diff example.com/m/a old new 1h0m0s", "diff example.com/m/dep old new 1h0m0s", "diff example.com/m/moved old new 1h0m0s", "diff example.com/m/req old new 1h0m0s"}; err != nil || !slices.Equal(jobs, wantJobs) {
		t.Errorf("the jobs are %q, want %q, %v", jobs, wantJobs, err)
	}
	// A change of the old version alone is another job.
	writeAll(t, dir, map[string]string{"old/dep/dep.go": "package dep\n\n// Add adds.\nfunc Add(x, y int) int { return y + x + 1 }\n"})
	got, _ := checked(t, dir, func(cfg session.Config) (session.Result, error) { return Diff(t.Context(), q, cfg, how, 2) })
	want, _ = checked(t, dir, func(cfg session.Config) (session.Result, error) { return diff.Run(t.Context(), cfg, how) })
	if !slices.Equal(got, want) || strings.Join(got, "\n") == all {
		t.Errorf("with another old version:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A task for diff has two versions, and no other has.
func TestMistakenTasks(t *testing.T) {
	for _, test := range []struct {
		task   verdictTask
		before string
	}{{verdictTask{}, ""}, {verdictTask{Diff: &diff.Task{}}, ""}, {verdictTask{Diff: &diff.Task{}, Check: &checkverb.Config{}}, "before"}, {verdictTask{Check: &checkverb.Config{}}, "before"}} {
		if test.task.mistake(test.before) == nil {
			t.Errorf("%+v with %q is done", test.task, test.before)
		}
	}
}
