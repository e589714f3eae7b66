package emit

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// helpers are the functions and stub types that the tests of a file share, each
// declared once per file and only if a test uses it.
type helpers struct {
	local map[string]string // kind of helper to its name in this file
	stubs []*stubType
	check []*checkFunc
	via   []*viaFunc
	order []string // kinds in the order of their first use

	builders []*builderFunc
	pointers []*pointerFunc
}

// pointerFunc is a function that returns a pointer to a value, where there are no generics.
type pointerFunc struct {
	name string
	elem types.Type
}

// stubType is a type that implements an interface for tests.
type stubType struct {
	name  string
	iface types.Type
}

// checkFunc is a function that checks a contract.
type checkFunc struct {
	name  string
	check *testcase.Check
}

// check returns the name in this file of the function that checks a contract.
func (w *writer) check(c *testcase.Check) string {
	for _, f := range w.helpers.check {
		if f.check.Key() == c.Key() {
			return f.name
		}
	}
	f := &checkFunc{w.names.pick(c.Name), c}
	w.helpers.check = append(w.helpers.check, f)
	return f.name
}

// helper returns the name in this file of the helper of the given kind.
func (w *writer) helper(kind string) string {
	if n, ok := w.helpers.local[kind]; ok {
		return n
	}
	n := w.names.pick(kind)
	w.helpers.local[kind] = n
	w.helpers.order = append(w.helpers.order, kind)
	return n
}

// stub returns the name in this file of the stub type for an interface.
func (w *writer) stub(iface types.Type) string {
	for _, s := range w.helpers.stubs {
		if types.Identical(s.iface, iface) {
			return s.name
		}
	}
	base := "stub"
	if n := named(iface); n != nil {
		base += upperFirst(n.Obj().Name())
	}
	s := &stubType{w.names.pick(base), iface}
	w.helpers.stubs = append(w.helpers.stubs, s)
	return s.name
}

// pointerMaker returns the name in this file of the function that returns a pointer to its
// argument, of the given type: what one generic function does from Go 1.18 on.
func (w *writer) pointerMaker(elem types.Type) string {
	for _, f := range w.helpers.pointers {
		if types.Identical(f.elem, elem) {
			return f.name
		}
	}
	base := "ptr"
	if n, ok := types.Unalias(elem).(interface{ Obj() *types.TypeName }); ok {
		base = lowerFirst(n.Obj().Name()) + "Ptr"
	} else if b, ok := types.Unalias(elem).(*types.Basic); ok {
		base = b.Name() + "Ptr"
	}
	f := &pointerFunc{w.names.pick(base, "ptr"), elem}
	w.helpers.pointers = append(w.helpers.pointers, f)
	return f.name
}

// declarations returns the text of each helper by the name that it declares.
func (w *writer) declarations() (names, texts []string) {
	for _, s := range w.helpers.stubs {
		names = append(names, s.name)
		texts = append(texts, w.stubText(s))
	}
	for _, f := range w.helpers.builders {
		names = append(names, f.name)
		texts = append(texts, w.builderText(f))
	}
	for _, f := range w.helpers.check {
		names = append(names, f.name)
		texts = append(texts, comment(f.name+" "+f.check.Doc)+f.check.Source(f.name, w.typ, w.std, w.object))
	}
	for _, f := range w.helpers.pointers {
		typ := w.typ(f.elem)
		names = append(names, f.name)
		texts = append(texts, fmt.Sprintf("// %s returns a pointer to v.\nfunc %s(v %s) *%s { return &v }\n", f.name, f.name, typ, typ))
	}
	for _, f := range w.helpers.via {
		names = append(names, f.name)
		texts = append(texts, w.viaText(f))
	}
	for _, kind := range w.helpers.order {
		names = append(names, w.helpers.local[kind])
		texts = append(texts, w.helperText(kind))
	}
	return names, texts
}

