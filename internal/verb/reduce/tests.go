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
	shows  []int // blocks and mutants, or nil if the part does not pass
	forced bool  // the part stays, whatever the others show
	stays  bool
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

// choose selects the versions that stay: the smallest ones that together show everything, and at most one
// version of each part. A part that does not pass unchanged stays unchanged.
func choose(versions []partVersion) {
	var sizes []int
	var shows [][]int
	for _, v := range versions {
		list := v.shows
		switch {
		case v.forced:
			list = nil // nothing needs to be shown by this part
		case list == nil && v.fate == source.Cleaned:
			list = []int{}
		}
		sizes = append(sizes, v.part.Size(v.fate))
		shows = append(shows, list)
	}
	needed := reduce.Needed(sizes, shows)
	if !slices.Contains(needed, true) {
		needed[0] = true // a suite needs at least one test
	}
	for i, stays := range needed {
		v := &versions[i]
		v.stays = stays
		if v.fate == source.Cleaned && versions[i-1].stays {
			v.stays = false // the whole part stays
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
		fate := make(fates)
		for _, v := range versions {
			if v.w == w && v.stays {
				fate[fateKey(v.part.Test, v.part.Row)] = v.fate
			}
		}
		if err := w.keep(fate); err != nil {
			return nil, err
		}
		if w.after != nil {
			suite = append(suite, gotest.File{Path: w.name, Content: w.after})
		}
	}
	return r.show(suite, r.Config.Tags)
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
		equal := make(map[string]string)
		cleaned := make(map[string]int)
		for i, v := range versions {
			if v.w != w || v.fate != source.Whole {
				continue
			}
			stays := v.stays
			if i+1 < len(versions) && versions[i+1].fate == source.Cleaned && versions[i+1].stays {
				stays = true
				cleaned[v.part.Test] = v.part.Dead
			}
			switch {
			case v.shows == nil:
				r.Events.Send(event.Diagnostic{Message: fmt.Sprintf("%s: %s does not pass: left as it is", filepath.Base(w.name), v.part.Name), Warning: true})
			case stays:
				if equal[v.part.Text] == "" {
					equal[v.part.Text] = v.part.Name
				}
			}
		}
		for i, v := range versions {
			if v.w == w && v.fate == source.Whole && v.stays {
				cleaned[v.part.Test] = 0 // the statements of a table are cleaned if no row stays whole
			}
			if v.w != w || v.fate != source.Whole || v.stays || i+1 < len(versions) && versions[i+1].fate == source.Cleaned && versions[i+1].stays {
				continue
			}
			reason := "the others cover what it covers and kill the mutants that it kills"
			if name := equal[v.part.Text]; name != "" {
				reason = "the same as " + name
			}
			r.removed(w, v.part, reason)
		}
		for _, n := range cleaned {
			r.dead += n
		}
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
