package native

import (
	"go/types"
	"strconv"
	"strings"
)

// checked returns the expression of the function run that calls method m behind its contract. The receiver
// has type recv; the expression takes the value or a pointer to it, as m requires.
func (g *registry) checked(run string, m *types.Func, recv types.Type) (string, error) {
	sig := m.Signature()
	declared := types.Unalias(sig.Recv().Type())
	base := declared
	if p, ok := declared.(*types.Pointer); ok {
		base = types.Unalias(p.Elem())
	}
	if named, ok := base.(*types.Named); ok && named.TypeArgs().Len() > 0 {
		var args []string
		for t := range named.TypeArgs().Types() {
			s, err := g.sp.typ(t)
			if err != nil {
				return "", err
			}
			args = append(args, s)
		}
		run += "[" + strings.Join(args, ", ") + "]"
	}
	if types.Identical(declared, recv) {
		return run, nil
	}
	// The method is found through an embedded field, or through a pointer to the receiver's value.
	if !types.Identical(types.NewPointer(declared), recv) {
		s, err := g.sp.typ(recv)
		return "(" + s + ")." + m.Name(), err
	}
	params := make([]string, 0, sig.Params().Len())
	args := []string{"*x"}
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		dots := ""
		if sig.Variadic() && i == sig.Params().Len()-1 {
			t, dots = t.(*types.Slice).Elem(), "..."
		}
		s, err := g.sp.typ(t)
		if err != nil {
			return "", err
		}
		name := "p" + strconv.Itoa(i)
		params = append(params, name+" "+dots+s)
		args = append(args, name+dots)
	}
	var results []string
	for v := range sig.Results().Variables() {
		s, err := g.sp.typ(v.Type())
		if err != nil {
			return "", err
		}
		results = append(results, s)
	}
	s, err := g.sp.typ(recv)
	if err != nil {
		return "", err
	}
	word := ""
	if len(results) > 0 {
		word = "return "
	}
	return "func(" + strings.Join(append([]string{"x " + s}, params...), ", ") + ") (" + strings.Join(results, ", ") + ") { " +
		word + run + "(" + strings.Join(args, ", ") + ") }", nil
}
