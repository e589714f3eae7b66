package check

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
	"github.com/goassay/assay/internal/gosyntax"
)

// declaredName returns the identifier that an assay.Assumed gives to its assumption.
func declaredName(p place) string {
	c, ok := p.ins.(*ssa.Call)
	if !ok || p.kind != Declared {
		return ""
	}
	for _, arg := range c.Call.Args {
		if name := stringConst(arg); name != "" {
			return name
		}
	}
	return ""
}

func stringConst(v ssa.Value) string {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
		return constant.StringVal(c.Value)
	}
	return ""
}

// declared adds the premises given by assay.Verified: the assertion holds under the named assumptions.
// Several calls on one condition are a disjunction.
func (p *Program) declared(f *Function) {
	index := map[string]int{}
	for i, as := range f.Assumptions {
		index[as.ID] = i
	}
	f.Unmade = nil
	for i := range f.Assertions {
		as := &f.Assertions[i]
		c, ok := as.Instr.(*ssa.Call)
		if !ok || as.Kind != Assert {
			continue
		}
		callee := c.Call.StaticCallee()
		if callee == nil || p.annotation(callee) != contract.Verified {
			continue
		}
		conj := []int{}
		names, known := declaredNames(&c.Call)
		if !known {
			f.Unmade = append(f.Unmade, Unmade{"", c.Pos()})
		}
		for _, name := range names {
			k, ok := index[name]
			if !ok {
				f.Unmade = append(f.Unmade, Unmade{name, c.Pos()})
			}
			known = known && ok
			conj = append(conj, k)
		}
		if known && !as.Premise.Verified() {
			as.Premise, as.Foreign = append(as.Premise, conj), true
		}
	}
	p.shareDeclared(f)
}

// shareDeclared joins the premises of assertions on one condition as a disjunction. A later assertion
// also gets the premises of an earlier one that always comes before it, because a condition that was
// verified keeps its value. An earlier assertion gets only the declared premises of a later one that
// always follows. The premises that the analysis computed for the later one may depend on the earlier
// assertion itself.
func (p *Program) shareDeclared(f *Function) {
	type asserted struct {
		call     *ssa.Call
		own      Premise // from the analysis and the assertion's own declarations
		declared Premise
	}
	list := make([]asserted, len(f.Assertions))
	for i, as := range f.Assertions {
		c, ok := as.Instr.(*ssa.Call)
		if !ok || as.Kind != Assert || condition(&c.Call, c.Call.StaticCallee()) == nil {
			continue
		}
		list[i] = asserted{call: c, own: as.Premise}
		if as.Foreign {
			list[i].declared = as.Premise[len(as.Premise)-1:]
		}
	}
	for i := range list {
		as := &f.Assertions[i]
		if list[i].call == nil || as.Premise.Verified() {
			continue
		}
		for k, other := range list {
			if k == i || other.call == nil || conditionKey(other.call) != conditionKey(list[i].call) {
				continue
			}
			add := other.own
			if !comesBefore(other.call, list[i].call) {
				if add = other.declared; !p.follows(other.call, list[i].call) {
					continue
				}
			}
			if len(add) > 0 {
				as.Premise = append(slices.Clip(as.Premise), add...)
				as.Foreign = as.Foreign || f.Assertions[k].Foreign
			}
		}
	}
}

// absorb removes from the premises each conjunction that contains all assumptions of another conjunction:
// where it holds, the other one holds as well.
func (f *Function) absorb() {
	for i := range f.Assertions {
		var out Premise
		for k, c := range f.Assertions[i].Premise {
			weaker := func(n int, d []int) bool {
				return n != k && (len(d) < len(c) || n < k && len(d) == len(c)) &&
					!slices.ContainsFunc(d, func(id int) bool { return !slices.Contains(c, id) })
			}
			absorbed := false
			for n, d := range f.Assertions[i].Premise {
				absorbed = absorbed || weaker(n, d)
			}
			if !absorbed {
				out = append(out, c)
			}
		}
		f.Assertions[i].Premise = out
	}
}

// unhelped returns the premises of the written assertions of a function, none of which relies on one that may fail.
// An execution ends at an assertion that fails, so what it asserts is known behind it. But the next assertion may say
// the same in other words (of a copy, by a pointer, as a number), and would be verified by the first one.
// unhelped returns nil if there is no such reliance to look for. To all, the run with all assumptions, it adds the
// assumptions that only these premises need.
func (p *Program) unhelped(fn *ssa.Function, pre prepared, all, none *recorder) map[assertionKey]Premise {
	written, asserts, helps := 0, 0, map[ssa.Instruction]bool{}
	for _, k := range all.order {
		if k.kind.Written() {
			written++
		}
		if k.kind == Assert {
			asserts++
			if none.holds[k] {
				helps[k.ins] = true
			}
		}
	}
	if written < 2 || len(helps) == asserts {
		return nil
	}
	pre.helps = helps
	nothing := func(place) bool { return false }
	// Of several assertions that hold with each other's help none can be the first that fails.
	for none = p.once(fn, pre, nothing, false); none != nil; none = p.once(fn, pre, nothing, false) {
		before := len(helps)
		maps.DeleteFunc(helps, func(ins ssa.Instruction, _ bool) bool { return !none.holds[assertionKey{ins: ins, kind: Assert}] })
		if len(helps) == before {
			break
		}
	}
	out := map[assertionKey]Premise{}
	mine := p.once(fn, pre, func(pl place) bool { return !p.config.Off[pl.kind] }, true)
	if mine == nil || none == nil {
		return out
	}
	for _, pl := range mine.places {
		if !slices.Contains(all.places, pl) {
			all.places = append(all.places, pl)
			all.conds[pl], all.texts[pl] = mine.conds[pl], mine.texts[pl]
		}
	}
	mine.places = all.places
	mine.order = slices.DeleteFunc(mine.order, func(k assertionKey) bool { return !k.kind.Written() })
	out = (&dependence{p: p, fn: fn, pre: pre, all: mine, none: none, index: map[place]int{}, need: map[assertionKey][]int{}}).premises()
	for _, k := range mine.order {
		if none.holds[k] {
			out[k] = Premise{{}}
		}
	}
	return out
}

