package observer

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file makes observers for containers that have no method which returns all elements. Such an observer
// is a helper function that the test file declares; it goes through a container by its exported methods. A
// list of all elements shows where each element is, which Len, Front and Back do not.

// elementsName is the name of the helpers that list elements.
const elementsName = "elements"

// Elements returns calls of helpers that list the elements of an object of a type. Helpers that change
// nothing come first. There are none if a method of the type returns all elements, or if no method leads
// through them. Only runs can show whether a helper works: indices may begin at 1, and a loop may not end.
func (t *Table) Elements(typ types.Type) []*testcase.Operation {
	named := load.NamedOf(typ)
	if named == nil || slices.ContainsFunc(t.Of(typ), func(op *testcase.Operation) bool { return class(op) == 0 && isList(op) }) {
		return nil
	}
	methods := t.methodsOf(named)
	var out []*testcase.Operation
	add := func(elem types.Type, doc, text string) {
		if elem != nil && plain(elem, 1) {
			out = append(out, listing{elementsName, receiverName(named), typ, elem}.helper(doc, text))
		}
	}
	size := find(methods, func(m method) bool { return m.takes() && m.returns(isInt) && sized(m.name) })
	for _, m := range methods {
		switch {
		case size.sig != nil && at(m.name) && m.takes(isInt) && isPlace(m.sig.Params().At(0).Name()) && m.returnsElement():
			add(m.result(), "returns the elements of «0» in their order.",
				fmt.Sprintf("var out []«e»\n\tfor i := 0; i < «0».%s(); i++ {\n\t\t%s\n\t}\n\treturn out", size.name, m.appends("«0»."+m.name+"(i)")))
		case m.takes() && m.returns(isSequence) && (m.name == "All" || m.name == "Values" || m.name == "Iter" || m.name == "Elements" || m.name == "Items"):
			sorted, how := t.sorted(m, yielded(m.result()))
			add(yielded(m.result()), "returns what "+m.name+" yields"+how+".", fmt.Sprintf("var out []«e»\n\tfor v := range «0».%s() {\n\t\tout = append(out, v)\n\t}%s\n\treturn out", m.name, sorted))
		case m.takes() && m.returns(isPairs) && slices.ContainsFunc([]string{"All", "Iter", "Entries", "Items", "Pairs"}, func(p string) bool { return strings.HasPrefix(m.name, p) }):
			sorted, how := t.sorted(m, types.Typ[types.String])
			out = append(out, listing{testcase.EntriesName, receiverName(named), typ, types.Typ[types.String]}.helper("returns the pairs that "+m.name+" yields"+how+".",
				fmt.Sprintf("var out []«e»\n\tfor k, v := range «0».%s() {\n\t\tout = append(out, «fmt».Sprint(k, \"=\", v))\n\t}%s\n\treturn out", m.name, sorted)))
		case (m.name == "Each" || m.name == "ForEach" || m.name == "Do" || m.name == "Range" || m.name == "Walk") && m.sig.Params().Len() == 1 && m.sig.Results().Len() == 0:
			elem, stops := visited(m.sig.Params().At(0).Type())
			result, last := "", ""
			if stops {
				result, last = " bool", "\n\t\treturn true"
			}
			sorted, how := t.sorted(m, elem)
			add(elem, "returns the elements that "+m.name+" goes through"+how+".",
				fmt.Sprintf("var out []«e»\n\t«0».%s(func(v «e»)%s {\n\t\tout = append(out, v)%s\n\t})%s\n\treturn out", m.name, result, last, sorted))
		}
	}
	for _, m := range methods {
		if elem, value, next, ok := m.leadsAlong(); ok {
			add(elem, "returns the elements from "+m.name+" on.",
				fmt.Sprintf("var out []«e»\n\tfor at := «0».%s(); at != nil; at = at.%s {\n\t\tout = append(out, at.%s)\n\t}\n\treturn out", m.name, next, value))
		}
	}
	kept := len(out)
	for _, m := range methods {
		if !m.takes() || !removes(m.name) || !m.returnsElement() {
			continue
		}
		empty := find(methods, func(m method) bool {
			return m.takes() && m.returns(isBool) && (m.name == "IsEmpty" || m.name == "Empty")
		})
		more := ""
		switch {
		case size.sig != nil:
			more = "«0»." + size.name + "() > 0"
		case empty.sig != nil:
			more = "!«0»." + empty.name + "()"
		default:
			continue
		}
		add(m.result(), "removes all elements of «0» with "+m.name+" and returns them.",
			fmt.Sprintf("var out []«e»\n\tfor %s {\n\t\t%s\n\t}\n\treturn out", more, m.appends("«0»."+m.name+"()")))
	}
	for _, m := range methods {
		if elem, goes := m.moves(); elem != nil {
			doc := "returns what " + m.name + " returns until there is nothing left."
			call := "«0»." + m.name + "()"
			if m.sig.Results().Len() == 2 {
				add(elem, doc, fmt.Sprintf("var out []«e»\n\tfor v, %s := %s; %s; v, %[1]s = %[2]s {\n\t\tout = append(out, v)\n\t}\n\treturn out", goes.name, call, goes.on))
			} else {
				out = append(out, listing{testcase.EntriesName, receiverName(named), typ, elem}.helper(doc,
					fmt.Sprintf("var out []«e»\n\tfor k, v, %s := %s; %s; k, v, %[1]s = %[2]s {\n\t\tout = append(out, «fmt».Sprint(k, \"=\", v))\n\t}\n\treturn out", goes.name, call, goes.on)))
			}
		}
	}
	for _, op := range out[kept:] {
		op.Via.Consumes = true
	}
	return out
}

