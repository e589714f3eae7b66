package load

import (
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
)

// readContracts reads the directives over expressions and parses what they mean as
// Go. What is wrong with a directive is an error of the package: a contract that is
// silently not checked is worse than none.
func (pkg *Package) readContracts(p *Program, l *listed) {
	pkg.Contracts = contract.Read(p.Fset, pkg.Dir, pkg.Syntax, contract.Imports{
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
	})
	for _, problem := range pkg.Contracts.Problems {
		pkg.addError(problem.Pos, problem.Message)
	}
	if len(pkg.Errors) > 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(pkg.Contracts.Files)) {
		f, err := p.parse(name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic("bug: load: generated contracts do not parse: " + err.Error())
		}
		pkg.generated = append(pkg.generated, f)
	}
}

// Generated are the syntax trees of what contracts mean, by file name.
func (pkg *Package) Generated() []*ast.File { return pkg.generated }

// allSyntax is the package's files and those of its contracts.
func (pkg *Package) allSyntax() []*ast.File {
	return append(pkg.Syntax[:len(pkg.Syntax):len(pkg.Syntax)], pkg.generated...)
}

// checked returns the function that calls a target behind its contract, nil if it has
// none. Lock held.
func (p *Program) checked(pkg *Package, fd *ast.FuncDecl, t *Target) *ssa.Function {
	c := pkg.Contracts.Func(fd)
	if c == nil {
		return nil
	}
	return p.contractFunc(pkg, c.Run, t)
}

// Checked returns the name of the function that calls f behind its contract, "" if it
// has none.
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
