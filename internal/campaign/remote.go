package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/session"
)

// This file has the stages of gen run elsewhere: remotely sends a Task, a worker has Perform do it,
// and what it came to is written here, just as what the cache remembers is.

// Remote does tasks elsewhere.
type Remote interface {
	// Do returns what Perform came to for the package in dir. Key names the task by its content. The
	// error says why nobody could do it.
	Do(ctx context.Context, key cache.Key, dir string, t Task) ([]byte, error)
}

// remotePatience bounds the time that a task may wait and run. Its own bound counts where it runs.
const remotePatience = 24 * time.Hour

// Task is a run of gen over one package as it travels. It has what decides what the run comes to
// beside the module's files.
type Task struct {
	Package string        // import path
	Dir     string        // of the package within the module, with slashes
	Bound   time.Duration // of the run
	Own     []OwnFile     // what earlier runs have written to the package's directory

	Tags, Run      string
	Seed           uint64
	Engines        []string
	MaxTests       int
	MaxLines       int
	Exhaustive     bool
	Concrete       bool
	Depth          int
	Finitization   string
	Misuse         bool
	IgnoreExisting bool
	Update         bool
	NoMutants      bool
	Unexported     bool
	Unsafe         bool
	ContractsOff   []string
}

// OwnFile is a file that assay has written.
type OwnFile = rememberedFile

// performed is what a task came to, as it travels.
type performed struct {
	Outcome remembered
	Whole   bool   // nothing was cut short
	Failed  bool   // see session.Result
	Error   string // what ended it, if not the time
}

// task is the run that this pass is.
func (g *gen) task(own []files.Own) Task {
	c := g.cfg
	t := Task{
		Package: g.Pkg.Path, Bound: g.job.Bound, Tags: c.Tags, Seed: c.Seed, Engines: c.Engines, MaxTests: c.MaxTests, MaxLines: c.MaxLines,
		Exhaustive: c.Exhaustive, Concrete: c.Concrete, Depth: c.Depth, Finitization: c.Finitization, Misuse: c.Misuse, IgnoreExisting: c.IgnoreExisting, NoMutants: c.NoMutants,
		// The tests of the pass before have passed on this code.
		Update:     c.Update || g.continues != nil,
		Unexported: c.Unexported, Unsafe: c.Unsafe, ContractsOff: truths(c.NoContracts),
	}
	if c.Run != nil {
		t.Run = c.Run.String()
	}
	for _, o := range own {
		t.Own = append(t.Own, OwnFile{filepath.Base(o.Name), o.Content})
	}
	return t
}

// config is what gen is told where the module is in dir.
func (t Task) config(dir string) (Config, error) {
	cfg := Config{
		Engines: t.Engines, MaxTests: t.MaxTests, MaxLines: t.MaxLines, Exhaustive: t.Exhaustive, Concrete: t.Concrete, Depth: t.Depth, Finitization: t.Finitization, Misuse: t.Misuse,
		IgnoreExisting: t.IgnoreExisting, Update: t.Update, NoMutants: t.NoMutants, NoContracts: make(map[string]bool),
	}
	for _, name := range t.ContractsOff {
		cfg.NoContracts[name] = true
	}
	cfg.Config = session.Config{
		Dir: dir, Tags: t.Tags, Patterns: []string{t.Package}, Timeout: t.Bound, Seed: t.Seed, Unexported: t.Unexported, Unsafe: t.Unsafe,
	}
	if t.Run != "" {
		re, err := regexp.Compile(t.Run)
		if err != nil {
			return cfg, fmt.Errorf("-run: %w", err)
		}
		cfg.Run = re
	}
	return cfg, nil
}