// going is how a method that moves on says whether there was something: the name of its last result, and the condition.
type going struct{ name, on string }

// moves reports whether a method returns the next element, or the next pair, and whether there is one: Next() (T, bool),
// Next() (K, V, bool), Next() (T, error). It returns the type of what is listed, nil for other methods.
func (m method) moves() (elem types.Type, on going) {
	results := m.sig.Results()
	if m.name != "Next" || !m.takes() || results.Len() < 2 || results.Len() > 3 {
		return nil, going{}
	}
	switch last := results.At(results.Len() - 1).Type(); {
	case isBool(last):
		on = going{"ok", "ok"}
	case gosyntax.IsError(last):
		on = going{"err", "err == nil"}
	default:
		return nil, going{}
	}
	if results.Len() == 3 {
		return types.Typ[types.String], on // of pairs
	}
	return results.At(0).Type(), on
}

// noOrder matches sentences of documentation which say that elements come in an order that nobody may rely on.
var noOrder = regexp.MustCompile(`(?i)\border\b[^.]*\b(is|are) (not (defined|guaranteed|specified)|undefined|unspecified|undetermined|random|arbitrary)\b|\b(undefined|unspecified|random|arbitrary|no (particular|specific|defined)) order\b`)

// sorted returns the statement that puts listed elements in order where the documentation of the method that they come from says that
// it promises none, and what the list is called for that; "" if it says nothing, or if the elements are neither texts nor numbers.
func (t *Table) sorted(m method, elem types.Type) (statement, how string) {
	if m.fn == nil || elem == nil {
		return "", ""
	}
	decl := t.pkg.Func(m.fn.Origin())
	if decl == nil || !noOrder.MatchString(strings.Join(strings.Fields(decl.Doc.Text()), " ")) {
		return "", ""
	}
	switch {
	case types.Identical(elem, types.Typ[types.String]):
		return "\n\t«sort».Strings(out)", ", in order"
	case isInt(elem):
		return "\n\t«sort».Ints(out)", ", in order"
	}
	return "", ""
}

// AcceptElements makes a helper that lists elements an observer of the objects of a type.
func (t *Table) AcceptElements(typ types.Type, op *testcase.Operation) {
	key := types.TypeString(load.NamedOf(typ), nil)
	t.of[key] = slices.Insert(t.of[key], 0, op)
}

// Drains reports whether an operation is a helper that removes the elements which it lists.
func Drains(op *testcase.Operation) bool {
	return op.Via != nil && op.Via.Consumes
}

