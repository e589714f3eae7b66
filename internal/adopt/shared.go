package adopt

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
)

// shared is the file with the helpers that the generated files of a directory share.
type shared struct {
	own     files.Own
	content *testfile.Content // nil if there is no such file
	gone    map[string]bool   // the helpers that were moved
}

// names returns the names of the helpers.
func (s shared) names() map[string]bool {
	out := make(map[string]bool)
	if s.content != nil {
		for _, h := range s.content.Helpers {
			out[h.Name] = true
		}
	}
	return out
}

// ownContent reads a generated file with the shared helpers that it uses, as if they were its own.
func ownContent(own files.Own) (*testfile.Content, error) {
	all, err := files.Earlier(filepath.Dir(own.Name))
	if err != nil {
		return nil, err
	}
	text := own.Content
	if c, err := testfile.ReadContent(text); err != nil || c.Constraint() != "" {
		return c, err // its tests are not always compiled, and the helpers stay where the others find them
	}
	for _, o := range all {
		if helpers, ok := testfile.OnlyHelpers(o.Content); ok && o.Name != own.Name {
			if text, err = testfile.WithHelpers(text, helpers, ""); err != nil {
				return nil, err
			}
		}
	}
	return testfile.ReadContent(text)
}

// leaveShared takes out of the file of shared helpers those that were moved, and those that no generated file uses any more.
func (d *directory) leaveShared() error {
	if d.shared.content == nil {
		return nil
	}
	all, err := files.Earlier(d.path)
	if err != nil {
		return err
	}
	var rest []*testfile.Content
	for _, o := range all {
		text := o.Content
		if slices.ContainsFunc(d.owns, func(own files.Own) bool { return own.Name == o.Name }) {
			i := slices.IndexFunc(d.left, func(f files.New) bool { return f.Name == o.Name })
			if i < 0 {
				continue
			}
			text = d.left[i].Content
		}
		if o.Name == d.shared.own.Name {
			continue
		}
		if c := testfile.UsesOf(text); c != nil { // else it cannot be compiled, whatever it uses
			rest = append(rest, c)
		}
	}
	for _, h := range d.hand {
		if c := testfile.UsesOf(h.content()); c != nil {
			rest = append(rest, c)
		}
	}
	gone := d.shared.names()
	if kept := d.shared.content.Kept(rest); kept != nil {
		for _, h := range kept.Helpers {
			gone[h.Name] = d.shared.gone[h.Name]
		}
	}
	left, err := d.shared.content.Without(gone)
	if err != nil || bytes.Equal(left, d.shared.own.Content) {
		return err
	}
	d.owns = append(d.owns, d.shared.own)
	if left != nil {
		d.left = append(d.left, files.New{Name: d.shared.own.Name, Content: left})
	}
	return nil
}
