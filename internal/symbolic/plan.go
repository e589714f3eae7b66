package symbolic

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm"
)

// maxPlans bounds the drivers of one target.
const maxPlans = 24

// planner makes the drivers of a target: how its receiver and arguments come about.
type planner struct {
	prog *load.Program
	pkg  *load.Package
	d    *vm.Driver
	why  string
	nest int
}

// plan returns the drivers of a target, the simplest first, or why there is none.
func plan(prog *load.Program, pkg *load.Package, t *load.Target) ([]*vm.Driver, string) {
	if t.Skip != "" {
		return nil, t.Skip
	}
	sig := t.Func.Signature
	if sig.Recv() == nil {
		p := &planner{prog: prog, pkg: pkg, d: &vm.Driver{}}
		if !p.call(t, nil) {
			return nil, p.why
		}
		return []*vm.Driver{p.d}, ""
	}
	var out []*vm.Driver
	why := ""
	makers := receivers(pkg, t)
	for _, mk := range makers {
		p := &planner{prog: prog, pkg: pkg, d: &vm.Driver{}}
		recv, ok := p.receiver(t, mk)
		if ok && p.call(t, &recv) {
			out = append(out, p.d)
		} else {
			why = p.why
		}
	}
	// Other methods in between bring the receiver into other states.
	others := mutators(pkg, t)
	var grow func(prefix []*load.Target, depth int)
	grow = func(prefix []*load.Target, depth int) {
		for _, o := range others {
			if len(out) >= maxPlans {
				return
			}
			seq := append(append([]*load.Target(nil), prefix...), o)
			if depth > 1 {
				grow(seq, depth-1)
				continue
			}
			for _, mk := range makers[:min(1, len(makers))] {
				p := &planner{prog: prog, pkg: pkg, d: &vm.Driver{}}
				recv, ok := p.receiver(t, mk)
				for _, s := range seq {
					r := recv
					ok = ok && p.call(s, &r)
				}
				if ok && p.call(t, &recv) {
					out = append(out, p.d)
				}
			}
		}
	}
	grow(nil, 1)
	grow(nil, 2)
	if len(out) == 0 && why == "" {
		why = "no way to make its receiver"
	}
	return out, why
}

// maker is a way to make a receiver: a constructor, or (nil) a variable.
type maker struct {
	ctor *load.Target
}

// maxConstructors is how many constructors of a receiver are tried.
const maxConstructors = 3

// receivers lists the ways to make a method's receiver.
func receivers(pkg *load.Package, t *load.Target) []maker {
	var out []maker
	for _, c := range pkg.Constructors(t.Recv) {
		if len(out) < maxConstructors && c.Func != t.Func {
			out = append(out, maker{c})
		}
	}
	if len(out) == 0 {
		out = append(out, maker{})
	}
	return out
}

// mutators lists the other methods of the receiver's type that may change it.
func mutators(pkg *load.Package, t *load.Target) []*load.Target {
	named := namedOf(t.Recv)
	var out []*load.Target
	for _, o := range pkg.Targets {
		if o.Recv == nil || o.Skip != "" || !o.Exported {
			continue
		}
		if n := namedOf(o.Recv); n == nil || named == nil || !types.Identical(n, named) {
			continue
		}
		if _, ptr := types.Unalias(o.Recv).(*types.Pointer); !ptr {
			continue
		}
		out = append(out, o)
	}
	return out
}

func namedOf(t types.Type) *types.Named {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, _ := types.Unalias(t).(*types.Named)
	return n
}

// receiver adds what makes a method's receiver and returns it as an argument.
func (p *planner) receiver(t *load.Target, mk maker) (vm.DriverArg, bool) {
	if mk.ctor == nil {
		return p.variable(t.Recv), true
	}
	i, result, ok := p.construct(mk.ctor, t.Recv)
	if !ok {
		return vm.DriverArg{}, false
	}
	return p.adapt(mk.ctor, i, result, t.Recv)
}

// variable is a receiver without a constructor: a variable of its type, symbolic where
// a user could set its fields.
func (p *planner) variable(recv types.Type) vm.DriverArg {
	name := "x"
	if n := namedOf(recv); n != nil {
		name = n.Obj().Name()
	}
	if _, ok := types.Unalias(recv).(*types.Pointer); ok {
		return vm.DriverArg{Call: -1, Type: recv, Name: name, New: true}
	}
	return vm.DriverArg{Call: -1, Type: recv, Name: name}
}

// construct adds a call of a constructor and returns its index and which of its results
// is wanted.
func (p *planner) construct(c *load.Target, want types.Type) (call, result int, ok bool) {
	if p.nest > 3 {
		p.why = "constructors that need one another"
		return 0, 0, false
	}
	p.nest++
	ok = p.call(c, nil)
	p.nest--
	if !ok {
		return 0, 0, false
	}
	res := c.Func.Signature.Results()
	for i := range res.Len() {
		rt := res.At(i).Type()
		if types.Identical(rt, want) {
			return len(p.d.Calls) - 1, i, true
		}
	}
	for i := range res.Len() {
		if n := namedOf(res.At(i).Type()); n != nil && namedOf(want) != nil && types.Identical(n, namedOf(want)) {
			return len(p.d.Calls) - 1, i, true
		}
	}
	p.why = "its constructor returns something else"
	return 0, 0, false
}

