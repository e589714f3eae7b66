package bounded

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
)

// Skeleton returns the default bounds of a type as a file of the package: a Go function that a user can
// change.
func Skeleton(prog *load.Program, pkg *load.Package, typ string) (string, error) {
	t, err := typeNamed(prog, pkg, typ)
	if err != nil {
		return "", err
	}
	b := boundsOf(pkg, t, 0)
	if len(b.fields) == 0 {
		return "", &Error{prog.Fset.Position(t.Obj().Pos()), fmt.Sprintf("%s has no fields that can be enumerated: %s", typ, strings.Join(b.left, "; "))}
	}
	w := &skeletonWriter{pkg: pkg, bounds: b, imports: map[string]bool{"github.com/goassay/assay/finite": true}}
	return w.file(typ), nil
}

type skeletonWriter struct {
	*bounds
	pkg     *load.Package
	imports map[string]bool
	vars    []string // the variable of each class
}

func (w *skeletonWriter) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == w.pkg.Types {
			return ""
		}
		w.imports[p.Path()] = true
		return p.Name()
	})
}

// declarations writes the statements that make a finitization f of size n.
func (w *skeletonWriter) declarations(root string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\tf := finite.New(%s)\n", root)
	w.vars = make([]string, len(w.classes))
	taken := map[string]bool{"f": true, "n": true, "finite": true}
	for i, c := range w.classes[1:] {
		name := strings.ToLower(load.NamedOf(c.typ).Obj().Name()) + "s"
		for taken[name] || w.pkg.Types.Scope().Lookup(name) != nil {
			name += "_"
		}
		taken[name] = true
		w.vars[i+1] = name
		size := "n"
		switch {
		case c.fixed > 0:
			size = fmt.Sprint(c.fixed)
		case c.less > 0:
			size = fmt.Sprintf("n-%d", c.less)
		}
		fmt.Fprintf(&b, "\t%s := f.Objects(%s{}, %s)\n", name, w.typ(c.typ), size)
	}
	w.vars[0] = "f.Root()"
	for _, f := range w.fields {
		recv := "f"
		if f.class > 0 {
			recv = w.vars[f.class]
		}
		if f.slice {
			fmt.Fprintf(&b, "\t%s.Set(%q, finite.Ints(0, n)) // lengths\n", recv, f.name)
		} else {
			fmt.Fprintf(&b, "\t%s.Set(%q, %s)\n", recv, f.name, w.values(f.domain))
		}
		for _, e := range f.elems {
			name := f.name + "[]"
			if e.name != "" {
				name += "." + e.name
			}
			fmt.Fprintf(&b, "\t%s.Set(%q, %s)\n", recv, name, w.values(e.domain))
		}
	}
	return b.String()
}

func (w *skeletonWriter) file(typ string) string {
	b := w.declarations(w.typ(w.classes[0].typ) + "{}")
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\n", w.pkg.Name)
	paths := make([]string, 0, len(w.imports))
	for p := range w.imports {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	if len(paths) == 1 {
		fmt.Fprintf(&head, "import %q\n\n", paths[0])
	} else {
		head.WriteString("import (\n")
		for _, p := range paths {
			fmt.Fprintf(&head, "\t%q\n", p)
		}
		head.WriteString(")\n\n")
	}
	fmt.Fprintf(&head, "// finite%s bounds the structures of a %s by a size.\n", typ, typ)
	for _, l := range w.left {
		fmt.Fprintf(&head, "// Left at zero: %s.\n", l)
	}
	fmt.Fprintf(&head, "func finite%s(n int) *finite.Finitization {\n", typ)
	return head.String() + b + "\treturn f\n}\n"
}

func (w *skeletonWriter) values(parts []part) string {
	var out []string
	for _, p := range parts {
		switch p.kind {
		case candidate.Nil:
			out = append(out, "finite.Nil")
		case candidate.Objects:
			out = append(out, w.vars[p.class])
		case candidate.Empty:
			out = append(out, "finite.Empty("+w.typ(w.boxed[p.boxed-1])+"{})")
		case candidate.Ints:
			out = append(out, "finite.Ints(0, n)")
		case candidate.Bools:
			out = append(out, "finite.Bools()")
		case candidate.Strings:
			out = append(out, `finite.Strings("", "a", "b")`)
		}
	}
	return strings.Join(out, ", ")
}
