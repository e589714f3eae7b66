package campaign

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
)

// remembered is what gen came to for a package, as the cache keeps it: a function of all
// that is in its key, for a run that a time limit had cut is not kept.
type remembered struct {
	Events []rememberedEvent
	Files  []rememberedFile // all of assay's in the package's directory, after the run
	// Summary is without the time; Covered of Statements is what its coverage is of.
	Summary             event.Summary
	Covered, Statements int
	ErrorFindings       int
	// Prints tell which functions have changed since.
	Prints prints
}

type rememberedEvent struct {
	Kind string
	Data json.RawMessage
}

type rememberedFile struct {
	Name    string // within the package's directory
	Content []byte
}

// remembering returns what an earlier run over the same package came to, or else does
// the work and remembers that.
func (r *run) remembering(work func() error) error {
	if r.cfg.Cache == nil || r.cfg.DryRun || r.cfg.FuzzCorpus || r.cfg.Since != "" || len(r.cfg.Debug) > 0 {
		return work() // what is wanted is more than files of tests
	}
	before, err := files.Earlier(r.pkg.Dir)
	if err != nil || slices.ContainsFunc(before, func(o files.Own) bool { return o.Edited }) {
		return work() // it is said there
	}
	print, err := r.prog.Fingerprint(r.pkg, files.IsOwn)
	if err != nil {
		return work() // there is something that no key can be made of
	}
	if data, ok := r.cfg.Cache.Get(r.key(print, before, r.cfg.Update)); ok && r.recall(data, before) {
		return nil
	}
	parts, err := r.parts()
	if err != nil {
		return work()
	}
	said := r.events
	var heard []event.Event
	r.events = &event.Stream{Sink: func(e event.Event) {
		heard = append(heard, e)
		said.Send(e)
	}}
	done := false
	if r.stands = r.redoable(parts, before); r.stands != nil {
		done, err = r.redoing(work)
	}
	if !done {
		heard = nil
		err = work()
	}
	r.events = said
	if err != nil || r.late || r.result.Failed || r.ctx.Err() != nil || r.partial.Load() {
		return err
	}
	return r.remember(print, parts, before, heard)
}

// parts identifies the parts of the package. There are none for a run that is about some
// of its functions.
func (r *run) parts() (prints, error) {
	if r.cfg.Run != nil {
		return prints{}, nil
	}
	rest, functions, err := r.prog.FunctionPrints(r.pkg, files.IsOwn)
	return prints{rest, functions}, err
}

// remember stores what the run came to: under what was there before it, and under what
// is there now, for another run over that comes to the same; and as the last run, of
// which a later one may have to do only a part again.
func (r *run) remember(print string, parts prints, before []files.Own, heard []event.Event) error {
	m := remembered{
		Summary: r.summary, Covered: r.summary.StmtsCovered, Statements: r.summary.StmtsTotal,
		ErrorFindings: r.result.ErrorFindings, Prints: parts,
	}
	m.Summary.Redone = nil
	for _, e := range heard {
		kind := kindOf(e)
		if kind == "" {
			continue
		}
		data, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("cache: %w", err)
		}
		m.Events = append(m.Events, rememberedEvent{kind, data})
	}
	after, err := files.Earlier(r.pkg.Dir)
	if err != nil {
		return err
	}
	for _, o := range after {
		m.Files = append(m.Files, rememberedFile{filepath.Base(o.Name), o.Content})
	}
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	for _, key := range []cache.Key{r.key(print, before, r.cfg.Update), r.key(print, after, false), r.key(print, after, true), r.last()} {
		if err := r.cfg.Cache.Put(key, data); err != nil {
			r.events.Send(event.Diagnostic{Message: err.Error(), Warning: true})
			return nil // the next run does the work again
		}
	}
	return nil
}

// recall does what the remembered run did. It reports false if what is remembered cannot
// be understood or written; then nothing has been done.
func (r *run) recall(data []byte, before []files.Own) bool {
	var m remembered
	if err := json.Unmarshal(data, &m); err != nil {
		return false
	}
	var events []event.Event
	for _, e := range m.Events {
		ev, err := eventOf(e)
		if err != nil {
			return false
		}
		events = append(events, ev)
	}
	left := make([]files.New, len(m.Files))
	for i, f := range m.Files {
		left[i] = files.New{Name: filepath.Join(r.pkg.Dir, f.Name), Content: f.Content}
	}
	if _, _, err := files.Replace(r.pkg.Dir, before, left, func(string) bool { return false }); err != nil {
		return false
	}
	for _, e := range events {
		r.events.Send(e)
	}
	r.summary = m.Summary
	r.summary.StmtsCovered, r.summary.StmtsTotal = m.Covered, m.Statements
	r.summary.Cached = true
	r.result.ErrorFindings = m.ErrorFindings
	return true
}

// key names what gen comes to for the package: print stands for its code, own are
// assay's earlier files.
func (r *run) key(print string, own []files.Own, update bool) cache.Key {
	parts := append(r.keyParts("gen"), print, fmt.Sprint(update))
	for _, o := range own {
		parts = append(parts, filepath.Base(o.Name), string(o.Content))
	}
	return cache.KeyOf(parts...)
}

// keyParts are what decides what gen comes to beside the code and the earlier files.
func (r *run) keyParts(what string) []string {
	c := r.cfg
	match := ""
	if c.Run != nil {
		match = c.Run.String()
	}
	parts := []string{
		what, c.Program, r.pkg.Path, r.pkg.Dir, c.Tags, match, strings.Join(c.Engines, ","), strconv.FormatUint(c.Seed, 10),
		fmt.Sprint(c.MaxTests, c.MaxLines, c.IgnoreExisting, c.Exhaustive, c.Concrete, c.Unsafe, c.NoMutants, c.Misuse, c.Confine),
		strings.Join(sortedKeys(c.NoContracts), ","),
	}
	return append(append(parts, r.known.Lines(r.pkg.Path)...), "")
}

// kindOf names the kind of an event that is remembered, "" for others: what tells how
// far a run is, and the summary, which is made anew.
func kindOf(e event.Event) string {
	switch e := e.(type) {
	case event.Test:
		if e.Provisional {
			return ""
		}
		return "test"
	case event.Finding:
		return "finding"
	case event.Misuse:
		return "misuse"
	case event.Skip:
		return "skip"
	case event.Unreachable:
		return "unreachable"
	case event.Diagnostic:
		return "diagnostic"
	}
	return ""
}

// eventOf is the event that was remembered.
func eventOf(e rememberedEvent) (event.Event, error) {
	switch e.Kind {
	case "test":
		return decode[event.Test](e.Data)
	case "finding":
		return decode[event.Finding](e.Data)
	case "misuse":
		return decode[event.Misuse](e.Data)
	case "skip":
		return decode[event.Skip](e.Data)
	case "unreachable":
		return decode[event.Unreachable](e.Data)
	case "diagnostic":
		return decode[event.Diagnostic](e.Data)
	}
	return nil, fmt.Errorf("cache: an event of kind %q", e.Kind)
}

func decode[E event.Event](data []byte) (event.Event, error) {
	var e E
	err := json.Unmarshal(data, &e)
	return e, err
}
