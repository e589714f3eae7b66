package giver

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/load/requests"
)

// Two texts stand in those of jsonOf for what any JSON is put into: openJSON for a json.RawMessage, which keeps it as it is, and
// openAny for an interface.
const openJSON, openAny = "\x00", "\x01"

// isOpen reports whether a text of jsonOf leaves a part open.
func isOpen(text string) bool { return strings.ContainsAny(text, openJSON+openAny) }

// filled returns a text of jsonOf with another one as its open parts.
func filled(text, inner string) string {
	return strings.NewReplacer(openJSON, inner, openAny, inner).Replace(text)
}

// closed returns a text of jsonOf with something as its open parts.
func closed(text string) string {
	return strings.NewReplacer(openJSON, "{}", openAny, `"abc"`).Replace(text)
}

// longestReply is how long a text with many fields may be. Where it would be longer, it has fewer of them.
const longestReply = 500

// sampleJSON returns JSON texts of a type: one with all fields, some in which one of the first fields is left
// out, is false or is a negative number, an empty object, and a text that is no JSON. If it is known what fields are compared
// with, there are texts with these constants, and the first one tells of success.
func sampleJSON(t types.Type, compared *requests.Facts) []string {
	var out []string
	brief := false
	add := func(c change) {
		c.compared, c.brief = compared, brief
		if text := closed(jsonOf(t, 0, c)); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if compared != nil {
		brief = len(jsonOf(t, 0, change{field: sound, compared: compared})) > longestReply
		add(change{field: sound})
	}
	add(all)
	for i := range mostConstants {
		if compared != nil {
			add(change{field: constants - i})
		}
	}
	add(change{field: faultless})
	add(change{field: numbered})
	if s, ok := t.Underlying().(*types.Struct); ok {
		const most = 5
		for i := range min(s.NumFields(), most) {
			add(change{field: i})
		}
		for i := range min(s.NumFields(), most) {
			switch b, ok := s.Field(i).Type().Underlying().(*types.Basic); {
			case !ok:
			case b.Info()&types.IsBoolean != 0:
				add(change{field: i, value: "false"})
			case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUnsigned == 0:
				add(change{field: i, value: "-1"})
			}
		}
		out = append(out, "{}")
	}
	return append(out, "{", "null")
}

// change says which field of a struct gets another text in place of its usual value; the text "" leaves the
// field out. A negative number changes several fields.
type change struct {
	field    int
	value    string
	compared *requests.Facts // has the constants that code compares fields with; may be nil
	brief    bool            // only a few fields are written
}

// The changes of several fields.
const (
	// unchanged is the number of the change that changes no field.
	unchanged = -1 - iota
	// numbered has numbers in the place of values whose types read JSON by methods of their own: truths that are 0 or 1, and
	// moments that are seconds.
	numbered
	// sound leaves out the fields that tell of an error, and has those constants in fields that code wants to be there: an
	// answer that tells of success.
	sound
	// faultless does the same, and has 1 as each other number.
	faultless
	// constants is the first of mostConstants changes, each of which has another constant in the fields that code compares.
	constants
)

// mostConstants is how many constants are tried for a field.
const mostConstants = 4

// all is the change that changes no field.
var all = change{field: unchanged}

// tellsError reports whether the name of a field says that it is there where something failed.
func tellsError(name string) bool { return strings.HasPrefix(strings.ToLower(name), "err") }

// inner returns the change for the parts of a value.
func (c change) inner() change {
	if c.field < unchanged {
		return c
	}
	return change{field: unchanged, brief: c.brief}
}

// succeeds reports whether a change makes a text of success.
func (c change) succeeds() bool { return c.field == sound || c.field == faultless }

// constant returns the JSON of the constant that a field has because code compares the field with it, or "".
func (c change) constant(v *types.Var) string {
	if c.compared == nil {
		return ""
	}
	known := c.compared.Compared(v)
	switch {
	case known == nil:
	case c.succeeds() && len(known.Unequal) > 0:
		return jsonConstant(known.Unequal[0], v.Type())
	case c.field <= constants && constants-c.field < len(known.Equal):
		return jsonConstant(known.Equal[constants-c.field], v.Type())
	}
	return ""
}

// jsonConstant returns a constant as JSON of a type, or "" if the type has none for it.
func jsonConstant(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
	case v.Kind() == constant.String && b.Info()&types.IsString != 0:
		return quoted(constant.StringVal(v))
	case v.Kind() == constant.Int && b.Info()&types.IsNumeric != 0, v.Kind() == constant.Bool && b.Info()&types.IsBoolean != 0:
		return v.ExactString()
	}
	return ""
}

// quoted returns a text in quotes, as JSON.
func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic("bug: a text has no JSON: " + err.Error())
	}
	return string(out)
}

// ownMoment is a moment as seconds.
const ownMoment = "1714979289"

// ownNumber returns a number for a type that reads JSON by a method of its own, and "" for other types.
func ownNumber(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() == "time" {
		return ""
	}
	if m, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), "UnmarshalJSON"); m == nil {
		return ""
	}
	switch u := n.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsBoolean != 0 {
			return "1"
		}
	case *types.Pointer, *types.Struct:
		if holdsTime(u) {
			return ownMoment
		}
	}
	return ""
}