// helperText returns the declaration of a helper.
func (w *writer) helperText(kind string) string {
	name := w.helpers.local[kind]
	math := func() string { return w.std("math") }
	switch kind {
	case "wide":
		return fmt.Sprintf("// %s returns n as an int, also for compilers whose int has no room for it.\nfunc %s(n int64) int { return int(n) }\n", name, name)
	case "wideUint":
		return fmt.Sprintf("// %s returns n as a uint, also for compilers whose uint has no room for it.\nfunc %s(n uint64) uint { return uint(n) }\n", name, name)
	case "sameFloat":
		return fmt.Sprintf(`// %[1]s reports whether a and b are the same number, or both NaN. It tells -0
// from 0.
func %[1]s(a, b float64) bool {
	return a == b && %[2]s.Signbit(a) == %[2]s.Signbit(b) || %[2]s.IsNaN(a) && %[2]s.IsNaN(b)
}
`, name, math())
	case "closeTo":
		return fmt.Sprintf(`// %[1]s reports whether got is want but for rounding, which may differ between
// platforms.
func %[1]s(got, want float64) bool {
	const tolerance = 1e-9
	return got == want || %[2]s.IsNaN(got) && %[2]s.IsNaN(want) ||
		%[2]s.Abs(got-want) <= tolerance*%[2]s.Max(1, %[2]s.Abs(want))
}
`, name, math())
	case "ptr":
		any := "any"
		if !w.hasAny() {
			any = "interface{}"
		}
		return fmt.Sprintf("// %s returns a pointer to v.\nfunc %s[T %s](v T) *T { return &v }\n", name, name, any)
	case "errText":
		return fmt.Sprintf(`// %[1]s returns the message of err, "" if there is no error.
func %[1]s(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
`, name)
	case "panicOf":
		any := "any"
		if !w.hasAny() {
			any = "interface{}"
		}
		return fmt.Sprintf(`// %[1]s returns what f panics with, nil if it does not.
func %[1]s(f func()) (value %[2]s) {
	defer func() { value = recover() }()
	f()
	return nil
}
`, name, any)
	}
	panic("bug: emit: no helper " + kind)
}

// stubText returns the declaration of a stub type: a field per method that says
// what the method does; a nil field returns zero values.
func (w *writer) stubText(s *stubType) string {
	iface := s.iface.Underlying().(*types.Interface)
	var fields, methods strings.Builder
	for i := range iface.NumMethods() {
		m := iface.Method(i)
		sig := m.Type().(*types.Signature)
		field := stubField(iface, m.Name())
		fmt.Fprintf(&fields, "\t%s func%s\n", field, w.signature(sig, nil))
		params, args := w.parameters(sig)
		fmt.Fprintf(&methods, "\nfunc (s %s) %s%s {\n\tif s.%s == nil {\n\t\treturn", s.name, m.Name(), w.signature(sig, params), field)
		for j := range sig.Results().Len() {
			if j > 0 {
				methods.WriteString(",")
			}
			t := sig.Results().At(j).Type()
			methods.WriteString(" " + w.zero(t, t).text)
		}
		ret := ""
		if sig.Results().Len() > 0 {
			ret = "return "
		}
		fmt.Fprintf(&methods, "\n\t}\n\t%ss.%s(%s)\n}\n", ret, field, args)
	}
	return fmt.Sprintf("// %s is %s made of functions; a method without one returns zero values.\ntype %s struct {\n%s}\n%s",
		s.name, article(shortName(s.iface)), s.name, fields.String(), methods.String())
}

// stubField returns the name of the field for a method of an interface: it may have neither the
// method's own nor that of another method's field.
func stubField(iface *types.Interface, method string) string {
	f := lowerFirst(method)
	if f != method && usable(f) {
		return f
	}
	f += "Func"
	for i := 0; i < iface.NumMethods(); i++ {
		if other := iface.Method(i).Name(); other != method && lowerFirst(other) == f {
			f, i = f+"Func", -1
		}
	}
	return f
}

// parameters returns names for the parameters of a signature and the arguments
// that pass them on.
func (w *writer) parameters(sig *types.Signature) (params []string, args string) {
	used := w.newScope()
	used.add("s") // the receiver
	for i := range sig.Params().Len() {
		n := used.pick(sig.Params().At(i).Name(), w.nameFor(sig.Params().At(i).Type()))
		params = append(params, n)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			n += "..."
		}
		args += ", " + n
	}
	return params, strings.TrimPrefix(args, ", ")
}

