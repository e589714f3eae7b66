package campaign

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/finding"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// tellsMachine reports whether a function of the standard library says something of the
// machine or of the user: what a test asserts of it would hold here and now.
func tellsMachine(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "os":
		switch fn.Name() {
		case "Hostname", "Getwd", "Getpid", "Getppid", "Getuid", "Geteuid", "Getgid", "Getegid", "Getgroups", "UserHomeDir", "UserCacheDir", "UserConfigDir",
			"Executable", "Environ":
			return true
		}
	case "os/user":
		switch fn.Name() {
		case "Current", "Lookup", "LookupId", "LookupGroup", "LookupGroupId":
			return true
		}
	case "net":
		switch fn.Name() {
		case "Interfaces", "InterfaceAddrs", "InterfaceByName", "InterfaceByIndex", "LookupAddr", "LookupCNAME", "LookupHost", "LookupIP", "LookupMX", "LookupNS",
			"LookupPort", "LookupSRV", "LookupTXT":
			return true
		}
	case "runtime":
		return fn.Name() == "NumCPU" || fn.Name() == "NumGoroutine"
	}
	return false
}

// judging returns what says of cases what they are.
func (g *gen) judging() finding.Judge { return finding.Judge{Rules: g.rules, Machine: g.machine} }

// machineBlocks returns the blocks of the package that call such a function, or one that is
// refused while assay looks.
func (g *gen) machineBlocks() testcase.Cover {
	var out testcase.Cover
	for _, f := range g.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return true
			}
			fn, ok := g.pkg.Info.Uses[sel.Sel].(*types.Func)
			if !ok || !tellsMachine(fn) && !purity.Refused(fn) {
				return true
			}
			at := g.prog.Fset.PositionFor(call.Pos(), false)
			for i, b := range g.harness.Blocks() {
				if b.Stmts > 0 && b.Pos.Filename == at.Filename && b.Pos.Offset <= at.Offset && at.Offset < b.End.Offset {
					out.Set(i)
				}
			}
			return true
		})
	}
	return out
}
