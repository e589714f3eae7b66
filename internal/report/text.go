package report

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/event"
)

// Text writes for people.
type Text struct {
	out, err   io.Writer
	dir        string // file names are shown relative to it
	verbose    bool
	progress   *progress // nil if stderr is no terminal
	packages   int
	quiet      bool // no summaries, because stdout is for a graph
	triage     triage
	unconfined bool // the user was told that nothing confines the code
	term       *terminal
	summaries  []event.Summary // of packages, for the table
	compared   comparison
}

// NewText returns a reporter that writes summaries to stdout and diagnostics to stderr, with file names
// relative to dir. With verbose it also shows each test when it is found. With terminal it keeps a line
// of progress on stderr and, without verbose, shows first what a person has to look at and only counts
// the rest.
func NewText(stdout, stderr io.Writer, dir string, verbose, terminal bool) *Text {
	t := &Text{out: stdout, err: stderr, dir: dir, verbose: verbose}
	if terminal {
		t.progress = newProgress(stderr)
		t.triage.brief = !verbose
	}
	return t
}

// Event reports an event.
func (t *Text) Event(e event.Event) {
	if p, ok := e.(event.Progress); ok {
		t.progress.update(p)
		return
	}
	switch e := e.(type) {
	case event.Annotated:
		t.quiet = true
	case event.States:
		t.quiet = t.quiet || e.Alone || strings.HasPrefix(e.Text, "digraph")
	case event.Structure:
		t.quiet = t.quiet || e.Dot != ""
	}
	var out, err strings.Builder
	t.format(e, &out, &err)
	if out.Len()+err.Len() == 0 {
		return
	}
	t.progress.clear()
	// If writing to the terminal fails, there is no place to report this.
	_, _ = io.WriteString(t.err, err.String())
	_, _ = io.WriteString(t.out, out.String())
}

// Close removes the line of progress, and reports packages without a summary.
func (t *Text) Close() {
	t.progress.clear()
	var out strings.Builder
	t.compared.text(&out, t.verbose)
	t.compared = comparison{}
	_, _ = io.WriteString(t.out, out.String()) // as in Event
}

func (t *Text) format(e event.Event, out, err *strings.Builder) {
	if t.compared.take(e) {
		return // the rest is shown when the package is summed up
	}
	switch e := e.(type) {
	case event.Versions:
		fmt.Fprintf(out, "%s → %s\n", e.Old, e.New)
	case event.Diagnostic:
		if e.Pos.Filename != "" {
			fmt.Fprintf(err, "%s: ", t.pos(e.Pos))
		} else {
			err.WriteString("assay: ")
		}
		if e.Warning {
			err.WriteString("warning: ")
		}
		err.WriteString(e.Message + "\n")
	case event.Changed:
		what := e.After
		if e.Call != "" {
			what = fmt.Sprintf("%s is %s, was %s", e.Call, e.After, e.Before)
		}
		if e.More {
			what += ", and more"
		}
		of := ""
		if e.Func != "" {
			of = " of " + e.Func
		}
		fmt.Fprintf(err, "%s: behaviour%s has changed: %s (%s)\n", t.rel(e.File), of, what, e.Test)
	case event.Finding:
		err.WriteString(t.finding(e))
	case event.Assertion:
		t.assertion(e, err)
	case event.Annotated:
		out.WriteString(e.Text)
	case event.Test:
		switch {
		case t.verbose && e.Provisional:
			fmt.Fprintf(out, "%s: a test for %s (%s)\n", e.Package, e.Func, e.Engine)
		case t.verbose:
			fmt.Fprintf(out, "%s: %s in %s\n", e.Package, e.Name, t.rel(e.File))
		}
	case event.Skip:
		out.WriteString(t.skip(e))
	case event.Shard:
		fmt.Fprintf(out, "shard %d of %d: %d of %d packages\n", e.Shard, e.Shards, e.Packages, e.Packages+e.Others)
	case event.Pass:
		if t.verbose {
			fmt.Fprintf(out, "%s: pass %d of %.1fs: %d of %d statements, %d tests, %d findings, %.1fs\n",
				e.Package, e.Pass, e.BoundS, e.Covered, e.Statements, e.Tests, e.Findings, e.ElapsedS)
		}
	case event.Unreachable:
		word := "unreachable under the assumptions of"
		if !e.Proved {
			word = "not reached under the assumptions of"
		}
		fmt.Fprintf(err, "%s: note: %s is %s %s\n", t.relPos(e.Pos), e.Condition, word, e.Func)
	case event.Path:
		t.path(e, out)
	case event.States:
		out.WriteString(e.Text)
	case event.Guided:
		t.guided(e, out)
	case event.Space:
		space(e, out)
	case event.Structure:
		if e.Dot != "" {
			out.WriteString(e.Dot)
		} else {
			out.WriteString(e.Go + "\n")
		}
	case event.Summary:
		if t.quiet {
			return
		}
		t.compared.text(out, t.verbose)
		t.compared = comparison{}
		if e.Package != "" {
			t.summaries = append(t.summaries, e)
			t.packages++
			out.WriteString(t.countsOf(e))
		} else if t.packages < 2 {
			return // it would say the same again
		} else if t.term != nil {
			out.WriteString(packageTable(t.summaries, e, t.term.width))
		}
		t.summary(e, out)
	case event.Reduced:
		what := e.Test
		if e.Row > 0 {
			what = fmt.Sprintf("%s, row %d", e.Test, e.Row)
		}
		if e.Test == "" {
			fmt.Fprintf(out, "%s: redundant: %s\n", e.Package, e.Reason)
		} else {
			fmt.Fprintf(out, "%s: %s is redundant: %s\n", t.rel(e.File), what, e.Reason)
		}
	case event.Confinement:
		switch {
		case e.Confined && t.verbose:
			fmt.Fprintf(out, "the code that assay runs is confined: %s\n", e.How)
		case !e.Confined && !t.unconfined:
			t.unconfined = true // the verb reduce reports it for each directory
			fmt.Fprintf(err, "assay: warning: the code that assay runs is not confined: %s\n", e.How)
		}
	case event.Debug:
		if e.Topic == "queries" {
			err.WriteString(e.Text + "\n") // the text is a script that a solver can read
			return
		}
		fmt.Fprintf(err, "%s: %s\n", e.Topic, e.Text)
	}
}

