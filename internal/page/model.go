package page

import (
	"cmp"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
)

// Bounds of a page.
const (
	maxLines    = 12_000 // lines of source
	maxFuncs    = 5_000
	maxCases    = 60 // cases of a function
	maxFindings = 500
)

// pkg is the content of a package's page.
type pkg struct {
	Path     string
	Verb     string
	Version  string
	Summary  event.Summary
	Findings []findingView
	Files    []fileView
	Funcs    []*funcView
	Drawings []drawingsView
	LeftOut  []string // files and lists for which the page has no room

	findings    []event.Finding
	tests       []event.Test
	cases       []event.Case
	paths       []event.Path
	mutants     []event.Mutant
	drawn       []event.Drawn
	unreachable []event.Unreachable
	assertions  []event.Assertion
	skips       []event.Skip
	coverage    event.Coverage
	written     map[string][]byte
}

// funcView is a function with everything known about it.
type funcView struct {
	Name       string
	ID         string
	Rows       []rowView
	More       int // how many rows are left out
	Tests      []testView
	Findings   []findingView
	Skip       string
	Killed     int
	Survivors  []event.Mutant
	Proved     int
	Assertions []event.Assertion // assertions that are not proved
}

// rowView is a path or a case.
type rowView struct {
	Condition, Inputs, Outcome, Test, Row, TestID string
}

// testView is a test with its source.
type testView struct {
	Name, ID string
	Code     template.HTML
}

// findingView is a finding with its test.
type findingView struct {
	event.Finding
	Place string
	Link  string // the link to its line, or "" if the page does not have the line
	Code  template.HTML
}

// drawingsView is the drawings of a kind: "states" or "structures".
type drawingsView struct {
	Kind string
	All  []drawingView
}

// drawingView is a drawing.
type drawingView struct {
	Title string
	SVG   template.HTML
}

// fileView is a source file.
type fileView struct {
	Name, ID string
	Lines    []lineView
	Covered  int // covered lines, out of Total lines with statements
	Total    int
}

// chunk is how many lines of source are laid out together. A browser lays out those chunks alone that are on the
// screen, and knows the height of the others by the number of their lines.
const chunk = 100

// Chunks returns the lines in chunks.
func (f fileView) Chunks() [][]lineView { return slices.Collect(slices.Chunk(f.Lines, chunk)) }

// lineView is a line of source. State is "covered", "uncovered", "unreachable" or "".
type lineView struct {
	Number int
	ID     string
	Code   template.HTML
	State  string
	Notes  []string // surviving mutants on the line, and outcomes that are impossible
	Mutant bool
	Bug    bool
}

// fill makes the views from the events.
func (p *pkg) fill(paint *painter) {
	byName := make(map[string]*funcView)
	of := func(name string) *funcView {
		f := byName[name]
		if f == nil {
			f = &funcView{Name: name, ID: "f-" + anchor(name)}
			byName[name] = f
			p.Funcs = append(p.Funcs, f)
		}
		return f
	}
	sources := make(map[string]string) // the source of tests, by name
	for name, content := range p.written {
		for test, code := range functionsOf(content) {
			sources[filepath.Base(name)+" "+test] = code
		}
	}
	for _, t := range p.tests {
		f := of(t.Func)
		f.Tests = append(f.Tests, testView{t.Name, "t-" + anchor(t.Name), paint.colour(sources[filepath.Base(t.File)+" "+t.Name])})
	}
	for _, c := range p.cases {
		of(c.Func).add(c.Path, c.Test, c.Row)
	}
	for _, c := range p.paths {
		of(c.Func).add(c, "", "")
	}
	p.draw()
	lines := p.fillFiles(paint)
	for i, e := range p.findings {
		if i == maxFindings {
			p.LeftOut = append(p.LeftOut, fmt.Sprintf("%d findings", len(p.findings)-i))
			break
		}
		at := event.Place(e.Pos)
		v := findingView{Finding: e, Code: paint.colour(sources[filepath.Base(e.File)+" "+e.Test])}
		if at.Filename != "" {
			v.Place = fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
			if l := lines[at.Filename]; at.Line >= 1 && at.Line <= len(l) {
				v.Link = "#" + l[at.Line-1].ID
			}
		}
		p.Findings = append(p.Findings, v)
		f := of(e.Func)
		f.Findings = append(f.Findings, v)
	}
	for _, s := range p.skips {
		if s.Func != "" {
			of(s.Func).Skip = s.Reason
		}
	}
	for _, m := range p.mutants {
		f := of(m.Func)
		if m.Fate == event.Killed {
			f.Killed++
		} else {
			m.Pos = place(m.Pos)
			f.Survivors = append(f.Survivors, m)
		}
	}
	for _, a := range p.assertions {
		f := of(a.Func)
		if a.Verdict == event.Proved {
			f.Proved++
			continue
		}
		a.Pos = place(a.Pos)
		f.Assertions = append(f.Assertions, a)
	}
	slices.SortStableFunc(p.Findings, func(a, b findingView) int { return a.Severity.Rank() - b.Severity.Rank() })
	slices.SortStableFunc(p.Funcs, func(a, b *funcView) int { return cmp.Compare(a.Name, b.Name) })
	if n := len(p.Funcs) - maxFuncs; n > 0 {
		p.Funcs = p.Funcs[:maxFuncs]
		p.LeftOut = append(p.LeftOut, fmt.Sprintf("%d functions", n))
	}
}

