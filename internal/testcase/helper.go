package testcase

import (
	"cmp"
	"fmt"
	"go/types"
	"hash/fnv"
	"slices"
	"strings"
)

// EntriesName is the name of helpers that list the entries of a map as texts "key=value".
const EntriesName = "entries"

// FullName is the name of the helper that returns a writer which fails when it is full.
const FullName = "fullAfter"

// Helper is a function, as Go source, that tests declare if no single expression would do. It makes a
// value that records or fails, or it calls a function with parameters that are no data and returns the
// effects as data. The harness compiles the same text.
//
// If Drives is set, the helper calls a function under test: its first parameter is that function (as a
// value that implements Drives, or an object of that type whose method it calls), and the parameters and results of Sig are those of the whole call,
// without that function.
type Helper struct {
	Name string // the name of the function in tests
	Doc  string // says what the function does or returns, behind its name
	// Sig are the parameters and results that a call of the helper has, named for readers.
	Sig *types.Signature
	// Text are the declarations, the function's first. In it «path» is the name by which the package of
	// that path is imported (in «path».Name, Name is the package's), and «.name» is a name that the
	// text itself declares at package level; «.» alone is the function's name.
	Text string
	// Brief is the text that harnesses compile in place of Text, for a helper that waits: where nothing comes a test may wait
	// for seconds, but a harness with hundreds of such cases cannot. "" is Text.
	Brief string
	// Guard is an expression over the parameters of Sig, as «0», «1», ..., which panics if the helper
	// cannot be called with them; then the sequence is refused. "" means no guard.
	Guard string
	// Drives is the type of the first parameter, an interface with one method or the type of an object, or nil if the helper calls
	// nothing under test. Adapt makes a Drives of the function «f».
	Drives types.Type
	Adapt  string
	// Loops says that the helper calls the function that it drives, and others, until there is nothing left.
	Loops bool
	// OfTest says that the function's first parameter is the test, a testing.TB, which is no part of Sig: in tests it is
	// the variable t. Method is the method of testing.TB that the helper is, TempDir for instance: tests call that method
	// and declare nothing. It is "" for all other helpers.
	OfTest bool
	Method string
	// Builtin is what tests write in place of the helper's name, and declare nothing: a conversion that has to stand where it is. It is ""
	// for all other helpers.
	Builtin string
	// Titles is how many of the first parameters are good names for a test case. Names has names for texts that are too long for
	// that.
	Titles int
	Names  map[string]string
	// Number is the name in Text of the type as which the helper returns its argument, an int; "" if the helper does something else.
	Number string
	// Consumes says that the helper changes the object that it gets, so that no observer is called behind it.
	Consumes bool
	// Func is the helper as a function, if it drives no function under test.
	Func *types.Func
	// Values are, for each parameter of Sig, the values worth passing, the simplest first, if all
	// parameters are texts; nil for a parameter means any value. Closed says for which parameters no
	// other value is worth passing.
	Values [][]string
	Closed []bool
	// Beside are the values of the first parameter that go with values of the last one: a file of YAML is called config.yaml.
	Beside map[string]string
}

// Key tells helpers apart. Two may have one name, like those that list the elements of two types, and even one signature.
func (h *Helper) Key() string {
	sum := fnv.New64a()
	sum.Write([]byte(h.Text)) // a hash never fails
	return fmt.Sprintf("%s %x", h.Name, sum.Sum64())
}

// Source returns the declarations with the function called name. pkg returns the local names of
// imports, and the last parameter renames further package-level names of the text.
func (h *Helper) Source(name string, pkg func(path string) string, other func(name string) string) string {
	return named(h.Text, name, pkg, other)
}

// BriefSource is Source for a harness.
func (h *Helper) BriefSource(name string, pkg func(path string) string, other func(name string) string) string {
	return named(cmp.Or(h.Brief, h.Text), name, pkg, other)
}

func named(text, name string, pkg func(path string) string, other func(name string) string) string {
	return fill(text, func(what string) string {
		if own, ok := strings.CutPrefix(what, "."); ok {
			if own == "" {
				return name
			}
			return other(own)
		}
		return pkg(what)
	})
}

// GuardSource returns the guard with the arguments in it.
func (h *Helper) GuardSource(args []string, pkg func(path string) string) string {
	return fill(h.Guard, func(what string) string {
		if len(what) == 1 && what[0] >= '0' && what[0] <= '9' {
			return args[what[0]-'0']
		}
		return pkg(what)
	})
}

// Source returns the text of an OpFuncLit. pkg returns the local names of imports, "" for the package that contains
// the text.
func (o *Operation) Source(pkg func(path string) string) string { return fill(o.Text, pkg) }

// fill replaces each «what» in a text.
func fill(text string, with func(what string) string) string {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "«")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		what, rest, _ := strings.Cut(after, "»")
		name := with(what)
		if name == "" {
			rest = strings.TrimPrefix(rest, ".") // the name belongs to the package that contains the text
		}
		b.WriteString(name)
		text = rest
	}
}

// ChosenBefore returns the texts of the operation's choice that are simpler than its own text, the
// simplest first: all of them if its own text is not in the choice.
func (o *Operation) ChosenBefore() []string {
	if i := slices.Index(o.Choice, o.Lit.Str); i >= 0 {
		return o.Choice[:i]
	}
	return o.Choice
}

// Declared returns the signature that names the parameters and results of a call for readers: that of the
// helper, or that of the function as it was declared.
func (o *Operation) Declared() *types.Signature {
	if o.Via != nil {
		return o.Via.Sig
	}
	return o.Func.Type().(*types.Signature)
}

// Drives reports whether the operation calls its function through a helper.
func (o *Operation) Drives() bool { return o.Via != nil && o.Via.Drives != nil }

// Loops reports whether a call is made through a helper that goes through all elements of a cursor.
func (o *Operation) Loops() bool { return o.Via != nil && o.Via.Loops }

// Observes reports whether the operation may be the call of an observer, whose first argument is the
// object: a method, or a helper that calls its methods.
func (o *Operation) Observes() bool {
	return o.Kind == OpMethod || o.Kind == OpFunc && o.Via != nil && !o.Drives()
}

// HasCopy reports whether the operation calls a method that is declared for values of a struct. Such a method can
// change what fields of its receiver lead to, but no field.
func (o *Operation) HasCopy() bool {
	if o.Func == nil || o.Func.Signature().Recv() == nil {
		return false
	}
	_, isStruct := o.Func.Signature().Recv().Type().Underlying().(*types.Struct)
	return isStruct
}

// Driven returns the first argument of a call through a helper that drives its function. It is the
// receiver, whose text and type are given, if the receiver's own method implements Drives; otherwise
// the function or method adapted to it.
func (o *Operation) Driven(recv string, on types.Type, function string, pkg func(path string) string) string {
	if o.Kind == OpMethod {
		i, isInterface := o.Via.Drives.Underlying().(*types.Interface)
		if !isInterface {
			return recv
		}
		if i.NumMethods() == 1 && i.Method(0).Name() == o.Func.Name() && types.Implements(on, i) {
			return recv
		}
		function = recv + "." + o.Func.Name()
	}
	return fill(o.Via.Adapt, func(what string) string {
		if what == "f" {
			return function
		}
		return pkg(what)
	})
}
