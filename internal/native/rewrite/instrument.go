package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// edit is an insertion into a source file, or the replacement of some bytes. It
// never contains a newline: line numbers must stay.
type edit struct {
	off, del int
	text     string
	rank     int // orders edits at one place
}

// Instrumenter inserts counters into the files of a package, as cmd/cover does. In addition it inserts an
// observation of each outcome of each condition.
type Instrumenter struct {
	fset   *token.FileSet
	info   *types.Info
	prefix string // the prefix of all inserted names
	race   bool

	// Blocks are the blocks counted in the files instrumented so far, by the number of the counter.
	Blocks []testcase.Block
	// Asserts are the assertions in these files, by the number that the hooks pass.
	Asserts []Assertion

	file  *token.File
	src   []byte
	edits []edit
	// sought has, of the function that is being instrumented, the texts that led to the values of its variables.
	sought map[types.Object][]string
	fn     string
	notes  contract.Reader        // which functions mean something to assay
	turns  map[*ast.FuncDecl]bool // the functions whose loops are counted; the value is true for a predicate itself
	turn   bool                   // the function that is being instrumented is in turns

	observer *observer // nil if nothing is observed

	contracts *contract.Package
	inside    int // how many functions ask whether they are to go by their contracts
}

// Config says what to insert.
type Config struct {
	Prefix  string        // the prefix of all inserted names; it occurs nowhere in the package
	Race    bool          // count in a way that the race detector accepts
	Observe []*types.Func // the predicates whose reads are reported (for generic functions the origins)
}

// New returns an instrumenter for the package.
func New(prog *load.Program, pkg *load.Package, cfg Config) *Instrumenter {
	in := &Instrumenter{fset: prog.Fset, info: pkg.Info, prefix: cfg.Prefix, race: cfg.Race, notes: contract.Reader{Source: prog.Source}, contracts: pkg.Contracts}
	in.turns = predicates(pkg)
	if len(cfg.Observe) > 0 {
		in.observer = newObserver(prog, pkg, cfg.Observe)
	}
	return in
}

// Instrument returns the text of a file with counters.
func (in *Instrumenter) Instrument(f *ast.File, src []byte) []byte {
	in.file, in.src, in.edits = in.fset.File(f.FileStart), src, nil
	for _, d := range f.Decls {
		in.decl(d)
	}
	if in.observer == nil { // with an observer, the observer orders the loops
		for _, r := range slices.Concat(Converted(in.info, f, in.prefix), Ordered(in.info, f, in.offset, src, in.prefix)) {
			in.edits = append(in.edits, edit{off: in.offset(r.Pos), del: r.Del, text: r.Text})
		}
	}
	return in.edited(f)
}

// edited returns the text of the file after the edits that were collected.
func (in *Instrumenter) edited(f *ast.File) []byte {
	if in.observer != nil {
		src := in.observer.sources[in.observer.pkg.Path]
		in.edits = append(in.edits, in.observer.rewrite(f, src, in.prefix+"cd")...)
	}
	return applied(in.src, in.edits)
}

// applied returns src after the edits. Edits at one place stay in the order in which they were made, within
// their rank.
func applied(src []byte, edits []edit) []byte {
	sort.SliceStable(edits, func(i, j int) bool {
		a, b := &edits[i], &edits[j]
		return a.off < b.off || a.off == b.off && a.rank < b.rank
	})
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.off]...), e.text...)
		at = e.off + e.del
	}
	return append(out, src[at:]...)
}

func (in *Instrumenter) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		in.fn = gosyntax.DeclName(d)
		if d.Name.Name == "_" {
			return // it is never called, and its conditions may only be there to be type-checked
		}
		in.beginPredicate(d)
		in.checkInside(d)
		in.noteSought(d.Body)
		in.list(d.Body.Lbrace+1, d.Body.Rbrace, d.Body.List, false)
		in.turn = false
	case *ast.GenDecl:
		if d.Tok == token.VAR {
			in.fn = ""
			in.exprs(d)
		}
	}
}

// offset returns where a position is in the source text.
func (in *Instrumenter) offset(p token.Pos) int { return in.file.Offset(p) }

// insert adds text at a position.
func (in *Instrumenter) insert(p token.Pos, text string) {
	in.edits = append(in.edits, edit{off: in.offset(p), text: text})
}

