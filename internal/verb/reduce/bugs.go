package reduce

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/native"
	"github.com/goassay/assay/internal/reduce/source"
	"github.com/goassay/assay/internal/session"
	"github.com/goassay/assay/internal/testcase"
)

// failing is a part that fails, in the version that stays if the part stays.
type failing struct {
	partVersion
	cause string // "" if the part passes
}

// reduceBugs reduces the files whose tests reproduce findings. Of the tests that fail for the same
// cause the shortest stays, without its dead statements if it fails in the same way without them.
func (r *reducer) reduceBugs() error {
	var suite []gotest.File
	var files []*written
	var versions []partVersion
	for _, w := range r.sources {
		if w.bug {
			content, names := w.src.Split(len(versions))
			files = append(files, w)
			suite = append(suite, gotest.File{Path: w.name, Content: content, Tests: names})
			versions = append(versions, w.versions()...)
		}
	}
	if len(files) == 0 {
		return nil
	}
	suite = append(suite, r.beside...)
	outs, _, err := r.RunSuite(r.Ctx, session.SuiteConfig{Files: suite, Tags: gotest.WithTag(r.Config.Tags, testfile.BugTag)})
	if err != nil {
		return err
	}
	bare, err := r.unrecovered(suite, outs)
	if err != nil {
		return err
	}
	var parts []failing
	whole := 0
	for i, v := range versions {
		if v.fate == source.Whole {
			whole = i
			parts = append(parts, failing{v, causeOf(bare[i], v.part)})
			continue
		}
		least := &parts[len(parts)-1].partVersion
		if v.part.Size(v.fate) < least.part.Size(least.fate) && failsAlike(outs[whole], outs[i]) {
			*least = v
		}
	}
	best := make(map[string]failing)
	for _, p := range parts {
		if old, ok := best[p.cause]; !ok || p.part.Size(p.fate) < old.part.Size(old.fate) {
			best[p.cause] = p
		}
	}
	delete(best, "")
	for _, w := range files {
		if err := r.leaveBugs(w, parts, best); err != nil {
			return err
		}
	}
	if r.Summary.Findings = event.Count(len(best)); r.Summary.Tests == nil {
		r.Summary.Tests = event.Count(0)
	}
	return nil
}

// unrecovered returns the outcomes of the tests of files without the calls of recover in them, where a test then ends by a
// panic, and otherwise the given ones. What gen writes recovers from the panic that it is about, and says only that there
// was one; the place says whether two tests are about the same.
func (r *reducer) unrecovered(suite []gotest.File, outs []*testcase.Outcome) ([]*testcase.Outcome, error) {
	recovering := false
	bare := slices.Clone(suite)
	for i, f := range bare {
		bare[i].Content = bytes.ReplaceAll(f.Content, []byte("recover()"), []byte("error(nil)"))
		recovering = recovering || !bytes.Equal(f.Content, bare[i].Content)
	}
	out := slices.Clone(outs)
	if !recovering {
		return out, nil
	}
	again, _, err := r.RunSuite(r.Ctx, session.SuiteConfig{Files: bare, Tags: gotest.WithTag(r.Config.Tags, testfile.BugTag)})
	if err != nil {
		return nil, err
	}
	for i, o := range again {
		if o != nil && o.Panic != nil && o.Panic.Message != native.TestFailed && outs[i].Status != testcase.Returned {
			out[i] = o
		}
	}
	return out, nil
}

// leaveBugs computes the remaining content of a file whose tests fail.
func (r *reducer) leaveBugs(w *written, parts []failing, best map[string]failing) error {
	fate := make(fates)
	for _, p := range parts {
		if p.w != w {
			continue
		}
		b := best[p.cause]
		switch {
		case p.cause == "":
			r.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s passes: left as it is", filepath.Base(w.name), p.part.Name), Warning: true})
		case b.w != w || b.part.Name != p.part.Name:
			r.removed(w, p.part, "it fails for the same cause as "+b.part.Name)
			continue
		}
		fate[fateKey(p.part.Test, p.part.Row)] = p.fate
	}
	r.dead += fate.dead(w.parts)
	return w.keep(fate)
}

// failsAlike reports whether a test fails without its dead statements as it does with them: in the same way,
// with the same message.
func failsAlike(whole, cleaned *testcase.Outcome) bool {
	if whole.Status == testcase.Returned || whole.Status != cleaned.Status || whole.Message != cleaned.Message || whole.Violated != cleaned.Violated {
		return false
	}
	if whole.Panic == nil || cleaned.Panic == nil {
		return whole.Panic == cleaned.Panic
	}
	return whole.Panic.Message == cleaned.Panic.Message
}

// numbers are what differs between messages of the runtime about one place: indices, bounds and lengths.
var numbers = regexp.MustCompile(`\[[-0-9:]*\]| with (length|capacity) [0-9]+`)

// causeOf returns a key for the failure of a test, or "" if it passes: its panic and the place, or how its
// process ended, or otherwise the test's own message.
func causeOf(o *testcase.Outcome, p source.Part) string {
	switch {
	case o.Status == testcase.Returned:
		return ""
	case o.Panic != nil && o.Panic.Message != native.TestFailed:
		what := o.Panic.Message
		if strings.Contains(what, "runtime error: ") || o.Panic.Runtime {
			what = numbers.ReplaceAllString(what, "")
		}
		if len(o.Panic.Stack) == 0 {
			return what // the place is in the message, if the panic went through a test
		}
		at := o.Panic.Stack[0]
		return fmt.Sprintf("%s in %s:%d", what, at.Func, at.Pos.Line)
	case o.Status == testcase.Panicked:
		return p.Text
	}
	return o.Status.String() + " " + o.Message + " " + p.Text
}
