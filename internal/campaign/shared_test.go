package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
)

// shelf is a Shared of a test.
type shelf struct {
	mu      sync.Mutex
	entries map[cache.Key][]byte
	removed int
}

func (s *shelf) Recall(_ context.Context, key cache.Key, _ string) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.entries[key]
	return data, ok
}

func (s *shelf) Keep(_ context.Context, _ string, data []byte, keys ...cache.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.entries[key] = data
	}
	return nil
}

func (s *shelf) Remove(_ context.Context, key cache.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.entries, key)
	s.removed++
	return nil
}

// member is a run of somebody of a team: with a directory and a cache of its own.
type member struct {
	code    string // of F
	remote  Remote
	shared  Shared
	budget  time.Duration
	recheck int
	update  bool
	own     string // the text of an earlier generated test, or ""
}

// run returns the summary, the text of the tests, and what was said.
func (m member) run(t *testing.T) (sum event.Summary, tests string, said []string) {
	t.Helper()
	dir := t.TempDir()
	text := map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc F(n int) int { return " + m.code + " }\n\nfunc G(n int) int { return n }\n"}
	if m.own != "" {
		text["p_assay_test.go"] = m.own
	}
	for name, content := range text {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := cache.Open(t.TempDir(), []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Gen(t.Context(), Config{Remote: m.remote, RemoteWorkers: 1, Shared: m.shared, Budget: m.budget, Recheck: m.recheck, Update: m.update, Cache: kept, Config: session.Config{
		Dir: dir, Patterns: []string{"."}, Timeout: time.Minute, Events: func(e event.Event) {
			switch e := e.(type) {
			case event.Summary:
				if e.Package == "example.com/p" {
					sum = e
				}
			case event.Diagnostic:
				said = append(said, e.Message)
			}
		}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "p_assay_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return sum, string(data), said
}

const holds = `if F(1) != 1 { t.Error("F(1)") }`

// What one of a team has had worked on, another one need not, with another directory and an empty cache: neither what ended by
// itself nor passes that ran out of time. Who has other code goes on from the cases.
func TestShared(t *testing.T) {
	team := &shelf{entries: make(map[cache.Key][]byte)}
	first, other := &sender{body: holds}, &sender{body: "t.Fatal()"}
	_, wrote, _ := member{code: "n", remote: first, shared: team}.run(t)
	sum, found, said := member{code: "n", remote: other, shared: team}.run(t)
	if len(other.sent) != 0 || found != wrote || !sum.Cached || len(said) > 0 {
		t.Errorf("%d tasks, cached %v, said %q; the tests are\n%s\nwant\n%s", len(other.sent), sum.Cached, said, found, wrote)
	}
	member{code: "n", remote: other, shared: team, own: wrote}.run(t)
	if len(other.sent) != 0 {
		t.Errorf("with the tests of the first run there are %d tasks", len(other.sent))
	}
	member{code: "n+0", remote: other, shared: team}.run(t)
	if len(other.sent) == 0 {
		t.Error("other code is not worked on")
	}

	team = &shelf{entries: make(map[cache.Key][]byte)}
	passes, further, changed := &tired{}, &tired{}, &tired{}
	member{code: "n", remote: passes, shared: team, budget: time.Hour}.run(t)
	member{code: "n", remote: further, shared: team, budget: time.Hour}.run(t)
	if len(passes.tasks) < 3 || len(further.tasks) != 0 {
		t.Errorf("after %d passes there are %d", len(passes.tasks), len(further.tasks))
	}
	member{code: "n+0", remote: changed, shared: team, budget: time.Hour}.run(t)
	if task := changed.tasks[0]; task.Round == 0 || len(task.Corpus) != 2 {
		t.Errorf("over other code the first pass is round %d, and goes on from %v", task.Round, task.Corpus)
	}
}

// Whose run replaced tests that no longer hold shares that only with others who ask for it.
func TestShared_update(t *testing.T) {
	_, old, _ := member{code: "n", remote: &sender{body: holds}}.run(t)
	team := &shelf{entries: make(map[cache.Key][]byte)}
	updates, asks, also := &tired{}, &tired{}, &tired{}
	member{code: "n+1", remote: updates, shared: team, budget: time.Hour, own: old, update: true}.run(t)
	member{code: "n+1", remote: asks, shared: team, budget: time.Hour, own: old}.run(t)
	member{code: "n+1", remote: also, shared: team, budget: time.Hour, own: old, update: true}.run(t)
	if len(updates.tasks) == 0 || len(asks.tasks) == 0 || len(also.tasks) != 0 {
		t.Errorf("%d tasks with -update, then %d without, and %d with it again", len(updates.tasks), len(asks.tasks), len(also.tasks))
	}
}

// An entry that others have stored is verified as what a worker sends is. One that does not hold is removed, and the work is done.
func TestShared_untrusted(t *testing.T) {
	for name, tt := range map[string]struct {
		forge func(m *remembered)
		want  string
	}{
		"fails here":       {func(m *remembered) { m.Files = testsOf("p", `t.Error("no")`) }, "its tests do not hold here: TestF fails: "},
		"is edited":        {func(m *remembered) { m.Files[0].Content = append(m.Files[0].Content, "// more\n"...) }, `"p_assay_test.go" is no file of gen's`},
		"is another file":  {func(m *remembered) { m.Files[0].Name = "../p_assay_test.go" }, `"../p_assay_test.go" is no file of gen's`},
		"is of another":    {func(m *remembered) { m.Summary.Package = "example.com/q" }, `it is of "example.com/q"`},
		"cannot be read":   {nil, "it cannot be read: "},
		"passes and stays": {func(*remembered) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			team := &shelf{entries: make(map[cache.Key][]byte)}
			_, wrote, _ := member{code: "n", remote: &sender{body: holds}, shared: team}.run(t)
			for key, data := range team.entries {
				var m remembered
				if err := json.Unmarshal(data, &m); err != nil {
					t.Fatal(err)
				}
				if tt.forge == nil {
					team.entries[key] = bytes.ToUpper(data)
					continue
				}
				tt.forge(&m)
				team.entries[key], _ = json.Marshal(m)
			}
			again := &sender{body: holds}
			_, found, said := member{code: "n", remote: again, shared: team, recheck: 1}.run(t)
			if tt.want == "" {
				if len(again.sent) != 0 || team.removed != 0 || len(said) != 0 {
					t.Errorf("%d tasks, %d entries were removed, said %q", len(again.sent), team.removed, said)
				}
				return
			}
			if len(again.sent) != 1 || team.removed == 0 || found != wrote {
				t.Errorf("%d tasks, %d entries were removed; the tests are\n%s", len(again.sent), team.removed, found)
			}
			want := "example.com/p: a result that others have stored is not used, and the work is done again: " + tt.want
			if len(said) == 0 || !strings.HasPrefix(said[0], want) || strings.Contains(said[0], "\n") {
				t.Errorf("said is %q, want %q", said, want)
			}
		})
	}
}
