package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/schedule"
	"github.com/goassay/assay/internal/session"
)

// sender is a Remote that has worked already: it sends a file of tests for each package.
type sender struct {
	body      string // of each test
	forgotten []cache.Key
	sent      []cache.Key
}

func (s *sender) Do(_ context.Context, key cache.Key, _ string, t Task) ([]byte, error) {
	s.sent = append(s.sent, key)
	name := filepath.Base(t.Package)
	return json.Marshal(performed{Whole: true, Outcome: remembered{
		Summary: event.Summary{Package: t.Package, Verb: "gen", Tests: event.Count(1)}, Covered: 1, Statements: 1,
		Files: testsOf(name, s.body),
	}})
}

// testsOf returns a file of tests of a package that has a test of F.
func testsOf(pkg, body string) []rememberedFile {
	return []rememberedFile{{pkg + "_assay_test.go", testfile.Seal([]byte("package " + pkg + "\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\t" + body + "\n}\n"))}}
}

func (s *sender) Workers(context.Context) int { return 1 }

func (s *sender) Forget(_ context.Context, key cache.Key) error {
	s.forgotten = append(s.forgotten, key)
	return nil
}

// Tests that pass at a worker and not here are not written, and the result is forgotten. The first package is always
// looked at, and all others after one that does not hold.
func TestRecheck(t *testing.T) {
	for name, tt := range map[string]struct {
		body    string
		recheck int
		want    string // what is said of each package, or "" if its tests are written
		checked int    // how many packages are looked at, at least
	}{
		"holds":                      {`if F(1) != 1 { t.Error("F(1)") }`, 1 << 30, "", 1},
		"all hold":                   {`if F(1) != 1 { t.Error("F(1)") }`, 1, "", 2},
		"fails":                      {`if F(1) != 2 { t.Errorf("F(1) = %d, want 2", F(1)) }`, 1 << 30, "tests that pass at a worker do not hold here, so none of them is written (is it the same Go, and the same system?): TestF fails: ", 2},
		"does not compile":           {`if F("x") != 2 { t.Error("F") }`, 1 << 30, "they do not compile: ", 2},
		"ends the process":           {`panic("here")`, 1 << 30, "TestF fails: ", 2},
		"fails and is not looked at": {`t.Fatal("no")`, 0, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write("go.mod", "module example.com/m\n\ngo 1.24\n")
			for _, p := range []string{"a", "b"} {
				write(p+"/"+p+".go", "package "+p+"\n\nfunc F(n int) int { return n }\n")
			}
			remote := &sender{body: tt.body}
			var said []string
			checked := 0
			result, err := Gen(t.Context(), Config{Remote: remote, RemoteWorkers: 1, Recheck: tt.recheck, Config: session.Config{
				Dir: dir, Patterns: []string{"./..."}, Timeout: time.Hour, Events: func(e event.Event) {
					switch e := e.(type) {
					case event.Diagnostic:
						said = append(said, e.Message)
					case event.Pass:
						if e.Rechecked {
							checked++
						}
					}
				}}})
			if err != nil {
				t.Fatal(err)
			}
			if checked < tt.checked || tt.recheck == 0 && checked > 0 {
				t.Errorf("%d packages were looked at, want %d", checked, tt.checked)
			}
			for _, p := range []string{"a", "b"} {
				_, err := os.Stat(filepath.Join(dir, p, p+"_assay_test.go"))
				if (err == nil) != (tt.want == "") {
					t.Errorf("%s: %v", p, err)
				}
				if tt.want != "" && !slices.ContainsFunc(said, func(s string) bool {
					return strings.Contains(s, "m/"+p) && strings.Contains(s, tt.want) && !strings.Contains(s, "\n")
				}) {
					t.Errorf("said is %q, want %q of %s", said, tt.want, p)
				}
			}
			if tt.want != "" && (!result.Failed || !slices.Equal(remote.sent, remote.forgotten)) {
				t.Errorf("failed %v; forgotten are %s of %s", result.Failed, fmt.Sprintf("%x", remote.forgotten), fmt.Sprintf("%x", remote.sent))
			}
			if tt.want == "" && (result.Failed || len(remote.forgotten) > 0 || len(said) > 0) {
				t.Errorf("failed %v, said %q, forgotten %x", result.Failed, said, remote.forgotten)
			}
		})
	}
}

