package lsp

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/testcase"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/suite"
)

// checked is the result of the verb check for a state of the package.
type checked struct {
	prints     map[string]string // the prints of the functions at that time
	lines      map[string]int    // the lines of their declarations at that time
	findings   []event.Finding
	assertions []event.Assertion
}

// checkSoon runs the verb check, which executes the package's code, in the background, one package at a
// time. A run for an older state ends.
func (f *folder) checkSoon() {
	f.s.mu.Lock()
	never := f.s.client.InitializationOptions.CheckOn == "never"
	f.s.mu.Unlock()
	if never || f.s.roots.need(f.dir) != nil {
		return
	}
	f.mu.Lock()
	if f.checking != nil {
		f.checking()
	}
	ctx, cancel := context.WithCancel(f.s.life)
	f.checking = cancel
	f.mu.Unlock()
	f.s.background(func() {
		defer cancel()
		f.check(ctx)
	})
}

// check runs the verb check and publishes the results.
func (f *folder) check(ctx context.Context) {
	done := f.s.takeTurn(ctx)
	if done == nil {
		return
	}
	defer done()
	ctx, report := f.s.begin(ctx, "checking "+filepath.Base(f.dir))
	defer report.end("")
	a, err := f.analysis(ctx)
	if err != nil {
		return // the package does not compile, so the last answer stays
	}
	c := &checked{prints: a.prints, lines: make(map[string]int)}
	for _, fn := range a.functions {
		c.lines[fn.name] = fn.pos.Line
	}
	cfg := f.s.session(f.dir)
	failed := false
	cfg.Events = func(e event.Event) {
		report.event(e)
		switch e := e.(type) {
		case event.Finding:
			c.findings = append(c.findings, e)
		case event.Assertion:
			c.assertions = append(c.assertions, e)
		case event.Diagnostic:
			failed = failed || !e.Warning
		}
	}
	res, err := checkverb.Run(ctx, cfg, checkverb.Config{Guide: guide.Both})
	if err != nil || failed || res.Interrupted || ctx.Err() != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.static == nil {
		f.static = a
	}
	f.saved = c
	f.covered = nil
	f.show()
	f.s.refresh()
}

// diagnostics returns the results for functions that have not changed since. The caller holds f.mu.
func (c *checked) diagnostics(f *folder) []placed {
	var out []placed
	for _, e := range c.findings {
		severity := severityError
		switch e.Severity {
		case testcase.Error:
		case testcase.Warning:
			severity = severityWarning
		default:
			continue
		}
		shift, ok := c.shift(f.static, e.Func)
		at := event.Place(e.Pos)
		if !ok || at.Filename == "" {
			continue
		}
		text, err := f.s.buffers.read(at.Filename)
		if err != nil {
			continue
		}
		d := diagnostic{Source: "assay", Code: e.Kind, Severity: severity, Message: e.Func + " " + e.Message, Range: spanAt(text, at.Line+shift, at.Column)}
		if len(e.Calls) > 0 {
			d.Message += "\n" + strings.Join(e.Calls, "\n")
		}
		if e.Evidence != "" {
			d.Message += "\n" + e.Evidence
		}
		for _, s := range e.Way {
			p := event.Place(s.Pos)
			if src, err := f.s.buffers.read(p.Filename); err == nil {
				d.Related = append(d.Related, related{location{uriOf(p.Filename), spanAt(src, p.Line+shift, p.Column)}, s.Text})
			}
		}
		d.Data = &diagnosticData{Package: e.Package, Func: e.Func, Kind: e.Kind, Test: c.testOf(e)}
		out = append(out, placed{at.Filename, d})
	}
	return out
}

// testOf returns the file with the test that shows a finding, or "" if none is known.
func (c *checked) testOf(e event.Finding) string {
	for _, a := range c.assertions {
		if a.Verdict == event.Refuted && a.Func == e.Func && a.Message == e.Message && event.Place(a.Pos).Line == event.Place(e.Pos).Line {
			return a.Test
		}
	}
	return ""
}

// shift returns by how many lines a function has moved since then, and false if it has changed.
func (c *checked) shift(now *analysed, fn string) (int, bool) {
	for _, f := range now.functions {
		if f.name == fn {
			return f.pos.Line - c.lines[fn], f.print == c.prints[fn] && f.print != ""
		}
	}
	return 0, false
}

// takeTurn waits until no other run executes code, and returns the function that ends the turn, or nil if ctx
// ended first.
func (s *Server) takeTurn(ctx context.Context) func() {
	select {
	case s.heavy <- struct{}{}:
		return func() { <-s.heavy }
	case <-ctx.Done():
		return nil
	}
}

// reporter shows the user the progress of a run.
type reporter struct {
	s     *Server
	token string // "" if the client shows no progress
}

// begin begins to report progress. The returned context also ends when the user cancels.
func (s *Server) begin(ctx context.Context, title string) (context.Context, *reporter) {
	ctx, cancel := context.WithCancel(ctx)
	r := &reporter{s: s}
	s.mu.Lock()
	wanted := s.client.Capabilities.Window.WorkDoneProgress
	s.tokens++
	token := fmt.Sprintf("assay-%d", s.tokens)
	s.mu.Unlock()
	context.AfterFunc(ctx, cancel)
	if !wanted || s.conn.Call(ctx, "window/workDoneProgress/create", map[string]any{"token": token}, nil) != nil {
		return ctx, r
	}
	r.token = token
	s.mu.Lock()
	s.progress[token] = cancel
	s.mu.Unlock()
	r.send(map[string]any{"kind": "begin", "title": "assay: " + title, "cancellable": true})
	return ctx, r
}

func (r *reporter) send(value map[string]any) {
	if r.token != "" {
		r.s.notify("$/progress", map[string]any{"token": r.token, "value": value})
	}
}

// event shows the progress that an event reports.
func (r *reporter) event(e event.Event) {
	p, ok := e.(event.Progress)
	if !ok {
		return
	}
	value := map[string]any{"kind": "report", "message": p.Stage}
	if p.Total > 0 {
		value["message"], value["percentage"] = fmt.Sprintf("%s: %d of %d", p.Stage, p.Done, p.Total), 100*p.Done/p.Total
	}
	r.send(value)
}

// end ends the progress.
func (r *reporter) end(message string) {
	if r.token == "" {
		return
	}
	r.s.mu.Lock()
	cancel := r.s.progress[r.token]
	delete(r.s.progress, r.token)
	r.s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	r.send(map[string]any{"kind": "end", "message": message})
}

// outcomes has the outcomes of conditions that the tests of a package cover.
type outcomes struct {
	tests   bool            // whether there are tests
	covered map[string]bool // "file:line:column: condition is true"
}

// coveredOutcomes runs the package's tests to get their coverage, unless it is known.
func (f *folder) coveredOutcomes(ctx context.Context) (*outcomes, error) {
	if err := f.s.roots.need(f.dir); err != nil {
		return nil, err
	}
	f.mu.Lock()
	known := f.covered
	f.mu.Unlock()
	if known != nil {
		return known, nil
	}
	done := f.s.takeTurn(ctx)
	if done == nil {
		return nil, ctx.Err()
	}
	defer done()
	steps, any, err := suite.Outcomes(ctx, f.s.session(f.dir))
	if err != nil {
		return nil, err
	}
	o := &outcomes{tests: any, covered: make(map[string]bool)}
	for _, s := range steps {
		o.covered[s.Pos+": "+s.Text] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.covered = o
	return o, nil
}
