package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/observer"
	"github.com/goassay/assay/internal/testcase"
)

// Needs returns operations that sequences over a package are likely to use in addition to its own
// functions: operations that make arguments for its functions. A harness that is built with them need
// not be built again when one of them is used for the first time, which takes a second each, and more
// on a busy machine.
func Needs(prog *load.Program, pkg *load.Package) []*testcase.Operation {
	n := &needs{engine: newEngine(Subject{Prog: prog, Pkg: pkg}, Config{}, nil), seen: map[string]bool{}}
	if n.giversErr != nil {
		return nil // Run says so
	}
	n.of(types.Universe.Lookup("error").Type(), 0)
	for _, imp := range n.pkg.Types.Imports() {
		if imp.Path() == "context" { // also where only functions in fields are given one
			n.of(imp.Scope().Lookup("Context").Type(), 0)
		}
	}
	for _, s := range slices.Concat(n.givers.Files(), n.givers.Directories()) {
		for i := range s.Len() {
			n.ops = append(n.ops, s.At(i).Op)
		}
	}
	if answers := n.givers.Answers(); answers != nil {
		n.ops = append(n.ops, answers.Op)
	}
	n.ops = append(n.ops, n.givers.Called().Functions()...)
	if n.commandLine != nil {
		n.ops = append(n.ops, n.commandLine)
	}
	if n.wait != nil {
		n.ops = append(n.ops, n.wait)
	}
	if n.fake != nil && n.fake.Settle != nil {
		n.ops = append(n.ops, n.fake.Settle)
	}
	for _, a := range n.actions {
		if a.op.Via != nil {
			n.ops = append(n.ops, a.op)
		}
		for _, r := range a.results {
			if _, ok := observer.Receivable(r); ok {
				n.ops = append(n.ops, observer.Receive(r))
			}
			if f := n.givers.ServeHTTP(r); f != nil && f.Pkg() != n.pkg.Types { // a handler that a function makes is asked
				n.ops = append(n.ops, &testcase.Operation{Kind: testcase.OpMethod, Func: f, Via: n.givers.Driver(f)})
			}
		}
		for _, t := range a.params {
			n.of(t, 0)
		}
		d := &draft{}
		for range a.settings {
			n.chooseSettings(d, a)
		}
		for _, st := range d.stmts {
			n.ops = append(n.ops, st.Op)
		}
		for _, t := range n.dynamic.of(a.name) {
			n.ops = append(n.ops, n.zeroOp(t))
			n.of(t, 1)
		}
		if decodes(a.name) {
			for _, t := range n.dynamic.kindsOf(a.name) {
				n.ops = append(n.ops, n.zeroOp(t), n.addrOp(types.NewPointer(t)))
			}
		}
	}
	return n.ops
}

// needs gathers the operations.
type needs struct {
	*engine
	seen map[string]bool // types, by their keys
	ops  []*testcase.Operation
}

// of adds operations that make values of a type.
func (n *needs) of(t types.Type, level int) {
	key := n.pool.keys.of(t)
	if n.seen[key] || level > maxLevel {
		return
	}
	n.seen[key] = true
	if nameable(t, n.pkg) {
		n.ops = append(n.ops, n.zeroOp(t))
	}
	for _, s := range n.givers.Values(t) {
		for i := range s.Len() {
			n.ops = append(n.ops, s.At(i).Op)
		}
	}
	for _, m := range n.factories[key] {
		n.ops = append(n.ops, m.op)
		for _, p := range m.params {
			n.of(p, level+1)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		n.ops = append(n.ops, n.functions(t, u)...)
		for r := range u.Results().Variables() {
			n.of(r.Type(), level+1)
		}
	case *types.Interface:
		if u.NumMethods() == 0 {
			return
		}
		for _, impl := range n.implementations(t, u) {
			n.ops = append(n.ops, n.zeroOp(impl))
			n.of(impl, level+1)
		}
		n.stub(t, u, level)
	case *types.Pointer:
		n.of(u.Elem(), level)
	case *types.Slice:
		n.of(u.Elem(), level)
	case *types.Array:
		n.of(u.Elem(), level+1)
	case *types.Map:
		n.of(u.Key(), level+1)
		n.of(u.Elem(), level+1)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() {
				n.of(f.Type(), level+1)
			}
		}
	}
}

// stub adds what a stand-in for an interface needs, and what its methods return.
func (n *needs) stub(t types.Type, i *types.Interface, level int) {
	if !i.IsMethodSet() || gosyntax.IsError(t) {
		return
	}
	for m := range i.Methods() {
		if !m.Exported() && m.Pkg() != n.pkg.Types {
			return
		}
	}
	n.ops = append(n.ops, &testcase.Operation{Kind: testcase.OpStubIface, Type: t})
	for m := range i.Methods() {
		for r := range m.Signature().Results().Variables() {
			n.of(r.Type(), level+1)
		}
	}
}
