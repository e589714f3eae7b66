package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/load/lexicon"
	"github.com/goassay/assay/internal/load/literals"
	"github.com/goassay/assay/internal/load/requests"
)

// Config says what to load and how. The zero value loads the package in the current directory with the
// go command's own environment.
type Config struct {
	Dir     string            // the directory in which patterns are resolved; "" is the current directory
	Tags    string            // build tags, comma-separated, as in -tags
	Overlay map[string][]byte // absolute file name to content, which replaces the file on disk
	Env     []string          // the environment of the go command; nil means that of this process
	Shard   Shard             // the part of the packages that the patterns match; the zero value means all
}

// Program is the loaded packages: those that the patterns matched, in typed SSA form. Dependencies are
// known by their export data only; their source is loaded when the machine enters one of their
// functions, see [Program.Body].
type Program struct {
	Fset     *token.FileSet
	SSA      *ssa.Program
	Packages []*Package // by import path
	Others   int        // how many matching packages belong to other shards
	Sizes    types.Sizes

	deps dependencies
}

// Package is a package under test.
type Package struct {
	Path      string // import path
	Name      string
	Dir       string // absolute
	Module    string // path of its module, "" outside of one
	GoVersion string // the module's go version, like "1.24", or "" if unknown

	GoFiles   []string // absolute names of the source files, test files not included
	TestFiles []string // absolute names of its _test.go files, including those that assay wrote
	Syntax    []*ast.File
	Types     *types.Package
	Info      *types.Info
	SSA       *ssa.Package // nil if the package has Errors

	// Errors are the compiler's and the go command's diagnostics. A package that has
	// any has no targets.
	Errors []Diagnostic
	// Problems are directives with a mistake. They are not checked; the rest of the package is not
	// affected.
	Problems []Diagnostic

	// ExternalTests says that the package's own hand-written tests are in package
	// p_test only.
	ExternalTests bool
	// TestImports are the import paths that its hand-written tests use.
	TestImports map[string]bool
	// TestNames are the package-level names that its test files declare.
	TestNames map[string]bool
	// byHand has the test files that assay did not write, and namesByHand the names that they declare.
	byHand      []string
	namesByHand map[string]bool

	// Contracts are the directives with expressions; never nil in a package without Errors. Their Files
	// are part of the package, and not of Syntax.
	Contracts *contract.Package
	generated []*ast.File // the syntax of Contracts.Files, by name

	Targets  []*Target // in the order of the source
	Literals *Literals

	prog      *Program
	syntax    syntaxFacts
	accessors sync.Map // what Accessor has found, by field

	requests     sync.Once
	requestFacts *requests.Facts // see Requests

	lexicon sync.Once
	named   *lexicon.Lexicon // see Lexicon
}

// Diagnostic is an error in the user's code, or of the go command about it.
type Diagnostic struct {
	Pos     token.Position // may be invalid
	Message string
}

func (d Diagnostic) String() string {
	if !d.Pos.IsValid() && d.Pos.Filename == "" {
		return d.Message
	}
	return d.Pos.String() + ": " + d.Message
}

// Target is a function or method to test. Generic ones are instantiated: one target
// for each set of type arguments that was chosen.
type Target struct {
	// Name is "Func" or "Type.Method", without type arguments; -run matches it.
	Name string
	// Func is the function, instantiated.
	Func *ssa.Function
	// Obj is the declared function or method, of generic ones the origin.
	Obj *types.Func
	// TypeArgs are the type arguments of the function, or those of a method's receiver.
	TypeArgs []types.Type
	// Recv is the receiver's type, instantiated, with its pointer; nil for functions.
	Recv types.Type
	// Exported says that a user of the package can call it: the function is exported,
	// or the method is and its receiver can be had through exported doors.
	Exported bool
	Pos      token.Position
	// Checked is the function that engines execute in place of Func if that has a contract: it takes
	// Func's parameters (for a method the receiver first), assumes Func's requirements, calls Func and
	// asserts what Func ensures. It is nil if there is no contract.
	Checked *ssa.Function
	// Behind is the type of the package that a function makes whose result is an interface, or nil. Users have the
	// type's methods through the interface.
	Behind types.Type
	// Among are, where Behind is nil, types of the package that the interface holds for some arguments. Only calls show which.
	Among []types.Type
	// Factory says that the directive //assay:factory stands above the function: the user wants values of its result's
	// type to be made by it.
	Factory bool
	// Skip is the reason why the target is not tested ("//assay:skip", "init", ...), or "".
	Skip string
}

// Literals are the constants in the code of a package and its tests; see package literals.
type Literals = literals.Set

// asCompiled gives the functions of files the order of evaluation that the compiler gives them where the language leaves it
// open: of return d.list, d.fill() the compiler calls fill before it reads list, and package ssa reads first.
func (p *Program) asCompiled(files []*ast.File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if obj, ok := info.Defs[fd.Name].(*types.Func); ok {
				if fn := p.SSA.FuncValue(obj); fn != nil {
					loadLate(fn, variablesBeside(fd, info))
				}
			}
		}
	}
}

// variablesBeside returns the variables that are operands of a return statement or of a call as they stand, by the places that
// package ssa has for these, with the places at which the variables are declared. Of return v, fill(&v) the compiler reads v last.
func variablesBeside(fd *ast.FuncDecl, info *types.Info) map[token.Pos]map[token.Pos]bool {
	out := make(map[token.Pos]map[token.Pos]bool)
	note := func(pos token.Pos, operands []ast.Expr) {
		for _, x := range operands {
			id, ok := ast.Unparen(x).(*ast.Ident)
			if !ok {
				continue
			}
			if v, ok := info.Uses[id].(*types.Var); ok && len(operands) > 1 {
				if out[pos] == nil {
					out[pos] = make(map[token.Pos]bool)
				}
				out[pos][v.Pos()] = true
			}
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			note(n.Pos(), n.Results)
		case *ast.CallExpr:
			note(n.Lparen, n.Args)
		}
		return true
	})
	return out
}

