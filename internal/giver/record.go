package giver

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/testcase"
)

// Recorders makes helpers that wrap implementations of the package's interfaces, and functions, and
// note each call of them as text: `Send("ann", "hello")`.
type Recorders struct {
	pkg     *types.Package
	own     *types.Package // the package that the helpers belong to
	locked  bool           // calls may come from several goroutines
	helpers map[string]*testcase.Helper
}

// NewRecorders returns the recorders of a package. locked says that its code starts goroutines.
func NewRecorders(pkg *types.Package, locked bool) *Recorders {
	return &Recorders{pkg: pkg, own: types.NewPackage("recorders", "recorders"), locked: locked, helpers: make(map[string]*testcase.Helper)}
}

// Of returns the helper that wraps values of a type, or nil if their calls would show nothing. The helper
// takes a value and returns the value to use in its place and a pointer to the texts of its calls. name is
// the name that a function has in these texts; methods of interfaces have their own.
func (r *Recorders) Of(t types.Type, name string) *testcase.Helper {
	k := key(t) + " " + name
	h, ok := r.helpers[k]
	if ok {
		return h
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() == r.pkg && n.TypeArgs().Len() == 0 {
			h = r.ofInterface(n, u)
		}
	case *types.Signature:
		if n, ok := types.Unalias(t).(*types.Named); !ok || n.NumMethods() == 0 && n.TypeArgs().Len() == 0 {
			h = r.ofFunc(t, u, name, false)
		}
	}
	r.helpers[k] = h
	return h
}

// Sorted returns the helper that wraps functions of a type as that of Of does and keeps the texts of their calls sorted, for calls
// that come in any order. It is nil if there is none.
func (r *Recorders) Sorted(t types.Type, name string) *testcase.Helper {
	k := "sorted " + key(t) + " " + name
	h, ok := r.helpers[k]
	if !ok && r.Of(t, name) != nil {
		if sig, isFunc := t.Underlying().(*types.Signature); isFunc {
			h = r.ofFunc(t, sig, name, true)
		}
		r.helpers[k] = h
	}
	return h
}

// spell writes a type with holes for the names of packages.
func spell(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
}

// note returns the statements that note a call, the text of the parameters, and the arguments that pass the
// parameters on. It returns false if nothing in the call is worth noting.
func (r *Recorders) note(name, calls, lock string, sig *types.Signature) (note, params, args string, ok bool) {
	var format, shown, decls, passed []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		arg := p.Name()
		if arg == "" || arg == "_" || arg == "r" || arg == "calls" || arg == "mu" || arg == "next" {
			arg = fmt.Sprintf("p%d", i)
		}
		typ := spell(p.Type())
		pass := arg
		if sig.Variadic() && i == sig.Params().Len()-1 {
			typ, pass = "..."+strings.TrimPrefix(typ, "[]"), arg+"..."
		}
		decls, passed = append(decls, arg+" "+typ), append(passed, pass)
		verb, text := printed(p.Type(), arg)
		format = append(format, verb)
		if text != "" {
			shown = append(shown, text)
		}
	}
	if len(shown) == 0 && (sig.Results().Len() > 0 || sig.Params().Len() > 0) {
		return "", "", "", false
	}
	text := fmt.Sprintf("%q", name+"("+strings.Join(format, ", ")+")")
	if len(shown) > 0 {
		text = "«fmt».Sprintf(" + text + ", " + strings.Join(shown, ", ") + ")"
	}
	note = fmt.Sprintf("%s = append(%s, %s)", calls, calls, text)
	if r.locked {
		note = lock + ".Lock()\n\t" + note + "\n\t" + lock + ".Unlock()"
	}
	return note, strings.Join(decls, ", "), strings.Join(passed, ", "), true
}

// printed returns the verb with which an argument is noted and the expression to print. Values of basic
// types are printed by their kind, whatever methods they have. The verb is "_" if a value's text would
// say nothing.
func printed(t types.Type, arg string) (verb, text string) {
	if gosyntax.IsError(t) {
		return "%v", arg
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if !types.Identical(t, u) {
			arg = u.Name() + "(" + arg + ")"
		}
		switch {
		case u.Info()&types.IsString != 0:
			return "%q", arg
		case u.Info()&types.IsInteger != 0 && u.Kind() != types.Uintptr:
			return "%d", arg
		case u.Info()&(types.IsBoolean|types.IsFloat) != 0:
			return "%v", arg
		}
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && types.Identical(u.Elem(), b) {
			switch {
			case b.Kind() == types.Uint8:
				return "%q", "string(" + arg + ")"
			case b.Info()&types.IsString != 0:
				return "%q", "[]string(" + arg + ")"
			case b.Info()&types.IsInteger != 0:
				return "%d", "[]" + b.Name() + "(" + arg + ")"
			}
		}
	case *types.Struct:
		if plainStruct(t, u) {
			return "%+v", arg
		}
	case *types.Pointer:
		if st, ok := u.Elem().Underlying().(*types.Struct); ok && plainStruct(t, st) {
			return "%+v", arg // with its fields behind an ampersand
		}
	case *types.Interface:
		if u.Empty() {
			return "%v", arg // where it is a pointer, runs differ, and the calls are not recorded
		}
	}
	return "_", ""
}

