package load

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxDiagnostics is how many errors of one package are kept, because the first ones matter.
const maxDiagnostics = 10

// Load loads the packages that the patterns match ("." if there are none), with their targets and
// hints. Errors in a package are in its Errors, and the other packages are loaded nevertheless. An
// error, of one line, is returned only if there is nothing to load: no go.mod, an unknown pattern, no
// Go files.
//
// The context also ends later loading by the program.
func Load(ctx context.Context, cfg Config, patterns ...string) (*Program, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	for _, pat := range patterns {
		if strings.HasSuffix(pat, ".go") {
			return nil, fmt.Errorf("%s: name a package, not a file", pat)
		}
	}
	all, stderr, err := goList(ctx, cfg, patterns)
	if err != nil {
		return nil, err
	}
	left, err := leftOut(ctx, cfg, patterns, all)
	if err != nil {
		return nil, err
	}
	all = append(all, left...)
	p := &Program{Fset: token.NewFileSet()}
	p.SSA = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics)
	goarch := cfg.getenv("GOARCH")
	if goarch == "" {
		goarch = runtime.GOARCH
	}
	p.Sizes = types.SizesFor("gc", goarch)
	p.deps = dependencies{
		ctx: ctx, cfg: cfg,
		listed: make(map[string]*listed), exports: make(map[string]*types.Package),
		roots: make(map[string]*Package),
		twins: make(map[string]*twin), bodies: make(map[*ssa.Function]*ssa.Function),
	}

	roots, err := p.note(all, stderr, patterns)
	if err != nil {
		return nil, err
	}
	mine := cfg.Shard.of(roots)
	p.Others = len(roots) - len(mine)
	roots = mine
	p.deps.mu.Lock()
	for _, l := range roots {
		pkg := p.loadRoot(l)
		p.Packages = append(p.Packages, pkg)
	}
	for _, pkg := range p.Packages {
		if pkg.SSA != nil {
			pkg.SSA.Build()
			p.asCompiled(pkg.Syntax, pkg.Info)
		}
	}
	for _, pkg := range p.Packages {
		if pkg.SSA != nil {
			pkg.Targets = p.targets(pkg)
		}
	}
	p.deps.mu.Unlock()
	for _, pkg := range p.Packages {
		p.findLiterals(pkg)
	}
	slices.SortFunc(p.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return p, nil
}

// note records the answer of go list, and returns the packages that the patterns name. It returns an
// error if there is nothing to load; stderr is go list's explanation.
func (p *Program) note(all []*listed, stderr string, patterns []string) ([]*listed, error) {
	// Dependencies come before the packages that import them.
	var roots []*listed
	var hollow *listed
	for _, l := range all {
		p.deps.listed[l.ImportPath] = l
		switch {
		case l.DepOnly:
		case l.empty() && l.wildcard() && l.cgoFile(p.deps.cfg) == "":
			// The directory has only tests, or files for other systems, and the user has not named the
			// package.
		case l.Name == "" || l.empty():
			if l.cgoFile(p.deps.cfg) == "" {
				hollow = l
			}
			roots = append(roots, l)
		default:
			roots = append(roots, l)
		}
	}
	if len(roots) == 0 {
		return nil, errors.New(noPackages(stderr, patterns))
	}
	if len(roots) == 1 && hollow != nil {
		return nil, errors.New(oneLine(hollow.message()))
	}
	return roots, nil
}

// noPackages says why no package was matched.
func noPackages(stderr string, patterns []string) string {
	for line := range strings.SplitSeq(stderr, "\n") {
		if w, ok := strings.CutPrefix(line, "go: warning: "); ok {
			return strings.TrimSpace(w)
		}
	}
	return firstLine(stderr, fmt.Sprintf("no Go files in what %s matches", strings.Join(patterns, " ")))
}

// message returns the go command's complaint about a package.
func (l *listed) message() string {
	if l.Error == nil {
		return "no non-test Go files in " + l.Dir
	}
	return l.Error.Err
}

// oneLine joins the lines of a message.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "\n", " ")), " ")
}

// absIn makes a file name absolute that the go command printed.
func absIn(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	base, err := filepath.Abs(dir)
	if err != nil {
		return name
	}
	return filepath.Join(base, name)
}

