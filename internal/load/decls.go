package load

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Declaration is the text of a declaration and the declarations that it uses, for comparing two
// versions of a package. There are also declarations that stand for a whole package, and for code that
// runs before everything else.
type Declaration struct {
	// Text is the source, with one token on each line, without comments and layout. Two declarations with the
	// same text do the same if the declarations that they use do the same.
	Text string
	// Uses are the names of the used declarations, sorted: "m/p.F", "m/p.T.M", "·M" for all methods of that
	// name, "package m/p" for a package as a whole, "names of m/p.T" for what a type and its fields are called.
	Uses []string
	// Pieces say where the declaration stands.
	Pieces []Piece
	// Start says that it runs at the start of its package: a function init, or a variable whose initial value is computed.
	Start bool
	// Order is in which order what runs at the start uses a variable, by the names of its package; it is part of Text. OldLoops
	// says that the declaration has loops that share their variables, as before go1.22.
	Order    []string
	OldLoops bool
}

// Piece is a stretch of a file: its name, its bytes from From to To, and the number of its
// first line, from 1.
type Piece struct {
	File           string
	From, To, Line int
}

// Declarations returns the declarations of a package under test, and of all packages that it depends on
// whose source may differ between versions: packages of its module, of modules in directories of
// the user's, and those in more. Other packages are identified by their module's version.
func (p *Program) Declarations(pkg *Package, more ...string) (map[string]Declaration, error) {
	p.deps.mu.Lock()
	var local []*listed
	vendored := map[string]string{} // what the source of vendored packages says, by their paths
	out := map[string]Declaration{}
	for _, l := range p.closure(pkg.Path) {
		if l.ImportPath == pkg.Path || l.local() || slices.Contains(more, l.ImportPath) {
			local = append(local, l)
		} else {
			text, err := p.versionPrint(l, vendored)
			if err != nil {
				p.deps.mu.Unlock()
				return nil, err
			}
			out[packageNode+l.ImportPath] = Declaration{Text: text}
		}
	}
	p.deps.mu.Unlock()
	graphs := map[string]*declGraph{}
	for _, l := range local {
		src, err := p.PackageSource(l.ImportPath)
		if err != nil {
			return nil, err
		}
		g := newDeclGraph(p)
		g.spans = map[string][]span{}
		g.add(src, nil)
		g.addStart(src)
		graphs[l.ImportPath] = g
		if err := p.addDeclarations(out, g, l, src.GoVersion); err != nil {
			return nil, err
		}
		var rest []string
		for _, name := range slices.Sorted(slices.Values(append(slices.Clone(l.SFiles), l.EmbedFiles...))) {
			text, err := p.Source(filepath.Join(l.Dir, name))
			if err != nil {
				return nil, err
			}
			rest = append(rest, name, string(text))
		}
		out[packageNode+l.ImportPath] = Declaration{
			Text: strings.Join(rest, "\n"),
			Uses: []string{l.ImportPath + "._", l.ImportPath + ".init"},
		}
	}
	for variable, starts := range startsElsewhere(graphs) {
		d := out[variable]
		d.Uses = slices.Sorted(maps.Keys(starts))
		for _, used := range out[variable].Uses {
			if !starts[used] {
				d.Uses = append(d.Uses, used)
			}
		}
		slices.Sort(d.Uses)
		out[variable] = d
	}
	return out, p.addRegistrants(out, pkg, graphs)
}

// addRegistrants notes for packages of which only the version is known what registers with them: code at the start of
// packages whose source may differ, and the versions of others.
func (p *Program) addRegistrants(out map[string]Declaration, pkg *Package, graphs map[string]*declGraph) error {
	vendored := map[string]string{}
	for _, path := range p.Reached(pkg.Path) {
		d, ok := out[packageNode+path]
		if !ok || len(d.Uses) > 0 {
			continue // its source is compared
		}
		for _, by := range p.Registrants(pkg, path) {
			if g := graphs[by]; g != nil {
				d.Uses = append(d.Uses, g.startsReaching(packageNode+path)...)
				continue
			}
			p.deps.mu.Lock()
			text, err := p.versionPrint(p.deps.listed[by], vendored)
			p.deps.mu.Unlock()
			if err != nil {
				return err
			}
			d.Text += by + "\n" + text
		}
		slices.Sort(d.Uses)
		out[packageNode+path] = d
	}
	return nil
}

// Reached returns the paths of a package and of everything that it imports, directly or not.
func (p *Program) Reached(path string) []string {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	var out []string
	for _, l := range p.closure(path) {
		out = append(out, l.ImportPath)
	}
	return out
}

