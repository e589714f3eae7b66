package crossed

import (
	"go/types"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/plain"
	"github.com/goassay/assay/internal/testcase"
)

// placeholders are the forms in which texts name what a map has a value for.
var placeholders = [...]string{"hello $name", "hello ${name}", "hello {name}", "hello {{name}}", "hello {{.name}}", "hello {{ name }}", "hello %name%", "hello :name", "hello <name>", "hello %(name)s", "hello @name"}

// Placeholders returns sequences of a case whose call is passed a map by texts and a text, with a text that names a key of the map, in all
// forms that are common. Whether a function fills something in shows in nothing else, and a solver does not find the form where another
// package reads it. It returns none for other cases.
func Placeholders(c *testcase.Case) []*testcase.Sequence {
	var out []*testcase.Sequence
	for _, form := range placeholders {
		with := make(map[int]plain.Part)
		maps, texts := 0, 0
		for _, a := range c.Seq.At(c.TargetStmt()).Args {
			t := c.Seq.ResultTypes()[a.Stmt][a.Result]
			switch part, kind := filledIn(t, form); kind {
			case aMap:
				maps++
				with[a.Stmt] = part
			case aText:
				if texts++; texts == 1 {
					with[a.Stmt] = part
				}
			}
		}
		if maps != 1 || texts == 0 {
			return nil
		}
		if seq, ok := plain.Replaced(c.Seq, with); ok {
			out = append(out, seq)
		}
	}
	return out
}

// The kinds of arguments that placeholders are for.
const (
	another = iota
	aMap
	aText
)

// filledIn returns what is passed in place of an argument of a type: a map with a value for a name, the text, or a list of it.
func filledIn(t types.Type, text string) (plain.Part, int) {
	var b testcase.Builder
	part := func(kind int, r testcase.Ref) (plain.Part, int) { return plain.Part{Seq: b.Sequence(), Value: r}, kind }
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if types.Identical(t, types.Typ[types.String]) {
			return part(aText, literal(&b, t, text))
		}
	case *types.Slice:
		if types.Identical(u.Elem(), types.Typ[types.String]) {
			return part(aText, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t, N: 1}, literal(&b, u.Elem(), text)))
		}
	case *types.Map:
		if !isString(u.Key()) || !isString(u.Elem()) && !gosyntax.IsAny(u.Elem()) {
			break
		}
		key := literal(&b, u.Key(), "name")
		value := testcase.Ref{}
		if isString(u.Elem()) {
			value = literal(&b, u.Elem(), "ann")
		} else {
			value = b.Add(&testcase.Operation{Kind: testcase.OpConvert, Type: u.Elem()}, literal(&b, types.Typ[types.String], "ann"))
		}
		return part(aMap, b.Add(&testcase.Operation{Kind: testcase.OpComposite, Type: t}, key, value))
	}
	return plain.Part{}, another
}