// A task has the same key wherever the module is, so that a team has its packages worked on once, and another key when
// anything has changed that its result depends on.
func TestSharedKey(t *testing.T) {
	text := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "README.md": "# a\n",
		"a/a.go": "package a\n\nimport \"example.com/m/b\"\n\nfunc F(n int) int { return b.F(n) }\n", "b/b.go": "package b\n\nfunc F(n int) int { return n }\n",
		"a/testdata/x": "1",
	}
	keys := func(change func(map[string]string), cfg Config) []cache.Key {
		t.Helper()
		dir := t.TempDir()
		now := maps.Clone(text)
		change(now)
		for name, content := range now {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		remote := &sender{body: "_ = F"}
		cfg.Remote, cfg.RemoteWorkers = remote, 1
		cfg.Dir, cfg.Patterns, cfg.Timeout = dir, []string{"./a"}, time.Hour
		if _, err := Gen(t.Context(), cfg); err != nil {
			t.Fatal(err)
		}
		return remote.sent
	}
	same := func(map[string]string) {}
	want := keys(same, Config{})
	if again := keys(same, Config{}); len(want) != 1 || !slices.Equal(want, again) {
		t.Errorf("in another directory the key is %x, want %x", again, want)
	}
	for name, change := range map[string]func(map[string]string){
		"the code":          func(m map[string]string) { m["a/a.go"] += "// F is new.\n" },
		"a dependency":      func(m map[string]string) { m["b/b.go"] += "\nvar X int\n" },
		"its test data":     func(m map[string]string) { m["a/testdata/x"] = "2" },
		"the documentation": func(m map[string]string) { m["README.md"] += "\n    a.F(1) // 1\n" },
		"a test by hand":    func(m map[string]string) { m["a/a_test.go"] = "package a\n" },
	} {
		if slices.Equal(keys(change, Config{}), want) {
			t.Errorf("the key is the same although %s has changed", name)
		}
	}
	if slices.Equal(keys(same, Config{MaxTests: 3}), want) {
		t.Error("the key is the same with another flag")
	}
}

// dealer is a Remote that finds a case for each part of a package, but for the second one, whose job is dead.
type dealer struct {
	crew  int // how many workers there are
	mu    sync.Mutex
	tasks []Task
}

func (d *dealer) Do(_ context.Context, _ cache.Key, _ string, t Task) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tasks = append(d.tasks, t)
	if strings.HasPrefix(t.Part, "2 of") {
		return nil, errors.New("the job is dead: out of memory")
	}
	return json.Marshal(performed{Outcome: remembered{
		Summary: event.Summary{Package: t.Package, Verb: "gen", Tests: event.Count(len(t.Corpus))}, Covered: len(t.Corpus), Statements: 1000,
		Corpus: []keptCase{{"F0", "random", "same"}, {"F0", "random", "found by " + t.Part}},
	}})
}

func (d *dealer) Workers(context.Context) int { return d.crew }

func (d *dealer) Forget(context.Context, cache.Key) error { return nil }

