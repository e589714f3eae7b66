package earlier

import (
	"fmt"
	"go/token"
	"slices"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/load"
	"github.com/goassay/assay/internal/session"
)

// Owner returns a function that names the target (Target.Name) of a generated test. The test's name
// begins with the target's. It is "" if the target no longer exists.
func Owner(pkg *load.Package) (owner func(test string) string) {
	owners := make(map[string]string)
	for _, t := range pkg.Targets {
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

// Carry adds the earlier tests of functions that the run is not about to the new files. The function of
// reports whether it is about a file. A file that cannot be merged is left out. No file that it returns shares helpers with another one.
func (e Files) Carry(s *session.Session, written []emit.File, of func(name string) bool) []emit.File {
	if !e.partly {
		return written
	}
	owner := Owner(s.Pkg)
	place := make(map[string]int)
	for i, t := range s.Pkg.Targets {
		if _, ok := place[t.Name]; !ok {
			place[t.Name] = i
		}
	}
	keep := func(test string) bool {
		name := owner(test)
		return name != "" && !s.InScope(name)
	}
	for _, o := range e.Own {
		if e.Kept[o.Name] || o.Edited || !of(o.Name) || !mayShare(o.Name) {
			continue
		}
		if e.helpers != nil && e.helpers.name == o.Name {
			e.emptied[o.Name] = true // Share writes it anew
			continue
		}
		i := slices.IndexFunc(written, func(f emit.File) bool { return f.Path == o.Name })
		var fresh []byte
		if i >= 0 {
			fresh = written[i].Content
		}
		old, err := e.withHelpers(s, o)
		var merged []byte
		if err == nil {
			merged, err = testfile.Merge(fresh, old, keep, func(test string) int { return place[owner(test)] })
		}
		switch {
		case err != nil:
			s.Events.Send(event.Diagnostic{
				Pos:     token.Position{Filename: o.Name},
				Message: fmt.Sprintf("left as it is: the earlier tests in it and the new ones do not go together: %v", err), Warning: true,
			})
			e.Kept[o.Name] = true
			written = slices.DeleteFunc(written, func(f emit.File) bool { return f.Path == o.Name })
		case i >= 0:
			written[i].Content = merged
		case merged == nil:
			e.emptied[o.Name] = true
		default:
			written = append(written, emit.File{Path: o.Name, Content: merged})
		}
	}
	return written
}
