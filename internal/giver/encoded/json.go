package encoded

import (
	"cmp"
	"encoding/json"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/everyday"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load/requests"
	"github.com/goassay/assay/internal/notation"
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

// Samples returns texts of a type in a notation, with names: one with all fields, some in which one of the first fields is left
// out, is false or is a negative number, some in which a field has a constant that code compares it with, an empty object, and a
// text that cannot be read. If it is known what fields are compared with, the first one tells of success.
func Samples(t types.Type, as requests.Notation, compared *requests.Facts) []notation.Text {
	s := &samples{of: t, as: as}
	if compared != nil {
		s.brief = len(jsonOf(t, 0, change{field: sound, compared: compared, as: as})) > longestReply
		name := AllIsWell
		if jsonOf(t, 0, change{field: sound, compared: compared, as: as}) == jsonOf(t, 0, change{field: unchanged, as: as}) {
			name = AllFields
		}
		s.add(name, change{field: sound, compared: compared})
	}
	s.add(AllFields, all)
	for i := range mostConstants {
		if compared != nil {
			s.add("", change{field: constants - i, compared: compared})
		}
	}
	s.add("", change{field: faultless, compared: compared})
	if as == requests.JSON {
		s.add("", change{field: numbered, compared: compared})
	}
	st, isStruct := t.Underlying().(*types.Struct)
	if isStruct {
		s.fields(st)
	}
	if compared != nil {
		for _, f := range comparedFields(t, compared) {
			s.compared(f, compared)
		}
	}
	s.refused(isStruct)
	return s.out
}

// The names of texts with all fields, and of those without the fields that tell of an error.
const AllFields, AllIsWell = "all fields", "all is well"

// samples collects what Samples returns.
type samples struct {
	of    types.Type
	as    requests.Notation
	brief bool
	out   []notation.Text
}

// add adds the text of a change, if there is none like it.
func (s *samples) add(name string, c change) {
	c.brief, c.as = s.brief, s.as
	if text, ok := written(s.of, closed(jsonOf(s.of, 0, c)), s.as); ok {
		s.text(name, text)
	}
}

// text adds a text, if there is none like it.
func (s *samples) text(name, text string) {
	if !slices.ContainsFunc(s.out, func(known notation.Text) bool { return known.Value == text }) {
		s.out = append(s.out, notation.Text{Name: name, Value: text})
	}
}

// fields adds texts in which one of the first fields of a struct differs.
func (s *samples) fields(st *types.Struct) {
	const most = 5
	for i := range min(st.NumFields(), most) {
		if st.Field(i).Exported() {
			s.add("no "+spoken(st.Field(i)), change{field: i})
		}
	}
	for i := range min(st.NumFields(), most) {
		switch b, ok := st.Field(i).Type().Underlying().(*types.Basic); {
		case !ok:
		case b.Info()&types.IsBoolean != 0:
			s.add("not "+spoken(st.Field(i)), change{field: i, value: "false"})
		case b.Info()&types.IsNumeric != 0 && b.Info()&types.IsUnsigned == 0:
			s.add("negative "+spoken(st.Field(i)), change{field: i, value: "-1"})
		}
	}
}

// compared adds texts in which a field, at whatever depth, has one of the constants that code compares it with.
func (s *samples) compared(f *types.Var, facts *requests.Facts) {
	known := facts.Compared(f)
	for _, v := range slices.Concat(known.Equal, known.Unequal) {
		value := jsonConstant(v, f.Type())
		if value == "" || f.Name() == "" {
			continue
		}
		name := spoken(f) + " " + strings.Trim(value, `"`)
		if value == `""` {
			name = "empty " + spoken(f)
		}
		s.add(name, change{field: unchanged, only: f, value: value})
	}
}

// refused adds texts that are empty, and those that cannot be read.
func (s *samples) refused(isStruct bool) {
	switch s.as {
	case requests.YAML:
		s.text("empty", "")
		s.text("not YAML", "a: [1")
	case requests.TOML:
		s.text("empty", "")
		s.text("not TOML", "a =")
	case requests.XML:
		root := rootOf(s.of)
		s.text("empty", "<"+root+"></"+root+">")
		s.text("not closed", "<"+root+">")
	default:
		if isStruct {
			s.text("empty", "{}")
		}
		s.text("cut off", "{")
		s.text("null", "null")
	}
}

// spoken returns the name of a field as words.
func spoken(f *types.Var) string {
	return strings.ToLower(strings.Join(gosyntax.Words(f.Name()), " "))
}

// mostComparedFields is how many fields of a type get the constants that code compares them with.
const mostComparedFields = 16

// comparedFields returns the fields of a type, and of the structs in it, that code compares with constants.
func comparedFields(t types.Type, facts *requests.Facts) []*types.Var {
	var out []*types.Var
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			visit(u.Elem(), depth)
		case *types.Slice:
			visit(u.Elem(), depth)
		case *types.Map:
			visit(u.Elem(), depth)
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() && facts.Compared(f) != nil && len(out) < mostComparedFields && !slices.Contains(out, f) {
					out = append(out, f)
				}
				if depth < maxDepth-1 {
					visit(f.Type(), depth+1)
				}
			}
		}
	}
	visit(t, 0)
	return out
}

