package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/goassay/assay/internal/adopt"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/verb/reach"
)

// The commands.
const (
	cmdWrite    = "assay.writeTests"
	cmdBranch   = "assay.testBranch"
	cmdInput    = "assay.showInput"
	cmdPaths    = "assay.showPaths"
	cmdBaseline = "assay.acceptFinding"
	cmdAdopt    = "assay.adoptTests"
)

// commands is the table of commands; the first argument of each is the document's URI.
func commands() map[string]func(s *Server, ctx context.Context, f *folder, file string, arguments []json.RawMessage) (any, error) {
	return map[string]func(s *Server, ctx context.Context, f *folder, file string, arguments []json.RawMessage) (any, error){
		cmdWrite: (*Server).writeTests, cmdBranch: (*Server).testBranch, cmdInput: (*Server).showInput, cmdPaths: (*Server).showPaths,
		cmdBaseline: (*Server).acceptFinding, cmdAdopt: (*Server).adoptTests,
	}
}

// execute runs a command. It shows the result to the user and returns it.
func (s *Server) execute(ctx context.Context, params json.RawMessage) (any, error) {
	var p executeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	do, ok := commands()[p.Command]
	if !ok {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: "no command " + p.Command}
	}
	var uri string
	if err := argument(p.Arguments, 0, &uri); err != nil {
		return nil, err
	}
	f, file, err := s.at(uri)
	if err == nil {
		err = s.roots.need(f.dir)
	}
	if err != nil {
		return nil, err
	}
	return do(s, ctx, f, file, p.Arguments)
}

// argument reads one argument of a command.
func argument(all []json.RawMessage, i int, v any) error {
	if i >= len(all) {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf("argument %d is missing", i+1)}
	}
	return decode(all[i], v)
}

// needSaved returns an error if a buffer is not saved, for commands that work with the files on disk.
func (f *folder) needSaved() error {
	if name := f.s.buffers.unsaved(f.dir); name != "" {
		return fmt.Errorf("save %s first: tests are written for what is on disk", name)
	}
	return nil
}

// written is the result of a command that writes tests.
type written struct {
	Tests    []event.Test    `json:"tests"`
	Files    []string        `json:"files"`
	Findings []event.Finding `json:"findings"`
}

// writeTests writes tests for a function.
func (s *Server) writeTests(ctx context.Context, f *folder, _ string, arguments []json.RawMessage) (any, error) {
	var name string
	if err := argument(arguments, 1, &name); err != nil {
		return nil, err
	}
	if err := f.needSaved(); err != nil {
		return nil, err
	}
	done := s.takeTurn(ctx)
	if done == nil {
		return nil, ctx.Err()
	}
	defer done()
	ctx, report := s.begin(ctx, "writing tests for "+name)
	defer report.end("")
	var out written
	var problem error
	cfg := s.session(f.dir)
	cfg.Run = exactly(name)
	cfg.Events = func(e event.Event) {
		report.event(e)
		switch e := e.(type) {
		case event.Test:
			if !e.Provisional {
				out.Tests = append(out.Tests, e)
			}
		case event.Finding:
			if e.Severity == testcase.Error || e.Severity == testcase.Warning {
				out.Findings = append(out.Findings, e)
			}
		case event.Written:
			out.Files = append(out.Files, e.File)
		case event.Diagnostic:
			if !e.Warning && problem == nil {
				problem = errors.New(e.Message)
			}
		case event.Skip:
			if problem == nil && e.Func != "" {
				problem = fmt.Errorf("no test for %s: %s", e.Func, e.Reason)
			}
		}
	}
	res, err := campaign.Gen(ctx, campaign.Config{Config: cfg, MaxLines: 500, Waiting: true, Unscored: true})
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case res.Failed && problem != nil, len(out.Tests)+len(out.Findings) == 0 && problem != nil:
		return nil, problem
	}
	f.mu.Lock()
	f.covered = nil
	f.mu.Unlock()
	s.refresh()
	s.show(severityInformation, "%s for %s in %s", counted(len(out.Tests), "test"), name, strings.Join(baseNames(out.Files), ", "))
	return out, nil
}

func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

func baseNames(files []string) []string {
	var out []string
	for _, f := range files {
		out = append(out, filepath.Base(f))
	}
	return out
}

// showInput shows calls that reach a line, or why there are none.
func (s *Server) showInput(ctx context.Context, f *folder, file string, arguments []json.RawMessage) (any, error) {
	var line int
	if err := argument(arguments, 1, &line); err != nil {
		return nil, err
	}
	in, err := f.inputFor(ctx, file, line)
	if err != nil {
		return nil, err
	}
	s.show(severityInformation, "%s", inputText(in))
	return in, nil
}

