package workers

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
	"github.com/goassay/assay/internal/verb/diff"
	"github.com/goassay/assay/internal/verb/enum"
)

// This file lets workers do verbs that write nothing. Check and Diff send a verdictTask for each package, and Enum one for each
// part of a space; a worker does the verb and sends back what it said, which is said here in the order of the packages.

// verdictTask is the work of a verb on one package, as it is sent.
type verdictTask struct {
	Package string        // import path
	Bound   time.Duration // the package's time, at the worker

	Tags, Run string
	Seed      uint64
	Unsafe    bool
	Check     *checkverb.Config `json:",omitempty"`
	Enum      *enum.Config      `json:",omitempty"`
	Diff      *diff.Task        `json:",omitempty"`
}

// verb returns the verb that the task is about.
func (t verdictTask) verb(do func(*session.Session) error) session.Verb {
	switch {
	case t.Enum != nil:
		return session.Verb{Name: "enum", Do: do}
	case t.Diff != nil:
		return session.Verb{Name: "diff", Do: do}
	}
	return session.Verb{Name: "check", RunsNothing: t.Check.Static, Do: do}
}

// do does the task on a package, whose old version, if the task has one, is of the module in the directory before.
func (t verdictTask) do(s *session.Session, before string) error {
	switch {
	case t.Enum != nil:
		return enum.Package(s, *t.Enum)
	case t.Diff != nil:
		return diff.Package(s, *t.Diff, before)
	}
	return checkverb.Package(s, *t.Check)
}

// mistake returns what is wrong with the task, whose old version is in the directory before, or nowhere.
func (t verdictTask) mistake(before string) error {
	verbs := 0
	for _, named := range []bool{t.Check != nil, t.Enum != nil, t.Diff != nil} {
		if named {
			verbs++
		}
	}
	switch {
	case verbs != 1:
		return errors.New("not a task: it names no verb, or two")
	case (t.Diff != nil) != (before != ""):
		return errors.New("not a task: two versions belong to diff, and to no other verb")
	}
	return nil
}

// what describes the task in a few words.
func (t verdictTask) what() string {
	if e := t.Enum; e != nil {
		return fmt.Sprintf("enum %s %s %d/%d %s", t.Package, e.Type, e.Part+1, e.Parts, t.Bound)
	}
	if t.Diff != nil {
		return fmt.Sprintf("diff %s %s %s %s", t.Package, t.Diff.Old, t.Diff.New, t.Bound)
	}
	return fmt.Sprintf("check %s %s", t.Package, t.Bound)
}

// verdicts is what a verb said of a package, as it is sent.
type verdicts struct {
	Events      []json.RawMessage // as -json prints them
	Diagnostics []event.Diagnostic
	Summary     json.RawMessage
	Result      session.Result
	Error       string
	Cut         bool // the time or a bug of assay's cut something off
}

// config returns the configuration of the verb for the module in dir.
func (t verdictTask) config(dir string) (session.Config, error) {
	cfg := session.Config{Dir: dir, Tags: t.Tags, Patterns: []string{t.Package}, Part: true, Timeout: t.Bound, Seed: t.Seed, Unsafe: t.Unsafe}
	return cfg, cfg.Select(t.Run)
}

// Check is the verb check, of which workers do the work, on so many packages at the same time.
func (c *Coordinator) Check(ctx context.Context, cfg session.Config, how checkverb.Config, atOnce int) (session.Result, error) {
	cfg.Root = c.Root()
	return session.EachAtOnce(ctx, cfg, session.Verb{Name: "check", Do: func(s *session.Session) error {
		t := taskOn(s, cfg)
		t.Check = &how
		v, err := c.verdicts(s.Ctx, s, t, nil)
		if err != nil {
			return err
		}
		return v.say(s)
	}}, atOnce)
}

// taskOn returns a task about a package, without the verb's own configuration.
func taskOn(s *session.Session, cfg session.Config) verdictTask {
	t := verdictTask{Package: s.Pkg.Path, Bound: cfg.Bound(), Tags: cfg.Tags, Seed: cfg.Seed, Unsafe: cfg.Unsafe}
	if cfg.Run != nil {
		t.Run = cfg.Run.String()
	}
	return t
}

// Enum is the verb enum, of which workers do so many parts at the same time. The parts are smaller than that, because their
// sizes differ. The sums are those of all parts; what several parts say is said once.
func (c *Coordinator) Enum(ctx context.Context, cfg session.Config, space enum.Config, atOnce int) (session.Result, error) {
	const splitting = 4
	cfg.Root = c.Root()
	return session.EachAtOnce(ctx, cfg, session.Verb{Name: "enum", Do: func(s *session.Session) error {
		said := make([]verdicts, splitting*atOnce)
		ask, asking := errgroup.WithContext(s.Ctx)
		ask.SetLimit(atOnce)
		for i := range said {
			ask.Go(func() (err error) {
				part := space
				part.Part, part.Parts = i, len(said)
				t := taskOn(s, cfg)
				t.Enum = &part
				said[i], err = c.verdicts(asking, s, t, nil)
				return err
			})
		}
		if err := ask.Wait(); err != nil {
			return err
		}
		return sayAll(s, said)
	}}, 1)
}

