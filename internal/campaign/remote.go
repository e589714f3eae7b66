package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign/verify"
	"github.com/goassay/assay/internal/engine"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/native/guard"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/strategy"
)

// This file runs the stages of gen elsewhere. remotely sends a Task; on the other machine a worker
// calls Perform. The result is written here in the same way as a result from the cache.

// Remote does tasks elsewhere.
type Remote interface {
	// Do returns the result of Perform for the package in dir. The key identifies the task by its content. An
	// error says why no worker could do the task.
	Do(ctx context.Context, key cache.Key, dir string, t Task) ([]byte, error)
	// Workers returns how many workers there are.
	Workers(ctx context.Context) int
	// Forget makes the result of a task be forgotten, so that the task is done again when it is asked for.
	Forget(ctx context.Context, key cache.Key) error
}

// remotePatience bounds the time that a task may wait and run. The task's own bound counts only while it
// runs.
const remotePatience = 24 * time.Hour

// Task is a run of gen over one package in the form that is sent. It contains all parameters of the run
// except the module's files.
type Task struct {
	Package string        // import path
	Dir     string        // the package's directory within the module, with slashes
	Bound   time.Duration // the bound of the run
	Own     []OwnFile     // files that earlier runs have written to the package's directory

	Tags, Run      string
	Since          string // the revision of Only, for messages
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

	// A pass keeps the cases that it finds for the next one, of this run or of a further one. A round, the number of which is not 0, goes on from
	// those in Corpus, and from what is in Learnt.
	Pass   bool
	Round  int
	Corpus []keptCase
	Learnt learnt
	// Scored says that the pass before had time to count mutants, so that this one has to have it, too.
	Scored bool
	// Only has the functions that the task is about: those that have changed since a revision, or the ones of a part of a round
	// over a large package. Nil means all functions. The result of a part is the cases that it finds, and Part says which one it
	// is, "2 of 4".
	Only []string
	Part string
}

// What describes the task in a few words.
func (t Task) What() string {
	text := fmt.Sprintf("%s %s", t.Package, t.Bound)
	if t.Part != "" {
		text += ", part " + t.Part
	}
	return text
}

// OwnFile is a file that assay has written.
type OwnFile = rememberedFile

// performed is the result of a task in the form that is sent.
type performed struct {
	Outcome remembered
	Whole   bool   // nothing was cut short
	Failed  bool   // assay failed for the package; see session.Result
	Error   string // the error that ended the run, other than the end of the time
}

// task returns this run over the package as a Task.
func (g *gen) task(own []files.Own) Task {
	c := g.cfg
	t := Task{
		Package: g.Pkg.Path, Bound: g.job.Bound, Tags: c.Tags, Since: c.Since, Seed: c.Seed, Engines: c.Engines, MaxTests: c.MaxTests, MaxLines: c.MaxLines,
		Exhaustive: c.Exhaustive, Concrete: c.Concrete, Depth: c.Depth, Finitization: c.Finitization, Misuse: c.Misuse, IgnoreExisting: c.IgnoreExisting, NoMutants: c.NoMutants,
		// The tests of the earlier pass have passed on this code.
		Update:     c.Update || g.continues != nil,
		Unexported: c.Unexported, Unsafe: c.Unsafe, ContractsOff: truths(c.NoContracts),
		Pass: true, Round: g.round, Corpus: g.resumed, Learnt: g.knew,
		Scored: g.isScoredBefore(),
	}
	if c.Run != nil {
		t.Run = c.Run.String()
	}
	if g.Only != nil {
		t.Only = truths(g.Only)
	}
	for _, o := range own {
		t.Own = append(t.Own, OwnFile{filepath.Base(o.Name), o.Content})
	}
	return t
}

