package purity

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// A function is pure if a call of it changes no memory that existed before, sends and
// receives nothing, and starts nothing. It may allocate, change what it allocated,
// read anything, and panic.
//
// The analysis is interprocedural and insensitive to control flow. Of every pointer
// it knows a set of roots: the parameters and free variables from which it can have
// been reached, global memory, or none (memory that the call itself allocated). A
// store through a pointer changes its roots. Pointers that are stored into fresh
// memory taint all of it: what is loaded from there may have their roots.

// roots is a set: bit i is parameter i (free variables after the parameters).
type roots uint64

const (
	rootGlobal  roots = 1 << 62 // memory that package-level variables lead to
	rootUnknown roots = 1 << 63 // could be anything
	maxRoots          = 62
)

// summary is what a function does as far as its callers care. It only grows.
type summary struct {
	changes roots // what it may change
	results roots // what its results may lead to
	impure  bool  // it does what no root describes: channels, goroutines, unknown calls
}

func (s summary) pure() bool { return !s.impure && s.changes == 0 }

// maxFunctions bounds how many functions one question looks at; beyond it the answer
// is no.
const maxFunctions = 500

// Purity answers whether functions are pure, and remembers. It may be used by several
// goroutines.
type Purity struct {
	prog *load.Program

	mu   sync.Mutex
	done map[*ssa.Function]summary
}

// NewPurity returns an analysis of the program's functions.
func NewPurity(prog *load.Program) *Purity {
	return &Purity{prog: prog, done: make(map[*ssa.Function]summary)}
}

// Pure reports whether every call of fn is certainly pure.
func (p *Purity) Pure(fn *ssa.Function) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.done[fn]
	if !ok {
		s = p.solve(fn)
	}
	return s.pure()
}

// Reach is how far the effects of calls of a function go.
type Reach struct {
	Beyond    bool // they may change what no argument leads to, or it is not known
	Arguments bool // they may change what an argument, or the receiver, leads to
	Results   bool // their results may lead to what an argument, or a package-level variable, leads to
}

// Reach says how far the effects of calls of fn go, at most.
func (p *Purity) Reach(fn *ssa.Function) Reach {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, ok := p.done[fn]
	if !ok {
		s = p.solve(fn)
	}
	far := rootGlobal | rootUnknown
	return Reach{Beyond: s.impure || s.changes&far != 0, Arguments: s.changes != 0, Results: s.results != 0}
}

// directive stands above a function whose author says that it is pure.
const directive = "//assay:pure"

// declared reports whether the user says that the function is pure.
func (p *Purity) declared(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	for _, pkg := range p.prog.Packages {
		if pkg.Types != obj.Pkg() {
			continue
		}
		fd := pkg.Func(obj.Origin())
		return fd != nil && fd.Doc != nil && slices.ContainsFunc(fd.Doc.List, func(c *ast.Comment) bool { return strings.TrimSpace(c.Text) == directive })
	}
	return false
}

// solve computes the summaries of fn and of all that it calls: the least fixed point,
// from "does nothing" upwards.
func (p *Purity) solve(fn *ssa.Function) summary {
	// Collect the functions first; callees may be recursive.
	var order []*ssa.Function
	bodies := make(map[*ssa.Function]*ssa.Function)
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		if _, ok := bodies[f]; ok {
			continue
		}
		if _, ok := p.done[f]; ok {
			continue
		}
		if len(order) >= maxFunctions {
			p.done[fn] = summary{impure: true}
			return p.done[fn]
		}
		order = append(order, f)
		if p.declared(f) {
			bodies[f] = nil // its callees do not matter
			continue
		}
		body := p.body(f)
		bodies[f] = body
		if body == nil {
			continue
		}
		for _, b := range body.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok {
					if callee := c.Call.StaticCallee(); callee != nil {
						work = append(work, callee)
					}
				}
			}
		}
	}
	sums := make(map[*ssa.Function]summary, len(order))
	lookup := func(f *ssa.Function) summary {
		if s, ok := p.done[f]; ok {
			return s
		}
		return sums[f]
	}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 1; i >= 0; i-- {
			f := order[i]
			var s summary
			if known, ok := knownSummary(f); ok {
				s = known
			} else if p.declared(f) {
				s = summary{results: ^roots(0)} // what it returns may be anybody's
			} else if body := bodies[f]; body == nil || len(body.Params)+len(body.FreeVars) > maxRoots {
				s = summary{impure: true}
			} else {
				s = (&pointers{fn: body, lookup: lookup}).summarise()
			}
			if s != sums[f] {
				sums[f] = s
				changed = true
			}
		}
	}
	for f, s := range sums {
		p.done[f] = s
	}
	return sums[fn]
}

