// Package source takes apart the test files that assay wrote, so that what is redundant
// in them can be found by running the parts, and puts together what is left.
//
// A part is a test function, or a row of the table of one. Statements are dead and pure
// in the sense of package reduce (seed 002): nothing that stays uses what they define,
// and what they call changes nothing. Types are not known here: a method is pure if all
// methods of the package by that name are.
//
// Invariants: what is not removed keeps its text; helpers and imports stay as long as
// something uses them.
//
// Not supported: tables that are not a composite literal assigned to a variable at the
// top of the test.
//
// Start at Parse.
package source

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"sort"
	"strconv"
	"strings"
)

// File is a test file.
type File struct {
	Path  string
	fset  *token.FileSet
	file  *ast.File
	src   []byte
	tests []*test
}

// test is a test function.
type test struct {
	fn    *ast.FuncDecl
	table *ast.CompositeLit // nil if it has none
	dead  []ast.Stmt        // dead and pure
}

// Part is a test function, or a row of its table.
type Part struct {
	Test string
	Row  int // -1 for a whole test
	Size int // bytes of its text
	Name string
	Text string // its statements without what is dead and pure: equal texts are redundant
}

// Parse reads a test file. Pure reports whether calling the function of a name, or every
// method of that name, changes nothing.
func Parse(path string, src []byte, pure func(name string, method bool) bool) (*File, error) {
	f := &File{Path: path, fset: token.NewFileSet(), src: src}
	var err error
	if f.file, err = parser.ParseFile(f.fset, path, src, parser.ParseComments|parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	for _, d := range f.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !isTest(fn) {
			continue
		}
		t := &test{fn: fn, table: table(fn)}
		t.dead = dead(fn, pure)
		f.tests = append(f.tests, t)
	}
	return f, nil
}

// isTest reports whether a function is a test.
func isTest(fn *ast.FuncDecl) bool {
	return fn.Recv == nil && fn.Body != nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" && fn.Type.Params.NumFields() == 1
}

// table returns the composite literal whose elements a test goes through.
func table(fn *ast.FuncDecl) *ast.CompositeLit {
	rows := map[string]*ast.CompositeLit{}
	for _, s := range fn.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if len(s.Lhs) == 1 && len(s.Rhs) == 1 && s.Tok == token.DEFINE {
				id, ok1 := s.Lhs[0].(*ast.Ident)
				lit, ok2 := s.Rhs[0].(*ast.CompositeLit)
				if ok1 && ok2 && len(lit.Elts) > 1 {
					rows[id.Name] = lit
				}
			}
		case *ast.RangeStmt:
			switch x := s.X.(type) {
			case *ast.Ident:
				if lit := rows[x.Name]; lit != nil {
					return lit
				}
			case *ast.CompositeLit:
				if len(x.Elts) > 1 {
					return x
				}
			}
		}
	}
	return nil
}

// Parts returns the parts of the file in the order of its text.
func (f *File) Parts() []Part {
	var out []Part
	for _, t := range f.tests {
		name := t.fn.Name.Name
		if t.table == nil {
			text := f.body(t)
			out = append(out, Part{Test: name, Row: -1, Size: len(text), Name: name, Text: text})
			continue
		}
		for i, e := range t.table.Elts {
			text := f.text(e)
			out = append(out, Part{
				Test: name, Row: i, Size: len(text), Name: fmt.Sprintf("%s, row %d", name, i+1),
				Text: f.cut(t.fn.Body.Pos(), t.table.Lbrace) + text + f.cut(t.table.Rbrace, t.fn.Body.End()),
			})
		}
	}
	return out
}

func (f *File) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *File) cut(from, to token.Pos) string { return string(f.src[f.offset(from):f.offset(to)]) }

func (f *File) text(n ast.Node) string { return f.cut(n.Pos(), n.End()) }

// body returns the body of a test without what is dead and pure.
func (f *File) body(t *test) string {
	var e edits
	for _, s := range t.dead {
		e.remove(f.src, f.offset(s.Pos()), f.offset(s.End()))
	}
	from, to := f.offset(t.fn.Body.Pos()), f.offset(t.fn.Body.End())
	return strings.Join(strings.Fields(string(e.apply(f.src, from, to))), " ")
}

// Split returns a file with a test function for each part, by the given numbers, in
// place of the tests; the others' declarations stay. The names of the functions are
// returned with it.
func (f *File) Split(first int) (content []byte, names []string) {
	var b bytes.Buffer
	at := 0
	for _, t := range f.tests {
		from := f.offset(t.fn.Pos())
		if t.fn.Doc != nil {
			from = f.offset(t.fn.Doc.Pos())
		}
		b.Write(f.src[at:from])
		at = f.offset(t.fn.End())
		rows := 1
		if t.table != nil {
			rows = len(t.table.Elts)
		}
		for i := range rows {
			name := "TestAssayPart" + strconv.Itoa(first+len(names))
			names = append(names, name)
			var e edits
			e.replace(f.offset(t.fn.Name.Pos()), f.offset(t.fn.Name.End()), name)
			if t.table != nil {
				f.keepRows(&e, t, func(k int) bool { return k == i })
			}
			b.Write(e.apply(f.src, f.offset(t.fn.Pos()), at))
			b.WriteString("\n\n")
		}
	}
	b.Write(f.src[at:])
	return b.Bytes(), names
}

