package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/event"
)

// codeLens shows above each function which assertions are proved, its paths, and an offer of tests.
func (s *Server) codeLens(ctx context.Context, params json.RawMessage) (any, error) {
	var p documentParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	out := []codeLens{}
	f, file, err := s.at(p.TextDocument.URI)
	if err != nil || strings.HasSuffix(file, "_test.go") {
		return out, err
	}
	functions, err := f.known(ctx, file)
	if err != nil {
		return nil, err
	}
	inside := s.roots.need(f.dir) == nil
	for _, fn := range functions {
		line := span{position{Line: fn.pos.Line - 1}, position{Line: fn.pos.Line - 1}}
		out = append(out,
			codeLens{Range: line, Command: &command{Title: fn.verdict(), Command: cmdPaths, Arguments: []any{p.TextDocument.URI, fn.name}}},
			codeLens{Range: line, Data: &lensData{p.TextDocument.URI, fn.name}},
		)
		if inside {
			out = append(out, codeLens{Range: line, Command: &command{Title: "write tests", Command: cmdWrite, Arguments: []any{p.TextDocument.URI, fn.name}}})
		}
	}
	return out, nil
}

// verdict says in a few words what the analysis alone has proved.
func (fn *function) verdict() string {
	open := 0
	for _, a := range fn.assertions {
		if !a.proved {
			open++
		}
	}
	switch {
	case open == 0:
		return "proved"
	case open == 1:
		return fmt.Sprintf("1 of %d assertions open", len(fn.assertions))
	}
	return fmt.Sprintf("%d of %d assertions open", open, len(fn.assertions))
}

// resolveLens counts the paths of a function, and those without a test.
func (s *Server) resolveLens(ctx context.Context, params json.RawMessage) (any, error) {
	var lens codeLens
	if err := decode(params, &lens); err != nil {
		return nil, err
	}
	if lens.Data == nil {
		return lens, nil
	}
	f, _, err := s.at(lens.Data.URI)
	if err != nil {
		return nil, err
	}
	title := "paths not known"
	paths, err := f.pathsOf(ctx, lens.Data.Func)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		title = fmt.Sprintf("%d paths", len(paths))
		if len(paths) == 1 {
			title = "1 path"
		}
		if covered, err := f.coveredOutcomes(ctx); err == nil {
			if n := untested(paths, covered); n > 0 {
				title += fmt.Sprintf(", %d without a test", n)
			}
		}
	}
	lens.Command = &command{Title: title, Command: cmdPaths, Arguments: []any{lens.Data.URI, lens.Data.Func}}
	return lens, nil
}

// untested counts the paths with an outcome that no test covers. Without any tests these are all paths.
func untested(paths []event.Path, o *outcomes) int {
	n := 0
	for _, p := range paths {
		without := !o.tests
		for _, s := range p.Way {
			text, _, _ := strings.Cut(s.Text, " (") // behind the parenthesis stands how often
			without = without || !o.covered[s.Pos+": "+text]
		}
		if without {
			n++
		}
	}
	return n
}
