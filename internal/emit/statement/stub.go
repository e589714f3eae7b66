package statement

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// stubType is a type that implements an interface for tests.
type stubType struct {
	name     string
	iface    types.Type
	scripted map[string]bool // the methods that tests give a function
}

// stub returns the stub type for an interface.
func (w *File) stub(iface types.Type) *stubType {
	for _, s := range w.stubTypes {
		if types.Identical(s.iface, iface) {
			return s
		}
	}
	base := "stub"
	if n := load.NamedOf(iface); n != nil {
		base += gofile.UpperFirst(n.Obj().Name())
	}
	s := &stubType{w.Declare(base), iface, make(map[string]bool)}
	w.stubTypes = append(w.stubTypes, s)
	return s
}

// fewestLeftOut is how many methods a stub must save by embedding its interface. To save fewer is not worth the question what
// happens when one of them is called.
const fewestLeftOut = 3

// stubText returns the declaration of a stub type. It has a function field for each method that a test gives a
// function. Its other methods return zero values, or the stub itself if their result is of the stub's interface. Of a
// large interface the methods that nobody calls are left out: the stub embeds the interface in their place.
func (w *File) stubText(s *stubType) string {
	iface := s.iface.Underlying().(*types.Interface)
	var left []*types.Func
	if n := load.NamedOf(s.iface); n != nil && n.Obj().Exported() && !slices.ContainsFunc(slices.Collect(iface.Methods()), func(m *types.Func) bool { return m.Name() == n.Obj().Name() }) {
		for m := range iface.Methods() {
			if !s.scripted[m.Name()] && !w.Callable.has(w.Pkg, m.Name()) {
				left = append(left, m)
			}
		}
	}
	var fields, methods strings.Builder
	if len(left) >= fewestLeftOut {
		fmt.Fprintf(&fields, "\t%s\n", w.Type(s.iface))
	} else {
		left = nil
	}
	var itself, zeros bool // what methods without a function return
	for m := range iface.Methods() {
		if slices.Contains(left, m) {
			continue
		}
		sig := m.Signature()
		var otherwise []string
		own := testcase.ReturnsItself(s.iface, sig)
		if own {
			otherwise, itself = []string{"s"}, true
		} else {
			for r := range sig.Results().Variables() {
				otherwise, zeros = append(otherwise, w.Zero(r.Type(), r.Type()).Text), true
			}
		}
		ret := strings.TrimRight("return "+strings.Join(otherwise, ", "), " ")
		if !s.scripted[m.Name()] {
			switch {
			case len(otherwise) == 0:
				fmt.Fprintf(&methods, "\nfunc (%s) %s%s {}\n", s.name, m.Name(), w.signature(sig, nil))
			case own:
				fmt.Fprintf(&methods, "\nfunc (s %s) %s%s { %s }\n", s.name, m.Name(), w.signature(sig, nil), ret)
			default:
				fmt.Fprintf(&methods, "\nfunc (%s) %s%s { %s }\n", s.name, m.Name(), w.signature(sig, nil), ret)
			}
			continue
		}
		field := stubField(iface, m.Name())
		fmt.Fprintf(&fields, "\t%s func%s\n", field, w.signature(sig, nil))
		params, args := w.parameters(sig)
		fmt.Fprintf(&methods, "\nfunc (s %s) %s%s {\n\tif s.%s == nil {\n\t\t%s\n\t}\n\t", s.name, m.Name(), w.signature(sig, params), field, ret)
		if sig.Results().Len() > 0 {
			methods.WriteString("return ")
		}
		fmt.Fprintf(&methods, "s.%s(%s)\n}\n", field, args)
	}
	of := "{}"
	if fields.Len() > 0 {
		of = " {\n" + fields.String() + "}"
	}
	return fmt.Sprintf("%stype %s struct%s\n%s", gofile.Comment(s.doc(itself, zeros, left)), s.name, of, methods.String())
}

// doc returns the comment on a stub's type. The parameters say what its methods return without a function, and which methods it
// does not have.
func (s *stubType) doc(itself, zeros bool, left []*types.Func) string {
	returns := "nothing"
	switch {
	case itself:
		returns = "the stub itself, or zero values"
	case zeros:
		returns = "zero values"
	}
	is := s.name + " is " + gofile.Article(gofile.ShortName(s.iface))
	if len(left) > 0 {
		is += " with the methods that are called here"
	}
	switch {
	case len(s.scripted) == 0:
		return is + "; its methods return " + returns + "."
	case len(left) > 0:
		return is + "; one without a function returns " + returns + "."
	}
	return is + " made of functions; a method without one returns " + returns + "."
}

