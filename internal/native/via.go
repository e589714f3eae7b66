package native

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/testcase"
)

// via registers the call of an operation's function through its helper. If the function is a method, the
// receiver is a value of type on.
func (g *registry) via(o *testcase.Operation, on types.Type) (int, error) {
	key := "h " + o.Via.Key() + " " + o.Func.FullName() + typeKeys(o.TypeArgs)
	if on != nil {
		key += "@" + rewrite.TypeKey(on)
	}
	return g.add(key, &g.funcs, func() (string, error) {
		name, err := g.helper(o.Via)
		if err != nil {
			return "", err
		}
		return g.wrapper(o, on, name)
	})
}

// helper declares a helper's function in the harness and returns the name that it has there.
func (g *registry) helper(h *testcase.Helper) (string, error) {
	i, err := g.add("helper "+h.Key(), &g.helpers, func() (string, error) {
		name := fmt.Sprintf("%sh%d", g.sp.prefix, len(g.helpers))
		g.checks = append(g.checks, h.BriefSource(name, g.sp.importOrOwn, func(other string) string { return name + "_" + other }))
		return name, nil
	})
	if err != nil {
		return "", err
	}
	return g.helpers[i], nil
}

// testOfCase declares a type in the harness whose values stand for the test that a helper is given, and returns its name.
func (g *registry) testOfCase() string {
	p := g.sp.prefix
	name := p + "test"
	// Adding it cannot fail, because everything in the text can be spelled.
	_, _ = g.add("the test of a case", &g.helpers, func() (string, error) {
		g.checks = append(g.checks, fmt.Sprintf("type %[1]s struct{ %[2]stesting.TB }\n\n"+
			"func (%[1]s) Helper() {}\n\nfunc (%[1]s) TempDir() string { return %[2]srt.TempDir() }\n\n"+
			"func (%[1]s) Setenv(key, value string) { %[2]srt.Setenv(key, value) }\n\n"+
			"func (%[1]s) Cleanup(f func()) { %[2]srt.Cleanup(f) }\n\n"+
			"func (%[1]s) Fatal(args ...%[2]srt.Any) { %[2]srt.Fatal(args...) }\n", name, p))
		return name, nil
	})
	return name
}

// importOrOwn does the same as importName, but returns "" for the package under test.
func (s *speller) importOrOwn(path string) string {
	if path == s.pkg.Path() {
		return ""
	}
	return s.importName(path)
}

// wrapper returns a function literal that calls a helper, with the function that the helper drives. The
// literal refuses arguments that the helper cannot be called with.
func (g *registry) wrapper(o *testcase.Operation, on types.Type, helper string) (string, error) {
	p := g.sp.prefix
	var params, args []string
	add := func(t types.Type) (string, error) {
		s, err := g.sp.typ(t)
		name := fmt.Sprintf("%s%d", p, len(params))
		params = append(params, name+" "+s)
		return name, err
	}
	recv, function := "", ""
	var err error
	switch {
	case on != nil:
		if recv, err = add(on); err != nil {
			return "", err
		}
	case o.Drives():
		if function, err = g.sp.object(o.Func); err != nil {
			return "", err
		}
	}
	for v := range o.Via.Sig.Params().Variables() {
		name, err := add(v.Type())
		if err != nil {
			return "", err
		}
		args = append(args, name)
	}
	var results []string
	for v := range o.Via.Sig.Results().Variables() {
		s, err := g.sp.typ(v.Type())
		if err != nil {
			return "", err
		}
		results = append(results, s)
	}
	guard := ""
	if o.Via.Guard != "" {
		guard = p + "rt.Try(func() { " + o.Via.GuardSource(args, g.sp.importName) + " }); "
	}
	if o.Via.OfTest {
		args = append([]string{g.testOfCase() + "{}"}, args...)
	}
	if o.Drives() {
		args = append([]string{o.Driven(recv, on, function, g.sp.importName)}, args...)
	}
	back := "return "
	if len(results) == 0 {
		back = ""
	}
	return fmt.Sprintf("func(%s) (%s) { %s%s%s(%s) }", strings.Join(params, ", "), strings.Join(results, ", "), guard, back, helper, strings.Join(args, ", ")), nil
}

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
