package finding

import (
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// This file says whose fault it is that a call ends for want of memory or patience: the caller's, who asked for too much, or
// that of a loop that would never end.

// NeverEnds reports whether the call that a finding is about ends for no number, however small, because of a loop of which
// nothing that it does changes whether it goes on.
func NeverEnds(pkg *load.Package, f *testcase.Finding) bool {
	return neverEnds(pkg, pkg.Target(f.Func), f.Case.Observed, f.Kind)
}

// neverEnds is NeverEnds of an outcome. Where there was no memory left, the place of the loop may not be known.
func neverEnds(pkg *load.Package, target *load.Target, o *testcase.Outcome, kind string) bool {
	noMemory, stack := o.Message == testcase.OutOfMemory, FramesOf(pkg, o)
	if len(stack) == 0 {
		return noMemory && target != nil && purity.HasEndless(target.Func)
	}
	return (kind == "hang" || noMemory) && purity.Endless(pkg, stack)
}

// hasText reports whether a sequence passes texts or bytes that are not empty, which may come from outside.
func hasText(seq *testcase.Sequence) bool {
	for i := range seq.Len() {
		st := seq.At(i)
		switch st.Op.Kind {
		case testcase.OpLiteral:
			if st.Op.Lit.Kind == testcase.LitString && st.Op.Lit.Str != "" {
				return true
			}
		case testcase.OpComposite:
			slice, ok := st.Op.Type.Underlying().(*types.Slice)
			if ok && types.Identical(slice.Elem(), types.Typ[types.Byte]) && len(st.Args) > 0 {
				return true
			}
		}
	}
	return false
}
