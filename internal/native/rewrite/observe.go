package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/load"
)

// CandidatePath is the import path of package candidate in the user's standard library.
const CandidatePath = "assaycandidate"

// observer rewrites functions so that package candidate learns which parts of a structure they read, as
// Korat's instrumentation does. A field read x.f becomes (*Read(&x.f)), an element read s[i] becomes
// (*Index(s, i)). If a value is passed to code that is not rewritten, the value and all memory that it leads
// to count as read.
type observer struct {
	prog *load.Program
	pkg  *load.Package
	// wanted are the functions to rewrite, by full name: the predicates and the functions that they
	// call, in the package and in others of its module.
	wanted map[string]bool
	// sources has the packages of these functions, by path.
	sources map[string]*load.Source
	// elems has the element types of slices in structs, by key. Reads of other slices do not matter.
	elems map[string]bool
	// wrappers has, by the name of a method, the types of which the compiler writes it for pointers, see wrapped.
	wrappers map[string][]string

	// The state for the file being rewritten.
	info  *types.Info
	file  *token.File
	edits []edit
	iter  bool   // the file's language version has iterator functions
	alias string // the name of package candidate in the file
	count int
}

// newObserver finds the functions to rewrite for the predicates, which are functions of the package (of
// generic functions the origins).
func newObserver(prog *load.Program, pkg *load.Package, predicates []*types.Func) *observer {
	o := &observer{prog: prog, pkg: pkg, wanted: map[string]bool{}, sources: map[string]*load.Source{}, elems: map[string]bool{}, wrappers: map[string][]string{}}
	o.open(pkg.Path)
	var names []string
	for _, f := range predicates {
		names = append(names, f.Origin().FullName())
	}
	bodies := map[string]*ast.FuncDecl{}
	infos := map[string]*types.Info{}
	read := map[string]bool{} // the packages whose functions are in bodies
	methods := map[string][]string{}
	for len(names) > 0 {
		for _, path := range o.paths() {
			if read[path] {
				continue
			}
			read[path] = true
			src := o.sources[path]
			for _, f := range src.Syntax {
				for _, d := range f.Decls {
					if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
						if fn, ok := src.Info.Defs[fd.Name].(*types.Func); ok {
							name := fn.FullName()
							bodies[name], infos[name] = fd, src.Info
							if fd.Recv != nil {
								methods[fn.Name()] = append(methods[fn.Name()], name)
							}
						}
					}
				}
			}
		}
		name := names[0]
		names = names[1:]
		fd := bodies[name]
		if fd == nil || o.wanted[name] {
			continue
		}
		o.wanted[name] = true
		ast.Inspect(fd.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			fn, ok := infos[name].Uses[id].(*types.Func)
			if !ok || fn.Pkg() == nil {
				return true
			}
			fn = fn.Origin()
			if recv := fn.Signature().Recv(); recv != nil && (types.IsInterface(recv.Type()) || isTypeParam(recv.Type())) {
				names = append(names, methods[fn.Name()]...) // the call may be of any of these methods
			}
			if o.open(fn.Pkg().Path()) {
				names = append(names, fn.FullName())
			}
			return true
		})
	}
	for _, path := range o.paths() {
		o.fields(o.sources[path].Types.Scope())
	}
	return o
}

// File is the new text of a source file.
type File struct {
	Name string // the name of the file as it was loaded
	Text []byte
}