// SourceSize returns how many bytes of Go source a dependency of a package under test has, and false for what is none.
func (p *Program) SourceSize(path string) (int64, bool) {
	p.deps.mu.Lock()
	l := p.deps.listed[path]
	p.deps.mu.Unlock()
	if l == nil || l.Standard || len(l.CgoFiles) > 0 {
		return 0, false
	}
	var size int64
	for _, name := range l.abs(l.GoFiles) {
		info, err := os.Stat(name)
		if err != nil {
			return 0, false
		}
		size += info.Size()
	}
	return size, true
}

// local reports whether a package's source is in a directory of the user's, so that its module's
// version does not identify it.
func (l *listed) local() bool {
	if l.Standard {
		return false
	}
	m := l.Module
	return m == nil || m.Version == "" || m.Replace != nil && m.Replace.Version == ""
}

// vendored reports whether a package's source is a copy in the user's module, which may have been edited.
func (l *listed) vendored() bool {
	return !l.Standard && strings.HasSuffix(filepath.ToSlash(l.Dir), "/vendor/"+l.ImportPath)
}

// versionPrint identifies the versions of a package and of everything that it imports. Vendored packages are read once,
// and kept in vendored.
func (p *Program) versionPrint(l *listed, vendored map[string]string) (string, error) {
	h := newPrint()
	for _, d := range p.closure(l.ImportPath) {
		switch m := d.Module; {
		case d.Standard:
			h.note(d.ImportPath)
		case m == nil:
			h.note(d.ImportPath, filepath.Base(d.Export))
		case m.Replace != nil:
			h.note(d.ImportPath, m.Replace.Path, cmp.Or(m.Replace.Version, filepath.Base(d.Export)))
		case d.vendored():
			if vendored[d.ImportPath] == "" {
				content := newPrint()
				for _, name := range slices.Concat(d.GoFiles, d.CgoFiles, d.SFiles, d.EmbedFiles) {
					if err := p.noteContent(content, name, filepath.Join(d.Dir, name)); err != nil {
						return "", err
					}
				}
				vendored[d.ImportPath] = content.String()
			}
			h.note(d.ImportPath, vendored[d.ImportPath])
		default:
			h.note(d.ImportPath, m.Version)
		}
	}
	return h.String(), nil
}

// addDeclarations adds the declarations of a package from a graph.
func (p *Program) addDeclarations(out map[string]Declaration, g *declGraph, l *listed, goVersion string) error {
	uses := map[string][]string{}
	for used, users := range g.users {
		for user := range users {
			uses[user] = append(uses[user], used)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		if strings.HasPrefix(name, "·") {
			// Several packages may have methods of that name.
			d := out[name]
			d.Uses = append(d.Uses, uses[name]...)
			slices.Sort(d.Uses)
			out[name] = d
		}
	}
	for name, spans := range g.spans {
		d := Declaration{Uses: uses[name]}
		for _, s := range spans {
			source, err := p.Source(s.file)
			if err != nil {
				return err
			}
			if s.to > len(source) {
				return fmt.Errorf("%s was changed while it was read", s.file)
			}
			d.Text += tokens(source[s.from:s.to])
			d.Pieces = append(d.Pieces, Piece{s.file, s.from, s.to, s.line})
		}
		d.Start = g.starts[name]
		if d.Order = g.order[name]; len(d.Order) > 0 {
			d.Text += "used at the start by\n" + strings.Join(d.Order, "\n") + "\n"
		}
		// From go1.22 on each iteration of a loop has new variables.
		if goVersion != "" && version.Compare("go"+goVersion, "go1.22") < 0 && strings.Contains(d.Text, "\nfor\n") {
			d.Text += "loops share their variables\n"
			d.OldLoops = true
		}
		if strings.Contains(d.Text, "//go:embed") {
			d.Uses = append(d.Uses, packageNode+l.ImportPath)
		}
		slices.Sort(d.Uses)
		out[name] = d
	}
	return nil
}

// tokens returns the tokens of Go source, each on a line. Of comments it keeps only those with a
// meaning for the compiler. Tokens that layout requires, such as a semicolon or a comma before a
// closing bracket, are left out.
func tokens(src []byte) string {
	var out []string
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(out, "\n") + "\n"
		case token.COMMENT:
			if strings.HasPrefix(lit, "//go:embed") || strings.HasPrefix(lit, "//go:linkname") {
				out = append(out, lit)
			}
			continue
		case token.SEMICOLON:
			lit = ";" // the token also stands for the end of a line
		case token.RBRACE, token.RPAREN:
			if n := len(out); n > 0 && (out[n-1] == ";" || out[n-1] == ",") {
				out = out[:n-1]
			}
		}
		if lit == "" {
			lit = tok.String()
		}
		out = append(out, lit)
	}
}
