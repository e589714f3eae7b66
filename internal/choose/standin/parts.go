// Package standin knows what tests pass where engines pass stand-ins: functions that look at their arguments, objects of the
// package that implement an interface, and ready-made values of the standard library. A stand-in returns the same whatever it is
// given, so a test with it cannot show which arguments it was given.
//
//  1. [Parts.LearnRecipes] finds the shortest calls that made objects of the package's types in executed cases (recipe.go).
//  2. [Parts.Ways] are the proposals, by step: each is a case's sequence with other statements, and package choose takes it
//     where the test still shows what it is for (parts.go). What they pass is in values.go.
//  3. [Parts.Operations] are the operations that a harness needs to run such proposals.
//
// Nothing here runs anything.
//
// Not supported: an object takes the place of a stand-in only if its type is a container that runs have shown how to fill
// (Fillers).
//
// Where to start: a ready-made value goes into package giver; a further kind of replacement is a method that returns a
// [plain.Way], and a step in [Parts.Ways].
package standin

import (
	"go/types"

	"github.com/goassay/assay/internal/choose/record"
	"github.com/goassay/assay/internal/container"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// Parts knows values that people pass where engines pass stand-ins in cases of a package. Pkg and Givers are needed; without
// Fillers no object of the package takes the place of a stand-in.
type Parts struct {
	Pkg     *load.Package
	Givers  *giver.Room
	Fillers []*container.Filler

	recipes map[string][]plain.Part // by type, calls that made objects of the package in some run
	passed  map[string][]passed     // by interface of the package, calls that returned objects as one
}

// mostFunctions is how many functions of one type are tried in place of a stand-in.
const mostFunctions = 3

// Ways returns, by step, the ways to use real parts in place of stand-ins and a value in place of a nil
// that does not matter. There are several for each place, because a call that rejects its first
// argument may accept another.
func (p *Parts) Ways() [][]plain.Way {
	var ready []plain.Way
	for n := range mostFunctions {
		ready = append(ready, p.instead(func(op *testcase.Operation) (plain.Part, bool) { return p.readyMade(op, n) }))
	}
	var made []plain.Way
	for n := range mostRecipes {
		made = append(made, p.made(n))
	}
	var held []plain.Way
	for n := range mostHeld {
		held = append(held, p.held(n))
	}
	var values []plain.Way
	for _, apart := range []bool{true, false} {
		for n := range mostFunctions {
			values = append(values, p.values(n, apart))
		}
	}
	var written []plain.Way
	for n := range mostFunctions {
		written = append(written, p.written(n))
	}
	steps := [][]plain.Way{{p.instead(p.emptyWriter)}, made, held, {plain.Held}, p.Passed()[0], {record.Unrecorded}, {p.instead(p.implementation)}, ready, values, written, {p.given}, {p.plainRequests}}
	for n := range mostNils {
		steps = append(steps, []plain.Way{p.notNil(n)})
	}
	steps = append(steps, held)         // a stand-in took the place of a nil
	return append(steps, p.Passed()...) // some functions need the value that took the place of a nil
}

// Passed returns, by step, the ways to pass functions that people pass in place of stand-ins, without noting their calls.
func (p *Parts) Passed() [][]plain.Way {
	var functions []plain.Way
	for n := range mostFunctions {
		functions = append(functions, p.instead(func(op *testcase.Operation) (plain.Part, bool) { return p.function(op, n) }))
	}
	return [][]plain.Way{functions, {record.Unrecorded}}
}

// instead returns a way that replaces the statements for which part knows a replacement.
func (p *Parts) instead(part func(*testcase.Operation) (plain.Part, bool)) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		with := make(map[int]plain.Part)
		for i := range c.Seq.Len() {
			if made, ok := part(c.Seq.At(i).Op); ok {
				with[i] = made
			}
		}
		return plain.Replaced(c.Seq, with)
	}
}

// mostNils is how many nils of a case are tried to be replaced, one after the other.
const mostNils = 3

