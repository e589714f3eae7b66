package verify

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/session"
)

// Received runs the tests of files that another machine has made for the package, as they would be with these files in the
// place of the earlier ones. It returns what fails, in a line, or "". Tests of findings are not run, because they fail.
func Received(ctx context.Context, s *session.Session, earlier []files.Own, received []files.New) (string, error) {
	work, err := os.MkdirTemp("", "assay-received-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	run := gotest.Run{Dir: s.Pkg.Dir, Tags: s.Config.Tags, Overlay: make(map[string]string), NoVet: true, Policy: s.Policy}
	for _, o := range earlier {
		run.Overlay[o.Name] = ""
	}
	for i, f := range received {
		name := filepath.Join(work, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(name, f.Content, 0o600); err != nil {
			return "", err
		}
		run.Overlay[f.Name] = name
		if strings.HasSuffix(f.Name, files.BugSuffix) {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return err.Error(), nil
		}
		for _, d := range parsed.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && strings.HasPrefix(fd.Name.Name, "Test") {
				run.Names = append(run.Names, fd.Name.Name)
			}
		}
	}
	if len(run.Names) == 0 {
		return "", nil
	}
	res, err := run.Do(ctx)
	switch {
	case err != nil:
		return "", err
	case len(res.Build) > 0:
		return "they do not compile: " + res.Build[0].String(), nil
	case res.Hung:
		return "they do not end", nil
	case len(res.Failed) > 0:
		return fmt.Sprintf("%s fails: %s", res.Failed[0], gotest.Failure(res.Output[res.Failed[0]])), nil
	case !res.OK:
		return "go test fails: " + gotest.Failure(res.Output[""]), nil
	}
	return "", nil
}
