package bounded

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
)

// This file puts the user's finitization in place of the default bounds of a method's inputs. A finitization
// is for one type. If the receiver or an argument has that type, or is a pointer to it, each such part of the
// input has the finitization's bounds, with objects of its own. The rest has the default bounds. If the type
// is a struct with the fields of the input, receiver first, the finitization replaces all bounds.

// own is the user's finitization, for one size.
type own struct {
	name  string
	root  types.Type
	spec  *candidate.Spec
	types []types.Type // the types that its type numbers denote
}

// resolveOwn asks the user's finitization for its bounds at a size.
func resolveOwn(ctx context.Context, pkg *load.Package, h *native.Harness, f *types.Func, size int) (*own, error) {
	out := &own{name: f.Name()}
	s := native.Search{Finitization: f, Size: size, Only: true}
	var names []string
	s.Resolved = func(spec *candidate.Spec, list []string) { out.spec, names = spec, list }
	if _, err := h.Search(ctx, s); err != nil {
		return nil, err
	}
	if out.spec == nil {
		return nil, &Error{Message: f.Name() + " ends the process"}
	}
	known := map[string]types.Type{}
	for _, t := range pkg.Targets {
		if t.Recv != nil {
			collect(t.Recv, known)
		}
		if t.Func != nil {
			for v := range t.Func.Signature.Params().Variables() {
				collect(v.Type(), known)
			}
		}
	}
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if n, ok := tn.Type().(*types.Named); ok && n.TypeParams().Len() == 0 {
				collect(n, known)
			}
		}
	}
	for _, name := range names {
		t := known[name]
		if t == nil {
			if b, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
				t = b.Type()
			}
		}
		if t == nil {
			return nil, &Error{Message: fmt.Sprintf("%s: the type %s is not reached from any input of the package", f.Name(), name)}
		}
		out.types = append(out.types, t)
	}
	out.root = out.types[0]
	return out, nil
}

// isWhole reports whether the finitization is for a struct that has the fields of an input.
func (o *own) isWhole(in *input) bool {
	st, ok := o.root.Underlying().(*types.Struct)
	if !ok || st.NumFields() != in.root.NumFields() {
		return false
	}
	for i := range st.NumFields() {
		if !types.Identical(st.Field(i).Type(), in.root.Field(i).Type()) {
			return false
		}
	}
	return true
}

// parts returns the fields of an input whose type is the root's, or a pointer to it.
func (o *own) parts(in *input) []int {
	var out []int
	for i := range in.root.NumFields() {
		t := types.Unalias(in.root.Field(i).Type())
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if types.Identical(t, o.root) {
			out = append(out, i)
		}
	}
	return out
}

// of reports whether the finitization is about an input of a target.
func (o *own) of(in *input) bool { return o.isWhole(in) || len(o.parts(in)) > 0 }

