package contract

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Package holds the directives of a package, and Go source that implements them: files to lay beside
// the package's own. The machine, the native harness and the analyser all execute them as ordinary
// code.
//
// A function with clauses gets a function that calls it and checks its contract:
//
//	func run(b *Buffer, n int) (result error) {
//		assume(pre(b, n))
//		old0 := b.len
//		result = b.Grow(n)
//		ensure("ensures b.len >= old(b.len)", b.len >= old0)
//		return result
//	}
//
// Code inside the package calls the function itself: contracts are checked where the engines call.
type Package struct {
	Funcs    []*Func
	Types    []*Type
	Files    map[string][]byte // by absolute file name
	Problems []Problem

	byFunc map[*ast.FuncDecl]*Func
}

// Func returns the contract of a declared function, or nil if the function has none.
func (p *Package) Func(d *ast.FuncDecl) *Func { return p.byFunc[d] }

// Type returns the invariants of the package's type with this name, or nil if it has none.
func (p *Package) Type(name string) *Type {
	for _, t := range p.Types {
		if t.Spec.Name.Name == name {
			return t
		}
	}
	return nil
}

// AssumedName is the name of the function that AssumedDeclaration declares. The declaration is appended to a
// file into which assumptions of other tools are inserted.
const (
	AssumedName        = prefix + "assumed"
	AssumedDeclaration = "\n\n//assay:assumed\nfunc " + AssumedName + "(id string, cond bool) {}\n"
)

// Ours reports whether Read generated the function of the package with this name.
func Ours(name string) bool { return strings.HasPrefix(name, prefix) }

// Runs reports whether a function, given by the runtime's name, was generated to call another function and
// check its contract. Users do not want to see its frame in a stack.
func Runs(full string) bool {
	_, name, _ := strings.Cut(full[strings.LastIndexByte(full, '/')+1:], ".")
	return strings.HasPrefix(name, prefix+"run_")
}

// prefix is the prefix of all generated names. Names in Go usually have no underscores, so no other name has
// this prefix.
const prefix = "assay_contract_"

// Broken returns the clause that an execution broke, if the text of the violated assertion names one; and
// "assert" otherwise.
func Broken(what string) string {
	for _, k := range []Kind{Requires, Ensures, Invariant} {
		if strings.HasPrefix(what, k.String()+" ") {
			return what
		}
	}
	return "assert"
}

// reader reads the directives of one package.
type reader struct {
	fset  *token.FileSet
	known Imports
	out   *Package

	specs map[string]*ast.TypeSpec
	types map[string]*Type // with invariants, by name
	names map[string]bool  // the generated names

	declared map[string]bool    // names at the top level of the package
	seen     map[token.Pos]bool // clauses that were read or reported
	without  []token.Position
}

// leftOut reports whether the directive in a line is to be left out.
func (r *reader) leftOut(pos token.Position) bool {
	return slices.ContainsFunc(r.without, func(p token.Position) bool { return p.Filename == pos.Filename && p.Line == pos.Line })
}

func (r *reader) problem(pos token.Position, message string) {
	r.out.Problems = append(r.out.Problems, Problem{pos, message})
}

// Read reads the directives of a package's files, which were parsed with comments, and generates the source
// that implements them. If the package has no clauses, Files is empty. Problems are directives that are no
// expressions or stand in the wrong place. Mistakes in an expression's types show when Files are
// type-checked, at the directive's place. The caller then calls Read again, with the lines of these
// directives in without. Read leaves these directives out.
func Read(fset *token.FileSet, dir string, files []*ast.File, known Imports, without ...token.Position) *Package {
	r := &reader{
		without: without,
		fset:    fset,
		known:   known,
		out:     &Package{Files: map[string][]byte{}, byFunc: map[*ast.FuncDecl]*Func{}},
		specs:   map[string]*ast.TypeSpec{}, types: map[string]*Type{}, names: map[string]bool{},
		declared: map[string]bool{}, seen: map[token.Pos]bool{},
	}
	for _, f := range files {
		r.readNames(f)
		r.readTypes(f)
	}
	var parts [][]byte
	for _, f := range files {
		w := &writer{reader: r, file: f}
		for _, d := range f.Decls {
			if gd, ok := d.(*ast.GenDecl); ok && gd.Tok == token.TYPE {
				for _, s := range gd.Specs {
					if t := r.types[s.(*ast.TypeSpec).Name.Name]; t != nil && t.Spec == s {
						w.typeInvariant(t, files)
					}
				}
			}
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil && fd.Name.Name != "_" && fd.Name.Name != "init" {
				w.function(fd)
			}
		}
		if w.buf.Len() > 0 {
			parts = append(parts, w.source())
		}
	}
	for _, f := range files {
		r.stray(f)
	}
	if len(parts) == 0 || len(r.out.Problems) > 0 {
		return r.out
	}
	name := files[0].Name.Name
	head := "package " + name + "\n\n//assay:assume\nfunc " + prefix + "assume(bool) {}\n\n//assay:assert\nfunc " + prefix + "ensure(what string, cond bool) {}\n"
	r.out.Files[filepath.Join(dir, prefix+"0.go")] = []byte(head)
	for i, part := range parts {
		r.out.Files[filepath.Join(dir, prefix+strconv.Itoa(i+1)+".go")] = part
	}
	return r.out
}

