package purity

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"sync"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
	"golang.org/x/tools/go/ssa"
)

// This file decides which functions are pure. A function is pure if a call of it changes no memory
// that existed before the call, sends and receives nothing, and starts nothing. It may allocate memory
// and change that, read anything, and panic.
//
// The answer comes from a summary of each function: the memory that a call may change, and the memory
// that its results may lead to. Both are sets of roots (pointers.go), such as "memory that the second
// parameter leads to". The summary of a function depends on those of the functions that it calls:
//
//  1. collect lists the function in question and all functions that it may call, directly or not.
//  2. solve gives each of them the summary "changes nothing" and then computes all summaries again and
//     again, until none changes. summariseBody (pointers.go) computes one from the function's
//     instructions and the current summaries of its callees.
//  3. The last summaries are remembered, so a later question about a callee is answered at once.
//
// A summary that is computed again can only name more memory than before, and there are finitely many
// roots. So the loop in solve ends, also for recursive functions.
//
// Whatever cannot be followed (function values, methods of interfaces, code without source) makes its
// caller impure. Therefore "pure" is a proof, and "not pure" may only mean that no proof was found.

// summary says what a call of a function may do.
type summary struct {
	changes roots // memory that it may change
	results roots // memory that its results may lead to
	// impure says that a call may do something that roots do not describe: use channels, start goroutines, or
	// call unknown code. Then changes and results need not be complete.
	impure bool
}

func (s summary) pure() bool { return !s.impure && s.changes == 0 }

// maxFunctions bounds the functions reachable from one function by static calls, itself included. Above
// it the function counts as impure. Functions with remembered summaries count too, so the answer does not
// depend on earlier questions.
const maxFunctions = 500

// Analysis answers what calls of a program's functions change, and remembers its answers. It may be used
// by several goroutines. They wait for one another, also while an answer needs the source of a dependency
// and loads it: a second question would often need the same source and the same summaries.
type Analysis struct {
	prog *load.Program

	// mu guards the fields below. Unexported methods other than summaryOf want it to be held.
	mu      sync.Mutex
	done    map[*ssa.Function]summary         // the final summaries
	callees map[*ssa.Function][]*ssa.Function // the static callees of functions that were summarised from code
}

// New returns an analysis of the program's functions.
func New(prog *load.Program) *Analysis {
	return &Analysis{prog: prog, done: make(map[*ssa.Function]summary), callees: make(map[*ssa.Function][]*ssa.Function)}
}

// Pure reports whether every call of fn is certainly pure.
func (a *Analysis) Pure(fn *ssa.Function) bool { return a.summaryOf(fn).pure() }

// Effects is what calls of a function may do at most.
type Effects struct {
	Beyond    bool // calls may change memory that no argument leads to, or do something that is not known
	Arguments bool // calls may change memory by way of an argument or the receiver
	Results   bool // results may share memory with an argument or a package-level variable
}

// EffectsOf returns the effects of calls of fn. If it is not known what calls of fn do, they may do
// everything.
func (a *Analysis) EffectsOf(fn *ssa.Function) Effects {
	s := a.summaryOf(fn)
	if s.impure {
		return Effects{Beyond: true, Arguments: true, Results: true}
	}
	far := rootGlobal | rootUnknown
	return Effects{Beyond: s.changes&far != 0, Arguments: s.changes&^rootGlobal != 0, Results: s.results != 0}
}

// summaryOf returns the summary of fn, which it computes at the first question.
func (a *Analysis) summaryOf(fn *ssa.Function) summary {
	a.mu.Lock()
	defer a.mu.Unlock()
	if s, ok := a.done[fn]; ok {
		return s
	}
	return a.solve(fn)
}

