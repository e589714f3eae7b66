package bounded

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// Exhaustive is a test that enumerates the inputs of a function again and checks the function's promises for
// each. It imports package finite. It contains a record of the slots that the predicate reads for each
// candidate, because a test cannot observe these reads.
type Exhaustive struct {
	Target string
	Source string   // the file that declares the target
	Name   string   // the name of the test
	Text   string   // its declaration
	Import []string // the paths of the packages that the text imports
}

// maxRecord is how many characters the record of an exhaustive test may have.
const maxRecord = 4000

// walk is the result of enumerating the inputs of one size.
type walk struct {
	inputs int64
	record string // see finite.EachRead
}

// exhaustive makes the exhaustive test of a plan whose sizes from 1 on were walked. It uses the largest size
// whose record is not too long. It returns nil if no such test can be made.
func (e *engine) exhaustive(p *plan, walked []walk) *Exhaustive {
	size := len(walked)
	for size > 0 && len(walked[size-1].record) > maxRecord {
		size--
	}
	if len(p.target.TypeArgs) > 0 || size == 0 || walked[size-1].inputs == 0 {
		return nil
	}
	w := &exhaustiveWriter{
		skeletonWriter: skeletonWriter{pkg: e.pkg, bounds: p.bounds, imports: map[string]bool{"testing": true, "github.com/goassay/assay/finite": true}},
		plan:           p, size: size, walk: walked[size-1],
	}
	fd := e.pkg.Func(p.target.Obj)
	w.imported(fd)
	x := &Exhaustive{Target: p.target.Name, Source: e.prog.Fset.Position(fd.Pos()).Filename}
	x.Name = "Test" + strings.ReplaceAll(p.target.Name, ".", "_") + "_exhaustive"
	if !ast.IsExported(p.target.Name) {
		x.Name = "Test_" + strings.ReplaceAll(p.target.Name, ".", "_") + "_exhaustive"
	}
	for e.pkg.TestNames[x.Name] {
		x.Name += "_"
	}
	x.Text = w.text(x.Name)
	for imp := range w.imports {
		x.Import = append(x.Import, imp)
	}
	slices.Sort(x.Import)
	return x
}

type exhaustiveWriter struct {
	skeletonWriter
	walk
	plan  *plan
	size  int
	known map[string]string // the imports of the source file, by name
}

// imported notes which packages the names in the target's clauses denote.
func (w *exhaustiveWriter) imported(fd *ast.FuncDecl) {
	w.known = map[string]string{}
	for _, f := range w.pkg.Syntax {
		if fd.Pos() < f.FileStart || fd.Pos() > f.FileEnd {
			continue
		}
		for _, imp := range f.Imports {
			if p, err := strconv.Unquote(imp.Path.Value); err == nil {
				name := path.Base(p)
				if imp.Name != nil {
					name = imp.Name.Name
				}
				w.known[name] = p
			}
		}
	}
}

// clause returns the text of a clause in which variables replace old(e), and the expressions e.
func (w *exhaustiveWriter) clause(text string, first int) (string, []string) {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return text, nil // the clause was compiled, so it parses
	}
	var olds []string
	var b strings.Builder
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && w.known[id.Name] != "" {
				w.imports[w.known[id.Name]] = true
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "old" && len(n.Args) == 1 {
				b.WriteString(text[at : n.Pos()-1])
				fmt.Fprintf(&b, "old%d", first+len(olds))
				olds = append(olds, text[n.Args[0].Pos()-1:n.Args[0].End()-1])
				at = int(n.End()) - 1
				return false
			}
		}
		return true
	})
	b.WriteString(text[at:])
	return b.String(), olds
}

// condition writes a check over the locals that have the fields' names.
func (w *exhaustiveWriter) condition(c native.Check) string {
	name := w.plan.root.Field(c.Fields[0]).Name()
	if c.Func != nil {
		text := name + "." + c.Func.Name() + "()"
		if c.Func.Name() == "CheckInvariants" {
			text += " == nil"
		}
		if c.Nilable {
			text = "(" + name + " == nil || " + text + ")"
		}
		return text
	}
	n := load.NamedOf(w.plan.root.Field(c.Fields[0]).Type())
	t := w.pkg.Contracts.Type(n.Obj().Name())
	text, _ := w.clause(t.Text(), 0)
	typ, arg := "*"+w.typ(n), name
	if !t.Pointer {
		typ = w.typ(n)
		if !c.Addr {
			arg = "*" + name
		}
	} else if c.Addr {
		arg = "&" + name
	}
	text = fmt.Sprintf("func(%s %s) bool { return %s }(%s)", t.Object, typ, text, arg)
	if c.Nilable {
		text = "(" + name + " == nil || " + text + ")"
	}
	return text
}

