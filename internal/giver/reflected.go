package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// mostTags is how many keys of struct tags are looked for.
const mostTags = 12

// reflectedFamily are structs for code that reads the fields of any struct by reflection, as decoders,
// validators and readers of settings do. Its fields are of the usual kinds, and have tags with the keys that
// the package asks for. Only code that looks at fields is given structs where any value may be; types and
// values of package reflect are given to all code that takes these.
func reflectedFamily(pkg *load.Package) *family {
	f := &family{name: "reflect", path: "reflect", imports: []string{"reflect", "time"}}
	if pkg.Info == nil {
		return f
	}
	main, defaults, switches := sorted(tagKeys(pkg), pkg.Name)
	if mentions(pkg, "LookupEnv", "Getenv") {
		main = "" // the environment of whoever runs the tests may have a variable of the field's name
	}
	tag := func(name, value string) string { return tagOf(main, name, defaults, value) }
	structs := []struct{ doc, code string }{
		{"a pointer to a struct of which the fields are set", fmt.Sprintf("&struct{ Name string %s; Port int %s }{Name: \"ann\", Port: 8080}", tag("name", ""), tag("port", ""))},
		{"a struct by itself", fmt.Sprintf("struct{ Name string %s; Debug bool %s }{Name: \"ann\", Debug: true}", tag("name", ""), tag("debug", ""))},
		{"a pointer to an empty one", fmt.Sprintf("&struct{ Name string %s; Rate float64 %s }{}", tag("name", "abc"), tag("rate", "2.5"))},
		{"fields that are lists and maps", fmt.Sprintf("&struct{ Tags []string %s; Labels map[string]string %s }{Tags: []string{\"a\", \"b\"}}", tag("tags", "a,b"), tag("labels", "a:1"))},
		{"a struct in a struct, and a duration", fmt.Sprintf("&struct{ Server struct{ Host string %s }; Timeout time.Duration %s }{}", tag("host", "localhost"), tag("timeout", "5s"))},
		{"a field that is a pointer", fmt.Sprintf("&struct{ Count *int %s }{}", tag("count", "3"))},
		{"a field that is no number by its default", fmt.Sprintf("&struct{ Port int %s }{}", tag("port", "abc"))},
	}
	for _, key := range switches {
		structs = append(structs, struct{ doc, code string }{"", fmt.Sprintf("&struct{ FirstName string %s }{}", tagOf("", "", key, "true"))})
	}
	f.givers = kindGivers(tag("name", ""), tag("port", ""))
	if !mentions(pkg, "NumField", "FieldByName", "VisibleFields") {
		return f
	}
	for _, s := range structs {
		for _, typ := range []string{"any", "interface{}"} {
			f.givers = append(f.givers, giver{typ: typ, doc: s.doc, code: s.code, fixed: true})
		}
	}
	return f
}

// kindGivers returns types and values of package reflect, of the kinds that code tells apart. Structs have a field with each of
// the tags.
func kindGivers(nameTag, portTag string) []giver {
	person := fmt.Sprintf("struct{ Name string %s; Port int %s }", nameTag, portTag)
	values := []struct{ doc, code string }{
		{"a pointer to a struct", "&" + person + "{Name: \"ann\", Port: 8080}"},
		{"a struct", person + "{Name: \"ann\", Port: 8080}"},
		{"a struct in a struct", fmt.Sprintf("&struct{ Server struct{ Host string %s }; Tags []string }{}", nameTag)},
		{"a text", `"ann"`},
		{"a number", "42"},
		{"a list", `[]string{"a", "b"}`},
		{"a map", `map[string]int{"a": 1}`},
	}
	var out []giver
	for _, v := range values {
		out = append(out,
			giver{typ: "reflect.Value", doc: v.doc, code: "reflect.ValueOf(" + v.code + ")", fixed: true},
			giver{typ: "reflect.Type", doc: v.doc, code: "reflect.TypeOf(" + v.code + ")", fixed: true})
	}
	return out
}

// tagKeys returns the keys of struct tags that a package asks for, in the order of the source.
func tagKeys(pkg *load.Package) []string {
	var out []string
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Get" && sel.Sel.Name != "Lookup" {
				return true
			}
			t := pkg.Info.TypeOf(sel.X)
			v := pkg.Info.Types[call.Args[0]].Value
			if t != nil && v != nil && v.Kind() == constant.String && types.TypeString(t, nil) == "reflect.StructTag" {
				if key := constant.StringVal(v); key != "" && !slices.Contains(out, key) && len(out) < mostTags {
					out = append(out, key)
				}
			}
			return true
		})
	}
	return out
}

// sorted tells keys of struct tags apart by their names: the one that names a field, the one that has its
// default, and those that are switches, which mostly have the value true.
func sorted(keys []string, pkg string) (main, defaults string, switches []string) {
	for _, key := range keys {
		switch {
		case key == "default":
			defaults = key
		case slices.ContainsFunc([]string{"ignore", "skip", "require", "omit", "split", "desc", "usage", "help"}, func(part string) bool { return strings.Contains(key, part) }):
			switches = append(switches, key)
		case main == "" || key == pkg:
			main = key
		}
	}
	return main, defaults, switches
}

// tagOf returns the tag of a field as Go source, with those keys and values that are not empty.
func tagOf(key, value, other, otherValue string) string {
	var parts []string
	for _, kv := range [][2]string{{key, value}, {other, otherValue}} {
		if kv[0] != "" && kv[1] != "" {
			parts = append(parts, fmt.Sprintf("%s:%q", kv[0], kv[1]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "`" + strings.Join(parts, " ") + "`"
}
