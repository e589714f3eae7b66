package native

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// hangPlace returns the part of the stack of a hanging case that does not depend on the moment of its
// interruption. An endless loop may be interrupted at any of its instructions, in any function that it calls,
// and at its jump back, to which the compiler gives line 1 of the file. Only the calls that lead to the loop
// are always the same. The stack is therefore cut at the outermost frame that is inside a loop, with the line
// of the loop. If functions call themselves without end, the stack is cut at the outermost call of such a
// function. A stack with neither belongs to a call that waits, and is returned as it is.
//
// The loop at the cut may enclose the endless loop, because one stack does not tell the two apart. The
// parameter source returns the text of a file of the package under test.
func hangPlace(stack []testcase.Frame, source func(name string) ([]byte, error)) []testcase.Frame {
	files := map[string]*parsedFile{}
	for i := len(stack) - 1; i >= 0; i-- {
		f := stack[i]
		p, ok := files[f.Pos.Filename]
		if !ok {
			p = parseSource(f.Pos.Filename, source)
			files[f.Pos.Filename] = p
		}
		if line := p.loopLine(f); line > 0 {
			f.Pos.Line = line
			return append([]testcase.Frame{f}, stack[i+1:]...)
		}
		if recurs(stack, i) {
			return stack[i:]
		}
	}
	return stack
}

// memoryPlace returns the part of the stack of a case that takes too much memory which does not depend on the moment at
// which there was none left: the outermost loop or recursion, as hangPlace has it, or otherwise the innermost line of
// the package under test. It returns nil if the trace shows nothing of the package.
func (h *Harness) memoryPlace(trace string) []testcase.Frame {
	stack := hangPlace(allFrames(trace), h.builder.read)
	for i, f := range stack {
		if strings.HasPrefix(f.Func, h.pkg.Path+".") {
			return firstFrames(stack[i:])
		}
	}
	return nil
}

// recursionPlace returns the part of an overflowing stack that does not depend on the moment at which the
// stack was full or the process was interrupted: the part up to the outermost call of a function that calls
// itself, directly or through others.
func recursionPlace(stack []testcase.Frame) []testcase.Frame {
	for i := len(stack) - 1; i >= 0; i-- {
		if recurs(stack, i) {
			return stack[i:]
		}
	}
	return stack
}

// recurs reports whether the function of frame i is called again further inside.
func recurs(stack []testcase.Frame, i int) bool {
	return slices.ContainsFunc(stack[:i], func(f testcase.Frame) bool { return f.Func == stack[i].Func })
}

// parsedFile is the syntax of a source file.
type parsedFile struct {
	fset *token.FileSet
	file *ast.File
}

// parseSource parses a source file. It returns nil if there is no such file, and then nothing is known about
// the frame.
func parseSource(name string, source func(name string) ([]byte, error)) *parsedFile {
	if !strings.HasSuffix(name, ".go") {
		return nil
	}
	src, err := source(name)
	if err != nil {
		return nil
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return &parsedFile{fset, f}
}

// loopLine returns the line at which the outermost loop begins that a frame is in, or 0 if
// the frame is in no loop.
func (p *parsedFile) loopLine(f testcase.Frame) int {
	if p == nil {
		return 0
	}
	line := func(pos token.Pos) int { return p.fset.PositionFor(pos, false).Line }
	for _, d := range p.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		within := line(fn.Pos()) <= f.Pos.Line && f.Pos.Line <= line(fn.End())
		jump := f.Pos.Line == 1 && !within && declaredAs(f.Func) == gosyntax.DeclName(fn)
		if !within && !jump {
			continue
		}
		for _, loop := range loopsOf(fn) {
			switch {
			case jump && loop.endless, within && line(loop.from) <= f.Pos.Line && f.Pos.Line <= line(loop.to):
				return line(loop.from)
			}
		}
		if jump {
			return line(fn.Pos()) // the function loops without a loop statement
		}
	}
	return 0
}

// loop is a range of code that may be executed repeatedly.
type loop struct {
	from, to token.Pos
	endless  bool // it has no condition
}

// loopsOf returns the loops of a function in the order in which they begin: for statements, and the
// code between a label and a later goto to it.
func loopsOf(fn *ast.FuncDecl) []loop {
	labels := map[string]token.Pos{}
	var out []loop
	at := map[token.Pos]int{} // where a label's loop is in out
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			out = append(out, loop{n.Pos(), n.End(), n.Cond == nil})
		case *ast.RangeStmt:
			out = append(out, loop{n.Pos(), n.End(), false})
		case *ast.LabeledStmt:
			labels[n.Label.Name] = n.Pos()
			at[n.Pos()] = len(out)
			out = append(out, loop{n.Pos(), n.Pos() - 1, false})
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				if from, ok := labels[n.Label.Name]; ok {
					out[at[from]].to, out[at[from]].endless = n.End(), true
				}
			}
		}
		return true
	})
	return out
}

// declaredAs returns the Target.Name of the declaration that a function of a stack belongs
// to: of "example.com/m/p.(*T).Method.func1" it is "T.Method".
func declaredAs(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	_, name, _ = strings.Cut(name, ".")
	name = strings.ReplaceAll(name, "[...]", "")
	parts := strings.Split(name, ".")
	if recv, ok := strings.CutPrefix(parts[0], "(*"); ok {
		parts[0] = strings.TrimSuffix(recv, ")")
	} else if len(parts) == 1 || strings.HasPrefix(parts[1], "func") {
		return parts[0] // a function, or a literal in one
	}
	return strings.Join(parts[:min(2, len(parts))], ".")
}
