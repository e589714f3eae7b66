package encoded

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// xmlOf writes an object that treeOf reads as an element of XML. It returns false for what is no object.
func xmlOf(v any, root string) (string, bool) {
	o, ok := v.(object)
	if !ok {
		return "", false
	}
	var b strings.Builder
	xmlElement(&b, root, o, "")
	return b.String(), true
}

// xmlElement writes an element, each of its children in a line of its own. A list is one element for each of its own.
func xmlElement(b *strings.Builder, name string, v any, indent string) {
	if outer, inner, ok := strings.Cut(name, ">"); ok {
		b.WriteString(indent + "<" + outer + ">\n")
		xmlElement(b, inner, v, indent+"  ")
		b.WriteString(indent + "</" + outer + ">\n")
		return
	}
	switch v := v.(type) {
	case nil:
	case []any:
		for _, e := range v {
			xmlElement(b, name, e, indent)
		}
	case object:
		b.WriteString(indent + "<" + name)
		text, children := "", object{}
		for _, m := range v {
			switch {
			case strings.HasPrefix(m.key, attribute):
				b.WriteString(" " + strings.TrimPrefix(m.key, attribute) + `="` + escaped(m.value) + `"`)
			case m.key == content:
				text = escaped(m.value)
			default:
				children = append(children, m)
			}
		}
		b.WriteString(">" + text)
		if len(children) > 0 {
			b.WriteString("\n")
			for _, m := range children {
				xmlElement(b, m.key, m.value, indent+"  ")
			}
			b.WriteString(indent)
		}
		b.WriteString("</" + name + ">\n")
	default:
		b.WriteString(indent + "<" + name + ">" + escaped(v) + "</" + name + ">\n")
	}
}

// escaped returns a text, a number or a truth as it stands between tags.
func escaped(v any) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(fmt.Sprint(v))); err != nil {
		panic("bug: a builder failed: " + err.Error())
	}
	return b.String()
}
