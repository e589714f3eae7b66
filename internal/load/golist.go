package load

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/native/guard"
)

// listed is the go command's description of a package; the fields are go list's.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	Export     string
	Standard   bool
	DepOnly    bool
	Match      []string
	GoFiles    []string
	CgoFiles   []string
	SFiles     []string
	EmbedFiles []string // files that //go:embed names
	// IgnoredGoFiles are files that build constraints leave out, and files with cgo.
	IgnoredGoFiles []string
	TestGoFiles    []string
	XTestGoFiles   []string
	Imports        []string
	ImportMap      map[string]string
	Module         *struct {
		Path      string
		Version   string // "" for a module in a directory of the user's
		Dir       string
		GoVersion string
		Replace   *struct{ Path, Version string }
	}
	Error      *listError
	DepsErrors []*listError
}

// language returns the version of Go that the package's module is written in, like "1.21", or "" if the
// module has none, as in the standard library and in GOPATH.
func (l *listed) language() string {
	if l == nil || l.Module == nil {
		return ""
	}
	// The go command assumes this version for a go.mod without a go directive.
	return cmp.Or(l.Module.GoVersion, "1.16")
}

// listError is an error that go list attaches to a package.
type listError struct {
	ImportStack []string
	Pos         string // "file:line:col", relative or absolute, or empty
	Err         string
}

const listFields = "-json=ImportPath,Name,Dir,Export,Standard,DepOnly,Match,GoFiles,CgoFiles,SFiles,EmbedFiles,IgnoredGoFiles," +
	"TestGoFiles,XTestGoFiles,Imports,ImportMap,Module,Error,DepsErrors"

// goList runs go list over the patterns and their dependencies, dependencies first.
// The error, of one line, is the go command's own if it could not start to answer.
func goList(ctx context.Context, cfg Config, patterns []string, extraEnv ...string) ([]*listed, string, error) {
	args := []string{"list", "-e", "-deps", "-export", listFields}
	if cfg.Tags != "" {
		args = append(args, "-tags="+cfg.Tags)
	}
	if len(cfg.Overlay) > 0 {
		name, remove, err := writeOverlay(cfg.Overlay)
		if err != nil {
			return nil, "", err
		}
		defer remove()
		args = append(args, "-overlay="+name)
	}
	args = append(append(args, "--"), patterns...)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = cfg.Dir
	cmd.Env = cfg.environ(extraEnv)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	runErr := cmd.Run()
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if errors.Is(runErr, exec.ErrNotFound) {
		return nil, "", errors.New("the go command is not on PATH")
	}
	var pkgs []*listed
	dec := json.NewDecoder(&stdout)
	for {
		p := new(listed)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, "", fmt.Errorf("go list: %s", firstLine(stderr.String(), err.Error()))
		}
		pkgs = append(pkgs, p)
	}
	if runErr != nil && len(pkgs) == 0 {
		return nil, "", errors.New(firstLine(stderr.String(), "go list: "+runErr.Error()))
	}
	return pkgs, stderr.String(), nil
}

// environ returns the environment of the go command, in which building runs none of the package's programs.
// PWD is set to the directory, so that symbolic links in its name are kept.
func (cfg Config) environ(extra []string) []string {
	env, _ := guard.GoEnv(cfg.Env) // package session reports the dropped variables
	if cfg.Dir != "" {
		if abs, err := filepath.Abs(cfg.Dir); err == nil {
			env = append(env, "PWD="+abs)
		}
	}
	return append(env, extra...)
}

// getenv returns the value of key in the go command's environment, or "" if unset.
func (cfg Config) getenv(key string) string {
	env := cfg.Env
	if env == nil {
		return os.Getenv(key)
	}
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], key+"="); ok {
			return v
		}
	}
	return ""
}

// writeOverlay writes the overlay as the go command reads it: a JSON file that maps
// names to files with the content.
func writeOverlay(overlay map[string][]byte) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "assay-overlay-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) } // if this fails, a temporary directory stays, which does no harm
	names := make([]string, 0, len(overlay))
	for n := range overlay {
		names = append(names, n)
	}
	slices.Sort(names)
	replace := make(map[string]string, len(names))
	for i, n := range names {
		f := filepath.Join(dir, strconv.Itoa(i)+filepath.Ext(n))
		if err := os.WriteFile(f, overlay[n], 0o600); err != nil {
			remove()
			return "", nil, err
		}
		replace[n] = f
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		name = filepath.Join(dir, "overlay.json")
		err = os.WriteFile(name, data, 0o600)
	}
	if err != nil {
		remove()
		return "", nil, err
	}
	return name, remove, nil
}