// loadLate puts loads of fields, elements and variables that are operands of a return statement or of a call behind the calls
// that are operands beside them.
func loadLate(fn *ssa.Function, beside map[token.Pos]map[token.Pos]bool) {
	for _, b := range fn.Blocks {
		for _, ins := range slices.Clone(b.Instrs) {
			switch u := ins.(type) {
			case *ssa.Return:
				loadBefore(b, u, beside[u.Pos()])
			case *ssa.Call:
				if !isBuiltin(u) {
					loadBefore(b, u, beside[u.Pos()])
				}
			}
		}
	}
	for _, inner := range fn.AnonFuncs {
		loadLate(inner, beside)
	}
}

// isVariable reports whether an address is that of one of the variables that are declared at the given places.
func isVariable(addr ssa.Value, declared map[token.Pos]bool) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar:
		return declared[addr.Pos()]
	}
	return false
}

// loadBefore moves the loads among the operands of one instruction: those of fields and elements that stand behind the
// instruction in the source, and those of variables that are operands as they stand. What is computed of a load moves with it. Lengths do not: of return len(d.list), d.fill() the compiler takes the length first.
func loadBefore(b *ssa.BasicBlock, u ssa.Instruction, variables map[token.Pos]bool) {
	pos := u.Pos()
	if !pos.IsValid() {
		return
	}
	operands := make(map[ssa.Instruction]bool)
	collectOperands(b, u, operands)
	last := -1 // the last call among the operands
	for x := range operands {
		if c, ok := x.(*ssa.Call); ok && c.Pos() > pos && !isBuiltin(c) {
			last = max(last, slices.Index(b.Instrs, x))
		}
	}
	late := make(map[ssa.Instruction]bool)
	for _, ins := range b.Instrs[:last+1] {
		load, ok := ins.(*ssa.UnOp)
		isLate := ok && load.Op == token.MUL && (isPart(load.X) && load.X.Pos() > pos || isVariable(load.X, variables))
		if operands[ins] && (isLate || isComputed(ins, late, b.Instrs[:last+1])) {
			late[ins] = true
		}
	}
	for settled := false; !settled && len(late) > 0; {
		settled = true
		for _, ins := range b.Instrs[:last+1] {
			if late[ins] {
				continue
			}
			for _, x := range ins.Operands(nil) {
				if x, ok := (*x).(ssa.Instruction); ok && late[x] {
					delete(late, x) // the value is needed before
					settled = false
				}
			}
		}
	}
	if len(late) == 0 {
		return
	}
	slices.SortStableFunc(b.Instrs[:last+1], func(x, y ssa.Instruction) int {
		switch {
		case late[x] == late[y]:
			return 0
		case late[y]:
			return -1
		}
		return 1
	})
}

// collectOperands adds the instructions of a block whose results an instruction takes, directly or by others, and the stores
// that fill the lists of arguments among them.
func collectOperands(b *ssa.BasicBlock, ins ssa.Instruction, out map[ssa.Instruction]bool) {
	add := func(x ssa.Instruction) {
		if x.Block() == b && !out[x] {
			out[x] = true
			collectOperands(b, x, out)
		}
	}
	for _, v := range ins.Operands(nil) {
		x, ok := (*v).(ssa.Instruction)
		if _, isPhi := x.(*ssa.Phi); !ok || isPhi {
			continue
		}
		add(x)
		list, ok := x.(*ssa.Alloc)
		if !ok || list.Comment != "varargs" {
			continue
		}
		for _, r := range *list.Referrers() {
			if place, ok := r.(*ssa.IndexAddr); ok {
				for _, w := range *place.Referrers() {
					add(w)
				}
			}
		}
	}
}

// isComputed reports whether an instruction only computes with late values, or passes one in a list of arguments that none of
// the given instructions takes.
func isComputed(ins ssa.Instruction, late map[ssa.Instruction]bool, until []ssa.Instruction) bool {
	uses := func(v ssa.Value) bool {
		x, ok := v.(ssa.Instruction)
		return ok && late[x]
	}
	switch ins := ins.(type) {
	case *ssa.BinOp:
		return uses(ins.X) || uses(ins.Y)
	case *ssa.IndexAddr:
		return uses(ins.X) || uses(ins.Index)
	case *ssa.MakeInterface:
		return uses(ins.X)
	case *ssa.ChangeType:
		return uses(ins.X)
	case *ssa.Convert:
		return uses(ins.X)
	case *ssa.Store:
		to, ok := ins.Addr.(*ssa.IndexAddr)
		if !ok || !uses(ins.Val) {
			return false
		}
		list, ok := to.X.(*ssa.Alloc)
		return ok && list.Comment == "varargs" && !slices.ContainsFunc(*list.Referrers(), func(r ssa.Instruction) bool {
			_, taken := r.(*ssa.Slice)
			return taken && slices.Contains(until, r)
		})
	}
	return false
}

// isBuiltin reports whether a call is one of a predeclared function.
func isBuiltin(c *ssa.Call) bool {
	_, ok := c.Call.Value.(*ssa.Builtin)
	return ok
}

// isPart reports whether an address is that of a field or an element.
func isPart(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return true
	}
	return false
}
