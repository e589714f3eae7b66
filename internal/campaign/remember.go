package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/oracle"
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
	// Pass is the pass with a bound of its own that came to this, where more time might come to
	// more; of a whole run it is zero.
	Pass pass
}

type rememberedEvent struct {
	Kind string
	Data json.RawMessage
}

type rememberedFile struct {
	Name    string // within the package's directory
	Content []byte
}

// recallOrGenerate returns what an earlier run over the same package came to, or else does
// the work and remembers that.
func (g *gen) recallOrGenerate(work func() error) error {
	if g.kept == nil || g.cfg.DryRun || g.cfg.FuzzCorpus || g.cfg.Since != "" || len(g.cfg.Debug) > 0 {
		return work() // what is wanted is more than files of tests
	}
	before, err := files.Earlier(g.Pkg.Dir)
	if err != nil || slices.ContainsFunc(before, func(o files.Own) bool { return o.Edited }) {
		return work() // it is said there
	}
	print, err := g.Prog.Fingerprint(g.Pkg, files.IsOwn)
	if err != nil {
		return work() // there is something that no key can be made of
	}
	if data, ok := g.kept.Get(g.key("gen", print, before, g.cfg.Update)); ok && g.recall(data, before) {
		return nil
	}
	parts, err := g.partPrints()
	if err != nil {
		return work()
	}
	g.print = print
	if g.job != nil && g.recallPass(print, before) {
		return nil
	}
	said := g.Events
	var heard []event.Event
	g.Events = &event.Stream{Sink: func(e event.Event) {
		heard = append(heard, e)
		if g.continues == nil { // otherwise nobody knows yet which of two results it will be
			said.Send(e)
		}
	}}
	done := false
	if g.continues == nil && g.cfg.Remote == nil {
		g.standing = g.findRedoable(parts, before)
	}
	if g.standing != nil {
		done, err = g.redoChanged(work)
	}
	if !done {
		heard = nil
		err = work()
	}
	g.Events = said
	if g.job != nil && (err != nil || !g.Whole()) {
		return g.endPass(err, print, parts, heard)
	}
	if g.continues != nil {
		sendAll(g.Events, heard)
	}
	if err != nil || !g.Whole() {
		return err
	}
	return g.remember(print, parts, before, heard)
}

func sendAll(to *event.Stream, events []event.Event) {
	for _, e := range events {
		to.Send(e)
	}
}

// partPrints identifies the parts of the package. There are none for a run that is about some
// of its functions.
func (g *gen) partPrints() (prints, error) {
	if g.cfg.Run != nil {
		return prints{}, nil
	}
	rest, functions, err := g.Prog.FunctionPrints(g.Pkg, files.IsOwn)
	return prints{rest, functions}, err
}

// remember stores what the run came to: under what was there before it, and under what
// is there now, for another run over that comes to the same; and as the last run, of
// which a later one may have to do only a part again.
func (g *gen) remember(print string, parts prints, before []files.Own, heard []event.Event) error {
	m, after, err := g.outcome(parts, heard)
	if err != nil {
		return err
	}
	return g.keep(m, g.key("gen", print, before, g.cfg.Update), g.key("gen", print, after, false), g.key("gen", print, after, true), g.lastKey())
}

// outcome is what the run came to, as it is kept, with assay's files as they are now.
func (g *gen) outcome(parts prints, heard []event.Event) (remembered, []files.Own, error) {
	m := remembered{
		Summary: g.Summary, Covered: g.Summary.StmtsCovered, Statements: g.Summary.StmtsTotal,
		ErrorFindings: g.Result.ErrorFindings, Prints: parts,
	}
	m.Summary.Redone = nil
	for _, e := range heard {
		kind := kindOf(e)
		if kind == "" {
			continue
		}
		data, err := json.Marshal(e)
		if err != nil {
			return m, nil, fmt.Errorf("cache: %w", err)
		}
		m.Events = append(m.Events, rememberedEvent{kind, data})
	}
	after, err := files.Earlier(g.Pkg.Dir)
	if err != nil {
		return m, nil, err
	}
	for _, o := range after {
		m.Files = append(m.Files, rememberedFile{filepath.Base(o.Name), o.Content})
	}
	return m, after, nil
}

