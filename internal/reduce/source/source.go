// Package source takes apart the test files that assay wrote, so that the verb reduce can find redundant
// parts by running the parts. It puts the remaining parts together again.
//
//  1. [Parse] reads a file and finds its parts. A part is a test function, or a row of the table in one.
//  2. Dead statements of a part are found by the names in it (dead.go, effects.go).
//  3. [File.Split] writes a file with one test function for each part and each way in which the part can
//     stay. The verb runs these functions.
//  4. [File.Keep] writes the file with the parts that stay.
//
// Statements are dead in the sense of package reduce: no remaining statement uses their results, and they
// change nothing, or only objects that no remaining statement can reach. Types are not known here: a method
// is pure if all methods of the package by that name are.
//
// Invariants: parts that are not removed keep their text; helpers and imports stay as long as something uses
// them.
//
// Not supported: tables that are not a composite literal assigned to a variable at the top of the test.
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

	"github.com/goassay/assay/internal/gosyntax"
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
	table *ast.CompositeLit // nil if the test has none
	dead  [][]ast.Stmt      // groups of dead statements, which can go independently of each other
}

// Part is a test function, or a row of its table.
type Part struct {
	Test string
	Row  int // the number of the row, or -1 for a whole test
	Name string
	Text string // the part's statements without the dead ones; parts with equal texts are redundant

	size int     // the bytes of its text without the dead statements
	dead []group // the dead statements of its test
}

// group is a set of dead statements that concern objects of their own.
type group struct{ statements, size int }

// Fate is what happens to a part: whether the part stays, and with which groups of the dead statements of its test. The union
// of two fates keeps what one of them keeps.
type Fate uint16

// The fates of parts. Other fates are those of [Part.Fates], and unions of these.
const (
	Gone    Fate = 0
	Cleaned Fate = 1        // the part stays without its dead statements
	Whole        = ^Fate(0) // the part stays as it is
)

// maxGroups is how many groups of dead statements of a test can go one by one. Further statements belong to the last group.
const maxGroups = 15

// keeping returns the fate of a part that stays with one group of dead statements only.
func keeping(group int) Fate { return Cleaned | Cleaned<<(group+1) }

// keeps reports whether a part stays with a group of dead statements.
func (f Fate) keeps(group int) bool { return f&keeping(group) == keeping(group) }

// Fates are the fates in which a part can stay, in the order in which Split writes them: first as it is, then without dead
// statements, then with one group of them.
func (p Part) Fates() []Fate {
	out := []Fate{Whole}
	if len(p.dead) > 0 {
		out = append(out, Cleaned)
	}
	if len(p.dead) > 1 {
		for i := range p.dead {
			out = append(out, keeping(i))
		}
	}
	return out
}

// Size returns how many bytes of a part's text, and of the dead statements of its test, stay.
func (p Part) Size(f Fate) int {
	size := p.size
	for i, g := range p.dead {
		if f.keeps(i) {
			size += g.size
		}
	}
	return size
}

// Dead returns how many dead statements of the part's test go.
func (p Part) Dead(f Fate) int {
	n := 0
	for i, g := range p.dead {
		if !f.keeps(i) {
			n += g.statements
		}
	}
	return n
}

// Parse reads a test file. The parameter names tells the meanings of the names in it.
func Parse(path string, src []byte, names Names) (*File, error) {
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
		t.dead = dead(fn, names)
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
		var dead []group
		for _, g := range t.dead {
			size := 0
			for _, s := range g {
				size += int(s.End() - s.Pos())
			}
			dead = append(dead, group{len(g), size})
		}
		if t.table == nil {
			text := f.cleaned(t)
			out = append(out, Part{Test: name, Row: -1, Name: name, Text: text, size: len(text), dead: dead})
			continue
		}
		for i, e := range t.table.Elts {
			text := f.text(e)
			out = append(out, Part{
				Test: name, Row: i, Name: fmt.Sprintf("%s, row %d", name, i+1), size: len(text), dead: dead,
				Text: f.cut(t.fn.Body.Pos(), t.table.Lbrace) + text + f.cut(t.table.Rbrace, t.fn.Body.End()),
			})
		}
	}
	return out
}

