package purity

import (
	"fmt"
	"slices"
	"strings"

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
