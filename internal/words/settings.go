package words

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// This file names cases by the settings with which their object was made: New(Options{SSLRedirect: true}) is
// "SSLRedirect".

// mostSettings is how many settings a name lists.
const mostSettings = 3

// settings says in words which fields are set in the struct of the package that was passed to the receiver's
// constructor: "SSLRedirect", `Host "abc", Port 8080`, "no options". If many fields are set, it has the first
// and how many others there are. It is empty if the constructor got no such struct.
func (n *Namer) settings(c *testcase.Case) string {
	if c.Seq == nil || c.Seq.Len() == 0 {
		return ""
	}
	if set := switches(c); set != "" {
		return set
	}
	target := c.Seq.At(c.TargetStmt())
	if target.Op.Kind != testcase.OpMethod || len(target.Args) == 0 {
		return ""
	}
	recv := target.Args[0]
	for from, ok := madeFrom(c.Seq, recv); ok; from, ok = madeFrom(c.Seq, recv) {
		recv = from
	}
	if set := n.assigned(c, recv); set != "" {
		return set
	}
	st := c.Seq.At(recv.Stmt)
	if st.Op.Kind == testcase.OpAddr {
		if lit := c.Seq.At(st.Args[0].Stmt); lit.Op.Kind == testcase.OpComposite && n.isSettings(lit.Op.Type) && len(lit.Args) <= mostAssigned {
			if text := listSettings(c, lit); text != nothingSet(lit.Op.Type) {
				return text
			}
		}
	}
	if st.Op.Kind != testcase.OpFunc {
		return ""
	}
	for _, a := range st.Args {
		op := c.Seq.At(a.Stmt).Op
		if (op.Kind == testcase.OpComposite || op.Kind == testcase.OpZero) && n.isSettings(op.Type) {
			return listSettings(c, c.Seq.At(a.Stmt))
		}
	}
	params := st.Op.Signature().Params()
	if st.Op.Signature().Variadic() && len(st.Args) < params.Len() {
		if t := params.At(params.Len() - 1).Type().(*types.Slice).Elem(); n.isSettings(t) {
			return nothingSet(t)
		}
	}
	return ""
}

// asSetting says what a call that changes a setting sets: "no border" for SetBorder(false), "line style blue" for
// SetLineStyle(StyleBlue), "padding 5" for WithPadding(5). Other calls are returned as they are.
func asSetting(call string) string {
	name, args, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
	ws := splitWords(name)
	if len(ws) < 2 {
		return call
	}
	what, not := strings.Join(ws[1:], " "), ""
	switch ws[0] {
	case "disable", "without":
		not = "no "
	case "set", "with", "enable", "use":
	default:
		return call
	}
	switch {
	case args == "false" && not == "":
		return "no " + what
	case args == "" || args == "true":
		return not + what
	case not != "":
		return call
	}
	if token.IsIdentifier(args) {
		args = strings.Join(slices.DeleteFunc(splitWords(args), func(w string) bool { return slices.Contains(ws, w) }), " ")
	}
	if text := strings.TrimSpace(what + " " + args); plain(text) {
		return text
	}
	return call
}

// switches says which of the package's own switches a case turns on or off, "" if none.
func switches(c *testcase.Case) string {
	var out []string
	for i := range c.TargetStmt() {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpSetGlobal {
			continue
		}
		switch v := made(c, st.Args[0], 0); {
		case v.Kind == testcase.Bool && v.IsZero():
			out = append(out, st.Op.Var.Name()+" false")
		case v.Kind == testcase.Bool:
			out = append(out, st.Op.Var.Name())
		}
	}
	return strings.Join(out, ", ")
}

// mostAssigned is of how many fields, set in the receiver itself, a name speaks.
const mostAssigned = 2

// assigned returns in words which exported fields of the receiver are set one by one before the call, "" if none
// are or too many.
func (n *Namer) assigned(c *testcase.Case, recv testcase.Ref) string {
	var out []string
	for i := recv.Stmt + 1; i < c.Seq.Len(); i++ {
		st := c.Seq.At(i)
		if st.Op.Kind != testcase.OpSetField || st.Args[0] != recv {
			continue
		}
		if i > c.TargetStmt() || !st.Op.Var.Exported() {
			return ""
		}
		if v := made(c, st.Args[1], 0); !v.IsZero() {
			out = append(out, setTo(st.Op.Var.Name(), v))
		}
	}
	if len(out) > mostAssigned {
		return ""
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// setTo says that a field has a value: "Port 8080". That a truth is set, or what is long, its name alone says.
func setTo(field string, v testcase.Value) string {
	const short = 16
	switch v.Kind {
	case testcase.Int, testcase.Uint, testcase.Float, testcase.String:
		if said := spell(v); said != "" && len(said) <= short {
			return field + " " + said
		}
	}
	return field
}

// isSettings reports whether a type is a struct of the package of which users set the fields.
func (n *Namer) isSettings(t types.Type) bool {
	named := load.NamedOf(t)
	if named == nil || named.Obj().Pkg() != n.pkg.Types || !types.Identical(types.Unalias(t), named) {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	return ok && s.NumFields() > 0 && s.Field(0).Exported()
}

// nothingSet says that no field of a struct is set.
func nothingSet(t types.Type) string { return "no " + strings.ToLower(load.NamedOf(t).Obj().Name()) }

// listSettings lists the fields that a statement sets in a struct.
func listSettings(c *testcase.Case, st testcase.Statement) string {
	s := st.Op.Type.Underlying().(*types.Struct)
	var out []string
	for k, a := range st.Args {
		f := k
		if st.Op.Elems != nil {
			f = st.Op.Elems[k]
		}
		v := made(c, a, 0)
		if v.IsZero() || f >= s.NumFields() {
			continue
		}
		out = append(out, setTo(s.Field(f).Name(), v))
	}
	if len(out) == 0 {
		return nothingSet(st.Op.Type)
	}
	slices.Sort(out)
	if more := len(out) - mostSettings; more > 0 {
		return out[0] + " and " + numeral(len(out)-1) + " more"
	}
	return strings.Join(out, ", ")
}

// setting returns a predicate over the settings of call c's object.
func setting(c *call) (predicate, func(*call) truth) {
	text := c.settings
	if text == "" || len(text) > longest || !plain(text) {
		return predicate{}, nil
	}
	p := predicate{phrase: phrase{text: text}, reads: reads{inputs: 1}, place: placeReceiver}
	return p, func(d *call) truth { return truthOf(d.settings == text) }
}
