package campaign

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goassay/assay/internal/cache"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/giver"
	"github.com/goassay/assay/internal/oracle"
)

// remembered is the result of gen for a package as the cache keeps it. It depends only on the values in
// its key, because a run that was cut by a time limit is not kept.
type remembered struct {
	Events []rememberedEvent
	Files  []rememberedFile // all files of assay's in the package's directory, after the run
	// Summary has no time in it. Its coverage is computed from Covered and Statements.
	Summary             event.Summary
	Covered, Statements int
	ErrorFindings       int
	// Prints tell a later run which functions have changed.
	Prints prints
	// Pass describes the pass that had this result, if more time might improve the result. It is zero for a
	// run that ended by itself.
	Pass pass
	// Corpus has the cases that a further round goes on from, for such a pass.
	Corpus []keptCase `json:",omitempty"`
	// Learnt is what such a round knows besides.
	Learnt learnt
}

type rememberedEvent struct {
	Kind string
	Data json.RawMessage
}

type rememberedFile struct {
	Name    string // the name within the package's directory
	Content []byte
}

// recallOrGenerate uses the result of an earlier run over the same package. If there is none it does
// the work and remembers the result.
func (g *gen) recallOrGenerate(work func() error) error {
	if err := g.chooseChanged(); err != nil {
		return err
	}
	if g.kept == nil || g.cfg.DryRun || g.cfg.FuzzCorpus || len(g.cfg.Debug) > 0 {
		return work() // the cache has only files of tests, and the user wants more
	}
	before, err := files.Earlier(g.Pkg.Dir)
	if err != nil || slices.ContainsFunc(before, func(o files.Own) bool { return o.Edited }) {
		return work() // passes look for earlier results themselves
	}
	print, err := g.Prog.Fingerprint(g.Pkg, files.IsOwn)
	if err != nil {
		return work() // part of the package cannot be put into a key
	}
	if data, ok := g.lookUp("gen", print, before, g.cfg.Update); ok && g.recall(data, before) {
		return nil
	}
	parts, err := g.partPrints()
	if err != nil {
		return work()
	}
	if g.job != nil && g.recallPass(print, before) {
		return nil
	}
	if g.round > 0 {
		g.MarkPartial() // what a round comes to depends on those before it, so it is no final result
	}
	said := g.Events
	var heard []event.Event
	g.Events = &event.Stream{Sink: func(e event.Event) {
		heard = append(heard, e)
		if g.continues == nil { // in a further pass the caller decides between two results later
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

// partPrints identifies the parts of the package. In a run over only some functions there are none.
func (g *gen) partPrints() (prints, error) {
	if g.cfg.Run != nil || g.cfg.Since != "" {
		return prints{}, nil
	}
	rest, functions, err := g.Prog.FunctionPrints(g.Pkg, files.IsOwn)
	return prints{rest, functions}, err
}

// remember stores the result under several keys: for the files before the run; for the files now, since a
// further run over them has the same result; and as the last run and pass, of which a later run may redo only a
// part.
func (g *gen) remember(print string, parts prints, before []files.Own, heard []event.Event) error {
	m, after, err := g.outcome(parts, heard)
	if err != nil {
		return err
	}
	g.share(m, sharing{"gen", before, g.cfg.Update}, sharing{"gen", after, false}, sharing{"gen", after, true})
	return g.keep(m, g.key("gen", print, before, g.cfg.Update), g.key("gen", print, after, false), g.key("gen", print, after, true), g.lastKey(), g.lastPassKey())
}

// outcome returns the result of the run in the form that the cache keeps, with the contents of assay's files.
func (g *gen) outcome(parts prints, heard []event.Event) (remembered, []files.Own, error) {
	m := remembered{
		Summary: g.Summary, Covered: g.Summary.StmtsCovered, Statements: g.Summary.StmtsTotal,
		ErrorFindings: g.Result.ErrorFindings, Prints: parts,
	}
	m.Summary.Redone = nil
	if !g.Whole() {
		m.Corpus, m.Learnt = g.corpus, g.learnt
	}
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
			return nil // without an entry the next run does the work again
		}
	}
	return nil
}

// recall repeats the effects of the remembered run. It returns false if the entry cannot be understood
// or its files cannot be written; then nothing has been changed.
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

// isOwn reports whether the name and the content of a file show that gen has written the file into the
// package's own directory and nobody has edited it.
func (f rememberedFile) isOwn() bool {
	generated, edited := testfile.Verify(f.Content)
	return filepath.IsLocal(f.Name) && filepath.Base(f.Name) == f.Name && files.IsOwn(f.Name) && generated && !edited
}

// key returns the key of the result for the package. The parameter print stands for the package's code, and
// own has assay's earlier files.
func (g *gen) key(what, print string, own []files.Own, update bool) cache.Key {
	return keyOf(slices.Concat(g.keyParts(what), g.callers(), []string{g.Pkg.Dir}), print, own, update)
}

// sharedKey returns the key of a result that other machines, where the module is in another directory, may share.
func (g *gen) sharedKey(what string, own []files.Own, update bool) (cache.Key, error) {
	g.contentMu.Lock()
	defer g.contentMu.Unlock()
	if g.content == "" {
		var err error
		if g.content, err = g.Prog.ContentPrint(g.Pkg, files.IsOwn); err != nil {
			return cache.Key{}, err
		}
	}
	return keyOf(slices.Concat(g.keyParts(what), g.callers()), g.content, own, update), nil
}

func keyOf(parts []string, print string, own []files.Own, update bool) cache.Key {
	parts = append(parts, print, fmt.Sprint(update))
	for _, o := range own {
		parts = append(parts, filepath.Base(o.Name), string(o.Content))
	}
	return cache.KeyOf(parts...)
}

// keyParts returns everything besides the code, its directory, its callers and the earlier files that affects the result of gen.
func (g *gen) keyParts(what string) []string {
	c := g.cfg
	match := ""
	if c.Run != nil {
		match = c.Run.String()
	}
	parts := []string{
		what, c.Program, g.Pkg.Path, c.Tags, match, strings.Join(c.Engines, ","), strconv.FormatUint(c.Seed, 10),
		fmt.Sprint(c.MaxTests, c.MaxLines, c.IgnoreExisting, c.Exhaustive, c.Concrete, c.Depth, c.Waiting, c.Unscored, c.Finitization, c.Unsafe, c.NoMutants, c.Misuse, c.Unexported, c.Confine),
		strings.Join(truths(c.NoContracts), ","),
	}
	if c.Since != "" { // which revision it is does not matter, but what has changed
		parts = append(parts, "since", strings.Join(truths(g.Only), ","))
	}
	for _, name := range oracle.Files(g.Pkg) {
		if text, err := oracle.Head(name); err == nil {
			if rel, err := filepath.Rel(g.Pkg.Dir, name); err == nil {
				name = rel
			}
			parts = append(parts, name, string(text))
		}
	}
	return append(append(parts, g.Known.Lines(g.Pkg.Path)...), "")
}

// callers returns what stands for the code elsewhere in the module that uses the package, or reads values for its tests. It is a part of the keys of results, and not of
// the keys of what is only a beginning for other code (lastKey, lastPassKey): who changes a function often changes a caller, too. Which texts and
// objects the module writes elsewhere is no part of any key: a test with other ones is as true, and to ask would mean to read the module.
func (g *gen) callers() []string {
	var parts []string
	for _, c := range g.Prog.Callers(g.Pkg) {
		parts = append(parts, "caller", c.Source)
		for _, name := range slices.Sorted(maps.Keys(c.Imports)) {
			parts = append(parts, name, c.Imports[name])
		}
	}
	for _, name := range giver.ParserFiles(g.Prog, g.Pkg) {
		if text, err := os.ReadFile(name); err == nil { // a file that cannot be read gives no texts
			parts = append(parts, "parser", filepath.Base(name), string(text))
		}
	}
	return parts
}

// truths returns the keys whose value is true, in order.
func truths(m map[string]bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(k string) bool { return !m[k] })
}

// kindOf names the kind of an event, "" for events that are not remembered: progress, and the summary,
// which is computed anew.
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

// eventOf returns the event that was remembered.
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
