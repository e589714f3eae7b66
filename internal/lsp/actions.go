package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// codeAction offers actions for a place: for the function there, the line, and the diagnostics.
func (s *Server) codeAction(ctx context.Context, params json.RawMessage) (any, error) {
	var p rangeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	out := []codeAction{}
	f, file, err := s.at(p.TextDocument.URI)
	if err != nil || strings.HasSuffix(file, "_test.go") {
		return out, err
	}
	functions, err := f.known(ctx, file)
	if err != nil {
		return nil, err
	}
	line := p.Range.Start.Line + 1
	var in *function // the last function that begins above the place
	for _, fn := range functions {
		if fn.pos.Line <= line && (in == nil || fn.pos.Line > in.pos.Line) {
			in = fn
		}
	}
	add := func(kind, title, name string, arguments ...any) {
		out = append(out, codeAction{Title: title, Kind: kind, Command: &command{Title: title, Command: name, Arguments: append([]any{p.TextDocument.URI}, arguments...)}})
	}
	if in != nil {
		add("source", "assay: write tests for "+in.name, cmdWrite, in.name)
		add("source", "assay: write a test for this branch", cmdBranch, line)
		add("source", "assay: show the input that reaches this line", cmdInput, line)
	}
	for _, d := range p.Context.Diagnostics {
		if d.Source != "assay" || d.Data == nil {
			continue
		}
		if d.Data.Test != "" {
			out = append(out, s.testFinding(f.dir, file, d))
		}
		add("quickfix", fmt.Sprintf("assay: accept %s of %s (add to the baseline)", d.Data.Kind, d.Data.Func), cmdBaseline, d.Data, firstLine(d.Message))
		out[len(out)-1].Diagnostics = []diagnostic{d}
	}
	if len(p.Context.Only) > 0 {
		out = slices.DeleteFunc(out, func(a codeAction) bool {
			return !slices.ContainsFunc(p.Context.Only, func(kind string) bool { return a.Kind == kind || strings.HasPrefix(a.Kind, kind+".") })
		})
	}
	return out, nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// testFinding makes the test of a finding a file: the editor creates it, and the user may edit it.
func (s *Server) testFinding(dir, file string, d diagnostic) codeAction {
	base := strings.TrimSuffix(filepath.Base(file), ".go")
	name := ""
	for n := 1; ; n++ {
		name = filepath.Join(dir, fmt.Sprintf("%s_bug%d_test.go", base, n))
		if _, err := os.Lstat(name); os.IsNotExist(err) {
			break
		}
	}
	// From now on the file is the user's, and assay does not replace it.
	lines := strings.Split(d.Data.Test, "\n")
	for len(lines) > 0 && (strings.HasPrefix(lines[0], "// Code generated ") || strings.HasPrefix(lines[0], "// Hash: ") || lines[0] == "") {
		lines = lines[1:]
	}
	var insert documentEdit
	insert.TextDocument.URI = uriOf(name)
	insert.Edits = []textEdit{{NewText: strings.Join(lines, "\n")}}
	return codeAction{
		Title: "assay: test this finding (" + filepath.Base(name) + ")", Kind: "quickfix", Diagnostics: []diagnostic{d},
		Edit: &workspaceEdit{DocumentChanges: []any{createFile{Kind: "create", URI: uriOf(name)}, insert}},
	}
}