// written writes JSON of a type in another notation. It returns false if the notation has no such documents.
func written(t types.Type, text string, as requests.Notation) (string, bool) {
	switch as {
	case requests.YAML:
		return yamlOf(treeOf(text)), true
	case requests.TOML:
		return tomlOf(treeOf(text))
	case requests.XML:
		return xmlOf(treeOf(text), rootOf(t))
	}
	return text, true
}

// change says which field of a struct gets another text in place of its usual value; the text "" leaves the
// field out. A negative number changes several fields.
type change struct {
	field    int
	value    string
	compared *requests.Facts // has the constants that code compares fields with; may be nil
	brief    bool            // only a few fields are written
	as       requests.Notation
	only     *types.Var // the field that has the value, at whatever depth; nil if field says which
	within   string     // the names of the types that the value is a part of
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
	inner := change{field: unchanged, brief: c.brief, as: c.as, within: c.within}
	if c.only != nil {
		inner.only, inner.value = c.only, c.value
	}
	return inner
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

// maxDepth bounds how deep the types of fields are written.
const maxDepth = 4

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
	if n, ok := types.Unalias(t).(*types.Named); ok {
		const most = 2 // a node of a tree with one below it
		name := "\n" + n.String() + "\n"
		if strings.Count(but.within, name) == most {
			return "null"
		}
		but.within += name
	}
	switch types.TypeString(t, nil) {
	case "time.Duration":
		if but.as&(requests.YAML|requests.TOML) != 0 && but.field != numbered {
			return `"5s"`
		}
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
			if but.as&(requests.YAML|requests.TOML) != 0 {
				return "[1,2]"
			}
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
		if but.as == requests.XML {
			return "null" // it has no maps
		}
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
		return "null" // nothing else is put behind methods
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
	embedded := make(map[int]bool) // those of structs within this one
	for i := range u.NumFields() {
		if len(fields) >= most {
			break
		}
		f := u.Field(i)
		k := keyOf(f, u.Tag(i), but.as)
		known := but.constant(f)
		if k.left || i == but.field && but.value == "" || but.succeeds() && (known == "" && tellsError(k.name) || known == "0" || known == `""`) {
			continue
		}
		if k.inline && depth <= maxDepth {
			t := f.Type().Underlying()
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem().Underlying()
			}
			if inner, ok := t.(*types.Struct); ok {
				from := len(fields)
				fields = append(fields, jsonFields(inner, depth+1, but.inner())...)
				for k := from; k < len(fields); k++ {
					embedded[k] = true
				}
				continue
			}
		}
		if !f.Exported() {
			continue
		}
		value := jsonOf(f.Type(), depth+1, but.inner())
		switch b, ok := f.Type().Underlying().(*types.Basic); {
		case !ok:
		case b.Info()&types.IsInteger != 0 && but.field != faultless && value == strconv.Itoa(4+depth):
			value = strconv.Itoa(4 + depth + i) // equal numbers would hide that one field has the value of another
		case b.Info()&types.IsString != 0:
			value = textFor(strings.TrimPrefix(k.name, attribute), i)
		}
		switch known = cmp.Or(known, but.value); {
		case but.only != nil && but.only != f:
		case known != "" && (i == but.field || but.field < 0):
			value = known
		}
		fields = append(fields, strconv.Quote(k.name)+":"+value)
	}
	var out []string
	for k, field := range fields {
		name, _, _ := strings.Cut(field, ":")
		hidden := false // by a field of the outer struct, which is the one that is decoded
		for i, other := range fields {
			hidden = hidden || embedded[k] && !embedded[i] && strings.HasPrefix(other, name+":")
		}
		if !hidden {
			out = append(out, field)
		}
	}
	return out
}

// textFor returns a text as people write it into a field of this name, in quotes. For the i-th field of a struct, whatever its name,
// it is another one than for the field before, because equal texts would hide that one field has the value of the other.
func textFor(name string, i int) string {
	if texts := everyday.OfField(name, false); len(texts) > 0 {
		return strconv.Quote(texts[0])
	}
	return [...]string{`"abc"`, `"def"`, `"ghi"`, `"jkl"`}[i%4]
}