// signature returns the text of a signature's parameters and results, with the
// given names of parameters, or none.
func (w *writer) signature(sig *types.Signature, params []string) string {
	var b strings.Builder
	b.WriteString("(")
	for i := range sig.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		t := sig.Params().At(i).Type()
		if params != nil {
			b.WriteString(params[i] + " ")
			if next := i + 1; next < sig.Params().Len() && !(sig.Variadic() && next == sig.Params().Len()-1) && types.Identical(t, sig.Params().At(next).Type()) {
				continue // a, b int
			}
		}
		if s, ok := t.(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
			b.WriteString("..." + w.typ(s.Elem()))
			continue
		}
		b.WriteString(w.typ(t))
	}
	b.WriteString(")")
	switch res := sig.Results(); res.Len() {
	case 0:
	case 1:
		b.WriteString(" " + w.typ(res.At(0).Type()))
	default:
		b.WriteString(" (")
		for i := range res.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(w.typ(res.At(i).Type()))
		}
		b.WriteString(")")
	}
	return b.String()
}

// stubLiteral returns the stub of an interface with its script.
func (s *script) stubLiteral(op *testcase.Operation, args []testcase.Ref) expr {
	iface := op.Type.Underlying().(*types.Interface)
	var methods []string
	for _, c := range op.Stub {
		if !slices.Contains(methods, c.Method) {
			methods = append(methods, c.Method)
		}
	}
	slices.Sort(methods)
	for i := range iface.NumMethods() {
		if m := iface.Method(i); !m.Exported() && (m.Pkg() == nil || m.Pkg().Path() != s.pkg.Path || s.external) {
			s.fail("interface " + shortName(op.Type) + " has methods that a test cannot implement")
		}
		s.checkType(iface.Method(i).Type(), map[types.Type]bool{})
	}
	name := s.stub(op.Type)
	var fields []string
	for _, m := range methods {
		obj, _, _ := types.LookupFieldOrMethod(op.Type, false, s.pkg.Types, m)
		f, ok := obj.(*types.Func)
		if !ok {
			panic("bug: emit: stub of " + op.Type.String() + " scripts the unknown method " + m)
		}
		fn := s.scripted(op, args, m, f.Type().(*types.Signature))
		fields = append(fields, stubField(iface, m)+": "+fn)
	}
	return expr{text: name + "{" + strings.Join(fields, ", ") + "}", composite: name}
}

// scripted returns a function literal that returns what the calls of the method
// (or of the function, if the name is empty) are scripted to return.
func (s *script) scripted(op *testcase.Operation, args []testcase.Ref, method string, sig *types.Signature) string {
	var calls []testcase.StubCall
	for _, c := range op.Stub {
		if c.Method == method {
			calls = append(calls, c)
		}
	}
	head := "func" + s.signature(sig, nil)
	if sig.Results().Len() == 0 {
		return head + " {}"
	}
	values := func(c testcase.StubCall) string {
		var out []string
		for i := range sig.Results().Len() {
			t := sig.Results().At(i).Type()
			if c.From+i < c.To {
				out = append(out, s.ref(args[c.From+i], t).text)
			} else {
				out = append(out, s.zero(t, t).text)
			}
		}
		return "return " + strings.Join(out, ", ")
	}
	switch len(calls) {
	case 0:
		return head + " { " + values(testcase.StubCall{}) + " }"
	case 1:
		return head + " { " + values(calls[0]) + " }"
	}
	// Several calls: a counter in the closure.
	var b strings.Builder
	counter := newNames(s.names).pick("calls")
	fmt.Fprintf(&b, "func() func%s {\n%s := 0\nreturn %s {\n%s++\nswitch %s {\n", s.signature(sig, nil), counter, head, counter, counter)
	for i, c := range calls[:len(calls)-1] {
		fmt.Fprintf(&b, "case %d:\n%s\n", i+1, values(c))
	}
	fmt.Fprintf(&b, "default:\n%s\n}\n}\n}()", values(calls[len(calls)-1]))
	return b.String()
}

// shortName returns the type's name without its package.
func shortName(t types.Type) string {
	return types.TypeString(t, func(*types.Package) string { return "" })
}

// article returns the name with its indefinite article.
func article(name string) string {
	if name != "" && strings.ContainsRune("AEIOUaeiou", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
