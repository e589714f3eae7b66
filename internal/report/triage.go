package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// triage puts in order what a person has to look at. On a terminal the errors of a package get a line
// each, and the rest is counted when the package is done. Elsewhere, and with -v, each finding and each
// function without a test gets a line.
type triage struct {
	brief   bool
	counts  map[testcase.Severity]int // findings, also those with lines of their own
	reasons map[string][]string       // functions without a test, by reason
	order   []string                  // the reasons in the order of their first occurrence
}

// finding returns the line of a finding, or "" if it gets none here.
func (t *Text) finding(e event.Finding) string {
	if e.Asserted {
		return ""
	}
	if t.triage.counts == nil {
		t.triage.counts = make(map[testcase.Severity]int)
	}
	t.triage.counts[e.Severity]++
	switch {
	case e.Severity == testcase.Note && !t.verbose:
		return ""
	case e.Severity == testcase.Warning && t.triage.brief:
		return ""
	}
	place := t.relPos(e.Pos)
	if place == "" {
		place = e.Package
	}
	line := fmt.Sprintf("%s: %s: %s %s", place, t.severity(e.Severity), e.Func, e.Message)
	if e.Test != "" {
		line += fmt.Sprintf(" (%s)", e.Test)
	}
	if e.Evidence != "" {
		line += "; " + e.Evidence
	}
	if others := slices.DeleteFunc(slices.Clone(e.Doors), func(d string) bool { return d == e.Func }); len(others) > 0 {
		line += "; also through " + names(others)
	}
	return line + "\n"
}

// names lists names. If there are many, it lists the first three.
func names(all []string) string {
	if len(all) > 4 {
		return fmt.Sprintf("%s and %d others", strings.Join(all[:3], ", "), len(all)-3)
	}
	return strings.Join(all, ", ")
}

// skip returns the line that says why a function has no test, or "" if it is only counted.
func (t *Text) skip(e event.Skip) string {
	if e.Func == "" {
		return fmt.Sprintf("%s: no tests: %s\n", e.Package, e.Reason)
	}
	if e.Pos != "" {
		return fmt.Sprintf("%s: no test for %s: %s\n", t.relPos(e.Pos), e.Func, e.Reason)
	}
	if !t.triage.brief {
		return fmt.Sprintf("%s: no test for %s: %s\n", e.Package, e.Func, e.Reason)
	}
	if t.triage.reasons == nil {
		t.triage.reasons = make(map[string][]string)
	}
	if len(t.triage.reasons[e.Reason]) == 0 {
		t.triage.order = append(t.triage.order, e.Reason)
	}
	t.triage.reasons[e.Reason] = append(t.triage.reasons[e.Reason], e.Func)
	return ""
}

// countsOf returns the counts for a finished package.
func (t *Text) countsOf(e event.Summary) string {
	var b strings.Builder
	if t.triage.brief {
		var counts []string
		for _, s := range []testcase.Severity{testcase.Error, testcase.Warning, testcase.Note} {
			if n := t.triage.counts[s]; n > 0 {
				counts = append(counts, plural(n, string(s)))
			}
		}
		if t.triage.counts[testcase.Warning]+t.triage.counts[testcase.Note] > 0 {
			fmt.Fprintf(&b, "%s: %s; -v lists them\n", e.Package, strings.Join(counts, ", "))
		}
		for _, reason := range t.triage.order {
			fs := t.triage.reasons[reason]
			if len(fs) == 1 {
				fmt.Fprintf(&b, "%s: no test for %s: %s\n", e.Package, fs[0], reason)
				continue
			}
			fmt.Fprintf(&b, "%s: no test for %d functions: %s; -v lists them\n", e.Package, len(fs), reason)
		}
	}
	if t.triage.counts[testcase.Misuse] == 0 && len(e.Misused) > 0 {
		fmt.Fprintf(&b, "%s: misuse: %s; -misuse lists them\n", e.Package, misused(e.Misused))
	}
	t.triage = triage{brief: t.triage.brief}
	return b.String()
}

// misused says how many functions fail on each kind of misuse, the most frequent first.
func misused(by map[string]int) string {
	var whats []string
	for what := range by {
		whats = append(whats, what)
	}
	slices.SortFunc(whats, func(a, b string) int {
		if by[a] != by[b] {
			return by[b] - by[a]
		}
		return strings.Compare(a, b)
	})
	var parts []string
	for i, what := range whats {
		switch n := by[what]; {
		case i > 0:
			parts = append(parts, fmt.Sprintf("%d on %s", n, what))
		case n == 1:
			parts = append(parts, "1 function fails on "+what)
		default:
			parts = append(parts, fmt.Sprintf("%d functions fail on %s", n, what))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