// Others returns the rewritten files of the module's other packages: the files with functions that the
// predicates call, in the order of packages and files.
func (in *Instrumenter) Others() ([]File, error) {
	o := in.observer
	if o == nil {
		return nil, nil
	}
	var out []File
	for _, path := range o.paths() {
		if path == o.pkg.Path {
			continue
		}
		for _, f := range o.sources[path].Syntax {
			name := o.prog.Fset.File(f.FileStart).Name()
			src, err := o.prog.Source(name)
			if err != nil {
				return nil, err
			}
			if edits := o.rewrite(f, o.sources[path], in.prefix+"cd"); edits != nil {
				out = append(out, File{name, applied(src, edits)})
			}
		}
	}
	return out, nil
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// paths lists the packages of sources in order.
func (o *observer) paths() []string {
	out := make([]string, 0, len(o.sources))
	for p := range o.sources {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// open reads a package if it belongs to the module, and reports whether its functions can be rewritten.
func (o *observer) open(path string) bool {
	if o.sources[path] != nil {
		return true
	}
	if path != o.pkg.Path && !o.pkg.OfModule(path) {
		return false
	}
	src, err := o.prog.PackageSource(path)
	if err != nil {
		return false // the arguments of its functions count as read
	}
	o.sources[path] = src
	return true
}

// fields collects the element types of slices in the structs of a package.
func (o *observer) fields(scope *types.Scope) {
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if st, ok := tn.Type().Underlying().(*types.Struct); ok {
			o.structFields(st)
		}
	}
}

func (o *observer) structFields(st *types.Struct) {
	for i := range st.NumFields() {
		switch t := st.Field(i).Type().Underlying().(type) {
		case *types.Slice:
			o.elems[TypeKey(t.Elem())] = true
		case *types.Struct:
			o.structFields(t)
		}
	}
}

// searched reports whether a slice of that type may be part of a structure.
func (o *observer) searched(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && (o.elems[TypeKey(s.Elem())] || HasTypeParam(s.Elem()))
}

// rewrite returns the edits for the wanted functions in a file.
func (o *observer) rewrite(f *ast.File, src *load.Source, alias string) []edit {
	o.info, o.file, o.edits, o.alias, o.count = src.Info, o.prog.Fset.File(f.FileStart), nil, alias, 0
	o.iter = src.GoVersion == "" || version.Compare("go"+src.GoVersion, "go1.23") >= 0
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Body != nil {
			if fn, ok := o.info.Defs[fd.Name].(*types.Func); ok && o.wanted[fn.FullName()] {
				o.body(fd.Body)
			}
		}
	}
	if o.count == 0 {
		return nil
	}
	head := edit{off: o.file.Offset(f.Name.End()), text: "; import " + alias + " " + strconv.Quote(CandidatePath)}
	return append([]edit{head}, o.edits...)
}

// The order of edits at one place. Text that closes an expression comes first. Text that opens one comes
// behind counters that are inserted at the same place.
const (
	closing = -1
	opening = 1
)

func (o *observer) open1(p token.Pos, text string) {
	o.count++
	o.edits = append(o.edits, edit{off: o.file.Offset(p), text: text, rank: opening})
}

func (o *observer) close1(p token.Pos, text string) {
	o.edits = append(o.edits, edit{off: o.file.Offset(p), text: text, rank: closing})
}

func (o *observer) replace(p token.Pos, n int, text string, rank int) {
	o.count++
	o.edits = append(o.edits, edit{off: o.file.Offset(p), del: n, text: text, rank: rank})
}

// call wraps e in a call of a function of package candidate.
func (o *observer) call(fn string, e ast.Expr, inside func()) {
	o.open1(e.Pos(), o.alias+"."+fn+"(")
	inside()
	o.close1(e.End(), ")")
}

// body rewrites the body of a function or a loop, so that every execution of the body is counted.
func (o *observer) body(b *ast.BlockStmt) {
	o.open1(b.Lbrace+1, o.alias+".Tick();")
	o.walk(b)
}

// walk rewrites the parts of n, which itself is no expression: all expressions in it are read.
func (o *observer) walk(n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(m ast.Node) bool {
		switch m := m.(type) {
		case *ast.ForStmt:
			o.walk1(m.Init)
			if m.Cond != nil {
				o.value(m.Cond)
			}
			o.walk1(m.Post)
			o.body(m.Body)
			return false
		case *ast.RangeStmt:
			o.rangeStmt(m)
			return false
		case *ast.AssignStmt:
			for _, l := range m.Lhs {
				o.place(l)
			}
			for _, r := range m.Rhs {
				o.value(r)
			}
			return false
		case *ast.IncDecStmt:
			o.place(m.X)
			return false
		case *ast.LabeledStmt:
			o.walk1(m.Stmt)
			return false
		case *ast.BranchStmt:
			return false
		case *ast.DeclStmt:
			if d, ok := m.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, v := range spec.(*ast.ValueSpec).Values {
						o.value(v)
					}
				}
			}
			return false
		case *ast.CaseClause:
			for _, e := range m.List {
				if tv := o.info.Types[e]; !tv.IsType() {
					o.value(e)
				}
			}
			for _, s := range m.Body {
				o.walk1(s)
			}
			return false
		case ast.Expr:
			o.value(m)
			return false
		}
		return true
	})
}

// walk1 does the same as walk for a statement that may be missing.
func (o *observer) walk1(s ast.Stmt) {
	if s != nil {
		o.walk(s)
	}
}

// rangeStmt rewrites a loop over a slice so that each element is noted when its turn comes, and a loop over a
// map so that the order is always the same. Before Go 1.23, which cannot range over functions, loops over maps stay as they are.
func (o *observer) rangeStmt(s *ast.RangeStmt) {
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && s.Tok == token.ASSIGN {
			o.place(e)
		}
	}
	inside := func() { o.value(s.X) }
	t := o.info.Types[s.X].Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		switch {
		case !o.searched(t):
			inside()
		case s.Value == nil || isBlank(s.Value):
			o.call("Len", s.X, inside)
		case o.iter:
			o.call("Range", s.X, inside)
		default:
			o.call("All", s.X, inside)
		}
	case *types.Map:
		if o.iter {
			o.call("Map", s.X, inside)
		} else {
			inside()
		}
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Array); ok {
			o.call("Read", s.X, inside)
		} else {
			inside()
		}
	default:
		inside()
	}
	o.body(s.Body)
}

func isBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}
