package earlier

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Files are the files that earlier runs left in the package's directory.
type Files struct {
	Own []files.Own
	// Kept has the names of those that are left as they are, emptied of those of which
	// nothing is left, where a run is about part of the package.
	Kept, emptied map[string]bool
	partly        bool // the run is about part of the package
	// taken are the names that new tests must not have, which kept files declare.
	taken map[string]bool
}

// keep leaves an earlier file as it is; new tests must not collide with its names.
func (e Files) keep(o files.Own) {
	e.Kept[o.Name] = true
	f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return // what does not parse declares nothing; go test will say so
	}
	for _, n := range load.DeclaredNames(f) {
		e.taken[n] = true
	}
}

// KeepAll leaves every earlier file as it is: what there is now may be less.
func (e Files) KeepAll() {
	for _, o := range e.Own {
		if !e.Kept[o.Name] {
			e.keep(o)
		}
	}
}

// Outlives reports whether an earlier file is not to be removed though nothing replaces it.
func (e Files) Outlives(name string) bool {
	return e.Kept[name] || e.partly && !e.emptied[name]
}

// Find finds the files of earlier runs. Those that the user has edited are kept, and that is a
// failure: their functions get no new tests. Where writes is set Find makes sure that the others can
// be replaced; where keepFuzz is set Fuzz functions that were proposed once are kept.
func Find(s *session.Session, writes, keepFuzz bool) (Files, error) {
	e := Files{Kept: make(map[string]bool), emptied: make(map[string]bool), partly: s.Partly(), taken: s.Pkg.TestNames}
	var err error
	if e.Own, err = files.Earlier(s.Pkg.Dir); err != nil {
		return e, err
	}
	if writes {
		err := files.Clean(s.Pkg.Dir)
		if err == nil {
			err = files.Writable(s.Pkg.Dir)
		}
		if err != nil {
			return e, fmt.Errorf("cannot write to %s: %w", s.Pkg.Dir, err)
		}
	}
	for _, o := range e.Own {
		if strings.HasSuffix(o.Name, emit.FuzzSuffix) && keepFuzz {
			e.keep(o)
		}
		if o.Edited {
			e.keep(o)
			s.Result.Failed = true
			s.Events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: "edited by hand, so it is not overwritten: rename it to keep it, or remove it to have it written anew",
			})
		}
	}
	return e, nil
}

// KeepBetter leaves as they are the earlier files beside which what there is now would be
// less: exploration was cut short. The tests are compared by the statements that they
// cover, which rerun knows of the earlier ones; those of findings by their number in each file.
func (e Files) KeepBetter(rerun *Rerun, blocks []native.Block, tests []*testcase.Case, findings []*testcase.Finding) {
	cover := testcase.CoverOf(tests)
	now := 0
	for i, b := range blocks {
		if cover.Has(i) {
			now += b.Stmts
		}
	}
	less := rerun == nil || rerun.covered < 0 || now < rerun.covered
	found := make(map[string]int)
	for _, f := range findings {
		if f.Severity != testcase.Note {
			found[strings.TrimSuffix(f.Pos.Filename, ".go")+files.BugSuffix]++
		}
	}
	for _, o := range e.Own {
		if !e.Kept[o.Name] && (o.Bug && found[o.Name] < bytes.Count(o.Content, []byte("\nfunc Test")) || !o.Bug && less) {
			e.keep(o)
		}
	}
}
