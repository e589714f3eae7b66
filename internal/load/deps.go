package load

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/types"
	"os"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load/callers"
	"github.com/goassay/assay/internal/load/initparts"
	"github.com/goassay/assay/internal/load/lexicon"
)

// dependencies is the part of the program beyond the packages under test. It grows while the program is
// used, under mu.
type dependencies struct {
	mu  sync.Mutex
	ctx context.Context // the context of Load, which also ends later loading
	cfg Config

	listed  map[string]*listed        // by canonical import path
	exports map[string]*types.Package // by canonical import path; includes stubs of indirect imports
	roots   map[string]*Package

	twins  map[string]*twin                // source of dependencies and of added packages
	bodies map[*ssa.Function]*ssa.Function // the answers of Body
	insts  int                             // how many synthetic packages were made, see instance

	registrants map[string]map[string][]string // by path of the package under test, see Registrants
	callers     map[string]*callers.Index      // by directory of the module, see Callers
	callersOf   map[string][]callers.Caller    // by path of the package, see Callers
	lexicons    lexicon.Module                 // see Lexicon
	requesting  map[string]bool                // by path, see Requests
	initParts   map[*ssa.Function]initialParts // by initialiser, see InitParts
}

// initialParts are the instructions that give variables their values.
type initialParts = map[*ssa.Global][]ssa.Instruction

// twin is the source of a dependency, or the reason why it could not be loaded.
type twin struct {
	types  *types.Package
	ssa    *ssa.Package
	syntax []*ast.File
	info   *types.Info
	err    error
}

// Body returns the function with the same full name as fn that has fn's body. If fn has a body, it is fn
// itself. If fn is known from export data only, it is the twin of fn in the source of its package, which is
// loaded the first time. The twin of an instance of a generic function is instantiated with the same type
// arguments. A function without a Go body (assembly, linkname) has no blocks, and that is no error. An error
// says why the package's source could not be loaded.
func (p *Program) Body(fn *ssa.Function) (*ssa.Function, error) {
	if len(fn.Blocks) > 0 {
		return fn, nil
	}
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if b, ok := p.deps.bodies[fn]; ok {
		return b, nil
	}
	b, err := p.body(fn)
	if err != nil {
		return nil, err
	}
	p.deps.bodies[fn] = b
	return b, nil
}

func (p *Program) body(fn *ssa.Function) (*ssa.Function, error) {
	obj, _ := fn.Object().(*types.Func)
	if obj == nil {
		// Among the functions without an object only package initialisers can lack blocks.
		if fn.Pkg == nil || fn.Name() != "init" {
			return fn, nil
		}
		return p.initOf(fn.Pkg.Pkg.Path(), fn)
	}
	if obj.Pkg() == nil || obj.Pkg() == types.Unsafe {
		return fn, nil // error.Error and the like
	}
	if p.isSource(obj.Pkg()) {
		return fn, nil // assembly, linkname
	}
	t, err := p.twinOf(obj.Pkg().Path())
	if err != nil {
		return nil, err
	}
	return p.twinFunc(t, obj.Origin(), fn)
}

// twinFunc finds the function in t that is declared as origin is, and instantiates it as fn is.
func (p *Program) twinFunc(t *twin, origin *types.Func, fn *ssa.Function) (*ssa.Function, error) {
	targs := fn.TypeArgs()
	recv := origin.Signature().Recv()
	if recv == nil {
		obj, _ := t.types.Scope().Lookup(origin.Name()).(*types.Func)
		if obj == nil {
			return nil, fmt.Errorf("%s is not in the source of its package", origin.FullName())
		}
		if len(targs) > 0 {
			return p.instance(obj, targs)
		}
		return p.SSA.FuncValue(obj), nil
	}
	named := NamedOf(recv.Type())
	if named == nil {
		return fn, nil // a method of an interface or of a type without a name
	}
	tn, _ := t.types.Scope().Lookup(named.Obj().Name()).(*types.TypeName)
	if tn == nil {
		return nil, fmt.Errorf("%s is not in the source of its package", origin.FullName())
	}
	twinNamed, _ := types.Unalias(tn.Type()).(*types.Named)
	if twinNamed == nil {
		return nil, fmt.Errorf("%s is not in the source of its package", origin.FullName())
	}
	if len(targs) == 0 {
		for m := range twinNamed.Methods() {
			if m.Name() == origin.Name() {
				return p.SSA.FuncValue(m), nil
			}
		}
		return nil, fmt.Errorf("%s is not in the source of its package", origin.FullName())
	}
	return p.methodInstance(twinNamed, targs, origin.Name())
}

