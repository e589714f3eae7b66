package load

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// The reasons why functions are no targets, in the words that users read.
const (
	skipDirective = "//assay:skip"
	skipInit      = "init runs before every test"
	skipMain      = "main is the whole program, which a test cannot call"
	skipNoBody    = "it has no Go body (assembly or linkname)"
	skipGenerated = "its file is generated, and the package has files that are not"
	skipHelper    = "its file is named as one of helpers of tests, and the package has files that are not"
	skipMachine   = "its result depends on the machine: it takes nothing and calls assembly"
	skipNoTypes   = "no types were found that satisfy its type parameters: "
)

// targets lists the functions and methods of a package in the order of the source (files by name). The caller
// holds the lock.
func (p *Program) targets(pkg *Package) []*Target {
	doors := p.doors(pkg)
	var out []*Target
	byHand, ofTests := !pkg.IsGenerated(), p.helpers(pkg)
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Name.Name == "_" {
				continue // nobody can call a blank function
			}
			obj, _ := pkg.Info.Defs[fd.Name].(*types.Func)
			if obj == nil {
				continue
			}
			first := len(out)
			out = append(out, p.instances(pkg, obj)...)
			for _, t := range out[first:] {
				t.Exported = doors.reaches(obj)
				t.Pos = p.Fset.Position(fd.Name.Pos())
				t.Behind, t.Among = pkg.behind(t.Func)
				if obj.Signature().Recv() == nil {
					t.Factory = hasDirective(fd.Doc, "//assay:factory") && obj.Signature().Results().Len() == 1
				}
				if t.Skip == "" {
					t.Skip = skipReason(pkg, fd)
					if t.Skip == "" && byHand && saysGenerated(f) {
						t.Skip = skipGenerated // its generator is tested, not its output
					}
					if t.Skip == "" && ofTests[f] {
						t.Skip = skipHelper // nobody tests mocks
					}
					t.Checked = p.checked(pkg, fd, t)
				}
			}
		}
	}
	return out
}

// helpers returns the files of a package that are named as files with mocks and other helpers of tests are. Where all files are, the package
// is there for that, and there are none.
func (p *Program) helpers(pkg *Package) map[*ast.File]bool {
	out := make(map[*ast.File]bool)
	for _, f := range pkg.Syntax {
		if isOfTests(filepath.Base(p.Fset.File(f.FileStart).Name())) {
			out[f] = true
		}
	}
	if len(out) == len(pkg.Syntax) {
		return nil
	}
	return out
}

// isOfTests reports whether a file is named as one with mocks or other helpers of tests: mock_store.go, store_mock.go, test_helpers.go, testutil.go.
func isOfTests(name string) bool {
	words := strings.Split(strings.ToLower(strings.TrimSuffix(name, ".go")), "_")
	mocks := []string{"mock", "mocks", "fake", "fakes", "testutil", "testutils", "testhelper", "testhelpers"}
	if slices.Contains(mocks, words[0]) || slices.Contains(mocks, words[len(words)-1]) {
		return true
	}
	return len(words) > 1 && slices.Contains([]string{"test", "testing"}, words[0]) && slices.Contains([]string{"helper", "helpers", "util", "utils"}, words[len(words)-1])
}

// skipReason says why a declared function is not tested, or "" if there is no reason not to test it.
func skipReason(pkg *Package, fd *ast.FuncDecl) string {
	switch {
	case fd.Recv == nil && fd.Name.Name == "init":
		return skipInit
	case fd.Recv == nil && fd.Name.Name == "main" && pkg.Name == "main":
		return skipMain
	case hasDirective(fd.Doc, "//assay:skip"):
		return skipDirective
	case fd.Body == nil:
		return skipNoBody
	case asksMachine(pkg, fd):
		return skipMachine
	}
	return ""
}

// IsGenerated reports whether all files of the package are generated.
func (pkg *Package) IsGenerated() bool {
	return len(pkg.Syntax) > 0 && !slices.ContainsFunc(pkg.Syntax, func(f *ast.File) bool { return !saysGenerated(f) })
}

// saysGenerated reports whether a file says before its first declaration that it is generated. Not all generators keep to
// the form that package ast asks for.
func saysGenerated(f *ast.File) bool {
	return ast.IsGenerated(f) || slices.ContainsFunc(f.Comments, func(g *ast.CommentGroup) bool {
		text := g.Text()
		return (len(f.Decls) == 0 || g.Pos() < f.Decls[0].Pos()) && strings.Contains(text, "Code generated") && strings.Contains(text, "DO NOT EDIT")
	})
}

// IsGenerated reports whether a function is not tested because its file is generated.
func (t *Target) IsGenerated() bool { return t.Skip == skipGenerated }

// asksMachine reports whether a function that takes nothing and returns something calls a function of the package that
// has no Go body: hasAVX2 calls cpuid. What such a function returns differs from one machine to the next.
func asksMachine(pkg *Package, fd *ast.FuncDecl) bool {
	if fd.Recv != nil || fd.Type.Params.NumFields() > 0 || fd.Type.Results.NumFields() == 0 {
		return false
	}
	found := false
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
				f, _ := pkg.Info.Uses[id].(*types.Func)
				found = found || f != nil && f.Pkg() == pkg.Types && isBodyless(pkg, f)
			}
		}
		return !found
	})
	return found
}