// keep stores an outcome under each of the keys.
func (g *gen) keep(m remembered, keys ...cache.Key) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	for _, key := range keys {
		if err := g.kept.Put(key, data); err != nil {
			g.Events.Send(event.Diagnostic{Message: err.Error(), Warning: true})
			return nil // the next run does the work again
		}
	}
	return nil
}

// recall does what the remembered run did. It reports false if what is remembered cannot
// be understood or written; then nothing has been done.
func (g *gen) recall(data []byte, before []files.Own) bool {
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
		if !f.isOwn() {
			return false
		}
		left[i] = files.New{Name: filepath.Join(g.Pkg.Dir, f.Name), Content: f.Content}
	}
	if _, _, err := files.Replace(g.Pkg.Dir, before, left, func(string) bool { return false }); err != nil {
		return false
	}
	for _, f := range left {
		g.Events.Send(event.Written{Package: g.Pkg.Path, File: f.Name, Content: f.Content})
	}
	for _, e := range events {
		g.Events.Send(e)
	}
	g.Summary = m.Summary
	g.Summary.StmtsCovered, g.Summary.StmtsTotal = m.Covered, m.Statements
	g.Summary.Cached = true
	g.Result.ErrorFindings = m.ErrorFindings
	return true
}

// isOwn reports whether the file can only be one that gen has written into the package's own
// directory: by its name, and by its content, which nobody has edited.
func (f rememberedFile) isOwn() bool {
	generated, edited := testfile.Verify(f.Content)
	return filepath.IsLocal(f.Name) && filepath.Base(f.Name) == f.Name && files.IsOwn(f.Name) && generated && !edited
}

// key names what gen comes to for the package: print stands for its code, own are
// assay's earlier files.
func (g *gen) key(what, print string, own []files.Own, update bool) cache.Key {
	parts := append(g.keyParts(what), print, fmt.Sprint(update))
	for _, o := range own {
		parts = append(parts, filepath.Base(o.Name), string(o.Content))
	}
	return cache.KeyOf(parts...)
}

// keyParts are what decides what gen comes to beside the code and the earlier files.
func (g *gen) keyParts(what string) []string {
	c := g.cfg
	match := ""
	if c.Run != nil {
		match = c.Run.String()
	}
	parts := []string{
		what, c.Program, g.Pkg.Path, g.Pkg.Dir, c.Tags, match, strings.Join(c.Engines, ","), strconv.FormatUint(c.Seed, 10),
		fmt.Sprint(c.MaxTests, c.MaxLines, c.IgnoreExisting, c.Exhaustive, c.Concrete, c.Depth, c.Finitization, c.Unsafe, c.NoMutants, c.Misuse, c.Unexported, c.Confine),
		strings.Join(truths(c.NoContracts), ","),
	}
	for _, name := range oracle.Files(g.Pkg) {
		if text, err := oracle.Head(name); err == nil {
			parts = append(parts, name, string(text))
		}
	}
	return append(append(parts, g.Known.Lines(g.Pkg.Path)...), "")
}

// truths returns the keys whose value is true, in order.
func truths(m map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(k string) bool { return !m[k] })
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
	case event.Known:
		return "known"
	case event.Case:
		return "case"
	case event.Coverage:
		return "coverage"
	case event.Mutant:
		return "mutant"
	case event.Misuse:
		return "misuse"
	case event.Skip:
		return "skip"
	case event.Unreachable:
		return "unreachable"
	case event.Changed:
		return "changed"
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
	case "known":
		return decode[event.Known](e.Data)
	case "case":
		return decode[event.Case](e.Data)
	case "coverage":
		return decode[event.Coverage](e.Data)
	case "mutant":
		return decode[event.Mutant](e.Data)
	case "misuse":
		return decode[event.Misuse](e.Data)
	case "skip":
		return decode[event.Skip](e.Data)
	case "unreachable":
		return decode[event.Unreachable](e.Data)
	case "changed":
		return decode[event.Changed](e.Data)
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
