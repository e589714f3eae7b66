package native

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goassay/assay/internal/candidate"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/native/rewrite"
	"github.com/goassay/assay/internal/testcase"
)

// runtimePath is the import path of the harness's half of the runner, which is compiled as a package of
// the user's standard library.
const runtimePath = "assayrt"

// runtimeSource is the source of that package.
//
//go:embed rt/*.go
var runtimeSource embed.FS

// BuildError is the error of a harness that does not compile. Either the user's code is at fault, and the
// diagnostics have places in it, or the go command refuses to build.
type BuildError struct {
	Package     string
	Diagnostics []load.Diagnostic
}

func (e *BuildError) Error() string {
	if len(e.Diagnostics) == 0 {
		return "build of " + e.Package + " failed"
	}
	s := e.Diagnostics[0].String()
	if n := len(e.Diagnostics) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// builder writes the overlay of a package and builds its harness.
type builder struct {
	prog   *load.Program
	pkg    *load.Package
	cfg    Config
	dir    string // workspace
	prefix string
	goroot string

	replace    map[string]string // the overlay
	blocks     []testcase.Block
	suite      *types.Func // runs a test of suiteFiles
	suiteFiles []suiteFile // cfg.Suite, as it is compiled
	tests      int         // how many tests the suite has
	testNames  []string    // the names of these tests
	asserts    []rewrite.Assertion
	withTests  bool // whether the package's own test files are compiled in
}

// newBuilder instruments the package. It writes the files that do not change between rebuilds to the
// workspace dir.
func newBuilder(ctx context.Context, prog *load.Program, pkg *load.Package, cfg Config, dir string) (*builder, error) {
	b := &builder{prog: prog, pkg: pkg, cfg: cfg, dir: dir, replace: map[string]string{}}
	if b.goroot = prog.GOROOT(); b.goroot == "" {
		out, err := b.command(ctx, "env", "GOROOT").Output()
		if err != nil {
			return nil, b.failed(ctx, "go env GOROOT", err, nil)
		}
		b.goroot = strings.TrimSpace(string(out))
	}
	if err := b.writeRuntime(); err != nil {
		return nil, err
	}
	if bubbles(pkg, cfg) != nil {
		if err := b.writeBubbles(); err != nil {
			return nil, err
		}
	}
	sources := map[string][]byte{}
	for _, name := range pkg.GoFiles {
		src, err := b.read(name)
		if err != nil {
			return nil, err
		}
		sources[name] = src
	}
	b.choosePrefix(sources)
	if err := b.instrument(sources); err != nil {
		return nil, err
	}
	if len(cfg.Suite) > 0 {
		return b, b.writeSuite()
	}
	b.withTests = b.testsMatter()
	return b, nil
}

// command returns a go command to run in the package's directory.
func (b *builder) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = b.pkg.Dir
	gotest.OwnGroup(cmd) // the compilers that it starts end with it
	cmd.WaitDelay = 2 * time.Second
	env, _ := guard.GoEnv(b.cfg.Env) // the session reports the variables that are dropped
	cmd.Env = append(env, "PWD="+b.pkg.Dir)
	if b.cfg.Race {
		cmd.Env = append(cmd.Env, "CGO_ENABLED=1") // the detector is linked by a C compiler
	}
	return cmd
}

// read returns the content of a source file as it was loaded.
func (b *builder) read(name string) ([]byte, error) {
	if src, ok := b.cfg.Overlay[name]; ok {
		return src, nil
	}
	return os.ReadFile(name)
}

// file writes a file of the workspace that stands for the file name.
func (b *builder) file(local, name string, content []byte) error {
	path := filepath.Join(b.dir, local)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	b.replace[name] = path
	return nil
}

// writeRuntime adds package assayrt to the standard library.
func (b *builder) writeRuntime() error {
	entries, err := runtimeSource.ReadDir("rt")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		src, err := runtimeSource.ReadFile("rt/" + e.Name())
		if err != nil {
			return err
		}
		src = bytes.ReplaceAll(src, []byte(candidateModule), []byte(rewrite.CandidatePath))
		if err := b.file("rt_"+e.Name(), filepath.Join(b.goroot, "src", runtimePath, e.Name()), src); err != nil {
			return err
		}
	}
	return b.writeCandidate()
}

// candidateModule is the import path of package candidate in this module.
const candidateModule = "github.com/goassay/assay/internal/candidate"

