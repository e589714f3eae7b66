package sequence

import (
	"go/types"
	"slices"
	"strconv"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
	"github.com/goassay/assay/internal/vm"
	"github.com/goassay/assay/internal/vm/plan"
)

// method is a method under exploration.
type method struct {
	t *load.Target
	// observer says that the method changes nothing. It is called for its own behaviour, and no sequence
	// continues after it.
	observer bool
	pointer  bool // its receiver is a pointer
	// promoted says that the method is one of an embedded field. It leads to states; what it does itself is told of the field.
	promoted bool
	// invariant says that the method is the type's invariant. It is called on every state, and must not
	// return false.
	invariant bool
	stale     int // paths since the last one that covered something new
}

// choose finds the methods of a type, in the order of the source, and the ways to make
// a receiver.
func (e *explorer) choose(named *types.Named) {
	clean := purity.New(e.prog)
	e.valid = finding.PredicatesOf(e.pkg)
	for _, t := range e.pkg.Targets {
		if t.Recv == nil || !t.Exported || t.Skip != "" {
			continue
		}
		n := load.NamedOf(t.Recv)
		if n == nil {
			continue
		}
		if !types.Identical(n, named) {
			if n.Origin() != named.Origin() || named.TypeArgs().Len() > 0 || e.named != nil && !types.Identical(n, e.named) {
				continue
			}
		}
		e.named = n
		if e.cfg.Methods != nil && !e.cfg.Methods(t) {
			continue
		}
		_, ptr := types.Unalias(t.Recv).(*types.Pointer)
		inv := load.IsPredicate(t.Obj)
		e.methods = append(e.methods, &method{t: t, pointer: ptr, observer: inv || clean.Pure(t.Func), invariant: inv})
	}
	if e.named == nil {
		return
	}
	for _, t := range e.pkg.Promoted(e.named) {
		if !clean.Pure(e.prog.SSA.FuncValue(t.Obj)) && (e.cfg.Methods == nil || e.cfg.Methods(t)) {
			e.methods = append(e.methods, &method{t: t, pointer: true, promoted: true})
		}
	}
	// Methods that check invariants come first, so that nothing is called on an object that breaks
	// them.
	slices.SortStableFunc(e.methods, func(a, b *method) int {
		switch {
		case a.invariant == b.invariant:
			return 0
		case a.invariant:
			return -1
		}
		return 1
	})
	e.peers = slices.ContainsFunc(e.methods, e.takesPeers)
	e.findHandles()
	// The receivers of a constructor that takes functions behave as the stubs do, and a constructor that
	// takes maps has endless paths.
	var plain, others []*load.Target
	for _, c := range e.pkg.Constructors(e.named) {
		switch {
		case !c.Exported:
		case takesLazy(c.Func.Signature.Params()):
			others = append(others, c)
		default:
			plain = append(plain, c)
		}
	}
	if len(plain) == 0 {
		plain = others
	}
	e.makers = plain[:min(len(plain), maxConstructors)]
}

// findHandles notes the pointer types that methods take and that results may have.
func (e *explorer) findHandles() {
	for _, m := range e.methods {
		for v := range m.t.Func.Signature.Params().Variables() {
			if p, ok := types.Unalias(v.Type()).(*types.Pointer); ok && load.NamedOf(p) != nil && !e.isHandle(p) {
				e.handles = append(e.handles, p)
			}
		}
	}
}

func (e *explorer) isHandle(t types.Type) bool {
	return slices.ContainsFunc(e.handles, func(h types.Type) bool { return types.Identical(h, t) })
}

// results lists the results of a driver that may be arguments of later calls.
func (e *explorer) results(d *vm.Driver) []vm.DriverArg {
	if len(e.handles) == 0 {
		return nil
	}
	var out []vm.DriverArg
	for i, c := range d.Calls {
		res := c.Func.Signature.Results()
		for k := range res.Len() {
			if t := res.At(k).Type(); e.isHandle(t) {
				out = append(out, vm.DriverArg{Call: i, Result: k, Type: t})
			}
		}
	}
	return out
}

// takesLazy reports whether a parameter is a function, an interface, or another input that is only made up
// when it is used.
func takesLazy(params *types.Tuple) bool {
	for v := range params.Variables() {
		switch v.Type().Underlying().(type) {
		case *types.Signature, *types.Interface, *types.Map, *types.Chan:
			return true
		}
	}
	return false
}

// maxConstructors is how many constructors of a type are tried.
const maxConstructors = 3

