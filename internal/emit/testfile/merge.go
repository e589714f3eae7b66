package testfile

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
)

// Merge adds tests of an earlier file to a new one, with the helpers and imports that these tests use. It
// adds the tests for which keep holds. The parameter fresh is nil if there is no new file. The function order
// gives a test's place by its name; tests of the same place keep their order, new ones first. The result is
// nil if no test is left. An error means that both files declare a name differently.
func Merge(fresh, old []byte, keep func(test string) bool, order func(test string) int) ([]byte, error) {
	was, err := parsePieces(old)
	if err != nil {
		return nil, err
	}
	now := &pieces{head: was.head}
	if fresh != nil {
		if now, err = parsePieces(fresh); err != nil {
			return nil, err
		}
	}
	was.tests = slices.DeleteFunc(was.tests, func(p piece) bool { return !keep(p.name) })
	if now.head != was.head {
		if len(was.tests) > 0 {
			return nil, fmt.Errorf("the earlier tests are in another package or under another build constraint")
		}
		return fresh, nil
	}
	for _, t := range was.tests {
		if slices.ContainsFunc(now.tests, func(p piece) bool { return p.name == t.name }) {
			return nil, fmt.Errorf("%s is a new test and an earlier one", t.name)
		}
	}
	tests := append(slices.Clone(now.tests), was.tests...)
	if len(tests) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(tests, func(a, b piece) int { return cmp.Compare(order(a.name), order(b.name)) })

	helpers := slices.Clone(now.helpers)
	for _, h := range was.helpers {
		i := slices.IndexFunc(helpers, func(p piece) bool { return p.name == h.name })
		switch {
		case i < 0:
			helpers = append(helpers, h)
		case helpers[i].text != h.text:
			return nil, fmt.Errorf("%s means something else in the earlier tests", h.name)
		}
	}
	for _, t := range tests {
		if slices.ContainsFunc(helpers, func(h piece) bool { return h.name == t.name }) {
			return nil, fmt.Errorf("%s means something else in the earlier tests", t.name)
		}
	}
	var body bytes.Buffer
	for _, t := range tests {
		body.WriteString("\n" + t.text + "\n")
	}
	// A helper may be needed by another helper only.
	for grew := true; grew; {
		grew = false
		used := gofile.Identifiers(body.Bytes())
		helpers = slices.DeleteFunc(helpers, func(h piece) bool {
			if !used[h.name] {
				return false
			}
			body.WriteString("\n" + h.text + "\n")
			grew = true
			return true
		})
	}
	used := gofile.Qualifiers(body.Bytes())
	imports := map[string]string{}
	for _, from := range []map[string]string{was.imports, now.imports} {
		for path, name := range from {
			if !used[name] {
				continue
			}
			if known, ok := imports[path]; ok && known != name {
				return nil, fmt.Errorf("%s is imported by another name in the earlier tests", path)
			}
			imports[path] = name
		}
	}
	src, err := format.Source([]byte(now.head + gofile.ImportText(imports, "") + body.String()))
	if err != nil {
		return nil, err
	}
	return Seal(src), nil
}

// pieces holds the parts of a generated file.
type pieces struct {
	head           string            // constraint and package clause
	imports        map[string]string // the names of imports by their paths
	tests, helpers []piece
}

// piece is a declaration with its comment.
type piece struct{ name, text string }

func parsePieces(src []byte) (*pieces, error) {
	if generated, _ := Verify(src); generated {
		src = withoutHowTo(bytes.SplitN(src, []byte("\n"), 3)[2])
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	out := &pieces{
		head:    strings.TrimSpace(string(src[:at(f.Name.End())])) + "\n\n",
		imports: map[string]string{},
	}
	for _, i := range f.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		out.imports[path] = filepath.Base(path)
		if i.Name != nil {
			out.imports[path] = i.Name.Name
		}
	}
	for _, d := range f.Decls {
		p := piece{}
		from := d.Pos()
		switch d := d.(type) {
		case *ast.FuncDecl:
			p.name = d.Name.Name
			if d.Recv != nil {
				p.name = gosyntax.ReceiverName(d) + "." + p.name
			}
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if len(d.Specs) != 1 {
				return nil, fmt.Errorf("a declaration of several names")
			}
			switch s := d.Specs[0].(type) {
			case *ast.TypeSpec:
				p.name = s.Name.Name
			case *ast.ValueSpec:
				p.name = s.Names[0].Name
			}
			if d.Doc != nil {
				from = d.Doc.Pos()
			}
		}
		p.text = string(src[at(from):at(d.End())])
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && (strings.HasPrefix(p.name, "Test") || strings.HasPrefix(p.name, "Fuzz")) {
			out.tests = append(out.tests, p)
			continue
		}
		// The methods of a type are kept and dropped with the type.
		if typ, _, ok := strings.Cut(p.name, "."); ok {
			if i := slices.IndexFunc(out.helpers, func(h piece) bool { return h.name == typ }); i >= 0 {
				out.helpers[i].text += "\n\n" + p.text
				continue
			}
		}
		out.helpers = append(out.helpers, p)
	}
	return out, nil
}
