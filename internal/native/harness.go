package native

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/native/rt"
	"github.com/goassay/assay/internal/purity"
	"github.com/goassay/assay/internal/testcase"
)

// Config says how a harness is built and run. The zero value confines the code
// under test and gives each case a second.
type Config struct {
	// CaseTimeout is the processor time that a case may use; 0 is one second. Of a
	// case that sleeps or waits it is, doubled, the time on the clock.
	CaseTimeout time.Duration
	// MemoryLimit is how many bytes the process may keep; 0 is 512 MB.
	MemoryLimit int64
	// Confine says what to do if the system cannot confine the code under test. That code may read the
	// sources of its module and of its dependencies, and write to a directory of its own.
	Confine guard.Mode

	Tags    string            // build tags, as in -tags
	Env     []string          // environment of the go command; nil is the process's own
	Overlay map[string][]byte // absolute file name to content, as in load.Config.Overlay
	Race    bool              // build with the race detector

	// Observe are predicates of the package (of generic ones the origins). Searches learn which fields
	// and elements these, and the functions that they call, read. See [Harness.Search].
	Observe []*types.Func
	// Searches are the searches that Harness.Search will be called with. For others the harness is
	// built again. A search that cannot be expressed in Go is refused there.
	Searches []Search
	// Checks are contracts that sequences will check. For others the harness is built again when they
	// first occur.
	Checks []*testcase.Check

	// Needs are operations that sequences are likely to use: functions, function values, and operations
	// on their types. Operations of the package itself need not be listed.
	Needs []*testcase.Operation

	// Rewriter makes the sources that are compiled; nil is the instrumenter, which
	// counts blocks.
	Rewriter Rewriter
	// Suite are test files to compile in, for Harness.Suite. The package's own test files are then left
	// out, unless they are among them.
	Suite []gotest.File

	// Refuse says why a sequence must not be run, "" for all that may be. Nil refuses none.
	Refuse func(*testcase.Sequence) string

	// Log receives a line for each build and each process; nil is nowhere.
	Log io.Writer
}

func (c *Config) timeout() time.Duration {
	if c.CaseTimeout <= 0 {
		return time.Second
	}
	return c.CaseTimeout
}

func (c *Config) memory() int64 {
	if c.MemoryLimit <= 0 {
		return 512 << 20
	}
	return c.MemoryLimit
}

// Harness runs sequences over one package. Several goroutines may call its methods, which take turns.
type Harness struct {
	cfg     Config
	pkg     *load.Package
	dir     string // workspace
	builder *builder
	reg     *registry
	enc     *encoder
	lookup  func(path, name string) types.Type

	mu     sync.Mutex
	bin    string
	id     string
	builds int
	starts int
	main   *process // nil if none is running
	other  *process // of second runs
	status string   // how the last process was confined
	good   registered
	closed bool

	building *building // the build that is not adopted yet, or nil

	hung     hangs
	suspects suspects
	// clocked says that the package waits for the clock: a case that is idle for a while sleeps.
	clocked bool
	// bubbles says which cases run in a bubble; nil stands for none.
	bubbles *purity.Bubbles
	// timed says that the package asks for the time: what a call does may depend on how soon it follows another one.
	timed bool
}

// Build builds the harness of a package and starts it once. Where the code does not
// compile, the error is a *BuildError; where its initialisation does not succeed, a
// *StartError.
func Build(ctx context.Context, prog *load.Program, pkg *load.Package, cfg Config) (h *Harness, err error) {
	dir, err := os.MkdirTemp("", "assay-")
	if err != nil {
		return nil, err
	}
	// On some systems the temporary directory is a symbolic link; the guard's rules
	// are about real paths.
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	h = &Harness{cfg: cfg, pkg: pkg, dir: dir, hung: make(hangs), clocked: purity.Clocked(pkg), timed: purity.AsksTime(pkg), bubbles: bubbles(pkg, cfg)}
	defer func() {
		if err != nil {
			if e := h.Close(); e != nil {
				err = errors.Join(err, e)
			}
			h = nil
		}
	}()
	if h.builder, err = newBuilder(ctx, prog, pkg, cfg, dir); err != nil {
		return h, err
	}
	h.reg = newRegistry(pkg, h.builder.prefix)
	h.reg.registerLikely(prog.Buffers(pkg))
	for _, c := range cfg.Checks {
		h.reg.try(h.reg.registerCheck(c))
	}
	for _, op := range cfg.Needs {
		h.reg.need(op)
	}
	for i := range cfg.Searches {
		h.reg.prepare(&cfg.Searches[i])
	}
	if h.builder.tests > 0 {
		h.reg.try(h.reg.function(h.builder.suiteFunc(), nil))
	}
	h.enc = newEncoder(h.reg, h.builder.asserts)
	h.enc.refuse = h.cfg.Refuse
	h.lookup = typeLookup(pkg.Types, func() []types.Type { return h.reg.leafs })
	h.reg.dirty = true
	if err = h.rebuild(ctx); err != nil {
		return h, err
	}
	h.main, err = h.begin(ctx, firstRun())
	var start *StartError
	if errors.As(err, &start) && h.builder.withTests {
		// TestMain did not get as far as running tests: do without it.
		h.builder.withTests = false
		h.reg.dirty = true
		if err = h.rebuild(ctx); err == nil {
			h.main, err = h.begin(ctx, firstRun())
		}
	}
	return h, err
}

