package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
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
	for _, l := range local {
		src, err := p.PackageSource(l.ImportPath)
		if err != nil {
			return nil, err
		}
		g := &declGraph{prog: p, users: map[string]map[string]bool{}, touched: map[string]bool{}, order: map[string]string{}, spans: map[string][]span{}}
		g.add(src, nil)
		g.addStart(src)
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
	return out, nil
}

// addStart notes that what variables of a package hold depends on its functions init and on the initialisers of
// variables that run code, if these reach them, and on the order of the latter.
func (g *declGraph) addStart(src *Source) {
	uses := map[string][]string{}
	for used, users := range g.users {
		for user := range users {
			uses[user] = append(uses[user], used)
		}
	}
	vars := map[string]bool{} // those that code may change
	scope, assigned := src.Types.Scope(), assignedIn(src)
	for _, name := range scope.Names() {
		if v, ok := scope.Lookup(name).(*types.Var); ok && (assigned[v] || !isSettled(v.Type())) {
			vars[src.Path+"."+name] = true
		}
	}
	runs := map[string]bool{src.Path + ".init": true, src.Path + "._": true}
	var starts []string
	for _, i := range src.Info.InitOrder {
		for _, v := range i.Lhs {
			key := src.Path + "." + v.Name()
			starts = append(starts, key)
			runs[key] = runs[key] || calls(src.Info, i.Rhs)
		}
	}
	reached := map[string]map[string]bool{} // the variables that code at the start reaches
	for start := range runs {
		reached[start] = map[string]bool{}
		if !runs[start] {
			for _, used := range uses[start] {
				reached[start][used] = vars[used]
			}
			continue
		}
		seen := map[string]bool{}
		todo := []string{start}
		for len(todo) > 0 {
			key := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[key] {
				continue
			}
			seen[key] = true
			todo = append(todo, uses[key]...)
			if vars[key] && key != start {
				reached[start][key] = true
			}
		}
		for v := range reached[start] {
			g.use(v, start)
		}
	}
	for v := range vars {
		var list []string
		code := false
		for _, start := range starts {
			if reached[start][v] {
				list = append(list, strings.TrimPrefix(start, src.Path+"."))
				code = code || runs[start]
			}
		}
		if code && len(list) > 1 {
			g.order[v] = "used at the start by\n" + strings.Join(list, "\n") + "\n"
		}
	}
}

// isSettled reports whether a variable of a type holds the same until it is assigned to.
func isSettled(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic, *types.Signature:
		return true
	case *types.Named:
		return t == types.Universe.Lookup("error").Type()
	}
	return false
}

// assignedIn returns the variables that code of a package assigns to, in whole or in part, or takes the address of.
func assignedIn(src *Source) map[types.Object]bool {
	out := map[types.Object]bool{}
	note := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && src.Info.Uses[id] != nil {
				out[src.Info.Uses[id]] = true
			}
			return true
		})
	}
	for _, f := range src.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					note(e)
				}
			case *ast.IncDecStmt:
				note(n.X)
			case *ast.RangeStmt:
				for _, e := range []ast.Expr{n.Key, n.Value} {
					if e != nil {
						note(e)
					}
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					note(n.X)
				}
			}
			return true
		})
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
		d.Text += g.order[name]
		// From go1.22 on each iteration of a loop has new variables.
		if goVersion != "" && version.Compare("go"+goVersion, "go1.22") < 0 && strings.Contains(d.Text, "\nfor\n") {
			d.Text += "loops share their variables\n"
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
