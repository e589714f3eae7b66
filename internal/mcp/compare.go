package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/verb/diff"
	"github.com/goassay/assay/internal/versions"
)

// diffQuestion holds the arguments of diff.
type diffQuestion struct {
	target
	Old string `json:"old,omitempty" jsonschema:"the version to compare with: a revision of git (main... is the commit at which the branch began), a directory with a go.mod, or module@version; the last commit by default"`
	New string `json:"new,omitempty" jsonschema:"the newer version, named in the same way; the files on disk in the package's directory by default"`
}

// compared is the answer of diff.
type compared struct {
	Old         string             `json:"old,omitempty" jsonschema:"the older version's name"`
	New         string             `json:"new,omitempty" jsonschema:"the newer version's name"`
	Differences []event.Difference `json:"differences" jsonschema:"differences that no hand-written test notices come first, the worst of them first; noticed_by has the tests that fail in one version only"`
	Same        []event.Same       `json:"same" jsonschema:"changed functions without a difference: proved equal, or only tried"`
	Added       []event.Added      `json:"added,omitempty" jsonschema:"functions that only the newer version has, with the outcomes of some inputs; severity marks defects and misuse"`
	Unpaired    []event.Unpaired   `json:"unpaired,omitempty" jsonschema:"functions and packages that were not compared, with the reason"`
	LeftOut     int                `json:"left_out,omitempty" jsonschema:"entries of the lists beyond the limit"`
	Functions   int                `json:"functions" jsonschema:"changed functions that were compared"`
	Equal       int                `json:"equal" jsonschema:"how many of them were proved equal"`
	Unnoticed   int                `json:"unnoticed" jsonschema:"differences that no hand-written test notices"`
	Messages    []string           `json:"messages,omitempty"`
}

// diff compares two versions of a package.
func (c *call) diff(ctx context.Context, in diffQuestion) (compared, error) {
	var out compared
	var said messages
	hear := func(e event.Event) {
		said.hear(e)
		switch e := e.(type) {
		case event.Versions:
			out.Old, out.New = e.Old, e.New
		case event.Difference:
			e.Input, e.Before, e.After, e.Cause = clip(e.Input), clip(e.Before), clip(e.After), clip(e.Cause)
			e.NoticedBy, e.Doors = clipAll(e.NoticedBy), clipAll(e.Doors)
			out.Differences = append(out.Differences, e)
		case event.Same:
			out.Same = append(out.Same, e)
		case event.Added:
			for i := range e.Shown {
				e.Shown[i].Input, e.Shown[i].Outcome = clip(e.Shown[i].Input), clip(e.Shown[i].Outcome)
			}
			out.Added = append(out.Added, e)
		case event.Unpaired:
			out.Unpaired = append(out.Unpaired, e)
		case event.Summary:
			if e.Package != "" && e.Functions != nil {
				out.Functions, out.Equal, out.Unnoticed = count(e.Functions), count(e.Equal), count(e.Unnoticed)
			}
		}
	}
	cfg, args, err := c.versions(in, hear)
	if err != nil {
		return out, err
	}
	res, err := diff.Run(ctx, cfg, diff.Config{Args: args})
	answered := len(out.Differences)+len(out.Same)+len(out.Added)+len(out.Unpaired) > 0
	limit := in.limit()
	var left [4]int
	out.Differences, left[0] = first(out.Differences, limit)
	out.Same, left[1] = first(out.Same, limit)
	out.Unpaired, left[2] = first(out.Unpaired, limit)
	out.Added, left[3] = first(out.Added, limit)
	out.LeftOut = left[0] + left[1] + left[2] + left[3]
	out.Messages = said.shown(limit)
	return out, said.err(res, err, answered)
}

