package report

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

func counted(n int) *int { return &n }

// The table fits into every terminal that has room for a name, and drops columns for it.
func TestPackageTable(t *testing.T) {
	percent := 87.5
	var packages []event.Summary
	for _, name := range []string{"example.com/short", "example.com/a/very/long/path/of/a/package/that/goes/on/and/on/and/on"} {
		packages = append(packages, event.Summary{Package: name, Tests: counted(12), Findings: counted(1), Functions: counted(1234), Coverage: &percent, Mutation: &percent, ElapsedS: 1.25})
	}
	total := event.Summary{Tests: counted(24), Findings: counted(2), Functions: counted(2468), ElapsedS: 3}
	for _, tt := range []struct {
		width   int
		has     string
		without string
	}{{200, "seconds", "proved"}, {80, "covered", "seconds"}, {40, "findings", "covered"}} {
		got := packageTable(packages, total, tt.width)
		for line := range strings.Lines(got) {
			if w := lipgloss.Width(strings.TrimRight(line, "\n")); w > tt.width {
				t.Errorf("a line of %d columns of %d: %s", w, tt.width, line)
			}
		}
		if !strings.Contains(got, tt.has) || strings.Contains(got, tt.without) || !strings.Contains(got, "on/and/on") || !strings.Contains(got, "all") {
			t.Errorf("at %d:\n%s", tt.width, got)
		}
	}
}

// On a terminal the run ends with a table, and severities have colours unless NO_COLOR is set.
func TestTerminal(t *testing.T) {
	for _, noColour := range []string{"", "1"} {
		t.Run("NO_COLOR="+noColour, func(t *testing.T) {
			t.Setenv("NO_COLOR", noColour)
			t.Setenv("TERM", "xterm-256color")
			var out, err strings.Builder
			r := NewText(&out, &err, "/w", false, true)
			r.Terminal(100)
			r.Event(event.Finding{Package: "m/p", Func: "F", Severity: testcase.Error, Message: "panics", Pos: "/w/p.go:1"})
			for i := range 2 {
				r.Event(event.Summary{Verb: "gen", Package: fmt.Sprintf("m/p%d", i), Tests: counted(i)})
			}
			r.Event(event.Summary{Verb: "gen", Tests: counted(1)})
			if got := strings.Contains(err.String(), "\x1b["); got != (noColour == "") {
				t.Errorf("colours: %v in %q", got, err.String())
			}
			if !strings.Contains(out.String(), "│ m/p0") || !strings.Contains(out.String(), "│ all") {
				t.Errorf("no table in\n%s", out.String())
			}
		})
	}
}
