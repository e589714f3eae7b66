package giver

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// mostCallbacks bounds how many callbacks of one type there are.
const mostCallbacks = 40

// callbacks returns functions that use what they are given, for the parameters of a package's functions and methods whose
// type is a function of an object of the package, with an error or nothing as its result: func(tx *Tx) error. Stand-ins leave
// the object alone, so that what such an object does between the beginning and the end of the call (a transaction, a locked
// store, a walk) is never seen. Each calls one method, or first one that adds something and then another. Constants are the
// same for parameters of one name, so that the second call finds what the first one has added.
func callbacks(pkg *load.Package) map[string][]*testcase.Sequence {
	out := make(map[string][]*testcase.Sequence)
	for _, t := range pkg.Targets {
		if t.Skip != "" || !t.Exported || t.Obj.Signature().TypeParams().Len() > 0 || len(t.TypeArgs) > 0 {
			continue
		}
		for p := range t.Obj.Signature().Params().Variables() {
			sig, ok := types.Unalias(p.Type()).(*types.Signature)
			if !ok || out[key(p.Type())] != nil || !usesObject(pkg, sig) || !writable(pkg, sig) {
				continue
			}
			for _, text := range callbackTexts(pkg, sig) {
				op := &testcase.Operation{Kind: testcase.OpFuncLit, Type: p.Type(), Text: text}
				out[key(p.Type())] = append(out[key(p.Type())], testcase.NewSequence(testcase.Statement{Op: op}))
			}
		}
	}
	return out
}

// Callbacks returns how many functions there are for a type that use the object which they are given, see callbacks.
func (r *Room) Callbacks(t types.Type) int {
	if r == nil {
		return 0
	}
	return r.callbacks[key(t)]
}

