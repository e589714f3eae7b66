package crossed

import (
	"go/types"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// OnDisk returns the sequence of a case in which texts that name files and directories are the names of such of the test's own: an
// empty directory, and a file that can be written there. What is joined behind such a path becomes the name of a file, with no directory
// before it. It returns false if the case has no such text.
//
// Engines choose texts by the ways that the package's code takes, and whether there is a directory of that name is decided elsewhere.
func OnDisk(paths *purity.Paths, givers *giver.Room, c *testcase.Case) (*testcase.Sequence, bool) {
	files, dir := givers.Files(), emptyDirectory(givers)
	file := slices.IndexFunc(files, func(s *testcase.Sequence) bool { return !giver.MakesFile(s.Last().Op) })
	if dir == nil || file < 0 {
		return nil, false
	}
	with, found := make(map[int]plain.Part), false
	for i := range c.TargetStmt() + 1 {
		st := c.Seq.At(i)
		for k, v := range purity.InputsOf(st.Op) {
			if k >= len(st.Args) || v == nil || !isConstantText(c.Seq, st.Args[k]) {
				continue
			}
			at := st.Args[k].Stmt
			own := named(files[file], c.Seq.At(at).Op.Lit.Str)
			if paths.Kind(v)&purity.DirectoryPath != 0 {
				own = dir
			}
			switch {
			case paths.Joined(v):
				if name, ok := baseName(c.Seq.At(at)); ok {
					with[at] = name
				}
			case paths.Kind(v) != 0:
				with[at], found = plain.Part{Seq: own, Value: testcase.Ref{Stmt: own.Len() - 1}}, true
			}
		}
	}
	if !found {
		return nil, false
	}
	return plain.Replaced(c.Seq, with)
}

// Emptied returns a way that passes empty directories in place of those with a file in them. A reader would ask what the file is for.
func Emptied(givers *giver.Room) plain.Way {
	dir := emptyDirectory(givers)
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		with := make(map[int]plain.Part)
		for i := range c.TargetStmt() {
			if op := c.Seq.At(i).Op; dir != nil && giver.MakesDirectory(op) && op.Func != dir.Last().Op.Func {
				with[i] = plain.Part{Seq: dir, Value: testcase.Ref{Stmt: dir.Len() - 1}}
			}
		}
		if len(with) == 0 {
			return nil, false
		}
		return plain.Replaced(c.Seq, with)
	}
}

// emptyDirectory returns what makes an empty directory of the test's own, nil if nothing does.
func emptyDirectory(givers *giver.Room) *testcase.Sequence {
	for _, s := range givers.Directories() {
		if s.Len() == 1 && giver.MakesDirectory(s.Last().Op) {
			return s
		}
	}
	return nil
}

// isConstantText reports whether a value is a text that stands in the test, of type string.
func isConstantText(s *testcase.Sequence, r testcase.Ref) bool {
	op := s.At(r.Stmt).Op
	return (op.Kind == testcase.OpLiteral || op.Kind == testcase.OpZero) && op.Type != nil && types.Identical(op.Type, types.Typ[types.String])
}

// named returns a sequence that joins the name of a file to a directory, with the name that a path has if that has an extension: code may
// ask for it.
func named(file *testcase.Sequence, like string) *testcase.Sequence {
	name := path.Base(like)
	last := file.Last()
	if ext := path.Ext(name); len(ext) < 2 || ext == name || len(last.Args) != 2 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsGraphic(r) || r == '\\' }) {
		return file
	}
	out, ok := plain.WithText(file, last.Args[1].Stmt, name)
	if !ok {
		return file
	}
	return out
}

// baseName returns the last part of a path of several parts, as a value.
func baseName(st testcase.Statement) (plain.Part, bool) {
	base := path.Base(st.Op.Lit.Str)
	if base == st.Op.Lit.Str && base != "." && base != ".." && base != "/" {
		return plain.Part{}, false
	}
	if base == "." || base == ".." || base == "/" {
		base = "a"
	}
	op := *st.Op
	op.Kind, op.Lit = testcase.OpLiteral, testcase.Literal{Kind: testcase.LitString, Str: base}
	return plain.Part{Seq: testcase.NewSequence(testcase.Statement{Op: &op})}, true
}
