package purity

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Clocked reports whether the code of a package waits for the clock: it sleeps, or sets timers, tickers or
// deadlines. Calls into such a package take as long as the durations that they are given say.
func Clocked(pkg *load.Package) bool { return mentionsFunc(pkg, waitsForClock) }

// AsksTime reports whether the code of a package asks what time it is, or waits for the clock. What a call into such a
// package does may depend on how soon it follows another one.
func AsksTime(pkg *load.Package) bool {
	return mentionsFunc(pkg, func(name string) bool {
		return name == "time.Now" || name == "time.Since" || name == "time.Until" || waitsForClock(name)
	})
}

// mentionsFunc reports whether the code of a package mentions a function of whose full name is says true.
func mentionsFunc(pkg *load.Package, is func(name string) bool) bool {
	if pkg.Info == nil {
		return false
	}
	found := false
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found {
				fn, ok := pkg.Info.Uses[id].(*types.Func)
				found = ok && is(fn.FullName())
			}
			return !found
		})
	}
	return found
}

// Sleepers returns the names of the functions of a package that may wait for the clock before they return: they sleep
// or make timers, or call such a function of the package. Of a call by way of an interface any method of that name may
// be meant.
func Sleepers(pkg *load.Package) map[string]bool {
	sleeps, calls := make(map[string]bool), make(map[string][]string)
	if pkg.Info == nil {
		return sleeps
	}
	for _, fd := range pkg.Funcs() {
		name := gosyntax.DeclName(fd)
		ast.Inspect(fd, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			fn, ok := pkg.Info.Uses[id].(*types.Func)
			switch {
			case !ok:
			case slices.Contains([]string{"time.Sleep", "time.After", "time.NewTimer", "time.Tick"}, fn.FullName()):
				sleeps[name] = true
			case fn.Pkg() == pkg.Types:
				calls[name] = append(calls[name], fn.Name())
			}
			return true
		})
	}
	for more := true; more; {
		more = false
		for name, called := range calls {
			if !sleeps[name] && slices.ContainsFunc(called, func(c string) bool { return sleepsAs(sleeps, c) }) {
				sleeps[name], more = true, true
			}
		}
	}
	return sleeps
}

// Pauses returns how long the functions of a package sleep whenever they are called, as far as their statements say so:
// calls of time.Sleep with a constant that stand before anything that could leave the function.
func Pauses(pkg *load.Package) map[string]time.Duration {
	pauses := make(map[string]time.Duration)
	if pkg.Info == nil {
		return pauses
	}
	for _, fd := range pkg.Funcs() {
		if fd.Body == nil {
			continue
		}
		for _, stmt := range fd.Body.List {
			if compound(stmt) {
				break // behind a condition or a loop it is not known what runs
			}
			if stmt, ok := stmt.(*ast.ExprStmt); ok {
				if d := pause(pkg.Info, stmt.X); d > 0 {
					pauses[gosyntax.DeclName(fd)] += d
				}
			}
		}
	}
	return pauses
}

// compound reports whether a statement is one after which another may not run.
func compound(stmt ast.Stmt) bool {
	switch stmt.(type) {
	case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt, *ast.GoStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.EmptyStmt:
		return false
	}
	return true
}

// pause returns how long a call of time.Sleep with a constant takes, or 0 for another expression.
func pause(info *types.Info, x ast.Expr) time.Duration {
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return 0
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return 0
	}
	fn, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.FullName() != "time.Sleep" || info.Types[call.Args[0]].Value == nil {
		return 0
	}
	n, _ := constant.Int64Val(constant.ToInt(info.Types[call.Args[0]].Value))
	return max(0, time.Duration(n))
}

// sleepsAs reports whether a function of that name, or a method of any type, is among the sleepers.
func sleepsAs(sleeps map[string]bool, name string) bool {
	for s := range sleeps {
		if s == name || strings.HasSuffix(s, "."+name) {
			return true
		}
	}
	return false
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
