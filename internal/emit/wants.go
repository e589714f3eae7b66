package emit

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/gofile"
	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/testcase"
)

// wants adds the columns for expected values. It returns the variables of the results, the conditions
// under which a row fails, and the parts of the message.
func (t *table) wants(st testcase.Statement) (got string, conds []assertion, gotVerbs, wantVerbs, gotArgs, wantArgs []string, ok bool) {
	var vars []string
	scope := gofile.NewNames(t.NewScope())
	scope.Add("tt")
	if t.receiver != "" {
		scope.Add(t.receiver)
	}
	sig := st.Op.Declared()
	c := gofile.Comparison{Tolerance: t.floats.Inexact(t.rows[0].c.Target)}
	same := t.alike()
	for i, rt := range t.types {
		cells := make([]testcase.Value, len(t.rows))
		for k, r := range t.rows {
			cells[k] = r.results[i]
			if c.Tolerance {
				cells[k] = gofile.Rounded(cells[k])
			}
		}
		if i == 0 && t.rows[0].object {
			vars, conds = append(vars, scope.Pick("got")), append(conds, assertion{}) // observers show the state of this object
			continue
		}
		if t.meansNothing(st.Op, i) {
			vars, conds = append(vars, "_"), append(conds, assertion{})
			continue
		}
		if i == 0 && t.fluent() {
			v := scope.Pick("got")
			vars, gotVerbs, gotArgs, wantVerbs = append(vars, v), append(gotVerbs, "%v"), append(gotArgs, v), append(wantVerbs, "its receiver")
			conds = append(conds, assertion{cond: v + " != " + t.object, check: check{"Same", []string{t.object, v}}})
			continue
		}
		if gosyntax.IsError(rt) {
			v := scope.Pick("err")
			vars = append(vars, v)
			a, wantVerb, wantArg := t.wantError(v, cells)
			conds = append(conds, a)
			gotVerbs, gotArgs = append(gotVerbs, "%v"), append(gotArgs, v)
			wantVerbs = append(wantVerbs, wantVerb)
			if wantArg != "" {
				wantArgs = append(wantArgs, wantArg)
			}
			continue
		}
		varName, field := t.resultNames(sig, i)
		v := scope.Pick(varName)
		vars = append(vars, v)
		if same[i] {
			a := alikeIn(v, t.Value(cells[0], rt, rt).Text, cells[0])
			conds, gotVerbs, wantVerbs = append(conds, a), append(gotVerbs, gofile.Verb(rt)), append(wantVerbs, a.want)
			gotArgs = append(gotArgs, v)
			continue
		}
		f := t.fields.PickField(field)
		col := gofile.Column{Name: f, Type: t.Type(rt)}
		cc := c
		seenNil, seenEmpty := false, false
		for _, val := range cells {
			cc = cc.Need(val)
			seenNil = seenNil || val.Kind == testcase.Nil
			seenEmpty = seenEmpty || (val.Kind == testcase.Slice || val.Kind == testcase.Map) && len(val.Elems) == 0
			col.Cells = append(col.Cells, t.Value(val, rt, rt).Text)
		}
		cc.NilCounts = seenNil && seenEmpty
		t.columns = append(t.columns, col)
		cnd, good := t.Differs(v, "tt."+f, rt, cc)
		if types.IsInterface(rt) && !slices.ContainsFunc(cells, func(v testcase.Value) bool {
			return v.Kind == testcase.Interface && (len(v.Elems) != 1 || v.Elems[0].Type == nil || !gofile.PlainlyComparable(v.Elems[0].Type))
		}) && !cc.Special {
			cnd, good = v+" != tt."+f, true
		}
		if !good {
			return "", nil, nil, nil, nil, nil, false
		}
		conds = append(conds, assertion{cond: cnd, check: equalCheck(v, "tt."+f, rt, cc)})
		gotVerbs, gotArgs = append(gotVerbs, gofile.CellVerb(rt, col.Cells)), append(gotArgs, v)
		wantVerbs, wantArgs = append(wantVerbs, gofile.CellVerb(rt, col.Cells)), append(wantArgs, "tt."+f)
	}
	return strings.Join(vars, ", "), conds, gotVerbs, wantVerbs, gotArgs, wantArgs, true
}

// meansNothing reports whether a result came with an error in each row, and means nothing in one of them.
func (t *table) meansNothing(op *testcase.Operation, i int) bool {
	return !slices.ContainsFunc(t.rows, func(r row) bool { return !testcase.Erred(op, r.results) }) &&
		slices.ContainsFunc(t.rows, func(r row) bool { return testcase.MeansNothing(op, r.results, t.types[i], r.results[i]) })
}

// resultNames returns the names of the variable and of the column for a result.
func (t *table) resultNames(sig *types.Signature, i int) (varName, field string) {
	n := sig.Results().At(i).Name()
	switch {
	case len(t.types) > 1 && gofile.Usable(n) && (i > 0 || len(t.types) > 2 || !gosyntax.IsError(t.types[1])):
		if n == "ok" {
			return n, "wantOK"
		}
		return n, "want" + gofile.UpperFirst(n)
	case i > 0 && gofile.IsBasic(t.types[i], types.IsBoolean):
		return "ok", "wantOK"
	case i > 0 && typeWord(t.types, i) != "":
		return "got" + typeWord(t.types, i), "want" + typeWord(t.types, i)
	}
	return "got", "want"
}

