package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/goassay/assay/internal/event"
)

// comparison collects the events about two versions of a package until the package is done.
type comparison struct {
	differences []event.Difference
	same        []event.Same
	added       []event.Added
	unpaired    []event.Unpaired
}

// take keeps an event if it is about a comparison, and reports whether it is.
func (c *comparison) take(e event.Event) bool {
	switch e := e.(type) {
	case event.Difference:
		c.differences = append(c.differences, e)
	case event.Same:
		c.same = append(c.same, e)
	case event.Added:
		c.added = append(c.added, e)
	case event.Unpaired:
		c.unpaired = append(c.unpaired, e)
	default:
		return false
	}
	return true
}

// functions returns the functions with differences, in the order of their first difference.
func (c *comparison) functions() []string {
	var out []string
	seen := map[string]bool{}
	for _, d := range c.differences {
		if !seen[d.Func] {
			seen[d.Func] = true
			out = append(out, d.Func)
		}
	}
	return out
}

// text writes a table for each function with differences, followed by a line for each other function.
func (c *comparison) text(out *strings.Builder, verbose bool) {
	for _, fn := range c.functions() {
		fmt.Fprintf(out, "%s\n", fn)
		for _, d := range c.differences {
			if d.Func == fn {
				writeDifference(out, d)
			}
		}
	}
	bounded := 0
	for _, s := range c.same {
		if s.Verdict != event.Proved && !verbose {
			bounded++
			if bounded > mostLines {
				continue
			}
		}
		out.WriteString(sameLine(s) + "\n")
	}
	if bounded > mostLines {
		fmt.Fprintf(out, "... and %d more functions without a difference in what was run (-v lists them)\n", bounded-mostLines)
	}
	for i, a := range c.added {
		if i >= mostLines && !verbose {
			fmt.Fprintf(out, "... and %d more new functions (-v lists them)\n", len(c.added)-mostLines)
			break
		}
		fmt.Fprintf(out, "%s: new, %s\n", a.Func, count(a.Cases, "case", "cases"))
		for _, s := range a.Shown {
			out.WriteString("\t" + addedLine(s) + "\n")
		}
	}
	for i, u := range c.unpaired {
		if i >= mostLines && !verbose {
			fmt.Fprintf(out, "... and %d more functions that are in one version only (-v lists them)\n", len(c.unpaired)-mostLines)
			break
		}
		out.WriteString(unpairedLine(u) + "\n")
	}
}

// mostLines is how many functions without a difference are listed.
const mostLines = 20

// narrow is how wide a cell of a table may be. Wider cells get lines of their own.
const narrow = 36

// writeDifference writes a row with the kind, the input, and the outcome before and after, and below it
// the changed place and the tests that notice the difference.
func writeDifference(out *strings.Builder, d event.Difference) {
	wide := false
	for _, s := range []string{d.Input, d.Before, d.After} {
		wide = wide || utf8.RuneCountInString(s) > narrow
	}
	if wide {
		fmt.Fprintf(out, "\t%s\n\t\tinput   %s\n\t\tbefore  %s\n\t\tafter   %s\n", headline(d), d.Input, d.Before, d.After)
	} else {
		var row strings.Builder
		w := tabwriter.NewWriter(&row, 0, 8, 2, ' ', 0)
		fmt.Fprintf(w, "%s\t%s\t%s → %s\n", headline(d), d.Input, d.Before, d.After)
		_ = w.Flush() // writing to memory does not fail
		out.WriteString("\t" + row.String())
	}
	for i, line := range causeLines(d) {
		label := "cause"
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(out, "\t\t%-5s   %s\n", label, line)
	}
	if len(d.Doors) > 0 {
		fmt.Fprintf(out, "\t\talso    %s\n", strings.Join(d.Doors, ", "))
	}
	fmt.Fprintf(out, "\t\t%s\n", noticedBy(d))
	if d.Test != "" {
		fmt.Fprintf(out, "\t\twritten %s in %s\n", d.Test, filepath.Base(d.File))
	}
}

// mostCauses is how many places are named of which each may be the cause.
const mostCauses = 4

// causeLines returns the place that a difference is due to, or those of which it is not known which it is.
func causeLines(d event.Difference) []string {
	if d.Cause == "" {
		return nil
	}
	if len(d.OtherCauses) == 0 {
		return []string{d.Cause}
	}
	out := append([]string{fmt.Sprintf("one of %d places, which were not told apart:", 1+len(d.OtherCauses)), d.Cause}, d.OtherCauses...)
	if left := len(out) - 1 - mostCauses; left > 1 {
		out = append(out[:1+mostCauses:1+mostCauses], fmt.Sprintf("and %d more", left))
	}
	return out
}

// headline returns the kind of a difference, and how bad it is.
func headline(d event.Difference) string {
	text := string(d.Severity) + ": " + d.Kind
	if d.Misuse != "" {
		text += " (" + d.Misuse + ")"
	}
	return text
}

// noticedBy says which tests notice a difference.
func noticedBy(d event.Difference) string {
	const most = 4
	switch n := len(d.NoticedBy); {
	case n == 0:
		return "no hand-written test notices it"
	case n > most:
		return fmt.Sprintf("noticed by %s and %d more", strings.Join(d.NoticedBy[:most], ", "), n-most)
	}
	return "noticed by " + strings.Join(d.NoticedBy, ", ")
}

// sameLine returns the line for a function without differences.
func sameLine(s event.Same) string {
	if s.Verdict == event.Proved {
		within := ""
		if s.Within != "" {
			within = ", within " + s.Within
		}
		how := count(s.Paths, "pair of paths", "pairs of paths") + " compared"
		if s.Paths == 0 {
			how = "its code does the same, step by step"
		}
		return fmt.Sprintf("%s: equal, proved (%s)%s", s.Func, how, within)
	}
	line := fmt.Sprintf("%s: no difference in %s", s.Func, count(s.Cases, "case", "cases"))
	if s.Paths > 0 {
		line += " and " + count(s.Paths, "pair of paths", "pairs of paths")
	}
	if s.Left != "" {
		line += "; not proved: " + s.Left
	}
	return line
}

// addedLine returns the line for an input of a new function, with the outcome.
func addedLine(s event.AddedCase) string {
	if s.Severity != "" {
		return fmt.Sprintf("%s: %s  %s (%s)", s.Severity, s.Input, s.Outcome, s.Evidence)
	}
	return s.Input + "  " + s.Outcome
}

func unpairedLine(u event.Unpaired) string {
	if u.Func == "" {
		return fmt.Sprintf("package %s: %s", u.Package, u.Reason)
	}
	return fmt.Sprintf("%s: %s", u.Func, u.Reason)
}

// count returns a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// compared returns the parts of a summary that are about two versions.
func compared(e event.Summary) []string {
	var out []string
	if e.Differences != nil {
		out = append(out, count(*e.Differences, "difference", "differences"))
	}
	if e.Unnoticed != nil && *e.Unnoticed > 0 {
		out = append(out, fmt.Sprintf("%d of them noticed by no hand-written test", *e.Unnoticed))
	}
	if e.Equal != nil && *e.Equal > 0 {
		out = append(out, count(*e.Equal, "function proved equal", "functions proved equal"))
	}
	return out
}