// config returns the configuration of gen for the module in dir.
func (t Task) config(dir string) (Config, error) {
	cfg := Config{
		Engines: t.Engines, MaxTests: t.MaxTests, MaxLines: t.MaxLines, Exhaustive: t.Exhaustive, Concrete: t.Concrete, Depth: t.Depth, Finitization: t.Finitization, Misuse: t.Misuse,
		IgnoreExisting: t.IgnoreExisting, Update: t.Update, Since: t.Since, NoMutants: t.NoMutants, NoContracts: make(map[string]bool),
	}
	for _, name := range t.ContractsOff {
		cfg.NoContracts[name] = true
	}
	cfg.Config = session.Config{
		Dir: dir, Tags: t.Tags, Patterns: []string{t.Package}, Part: true, Timeout: t.Bound, Seed: t.Seed, Unexported: t.Unexported, Unsafe: t.Unsafe,
	}
	return cfg, cfg.Select(t.Run)
}

// remotely has a worker run the stages, and writes the result.
func (g *gen) remotely() error {
	if g.Only != nil && len(g.Only) == 0 {
		return g.skipUnchanged()
	}
	own, err := files.Earlier(g.Pkg.Dir)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(own, func(o files.Own) bool { return o.Edited }); i >= 0 {
		return fmt.Errorf("%s was edited by hand, so it is not overwritten: rename it to keep it, or remove it to have it written anew", filepath.Base(own[i].Name))
	}
	ctx := g.User
	if !g.job.end.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(g.User, g.job.end)
		defer cancel()
	}
	task := g.task(own)
	if parts := g.parts(ctx); len(parts) > 1 {
		task = g.inParts(ctx, task, parts)
	}
	p, key, err := g.ask(ctx, task, own)
	if err != nil {
		if isTime(err) {
			g.MarkPartial()
		}
		return err
	}
	if !p.Whole {
		g.MarkPartial()
	}
	if m := g.continues; m != nil && (!p.Whole && p.Error != "" || m.worth().stands(p.Whole, m.Pass.Rounds, p.Outcome.worth())) {
		return errStands
	}
	if p.Error != "" {
		return errors.New(p.Error)
	}
	if err := g.recheck(key, p.Outcome, own); err != nil {
		return err
	}
	outcome, err := json.Marshal(p.Outcome)
	if err != nil {
		return fmt.Errorf("what a worker sent cannot be kept: %w", err)
	}
	if !g.recall(outcome, own) {
		return errors.New("what a worker sent cannot be written: it has files that are none of gen's, or events that are not known")
	}
	g.Summary.Cached = false
	g.corpus, g.learnt = p.Outcome.Corpus, p.Outcome.Learnt
	g.Result.Failed = g.Result.Failed || p.Failed
	return nil
}

// ask has a worker do a task, and returns the result and the task's key.
func (g *gen) ask(ctx context.Context, t Task, own []files.Own) (p performed, key cache.Key, err error) {
	from, err := json.Marshal([]any{t.Corpus, t.Learnt, t.Only, t.Engines})
	if err != nil {
		return p, key, fmt.Errorf("what the last pass found cannot be sent: %w", err)
	}
	key, err = g.sharedKey(fmt.Sprintf("task %s %v %v %v %v %d %s", t.Bound, t.Update, t.NoMutants, t.Scored, t.Pass, t.Round, from), own, g.cfg.Update)
	if err != nil {
		return p, key, fmt.Errorf("no key can be made of it, so that no worker can be asked: %w", err)
	}
	data, err := g.cfg.Remote.Do(ctx, key, g.Pkg.Dir, t)
	if err != nil {
		return p, key, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, key, fmt.Errorf("what a worker sent cannot be read: %w", err)
	}
	return p, key, nil
}

const (
	// partTargets is how many functions a part of a large package has at least.
	partTargets = 50
	// mostParts bounds the parts of a package. Each builds the package's harness once more.
	mostParts = 8
)

// part is what one of several workers does of a round over a large package.
type part struct {
	functions []string
	engines   []string
}

