package campaign

import (
	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/testcase"
)

// natural returns what cases cover that are not planted: what else is covered is still
// worth a test that uses the package as its users do.
func (g *gen) natural() testcase.Cover {
	var out testcase.Cover
	add := func(cases []*testcase.Case) {
		for _, c := range cases {
			if c.Observed == nil || finding.HandBuilt(g.pkg, c) {
				continue
			}
			if judged, f := g.judging().Case(c); judged == "" && f == nil {
				out.Union(c.Observed.Cover)
			}
		}
	}
	add(g.early)
	for _, x := range g.explored {
		add(x.cases)
	}
	return out
}
