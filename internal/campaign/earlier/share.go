package earlier

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// helperFile is an earlier file with the helpers that several test files share.
type helperFile struct {
	name string // absolute
	*testfile.Content
}

// findHelpers returns the file of shared helpers among earlier files, or nil if there is none. A file that was edited is the user's, and
// so are the helpers in it.
func findHelpers(own []files.Own) *helperFile {
	for _, o := range own {
		if c, ok := testfile.OnlyHelpers(o.Content); ok && mayShare(o.Name) {
			return &helperFile{o.Name, c}
		}
	}
	return nil
}

// mayShare reports whether the tests in a file may use shared helpers: proposals of Fuzz functions are for people to take, and exhaustive tests have
// helpers of no other file.
func mayShare(name string) bool {
	return !strings.HasSuffix(name, emit.FuzzSuffix) && !strings.HasSuffix(name, files.ExhaustiveSuffix)
}

// withHelpers returns an earlier file as it would be if it shared no helpers.
func (e Files) withHelpers(s *session.Session, o files.Own) ([]byte, error) {
	if e.helpers == nil || e.Kept[e.helpers.name] {
		return o.Content, nil
	}
	return testfile.WithHelpers(o.Content, e.helpers.Content, s.Pkg.Module)
}

// Share moves helpers that several of the files have to a file of their own, which it adds. Helpers that
// files use which stay as they are stay there as well.
func (e Files) Share(s *session.Session, written []emit.File) ([]emit.File, error) {
	var held *testfile.Content
	if e.helpers != nil {
		if e.Kept[e.helpers.name] {
			return written, nil // its helpers are not ours to change
		}
		var stay []*testfile.Content
		for _, o := range e.Own {
			if o.Name == e.helpers.name || !e.Kept[o.Name] {
				continue
			}
			if c := testfile.UsesOf(o.Content); c != nil { // else it cannot be compiled, whatever it uses
				stay = append(stay, c)
			}
		}
		for _, name := range s.Pkg.TestFiles { // a file that was renamed to be kept is one by hand
			if src, err := s.Prog.Source(name); err == nil && !slices.ContainsFunc(e.Own, func(o files.Own) bool { return o.Name == name }) {
				if c := testfile.UsesOf(src); c != nil {
					stay = append(stay, c)
				}
			}
		}
		held = e.helpers.Kept(stay)
	}
	return share(written, held, e.helperPath(s), testfile.Scope{Module: s.Pkg.Module, Taken: declaredIn(s.Pkg)})
}

// declaredIn reports whether a name is declared in the package, or in its tests by hand, or is that of an import of one of its files.
func declaredIn(pkg *load.Package) func(name string) bool {
	imports := pkg.ImportNames()
	return func(name string) bool {
		return pkg.TestNames[name] || pkg.Types.Scope().Lookup(name) != nil || slices.Contains(imports, name)
	}
}

// ShareMore has files that are written beside those for which Share was called use the helpers that these share. The others stay
// as they are, and so does the file of helpers.
func (e Files) ShareMore(s *session.Session, more, others []emit.File) ([]emit.File, error) {
	var held *testfile.Content
	names := make(map[string]bool) // those that the others declare
	for _, f := range others {
		if !mayShare(f.Path) || f.Content == nil {
			continue
		}
		c, err := testfile.ReadContent(f.Content)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		if shared, ok := testfile.OnlyHelpers(f.Content); ok {
			held = shared
			continue
		}
		for _, d := range slices.Concat(c.Tests, c.Helpers) {
			names[d.Name] = true
		}
	}
	declared := declaredIn(s.Pkg)
	shared, err := share(more, held, "", testfile.Scope{Module: s.Pkg.Module, Fixed: true, Taken: func(name string) bool { return names[name] || declared(name) }})
	return slices.DeleteFunc(shared, func(f emit.File) bool { return f.Path == "" }), err
}

// share calls testfile.Share for those of the files that may share helpers. path is that of the file of helpers, which it adds.
func share(written []emit.File, held *testfile.Content, path string, in testfile.Scope) ([]emit.File, error) {
	var texts []testfile.Text
	for _, f := range written {
		if mayShare(f.Path) && f.Content != nil {
			texts = append(texts, testfile.Text{Path: f.Path, Content: f.Content})
		}
	}
	texts, helpers, err := testfile.Share(texts, held, in)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(written)
	for _, t := range texts {
		out[slices.IndexFunc(out, func(f emit.File) bool { return f.Path == t.Path })].Content = t.Content
	}
	if helpers != nil {
		out = append(out, emit.File{Path: path, Content: helpers})
	}
	return out, nil
}

// helperPath returns the path of the file of shared helpers: a name that no test of a source file has, nor any other earlier file.
func (e Files) helperPath(s *session.Session) string {
	base := "helpers"
	for slices.ContainsFunc(s.Pkg.GoFiles, func(name string) bool { return filepath.Base(name) == base+".go" }) ||
		slices.ContainsFunc(e.Own, func(o files.Own) bool {
			return filepath.Base(o.Name) == base+files.TestSuffix && (e.helpers == nil || o.Name != e.helpers.name)
		}) {
		base = "shared_" + base
	}
	return filepath.Join(s.Pkg.Dir, base+files.TestSuffix)
}
