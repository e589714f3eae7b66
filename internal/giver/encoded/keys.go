package encoded

import (
	"go/types"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goassay/assay/internal/load/requests"
)

// In the JSON from which XML is written, keys say what is no element: attribute begins that of an attribute, and content is that of
// the text between the tags.
const (
	attribute = "@"
	content   = "#text"
)

// key is how a notation calls a field of a struct.
type key struct {
	name   string
	inline bool // the fields of the field's struct are members of the outer one
	left   bool // the notation does not have the field
}

// keyOf returns how a notation calls a field that has a tag.
func keyOf(f *types.Var, tag string, as requests.Notation) key {
	switch as {
	case requests.YAML:
		return yamlKey(f, reflect.StructTag(tag))
	case requests.TOML:
		return tomlKey(f, reflect.StructTag(tag))
	case requests.XML:
		return xmlKey(f, reflect.StructTag(tag))
	}
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return key{name: orElse(name, f.Name()), inline: f.Embedded() && name == "", left: name == "-"}
}

// orElse returns a name, or another one in the place of none.
func orElse(name, other string) string {
	if name == "" {
		return other
	}
	return name
}

// yamlKey is the key of package yaml, or of those that convert YAML to JSON first where a field has tags for JSON alone.
func yamlKey(f *types.Var, tag reflect.StructTag) key {
	text, ok := tag.Lookup("yaml")
	if !ok {
		if _, ok := tag.Lookup("json"); ok {
			return keyOf(f, string(tag), requests.JSON)
		}
	}
	name, options, _ := strings.Cut(text, ",")
	return key{name: orElse(name, strings.ToLower(f.Name())), inline: strings.Contains(options, "inline"), left: name == "-"}
}

// tomlKey is the key of BurntSushi/toml and pelletier/go-toml, which ignore the case of letters.
func tomlKey(f *types.Var, tag reflect.StructTag) key {
	name, _, _ := strings.Cut(tag.Get("toml"), ",")
	return key{name: orElse(name, lowerFirst(f.Name())), inline: f.Embedded() && name == "", left: name == "-"}
}

// lowerFirst returns a name as one that is not exported: maxConns, id.
func lowerFirst(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

// xmlKey is the key of encoding/xml. The field that has the name of the element itself is no member of it.
func xmlKey(f *types.Var, tag reflect.StructTag) key {
	name, options, _ := strings.Cut(tag.Get("xml"), ",")
	if i := strings.LastIndexByte(name, ' '); i >= 0 {
		name = name[i+1:] // behind the namespace
	}
	switch {
	case name == "-" || f.Name() == "XMLName" || strings.Contains(options, "innerxml") || strings.Contains(options, "comment"):
		return key{left: true}
	case strings.Contains(options, "attr"):
		return key{name: attribute + orElse(name, f.Name())}
	case strings.Contains(options, "chardata") || strings.Contains(options, "cdata"):
		return key{name: content}
	}
	return key{name: orElse(name, f.Name()), inline: f.Embedded() && name == ""}
}

// rootOf returns the name of the element that XML of a type begins with: that of its field XMLName, or the type's.
func rootOf(t types.Type) string {
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Name() != "XMLName" {
				continue
			}
			name, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("xml"), ",")
			if name = name[strings.LastIndexByte(name, ' ')+1:]; name != "" {
				return name
			}
		}
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return "doc"
}
