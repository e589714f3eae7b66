package symbolic

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// maxPlans bounds the drivers of one target.
const maxPlans = 24

// driversOf returns the drivers of a target, the simplest first, or the reason why there is none. If direct is set
// the drivers call no other methods.
func driversOf(prog *load.Program, pkg *load.Package, t *load.Target, direct bool) ([]*vm.Driver, string) {
	if t.Skip != "" {
		return nil, t.Skip
	}
	sig := t.Func.Signature
	if sig.Recv() == nil {
		p := plan.New(prog, pkg, nil)
		if !p.Call(t, nil) {
			return nil, p.Why
		}
		return append([]*vm.Driver{p.Driver}, variants(prog, pkg, t, nil)...), ""
	}
	var out []*vm.Driver
	why := ""
	makers := receivers(pkg, t)
	for _, mk := range makers {
		p := plan.New(prog, pkg, nil)
		recv, ok := p.Receiver(t, mk.ctor)
		if ok && p.Call(t, &recv) {
			out = append(out, p.Driver)
		} else {
			why = p.Why
		}
	}
	if !direct {
		out = append(out, variants(prog, pkg, t, makers[0].ctor)...)
	}
	if recv, ok := plan.NilReceiver(t); ok {
		if p := plan.New(prog, pkg, nil); p.Call(t, &recv) {
			out = append(out, p.Driver)
		}
	}
	if !direct {
		// Other methods called in between bring the receiver into other states.
		g := &grower{prog: prog, pkg: pkg, target: t, others: mutators(pkg, t), maker: makers[:min(1, len(makers))], room: maxPlans - len(out)}
		g.grow(nil, 1)
		g.grow(nil, 2)
		out = append(out, g.out...)
	}
	// The last kind of receiver is a variable, which anybody can declare without a constructor.
	if _, ok := types.Unalias(t.Recv).(*types.Pointer); ok && makers[0].ctor != nil {
		zero := vm.DriverArg{Call: -1, Type: t.Recv, New: true, Zero: true}
		if p := plan.New(prog, pkg, nil); p.Call(t, &zero) {
			out = append(out, p.Driver)
		}
	}
	// What an interface holds only for some arguments is perhaps never made.
	if c := makers[0].ctor; c != nil && c.IsAmong(t.Recv) && len(out) < maxPlans {
		zero := vm.DriverArg{Call: -1, Type: t.Recv, Name: load.NamedOf(t.Recv).Obj().Name(), Zero: true}
		if _, ok := types.Unalias(t.Recv).(*types.Pointer); !ok {
			if p := plan.New(prog, pkg, nil); p.Call(t, &zero) {
				out = append(out, p.Driver)
			}
		}
	}
	if len(out) == 0 && why == "" {
		why = "no way to make its receiver"
	}
	return out, why
}

// byHand returns a driver of a function whose arguments are any values of their types, with unexported fields set, or nil if
// there is none. Nothing outside of the package can make such a value if the package has no constructor. The driver is for
// functions that assume something of their arguments which the values that users can make do not satisfy.
func byHand(s Subject) *vm.Driver {
	if s.Target.Recv != nil || s.Target.Skip != "" || !vm.Closed(s.Target.Func.Signature, s.Pkg.Path, true) {
		return nil
	}
	p := plan.New(s.Prog, s.Pkg, nil)
	p.Any = true
	if !p.Call(s.Target, nil) {
		return nil
	}
	return p.Driver
}

// shared returns drivers like the given one, each of which passes one pointer, slice or map for two
// parameters of its last call that have the same type. The receiver counts as a parameter.
func shared(d *vm.Driver) []*vm.Driver {
	var out []*vm.Driver
	last := len(d.Calls) - 1
	args := d.Calls[last].Args
	for j, b := range args {
		switch types.Unalias(b.Type).Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map:
		default:
			continue
		}
		for i, a := range args[:j] {
			if !types.Identical(a.Type, b.Type) {
				continue
			}
			c := &vm.Driver{Calls: slices.Clone(d.Calls)}
			c.Calls[last].Args = slices.Clone(args)
			same := a // the object was made for an earlier call
			if a.Call < 0 {
				same = vm.DriverArg{Call: -1, Of: last + 1, Result: i, Type: b.Type, Name: b.Name}
			}
			c.Calls[last].Args[j] = same
			out = append(out, c)
		}
	}
	return out
}

