package earlier

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// Files are the files that earlier runs left in the package's directory.
type Files struct {
	Own     []files.Own
	helpers *helperFile // what several of them share, or nil
	// Kept has the names of files that stay as they are. If a run is about part of the package, emptied has
	// the files of which no test is left.
	Kept, emptied map[string]bool
	partly        bool                   // the run is about part of the package
	mine          func(test string) bool // whether a test is of a function that the run is about; nil means that all are
	// taken has the names that kept files declare, so that new tests must not have them.
	taken map[string]bool
}

// keep leaves an earlier file as it is. New tests must not use the names that it declares.
func (e Files) keep(o files.Own) {
	e.Kept[o.Name] = true
	f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
	if f == nil || err != nil && len(f.Decls) == 0 {
		return // a file that does not parse declares nothing here; go test will report it
	}
	for _, n := range load.DeclaredNames(f) {
		e.taken[n] = true
	}
}

// KeepAll leaves every earlier file as it is, because the new result may be worse.
func (e Files) KeepAll() {
	for _, o := range e.Own {
		if !e.Kept[o.Name] {
			e.keep(o)
		}
	}
}

// Outlives reports whether an earlier file stays although no new file replaces it.
func (e Files) Outlives(name string) bool {
	return e.Kept[name] || e.partly && !e.emptied[name]
}

// Find finds the files of earlier runs. Files that the user has edited are kept. That is a failure, because
// the functions that they test get no new tests. If writes is set, Find makes sure that the other files can
// be replaced. If keepFuzz is set, Fuzz functions that were proposed once are kept.
func Find(s *session.Session, writes, keepFuzz bool) (Files, error) {
	e := Files{Kept: make(map[string]bool), emptied: make(map[string]bool), partly: s.Partly(), taken: s.Pkg.TestNames}
	if e.partly {
		owner := Owner(s.Pkg)
		e.mine = func(test string) bool { return s.InScope(owner(test)) }
	}
	var err error
	if e.Own, err = files.Earlier(s.Pkg.Dir); err != nil {
		return e, err
	}
	e.helpers = findHelpers(e.Own)
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

// tests counts the tests of a file that the run may replace.
func (e Files) tests(o files.Own) int {
	n := 0
	for _, line := range strings.Split(string(o.Content), "\n") {
		if rest, ok := strings.CutPrefix(line, "func Test"); ok {
			name, _, _ := strings.Cut(rest, "(")
			if e.mine == nil || e.mine("Test"+name) {
				n++
			}
		}
	}
	return n
}

// KeepBetter keeps the earlier files that are better than the new result of an exploration that was cut
// short. Files of tests are compared by the statements that they cover; for the earlier files rerun has
// measured these. Files of findings are compared by the number of findings.
func (e Files) KeepBetter(rerun *Rerun, blocks []testcase.Block, tests []*testcase.Case, findings []*testcase.Finding) {
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
		if !e.Kept[o.Name] && (o.Bug && found[o.Name] < e.tests(o) || !o.Bug && less) {
			e.keep(o)
		}
	}
}
