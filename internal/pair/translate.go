package pair

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// Translator carries sequences of one version over to the other.
type Translator struct {
	from, to Side
	names    map[string]string // keys of declarations of one version to those of the other
	fromRoot string
	toRoot   string
	packages map[string]*types.Package // of the other version, by path
	cache    map[types.Type]types.Type
}

// Forward translates from the old version to the new one.
func (p *Pairing) Forward() *Translator {
	return newTranslator(p.Old, p.New, p.names.to, p.names.oldRoot, p.names.newRoot)
}

// Backward translates from the new version to the old one.
func (p *Pairing) Backward() *Translator {
	return newTranslator(p.New, p.Old, p.names.from, p.names.newRoot, p.names.oldRoot)
}

func newTranslator(from, to Side, names map[string]string, fromRoot, toRoot string) *Translator {
	t := &Translator{
		from: from, to: to, names: names, fromRoot: fromRoot, toRoot: toRoot,
		packages: map[string]*types.Package{}, cache: map[types.Type]types.Type{},
	}
	var visit func(*types.Package)
	visit = func(p *types.Package) {
		if t.packages[p.Path()] == nil {
			t.packages[p.Path()] = p
			for _, i := range p.Imports() {
				visit(i)
			}
		}
	}
	visit(to.Pkg.Types)
	return t
}

// Sequence returns the sequence in terms of the other version. The error says what the other version
// lacks.
func (t *Translator) Sequence(s *testcase.Sequence) (*testcase.Sequence, error) {
	have := s.ResultTypes()
	stmts := make([]testcase.Statement, s.Len())
	for i := range stmts {
		st := s.At(i)
		args := make([]types.Type, len(st.Args))
		for j, a := range st.Args {
			args[j] = have[a.Stmt][a.Result]
		}
		op, err := t.operation(st.Op, args)
		if err != nil {
			return nil, err
		}
		stmts[i] = testcase.Statement{Op: op, Args: st.Args}
	}
	return testcase.NewSequence(stmts...), nil
}

