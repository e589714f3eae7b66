package random

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// printedPart is which part of the texts that are passed to what makes a value are what a
// value of that type prints as.
const printedPart = 6

// printed makes, for a parameter of an action that is a text, what a value of one of the
// action's own types is written as by its own methods: what reads texts is reached best by
// what it wrote itself, perhaps after changes that no text in the tests has seen.
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

// findPrinters notes for each action that takes a text which methods write one of what the
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

// anySame reports whether one of the types is t, or a pointer to it, or what it points to.
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