// extend returns the driver of a state with a call of a method at its end. The argument of the type under
// exploration comes from a donor if there is one, or is the receiver itself if the donor is self. If the call
// cannot be made, the driver is nil and why says the reason.
func (e *explorer) extend(s *state, m *method, with *donor) (d *vm.Driver, recv vm.DriverArg, why string) {
	p := plan.New(e.prog, e.pkg, s.st.Driver())
	recv = s.recv
	a := recv
	if !m.pointer {
		a = byValue(a, m.t.Recv)
	}
	switch {
	case with == e.self:
		p.Given = []vm.DriverArg{recv, byValue(recv, e.named)}
	case with != nil:
		calls, made := with.renumbered(len(p.Driver.Calls))
		p.Driver.Calls = append(p.Driver.Calls, calls...)
		p.Given = []vm.DriverArg{made, byValue(made, e.named)}
	case len(e.makers) == 0:
		zero := vm.DriverArg{Call: -1, Type: types.NewPointer(e.named), Name: e.named.Obj().Name(), New: true, Zero: true}
		p.Given = []vm.DriverArg{zero, byValue(zero, e.named)}
	}
	if !p.Call(m.t, &a) {
		return nil, recv, p.Why
	}
	if recv.New && m.pointer {
		// From here on it is the argument of this call.
		recv = vm.DriverArg{Call: -1, Type: recv.Type, Of: len(p.Driver.Calls)}
	}
	return p.Driver, recv, ""
}

// variants returns the driver with replaced inputs of the last call, in all combinations. In a concrete
// exploration inputs become constants. Texts and slices become ones of known length. Pointers become handles
// of the state if it has some, unless a donor makes them.
func (e *explorer) variants(d *vm.Driver, s *state, with *donor) []*vm.Driver {
	last := len(d.Calls) - 1
	out := []*vm.Driver{d}
	for i, a := range d.Calls[last].Args {
		if i == 0 && d.Calls[last].Func.Signature.Recv() != nil {
			continue
		}
		var choice []vm.DriverArg
		if a.Call < 0 && a.Of == 0 && !a.Zero {
			choice = e.choice(a)
		}
		if s != nil && choice == nil && !(with != nil && e.isPeer(a.Type)) {
			choice = e.known(s, a)
		}
		if choice == nil {
			continue
		}
		var more []*vm.Driver
		for _, v := range out {
			for _, b := range choice {
				c := v.Calls[last]
				c.Args = append([]vm.DriverArg(nil), c.Args...)
				c.Args[i] = b
				calls := append([]vm.DriverCall(nil), v.Calls...)
				calls[last] = c
				more = append(more, &vm.Driver{Calls: calls})
			}
		}
		out = more
	}
	return out
}

// known returns the values of the state that can be passed in place of an argument, and the argument itself,
// or nil if the state has none.
func (e *explorer) known(s *state, a vm.DriverArg) []vm.DriverArg {
	var out []vm.DriverArg
	for _, h := range s.handles {
		if types.Identical(h.Type, a.Type) && h != s.recv {
			out = append(out, h)
		}
	}
	if out != nil {
		out = append(out, a)
	}
	return out
}

// maxLen is the length of the longest text or slice that is passed. What sequences do depends on whether
// texts are equal, smaller, or prefixes of each other. Package symbolic explores the content of texts.
const maxLen = 2

// choice returns the values to pass in place of an input, or nil if the input stays.
func (e *explorer) choice(a vm.DriverArg) []vm.DriverArg {
	var out []vm.DriverArg
	if e.cfg.Concrete {
		for _, lit := range e.literals(a.Type) {
			b := a
			b.Lit = lit
			out = append(out, b)
		}
		return out
	}
	text := false
	switch u := a.Type.Underlying().(type) {
	case *types.Basic:
		if text = u.Info()&types.IsString != 0; !text {
			return nil
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); !ok || b.Info()&(types.IsInteger|types.IsBoolean|types.IsFloat) == 0 {
			return nil
		}
	default:
		return nil
	}
	for n := range maxLen {
		b := a
		b.Len = n + 1
		out = append(out, b)
	}
	b := a
	if text {
		b.Lit = &testcase.Literal{Kind: testcase.LitString}
	} else {
		b.Zero = true
	}
	return append(out, b)
}

// literals returns the arguments of a type in a concrete exploration, or nil if the type has none.
func (e *explorer) literals(t types.Type) []*testcase.Literal {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return nil
	}
	values := e.cfg.Values
	if values == nil {
		for i := range e.cfg.Depth {
			values = append(values, int64(i)+1)
		}
	}
	var out []*testcase.Literal
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return []*testcase.Literal{{Kind: testcase.LitBool}, {Kind: testcase.LitBool, Bits: 1}}
	case info&types.IsInteger != 0:
		kind := testcase.LitInt
		if info&types.IsUnsigned != 0 {
			kind = testcase.LitUint
		}
		for _, v := range values {
			out = append(out, &testcase.Literal{Kind: kind, Bits: uint64(v)})
		}
	case info&types.IsString != 0:
		for _, v := range values {
			out = append(out, &testcase.Literal{Kind: testcase.LitString, Str: strconv.FormatInt(v, 10)})
		}
	}
	return out
}