// parts divides the functions of a large package between the workers that it may use, if this is a round. If there are
// more workers than that, the engines are divided, too: what draws at random goes on beside what reasons. A pass that
// begins anew is done in one piece: its tests do not depend on how many workers there are. A round needs not be, because
// what it comes to depends on those before it, and it makes one suite of cases wherever these come from.
func (g *gen) parts(ctx context.Context) []part {
	workers := min(g.job.Workers, mostParts)
	if g.round == 0 || workers < 2 || len(g.Pkg.Targets) < strategy.ManyTargets || g.Partly() {
		return nil
	}
	workers = min(workers, g.cfg.Remote.Workers(ctx)) // of those that the plan counts on some may only come later
	n := min(workers, len(g.Pkg.Targets)/partTargets)
	if n < 2 {
		return nil
	}
	functions := make([][]string, n)
	for i, t := range g.Pkg.Targets { // neighbours, which often need the same, are in different parts
		functions[i%n] = append(functions[i%n], t.Name)
	}
	engines := [][]string{g.cfg.Engines}
	if reason, draw := g.engineKinds(); workers >= 2*n && len(reason) > 0 && len(draw) > 0 {
		engines = [][]string{reason, draw}
	}
	var out []part
	for _, e := range engines {
		for _, f := range functions {
			out = append(out, part{f, e})
		}
	}
	return out
}

// engineKinds returns the names of the run's engines that reason about the code, and of those that draw at random.
func (g *gen) engineKinds() (reason, draw []string) {
	for _, e := range g.engines {
		if e.Name() == (engine.Random{}).Name() {
			draw = append(draw, e.Name())
		} else {
			reason = append(reason, e.Name())
		}
	}
	return reason, draw
}

// inParts has workers look for cases of each part of the functions, at the same time, for half of the round's time. It returns
// the task for the other half, which goes on from all of these cases. A part that fails costs its cases.
func (g *gen) inParts(ctx context.Context, whole Task, parts []part) Task {
	whole.Bound /= 2
	found := make([][]keptCase, len(parts))
	var all sync.WaitGroup
	for i, of := range parts {
		all.Go(func() {
			task := whole
			task.Own, task.Only, task.Engines, task.Part = nil, of.functions, of.engines, fmt.Sprintf("%d of %d", i+1, len(parts))
			task.NoMutants = true // nobody reads the tests of the part
			p, _, err := g.ask(ctx, task, nil)
			if err != nil && !isTime(err) {
				g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: part %s was not worked on: %v", g.Pkg.Path, task.Part, err), Warning: true})
			}
			found[i] = p.Outcome.Corpus
		})
	}
	all.Wait()
	seen := make(map[string]bool)
	var corpus []keptCase
	for _, c := range slices.Concat(append([][]keptCase{whole.Corpus}, found...)...) {
		if !seen[c.Seq] && len(corpus) < 2*mostKeptCases {
			seen[c.Seq] = true
			corpus = append(corpus, c)
		}
	}
	whole.Corpus = corpus
	return whole
}

// rechecks says which results of workers are checked where they are written.
type rechecks struct {
	begun atomic.Bool // the first result has come
	all   atomic.Bool // a result did not hold, so all others are checked
}

// recheckPatience bounds the time for checking one result. If it is over nothing is known, as of results that are not
// checked.
const recheckPatience = 2 * time.Minute

// recheck runs the tests that a worker has sent, for a sample of the packages. If one fails here, where all have passed at
// the worker, the machines differ, and the error says so: nothing is written, and the result is forgotten.
func (g *gen) recheck(key cache.Key, m remembered, own []files.Own) error {
	fails := g.disproved(key, m, own)
	if fails == "" {
		return nil
	}
	err := fmt.Errorf("tests that pass at a worker do not hold here, so none of them is written (is it the same Go, and the same system?): %s", fails)
	return errors.Join(err, g.cfg.Remote.Forget(g.User, key))
}