// bounds returns the bounds of an input. The finitization gives some or all of them, and the given bounds are
// used for the rest.
func (o *own) bounds(in *input, spec *candidate.Spec, list []types.Type) (*candidate.Spec, []types.Type, error) {
	if o.isWhole(in) {
		return o.spec, append([]types.Type{in.root}, o.types[1:]...), nil
	}
	parts := o.parts(in)
	out := &candidate.Spec{Classes: slices.Clone(spec.Classes)}
	for _, f := range spec.Fields {
		if f.Class != 0 || !slices.Contains(parts, f.Path[0]) {
			out.Fields = append(out.Fields, f)
		}
	}
	offset := len(list)
	list = append(slices.Clone(list), o.types...)
	var pointers, roots []int // the inputs that point to a root, and the classes of their roots
	for _, i := range parts {
		_, pointer := types.Unalias(in.root.Field(i).Type()).(*types.Pointer)
		first := len(out.Classes) // the class of the root, if the root has a class of its own
		shift := first
		if !pointer {
			shift-- // the root is a part of the input itself
		}
		for n, c := range o.spec.Classes {
			if n > 0 || pointer {
				out.Classes = append(out.Classes, candidate.Class{Type: c.Type + offset, N: c.N})
			}
		}
		for _, f := range o.spec.Fields {
			g := moved(f, shift, offset)
			if f.Class == 0 && !pointer {
				g.Class, g.Path = 0, append([]int{i}, f.Path...)
			}
			if !pointer && refers(f, 0) {
				return nil, nil, &Error{Message: fmt.Sprintf("%s: %s of %s is no pointer, so nothing can lead to it", o.name, in.root.Field(i).Name(), in.target)}
			}
			out.Fields = append(out.Fields, g)
		}
		if !pointer {
			continue
		}
		if len(roots) > 0 {
			out.Classes[first].After = roots[len(roots)-1]
		}
		pointers, roots = append(pointers, i), append(roots, first)
	}
	// Whichever input comes first has the first root, so that of alike inputs with roots of their own there is one.
	for _, i := range pointers {
		var d candidate.Domain
		if i >= in.needed {
			d.Parts = append(d.Parts, candidate.Part{Kind: candidate.Nil})
		}
		for _, r := range roots {
			d.Parts = append(d.Parts, candidate.Part{Kind: candidate.Objects, Class: r})
		}
		out.Fields = append(out.Fields, candidate.Field{Class: 0, Path: []int{i}, Domain: d})
	}
	slices.SortStableFunc(out.Fields, func(f, g candidate.Field) int {
		if f.Class != g.Class {
			return f.Class - g.Class
		}
		if f.Class == 0 {
			return f.Path[0] - g.Path[0]
		}
		return 0
	})
	return out, list, nil
}

// moved returns a field whose classes and types have other numbers.
func moved(f candidate.Field, classes, types int) candidate.Field {
	f.Class += classes
	f.Domain = movedDomain(f.Domain, classes, types)
	f.Elems = slices.Clone(f.Elems)
	for i := range f.Elems {
		f.Elems[i].Domain = movedDomain(f.Elems[i].Domain, classes, types)
	}
	return f
}

func movedDomain(d candidate.Domain, classes, types int) candidate.Domain {
	d.Parts = slices.Clone(d.Parts)
	for i := range d.Parts {
		p := &d.Parts[i]
		if p.Kind == candidate.Objects {
			p.Class += classes
		}
		if p.Boxed > 0 {
			p.Boxed += types
		}
	}
	return d
}

// refers reports whether objects of a class may be in a field.
func refers(f candidate.Field, class int) bool {
	has := func(d candidate.Domain) bool {
		return slices.ContainsFunc(d.Parts, func(p candidate.Part) bool { return p.Kind == candidate.Objects && p.Class == class })
	}
	return has(f.Domain) || slices.ContainsFunc(f.Elems, func(e candidate.Elem) bool { return has(e.Domain) })
}

// finitized resolves the user's finitization for all sizes that are walked, and checks that some input has
// its type.
func (e *engine) finitized(f *types.Func, plans []*plan) error {
	sizes := e.cfg.Size
	if f.Signature().Params().Len() == 0 {
		sizes = 1 // the bounds are the same for all sizes
	}
	for size := 1; size <= sizes; size++ {
		o, err := resolveOwn(e.ctx, e.pkg, e.walker, f, size)
		if err != nil {
			return err
		}
		e.own = append(e.own, o)
	}
	if slices.ContainsFunc(plans, func(p *plan) bool { return e.own[0].of(p.input) }) {
		return nil
	}
	var names []string
	for _, p := range plans {
		names = append(names, p.target.String())
	}
	return &Error{e.prog.Fset.Position(f.Pos()), fmt.Sprintf("%s is of %s, which no input is of that is enumerated; there are those of %s",
		f.Name(), types.TypeString(e.own[0].root, types.RelativeTo(e.pkg.Types)), strings.Join(names, ", "))}
}

// spec returns the bounds of a plan's inputs at a size. The result ok is false if there is no such size.
func (e *engine) spec(p *plan, size int) (spec *candidate.Spec, list []types.Type, ok bool, err error) {
	spec, list = p.bounds.spec(size)
	if len(e.own) == 0 || !e.own[0].of(p.input) {
		return spec, list, true, nil
	}
	if size > len(e.own) {
		return nil, nil, false, nil
	}
	spec, list, err = e.own[size-1].bounds(p.input, spec, list)
	return spec, list, true, err
}