// typeWord returns what a result without a name behind others is called by: the name of its type, if no other result is of that type, and
// "" if its type has no name.
func typeWord(results []types.Type, i int) string {
	named := load.NamedOf(results[i])
	if named == nil || gosyntax.IsError(results[i]) {
		return ""
	}
	for k, other := range results {
		if k != i && load.NamedOf(other) == named {
			return ""
		}
	}
	return gofile.UpperFirst(named.Obj().Name())
}

// fluent reports whether each row's call returned its receiver, which has a name.
func (t *table) fluent() bool {
	return token.IsIdentifier(strings.TrimPrefix(t.object, "tt.")) && !slices.ContainsFunc(t.rows, func(r row) bool { return !r.fluent })
}

// alike returns, for each result, whether it is the same nil, zero or truth in all rows, so that it stands in the check
// itself and not in a column.
func (t *table) alike() []bool {
	out := make([]bool, len(t.types))
	for i, rt := range t.types {
		first := t.rows[0].results[i]
		plain := false
		switch first.Kind {
		case testcase.Nil, testcase.Bool:
			plain = true
		case testcase.Int, testcase.Uint:
			plain = first.Bits == 0 && load.NamedOf(rt) == nil
		case testcase.String:
			plain = first.Str == "" && load.NamedOf(rt) == nil
		}
		out[i] = plain && len(t.rows) > 1 && !gosyntax.IsError(rt) && !(i == 0 && t.rows[0].object) && !slices.ContainsFunc(t.rows, func(r row) bool {
			return r.results[i].Kind != first.Kind || !r.results[i].Equal(first)
		})
	}
	return out
}

// alikeIn returns the assertion that a result has the value that it has in all rows, which has this text.
func alikeIn(got, text string, v testcase.Value) assertion {
	a := assertion{cond: got + " != " + text, want: text, check: check{"Equal", []string{text, got}}}
	switch {
	case v.Kind == testcase.Nil:
		a.check = check{"Nil", []string{got}}
	case v.Kind == testcase.Bool && v.Bits != 0:
		a.cond, a.check = "!"+got, check{"True", []string{got}}
	case v.Kind == testcase.Bool:
		a.cond, a.check = got, check{"False", []string{got}}
	}
	return a
}

// wantError adds the column of the expected error, if any row has one.
func (t *table) wantError(v string, cells []testcase.Value) (a assertion, verb, arg string) {
	mode := errNil
	for _, r := range t.rows {
		mode = max(mode, t.mode(r))
	}
	if slices.ContainsFunc(cells, func(c testcase.Value) bool { return ownWords(c) != "" }) {
		mode = min(mode, errOwn) // of the others any error will do
	}
	switch mode {
	case errNil:
		return assertion{cond: v + " != nil", check: check{"NoError", []string{v}}}, "nil", ""
	case errSentinel:
		col := gofile.Column{Name: t.fields.PickField("wantErr"), Type: "error"}
		for _, c := range cells {
			cell := "nil"
			if s := t.Sentinel(c); s != nil {
				cell = t.Object(s)
			}
			col.Cells = append(col.Cells, cell)
		}
		t.columns = append(t.columns, col)
		if t.testify() {
			return assertion{check: t.errorIs(v, "tt."+col.Name)}, "", ""
		}
		return assertion{cond: t.IsNot(v, "tt."+col.Name)}, "%v", "tt." + col.Name
	case errMessage:
		col := gofile.Column{Name: t.fields.PickField("wantErr"), Type: "string"}
		for _, c := range cells {
			m, _ := stableMessage(c)
			col.Cells = append(col.Cells, gofile.Quote(m))
		}
		t.columns = append(t.columns, col)
		if !slices.ContainsFunc(cells, func(c testcase.Value) bool { return c.Kind == testcase.Nil }) {
			want := "tt." + col.Name
			return assertion{cond: v + " == nil || " + v + ".Error() != " + want, check: check{"EqualError", []string{v, want}}}, "%v", want
		}
		text := t.Helper("errText") + "(" + v + ")"
		return assertion{cond: text + " != tt." + col.Name, check: check{"Equal", []string{"tt." + col.Name, text}}}, "%v", "tt." + col.Name
	}
	anyNil := slices.ContainsFunc(cells, func(c testcase.Value) bool { return c.Kind == testcase.Nil })
	if mode == errOwn && !anyNil {
		col := gofile.Column{Name: t.fields.PickField("wantErr"), Type: "string"}
		for _, c := range cells {
			col.Cells = append(col.Cells, gofile.Quote(ownWords(c)))
		}
		t.columns = append(t.columns, col)
		a := assertion{cond: t.notSaying(v, "tt."+col.Name), check: check{"ErrorContains", []string{v, "tt." + col.Name}}}
		return a, "an error with %q", "tt." + col.Name
	}
	if !anyNil {
		return assertion{cond: v + " == nil", check: check{"Error", []string{v}}}, "an error", ""
	}
	col := gofile.Column{Name: t.fields.PickField("wantErr"), Type: "bool"}
	for _, c := range cells {
		cell := "false"
		if c.Kind != testcase.Nil {
			cell = "true"
		}
		col.Cells = append(col.Cells, cell)
	}
	t.columns = append(t.columns, col)
	return assertion{cond: "(" + v + " != nil) != tt." + col.Name, check: check{"Equal", []string{"tt." + col.Name, v + " != nil"}}}, "error %t", "tt." + col.Name
}