// A round over a large package is done in parts where there are workers for them: of the functions, and with twice as many
// workers of the engines, too. One more task makes tests of all cases. A part that fails costs its cases, and a pass that begins
// anew is never divided.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	var code strings.Builder
	code.WriteString("package p\n")
	for i := range 230 {
		fmt.Fprintf(&code, "\nfunc F%d(n int) int { return n + %d }\n", i, i)
	}
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": code.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	crew := 12
	run := func(j schedule.Job, from ...keptCase) ([]Task, []string) {
		t.Helper()
		remote := &dealer{crew: crew}
		var said []string
		cfg := session.Config{Dir: dir, Timeout: time.Hour, Events: func(e event.Event) {
			if d, ok := e.(event.Diagnostic); ok {
				said = append(said, d.Message)
			}
		}}
		packages, _, err := session.Open(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
			g := &gen{Session: s, cfg: Config{Config: s.Config, Remote: remote, Budget: time.Hour}, engines: engine.All(), job: &passJob{Job: j}, round: j.Round, resumed: from}
			return g.remotely()
		}})
		if err != nil {
			t.Fatal(err)
		}
		if s := packages.Work(t.Context(), "example.com/p", session.Terms{Continued: true}); s.Result.Failed {
			t.Errorf("the pass failed: %s", said)
		}
		return remote.tasks, said
	}
	tasks, said := run(schedule.Job{Round: 3, Workers: 7, Bound: 40 * time.Second}, keptCase{"F1", "random", "kept"}, keptCase{"F0", "random", "same"})
	if len(tasks) != 5 {
		t.Fatalf("there are %d tasks, want four parts and one for all", len(tasks))
	}
	if len(said) != 1 || said[0] != "example.com/p: part 2 of 4 was not worked on: the job is dead: out of memory" {
		t.Errorf("said is %q", said)
	}
	names := make(map[string]int)
	for _, p := range tasks[:4] {
		if len(p.Engines) > 0 {
			t.Errorf("part %s is for %q, want all engines", p.Part, p.Engines)
		}
		if p.Bound != 20*time.Second || !p.Pass || !p.NoMutants || p.Round != 3 || len(p.Corpus) != 2 || len(p.Only) < partTargets || p.What() != "example.com/p 20s, part "+p.Part {
			t.Errorf("a part is %s of %d functions, bound %s", p.What(), len(p.Only), p.Bound)
		}
		for _, name := range p.Only {
			names[name]++
		}
	}
	for name, n := range names {
		if n != 1 {
			t.Errorf("%s is in %d parts", name, n)
		}
	}
	if len(names) != 230 {
		t.Errorf("the parts have %d functions", len(names))
	}
	last := tasks[4]
	var from []string
	for _, c := range last.Corpus {
		from = append(from, c.Seq)
	}
	if want := []string{"kept", "same", "found by 1 of 4", "found by 3 of 4", "found by 4 of 4"}; last.Only != nil || last.NoMutants || last.Bound != 20*time.Second || !slices.Equal(from, want) {
		t.Errorf("the last task is %s, from %q, want %q", last.What(), from, want)
	}
	tasks, _ = run(schedule.Job{Round: 1, Workers: 16, Bound: 40 * time.Second})
	if len(tasks) != 9 {
		t.Fatalf("for 16 workers there are %d tasks, want four parts of functions for each kind of engine, and one for all", len(tasks))
	}
	by := make(map[string]int) // how many functions each engine has
	for _, p := range tasks[:8] {
		for _, e := range p.Engines {
			by[e] += len(p.Only)
		}
	}
	if want := map[string]int{"symbolic": 230, "sequence": 230, "bounded": 230, "random": 230}; !maps.Equal(by, want) || tasks[8].Engines != nil {
		t.Errorf("the engines have %v functions, want %v; the last task is for %q", by, want, tasks[8].Engines)
	}
	for name, j := range map[string]schedule.Job{
		"a pass that begins anew": {Workers: 16, Bound: 40 * time.Second}, "one worker": {Round: 1, Workers: 1, Bound: 40 * time.Second},
	} {
		if tasks, _ := run(j); len(tasks) != 1 || tasks[0].Bound != 40*time.Second {
			t.Errorf("%s: %d tasks", name, len(tasks))
		}
	}
	crew = 3 // although the plan counts on more
	if tasks, _ := run(schedule.Job{Round: 1, Workers: 16, Bound: 40 * time.Second}); len(tasks) != 4 {
		t.Errorf("for three workers that are there: %d tasks, want three parts and one for all", len(tasks))
	}
	crew = 1
	if tasks, _ := run(schedule.Job{Round: 1, Workers: 16, Bound: 40 * time.Second}); len(tasks) != 1 || tasks[0].Bound != 40*time.Second {
		t.Errorf("for the one worker that is there: %d tasks", len(tasks))
	}
}