// usesObject reports whether a function is given one object of the package, and returns an error or nothing.
func usesObject(pkg *load.Package, sig *types.Signature) bool {
	if sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() > 1 || sig.Results().Len() == 1 && !gosyntax.ReturnsError(sig) {
		return false
	}
	t := types.Unalias(sig.Params().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() == pkg.Types && n.TypeParams().Len() == 0
}

// writable reports whether the tests of a package can name a type: tests outside of it name nothing that is not exported, and
// no test names what is declared in another package's functions.
func writable(pkg *load.Package, t types.Type) bool {
	ok := true
	var see func(t types.Type)
	named := func(o *types.TypeName, args *types.TypeList) {
		ok = ok && (o.Pkg() == nil || o.Exported() || o.Pkg() == pkg.Types && !pkg.ExternalTests) && (o.Pkg() == nil || o.Parent() == o.Pkg().Scope())
		for i := range args.Len() {
			see(args.At(i))
		}
	}
	see = func(t types.Type) {
		switch t := t.(type) {
		case *types.Alias:
			named(t.Obj(), t.TypeArgs())
		case *types.Named:
			named(t.Obj(), t.TypeArgs())
		case *types.Pointer:
			see(t.Elem())
		case *types.Slice:
			see(t.Elem())
		case *types.Array:
			see(t.Elem())
		case *types.Chan:
			see(t.Elem())
		case *types.Map:
			see(t.Key())
			see(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				see(v.Type())
			}
		case *types.Signature:
			see(t.Params())
			see(t.Results())
		case *types.Basic:
		case *types.Struct:
			ok = ok && t.NumFields() == 0
		case *types.Interface:
			ok = ok && t.Empty()
		default:
			ok = false
		}
	}
	see(t)
	return ok
}

// callbackTexts returns the callbacks for a type as function literals.
func callbackTexts(pkg *load.Package, sig *types.Signature) []string {
	object := sig.Params().At(0)
	name := object.Name()
	if name == "" || name == "_" || name == "err" || types.Universe.Lookup(name) != nil || isPackage(pkg, name) {
		name = "x"
		for isPackage(pkg, name) {
			name += "x"
		}
	}
	type method struct {
		call string // with its arguments
		sig  *types.Signature
	}
	var all, adding []method
	set := types.NewMethodSet(object.Type())
	for i := range set.Len() {
		f, ok := set.At(i).Obj().(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		args, ok := plainArguments(pkg, f.Signature())
		if !ok {
			continue
		}
		m := method{fmt.Sprintf("%s.%s(%s)", name, f.Name(), args), f.Signature()}
		all = append(all, m)
		if adds(f.Name()) && f.Signature().Params().Len() > 0 {
			adding = append(adding, m)
		}
	}
	fails := sig.Results().Len() == 1
	// last returns the statements of a call that ends the callback.
	last := func(m method) string {
		n := m.sig.Results().Len()
		switch {
		case !fails:
			return "\t" + m.call + "\n"
		case !gosyntax.ReturnsError(m.sig):
			return "\t" + m.call + "\n\treturn nil\n"
		case n == 1:
			return "\treturn " + m.call + "\n"
		}
		return fmt.Sprintf("\t%serr := %s\n\treturn err\n", strings.Repeat("_, ", n-1), m.call)
	}
	first := func(m method) string {
		switch n := m.sig.Results().Len(); {
		case fails && gosyntax.ReturnsError(m.sig):
			return fmt.Sprintf("\tif %serr := %s; err != nil {\n\t\treturn err\n\t}\n", strings.Repeat("_, ", n-1), m.call)
		default:
			return "\t" + m.call + "\n"
		}
	}
	head := "func(" + name + " " + spelled(object.Type()) + ") "
	if fails {
		head += "error "
	}
	var out []string
	for _, m := range all {
		out = append(out, head+"{\n"+last(m)+"}")
	}
	for _, a := range adding[:min(len(adding), 2)] {
		for _, m := range all {
			out = append(out, head+"{\n"+first(a)+last(m)+"}")
		}
	}
	if len(out) > mostCallbacks {
		// Evenly over all, so that none is left out for its place in the alphabet.
		kept := make([]string, 0, mostCallbacks)
		for i := range mostCallbacks {
			kept = append(kept, out[i*len(out)/mostCallbacks])
		}
		out = kept
	}
	return slices.Compact(out)
}

// isPackage reports whether a name may be that of a package in the tests of a package: its own, or one that it imports.
func isPackage(pkg *load.Package, name string) bool {
	return pkg.Types.Name() == name || slices.ContainsFunc(pkg.Types.Imports(), func(p *types.Package) bool { return p.Name() == name })
}

// adds reports whether a method adds something to its object, by its name.
func adds(name string) bool {
	return slices.ContainsFunc([]string{"Set", "Put", "Add", "Insert", "Create", "Store", "Write", "Push", "Append", "Save", "Register"}, func(verb string) bool {
		return strings.HasPrefix(name, verb)
	})
}

// spelled writes a type in the text of a function literal.
func spelled(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
}

// plainArguments returns arguments for a function, as code. It returns false if a parameter takes something that no constant
// and no short function is. Nothing is passed for a variadic parameter.
func plainArguments(pkg *load.Package, sig *types.Signature) (string, bool) {
	var args []string
	for i := range sig.Params().Len() {
		if sig.Variadic() && i == sig.Params().Len()-1 {
			break
		}
		p := sig.Params().At(i)
		a, ok := plainArgument(pkg, p.Name(), p.Type())
		if !ok {
			return "", false
		}
		args = append(args, a)
	}
	return strings.Join(args, ", "), true
}

// plainArgument returns an argument for a parameter. Texts are what the parameter is called, since names of one thing differ
// from function to function and are alike in their kind: index and name.
func plainArgument(pkg *load.Package, name string, t types.Type) (string, bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return fmt.Sprintf("%q", plainText(name)), true
		case u.Info()&types.IsBoolean != 0:
			return "true", true
		case u.Info()&types.IsNumeric != 0:
			return "2", true
		}
	case *types.Pointer, *types.Map:
		return "nil", true
	case *types.Slice:
		if types.Identical(u.Elem(), types.Typ[types.Byte]) {
			return fmt.Sprintf("[]byte(%q)", plainText(name)), true
		}
		return "nil", true
	case *types.Interface:
		if u.NumMethods() == 0 {
			return fmt.Sprintf("%q", plainText(name)), true
		}
	case *types.Signature:
		return plainFunction(pkg, u)
	}
	return "", false
}

