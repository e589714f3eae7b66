package emit

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/testcase"
)

// wants adds the columns of what is expected, and returns the variables of the
// results, the conditions under which a row fails, and the parts of the message.
func (t *table) wants(st testcase.Statement) (got string, conds []assertion, gotVerbs, wantVerbs, gotArgs, wantArgs []string, ok bool) {
	var vars []string
	scope := newNames(t.newScope())
	scope.add("tt")
	sig := st.Op.Declared()
	c := comparison{tolerance: t.floats.inexact(t.rows[0].c.Target)}
	for i, rt := range t.types {
		cells := make([]testcase.Value, len(t.rows))
		for k, r := range t.rows {
			cells[k] = r.results[i]
		}
		if i == 0 && t.rows[0].object {
			vars = append(vars, scope.pick("got")) // observers say what it is
			conds = append(conds, assertion{})
			continue
		}
		if isError(rt) {
			v := scope.pick("err")
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
		varName, field := "got", "want"
		if n := sig.Results().At(i).Name(); len(t.types) > 1 && usable(n) && (i > 0 || len(t.types) > 2 || !isError(t.types[1])) {
			varName, field = n, "want"+upperFirst(n)
			if n == "ok" {
				field = "wantOK"
			}
		} else if i > 0 && isBasic(rt, types.IsBoolean) {
			varName, field = "ok", "wantOK"
		}
		v := scope.pick(varName)
		f := t.fields.pickField(field)
		vars = append(vars, v)
		col := column{name: f, typ: t.typ(rt)}
		cc := c
		seenNil, seenEmpty := false, false
		for _, val := range cells {
			cc = cc.need(val)
			seenNil = seenNil || val.Kind == testcase.Nil
			seenEmpty = seenEmpty || (val.Kind == testcase.Slice || val.Kind == testcase.Map) && len(val.Elems) == 0
			col.cells = append(col.cells, t.value(val, rt, rt).text)
		}
		cc.nilCounts = seenNil && seenEmpty
		t.columns = append(t.columns, col)
		cnd, good := t.differs(v, "tt."+f, rt, cc)
		if types.IsInterface(rt) && !slices.ContainsFunc(cells, func(v testcase.Value) bool {
			return v.Kind == testcase.Interface && (len(v.Elems) != 1 || v.Elems[0].Type == nil || !plainlyComparable(v.Elems[0].Type))
		}) && !cc.special {
			cnd, good = v+" != tt."+f, true
		}
		if !good {
			return "", nil, nil, nil, nil, nil, false
		}
		conds = append(conds, assertion{cond: cnd, check: equalCheck(v, "tt."+f, rt, cc)})
		gotVerbs, gotArgs = append(gotVerbs, verb(rt)), append(gotArgs, v)
		wantVerbs, wantArgs = append(wantVerbs, verb(rt)), append(wantArgs, "tt."+f)
	}
	return strings.Join(vars, ", "), conds, gotVerbs, wantVerbs, gotArgs, wantArgs, true
}

// wantError adds the column of the expected error, if any row has one.
func (t *table) wantError(v string, cells []testcase.Value) (a assertion, verb, arg string) {
	mode := errNil
	for _, r := range t.rows {
		mode = max(mode, t.mode(r))
	}
	switch mode {
	case errNil:
		return assertion{cond: v + " != nil", check: check{"NoError", []string{v}}}, "nil", ""
	case errSentinel:
		col := column{name: t.fields.pickField("wantErr"), typ: "error"}
		for _, c := range cells {
			cell := "nil"
			if s := t.sentinel(c); s != nil {
				cell = t.object(s)
			}
			col.cells = append(col.cells, cell)
		}
		t.columns = append(t.columns, col)
		if t.testify() {
			return assertion{check: check{"ErrorIs", []string{v, "tt." + col.name}}}, "", ""
		}
		return assertion{cond: t.isNot(v, "tt."+col.name)}, "%v", "tt." + col.name
	case errMessage:
		col := column{name: t.fields.pickField("wantErr"), typ: "string"}
		for _, c := range cells {
			m, _ := stableMessage(c)
			col.cells = append(col.cells, quote(m))
		}
		t.columns = append(t.columns, col)
		text := t.helper("errText") + "(" + v + ")"
		return assertion{cond: text + " != tt." + col.name, check: check{"Equal", []string{"tt." + col.name, text}}}, "%v", "tt." + col.name
	}
	col := column{name: t.fields.pickField("wantErr"), typ: "bool"}
	for _, c := range cells {
		cell := "false"
		if c.Kind != testcase.Nil {
			cell = "true"
		}
		col.cells = append(col.cells, cell)
	}
	t.columns = append(t.columns, col)
	return assertion{cond: "(" + v + " != nil) != tt." + col.name, check: check{"Equal", []string{"tt." + col.name, v + " != nil"}}}, "error %t", "tt." + col.name
}
