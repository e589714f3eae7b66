package observer

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file goes through cursors: objects with a method that leads to the next element, like bufio.Scanner, sql.Rows and csv.Reader. One call of
// such a method shows little. What its users see is all that a loop of calls returns.

// movers are the names of methods that say whether there is a next element, and pointed those of methods that return the element to which
// such a method has led, in the order in which they are looked for. readers are the names of methods that return the next element.
var (
	movers  = []string{"Next", "Scan", "Advance", "MoveNext", "More"}
	pointed = []string{"Value", "Val", "Result", "Item", "Record", "Row", "Entry", "Element", "Elem", "Current", "Token", "Event", "Message", "Node", "Line", "Text", "Bytes", "Key"}
	readers = []string{"Next", "Read", "ReadRecord", "ReadRow", "ReadLine", "ReadEntry", "ReadEvent", "ReadToken", "NextToken", "NextRow", "NextRecord", "Token"}
)

// mostPassed is how many elements a harness goes through at the most. A cursor without an end would take all its time.
const mostPassed = 1000

// Cursor returns the call of a method through a helper that goes through all elements of an object of the method's type, and returns these and
// why there are no more, if the type has a method Err or the method returns an error. It returns nil for objects that are no cursors.
func Cursor(pkg *load.Package, named *types.Named) *testcase.Operation {
	if named.TypeParams().Len() > 0 {
		return nil
	}
	c := &cursor{pkg: pkg, named: named, typ: types.NewPointer(named)}
	for _, name := range movers {
		move := c.method(name)
		if move == nil || move.Signature().Results().Len() != 1 || !isBool(move.Signature().Results().At(0).Type()) {
			continue
		}
		for _, name := range pointed {
			if value := c.method(name); value != nil && value.Signature().Results().Len() == 1 {
				if op := c.moving(move, value); op != nil {
					return op
				}
			}
		}
	}
	for _, name := range readers {
		if read := c.method(name); read != nil && read.Signature().Results().Len() == 2 && !strings.HasPrefix(name, "Pop") {
			if op := c.reading(read); op != nil {
				return op
			}
		}
	}
	return nil
}

// IsRead reports whether a function is the method Read of an io.Reader that takes no deadlines: of a connection nobody knows when it ends.
func IsRead(fn *types.Func) bool {
	sig := fn.Signature()
	if fn.Name() != "Read" || sig.Recv() == nil || sig.Params().Len() != 1 || sig.Results().Len() != 2 {
		return false
	}
	if waits, _, _ := types.LookupFieldOrMethod(sig.Recv().Type(), true, fn.Pkg(), "SetDeadline"); waits != nil {
		return false
	}
	return types.Identical(sig.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte])) && types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) && gosyntax.IsError(sig.Results().At(1).Type())
}

// Whole returns the call of a method Read of an object through a helper that reads to the end: what one call reads depends on the list that it is given
// to fill, and users read all. It returns nil if there is no package io, or if the object's type t is no io.Reader itself. The parameter imported returns a function of a package.
func Whole(read *types.Func, t types.Type, imported func(path, name string) (*types.Func, error)) *testcase.Operation {
	all, err := imported("io", "ReadAll")
	if err != nil {
		return nil
	}
	reader := all.Signature().Params().At(0).Type()
	if i, ok := reader.Underlying().(*types.Interface); !ok || !types.Implements(t, i) {
		return nil
	}
	results := types.NewTuple(types.NewParam(0, nil, "", types.Typ[types.String]), types.NewParam(0, nil, "", types.Universe.Lookup("error").Type()))
	return &testcase.Operation{Kind: testcase.OpMethod, Func: read, Via: &testcase.Helper{
		Name: "readAll", Doc: "reads r to its end.", Sig: types.NewSignatureType(nil, nil, nil, nil, results, false), Drives: reader, Loops: true,
		Text:  "func «.»(r «io».Reader) (string, error) {\n\tdata, err := «io».ReadAll(r)\n\treturn string(data), err\n}\n",
		Brief: fmt.Sprintf(briefly, mostRead, mostEmpty),
	}}
}

// briefly is io.ReadAll for a reader that may have no end, or read nothing for ever.
const briefly = `func «.»(r «io».Reader) (string, error) {
	data, empty := make([]byte, 0, 512), 0
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == «io».EOF {
			return string(data), nil
		}
		if err != nil {
			return string(data), err
		}
		if n == 0 {
			empty++
		}
		if len(data) > %d || empty > %d {
			panic("too much")
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}
`