// writeCandidate adds package candidate to the standard library.
func (b *builder) writeCandidate() error {
	entries, err := candidate.Source.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		src, err := candidate.Source.ReadFile(e.Name())
		if err != nil {
			return err
		}
		if err := b.file("candidate_"+e.Name(), filepath.Join(b.goroot, "src", rewrite.CandidatePath, e.Name()), src); err != nil {
			return err
		}
	}
	return nil
}

// choosePrefix finds a prefix that occurs nowhere in the package.
func (b *builder) choosePrefix(sources map[string][]byte) {
	for i := 0; ; i++ {
		b.prefix = "assay_"
		if i > 0 {
			b.prefix = "assay" + strconv.Itoa(i) + "_"
		}
		taken := false
		for _, src := range sources {
			taken = taken || bytes.Contains(src, []byte(b.prefix))
		}
		for _, name := range b.pkg.TestFiles {
			if src, err := b.read(name); err == nil {
				taken = taken || bytes.Contains(src, []byte(b.prefix))
			}
		}
		if !taken {
			return
		}
	}
}

// instrument writes the source files with counters. Files that use cgo stay as they are, because the go
// command compiles generated files in their place.
func (b *builder) instrument(sources map[string][]byte) error {
	in := rewrite.New(b.prog, b.pkg, rewrite.Config{Prefix: b.prefix, Race: b.cfg.Race, Observe: b.cfg.Observe})
	others, err := in.Others()
	if err != nil {
		return err
	}
	for i, f := range others {
		if err := b.file(fmt.Sprintf("dep%d_%s", i, filepath.Base(f.Name)), f.Name, f.Text); err != nil {
			return err
		}
	}
	text := func(f *ast.File, src []byte) ([]byte, error) { return in.Instrument(f, src), nil }
	if r := b.cfg.Rewriter; r != nil {
		text = func(f *ast.File, src []byte) ([]byte, error) { return r.Rewrite(b.prefix, f, src, in.Hook) }
	}
	for i, f := range b.pkg.Syntax {
		tf := b.prog.Fset.File(f.FileStart)
		name := tf.Name()
		src, ok := sources[name]
		if !ok || importsC(f) {
			continue
		}
		if tf.Size() != len(src) {
			return fmt.Errorf("%s: changed since it was loaded", name)
		}
		out, err := text(f, src)
		if err != nil {
			return err
		}
		if err := b.file(fmt.Sprintf("src%d_%s", i, filepath.Base(name)), name, out); err != nil {
			return err
		}
	}
	// Unchanged files must be replaced, too, if they exist only in the overlay that was loaded.
	for i, name := range b.pkg.GoFiles {
		if src, ok := b.cfg.Overlay[name]; ok && b.replace[name] == "" {
			if err := b.file(fmt.Sprintf("ovl%d_%s", i, filepath.Base(name)), name, src); err != nil {
				return err
			}
		}
	}
	if err := b.writeOverlaid(); err != nil {
		return err
	}
	for i, f := range b.pkg.Generated() {
		name := b.prog.Fset.File(f.FileStart).Name()
		src, err := b.prog.Source(name)
		if err != nil {
			return err
		}
		if err := b.file(fmt.Sprintf("contract%d.go", i), name, in.Hooks(f, src)); err != nil {
			return err
		}
	}
	b.blocks, b.asserts = in.Blocks, in.Asserts
	if b.cfg.Rewriter != nil {
		b.blocks = make([]testcase.Block, b.cfg.Rewriter.Counters())
	}
	return nil
}

// writeOverlaid makes the go command compile files of other packages as they were loaded.
func (b *builder) writeOverlaid() error {
	for i, name := range slices.Sorted(maps.Keys(b.cfg.Overlay)) {
		if filepath.Dir(name) == b.pkg.Dir || b.replace[name] != "" {
			continue
		}
		if err := b.file(fmt.Sprintf("other%d_%s", i, filepath.Base(name)), name, b.cfg.Overlay[name]); err != nil {
			return err
		}
	}
	return nil
}

