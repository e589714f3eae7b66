package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/verb/explore"
)

// at returns the folder of a document and its file.
func (s *Server) at(uri string) (*folder, string, error) {
	file, err := fileOf(uri)
	if err != nil {
		return nil, "", err
	}
	return s.folder(filepath.Dir(file)), file, nil
}

// known returns the functions of a file from the last analysis of code that compiled. It waits for the
// first analysis.
func (f *folder) known(ctx context.Context, file string) ([]*function, error) {
	f.mu.Lock()
	first := f.static == nil
	f.mu.Unlock()
	if first {
		f.running.Lock()
		a, err := analyse(ctx, f.s.loading(f.dir), f.kept)
		f.running.Unlock()
		if err != nil {
			if compiles(err) {
				return nil, err
			}
			return nil, nil
		}
		f.mu.Lock()
		if f.static == nil {
			f.static = a
		}
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []*function
	for _, fn := range f.static.functions {
		if fn.pos.Filename == file {
			out = append(out, fn)
		}
	}
	return out, nil
}

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
	for _, fn := range functions {
		line := span{position{Line: fn.pos.Line - 1}, position{Line: fn.pos.Line - 1}}
		out = append(out,
			codeLens{Range: line, Command: &command{Title: fn.verdict(), Command: cmdPaths, Arguments: []any{p.TextDocument.URI, fn.name}}},
			codeLens{Range: line, Data: &lensData{p.TextDocument.URI, fn.name}},
			codeLens{Range: line, Command: &command{Title: "write tests", Command: cmdWrite, Arguments: []any{p.TextDocument.URI, fn.name}}},
		)
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

// untested counts the paths with an outcome that no test covers; without any tests these are all paths.
func untested(paths []event.Path, o *outcomes) int {
	n := 0
	for _, p := range paths {
		without := !o.tests
		for _, s := range p.Way {
			text, _, _ := strings.Cut(s.Text, " (") // how often
			without = without || !o.covered[s.Pos+": "+text]
		}
		if without {
			n++
		}
	}
	return n
}

// explored is the result of the verb explore for a state of a function.
type explored struct {
	paths       []event.Path
	unreachable []event.Unreachable
	line        int // of its declaration
}

// pathsOf explores a function, unless that was done for the code as it is.
func (f *folder) pathsOf(ctx context.Context, name string) ([]event.Path, error) {
	f.mu.Lock()
	x, key := f.explored(name)
	out := &explored{}
	if f.static != nil {
		out.line = f.static.line(name)
	}
	f.mu.Unlock()
	if x != nil {
		return x.paths, nil
	}
	cfg := f.s.session(f.dir)
	cfg.Run = exactly(name)
	cfg.Events = func(e event.Event) {
		switch e := e.(type) {
		case event.Path:
			out.paths = append(out.paths, e)
		case event.Unreachable:
			out.unreachable = append(out.unreachable, e)
		}
	}
	if _, err := explore.Run(ctx, cfg, explore.Config{}); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	f.mu.Lock()
	if len(f.paths) > 500 {
		clear(f.paths)
	}
	f.paths[key] = out
	f.mu.Unlock()
	if len(out.unreachable) > 0 {
		f.s.refresh()
	}
	return out.paths, nil
}

// explored returns the result for a function as it is now, nil if there is none, and its key. f.mu is
// held.
func (f *folder) explored(name string) (*explored, string) {
	print := ""
	if f.static != nil {
		print = f.static.prints[name]
	}
	key := name + " " + print
	if print == "" {
		return nil, key
	}
	return f.paths[key], key
}

// line is the line of a function's declaration, 0 if there is no function of that name.
func (a *analysed) line(name string) int {
	for _, fn := range a.functions {
		if fn.name == name {
			return fn.pos.Line
		}
	}
	return 0
}

// Bounds of the table of paths.
const (
	maxPaths = 12
	maxCell  = 80
)

// table shows the paths of a function in Markdown.
func table(paths []event.Path) string {
	var b strings.Builder
	b.WriteString("| condition | inputs | outcome |\n|---|---|---|\n")
	for i, p := range paths {
		if i == maxPaths {
			fmt.Fprintf(&b, "| and %d more | | |\n", len(paths)-i)
			break
		}
		condition := p.Condition
		if condition == "" {
			condition = "always"
		}
		outcome := p.Stop
		if len(p.Results) > 0 {
			outcome += " " + strings.Join(p.Results, ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(condition), cell(strings.Join(p.Inputs, ", ")), cell(outcome))
	}
	return b.String()
}

// cell is a text as code in a cell of a table.
func cell(s string) string {
	if s == "" {
		return ""
	}
	if r := []rune(s); len(r) > maxCell {
		s = string(r[:maxCell]) + "..."
	}
	return "`" + strings.NewReplacer("|", `\|`, "`", "'", "\n", " ").Replace(s) + "`"
}

// hover shows the paths of the function that is declared at a line, and its assertions that are not
// proved.
func (s *Server) hover(ctx context.Context, params json.RawMessage) (any, error) {
	var p positionParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	f, file, err := s.at(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	functions, err := f.known(ctx, file)
	if err != nil {
		return nil, err
	}
	text, err := s.buffers.read(file)
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, fn := range functions {
		if fn.pos.Line == p.Position.Line+1 {
			parts = append(parts, fmt.Sprintf("**%s**: %s", fn.name, fn.verdict()))
			if paths, err := f.pathsOf(ctx, fn.name); err == nil && len(paths) > 0 {
				parts = append(parts, table(paths))
			}
		}
		for _, a := range fn.assertions {
			if fn.pos.Line+a.line == p.Position.Line+1 && !a.proved && len(parts) < maxPaths {
				under := ""
				if len(a.under) > 0 {
					under = ", proved only under " + strings.Join(a.under, ", ")
				}
				parts = append(parts, fmt.Sprintf("not proved: `%s` (%s)%s", strings.ReplaceAll(a.text, "`", "'"), a.kind, under))
			}
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(parts) == 0 {
		return nil, nil
	}
	var h hover
	h.Contents.Kind, h.Contents.Value = "markdown", strings.Join(parts, "\n\n")
	h.Range = spanAt(text, p.Position.Line+1, 0)
	return h, nil
}

// inlayHints shows at conditions which outcome cannot be, of functions that were explored: for a
// lens, say.
func (s *Server) inlayHints(_ context.Context, params json.RawMessage) (any, error) {
	var p rangeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	out := []inlayHint{}
	f, file, err := s.at(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	text, err := s.buffers.read(file)
	if err != nil {
		return out, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.static == nil {
		return out, nil
	}
	for _, fn := range f.static.functions {
		x, _ := f.explored(fn.name)
		if x == nil || fn.pos.Filename != file {
			continue
		}
		for _, u := range x.unreachable {
			at := event.Place(u.Pos)
			line := at.Line + fn.pos.Line - x.line
			if at.Filename != file || line-1 < p.Range.Start.Line || line-1 > p.Range.End.Line {
				continue
			}
			from, to := lineAt(text, line-1)
			hint := inlayHint{Position: positionAt(text, line, to-from+1), Label: "unreachable: " + u.Condition, PaddingLeft: true}
			hint.Tooltip = "the assumptions of " + u.Func + " exclude it"
			if !u.Proved {
				hint.Label, hint.Tooltip = "not reached: "+u.Condition, hint.Tooltip+", as far as was explored"
			}
			out = append(out, hint)
		}
	}
	return out, nil
}