// count returns a count of a summary, or 0 if the run has not come so far.
func count(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// versions returns the configuration of diff for a question, and the arguments that name the versions and the
// package. Directories among them must be within the roots.
func (c *call) versions(in diffQuestion, hear func(event.Event)) (session.Config, []string, error) {
	for _, name := range []string{in.Old, in.New} {
		if strings.HasPrefix(name, "-") {
			return session.Config{}, nil, fmt.Errorf("%s: that is a flag and no version", name)
		}
	}
	if versions.IsModule(in.Old) || versions.IsModule(in.New) {
		return c.moduleVersions(in, hear)
	}
	cfg, err := c.session(in.target, hear)
	if err != nil {
		return cfg, nil, err
	}
	oldDir, err := c.moduleDir(in.Old)
	if err != nil {
		return cfg, nil, err
	}
	if oldDir != "" {
		return c.directoryVersions(cfg, oldDir, in.New)
	}
	rev := in.Old
	switch {
	case in.New != "" && (strings.Contains(in.Old, "..") || strings.Contains(in.New, "..")):
		return cfg, nil, errors.New("old and new name a revision each, without dots between")
	case in.New != "":
		// Without an older version the newer one is compared with the last commit, as the working tree is.
		rev = in.Old + ".." + in.New
	case rev == "":
		return cfg, []string{"."}, nil
	case versions.IsPattern(rev):
		return cfg, nil, fmt.Errorf("%s: there is no go.mod in it, and it is no revision", rev)
	}
	if hasModule(filepath.Join(cfg.Dir, rev)) {
		return cfg, nil, fmt.Errorf("%s is a directory in %s, too: name it from %s, the first root", rev, cfg.Dir, c.roots[0])
	}
	return cfg, []string{rev, "."}, nil
}

// moduleVersions is versions for two versions of a module, which the go command has or downloads. The package
// is then a directory within the module.
func (c *call) moduleVersions(in diffQuestion, hear func(event.Event)) (session.Config, []string, error) {
	cfg := c.config(in.target, hear)
	cfg.Dir = c.roots[0]
	switch pkg := filepath.ToSlash(in.Package); {
	case !versions.IsModule(in.Old) || !versions.IsModule(in.New):
		return cfg, nil, errors.New("name two versions of a module: old as module@v1.0.0, new as module@v1.1.0")
	case !filepath.IsLocal(in.Package):
		return cfg, nil, fmt.Errorf("package %q: with versions of a module name the directory within it, . for its root", in.Package)
	case pkg == ".":
		return cfg, []string{in.Old, in.New, "."}, nil
	default:
		return cfg, []string{in.Old, in.New, "./" + strings.TrimPrefix(pkg, "./")}, nil
	}
}

// directoryVersions is versions for a directory with another copy of the module. The newer one is the module
// of the package if the question names none.
func (c *call) directoryVersions(cfg session.Config, oldDir, newName string) (session.Config, []string, error) {
	here := cfg.Dir
	for !hasModule(here) {
		up := filepath.Dir(here)
		if up == here {
			return cfg, nil, fmt.Errorf("%s is in no module", cfg.Dir)
		}
		here = up
	}
	rel, err := filepath.Rel(here, cfg.Dir)
	if err != nil {
		return cfg, nil, err
	}
	newDir := here
	if newName != "" {
		if newDir, err = c.moduleDir(newName); err != nil {
			return cfg, nil, err
		}
		if newDir == "" {
			return cfg, nil, fmt.Errorf("%s: old is a directory, so new has to be one with a go.mod, too", newName)
		}
	}
	if newDir == oldDir {
		return cfg, nil, fmt.Errorf("old and new are the same directory, %s", newDir)
	}
	// Neither version is the current directory. Otherwise the current directory alone would name no version.
	cfg.Dir = filepath.Dir(oldDir)
	return cfg, []string{oldDir, newDir, "./" + filepath.ToSlash(rel)}, nil
}

// moduleDir returns the directory with a go.mod that a version's name stands for, or "" if it is no directory
// with one.
func (c *call) moduleDir(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(c.roots[0], full)
	}
	if !hasModule(full) {
		return "", nil
	}
	return directory(c.roots, name)
}

func hasModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
