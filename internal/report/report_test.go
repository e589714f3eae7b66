package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/token"
	"strings"
	"testing"
	"time"

	"github.com/goassay/assay/internal/event"
)

func number(n int) *int { return &n }

func events() []event.Event {
	coverage := 87.5
	return []event.Event{
		event.Progress{Package: "m/p", Stage: "exploring"},
		event.Test{Package: "m/p", Func: "F", Engine: "symbolic", Provisional: true},
		event.Diagnostic{Pos: token.Position{Filename: "/w/p/a.go", Line: 3, Column: 4}, Message: "undefined: x"},
		event.Diagnostic{Message: "slow", Warning: true},
		event.Skip{Package: "m/p", Func: "init", Reason: "init runs before every test"},
		event.Test{Package: "m/p", Func: "F", Name: "TestF", File: "/w/p/a_assay_test.go", Engine: "symbolic"},
		event.Finding{Package: "m/p", Func: "G", Kind: "nil-dereference", Severity: "error", Message: "panics: nil", Pos: "/w/p/a.go:7:2", Test: "TestG_bug1", File: "/w/p/a_assay_bug_test.go"},
		event.Finding{Package: "m/p", Func: "H", Kind: "explicit", Severity: "note", Message: "panics: no", Pos: "/w/p/a.go:9:2"},
		event.Path{Package: "m/p", Func: "F", Stop: "return", Condition: "n < 0 && b", Inputs: []string{"-1", "true"}, Results: []string{"0"}},
		event.Summary{Verb: "gen", Package: "m/p", Tests: number(1), Functions: number(2), Findings: number(1), Coverage: &coverage, ElapsedS: 1.25},
		event.Summary{Verb: "gen", Tests: number(1), ElapsedS: 1.25},
	}
}

func TestText(t *testing.T) {
	var stdout, stderr bytes.Buffer
	r := NewText(&stdout, &stderr, "/w", false, false)
	for _, e := range events() {
		r.Event(e)
	}
	r.Close()
	wantOut := `m/p: no test for init: init runs before every test
F: n < 0 && b
	inputs  -1, true
	return  0
m/p: 1 test, 2 functions, 87.5% of statements, 1 finding, 1.2s
`
	wantErr := `p/a.go:3:4: undefined: x
assay: warning: slow
p/a.go:7:2: error: G panics: nil (TestG_bug1)
`
	if got := stdout.String(); got != wantOut {
		t.Errorf("stdout:\n%s\nwant:\n%s", got, wantOut)
	}
	if got := stderr.String(); got != wantErr {
		t.Errorf("stderr:\n%s\nwant:\n%s", got, wantErr)
	}
}

func TestJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	r := NewJSON(&stdout, NewText(&bytes.Buffer{}, &stderr, "/w", false, false))
	r.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	for _, e := range events() {
		r.Event(e)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	var actions []string
	for line := range strings.Lines(stdout.String()) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e["time"] != "2026-01-02T03:04:05Z" {
			t.Errorf("time %v", e["time"])
		}
		actions = append(actions, e["action"].(string))
	}
	if got := strings.Join(actions, " "); got != "test skip test finding finding path summary summary" {
		t.Errorf("actions %s", got)
	}
	for _, want := range []string{
		`"action":"path","package":"m/p","func":"F","stop":"return","condition":"n < 0 && b","inputs":["-1","true"],"results":["0"]}`,
		`"action":"summary","verb":"gen","package":"","tests":1,"elapsed_s":1.25}`,
		`"provisional":true`,
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("no %s in\n%s", want, stdout.String())
		}
	}
	if !strings.HasPrefix(stderr.String(), "p/a.go:3:4: undefined: x\n") {
		t.Errorf("stderr %q", stderr.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestJSONWriteError(t *testing.T) {
	r := NewJSON(broken{}, NewText(broken{}, broken{}, "/", false, false))
	r.Event(event.Skip{Package: "m/p", Reason: "none"})
	if err := r.Err(); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("Err() = %v", err)
	}
}
