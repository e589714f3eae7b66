package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/goassay/assay/internal/event"
)

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
		condition := cmp.Or(p.Condition, event.NoBranch)
		outcome := p.Stop
		if len(p.Results) > 0 {
			outcome += " " + strings.Join(p.Results, ", ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", cell(condition), cell(p.InputText()), cell(outcome))
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

// inlayHints shows at conditions which outcome is impossible, in functions that were explored, for example
// for a lens.
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
