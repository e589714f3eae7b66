package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goassay/assay/internal/ci"
	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/page"
	"github.com/goassay/assay/internal/sarif"
	"github.com/goassay/assay/internal/wholefile"
)

// outputs are the flags that ask for more views of a run's events than the terminal's.
type outputs struct {
	sarif, junit, profile string
	html                  string
	github                bool
}

// flags adds the flags of the views to those of a verb that has findings.
func (o *outputs) flags(fs *flag.FlagSet) {
	o.eventFlags(fs)
	o.pageFlag(fs)
}

// pageFlag adds the flag that asks for pages.
func (o *outputs) pageFlag(fs *flag.FlagSet) { fs.StringVar(&o.html, "html", "", "") }

// eventFlags adds the flags of views that need nothing but the lines of -json.
func (o *outputs) eventFlags(fs *flag.FlagSet) {
	fs.StringVar(&o.sarif, "sarif", "", "")
	fs.StringVar(&o.junit, "junit", "", "")
	fs.BoolVar(&o.github, "github", false, "")
}

// genFlags adds the flags of gen's views.
func (o *outputs) genFlags(fs *flag.FlagSet) {
	o.flags(fs)
	fs.StringVar(&o.profile, "coverprofile", "", "")
}

// checkWritable reports output files that cannot be written, before the run begins.
func (o *outputs) checkWritable() error {
	if info, err := os.Stat(o.html); o.html != "" && err == nil && !info.IsDir() {
		return fmt.Errorf("-html: %s is a file; want a directory", o.html)
	}
	for _, out := range []struct{ flag, file string }{{"-sarif", o.sarif}, {"-junit", o.junit}, {"-coverprofile", o.profile}} {
		if out.file == "" {
			continue
		}
		dir := filepath.Dir(out.file)
		if info, err := os.Stat(dir); err != nil {
			return fmt.Errorf("%s: %w", out.flag, err)
		} else if !info.IsDir() {
			return fmt.Errorf("%s: %s is not a directory", out.flag, dir)
		}
		if info, err := os.Stat(out.file); err == nil && info.IsDir() {
			return fmt.Errorf("%s: %s is a directory; want a file", out.flag, out.file)
		}
	}
	return nil
}

// view shows the events of a run in its own way after the run.
type view struct {
	name  string // for messages
	event func(event.Event)
	write func(done bool) error
}

// views are the views that the user asked for.
type views []view

// open makes the views. Names of files are relative to wd, which the flag -C does not change. The parameter
// dir is the directory of -C.
func (o *outputs) open(stderr io.Writer, wd, dir string) views {
	var out views
	root := repositoryOf(wd, dir)
	if o.sarif != "" {
		log := sarif.New(root, versionText())
		out = append(out, view{"-sarif", log.Event, func(done bool) error {
			return writeWhole(o.sarif, func(w io.Writer) error { return log.Write(w, done) })
		}})
	}
	file := func(flag, name string, event func(event.Event), write func(io.Writer) error) {
		if name != "" {
			out = append(out, view{flag, event, func(bool) error { return writeWhole(name, write) }})
		}
	}
	var junit ci.JUnit
	file("-junit", o.junit, junit.Event, junit.Write)
	var profile ci.Profile
	file("-coverprofile", o.profile, profile.Event, profile.Write)
	if o.html != "" {
		report := page.New(versionText())
		out = append(out, view{"-html", report.Event, func(bool) error { return report.Write(o.html) }})
	}
	if o.github {
		github := ci.NewGitHub(stderr, root)
		out = append(out, view{"-github", github.Event, func(bool) error {
			return appendTo(os.Getenv("GITHUB_STEP_SUMMARY"), github.Write)
		}})
	}
	return out
}

// appendTo appends to a file that earlier steps of a job may have written to. Without a name the text
// is dropped.
func appendTo(name string, write func(io.Writer) error) error {
	if name == "" {
		return write(io.Discard)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// spread returns a receiver that passes each event to first and to every view.
func (vs views) spread(first func(event.Event)) func(event.Event) {
	if len(vs) == 0 {
		return first
	}
	return func(e event.Event) {
		first(e)
		for _, v := range vs {
			v.event(e)
		}
	}
}

// write makes the views write what they have collected, and returns the errors. The parameter done says that
// nothing failed and nobody interrupted the run.
func (vs views) write(done bool) []error {
	var problems []error
	for _, v := range vs {
		if err := v.write(done); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", v.name, err))
		}
	}
	return problems
}

// writeWhole writes a file by a rename, so that nobody reads a file that is half written.
func writeWhole(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return wholefile.Replace(name, b.Bytes())
}

// repositoryOf returns the root of the git repository that contains a run's directory, or that directory
// itself. Code hosts name files relative to this root.
func repositoryOf(wd, dir string) string {
	at := dir
	if !filepath.IsAbs(at) {
		at = filepath.Join(wd, dir)
	}
	if real, err := filepath.EvalSymlinks(at); err == nil {
		at = real
	}
	for up := at; ; up = filepath.Dir(up) {
		if _, err := os.Stat(filepath.Join(up, ".git")); err == nil {
			return up
		}
		if up == filepath.Dir(up) {
			return at
		}
	}
}
