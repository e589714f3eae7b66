package giver

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/goassay/assay/internal/load"
)

// mostTags is how many keys of struct tags are looked for.
const mostTags = 12

// fewestMadeUp is how many of the made-up structs give way to those of the documentation.
const fewestMadeUp = 3

// reflectedFamily are structs for code that reads the fields of any struct by reflection, as decoders,
// validators and readers of settings do. Its fields are of the usual kinds, nearly all set, and have tags with the keys
// and options that the package asks for. Only code that looks at fields is given structs where any value may be; types
// and values of package reflect are given to all code that takes these.
func reflectedFamily(pkg *load.Package) *family {
	f := &family{name: "reflect", path: "reflect", imports: []string{"reflect", "time"}}
	if pkg.Info == nil {
		return f
	}
	main, defaults, switches := sorted(tagKeys(pkg), pkg.Name)
	fromEnv := mentions(pkg, "LookupEnv", "Getenv", "Environ")
	tag := func(name, value string) string {
		if fromEnv && name != "" {
			name = variableOf(name) // the environment of whoever runs the tests may have a variable of a plain name
		}
		return tagOf(main, name, defaults, value)
	}
	type spelled struct{ doc, code string }
	structs := []spelled{
		{"a pointer to a struct of which the fields are set", fmt.Sprintf("&struct{ Name string %s; Port int %s }{Name: \"ann\", Port: 8080}", tag("name", ""), tag("port", ""))},
		{"a struct by itself", fmt.Sprintf("struct{ Name string %s; Debug bool %s }{Name: \"ann\", Debug: true}", tag("name", ""), tag("debug", ""))},
		{"a pointer to an empty one", fmt.Sprintf("&struct{ Name string %s; Rate float64 %s }{}", tag("name", "abc"), tag("rate", "2.5"))},
		{"fields that are lists and maps", fmt.Sprintf("&struct{ Tags []string %s; Labels map[string]string %s }{Tags: []string{\"a\", \"b\"}}", tag("tags", "a,b"), tag("labels", "a:1"))},
		{"a struct in a struct, and a duration", fmt.Sprintf("&struct{ Server struct{ Host string %[1]s }; Timeout time.Duration %[2]s }{Server: struct{ Host string %[1]s }{Host: \"localhost\"}, Timeout: 5 * time.Second}", tag("host", "localhost"), tag("timeout", "5s"))},
		{"a field that is a pointer", fmt.Sprintf("&struct{ Name string %s; Count *int %s }{Name: \"ann\"}", tag("name", ""), tag("count", "3"))},
		{"a list of structs in a struct, and pointers", fmt.Sprintf("&struct{ Servers []struct{ Host string %[1]s }; Owner *struct{ Name string %[2]s } }{Servers: []struct{ Host string %[1]s }{{Host: \"localhost\"}}, Owner: &struct{ Name string %[2]s }{Name: \"ann\"}}", tag("host", ""), tag("name", ""))},
		{"a list of structs", fmt.Sprintf("&[]struct{ Name string %s; Port int %s }{{Name: \"ann\", Port: 8080}, {Name: \"bob\"}}", tag("name", ""), tag("port", ""))},
		{"an empty list of structs", fmt.Sprintf("&[]struct{ Name string %s; Port int64 %s }{}", tag("name", ""), tag("port", ""))},
		{"numbers of other kinds", "&struct{ Level int8; Port int16; ID int64; Size uint; Shard uint8; Year uint16; Share float32 }{Level: 1, Port: 80, ID: 7, Size: 3, Shard: 2, Year: 2024, Share: 0.5}"},
		{"a field that is no number by its default", fmt.Sprintf("&struct{ Port int %s }{}", tag("port", "abc"))},
	}
	if main != "" && !fromEnv {
		for _, word := range words(pkg, tagWords) {
			structs = append(structs, spelled{"an option in a tag", optional(main, word)})
		}
	}
	for _, key := range switches {
		structs = append(structs, spelled{"", fmt.Sprintf("&struct{ FirstName string %s }{}", tagOf("", "", key, "true"))})
	}
	if fromEnv && main != "" && mentions(pkg, "NumField") {
		f.imports, f.helpers = append(f.imports, "testing"), append(f.helpers, setenvHelper())
		for _, code := range environments(pkg, main) {
			structs = append(structs, spelled{"a struct whose fields are in the environment", code})
		}
	}
	f.givers = kindGivers(tag("name", ""), tag("port", ""))
	if !mentions(pkg, "NumField", "FieldByName", "VisibleFields") {
		return f
	}
	if pkg.Literals != nil {
		// What the authors show comes first, in place of some of what is made up.
		var shown []spelled
		for _, shape := range pkg.Literals.Shapes {
			shown = append(shown, spelled{"an empty struct of the documentation", "&" + shape.Type + "{}"}, spelled{"one with its fields set", "&" + shape.Filled})
		}
		if len(shown) > 0 {
			shown = append(shown, spelled{"one by itself", pkg.Literals.Shapes[0].Filled})
			structs = append(shown, structs[min(fewestMadeUp, len(structs)):]...)
		}
	}
	if main != "" && !fromEnv {
		for _, code := range optionStructs(main, tagOptions(pkg)) {
			structs = append(structs, spelled{"an option in a tag", code})
		}
	}
	for _, name := range fieldsByName(pkg) {
		for _, s := range structs {
			s.code = withField(s.code, fmt.Sprintf("%s struct{} %s", name, tagOf(main, "person", "", "")))
			structs = append(structs, s)
		}
	}
	for _, s := range structs {
		for _, typ := range []string{"any", "interface{}"} {
			f.givers = append(f.givers, giver{typ: typ, doc: s.doc, code: s.code, fixed: true})
		}
	}
	return f
}

