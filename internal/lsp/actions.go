package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/adopt"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
)

// codeAction offers actions for a place: for the function there, the line, and the diagnostics.
func (s *Server) codeAction(ctx context.Context, params json.RawMessage) (any, error) {
	var p rangeParams
	if err := decode(params, &p); err != nil {
		return nil, err
	}
	out := []codeAction{}
	f, file, err := s.at(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if s.roots.need(f.dir) != nil {
		return out, nil
	}
	if strings.HasSuffix(file, "_test.go") {
		return p.wanted(s.adoptActions(p, file)), nil
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
		out = append(out, p.action(kind, title, name, arguments...))
	}
	if in != nil {
		add("source", "assay: write tests for "+in.name, cmdWrite, in.name)
		add("source", "assay: write a test for this branch", cmdBranch, line)
		add("source", "assay: show the input that reaches this line", cmdInput, line)
		if adopt.Has(f.dir, in.name) {
			add("source", "assay: adopt the tests of "+in.name, cmdAdopt, in.name)
		}
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
	return p.wanted(out), nil
}

// action is an action that runs a command on the document.
func (p rangeParams) action(kind, title, name string, arguments ...any) codeAction {
	return codeAction{Title: title, Kind: kind, Command: &command{Title: title, Command: name, Arguments: append([]any{p.TextDocument.URI}, arguments...)}}
}

// wanted drops the actions of kinds that the client did not ask for.
func (p rangeParams) wanted(all []codeAction) []codeAction {
	if len(p.Context.Only) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(a codeAction) bool {
		return !slices.ContainsFunc(p.Context.Only, func(kind string) bool { return a.Kind == kind || strings.HasPrefix(a.Kind, kind+".") })
	})
}

// adoptActions offers to adopt the generated test at a place, and all tests of its file. It offers nothing
// for files that are written or edited by hand, and for tests of findings.
func (s *Server) adoptActions(p rangeParams, file string) []codeAction {
	out := []codeAction{}
	text, err := s.buffers.read(file)
	if ours, edited := testfile.Verify(text); err != nil || !ours || edited || strings.HasSuffix(file, files.BugSuffix) {
		return out
	}
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return out // a file that assay wrote parses, so this one is just being replaced
	}
	for _, d := range parsed.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Test") && !strings.HasPrefix(fn.Name.Name, "Fuzz") {
			continue
		}
		from := fn.Pos()
		if fn.Doc != nil {
			from = fn.Doc.Pos()
		}
		if line := p.Range.Start.Line + 1; fset.Position(from).Line <= line && line <= fset.Position(fn.End()).Line {
			out = append(out, p.action("source", "assay: adopt this test ("+fn.Name.Name+")", cmdAdopt, fn.Name.Name))
		}
	}
	return append(out, p.action("source", "assay: adopt all tests of this file", cmdAdopt, filepath.Base(file)))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// testFinding turns the test of a finding into a file. The editor creates the file, and the user may edit it.
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