// holdsTime reports whether a type is a moment, or a struct whose first field is one.
func holdsTime(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && s.NumFields() > 0 && types.TypeString(t, nil) != "time.Time" {
		t = s.Field(0).Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
	}
	return types.TypeString(t, nil) == "time.Time"
}

// jsonOf returns a JSON text of a type. If the type is a struct, the field named in the change differs.
func jsonOf(t types.Type, depth int, but change) string {
	if depth > maxDepth {
		return "null"
	}
	if n := ownNumber(t); n != "" && but.field == numbered {
		return n
	} else if n == ownMoment {
		return `"2024-05-06T07:08:09Z"`
	}
	switch types.TypeString(t, nil) {
	case "time.Time":
		return `"2024-05-06T07:08:09Z"`
	case "encoding/json.RawMessage":
		return openJSON
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `"abc"`
		case u.Info()&types.IsBoolean != 0:
			return "true"
		case u.Info()&types.IsInteger != 0 && but.field == faultless:
			return "1"
		case u.Info()&types.IsInteger != 0:
			return strconv.Itoa(3 + depth)
		case u.Info()&types.IsFloat != 0:
			return "2.5"
		}
	case *types.Pointer:
		return jsonOf(u.Elem(), depth+1, but.inner())
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return `"YWJj"`
		}
		return "[" + jsonOf(u.Elem(), depth+1, but.inner()) + "]"
	case *types.Array:
		elems := make([]string, min(u.Len(), 4))
		for i := range elems {
			elems[i] = jsonOf(u.Elem(), depth+1, but.inner())
		}
		return "[" + strings.Join(elems, ",") + "]"
	case *types.Map:
		key := `"abc"`
		if b, ok := u.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			key = `"3"`
		}
		return "{" + key + ":" + jsonOf(u.Elem(), depth+1, but.inner()) + "}"
	case *types.Struct:
		return "{" + strings.Join(jsonFields(u, depth, but), ",") + "}"
	case *types.Interface:
		if u.Empty() {
			return openAny
		}
		return `"abc"`
	}
	return "null"
}

// mostFields is how many fields of structs are written, by how deep these are.
var mostFields = [...]int{40, 10, 4, 2}

// fewFields is the same for brief texts.
var fewFields = [...]int{10, 4, 2, 1}

// jsonFields returns the members of the JSON object of a struct. The fields of a struct that is embedded in it without a
// name of its own are members of the same object.
func jsonFields(u *types.Struct, depth int, but change) []string {
	// A person who writes JSON of a struct with dozens of fields, each with as many, fills a few of the inner ones.
	most := mostFields[min(depth, len(mostFields)-1)]
	if but.brief {
		most = fewFields[min(depth, len(fewFields)-1)]
	}
	var fields []string
	for i := range u.NumFields() {
		if len(fields) >= most {
			break
		}
		f := u.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
		known := but.constant(f)
		if name == "-" || i == but.field && but.value == "" || but.succeeds() && (known == "" && tellsError(cmp.Or(name, f.Name())) || known == "0" || known == `""`) {
			continue
		}
		if f.Embedded() && name == "" && depth <= maxDepth {
			t := f.Type().Underlying()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem().Underlying()
			}
			if inner, ok := t.(*types.Struct); ok {
				fields = append(fields, jsonFields(inner, depth+1, but.inner())...)
				continue
			}
		}
		if !f.Exported() {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		value := jsonOf(f.Type(), depth+1, but.inner())
		if b, ok := f.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			value = textFor(name)
		}
		if known = cmp.Or(known, but.value); known != "" && (i == but.field || but.field < 0) {
			value = known
		}
		fields = append(fields, strconv.Quote(name)+":"+value)
	}
	return fields
}

// textFor returns a text as people write it into a field of this name, in quotes.
func textFor(name string) string {
	if texts := everyday.TextsFor(name, false); len(texts) > 0 {
		return strconv.Quote(texts[0])
	}
	return `"abc"`
}

// maxDecoded is how many texts Decoded returns at the most.
const maxDecoded = 40

// Decoded returns JSON texts of the types into which functions of a package decode JSON: of values with all fields,
// without each of the first ones, with negative numbers, and an empty object. What comes from outside need not have
// been written by the package, or was written by an earlier version that did not know all fields.
func Decoded(pkg *load.Package) []string {
	var out []string
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return true
			}
			fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
			if !ok || fn.FullName() != "encoding/json.Unmarshal" && fn.FullName() != "(*encoding/json.Decoder).Decode" {
				return true
			}
			p, ok := types.Unalias(pkg.Info.TypeOf(call.Args[len(call.Args)-1])).(*types.Pointer)
			if !ok || types.IsInterface(p.Elem()) {
				return true
			}
			for _, text := range sampleJSON(p.Elem(), nil) {
				if text != "{" && !slices.Contains(out, text) && len(out) < maxDecoded {
					out = append(out, text)
				}
			}
			return true
		})
	}
	return out
}