// tagWords are what the tags of many packages say beside a name: that a field is left out, always or if it is empty, that
// the fields of a struct count as those of the struct around it, or that a value is written as a text.
var tagWords = []string{"-", "omitempty", "flatten", "inline", "squash", "omitnested", "string", "required"}

// optional returns a struct in which a field has a tag with the word where it makes a difference: a field that is not
// set for omitempty and required, a struct for those that are about the fields of structs, and a number for string.
func optional(key, word string) string {
	field := func(name string) string { return fmt.Sprintf("`%s:%q`", key, name) }
	switch word {
	case "-":
		return fmt.Sprintf("&struct{ Name string %s; Password string %s }{Name: \"ann\", Password: \"secret\"}", field("name"), field("-"))
	case "omitempty", "required":
		return fmt.Sprintf("&struct{ Name string %s; Port int %s }{Name: \"ann\"}", field("name"), field("port,"+word))
	case "string":
		return fmt.Sprintf("&struct{ Name string %s; Timeout time.Duration %s }{Name: \"ann\", Timeout: 5 * time.Second}", field("name"), field("timeout,"+word))
	}
	return fmt.Sprintf("&struct{ Name string %[1]s; Server struct{ Host string %[2]s } %[3]s }{Name: \"ann\", Server: struct{ Host string %[2]s }{Host: \"localhost\"}}",
		field("name"), field("host"), field("server,"+word))
}

// words returns those of the words that are constants of the package's code by themselves.
func words(pkg *load.Package, among []string) []string {
	found := make(map[string]bool)
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if v := pkg.Info.Types[lit].Value; v != nil {
					found[strings.TrimPrefix(constant.StringVal(v), ",")] = true
				}
			}
			return true
		})
	}
	return slices.DeleteFunc(slices.Clone(among), func(word string) bool { return !found[word] })
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
			if t == nil || types.TypeString(t, nil) != "reflect.StructTag" {
				return true
			}
			keys := declaredKeys(pkg)
			if v := pkg.Info.Types[call.Args[0]].Value; v != nil && v.Kind() == constant.String {
				keys = []string{constant.StringVal(v)}
			}
			for _, key := range keys {
				if key != "" && !slices.Contains(out, key) && len(out) < mostTags {
					out = append(out, key)
				}
			}
			return true
		})
	}
	return out
}

// declaredKeys returns the texts that constants, variables and fields of the package begin with whose names say that they are
// tags. A package that lets its users choose the key has the usual one there.
func declaredKeys(pkg *load.Package) []string {
	var out []string
	add := func(name string, value ast.Expr) {
		v := pkg.Info.Types[value].Value
		if v != nil && v.Kind() == constant.String && strings.Contains(strings.ToLower(name), "tag") {
			out = append(out, constant.StringVal(v))
		}
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if field, ok := kv.Key.(*ast.Ident); ok {
					add(field.Name, kv.Value)
				}
			}
			return true
		})
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				vs, ok := spec.(*ast.ValueSpec)
				if !ok || len(vs.Values) != len(vs.Names) {
					continue
				}
				for i, name := range vs.Names {
					add(name.Name, vs.Values[i])
				}
			}
		}
	}
	return out
}

// sorted tells keys of struct tags apart by their names: the one that names a field, the one that has its
// default, and those that are switches, which mostly have the value true. A key that another one begins, as env begins
// env-layout, says something more of a field, and names none.
func sorted(keys []string, pkg string) (main, defaults string, switches []string) {
	begins := func(key, other string) bool {
		rest, ok := strings.CutPrefix(other, key)
		return ok && rest != "" && !unicode.IsLower(rune(rest[0]))
	}
	for _, key := range keys {
		switch {
		case strings.HasSuffix(strings.ToLower(key), "default") && defaults == "":
			defaults = key
		case slices.ContainsFunc([]string{"ignore", "skip", "require", "omit", "split", "desc", "usage", "help", "prefix", "expand", "separator"}, func(part string) bool { return strings.Contains(key, part) }):
			switches = append(switches, key)
		case slices.ContainsFunc(keys, func(other string) bool { return begins(other, key) }):
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
