package testfile

import (
	"go/ast"
	"go/build/constraint"
	"path/filepath"
	"slices"
	"strings"
)

// SourceConstraint returns the build constraint of a source file: the constraint of its //go:build line and
// the constraints that its name implies. It returns nil if the file has neither.
func SourceConstraint(file *ast.File, name string) constraint.Expr {
	var expr constraint.Expr
	if file != nil {
		for _, g := range file.Comments {
			if g.Pos() > file.Package {
				break
			}
			for _, c := range g.List {
				if !constraint.IsGoBuild(c.Text) {
					continue
				}
				// A malformed line cannot occur, because the go command refuses such a file.
				if e, err := constraint.Parse(c.Text); err == nil {
					expr = Both(expr, e)
				}
			}
		}
	}
	for _, tag := range nameTags(name) {
		expr = Both(expr, &constraint.TagExpr{Tag: tag})
	}
	return expr
}

// Both returns the conjunction of two constraints, either of which may be nil.
func Both(x, y constraint.Expr) constraint.Expr {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	case x.String() == y.String():
		return x
	}
	return &constraint.AndExpr{X: x, Y: y}
}

// nameTags returns the build tags that a file name ending in _GOOS, _GOARCH or _GOOS_GOARCH implies, by
// the rules of go/build.
func nameTags(name string) []string {
	name, _, _ = strings.Cut(filepath.Base(name), ".")
	// The part before the first _ is never a tag: "linux.go" is for all systems.
	i := strings.Index(name, "_")
	if i < 0 {
		return nil
	}
	parts := strings.Split(name[i+1:], "_")
	n := len(parts)
	last := parts[n-1]
	if n >= 2 && slices.Contains(strings.Fields(knownOS), parts[n-2]) && slices.Contains(strings.Fields(knownArch), last) {
		return []string{parts[n-2], last}
	}
	if slices.Contains(strings.Fields(knownOS), last) || slices.Contains(strings.Fields(knownArch), last) {
		return []string{last}
	}
	return nil
}

// The lists of go/build, which does not export them (syslist).
const (
	knownOS = "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos"

	knownArch = "386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le " +
		"ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm"
)

// TestPath returns the path of the test file for a source file.
func TestPath(source string, bugs bool) string {
	base := strings.TrimSuffix(source, ".go")
	if bugs {
		return base + "_assay_bug_test.go"
	}
	return base + "_assay_test.go"
}
