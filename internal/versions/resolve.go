package versions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Version is one version of a module, in a directory.
type Version struct {
	// Dir is the directory in which package patterns are resolved.
	Dir string
	// Name is the user's name for it: "HEAD", "./old", "example.com/m@v1.2.0".
	Name string
	// Key identifies the content. It is "" if the content may change: for the working tree, or for a
	// directory.
	Key string
	// Left are submodules whose content is left out.
	Left []string

	root string // its temporary directory, or "" if it has none
}

// Temporary reports whether the version is in a directory that Two.Close removes.
func (v Version) Temporary() bool { return v.root != "" }

// Show returns a file's name as a user knows it. For a file of a revision or of a module's version it is the
// name there.
func (v Version) Show(file string) string {
	if v.root == "" {
		return file
	}
	rel, err := filepath.Rel(v.root, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return file
	}
	return v.Name + ":" + filepath.ToSlash(rel)
}

// Replace returns a text in which the version's name takes the place of the temporary directory.
func (v Version) Replace(text string) string {
	if v.root == "" {
		return text
	}
	return strings.ReplaceAll(text, v.root+string(filepath.Separator), v.Name+":")
}

// Two are the two versions to compare, and the packages.
type Two struct {
	Old, New Version
	Patterns []string

	temp []string
}

// Close removes the temporary directories of the versions.
func (t *Two) Close() error {
	var all error
	for _, dir := range t.temp {
		all = errors.Join(all, os.RemoveAll(dir))
	}
	return all
}

// Mistake is an error in what the user asked for: no such revision, no repository.
type Mistake string

func (m Mistake) Error() string { return string(m) }

func mistake(format string, args ...any) error { return Mistake(fmt.Sprintf(format, args...)) }

// Resolve finds the versions that the arguments name, with dir as the current directory, and the package
// patterns behind them. Without patterns all packages below dir are meant. The caller closes the result. An
// error that is a Mistake is one of the user.
func Resolve(ctx context.Context, dir string, args []string) (*Two, error) {
	if dir == "" {
		dir = "."
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	t := &Two{}
	switch {
	case len(args) > 0 && IsModule(args[0]):
		err = t.modules(ctx, args)
	case len(args) > 0 && isVersionDir(dir, args[0]):
		err = t.directories(dir, args)
	default:
		err = t.revisions(ctx, dir, args)
	}
	if err == nil && len(t.Patterns) == 0 {
		t.Patterns = []string{"./..."}
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// IsModule reports whether an argument names a version of a module. Such an argument contains an @ that does
// not belong to a notation of git's, as in HEAD@{1}.
func IsModule(arg string) bool {
	path, version, ok := strings.Cut(arg, "@")
	return ok && path != "" && version != "" && version[0] != '{' && !strings.Contains(path, "..")
}

// isVersionDir reports whether an argument is a directory with a module in it.
func isVersionDir(dir, arg string) bool {
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(dir, arg)
	}
	_, err := os.Stat(filepath.Join(arg, "go.mod"))
	// The module that contains dir is no version by itself: the argument means its packages.
	return err == nil && filepath.Clean(arg) != filepath.Clean(dir)
}

// directories takes two directories.
func (t *Two) directories(dir string, args []string) error {
	if len(args) < 2 {
		return mistake("%s is a directory with a module: name the one to compare it with, too", args[0])
	}
	if !isVersionDir(dir, args[1]) {
		abs := args[1]
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(dir, abs)
		}
		if _, err := os.Stat(filepath.Join(abs, "go.mod")); err != nil {
			return mistake("%s: there is no go.mod in it", args[1])
		}
	}
	for i, v := range []*Version{&t.Old, &t.New} {
		v.Name, v.Dir = args[i], args[i]
		if !filepath.IsAbs(v.Dir) {
			v.Dir = filepath.Join(dir, v.Dir)
		}
	}
	t.Patterns = args[2:]
	return nil
}

// tempDir makes a temporary directory, which Close removes.
func (t *Two) tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "assay-version-")
	if err != nil {
		return "", err
	}
	t.temp = append(t.temp, dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // confinement works with real paths
	}
	return dir, nil
}
