package reach

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
)

// Question says what the input has to reach or break.
type Question struct {
	File string // absolute
	// Line is the line to reach; 0 is the place where Func returns.
	Line int
	Func string
	// Outcome is "true" or "false" for the condition of an if or for at the line; with Column it is about the
	// operand of && or || at that column. "" asks for no outcome.
	Column  int
	Outcome string
	// Breaks is an expression that has to be false. At the place where a function returns, it may use result,
	// result0, result1, ... and old(x).
	Breaks string
}

// problem says what is wrong with a question, or "" if nothing is.
func (q Question) problem() string {
	switch {
	case !filepath.IsAbs(q.File):
		return "name the file by an absolute path"
	case q.Outcome != "" && q.Outcome != "true" && q.Outcome != "false":
		return fmt.Sprintf("outcome %q: want true or false", q.Outcome)
	case q.Outcome != "" && q.Breaks != "":
		return "ask for an outcome, or for a condition to break"
	case q.Line < 0 || q.Column < 0:
		return "lines and columns count from 1"
	case q.Line == 0 && (q.Func == "" || q.Breaks == ""):
		return "without a line, name a function and a condition that what it returns is to break"
	}
	return ""
}

// Run answers a question. Events of cfg receives progress only; the results for the changed source are
// not shown. A mistake in the question is a session.UsageError.
func Run(ctx context.Context, cfg session.Config, q Question) (event.Input, error) {
	if problem := q.problem(); problem != "" {
		return event.Input{}, session.UsageError(problem)
	}
	src, ok := cfg.Overlay[q.File]
	if !ok {
		var err error
		if src, err = os.ReadFile(q.File); err != nil {
			return event.Input{}, session.UsageError(err.Error())
		}
	}
	p, err := plant(q.File, src, q)
	if err != nil {
		return event.Input{}, err
	}
	told := cfg.Events
	var heard heard
	cfg.Dir, cfg.Patterns = filepath.Dir(q.File), []string{"."}
	cfg.Run = regexp.MustCompile("^" + regexp.QuoteMeta(p.function) + "$")
	cfg.Overlay = maps.Clone(cfg.Overlay)
	if cfg.Overlay == nil {
		cfg.Overlay = make(map[string][]byte)
	}
	cfg.Overlay[q.File] = p.source
	cfg.Events = func(e event.Event) {
		if progress, ok := e.(event.Progress); ok && told != nil {
			told(progress)
		}
		heard.note(e)
	}
	res, err := checkverb.Run(ctx, cfg, checkverb.Config{Guide: guide.Both})
	if err != nil {
		return event.Input{}, err
	}
	if res.Interrupted || ctx.Err() != nil {
		return event.Input{}, context.Canceled
	}
	return heard.answer(p)
}

// heard collects the events of the verb check.
type heard struct {
	pkg        string
	assertions []event.Assertion
	findings   []event.Finding
	problems   []event.Diagnostic
	skips      []event.Skip
}

func (h *heard) note(e event.Event) {
	switch e := e.(type) {
	case event.Assertion:
		h.assertions = append(h.assertions, e)
	case event.Finding:
		h.findings = append(h.findings, e)
	case event.Known:
		h.findings = append(h.findings, e.Finding)
	case event.Diagnostic:
		h.problems = append(h.problems, e)
	case event.Skip:
		h.skips = append(h.skips, e)
	case event.Summary:
		if e.Package != "" {
			h.pkg = e.Package
		}
	}
}

// answer finds the verdict of the planted assertion.
func (h *heard) answer(p *assertedSource) (event.Input, error) {
	for _, d := range h.problems {
		if !d.Warning {
			where := ""
			if d.Pos.Line > 0 {
				where = fmt.Sprintf("%s:%d: ", filepath.Base(d.Pos.Filename), unshifted(d.Pos.Line, p))
			}
			return event.Input{}, session.UsageError(where + d.Message)
		}
	}
	out := event.Input{
		Package: h.pkg, Func: p.function, Asked: p.asked, Pos: fmt.Sprintf("%s:%d", p.at.Filename, p.line),
		Verdict: event.NotFound, Bound: "the function is not analysed",
	}
	for _, s := range h.skips {
		if s.Func == p.function || s.Func == "" {
			out.Bound = s.Reason
		}
	}
	for _, a := range h.assertions {
		if !p.asks(a) {
			continue
		}
		out.By, out.Within, out.Bound, out.Assumptions = a.By, a.Within, a.Bound, a.Assumptions
		switch a.Verdict {
		case event.Proved:
			out.Verdict = event.Impossible
		case event.AssumedOK:
			out.Verdict = event.Unlikely
		case event.Refuted:
			out.Verdict, out.Assumptions, out.Call = event.Found, nil, a.Calls
			h.addWay(&out, p)
		}
		return out, nil
	}
	if out.Bound == "" {
		return out, errors.New("the planted assertion has no verdict")
	}
	return out, nil
}

// asks reports whether an assertion is the planted one.
func (p *assertedSource) asks(a event.Assertion) bool {
	if p.clause != "" {
		return a.Kind == string(check.Ensures) && strings.Contains(a.Text, p.clause)
	}
	at := event.Place(a.Pos)
	return a.Kind == string(check.ExplicitPanic) && at.Line == p.at.Line && at.Column == p.at.Column
}

// addWay adds the statements that lead to the place, and the decisions on the way.
func (h *heard) addWay(out *event.Input, p *assertedSource) {
	for _, f := range h.findings {
		at := event.Place(f.Pos)
		planted := f.Kind == "explicit" && strings.Contains(f.Message, marker) && at.Line == p.at.Line
		if !planted && (p.clause == "" || f.Kind != "contract" || !strings.Contains(f.Message, p.clause)) {
			continue
		}
		out.Calls = f.Calls
		for _, s := range f.Way {
			at := event.Place(s.Pos)
			if strings.Contains(s.Text, "func(b bool) bool { if ") || at.Filename != p.at.Filename && at.Line == 0 {
				continue // the panic of the planted code is no decision
			}
			s.Pos = fmt.Sprintf("%s:%d", at.Filename, unshifted(at.Line, p))
			out.Way = append(out.Way, s)
		}
		return
	}
}

// unshifted returns a line of the new source as a line of the source as it was.
func unshifted(line int, p *assertedSource) int {
	if p.shift > 0 && line >= p.at.Line {
		return max(line-p.shift, p.at.Line)
	}
	return line
}
