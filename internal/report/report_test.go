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
		event.Finding{Package: "m/p", Func: "G", Kind: "nil-dereference", Severity: "error", Message: "panics: nil", Pos: "/w/p/a.go:7:2", Test: "TestG_bug1", File: "/w/p/a_assay_bug_test.go", Evidence: "G takes any text", Doors: []string{"G", "G2"}},
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
p/a.go:7:2: error: G panics: nil (TestG_bug1); G takes any text; also through G2
`
	if got := stdout.String(); got != wantOut {
		t.Errorf("stdout:\n%s\nwant:\n%s", got, wantOut)
	}
	if got := stderr.String(); got != wantErr {
		t.Errorf("stderr:\n%s\nwant:\n%s", got, wantErr)
	}
}

// On a terminal errors come first, one line each; warnings, notes, functions without tests and
// misuse are counted.
func TestTextBrief(t *testing.T) {
	all := []event.Event{
		event.Skip{Package: "m/p", Func: "A", Reason: "there was no time left"},
		event.Finding{Package: "m/p", Func: "F", Severity: "error", Message: "panics: e", Pos: "/w/p/a.go:1", Evidence: "why"},
		event.Finding{Package: "m/p", Func: "G", Severity: "warning", Message: "panics: w", Pos: "/w/p/a.go:2"},
		event.Finding{Package: "m/p", Func: "H", Severity: "warning", Message: "panics: w", Pos: "/w/p/a.go:3"},
		event.Finding{Package: "m/p", Func: "I", Severity: "note", Message: "panics: n", Pos: "/w/p/a.go:4"},
		event.Skip{Package: "m/p", Func: "B", Reason: "there was no time left"},
		event.Skip{Package: "m/p", Func: "init", Reason: "init runs before every test"},
		event.Summary{Verb: "gen", Package: "m/p", Misuse: number(3), Misused: map[string]int{"nil arguments": 2, "channels": 2, "sizes": 1}, ElapsedS: 1},
		event.Skip{Package: "m/q", Func: "B", Reason: "there was no time left"},
		event.Summary{Verb: "gen", Package: "m/q", ElapsedS: 1},
	}
	tests := []struct {
		name              string
		terminal, verbose bool
		out, err          string
	}{
		{"terminal", true, false, `m/p: 1 error, 2 warnings, 1 note; -v lists them
m/p: no test for 2 functions: there was no time left; -v lists them
m/p: no test for init: init runs before every test
m/p: misuse: 2 functions fail on channels, 2 on nil arguments, 1 on sizes; -misuse lists them
m/p: 1.0s
m/q: no test for B: there was no time left
m/q: 1.0s
`, "p/a.go:1: error: F panics: e; why\n"},
		{"terminal, all", true, true, `m/p: no test for A: there was no time left
m/p: no test for B: there was no time left
m/p: no test for init: init runs before every test
m/p: misuse: 2 functions fail on channels, 2 on nil arguments, 1 on sizes; -misuse lists them
m/p: 1.0s
m/q: no test for B: there was no time left
m/q: 1.0s
`, `p/a.go:1: error: F panics: e; why
p/a.go:2: warning: G panics: w
p/a.go:3: warning: H panics: w
p/a.go:4: note: I panics: n
`},
		{"file", false, false, `m/p: no test for A: there was no time left
m/p: no test for B: there was no time left
m/p: no test for init: init runs before every test
m/p: misuse: 2 functions fail on channels, 2 on nil arguments, 1 on sizes; -misuse lists them
m/p: 1.0s
m/q: no test for B: there was no time left
m/q: 1.0s
`, `p/a.go:1: error: F panics: e; why
p/a.go:2: warning: G panics: w
p/a.go:3: warning: H panics: w
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			r := NewText(&stdout, &stderr, "/w", tt.verbose, tt.terminal)
			for _, e := range all {
				r.Event(e)
			}
			if got := stdout.String(); got != tt.out {
				t.Errorf("stdout:\n%s\nwant:\n%s", got, tt.out)
			}
			if got := stderr.String(); got != tt.err {
				t.Errorf("stderr:\n%s\nwant:\n%s", got, tt.err)
			}
		})
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
