package choose

import (
	"context"
	"slices"

	"github.com/goassay/assay/internal/mutate"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/testcase"
)

// enoughKillers is after how many killing tests the search for a mutant stops. Only one of them will be
// written, and running every test against every mutant would take (tests × mutants) runs.
const enoughKillers = 8

// chooseFields runs cases against all mutants that they reach and returns the mutants that each case notices.
// Of a large result a test asserts only some fields. chooseFields picks them greedily, the field that notices
// most mutants first, until these fields and the results that are no structs notice all that the case can
// notice. It sets the chosen fields in each case. The parameter pair reports which mutants matter for a case.
// If it is nil, all mutants matter, and the search for a mutant stops at enoughKillers.
func chooseFields(ctx context.Context, a *mutate.Analysis, cases []*testcase.Case, pair func(k, id int) bool) ([][]int, error) {
	by := make([]map[testcase.FieldRef][]int, len(cases)) // for each case, the mutants that only this field notices
	for i := range by {
		by[i] = make(map[testcase.FieldRef][]int)
	}
	most := 0
	if pair == nil {
		most = enoughKillers
	}
	verdicts, err := a.Cases(ctx, cases, mutate.Options{All: true, Most: most, Pair: pair, Noticed: func(k, id int, base, got *testcase.Outcome) {
		fields, other := mutate.Fields(base, got, mutate.SeenBy(cases[k]))
		if other {
			return
		}
		for _, f := range fields {
			by[k][f] = append(by[k][f], id)
		}
	}})
	if err != nil {
		return nil, err
	}
	for i, c := range cases {
		c.Fields = cheapestFields(by[i])
	}
	out := make([][]int, len(cases))
	for _, v := range verdicts {
		for _, k := range v.By {
			out[k] = append(out[k], v.Mutant.ID)
		}
	}
	return out, nil
}

// cheapestFields returns few fields that together notice all the mutants.
func cheapestFields(by map[testcase.FieldRef][]int) map[testcase.FieldRef]bool {
	refs := make([]testcase.FieldRef, 0, len(by))
	for f := range by {
		refs = append(refs, f)
	}
	slices.SortFunc(refs, func(a, b testcase.FieldRef) int {
		return slices.Compare([]int{a.Stmt, a.Result, a.Field}, []int{b.Stmt, b.Result, b.Field})
	})
	out := make(map[testcase.FieldRef]bool)
	noticed := make(map[int]bool)
	for _, i := range reduce.Greedily(len(refs), func(i int) int {
		n := 0
		for _, id := range by[refs[i]] {
			if !noticed[id] {
				n++
			}
		}
		if n == 0 {
			return -1 // a field that notices nothing new is not asserted
		}
		return n
	}, func(i int) {
		for _, id := range by[refs[i]] {
			noticed[id] = true
		}
	}) {
		out[refs[i]] = true
	}
	return out
}