// adapt passes a constructor's result where want is wanted, by its address or what it
// points to if need be.
func (p *planner) adapt(c *load.Target, call, result int, want types.Type) (vm.DriverArg, bool) {
	have := c.Func.Signature.Results().At(result).Type()
	a := vm.DriverArg{Call: call, Result: result, Type: want}
	switch {
	case types.Identical(have, want):
	case types.Identical(types.NewPointer(have), want):
		a.Addr = true
	default:
		if pt, ok := types.Unalias(have).(*types.Pointer); ok && types.Identical(pt.Elem(), want) {
			a.Deref = true
		} else {
			p.why = "its constructor returns something else"
			return a, false
		}
	}
	return a, true
}

// call adds a call of a target.
func (p *planner) call(t *load.Target, recv *vm.DriverArg) bool {
	c := vm.DriverCall{Func: t.Func, Obj: t.Obj, TypeArgs: t.TypeArgs}
	sig := t.Func.Signature
	if sig.Recv() != nil {
		if recv == nil {
			a := p.variable(sig.Recv().Type())
			recv = &a
		}
		c.Args = append(c.Args, *recv)
	}
	for i := range sig.Params().Len() {
		v := sig.Params().At(i)
		a, ok := p.param(v.Type(), v.Name())
		if !ok {
			return false
		}
		c.Args = append(c.Args, a)
	}
	p.d.Calls = append(p.d.Calls, c)
	return true
}

// param makes an argument: by a constructor or a factory if its type is one that
// cannot be written field by field, else a fresh symbolic input.
func (p *planner) param(t types.Type, name string) (vm.DriverArg, bool) {
	if f, ok := p.factory(t); ok {
		return f, true
	}
	if n := namedOf(t); n != nil {
		if _, isStruct := n.Underlying().(*types.Struct); isStruct && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == p.pkg.Path && n.Obj().Exported() && hidden(n) {
			for _, c := range p.pkg.Constructors(t) {
				saved := len(p.d.Calls)
				if i, res, ok := p.construct(c, t); ok {
					if a, ok := p.adapt(c, i, res, t); ok {
						return a, true
					}
				}
				p.d.Calls = p.d.Calls[:saved]
			}
		}
	}
	return vm.DriverArg{Call: -1, Type: t, Name: name}, true
}

// hidden reports whether a struct type has unexported fields.
func hidden(n *types.Named) bool {
	s, ok := n.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		if !s.Field(i).Exported() {
			return true
		}
	}
	return false
}

// factories are well-known types and the functions that make them; their arguments are
// symbolic.
var factories = map[string]struct{ pkg, fn string }{
	"context.Context": {"context", "Background"},
	"io.Reader":       {"strings", "NewReader"},
	"io.ReadSeeker":   {"strings", "NewReader"},
	"io.ReaderAt":     {"strings", "NewReader"},
	"io.ByteReader":   {"strings", "NewReader"},
	"io.RuneReader":   {"strings", "NewReader"},
	"io.RuneScanner":  {"strings", "NewReader"},
	"*strings.Reader": {"strings", "NewReader"},
	"io.Writer":       {"bytes", "NewBufferString"},
	"io.ReadWriter":   {"bytes", "NewBufferString"},
	"io.ByteWriter":   {"bytes", "NewBufferString"},
	"io.StringWriter": {"bytes", "NewBufferString"},
	"*bytes.Buffer":   {"bytes", "NewBufferString"},
	"*math/big.Int":   {"math/big", "NewInt"},
	"*bytes.Reader":   {"bytes", "NewReader"},
}

// factory makes a well-known type by its factory.
func (p *planner) factory(t types.Type) (vm.DriverArg, bool) {
	f, ok := factories[types.TypeString(types.Unalias(t), nil)]
	if !ok {
		return vm.DriverArg{}, false
	}
	fn, err := p.prog.LookupFunc(f.pkg, f.fn)
	if err != nil || fn == nil {
		return vm.DriverArg{}, false
	}
	c := vm.DriverCall{Func: fn, Obj: fn.Object().(*types.Func)}
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		c.Args = append(c.Args, vm.DriverArg{Call: -1, Type: ps.At(i).Type(), Name: ps.At(i).Name()})
	}
	p.d.Calls = append(p.d.Calls, c)
	have := fn.Signature.Results().At(0).Type()
	a := vm.DriverArg{Call: len(p.d.Calls) - 1, Type: t}
	if types.TypeString(have, nil) != types.TypeString(types.Unalias(t), nil) {
		a.Box = have
	}
	return a, true
}