// operation translates an operation whose arguments are of the types args.
func (t *Translator) operation(op *testcase.Operation, args []types.Type) (*testcase.Operation, error) {
	out := *op
	var err error
	if op.Type != nil {
		if out.Type, err = t.Type(op.Type); err != nil {
			return nil, err
		}
	}
	if op.TypeArgs != nil {
		out.TypeArgs = make([]types.Type, len(op.TypeArgs))
		for i, a := range op.TypeArgs {
			if out.TypeArgs[i], err = t.Type(a); err != nil {
				return nil, err
			}
		}
	}
	if op.Check != nil {
		return nil, fmt.Errorf("a contract of one version only")
	}
	if op.Func != nil {
		if out.Func, err = t.function(op.Func); err != nil {
			return nil, err
		}
		if err := t.sameSignature(op, &out); err != nil {
			return nil, err
		}
	}
	if op.Var != nil {
		if out.Var, err = t.variable(op, args); err != nil {
			return nil, err
		}
	}
	if op.Kind == testcase.OpComposite {
		if out.Elems, err = t.fields(op, out.Type, len(args)); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// sameSignature says how the signature of an operation's function differs in the other version.
func (t *Translator) sameSignature(op, other *testcase.Operation) error {
	if len(op.TypeArgs) == 0 && op.Func.Origin().Pkg() != nil && op.Func.Pkg().Path() != t.from.Pkg.Path {
		return nil // the function belongs to another package, whose source is the same or which the compiler checks
	}
	from, to := op.Signature(), other.Signature()
	if from == nil || to == nil {
		from, to = op.Func.Signature(), other.Func.Signature() // the function is used as a value
	}
	want, err := t.Type(from)
	if err == nil && !types.Identical(want, to) {
		err = fmt.Errorf("%s has another signature", op.Func.Name())
	}
	return err
}

// function returns the function or method of the other version.
func (t *Translator) function(f *types.Func) (*types.Func, error) {
	f = f.Origin()
	recv := f.Signature().Recv()
	if recv == nil {
		o, err := t.object(f)
		if err != nil {
			return nil, err
		}
		g, ok := o.(*types.Func)
		if !ok {
			return nil, fmt.Errorf("%s is no function any more", f.Name())
		}
		return g, nil
	}
	of, err := t.Type(origin(recv.Type()))
	if err != nil {
		return nil, err
	}
	name := f.Name()
	if n, ok := types.Unalias(origin(recv.Type())).(*types.Named); ok && n.Obj().Pkg() != nil {
		if key := t.names[n.Obj().Pkg().Path()+"."+n.Obj().Name()+"."+name]; key != "" {
			name = lastPart(key)
		}
	}
	o, _, _ := types.LookupFieldOrMethod(of, true, t.pkgOf(of, f), name)
	if o == nil && !types.IsInterface(of) {
		o, _, _ = types.LookupFieldOrMethod(types.NewPointer(of), true, t.pkgOf(of, f), name)
	}
	g, ok := o.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("there is no method %s.%s in the other version", types.TypeString(of, types.RelativeTo(t.to.Pkg.Types)), name)
	}
	return g.Origin(), nil
}

// origin returns the type that declares the methods of a receiver's type.
func origin(recv types.Type) types.Type {
	recv = types.Unalias(recv)
	if p, ok := recv.(*types.Pointer); ok {
		recv = types.Unalias(p.Elem())
	}
	if n, ok := recv.(*types.Named); ok {
		return n.Origin()
	}
	return recv
}

// pkgOf returns the package in which unexported names of a type are to be looked up.
func (t *Translator) pkgOf(typ types.Type, f *types.Func) *types.Package {
	if n, ok := types.Unalias(typ).(*types.Named); ok && n.Obj().Pkg() != nil {
		return n.Obj().Pkg()
	}
	return t.pkg(f.Pkg())
}

// variable returns the field or the package-level variable of the other version.
func (t *Translator) variable(op *testcase.Operation, args []types.Type) (*types.Var, error) {
	if op.Kind == testcase.OpGlobal || op.Kind == testcase.OpSetGlobal {
		o, err := t.object(op.Var)
		if err != nil {
			return nil, err
		}
		if v, ok := o.(*types.Var); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%s is no variable any more", op.Var.Name())
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("a field of nothing")
	}
	of, err := t.Type(args[0])
	if err != nil {
		return nil, err
	}
	o, _, _ := types.LookupFieldOrMethod(of, true, t.pkg(op.Var.Pkg()), op.Var.Name())
	if v, ok := o.(*types.Var); ok {
		return v, nil
	}
	return nil, fmt.Errorf("there is no field %s in the other version", op.Var.Name())
}

// fields returns the places of a composite's elements in the other version. Fields are found by name.
func (t *Translator) fields(op *testcase.Operation, to types.Type, n int) ([]int, error) {
	from, ok := op.Type.Underlying().(*types.Struct)
	if !ok {
		return op.Elems, nil
	}
	other, ok := to.Underlying().(*types.Struct)
	if !ok {
		return nil, fmt.Errorf("%s is no struct any more", to)
	}
	out := make([]int, n)
	for i := range n {
		at := i
		if op.Elems != nil {
			at = op.Elems[i]
		}
		name, found := from.Field(at).Name(), -1
		for k := range other.NumFields() {
			if other.Field(k).Name() == name {
				found = k
			}
		}
		if found < 0 {
			return nil, fmt.Errorf("%s has no field %s", types.TypeString(to, types.RelativeTo(t.to.Pkg.Types)), name)
		}
		a, err := t.Type(from.Field(at).Type())
		if err != nil {
			return nil, err
		}
		if !types.Identical(a, other.Field(found).Type()) {
			return nil, fmt.Errorf("field %s has another type", name)
		}
		out[i] = found
	}
	return out, nil
}

// object returns the package-level object of the other version.
func (t *Translator) object(o types.Object) (types.Object, error) {
	if o.Pkg() == nil {
		return o, nil // the object is predeclared
	}
	name := o.Name()
	if key := t.names[o.Pkg().Path()+"."+name]; key != "" {
		name = lastPart(key)
	}
	p := t.pkg(o.Pkg())
	if p != nil {
		if found := p.Scope().Lookup(name); found != nil {
			return found, nil
		}
	}
	return nil, fmt.Errorf("there is no %s.%s in the other version", o.Pkg().Name(), o.Name())
}

// pkg returns the package of the other version, or nil if there is none.
func (t *Translator) pkg(p *types.Package) *types.Package {
	if p == nil {
		return nil
	}
	path := t.path(p.Path())
	if q := t.packages[path]; q != nil && (q.Complete() || path == t.to.Pkg.Path) {
		return q
	}
	q, err := t.to.Prog.Import(path)
	if err != nil {
		return nil
	}
	t.packages[path] = q
	return q
}

// path returns the import path of a package in the other version.
func (t *Translator) path(path string) string {
	switch {
	case path == t.from.Pkg.Path:
		return t.to.Pkg.Path
	case t.fromRoot != "" && t.toRoot != "" && strings.HasPrefix(path, t.fromRoot+"/"):
		return t.toRoot + strings.TrimPrefix(path, t.fromRoot)
	case path == t.fromRoot && t.toRoot != "":
		return t.toRoot
	}
	return path
}
