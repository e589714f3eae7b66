package purity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/load"
)

// Outside says by what the code of a package may reach files, processes or the network: the
// first import, of its own, of its tests' or of what it is made of, that leads there; ""
// if there is none. Unlike Effect it is about what may happen, package initialisation
// included: where nothing confines a process, a package without Outside can be run.
//
// What a package does by way of assembly, of linkname and of pointers that it makes up is
// not seen.
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
		if reaching(path) || !known[path] && foreign(path, pkg.Module) {
			tests = append(tests, path)
		}
	}
	if len(tests) > 0 {
		slices.Sort(tests)
		return fmt.Sprintf("its tests import %s", tests[0])
	}
	return ""
}

// reaching reports whether a package of the standard library has functions that reach
// files, processes or the network. Packages that use such functions inside, and hand
// nothing of them on, do not: fmt writes to the standard output.
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

// foreign reports whether a package that tests of a module import is not of the standard
// library: of other packages nothing is known here.
func foreign(path, module string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") || module != "" && strings.HasPrefix(path+"/", module+"/")
}