// isSource reports whether pkg's types were checked from source.
func (p *Program) isSource(pkg *types.Package) bool {
	path := pkg.Path()
	if r := p.deps.roots[path]; r != nil && r.Types == pkg {
		return true
	}
	t := p.deps.twins[path]
	return t != nil && t.types == pkg
}

// Global returns the variable that g denotes. For a dependency known from export data it is the variable in
// the dependency's source, so that both identities lead to one variable. If that source cannot be loaded it
// is g itself, and [Program.Init] says why.
func (p *Program) Global(g *ssa.Global) *ssa.Global {
	if g.Pkg == nil || g.Pkg.Pkg == types.Unsafe {
		return g
	}
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if p.isSource(g.Pkg.Pkg) {
		return g
	}
	if t, err := p.twinOf(g.Pkg.Pkg.Path()); err == nil {
		if twin, ok := t.ssa.Members[g.Name()].(*ssa.Global); ok {
			return twin
		}
	}
	return g
}

// Init returns the initialiser of a package, with its body. It calls the initialisers of the package's
// imports; [Program.Body] returns the bodies of initialisers that are known from export data.
func (p *Program) Init(pkgPath string) (*ssa.Function, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.initOf(pkgPath, nil)
}

// InitParts returns, by variable, the instructions of an initialiser that give the variable its value, nil if the initialiser
// cannot be divided (package initparts).
func (p *Program) InitParts(fn *ssa.Function) map[*ssa.Global][]ssa.Instruction {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	parts, ok := p.deps.initParts[fn]
	if !ok {
		parts = initparts.Of(fn)
		if p.deps.initParts == nil {
			p.deps.initParts = make(map[*ssa.Function]initialParts)
		}
		p.deps.initParts[fn] = parts
	}
	return parts
}

func (p *Program) initOf(pkgPath string, fn *ssa.Function) (*ssa.Function, error) {
	if pkgPath == "unsafe" {
		return fn, nil
	}
	pkg, err := p.sourcePackage(pkgPath)
	if err != nil {
		return nil, err
	}
	return pkg.Func("init"), nil
}

// LookupFunc returns the package-level function of that name with its body, from source. It is nil
// without an error if the package has no such function.
func (p *Program) LookupFunc(pkgPath, name string) (*ssa.Function, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	pkg, err := p.sourcePackage(pkgPath)
	if err != nil {
		return nil, err
	}
	return pkg.Func(name), nil
}

// Imported returns the package-level function of that name in a package that the packages under test
// may import, as they see it. An error says that there is no such package or function.
func (p *Program) Imported(path, name string) (*types.Func, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	pkg, err := p.importTypes(path)
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", path, err)
	}
	f, ok := pkg.Scope().Lookup(name).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("package %s has no function %s", path, name)
	}
	return f, nil
}