// plainStruct reports whether a struct is a few exported fields of basic types, without a method
// that says how it is printed.
func plainStruct(t types.Type, s *types.Struct) bool {
	const most = 6
	if s.NumFields() == 0 || s.NumFields() > most {
		return false
	}
	for _, m := range []string{"String", "Error", "Format", "GoString"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, m); obj != nil {
			return false
		}
	}
	for f := range s.Fields() {
		if b, ok := f.Type().(*types.Basic); !ok || !f.Exported() || b.Info()&types.IsConstType == 0 {
			return false
		}
	}
	return true
}

// results returns the text of a signature's results.
func results(sig *types.Signature) string {
	var out []string
	for v := range sig.Results().Variables() {
		out = append(out, spell(v.Type()))
	}
	switch len(out) {
	case 0:
		return ""
	case 1:
		return " " + out[0]
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// back returns the keyword before a call whose results are handed on, or "" if the call has no results.
func back(sig *types.Signature) string {
	if sig.Results().Len() == 0 {
		return ""
	}
	return "return "
}

// ofInterface wraps an implementation of an interface of the package.
func (r *Recorders) ofInterface(n *types.Named, i *types.Interface) *testcase.Helper {
	name := n.Obj().Name()
	typ := "«.recorded" + name + "»"
	field := name
	var methods strings.Builder
	for m := range i.Methods() {
		if m.Name() == name || m.Name() == "calls" || m.Name() == "mu" {
			return nil // a field of the wrapper would hide the method
		}
		sig := m.Signature()
		note, params, args, ok := r.note(m.Name(), "r.calls", "r.mu", sig)
		if !ok {
			continue // the method belongs to an embedded interface
		}
		fmt.Fprintf(&methods, "\nfunc (r *%s) %s(%s)%s {\n\t%s\n\t%sr.%s.%s(%s)\n}\n", typ, m.Name(), params, results(sig), note, back(sig), field, m.Name(), args)
	}
	if methods.Len() == 0 {
		return nil
	}
	mu := ""
	if r.locked {
		mu = "\tmu sync.Mutex\n"
		mu = strings.ReplaceAll(mu, "sync", "«sync»")
	}
	text := fmt.Sprintf("func «.»(next %[1]s) (%[1]s, *[]string) {\n\tr := &%[2]s{%[3]s: next}\n\treturn r, &r.calls\n}\n\ntype %[2]s struct {\n\t%[1]s\n%[4]s\tcalls []string\n}\n%[5]s",
		spell(n), typ, field, mu, methods.String())
	return r.helper("record"+upper(name), text, n, lower(name), "returns "+article(name)+" that does what next does, and where its calls are noted.")
}

// ofFunc wraps a function. The texts of its calls are noted in their order, or sorted.
func (r *Recorders) ofFunc(t types.Type, sig *types.Signature, name string, sorted bool) *testcase.Helper {
	note, params, args, ok := r.note(name, "calls", "mu", sig)
	if !ok {
		return nil
	}
	called, doc := "record"+upper(name), "returns a function that does what next does, and where its calls are noted."
	if sorted {
		called, doc = "recordSorted"+upper(name), "returns a function that does what next does, and where its calls are noted, sorted: they come in any order."
		note = strings.Replace(note, ")\n\tmu.Unlock", ")\n\t«sort».Strings(calls)\n\tmu.Unlock", 1)
		if !r.locked {
			note += "\n\t«sort».Strings(calls)"
		}
	}
	mu := ""
	if r.locked {
		mu = "\tvar mu «sync».Mutex\n"
	}
	text := fmt.Sprintf("func «.»(next %[1]s) (%[1]s, *[]string) {\n\tvar calls []string\n%[2]s\treturn func(%[3]s)%[4]s {\n\t\t%[5]s\n\t\t%[6]snext(%[7]s)\n\t}, &calls\n}\n",
		spell(t), mu, params, results(sig), strings.ReplaceAll(note, "\n", "\n\t"), back(sig), args)
	return r.helper(called, text, t, lower(name), doc)
}

// helper returns the helper of a wrapping function.
func (r *Recorders) helper(name, text string, t types.Type, value, doc string) *testcase.Helper {
	str := types.NewPointer(types.NewSlice(types.Typ[types.String]))
	sig := types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewParam(0, r.own, "next", t)),
		types.NewTuple(types.NewParam(0, r.own, value, t), types.NewParam(0, r.own, value+"Calls", str)), false)
	return &testcase.Helper{Name: name, Doc: doc, Sig: sig, Text: text, Func: types.NewFunc(0, r.own, name, sig)}
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// article returns a name with its indefinite article.
func article(name string) string {
	if strings.ContainsRune("AEIOU", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
