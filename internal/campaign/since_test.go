package campaign

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
)

// tired is a Remote whose passes always run out of time with the same result.
type tired struct {
	mu    sync.Mutex
	tasks []Task
}

func (r *tired) Do(_ context.Context, _ cache.Key, _ string, t Task) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tasks = append(r.tasks, t)
	return json.Marshal(performed{Outcome: remembered{
		Summary: event.Summary{Package: t.Package, Verb: "gen", Tests: event.Count(1)}, Covered: 1, Statements: 2,
		Files:  []rememberedFile{{"p_assay_test.go", testfile.Seal([]byte("package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {}\n"))}},
		Corpus: []keptCase{{"F", "random", "one"}, {"G", "random", "other"}},
	}})
}

func (r *tired) Workers(context.Context) int { return 1 }

func (r *tired) Forget(context.Context, cache.Key) error { return nil }

// With -since passes are about the functions that have changed, go on from one another, and are finished for a further run, whatever
// the revision is called. The first one goes on from what a run over all functions has found of them.
func TestSince_passes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.24\n")
	write("p.go", "package p\n\nfunc F(n int) int { return n }\n\nfunc G(n int) int { return n }\n")
	git("init", "-q", ".")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	kept, err := cache.Open(t.TempDir(), []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(since string) []Task {
		t.Helper()
		remote := &tired{}
		_, err := Gen(t.Context(), Config{Remote: remote, RemoteWorkers: 1, Since: since, Budget: time.Hour, Cache: kept, Config: session.Config{
			Dir: dir, Patterns: []string{"."}, Timeout: time.Minute, Events: func(event.Event) {}}})
		if err != nil {
			t.Fatal(err)
		}
		return remote.tasks
	}
	if tasks := run("HEAD"); len(tasks) != 0 {
		t.Errorf("nothing has changed, and there are %d tasks", len(tasks))
	}
	if tasks := run(""); len(tasks) < 3 || tasks[0].Only != nil {
		t.Fatalf("without -since there are %d tasks, the first one about %q", len(tasks), tasks[0].Only)
	}
	write("p.go", "package p\n\nfunc F(n int) int { return n + 1 }\n\nfunc G(n int) int { return n }\n")
	tasks := run("HEAD")
	if len(tasks) < 2 {
		t.Fatalf("there are %d tasks, want some passes", len(tasks))
	}
	for _, task := range tasks {
		if !slices.Equal(task.Only, []string{"F"}) || task.Since != "HEAD" || task.Part != "" {
			t.Errorf("a task is about %q since %q", task.Only, task.Since)
		}
	}
	if c := tasks[0].Corpus; tasks[0].Round == 0 || len(c) != 1 || c[0].Target != "F" {
		t.Errorf("the first pass is round %d and goes on from %v", tasks[0].Round, c)
	}
	if tasks := run("@"); len(tasks) != 0 {
		t.Errorf("all is done, and there are %d tasks", len(tasks))
	}
}
