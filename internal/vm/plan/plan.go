// Package plan makes drivers for the machine of package vm: it decides by which calls receivers and arguments
// are made.
//
//  1. New begins a driver, or a copy of one that is to be continued.
//  2. Receiver adds the calls that make a receiver, by a constructor or as a variable.
//  3. Call adds a call of a target, and before it the calls that make its arguments. An argument is, in this
//     order, the newest earlier result of its type if only its package makes such values; what a function
//     returns that the user declares for the type (load.Package.Factories); what a function from a table
//     returns, for types of the standard library; what a constructor returns, if users cannot write the
//     value field by field; and else a symbolic input.
//
// Which calls come before the target is decided by the engines (symbolic, sequence) and by package product.
//
// To add a well-known type, add a line to factories.
package plan

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/vm"
)

// Planner adds calls to a driver. It decides how receivers and arguments are made.
type Planner struct {
	Driver *vm.Driver
	Why    string // why the last call that was asked for is impossible
	// Given has arguments that are passed where one of their type is wanted.
	Given []vm.DriverArg
	// Any passes receivers and arguments that are any values of their types, without any constructor; see
	// vm.DriverArg.Any. Pointers are not nil, unless NilPointers is set. Then all are nil.
	Any, NilPointers bool
	// Variant says how arguments of well-known types are made, and Varied, afterwards,
	// whether that made a difference.
	Variant Variant
	Varied  bool

	prog *load.Program
	pkg  *load.Package
	nest int
}

// Variant is a way to make arguments of well-known types.
type Variant int

// The variants.
const (
	Usual   Variant = iota
	Failing         // readers that fail at once
	Nil             // nil for parameters that the function compares with nil
)

// New returns a planner that extends a copy of d, or that begins a new driver
// if d is nil.
func New(prog *load.Program, pkg *load.Package, d *vm.Driver) *Planner {
	p := &Planner{prog: prog, pkg: pkg, Driver: &vm.Driver{}}
	if d != nil {
		p.Driver.Calls = append(p.Driver.Calls, d.Calls...)
	}
	return p
}

// Receiver adds the calls that make the receiver of a method t, and returns the receiver as an argument. It
// is made by the constructor ctor, or is a variable if ctor is nil.
func (p *Planner) Receiver(t, ctor *load.Target) (vm.DriverArg, bool) {
	if ctor == nil {
		return p.variable(t.Recv), true
	}
	i, result, ok := p.construct(ctor, t.Recv)
	if !ok {
		return vm.DriverArg{}, false
	}
	return p.adapt(ctor, i, result, t.Recv)
}

// variable returns a receiver without a constructor: a variable of its type that is symbolic in the fields
// that a user can set.
func (p *Planner) variable(recv types.Type) vm.DriverArg {
	name := "x"
	if n := load.NamedOf(recv); n != nil {
		name = n.Obj().Name()
	}
	if p.Any {
		return p.any(recv, name)
	}
	_, ptr := types.Unalias(recv).(*types.Pointer)
	return vm.DriverArg{Call: -1, Type: recv, Name: name, New: ptr}
}

// any returns an input that is any value of its type.
func (p *Planner) any(t types.Type, name string) vm.DriverArg {
	_, ptr := t.Underlying().(*types.Pointer)
	return vm.DriverArg{Call: -1, Type: t, Name: name, New: ptr && !p.NilPointers, Zero: ptr && p.NilPointers, Any: true}
}

// construct adds a call of a constructor and returns its index and which of its results
// is wanted.
func (p *Planner) construct(c *load.Target, want types.Type) (call, result int, ok bool) {
	if p.nest > 3 {
		p.Why = "constructors that need one another"
		return 0, 0, false
	}
	p.nest++
	ok = p.Call(c, nil)
	p.nest--
	if !ok {
		return 0, 0, false
	}
	res := c.Func.Signature.Results()
	for i := range res.Len() {
		rt := res.At(i).Type()
		if types.Identical(rt, want) {
			return len(p.Driver.Calls) - 1, i, true
		}
	}
	for i := range res.Len() {
		if n := load.NamedOf(res.At(i).Type()); n != nil && load.NamedOf(want) != nil && types.Identical(n, load.NamedOf(want)) {
			return len(p.Driver.Calls) - 1, i, true
		}
	}
	if c.Behind != nil || c.IsAmong(want) {
		return len(p.Driver.Calls) - 1, 0, true
	}
	p.Why = "its constructor returns something else"
	return 0, 0, false
}