// notNil returns a way that passes something where the n-th nil of an interface of the package, or of a
// function, stands. A nil that another package takes stays: a request without a body is plainer than one with a
// body that nobody reads.
func (p *Parts) notNil(n int) plain.Way {
	return func(_ *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
		seen := 0
		foreign := make(map[int]bool)
		for i := range c.Seq.Len() {
			if st := c.Seq.At(i); st.Op.Kind == testcase.OpFunc && !p.isOwnFunc(st.Op.Func) {
				for _, a := range st.Args {
					foreign[a.Stmt] = true
				}
			}
		}
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if op.Kind != testcase.OpZero || foreign[i] {
				continue
			}
			part, ok := p.something(op.Type)
			if !ok {
				continue
			}
			if seen++; seen > n {
				return plain.Replaced(c.Seq, map[int]plain.Part{i: part})
			}
		}
		return nil, false
	}
}

// WithoutNil returns a case that passes something in place of each nil for an interface of the package or a function. With nil
// only the calls that fail before they use it would return.
func (p *Parts) WithoutNil(c *testcase.Case) *testcase.Case {
	d := *c
	for range mostNils {
		seq, ok := p.notNil(0)(p.Pkg, &d)
		if !ok {
			break
		}
		d.Seq = seq
	}
	return &d
}

// something returns a value for an interface of the package, a function type, or a type that has ready-made
// values: an implementation, a function that people pass, or a stand-in that returns zero values.
func (p *Parts) something(t types.Type) (plain.Part, bool) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return p.function(&testcase.Operation{Kind: testcase.OpStubFunc, Type: t}, 0)
	case *types.Interface:
		stub := &testcase.Operation{Kind: testcase.OpStubIface, Type: t}
		if part, ok := p.implementation(stub); ok {
			return part, true
		}
		if part, ok := p.readyMade(stub, 0); ok {
			return part, true
		}
		if !p.isOwn(t) || u.NumMethods() == 0 || !u.IsMethodSet() {
			return plain.Part{}, false
		}
		return plain.Part{Seq: testcase.NewSequence(testcase.Statement{Op: stub})}, true
	}
	return p.readyMade(&testcase.Operation{Kind: testcase.OpAddr, Type: t}, 0)
}

// Operations returns the operations of the parts that can replace stand-ins and nils in the cases.
func (p *Parts) Operations(cases []*testcase.Case) []*testcase.Operation {
	var out []*testcase.Operation
	seen := make(map[types.Type]bool)
	for _, c := range cases {
		for i := range c.Seq.Len() {
			op := c.Seq.At(i).Op
			if values, ok := p.givenFor(c.Seq, i); ok {
				for _, st := range values[0].AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
			if p.hasPlainer(c.Seq, i) && !seen[c.Seq.ResultTypes()[i][0]] {
				seen[c.Seq.ResultTypes()[i][0]] = true
				for _, st := range p.Givers.Values(c.Seq.ResultTypes()[i][0])[0].AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
			if op.Kind != testcase.OpStubFunc && op.Kind != testcase.OpStubIface && op.Kind != testcase.OpZero && op.Kind != testcase.OpAddr || seen[op.Type] {
				continue
			}
			seen[op.Type] = true
			var parts []plain.Part
			if op.Kind == testcase.OpZero {
				if part, ok := p.something(op.Type); ok {
					parts = append(parts, part)
				}
			}
			for n := range mostFunctions {
				if part, ok := p.function(op, n); ok {
					parts = append(parts, part)
				}
				if part, ok := p.readyMade(op, n); ok {
					parts = append(parts, part)
				}
			}
			if part, ok := p.implementation(op); ok {
				parts = append(parts, part)
			}
			for _, part := range parts {
				for _, st := range part.Seq.AppendTo(nil) {
					out = append(out, st.Op)
				}
			}
		}
	}
	return out
}

// isOwn reports whether a type is one of the package's own.
func (p *Parts) isOwn(t types.Type) bool {
	named := load.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == p.Pkg.Path
}

// isOwnFunc reports whether a function is one of the package's own.
func (p *Parts) isOwnFunc(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == p.Pkg.Path
}
