package words

import (
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// partsOfTests are packages whose types tests pass to have something to read from or to write to: that it is a *strings.Reader says nothing of the case.
var partsOfTests = []string{"bufio", "bytes", "io", "net/http/httptest", "strings", "testing/iotest"}

// addDynamicTypes adds predicates over the dynamic type of an interface value, because code that takes
// any value usually distinguishes types first.
func (n *Namer) addDynamicTypes(s subject, r reads, place int, t types.Type, get func(*call) testcase.Value) {
	if !types.IsInterface(t) || isTypeParam(t) {
		return
	}
	const most = 40
	inside := func(c *call) types.Type {
		v := get(c)
		if v.Kind == testcase.Interface && len(v.Elems) == 1 {
			v = v.Elems[0]
		}
		if v.Kind == testcase.Invalid || v.Kind == testcase.Opaque || v.Type == nil || types.IsInterface(v.Type) || load.IsBuffer(v.Type) {
			return nil
		}
		return v.Type
	}
	said := map[string]bool{}
	for _, c := range n.calls {
		dynamic := inside(c)
		if dynamic == nil || len(said) == most {
			continue
		}
		text := n.typeInWords(dynamic)
		if said[text] {
			continue
		}
		said[text] = true
		if named := load.NamedOf(dynamic); named != nil && named.Obj().Pkg() != nil && slices.Contains(partsOfTests, named.Obj().Pkg().Path()) {
			continue
		}
		if named := load.NamedOf(dynamic); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg() != n.pkg.Types && !named.Obj().Exported() && text != "error" {
			continue // nobody can write it: context.backgroundCtx
		}
		p := predicate{phrase: s.does("of type " + text), reads: r, place: place}
		p.clause = s.clause + " is of type " + text
		if fields := fieldsOf(dynamic); fields != "" {
			p.phrase = phrase{text: "struct with " + fields, clause: s.clause + " is a struct with " + fields}
			if option := tagOption(dynamic); option != "" {
				p.text = option + " in a tag"
			}
		}
		if s.silent() && fieldsOf(dynamic) == "" {
			p.text = text
		}
		p.strain = slight
		if n.keepsTypes(r) {
			p.strain = bare
		}
		if _, constant := dynamic.Underlying().(*types.Basic); constant || isBytes(dynamic) {
			p.strain = last // the value itself says more
		}
		n.add(p, func(d *call) truth {
			if get(d).Kind == testcase.Nil {
				return no
			}
			other := inside(d)
			if other == nil {
				return unknown
			}
			return truthOf(types.Identical(dynamic, other))
		})
	}
}

// typeInWords returns how a name speaks of a type: as it is written, but for types that users cannot write, and for those that
// take long to read.
func (n *Namer) typeInWords(t types.Type) string {
	if named := load.NamedOf(t); named != nil && named.Obj().Pkg() != n.pkg.Types && !named.Obj().Exported() && gosyntax.ImplementsError(t) {
		return "error"
	}
	text := types.TypeString(t, func(p *types.Package) string {
		if p == n.pkg.Types {
			return ""
		}
		return p.Name()
	})
	if !strings.Contains(text, "struct{") {
		return text
	}
	pointer := ""
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t, pointer = p.Elem(), "pointer to "
	}
	switch types.Unalias(t).(type) {
	case *types.Slice:
		return pointer + "slice"
	case *types.Array:
		return pointer + "array"
	case *types.Map:
		return pointer + "map"
	}
	return text
}

// fieldsOf lists the fields of a struct type without a name, or of the struct that a pointer leads to, in words; ""
// for other types.
func fieldsOf(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := types.Unalias(t).(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return ""
	}
	var names []string
	for f := range st.Fields() {
		names = append(names, f.Name())
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// tagOption returns what the tags of a struct without a name say beside names, like "omitempty" in `json:"port,omitempty"`,
// "" if it is nothing or several things.
func tagOption(t types.Type) string {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	out := ""
	st, ok := types.Unalias(t).(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		_, value, _ := strings.Cut(st.Tag(i), `:"`)
		value, _, _ = strings.Cut(value, `"`)
		name, option, _ := strings.Cut(value, ",")
		if name == "-" {
			option = "-"
		}
		if option != "" && out != "" {
			return ""
		}
		out += option
	}
	return out
}

// keepsTypes reports whether the type of an input behind an interface is hardly the reason for a case: the code asks the
// input for methods, or passes it on.
func (n *Namer) keepsTypes(r reads) bool {
	if r.inputs == 0 {
		return false
	}
	k := bits.TrailingZeros64(r.inputs)
	if k >= n.inputs {
		return true
	}
	iface, ok := n.inputType(k).Underlying().(*types.Interface)
	return ok && (iface.NumMethods() > 0 || n.passedOn(k))
}