// Bounds of what a harness reads.
const (
	mostRead  = 1 << 16 // bytes
	mostEmpty = 100     // reads of nothing
)

// cursor looks at a type.
type cursor struct {
	pkg   *load.Package
	named *types.Named
	typ   types.Type
}

// method returns an exported method without parameters, nil if the type has none of that name.
func (c *cursor) method(name string) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(c.typ, false, c.pkg.Types, name)
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() != c.pkg.Types || fn.Signature().Params().Len() > 0 {
		return nil
	}
	return fn
}

// moving is the helper for a method that says whether there is an element, and one that returns it. An element that is pointed to is
// copied, since it may be the same for all.
func (c *cursor) moving(move, value *types.Func) *testcase.Operation {
	elem, star := value.Signature().Results().At(0).Type(), ""
	if p, ok := types.Unalias(elem).(*types.Pointer); ok {
		elem, star = p.Elem(), "*"
	}
	if !plain(elem, 0) {
		return nil
	}
	last := ""
	if err := c.method("Err"); err != nil && err.Signature().Results().Len() == 1 && gosyntax.IsError(err.Signature().Results().At(0).Type()) {
		last = ", «0».Err()"
	}
	loop := fmt.Sprintf("for «0».%s() {\n\t\t«bound»list = append(list, %s«0».%s())\n\t}\n\treturn list%s", move.Name(), star, value.Name(), last)
	return c.helper(move, passage{elem, last != "", value.Name(), "returns what " + value.Name() + " returns after each call of " + move.Name() + ".", loop})
}

// reading is the helper for a method that returns the next element, and whether there was one or an error.
func (c *cursor) reading(read *types.Func) *testcase.Operation {
	elem := read.Signature().Results().At(0).Type()
	if !plain(elem, 0) || types.Identical(elem, types.Typ[types.Int]) {
		return nil
	}
	switch last := read.Signature().Results().At(1).Type(); {
	case isBool(last):
		return c.helper(read, passage{elem, false, "Element", "returns what " + read.Name() + " returns until there is nothing left.",
			fmt.Sprintf("for v, ok := «0».%s(); ok; v, ok = «0».%[1]s() {\n\t\t«bound»list = append(list, v)\n\t}\n\treturn list", read.Name())})
	case gosyntax.IsError(last):
		return c.helper(read, passage{elem, true, "Element", "returns what " + read.Name() + " returns until there is nothing left, or what is wrong.",
			fmt.Sprintf("for {\n\t\tv, err := «0».%s()\n\t\tif err == «io».EOF {\n\t\t\treturn list, nil\n\t\t}\n\t\tif err != nil {\n\t\t\treturn list, err\n\t\t}\n\t\t«bound»list = append(list, v)\n\t}", read.Name())})
	}
	return nil
}

// passage is how a helper goes through a cursor: the type of the elements, whether it returns an error, what an element is called, and the
// helper's comment and body.
type passage struct {
	elem      types.Type
	fails     bool
	element   string
	doc, body string
}

// helper returns the call of a method through a helper.
func (c *cursor) helper(fn *types.Func, p passage) *testcase.Operation {
	spell := func(t types.Type) string {
		return types.TypeString(t, func(p *types.Package) string { return "«" + p.Path() + "»" })
	}
	param := receiverName(c.named)
	list := types.NewSlice(p.elem)
	results := []*types.Var{types.NewParam(0, nil, "", list)}
	result := spell(list)
	if p.fails {
		results = append(results, types.NewParam(0, nil, "", types.Universe.Lookup("error").Type()))
		result = "(list " + result + ", err error)"
	} else {
		result = "(list " + result + ")"
	}
	if !strings.Contains(p.body, "return list, err\n") {
		result = strings.Replace(result, ", err error", ", _ error", 1)
	}
	text := func(bound string) string {
		body := strings.NewReplacer("«0»", param, "«bound»", bound).Replace(p.body)
		return fmt.Sprintf("func «.»(%s %s) %s {\n\t%s\n}\n", param, spell(c.typ), result, body)
	}
	sig := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(results...), false)
	h := &testcase.Helper{
		Name: "all" + p.element + "s", Doc: p.doc, Sig: sig, Drives: c.typ, Loops: true, Text: text(""),
		Brief: text(fmt.Sprintf("if len(list) == %d {\n\t\t\tpanic(\"too many elements\")\n\t\t}\n\t\t", mostPassed)),
	}
	return &testcase.Operation{Kind: testcase.OpMethod, Func: fn, Via: h}
}
