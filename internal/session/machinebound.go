package session

import (
	"go/ast"
	"go/types"

	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
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

// machineBlocks returns the blocks of the package, among those that a harness counts, that
// call such a function, or one that is refused while assay looks.
func machineBlocks(prog *load.Program, pkg *load.Package, blocks []native.Block) testcase.Cover {
	var out testcase.Cover
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok {
				return true
			}
			fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
			if !ok || !tellsMachine(fn) && !purity.Refused(fn) {
				return true
			}
			at := prog.Fset.PositionFor(call.Pos(), false)
			for i, b := range blocks {
				if b.Stmts > 0 && b.Pos.Filename == at.Filename && b.Pos.Offset <= at.Offset && at.Offset < b.End.Offset {
					out.Set(i)
				}
			}
			return true
		})
	}
	return out
}