// grower makes drivers that call other methods before the target.
type grower struct {
	prog   *load.Program
	pkg    *load.Package
	target *load.Target
	others []*load.Target
	maker  []maker // the ways to make the receiver; empty if there is no receiver
	room   int     // how many drivers may still be made
	out    []*vm.Driver
}

// grow adds the drivers that call depth methods after those of prefix.
func (g *grower) grow(prefix []*load.Target, depth int) {
	for _, o := range g.others {
		if len(g.out) >= g.room {
			return
		}
		seq := append(append([]*load.Target(nil), prefix...), o)
		if depth > 1 {
			g.grow(seq, depth-1)
			continue
		}
		for _, mk := range g.maker {
			if d := g.driver(mk, seq); d != nil {
				g.out = append(g.out, d)
			}
		}
	}
}

// driver returns a driver that calls methods on a receiver and then the target. It returns nil if that is not
// possible.
func (g *grower) driver(mk maker, seq []*load.Target) *vm.Driver {
	t := g.target
	p := plan.New(g.prog, g.pkg, nil)
	// The methods in between take a pointer to the receiver, and the target may take a copy.
	recv, ok := p.Receiver(seq[0], mk.ctor)
	for _, s := range seq {
		r := recv
		ok = ok && p.Call(s, &r)
		if recv.Call < 0 && recv.Of == 0 {
			recv = vm.DriverArg{Call: -1, Of: len(p.Driver.Calls), Type: s.Recv}
		}
	}
	if _, ptr := types.Unalias(t.Recv).(*types.Pointer); !ptr && ok {
		recv = vm.DriverArg{Call: -1, Of: len(p.Driver.Calls), Type: t.Recv, Deref: true}
	}
	if !ok || !p.Call(t, &recv) {
		return nil
	}
	return p.Driver
}

// variants returns drivers of a target with unusual arguments of well-known types, if it takes such types.
func variants(prog *load.Program, pkg *load.Package, t, ctor *load.Target) []*vm.Driver {
	var out []*vm.Driver
	for _, v := range []plan.Variant{plan.Failing, plan.Nil} {
		p := plan.New(prog, pkg, nil)
		p.Variant = v
		var recv *vm.DriverArg
		if t.Func.Signature.Recv() != nil {
			r, ok := p.Receiver(t, ctor)
			if !ok {
				continue
			}
			recv = &r
		}
		if p.Call(t, recv) && p.Varied {
			out = append(out, p.Driver)
		}
	}
	return out
}

// maker is a way to make a receiver: a constructor, or a variable if ctor is nil.
type maker struct {
	ctor *load.Target
}

// maxConstructors is how many constructors of a receiver are tried.
const maxConstructors = 3

// receivers lists the ways to make a method's receiver.
func receivers(pkg *load.Package, t *load.Target) []maker {
	var out []maker
	if n := load.NamedOf(t.Recv); n != nil {
		if load.IsRecord(n) {
			return []maker{{}} // with any value in each field there is nothing that a constructor could add
		}
		switch n.Underlying().(type) {
		case *types.Basic, *types.Array, *types.Slice, *types.Map:
			out = append(out, maker{}) // users can write such a value themselves
		}
	}
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
	named := load.NamedOf(t.Recv)
	var out []*load.Target
	for _, o := range pkg.Targets {
		if o.Recv == nil || o.Skip != "" || !o.Exported {
			continue
		}
		if n := load.NamedOf(o.Recv); n == nil || named == nil || !types.Identical(n, named) {
			continue
		}
		if _, ptr := types.Unalias(o.Recv).(*types.Pointer); !ptr {
			continue
		}
		out = append(out, o)
	}
	return out
}
