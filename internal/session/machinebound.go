package session

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// tellsMachine reports whether a function of the standard library, or a system call of golang.org/x/sys, reveals something about
// the machine or the user. A test that asserts its result would hold only here and now, and a system call may be one that assay
// refuses. The whole environment (os.Environ) is not among these functions: code mostly looks a few names up in it, and a test that depends on the rest fails in another environment,
// where verification runs it.
func tellsMachine(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "os":
		switch fn.Name() {
		case "Hostname", "Getwd", "Getpid", "Getppid", "Getuid", "Geteuid", "Getgid", "Getegid", "Getgroups", "UserHomeDir", "UserCacheDir", "UserConfigDir",
			"Executable":
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
	case "syscall", "golang.org/x/sys/unix":
		results := fn.Signature().Results()
		parses := strings.HasPrefix(fn.Name(), "Byte") || strings.HasPrefix(fn.Name(), "Parse") || strings.HasPrefix(fn.Name(), "Slice")
		return !parses && results.Len() > 0 && gosyntax.IsError(results.At(results.Len()-1).Type())
	case "runtime":
		return fn.Name() == "NumCPU" || fn.Name() == "NumGoroutine" || fn.Name() == "Version" || fn.Name() == "GOROOT"
	}
	return false
}

// machineBlocks returns the blocks of the package that call such a function, a function that assay
// refuses, or a function of another package that looks for programs or starts them. Blocks that use such a function as a value are among them, because a later call of the value does
// not name the function.
func machineBlocks(prog *load.Program, pkg *load.Package, blocks []testcase.Block) testcase.Cover {
	processes := purity.NewProcesses(prog, pkg)
	out := blocksCalling(prog, pkg, blocks, func(fn *types.Func) bool {
		return tellsMachine(fn) || purity.Refused(fn) || purity.LooksForProgram(fn) || processes.Starts(fn)
	})
	out.Union(blocksNaming(prog, pkg, blocks))
	return out
}

// blocksNaming returns the blocks that name a function which reveals something about the machine, or a
// variable of the package that is initialised with such a function.
func blocksNaming(prog *load.Program, pkg *load.Package, blocks []testcase.Block) testcase.Cover {
	tells := func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		if !ok {
			return false
		}
		fn, ok := pkg.Info.Uses[sel.Sel].(*types.Func)
		return ok && tellsMachine(fn)
	}
	variables := make(map[types.Object]bool)
	for _, init := range pkg.Info.InitOrder {
		if tells(init.Rhs) {
			for _, v := range init.Lhs {
				variables[v] = true
			}
		}
	}
	var out testcase.Cover
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if tells(n) {
					markBlock(prog, blocks, n, &out)
				}
			case *ast.Ident:
				if variables[pkg.Info.Uses[n]] {
					markBlock(prog, blocks, n, &out)
				}
			}
			return true
		})
	}
	return out
}

// markBlock marks the blocks that contain a node.
func markBlock(prog *load.Program, blocks []testcase.Block, n ast.Node, out *testcase.Cover) {
	at := prog.Fset.PositionFor(n.Pos(), false)
	for i, b := range blocks {
		if b.Stmts > 0 && b.Pos.Filename == at.Filename && b.Pos.Offset <= at.Offset && at.Offset < b.End.Offset {
			out.Set(i)
		}
	}
}

// transportBlocks returns the blocks that send HTTP requests by a transport.
func transportBlocks(prog *load.Program, pkg *load.Package, blocks []testcase.Block) testcase.Cover {
	return blocksCalling(prog, pkg, blocks, purity.Transported)
}

// argsBlocks returns the blocks that name the command line of the process.
func argsBlocks(prog *load.Program, pkg *load.Package, blocks []testcase.Block) testcase.Cover {
	var out testcase.Cover
	for id, obj := range pkg.Info.Uses {
		if v, ok := obj.(*types.Var); ok && v.Name() == "Args" && v.Pkg() != nil && v.Pkg().Path() == "os" && v.Parent() == v.Pkg().Scope() {
			markBlock(prog, blocks, id, &out)
		}
	}
	return out
}

// blocksCalling returns the blocks that call a function or method of another package for which asks returns
// true.
func blocksCalling(prog *load.Program, pkg *load.Package, blocks []testcase.Block, asks func(*types.Func) bool) testcase.Cover {
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
			if !ok || !asks(fn) {
				return true
			}
			markBlock(prog, blocks, call, &out)
			return true
		})
	}
	return out
}
