package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// withoutProperties divides the cases of a function into those with expected values and the instances of properties.
func withoutProperties(cases []*testcase.Case) (others, properties []*testcase.Case) {
	for _, c := range cases {
		if c.Property == "" && c.Story == nil {
			others = append(others, c)
		} else {
			properties = append(properties, c)
		}
	}
	return others, properties
}

// properties writes one test for each property of a function.
func (w *writer) properties(cases []*testcase.Case) (out []function, unwritten []Unwritten) {
	var trips []*testcase.Case
	for _, c := range cases {
		switch reason := unfit(c); {
		case reason != "":
			unwritten = append(unwritten, Unwritten{c, reason})
		case c.Story != nil:
			fn, reason := w.scenario(c)
			if reason != "" {
				unwritten = append(unwritten, Unwritten{c, reason})
				continue
			}
			out = append(out, fn)
		default:
			trips = append(trips, c)
		}
	}
	if len(trips) == 0 {
		return out, unwritten
	}
	var body string
	ok := false
	if reason, _ := w.Attempt(func() { body, ok = w.roundTrip(trips) }); reason != "" || !ok {
		for _, c := range trips {
			unwritten = append(unwritten, Unwritten{c, "the round trip cannot be written: " + reason})
		}
		return out, unwritten
	}
	return append(out, function{body: body, suffixes: []string{"_roundTrip", "_readsWhatIsPrinted"}, cases: trips, rows: make([]string, len(trips))}), unwritten
}

// scenario writes the test of a scenario, or says why that is not possible. It is named after methods that are called behind its
// target: TestCache_Set_Get_Delete.
func (w *writer) scenario(c *testcase.Case) (function, string) {
	st, reason := w.step(c)
	if reason != "" {
		return function{}, reason
	}
	suffix := "_" + strings.Join(c.Story.Methods, "_")
	return function{body: st.body, doc: st.doc, wide: st.wide, suffixes: []string{suffix, suffix + "_scenario"}, cases: []*testcase.Case{c}, rows: []string{""}}, ""
}

// roundTrip returns the body of a test that reads texts, prints what was read, and reads it again. Where all that is printed is
// what was read from, it is compared with that, which says more. It returns false if what is read cannot be compared.
func (w *writer) roundTrip(cases []*testcase.Case) (string, bool) {
	seq := cases[0].Seq
	at := seq.Len() - 3
	reader, printer := seq.At(at).Op, seq.At(at+1).Op
	results := seq.ResultTypes()
	scope := w.NewScope()
	for _, name := range []string{"t", "err", "want", "got"} {
		scope.Add(name)
	}
	text, printed := scope.Pick("text"), scope.Pick("printed")
	passed, verb := text, "%q"
	isString := gofile.Basic(results[at+1][0]) != nil
	if !isString {
		passed = "[]byte(" + text + ")"
	}

	var texts []string
	for _, c := range cases {
		s, ok := textPassed(c, c.Seq.Len()-3)
		if !ok {
			return "", false
		}
		texts = append(texts, gofile.Quote(s))
	}
	fails, ok := w.Differs("got", "want", results[at][0], gofile.Comparison{})
	if !ok {
		return "", false
	}
	call := w.Object(reader.Func)
	print := func(object string) string {
		if printer.Kind == testcase.OpFunc {
			return w.Object(printer.Func) + "(" + object + ")"
		}
		return object + "." + printer.Func.Name() + "()"
	}
	fatal := func(what string, args ...string) string {
		return "t.Fatalf(" + strings.Join(append([]string{strconv.Quote(what + " error = %v, want nil")}, append(args, "err")...), ", ") + ")\n"
	}
	read := func(name, from, arg string) string {
		if len(results[at]) == 1 {
			return name + " := " + call + "(" + from + ")\n"
		}
		return name + ", err := " + call + "(" + from + ")\nif err != nil {\n" + fatal(reader.Func.Name()+"("+verb+")", arg) + "}\n"
	}
	var b strings.Builder
	const longest = 80 // bytes of a list on one line
	list := strings.Join(texts, ", ")
	if len(list) > longest {
		list = "\n" + strings.Join(texts, ",\n") + ",\n"
	}
	b.WriteString("for _, " + text + " := range []string{" + list + "} {\n")
	if isString && len(results[at+1]) == 1 && printsItsText(cases, texts) {
		object := call + "(" + text + ")"
		if len(results[at]) > 1 {
			object = scope.Pick("value")
			b.WriteString(read(object, text, text))
		}
		shown := printer.Func.Name() + "(" + reader.Func.Name() + "(%q))"
		if printer.Kind == testcase.OpMethod {
			shown = reader.Func.Name() + "(%q)." + printer.Func.Name() + "()"
		}
		b.WriteString("if got := " + print(object) + "; got != " + text + " {\nt.Errorf(" + strconv.Quote(shown+" = %q") + ", " + text + ", got)\n}\n}\n")
		return b.String(), true
	}
	b.WriteString(read("want", passed, text))
	if len(results[at+1]) == 1 {
		b.WriteString(printed + " := " + print("want") + "\n")
	} else {
		b.WriteString(printed + ", err := " + print("want") + "\nif err != nil {\n" + fatal(printer.Func.Name()) + "}\n")
	}
	b.WriteString(read("got", printed, printed))
	show := gofile.Verb(results[at][0])
	trip := printer.Func.Name() + "(" + show + ")"
	if printer.Kind == testcase.OpMethod {
		trip = "(" + show + ")." + printer.Func.Name() + "()"
	}
	message := reader.Func.Name() + "(" + trip + ") = " + show + ", want the same again"
	b.WriteString("if " + fails + " {\nt.Errorf(" + strconv.Quote(message) + ", want, got)\n}\n}\n")
	return b.String(), true
}

// printsItsText reports whether each case prints the text that it has read from.
func printsItsText(cases []*testcase.Case, texts []string) bool {
	for i, c := range cases {
		printed := c.Observed.Results[c.Seq.Len()-2][0]
		if printed.Cut || gofile.Quote(printed.Str) != texts[i] {
			return false
		}
	}
	return true
}

// textPassed returns the text that a statement passes as its only argument, a string or bytes.
func textPassed(c *testcase.Case, stmt int) (string, bool) {
	arg := c.Seq.At(c.Seq.At(stmt).Args[0].Stmt)
	switch arg.Op.Kind {
	case testcase.OpLiteral:
		return arg.Op.Lit.Str, arg.Op.Lit.Kind == testcase.LitString
	case testcase.OpZero:
		return "", true
	case testcase.OpComposite:
		var text []byte
		for _, a := range arg.Args {
			op := c.Seq.At(a.Stmt).Op
			if op.Kind != testcase.OpLiteral && op.Kind != testcase.OpZero {
				return "", false
			}
			text = append(text, byte(op.Lit.Bits))
		}
		return string(text), arg.Op.Elems == nil && !slices.Contains(text, 0)
	}
	return "", false
}
