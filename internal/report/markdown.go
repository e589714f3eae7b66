package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/goassay/assay/internal/event"
)

// Markdown collects the events about two versions and writes a comment for a pull request: short, with folded
// details, and of bounded length. Events that the comment does not have go to the text reporter.
type Markdown struct {
	out      io.Writer
	rest     *Text
	versions event.Versions
	packages []comparedPackage
	now      comparison
	gone     []event.Unpaired
	err      error
}

// comparedPackage holds the events about one package.
type comparedPackage struct {
	path string
	comparison
	summary event.Summary
}

// mostMarkdown is how many lines a comment may have. Nobody reads a longer one.
const mostMarkdown = 200

// NewMarkdown returns a reporter that writes to out when it is closed.
func NewMarkdown(out io.Writer, rest *Text) *Markdown { return &Markdown{out: out, rest: rest} }

// Event reports an event.
func (m *Markdown) Event(e event.Event) {
	if m.now.take(e) {
		return
	}
	switch e := e.(type) {
	case event.Versions:
		m.versions = e
	case event.Summary:
		if e.Package != "" {
			m.packages = append(m.packages, comparedPackage{e.Package, m.now, e})
			m.now = comparison{}
		}
	case event.Diagnostic, event.Progress, event.Debug, event.Confinement:
		m.rest.Event(e)
	}
}

// Close writes the comment.
func (m *Markdown) Close() {
	m.gone = m.now.unpaired // packages without a summary
	lines := m.lines()
	if len(lines) > mostMarkdown {
		left := len(lines) - mostMarkdown + 3
		lines = append(lines[:mostMarkdown-3], "", fmt.Sprintf("… and %d more lines: `assay diff` shows all.", left), "")
	}
	_, m.err = io.WriteString(m.out, strings.Join(lines, "\n")+"\n")
}

// Err returns the error of writing.
func (m *Markdown) Err() error {
	if m.err != nil {
		return fmt.Errorf("writing the comment: %w", m.err)
	}
	return nil
}

// lines returns the comment. Differences that no test notices come first.
func (m *Markdown) lines() []string {
	differences, unnoticed, equal, bounded := 0, 0, 0, 0
	for _, p := range m.packages {
		for _, d := range p.differences {
			differences++
			if len(d.NoticedBy) == 0 {
				unnoticed++
			}
		}
		for _, s := range p.same {
			if s.Verdict == event.Proved {
				equal++
			} else {
				bounded++
			}
		}
	}
	head := fmt.Sprintf("### What changes: %s → %s", m.versions.Old, m.versions.New)
	if m.versions.Old == "" {
		head = "### What changes"
	}
	summary := "No function behaves differently in what was tried."
	switch {
	case differences > 0:
		summary = fmt.Sprintf("**%s**, of which no hand-written test notices %d.", count(differences, "difference", "differences"), unnoticed)
	case equal+bounded == 0:
		summary = "No function that users can call has changed, nor what such functions reach."
	}
	if equal+bounded > 0 {
		summary += fmt.Sprintf(" Of the other changed functions %d %s proved equal, and %d showed no difference.", equal, isOrAre(equal), bounded)
	}
	out := []string{head, "", summary, ""}
	for _, p := range m.packages {
		out = append(out, p.markdown()...)
	}
	for _, u := range m.gone {
		out = append(out, "- "+unpairedLine(u))
	}
	return out
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// markdown returns the part of a comment that is about a package, or nothing if there is nothing to say.
func (p *comparedPackage) markdown() []string {
	if len(p.differences)+len(p.same)+len(p.added)+len(p.unpaired) == 0 {
		return nil
	}
	out := []string{"#### `" + p.path + "`", ""}
	if len(p.differences) > 0 {
		out = append(out, "| function | what | input | before | after | noticed by |", "|---|---|---|---|---|---|")
		for _, d := range p.differences {
			tests := "no test"
			if len(d.NoticedBy) > 0 {
				tests = strings.TrimPrefix(noticedBy(d), "noticed by ")
			}
			out = append(out, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", code(d.Func), cell(headline(d)), code(d.Input), code(d.Before), code(d.After), cell(tests)))
		}
		out = append(out, "")
		var causes []string
		for _, d := range p.differences {
			for i, line := range causeLines(d) {
				line = strings.ReplaceAll(line, "\n", " ")
				if i > 0 {
					causes = append(causes, "  - "+line)
				} else {
					causes = append(causes, fmt.Sprintf("- %s: %s", code(d.Func), line))
				}
			}
		}
		out = append(out, folded("Where the differences come from", causes)...)
	}
	var same []string
	for _, s := range p.same {
		same = append(same, "- "+cell(sameLine(s)))
	}
	out = append(out, folded(count(len(p.same), "changed function without a difference", "changed functions without a difference"), same)...)
	var added []string
	for _, a := range p.added {
		added = append(added, fmt.Sprintf("- %s: %s", code(a.Func), count(a.Cases, "case", "cases")))
		for _, s := range a.Shown {
			added = append(added, "  - "+cell(addedLine(s)))
		}
	}
	out = append(out, folded(count(len(p.added), "new function", "new functions"), added)...)
	var unpaired []string
	for _, u := range p.unpaired {
		unpaired = append(unpaired, "- "+cell(unpairedLine(u)))
	}
	return append(out, folded("Not compared", unpaired)...)
}

// folded returns a list that readers can unfold, or nothing for an empty list.
func folded(title string, lines []string) []string {
	const most = 40
	if len(lines) == 0 {
		return nil
	}
	if len(lines) > most {
		lines = append(lines[:most:most], fmt.Sprintf("- … and %d more", len(lines)-most))
	}
	out := append([]string{"<details><summary>" + title + "</summary>", ""}, lines...)
	return append(out, "", "</details>", "")
}

// code returns a text as code within a cell.
func code(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	pad := ""
	if len(fence) > 1 {
		pad = " "
	}
	return fence + pad + cell(s) + pad + fence
}

// cell returns a text that stays within a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
