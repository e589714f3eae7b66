package workers

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/campaign"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/session"
	checkverb "github.com/goassay/assay/internal/verb/check"
)

// This file lets workers do verbs that write nothing. Check sends a verdictTask for each package; a worker does the verb on
// it and sends back what it said, which is said here in the order of the packages.

// verdictTask is the work of a verb on one package, as it is sent.
type verdictTask struct {
	Package string        // import path
	Bound   time.Duration // the package's time, at the worker

	Tags, Run string
	Seed      uint64
	Unsafe    bool
	Check     checkverb.Config
}

// verdicts is what a verb said of a package, as it is sent.
type verdicts struct {
	Events      []json.RawMessage // as -json prints them
	Diagnostics []event.Diagnostic
	Summary     json.RawMessage
	Result      session.Result
	Error       string
}

// config returns the configuration of the verb for the module in dir.
func (t verdictTask) config(dir string) (session.Config, error) {
	cfg := session.Config{Dir: dir, Tags: t.Tags, Patterns: []string{t.Package}, Timeout: t.Bound, Seed: t.Seed, Unsafe: t.Unsafe}
	if t.Run != "" {
		re, err := regexp.Compile(t.Run)
		if err != nil {
			return cfg, fmt.Errorf("-run: %w", err)
		}
		cfg.Run = re
	}
	return cfg, nil
}

// verdictPatience bounds the time that a package may wait and be worked on.
const verdictPatience = 24 * time.Hour

// Check is the verb check, of which workers do the work, on so many packages at the same time.
func (c *Coordinator) Check(ctx context.Context, cfg session.Config, how checkverb.Config, atOnce int) (session.Result, error) {
	return session.EachAtOnce(ctx, cfg, session.Verb{Name: "check", Do: func(s *session.Session) error {
		t := verdictTask{Package: s.Pkg.Path, Bound: cfg.Bound(), Tags: cfg.Tags, Seed: cfg.Seed, Unsafe: cfg.Unsafe, Check: how}
		if cfg.Run != nil {
			t.Run = cfg.Run.String()
		}
		return c.verdicts(s, t)
	}}, atOnce, verdictPatience)
}

// verdicts has a worker do a task, and says what the worker has said.
func (c *Coordinator) verdicts(s *session.Session, t verdictTask) error {
	print, err := s.Prog.ContentPrint(s.Pkg, files.IsOwn)
	if err != nil {
		return fmt.Errorf("no key can be made of it, so that no worker can be asked: %w", err)
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	parts := append([]string{"check", string(text), print, fmt.Sprint(s.Config.Confine)}, s.Known.Lines(s.Pkg.Path)...)
	key := cache.KeyOf(parts...)
	data, err := c.ask(s.Ctx, hex.EncodeToString(key[:]), fmt.Sprintf("check %s %s", t.Package, t.Bound), body{Module: c.module, Verdict: &t})
	if err != nil {
		return err
	}
	var v verdicts
	if err := json.Unmarshal(c.rooted(data, s.Pkg.Dir), &v); err != nil {
		return fmt.Errorf("what a worker sent cannot be read: %w", err)
	}
	return v.say(s)
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
	if v.Error != "" {
		return errors.New(v.Error)
	}
	return nil
}

// verdicts does a task on the module in dir. An error says why it could not begin here.
func (w *Worker) verdicts(ctx context.Context, dir string, t verdictTask) ([]byte, error) {
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
	packages, _, err := session.Open(ctx, cfg, session.Verb{Name: "check", RunsNothing: t.Check.Static, Do: func(s *session.Session) error {
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
		if err := checkverb.Package(s, t.Check); err != nil {
			v.Error = err.Error()
		}
		s.Events = said
		line, err := event.Encode(time.Time{}, s.Summary)
		v.Summary, v.Result, failed = line, s.Result, errors.Join(failed, err)
		return nil
	}})
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
	return campaign.Unrooted(bytes.TrimSpace(data), dir), nil
}
