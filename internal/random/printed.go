package random

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// printedPart says that one of so many texts for a constructor or parser is the printed form of a value
// of its result type.
const printedPart = 6

// printed makes a text for a parameter of an action by printing a value of the action's own types with
// the type's own methods. A parser gets deep into its code with text that the same package wrote,
// perhaps from values that no test's text describes.
func (e *engine) printed(d *draft, a *action, param types.Type) (testcase.Ref, bool) {
	if len(a.reads) == 0 || e.rnd.IntN(printedPart) != 0 {
		return testcase.Ref{}, false
	}
	p := a.reads[e.rnd.IntN(len(a.reads))]
	mark := len(d.stmts)
	recv, ok := e.receiver(d, p.params[0])
	if !ok || len(d.stmts) > maxStmts/2 {
		d.stmts = d.stmts[:mark]
		d.forget(mark)
		return testcase.Ref{}, false
	}
	ref := d.add(p.op, recv)
	if types.Identical(p.results[0], param) {
		return ref, true
	}
	return d.add(e.convertOp(param), ref), true
}

// findPrinters notes for each action with a text parameter the methods that print a value which the
// action makes or changes.
func (e *engine) findPrinters() {
	for _, a := range e.actions {
		takes := false
		for i, t := range a.params {
			takes = takes || isText(t) && !(a.recv && i == 0)
		}
		if !takes {
			continue
		}
		own := a.results
		if a.recv {
			own = append(own[:len(own):len(own)], a.params[0])
		}
		for _, p := range e.actions {
			if p.recv && !p.private && len(p.params) == 1 && len(p.results) > 0 && isText(p.results[0]) && anySame(own, p.params[0]) {
				a.reads = append(a.reads, p)
			}
		}
	}
}

// anySame reports whether one of the types is t, a pointer to t, or the type that t points to.
func anySame(list []types.Type, t types.Type) bool {
	for _, u := range list {
		if types.Identical(pointed(u), pointed(t)) {
			return true
		}
	}
	return false
}

func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// isText reports whether t is a string or a slice of bytes.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0 || isBytes(t)
}