// plainText returns the text that is passed to a parameter with a name.
func plainText(name string) string {
	switch lower := strings.ToLower(name); {
	case slices.Contains([]string{"index", "name", "table", "bucket", "collection", "namespace"}, lower):
		return "names"
	case strings.Contains(lower, "pattern") || strings.Contains(lower, "glob"):
		return "*"
	case strings.Contains(lower, "key") || lower == "id" || lower == "k":
		return "ann"
	}
	return "7"
}

// plainFunction returns a function literal that does nothing and goes on: it returns true, or zero.
func plainFunction(pkg *load.Package, sig *types.Signature) (string, bool) {
	if !writable(pkg, sig) {
		return "", false
	}
	result := ""
	switch {
	case sig.Results().Len() > 1 || sig.Variadic():
		return "", false
	case sig.Results().Len() == 1:
		switch u := sig.Results().At(0).Type().Underlying().(type) {
		case *types.Basic:
			switch {
			case u.Info()&types.IsBoolean != 0:
				result = "return true"
			case u.Info()&types.IsString != 0:
				result = `return ""`
			case u.Info()&types.IsNumeric != 0:
				result = "return 0"
			default:
				return "", false
			}
		case *types.Interface, *types.Pointer, *types.Slice, *types.Map:
			result = "return nil"
		default:
			return "", false
		}
	}
	var params []string
	for p := range sig.Params().Variables() {
		params = append(params, spelled(p.Type()))
	}
	results := ""
	if sig.Results().Len() == 1 {
		results = spelled(sig.Results().At(0).Type()) + " "
	}
	return "func(" + strings.Join(params, ", ") + ") " + results + "{ " + result + " }", true
}

// functionsFamily returns functions that people pass: functions of the standard library, or else the shortest
// literal whose result shows every argument. A stand-in that returns a constant cannot tell one argument
// from another.
func functionsFamily() *family {
	return &family{
		name: "functions", path: "strings", imports: []string{"cmp", "math", "strconv", "strings", "unicode"},
		givers: []giver{
			{typ: "func(int) string", doc: "a number as text", code: "strconv.Itoa"},
			{typ: "func(int) bool", doc: "whether a number is even", code: "func(n int) bool { return n%2 == 0 }"},
			{typ: "func(int) bool", doc: "whether a number is large", code: "func(n int) bool { return n > 3 }"},
			{typ: "func(int) int", doc: "twice a number", code: "func(n int) int { return 2 * n }"},
			{typ: "func(int, int) int", doc: "how two numbers are ordered", code: "cmp.Compare[int]", since: "go1.21"},
			{typ: "func(int, int) int", doc: "their difference", code: "func(a, b int) int { return a - b }"},
			{typ: "func(int, int) int", doc: "their sum", code: "func(a, b int) int { return a + b }"},
			{typ: "func(int, int) bool", doc: "whether one number is less", code: "func(a, b int) bool { return a < b }"},
			{typ: "func(string) string", doc: "a text in capitals", code: "strings.ToUpper"},
			{typ: "func(string) bool", doc: "whether a text is long", code: "func(s string) bool { return len(s) > 1 }"},
			{typ: "func(string) int", doc: "the length of a text", code: "func(s string) int { return len(s) }"},
			{typ: "func(string) (int, error)", doc: "the number in a text", code: "strconv.Atoi"},
			{typ: "func(string, string) int", doc: "how two texts are ordered", code: "strings.Compare"},
			{typ: "func(string, string) bool", doc: "whether one text is less", code: "func(a, b string) bool { return a < b }"},
			{typ: "func(string, string) string", doc: "two texts joined", code: "func(a, b string) string { return a + b }"},
			{typ: "func(rune) bool", doc: "whether a character is a letter", code: "unicode.IsLetter"},
			{typ: "func(rune) rune", doc: "a character as a capital", code: "unicode.ToUpper"},
			{typ: "func(float64) float64", doc: "a square root", code: "math.Sqrt"},
			{typ: "func(float64, float64) float64", doc: "the larger of two numbers", code: "math.Max"},
		},
	}
}
