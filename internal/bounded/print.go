package bounded

import (
	"encoding/json"
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/drawing"
	"github.com/goassay/assay/internal/load"
)

// Go returns the structure as a Go expression of the package. It is a composite literal, or a function that
// builds the structure if objects are shared.
func (s *Structure) Go() string {
	refs := make([]int, len(s.Objects))
	for _, o := range s.Objects {
		for _, to := range o.pointers() {
			refs[to.Number]++
		}
	}
	w := &goWriter{s: s, names: make([]string, len(s.Objects))}
	shared := refs[0] > 0
	for i, n := range refs {
		if n > 1 || i == 0 && n > 0 {
			shared = true
		}
	}
	if !shared {
		return w.literal(s.Objects[0])
	}
	w.name()
	var b strings.Builder
	fmt.Fprintf(&b, "func() *%s {\n", w.typ(s.Objects[0].Type))
	for _, o := range s.Objects {
		fmt.Fprintf(&b, "\t%s := %s\n", w.names[o.Number], w.plain(o))
	}
	for _, o := range s.Objects {
		for i := range o.Fields {
			f := &o.Fields[i]
			if f.To != nil {
				fmt.Fprintf(&b, "\t%s.%s = %s\n", w.names[o.Number], pathName(o.Type, f.Path), w.names[f.To.Number])
			}
			for j := range f.Elems {
				if e := &f.Elems[j]; e.To != nil {
					part := ""
					if n := pathName(f.Type.Underlying().(*types.Slice).Elem(), e.Path); n != "" {
						part = "." + n
					}
					fmt.Fprintf(&b, "\t%s.%s[%d]%s = %s\n", w.names[o.Number], pathName(o.Type, f.Path), e.Index, part, w.names[e.To.Number])
				}
			}
		}
	}
	fmt.Fprintf(&b, "\treturn %s\n}()", w.names[0])
	return b.String()
}

// pointers lists the objects that an object points to.
func (o *Object) pointers() []*Object {
	var out []*Object
	for i := range o.Fields {
		if f := &o.Fields[i]; f.To != nil {
			out = append(out, f.To)
		}
		for j := range o.Fields[i].Elems {
			if e := &o.Fields[i].Elems[j]; e.To != nil {
				out = append(out, e.To)
			}
		}
	}
	return out
}

// pathName writes the path to a part of a value of type t: "pos.x", "board[3]".
func pathName(t types.Type, path []int) string {
	var b strings.Builder
	for _, i := range path {
		switch u := t.Underlying().(type) {
		case *types.Struct:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(u.Field(i).Name())
			t = u.Field(i).Type()
		case *types.Array:
			fmt.Fprintf(&b, "[%d]", i)
			t = u.Elem()
		}
	}
	return b.String()
}

// goWriter writes a structure as Go source.
type goWriter struct {
	s     *Structure
	names []string // the names of shared objects
}

func (w *goWriter) typ(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == w.s.shape.pkg.Types {
			return ""
		}
		return p.Name()
	})
}

// name gives every object a name: the name of its type, in lower case, with a number.
func (w *goWriter) name() {
	count := map[string]int{}
	for i, o := range w.s.Objects {
		base := "x"
		if n := load.NamedOf(o.Type); n != nil {
			base = strings.ToLower(n.Obj().Name()[:1])
		}
		w.names[i] = base + strconv.Itoa(count[base])
		count[base]++
	}
}

// literal writes an object with all objects that it leads to.
func (w *goWriter) literal(o *Object) string {
	return "&" + w.typ(o.Type) + "{" + w.parts(o.Type, nil, o, func(f *FieldValue) string {
		if f.To != nil {
			return w.literal(f.To)
		}
		return w.basic(f)
	}) + "}"
}

// plain writes an object without the objects that it points to.
func (w *goWriter) plain(o *Object) string {
	return "&" + w.typ(o.Type) + "{" + w.parts(o.Type, nil, o, func(f *FieldValue) string {
		if f.To != nil {
			return ""
		}
		return w.basic(f)
	}) + "}"
}