// keepRows removes the rows of a table for which keep is false.
func (f *File) keepRows(e *edits, t *test, keep func(i int) bool) {
	for i, row := range t.table.Elts {
		if keep(i) {
			continue
		}
		end := f.offset(row.End())
		for end < f.offset(t.table.Rbrace) && f.src[end] != ',' && f.src[end] != '\n' {
			end++
		}
		if end < len(f.src) && f.src[end] == ',' {
			end++
		}
		e.remove(f.src, f.offset(row.Pos()), end)
	}
}

// Keep returns the file with the parts for which keep is true and, of whole tests, without
// the statements that are dead and pure; what nothing uses any more goes too. It is nil
// if no test is left.
func (f *File) Keep(keep func(test string, row int) bool, clean bool) ([]byte, error) {
	var e edits
	left := 0
	for _, t := range f.tests {
		name := t.fn.Name.Name
		kept := 0
		if t.table == nil {
			if keep(name, -1) {
				kept = 1
			}
		} else {
			for i := range t.table.Elts {
				if keep(name, i) {
					kept++
				}
			}
		}
		if kept == 0 {
			from := t.fn.Pos()
			if t.fn.Doc != nil {
				from = t.fn.Doc.Pos()
			}
			e.remove(f.src, f.offset(from), f.offset(t.fn.End()))
			continue
		}
		left++
		if t.table != nil && kept < len(t.table.Elts) {
			f.keepRows(&e, t, func(i int) bool { return keep(name, i) })
		}
		if clean {
			for _, s := range t.dead {
				e.remove(f.src, f.offset(s.Pos()), f.offset(s.End()))
			}
		}
	}
	if left == 0 {
		return nil, nil
	}
	return tidy(f.Path, e.apply(f.src, 0, len(f.src)))
}

// Dead returns how many statements are dead and pure.
func (f *File) Dead() int {
	n := 0
	for _, t := range f.tests {
		n += len(t.dead)
	}
	return n
}

// edits are replacements of stretches of a text, which must not overlap.
type edits []struct {
	from, to int
	text     string
}

// remove removes a stretch, and the lines that would be empty without it.
func (e *edits) remove(src []byte, from, to int) {
	start := from
	for start > 0 && (src[start-1] == ' ' || src[start-1] == '\t') {
		start--
	}
	if start > 0 && src[start-1] == '\n' && (to == len(src) || src[to] == '\n') {
		from = start - 1
	}
	e.replace(from, to, "")
}

func (e *edits) replace(from, to int, text string) {
	*e = append(*e, struct {
		from, to int
		text     string
	}{from, to, text})
}

// apply returns the text from one offset to another with the edits made that are in it.
func (e edits) apply(src []byte, from, to int) []byte {
	sort.SliceStable(e, func(i, j int) bool { return e[i].from < e[j].from })
	var out []byte
	at := from
	for _, x := range e {
		if x.from < at || x.to > to {
			continue
		}
		out = append(append(out, src[at:x.from]...), x.text...)
		at = x.to
	}
	return append(out, src[at:to]...)
}

// tidy removes declarations and imports that nothing uses and formats the file.
func tidy(path string, src []byte) ([]byte, error) {
	for {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		offset := func(p token.Pos) int { return fset.Position(p).Offset }
		used := usedNames(file)
		var e edits
		for _, d := range file.Decls {
			from := d.Pos()
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil && len(d.Recv.List) == 1 {
					name = receiver(d.Recv.List[0].Type)
				} else if isTest(d) || name == "init" || name == "TestMain" {
					continue
				}
				if used[name] {
					continue
				}
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
				e.remove(src, offset(from), offset(d.End()))
			case *ast.GenDecl:
				if d.Tok == token.IMPORT {
					for _, s := range d.Specs {
						spec := s.(*ast.ImportSpec)
						if !used[importName(spec)] {
							e.remove(src, offset(spec.Pos()), offset(spec.End()))
						}
					}
					continue
				}
				if d.Tok == token.TYPE && len(d.Specs) == 1 && !used[d.Specs[0].(*ast.TypeSpec).Name.Name] {
					if d.Doc != nil {
						from = d.Doc.Pos()
					}
					e.remove(src, offset(from), offset(d.End()))
				}
			}
		}
		src = e.apply(src, 0, len(src))
		if len(e) == 0 {
			return format.Source(bytes.TrimLeft(blankRows(src), "\n"))
		}
	}
}

// blankRows makes one of several blank lines, as removed rows leave them.
func blankRows(src []byte) []byte {
	var out [][]byte
	blank := false
	for _, line := range bytes.Split(src, []byte("\n")) {
		empty := len(bytes.TrimSpace(line)) == 0
		if empty && blank {
			continue
		}
		blank = empty
		out = append(out, line)
	}
	return bytes.Join(out, []byte("\n"))
}

// usedNames returns the identifiers that occur in the file other than where they are
// declared: a function or type does not use itself.
func usedNames(file *ast.File) map[string]bool {
	used := map[string]bool{}
	for _, d := range file.Decls {
		own := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			own = d.Name.Name
			if d.Recv != nil {
				own = receiver(d.Recv.List[0].Type)
			}
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if d.Tok == token.TYPE && len(d.Specs) == 1 {
				own = d.Specs[0].(*ast.TypeSpec).Name.Name
			}
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name != own {
				used[id.Name] = true
			}
			return true
		})
	}
	return used
}

// receiver returns the name of a receiver's type.
func receiver(t ast.Expr) string {
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return ""
		}
	}
}

// importName returns the name by which a file knows an import.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return ""
	}
	elems := strings.Split(path, "/")
	name := elems[len(elems)-1]
	if len(elems) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = elems[len(elems)-2]
	}
	return name
}
