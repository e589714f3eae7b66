package earlier

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/session"
)

// Rerun runs the tests of earlier runs on the code as it is now, while the engines look for new ones. If one
// of these tests fails, behaviour has changed.
type Rerun struct {
	files  map[string]string // the file of each test, by the test's name
	cancel context.CancelFunc
	done   chan struct{}
	res    *gotest.Result
	err    error
	// covered is how many statements the tests of the functions that the run is about cover, or -1 if that is not known.
	covered int
}

// Start starts the tests of those of the given files that may be replaced. It returns nil if there are
// none.
func Start(s *session.Session, old []files.Own) *Rerun {
	e := &Rerun{files: make(map[string]string), done: make(chan struct{}), covered: -1}
	for _, o := range old {
		if o.Edited || o.Bug {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), o.Name, o.Content, parser.SkipObjectResolution)
		if err != nil {
			continue // the hash is right, so an earlier version of assay wrote this wrong file; it is replaced
		}
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && strings.HasPrefix(fd.Name.Name, "Test") {
				e.files[fd.Name.Name] = o.Name
			}
		}
	}
	if len(e.files) == 0 {
		return nil
	}
	var ctx context.Context
	ctx, e.cancel = context.WithCancel(s.Ctx)
	go func() {
		defer close(e.done)
		work, err := os.MkdirTemp("", "assay-earlier-")
		if err != nil {
			e.err = err
			return
		}
		defer os.RemoveAll(work) // a leftover temporary directory does no harm
		t := gotest.Run{
			Dir: s.Pkg.Dir, Tags: s.Config.Tags, Names: slices.Sorted(maps.Keys(e.files)), Policy: s.Policy, NoVet: true,
			CoverProfile: filepath.Join(work, "cover.out"),
		}
		e.res, e.err = t.Do(ctx)
		if s.Partly() {
			// The tests of other functions stay, so that what they cover is not lost.
			owner := Owner(s.Pkg)
			t.Names = slices.DeleteFunc(t.Names, func(test string) bool { return !s.InScope(owner(test)) })
			if len(t.Names) == 0 {
				e.covered = 0
				return
			}
			t.CoverProfile = filepath.Join(work, "own.out")
			t.Do(ctx) // only the coverage matters, which cannot be read if this fails
		}
		if n, _, err := gotest.ReadCoverage(t.CoverProfile); err == nil {
			e.covered = n
		}
	}()
	return e
}

// Stop ends the tests if they are still running.
func (e *Rerun) Stop() {
	if e == nil {
		return
	}
	e.cancel()
	<-e.done
}

// Report waits for the earlier tests, shows those that fail, and keeps their files. It returns false if
// the package cannot get new tests in addition to the kept ones.
func (e *Rerun) Report(s *session.Session, earlier Files) bool {
	if e == nil {
		return true
	}
	<-e.done
	if e.err != nil {
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			s.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: the earlier tests could not be run: %v", s.Pkg.Path, e.err), Warning: true})
		} else {
			earlier.KeepAll() // it is not known whether the tests still pass
		}
		return true
	}
	stale := false
	for _, b := range e.res.Build {
		if slices.ContainsFunc(earlier.Own, func(o files.Own) bool { return o.Name == b.Pos.Filename && !o.Edited }) {
			stale = true
			s.Events.Send(event.Diagnostic{Pos: b.Pos, Message: "the earlier test no longer compiles: " + b.Msg})
		}
	}
	if stale {
		s.Result.Failed = true
		s.Events.Send(event.Diagnostic{Message: s.Pkg.Path + ": the earlier tests are left as they are; -update replaces them"})
		return false
	}
	owner := Owner(s.Pkg)
	for _, name := range e.res.Failed {
		file := e.files[name]
		s.Result.Failed = true
		for _, c := range changes(e.res.Output[name]) {
			c.Package, c.Func, c.Test, c.File = s.Pkg.Path, owner(name), name, file
			s.Events.Send(c)
		}
		if !earlier.Kept[file] {
			s.Events.Send(event.Diagnostic{Pos: token.Position{Filename: file}, Message: "left as it is; -update replaces it"})
			i := slices.IndexFunc(earlier.Own, func(o files.Own) bool { return o.Name == file })
			earlier.keep(earlier.Own[i])
		}
	}
	return true
}

// maxChanges bounds how many changes of one failing test are shown.
const maxChanges = 5

// observation matches a line of a failing generated test: the call, its result, and the expected
// result.
var observation = regexp.MustCompile(`^(?:\S+_test\.go:\d+: )?(.+?\)|\S+) = (.*)[,;] want (.*)$`)

// changes reads from a failing test's output what the result was before and what it is now. Lines that
// it cannot read are shown as they are.
func changes(output []string) []event.Changed {
	var out []event.Changed
	test, expected := "", ""
	for _, line := range output {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "=== RUN"); ok {
			test = strings.TrimSpace(name)
		}
		m := observation.FindStringSubmatch(line)
		if want, ok := strings.CutPrefix(line, "expected: "); ok {
			expected = want // testify prints the expected result on a line of its own
		} else if got, ok := strings.CutPrefix(line, "actual  : "); ok && expected != "" {
			m = []string{"", test, got, expected}
			expected = ""
		}
		if m == nil {
			continue
		}
		if len(out) == maxChanges {
			out[maxChanges-1].More = true
			break
		}
		out = append(out, event.Changed{Call: m[1], After: m[2], Before: m[3]})
	}
	if out == nil {
		out = append(out, event.Changed{After: gotest.Failure(output)})
	}
	return out
}
