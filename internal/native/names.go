package native

import (
	"fmt"
	"go/types"
	"sort"
	"strings"
)

// speller writes types as Go source inside the package under test.
type speller struct {
	pkg     *types.Package
	prefix  string            // the prefix of the names of imports
	imports map[string]string // import path to name
}

// unspellable is the reason why a type has no name in the package under test.
type unspellable string

func (u unspellable) Error() string { return string(u) }

// importName returns the name under which a package is imported.
func (s *speller) importName(path string) string {
	name, ok := s.imports[path]
	if !ok {
		name = fmt.Sprintf("%si%d", s.prefix, len(s.imports))
		s.imports[path] = name
	}
	return name
}

// importable reports whether the package under test may import path.
func (s *speller) importable(path string) bool {
	if path == "main" || path == "C" {
		return false
	}
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	// Packages named internal in the standard library cannot be imported either.
	root := strings.TrimSuffix(path[:max(i-1, 0)], "/")
	return root != "" && (s.pkg.Path() == root || strings.HasPrefix(s.pkg.Path(), root+"/"))
}

// imports reports whether a package imports another one, directly or indirectly. The map seen has packages
// that are known not to.
func imports(p *types.Package, path string, seen map[*types.Package]bool) bool {
	if seen[p] {
		return false
	}
	seen[p] = true
	for _, i := range p.Imports() {
		if i.Path() == path || imports(i, path, seen) {
			return true
		}
	}
	return false
}

// object returns the qualified name of a package-level object.
func (s *speller) object(o types.Object) (string, error) {
	switch {
	case o.Pkg() == nil:
		return s.predeclared(o.Name()), nil
	case o.Parent() != nil && o.Parent() != o.Pkg().Scope():
		return "", unspellable(o.Name() + " is declared inside a function")
	case o.Name() == "_":
		return "", unspellable("it has no name")
	case o.Pkg().Path() == s.pkg.Path():
		return o.Name(), nil
	case !o.Exported():
		return "", unspellable(o.Pkg().Path() + "." + o.Name() + " is not exported")
	case o.Pkg().Path() == "unsafe":
	case !s.importable(o.Pkg().Path()):
		return "", unspellable("package " + o.Pkg().Path() + " cannot be imported")
	case imports(o.Pkg(), s.pkg.Path(), map[*types.Package]bool{}):
		return "", unspellable("package " + o.Pkg().Path() + " imports the package itself")
	}
	return s.importName(o.Pkg().Path()) + "." + o.Name(), nil
}

// predeclared returns the name of a predeclared type. If the package under test declares the name
// itself, the type is reached through the harness.
func (s *speller) predeclared(name string) string {
	if s.pkg.Scope().Lookup(name) == nil {
		return name
	}
	return s.prefix + "rt." + strings.ToUpper(name[:1]) + name[1:]
}

// typ returns the source of a type.
func (s *speller) typ(t types.Type) (string, error) {
	switch t := t.(type) {
	case *types.Alias:
		return s.typ(types.Unalias(t))
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return s.importName("unsafe") + ".Pointer", nil
		}
		if t.Info()&types.IsUntyped != 0 {
			return "", unspellable("it is untyped")
		}
		return s.predeclared(t.Name()), nil
	case *types.Named:
		name, err := s.object(t.Obj())
		if err != nil || t.TypeArgs().Len() == 0 {
			return name, err
		}
		args, err := s.types(t.TypeArgs())
		return name + "[" + args + "]", err
	case *types.Pointer:
		e, err := s.typ(t.Elem())
		return "*" + e, err
	case *types.Slice:
		e, err := s.typ(t.Elem())
		return "[]" + e, err
	case *types.Array:
		e, err := s.typ(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), e), err
	case *types.Map:
		k, err := s.typ(t.Key())
		if err != nil {
			return "", err
		}
		e, err := s.typ(t.Elem())
		return "map[" + k + "]" + e, err
	case *types.Chan:
		e, err := s.typ(t.Elem())
		// The parentheses distinguish chan (<-chan T) from chan<- (chan T).
		return [...]string{"chan (", "chan<- (", "<-chan ("}[t.Dir()] + e + ")", err
	case *types.Signature:
		sig, err := s.signature(t, "")
		return "func" + sig, err
	case *types.Struct:
		return s.structType(t)
	case *types.Interface:
		return s.interfaceType(t)
	}
	return "", unspellable(t.String() + " is no type of a value")
}

// types returns a list of types separated by commas.
func (s *speller) types(l *types.TypeList) (string, error) {
	var out []string
	for t := range l.Types() {
		e, err := s.typ(t)
		if err != nil {
			return "", err
		}
		out = append(out, e)
	}
	return strings.Join(out, ", "), nil
}

// signature returns "(params) (results)". If prefix is not empty, the parameters have names that begin with
// it.
func (s *speller) signature(sig *types.Signature, param string) (string, error) {
	var b strings.Builder
	b.WriteString("(")
	for i := range sig.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if param != "" {
			fmt.Fprintf(&b, "%s%d ", param, i)
		}
		t := sig.Params().At(i).Type()
		if sig.Variadic() && i == sig.Params().Len()-1 {
			b.WriteString("...")
			t = t.Underlying().(*types.Slice).Elem()
		}
		e, err := s.typ(t)
		if err != nil {
			return "", err
		}
		b.WriteString(e)
	}
	b.WriteString(") (")
	for i := range sig.Results().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		e, err := s.typ(sig.Results().At(i).Type())
		if err != nil {
			return "", err
		}
		b.WriteString(e)
	}
	b.WriteString(")")
	return b.String(), nil
}

func (s *speller) structType(t *types.Struct) (string, error) {
	var b strings.Builder
	b.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if !f.Exported() && f.Pkg() != nil && f.Pkg().Path() != s.pkg.Path() {
			return "", unspellable("its field " + f.Name() + " belongs to " + f.Pkg().Path())
		}
		e, err := s.typ(f.Type())
		if err != nil {
			return "", err
		}
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		b.WriteString(e)
		if t.Tag(i) != "" {
			fmt.Fprintf(&b, " %q", t.Tag(i))
		}
		b.WriteString("; ")
	}
	return b.String() + "}", nil
}

func (s *speller) interfaceType(t *types.Interface) (string, error) {
	if t.NumEmbeddeds() == 0 && t.NumMethods() == 0 {
		return "interface{}", nil
	}
	if !t.IsMethodSet() {
		return "", unspellable("it is a constraint")
	}
	var b strings.Builder
	b.WriteString("interface{")
	for m := range t.Methods() {
		if !m.Exported() && m.Pkg().Path() != s.pkg.Path() {
			return "", unspellable("its method " + m.Name() + " belongs to " + m.Pkg().Path())
		}
		sig, err := s.signature(m.Signature(), "")
		if err != nil {
			return "", err
		}
		b.WriteString(m.Name() + sig + "; ")
	}
	return b.String() + "}", nil
}

// importList returns the import declarations for the packages that a text uses, in the order of the
// paths.
func (s *speller) importList(text string) string {
	paths := make([]string, 0, len(s.imports))
	for p, name := range s.imports {
		if strings.Contains(text, name+".") {
			paths = append(paths, p)
		}
	}
	sort.Strings(paths)
	var b strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&b, "import %s %q\n", s.imports[p], p)
	}
	return b.String()
}
