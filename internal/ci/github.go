package ci

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of the output. GitHub shows ten annotations of each level for a step, and refuses summaries of more
// than a megabyte.
const (
	maxAnnotations = 10
	maxRows        = 50
	maxSummary     = 900_000
)

// GitHub prints annotations as they come, and collects the summary of a job.
type GitHub struct {
	out      io.Writer
	root     string
	shown    map[string]int // annotations by level
	packages []*summarised
	total    event.Summary
}

// summarised is a package in the summary.
type summarised struct {
	path     string
	findings []event.Finding
	changed  []event.Changed
	problems []string
	summary  *event.Summary
}

// NewGitHub returns a reporter that prints annotations to out. File names are shown relative to
// root, an absolute directory.
func NewGitHub(out io.Writer, root string) *GitHub {
	return &GitHub{out: out, root: root, shown: make(map[string]int)}
}

// Event reports an event.
func (g *GitHub) Event(e event.Event) {
	switch e := e.(type) {
	case event.Finding:
		if e.Severity != testcase.Error && e.Severity != testcase.Warning {
			return
		}
		p := g.of(e.Package)
		p.findings = append(p.findings, e)
		text := e.Func + " " + e.Message
		if len(e.Calls) > 0 {
			text += "\n" + strings.Join(e.Calls, "\n")
		}
		if e.Evidence != "" {
			text += "\n" + e.Evidence
		}
		g.annotate(string(e.Severity), e.Pos, e.Kind, text)
	case event.Changed:
		p := g.of(e.Package)
		p.changed = append(p.changed, e)
		g.annotate("error", e.File, "behaviour has changed", fmt.Sprintf("%s %s", e.Test, changeText(e)))
	case event.Diagnostic:
		if !e.Warning {
			pos := ""
			if e.Pos.Filename != "" {
				pos = e.Pos.String()
			}
			p := g.of("")
			p.problems = append(p.problems, strings.TrimPrefix(g.place(pos)+": ", ": ")+e.Message)
			g.annotate("error", pos, "assay", e.Message)
		}
	case event.Summary:
		if e.Package == "" {
			g.total = e
			return
		}
		g.of(e.Package).summary = &e
	}
}

func changeText(e event.Changed) string {
	if e.Call == "" {
		return e.After
	}
	return fmt.Sprintf("%s is %s, was %s", e.Call, e.After, e.Before)
}

// of returns the entry of a package. It makes one if there is none.
func (g *GitHub) of(path string) *summarised {
	for _, p := range g.packages {
		if p.path == path {
			return p
		}
	}
	p := &summarised{path: path}
	g.packages = append(g.packages, p)
	return p
}

// annotate prints a workflow command, unless enough of its level were printed.
func (g *GitHub) annotate(level, pos, title, text string) {
	g.shown[level]++
	if g.shown[level] > maxAnnotations {
		return
	}
	var properties []string
	if at := event.Place(pos); at.Filename != "" {
		properties = append(properties, "file="+property(g.relative(at.Filename)))
		if at.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", at.Line))
		}
		if at.Column > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", at.Column))
		}
	}
	properties = append(properties, "title="+property(title))
	// If the log cannot be written to, there is no place to report this.
	_, _ = fmt.Fprintf(g.out, "::%s %s::%s\n", level, strings.Join(properties, ","), data(text))
}

// data escapes the text of a workflow command, and property escapes the value of a property.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// relative returns a file's name as the repository has it.
func (g *GitHub) relative(name string) string {
	if rel, err := filepath.Rel(g.root, name); err == nil && filepath.IsAbs(name) && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(rel)
	}
	return name
}

// place returns a position as the repository has it.
func (g *GitHub) place(pos string) string {
	at := event.Place(pos)
	if at.Filename == "" {
		return ""
	}
	at.Filename, at.Column = g.relative(at.Filename), 0
	return at.String()
}

// Write ends the annotations and writes the summary in Markdown.
func (g *GitHub) Write(summary io.Writer) error {
	for _, level := range []string{"error", "warning"} {
		if n := g.shown[level] - maxAnnotations; n > 0 {
			_, _ = fmt.Fprintf(g.out, "::notice title=assay::%d more of level %s are in the summary of the job\n", n, level) // as above
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## assay %s\n\n", g.total.Verb)
	g.table(&b)
	for _, p := range g.packages {
		g.details(&b, p)
		if b.Len() > maxSummary {
			cut := b.String()[:maxSummary]
			b.Reset()
			b.WriteString(cut[:strings.LastIndexByte(cut, '\n')+1] + "\nThe rest is left out: a summary has a megabyte at most.\n")
			break
		}
	}
	_, err := io.WriteString(summary, b.String())
	return err
}

// table is a row for each package.
func (g *GitHub) table(b *strings.Builder) {
	b.WriteString("| package | functions | tests | findings | statements | mutants killed | seconds |\n|---|--:|--:|--:|--:|--:|--:|\n")
	row := func(name string, s event.Summary) {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %.1f |\n", cell(name), count(s.Functions), count(s.Tests), count(s.Findings),
			percent(s.Coverage), percent(s.Mutation), s.ElapsedS)
	}
	rows := 0
	for _, p := range g.packages {
		if p.summary == nil {
			continue
		}
		if rows++; rows <= 4*maxRows {
			row(p.path, *p.summary)
		}
	}
	if rows > 4*maxRows {
		fmt.Fprintf(b, "| %d more packages | | | | | | |\n", rows-4*maxRows)
	}
	if rows > 1 {
		row("all", g.total)
	}
	b.WriteString("\n")
}

// details are the findings and changes of a package, folded.
func (g *GitHub) details(b *strings.Builder, p *summarised) {
	for i, text := range p.problems {
		if i == maxRows {
			fmt.Fprintf(b, "- and %d more\n", len(p.problems)-i)
			break
		}
		fmt.Fprintf(b, "- %s\n", cell(text))
	}
	if len(p.findings) == 0 && len(p.changed) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>%s: %d findings, %d changes</summary>\n\n", cell(p.path), len(p.findings), len(p.changed))
	for i, f := range p.findings {
		if i == maxRows {
			fmt.Fprintf(b, "- and %d more\n", len(p.findings)-i)
			break
		}
		fmt.Fprintf(b, "- **%s** `%s` %s %s", f.Severity, cell(g.place(f.Pos)), cell(f.Func), cell(f.Message))
		if f.Evidence != "" {
			fmt.Fprintf(b, "; %s", cell(f.Evidence))
		}
		if f.Test != "" {
			fmt.Fprintf(b, " (`%s`)", f.Test)
		}
		b.WriteString("\n")
		if len(f.Calls) > 0 {
			b.WriteString("\n  ```go\n")
			for _, c := range f.Calls[:min(len(f.Calls), maxRows)] {
				fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(c, "```", "` ` `"))
			}
			b.WriteString("  ```\n")
		}
	}
	for i, c := range p.changed {
		if i == maxRows {
			fmt.Fprintf(b, "- and %d more\n", len(p.changed)-i)
			break
		}
		fmt.Fprintf(b, "- behaviour of %s has changed: `%s` (`%s`)\n", cell(c.Func), strings.ReplaceAll(cell(changeText(c)), "`", "'"), c.Test)
	}
	b.WriteString("\n</details>\n")
}

// cell is a text that neither ends a cell of a table nor is markup.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ", "<", "&lt;", "&", "&amp;").Replace(s)
}

func count(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

func percent(p *float64) string {
	if p == nil {
		return ""
	}
	return fmt.Sprintf("%.1f %%", *p)
}
