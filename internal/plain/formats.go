package plain

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// Formats returns the sequence of a case in which a format that a function of the package takes mentions the arguments
// behind it. The go command refuses tests that pass arguments which their format does not mention.
func Formats(pkg *load.Package, c *testcase.Case) (*testcase.Sequence, bool) {
	seq, changed := c.Seq, false
	for i := range c.Seq.Len() {
		st := c.Seq.At(i)
		if !ownCall(pkg, st.Op) {
			continue
		}
		n := st.Op.Func.Signature().Params().Len()
		if !takesFormat(st.Op.Func) || len(st.Args) < 2 {
			continue
		}
		args := st.Args
		if st.Op.Kind == testcase.OpMethod {
			args = args[1:]
		}
		if len(args) != n {
			continue
		}
		list := c.Seq.At(args[n-1].Stmt)
		text, ok := TextOf(pkg, c.Seq, args[n-2].Stmt)
		if !ok || list.Op.Kind != testcase.OpComposite && list.Op.Kind != testcase.OpZero {
			continue
		}
		format := text
		for strings.HasSuffix(format, "%v") { // of the arguments that there were when the format was made
			format = strings.TrimSpace(strings.TrimSuffix(format, "%v"))
		}
		if strings.Contains(format, "%") {
			continue
		}
		if format = strings.TrimSpace(format + strings.Repeat(" %v", len(list.Args))); format == text {
			continue
		}
		with, ok := WithText(seq, args[n-2].Stmt, format)
		if ok && with.Len() == c.Seq.Len() { // statements have the numbers that they had
			seq, changed = with, true
		}
	}
	return seq, changed
}

// takesFormat reports whether the last parameters of a function are a text and any number of values of any type.
func takesFormat(f *types.Func) bool {
	sig := f.Signature()
	n := sig.Params().Len()
	if !sig.Variadic() || n < 2 {
		return false
	}
	list, ok := sig.Params().At(n - 1).Type().(*types.Slice)
	if !ok {
		return false
	}
	elem, isInterface := list.Elem().Underlying().(*types.Interface)
	b, isBasic := sig.Params().At(n - 2).Type().Underlying().(*types.Basic)
	return isInterface && elem.Empty() && isBasic && b.Info()&types.IsString != 0
}
