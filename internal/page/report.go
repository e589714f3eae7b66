package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/wholefile"
)

//go:embed templates
var files embed.FS

// Report collects the content of a directory of pages.
type Report struct {
	version  string
	packages []*pkg
	total    event.Summary
	problems []string
}

// New returns an empty report. The parameter version is assay's own version.
func New(version string) *Report { return &Report{version: version} }

// of returns the page of a package. It makes one if there is none.
func (r *Report) of(path string) *pkg {
	i := slices.IndexFunc(r.packages, func(p *pkg) bool { return p.Path == path })
	if i >= 0 {
		return r.packages[i]
	}
	p := &pkg{Path: path, Version: r.version, written: make(map[string][]byte)}
	r.packages = append(r.packages, p)
	return p
}

// Event collects an event.
func (r *Report) Event(e event.Event) {
	switch e := e.(type) {
	case event.Test:
		if !e.Provisional {
			p := r.of(e.Package)
			p.tests = append(p.tests, e)
		}
	case event.Finding:
		p := r.of(e.Package)
		p.findings = append(p.findings, e)
	case event.Case:
		p := r.of(e.Package)
		p.cases = append(p.cases, e)
	case event.Path:
		p := r.of(e.Package)
		p.paths = append(p.paths, e)
	case event.Mutant:
		p := r.of(e.Package)
		p.mutants = append(p.mutants, e)
	case event.Coverage:
		r.of(e.Package).coverage = e
	case event.Written:
		r.of(e.Package).written[e.File] = e.Content
	case event.Drawn:
		p := r.of(e.Package)
		p.drawn = append(p.drawn, e)
	case event.Unreachable:
		p := r.of(e.Package)
		p.unreachable = append(p.unreachable, e)
	case event.Assertion:
		p := r.of(e.Package)
		p.assertions = append(p.assertions, e)
	case event.Skip:
		p := r.of(e.Package)
		p.skips = append(p.skips, e)
	case event.Diagnostic:
		if !e.Warning {
			text := e.Message
			if e.Pos.Filename != "" {
				text = e.Pos.String() + ": " + text
			}
			r.problems = append(r.problems, text)
		}
	case event.Summary:
		if e.Package == "" {
			r.total = e
			return
		}
		p := r.of(e.Package)
		p.Summary, p.Verb = e, e.Verb
	}
}

// FileName returns the name of a package's page.
func (p *pkg) FileName() string {
	return strings.ReplaceAll(anchor(strings.ReplaceAll(p.Path, "/", "_")), "..", "__") + ".html"
}

// index is the content of the first page.
type index struct {
	Version  string
	Verb     string
	Packages []*pkg
	Total    event.Summary
	Problems []string
	Trends   []trend
}

// Write writes the pages to a directory. It makes the directory if there is none. Pages of packages that the
// run was not about stay.
func (r *Report) Write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	t, err := template.New("").Funcs(template.FuncMap{
		"percent": func(p *float64) string {
			if p == nil {
				return ""
			}
			return fmt.Sprintf("%.1f %%", *p)
		},
		"noun": func(n int, singular string) string {
			if n == 1 {
				return singular
			}
			return singular + "s"
		},
		"count": func(n *int) string {
			if n == nil {
				return ""
			}
			return fmt.Sprint(*n)
		},
		"lines": func(all []string) string { return strings.Join(all, "\n") },
		"file":  filepath.Base,
		"title": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	}).ParseFS(files, "templates/*")
	if err != nil {
		return err
	}
	paint, err := newPainter()
	if err != nil {
		return err
	}
	slices.SortFunc(r.packages, func(a, b *pkg) int { return strings.Compare(a.Path, b.Path) })
	for _, p := range r.packages {
		p.fill(paint)
		if err := write(t, dir, p.FileName(), "package.html", p); err != nil {
			return err
		}
	}
	trends, err := updateTrends(dir, r.packages)
	if err != nil {
		return err
	}
	return write(t, dir, "index.html", "index.html", index{r.version, r.total.Verb, r.packages, r.total, r.problems, trends})
}

// write writes a page by a rename.
func write(t *template.Template, dir, name, from string, data any) error {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, from, data); err != nil {
		return err
	}
	return wholefile.Replace(filepath.Join(dir, name), b.Bytes())
}
