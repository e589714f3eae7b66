package adopt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gosyntax"
)

// handFile is a file of hand-written tests.
type handFile struct {
	name       string
	pkg        string // of the package clause
	constraint string // "" if it has none
	src        []byte // its text, with the imports added so far
	added      []string
	changed    bool
	created    bool
	declares   map[string]string // the names of declarations, by their text in the form of normalised
}

// readDirectory reads the hand-written tests of a directory.
func readDirectory(path string) (*directory, error) {
	d := &directory{path: path, shared: shared{gone: make(map[string]bool)}}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") || !e.Type().IsRegular() {
			continue
		}
		name := filepath.Join(path, e.Name())
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if c, ok := testfile.OnlyHelpers(src); ok {
			d.shared.own, d.shared.content = files.Own{Name: name, Content: src}, c
		}
		if ours, _ := testfile.Verify(src); ours {
			continue
		}
		h := &handFile{name: name, src: src}
		if err := h.read(); err != nil {
			return nil, err
		}
		d.hand = append(d.hand, h)
	}
	return d, nil
}

// parse parses the file as it is now.
func (h *handFile) parse() (*ast.File, *token.FileSet, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, h.name, h.src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fmt.Errorf("the tests by hand have to be in order first: %w", err)
	}
	return f, fset, nil
}

// read reads the file.
func (h *handFile) read() error {
	f, fset, err := h.parse()
	if err != nil {
		return err
	}
	h.pkg = f.Name.Name
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() < f.Package && constraint.IsGoBuild(c.Text) {
				h.constraint = strings.TrimSpace(c.Text)
			}
		}
	}
	h.declares = make(map[string]string)
	for _, d := range f.Decls {
		name, from, to := declared(d)
		if name != "" {
			h.declares[name] += normalised(string(h.src[fset.Position(from).Offset:fset.Position(to).Offset]), name)
		}
	}
	return nil
}

// declared returns the name that a declaration declares (for a method its receiver's) and its place
// without the comment; "" for imports and for declarations of several names.
func declared(d ast.Decl) (name string, from, to token.Pos) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name = d.Name.Name
		if d.Recv != nil && len(d.Recv.List) > 0 {
			if name = gosyntax.ReceiverName(d); name == "" {
				return "", 0, 0
			}
		}
	case *ast.GenDecl:
		if d.Tok == token.IMPORT || len(d.Specs) != 1 {
			return "", 0, 0
		}
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			name = s.Name.Name
		case *ast.ValueSpec:
			if len(s.Names) == 1 {
				name = s.Names[0].Name
			}
		}
	}
	return name, d.Pos(), d.End()
}

// numbered matches the end of the names of a source's further generated files.
var numbered = regexp.MustCompile(`_[2-9]$`)

// targetOf returns the hand-written file to which the tests of a generated file go.
func (d *directory) targetOf(r *request) (*handFile, error) {
	stem := strings.TrimSuffix(r.own.Name, files.TestSuffix)
	for _, end := range []string{"_fuzz", "_exhaustive"} {
		if s, ok := strings.CutSuffix(stem, end); ok && !exists(stem+".go") {
			stem = s
		}
	}
	if !exists(stem+".go") && numbered.MatchString(stem) {
		stem = stem[:len(stem)-2]
	}
	pkg, cons := r.content.Package(), r.content.Constraint()
	beside := "_internal_test.go"
	if strings.HasSuffix(pkg, "_test") {
		beside = "_external_test.go"
	}
	for _, end := range []string{"_test.go", beside, "_adopted_test.go"} {
		i := slices.IndexFunc(d.hand, func(h *handFile) bool { return h.name == stem+end })
		if i < 0 && exists(stem+end) {
			continue
		}
		if i < 0 {
			h := &handFile{name: stem + end, pkg: pkg, constraint: cons, created: true, declares: make(map[string]string)}
			h.src = []byte(r.content.Head)
			d.hand = append(d.hand, h)
			return h, nil
		}
		if h := d.hand[i]; h.pkg == pkg && h.constraint == cons {
			return h, nil
		}
	}
	return nil, fmt.Errorf("%s: %s_test.go and the files beside it are in another package or under other build constraints", r.own.Name, filepath.Base(stem))
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// append adds declarations to the file, and their imports. rename maps names in them to other names in
// this file.
func (h *handFile) append(texts []string, imports map[string]string, rename map[string]string) error {
	f, fset, err := h.parse()
	if err != nil {
		return err
	}
	used := make(map[string]bool)
	for _, t := range texts {
		for n := range testfile.NamesIn(t) {
			used[n] = true
		}
	}
	names := make(map[string]string)
	for old, to := range rename {
		names[old] = to
	}
	specs := h.joinImports(f, used, imports, names)
	clean, err := format.Source(h.src)
	formatted := err == nil && bytes.Equal(clean, h.src)
	if h.src, err = addImports(h.src, f, fset, specs); err != nil {
		return fmt.Errorf("%s: %w", h.name, err)
	}
	if formatted || h.created {
		if clean, err := format.Source(h.src); err == nil {
			h.src = clean
		}
	}
	for _, t := range texts {
		h.added = append(h.added, testfile.Renamed(t, names))
	}
	h.changed = true
	return nil
}

// content returns the file with the additions, and with the line ends that it had.
func (h *handFile) content() []byte {
	var b bytes.Buffer
	b.WriteString(strings.TrimRight(string(h.src), "\r\n") + "\n")
	crlf := bytes.Contains(h.src, []byte("\r\n"))
	for _, t := range h.added {
		text := "\n" + strings.TrimSpace(t) + "\n"
		if crlf {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		b.WriteString(text)
	}
	return b.Bytes()
}