// text writes the test.
func (w *exhaustiveWriter) text(test string) string {
	p := w.plan
	var names []string
	tv := "t"
	for i := range p.root.NumFields() {
		names = append(names, p.root.Field(i).Name())
	}
	for slices.Contains(names, tv) {
		tv += "t"
	}
	in := "in"
	for slices.Contains(names, in) {
		in += "_"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// All %d inputs of size %d that satisfy what %s requires.\n", w.inputs, w.size, p.target.Obj.Name())
	fmt.Fprintf(&b, "func %s(%s *testing.T) {\n\ttype input struct {\n", test, tv)
	for i := range p.root.NumFields() {
		fmt.Fprintf(&b, "\t\t%s %s\n", names[i], w.typ(p.root.Field(i).Type()))
	}
	fmt.Fprintf(&b, "\t}\n\tconst n = %d\n", w.size)
	b.WriteString(w.declarations("input{}"))
	fmt.Fprintf(&b, "\t// What the conditions read of each candidate.\n\tconst reads = %s\n", quotedLines(w.record))
	locals := strings.Join(names, ", ") + " := " + in + "." + strings.Join(names, ", "+in+".")
	conds, ensures := w.conditions()
	fmt.Fprintf(&b, "\tinputs, err := finite.EachRead(f, reads, func(%s *input) bool {\n\t\t%s\n%s\t\treturn %s\n\t}, func(%s *input) {\n\t\t%s\n", in, locals, w.unused(names, conds), strings.Join(conds, " &&\n\t\t\t"), in, locals)
	first := 0
	var checks []string
	for _, cl := range ensures {
		text, olds := w.clause(cl.Text, first)
		for i, o := range olds {
			fmt.Fprintf(&b, "\t\told%d := %s\n", first+i, o)
		}
		first += len(olds)
		checks = append(checks, fmt.Sprintf("\t\tif !(%s) {\n\t\t\t%s.Errorf(\"%%+v: %%s\", *%s, %s)\n\t\t}\n", text, tv, in, strconv.Quote(cl.String())))
	}
	call := w.call(names, len(ensures) > 0)
	b.WriteString("\t\t" + call + "\n" + strings.Join(checks, ""))
	for _, c := range p.search.Checks {
		if _, pointer := types.Unalias(p.root.Field(c.Fields[0]).Type()).(*types.Pointer); pointer && c.Label != "requires" {
			fmt.Fprintf(&b, "\t\tif !(%s) {\n\t\t\t%s.Errorf(\"%%+v: %%s\", *%s, %s)\n\t\t}\n", w.condition(c), tv, in, strconv.Quote(c.Label))
		}
	}
	fmt.Fprintf(&b, "\t})\n\tif err != nil {\n\t\t%s.Fatal(err)\n\t}\n", tv)
	fmt.Fprintf(&b, "\tif inputs != %d {\n\t\t%s.Errorf(\"%%d inputs, want %d\", inputs)\n\t}\n}\n", w.inputs, tv, w.inputs)
	return b.String()
}

// conditions returns the conditions on an input, as Go, and the function's promises.
func (w *exhaustiveWriter) conditions() (conds []string, ensures []contract.Clause) {
	p := w.plan
	for _, c := range p.search.Checks {
		if c.Label == "requires" {
			continue
		}
		conds = append(conds, w.condition(c))
	}
	if c := w.pkg.Contracts.Func(w.pkg.Func(p.target.Obj)); c != nil {
		for _, cl := range c.Clauses {
			if cl.Kind == contract.Requires {
				text, _ := w.clause(cl.Text, 0)
				conds = append(conds, "("+text+")")
			} else {
				ensures = append(ensures, cl)
			}
		}
	}
	if len(conds) == 0 {
		conds = []string{"true"}
	}
	return conds, ensures
}

// call writes a call of the function on an input whose fields have the given names. If conditions use the
// results, these get the names in the conditions.
func (w *exhaustiveWriter) call(names []string, asked bool) string {
	p := w.plan
	call := names[0] + "." + p.target.Obj.Name() + "("
	args := names[1:]
	if p.target.Recv == nil {
		call, args = p.target.Obj.Name()+"(", names
	}
	call += strings.Join(args, ", ")
	if p.spread() {
		call += "..."
	}
	call += ")"
	res := p.target.Func.Signature.Results()
	if res.Len() > 0 && asked {
		var vars, alias []string
		for i := range res.Len() {
			plain := "result" + strconv.Itoa(i)
			if res.Len() == 1 {
				plain = "result"
			}
			name := res.At(i).Name()
			if name == "" || name == "_" {
				name = plain
			} else {
				alias = append(alias, plain+" := "+name+"\n\t\t_ = "+plain)
			}
			vars = append(vars, name)
			alias = append(alias, "_ = "+name)
		}
		call = strings.Join(vars, ", ") + " := " + call + "\n\t\t" + strings.Join(alias, "\n\t\t")
	}
	return call
}

// quotedLines writes a long text as a constant of several lines.
func quotedLines(s string) string {
	const width = 96
	var lines []string
	for len(s) > width {
		lines = append(lines, strconv.Quote(s[:width]))
		s = s[width:]
	}
	return strings.Join(append(lines, strconv.Quote(s)), " +\n\t\t")
}

// unused writes assignments to _ of the names that no condition mentions.
func (w *exhaustiveWriter) unused(names, conds []string) string {
	out := ""
	for _, n := range names {
		used := false
		for _, c := range conds {
			x, err := parser.ParseExpr(c)
			if err != nil {
				continue
			}
			ast.Inspect(x, func(m ast.Node) bool {
				id, ok := m.(*ast.Ident)
				used = used || ok && id.Name == n
				return true
			})
		}
		if !used {
			out += "\t\t_ = " + n + "\n"
		}
	}
	return out
}
