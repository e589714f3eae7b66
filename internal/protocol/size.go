package protocol

import (
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// size checks that the methods of a container that tell its number of elements agree: Len (or Size, Count),
// IsEmpty (or Empty), and the length of the list of its elements. If several methods return a list, one of
// them has to agree: a map may have several lists, and only one may be as long as Len says.
func size(s *subject) []*testcase.Check {
	if s.typ == nil {
		return nil
	}
	var number *types.Func
	for _, name := range []string{"Len", "Size", "Count"} {
		if f, _ := s.method(name); number == nil && hasSignature(f, nil, []types.Type{intType}) && f.Pkg() == s.pkg {
			number = f
		}
	}
	if number == nil {
		return nil
	}
	n := `x.` + number.Name() + `()`
	t := types.NewPointer(s.typ)
	var out []*testcase.Check
	for _, name := range []string{"IsEmpty", "Empty"} {
		if f, _ := s.method(name); hasSignature(f, nil, []types.Type{boolType}) && f.Pkg() == s.pkg {
			out = append(out, s.check(f, "check"+name, "reports whether "+name+" and "+number.Name()+" agree.", t, 1,
				`if n := `+n+`; n >= 0 && x.`+name+`() != (n == 0) {`,
				`	return «errors».New("`+name+` and `+number.Name()+` do not agree")`,
				`}`,
				`return nil`)...)
		}
	}
	var lists, unlike []string
	for _, name := range []string{"Keys", "Values", "Items", "Elements", "Entries", "ToSlice", "Slice"} {
		f, _ := s.method(name)
		if !hasSignature(f, nil, []types.Type{nil}) || f.Pkg() != s.pkg {
			continue
		}
		if _, ok := f.Signature().Results().At(0).Type().Underlying().(*types.Slice); ok {
			lists = append(lists, name)
			unlike = append(unlike, `len(x.`+name+`()) != n`)
		}
	}
	if len(lists) > 0 {
		out = append(out, s.check(number, "check"+number.Name(), "reports whether "+number.Name()+" is how many elements there are.", t, 1,
			`if n := `+n+`; `+strings.Join(unlike, ` && `)+` {`,
			`	return «errors».New("`+strings.Join(lists, " and ")+` and `+number.Name()+` do not agree")`,
			`}`,
			`return nil`)...)
	}
	return out
}
