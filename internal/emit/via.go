package emit

import (
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/testcase"
)

// viaFunc is a helper that came with an operation, and the names of its declarations in this file.
type viaFunc struct {
	name   string
	helper *testcase.Helper
	others map[string]string
}

// viaHelper returns the name in this file of the function of a helper.
func (w *writer) viaHelper(h *testcase.Helper) string {
	for _, f := range w.viaFuncs {
		if f.helper.Name == h.Name && f.helper.Text == h.Text {
			return f.name
		}
	}
	f := &viaFunc{name: w.Names.Pick(h.Name), helper: h, others: make(map[string]string)}
	w.viaFuncs = append(w.viaFuncs, f)
	w.viaText(f) // viaText also names the helper's other declarations
	return f.name
}

// viaText returns the declarations of a helper.
func (w *writer) viaText(f *viaFunc) string {
	text := f.helper.Source(f.name, w.imported, func(name string) string {
		if f.others[name] == "" {
			f.others[name] = w.Names.Pick(name)
		}
		return f.others[name]
	})
	return gofile.Comment(f.name+" "+f.helper.Doc) + text
}

// imported returns the name by which a helper's text refers to a package, "" for the test's own
// package.
func (w *writer) imported(path string) string {
	if path != w.Pkg.Path {
		return w.Std(path)
	}
	if !w.External {
		return ""
	}
	return w.Imports.Name(path, w.Pkg.Name)
}

// driven returns the first argument of a call through a helper: the function under test.
func (s *script) driven(st testcase.Statement) gofile.Expr {
	recv, function := "", ""
	if st.Op.Kind == testcase.OpMethod {
		if !s.Selectable(st.Op.Func) {
			s.Fail("method " + st.Op.Func.Name() + " is not accessible to a test")
		}
		e := s.ref(st.Args[0], nil)
		recv = e.Operand()
		if text := st.Op.Driven("", s.typeOf(st.Args[0]), "", s.Std); text == "" {
			return e
		}
		return gofile.Primary(st.Op.Driven(recv, s.typeOf(st.Args[0]), "", s.Std))
	}
	function = s.Object(st.Op.Func) + s.optionalTypeArgs(st.Op)
	return gofile.Primary(st.Op.Driven("", nil, function, s.Std))
}

// optionalTypeArgs returns the type arguments of an operation's function, or "" if the function has none.
func (s *script) optionalTypeArgs(op *testcase.Operation) string {
	if len(op.TypeArgs) == 0 || op.Kind == testcase.OpMethod {
		return ""
	}
	return s.typeArgs(op.TypeArgs)
}

// callVia does for a call through a helper what call does.
func (t *table) callVia(st testcase.Statement, params []string) (text, format string, args []string) {
	op := st.Op
	var passed []string
	switch {
	case op.Kind == testcase.OpMethod:
		on := t.rows[0].c.Seq.ResultTypes()[st.Args[0].Stmt][st.Args[0].Result]
		recv := t.rows[0].recv
		for _, r := range t.rows {
			if r.recv == recv {
				continue
			}
			name := t.fields.PickField(t.receiverField(op.Func, params))
			col := gofile.Column{Name: name, Type: t.Type(on)}
			for _, r := range t.rows {
				col.Cells = append(col.Cells, r.recv)
			}
			t.columns = append(t.columns, col)
			recv = "tt." + name
			break
		}
		if strings.HasPrefix(recv, "&") && op.Driven("", on, "", t.Std) != "" {
			recv = "(" + recv + ")"
		}
		passed = append(passed, op.Driven(recv, on, "", t.Std))
	case op.Drives():
		function := t.Object(op.Func)
		if len(op.TypeArgs) > 0 {
			function += t.typeArgs(op.TypeArgs)
		}
		passed = append(passed, op.Driven("", nil, function, t.Std))
	}
	var shown []string
	for i, p := range params {
		cells := make([]string, len(t.rows))
		for k, r := range t.rows {
			cells[k] = r.args[i]
		}
		titled := i < op.Via.Titles || op.Via.Titles == 0
		pt := op.Via.Sig.Params().At(i).Type()
		if allEqual(cells) && plainArg(cells[0]) {
			passed = append(passed, cells[0])
			if titled && cells[0] != `""` {
				shown = append(shown, escape(strings.Trim(cells[0], `"`)))
			}
			continue
		}
		name := t.fields.PickField(p)
		t.columns = append(t.columns, gofile.Column{Name: name, Type: t.Type(pt), Cells: cells})
		passed = append(passed, "tt."+name)
		if titled {
			shown = append(shown, "%s")
			args = append(args, "tt."+name)
		}
	}
	name := t.viaHelper(op.Via)
	if op.Via.Titles == 0 {
		return name + "(" + strings.Join(passed, ", ") + ")", name + "(" + strings.Join(shown, ", ") + ")", args
	}
	return name + "(" + strings.Join(passed, ", ") + ")", strings.Join(shown, " "), args
}