// Callable has the names of the methods that a package's code may call on values of interfaces. It is computed when it is asked
// for first.
type Callable struct{ names map[string]bool }

// has reports whether code of the package calls a method of this name, or passes objects to functions of other packages whose
// parameters have such a method.
func (c *Callable) has(pkg *load.Package, method string) bool {
	if c.names == nil {
		c.names = make(map[string]bool)
		// What packages that print, compare, encode or unwrap values of any type look for.
		for _, name := range []string{
			"String", "GoString", "Format", "Error", "Unwrap", "Is", "As", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
			"MarshalBinary", "UnmarshalBinary", "Scan", "Value", "Read", "Write", "Close", "Len", "Less", "Swap", "Timeout", "Temporary",
		} {
			c.names[name] = true
		}
		isOwn := func(f *types.Func) bool { return f != nil && f.Pkg() == pkg.Types }
		for _, f := range pkg.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					c.names[n.Sel.Name] = true
				case *ast.CallExpr:
					if sig, ok := pkg.Info.TypeOf(n.Fun).(*types.Signature); ok && !isOwn(gosyntax.Callee(pkg.Info, n)) {
						for p := range sig.Params().Variables() {
							c.addMethods(p.Type())
						}
					}
				case *ast.CompositeLit:
					if u, ok := pkg.Info.TypeOf(n).Underlying().(*types.Struct); ok {
						if named := load.NamedOf(pkg.Info.TypeOf(n)); named != nil && named.Obj().Pkg() != pkg.Types {
							for field := range u.Fields() {
								c.addMethods(field.Type())
							}
						}
					}
				}
				return true
			})
		}
	}
	return c.names[method]
}

// addMethods adds the methods of an interface, or of a list of interfaces.
func (c *Callable) addMethods(t types.Type) {
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			c.names[m.Name()] = true
		}
	}
}

// stubField returns the name of the field for a method of an interface. The name is neither the method's own
// nor that of another method's field.
func stubField(iface *types.Interface, method string) string {
	f := gofile.LowerFirst(method)
	if f != method && gofile.Usable(f) {
		return f
	}
	f += "Func"
	for i := 0; i < iface.NumMethods(); i++ {
		if other := iface.Method(i).Name(); other != method && gofile.LowerFirst(other) == f {
			f, i = f+"Func", -1
		}
	}
	return f
}

// parameters returns names for the parameters of a signature, and the arguments that pass them on.
func (w *File) parameters(sig *types.Signature) (params []string, args string) {
	used := w.NewScope()
	used.Add("s") // the name of the receiver
	for i := range sig.Params().Len() {
		n := used.Pick(sig.Params().At(i).Name(), w.NameFor(sig.Params().At(i).Type()))
		params = append(params, n)
		if sig.Variadic() && i == sig.Params().Len()-1 {
			n += "..."
		}
		args += ", " + n
	}
	return params, strings.TrimPrefix(args, ", ")
}

// signature returns the text of a signature's parameters and results, with the given parameter names,
// or without names.
func (w *File) signature(sig *types.Signature, params []string) string {
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
				continue // the type is written once, as in a, b int
			}
		}
		if s, ok := t.(*types.Slice); ok && sig.Variadic() && i == sig.Params().Len()-1 {
			b.WriteString("..." + w.Type(s.Elem()))
			continue
		}
		b.WriteString(w.Type(t))
	}
	b.WriteString(")")
	switch res := sig.Results(); res.Len() {
	case 0:
	case 1:
		b.WriteString(" " + w.Type(res.At(0).Type()))
	default:
		b.WriteString(" (")
		for i := range res.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(w.Type(res.At(i).Type()))
		}
		b.WriteString(")")
	}
	return b.String()
}

// stubLiteral returns the stub of an interface with its script.
func (s *Script) stubLiteral(op *testcase.Operation, args []testcase.Ref) gofile.Expr {
	iface := op.Type.Underlying().(*types.Interface)
	var methods []string
	for _, c := range op.Stub {
		if !slices.Contains(methods, c.Method) {
			methods = append(methods, c.Method)
		}
	}
	slices.Sort(methods)
	for i := range iface.NumMethods() {
		if m := iface.Method(i); !m.Exported() && (m.Pkg() == nil || m.Pkg().Path() != s.Pkg.Path || s.External) {
			s.Fail("interface " + gofile.ShortName(op.Type) + " has methods that a test cannot implement")
		}
		s.CheckType(iface.Method(i).Type(), map[types.Type]bool{})
	}
	stub := s.stub(op.Type)
	name := stub.name
	var fields []string
	for _, m := range methods {
		obj, _, _ := types.LookupFieldOrMethod(op.Type, false, s.Pkg.Types, m)
		f, ok := obj.(*types.Func)
		if !ok {
			panic("bug: emit: stub of " + op.Type.String() + " scripts the unknown method " + m)
		}
		stub.scripted[m] = true
		fn := s.scripted(op, args, m, f.Type().(*types.Signature))
		fields = append(fields, stubField(iface, m)+": "+fn)
	}
	return gofile.Expr{Text: name + "{" + strings.Join(fields, ", ") + "}", Composite: name}
}