// firstLine returns the first line of s that says something, or otherwise. It skips warnings of the go
// command that are followed by an error. A line that announces others is followed by the first of them.
func firstLine(s, otherwise string) string {
	head := ""
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: warning: ") {
			continue
		}
		head = strings.TrimSpace(head + " " + strings.TrimPrefix(line, "go: "))
		if !strings.HasSuffix(line, ":") {
			break
		}
	}
	return cmp.Or(head, otherwise)
}

// abs returns the absolute names of files in the package's directory.
func (l *listed) abs(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		if filepath.IsAbs(n) {
			out[i] = n
		} else {
			out[i] = filepath.Join(l.Dir, n)
		}
	}
	return out
}

// wildcard reports whether only patterns with "..." match the package, so that the user did not name it.
func (l *listed) wildcard() bool {
	for _, m := range l.Match {
		if !strings.Contains(m, "...") && m != "all" && m != "std" {
			return false
		}
	}
	return len(l.Match) > 0
}

// empty reports whether the package has no Go files but tests under the build constraints in force, which the
// go command does not always report as an error.
func (l *listed) empty() bool {
	if len(l.GoFiles)+len(l.CgoFiles) > 0 {
		return false
	}
	if l.Error == nil {
		return true
	}
	e := l.Error.Err
	return strings.Contains(e, "no Go files") || strings.Contains(e, "no non-test Go files") ||
		strings.Contains(e, "build constraints exclude all Go files")
}

// EmbeddedFile is a file that the compiler puts into a variable.
type EmbeddedFile struct {
	Name    string // as in embed.FS, with slashes
	Content []byte
}

// Embedded returns the files that //go:embed puts into the variables of a package, by the name of the variable. Files are
// sorted by name, and directories are not among them.
func (p *Program) Embedded(pkgPath string) (map[string][]EmbeddedFile, error) {
	p.deps.mu.Lock()
	defer p.deps.mu.Unlock()
	l := p.deps.listed[pkgPath]
	if l == nil || len(l.EmbedFiles) == 0 {
		return nil, nil
	}
	out := make(map[string][]EmbeddedFile)
	for _, name := range l.abs(l.GoFiles) {
		src, err := p.Source(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for variable, patterns := range embedPatterns(f) {
			for _, file := range matching(patterns, l.EmbedFiles) {
				content, err := p.Source(filepath.Join(l.Dir, filepath.FromSlash(file)))
				if err != nil {
					return nil, err
				}
				out[variable] = append(out[variable], EmbeddedFile{file, content})
			}
		}
	}
	return out, nil
}

// embedPatterns returns the patterns of the //go:embed directives of a file, by the variable that they are for.
func embedPatterns(f *ast.File) map[string][]string {
	out := make(map[string][]string)
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			spec := s.(*ast.ValueSpec)
			doc := spec.Doc
			if doc == nil && !g.Lparen.IsValid() {
				doc = g.Doc
			}
			if doc == nil || len(spec.Names) != 1 {
				continue
			}
			for _, c := range doc.List {
				if args, ok := strings.CutPrefix(c.Text, "//go:embed"); ok {
					out[spec.Names[0].Name] = append(out[spec.Names[0].Name], embedArgs(args)...)
				}
			}
		}
	}
	return out
}

// embedArgs splits the arguments of a directive at spaces. An argument may be quoted.
func embedArgs(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		arg, err := strconv.QuotedPrefix(text)
		n := len(arg)
		if err != nil {
			arg, _, _ = strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
			n = len(arg)
		} else if arg, err = strconv.Unquote(arg); err != nil {
			return out
		}
		out = append(out, arg)
		text = text[n:]
	}
	return out
}

// matching returns those of the files that one of the patterns names, itself or by a directory that they are in. Of files in
// a directory those are left out that begin with a dot or an underscore, or are in a directory that does, unless the
// pattern begins with "all:".
func matching(patterns, files []string) []string {
	var out []string
	for _, file := range files {
		if slices.ContainsFunc(patterns, func(p string) bool { return embeds(p, file) }) {
			out = append(out, file)
		}
	}
	slices.Sort(out)
	return out
}

func embeds(pattern, file string) bool {
	pattern, all := strings.CutPrefix(pattern, "all:")
	parts := strings.Split(file, "/")
	hidden := func(name string) bool { return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") }
	for n := range parts {
		if ok, err := path.Match(pattern, strings.Join(parts[:n+1], "/")); err != nil || !ok {
			if pattern != "." || n > 0 {
				continue
			}
			n-- // the whole directory
		}
		if all || !slices.ContainsFunc(parts[n+1:], hidden) {
			return true
		}
	}
	return false
}