func (f *File) offset(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *File) cut(from, to token.Pos) string { return string(f.src[f.offset(from):f.offset(to)]) }

func (f *File) text(n ast.Node) string { return f.cut(n.Pos(), n.End()) }

// cleaned returns the body of a test without its dead statements.
func (f *File) cleaned(t *test) string {
	var e edits
	f.leaveOut(&e, t, Cleaned)
	from, to := f.offset(t.fn.Body.Pos()), f.offset(t.fn.Body.End())
	return strings.Join(strings.Fields(string(e.apply(f.src, from, to))), " ")
}

// leaveOut removes the dead statements of a test that a fate does not keep.
func (f *File) leaveOut(e *edits, t *test, fate Fate) {
	for i, g := range t.dead {
		if fate.keeps(i) {
			continue
		}
		for _, s := range g {
			e.remove(f.src, f.offset(s.Pos()), f.offset(s.End()))
		}
	}
}

// Split returns a file in which the tests are replaced by numbered test functions, one for each part and each
// fate in which the part can stay; the other declarations stay. It also returns the names of the functions.
// They are numbered from first on.
func (f *File) Split(first int) (content []byte, names []string) {
	var b bytes.Buffer
	at := 0
	parts := f.Parts()
	for _, t := range f.tests {
		from := f.offset(t.fn.Pos())
		if t.fn.Doc != nil {
			from = f.offset(t.fn.Doc.Pos())
		}
		b.Write(f.src[at:from])
		at = f.offset(t.fn.End())
		for len(parts) > 0 && parts[0].Test == t.fn.Name.Name {
			for _, fate := range parts[0].Fates() {
				name := "TestAssayPart" + strconv.Itoa(first+len(names))
				names = append(names, name)
				var e edits
				e.replace(f.offset(t.fn.Name.Pos()), f.offset(t.fn.Name.End()), name)
				if t.table != nil {
					f.keepRows(&e, t, func(k int) bool { return k == parts[0].Row })
				}
				f.leaveOut(&e, t, fate)
				b.Write(e.apply(f.src, f.offset(t.fn.Pos()), at))
				b.WriteString("\n\n")
			}
			parts = parts[1:]
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

// Keep returns the file with the given fate of each part. Declarations that nothing uses any more are
// removed, too. A table loses the dead statements that the fates of all its rows remove. The result is nil
// if no part stays.
func (f *File) Keep(fate func(test string, row int) Fate) ([]byte, error) {
	var e edits
	left := 0
	for _, t := range f.tests {
		name := t.fn.Name.Name
		kept, union := 0, Gone
		count := func(row int) {
			if part := fate(name, row); part != Gone {
				kept++
				union |= part
			}
		}
		if t.table == nil {
			count(-1)
		} else {
			for i := range t.table.Elts {
				count(i)
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
			f.keepRows(&e, t, func(i int) bool { return fate(name, i) != Gone })
		}
		f.leaveOut(&e, t, union)
	}
	if left == 0 {
		return nil, nil
	}
	return tidy(f.Path, e.apply(f.src, 0, len(f.src)))
}

// edits are replacements of stretches of a text. They must not overlap.
type edits []struct {
	from, to int
	text     string
}

// remove removes a stretch, and lines that become empty by that.
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

// apply returns the text between two offsets after the edits in it.
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
					name = gosyntax.ReceiverName(d)
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

// blankRows replaces several blank lines, which removed rows leave, by one.
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

// usedNames returns the identifiers that occur in the file outside of their own declaration, because a
// function or type does not use itself.
func usedNames(file *ast.File) map[string]bool {
	used := map[string]bool{}
	for _, d := range file.Decls {
		own := ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			own = d.Name.Name
			if d.Recv != nil {
				own = gosyntax.ReceiverName(d)
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

// importName returns the local name of an import.
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
