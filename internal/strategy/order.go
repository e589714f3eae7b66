package strategy

import (
	"sync"

	"github.com/goassay/assay/internal/check"
	"github.com/goassay/assay/internal/check/guide"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/vm"
)

// orderer orders gen's searches by the analysis of package check: states that must lead to unverified
// assertions come first. It prunes nothing and ignores declared results, because coverage needs the verified
// paths, too. Several goroutines may use it.
type orderer struct {
	once     sync.Once
	analyser *check.Program
}

// order returns the guide for a target, or nil if the analysis has none.
func (o *orderer) order(prog *load.Program, pkg *load.Package, t *load.Target) *vm.Guide {
	o.once.Do(func() { o.analyser = session.NewAnalyser(prog, pkg, check.Config{}) })
	if t.Func == nil || len(t.Func.Blocks) == 0 {
		return nil
	}
	return guide.Order(o.analyser.Analyse(t.Func), interruptsInGen)
}

// interruptsInGen bounds how many states of a function are put off in gen. Further states are not put off any
// more.
const interruptsInGen = 100
