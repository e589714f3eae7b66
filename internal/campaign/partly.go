package campaign

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
)

// partly reports whether the run is about part of the package: what is there for the rest
// stays.
func (g *gen) partly() bool { return g.cfg.Run != nil || g.Only != nil }

// testOwner returns what tells the function that a test of assay's is about, by Target.Name:
// names of tests are those of the function with something behind them. It is "" for one
// that is gone.
func (g *gen) testOwner() (owner func(test string) string) {
	owners := make(map[string]string)
	for _, t := range g.Pkg.Targets {
		owners[emit.TestName(t.Name)] = t.Name
	}
	return func(test string) string {
		for end := len(test); end > 0; end-- {
			if name, ok := owners[test[:end]]; ok && (end == len(test) || test[end] == '_') {
				return name
			}
		}
		return ""
	}
}

// carry puts the earlier tests of functions that the run is not about into the new files
// of those among them that of selects, and leaves out files where that does not go.
func (g *gen) carry(earlier earlierFiles, written []emit.File, of func(name string) bool) []emit.File {
	if !g.partly() {
		return written
	}
	owner := g.testOwner()
	place := make(map[string]int)
	for i, t := range g.Pkg.Targets {
		if _, ok := place[t.Name]; !ok {
			place[t.Name] = i
		}
	}
	keep := func(test string) bool {
		name := owner(test)
		return name != "" && !g.InScope(name)
	}
	for _, o := range earlier.files {
		if earlier.kept[o.Name] || o.Edited || !of(o.Name) || strings.HasSuffix(o.Name, emit.FuzzSuffix) || strings.HasSuffix(o.Name, exhaustiveSuffix) {
			continue
		}
		i := slices.IndexFunc(written, func(f emit.File) bool { return f.Path == o.Name })
		var fresh []byte
		if i >= 0 {
			fresh = written[i].Content
		}
		merged, err := testfile.Merge(fresh, o.Content, keep, func(test string) int { return place[owner(test)] })
		switch {
		case err != nil:
			g.Events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: fmt.Sprintf("left as it is: the earlier tests in it and the new ones do not go together: %v", err), Warning: true,
			})
			earlier.kept[o.Name] = true
			written = slices.DeleteFunc(written, func(f emit.File) bool { return f.Path == o.Name })
		case i >= 0:
			written[i].Content = merged
		case merged == nil:
			earlier.emptied[o.Name] = true
		default:
			written = append(written, emit.File{Path: o.Name, Content: merged})
		}
	}
	return written
}