// remotely has a worker do the stages, and writes what they came to.
func (g *gen) remotely() error {
	own, err := files.Earlier(g.Pkg.Dir)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(own, func(o files.Own) bool { return o.Edited }); i >= 0 {
		return fmt.Errorf("%s was edited by hand, so it is not overwritten: rename it to keep it, or remove it to have it written anew", filepath.Base(own[i].Name))
	}
	if g.print == "" {
		return errors.New("no key can be made of it, so that no worker can be asked")
	}
	key := g.key(fmt.Sprintf("task %s %v", g.job.Bound, g.continues != nil), g.print, own, g.cfg.Update)
	ctx := g.User
	if !g.job.end.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(g.User, g.job.end)
		defer cancel()
	}
	data, err := g.cfg.Remote.Do(ctx, key, g.Pkg.Dir, g.task(own))
	if err != nil {
		if isTime(err) {
			g.MarkPartial()
		}
		return err
	}
	var p performed
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("what a worker sent cannot be read: %w", err)
	}
	if !p.Whole {
		g.MarkPartial()
	}
	if m := g.continues; m != nil && !p.Whole && (p.Error != "" || m.outdoes(p.Outcome.Covered, countOf(p.Outcome.Summary.Findings), countOf(p.Outcome.Summary.Tests))) {
		return errStands
	}
	if p.Error != "" {
		return errors.New(p.Error)
	}
	outcome, err := json.Marshal(p.Outcome)
	if err != nil {
		return fmt.Errorf("what a worker sent cannot be kept: %w", err)
	}
	if !g.recall(outcome, own) {
		return errors.New("what a worker sent cannot be written: it has files that are none of gen's, or events that are not known")
	}
	g.Summary.Cached = false
	g.Result.Failed = g.Result.Failed || p.Failed
	return nil
}

// writeOwn writes what earlier runs have written, into the module in dir.
func (t Task) writeOwn(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() // nothing is written through it any more
	for _, f := range t.Own {
		if !f.isOwn() || !filepath.IsLocal(filepath.FromSlash(t.Dir)) {
			return fmt.Errorf("%s in %s is no file of gen's", f.Name, t.Dir)
		}
		if err := root.WriteFile(filepath.Join(filepath.FromSlash(t.Dir), f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// rootWord stands for the module's directory in what travels.
const rootWord = "{{the module's directory}}"

// Rooted puts the module's directory here in the place of the one elsewhere.
func Rooted(data []byte, dir string) []byte {
	return bytes.ReplaceAll(data, []byte(rootWord), inJSON(dir))
}

// inJSON is a text as it stands within a string of JSON.
func inJSON(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic("bug: campaign: " + err.Error())
	}
	return data[1 : len(data)-1]
}

// Performer is who does tasks.
type Performer struct {
	Workers int        // targets explored at the same time; 0 is one per CPU
	Confine guard.Mode // whoever sent the task has no say in it
}

// Perform does a task on the module in dir, which belongs to it alone. The error says why it
// could not be begun here: somebody else may have more luck.
func (p Performer) Perform(ctx context.Context, dir string, t Task) ([]byte, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	cfg, err := t.config(dir)
	if err != nil {
		return nil, err
	}
	if err := t.writeOwn(dir); err != nil {
		return nil, err
	}
	cfg.Workers, cfg.Confine = p.Workers, p.Confine
	engines, err := engine.Select(engine.All(), cfg.Engines)
	if err != nil {
		return nil, err
	}
	done := performed{Error: "the package was not worked on"}
	var heard []event.Event
	packages, _, err := session.Open(ctx, cfg.Config, session.Verb{Name: "gen", Writes: true, Do: func(s *session.Session) error {
		cfg := cfg
		cfg.Config = s.Config
		g := &gen{Session: s, cfg: cfg, engines: engines}
		err := g.generate()
		done.Whole = err == nil && g.Whole()
		done.Error = ""
		if err != nil && !isTime(err) && !errors.Is(err, errNothing) {
			done.Error = err.Error()
		}
		done.Outcome, _, err = g.outcome(prints{}, heard)
		return err
	}})
	if packages == nil {
		return nil, errors.Join(err, errors.New("the package could not be loaded in time"))
	}
	s := packages.Work(ctx, t.Package, session.Terms{Timeout: t.Bound, Workers: p.Workers, Again: true, Events: &event.Stream{Sink: func(e event.Event) {
		if isResult(e) {
			heard = append(heard, e)
		}
	}}})
	if len(s.Pkg.Errors) > 0 {
		return nil, fmt.Errorf("%s does not compile here: %s", t.Package, s.Pkg.Errors[0])
	}
	done.Failed = s.Result.Failed
	data, err := json.Marshal(done)
	if err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(data, inJSON(dir), []byte(rootWord)), nil
}