// assertion returns a line about an assertion that is not proved, with the assumptions or the reason.
func (t *Text) assertion(e event.Assertion, err *strings.Builder) {
	line := fmt.Sprintf("%s: %s: ", t.relPos(e.Pos), e.Verdict)
	switch e.Verdict {
	case event.Refuted:
		if e.Severity == "note" && !t.verbose {
			return // nobody outside of the package can cause it, or the documentation announces it
		}
		line += fmt.Sprintf("%s: %s %s: %s", t.severity(e.Severity), e.Func, e.Message, e.Calls)
	case event.Proved:
		if !t.verbose {
			return
		}
		line += fmt.Sprintf("%s: %s (by %s)", e.Func, e.Text, e.By)
		if e.Within != "" {
			line += ", within " + e.Within
		}
	default:
		line += fmt.Sprintf("%s: %s", e.Func, e.Text)
		line += underAssumptions(e)
		if e.Bound != "" {
			line += "; not decided: " + e.Bound
		}
	}
	err.WriteString(line + "\n")
	if t.verbose && e.Test != "" {
		err.WriteString(e.Test)
	}
}

// underAssumptions says which assumptions a verdict relies on: ", if this and that, or if another".
func underAssumptions(e event.Assertion) string {
	text := make(map[string]string)
	var ids []string
	for _, a := range e.Assumptions {
		text[a.ID] = a.Text + " (" + a.ID + ")"
		ids = append(ids, a.ID)
	}
	either := e.Premises
	if len(either) == 0 && len(ids) > 0 {
		either = [][]string{ids}
	}
	var out []string
	for _, conj := range either {
		var all []string
		for _, id := range conj {
			all = append(all, text[id])
		}
		out = append(out, "if "+strings.Join(all, " and "))
	}
	if len(out) == 0 {
		return ""
	}
	return ", " + strings.Join(out, ", or ")
}

func (t *Text) path(e event.Path, out *strings.Builder) {
	condition := cmp.Or(e.Condition, event.NoBranch)
	fmt.Fprintf(out, "%s: %s\n", e.Func, condition)
	if len(e.Setup) > 0 {
		fmt.Fprintf(out, "\tsetup   %s\n", strings.Join(e.Setup, "; "))
	}
	fmt.Fprintf(out, "\tinputs  %s\n", strings.Join(e.Inputs, ", "))
	if len(e.Results) > 0 {
		fmt.Fprintf(out, "\t%-7s %s\n", e.Stop, strings.Join(e.Results, ", "))
	} else {
		fmt.Fprintf(out, "\t%s\n", e.Stop)
	}
}