// inputFor finds an input that reaches a line.
func (f *folder) inputFor(ctx context.Context, file string, line int) (event.Input, error) {
	done := f.s.takeTurn(ctx)
	if done == nil {
		return event.Input{}, ctx.Err()
	}
	defer done()
	ctx, report := f.s.begin(ctx, fmt.Sprintf("looking for an input for line %d", line))
	defer report.end("")
	cfg := f.s.session(f.dir)
	cfg.Events = report.event
	return reach.Run(ctx, cfg, reach.Question{File: file, Line: line})
}

func inputText(in event.Input) string {
	switch in.Verdict {
	case event.Found:
		return strings.Join(in.Calls, "; ") + " reaches " + strings.TrimPrefix(in.Asked, "reach ")
	case event.Impossible:
		return "no input reaches " + strings.TrimPrefix(in.Asked, "reach ") + ": proved by " + in.By
	case event.Unlikely:
		return "no input that keeps the assumptions reaches " + strings.TrimPrefix(in.Asked, "reach ")
	}
	return "no input was found: " + in.Bound
}

// testBranch writes the tests of the function that a line is in. One of them reaches the line, if that
// is possible.
func (s *Server) testBranch(ctx context.Context, f *folder, file string, arguments []json.RawMessage) (any, error) {
	var line int
	if err := argument(arguments, 1, &line); err != nil {
		return nil, err
	}
	if err := f.needSaved(); err != nil {
		return nil, err
	}
	in, err := f.inputFor(ctx, file, line)
	if err != nil {
		return nil, err
	}
	if in.Verdict == event.Impossible {
		s.show(severityWarning, "%s", inputText(in))
		return in, nil
	}
	name, err := json.Marshal(in.Func)
	if err != nil {
		return nil, err
	}
	return s.writeTests(ctx, f, file, []json.RawMessage{arguments[0], name})
}

// showPaths shows the paths of a function.
func (s *Server) showPaths(ctx context.Context, f *folder, _ string, arguments []json.RawMessage) (any, error) {
	var name string
	if err := argument(arguments, 1, &name); err != nil {
		return nil, err
	}
	paths, err := f.pathsOf(ctx, name)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s has %s", name, counted(len(paths), "path"))
	for i, p := range paths {
		if i == maxPaths {
			fmt.Fprintf(&b, "\nand %d more", len(paths)-i)
			break
		}
		setup := strings.Join(append(slices.Clone(p.Setup), ""), "; ")
		fmt.Fprintf(&b, "\n%s%s(%s): %s %s", setup, name, strings.Join(p.Inputs, ", "), p.Stop, strings.Join(p.Results, ", "))
	}
	s.show(severityInformation, "%s", b.String())
	return paths, nil
}

// acceptFinding adds a finding to the baseline.
func (s *Server) acceptFinding(_ context.Context, f *folder, _ string, arguments []json.RawMessage) (any, error) {
	var d diagnosticData
	var message string
	if err := errors.Join(argument(arguments, 1, &d), argument(arguments, 2, &message)); err != nil {
		return nil, err
	}
	known, err := finding.ReadBaseline("", f.dir)
	if err != nil {
		return nil, err
	}
	name, n, err := known.Write([]finding.Accepted{{Package: d.Package, Func: d.Func, Kind: d.Kind, Message: message}})
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(name); err != nil {
		return nil, err
	}
	s.show(severityInformation, "%s added to %s; each wants a reason", counted(n, "line"), filepath.Base(name))
	f.checkSoon()
	return name, nil
}

// adopted is the result of a command that adopts tests: which tests went from one file to another.
type adopted struct {
	From    string   `json:"from"`
	To      string   `json:"to"`
	Tests   []string `json:"tests"`
	Helpers []string `json:"helpers,omitempty"` // declarations that went with the tests
	Reused  []string `json:"reused,omitempty"`  // hand-written declarations that the tests use now
}

// adoptTests moves generated tests to the hand-written ones: one test, those of a function, or those of a
// file.
func (s *Server) adoptTests(ctx context.Context, f *folder, _ string, arguments []json.RawMessage) (any, error) {
	var name string
	if err := argument(arguments, 1, &name); err != nil {
		return nil, err
	}
	if name != filepath.Base(name) {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: name + ": name a test, a function or a file of the directory"}
	}
	if err := f.needSaved(); err != nil {
		return nil, err
	}
	done := s.takeTurn(ctx)
	if done == nil {
		return nil, ctx.Err()
	}
	defer done()
	ctx, report := s.begin(ctx, "adopting "+name)
	defer report.end("")
	moved, err := adopt.Run(ctx, adopt.Config{Dir: f.dir, Tags: s.cfg.Tags}, []string{name})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	}
	out := []adopted{}
	var tests, places []string
	for _, m := range moved {
		out = append(out, adopted{m.From, m.To, m.Tests, m.Helpers, m.Reused})
		tests = append(tests, m.Tests...)
		if to := filepath.Base(m.To); !slices.Contains(places, to) {
			places = append(places, to)
		}
	}
	s.refresh()
	s.show(severityInformation, "%s in %s now, and yours: %s", counted(len(tests), "test"), strings.Join(places, ", "), strings.Join(tests, ", "))
	return out, nil
}
