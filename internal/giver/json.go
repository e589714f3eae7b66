package giver

import (
	"cmp"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/load"
)

// openJSON stands in the texts of jsonOf for JSON of any type, which a json.RawMessage keeps as it is.
const openJSON = "\x00"

// sampleJSON returns JSON texts of a type: one with all fields, some in which one of the first fields is left
// out, is false or is a negative number, an empty object, and a text that is no JSON.
func sampleJSON(t types.Type) []string {
	out := []string{jsonOf(t, 0, all)}
	for _, c := range []change{faultless, numbered} {
		addTo(&out, jsonOf(t, 0, c), len(out)+1)
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		const most = 5
		for i := range min(s.NumFields(), most) {
			out = append(out, jsonOf(t, 0, change{i, ""}))
		}
		for i := range min(s.NumFields(), most) {
			switch b, ok := s.Field(i).Type().Underlying().(*types.Basic); {
			case !ok:
			case b.Info()&types.IsBoolean != 0:
				out = append(out, jsonOf(t, 0, change{i, "false"}))
			case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUnsigned == 0:
				out = append(out, jsonOf(t, 0, change{i, "-1"}))
			}
		}
		out = append(out, "{}")
	}
	for i, text := range out {
		out[i] = strings.ReplaceAll(text, openJSON, "{}")
	}
	return append(out, "{", "null")
}

// change says which field of a struct gets another text in place of its usual value; the text "" leaves the
// field out.
type change struct {
	field int
	value string
}

// all is the change that changes no field.
var all = change{-1, ""}

// numbered is the change that has numbers in the place of values whose types read JSON by methods of their own: truths that
// are 0 or 1, and moments that are seconds.
var numbered = change{-2, ""}

// faultless is the change that leaves out the fields that tell of an error, and has 1 as each number: an answer that tells of
// success.
var faultless = change{-3, ""}

// tellsError reports whether the name of a field says that it is there where something failed.
func tellsError(name string) bool { return strings.HasPrefix(strings.ToLower(name), "err") }

// inner returns the change for the parts of a value.
func (c change) inner() change {
	if c == numbered || c == faultless {
		return c
	}
	return all
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
	if n := ownNumber(t); n != "" && but == numbered {
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
		case u.Info()&types.IsInteger != 0 && but == faultless:
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
		return `"abc"`
	}
	return "null"
}

// mostFields is how many fields of structs are written, by how deep these are.
var mostFields = [...]int{40, 10, 4, 2}

// jsonFields returns the members of the JSON object of a struct. The fields of a struct that is embedded in it without a
// name of its own are members of the same object.
func jsonFields(u *types.Struct, depth int, but change) []string {
	// A person who writes JSON of a struct with dozens of fields, each with as many, fills a few of the inner ones.
	most := mostFields[min(depth, len(mostFields)-1)]
	var fields []string
	for i := range u.NumFields() {
		if len(fields) >= most {
			break
		}
		f := u.Field(i)
		name, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
		if name == "-" || i == but.field && but.value == "" || but == faultless && tellsError(cmp.Or(name, f.Name())) {
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
		if i == but.field {
			value = but.value
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
			for _, text := range sampleJSON(p.Elem()) {
				if text != "{" && !slices.Contains(out, text) && len(out) < maxDecoded {
					out = append(out, text)
				}
			}
			return true
		})
	}
	return out
}
