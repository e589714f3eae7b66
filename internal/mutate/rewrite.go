package mutate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/native/rewrite"
)

// site is a place of the source that has mutants.
type site struct {
	ordinal  int // its number among all sites found, including dropped ones
	pos, end token.Pos
	mutants  []Mutant
}

// edit is an insertion, or the replacement of some bytes.
type edit struct {
	off, del int
	text     string
}

// rewriter writes the sources with mutants.
type rewriter struct {
	fset   *token.FileSet
	pkg    *load.Package
	info   *types.Info
	prefix string
	only   func(name string) bool
	hook   native.Hook
	notes  contract.Reader

	dropped map[int]bool // the dropped sites, by ordinal
	next    int          // the next ordinal
	sites   []*site
	count   int // how many mutants there are so far

	file    *token.File
	src     []byte
	edits   []edit
	imports map[string]string // the file's imports: path to name
	fn      string
	results []*types.Tuple // the results of the functions around the current place, the innermost last
	loops   []token.Token  // the statements that break and continue could leave there: for, switch, select

	siblings  map[*types.Const]*types.Const // see sibling; nil until the first question
	functions []function                    // see namesake; nil until the first question

	unordered map[string]bool // functions that go through a map, by Target.Name
}

// begin starts the rewriting of the package again. Sites that were dropped stay dropped.
func (w *rewriter) begin() {
	w.next, w.sites, w.count = 0, nil, 0
}

// rewrite returns the text of a file with its mutants.
func (w *rewriter) rewrite(f *ast.File, src []byte) []byte {
	w.file, w.src, w.edits = w.fset.File(f.FileStart), src, nil
	w.imports = map[string]string{}
	for _, i := range f.Imports {
		if name := w.info.PkgNameOf(i); name != nil && name.Name() != "_" && name.Name() != "." {
			w.imports[name.Imported().Path()] = name.Name()
		}
	}
	if !ast.IsGenerated(f) || w.allGenerated() {
		for _, d := range f.Decls {
			w.decl(d)
		}
	}
	mutated := len(w.edits) > 0
	for _, r := range slices.Concat(rewrite.Converted(w.info, f, w.prefix), rewrite.Ordered(w.info, f, w.offset, src, w.prefix)) {
		w.edits = append(w.edits, edit{off: w.offset(r.Pos), del: r.Del, text: r.Text})
	}
	if mutated && oldLanguage(w.pkg.GoVersion) {
		w.raiseLanguage(f)
	}
	// Insertions at one place keep the order in which they were made.
	sort.SliceStable(w.edits, func(i, j int) bool { return w.edits[i].off < w.edits[j].off })
	var out []byte
	at := 0
	for _, e := range w.edits {
		out = append(append(out, src[at:e.off]...), e.text...)
		at = e.off + e.del
	}
	return append(out, src[at:]...)
}

// allGenerated reports whether the package has no file by hand, so that its tests are about what a program has written.
func (w *rewriter) allGenerated() bool {
	return !slices.ContainsFunc(w.pkg.Syntax, func(f *ast.File) bool { return !ast.IsGenerated(f) })
}

// original returns the place in the source from which a place of the rewritten text comes.
func original(edits []edit, off int) int {
	shift := 0
	for _, e := range edits {
		if e.off+shift > off {
			break
		}
		if e.off+shift+len(e.text) > off {
			return e.off
		}
		shift += len(e.text) - e.del
	}
	return off - shift
}

// oldLanguage reports whether files of the module have a language version without generics, which the helpers
// need.
func oldLanguage(version string) bool {
	if version == "" {
		return true
	}
	var minor int
	if n, err := fmt.Sscanf(version, "1.%d", &minor); n != 1 || err != nil {
		return false
	}
	return minor < 18
}

// raiseLanguage gives the file a language version of its own. The file's build constraint can be replaced,
// because it holds: the file would not be compiled otherwise.
func (w *rewriter) raiseLanguage(f *ast.File) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if c.Pos() < f.Package && strings.HasPrefix(c.Text, "//go:build ") {
				w.edits = append(w.edits, edit{off: w.offset(c.Pos()), del: len(c.Text), text: "//go:build go1.21"})
				return
			}
		}
	}
	w.edits = append(w.edits, edit{text: "//go:build go1.21\n\n"})
}

func (w *rewriter) offset(p token.Pos) int { return w.file.Offset(p) }

func (w *rewriter) text(n ast.Node) string {
	return strings.Join(strings.Fields(string(w.src[w.offset(n.Pos()):w.offset(n.End())])), " ")
}

func (w *rewriter) insert(p token.Pos, text string) {
	w.edits = append(w.edits, edit{off: w.offset(p), text: strings.ReplaceAll(text, "@", w.prefix)})
}

func (w *rewriter) replace(p token.Pos, n int, text string) {
	w.edits = append(w.edits, edit{off: w.offset(p), del: n, text: strings.ReplaceAll(text, "@", w.prefix)})
}

// site adds mutants for a place, and returns the number of the first one. It returns false if they are not
// wanted. Each pair has a kind and the text of the change.
func (w *rewriter) site(n ast.Node, pairs ...any) (string, bool) {
	ordinal := w.next
	w.next++
	if w.dropped[ordinal] {
		return "", false
	}
	s := &site{ordinal: ordinal, pos: n.Pos(), end: n.End()}
	first := w.count + 1
	for i := 0; i < len(pairs); i += 2 {
		w.count++
		s.mutants = append(s.mutants, Mutant{
			ID: w.count, site: first, Operator: pairs[i].(Operator), Func: w.fn, Pos: w.fset.Position(n.Pos()),
			Text: shorten(w.text(n)) + " " + pairs[i+1].(string),
		})
	}
	w.sites = append(w.sites, s)
	return fmt.Sprint(first), true
}

// shorten cuts the text of a long place for the description of a mutant.
func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

func (w *rewriter) decl(d ast.Decl) {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Body == nil || f.Name.Name == "_" || f.Recv == nil && f.Name.Name == "init" {
		return
	}
	w.fn = gosyntax.DeclName(f)
	obj, ok := w.info.Defs[f.Name].(*types.Func)
	if !ok || w.only != nil && !w.only(w.fn) || w.notes.Of(w.fset, obj) != contract.None {
		return
	}
	w.emptied(f)
	w.body(obj.Signature().Results(), f.Body)
}

// body rewrites the body of a function.
func (w *rewriter) body(results *types.Tuple, b *ast.BlockStmt) {
	loops := w.loops
	w.loops = nil
	w.results = append(w.results, results)
	w.list(b.List)
	w.results = w.results[:len(w.results)-1]
	w.loops = loops
}

// list rewrites a list of statements. Each of them may be put inside an if.
func (w *rewriter) list(l []ast.Stmt) {
	for _, s := range l {
		w.stmt(s, true)
	}
}

// annotation passes the condition of an annotation through its hook. It reports whether the call is an
// annotation or has another meaning for assay. Such a call is not mutated, because it states the expected
// behaviour.
func (w *rewriter) annotation(call *ast.CallExpr) bool {
	if cond, before, after := w.hook(call); cond != nil {
		w.insert(cond.Pos(), before)
		w.insert(cond.End(), after)
		return true
	}
	f := gosyntax.Callee(w.info, call)
	return f != nil && w.notes.Of(w.fset, f) != contract.None
}