// body returns the function with its blocks, or nil if it has none or is not worth
// loading.
func (p *Purity) body(fn *ssa.Function) *ssa.Function {
	if _, ok := knownSummary(fn); ok {
		return nil
	}
	if len(fn.Blocks) > 0 {
		return fn
	}
	if obj := fn.Object(); obj == nil || obj.Pkg() == nil || hopeless(obj.Pkg().Path()) {
		return nil
	}
	body, err := p.prog.Body(fn)
	if err != nil || len(body.Blocks) == 0 {
		return nil
	}
	return body
}

// pointers follows the pointers of one function.
type pointers struct {
	fn     *ssa.Function
	lookup func(*ssa.Function) summary
	// rootsOf are the roots of values, of this round and of the one before.
	rootsOf, before map[ssa.Value]roots
	taint           roots // what was stored into fresh memory
	sum             summary
}

// summarise looks at the function until what is known does not grow any more.
func (a *pointers) summarise() summary {
	for {
		sum, taint := a.sum, a.taint
		a.before, a.rootsOf = a.rootsOf, make(map[ssa.Value]roots)
		for _, b := range a.fn.Blocks {
			for _, in := range b.Instrs {
				a.instr(in)
			}
		}
		if a.sum == sum && a.taint == taint && maps.Equal(a.rootsOf, a.before) {
			return a.sum
		}
	}
}

func (a *pointers) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		a.store(a.of(in.Addr), a.of(in.Val))
	case *ssa.MapUpdate:
		a.store(a.of(in.Map), a.of(in.Key)|a.of(in.Value))
	case *ssa.Call:
		a.call(&in.Call)
	case *ssa.Return:
		for _, r := range in.Results {
			if leads(r.Type(), nil) {
				a.sum.results |= a.of(r) | a.taint
			}
		}
	case *ssa.Go, *ssa.Defer, *ssa.Send, *ssa.Select:
		a.sum.impure = true
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			a.sum.impure = true
		}
	}
}

// store records that memory with the roots to is changed to lead to what val leads to.
func (a *pointers) store(to, val roots) {
	a.change(to)
	a.taint |= val
}

func (a *pointers) change(r roots) {
	a.sum.changes |= r
	if r&rootUnknown != 0 {
		a.sum.impure = true
	}
}

func (a *pointers) call(c *ssa.CallCommon) {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy":
			a.change(a.of(c.Args[0])) // append may write behind the length
			for _, arg := range c.Args[1:] {
				a.taint |= a.of(arg)
			}
		case "delete", "clear":
			a.change(a.of(c.Args[0]))
		case "close", "print", "println":
			a.sum.impure = true
		}
		return
	}
	callee := c.StaticCallee()
	if callee == nil {
		a.sum.impure = true
		return
	}
	s := a.lookup(callee)
	a.sum.impure = a.sum.impure || s.impure
	if s.changes == 0 {
		return
	}
	a.change(a.passed(c, s.changes))
	// What it stored where is not known in detail.
	for _, arg := range a.arguments(c) {
		a.taint |= a.of(arg)
	}
}

// arguments are the arguments of a call with a static callee, its free variables at
// the end.
func (a *pointers) arguments(c *ssa.CallCommon) []ssa.Value {
	args := c.Args
	if m, ok := c.Value.(*ssa.MakeClosure); ok {
		args = append(args[:len(args):len(args)], m.Bindings...)
	}
	return args
}