// stray reports the directives of a file that mean nothing: clauses above declarations that cannot have any,
// annotations above what is no annotation, unknown directives and misspelt ones.
func (r *reader) stray(f *ast.File) {
	of := make(map[*ast.CommentGroup]*ast.FuncDecl)
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Doc != nil {
			of[fd.Doc] = fd
		}
	}
	for _, group := range f.Comments {
		for _, line := range group.List {
			pos := r.fset.Position(line.Pos())
			if r.seen[line.Pos()] || r.leftOut(pos) {
				continue
			}
			if rest, ok := strings.CutPrefix(line.Text, "//assay:"); ok {
				if message := r.strayDirective(rest, of[group]); message != "" {
					r.problem(pos, message)
				}
			} else if rest, ok := strings.CutPrefix(line.Text, "// assay:"); ok {
				if word, _, _ := strings.Cut(rest, " "); isDirective(word) {
					r.problem(pos, "no space belongs in front of assay:"+word)
				}
			}
		}
	}
}

// isDirective reports whether there is a directive of that name.
func isDirective(word string) bool {
	switch word {
	case Requires.String(), Ensures.String(), Invariant.String(), "pure", "skip":
		return true
	}
	return Directive("//assay:"+word) != None
}

// strayDirective says what is wrong with a directive that is no clause, or with a clause that was not read, or
// returns "". The parameter fd is the function in whose comment the directive stands, or nil.
func (r *reader) strayDirective(rest string, fd *ast.FuncDecl) string {
	word, text, _ := strings.Cut(strings.TrimSpace(rest), " ")
	switch word {
	case Requires.String(), Ensures.String(), Invariant.String():
		return "//assay:" + word + " does not belong here: requires and ensures are of functions, invariant is of types"
	case "skip":
		return "" // a reason may follow
	}
	a := Directive("//assay:" + word)
	switch {
	case !isDirective(word):
		return "there is no directive //assay:" + word
	case strings.TrimSpace(text) != "":
		return "nothing belongs behind //assay:" + word
	case word == "pure" && fd == nil:
		return "//assay:pure does not belong here: it is of functions"
	case a == None:
		return ""
	case fd == nil || fd.Recv != nil || fd.Type.Results.NumFields() > 0 || !r.takesCondition(fd):
		return "//assay:" + word + " does not belong here: it is of functions without receiver and results that take a condition"
	}
	return ""
}

// takesCondition reports whether a function has a parameter that is a truth value.
func (r *reader) takesCondition(fd *ast.FuncDecl) bool {
	for _, p := range fd.Type.Params.List {
		id, ok := p.Type.(*ast.Ident)
		seen := make(map[string]bool) // a type may be declared by itself, by mistake
		for ok && r.specs[id.Name] != nil && !seen[id.Name] {
			seen[id.Name] = true
			id, ok = r.specs[id.Name].Type.(*ast.Ident)
		}
		if ok && id.Name == "bool" {
			return true
		}
	}
	return false
}

// readNames notes the top-level names of a file.
func (r *reader) readNames(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				r.declared[d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					r.declared[s.Name.Name] = true
				case *ast.ValueSpec:
					for _, id := range s.Names {
						r.declared[id.Name] = true
					}
				}
			}
		}
	}
}

// readTypes finds the types of a file and their invariants.
func (r *reader) readTypes(f *ast.File) {
	for _, d := range f.Decls {
		gd, ok := d.(*ast.GenDecl)
		if !ok || gd.Tok != token.TYPE {
			continue
		}
		for _, s := range gd.Specs {
			ts := s.(*ast.TypeSpec)
			r.specs[ts.Name.Name] = ts
			doc := ts.Doc
			if doc == nil && len(gd.Specs) == 1 {
				doc = gd.Doc
			}
			if list := r.clauses(doc, Invariant); len(list) > 0 {
				t := &Type{Spec: ts, Clauses: list, Holds: r.name("holds_" + ts.Name.Name)}
				r.types[ts.Name.Name] = t
				r.out.Types = append(r.out.Types, t)
			}
		}
	}
}

// name makes a name for a generated function.
func (r *reader) name(base string) string {
	n := prefix + base
	for r.names[n] {
		n += "_"
	}
	r.names[n] = true
	return n
}

// writer writes the generated source for the directives of one file.
type writer struct {
	*reader
	file *ast.File
	buf  bytes.Buffer
}

func (w *writer) printf(form string, args ...any) { fmt.Fprintf(&w.buf, form, args...) }

