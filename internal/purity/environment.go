package purity

import (
	"go/constant"
	"slices"

	"github.com/goassay/assay/internal/load"
	"golang.org/x/tools/go/ssa"
)

// Variables returns the names of the environment variables that functions ask for, by Target.Name: those in their own
// code, and in that of functions of the package which they call by name.
func Variables(pkg *load.Package) map[string][]string {
	own := make(map[string][]string)
	for _, t := range pkg.Targets {
		if t.Func == nil {
			continue
		}
		for _, b := range t.Func.Blocks {
			for _, in := range b.Instrs {
				if name := variable(in); name != "" && !slices.Contains(own[t.Name], name) {
					own[t.Name] = append(own[t.Name], name)
				}
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	out := make(map[string][]string)
	for _, t := range pkg.Targets {
		if t.Func == nil {
			continue
		}
		calls := Calls(pkg, t.Func)
		for _, other := range pkg.Targets {
			if other.Name != t.Name && !calls[other.Name] {
				continue
			}
			for _, name := range own[other.Name] {
				if !slices.Contains(out[t.Name], name) {
					out[t.Name] = append(out[t.Name], name)
				}
			}
		}
	}
	return out
}

// ArgReaders returns the functions of a package, by Target.Name, in whose own code, or in that of functions of the package
// which they call by name, the command line of the process is read (os.Args).
func ArgReaders(pkg *load.Package) map[string]bool {
	return functionsWith(pkg, func(in ssa.Instruction) bool {
		for _, op := range in.Operands(nil) {
			if g, ok := (*op).(*ssa.Global); ok && g.Name() == "Args" && g.Pkg.Pkg.Path() == "os" {
				return true
			}
		}
		return false
	})
}

// variable returns the constant name of the environment variable that an instruction asks for, or "".
func variable(in ssa.Instruction) string {
	call, ok := in.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || len(call.Call.Args) != 1 {
		return ""
	}
	switch f := call.Call.StaticCallee(); f.String() {
	case "os.Getenv", "os.LookupEnv", "syscall.Getenv":
		if c, ok := call.Call.Args[0].(*ssa.Const); ok && c.Value != nil {
			return constant.StringVal(c.Value)
		}
	}
	return ""
}