// draw makes the drawings, by their kinds.
func (p *pkg) draw() {
	for i, d := range p.drawn {
		k := slices.IndexFunc(p.Drawings, func(v drawingsView) bool { return v.Kind == d.Kind })
		if k < 0 {
			k = len(p.Drawings)
			p.Drawings = append(p.Drawings, drawingsView{Kind: d.Kind})
		}
		v := drawingView{Title: d.Title, SVG: template.HTML(d.Graph.SVG(fmt.Sprintf("arrow%d", i)))}
		p.Drawings[k].All = append(p.Drawings[k].All, v)
	}
}

// add adds a path or case to a function.
func (f *funcView) add(p event.Path, test, row string) {
	if len(f.Rows) == maxCases {
		f.More++
		return
	}
	condition := cmp.Or(p.Condition, event.NoBranch)
	outcome := strings.Join(p.Results, ", ")
	if p.Stop != "return" && p.Stop != "" || outcome == "" {
		outcome = strings.TrimSpace(cmp.Or(p.Stop, "return") + " " + outcome)
	}
	r := rowView{Condition: clip(condition), Inputs: clip(p.InputText()), Outcome: clip(outcome), Test: test, Row: row}
	if test != "" {
		r.TestID = "t-" + anchor(test)
	}
	f.Rows = append(f.Rows, r)
}

// clip shortens a long text.
func clip(s string) string {
	if r := []rune(s); len(r) > 400 {
		return string(r[:400]) + "..."
	}
	return s
}

// place returns a position without the directory.
func place(pos string) string {
	at := event.Place(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
}

// anchor returns a name as part of an identifier.
func anchor(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '-'
	}, s)
}

// fillFiles makes the views of the source files, and returns their lines by file name.
func (p *pkg) fillFiles(paint *painter) map[string][]lineView {
	var names []string
	note := func(file string) {
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !slices.Contains(names, file) {
			names = append(names, file)
		}
	}
	for _, b := range p.coverage.Blocks {
		note(b.File)
	}
	for _, m := range p.mutants {
		note(event.Place(m.Pos).Filename)
	}
	for _, f := range p.findings {
		note(event.Place(f.Pos).Filename)
	}
	for _, a := range p.assertions {
		note(event.Place(a.Pos).Filename)
	}
	slices.Sort(names)
	out := make(map[string][]lineView)
	room := maxLines
	for i, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			p.LeftOut = append(p.LeftOut, filepath.Base(name)+" (it cannot be read)")
			continue
		}
		f := fileView{Name: filepath.Base(name), ID: fmt.Sprintf("s%d", i)}
		for n, code := range paint.lines(string(src)) {
			if room--; room < 0 {
				p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s from line %d on", f.Name, n+1))
				break
			}
			f.Lines = append(f.Lines, lineView{Number: n + 1, ID: fmt.Sprintf("%s-%d", f.ID, n+1), Code: code})
		}
		p.mark(name, &f)
		p.Files = append(p.Files, f)
		out[name] = f.Lines
	}
	return out
}

// mark notes for the lines of a file whether tests cover them, and the findings and mutants on them.
func (p *pkg) mark(name string, f *fileView) {
	line := func(n int) *lineView {
		if n < 1 || n > len(f.Lines) {
			return &lineView{} // the page leaves the line out
		}
		return &f.Lines[n-1]
	}
	for _, b := range p.coverage.Blocks {
		if b.File != name {
			continue
		}
		state := "uncovered"
		if b.Covered {
			state = "covered"
		}
		for n := b.Line; n <= b.EndLine; n++ {
			if l := line(n); l.State != "uncovered" && strings.TrimSpace(string(l.Code)) != "" {
				l.State = state
			}
		}
	}
	for _, l := range f.Lines {
		if l.State != "" {
			f.Total++
		}
		if l.State == "covered" {
			f.Covered++
		}
	}
	for _, u := range p.unreachable {
		if at := event.Place(u.Pos); at.Filename == name {
			l := line(at.Line)
			word := "not reached: "
			if u.Proved {
				word, l.State = "unreachable: ", "unreachable"
			}
			l.Notes = append(l.Notes, word+u.Condition)
		}
	}
	for _, m := range p.mutants {
		if at := event.Place(m.Pos); at.Filename == name && m.Fate == event.Survived {
			l := line(at.Line)
			l.Mutant = true
			l.Notes = append(l.Notes, "no test notices: "+m.Text)
		}
	}
	for _, e := range p.findings {
		if at := event.Place(e.Pos); at.Filename == name && e.Severity != testcase.Note {
			l := line(at.Line)
			l.Bug = true
			l.Notes = append(l.Notes, string(e.Severity)+": "+e.Func+" "+e.Message)
		}
	}
}

// functionsOf returns the source of the functions in a file, by name. The file is formatted by gofmt.
func functionsOf(src []byte) map[string]string {
	out := make(map[string]string)
	lines := strings.Split(string(src), "\n")
	for i := 0; i < len(lines); i++ {
		rest, ok := strings.CutPrefix(lines[i], "func ")
		name, _, open := strings.Cut(rest, "(")
		if !ok || !open || name == "" {
			continue
		}
		from := i
		for from > 0 && strings.HasPrefix(lines[from-1], "//") {
			from--
		}
		for i < len(lines)-1 && lines[i] != "}" && !(strings.HasSuffix(lines[i], "}") && i == from) {
			i++
		}
		out[name] = strings.Join(lines[from:i+1], "\n")
	}
	return out
}