// adapt passes a constructor's result where a value of type want is wanted. If necessary it passes the
// result's address, or the value that it points to.
func (p *Planner) adapt(c *load.Target, call, result int, want types.Type) (vm.DriverArg, bool) {
	have := c.Func.Signature.Results().At(result).Type()
	a := vm.DriverArg{Call: call, Result: result, Type: want}
	switch {
	case types.Identical(have, want):
	case types.Identical(types.NewPointer(have), want):
		a.Addr = true
	case types.IsInterface(have) && holds(c, want):
		a.Unbox = true // a path on which the interface holds something else ends there
	default:
		if pt, ok := types.Unalias(have).(*types.Pointer); ok && types.Identical(pt.Elem(), want) {
			a.Deref = true
		} else {
			p.Why = "its constructor returns something else"
			return a, false
		}
	}
	return a, true
}

// holds reports whether the interface that a constructor returns holds a value of a type, always or for some arguments.
func holds(c *load.Target, t types.Type) bool {
	return c.Behind != nil && types.Identical(c.Behind, t) || slices.ContainsFunc(c.Among, func(a types.Type) bool { return types.Identical(a, t) })
}

// Call adds a call of a target, preceded by the calls that make its arguments. A method's receiver is recv,
// or a variable if recv is nil. It reports whether the call is possible; if it is not, Why has the reason.
func (p *Planner) Call(t *load.Target, recv *vm.DriverArg) bool {
	c := vm.DriverCall{Func: t.Func, Checked: t.Checked, Obj: t.Obj, TypeArgs: t.TypeArgs}
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
		if n := len(c.Args); p.Variant == Nil && n < len(t.Func.Params) && comparedWithNil(t.Func.Params[n]) {
			if _, ok := factories[types.TypeString(types.Unalias(v.Type()), nil)]; ok {
				p.Varied = true
				c.Args = append(c.Args, vm.DriverArg{Call: -1, Type: v.Type(), Zero: true})
				continue
			}
		}
		a, ok := p.param(v.Type(), v.Name())
		if !ok {
			return false
		}
		c.Args = append(c.Args, a)
	}
	p.Driver.Calls = append(p.Driver.Calls, c)
	return true
}

// earlier finds the newest result of an earlier call that is of a pointer type which
// only its package can make, like the elements that a list hands out.
func (p *Planner) earlier(t types.Type) (vm.DriverArg, bool) {
	pt, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return vm.DriverArg{}, false
	}
	n, ok := types.Unalias(pt.Elem()).(*types.Named)
	if !ok || !load.HasHiddenFields(n) || len(p.pkg.Constructors(t)) > 0 {
		return vm.DriverArg{}, false
	}
	for i := len(p.Driver.Calls) - 1; i >= 0; i-- {
		res := p.Driver.Calls[i].Func.Signature.Results()
		for k := range res.Len() {
			if types.Identical(res.At(k).Type(), t) {
				return vm.DriverArg{Call: i, Result: k, Type: t}, true
			}
		}
	}
	return vm.DriverArg{}, false
}

// NilReceiver returns nil as the receiver of a method that checks whether its receiver is nil, directly or in
// methods that it calls on the receiver.
func NilReceiver(t *load.Target) (vm.DriverArg, bool) {
	if _, ok := types.Unalias(t.Recv).(*types.Pointer); !ok || !asksNil(t.Func, 2) {
		return vm.DriverArg{}, false
	}
	return vm.DriverArg{Call: -1, Type: t.Recv, Zero: true}, true
}