// summary prints the result for a package, or for all of them, on one line.
func (t *Text) summary(e event.Summary, out *strings.Builder) {
	name := e.Package
	if name == "" {
		name = "all"
	}
	parts := summaryParts{}
	parts.results(e)
	parts.complaints(e)
	if t.verbose {
		parts.effort(e)
	}
	parts = append(parts, fmt.Sprintf("%.1fs", e.ElapsedS))
	if e.Cut {
		parts = append(parts, "a longer run may find more")
	}
	if e.Cached {
		parts = append(parts, "nothing has changed since the last run")
	}
	if e.Redone != nil {
		parts = append(parts, fmt.Sprintf("%d of the functions done again", *e.Redone))
	}
	fmt.Fprintf(out, "%s: %s\n", name, strings.Join(parts, ", "))
}

// summaryParts has the parts of a summary's line.
type summaryParts []string

// add adds a count, if it applies.
func (p *summaryParts) add(n *int, one, many string) {
	switch {
	case n == nil:
	case *n == 1:
		*p = append(*p, "1 "+one)
	default:
		*p = append(*p, fmt.Sprintf("%d %s", *n, many))
	}
}

// results says which tests and findings there are now.
func (p *summaryParts) results(e event.Summary) {
	p.add(e.Tests, "test", "tests")
	if e.Verb == "diff" {
		p.add(e.Functions, "changed function", "changed functions")
	} else {
		p.add(e.Functions, "function", "functions")
	}
	if e.Coverage != nil {
		had := ""
		if e.Before != nil {
			had = fmt.Sprintf(" (%.1f%% before)", *e.Before)
		}
		*p = append(*p, fmt.Sprintf("%.1f%% of statements%s", *e.Coverage, had))
	}
	*p = append(*p, compared(e)...)
	p.add(e.Proved, "assertion proved", "assertions proved")
	p.add(e.Assumed, "assumed", "assumed")
	p.add(e.Refuted, "refuted", "refuted")
	p.add(e.Unknown, "unknown", "unknown")
	p.add(e.Findings, "finding", "findings")
	p.add(e.Known, "known finding", "known findings")
	if e.Valid != nil {
		text := fmt.Sprintf("%d valid", *e.Valid)
		if e.LowerBound {
			text = "at least " + text
		}
		if e.Candidates != nil {
			text += fmt.Sprintf(" of %d candidates", *e.Candidates)
		}
		*p = append(*p, text)
	}
	p.add(e.Paths, "path", "paths")
	if e.Mutation != nil {
		*p = append(*p, fmt.Sprintf("%d of %d mutants (%.1f%%) killed", *e.Killed, *e.Mutants, *e.Mutation))
	}
}

// complaints says what went wrong, or was left out.
func (p *summaryParts) complaints(e event.Summary) {
	if e.Mismatches != nil && *e.Mismatches > 0 {
		p.add(e.Mismatches, "mismatch (a bug of assay's)", "mismatches (bugs of assay's)")
	}
	if e.Rejected != nil && *e.Rejected > 0 {
		p.add(e.Rejected, "rejected test (a bug of assay's)", "rejected tests (bugs of assay's)")
	}
	if e.Unreliable != nil && *e.Unreliable > 0 {
		p.add(e.Unreliable, "unreliable test left out", "unreliable tests left out")
	}
	for _, s := range []struct{ stop, text string }{{"assume", "discarded by assumptions"}, {"concrete", "handed over to native execution"}} {
		if n := e.Stops[s.stop]; n > 0 {
			*p = append(*p, fmt.Sprintf("%d %s", n, s.text))
		}
	}
}

// effort says how much work the run took.
func (p *summaryParts) effort(e event.Summary) {
	if e.Solver != nil {
		*p = append(*p, "questions to the solver: "+e.Solver.String())
	}
	p.add(e.Redundant, "redundant case", "redundant cases")
	if e.Instructions != nil {
		*p = append(*p, fmt.Sprintf("%d instructions", *e.Instructions))
	}
	if e.Queries != nil {
		*p = append(*p, fmt.Sprintf("%d queries", *e.Queries))
	}
	if e.SolverS != nil {
		*p = append(*p, fmt.Sprintf("%.2fs in the solver", *e.SolverS))
	}
}

// pos formats a position with the file's name relative to the user's directory.
func (t *Text) pos(p token.Position) string {
	p.Filename = t.rel(p.Filename)
	return p.String()
}

// relPos makes the file name of a printed position relative.
func (t *Text) relPos(pos string) string {
	file, rest, ok := strings.Cut(pos, ":")
	if !ok {
		return t.rel(pos)
	}
	return t.rel(file) + ":" + rest
}

func (t *Text) rel(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	r, err := filepath.Rel(t.dir, name)
	if err != nil || strings.HasPrefix(r, filepath.Join("..", "..")) {
		return name
	}
	return r
}
