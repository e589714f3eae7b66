package campaign

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/event"
)

// partly reports whether the run is about part of the package: what is there for the rest
// stays.
func (g *gen) partly() bool { return g.cfg.Run != nil || g.affected != nil }

// about reports whether the run is about a function, by Target.Name.
func (r *run) about(name string) bool {
	return (r.cfg.Run == nil || r.cfg.Run.MatchString(name)) && (r.affected == nil || r.affected[name])
}

// testOwner returns what tells the function that a test of assay's is about, by Target.Name:
// names of tests are those of the function with something behind them. It is "" for one
// that is gone.
func (r *run) testOwner() (owner func(test string) string) {
	owners := make(map[string]string)
	for _, t := range r.pkg.Targets {
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

// stays reports whether an earlier file is not to be removed though nothing replaces it.
func (g *gen) stays(name string) bool { return g.kept[name] || g.partly() && !g.emptied[name] }

// carry puts the earlier tests of functions that the run is not about into the new files
// of those among them that of selects, and leaves out files where that does not go.
func (g *gen) carry(files []emit.File, of func(name string) bool) []emit.File {
	if !g.partly() {
		return files
	}
	owner := g.testOwner()
	place := make(map[string]int)
	for i, t := range g.pkg.Targets {
		if _, ok := place[t.Name]; !ok {
			place[t.Name] = i
		}
	}
	keep := func(test string) bool {
		name := owner(test)
		return name != "" && !g.about(name)
	}
	for _, o := range g.old {
		if g.kept[o.Name] || o.Edited || !of(o.Name) || strings.HasSuffix(o.Name, emit.FuzzSuffix) || strings.HasSuffix(o.Name, exhaustiveSuffix) {
			continue
		}
		i := slices.IndexFunc(files, func(f emit.File) bool { return f.Path == o.Name })
		var fresh []byte
		if i >= 0 {
			fresh = files[i].Content
		}
		merged, err := emit.Merge(fresh, o.Content, keep, func(test string) int { return place[owner(test)] })
		switch {
		case err != nil:
			g.events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: fmt.Sprintf("left as it is: the earlier tests in it and the new ones do not go together: %v", err), Warning: true,
			})
			g.kept[o.Name] = true
			files = slices.DeleteFunc(files, func(f emit.File) bool { return f.Path == o.Name })
		case i >= 0:
			files[i].Content = merged
		case merged == nil:
			g.emptied[o.Name] = true
		default:
			files = append(files, emit.File{Path: o.Name, Content: merged})
		}
	}
	return files
}