// firstRun and Harness.secondRun are the conditions under which processes are started. In the second run
// everything differs that tests must not depend on: in that zone, nine and a half hours behind, midnight in UTC is on another day.
func firstRun() variation { return variation{procs: 1, zone: "UTC", order: assayrt.Ascending} }
func (h *Harness) secondRun() variation {
	v := variation{procs: 4, zone: "Pacific/Marquesas", order: assayrt.Descending}
	if h.timed {
		v.order = assayrt.Slowly
	}
	return v
}

// begin starts a process.
func (h *Harness) begin(ctx context.Context, v variation) (*process, error) {
	began := time.Now()
	p, err := h.start(ctx, v)
	var start *StartError
	if errors.As(err, &start) {
		start.Package = h.pkg.Path
	}
	if err != nil {
		return nil, err
	}
	h.status = p.confinement
	h.logf("%s: process %d started in %v: %s", h.pkg.Path, h.starts, time.Since(began).Round(time.Millisecond), h.confinement())
	return p, nil
}

func (h *Harness) logf(format string, args ...any) {
	if h.cfg.Log != nil {
		fmt.Fprintf(h.cfg.Log, "native: "+format+"\n", args...)
	}
}

// building is a run of the go command that builds the binary.
type building struct {
	cancel  context.CancelFunc
	done    chan struct{} // closed when out and err are set
	began   time.Time
	bin, id string
	has     registered // what the binary will have
	out     []byte
	err     error
}

// stale reports whether the binary lacks entries of the registry, or is being built.
func (h *Harness) stale() bool { return h.reg.dirty || h.building != nil }

// rebuild builds the binary with the registry's entries. If an entry that was added since the last good
// build does not compile, it is removed again and refused.
//
// The end of ctx does not end the build, and the next call waits for it. On a busy machine a build may take longer
// than any phase of the search has, so that builds which began anew in each phase would never be done, and
// nothing would run.
func (h *Harness) rebuild(ctx context.Context) error {
	h.stop()
	for h.stale() {
		if h.building == nil {
			h.builds++
			p, err := h.builder.begin(ctx, h.reg, h.builds)
			if err != nil {
				return err
			}
			h.building, h.reg.dirty = p, false
		}
		p := h.building
		select {
		case <-p.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		h.building = nil
		p.cancel()
		if err := h.adopt(p); err != nil {
			h.reg.dirty = true
			return err
		}
	}
	return nil
}

// adopt makes a finished build the binary of the harness. If the build failed because of something that can be left
// out, the registry is dirty afterwards.
func (h *Harness) adopt(p *building) error {
	err := h.builder.result(p)
	if err == nil {
		if h.bin != "" {
			_ = os.Remove(h.bin) // the workspace goes in the end
		}
		h.bin, h.id, h.good = p.bin, p.id, p.has
		h.logf("%s: harness built in %v%s", h.pkg.Path, time.Since(p.began).Round(time.Millisecond), h.reg.news())
		return nil
	}
	if h.builder.withTests {
		// The package's own tests must not keep the harness from being built.
		h.builder.withTests = false
		h.reg.dirty = true
		return nil
	}
	var be *BuildError
	if !errors.As(err, &be) || !h.reg.withdraw(h.good, be, h.builder.harnessFile()) {
		return err
	}
	h.logf("%s: harness without what does not compile: %v", h.pkg.Path, err)
	h.enc = newEncoder(h.reg, h.builder.asserts)
	h.enc.refuse = h.cfg.Refuse
	h.reg.dirty = true
	return nil
}

// stop ends the running processes.
func (h *Harness) stop() {
	for _, p := range []**process{&h.main, &h.other} {
		if *p != nil {
			(*p).end()
			*p = nil
		}
	}
}

// Blocks returns the blocks of the package by their numbers in testcase.Cover: in the order of files
// and, within a file, of the source. The caller must not change them.
func (h *Harness) Blocks() []testcase.Block { return h.builder.blocks }

// Sentinels returns the variables with which errors are compared, by errors.Is.
func (h *Harness) Sentinels() []*types.Var {
	var out []*types.Var
	for _, i := range h.reg.errs {
		out = append(out, h.reg.varObjs[i])
	}
	return out
}

// Confinement says how the code under test is confined, in words.
func (h *Harness) Confinement() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.confinement()
}

func (h *Harness) confinement() string {
	switch {
	case h.cfg.Confine == guard.Off:
		return "none: a directory and an environment of its own, and time limits"
	}
	return h.status
}

// Workspace is the directory that the harness's program is in.
func (h *Harness) Workspace() string { return h.dir }

// Close ends the processes and removes the workspace.
func (h *Harness) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil
	}
	h.closed = true
	h.stop()
	if h.building != nil {
		h.building.cancel()
		<-h.building.done
	}
	return os.RemoveAll(h.dir)
}