// sayAll says what the workers have said of all parts.
func sayAll(s *session.Session, parts []verdicts) error {
	total := event.Summary{Verb: s.Summary.Verb, Package: s.Pkg.Path}
	sayOnce := make(map[string]bool)
	to := s.Events
	s.Events = &event.Stream{Sink: func(e event.Event) {
		if text := fmt.Sprintf("%T %v", e, e); !sayOnce[text] {
			sayOnce[text] = true
			to.Send(e)
		}
	}}
	defer func() { s.Events = to }()
	for _, v := range parts {
		if err := v.say(s); err != nil {
			return err
		}
		total.AddUp(s.Summary)
	}
	s.Summary = total
	return nil
}

// older is the old version of a package that is compared.
type older struct {
	module *Coordinator // has the files of its module
	prog   *load.Program
	pkg    *load.Package
}

// verdicts has a worker do a task, which is about an old version, too, unless that is nil. It returns what the worker has said.
func (c *Coordinator) verdicts(ctx context.Context, s *session.Session, t verdictTask, old *older) (v verdicts, err error) {
	print, err := s.Prog.ContentPrint(s.Pkg, files.IsOwn)
	if err != nil {
		return v, fmt.Errorf("no key can be made of it, so that no worker can be asked: %w", err)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return v, err
	}
	work := body{Module: c.module, Verdict: &t}
	parts := append([]string{"verdicts", string(text), print, fmt.Sprint(s.Config.Confine)}, s.Known.Lines(s.Pkg.Path)...)
	if old != nil {
		before, err := old.prog.ContentPrint(old.pkg, files.IsOwn)
		if err != nil {
			return v, fmt.Errorf("no key can be made of it, so that no worker can be asked: %w", err)
		}
		parts, work.Before = append(parts, before), old.module.module
	}
	key := cache.KeyOf(parts...)
	data, err := c.ask(ctx, hex.EncodeToString(key[:]), t.what(), work, old)
	if err != nil {
		return v, err
	}
	data = c.rooted(campaign.ModuleRoot, data, s.Pkg.Dir)
	if old != nil {
		data = old.module.rooted(campaign.OldRoot, data, old.pkg.Dir)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return v, fmt.Errorf("what a worker sent cannot be read: %w", err)
	}
	return v, nil
}

// say sends the events of a package here.
func (v verdicts) say(s *session.Session) error {
	var events []event.Event
	for _, line := range v.Events {
		e, err := event.Decode(line)
		if err != nil {
			return fmt.Errorf("what a worker sent cannot be read: %w", err)
		}
		events = append(events, e)
	}
	sum, err := event.Decode(v.Summary)
	if err != nil {
		return fmt.Errorf("what a worker sent cannot be read: %w", err)
	}
	summary, ok := sum.(event.Summary)
	if !ok || summary.Package != s.Pkg.Path {
		return errors.New("what a worker sent has no sum of the package")
	}
	for _, d := range v.Diagnostics {
		s.Events.Send(d)
	}
	for _, e := range events {
		s.Events.Send(e)
	}
	s.Summary = summary
	s.Result.Failed = s.Result.Failed || v.Result.Failed
	s.Result.ErrorFindings += v.Result.ErrorFindings
	if v.Cut {
		s.MarkPartial()
	}
	if v.Error != "" {
		return errors.New(v.Error)
	}
	return nil
}

// verdicts does a task on the module in dir, and on its old version in before if the task compares two. An error says why it
// could not begin here.
func (w *Worker) verdicts(ctx context.Context, dir, before string, t verdictTask) ([]byte, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	cfg, err := t.config(dir)
	if err != nil {
		return nil, err
	}
	cfg.Workers, cfg.Confine = w.Performer.Workers, w.Performer.Confine
	var v verdicts
	var failed error // of putting it into the form in which it is sent
	if err := t.mistake(before); err != nil {
		return nil, err
	}
	packages, _, err := session.Open(ctx, cfg, t.verb(func(s *session.Session) error {
		said := s.Events
		// What is said before and after the verb's own work is said by the coordinator, too.
		s.Events = &event.Stream{Sink: func(e event.Event) {
			if d, ok := e.(event.Diagnostic); ok {
				v.Diagnostics = append(v.Diagnostics, d)
			} else if e.Action() != "" {
				line, err := event.Encode(time.Time{}, e)
				v.Events, failed = append(v.Events, line), errors.Join(failed, err)
			}
		}}
		if err := t.do(s, before); err != nil {
			v.Error = err.Error()
		}
		v.Cut = !s.Whole()
		s.Events = said
		line, err := event.Encode(time.Time{}, s.Summary)
		v.Summary, v.Result, failed = line, s.Result, errors.Join(failed, err)
		return nil
	}))
	if packages == nil {
		return nil, errors.Join(err, errors.New("the package could not be loaded in time"))
	}
	s := packages.Work(ctx, t.Package, session.Terms{Timeout: t.Bound, Events: &event.Stream{}})
	if s == nil {
		return nil, fmt.Errorf("there is no package %s", t.Package)
	}
	if len(s.Pkg.Errors) > 0 {
		return nil, campaign.ErrDoesNotCompile(t.Package, strings.ReplaceAll(fmt.Sprint(s.Pkg.Errors[0]), dir+string(filepath.Separator), ""))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failed != nil || v.Summary == nil {
		return nil, errors.Join(failed, errors.New("the package was not worked on"))
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(data)
	if before != "" { // first, because its name begins with that of dir
		data = campaign.OldRoot.Take(data, before)
	}
	return campaign.ModuleRoot.Take(data, dir), nil
}
