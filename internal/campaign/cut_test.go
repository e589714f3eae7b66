package campaign

import (
	"context"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// What a phase could not do in its share of the time is done in what the others left; only
// where that is over, too, exploration was cut short.
func TestCatchUp(t *testing.T) {
	var did []string
	again := func(name string) phase {
		return phase{name: name, again: func(*exploration, context.Context) error {
			did = append(did, name)
			return nil
		}}
	}
	g := &exploration{gen: &gen{Session: &session.Session{Events: &event.Stream{}, Pkg: &load.Package{}}}}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		ctx   context.Context
		short []phase
		cut   bool
		did   string
	}{
		{t.Context(), nil, false, ""},
		{t.Context(), []phase{again("exported"), again("random")}, false, "exported random"},
		{ended, []phase{again("exported")}, true, ""},
		{ended, nil, false, ""},
	} {
		did = nil
		cut, err := g.catchUp(tt.ctx, tt.short)
		if err != nil || cut != tt.cut || strings.Join(did, " ") != tt.did {
			t.Errorf("cut %v, did %q, %v; want %v, %q", cut, did, err, tt.cut, tt.did)
		}
	}
}

// Of a run that was cut short the earlier files stay beside which it shows less.
func TestKeepBetter(t *testing.T) {
	for _, tt := range []struct {
		name     string
		covered  int
		findings int
		kept     string
	}{
		{"as much", 0, 2, ""},
		{"less covered", 7, 2, "a_assay_test.go"},
		{"not known", -1, 2, "a_assay_test.go"},
		{"fewer findings", 0, 1, "a_assay_bug_test.go"},
		{"less of both", 7, 0, "a_assay_bug_test.go a_assay_test.go"},
	} {
		sc := scope{
			earlier: earlierFiles{
				kept: make(map[string]bool), taken: make(map[string]bool),
				files: []files.Own{
					{Name: "a_assay_test.go", Content: []byte("package a\n\nfunc TestA() {}\n")},
					{Name: "a_assay_bug_test.go", Content: []byte("package a\n\nfunc TestA_bug1() {}\n\nfunc TestA_bug2() {}\n"), Bug: true},
				},
			},
			rerun: &earlierTests{covered: tt.covered},
		}
		var v verdicts
		for range tt.findings {
			v.findings = append(v.findings, &testcase.Finding{Severity: testcase.Error, Pos: token.Position{Filename: "a.go"}})
		}
		sc.keepBetter(nil, v)
		if kept := strings.Join(slices.Sorted(maps.Keys(sc.earlier.kept)), " "); kept != tt.kept {
			t.Errorf("%s: kept %q, want %q", tt.name, kept, tt.kept)
		}
	}
}