// scripted returns a function literal that returns the scripted results of calls. They are the calls of the
// given method, or of the function itself if the name is empty.
func (s *Script) scripted(op *testcase.Operation, args []testcase.Ref, method string, sig *types.Signature) string {
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
				out = append(out, s.Ref(args[c.From+i], t).Text)
			} else {
				out = append(out, s.Zero(t, t).Text)
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
	if text := s.byArgument(s.Case.RecordedCalls(op), calls, sig, values); text != "" {
		return text
	}
	// For several calls the closure has a counter.
	var b strings.Builder
	counter := gofile.NewNames(s.Names).Pick("calls")
	fmt.Fprintf(&b, "func() func%s {\n%s := 0\nreturn %s {\n%s++\nswitch %s {\n", s.signature(sig, nil), counter, head, counter, counter)
	for i, c := range calls[:len(calls)-1] {
		fmt.Fprintf(&b, "case %d:\n%s\n", i+1, values(c))
	}
	fmt.Fprintf(&b, "default:\n%s\n}\n}\n}()", values(calls[len(calls)-1]))
	return b.String()
}

// byArgument returns a function literal that answers by its argument what a script answers call after call, if the calls were recorded
// and none of them contradicts that.
func (s *Script) byArgument(recorded []string, calls []testcase.StubCall, sig *types.Signature, values func(testcase.StubCall) string) string {
	answers := gofile.ByArgument(recorded, sig, func(i int) string { return values(calls[min(i, len(calls)-1)]) })
	if answers == nil {
		return ""
	}
	params, arg := s.parameters(sig)
	none, text := values(testcase.StubCall{}), ""
	for _, a := range answers {
		if a.Answer != none {
			text += "case " + a.Arguments + ":\n" + a.Answer + "\n"
		}
	}
	return "func" + s.signature(sig, params) + " {\nswitch " + arg + " {\n" + text + "}\n" + none + "\n}"
}

// closure returns a method value, or a function literal that calls a method.
func (s *Script) closure(st testcase.Statement) gofile.Expr {
	op := st.Op
	if !s.Selectable(op.Func) {
		s.Fail("method " + op.Func.Name() + " is not accessible to a test")
	}
	method := s.Ref(st.Args[0], nil).Operand() + "." + op.Func.Name()
	if op.MethodValue() {
		return gofile.Primary(method)
	}
	sig := op.Type.Underlying().(*types.Signature)
	scope := gofile.NewNames(s.Scope)
	params := make([]string, sig.Params().Len())
	for i := range params {
		params[i] = "_"
	}
	passes := false
	for _, p := range op.Pass {
		passes = passes || p >= 0
		if p >= 0 && params[p] == "_" {
			name := sig.Params().At(p).Name()
			if name == "" || name == "_" {
				name = "p" + strconv.Itoa(p)
			}
			params[p] = scope.Pick(name)
		}
	}
	if !passes {
		params = nil
	}
	called := op.Signature()
	rest := st.Args[1:]
	var args []string
	for i, p := range op.Pass {
		if p >= 0 {
			args = append(args, params[p])
			continue
		}
		args = append(args, s.Ref(rest[0], ParamType(called, called, true, i, false)).Text)
		rest = rest[1:]
	}
	call := method + "(" + strings.Join(args, ", ") + ")"
	head := "func" + s.signature(sig, params) + " {"
	dropped := call
	if printing(op) {
		dropped = "_ = " + call
	}
	switch {
	case sig.Results().Len() == 0:
		return gofile.Expr{Text: head + " " + dropped + " }", Prec: gofile.Binary}
	case op.Returns:
		return gofile.Expr{Text: head + " return " + call + " }", Prec: gofile.Binary}
	}
	var out []string
	for i := range sig.Results().Len() {
		out = append(out, s.Ref(rest[i], sig.Results().At(i).Type()).Text)
	}
	return gofile.Expr{Text: head + "\n" + dropped + "\nreturn " + strings.Join(out, ", ") + "\n}", Prec: gofile.Binary}
}
