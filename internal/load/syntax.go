package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"sync"

	"github.com/goassay/assay/internal/gosyntax"
)

// syntaxFacts is what the syntax of a package declares. It is read once, when somebody first asks: by then the package has
// been type-checked, and its syntax no longer changes.
type syntaxFacts struct {
	once  sync.Once
	vars  []Variable
	types []TypeDecl
	funcs []*types.Func
	decls map[*types.Func]*ast.FuncDecl // the syntax of each of the funcs
	goes  bool                          // something starts a goroutine: see StartedBy

	named sync.Once
	uses  map[*types.Var]bool // the variables that code names: see Names

	mentioned sync.Once
	mentions  map[*types.Func]map[*types.Func]bool // by function: see Mentions
	bits      map[*types.Func]bool                 // the functions that look at the bits of bytes in lists
	ofOthers  sync.Map                             // what MentionsOf has found, by function
	errors    map[*types.Func][]*types.Var         // error variables of imported packages that each function mentions itself
	fields    map[*types.Func]map[*types.Var]bool  // fields that each function mentions itself: see LooksAt
}

// Variable is a package-level variable as it is declared.
type Variable struct {
	Object *types.Var
	// Value is its initial value, nil if the declaration has none.
	Value ast.Expr
	// Shared says that a call gives several variables their initial values, so that none has a Value of its own.
	Shared bool
}

// TypeDecl is a package-level type as it is declared.
type TypeDecl struct {
	Object *types.TypeName
	Spec   *ast.TypeSpec
	In     *ast.GenDecl // the declaration, which may declare further types
}

// Variables returns the package-level variables in the order of the source. Variables called _ are among them.
func (pkg *Package) Variables() []Variable { return pkg.facts().vars }

// TypeDecls returns the package-level types in the order of the source.
func (pkg *Package) TypeDecls() []TypeDecl { return pkg.facts().types }

// Funcs yields the declared functions and methods in the order of the source.
func (pkg *Package) Funcs() iter.Seq2[*types.Func, *ast.FuncDecl] {
	return func(yield func(*types.Func, *ast.FuncDecl) bool) {
		facts := pkg.facts()
		for _, f := range facts.funcs {
			if !yield(f, facts.decls[f]) {
				return
			}
		}
	}
}

// Func returns the syntax of a declared function of the package, or nil.
func (pkg *Package) Func(obj *types.Func) *ast.FuncDecl { return pkg.facts().decls[obj] }

// Names reports whether the code of the package names a variable, and not only declares it. A parameter that is not named is not read.
func (pkg *Package) Names(v *types.Var) bool {
	facts := pkg.facts()
	facts.named.Do(func() {
		facts.uses = make(map[*types.Var]bool)
		for _, obj := range pkg.Info.Uses {
			if v, ok := obj.(*types.Var); ok {
				facts.uses[v] = true
			}
		}
	})
	return facts.uses[v]
}

// Mentions reports whether a function of the package, or one of the package's functions that it mentions, mentions another function
// or a method of an interface. Where it does not, a call of the one comes to no call of the other, unless another package makes it.
func (pkg *Package) Mentions(from, f *types.Func) bool {
	facts := pkg.facts()
	facts.mentioned.Do(func() { facts.findMentions(pkg.Info) })
	return facts.mentions[from.Origin()][f.Origin()]
}

// LooksAt reports whether a function of the package, or one of the package's functions that it mentions, mentions a field by its name.
func (pkg *Package) LooksAt(from *types.Func, field *types.Var) bool {
	facts := pkg.facts()
	facts.mentioned.Do(func() { facts.findMentions(pkg.Info) })
	if facts.fields[from.Origin()][field.Origin()] {
		return true
	}
	for f := range facts.mentions[from.Origin()] {
		if facts.fields[f][field.Origin()] {
			return true
		}
	}
	return false
}

// MentionsOf returns the import paths of the packages whose functions and methods a function of the package, or one of the package's
// functions that it mentions, mentions. Reported as bits is whether one of them shifts or masks bytes of a list.
func (pkg *Package) MentionsOf(from *types.Func) (paths map[string]bool, bits bool) {
	facts := pkg.facts()
	facts.mentioned.Do(func() { facts.findMentions(pkg.Info) })
	type found struct {
		paths map[string]bool
		bits  bool
	}
	if known, ok := facts.ofOthers.Load(from.Origin()); ok {
		return known.(found).paths, known.(found).bits
	}
	defer func() { facts.ofOthers.Store(from.Origin(), found{paths, bits}) }()
	paths, bits = make(map[string]bool), facts.bits[from.Origin()]
	for f := range facts.mentions[from.Origin()] {
		if f.Pkg() != nil {
			paths[f.Pkg().Path()] = true
		}
		bits = bits || facts.bits[f]
	}
	return paths, bits
}

