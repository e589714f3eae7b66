package main

import (
	"fmt"
	"io"
	"os"

	"flag"

	"github.com/goassay/assay/internal/event"
	"github.com/goassay/assay/internal/merge"
	"github.com/goassay/assay/internal/session"
)

// merge runs "assay merge".
func (c *command) merge(args []string) int {
	var flags common
	var fail bool
	fs := flag.NewFlagSet("assay merge", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	flags.out.eventFlags(fs)
	fs.BoolVar(&flags.json, "json", false, "")
	fs.BoolVar(&flags.verbose, "v", false, "")
	fs.BoolVar(&fail, "fail", false, "")
	if err := fs.Parse(args); err != nil {
		return c.mistake("merge", err)
	}
	if err := flags.out.checkWritable(); err != nil {
		return c.usage("assay merge: %v", err)
	}
	if fs.NArg() == 0 {
		return c.usage("assay merge: want the names of files with the output of -json")
	}
	var runs merge.Runs
	for _, name := range fs.Args() {
		if err := addRun(&runs, name); err != nil {
			fmt.Fprintf(c.stderr, "assay: %v\n", err)
			return exitFailed
		}
	}
	return c.work(&flags, session.Config{}, fail, func(cfg session.Config) (session.Result, error) {
		result := session.Result{ErrorFindings: runs.Send(cfg.Events)}
		for _, problem := range runs.Problems() {
			cfg.Events(event.Diagnostic{Message: problem})
			result.Failed = true
		}
		return result, nil
	})
}

// addRun adds the events of a file.
func addRun(runs *merge.Runs, name string) error {
	if name == "-" {
		return runs.Add("standard input", os.Stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close() // the file is only read, so nothing can be lost
	return runs.Add(name, f)
}