// block numbers a new block.
func (in *Instrumenter) block(b testcase.Block, from, to token.Pos) int {
	b.Pos, b.End, b.Func = in.fset.Position(from), in.fset.Position(to), in.fn
	in.Blocks = append(in.Blocks, b)
	return len(in.Blocks) - 1
}

// list instruments a list of statements that begins at from and ends at to.
func (in *Instrumenter) list(from, to token.Pos, stmts []ast.Stmt, branch bool) {
	if len(stmts) == 0 {
		in.insert(from, in.hit(in.block(testcase.Block{Branch: branch}, from, to)))
		return
	}
	at := from
	for len(stmts) > 0 {
		n := 0
		end := to
		for n < len(stmts) {
			s := stmts[n]
			n++
			if in.endsBlock(s) {
				end = boundary(s)
				break
			}
			// A label that belongs to no loop may be the target of a goto, so a block begins behind it.
			if n < len(stmts) {
				if _, ok := stmts[n].(*ast.LabeledStmt); ok {
					end = s.End()
					break
				}
			}
		}
		b := in.block(testcase.Block{Stmts: n, Branch: branch}, max(at, stmts[0].Pos()), end)
		in.insert(in.counterPlace(at, stmts[0]), in.hit(b))
		branch = false
		for _, s := range stmts[:n] {
			in.stmt(s)
		}
		at = stmts[n-1].End()
		stmts = stmts[n:]
		if len(stmts) > 0 {
			at = stmts[0].Pos()
		}
	}
}

// counterPlace returns where the counter of a block is inserted: at its beginning, or behind a label that
// must stay in front of its statement.
func (in *Instrumenter) counterPlace(at token.Pos, first ast.Stmt) token.Pos {
	if l, ok := first.(*ast.LabeledStmt); ok {
		switch l.Stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			return at
		case *ast.EmptyStmt:
			return l.Colon + 1
		}
		return l.Stmt.Pos()
	}
	return at
}

// hit returns the text that counts an execution of block i.
func (in *Instrumenter) hit(i int) string {
	if in.race {
		return in.prefix + "h(" + itoa(i) + ");"
	}
	return in.prefix + "c[" + itoa(i) + "]=1;"
}

// endsBlock reports whether the statement after s may run a different number of times than s.
func (in *Instrumenter) endsBlock(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.BlockStmt, *ast.BranchStmt, *ast.ForStmt, *ast.IfStmt, *ast.LabeledStmt,
		*ast.RangeStmt, *ast.SwitchStmt, *ast.SelectStmt, *ast.TypeSwitchStmt, *ast.ReturnStmt:
		return true
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok {
				b, ok := in.info.Uses[id].(*types.Builtin)
				return ok && b.Name() == "panic"
			}
		}
	}
	return false
}

// boundary returns the end of the part of s that always runs when s begins.
func boundary(s ast.Stmt) token.Pos {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return s.Lbrace
	case *ast.IfStmt:
		return s.Body.Lbrace
	case *ast.ForStmt:
		return s.Body.Lbrace
	case *ast.RangeStmt:
		return s.Body.Lbrace
	case *ast.SwitchStmt:
		return s.Body.Lbrace
	case *ast.SelectStmt:
		return s.Body.Lbrace
	case *ast.TypeSwitchStmt:
		return s.Body.Lbrace
	case *ast.LabeledStmt:
		return boundary(s.Stmt)
	}
	return s.End()
}

// stmt instruments the parts of a statement.
func (in *Instrumenter) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		in.list(s.Lbrace+1, s.Rbrace, s.List, false)
	case *ast.LabeledStmt:
		in.stmt(s.Stmt)
	case *ast.IfStmt:
		in.stmt(s.Init)
		in.condition(s.Cond)
		in.list(s.Body.Lbrace+1, s.Body.Rbrace, s.Body.List, true)
		in.elseBranch(s)
	case *ast.ForStmt:
		in.stmt(s.Init)
		in.condition(s.Cond)
		in.stmt(s.Post)
		in.countTurn(s.Body)
		in.list(s.Body.Lbrace+1, s.Body.Rbrace, s.Body.List, true)
	case *ast.RangeStmt:
		in.exprs(s.X)
		in.countTurn(s.Body)
		in.list(s.Body.Lbrace+1, s.Body.Rbrace, s.Body.List, true)
	case *ast.SwitchStmt:
		in.stmt(s.Init)
		if s.Tag != nil {
			in.exprs(s.Tag)
		}
		in.cases(s.Body, s.Switch)
	case *ast.TypeSwitchStmt:
		in.stmt(s.Init)
		in.stmt(s.Assign)
		in.cases(s.Body, s.Switch)
	case *ast.SelectStmt:
		in.cases(s.Body, token.NoPos)
	default:
		in.exprs(s)
	}
}

