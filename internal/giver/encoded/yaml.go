package encoded

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// yamlOf writes what treeOf reads as YAML.
func yamlOf(v any) string {
	var b strings.Builder
	switch v := v.(type) {
	case object:
		if len(v) == 0 {
			return "{}\n"
		}
		yamlObject(&b, v, 0, false)
	case []any:
		if len(v) == 0 {
			return "[]\n"
		}
		yamlList(&b, v, 0)
	default:
		b.WriteString(yamlScalar(v) + "\n")
	}
	return b.String()
}

// yamlObject writes the members of an object below one another. The first one has its place already if begun is set.
func yamlObject(b *strings.Builder, o object, depth int, begun bool) {
	for i, m := range o {
		if i > 0 || !begun {
			b.WriteString(strings.Repeat("  ", depth))
		}
		b.WriteString(yamlScalar(m.key) + ":")
		switch v := m.value.(type) {
		case object:
			if len(v) == 0 {
				b.WriteString(" {}\n")
				continue
			}
			b.WriteString("\n")
			yamlObject(b, v, depth+1, false)
		case []any:
			if len(v) == 0 {
				b.WriteString(" []\n")
				continue
			}
			b.WriteString("\n")
			yamlList(b, v, depth+1)
		default:
			b.WriteString(" " + yamlScalar(v) + "\n")
		}
	}
}

// yamlList writes the elements of a list below one another.
func yamlList(b *strings.Builder, list []any, depth int) {
	for _, v := range list {
		b.WriteString(strings.Repeat("  ", depth) + "- ")
		switch v := v.(type) {
		case object:
			if len(v) == 0 {
				b.WriteString("{}\n")
				continue
			}
			yamlObject(b, v, depth+1, true)
		case []any:
			b.WriteString(yamlFlow(v) + "\n")
		default:
			b.WriteString(yamlScalar(v) + "\n")
		}
	}
}

// yamlFlow writes a list within a list in one line.
func yamlFlow(list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case object:
			members := make([]string, len(v))
			for k, m := range v {
				members[k] = yamlScalar(m.key) + ": " + yamlFlow([]any{m.value})
			}
			parts[i] = "{" + strings.Join(members, ", ") + "}"
		case []any:
			parts[i] = "[" + yamlFlow(v) + "]"
		default:
			parts[i] = yamlScalar(v)
		}
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// plainText matches texts that YAML takes for texts without quotes, if they are none of the words for other values. A time is one.
var plainText = regexp.MustCompile(`^([A-Za-z/][A-Za-z0-9 _./@-]*(://[A-Za-z0-9_./-]+)?|[0-9]+(ms|s|m|h)|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z)$`)

// yamlWords are words that YAML takes for other values than texts.
var yamlWords = []string{"true", "false", "yes", "no", "on", "off", "y", "n", "null"}

// yamlScalar writes a text, a number, a truth or null.
func yamlScalar(v any) string {
	text, ok := v.(string)
	switch {
	case v == nil:
		return "null"
	case !ok:
		return fmt.Sprint(v)
	case plainText.MatchString(text) && !strings.HasSuffix(text, " ") && !slices.Contains(yamlWords, strings.ToLower(text)):
		return text
	}
	return quoted(text)
}