// loadRoot parses and checks a package under test and makes its SSA, not yet built.
func (p *Program) loadRoot(l *listed) *Package {
	pkg := &Package{
		Path: l.ImportPath, Name: l.Name, Dir: l.Dir,
		GoFiles:   l.abs(append(slices.Clone(l.GoFiles), l.CgoFiles...)),
		TestFiles: l.abs(append(slices.Clone(l.TestGoFiles), l.XTestGoFiles...)),
		Literals:  &Literals{},
		prog:      p,
	}
	slices.Sort(pkg.GoFiles)
	p.deps.roots[l.ImportPath] = pkg
	if l.Module != nil {
		pkg.Module, pkg.GoVersion = l.Module.Path, l.language()
	}
	if name := l.cgoFile(p.deps.cfg); name != "" {
		pkg.addError(token.Position{Filename: name}, "cgo is not supported")
		return pkg
	}
	if l.Name == "" || l.empty() {
		pkg.addError(position(p.deps.cfg.Dir, l.errorPos()), oneLine(l.message()))
		return pkg
	}
	for _, name := range pkg.GoFiles {
		f, err := p.parse(name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			pkg.addParseError(name, err)
		}
		if f != nil {
			pkg.Syntax = append(pkg.Syntax, f)
		}
	}
	if cycle := l.importCycle(); cycle != nil {
		pkg.addError(pkg.importPos(p.Fset, cycle), "import cycle not allowed: "+strings.Join(cycle, " -> "))
		return pkg
	}
	if len(pkg.Errors) > 0 {
		return pkg // errors in an incomplete tree would only follow from the first ones
	}
	pkg.readContracts(p, l)
	if len(pkg.Errors) > 0 {
		return pkg
	}
	conf := types.Config{
		Importer:  importer{p, l},
		Sizes:     p.Sizes,
		GoVersion: pkg.language(),
		Error: func(err error) {
			var te types.Error
			if errors.As(err, &te) {
				pkg.addError(p.Fset.Position(te.Pos), te.Msg)
			} else {
				pkg.addError(token.Position{}, err.Error())
			}
		},
	}
	pkg.Info = newInfo()
	tpkg, err := conf.Check(l.ImportPath, p.Fset, pkg.allSyntax(), pkg.Info)
	for pkg.blameContracts() {
		pkg.readContracts(p, l)
		pkg.Info = newInfo()
		tpkg, err = conf.Check(l.ImportPath, p.Fset, pkg.allSyntax(), pkg.Info)
	}
	if err != nil && len(pkg.Errors) == 0 {
		pkg.addError(token.Position{}, oneLine(err.Error()))
	}
	if len(pkg.Errors) == 0 && l.Error != nil {
		// The compiler or the go command finds more errors than the type checker.
		pkg.addCompilerErrors(p.deps.cfg.Dir, l)
	}
	pkg.Types = tpkg
	if len(pkg.Errors) > 0 {
		return pkg
	}
	p.deps.exports[l.ImportPath] = tpkg
	p.ssaImports(tpkg)
	pkg.SSA = p.SSA.CreatePackage(tpkg, pkg.allSyntax(), pkg.Info, true)
	return pkg
}

func (l *listed) errorPos() string {
	if l.Error == nil {
		return ""
	}
	return l.Error.Pos
}

// importCycle returns the import paths around the cycle that the package is in, the first one also at the
// end, or nil if there is no cycle.
func (l *listed) importCycle() []string {
	for _, e := range append([]*listError{l.Error}, l.DepsErrors...) {
		if e == nil || !strings.Contains(e.Err, "import cycle not allowed") {
			continue
		}
		stack := e.ImportStack
		i := slices.Index(stack, l.ImportPath)
		if i < 0 || len(stack) < 2 || stack[0] != stack[len(stack)-1] {
			continue
		}
		ring := stack[:len(stack)-1]
		cycle := slices.Concat(ring[i:], ring[:i])
		return append(cycle, l.ImportPath)
	}
	return nil
}

// importPos returns where the package imports the next one of the cycle.
func (pkg *Package) importPos(fset *token.FileSet, cycle []string) token.Position {
	for _, f := range pkg.Syntax {
		for _, spec := range f.Imports {
			if strings.Trim(spec.Path.Value, "`\"") == cycle[1] {
				return fset.Position(spec.Path.Pos())
			}
		}
	}
	return token.Position{Filename: pkg.Dir}
}

func (pkg *Package) addError(pos token.Position, msg string) {
	if len(pkg.Errors) < maxDiagnostics {
		pkg.Errors = append(pkg.Errors, Diagnostic{pos, msg})
	}
}

func (pkg *Package) addParseError(name string, err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		pkg.addError(token.Position{Filename: name}, err.Error())
		return
	}
	for _, e := range list {
		pkg.addError(e.Pos, e.Msg)
	}
}

// addCompilerErrors adds errors from the compiler's output: "# path", then lines of "file:line:col:
// message".
func (pkg *Package) addCompilerErrors(dir string, l *listed) {
	for line := range strings.SplitSeq(l.Error.Err, "\n") {
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "\t") {
			continue
		}
		if where, msg, ok := strings.Cut(line, ": "); ok {
			if pos := position(dir, where); pos.Line > 0 {
				if !filepath.IsAbs(where) {
					pos.Filename = absIn(l.Dir, filepath.Base(pos.Filename))
				}
				pkg.addError(pos, msg)
				continue
			}
		}
		pkg.addError(position(dir, l.Error.Pos), line)
	}
}