// ErrorsMentioned returns the error variables of imported packages, like io.EOF, that a function of the package, or one of the
// package's functions that it mentions, mentions, in the order of the source.
func (pkg *Package) ErrorsMentioned(from *types.Func) []*types.Var {
	facts := pkg.facts()
	facts.mentioned.Do(func() { facts.findMentions(pkg.Info) })
	var out []*types.Var
	for _, f := range facts.funcs {
		if f != from.Origin() && !facts.mentions[from.Origin()][f] {
			continue
		}
		for _, v := range facts.errors[f] {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	return out
}

// looksAtBits reports whether an expression shifts or masks a byte of a list, converted or not.
func looksAtBits(info *types.Info, e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.SHL, token.SHR, token.AND:
	default:
		return false
	}
	x := ast.Unparen(e.X)
	for call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType(); call, ok = x.(*ast.CallExpr) {
		x = ast.Unparen(call.Args[0])
	}
	index, ok := x.(*ast.IndexExpr)
	if !ok {
		return false
	}
	b, ok := types.Unalias(info.TypeOf(index)).(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// findMentions notes what each declared function mentions, by itself and by way of others.
func (facts *syntaxFacts) findMentions(info *types.Info) {
	own := make(map[*types.Func][]*types.Func)
	facts.bits, facts.errors = make(map[*types.Func]bool), make(map[*types.Func][]*types.Var)
	facts.fields = make(map[*types.Func]map[*types.Var]bool)
	for _, f := range facts.funcs {
		ast.Inspect(facts.decls[f], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				switch used := info.Uses[n].(type) {
				case *types.Func:
					own[f] = append(own[f], used.Origin())
				case *types.Var:
					if used.IsField() {
						if facts.fields[f] == nil {
							facts.fields[f] = make(map[*types.Var]bool)
						}
						facts.fields[f][used.Origin()] = true
					}
					if p := used.Pkg(); p != nil && p != f.Pkg() && used.Parent() == p.Scope() && gosyntax.IsError(used.Type()) {
						facts.errors[f] = append(facts.errors[f], used)
					}
				}
			case *ast.BinaryExpr:
				facts.bits[f] = facts.bits[f] || looksAtBits(info, n)
			}
			return true
		})
	}
	facts.mentions = make(map[*types.Func]map[*types.Func]bool)
	for _, f := range facts.funcs {
		seen := make(map[*types.Func]bool)
		reached := []*types.Func{f}
		for i := 0; i < len(reached); i++ {
			for _, used := range own[reached[i]] {
				if !seen[used] {
					seen[used] = true
					reached = append(reached, used)
				}
			}
		}
		facts.mentions[f] = seen
	}
}

// StartsGoroutines reports whether the package's own code starts goroutines (see StartedBy). A goroutine may go on while later calls run.
func (pkg *Package) StartsGoroutines() bool { return pkg.facts().goes }

// StartedBy returns the function that a node starts in a goroutine, or nil for other nodes: that of a go statement, or the one that is
// passed to a function of another package which does the same. By convention such functions are called Go and TryGo, as those of
// sync.WaitGroup, errgroup.Group, conc's pools and tomb.Tomb are; there are time.AfterFunc and context.AfterFunc, too.
func StartedBy(info *types.Info, n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call.Fun
	case *ast.CallExpr:
		sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
		if !ok || info == nil || len(n.Args) == 0 {
			return nil
		}
		fn, ok := info.Uses[sel.Sel].(*types.Func)
		if !ok {
			return nil
		}
		switch fn.FullName() {
		case "time.AfterFunc", "context.AfterFunc":
		default:
			if fn.Name() != "Go" && fn.Name() != "TryGo" {
				return nil
			}
		}
		last := n.Args[len(n.Args)-1]
		if t := info.TypeOf(last); t != nil {
			if _, ok := t.Underlying().(*types.Signature); ok {
				return last
			}
		}
	}
	return nil
}

func (pkg *Package) facts() *syntaxFacts {
	pkg.syntax.once.Do(func() { pkg.syntax.read(pkg) })
	return &pkg.syntax
}

// read goes through the syntax of a package. Of a package that was not type-checked only go statements are known.
func (s *syntaxFacts) read(pkg *Package) {
	s.decls = make(map[*types.Func]*ast.FuncDecl)
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			s.goes = s.goes || StartedBy(pkg.Info, n) != nil
			return !s.goes
		})
		if pkg.Info == nil {
			continue
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if obj, ok := pkg.Info.Defs[decl.Name].(*types.Func); ok {
					s.funcs = append(s.funcs, obj)
					s.decls[obj] = decl
				}
			case *ast.GenDecl:
				s.readSpecs(pkg.Info, decl)
			}
		}
	}
}

// readSpecs notes the variables and types of a declaration.
func (s *syntaxFacts) readSpecs(info *types.Info, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if obj, ok := info.Defs[spec.Name].(*types.TypeName); ok {
				s.types = append(s.types, TypeDecl{obj, spec, g})
			}
		case *ast.ValueSpec:
			if g.Tok != token.VAR {
				continue
			}
			for i, name := range spec.Names {
				obj, ok := info.Defs[name].(*types.Var)
				if !ok {
					continue
				}
				v := Variable{Object: obj, Shared: len(spec.Values) != 0 && len(spec.Values) != len(spec.Names)}
				if !v.Shared && len(spec.Values) > 0 {
					v.Value = spec.Values[i]
				}
				s.vars = append(s.vars, v)
			}
		}
	}
}

// Source is a package with its syntax and type information: a package under test, or a dependency that
// was loaded from source.
type Source struct {
	Path      string
	GoVersion string // its module's go version, or "" if unknown
	Types     *types.Package
	Info      *types.Info
	Syntax    []*ast.File // includes the files generated for contracts of a package under test
}

// PackageSource returns the source of a package of the program, and loads it if only its export data is
// known. Its types are then other objects than those that importers see; names are the same.
func (p *Program) PackageSource(path string) (*Source, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	if r := p.deps.roots[path]; r != nil && r.Info != nil {
		return &Source{path, r.GoVersion, r.Types, r.Info, r.allSyntax()}, nil
	}
	t, err := p.twinOf(path)
	if err != nil {
		return nil, err
	}
	s := &Source{Path: path, Types: t.types, Info: t.info, Syntax: t.syntax}
	s.GoVersion = p.deps.listed[path].language()
	return s, nil
}