// keyDepth bounds how far a condition is followed to the values that it is computed from.
const keyDepth = 8

// conditionKey returns a key that is equal for two conditions if they are one value, or the same
// computation on the same values.
func conditionKey(c *ssa.Call) string {
	return valueKey(condition(&c.Call, c.Call.StaticCallee()), keyDepth)
}

func valueKey(v ssa.Value, depth int) string {
	if depth > 0 {
		switch v := v.(type) {
		case *ssa.Const:
			return "const " + v.String() + v.Type().String()
		case *ssa.BinOp:
			return operation(v, func(v ssa.Value) string { return valueKey(v, depth-1) })
		case *ssa.Convert:
			return v.Type().String() + "(" + valueKey(v.X, depth-1) + ")"
		case *ssa.UnOp:
			if v.Op != token.MUL && v.Op != token.ARROW {
				return unary(v, func(v ssa.Value) string { return valueKey(v, depth-1) })
			}
		case *ssa.Call:
			if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" && hasLength(v.Call.Args[0].Type()) {
				return "len(" + valueKey(v.Call.Args[0], depth-1) + ")"
			}
		}
	}
	return fmt.Sprintf("%p", v)
}

// operation returns the key of a binary operation, given the keys of its operands. Comparisons that say the same with
// their operands the other way round have one key.
func operation(v *ssa.BinOp, key func(ssa.Value) string) string {
	return comparison(v.Op, key(v.X), key(v.Y))
}

func comparison(op token.Token, x, y string) string {
	switch op {
	case token.GTR:
		op, x, y = token.LSS, y, x
	case token.GEQ:
		op, x, y = token.LEQ, y, x
	case token.EQL, token.NEQ:
		x, y = min(x, y), max(x, y)
	}
	return "(" + x + op.String() + y + ")"
}

// unary returns the key of a unary operation, given the keys of other values. What a condition is called when it is
// negated twice, or when the opposite comparison is negated, makes no other condition of it.
func unary(v *ssa.UnOp, key func(ssa.Value) string) string {
	if v.Op != token.NOT {
		return v.Op.String() + key(v.X)
	}
	switch x := v.X.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return key(x.X)
		}
	case *ssa.BinOp:
		op, ok := gosyntax.Negated(x.Op)
		b, isBasic := x.X.Type().Underlying().(*types.Basic)
		ordered := isBasic && b.Info()&(types.IsInteger|types.IsString) != 0 // a NaN is neither less nor not less
		if ok && (ordered || x.Op == token.EQL || x.Op == token.NEQ) {
			return comparison(op, key(x.X), key(x.Y))
		}
	}
	return v.Op.String() + key(v.X)
}

// comesBefore reports whether each execution that reaches y has reached x before, with the same values
// of everything that both read.
func comesBefore(x, y *ssa.Call) bool {
	if x.Block() == y.Block() {
		return indexOf(x) < indexOf(y)
	}
	return x.Block().Dominates(y.Block())
}

// follows reports whether each execution that reaches y reaches x next, with nothing but calls of
// annotations in between.
func (p *Program) follows(x, y *ssa.Call) bool {
	if x.Block() != y.Block() {
		return false
	}
	for _, ins := range y.Block().Instrs[indexOf(y)+1 : indexOf(x)] {
		c, ok := ins.(ssa.CallInstruction)
		if !ok {
			continue
		}
		callee := c.Common().StaticCallee()
		_, builtin := c.Common().Value.(*ssa.Builtin)
		if !builtin && (callee == nil || p.annotation(callee) == contract.None) {
			return false
		}
	}
	return true
}

// declaredNames returns the identifiers that a call of assay.Verified names. It returns false if a list of them is not written where
// it is passed, so that nobody knows what it names.
func declaredNames(c *ssa.CallCommon) (names []string, known bool) {
	for _, arg := range c.Args {
		if _, isList := arg.Type().Underlying().(*types.Slice); isList {
			if nothing, ok := arg.(*ssa.Const); ok && nothing.IsNil() {
				continue
			}
			list := variadicStrings(arg)
			if list == nil || slices.Contains(list, "") {
				return nil, false
			}
			names = append(names, list...)
		} else if name := stringConst(arg); name != "" {
			names = append(names, name)
		}
	}
	return names, true
}

// variadicStrings returns the constants in the slice that a variadic call or a literal makes, "" for what is no constant, and nil if the
// slice is made elsewhere.
func variadicStrings(v ssa.Value) []string {
	sl, ok := v.(*ssa.Slice)
	if !ok {
		return nil
	}
	arr, ok := sl.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	n, _ := arrayLength(arr.Type())
	out := make([]string, n)
	for _, r := range *arr.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		i, ok := at.Index.(*ssa.Const)
		if !ok {
			continue
		}
		k, _ := constantInt(i)
		for _, w := range *at.Referrers() {
			if st, ok := w.(*ssa.Store); ok && k >= 0 && k < n {
				out[k] = stringConst(st.Val)
			}
		}
	}
	return out
}
