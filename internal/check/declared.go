package check

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/contract"
)

// declaredName is the identifier that an assay.Assumed gives its assumption.
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

// declared adds to the premises what assay.Verified says: the assertion holds under the
// named assumptions. Several on one condition are a disjunction, by way of the same
// condition in each.
func (p *Program) declared(f *Function) {
	index := map[string]int{}
	for i, as := range f.Assumptions {
		index[as.ID] = i
	}
	for i := range f.Assertions {
		as := &f.Assertions[i]
		c, ok := as.Instr.(*ssa.Call)
		if !ok || as.Kind != Assert || as.Premise.Verified() {
			continue
		}
		callee := c.Call.StaticCallee()
		if callee == nil || p.annotation(callee) != contract.Verified {
			continue
		}
		conj, known := []int{}, true
		for _, name := range declaredNames(&c.Call) {
			k, ok := index[name]
			known = known && ok
			conj = append(conj, k)
		}
		if known {
			as.Premise, as.Foreign = append(as.Premise, conj), true
		}
	}
	// The same condition asserted again has the premises of all.
	same := map[ssa.Value][]int{}
	for i, as := range f.Assertions {
		if c, ok := as.Instr.(*ssa.Call); ok && as.Kind == Assert {
			if cond := condition(&c.Call, c.Call.StaticCallee()); cond != nil {
				same[cond] = append(same[cond], i)
			}
		}
	}
	for _, list := range same {
		if len(list) < 2 {
			continue
		}
		var union Premise
		foreign := false
		for _, i := range list {
			union = append(union, f.Assertions[i].Premise...)
			foreign = foreign || f.Assertions[i].Foreign
		}
		for _, i := range list {
			if f.Assertions[i].Premise.Verified() {
				continue // by the analysis
			}
			f.Assertions[i].Premise, f.Assertions[i].Foreign = union, foreign
		}
	}
}

// declaredNames are the identifiers that an assay.Verified names.
func declaredNames(c *ssa.CallCommon) []string {
	var out []string
	for i, arg := range c.Args {
		if c.Signature().Variadic() && i == len(c.Args)-1 {
			out = append(out, variadicStrings(arg)...)
		} else if name := stringConst(arg); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// variadicStrings are the constants in the slice that a variadic call passes.
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
