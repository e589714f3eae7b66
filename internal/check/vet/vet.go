// Package vet is the static part of package check as an analyzer for go vet.
//
//  1. [New] returns the analyzer, and [Main] the tool for go vet -vettool.
//  2. The analyzer runs package check on each function of a package.
//  3. It reports the assertions that every execution breaks which reaches them, because an analysis alone
//     cannot say more with certainty. With its flag unverified it also reports every assertion that is not
//     verified, or that is verified only under assumptions.
//
// Contracts (requires, ensures, invariant) are not read, because that takes generated source, which go vet
// does not load.
package vet

import (
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/check"
)

// New returns the analyzer.
func New() *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:     "assay",
		Doc:      "report assertions, implied ones like bounds included, that are broken wherever they are reached",
		URL:      "https://github.com/goassay/assay",
		Requires: []*analysis.Analyzer{buildssa.Analyzer},
	}
	unverified := a.Flags.Bool("unverified", false, "report all assertions that are not verified")
	a.Run = func(pass *analysis.Pass) (any, error) {
		p := check.New(pass.Fset, types.SizesFor("gc", "amd64"), check.Config{})
		if pass.TypesSizes != nil {
			p.Sizes = pass.TypesSizes
		}
		p.Source(pass.ReadFile)
		for _, fn := range pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA).SrcFuncs {
			report(pass, p, fn, *unverified)
		}
		return nil, nil
	}
	return a
}

// report reports the assertions of one function.
func report(pass *analysis.Pass, p *check.Program, fn *ssa.Function, unverified bool) {
	if len(fn.Blocks) == 0 || fn.TypeParams().Len() > 0 {
		return // a generic function is analysed in its instances, which have types
	}
	f := p.Analyse(fn)
	for _, as := range f.Assertions {
		switch {
		case as.Kind == check.ExplicitPanic || as.Kind.StandsForOthers():
		case as.Fails:
			pass.Reportf(as.Pos, "%s: it never holds that %s", as.Kind, as.Text)
		case unverified && as.Premise.Unverified():
			pass.Reportf(as.Pos, "%s: not verified that %s", as.Kind, as.Text)
		case unverified && !as.Premise.Verified():
			pass.Reportf(as.Pos, "%s: verified only under %s that %s", as.Kind, f.PremiseText(as.Premise), as.Text)
		}
	}
}

// Main runs the tool for go vet -vettool.
func Main() { unitchecker.Main(New()) }
