package random

import (
	"go/types"
	"slices"

	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// ownPath is a path in a draft, of a file or directory that is the test's own.
type ownPath struct {
	ref  testcase.Ref
	typ  types.Type
	kind purity.PathKind
}

// path makes a file or directory of the test's own, for a parameter or field that names one. It may be one that the draft
// has already: what one call writes another one reads.
func (e *engine) path(d *draft, v *types.Var) (testcase.Ref, bool) {
	if v == nil || !isText(v.Type()) {
		return testcase.Ref{}, false
	}
	kind := e.paths.Kind(v)
	if e.paths.Joined(v) && (kind == 0 || e.rnd.IntN(4) > 0) {
		if len(d.paths) == 0 {
			return testcase.Ref{}, false
		}
		return e.nameOfFile(d, v.Type())
	}
	if kind == 0 || len(d.stmts) > maxStmts/2 || e.rnd.IntN(10) == 0 {
		return testcase.Ref{}, false
	}
	for i := len(d.paths) - 1; i >= 0; i-- {
		if d.paths[i].kind&kind != 0 && types.Identical(d.paths[i].typ, v.Type()) && e.rnd.IntN(2) == 0 {
			return d.paths[i].ref, true
		}
	}
	list, made := e.givers.Files(), purity.FilePath
	if kind == purity.DirectoryPath || kind&purity.DirectoryPath != 0 && e.rnd.IntN(3) == 0 {
		list, made = e.givers.Directories(), purity.DirectoryPath
	}
	if len(list) == 0 {
		return testcase.Ref{}, false
	}
	from := len(d.stmts)
	d.stmts = list[e.rnd.IntN(len(list))].AppendTo(d.stmts)
	e.varyTexts(d.stmts, from)
	e.varyName(d, list)
	ref := testcase.Ref{Stmt: len(d.stmts) - 1}
	if !types.Identical(v.Type(), types.Typ[types.String]) {
		ref = d.add(e.convertOp(v.Type()), ref)
	}
	d.paths = append(d.paths, ownPath{ref, v.Type(), made})
	return ref, true
}

// varyName gives the file that the last statement of a draft joins to a directory, and that is not there yet, a name of those that the
// package's files have: code may ask for their extensions.
func (e *engine) varyName(d *draft, files []*testcase.Sequence) {
	last := d.stmts[len(d.stmts)-1]
	if last.Op.Via != nil || len(last.Args) != 2 {
		return
	}
	for _, s := range files {
		if h := s.Last().Op.Via; h != nil && len(h.Values) == 2 {
			at := &d.stmts[last.Args[1].Stmt]
			at.Op = e.chosenOp(at.Op.Type, h.Values[0], true, h.Values[0][e.rnd.IntN(len(h.Values[0]))])
			return
		}
	}
}

// nameOfFile makes the name of a file in a directory that another input names: any text but the name of a file or directory of the
// test's own.
func (e *engine) nameOfFile(d *draft, t types.Type) (testcase.Ref, bool) {
	for range 3 {
		mark := len(d.stmts)
		r, ok := e.value(d, t, 1)
		if !ok {
			break
		}
		if !purity.IsOwnPath(testcase.NewSequence(slices.Clone(d.stmts)...), r.Stmt) {
			return r, true
		}
		d.stmts = d.stmts[:mark]
		d.forget(mark)
	}
	return testcase.Ref{}, false
}

// parameter returns the i-th of the parameters of a call that its arguments are for, or nil if that is no parameter of a
// function of Go: the receiver, or an argument of a helper.
func parameter(op *testcase.Operation, i int) *types.Var {
	if op.Kind == testcase.OpSetField && i == 1 {
		return op.Var
	}
	if op.Kind != testcase.OpFunc || op.Via != nil || i >= op.Func.Signature().Params().Len() {
		return nil
	}
	return op.Func.Signature().Params().At(i)
}

// input returns the parameter or field that the k-th argument of an action behind the receiver is for, or nil.
func (a *action) input(k int) *types.Var {
	switch {
	case a.op.Kind == testcase.OpSetField:
		return a.op.Var
	case !a.op.IsCall() || a.op.Via != nil || k >= a.op.Func.Signature().Params().Len():
		return nil
	}
	return a.op.Func.Signature().Params().At(k)
}