// elseBranch instruments the else part. An else-if is wrapped in braces, so that statements inside its
// conditions can be counted like any others.
func (in *Instrumenter) elseBranch(s *ast.IfStmt) {
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		in.list(e.Lbrace+1, e.Rbrace, e.List, true)
	case *ast.IfStmt:
		in.insert(e.Pos(), "{")
		in.insert(e.Pos(), in.hit(in.block(testcase.Block{Stmts: 1, Branch: true}, e.Pos(), e.Body.Lbrace)))
		in.stmt(e)
		in.insert(e.End(), "}")
	}
}

// cases instruments the clauses of a switch or select. A switch without a default gets one, which counts the
// executions in which no case applied.
func (in *Instrumenter) cases(body *ast.BlockStmt, keyword token.Pos) {
	hasDefault := false
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			hasDefault = hasDefault || c.List == nil
			for _, e := range c.List {
				in.exprs(e)
			}
			first := len(in.Blocks)
			in.list(c.Colon+1, c.End(), c.Body, true)
			in.Blocks[first].Asks = in.constantTexts(c.List...)
		case *ast.CommClause:
			in.stmt(c.Comm)
			in.list(c.Colon+1, c.End(), c.Body, true)
		}
	}
	if keyword.IsValid() && !hasDefault && len(body.List) > 0 {
		b := in.block(testcase.Block{Branch: true, Text: "no case applies", Value: true}, keyword, body.Lbrace)
		in.insert(body.Rbrace, ";default:"+in.hit(b))
	}
}

// condition instruments the condition of an if or for.
func (in *Instrumenter) condition(e ast.Expr) {
	switch x := e.(type) {
	case nil:
		return
	case *ast.ParenExpr:
		in.condition(x.X)
		return
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			in.condition(x.X)
			in.condition(x.Y)
			return
		}
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			in.condition(x.X)
			return
		}
	}
	if !in.observable(e) {
		in.exprs(e)
		return
	}
	yes, no := testcase.Block{Branch: true, Text: in.text(e), Value: true}, testcase.Block{Branch: true, Text: in.text(e)}
	yes.Asks, no.Asks = in.asks(e)
	i := in.block(yes, e.Pos(), e.End())
	in.block(no, e.Pos(), e.End())
	in.insert(e.Pos(), in.prefix+"b(")
	in.exprs(e)
	in.insert(e.End(), ","+itoa(i)+")")
}

// observable reports whether a condition can be passed through a function on bool: it is not constant
// and has type bool.
func (in *Instrumenter) observable(e ast.Expr) bool {
	tv, ok := in.info.Types[e]
	if !ok || tv.Value != nil || tv.Type == nil {
		return false
	}
	b, ok := types.Unalias(tv.Type).(*types.Basic)
	return ok && (b.Kind() == types.Bool || b.Kind() == types.UntypedBool)
}

// text returns the source of an expression on one line.
func (in *Instrumenter) text(e ast.Expr) string {
	return strings.Join(strings.Fields(string(in.src[in.offset(e.Pos()):in.offset(e.End())])), " ")
}

// exprs instruments the expressions in n: the operands of && and ||, function literals, and calls of
// annotations.
func (in *Instrumenter) exprs(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			in.list(n.Body.Lbrace+1, n.Body.Rbrace, n.Body.List, false)
			return false
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && in.observable(n) {
				in.condition(n)
				return false
			}
		case *ast.CallExpr:
			return !in.hookCall(n)
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.ArrayType:
			return false // the length is constant
		}
		return true
	})
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + string(rune('0'+i%10))
}
