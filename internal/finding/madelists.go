package finding

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file is about lists with a type of their own that functions of its package make: an option that is a list of one element
// or nil (Some and None of moznion/go-optional), a mask of four or sixteen bytes (NewHostMask of iplib), an address (net.ParseIP).
// The language lets anybody write such a list with any number of elements, and nobody does.

// listMaker returns an exported function of the package of a named list type that returns such a list, or nil for other types.
func listMaker(t types.Type) *types.Func {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return nil
	}
	if _, isList := t.Underlying().(*types.Slice); !isList {
		return nil
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		fn, ok := scope.Lookup(name).(*types.Func)
		if !ok || !fn.Exported() || fn.Signature().Results().Len() == 0 {
			continue
		}
		made, ok := types.Unalias(fn.Signature().Results().At(0).Type()).(*types.Named)
		if ok && made.Origin() == named.Origin() {
			return fn
		}
	}
	return nil
}

// writtenList returns the maker of a list that an operation writes element by element, or nil if it writes no such list. A list
// that is nil is often one that the maker returns.
func writtenList(op *testcase.Operation) *types.Func {
	if op.Kind != testcase.OpComposite && op.Kind != testcase.OpConvert {
		return nil
	}
	return listMaker(op.Type)
}

// handWritten returns a key for a finding in which an index does not fit a list that the test has written so, and that is passed to the
// failing call, and "" for any other one. Every function that takes the first element fails alike.
func handWritten(f *testcase.Finding) string {
	if !isBound(f.Kind) {
		return ""
	}
	seq := f.Case.Seq
	for _, a := range seq.Last().Args {
		if op := seq.At(a.Stmt).Op; writtenList(op) != nil {
			return "written " + load.NamedOf(op.Type).Origin().String()
		}
	}
	return ""
}