// solve computes the summaries of fn and of all functions that it may call, and remembers them.
func (a *Analysis) solve(fn *ssa.Function) summary {
	list, ok := a.collect(fn)
	if !ok {
		a.done[fn] = summary{impure: true}
		return a.done[fn]
	}
	// Each callee has a final summary or is in the list. The current summary of a function in the list is
	// at first the zero value: it changes nothing.
	current := make(map[*ssa.Function]summary, len(list))
	callee := func(f *ssa.Function) summary {
		if s, ok := a.done[f]; ok {
			return s
		}
		return current[f]
	}
	for changed := true; changed; {
		changed = false
		for _, f := range slices.Backward(list) { // most callees come after their callers
			if s := f.summarise(callee); s != current[f.fn] {
				current[f.fn] = s
				changed = true
			}
		}
	}
	for f, s := range current {
		a.done[f] = s
	}
	return current[fn]
}

// unsolved is a function whose summary is being computed.
type unsolved struct {
	fn    *ssa.Function
	given *summary      // its summary if that is known without its code, otherwise nil
	body  *ssa.Function // the function with its code, or nil if there is none
}

// collect lists fn and the functions that it may call by static calls, directly or not, except those
// that have a final summary. It returns false if fn reaches more than maxFunctions functions; those with a
// final summary count, too.
func (a *Analysis) collect(fn *ssa.Function) ([]unsolved, bool) {
	var list []unsolved
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
		if _, done := a.done[f]; done {
			todo = append(todo, a.callees[f]...)
			continue
		}
		u := unsolved{fn: f, given: a.given(f)}
		if u.given == nil {
			u.body = a.body(f)
			a.callees[f] = staticCallees(u.body)
			todo = append(todo, a.callees[f]...)
		}
		list = append(list, u)
	}
	return list, true
}

// summarise computes the summary of the function from the current summaries of its callees.
func (u unsolved) summarise(callee func(*ssa.Function) summary) summary {
	switch {
	case u.given != nil:
		return *u.given
	case u.body == nil:
		return summary{impure: true}
	case len(u.body.Params)+len(u.body.FreeVars) > maxRoots:
		return summary{impure: true} // a set of roots has too few bits for its inputs
	}
	return summariseBody(u.body, callee)
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

// given returns a summary that is known without analysis: from the table of the standard library
// (known.go), or from the directive of a function that the user declares to be pure. It returns nil if
// there is neither.
func (a *Analysis) given(fn *ssa.Function) *summary {
	if s, ok := knownSummary(fn); ok {
		return &s
	}
	if a.declared(fn) {
		return &summary{results: ^roots(0)} // its results may lead anywhere
	}
	return nil
}

// directive stands above a function that its author declares to be pure.
const directive = "//assay:pure"

// declared reports whether the directive stands above the function.
func (a *Analysis) declared(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	for _, pkg := range a.prog.Packages {
		if pkg.Types != obj.Pkg() {
			continue
		}
		fd := pkg.Func(obj.Origin())
		return fd != nil && fd.Doc != nil && slices.ContainsFunc(fd.Doc.List, func(c *ast.Comment) bool { return strings.TrimSpace(c.Text) == directive })
	}
	return false
}

// body returns the function with its code, which for a dependency is loaded now. It returns nil if there is
// no code, if its package is known to be beyond this analysis (hopeless), or if its source cannot be
// loaded. In all three cases the function counts as impure.
func (a *Analysis) body(fn *ssa.Function) *ssa.Function {
	if len(fn.Blocks) > 0 {
		return fn
	}
	if obj := fn.Object(); obj == nil || obj.Pkg() == nil || hopeless(obj.Pkg().Path()) {
		return nil
	}
	body, err := a.prog.Body(fn)
	if err != nil || len(body.Blocks) == 0 {
		return nil
	}
	return body
}

// PureCalls returns a function that reports whether a call in a sequence changes nothing that outlives it. It decides by
// analysis, not by name, whether a method changes its receiver or only reads it.
func (a *Analysis) PureCalls(pkg *load.Package) func(*testcase.Operation) bool {
	return func(op *testcase.Operation) bool {
		if op.Func == nil {
			return false
		}
		t := pkg.FirstTargetOf(op.Func)
		if len(op.TypeArgs) > 0 {
			t = pkg.TargetOf(op.Func, op.TypeArgs)
		}
		return t != nil && t.Func != nil && a.Pure(t.Func)
	}
}