// asksNil reports whether a method compares its receiver with nil, or calls such a method on it, at most so
// many calls deep.
func asksNil(fn *ssa.Function, depth int) bool {
	if len(fn.Params) == 0 || fn.Params[0].Referrers() == nil {
		return false
	}
	if comparedWithNil(fn.Params[0]) {
		return true
	}
	for _, recv := range valuesOf(fn.Params[0]) {
		for _, r := range *recv.Referrers() {
			if r, ok := r.(*ssa.Call); ok {
				callee := r.Call.StaticCallee()
				if depth > 0 && callee != nil && callee.Signature.Recv() != nil && len(r.Call.Args) > 0 && r.Call.Args[0] == recv && asksNil(callee, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

// valuesOf returns a parameter and what is read from the variable that it is kept in. A parameter that a function literal uses is in
// such a variable, so that the function itself reads it there, too.
func valuesOf(p *ssa.Parameter) []ssa.Value {
	out := []ssa.Value{p}
	for _, r := range *p.Referrers() {
		store, ok := r.(*ssa.Store)
		if !ok {
			continue
		}
		variable, ok := store.Addr.(*ssa.Alloc)
		if !ok {
			continue
		}
		for _, r := range *variable.Referrers() {
			if load, ok := r.(*ssa.UnOp); ok && load.Op == token.MUL && load.Referrers() != nil {
				out = append(out, load)
			}
		}
	}
	return out
}

// comparedWithNil reports whether the code compares a parameter with nil.
func comparedWithNil(p *ssa.Parameter) bool {
	if p.Referrers() == nil {
		return false
	}
	for _, v := range valuesOf(p) {
		for _, r := range *v.Referrers() {
			if r, ok := r.(*ssa.BinOp); ok && (r.Op == token.EQL || r.Op == token.NEQ) {
				for _, x := range []ssa.Value{r.X, r.Y} {
					if c, ok := x.(*ssa.Const); ok && c.Value == nil {
						return true
					}
				}
			}
		}
	}
	return false
}

// param makes an argument. If values of its type cannot be written field by field, a constructor or a factory
// makes it. Otherwise it is a fresh symbolic input.
func (p *Planner) param(t types.Type, name string) (vm.DriverArg, bool) {
	for _, a := range p.Given {
		if types.Identical(a.Type, t) {
			return a, true
		}
	}
	if p.Any {
		return p.any(t, name), true
	}
	if a, ok := p.earlier(t); ok {
		return a, true
	}
	if a, ok := p.ownFactory(t); ok {
		return a, true
	}
	if f, ok := p.factory(t); ok {
		return f, true
	}
	if n := load.NamedOf(t); n != nil {
		if _, isStruct := n.Underlying().(*types.Struct); isStruct && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == p.pkg.Path && n.Obj().Exported() && load.HasHiddenFields(n) {
			for _, c := range p.pkg.Constructors(t) {
				saved := len(p.Driver.Calls)
				if i, res, ok := p.construct(c, t); ok {
					if a, ok := p.adapt(c, i, res, t); ok {
						return a, true
					}
				}
				p.Driver.Calls = p.Driver.Calls[:saved]
			}
		}
	}
	return vm.DriverArg{Call: -1, Type: t, Name: name}, true
}

// factories lists functions that make values of well-known types. Their arguments are symbolic.
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

// failing lists the factories of the variant Failing.
var failing = map[string]struct{ pkg, fn string }{
	"io.Reader": {"testing/iotest", "ErrReader"},
}

// ownFactory makes a value by a function that the user has declared for it.
func (p *Planner) ownFactory(t types.Type) (vm.DriverArg, bool) {
	for _, f := range p.pkg.Factories(t) {
		saved := len(p.Driver.Calls)
		if i, result, ok := p.construct(f, t); ok {
			if a, ok := p.adapt(f, i, result, t); ok {
				return a, true
			}
		}
		p.Driver.Calls = p.Driver.Calls[:saved]
	}
	return vm.DriverArg{}, false
}

// factory makes a well-known type by its factory.
func (p *Planner) factory(t types.Type) (vm.DriverArg, bool) {
	name := types.TypeString(types.Unalias(t), nil)
	f, ok := factories[name]
	if !ok {
		return vm.DriverArg{}, false
	}
	if g, ok := failing[name]; ok && p.Variant == Failing {
		f, p.Varied = g, true
	}
	fn, err := p.prog.LookupFunc(f.pkg, f.fn)
	if err != nil || fn == nil {
		return vm.DriverArg{}, false
	}
	c := vm.DriverCall{Func: fn, Obj: load.Visible(p.pkg.Types, fn.Object().(*types.Func))}
	ps := fn.Signature.Params()
	for i := range ps.Len() {
		c.Args = append(c.Args, vm.DriverArg{Call: -1, Type: ps.At(i).Type(), Name: ps.At(i).Name()})
	}
	p.Driver.Calls = append(p.Driver.Calls, c)
	have := fn.Signature.Results().At(0).Type()
	a := vm.DriverArg{Call: len(p.Driver.Calls) - 1, Type: t}
	if types.TypeString(have, nil) != types.TypeString(types.Unalias(t), nil) {
		a.Box = have
	}
	return a, true
}
