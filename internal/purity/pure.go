package purity

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// This file decides which functions are pure. A function is pure if a call of it changes no memory
// that existed before the call, sends and receives nothing, and starts nothing. It may allocate memory
// and change that, read anything, and panic.
//
// The answer comes from a summary of each function: the memory that a call may change, and the memory
// that its results may lead to. Both are sets of roots (pointers.go), such as "memory that the second
// parameter leads to".
//
//  1. collect lists the function in question and all functions that it may call, directly or not.
//  2. solve gives each of them the summary "changes nothing" and then computes all summaries again and
//     again, until none changes. summarise (pointers.go) computes one from the function's instructions
//     and the present summaries of its callees.
//  3. The last summaries are remembered, so a later question about a callee is answered at once.
//
// Summaries only grow, and there are finitely many, so the loop ends also for recursive functions.
// Whatever cannot be followed (function values, methods of interfaces, code without source) makes its
// caller impure. Therefore "pure" is a proof, and "not pure" may only mean that there is none.

// summary says what a call of a function may do.
type summary struct {
	changes roots // memory that it may change
	results roots // memory that its results may lead to
	impure  bool  // it may do something that roots do not describe: use channels, start goroutines, call unknown code
}

func (s summary) pure() bool { return !s.impure && s.changes == 0 }

// maxFunctions bounds how many functions a function may call, itself included. One that may call more
// counts as impure, whatever was asked before.
const maxFunctions = 500

// Purity answers whether functions are pure, and remembers its answers. It may be used by several
// goroutines.
type Purity struct {
	prog *load.Program

	mu      sync.Mutex
	done    map[*ssa.Function]summary
	callees map[*ssa.Function][]*ssa.Function // of the functions whose code was looked at
}

// NewPurity returns an analysis of the program's functions.
func NewPurity(prog *load.Program) *Purity {
	return &Purity{prog: prog, done: make(map[*ssa.Function]summary), callees: make(map[*ssa.Function][]*ssa.Function)}
}

// Pure reports whether every call of fn is certainly pure.
func (p *Purity) Pure(fn *ssa.Function) bool { return p.summary(fn).pure() }

// Reach is how far the effects of calls of a function go.
type Reach struct {
	Beyond    bool // calls may change memory that no argument leads to, or it is not known what they change
	Arguments bool // calls may change memory that an argument or the receiver leads to
	Results   bool // results may share memory with an argument or a package-level variable
}

// Reach says how far the effects of calls of fn go at most.
func (p *Purity) Reach(fn *ssa.Function) Reach {
	s := p.summary(fn)
	far := rootGlobal | rootUnknown
	return Reach{Beyond: s.impure || s.changes&far != 0, Arguments: s.changes != 0, Results: s.results != 0}
}

// summary returns the summary of fn, which it computes at the first question.
func (p *Purity) summary(fn *ssa.Function) summary {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s, ok := p.done[fn]; ok {
		return s
	}
	return p.solve(fn)
}

// solve computes the summaries of fn and of all functions that it may call, and remembers them.
func (p *Purity) solve(fn *ssa.Function) summary {
	list, ok := p.collect(fn)
	if !ok {
		p.done[fn] = summary{impure: true}
		return p.done[fn]
	}
	// Every callee is in the list or has its last summary. Those in the list begin as pure.
	now := make(map[*ssa.Function]summary, len(list))
	callee := func(f *ssa.Function) summary {
		if s, ok := p.done[f]; ok {
			return s
		}
		return now[f]
	}
	for changed := true; changed; {
		changed = false
		for _, f := range slices.Backward(list) { // most callees come after their callers
			if s := f.summarise(callee); s != now[f.fn] {
				now[f.fn] = s
				changed = true
			}
		}
	}
	for f, s := range now {
		p.done[f] = s
	}
	return now[fn]
}

// subject is a function whose summary is to be computed.
type subject struct {
	fn     *ssa.Function
	known  *summary      // its summary, if that does not depend on its code
	source *ssa.Function // the function with its code, or nil if there is none
}

// collect lists fn and the functions that it may call by static calls, directly or not, except those
// whose summaries are remembered. It returns false if there are more than maxFunctions, the remembered
// ones counted too: the answer must not depend on which questions came before.
func (p *Purity) collect(fn *ssa.Function) ([]subject, bool) {
	var list []subject
	seen := make(map[*ssa.Function]bool)
	todo := []*ssa.Function{fn}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[f] {
			continue
		}
		if len(seen) >= maxFunctions {
			return nil, false
		}
		seen[f] = true
		if _, done := p.done[f]; done {
			todo = append(todo, p.callees[f]...)
			continue
		}
		s := subject{fn: f, known: p.given(f)}
		if s.known == nil {
			s.source = p.source(f)
			p.callees[f] = staticCallees(s.source)
			todo = append(todo, p.callees[f]...)
		}
		list = append(list, s)
	}
	return list, true
}

// summarise computes the summary of a function, given the present summaries of its callees.
func (s subject) summarise(callee func(*ssa.Function) summary) summary {
	switch {
	case s.known != nil:
		return *s.known
	case s.source == nil, len(s.source.Params)+len(s.source.FreeVars) > maxRoots:
		return summary{impure: true}
	}
	return summarise(s.source, callee)
}

// staticCallees lists the functions that a function calls by name, none if fn is nil. Calls by go and
// defer are not among them, because they make their function impure (pointers.go).
func staticCallees(fn *ssa.Function) []*ssa.Function {
	if fn == nil {
		return nil
	}
	var out []*ssa.Function
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.Call); ok {
				if callee := c.Call.StaticCallee(); callee != nil {
					out = append(out, callee)
				}
			}
		}
	}
	return out
}

// given returns the summary of a function that needs no look at its code, or nil if there is none: functions
// of the standard library that the table in known.go has, and functions that the user declares to be pure.
func (p *Purity) given(fn *ssa.Function) *summary {
	if s, ok := knownSummary(fn); ok {
		return &s
	}
	if p.declared(fn) {
		return &summary{results: ^roots(0)} // its results may lead anywhere
	}
	return nil
}

// directive stands above a function that its author declares to be pure.
const directive = "//assay:pure"

// declared reports whether the user declares the function to be pure.
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

// source returns the function with its code, which for a dependency is loaded now. It returns nil if
// there is no code, or if loading it would be for nothing.
func (p *Purity) source(fn *ssa.Function) *ssa.Function {
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