// passed translates roots of the callee to roots of the caller.
func (a *pointers) passed(c *ssa.CallCommon, r roots) roots {
	out := r & (rootGlobal | rootUnknown)
	for i, arg := range a.arguments(c) {
		if r&(1<<i) != 0 {
			out |= a.of(arg) | a.taint // and what fresh memory leads to
		}
	}
	return out
}

// of returns the roots of a value. While they are computed, a cycle of phis sees those of the round
// before; summarise goes through the function again until no roots grow.
func (a *pointers) of(v ssa.Value) roots {
	if r, ok := a.rootsOf[v]; ok {
		return r
	}
	a.rootsOf[v] = a.before[v]
	r := a.compute(v) | a.before[v]
	a.rootsOf[v] = r
	return r
}

func (a *pointers) compute(v ssa.Value) roots {
	if !leads(v.Type(), nil) {
		return 0
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Function, *ssa.Builtin, *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return 0
	case *ssa.Global:
		return rootGlobal
	case *ssa.Parameter:
		for i, p := range a.fn.Params {
			if p == v {
				return 1 << i
			}
		}
	case *ssa.FreeVar:
		for i, p := range a.fn.FreeVars {
			if p == v {
				return 1 << (len(a.fn.Params) + i)
			}
		}
	case *ssa.FieldAddr:
		return a.of(v.X)
	case *ssa.IndexAddr:
		return a.of(v.X)
	case *ssa.Field:
		return a.of(v.X)
	case *ssa.Index:
		return a.of(v.X)
	case *ssa.Slice:
		return a.of(v.X)
	case *ssa.SliceToArrayPointer:
		return a.of(v.X)
	case *ssa.ChangeType:
		return a.of(v.X)
	case *ssa.ChangeInterface:
		return a.of(v.X)
	case *ssa.MakeInterface:
		return a.of(v.X)
	case *ssa.TypeAssert:
		return a.of(v.X)
	case *ssa.Extract:
		return a.of(v.Tuple)
	case *ssa.Convert:
		return a.convert(v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return a.of(v.X) | a.taint
		}
	case *ssa.Lookup:
		return a.of(v.X) | a.taint
	case *ssa.Range:
		return a.of(v.X)
	case *ssa.Next:
		return a.of(v.Iter) | a.taint
	case *ssa.Phi:
		var r roots
		for _, e := range v.Edges {
			r |= a.of(e)
		}
		return r
	case *ssa.MakeClosure:
		var r roots
		for _, b := range v.Bindings {
			r |= a.of(b)
		}
		return r
	case *ssa.Call:
		return a.result(&v.Call)
	}
	return rootUnknown
}

func (a *pointers) convert(v *ssa.Convert) roots {
	if b, ok := v.X.Type().Underlying().(*types.Basic); ok {
		if b.Info()&types.IsString != 0 {
			return 0 // []byte(s) is new
		}
		if b.Kind() == types.Uintptr {
			return rootUnknown
		}
	}
	return a.of(v.X)
}

func (a *pointers) result(c *ssa.CallCommon) roots {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			return a.of(c.Args[0]) | a.taint
		case "ssa:wrapnilchk":
			return a.of(c.Args[0])
		case "recover":
			return rootUnknown
		case "min", "max":
			return 0
		}
		return rootUnknown
	}
	callee := c.StaticCallee()
	if callee == nil {
		return rootUnknown
	}
	s := a.lookup(callee)
	r := a.passed(c, s.results)
	if s.changes != 0 {
		r |= a.taint
	}
	return r
}

// leads reports whether a value of type t can lead to memory that can be changed.
func leads(t types.Type, seen map[types.Type]bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return leads(u.Elem(), seen)
	case *types.Struct:
		if seen[t] {
			return false
		}
		if seen == nil {
			seen = make(map[types.Type]bool)
		}
		seen[t] = true
		for f := range u.Fields() {
			if leads(f.Type(), seen) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if leads(v.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}
