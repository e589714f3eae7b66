package campaign

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
)

// If building the harness takes all the time, as it may where nothing was built before, there is nothing to judge. That is
// no bug of ours.
func TestJudgeWithoutHarness(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n", "p.go": "package p\n\nfunc F() int { return 1 }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	judged := false
	cfg := session.Config{Dir: dir, Events: func(e event.Event) {}}
	packages, _, err := session.Open(t.Context(), cfg, session.Verb{Name: "gen", Do: func(s *session.Session) error {
		g := &gen{Session: s, cfg: Config{Config: s.Config}}
		v, err := g.judge(nil, strategy.Finds{}, documented{})
		if err != nil || len(v.tests) > 0 || len(v.findings) > 0 {
			t.Errorf("judge without a harness returns %v, %v; want nothing", v, err)
		}
		judged = true
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	packages.Work(t.Context(), "example.com/p", session.Terms{})
	if !judged {
		t.Error("the package was not judged")
	}
}