// Visible returns the function f as a package knows it. A function of a dependency that was loaded from source
// has a second identity, its twin, which the package's own types do not mention.
func Visible(pkg *types.Package, f *types.Func) *types.Func {
	seen := map[*types.Package]bool{}
	queue := []*types.Package{pkg}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if p.Path() == f.Pkg().Path() {
			if g, ok := p.Scope().Lookup(f.Name()).(*types.Func); ok {
				return g
			}
			break
		}
		for _, i := range p.Imports() {
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return f
}

// Import returns the types of a package that tests of the packages under test may import, as these see it. A
// package that they import themselves is the same package. For other packages it asks the go command, about
// all paths in more in one call.
func (p *Program) Import(path string, more ...string) (*types.Package, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	var unknown []string
	for _, m := range append(more[:len(more):len(more)], path) {
		if l := p.deps.listed[m]; (l == nil || l.Export == "") && p.deps.roots[m] == nil {
			unknown = append(unknown, m)
		}
	}
	if len(unknown) > 1 {
		if err := p.listMore(unknown...); err != nil {
			return nil, err
		}
	}
	return p.importTypes(path)
}

// SourcePackage returns the SSA of a package with bodies: a package under test, an
// added one, or the twin of a dependency, which is loaded the first time.
func (p *Program) SourcePackage(pkgPath string) (*ssa.Package, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.sourcePackage(pkgPath)
}

func (p *Program) sourcePackage(pkgPath string) (*ssa.Package, error) {
	if r := p.deps.roots[pkgPath]; r != nil && r.SSA != nil {
		return r.SSA, nil
	}
	t, err := p.twinOf(pkgPath)
	if err != nil {
		return nil, err
	}
	return t.ssa, nil
}

// LookupMethod does the same as ssa.Program.LookupMethod, and is safe while the program grows. It returns nil
// for interface methods, and panics if T has no such method.
func (p *Program) LookupMethod(T types.Type, pkg *types.Package, name string) *ssa.Function {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.SSA.LookupMethod(T, pkg, name)
}

// MethodValue does the same as ssa.Program.MethodValue, and is safe while the program grows.
func (p *Program) MethodValue(sel *types.Selection) *ssa.Function {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.SSA.MethodValue(sel)
}

// FuncValue does the same as ssa.Program.FuncValue, and is safe while the program grows.
func (p *Program) FuncValue(obj *types.Func) *ssa.Function {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	return p.SSA.FuncValue(obj)
}

// AddSource type-checks and builds a package that the go command does not know, from the given files
// (name to content): the machine's models of functions that have no Go body. It imports packages of the
// program, or packages that the go command finds. Errors in it are returned; they are bugs of ours.
func (p *Program) AddSource(path string, files map[string][]byte) (*ssa.Package, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if t := p.deps.twins[path]; t != nil {
		return t.ssa, t.err
	}
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	var syntax []*ast.File
	for _, n := range names {
		f, err := parser.ParseFile(p.Fset, n, files[n], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	t := p.checkTwin(path, nil, syntax)
	p.deps.twins[path] = t
	return t.ssa, t.err
}

// twinOf returns the source of a dependency. It loads the source the first time.
func (p *Program) twinOf(path string) (*twin, error) {
	if t := p.deps.twins[path]; t != nil {
		return t, t.err
	}
	t := p.loadTwin(path)
	p.deps.twins[path] = t
	return t, t.err
}

func (p *Program) loadTwin(path string) *twin {
	l := p.deps.listed[path]
	if l == nil {
		if err := p.listMore(path); err != nil {
			return &twin{err: err}
		}
		if l = p.deps.listed[path]; l == nil {
			return &twin{err: fmt.Errorf("package %s is not known", path)}
		}
	}
	files, imports := l.abs(l.GoFiles), l
	if len(l.CgoFiles) > 0 {
		// Without cgo the package uses Go code in place of C. If it has no such code, the machine could not
		// execute it in any case.
		bc := build.Default
		bc.CgoEnabled = false
		if goos := p.deps.cfg.getenv("GOOS"); goos != "" {
			bc.GOOS = goos
		}
		bp, err := bc.ImportDir(l.Dir, 0)
		if err != nil {
			return &twin{err: fmt.Errorf("package %s without cgo: %w", path, err)}
		}
		files = l.abs(bp.GoFiles)
	}
	var syntax []*ast.File
	for _, name := range files {
		f, err := p.parse(name, parser.SkipObjectResolution)
		if f == nil || err != nil {
			return &twin{err: fmt.Errorf("source of package %s: %w", path, err)}
		}
		syntax = append(syntax, f)
	}
	return p.checkTwin(path, imports, syntax)
}

// checkTwin type-checks and builds a dependency's source.
func (p *Program) checkTwin(path string, l *listed, syntax []*ast.File) *twin {
	if len(syntax) == 0 {
		return &twin{err: fmt.Errorf("package %s has no Go source", path)}
	}
	info := newInfo()
	var first error
	conf := types.Config{
		Importer: importer{p, l},
		Sizes:    p.Sizes,
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	if v := l.language(); v != "" {
		conf.GoVersion = "go" + v
	}
	pkg, err := conf.Check(path, p.Fset, syntax, info)
	if first == nil {
		first = err
	}
	if first != nil {
		return &twin{err: fmt.Errorf("source of package %s: %w", path, first)}
	}
	p.ssaImports(pkg)
	// The package is not importable: an import of this path means the export data.
	s := p.SSA.CreatePackage(pkg, syntax, info, false)
	s.Build()
	p.asCompiled(syntax, info)
	return &twin{types: pkg, ssa: s, syntax: syntax, info: info}
}

// parse reads a source file. It takes the text from the overlay if the file is there.
func (p *Program) parse(name string, mode parser.Mode) (*ast.File, error) {
	src, err := p.Source(name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(p.Fset, name, src, mode)
}

// Source returns the text of a file that was loaded, from the disk, from the overlay, or generated for
// contracts.
func (p *Program) Source(name string) ([]byte, error) {
	if src, ok := p.deps.cfg.Overlay[name]; ok {
		return src, nil
	}
	for _, pkg := range p.deps.roots {
		if pkg.Contracts != nil && pkg.Contracts.Files[name] != nil {
			return pkg.Contracts.Files[name], nil
		}
	}
	return os.ReadFile(name)
}

// newInfo returns an Info with everything that the SSA builder reads.
func newInfo() *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Instances:    make(map[*ast.Ident]types.Instance),
		Scopes:       make(map[ast.Node]*types.Scope),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		FileVersions: make(map[*ast.File]string),
	}
}

// ImportedPackage returns the types of a package that the packages under test may import, as they see
// it.
func (p *Program) ImportedPackage(path string) (*types.Package, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	pkg, err := p.importTypes(path)
	if err != nil {
		return nil, fmt.Errorf("package %s: %w", path, err)
	}
	return pkg, nil
}

// Buffers returns packages bytes and strings, for a package that may have readers and writers: it imports package io, directly or
// not. It is passed buffers and readers of texts whether it imports the two or not.
func (p *Program) Buffers(pkg *Package) []*types.Package {
	seen := map[*types.Package]bool{pkg.Types: true}
	io := false
	for queue := []*types.Package{pkg.Types}; len(queue) > 0 && !io; queue = queue[1:] {
		for _, i := range queue[0].Imports() {
			io = io || i.Path() == "io"
			if !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	if !io {
		return nil
	}
	var out []*types.Package
	for _, path := range []string{"bytes", "strings"} {
		if b, err := p.Import(path); err == nil { // without the package there are other values
			out = append(out, b)
		}
	}
	return out
}

// NewReader returns strings.NewReader as a package sees it, or nil if the package cannot have it.
func (pkg *Package) NewReader() *types.Func {
	if pkg.prog == nil {
		return nil
	}
	for _, p := range pkg.prog.Buffers(pkg) {
		if f, ok := p.Scope().Lookup("NewReader").(*types.Func); ok && p.Path() == "strings" {
			return f
		}
	}
	return nil
}

// Lacks reports whether a package that tests may import declares nothing of that name. It returns false for a
// package that cannot be imported, because the compiler reports that.
func (p *Program) Lacks(path, name string) bool {
	pkg, err := p.ImportedPackage(path)
	return err == nil && pkg.Scope().Lookup(name) == nil
}
