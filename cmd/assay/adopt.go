package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goassay/assay/internal/adopt"
)

// adopt runs "assay adopt".
func (c *command) adopt(args []string) int {
	var cfg adopt.Config
	fs := flag.NewFlagSet("assay adopt", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.BoolVar(&cfg.DryRun, "n", false, "")
	fs.StringVar(&cfg.Dir, "C", "", "")
	fs.StringVar(&cfg.Tags, "tags", "", "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("adopt", err)
	}
	if fs.NArg() == 0 {
		return c.usage("assay adopt: want the names of test files that assay wrote, of tests or of functions")
	}
	moved, err := adopt.Run(c.ctx, cfg, fs.Args())
	for _, m := range moved {
		c.sayMoved(m, cfg.DryRun)
	}
	switch {
	case errors.Is(err, c.ctx.Err()) && err != nil:
		return exitInterrupted
	case err != nil:
		fmt.Fprintf(c.stderr, "assay: %v\n", err)
		return exitFailed
	}
	return exitDone
}

// sayMoved prints which tests were moved, and where.
func (c *command) sayMoved(m adopt.Moved, dryRun bool) {
	wd, err := os.Getwd()
	if err != nil {
		wd = "/" // the full names are shown then
	}
	short := func(name string) string {
		if rel, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(rel, "..") {
			return rel
		}
		return name
	}
	verb, file := "moved", ""
	if dryRun {
		verb = "would move"
	}
	if m.Created {
		file = " (new)"
	}
	fmt.Fprintf(c.stdout, "%s: %s from %s: %s\n", short(m.To)+file, verb, short(m.From), strings.Join(m.Tests, ", "))
	if len(m.Helpers) > 0 {
		fmt.Fprintf(c.stdout, "%s: with %s\n", short(m.To), strings.Join(m.Helpers, ", "))
	}
	if len(m.Reused) > 0 {
		fmt.Fprintf(c.stdout, "%s: using %s, which is there\n", short(m.To), strings.Join(m.Reused, ", "))
	}
}