// disproved runs the tests of a result that was not made here, if the package is in the sample, and returns what fails, in a
// line, or "". If something does, the results of all further packages are looked at. Which packages are in the sample depends on the
// keys of their results alone.
func (g *gen) disproved(key cache.Key, m remembered, own []files.Own) (fails string) {
	every, r := g.cfg.Recheck, g.job.rechecks
	if every == 0 || r == nil || !(r.begun.CompareAndSwap(false, true) || r.all.Load() || int(key[0])%every == 0) {
		return ""
	}
	received := make([]files.New, len(m.Files))
	for i, f := range m.Files {
		if !f.isOwn() {
			return "" // recall refuses it
		}
		received[i] = files.New{Name: filepath.Join(g.Pkg.Dir, f.Name), Content: f.Content}
	}
	ctx, cancel := context.WithTimeout(g.User, recheckPatience)
	defer cancel()
	if end := g.job.end; !end.IsZero() {
		const late = 10 * time.Second // the last results come when the budget is spent
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, end.Add(late))
		defer stop()
	}
	fails, err := verify.Received(ctx, g.Session, own, received)
	if err != nil {
		if !isTime(err) {
			g.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: what a worker sent could not be checked here: %v", g.Pkg.Path, err), Warning: true})
		}
		return ""
	}
	g.job.rechecked = true
	if fails != "" {
		r.all.Store(true)
	}
	return fails
}

// writeOwn writes the files of earlier runs into the module in dir.
func (t Task) writeOwn(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close() // nothing is written through root any more
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

// Root is a text that stands for a directory in data that is sent.
type Root string

// The directories of what travels.
const (
	ModuleRoot Root = "{{the module's directory}}"
	OldRoot    Root = "{{the old version's directory}}" // of a module that is compared with another version of it
)

// Put replaces the text by the directory on this machine.
func (r Root) Put(data []byte, dir string) []byte {
	return bytes.ReplaceAll(data, []byte(r), inJSON(dir))
}

// Take replaces the directory on this machine by the text.
func (r Root) Take(data []byte, dir string) []byte {
	return bytes.ReplaceAll(data, inJSON(dir), []byte(r))
}

// ErrDoesNotCompile says that a package which did compile where it was sent from does not at a worker, and why.
func ErrDoesNotCompile(pkg, why string) error {
	return fmt.Errorf("%s does not compile at a worker, which needs the same Go and the modules that are required (by GOPROXY and so on, or from your vendor directory): %s", pkg, why)
}

// inJSON returns a text as it stands within a JSON string.
func inJSON(text string) []byte {
	data, err := json.Marshal(text)
	if err != nil {
		panic("bug: campaign: " + err.Error())
	}
	return data[1 : len(data)-1]
}

// Performer does tasks.
type Performer struct {
	Workers int        // targets explored at the same time; 0 is one per CPU
	Confine guard.Mode // the sender of a task cannot choose the confinement
}

// Perform does a task on the module in dir, which nothing else uses meanwhile. An error says why the task
// could not begin here; another worker may be able to do it.
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
		g := &gen{Session: s, cfg: cfg, engines: engines, keepsCorpus: t.Pass, round: t.Round, resumed: t.Corpus, knew: t.Learnt, scored: t.Scored}
		if t.Round > 0 {
			g.MarkPartial()
		}
		for _, name := range t.Only {
			if s.Only == nil {
				s.Only = make(map[string]bool)
			}
			s.Only[name] = true
		}
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
	s := packages.Work(ctx, t.Package, session.Terms{Timeout: t.Bound, Workers: p.Workers, Continued: true, Events: &event.Stream{Sink: func(e event.Event) {
		if isResult(e) {
			heard = append(heard, e)
		}
	}}})
	if len(s.Pkg.Errors) > 0 {
		return nil, ErrDoesNotCompile(t.Package, strings.ReplaceAll(fmt.Sprint(s.Pkg.Errors[0]), dir+string(filepath.Separator), ""))
	}
	done.Failed = s.Result.Failed
	data, err := json.Marshal(done)
	if err != nil {
		return nil, err
	}
	return ModuleRoot.Take(data, dir), nil
}
