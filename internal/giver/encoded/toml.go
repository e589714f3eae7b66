package encoded

import (
	"fmt"
	"regexp"
	"strings"
)

// tomlOf writes an object that treeOf reads as TOML, the tables behind what is no table. It returns false for what TOML has no
// document of.
func tomlOf(v any) (string, bool) {
	o, ok := v.(object)
	if !ok {
		return "", false
	}
	var b strings.Builder
	tomlTable(&b, o, "")
	return strings.TrimPrefix(b.String(), "\n"), true
}

// tomlTable writes the members of a table whose name is given.
func tomlTable(b *strings.Builder, o object, name string) {
	var tables []member
	for _, m := range o {
		switch v := m.value.(type) {
		case nil: // TOML has no null
		case object:
			tables = append(tables, m)
		case []any:
			if isTables(v) {
				tables = append(tables, m)
				continue
			}
			b.WriteString(tomlKeyText(m.key) + " = " + tomlValue(v) + "\n")
		default:
			b.WriteString(tomlKeyText(m.key) + " = " + tomlValue(v) + "\n")
		}
	}
	for _, m := range tables {
		inner := tomlKeyText(m.key)
		if name != "" {
			inner = name + "." + inner
		}
		if o, ok := m.value.(object); ok {
			b.WriteString("\n[" + inner + "]\n")
			tomlTable(b, o, inner)
			continue
		}
		for _, e := range m.value.([]any) {
			b.WriteString("\n[[" + inner + "]]\n")
			tomlTable(b, e.(object), inner)
		}
	}
}

// isTables reports whether a list has tables and nothing else.
func isTables(list []any) bool {
	for _, v := range list {
		if _, ok := v.(object); !ok {
			return false
		}
	}
	return len(list) > 0
}

// bareKey matches keys that need no quotes, and tomlTime a moment, which has none either.
var (
	bareKey  = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
	tomlTime = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$`)
)

func tomlKeyText(key string) string {
	if bareKey.MatchString(key) {
		return key
	}
	return quoted(key)
}

// tomlValue writes a value in one line.
func tomlValue(v any) string {
	switch v := v.(type) {
	case string:
		if tomlTime.MatchString(v) {
			return v
		}
		return quoted(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = tomlValue(e)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = tomlKeyText(m.key) + " = " + tomlValue(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return `""`
	}
	return fmt.Sprint(v)
}