// source returns the generated file.
func (w *writer) source() []byte {
	var b bytes.Buffer
	head := "package " + w.file.Name.Name + "\n\n"
	b.WriteString(head)
	for _, spec := range w.needed(append([]byte(head), w.buf.Bytes()...)) {
		b.WriteString("import " + spec + "\n")
	}
	b.Write(w.buf.Bytes())
	return b.Bytes()
}

// line makes the compiler report positions of the following code at the declaration d.
func (w *writer) line(d ast.Node) {
	pos := w.fset.Position(d.Pos())
	w.printf("\n//line %s:%d:%d\n", pos.Filename, pos.Line, pos.Column)
}

// placed returns text as an operand at a place of the user's file.
func placed(pos token.Position, text string) string {
	pos.Column-- // room for the parenthesis
	return at(pos, "("+text+")")
}

// at returns text at a place of the user's file.
func at(pos token.Position, text string) string {
	return fmt.Sprintf("/*line %s:%d:%d*/%s", pos.Filename, pos.Line, pos.Column, text)
}

// Imports knows the local names and the declarations of a package's imports. The zero value derives names
// from import paths, and knows no declarations.
type Imports struct {
	// Name returns the name of the package of an import path, or "" if it is not known.
	Name func(path string) string
	// Declares reports whether the package of a path declares an exported name.
	Declares func(path, name string) bool
}

// needed returns the import specs of the user's file that a generated file needs, in their order. It
// looks for identifiers that the generated file uses and does not declare. An import whose name occurs
// only in text that was not written, or is hidden by a parameter, is not needed.
func (w *writer) needed(src []byte) []string {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	if err != nil {
		return nil // the type checker reports this at the clause's place
	}
	free := map[*ast.Ident]bool{}
	for _, id := range f.Unresolved {
		free[id] = true
	}
	qualifiers, plain := map[string]bool{}, map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && free[id] {
				qualifiers[id.Name] = true
			}
		case *ast.Ident:
			if free[n] && ast.IsExported(n.Name) && !w.declared[n.Name] {
				plain[n.Name] = true
			}
		}
		return true
	})
	var specs []string
	for _, spec := range w.file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		switch {
		case spec.Name == nil:
			if w.called(path, qualifiers) {
				specs = append(specs, spec.Path.Value)
			}
		case spec.Name.Name == ".":
			for name := range plain {
				if w.known.Declares != nil && w.known.Declares(path, name) {
					specs = append(specs, ". "+spec.Path.Value)
					break
				}
			}
		case qualifiers[spec.Name.Name]:
			specs = append(specs, spec.Name.Name+" "+spec.Path.Value)
		}
	}
	return specs
}

// called reports whether one of the names denotes the package of a path.
func (w *writer) called(path string, names map[string]bool) bool {
	if w.known.Name != nil {
		if name := w.known.Name(path); name != "" {
			return names[name]
		}
	}
	for name := range names {
		if importedAs(path, name) {
			return true
		}
	}
	return false
}

// importedAs reports whether an import of a path without a name may declare this name. The name is the path's
// last element, without a major version or a gopkg.in version.
func importedAs(path, name string) bool {
	for path != "" {
		dir, base := "", path
		if i := strings.LastIndexByte(path, '/'); i >= 0 {
			dir, base = path[:i], path[i+1:]
		}
		plain, _, _ := strings.Cut(base, ".")
		if base == name || plain == name || strings.TrimPrefix(plain, "go-") == name || strings.TrimSuffix(plain, "-go") == name {
			return true
		}
		if len(base) < 2 || base[0] != 'v' || strings.Trim(base[1:], "0123456789") != "" {
			return false
		}
		path = dir // a major version
	}
	return false
}

// text prints a type or an expression of the source.
func (w *writer) text(n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, w.fset, n); err != nil {
		panic("bug: contract: a type of the source does not print: " + err.Error())
	}
	return b.String()
}

// oldCalls replaces each old(e) of a clause by the name that name gives it, and returns the expressions e in
// their order. It reports a problem if old does not have exactly one argument.
func (w *writer) oldCalls(c Clause, name func(i int) string) (text string, olds []string) {
	e, err := parser.ParseExpr(c.Text)
	if err != nil {
		panic("bug: contract: a clause that was parsed does not parse: " + err.Error())
	}
	at := 0
	var b strings.Builder
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "old" {
			return true
		}
		if len(call.Args) != 1 || c.Kind != Ensures {
			pos := c.Pos
			pos.Column += int(call.Pos()) - 1
			w.problem(pos, "old takes one expression, in ensures")
			return false
		}
		b.WriteString(c.Text[at : call.Pos()-1])
		b.WriteString(name(len(olds)))
		olds = append(olds, c.Text[call.Args[0].Pos()-1:call.Args[0].End()-1])
		at = int(call.End()) - 1
		return false
	})
	b.WriteString(c.Text[at:])
	return b.String(), olds
}
