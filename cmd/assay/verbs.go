package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/goassay/assay/internal/campaign"
)

// gen runs "assay gen".
func (c *command) gen(args []string) int {
	var flags common
	var engines string
	var maxTests int
	var update, dryRun, unsafe, fail bool
	fs := flags.flags("gen")
	fs.StringVar(&engines, "engine", "", "")
	fs.IntVar(&maxTests, "max-tests", 0, "")
	fs.BoolVar(&update, "update", false, "")
	fs.BoolVar(&dryRun, "dry-run", false, "")
	fs.BoolVar(&unsafe, "unsafe", false, "")
	fs.BoolVar(&fail, "fail", false, "")
	var contracts string
	fs.StringVar(&contracts, "contracts", "", "")
	var concrete, mutate bool
	fs.BoolVar(&concrete, "concrete", false, "")
	fs.BoolVar(&mutate, "mutate", true, "")
	flags.later(fs, "exhaustive")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("gen", err)
	}
	if maxTests < 0 {
		return c.usage("assay gen: -max-tests %d: must be 1 or more, or 0 for no bound", maxTests)
	}
	if engines != "" {
		cfg.Engines = strings.Split(engines, ",")
	}
	if concrete && !slices.Contains(cfg.Engines, "sequence") {
		return c.usage("assay gen: -concrete goes with -engine sequence")
	}
	if cfg.NoContracts, err = contractsOff(contracts); err != nil {
		return c.usage("assay gen: %v", err)
	}
	cfg.Concrete, cfg.NoMutants = concrete, !mutate
	cfg.MaxTests, cfg.Update, cfg.DryRun, cfg.Unsafe = maxTests, update, dryRun, unsafe
	return c.campaign(&flags, cfg, fail, func(cfg campaign.Config) (campaign.Result, error) {
		return campaign.Gen(c.ctx, cfg)
	})
}

// explore runs "assay explore".
func (c *command) explore(args []string) int {
	var flags common
	var fail bool
	fs := flags.flags("explore")
	fs.BoolVar(&fail, "fail", false, "")
	var typ string
	var depth int
	var dot bool
	fs.StringVar(&typ, "type", "", "")
	fs.IntVar(&depth, "depth", 0, "")
	fs.BoolVar(&dot, "dot", false, "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("explore", err)
	}
	switch {
	case depth < 0:
		return c.usage("assay explore: -depth %d: must be 1 or more, or 0 for the default", depth)
	case typ == "" && (depth > 0 || dot):
		return c.usage("assay explore: -depth and -dot go with -type")
	}
	cfg.Type, cfg.Depth, cfg.Dot = typ, depth, dot
	return c.campaign(&flags, cfg, fail, func(cfg campaign.Config) (campaign.Result, error) {
		return campaign.Explore(c.ctx, cfg)
	})
}

// reduce runs "assay reduce".
func (c *command) reduce(args []string) int {
	var flags common
	var dryRun bool
	fs := flags.flags("reduce")
	fs.BoolVar(&dryRun, "n", false, "")
	cfg, err := flags.config(fs, args)
	if err != nil {
		return c.mistake("reduce", err)
	}
	files := cfg.Patterns
	if len(files) == 0 {
		return c.usage("assay reduce: name test files that assay wrote")
	}
	cfg.Patterns, cfg.DryRun = nil, dryRun
	return c.campaign(&flags, cfg, false, func(cfg campaign.Config) (campaign.Result, error) {
		return campaign.Reduce(c.ctx, cfg, files)
	})
}

// version runs "assay version".
func (c *command) version(args []string) int {
	if len(args) > 0 {
		return c.usage("assay version: takes no arguments")
	}
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	fmt.Fprintf(c.stdout, "assay %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitDone
}

// help runs "assay help".
func (c *command) help(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(c.stdout, usageText)
		return exitDone
	}
	for _, v := range verbs() {
		if v.name == args[0] && len(args) == 1 {
			fmt.Fprint(c.stdout, v.help)
			return exitDone
		}
	}
	return c.usage("assay help: no command %q", strings.Join(args, " "))
}