// A method is one of a type's exported methods, with its type arguments applied.
type method struct {
	name string
	sig  *types.Signature
	fn   *types.Func
}

// methodsOf returns the exported methods of a type that may be called, in the order of the source.
func (t *Table) methodsOf(named *types.Named) []method {
	var out []method
	for _, target := range t.pkg.Targets {
		if target.Recv == nil || !target.Exported || target.Skip != "" || t.wrong[target.Name] {
			continue
		}
		if mine := load.NamedOf(target.Recv); mine != nil && types.Identical(mine, named) {
			op := &testcase.Operation{Kind: testcase.OpMethod, Func: target.Obj, TypeArgs: target.TypeArgs}
			out = append(out, method{target.Obj.Name(), op.Signature(), target.Obj})
		}
	}
	return out
}

func find(methods []method, is func(method) bool) method {
	if i := slices.IndexFunc(methods, is); i >= 0 {
		return methods[i]
	}
	return method{}
}

// takes reports whether a method has as many parameters as there are conditions, and each parameter's type
// meets its condition.
func (m method) takes(are ...func(types.Type) bool) bool {
	if m.sig.Params().Len() != len(are) || m.sig.Variadic() {
		return false
	}
	for i, is := range are {
		if !is(m.sig.Params().At(i).Type()) {
			return false
		}
	}
	return true
}

// returns reports whether a method has one result for which is holds.
func (m method) returns(is func(types.Type) bool) bool {
	return m.sig.Results().Len() == 1 && is(m.sig.Results().At(0).Type())
}

// returnsElement reports whether a method returns an element, alone or beside a truth or an error.
func (m method) returnsElement() bool {
	results := m.sig.Results()
	switch results.Len() {
	case 1:
		return !gosyntax.IsError(results.At(0).Type())
	case 2:
		return isBool(results.At(1).Type()) || gosyntax.IsError(results.At(1).Type())
	}
	return false
}

// leadsAlong reports whether a method returns the first part of a chain: a pointer to a struct that has what it holds and the
// next such pointer, each as an exported field or by a method. It returns the type of what a part holds, and the texts that
// select this and the next part.
func (m method) leadsAlong() (elem types.Type, value, next string, ok bool) {
	if !slices.Contains([]string{"Front", "First", "Head", "Begin", "Oldest", "Start"}, m.name) || !m.takes() || m.sig.Results().Len() != 1 {
		return nil, "", "", false
	}
	part, isPointer := types.Unalias(m.result()).(*types.Pointer)
	if !isPointer || load.NamedOf(part.Elem()) == nil {
		return nil, "", "", false
	}
	to, next := selected(part, "Next")
	if to == nil || !types.Identical(to, part) {
		return nil, "", "", false
	}
	for _, name := range []string{"Value", "Val", "Data", "Item", "Key", "Elem"} {
		if elem, value := selected(part, name); elem != nil {
			return elem, value, next, true
		}
	}
	return nil, "", "", false
}

// selected returns the type and the text of an exported field of a type, or of what a method without parameters returns; nil if
// the type has neither.
func selected(t types.Type, name string) (types.Type, string) {
	obj, _, _ := types.LookupFieldOrMethod(t, true, load.NamedOf(t).Obj().Pkg(), name)
	switch obj := obj.(type) {
	case *types.Var:
		return obj.Type(), name
	case *types.Func:
		if sig := obj.Signature(); sig.Params().Len() == 0 && sig.Results().Len() == 1 {
			return sig.Results().At(0).Type(), name + "()"
		}
	}
	return nil, ""
}

// result is the type of the first result.
func (m method) result() types.Type { return m.sig.Results().At(0).Type() }

// appends returns the statements that append the element which a call returns to out.
func (m method) appends(call string) string {
	if m.sig.Results().Len() == 2 {
		return "v, _ := " + call + "\n\t\tout = append(out, v)"
	}
	return "out = append(out, " + call + ")"
}

func isInt(t types.Type) bool { return types.Identical(t, types.Typ[types.Int]) }

