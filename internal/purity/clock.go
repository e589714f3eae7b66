package purity

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/load"
)

// Clocked reports whether the code of a package waits for the clock: it sleeps, or sets timers, tickers or
// deadlines. Calls into such a package take as long as the durations that they are given say.
func Clocked(pkg *load.Package) bool {
	if pkg.Info == nil {
		return false
	}
	found := false
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found {
				fn, ok := pkg.Info.Uses[id].(*types.Func)
				found = ok && waitsForClock(fn.FullName())
			}
			return !found
		})
	}
	return found
}

// waitsForClock reports whether a function of the standard library waits, or has something else wait, for a
// time that it is given.
func waitsForClock(name string) bool {
	switch name {
	case "time.Sleep", "time.After", "time.AfterFunc", "time.NewTimer", "time.NewTicker", "time.Tick",
		"(*time.Timer).Reset", "(*time.Ticker).Reset", "context.WithTimeout", "context.WithDeadline":
		return true
	}
	return false
}
