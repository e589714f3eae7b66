package strategy

import (
	"strings"
	"testing"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/symbolic"
	"github.com/goassay/assay/internal/testcase"
)

// The overflow in Deposit is on one of many paths. If the analysis orders the search, this path comes
// earlier, and all other paths still come.
func TestOrder(t *testing.T) {
	prog, err := load.Load(t.Context(), load.Config{Dir: "../check/testdata/subjects"}, ".")
	if err != nil {
		t.Fatal(err)
	}
	pkg := prog.Packages[0]
	target := pkg.Target("Account.DepositChecked")
	run := func(cfg symbolic.Config) (paths, first int) {
		cfg.Seed, cfg.Direct = 1, true
		cfg.Budget = symbolic.Budget{Stale: 10_000, Cases: 10_000}
		res, err := symbolic.Run(t.Context(), symbolic.Subject{Prog: prog, Pkg: pkg, Target: target}, cfg, func(k *testcase.Case) bool {
			if strings.HasPrefix(k.Stop, "assert") && first == 0 {
				first = paths + 1
			}
			paths++
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Complete {
			t.Fatalf("not every path was followed: %s", res.Bound)
		}
		return res.Paths, first
	}
	var o orderer
	guide := o.order(prog, pkg, target)
	if guide == nil {
		t.Fatal("the analysis has nothing to put first")
	}
	all, late := run(symbolic.Config{})
	ordered, early := run(symbolic.Config{Order: guide})
	t.Logf("case %d of %d paths breaks an assertion with the order, case %d of %d without", early, ordered, late, all)
	if early == 0 || late == 0 || early >= late {
		t.Errorf("case %d breaks an assertion with the order, case %d without; want it earlier", early, late)
	}
	if ordered < all {
		t.Errorf("%d paths with the order, %d without: some were left out", ordered, all)
	}
	if o.order(prog, pkg, &load.Target{}) != nil {
		t.Error("a target without a body has an order")
	}
}