// isList reports whether an observer returns a slice or a map.
func isList(op *testcase.Operation) bool {
	switch op.Signature().Results().At(0).Type().Underlying().(type) {
	case *types.Slice, *types.Map:
		return true
	}
	return false
}

// The names of methods that say how many elements there are, return the element at an index, and
// remove and return an element.
func sized(name string) bool {
	return slices.Contains([]string{"Len", "Size", "Length", "Count"}, name)
}

func at(name string) bool {
	return slices.Contains([]string{"At", "Get", "Item", "Elem", "Nth", "Index", "Peek"}, name)
}

// isPlace reports whether a parameter has the name of an index: Get(key int) may be a lookup in a map.
func isPlace(param string) bool {
	return slices.Contains([]string{"i", "j", "n", "idx", "index", "ix", "at", "pos", "position", "place", "rank", "nth", "offset"}, param)
}

func removes(name string) bool {
	return slices.Contains([]string{"Pop", "PopFront", "Dequeue", "Poll", "Shift", "PopMin", "DeleteMin", "ExtractMin", "PopMax", "DeleteMax", "ExtractMax"}, name)
}

// isSequence reports whether a type is an iterator over single values.
func isSequence(t types.Type) bool { return yielded(t) != nil }

// isPairs reports whether a type is an iterator over pairs.
func isPairs(t types.Type) bool {
	yield := gosyntax.Yield(t)
	return yield != nil && yield.Params().Len() == 2
}

// yielded returns the type of the values of an iterator over single values, nil for other types.
func yielded(t types.Type) types.Type {
	yield := gosyntax.Yield(t)
	if yield == nil || yield.Params().Len() != 1 {
		return nil
	}
	return yield.Params().At(0).Type()
}

// visited takes a function type with one parameter. It returns the parameter's type, or nil for other types,
// and whether the function can say that it wants no more elements.
func visited(t types.Type) (elem types.Type, stops bool) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Variadic() || sig.Results().Len() > 1 {
		return nil, false
	}
	if sig.Results().Len() == 1 && !isBool(sig.Results().At(0).Type()) {
		return nil, false
	}
	return sig.Params().At(0).Type(), sig.Results().Len() == 1
}

// Pairs returns a call of a helper that lists the pairs which an iterator of a type yields.
func Pairs(iterator types.Type) *testcase.Operation {
	const doc = "returns the pairs that seq yields, in their order."
	return listing{"pairs", "seq", iterator, types.Typ[types.String]}.helper(doc, "var out []«e»\n\tfor k, v := range «0» {\n\t\tout = append(out, «fmt».Sprint(k, \"=\", v))\n\t}\n\treturn out")
}

// receiverName is what the methods of a type call their receiver.
func receiverName(named *types.Named) string {
	for i := range named.Origin().NumMethods() {
		if name := named.Origin().Method(i).Signature().Recv().Name(); name != "" && name != "_" && name != "t" && name != "out" && name != "v" {
			return name
		}
	}
	return "object"
}

// listing is a helper that lists values: its name, what its parameter is called and of which type that is, and
// the type of the values.
type listing struct {
	name, param string
	typ, elem   types.Type
}

// helper returns a call of the helper. In its body «0» stands for the parameter and «e» for the type of the values.
func (l listing) helper(doc, body string) *testcase.Operation {
	spell := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
	}
	fill := strings.NewReplacer("«0»", l.param, "«e»", spell(l.elem))
	list := types.NewSlice(l.elem)
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, l.param, l.typ)), types.NewTuple(types.NewParam(0, nil, "", list)), false)
	h := &testcase.Helper{
		Name: l.name, Doc: fill.Replace(doc), Sig: sig,
		Text: fmt.Sprintf("func «.»(%s %s) %s {\n\t%s\n}\n", l.param, spell(l.typ), spell(list), fill.Replace(body)),
		Func: types.NewFunc(0, types.NewPackage("elements", "elements"), l.name, sig),
	}
	return &testcase.Operation{Kind: testcase.OpFunc, Func: h.Func, Via: h}
}