// isBodyless reports whether a function of a package is declared without a body.
func isBodyless(pkg *Package, f *types.Func) bool {
	decl := pkg.Func(f)
	return decl != nil && decl.Body == nil
}

// hasDirective reports whether a line of a doc comment is the directive, with or without text behind it.
func hasDirective(doc *ast.CommentGroup, directive string) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, directive)
		if ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return true
		}
	}
	return false
}

// instances returns the targets for one declared function: itself, or its instances
// if it is generic.
func (p *Program) instances(pkg *Package, obj *types.Func) []*Target {
	name := obj.Name()
	recv := obj.Signature().Recv()
	if recv == nil {
		if obj.Signature().TypeParams().Len() == 0 {
			fn := p.SSA.FuncValue(obj)
			if fn == nil && name == "init" {
				fn = pkg.SSA.Func("init") // one of several init functions; go/ssa has no name for each
			}
			return []*Target{{Name: name, Func: fn, Obj: obj}}
		}
		sets := typeArguments(pkg, obj.Signature().TypeParams(), func(targs []types.Type) bool {
			_, err := types.Instantiate(nil, obj.Signature(), targs, true)
			return err == nil
		})
		if len(sets) == 0 {
			return []*Target{{Name: name, Func: p.SSA.FuncValue(obj), Obj: obj,
				Skip: skipNoTypes + typeParamsString(obj.Signature().TypeParams(), pkg.Types)}}
		}
		var out []*Target
		for _, targs := range sets {
			fn, err := p.instance(obj, targs)
			if err != nil {
				panic("bug: load: " + err.Error())
			}
			out = append(out, &Target{Name: name, Func: fn, Obj: obj, TypeArgs: targs})
		}
		return out
	}

	named := NamedOf(recv.Type())
	if named == nil {
		return nil // the type checker has reported it
	}
	full := named.Obj().Name() + "." + name
	if named.TypeParams().Len() == 0 {
		return []*Target{{Name: full, Func: p.SSA.FuncValue(obj), Obj: obj, Recv: recv.Type()}}
	}
	sets := p.receiverArgs(pkg, named)
	if len(sets) == 0 {
		return []*Target{{Name: full, Func: p.SSA.FuncValue(obj), Obj: obj, Recv: recv.Type(),
			Skip: skipNoTypes + typeParamsString(named.TypeParams(), pkg.Types)}}
	}
	var out []*Target
	for _, targs := range sets {
		fn, err := p.methodInstance(named, targs, name)
		if err != nil {
			panic("bug: load: " + err.Error())
		}
		out = append(out, &Target{Name: full, Func: fn, Obj: obj, TypeArgs: targs, Recv: fn.Signature.Recv().Type()})
	}
	return out
}

// receiverArgs chooses the type arguments of a generic type: the same for all of its
// methods.
func (p *Program) receiverArgs(pkg *Package, named *types.Named) [][]types.Type {
	return typeArguments(pkg, named.Origin().TypeParams(), func(targs []types.Type) bool {
		_, err := types.Instantiate(nil, named.Origin(), targs, true)
		return err == nil
	})
}

// typeParamsString prints type parameters as their declaration has them.
func typeParamsString(list *types.TypeParamList, in *types.Package) string {
	var parts []string
	for tp := range list.TypeParams() {
		parts = append(parts, tp.Obj().Name()+" "+types.TypeString(tp.Constraint(), types.RelativeTo(in)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// Target returns the target of that name, the first one if there are several
// instances, or nil.
func (pkg *Package) Target(name string) *Target {
	return pkg.findTarget(func(t *Target) bool { return t.Name == name })
}

// TargetOf returns the target to which a call of fn with these type arguments belongs, or nil. Methods of
// generic types have their receiver's type arguments.
func (pkg *Package) TargetOf(fn *types.Func, typeArgs []types.Type) *Target {
	return pkg.findTarget(func(t *Target) bool {
		return t.Obj == fn.Origin() && slices.EqualFunc(t.TypeArgs, typeArgs, types.Identical)
	})
}

// FirstTargetOf returns the target of fn, the first one if there are several instances, or
// nil.
func (pkg *Package) FirstTargetOf(fn *types.Func) *Target {
	return pkg.findTarget(func(t *Target) bool { return t.Obj == fn.Origin() })
}

// findTarget returns the first target that matches, or nil.
func (pkg *Package) findTarget(matches func(*Target) bool) *Target {
	i := slices.IndexFunc(pkg.Targets, matches)
	if i < 0 {
		return nil
	}
	return pkg.Targets[i]
}

// String names the target with its type arguments.
func (t *Target) String() string {
	if len(t.TypeArgs) == 0 {
		return t.Name
	}
	args := make([]string, len(t.TypeArgs))
	for i, a := range t.TypeArgs {
		args[i] = types.TypeString(a, func(p *types.Package) string {
			if t.Obj != nil && p == t.Obj.Pkg() {
				return ""
			}
			return p.Name()
		})
	}
	list := "[" + strings.Join(args, ",") + "]"
	if typ, method, ok := strings.Cut(t.Name, "."); ok {
		return typ + list + "." + method
	}
	return t.Name + list
}
