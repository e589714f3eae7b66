package protocol

import (
	"go/types"

	"github.com/goassay/assay/internal/testcase"
)

// fileSystem checks an fs.FS.
func fileSystem(s *subject) []*testcase.Check {
	f, t := s.method("Open")
	if f == nil || f.Pkg() != s.pkg || !hasSignature(f, []types.Type{stringType}, []types.Type{nil, errorType}) || f.Signature().Results().At(0).Type().String() != "io/fs.File" {
		return nil
	}
	// TestFS without names accepts file systems that are empty.
	return s.check(f, "checkFS", "reports whether x keeps the rules of fs.FS.", t, 1,
		`var names []string`,
		`_ = «io/fs».WalkDir(x, ".", func(name string, _ «io/fs».DirEntry, err error) error {`,
		`	if err == nil && name != "." && len(names) < 100 {`,
		`		names = append(names, name)`,
		`	}`,
		`	return nil`,
		`})`,
		`return «testing/fstest».TestFS(x, names...)`)
}