func importsC(f *ast.File) bool {
	for _, i := range f.Imports {
		if i.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// testsMatter reports whether the package's hand-written test files declare a TestMain or an init function.
// Only then are these files part of the harness, because generated tests will run beside them.
func (b *builder) testsMatter() bool {
	for _, name := range b.pkg.TestFiles {
		if strings.HasSuffix(name, "_assay_test.go") || strings.HasSuffix(name, "_assay_bug_test.go") {
			continue
		}
		src, err := b.read(name)
		if err != nil {
			continue // the go command reports the error, if it matters
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			return false // the test files do not compile, so they are left out
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && (d.Name.Name == "TestMain" || d.Name.Name == "init") {
				return true
			}
		}
	}
	return false
}

// begin begins to compile the harness with the registry's entries. While the build runs, the registry may change,
// but not the files that begin writes.
func (b *builder) begin(ctx context.Context, g *registry, n int) (*building, error) {
	support := b.suiteSupport()
	if b.cfg.Rewriter != nil {
		support += b.cfg.Rewriter.Support(b.prefix)
	}
	src := g.source(harnessText{pkg: b.pkg.Name, id: "ID", blocks: max(len(b.blocks), 1), race: b.cfg.Race, suite: len(b.cfg.Suite) > 0, support: support, variants: b.cfg.Rewriter != nil})
	sum := sha256.Sum256(src)
	id := hex.EncodeToString(sum[:8])
	src = bytes.Replace(src, []byte(`ID: "ID"`), []byte(`ID: "`+id+`"`), 1)
	if err := b.file("harness_test.go", filepath.Join(b.pkg.Dir, b.prefix+"harness_test.go"), src); err != nil {
		return nil, err
	}
	for _, name := range b.pkg.TestFiles {
		own := strings.HasSuffix(name, "_assay_test.go") || strings.HasSuffix(name, "_assay_bug_test.go")
		if b.inSuite(name) {
			continue
		}
		if b.withTests && !own {
			delete(b.replace, name)
		} else {
			b.replace[name] = "" // left out of the build
		}
	}
	overlay, err := json.MarshalIndent(struct{ Replace map[string]string }{b.replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	list := filepath.Join(b.dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, err
	}
	bin := filepath.Join(b.dir, fmt.Sprintf("harness%d.test", n))
	args := []string{"test", "-c", "-o", bin, "-overlay", list, "-vet=off", "-ldflags=-s -w"}
	if b.cfg.Tags != "" {
		args = append(args, "-tags", b.cfg.Tags)
	}
	if b.cfg.Race {
		args = append(args, "-race")
	}
	args = append(args, ".")
	// The go command outlives ctx, see rebuild.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	p := &building{cancel: cancel, done: make(chan struct{}), began: time.Now(), bin: bin, id: id, has: g.registered()}
	cmd := b.command(ctx, args...)
	go func() {
		defer close(p.done)
		p.out, p.err = cmd.CombinedOutput()
	}()
	return p, nil
}

// result returns the error of a build that is done.
func (b *builder) result(p *building) error {
	if p.err == nil {
		return nil
	}
	return b.failed(context.Background(), "go test -c", p.err, p.out)
}

// failed turns the failure of a go command into an error.
func (b *builder) failed(ctx context.Context, what string, err error, out []byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e := (*exec.ExitError)(nil); errors.As(err, &e) {
		return &BuildError{Package: b.pkg.Path, Diagnostics: b.diagnostics(append(out, e.Stderr...))}
	}
	return fmt.Errorf("%s: %w", what, err)
}

var placed = regexp.MustCompile(`^(.+?\.go):(\d+):(?:(\d+):)? (.*)$`)

// diagnostics reads the compiler's output. Line numbers in instrumented files are those of the user's
// files. Columns are those of the instrumented lines, so they are dropped.
func (b *builder) diagnostics(out []byte) []load.Diagnostic {
	var list []load.Diagnostic
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "FAIL") {
			continue
		}
		m := placed.FindStringSubmatch(line)
		if m == nil {
			if n := len(list); n > 0 && strings.HasPrefix(line, "\t") {
				list[n-1].Message += "\n" + line
			} else {
				list = append(list, load.Diagnostic{Message: line})
			}
			continue
		}
		n, err := strconv.Atoi(m[2])
		if err != nil {
			list = append(list, load.Diagnostic{Message: line})
			continue
		}
		name := m[1]
		if !filepath.IsAbs(name) {
			name = filepath.Join(b.pkg.Dir, name)
		}
		for original, local := range b.replace {
			if local == name {
				name = original
				break
			}
		}
		list = append(list, load.Diagnostic{Pos: token.Position{Filename: name, Line: n}, Message: m[4]})
	}
	return list
}
