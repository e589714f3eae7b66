package purity

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/goassay/assay/internal/gosyntax"
	"github.com/goassay/assay/internal/load"
)

// Outside says through which import the code of a package may reach files, processes or the network: the
// first import, of the package, of its tests or of its dependencies, that leads there, or "" if there is
// none. Unlike Effect it is about possible effects, those of package initialisation included. A package
// without Outside can run where nothing confines a process.
//
// It does not see effects by way of assembly, linkname or made-up pointers.
func Outside(prog *load.Program, pkg *load.Package) string {
	known := map[string]bool{pkg.Path: true}
	for _, i := range prog.Imports(pkg) {
		if reaching(i.Path) {
			return fmt.Sprintf("%s imports %s", i.From, i.Path)
		}
		known[i.Path] = true
	}
	var tests []string
	for path := range pkg.TestImports {
		if reaching(path) || !known[path] && !gosyntax.IsStandard(path, pkg.Module) {
			tests = append(tests, path)
		}
	}
	if len(tests) > 0 {
		slices.Sort(tests)
		return fmt.Sprintf("its tests import %s", tests[0])
	}
	return ""
}

// reaching reports whether a package of the standard library has functions that reach files, processes
// or the network. Packages that only use such functions inside do not count: fmt writes to the standard
// output.
func reaching(path string) bool {
	switch path {
	case "C", "os", "syscall", "net", "plugin", "io/ioutil", "log/syslog", "path/filepath",
		"runtime/cgo", "runtime/coverage", "runtime/debug", "text/template", "html/template", "mime", "mime/multipart",
		"archive/zip", "crypto/x509", "crypto/tls", "expvar", "net/textproto":
		return true
	}
	for _, tree := range []string{"os/", "net/http", "net/rpc", "net/smtp", "net/internal", "go/", "debug/", "cmd/", "internal/", "vendor/"} {
		if strings.HasPrefix(path, tree) {
			return true
		}
	}
	return false
}

// Processes says which functions of other packages look for a program of the system, start one, or open a socket. What they come to depends on
// the machine: where assay runs them no process can start and nothing listens, and go-iptables finds no iptables where there is none.
type Processes struct {
	prog    *load.Program
	imports map[string]bool // packages that import os/exec or something with sockets themselves
	known   map[*ssa.Function]bool
}

// NewProcesses returns an analysis for what a package imports.
func NewProcesses(prog *load.Program, pkg *load.Package) *Processes {
	p := &Processes{prog: prog, imports: make(map[string]bool), known: make(map[*ssa.Function]bool)}
	for _, i := range prog.Imports(pkg) {
		switch i.Path {
		case "os/exec", "net", "net/http", "net/smtp", "net/rpc", "crypto/tls":
			p.imports[i.From] = true
		}
	}
	return p
}

// Starts reports whether a function does so: it looks for a program or starts one in its own code or in that of functions of its package which it
// calls by name, or opens a socket in its own code, as wrappers of net.Listen do. What only may connect, somewhere behind it, mostly does not.
// Only packages that import what that takes are read; a function whose code cannot be loaded counts as none that does.
func (p *Processes) Starts(f *types.Func) bool {
	if f.Pkg() == nil || !p.imports[f.Pkg().Path()] {
		return false
	}
	pkg, err := p.prog.SourcePackage(f.Pkg().Path())
	if err != nil {
		return false
	}
	fn := pkg.Func(f.Name())
	if recv := f.Signature().Recv(); recv != nil {
		named := load.NamedOf(recv.Type())
		if named == nil || types.IsInterface(named) || pkg.Type(named.Obj().Name()) == nil {
			return false // which code an interface's method runs is not known
		}
		// A wrapper for pointers would not do: its code is that of no package.
		method, _, _ := types.LookupFieldOrMethod(pkg.Type(named.Obj().Name()).Type(), true, pkg.Pkg, f.Name())
		if method, ok := method.(*types.Func); ok {
			fn = p.prog.FuncValue(method)
		}
	}
	return fn != nil && (p.starts(fn) || slices.ContainsFunc(staticCallees(fn), connects))
}

// connects reports whether a function of the standard library opens a socket.
func connects(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && deeds(obj.FullName()) == opensSocket
}

func (p *Processes) starts(fn *ssa.Function) bool {
	if does, ok := p.known[fn]; ok {
		return does
	}
	p.known[fn] = false // as long as it is not known
	for _, callee := range staticCallees(fn) {
		if usesProgram(callee) || callee.Pkg == fn.Pkg && p.starts(callee) {
			p.known[fn] = true
			return true
		}
	}
	p.known[fn] = slices.ContainsFunc(fn.AnonFuncs, p.starts)
	return p.known[fn]
}

// usesProgram reports whether a function of the standard library looks for a program or starts a process.
func usesProgram(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && (LooksForProgram(obj) || deeds(obj.FullName()) == startsProcess)
}

// LooksForProgram reports whether a function finds out where a program of the system is.
func LooksForProgram(f *types.Func) bool { return f.FullName() == "os/exec.LookPath" }
