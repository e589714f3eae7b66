package giver

import (
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// sampleJSON returns JSON texts of a type: one with all fields, some in which one of the first fields is left
// out or is a negative number, an empty object, and a text that is no JSON.
func sampleJSON(t types.Type) []string {
	out := []string{jsonOf(t, 0, all)}
	if s, ok := t.Underlying().(*types.Struct); ok {
		const most = 5
		for i := range min(s.NumFields(), most) {
			out = append(out, jsonOf(t, 0, change{i, ""}))
		}
		for i := range min(s.NumFields(), most) {
			if b, ok := s.Field(i).Type().Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUnsigned == 0 {
				out = append(out, jsonOf(t, 0, change{i, "-1"}))
			}
		}
		out = append(out, "{}")
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

// jsonOf returns a JSON text of a type. If the type is a struct, the field named in the change differs.
func jsonOf(t types.Type, depth int, but change) string {
	if depth > maxDepth {
		return "null"
	}
	if types.TypeString(t, nil) == "time.Time" {
		return `"2024-05-06T07:08:09Z"`
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `"abc"`
		case u.Info()&types.IsBoolean != 0:
			return "true"
		case u.Info()&types.IsInteger != 0:
			return strconv.Itoa(3 + depth)
		case u.Info()&types.IsFloat != 0:
			return "2.5"
		}
	case *types.Pointer:
		return jsonOf(u.Elem(), depth+1, all)
	case *types.Slice:
		if b, ok := u.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
			return `"YWJj"`
		}
		return "[" + jsonOf(u.Elem(), depth+1, all) + "]"
	case *types.Array:
		elems := make([]string, min(u.Len(), 4))
		for i := range elems {
			elems[i] = jsonOf(u.Elem(), depth+1, all)
		}
		return "[" + strings.Join(elems, ",") + "]"
	case *types.Map:
		key := `"abc"`
		if b, ok := u.Key().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			key = `"3"`
		}
		return "{" + key + ":" + jsonOf(u.Elem(), depth+1, all) + "}"
	case *types.Struct:
		var fields []string
		for i := range u.NumFields() {
			f := u.Field(i)
			name, _, _ := strings.Cut(reflect.StructTag(u.Tag(i)).Get("json"), ",")
			if !f.Exported() || name == "-" || i == but.field && but.value == "" {
				continue
			}
			if name == "" {
				name = f.Name()
			}
			value := jsonOf(f.Type(), depth+1, all)
			if i == but.field {
				value = but.value
			}
			fields = append(fields, strconv.Quote(name)+":"+value)
		}
		return "{" + strings.Join(fields, ",") + "}"
	case *types.Interface:
		return `"abc"`
	}
	return "null"
}
