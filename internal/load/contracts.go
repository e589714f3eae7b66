package load

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
)

// readContracts reads the directives with expressions and parses the Go source generated for them. A
// directive with a mistake becomes a problem of the package, which keeps its other directives.
func (pkg *Package) readContracts(p *Program, l *listed) {
	imports := contract.Imports{
		Name: func(path string) string {
			if dep := p.deps.listed[l.mapped(path)]; dep != nil {
				return dep.Name
			}
			return ""
		},
		Declares: func(path, name string) bool {
			imported, err := p.importPath(l, path)
			return err == nil && ast.IsExported(name) && imported.Scope().Lookup(name) != nil
		},
	}
	for {
		var without []token.Position
		for _, d := range pkg.Problems {
			without = append(without, d.Pos)
		}
		pkg.Contracts = contract.Read(p.Fset, pkg.Dir, pkg.Syntax, imports, without...)
		if len(pkg.Contracts.Problems) == 0 {
			break
		}
		before := len(pkg.Problems)
		for _, problem := range pkg.Contracts.Problems {
			pkg.addProblem(Diagnostic{problem.Pos, problem.Message})
		}
		if len(pkg.Problems) == before {
			// The problem is that a declaration cannot have a contract at all.
			for _, problem := range pkg.Contracts.Problems {
				pkg.addError(problem.Pos, problem.Message)
			}
			return
		}
	}
	pkg.generated = nil
	for _, name := range slices.Sorted(maps.Keys(pkg.Contracts.Files)) {
		f, err := p.parse(name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic("bug: load: generated contracts do not parse: " + err.Error())
		}
		pkg.generated = append(pkg.generated, f)
	}
}

// addProblem notes a mistake in a directive, once for each line.
func (pkg *Package) addProblem(d Diagnostic) {
	if !slices.ContainsFunc(pkg.Problems, func(o Diagnostic) bool { return o.Pos.Filename == d.Pos.Filename && o.Pos.Line == d.Pos.Line }) {
		pkg.Problems = append(pkg.Problems, d)
		slices.SortStableFunc(pkg.Problems, func(a, b Diagnostic) int {
			return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line))
		})
	}
}

// blameContracts turns errors of the type checker into problems if all of them are in directives. It
// reports whether it did; then the package is to be checked without these directives.
func (pkg *Package) blameContracts() bool {
	clause := func(pos token.Position) bool {
		for _, f := range pkg.Contracts.Funcs {
			for _, c := range f.Clauses {
				if c.Pos.Filename == pos.Filename && c.Pos.Line == pos.Line {
					return true
				}
			}
		}
		for _, t := range pkg.Contracts.Types {
			for _, c := range t.Clauses {
				if c.Pos.Filename == pos.Filename && c.Pos.Line == pos.Line {
					return true
				}
			}
		}
		return false
	}
	if len(pkg.Errors) == 0 || slices.ContainsFunc(pkg.Errors, func(d Diagnostic) bool { return !clause(d.Pos) }) {
		return false
	}
	for _, d := range pkg.Errors {
		pkg.addProblem(d)
	}
	pkg.Errors = nil
	return true
}

// Generated returns the syntax trees of the source generated for contracts, by file name.
func (pkg *Package) Generated() []*ast.File { return pkg.generated }

// allSyntax returns the package's files and the files generated for its contracts.
func (pkg *Package) allSyntax() []*ast.File {
	return append(pkg.Syntax[:len(pkg.Syntax):len(pkg.Syntax)], pkg.generated...)
}

// checked returns the function that calls a target and checks its contract, or nil if the target has no
// contract. The caller holds the lock.
func (p *Program) checked(pkg *Package, fd *ast.FuncDecl, t *Target) *ssa.Function {
	c := pkg.Contracts.Func(fd)
	if c == nil {
		return nil
	}
	return p.contractFunc(pkg, c.Run, t)
}

// Checked returns the name of the function that calls f and checks its contract, or "" if it has none.
func (pkg *Package) Checked(f *types.Func) string {
	if f.Pkg() != pkg.Types || len(pkg.Contracts.Funcs) == 0 {
		return ""
	}
	c := pkg.Contracts.Func(pkg.Func(f.Origin()))
	if c == nil {
		return ""
	}
	return c.Run
}

// Requirement returns the first requires clause of a target's contract, and false if it has none.
func (pkg *Package) Requirement(t *Target) (contract.Clause, bool) {
	if pkg.Contracts == nil || len(pkg.Contracts.Funcs) == 0 {
		return contract.Clause{}, false
	}
	c := pkg.Contracts.Func(pkg.Func(t.Obj))
	if c == nil {
		return contract.Clause{}, false
	}
	i := slices.IndexFunc(c.Clauses, func(c contract.Clause) bool { return c.Kind == contract.Requires })
	if i < 0 {
		return contract.Clause{}, false
	}
	return c.Clauses[i], true
}

// ContractFunc returns the generated function of that name, instantiated as the target
// is whose contract it belongs to: a [contract.Func]'s Pre, say.
func (p *Program) ContractFunc(pkg *Package, name string, t *Target) *ssa.Function {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.contractFunc(pkg, name, t)
}

func (p *Program) contractFunc(pkg *Package, name string, t *Target) *ssa.Function {
	obj := pkg.Types.Scope().Lookup(name).(*types.Func)
	if len(t.TypeArgs) == 0 {
		return p.SSA.FuncValue(obj)
	}
	fn, err := p.instance(obj, t.TypeArgs)
	if err != nil {
		panic("bug: load: a contract cannot be instantiated as its function is: " + err.Error())
	}
	return fn
}