// A worker's round goes on from the cases that it is sent: a text that no engine can find is tested. A part of a round only
// finds cases of its own functions. Both keep what they found for the next round, and are never final.
func TestPerform_round(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.24\n",
		"p.go": "package p\n\nimport \"crypto/sha256\"\n\n// Open reports whether s is the word.\nfunc Open(s string) bool {\n\tif sha256.Sum256([]byte(s)) == word {\n\t\treturn true\n\t}\n\treturn false\n}\n\nvar word = " +
			strings.Replace(fmt.Sprintf("%#v", sha256.Sum256([]byte("sesame"))), "[32]uint8", "[32]byte", 1) + "\n\n// Abs is the absolute value of n.\nfunc Abs(n int) int {\n\tif n < 0 {\n\t\treturn -n\n\t}\n\treturn n\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	perform := func(task Task) (p performed) {
		t.Helper()
		task.Package, task.Dir, task.Bound, task.Pass, task.NoMutants = "example.com/p", ".", 10*time.Minute, true, true
		data, err := Performer{}.Perform(t.Context(), dir, task)
		if err == nil {
			err = json.Unmarshal(data, &p)
		}
		if err != nil || p.Error != "" || p.Failed {
			t.Fatalf("%v %q failed %v", err, p.Error, p.Failed)
		}
		return p
	}
	has := func(p performed, target, text string) bool {
		return slices.ContainsFunc(p.Outcome.Corpus, func(c keptCase) bool { return c.Target == target && strings.Contains(c.Seq, text) })
	}
	sesame := keptCase{"Open", "random", "literal type=\"string\" lit=string:\"sesame\"\nfunc func=\"example.com/p.Open\" args=0\n"}
	lost := keptCase{"Open", "random", "func func=\"example.com/p.Gone\"\n"}
	whole := perform(Task{Round: 1, Corpus: []keptCase{lost, sesame}})
	if whole.Whole || whole.Outcome.Covered != whole.Outcome.Statements || !has(whole, "Open", `"sesame"`) || !has(whole, "Abs", "") {
		t.Errorf("the round covers %d of %d statements, whole %v, with %v", whole.Outcome.Covered, whole.Outcome.Statements, whole.Whole, whole.Outcome.Corpus)
	}
	if !slices.ContainsFunc(whole.Outcome.Files, func(f rememberedFile) bool { return strings.Contains(string(f.Content), `"sesame"`) }) {
		t.Error("no test has the text that the earlier pass found")
	}
	part := perform(Task{Round: 1, Corpus: []keptCase{sesame}, Only: []string{"Abs"}})
	if part.Whole || has(part, "Open", "") || !has(part, "Abs", "") {
		t.Errorf("the part is whole %v, with %v", part.Whole, part.Outcome.Corpus)
	}
	l := whole.Outcome.Learnt
	if !slices.Contains(l.Done, "Abs") || !slices.Contains(l.Open, "Open") || len(l.Pool) == 0 || len(l.Engines) == 0 {
		t.Fatalf("the round leaves %+v, want a pool, that Abs is done, that paths of Open are left, and what the engines did", l)
	}
	next := perform(Task{Round: 2, Corpus: whole.Outcome.Corpus, Learnt: l})
	if now, was := countOf(next.Outcome.Summary.Paths), countOf(whole.Outcome.Summary.Paths); now >= was || !slices.Contains(next.Outcome.Learnt.Done, "Abs") {
		t.Errorf("the next round follows %d paths after %d, done are %q; want none of Abs, all paths of which were followed", now, was, next.Outcome.Learnt.Done)
	}
}

// Without a budget, too, a run by workers goes on from what the last one came to, if that had as much time and ran out of
// it, until three rounds have gained nothing; with more time it begins anew. Other code begins anew, because it may end by itself.
func TestRemote_further(t *testing.T) {
	dir := t.TempDir()
	write := func(code string) {
		t.Helper()
		for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": code} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	kept, err := cache.Open(t.TempDir(), []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(timeout time.Duration) []Task {
		t.Helper()
		remote := &tired{}
		_, err := Gen(t.Context(), Config{Remote: remote, RemoteWorkers: 1, Cache: kept, Config: session.Config{
			Dir: dir, Patterns: []string{"."}, Timeout: timeout, Events: func(event.Event) {}}})
		if err != nil {
			t.Fatal(err)
		}
		return remote.tasks
	}
	write("package p\n\nfunc F(n int) int { return n }\n")
	for i := range schedule.InVain + 1 {
		tasks := run(time.Minute)
		if len(tasks) != 1 || tasks[0].Round != i || (i > 0) != (len(tasks[0].Corpus) == 2) {
			t.Fatalf("run %d has the tasks %+v", i+1, tasks)
		}
	}
	if tasks := run(time.Minute); len(tasks) != 0 {
		t.Errorf("after %d rounds in vain there is a task, round %d", schedule.InVain, tasks[0].Round)
	}
	if tasks := run(time.Hour); len(tasks) != 1 || tasks[0].Round != 0 {
		t.Errorf("with more time the tasks are %+v", tasks)
	}
	write("package p\n\nfunc F(n int) int { return n + 1 }\n")
	if tasks := run(time.Minute); len(tasks) != 1 || tasks[0].Round != 0 {
		t.Errorf("of other code the tasks are %+v", tasks)
	}
}
