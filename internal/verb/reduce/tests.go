package reduce

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/gotest"
	"github.com/goassay/assay/internal/reduce"
	"github.com/goassay/assay/internal/reduce/source"
)

// partVersion is a part of a file in one of the fates in which it can stay.
type partVersion struct {
	w      *written
	part   source.Part
	fate   source.Fate
	shows  []int       // blocks and mutants, or nil if the part does not pass
	forced bool        // the part stays, whatever the others show
	end    source.Fate // of the version that is whole: what becomes of the part
}

// maxRestored is how often parts are restored because something was lost without them. After that all parts
// stay.
const maxRestored = 4

// versions are the versions of a file's parts, in the order in which Split writes them.
func (w *written) versions() []partVersion {
	var out []partVersion
	for _, p := range w.parts {
		for _, f := range p.Fates() {
			out = append(out, partVersion{w: w, part: p, fate: f})
		}
	}
	return out
}

// wholeShown returns everything that the unchanged parts show, without repetition.
func wholeShown(versions []partVersion) []int {
	var all []int
	for _, v := range versions {
		if v.fate == source.Whole {
			all = append(all, v.shows...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// choose decides what becomes of the parts: the smallest versions that together show everything stay. Several versions of
// one part stay as one that keeps what any of them keeps. A part that does not pass unchanged stays unchanged.
func choose(versions []partVersion) {
	var sizes []int
	var shows [][]int
	for _, v := range versions {
		list := v.shows
		switch {
		case v.forced:
			list = nil // nothing needs to be shown by this part
		case list == nil && v.fate != source.Whole:
			list = []int{}
		}
		sizes = append(sizes, v.part.Size(v.fate))
		shows = append(shows, list)
	}
	needed := reduce.Needed(sizes, shows)
	if !slices.Contains(needed, true) {
		needed[0] = true // a suite needs at least one test
	}
	var whole *partVersion
	for i := range versions {
		if v := &versions[i]; v.fate == source.Whole {
			whole = v
			whole.end = source.Gone
		}
		if needed[i] {
			whole.end |= versions[i].fate
		}
	}
}

// restore keeps the parts whole that show something which was lost.
func restore(versions []partVersion, lost []int) {
	for i := range versions {
		v := &versions[i]
		if v.fate != source.Whole || v.forced {
			continue
		}
		if slices.ContainsFunc(lost, func(e int) bool { return slices.Contains(v.shows, e) }) {
			v.forced = true
			lost = slices.DeleteFunc(slices.Clone(lost), func(e int) bool { return slices.Contains(v.shows, e) })
		}
	}
}

// runRemaining computes the remaining content of the files and runs it.
func (r *reducer) runRemaining(files []*written, versions []partVersion) (*shown, error) {
	var suite []gotest.File
	for _, w := range files {
		if err := w.keep(w.fates(versions)); err != nil {
			return nil, err
		}
		if w.after != nil {
			suite = append(suite, gotest.File{Path: w.name, Content: w.after})
		}
	}
	return r.show(suite, r.Config.Tags)
}

// fates returns what becomes of the parts of a file.
func (w *written) fates(versions []partVersion) fates {
	out := make(fates)
	for _, v := range versions {
		if v.w == w && v.fate == source.Whole {
			out[fateKey(v.part.Test, v.part.Row)] = v.end
		}
	}
	return out
}

// keep computes the remaining content of the file, nothing if no part stays.
func (w *written) keep(fate fates) error {
	after, err := w.src.Keep(fate.of)
	if err != nil {
		return err
	}
	if w.after = nil; after != nil {
		w.after = testfile.Seal(after)
	}
	w.gone = after == nil
	return nil
}

// say reports which parts of the files are removed, and why, and which parts do not pass.
func (r *reducer) say(files []*written, versions []partVersion) {
	for _, w := range files {
		var parts []partVersion
		equal := make(map[string]string)
		for _, v := range versions {
			if v.w != w || v.fate != source.Whole {
				continue
			}
			parts = append(parts, v)
			switch {
			case v.shows == nil:
				r.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s does not pass: left as it is", filepath.Base(w.name), v.part.Name), Warning: true})
			case v.end != source.Gone:
				if equal[v.part.Text] == "" {
					equal[v.part.Text] = v.part.Name
				}
			}
		}
		for _, v := range parts {
			if v.end != source.Gone {
				continue
			}
			reason := "the others cover what it covers and kill the mutants that it kills"
			if name := equal[v.part.Text]; name != "" {
				reason = "the same as " + name
			}
			r.removed(w, v.part, reason)
		}
		r.dead += w.fates(versions).dead(w.parts)
	}
}

// removed reports that a part is removed.
func (r *reducer) removed(w *written, p source.Part, reason string) {
	e := event.Reduced{Package: r.Pkg.Path, File: w.name, Test: p.Test, Row: p.Row + 1, Reason: reason}
	r.Events.Send(e)
	if r.Summary.Redundant == nil {
		r.Summary.Redundant = event.Count(0)
	}
	*r.Summary.Redundant++
}

// shows adds the results of the remaining tests to the summary.
func (r *reducer) shows(after *shown) {
	tests := 0
	for _, e := range after.elements {
		if e != nil {
			tests++
		}
	}
	r.Summary.Tests = event.Count(tests)
	r.Summary.StmtsCovered, r.Summary.StmtsTotal = after.covered[0], after.covered[1]
	r.Summary.SetCoverage()
	r.Summary.Mutants, r.Summary.Killed = event.Count(after.score.Mutants), event.Count(after.score.Killed)
	r.Summary.SetMutation()
}