// parts writes the elements of a composite literal for the part of o at prefix, of
// type t. A value written as "" is left out.
func (w *goWriter) parts(t types.Type, prefix []int, o *Object, value func(*FieldValue) string) string {
	var out []string
	n := 0
	switch u := t.Underlying().(type) {
	case *types.Struct:
		n = u.NumFields()
	case *types.Array:
		n = int(u.Len())
	}
	for i := range n {
		path := append(prefix[:len(prefix):len(prefix)], i)
		text := ""
		for j := range o.Fields {
			f := &o.Fields[j]
			if !hasPrefix(f.Path, path) {
				continue
			}
			if len(f.Path) > len(path) {
				pt := partType(o.Type, path)
				if inner := w.parts(pt, path, o, value); inner != "" {
					text = w.typ(pt) + "{" + inner + "}"
				}
				break
			}
			switch {
			case f.Slice:
				text = w.slice(f, value)
			case !f.zero():
				text = value(f)
			}
			break
		}
		if text == "" {
			continue
		}
		if u, ok := t.Underlying().(*types.Struct); ok {
			text = u.Field(i).Name() + ": " + text
		} else {
			text = strconv.Itoa(i) + ": " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func hasPrefix(path, prefix []int) bool {
	if len(path) < len(prefix) {
		return false
	}
	for i := range prefix {
		if path[i] != prefix[i] {
			return false
		}
	}
	return true
}

// slice writes the value of a slice field.
func (w *goWriter) slice(f *FieldValue, value func(*FieldValue) string) string {
	elem := f.Type.Underlying().(*types.Slice).Elem()
	var out []string
	for e := range f.Len {
		pseudo := &Object{Type: elem}
		whole := ""
		for j := range f.Elems {
			if f.Elems[j].Index != e {
				continue
			}
			if len(f.Elems[j].Path) == 0 {
				fv := &f.Elems[j].FieldValue
				if fv.zero() {
					whole = zeroText(fv.Type)
				} else if whole = value(fv); whole == "" {
					whole = "nil"
				}
			} else {
				pseudo.Fields = append(pseudo.Fields, f.Elems[j].FieldValue)
			}
		}
		if whole == "" {
			whole = "{" + w.parts(elem, nil, pseudo, value) + "}"
			if _, ok := elem.Underlying().(*types.Struct); !ok {
				whole = w.typ(elem) + whole
			}
		}
		out = append(out, whole)
	}
	return w.typ(f.Type) + "{" + strings.Join(out, ", ") + "}"
}

func zeroText(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		}
		return "0"
	}
	return "nil"
}

// basic writes a number, boolean or string, or an empty struct.
func (w *goWriter) basic(f *FieldValue) string {
	if f.Value.Kind == candidate.Empty {
		return w.typ(w.s.shape.types[f.Value.Boxed-1]) + "{}"
	}
	return f.Value.String()
}

// MarshalJSON writes the structure as a list of objects, the root first. Pointers are written as {"object":
// number}, and empty structs in interfaces as {"value": "T{}"}.
func (s *Structure) MarshalJSON() ([]byte, error) {
	type object struct {
		Type   string         `json:"type"`
		Fields map[string]any `json:"fields"`
	}
	w := &goWriter{s: s}
	value := func(f *FieldValue) any {
		v := f.Value
		switch {
		case v.Kind == candidate.Empty:
			return map[string]string{"value": w.basic(f)}
		case f.To != nil:
			return map[string]int{"object": f.To.Number}
		case v.Kind == candidate.Nil:
			return nil
		case v.Kind == candidate.Bools:
			return v.Int != 0
		case v.Kind == candidate.Strings:
			return v.Str
		}
		return v.Int
	}
	out := []object{}
	for _, o := range s.Objects {
		x := object{w.typ(o.Type), map[string]any{}}
		for i := range o.Fields {
			f := &o.Fields[i]
			name := pathName(o.Type, f.Path)
			if !f.Slice {
				x.Fields[name] = value(f)
				continue
			}
			elem := f.Type.Underlying().(*types.Slice).Elem()
			list := make([]any, f.Len)
			for j := range f.Elems {
				e := &f.Elems[j]
				if part := pathName(elem, e.Path); part != "" {
					m, ok := list[e.Index].(map[string]any)
					if !ok {
						m = map[string]any{}
						list[e.Index] = m
					}
					m[part] = value(&e.FieldValue)
				} else {
					list[e.Index] = value(&e.FieldValue)
				}
			}
			x.Fields[name] = list
		}
		out = append(out, x)
	}
	return json.Marshal(out)
}

// Drawing returns the structure as a graph: objects with their fields, and the pointers between them.
func (s *Structure) Drawing(name string) *drawing.Graph {
	w := &goWriter{s: s, names: make([]string, len(s.Objects))}
	w.name()
	g := &drawing.Graph{Name: name}
	for _, o := range s.Objects {
		lines := []string{w.typ(o.Type)}
		edge := func(field string, to *Object) {
			g.Edges = append(g.Edges, drawing.Edge{From: w.names[o.Number], To: w.names[to.Number], Lines: []string{field}})
		}
		for i := range o.Fields {
			f := &o.Fields[i]
			field := pathName(o.Type, f.Path)
			switch {
			case f.Slice:
				lines = append(lines, fmt.Sprintf("len(%s) = %d", field, f.Len))
			case f.To != nil:
				edge(field, f.To)
			case f.Value.Kind != candidate.Nil:
				lines = append(lines, fmt.Sprintf("%s = %s", field, w.basic(f)))
			}
			for j := range f.Elems {
				e := &f.Elems[j]
				full := fmt.Sprintf("%s[%d]", field, e.Index)
				if part := pathName(f.Type.Underlying().(*types.Slice).Elem(), e.Path); part != "" {
					full += "." + part
				}
				if e.To != nil {
					edge(full, e.To)
				} else if e.Value.Kind != candidate.Nil {
					lines = append(lines, fmt.Sprintf("%s = %s", full, w.basic(&e.FieldValue)))
				}
			}
		}
		g.Nodes = append(g.Nodes, drawing.Node{Name: w.names[o.Number], Lines: lines})
	}
	return g
}
