package adopt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/emit"
	"github.com/goassay/assay/internal/emit/testfile"
	"github.com/goassay/assay/internal/files"
	"github.com/goassay/assay/internal/gotest"
)

// Config says where to look for the tests, and how to build the result.
type Config struct {
	Dir    string // names are relative to it; "" is the current directory
	Tags   string // build tags, comma-separated, for building the result
	DryRun bool   // write nothing
}

// Moved says which tests went, or would go, from one file to another.
type Moved struct {
	From, To string // absolute
	Tests    []string
	// Helpers are the declarations that were moved with the tests. Reused are declarations of the
	// hand-written file that the tests use in place of their own.
	Helpers, Reused []string
	Created         bool // the file was not there before
}

// Run moves the tests that the names stand for: generated files, tests, functions ("Parse"),
// methods ("Tree.Remove") and types.
func Run(ctx context.Context, cfg Config, names []string) ([]Moved, error) {
	wanted, err := find(cfg, names)
	if err != nil {
		return nil, err
	}
	var dirs []*directory
	for _, w := range wanted {
		dir := filepath.Dir(w.own.Name)
		i := slices.IndexFunc(dirs, func(d *directory) bool { return d.path == dir })
		if i < 0 {
			i = len(dirs)
			d, err := readDirectory(dir)
			if err != nil {
				return nil, err
			}
			dirs = append(dirs, d)
		}
		if err := dirs[i].move(w); err != nil {
			return nil, err
		}
	}
	for _, d := range dirs {
		if err := d.leaveShared(); err != nil {
			return nil, err
		}
		if err := d.build(ctx, cfg.Tags); err != nil {
			return nil, err
		}
	}
	var out []Moved
	for _, d := range dirs {
		if !cfg.DryRun {
			if err := d.write(); err != nil {
				return out, err
			}
		}
		out = append(out, d.moved...)
	}
	return out, nil
}

// Has reports whether a directory has generated tests with this name that Run would move.
func Has(dir, name string) bool {
	wanted, err := find(Config{Dir: dir}, []string{name})
	return err == nil && len(wanted) > 0
}

// request is a generated file with the tests that are to be moved from it.
type request struct {
	own     files.Own
	content *testfile.Content
	tests   map[string]bool
}

// find returns the tests that the names stand for, by file.
func find(cfg Config, names []string) ([]*request, error) {
	base, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	var out []*request
	of := func(own files.Own) (*request, error) {
		for _, r := range out {
			if r.own.Name == own.Name {
				return r, nil
			}
		}
		content, err := ownContent(own)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", own.Name, err)
		}
		out = append(out, &request{own, content, make(map[string]bool)})
		return out[len(out)-1], nil
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".go") {
			path := name
			if !filepath.IsAbs(path) {
				path = filepath.Join(base, path)
			}
			own, err := generated(path)
			if err != nil {
				return nil, err
			}
			r, err := of(own)
			if err != nil {
				return nil, err
			}
			for _, t := range r.content.Tests {
				r.tests[t.Name] = true
			}
			continue
		}
		earlier, err := files.Earlier(base)
		if err != nil {
			return nil, err
		}
		found := false
		for _, own := range earlier {
			if own.Bug || own.Edited {
				continue
			}
			r, err := of(own)
			if err != nil {
				return nil, err
			}
			for _, t := range r.content.Tests {
				if isOf(t.Name, name) {
					r.tests[t.Name], found = true, true
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no generated test in %s is called %s or is of a function %s", base, name, name)
		}
	}
	return slices.DeleteFunc(out, func(r *request) bool { return len(r.tests) == 0 }), nil
}

// isOf reports whether a name is that of a test, or of the function, the method or the type that the test is
// about.
func isOf(test, name string) bool {
	of := emit.TestName(name)
	return test == name || test == of || strings.HasPrefix(test, of+"_") || test == "Fuzz"+strings.TrimPrefix(of, "Test")
}

// generated reads a file that assay wrote and nobody has edited.
func generated(path string) (files.Own, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return files.Own{}, err
	}
	ours, edited := testfile.Verify(content)
	switch {
	case !ours || !files.IsOwn(path):
		return files.Own{}, fmt.Errorf("%s: it is no file of tests that assay wrote", path)
	case edited:
		return files.Own{}, fmt.Errorf("%s: it was edited by hand, so it is yours already: rename it to keep it", path)
	case strings.HasSuffix(path, files.BugSuffix):
		return files.Own{}, fmt.Errorf("%s: its tests fail until the code is mended; then gen writes them as tests", path)
	}
	return files.Own{Name: path, Content: content}, nil
}

// directory is a package's directory with the changes to its files.
type directory struct {
	path   string
	hand   []*handFile // the hand-written tests; files to be created come last
	owns   []files.Own // the generated files from which tests are moved
	left   []files.New // their remaining content
	shared shared
	moved  []Moved
}

// move moves the tests of a generated file to the hand-written file for them.
func (d *directory) move(r *request) error {
	to, err := d.targetOf(r)
	if err != nil {
		return err
	}
	m := Moved{From: r.own.Name, To: to.name, Created: to.created}
	goes, rename := d.helpersOf(r, to)
	gone := d.shared.names() // they are not declared in this file
	var texts []string
	for _, t := range r.content.Tests {
		if r.tests[t.Name] {
			m.Tests = append(m.Tests, t.Name)
			texts = append(texts, t.Text)
			gone[t.Name] = true
		}
	}
	for _, h := range r.content.Helpers {
		switch {
		case goes[h.Name]:
			m.Helpers = append(m.Helpers, h.Name)
			texts = append(texts, h.Text)
			gone[h.Name], d.shared.gone[h.Name] = true, true
			to.declares[h.Name] = normalised(h.Text, h.Name)
		case rename[h.Name] != "":
			m.Reused = append(m.Reused, rename[h.Name])
			// The remaining tests of the file may still use its helpers.
			gone[h.Name] = gone[h.Name] || !usedByRest(r, h.Name)
		}
	}
	if err := to.append(texts, r.content.Imports, rename); err != nil {
		return err
	}
	left, err := r.content.Without(gone)
	if err != nil {
		return fmt.Errorf("%s: %w", r.own.Name, err)
	}
	d.owns = append(d.owns, r.own)
	if left != nil {
		d.left = append(d.left, files.New{Name: r.own.Name, Content: left})
	}
	d.moved = append(d.moved, m)
	return nil
}

// news returns the files as they will be.
func (d *directory) news() []files.New {
	var out []files.New
	for _, h := range d.hand {
		if h.changed {
			out = append(out, files.New{Name: h.name, Content: h.content()})
		}
	}
	return append(out, d.left...)
}

// build builds the test binary with the files as they will be.
func (d *directory) build(ctx context.Context, tags string) error {
	work, err := os.MkdirTemp("", "assay-adopt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) // a leftover temporary directory does no harm
	overlay := make(map[string]string)
	for _, o := range d.owns {
		overlay[o.Name] = ""
	}
	for i, f := range d.news() {
		overlay[f.Name] = filepath.Join(work, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(overlay[f.Name], f.Content, 0o600); err != nil {
			return err
		}
	}
	run := gotest.Run{Dir: d.path, Tags: tags, Overlay: overlay, NoVet: true}
	if err := run.Build(ctx, work, filepath.Join(work, "test")); err != nil {
		return fmt.Errorf("%s: with the tests moved the tests do not build: %w", d.path, err)
	}
	return nil
}

// write writes the files.
func (d *directory) write() error {
	_, _, err := files.Replace(d.path, d.owns, d.news(), func(string) bool { return false })
	return err
}
