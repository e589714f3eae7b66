package ci

import (
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/goassay/assay/internal/event"
)

// Profile collects the content of a coverage profile.
type Profile struct {
	packages []event.Coverage
}

// Event collects an event.
func (p *Profile) Event(e event.Event) {
	if c, ok := e.(event.Coverage); ok {
		p.packages = append(p.packages, c)
	}
}

// Write writes the profile. Files have the names that go test gives them: the import path of the
// package and the file's own name.
func (p *Profile) Write(w io.Writer) error {
	if _, err := io.WriteString(w, "mode: set\n"); err != nil {
		return err
	}
	for _, c := range p.packages {
		for _, b := range c.Blocks {
			hits := 0
			if b.Covered {
				hits = 1
			}
			if _, err := fmt.Fprintf(w, "%s:%d.%d,%d.%d %d %d\n", path.Join(c.Package, filepath.Base(b.File)), b.Line, b.Column, b.EndLine, b.EndColumn, b.Stmts, hits); err != nil {
				return err
			}
		}
	}
	return nil
}
